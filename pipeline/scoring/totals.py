"""What a contestant has in a session, kept up by differences as boards are rated anew."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from schemas.deal import Artificial

if TYPE_CHECKING:
    from pipeline.scoring.board import Board, Line, Rating, SlotKey


@dataclass(slots=True, eq=False)
class Tally:
    """One contestant's boards in a session: numerators by denominator, tops, and awards still to value."""

    sums: dict[int, int] = field(default_factory=dict)
    available: int = 0
    boards: int = 0
    awards: "dict[SlotKey, tuple[Artificial, Board]]" = field(default_factory=dict)

    def total(self) -> Fraction:
        """The points of the boards without an artificial score."""
        return sum(
            (Fraction(number, denominator) for denominator, number in self.sums.items() if number),
            Fraction(0),
        )


def count(board: "Board", line: "Line", rating: "Rating", sign: int) -> None:
    """Add a line's points to its contestants' tallies, or take them off again."""
    denominator, top = rating.denominator, rating.top
    ns, ew = line.ns_tally, line.ew_tally
    match = line.home is not None
    if ns is not None:
        if line.ns_award is not None and not match:
            _award(ns, line, line.ns_award, board, sign)
        else:
            points = rating.ns.get(line.slot if match else line.ns_key)
            if points is not None:
                ns.sums[denominator] = ns.sums.get(denominator, 0) + sign * points
                ns.available += sign * top
                ns.boards += sign
    if ew is not None and not match:
        if line.ew_award is not None:
            _award(ew, line, line.ew_award, board, sign)
        else:
            points = rating.ew.get(line.ew_key)
            if points is not None:
                ew.sums[denominator] = ew.sums.get(denominator, 0) + sign * points
                ew.available += sign * top
                ew.boards += sign


def _award(tally: Tally, line: "Line", award: Artificial, board: "Board", sign: int) -> None:
    if sign > 0:
        tally.awards[line.slot] = (award, board)
    else:
        tally.awards.pop(line.slot, None)


def recount(board: "Board", before: "Rating | None", after: "Rating") -> None:
    """Move a board's counted lines to its next rating; what is worth the same is left alone."""
    same_scale = before is not None and before.denominator == after.denominator and before.top == after.top
    for line in board.lines.values():
        if not line.counted or before is None:
            count(board, line, after, 1)
            line.counted = True
        elif not (same_scale and _unmoved(line, before, after)):
            count(board, line, before, -1)
            count(board, line, after, 1)


def _unmoved(line: "Line", before: "Rating", after: "Rating") -> bool:
    ns, ew = (line.slot, line.slot) if line.home is not None else (line.ns_key, line.ew_key)
    return before.ns.get(ns) == after.ns.get(ns) and before.ew.get(ew) == after.ew.get(ew)
