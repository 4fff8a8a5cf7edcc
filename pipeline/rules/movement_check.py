"""Laws 5, 8A and 15: a movement judged before play; each pair one seat, and boards it has not played."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from pipeline.rules.movements import Seats
from schemas.terms import BoardNumber, Direction


class PairNumbering(StrEnum):
    """Whether a number names one pair of the section, or one in each direction (two winners)."""

    ONE_SERIES = "one-series"
    PER_DIRECTION = "per-direction"


class Severity(StrEnum):
    """A fault makes a movement unusable; a flag is for the director to know and to accept."""

    FAULT = "fault"
    FLAG = "flag"


class FaultKind(StrEnum):
    """What can be wrong or remarkable in a movement."""

    PAIR_TWICE_IN_ROUND = "pair-twice-in-round"
    PAIR_AGAINST_ITSELF = "pair-against-itself"
    PAIR_MISSING = "pair-missing"
    """Seated in another round, and here neither seated nor sitting out."""
    DIRECTION_CLASH = "direction-clash"
    """Two pairs in one direction at one table."""
    TABLE_WITHOUT_BOARDS = "table-without-boards"
    BOARD_REPEATED = "board-repeated"
    """A pair meets a board that it has played."""
    REMATCH = "rematch"
    BOARD_SHARED = "board-shared"
    """At more tables in a round than there are copies; the tables take turns."""
    EMPTY_TABLE = "empty-table"
    """Boards without a pair."""

    @property
    def severity(self) -> Severity:
        """A fault, or a flag."""
        return Severity.FLAG if self in _FLAGS else Severity.FAULT

    @property
    def rule(self) -> str:
        """The law that it touches."""
        return _RULES[self]


_FLAGS = frozenset(
    {FaultKind.BOARD_REPEATED, FaultKind.REMATCH, FaultKind.BOARD_SHARED, FaultKind.EMPTY_TABLE}
)
_RULES = {
    FaultKind.PAIR_TWICE_IN_ROUND: "Law 5",
    FaultKind.PAIR_AGAINST_ITSELF: "Law 4",
    FaultKind.PAIR_MISSING: "Law 8A",
    FaultKind.DIRECTION_CLASH: "Law 5",
    FaultKind.TABLE_WITHOUT_BOARDS: "Law 8A",
    FaultKind.BOARD_REPEATED: "Law 15",
    FaultKind.REMATCH: "Law 8A",
    FaultKind.BOARD_SHARED: "Law 8A",
    FaultKind.EMPTY_TABLE: "Law 8A",
}


@dataclass(frozen=True, slots=True)
class MovementFault:
    """One finding with its place and values; what does not belong to its kind is empty.

    `direction` says whose series a pair number is from, or in which direction two pairs clash.
    """

    kind: FaultKind
    round: int
    tables: tuple[int, ...] = ()
    pairs: tuple[int, ...] = ()
    boards: tuple[BoardNumber, ...] = ()
    direction: Direction | None = None


Pair = tuple[Direction | None, int]
"""A pair number, with its direction where each direction has a series of its own."""


def check(
    seats: Iterable[Seats], *, numbering: PairNumbering = PairNumbering.ONE_SERIES, allowed: int = 1
) -> tuple[MovementFault, ...]:
    """Return all findings on a movement, by round and table; an empty tuple is a clean bill.

    `allowed` is at how many tables a board can be at once: the copies there are.

    >>> one = BoardNumber(1)
    >>> found = check([Seats(1, 1, 1, 2, (one,)), Seats(2, 1, 2, 1, (one,))])
    >>> [(fault.kind.value, fault.round, fault.pairs, fault.kind.severity.value) for fault in found]
    [('board-repeated', 2, (1,), 'flag'), ('board-repeated', 2, (2,), 'flag'), ('rematch', 2, (2, 1), 'flag')]
    """
    rows = sorted(seats, key=lambda row: (row.round, row.table))
    rounds: dict[int, list[Seats]] = defaultdict(list)
    for row in rows:
        rounds[row.round].append(row)
    found = [*_at_tables(rows, numbering), *_in_session(rows, numbering)]
    everybody = {pair for row in rows for pair, _ in _seated(row, numbering)}
    for number, tables in rounds.items():
        found += _clashes(number, tables)
        found += _misplaced(number, tables, numbering, everybody)
        found += _shared(number, tables, allowed)
    return tuple(sorted(found, key=_reading_order))


def _reading_order(fault: MovementFault) -> tuple[int, tuple[int, ...], str, tuple[int, ...], str]:
    return fault.round, fault.tables, fault.kind, fault.pairs, fault.direction or ""


def _seated(row: Seats, numbering: PairNumbering) -> list[tuple[Pair, Direction]]:
    """The pairs at a table, sitting out or not, and where they sit."""
    own = numbering is PairNumbering.PER_DIRECTION
    sides = ((Direction.NS, row.ns), (Direction.EW, row.ew))
    return [((side if own else None, number), side) for side, number in sides if number is not None]


def _against_itself(row: Seats, numbering: PairNumbering) -> bool:
    return numbering is PairNumbering.ONE_SERIES and row.plays and row.ns == row.ew


def _at_tables(rows: Iterable[Seats], numbering: PairNumbering) -> Iterator[MovementFault]:
    for row in rows:
        place = (row.round, (row.table,))
        pairs = tuple(number for (_, number), _ in _seated(row, numbering))
        if not pairs:
            yield MovementFault(FaultKind.EMPTY_TABLE, *place, boards=row.boards)
        if _against_itself(row, numbering):
            yield MovementFault(FaultKind.PAIR_AGAINST_ITSELF, *place, pairs[:1], row.boards)
        if row.plays and not row.boards:
            yield MovementFault(FaultKind.TABLE_WITHOUT_BOARDS, *place, pairs)


def _clashes(number: int, rows: Iterable[Seats]) -> Iterator[MovementFault]:
    """Two rows may describe one table (a round in two halves), but not with two pairs in a seat."""
    sitting: dict[tuple[int, Direction], set[int]] = defaultdict(set)
    for row in rows:
        for (_, pair), side in _seated(row, PairNumbering.ONE_SERIES):
            sitting[row.table, side].add(pair)
    for (table, side), pairs in sitting.items():
        if len(pairs) > 1:
            yield MovementFault(
                FaultKind.DIRECTION_CLASH, number, (table,), tuple(sorted(pairs)), direction=side
            )


def _misplaced(
    number: int, rows: Iterable[Seats], numbering: PairNumbering, everybody: set[Pair]
) -> Iterator[MovementFault]:
    places: dict[Pair, set[tuple[int, Direction]]] = {pair: set() for pair in everybody}
    for row in rows:
        # A pair against itself is told as such, not once more as two places.
        sides = _seated(row, numbering)[: 1 if _against_itself(row, numbering) else 2]
        for pair, side in sides:
            places[pair].add((row.table, side))
    for (series, of_series), taken in places.items():
        if not taken:
            yield MovementFault(FaultKind.PAIR_MISSING, number, pairs=(of_series,), direction=series)
        if len(taken) > 1:
            tables = tuple(sorted({table for table, _ in taken}))
            yield MovementFault(FaultKind.PAIR_TWICE_IN_ROUND, number, tables, (of_series,), direction=series)


def _shared(number: int, rows: Iterable[Seats], allowed: int) -> Iterator[MovementFault]:
    at: dict[BoardNumber, set[int]] = defaultdict(set)
    for row in rows:
        for board in row.boards if row.plays else ():
            at[board].add(row.table)
    together: dict[tuple[int, ...], list[BoardNumber]] = defaultdict(list)
    for board, tables in sorted(at.items()):
        together[tuple(sorted(tables))].append(board)
    for sharing, boards in together.items():
        if len(sharing) > allowed:
            yield MovementFault(FaultKind.BOARD_SHARED, number, sharing, boards=tuple(boards))


def _in_session(rows: Iterable[Seats], numbering: PairNumbering) -> Iterator[MovementFault]:
    """Rematches and repeated boards, told where they happen again; rows in playing order."""
    played: set[tuple[Pair, BoardNumber]] = set()
    met: dict[frozenset[Pair], tuple[int, int]] = {}
    for row in rows:
        if not row.plays or _against_itself(row, numbering):
            continue
        pairs = [pair for pair, _ in _seated(row, numbering)]
        place = (row.round, row.table)
        if met.setdefault(frozenset(pairs), place) != place:
            numbers = tuple(number for _, number in pairs)
            yield MovementFault(FaultKind.REMATCH, row.round, (row.table,), numbers)
        for series, number in pairs:
            again: list[BoardNumber] = []
            for board in row.boards:
                if ((series, number), board) in played:
                    again.append(board)
                played.add(((series, number), board))
            if again:
                yield MovementFault(
                    FaultKind.BOARD_REPEATED, row.round, (row.table,), (number,), tuple(again), series
                )
