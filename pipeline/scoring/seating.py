"""Who sits where on which boards: a section's movement, resolved to contestants."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, assert_never

from pipeline.rules.howell import howell
from pipeline.rules.mitchell import MitchellKind, mitchell
from pipeline.rules.movement_check import FaultKind, PairNumbering, Severity, check
from pipeline.rules.movements import Seats
from schemas.control import ExplicitMovement, HowellMovement, MitchellMovement, Movement, Placement
from schemas.decisions import Reason, Refused
from schemas.terms import ContestantId, Direction


class Numbered(NamedTuple):
    """A pair by number, in one series for all or in one for each direction."""

    number: int
    series: Direction | None


Occupant = ContestantId | Numbered | None
"""A contestant, a pair number still to be looked up, or an empty seat."""
TableInRound = tuple[int, int]
"""(round, table)."""


@dataclass(frozen=True, slots=True)
class Seated:
    """Who plays which boards at one table in one round."""

    ns: Occupant
    ew: Occupant
    boards: frozenset[int]


@dataclass(frozen=True, slots=True)
class SectionSeating:
    """The tables of a section, round by round."""

    tables: Mapping[TableInRound, tuple[Seated, ...]]
    _of_number: dict[int, list[TableInRound]] = field(default_factory=dict, repr=False, compare=False)

    def tables_of(self, number: int) -> Sequence[TableInRound]:
        """Where a pair with this number plays, in either series."""
        known = self._of_number
        if not known:
            for place, rows in self.tables.items():
                for occupant in [side for row in rows for side in (row.ns, row.ew)]:
                    if isinstance(occupant, Numbered):
                        known.setdefault(occupant.number, []).append(place)
        return known.get(number, ())

    def changed_from(self, round_number: int, later: "SectionSeating") -> "SectionSeating":
        """Keep these seats before a round, take the other's from it on."""
        before = {place: seats for place, seats in self.tables.items() if place[0] < round_number}
        after = {place: seats for place, seats in later.tables.items() if place[0] >= round_number}
        return SectionSeating({**before, **after})


def seating_of(movement: Movement) -> SectionSeating:
    """Lay a movement out as tables and rounds.

    Raises Refused (`movement-unusable`) naming the fault.
    """
    match movement:
        case ExplicitMovement():
            return _explicit(movement.placements)
        case MitchellMovement():
            return _mitchell(movement)
        case HowellMovement():
            return _howell(movement)
        case _:
            assert_never(movement)


def _explicit(placements: tuple[Placement, ...]) -> SectionSeating:
    numbers: dict[ContestantId | None, int] = {None: 0}
    for row in placements:
        numbers.setdefault(row.ns, len(numbers))
        numbers.setdefault(row.ew, len(numbers))
    seats = [
        Seats(row.round, row.table, numbers[row.ns] or None, numbers[row.ew] or None, row.boards)
        for row in placements
    ]
    # Told row by row, a pair that is missing from a round sits out.
    _refuse_faults(seats, PairNumbering.ONE_SERIES, but=FaultKind.PAIR_MISSING)
    tables: dict[TableInRound, list[Seated]] = {}
    for row in placements:
        tables.setdefault((row.round, row.table), []).append(Seated(row.ns, row.ew, frozenset(row.boards)))
    return SectionSeating({place: tuple(several) for place, several in tables.items()})


@lru_cache(maxsize=256)
def _mitchell(movement: MitchellMovement) -> SectionSeating:
    try:
        seats = mitchell(
            movement.tables,
            movement.rounds,
            movement.boards_per_round,
            first_board=movement.first_board,
            kind=MitchellKind(movement.form),
            skip_after=movement.skip_after,
            ew_offset=0,
        )
    except ValueError as error:
        raise _unusable("movement", movement.movement, str(error)) from error
    _refuse_faults(seats, PairNumbering.PER_DIRECTION)
    tables: dict[TableInRound, tuple[Seated, ...]] = {}
    for row in seats:
        north = None if row.ns in {None, movement.missing_ns} else Numbered(row.ns or 0, Direction.NS)
        east = None if row.ew in {None, movement.missing_ew} else Numbered(row.ew or 0, Direction.EW)
        if row.round in movement.arrow_switch_rounds:
            north, east = east, north
        tables[row.round, row.table] = (Seated(north, east, frozenset(row.boards)),)
    return SectionSeating(tables)


@lru_cache(maxsize=256)
def _howell(movement: HowellMovement) -> SectionSeating:
    try:
        seats = howell(
            movement.pairs,
            movement.boards_per_round,
            first_board=movement.first_board,
            rounds=movement.rounds,
            phantom=movement.phantom,
        )
    except ValueError as error:
        raise _unusable("movement", movement.movement, str(error)) from error
    _refuse_faults(seats, PairNumbering.ONE_SERIES)
    return SectionSeating(
        {
            (row.round, row.table): (Seated(_one(row.ns), _one(row.ew), frozenset(row.boards)),)
            for row in seats
        }
    )


def _one(number: int | None) -> Numbered | None:
    return None if number is None else Numbered(number, None)


def _refuse_faults(seats: Iterable[Seats], numbering: PairNumbering, but: FaultKind | None = None) -> None:
    for fault in check(seats, numbering=numbering):
        if fault.kind.severity is Severity.FAULT and fault.kind is not but:
            raise _unusable("movement", fault.kind, f"round {fault.round}, tables {fault.tables}")


def _unusable(field: str, value: object, rule: str) -> Refused:
    return Refused(Reason.MOVEMENT_UNUSABLE, field=field, value=value, rule=rule, article="Law 8")
