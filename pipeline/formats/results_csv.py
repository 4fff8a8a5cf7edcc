"""Standings and travellers as comma-separated values, with a header, for spreadsheets."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, assert_never

from schemas.deal import NoScore, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.published import Standings, Traveller, TravellerLine
from schemas.terms import PersonId

STANDINGS_COLUMNS: Final = (
    "scope", "line", "status", "rank", "tied", "number", "section", "direction", "contestant", "names",
    "score", "exact", "unit", "percentage", "boards", "penalty", "carry_over",
)  # fmt: skip
TRAVELLER_COLUMNS: Final = (
    "session", "group", "board", "section", "round", "table", "ns", "ew", "contract", "declarer",
    "tricks", "score_ns", "score_ew", "points_ns", "points_ew", "award_ns", "award_ew", "flags",
)  # fmt: skip
# What a spreadsheet would run as a formula when it opens the file.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def standings_csv(pages: Iterable[Standings], people: Mapping[PersonId, str]) -> str:
    """The rows of all pages, in the order given; where `people` has no name the pseudonym stands."""
    return _csv(STANDINGS_COLUMNS, (row for page in pages for row in _rows(page, people)))


def travellers_csv(travellers: Iterable[Traveller]) -> str:
    """The lines of all travellers, in the order given."""
    return _csv(TRAVELLER_COLUMNS, (row for page in travellers for row in _lines(page)))


def _rows(page: Standings, people: Mapping[PersonId, str]) -> Iterator[list[object]]:
    for row in page.rows:
        names = " - ".join(people.get(person, person) for person in row.players)
        yield [
            page.scope,
            page.line,
            page.status,
            row.rank,
            "=" if row.tied else None,
            row.number,
            row.section,
            row.direction,
            row.contestant,
            _text(names),
            row.score,
            row.exact,
            page.unit,
            row.percentage,
            row.boards,
            row.penalty,
            row.carry_over,
        ]


def _lines(page: Traveller) -> Iterator[list[object]]:
    for line in page.lines:
        yield [
            page.session,
            page.group,
            page.board,
            line.slot.section,
            line.slot.round,
            line.slot.table,
            line.ns,
            line.ew,
            *_told(line),
            line.score_ns,
            line.score_ew,
            line.points_ns.points,
            line.points_ew.points,
            line.points_ns.award,
            line.points_ew.award,
            " ".join(line.flags) or None,
        ]


def _told(line: TravellerLine) -> tuple[str | None, str | None, int | None]:
    match line.result:
        case Played(contract=contract, tricks=tricks):
            return str(contract), contract.declarer, tricks
        case PassedOut():
            return "PASS", None, None
        case NotPlayed() | NoScore():
            return line.result.outcome.replace("_", " "), None, None
        case ScoreOnly() | None:
            return None, None, None
        case _:
            assert_never(line.result)


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv(header: tuple[str, ...], rows: Iterable[list[object]]) -> str:
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")  # RFC 4180
    writer.writerow(header)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    return written.getvalue()
