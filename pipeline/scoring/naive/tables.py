"""A movement as rows by round and table: Law 8A. The movements themselves are data of `pipeline.rules`."""

from functools import cache
from typing import NamedTuple

from pipeline.rules.howell import howell
from pipeline.rules.mitchell import MitchellKind, mitchell
from pipeline.rules.movement_check import FaultKind, Severity, check
from pipeline.rules.movements import Seats
from schemas.control import ExplicitMovement, HowellMovement, MitchellMovement, Movement
from schemas.terms import BoardNumber, ContestantId, Direction


class Numbered(NamedTuple):
    """A pair by number, in a Mitchell with its direction."""

    number: int
    direction: Direction | None


Pair = ContestantId | Numbered | None


class Row(NamedTuple):
    """One table in one round."""

    ns: Pair
    ew: Pair
    boards: tuple[BoardNumber, ...]


Rows = dict[tuple[int, int], Row]


@cache
def rows_of(movement: Movement) -> Rows:
    """The rows of a movement by round and table; a table that is told twice in a round plays both sets.

    Raises ValueError where the settings contradict each other.
    """
    rows: Rows = {}
    for at, row in _told(movement):
        before = rows[at].boards if at in rows else ()
        rows[at] = Row(row.ns, row.ew, before + row.boards)
    return rows


def usable(movement: Movement) -> bool:
    """Tell whether a movement can be played: no fault, only flags, and settings that agree."""
    try:
        told = _told(movement)
    except ValueError:
        return False
    numbers: dict[Pair, int] = {None: 0}
    for _, row in told:
        for pair in (row.ns, row.ew):
            numbers.setdefault(pair, len(numbers))
    seats = [
        Seats(at[0], at[1], numbers[row.ns] or None, numbers[row.ew] or None, row.boards) for at, row in told
    ]
    faults = [fault.kind for fault in check(seats) if fault.kind.severity is not Severity.FLAG]
    told_by_row = isinstance(movement, ExplicitMovement)
    return all(told_by_row and kind is FaultKind.PAIR_MISSING for kind in faults)


def _told(movement: Movement) -> list[tuple[tuple[int, int], Row]]:
    if isinstance(movement, ExplicitMovement):
        return [((one.round, one.table), Row(one.ns, one.ew, one.boards)) for one in movement.placements]
    if isinstance(movement, HowellMovement):
        seats = howell(
            movement.pairs,
            movement.boards_per_round,
            first_board=movement.first_board,
            rounds=movement.rounds,
            phantom=movement.phantom,
        )
        return [((one.round, one.table), Row(_any(one.ns), _any(one.ew), one.boards)) for one in seats]
    seats = mitchell(
        movement.tables,
        movement.rounds,
        movement.boards_per_round,
        first_board=movement.first_board,
        kind=MitchellKind(movement.form),
        skip_after=movement.skip_after,
        arrow_switch_rounds=frozenset(movement.arrow_switch_rounds),
    )
    return [
        (
            (one.round, one.table),
            Row(_of_mitchell(one.ns, movement), _of_mitchell(one.ew, movement), one.boards),
        )
        for one in seats
    ]


def _any(number: int | None) -> Numbered | None:
    return None if number is None else Numbered(number, None)


def _of_mitchell(number: int | None, movement: MitchellMovement) -> Numbered | None:
    """Who started North-South is numbered up to the tables, who started East-West above them."""
    if number is None or number <= movement.tables:
        return None if number in {None, movement.missing_ns} else Numbered(number or 0, Direction.NS)
    own = number - movement.tables
    return None if own == movement.missing_ew else Numbered(own, Direction.EW)
