"""IMPs against a datum: Law 78B on the difference from the mean; White Book 4.2.4 and 4.2.6.2."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Final, assert_never

from pipeline.rules.imps import imps
from pipeline.rules.rounding import Half, nearest
from schemas.policies import DatumKind, DatumTie, DatumTrim, ImpScale
from schemas.terms import Imps, Points

_HALVES: Final = {
    DatumTie.AWAY_FROM_ZERO: Half.AWAY_FROM_ZERO,
    DatumTie.EVEN_TEN: Half.EVEN,
    DatumTie.HALF_UP: Half.UP,
}


def datum(
    frequencies: Mapping[Points, Fraction | int],
    kind: DatumKind,
    trim: DatumTrim,
    tie: DatumTie,
    factor: Fraction | int = 1,
) -> Points:
    """White Book 4.2.4: the mean or median of the scores of North-South, to the nearest ten.

    The frequencies are multiplied by `factor` (E/A on a board with fewer results), then one, two or 5 %
    of the results (a fraction of one where it comes to that) are left out at either end, unless that
    leaves none.

    Raises ValueError without results.

    >>> field = {Points(650): 1, Points(620): 2, Points(-100): 2}
    >>> datum(field, DatumKind.MEAN, DatumTrim.ONE_EACH_END, DatumTie.AWAY_FROM_ZERO, Fraction(8, 5))
    360
    """
    counts = [(score, Fraction(frequencies[score]) * factor) for score in sorted(frequencies)]
    results = sum((count for _, count in counts), Fraction(0))
    if results <= 0:
        raise ValueError("a board without results has no datum (White Book 4.2.4)")
    left_out = _left_out(trim, results)
    if results > 2 * left_out:
        counts = _trimmed(_trimmed(counts, left_out)[::-1], left_out)
    exact = _mean(counts) if kind is DatumKind.MEAN else _median(counts)
    return Points(int(nearest(exact, Fraction(10), _HALVES[tie])))


def butler(ns_points: Points, datum: Points, scale: ImpScale = ImpScale.WBF_1962) -> Imps:
    """Law 78B: the IMPs of North-South for the difference from the datum; East-West get the negative.

    >>> butler(Points(980), datum=Points(510))
    10
    """
    return imps(Points(ns_points - datum), scale)


def _left_out(trim: DatumTrim, results: Fraction) -> Fraction:
    match trim:
        case DatumTrim.NONE:
            return Fraction(0)
        case DatumTrim.ONE_EACH_END:
            return Fraction(1)
        case DatumTrim.TWO_EACH_END:
            return Fraction(2)
        case DatumTrim.FIVE_PERCENT:
            return results / 20
        case _:
            assert_never(trim)


def _trimmed(counts: list[tuple[Points, Fraction]], left_out: Fraction) -> list[tuple[Points, Fraction]]:
    """Leave out so many results at the front."""
    kept = []
    for score, count in counts:
        here = min(count, left_out)
        left_out -= here
        kept.append((score, count - here))
    return kept


def _mean(counts: list[tuple[Points, Fraction]]) -> Fraction:
    total = sum((score * count for score, count in counts), Fraction(0))
    return total / sum(count for _, count in counts)


def _median(counts: list[tuple[Points, Fraction]]) -> Fraction:
    """Return the score in the middle; between two scores, their mean."""
    half = sum((count for _, count in counts), Fraction(0)) / 2
    upwards = list(accumulate(count for _, count in counts))
    # The first score with at least half of the results up to it, and the first with more than half.
    lower, upper = bisect_left(upwards, half), bisect_right(upwards, half)
    return Fraction(counts[lower][0] + counts[upper][0], 2)
