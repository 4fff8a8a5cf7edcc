"""Lines whose printed match points cannot come of their score (Law 78A): set by hand by the scorer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Final

from pipeline.rules.matchpoints import matchpoints, top
from pipeline.rules.neuberg import neuberg
from schemas.terms import Direction, Points

_FEWEST = 3
_MOST_SEARCHED: Final = {1: 99, 2: 40}
"""How many lines a board may have for so many to be sought that stand outside its comparison."""


class ByHand(StrEnum):
    """What was done to a line."""

    AWARDED = "awarded"
    """Its score is in nobody's comparison: an artificial score beside a contract."""
    SHIFTED = "shifted"
    """Its score is in everybody's comparison, and points were added and taken afterwards."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A score with the points that both sides got for it, in units of 2-1-0."""

    score: Points
    points: Mapping[Direction, Fraction]


def set_by_hand(
    lines: Sequence[PrintedLine], expected: int, tolerance: Fraction
) -> dict[int, tuple[ByHand, Mapping[Direction, Fraction]]]:
    """Find the few lines of a board without which all other printed points are right, Neuberged or raw.

    `expected` is what a normal board has, `tolerance` half of the last printed place. Returns, by index, what
    was done and what the score itself would have got. Empty where nothing is wrong, no few lines explain it,
    or more than one set of lines would: then the file speaks for itself.
    """
    everybody = range(len(lines))
    own, wrong = _compare(lines, everybody, expected, tolerance)
    if not wrong:
        return {}
    if len(wrong) <= max(1, len(lines) // 4) and len(lines) - len(wrong) >= _FEWEST:
        return {index: (ByHand.SHIFTED, own[index]) for index in wrong}
    for size, most in _MOST_SEARCHED.items():
        if len(lines) > most or len(lines) - size < _FEWEST:
            continue
        explained = [
            out
            for out in combinations(everybody, size)
            if not _compare(lines, [index for index in everybody if index not in out], expected, tolerance)[1]
        ]
        if explained:
            # Lines of one score are interchangeable: only a single explanation is one.
            return (
                {index: (ByHand.AWARDED, own[index]) for index in explained[0]} if len(explained) == 1 else {}
            )
    return {}


def _compare(
    lines: Sequence[PrintedLine], group: Sequence[int], expected: int, tolerance: Fraction
) -> tuple[dict[int, Mapping[Direction, Fraction]], list[int]]:
    """Rate the group by itself; return its exact points, and those whose printed points are others."""
    results = len(group)
    raw = matchpoints(Counter(lines[index].score for index in group))
    best: tuple[dict[int, Mapping[Direction, Fraction]], list[int]] | None = None
    for factored in (True, False):
        of_top = Fraction(top(expected if factored else results))
        exact: dict[int, Mapping[Direction, Fraction]] = {}
        for index in group:
            value = raw[lines[index].score]
            value = neuberg(value, results, expected) if factored else value
            exact[index] = {Direction.NS: value, Direction.EW: of_top - value}
        wrong = [
            index
            for index in group
            if any(abs(lines[index].points[side] - value) > tolerance for side, value in exact[index].items())
        ]
        if best is None or len(wrong) < len(best[1]):
            best = exact, wrong
    if best is None:
        raise AssertionError("both ways were tried")
    return best
