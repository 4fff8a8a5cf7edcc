"""Laws 5 and 8A: the director assigns seats and progression. Who meets whom, where, on which boards.

The classic movements stand in `mitchell` and `howell`; `movement_check` judges any, also one from a file.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from schemas.terms import BoardNumber


@dataclass(frozen=True, slots=True)
class Seats:
    """One table in one round: who sits there, and the boards they play.

    `ns` and `ew` are pair numbers within the section; None faces a phantom, so the other side sits out.
    Raises ValueError where a round, table, pair or board is not numbered from 1.

    >>> Seats(round=1, table=2, ns=2, ew=None, boards=()).plays
    False
    """

    round: int
    table: int
    ns: int | None
    ew: int | None
    boards: tuple[BoardNumber, ...]

    def __post_init__(self) -> None:
        numbers = (self.round, self.table, self.ns, self.ew, *self.boards)
        if any(number is not None and number < 1 for number in numbers):
            raise ValueError(f"rounds, tables, pairs and boards are numbered from 1 (Law 5A): {self!r}")

    @property
    def plays(self) -> bool:
        """Tell whether two pairs sit here, so that the boards get a result."""
        return self.ns is not None and self.ew is not None

    def arrow_switched(self) -> "Seats":
        """The same table with the two pairs in each other's direction."""
        return replace(self, ns=self.ew, ew=self.ns)

    def without(self, phantom: int | None) -> "Seats":
        """The same table where this pair does not exist; its opponents sit out."""
        ns = None if self.ns == phantom else self.ns
        ew = None if self.ew == phantom else self.ew
        return replace(self, ns=ns, ew=ew)


@dataclass(frozen=True, slots=True)
class BoardSets:
    """The boards of a session in sets of equal size, one set to a table and round.

    Raises ValueError for an empty set or a first board below 1.

    >>> BoardSets(boards_per_round=3, first_board=25).numbered(2)
    (28, 29, 30)
    """

    boards_per_round: int
    first_board: int = 1

    def __post_init__(self) -> None:
        if self.boards_per_round < 1 or self.first_board < 1:
            asked = f"{self.boards_per_round} boards a round from board {self.first_board}"
            raise ValueError(f"{asked}: both start at 1 (Law 8A)")

    def numbered(self, board_set: int) -> tuple[BoardNumber, ...]:
        """The boards of a set; sets are numbered from 1."""
        first = self.first_board + (board_set - 1) * self.boards_per_round
        return tuple(BoardNumber(board) for board in range(first, first + self.boards_per_round))


def expected_results(seats: Iterable[Seats]) -> Mapping[BoardNumber, int]:
    """How many tables play each board, phantoms aside; 0 where it only ever lies at a sit-out.

    >>> both = Seats(round=1, table=1, ns=1, ew=4, boards=(BoardNumber(1), BoardNumber(2)))
    >>> expected_results(
    ...     [both, Seats(round=2, table=1, ns=1, ew=None, boards=(BoardNumber(2), BoardNumber(3)))]
    ... )
    {1: 1, 2: 1, 3: 0}
    """
    tables: Counter[BoardNumber] = Counter()
    for row in seats:
        tables.update(dict.fromkeys(row.boards, int(row.plays)))
    return {board: tables[board] for board in sorted(tables)}
