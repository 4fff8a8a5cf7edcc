"""The field of an invented event: sections, movements, who enters, and how well they play."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from random import Random
from string import ascii_uppercase
from typing import Final

from pipeline.rules.howell import LARGEST_HOWELL, howell
from pipeline.rules.mitchell import MitchellKind, mitchell
from pipeline.rules.movements import Seats
from schemas.control import (
    ContestantKind,
    HowellMovement,
    MitchellMovement,
    Movement,
)
from schemas.terms import BoardNumber, ContestantId, Direction, PersonId, SectionId, SessionId

TABLES_A_SECTION: Final = 16
SKILL_SPREAD: Final = 1.0


class MovementKind(StrEnum):
    """Which movement every section plays."""

    MITCHELL = "mitchell"
    HOWELL = "howell"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant with its number, players and skill (in deviations from the middle of the field)."""

    contestant: ContestantId
    kind: ContestantKind
    section: SectionId
    number: int
    direction: Direction | None
    players: tuple[PersonId, ...]
    skill: float


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its movement on the wire, the seats that follow from it by round, and who has which number.

    Where a match says who meets, there is no movement on the wire. `ns` and `ew` find an entrant by
    the number that sits there; in one series they are the same.
    """

    id: SectionId
    movement: Movement | None
    rounds: tuple[tuple[Seats, ...], ...]
    ns: Mapping[int, Entrant]
    ew: Mapping[int, Entrant]

    @property
    def entrants(self) -> Iterator[Entrant]:
        """Everybody who plays here, once."""
        yield from self.ns.values()
        if self.ew is not self.ns:
            yield from self.ew.values()


@dataclass(frozen=True, slots=True)
class Session:
    """One session of an event: its sections and the boards they play in all."""

    id: SessionId
    sections: tuple[Section, ...]
    boards_a_round: int
    boards: tuple[BoardNumber, ...] = field(init=False)

    def __post_init__(self) -> None:
        boards = {
            board
            for section in self.sections
            for seats in section.rounds
            for row in seats
            for board in row.boards
        }
        object.__setattr__(self, "boards", tuple(sorted(boards)))

    @property
    def rounds(self) -> int:
        """The rounds of the section that plays most."""
        return max(len(section.rounds) for section in self.sections)


def by_round(seats: Iterable[Seats]) -> tuple[tuple[Seats, ...], ...]:
    """The seats of a movement, in one tuple per round."""
    rows = sorted(seats, key=lambda row: (row.round, row.table))
    return tuple(tuple(group) for _, group in groupby(rows, key=lambda row: row.round))


def section_names(count: int) -> Iterator[SectionId]:
    """A to Z, then AA, AB and so on.

    >>> list(section_names(28))[-2:]
    ['AA', 'AB']
    """
    for index in range(count):
        name, rest = ascii_uppercase[index % 26], index // 26
        while rest:
            name, rest = ascii_uppercase[(rest - 1) % 26] + name, (rest - 1) // 26
        yield SectionId(name)


def even_sizes(tables: int, sections: int) -> tuple[int, ...]:
    """Share tables out among sections, no two sizes more than one apart.

    >>> even_sizes(31, 2)
    (16, 15)
    """
    small, larger = divmod(tables, sections)
    return (small + 1,) * larger + (small,) * (sections - larger)


def boards_a_round(boards: int, most_rounds: int) -> int:
    """The fewest boards a round, from two up, that divide the session into rounds the movement has.

    >>> boards_a_round(24, 13), boards_a_round(24, 7)
    (2, 4)
    """
    usual = range(2, boards + 1) if boards > 1 else range(1, 2)
    return next(few for few in usual if boards % few == 0 and boards // few <= most_rounds)


@lru_cache(maxsize=8)
def _mitchell_rounds(
    tables: int, rounds: int, boards_per_round: int, first_board: int, kind: MitchellKind
) -> tuple[tuple[Seats, ...], ...]:
    """Thousands of sections of a large field share these rows."""
    return by_round(
        mitchell(tables, rounds, boards_per_round, first_board=first_board, kind=kind, ew_offset=0)
    )


def mitchell_section(
    section: SectionId,
    tables: int,
    rounds: int,
    boards_per_round: int,
    people: "People",
    *,
    first_board: int = 1,
) -> Section:
    """A Mitchell with two winners; an even number of tables skips, or relays where all rounds are played."""
    kind = MitchellKind.PLAIN
    if tables % 2 == 0 and rounds > tables // 2:
        kind = MitchellKind.SKIP if rounds < tables else MitchellKind.RELAY_AND_SHARE
    seats = _mitchell_rounds(tables, rounds, boards_per_round, first_board, kind)
    wire = MitchellMovement(tables, rounds, boards_per_round, BoardNumber(first_board), kind.value)
    ns, ew = (
        {number: people.pair(section, number, side) for number in range(1, tables + 1)} for side in Direction
    )
    return Section(section, wire, seats, ns, ew)


def howell_section(
    section: SectionId,
    pairs: int,
    rounds: int,
    boards_per_round: int,
    people: "People",
    *,
    first_board: int = 1,
) -> Section:
    """A Howell, curtailed where it must be; an odd number of pairs has a sit-out at the first table."""
    seats = howell(pairs, boards_per_round, first_board=first_board, rounds=rounds)
    absent = pairs + 1 if pairs % 2 else None
    wire = HowellMovement(pairs, boards_per_round, BoardNumber(first_board), rounds, absent)
    entrants = {number: people.pair(section, number, None) for number in range(1, pairs + 1)}
    return Section(section, wire, by_round(seats), entrants, entrants)


def match_section(section: SectionId, boards: int, people: "People", *, first_board: int = 1) -> Section:
    """Two teams at two tables, on the same boards, the other way round at the second."""
    numbers = tuple(BoardNumber(board) for board in range(first_board, first_board + boards))
    seats = (Seats(1, 1, 1, 2, numbers), Seats(1, 2, 2, 1, numbers))
    entrants = {number: people.team(section, number) for number in (1, 2)}
    return Section(section, None, by_round(seats), entrants, entrants)


class People:
    """Makes entrants: pseudonyms in the order of entry, skill from the dice."""

    def __init__(self, dice: Random, prefix: str = "p") -> None:
        self._dice, self._prefix, self._entered = dice, prefix, 0

    def pair(self, section: SectionId, number: int, direction: Direction | None) -> Entrant:
        """A pair, named after its section and number."""
        side = f"{direction.value}-" if direction is not None else ""
        name = ContestantId(f"{section}-{side}{number}")
        return self._entrant(name, ContestantKind.PAIR, section, number, direction, 2)

    def team(self, section: SectionId, number: int) -> Entrant:
        """A team of four."""
        name = ContestantId(f"{section}-team-{number}")
        return self._entrant(name, ContestantKind.TEAM, section, number, None, 4)

    def _entrant(
        self,
        name: ContestantId,
        kind: ContestantKind,
        section: SectionId,
        number: int,
        direction: Direction | None,
        size: int,
    ) -> Entrant:
        first = self._entered + 1
        self._entered += size
        players = tuple(PersonId(f"{self._prefix}{n}") for n in range(first, first + size))
        return Entrant(name, kind, section, number, direction, players, self._dice.gauss(0, SKILL_SPREAD))


def plan_session(
    tables: int,
    boards: int,
    dice: Random,
    *,
    sections: int | None = None,
    movement: MovementKind = MovementKind.MITCHELL,
    session: SessionId = SessionId("1"),
) -> Session:
    """Seat a field: `tables` full tables in equal sections, every pair plays `boards` boards.

    Raises ValueError where there is no such movement: too few tables, no boards, a Howell too large.

    >>> plan = plan_session(20, 24, Random(1))
    >>> [(section.id, len(section.ns), len(section.rounds)) for section in plan.sections], plan.boards_a_round
    ([('A', 10, 8), ('B', 10, 8)], 3)
    """
    most = TABLES_A_SECTION if movement is MovementKind.MITCHELL else LARGEST_HOWELL // 2
    parts = -(-tables // most) if sections is None else sections
    if parts < 1 or boards < 1 or tables < 2 * parts:
        raise ValueError(
            f"{tables} tables in {parts} sections, {boards} boards: a section has two tables, each a board"
        )
    sizes = even_sizes(tables, parts)
    if movement is MovementKind.HOWELL and sizes[0] > most:
        raise ValueError(f"{sizes[0]} tables in a section: a Howell is for {most} at most")
    smallest = sizes[-1]
    most_rounds = smallest if movement is MovementKind.MITCHELL else 2 * smallest - 1
    each = boards_a_round(boards, most_rounds)
    people, rounds = People(dice), boards // each
    names = section_names(parts)
    if movement is MovementKind.MITCHELL:
        seated = (
            mitchell_section(name, size, rounds, each, people)
            for name, size in zip(names, sizes, strict=True)
        )
    else:
        seated = (
            howell_section(name, 2 * size, rounds, each, people)
            for name, size in zip(names, sizes, strict=True)
        )
    return Session(session, tuple(seated), each)
