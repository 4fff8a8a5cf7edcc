"""What changed between two folds, as tables and as JSON."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from pipeline.cli.lists import line_cells, line_json, lists_of, write_json
from pipeline.cli.status import ExitStatus
from pipeline.cli.tables import Column, show
from pipeline.scoring.event import Event
from schemas.published import Row, TravellerLine
from schemas.terms import PersonId

if TYPE_CHECKING:
    from pipeline.history import Difference, Move

NOTHING = "-"


def tell(difference: "Difference", event: Event, people: Mapping[PersonId, str], *, as_json: bool) -> None:
    """Show all that differs in an event; ends the command with DIFFERENT if anything does."""
    difference = without_echo(difference, event)
    if as_json:
        write_json(difference_json(difference))
    else:
        _show(difference, people)
    if difference:
        raise typer.Exit(ExitStatus.DIFFERENT)


def without_echo(difference: "Difference", event: Event) -> "Difference":
    """Leave out the lists of the only session of an event: those of the event say the same."""
    wanted = lists_of(event)
    return replace(difference, lists=tuple(change for change in difference.lists if change.list in wanted))


def difference_json(difference: "Difference") -> dict[str, Any]:
    """A difference as plain data; `before` and `after` are null where there was or is nothing."""
    return {
        "lists": [
            {
                "list": change.list,
                "status_before": None if change.status_before is None else change.status_before.value,
                "status_after": None if change.status_after is None else change.status_after.value,
                "moves": [
                    {
                        "contestant": move.contestant,
                        "before": _row_json(move.before),
                        "after": _row_json(move.after),
                    }
                    for move in change.moves
                ],
            }
            for change in difference.lists
        ],
        "boards": [
            {
                "session": board.session,
                "section": board.group,
                "board": board.board,
                "lines": [
                    {
                        "slot": str(line.slot),
                        "before": None if line.before is None else line_json(line.before),
                        "after": None if line.after is None else line_json(line.after),
                    }
                    for line in board.lines
                ],
            }
            for board in difference.boards
        ],
    }


def _row_json(row: Row | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {
        "rank": row.rank,
        "tied": row.tied,
        "score": row.score,
        "percentage": row.percentage,
        "boards": row.boards,
    }


def _show(difference: "Difference", people: Mapping[PersonId, str]) -> None:
    for change in difference.lists:
        before, after = change.status_before, change.status_after
        title = (
            change.list if before is after else f"{change.list} - {before or NOTHING} → {after or NOTHING}"
        )
        rows = [_moved(move, people) for move in change.moves]
        show(
            title,
            (
                Column("pair"),
                Column("names"),
                Column("rank"),
                Column("score"),
                Column("%"),
                Column("boards"),
            ),
            rows,
        )
    for board in difference.boards:
        show(
            f"Board {board.board} · {board.group} · session {board.session}",
            (
                Column("where"),
                Column("NS"),
                Column("EW"),
                Column("result"),
                Column("NS score"),
                Column("NS points"),
                Column("EW points"),
            ),
            [
                (
                    f"{line.slot.section}{line.slot.table} r{line.slot.round}",
                    *_changed(line.before, line.after),
                )
                for line in board.lines
            ],
        )


def _moved(move: "Move", people: Mapping[PersonId, str]) -> tuple[str, ...]:
    row = move.after or move.before
    names = () if row is None else row.players
    return (
        move.contestant,
        " - ".join(people.get(person, person) for person in names),
        *(from_to(old, new) for old, new in zip(_cells(move.before), _cells(move.after), strict=True)),
    )


def _cells(row: Row | None) -> tuple[str, str, str, str]:
    if row is None:
        return (NOTHING,) * 4
    rank = NOTHING if row.rank is None else f"{row.rank}{'=' if row.tied else ''}"
    return rank, row.score, row.percentage or NOTHING, str(row.boards)


def _changed(before: TravellerLine | None, after: TravellerLine | None) -> tuple[str, ...]:
    return tuple(from_to(old, new) for old, new in zip(_line(before), _line(after), strict=True))


def _line(line: TravellerLine | None) -> tuple[str, ...]:
    if line is None:
        return (NOTHING,) * 6
    ns, ew, contract, declarer, tricks, score, _, points_ns, points_ew = line_cells(line)
    result = " ".join(part for part in (contract, declarer, tricks) if part)
    return ns, ew, result or NOTHING, score or NOTHING, points_ns or NOTHING, points_ew or NOTHING


def from_to(old: str, new: str) -> str:
    """One cell for a value before and after.

    >>> from_to("3=", "2"), from_to("3=", "3=")
    ('3= → 2', '3=')
    """
    return old if old == new else f"{old} → {new}"
