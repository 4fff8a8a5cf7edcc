"""Dealer and vulnerability of a board: Law 2, a cycle of four and one of sixteen."""

from functools import cache

from schemas.terms import BoardNumber, Seat, Vulnerability

_DEALERS = (Seat.N, Seat.E, Seat.S, Seat.W)
_CYCLE = (Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.BOTH)


def dealer(board: BoardNumber) -> Seat:
    """Law 2: North deals board 1, and the deal goes round clockwise.

    Raises ValueError below 1.

    >>> dealer(BoardNumber(20))
    <Seat.W: 'W'>
    """
    return _DEALERS[_index(board) % 4]


@cache
def vulnerability(board: BoardNumber) -> Vulnerability:
    """Law 2: none, NS, EW, both; each further four boards begin one step later, and sixteen repeat.

    Raises ValueError below 1.

    >>> [str(vulnerability(BoardNumber(board))) for board in (1, 5, 9, 13, 17)]
    ['none', 'ns', 'ew', 'both', 'none']
    """
    index = _index(board)
    return _CYCLE[(index + index // 4) % 4]


def _index(board: BoardNumber) -> int:
    if board < 1:
        raise ValueError(f"board {board} is below 1 (Law 2)")
    return board - 1
