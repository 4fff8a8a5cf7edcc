"""What a contestant has in a session, kept up by differences as boards are rated anew."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from schemas.deal import Artificial
from schemas.terms import Direction

if TYPE_CHECKING:
    from pipeline.scoring.board import Board, Line, Rating
    from pipeline.scoring.record_set import SlotKey


@dataclass(slots=True, eq=False)
class Tally:
    """One contestant's boards in a session: numerators by denominator, tops, and awards still to value."""

    sums: dict[int, int] = field(default_factory=dict)
    available: int = 0
    boards: int = 0
    due: int = 0
    """Boards that the contestant has played or still has to."""
    awards: "dict[tuple[SlotKey, Direction], tuple[Artificial, Board]]" = field(default_factory=dict)
    on: "list[Board]" = field(default_factory=list)
    """The boards of the contestant's lines, one for each line, counted or not."""

    def total(self) -> Fraction:
        """The points of the boards without an artificial score."""
        sums = self.sums
        common = lcm(*sums)
        return Fraction(sum(number * (common // denominator) for denominator, number in sums.items()), common)


def count(board: "Board", line: "Line", rating: "Rating", sign: int) -> None:
    """Add a line's points to its contestants' tallies, or take them off again."""
    if line.home is not None:
        if line.slot == rating.counted_at:
            _count_match(board, line, rating, sign)
        return
    if line.ns_award is None:
        _add(line.ns_tally, rating, rating.ns.get(line.ns_key), rating.ns_top, sign)
    else:
        _award(line.ns_tally, line, Direction.NS, line.ns_award, board, sign)
    if line.ew_award is None:
        _add(line.ew_tally, rating, rating.ew.get(line.ew_key), rating.ew_top, sign)
    else:
        _award(line.ew_tally, line, Direction.EW, line.ew_award, board, sign)


def _count_match(board: "Board", line: "Line", rating: "Rating", sign: int) -> None:
    """A board of a match counts once for each team."""
    ns_award, ew_award = rating.awards[line.slot]
    sides = (
        (line.ns_tally, Direction.NS, ns_award, rating.ns),
        (line.ew_tally, Direction.EW, ew_award, rating.ew),
    )
    for tally, direction, award, points in sides:
        if award is None:
            _add(tally, rating, points.get(line.slot), 0, sign)
        else:
            _award(tally, line, direction, award, board, sign)


def _add(tally: Tally | None, rating: "Rating", points: int | None, top: int, sign: int) -> None:
    if tally is None or points is None:
        return
    tally.sums[rating.denominator] = tally.sums.get(rating.denominator, 0) + sign * points
    tally.available += sign * top
    tally.boards += sign


def _award(
    tally: Tally | None, line: "Line", direction: Direction, award: Artificial, board: "Board", sign: int
) -> None:
    if tally is None:
        return
    if sign > 0:
        tally.awards[line.slot, direction] = (award, board)
    else:
        tally.awards.pop((line.slot, direction), None)


def recount(board: "Board", after: "Rating") -> None:
    """Count a board's lines by its rating as it is now; what is worth the same is left alone."""
    before, board.counted_by = board.counted_by, after
    same_scale = before is not None and _same_scale(before, after)
    for line in board.each_line():
        if not line.counted or before is None:
            count(board, line, after, 1)
            line.counted = True
        elif not (same_scale and _unmoved(line, before, after)):
            count(board, line, before, -1)
            count(board, line, after, 1)


def uncount(board: "Board", line: "Line") -> None:
    """Take a line that leaves its board off the tallies again."""
    if line.counted and board.counted_by is not None:
        count(board, line, board.counted_by, -1)
        line.counted = False


def _same_scale(before: "Rating", after: "Rating") -> bool:
    return (before.denominator, before.ns_top, before.ew_top, before.counted_at) == (
        after.denominator,
        after.ns_top,
        after.ew_top,
        after.counted_at,
    )


def _unmoved(line: "Line", before: "Rating", after: "Rating") -> bool:
    ns, ew = (line.slot, line.slot) if line.home is not None else (line.ns_key, line.ew_key)
    same_awards = line.home is None or before.awards.get(line.slot) == after.awards.get(line.slot)
    return same_awards and before.ns.get(ns) == after.ns.get(ns) and before.ew.get(ew) == after.ew.get(ew)
