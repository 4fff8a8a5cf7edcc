"""Standings and travellers of an event as the command line shows them: as tables, and as JSON."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TextIO

from pipeline.cli.tables import SUITS, Column, show
from pipeline.scoring.board import BoardId
from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.scores import EVENT, unit_of
from pipeline.scoring.standings import boards_due, rows_of, standings, status_of
from pipeline.scoring.travellers import board_ids, lines_of, top_of
from schemas.deal import NoScore, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.published import Row, SideScore, Status, TravellerLine
from schemas.terms import ListId, PersonId

People = Mapping[PersonId, str]
ResultTexts = dict[int, tuple[str, str, str]]
"""Contract, declarer and tricks in words, by the `id` of a result that an event holds."""
PASSED_OUT: Final = "PASS"


def lists_of(event: Event) -> tuple[ListId, ...]:
    """The lists to show: those of the event first, and of each session where there are several."""
    found = list_ids(event)
    whole = tuple(name for name in found if name.startswith(f"{EVENT}/"))
    several = len(event.session_names()) > 1
    return (*whole, *(name for name in found if several and name not in whole))


@dataclass(frozen=True, slots=True)
class Listed:
    """A list as it is shown: without what only a reader of messages wants, such as its digest."""

    scope: str
    line: str
    status: Status
    rows: tuple[Row, ...]
    boards_due: int


def listed(event: Event, lists: Iterable[ListId], at_us: int | None = None) -> Iterator[Listed]:
    """Each list with its rows and where it stands."""
    for name in lists:
        scope, _, line = name.partition("/")
        rows = rows_of(event, name)
        sessions = event.session_names() if scope == EVENT else (scope,)
        yield Listed(scope, line, status_of(event, scope, at_us)[0], rows, boards_due(event, sessions, rows))


def names(row: Row, people: People) -> list[str]:
    """The players of a contestant by name, or by pseudonym where there is none."""
    return [people.get(person, person) for person in row.players]


# JSON.


def standings_json(
    event: Event, people: People, lists: Iterable[ListId], at_us: int | None = None
) -> list[dict[str, Any]]:
    """The lists as plain data; scores and percentages are decimal strings."""
    return [
        {
            "scope": one.scope,
            "line": one.line,
            "status": str(one.status),
            "rows": [
                {
                    "rank": row.rank,
                    "tied": row.tied,
                    "contestant": row.contestant,
                    "names": names(row, people),
                    "score": row.score,
                    "percentage": row.percentage,
                    "boards": row.boards,
                }
                for row in one.rows
            ],
        }
        for one in listed(event, lists, at_us)
    ]


def write_digests(event: Event, lists: Iterable[ListId], at_us: int, out: TextIO | None = None) -> None:
    """A line a list: what it is, its SHA-256, and as of when, for a later audit to hold a log to."""
    out = sys.stdout if out is None else out
    for name in lists:
        digest = standings(event, name, at_us)[0].digest
        out.write(json.dumps({"event": event.id, "list": name, "digest": digest, "as_of_us": at_us}) + "\n")


def travellers_json(event: Event) -> list[dict[str, Any]]:
    """The travellers as plain data; `session` and `form` are there where an event has several."""
    several = len(event.session_names()) > 1
    return [traveller_json(event, board, session=several) for board in board_ids(event)]


def traveller_json(event: Event, board: BoardId, *, session: bool) -> dict[str, Any]:
    """One traveller as plain data."""
    found: dict[str, Any] = {"session": board.session} if session else {}
    found |= {"section": board.group, "board": board.board}
    if board.form:
        found["form"] = board.form
    lines = lines_of(event, board)
    datum = event.rated(event.boards[board]).ns_datum
    if datum is not None:
        found["datum"] = str(datum)
    found["lines"] = [line_json(line) for line in lines]
    return found


def line_json(line: TravellerLine) -> dict[str, Any]:
    """One line of a traveller; `score_ew` is East-West's own: the other sign, unless a ruling split it."""
    contract, declarer, tricks = None, None, None
    result = line.result
    if isinstance(result, Played):
        contract, declarer, tricks = str(result.contract), str(result.contract.declarer), result.tricks
    elif isinstance(result, PassedOut):
        contract = PASSED_OUT
    return {
        "ns": line.ns,
        "ew": line.ew,
        "contract": contract,
        "declarer": declarer,
        "tricks": tricks,
        "score_ns": None if line.score_ns is None else str(line.score_ns),
        "score_ew": None if line.score_ew is None else str(line.score_ew),
        "points_ns": line.points_ns.points,
        "points_ew": line.points_ew.points,
    }


def write_json(data: object, out: TextIO | None = None) -> None:
    """Write data as one line of JSON, names in their own letters."""
    out = out or sys.stdout
    out.write(json.dumps(data, ensure_ascii=False))
    out.write("\n")


# Tables.


def show_standings(event: Event, people: People, lists: Iterable[ListId], at_us: int | None = None) -> None:
    """Print the lists, with the word for where each of them stands."""
    described = event.facts.described.last()
    name = described.title if described is not None and described.title else str(event.id)
    unit = unit_of(event.conditions)
    for one in listed(event, lists, at_us):
        where = [name]
        where += [] if one.scope == EVENT else [f"session {one.scope}"]
        where += [] if one.line == "all" else [one.line]
        played = f"{max((row.boards for row in one.rows), default=0)} of {one.boards_due} boards"
        show(f"{' · '.join(where)} - {one.status}, {played}, {unit}", *standings_table(one.rows, people))


def standings_table(rows: Iterable[Row], people: People) -> tuple[list[Column], list[list[str]]]:
    """A list's columns and cells; without percentages or names their columns are left out."""
    rows = tuple(rows)
    with_names = any(row.players for row in rows)
    with_percentage = any(row.percentage is not None for row in rows)
    with_penalty = any(row.penalty is not None for row in rows)
    columns = [Column("rank", figures=True), Column("pair")]
    columns += [Column("names")] if with_names else []
    columns += [Column("score", figures=True)]
    columns += [Column("%", figures=True)] if with_percentage else []
    columns += [Column("penalty", figures=True)] if with_penalty else []
    columns += [Column("boards", figures=True)]
    cells = []
    for row in rows:
        found = ["-" if row.rank is None else f"{row.rank}{'=' if row.tied else ''}", str(row.contestant)]
        found += [" - ".join(names(row, people))] if with_names else []
        found += [row.score]
        found += [row.percentage or ""] if with_percentage else []
        found += [row.penalty or ""] if with_penalty else []
        found += [str(row.boards)]
        cells.append(found)
    return columns, cells


_LINE: Final = (
    Column("NS"),
    Column("EW"),
    Column("contract"),
    Column("by"),
    Column("tricks", figures=True),
    Column("NS score", figures=True),
    Column("EW score", figures=True),
    Column("NS points", figures=True),
    Column("EW points", figures=True),
)


def show_travellers(event: Event) -> None:
    """Print every board."""
    several = len(event.session_names()) > 1
    in_words: ResultTexts = {}
    for board in board_ids(event):
        show_traveller(event, board, in_words, session=several)


def show_traveller(event: Event, board: BoardId, in_words: ResultTexts, *, session: bool) -> None:
    """Print a board with its datum, or its top."""
    lines = lines_of(event, board)
    rating = event.rated(event.boards[board])
    datum, top = rating.ns_datum, top_of(rating)
    title = f"Board {board.board} · {board.group}"
    title += f" · form {board.form}" if board.form else ""
    title += f" · session {board.session}" if session else ""
    title += f" - datum {datum}" if datum is not None else f" - top {top}" if top else ""
    show(title, _LINE, [line_cells(line, in_words) for line in lines])


def line_cells(line: TravellerLine, in_words: ResultTexts | None = None) -> tuple[str, ...]:
    """One line of a traveller as text; `in_words` keeps results in words, for files that repeat them."""
    # By identity: as values they are slower to look up than to write.
    known = None if in_words is None else in_words.get(id(line.result))
    if known is None:
        known = result_text(line)
        if in_words is not None:
            in_words[id(line.result)] = known
    contract, declarer, tricks = known
    return (
        line.ns or "-",
        line.ew or "-",
        contract,
        declarer,
        tricks,
        "" if line.score_ns is None else str(line.score_ns),
        "" if line.score_ew is None else str(line.score_ew),
        _points(line.points_ns),
        _points(line.points_ew),
    )


def result_text(line: TravellerLine) -> tuple[str, str, str]:
    """A contract with its suit as a symbol, the declarer, and tricks against the contract.

    Where there is no contract, what there is instead.
    """
    match line.result:
        case Played(contract, tricks):
            suit = SUITS.get(contract.strain.value, contract.strain.value)
            over = tricks - contract.level - 6
            made = f"{over:+d}" if over else "="
            return f"{contract.level}{suit}{contract.doubling}", contract.declarer.value, made
        case PassedOut():
            return PASSED_OUT, "", ""
        case ScoreOnly():
            return "score only", "", ""
        case NotPlayed(cause):
            return f"not played: {cause.value}", "", ""
        case NoScore():
            return "no score", "", ""
        case None:
            return "adjusted", "", ""


def _points(side: SideScore) -> str:
    if side.award is None:
        return side.points or ""
    return f"{side.award} {side.points}" if side.points is not None else side.award
