"""Howell and all-play-all movements (Law 8A): every pair meets every other once.

The classic published movement: the highest pair keeps its seat, and every other pair takes the place of the
next lower one, as board sets do. That is a Room square, built from a starter and an adder.
"""

from collections.abc import Iterable
from functools import cache

from pipeline.rules.movements import BoardSets, Seats

Meeting = tuple[int, int, int]
"""NS, EW and the board set."""

FIRST_ROUNDS: dict[int, tuple[Meeting, ...]] = {
    8: ((4, 5, 2), (7, 2, 3), (6, 3, 5)),
    10: ((5, 7, 3), (8, 4, 5), (2, 3, 6), (9, 6, 8)),
    12: ((7, 3, 5), (11, 10, 6), (9, 4, 8), (6, 8, 9), (2, 5, 10)),
    14: ((9, 12, 3), (6, 2, 4), (7, 13, 6), (11, 3, 8), (8, 10, 11), (4, 5, 13)),
    16: ((3, 10, 2), (7, 8, 5), (5, 14, 8), (15, 4, 10), (12, 2, 13), (6, 9, 14), (13, 11, 15)),
    18: ((17, 12, 3), (2, 5, 4), (10, 3, 7), (7, 13, 8), (15, 16, 9), (14, 6, 12), (11, 9, 16), (4, 8, 17)),
    20: (
        (10, 14, 2), (19, 7, 5), (4, 2, 6), (18, 15, 8), (13, 12, 9), (17, 8, 11), (11, 6, 12),
        (5, 16, 15), (9, 3, 17),
    ),
    22: (
        (12, 18, 2), (20, 6, 3), (15, 5, 6), (11, 7, 10), (16, 13, 11), (4, 17, 13), (21, 9, 15),
        (2, 3, 16), (10, 8, 18), (19, 14, 21),
    ),
    24: (
        (10, 14, 4), (21, 22, 5), (17, 11, 10), (3, 6, 11), (8, 20, 12), (13, 18, 15), (2, 15, 16),
        (5, 19, 17), (7, 9, 18), (23, 16, 19), (4, 12, 22),
    ),
    26: (
        (12, 6, 2), (24, 3, 6), (19, 21, 7), (8, 5, 10), (18, 13, 11), (15, 2, 12), (22, 14, 13),
        (25, 10, 14), (9, 20, 15), (11, 4, 23), (23, 7, 24), (16, 17, 25),
    ),
    28: (
        (6, 18, 2), (19, 9, 4), (20, 27, 6), (26, 7, 8), (15, 11, 9), (3, 12, 11), (23, 25, 13),
        (21, 22, 14), (10, 13, 17), (16, 5, 19), (17, 4, 22), (14, 8, 24), (24, 2, 26),
    ),
    30: (
        (5, 19, 3), (24, 25, 5), (13, 17, 6), (20, 7, 8), (6, 15, 9), (11, 23, 10), (3, 21, 11),
        (18, 28, 14), (4, 10, 15), (9, 2, 16), (14, 12, 18), (26, 29, 21), (27, 22, 24),
        (8, 16, 28),
    ),
}  # fmt: skip
"""Round 1 without table 1, which is the highest pair against pair 1 on set 1.

Each distance round the circle lies once between the two numbers of a row (the starter); moved back by their
sets, the rows fill the circle again (the adder). Of such rows these have directions in which any two pairs
play one set more in opposite directions than in the same (perfect, where 4 divides the pairs), or else three
more or one fewer; 28 pairs alone come only near.
"""

SIX_PAIRS: tuple[tuple[Meeting, ...], ...] = (
    ((6, 1, 1), (5, 2, 4), (4, 3, 2)),
    ((6, 2, 2), (1, 3, 4), (5, 4, 3)),
    ((6, 3, 3), (2, 4, 1), (1, 5, 2)),
    ((6, 4, 4), (3, 5, 1), (2, 1, 3)),
    ((6, 5, 5), (4, 1, 5), (3, 2, 5)),
)
"""No Room square has side 5: any two ways to pair off six in five rounds share a round, here the last."""

LARGEST_HOWELL = max(FIRST_ROUNDS)


def howell(
    pairs: int,
    boards_per_round: int,
    *,
    first_board: int = 1,
    rounds: int | None = None,
    phantom: int | None = None,
) -> tuple[Seats, ...]:
    """Return the seats of a Howell for 3 to 30 pairs, by round and table; `rounds` curtails it.

    An odd number of pairs is filled up by a phantom, by default the highest number, which keeps table 1.
    All pairs play every board set once. With 4 pairs both tables share each set (no Room square has side 3),
    with 6 pairs all three share the last one; elsewhere no set is at two tables in a round.

    Raises ValueError for another number of pairs, rounds or phantom.

    >>> [(row.round, row.table, row.ew, row.boards) for row in howell(8, 2) if row.ns == 8][:2]
    [(1, 1, 1, (1, 2)), (2, 1, 2, (3, 4))]
    """
    seated = pairs + pairs % 2
    if not 4 <= seated <= LARGEST_HOWELL:
        raise ValueError(f"{pairs} pairs: a Howell is for 3 to {LARGEST_HOWELL}")
    if seated == 4:
        return barometer(pairs, boards_per_round, first_board=first_board, rounds=rounds, phantom=phantom)
    circle = seated - 1
    plan = SIX_PAIRS if seated == 6 else _turned(((seated, 1, 1), *FIRST_ROUNDS[seated]), circle)
    return _seats(pairs, plan, BoardSets(boards_per_round, first_board), rounds, phantom)


def barometer(
    pairs: int,
    boards_per_round: int,
    *,
    first_board: int = 1,
    rounds: int | None = None,
    phantom: int | None = None,
) -> tuple[Seats, ...]:
    """Return the seats of an all-play-all for 3 pairs or more, all tables on the same boards in a round.

    The circle method: in round r the highest pair meets pair r, and pairs equally far from r each other.

    Raises ValueError for another number of pairs, rounds or phantom.

    >>> [(row.ns, row.ew, row.boards) for row in barometer(4, 2) if row.round == 2]
    [(4, 2, (3, 4)), (3, 1, (3, 4))]
    """
    seated = pairs + pairs % 2
    if seated < 4:
        raise ValueError(f"{pairs} pairs: all-play-all needs 3")
    circle = seated - 1
    north = _north_seats(circle)
    apart = ((k + 1, circle - k + 1) for k in range(1, seated // 2))
    first = ((seated, 1, 1), *((*(pair if north >> pair[0] - 1 & 1 else pair[::-1]), 1) for pair in apart))
    return _seats(pairs, _turned(first, circle), BoardSets(boards_per_round, first_board), rounds, phantom)


def _turned(first_round: Iterable[Meeting], circle: int) -> tuple[tuple[Meeting, ...], ...]:
    """All rounds of a first one: numbers on the circle move on by one, the pair above it stays."""

    def turn(number: int, by: int) -> int:
        return number if number > circle else (number - 1 + by) % circle + 1

    rows = tuple(first_round)
    return tuple(
        tuple((turn(ns, by), turn(ew, by), turn(board_set, by)) for ns, ew, board_set in rows)
        for by in range(circle)
    )


def _seats(
    pairs: int,
    plan: tuple[tuple[Meeting, ...], ...],
    sets: BoardSets,
    rounds: int | None,
    phantom: int | None,
) -> tuple[Seats, ...]:
    """The plan as seats, up to the last round wanted, the phantom taken out."""
    seated = pairs + pairs % 2
    absent = seated if phantom is None and pairs % 2 else phantom
    if absent is not None and not 1 <= absent <= seated:
        raise ValueError(f"phantom {absent}: pairs are numbered 1 to {seated}")
    if rounds is not None and not 1 <= rounds <= len(plan):
        raise ValueError(f"{rounds} rounds: {pairs} pairs play 1 to {len(plan)}")
    return tuple(
        Seats(number, table, ns, ew, sets.numbered(board_set)).without(absent)
        for number, meetings in enumerate(plan[:rounds], start=1)
        for table, (ns, ew, board_set) in enumerate(meetings, start=1)
    )


@cache
def _north_seats(circle: int) -> int:
    """Who sits NS in round 1 of an all-play-all, as bits (bit k: k places on from pair 1).

    Sought is that any two pairs compare about as often in the same direction as not: the best that single
    changes reach from three starts. Quadratic residues are perfect for a prime circle of 4n + 3.
    """
    half = range(1, (circle + 1) // 2)
    starts = ({k * k % circle for k in half}, {k for k in half if k % 2}, set(half))
    return min(
        (_improved(circle, frozenset(start)) for start in starts), key=lambda bits: _unevenness(bits, circle)
    )


def _improved(circle: int, start: frozenset[int]) -> int:
    half = range(1, (circle + 1) // 2)
    bits = sum(1 << (k if k in start else circle - k) for k in half)
    better = True
    while better:
        better = False
        for k in half:
            changed = bits ^ 1 << k ^ 1 << circle - k
            if _unevenness(changed, circle) < _unevenness(bits, circle):
                bits, better = changed, True
    return bits


def _unevenness(bits: int, circle: int) -> int:
    """The sum over distances of two pairs of (same less other direction, plus 1) squared; 0 is perfect."""
    whole = (1 << circle) - 1
    turned = ((bits << by | bits >> circle - by) & whole for by in range(1, (circle + 1) // 2))
    return sum((circle - 2 * (bits ^ other).bit_count() + 1) ** 2 for other in turned)
