"""What a score is worth among the scores of its group: Laws 78A and 78B, 1963 article 81.

A chart is a list of (score points from the own side, weight): one for North-South, one for East-West.
"""

from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.naive.deal import imps
from pipeline.scoring.naive.rounding import over_root, to_ten
from schemas.conditions import Conditions
from schemas.policies import (
    CrossImpFactor,
    CrossImpForm,
    DatumKind,
    DatumTrim,
    Method,
    MissingResults,
    SmallGroup,
)
from schemas.terms import Direction

Chart = list[tuple[int, Fraction]]


@dataclass(frozen=True, slots=True)
class Group:
    """One side's chart of a board in a comparison group, and what it is measured against."""

    chart: Chart
    direction: Direction
    expected: int
    """E: the results on a normal board."""
    live: bool
    """Somebody still has to play it here."""
    largest: bool
    """No form of the board has a longer chart."""

    @property
    def results(self) -> Fraction:
        """A: the weight in the chart."""
        return sum((weight for _, weight in self.chart), Fraction(0))


def value(score: int, group: Group, conditions: Conditions) -> Fraction:
    """What a score is worth to its side: match points in units of 2-1-0, or IMPs."""
    if conditions.score_method is Method.BUTLER:
        return _butler(score, group, conditions)
    if conditions.score_method is Method.CROSS_IMPS:
        return _cross_imps(score, group, conditions)
    return _matchpoints(score, group, conditions)


def top(group: Group, conditions: Conditions) -> Fraction:
    """The most match points on a board, in units of 2-1-0."""
    as_played = conditions.mp_missing in {MissingResults.RAW, MissingResults.FACTORED_TOTAL}
    results = group.results if group.live or as_played else Fraction(group.expected)
    return max(2 * (results - 1), Fraction(0))


def _matchpoints(score: int, group: Group, conditions: Conditions) -> Fraction:
    raw = Fraction(-1)  # for the comparison with itself, which is no comparison (Law 78A)
    for other, weight in group.chart:
        if other < score:
            raw += 2 * weight
        if other == score:
            raw += weight
    results, expected = group.results, group.expected
    if group.live or results == expected:
        return raw
    if conditions.mp_missing is MissingResults.PLUS_ONE_1963:
        return raw + expected - results
    if conditions.mp_missing is not MissingResults.NEUBERG:
        return raw
    if _small(group, conditions):
        percent = 60 + (raw - (results - 1)) * 5
        return percent / 100 * 2 * (expected - 1)
    return (raw * expected + (expected - results)) / results


def _small(group: Group, conditions: Conditions) -> bool:
    """White Book 4.2.3.3: a group of one, two or three."""
    results, expected = group.results, group.expected
    if conditions.mp_small_group is SmallGroup.NEUBERG or results > 3:
        return False
    if results == 1:
        return True
    if conditions.mp_small_group is SmallGroup.EBU_2022:
        return expected >= 3 * results
    return results == 2 or not group.largest


def _butler(score: int, group: Group, conditions: Conditions) -> Fraction:
    """The datum is a score of North-South, whichever side's chart it is taken of."""
    sign = 1 if group.direction is Direction.NS else -1
    factor = Fraction(1) if group.live else group.expected / group.results
    ns_scores = sorted((sign * other, weight * factor) for other, weight in group.chart)
    results = sum((weight for _, weight in ns_scores), Fraction(0))
    left_out = {
        DatumTrim.NONE: Fraction(0),
        DatumTrim.ONE_EACH_END: Fraction(1),
        DatumTrim.TWO_EACH_END: Fraction(2),
        DatumTrim.FIVE_PERCENT: results / 20,
    }[conditions.butler_trim]
    if results > 2 * left_out:
        ns_scores = _without(_without(ns_scores, left_out)[::-1], left_out)[::-1]
        results -= 2 * left_out
    if conditions.butler_datum is DatumKind.MEAN:
        exact = sum((other * weight for other, weight in ns_scores), Fraction(0)) / results
    else:
        exact = _median(ns_scores, results)
    datum = to_ten(exact, conditions.butler_tie)
    return Fraction(sign * imps(sign * score - datum, conditions.imp_scale))


def _without(scores: Chart, left_out: Fraction) -> Chart:
    kept = []
    for score, weight in scores:
        here = min(weight, left_out)
        left_out -= here
        if weight > here:
            kept.append((score, weight - here))
    return kept


def _median(scores: Chart, results: Fraction) -> Fraction:
    """The score in the middle, or half-way between the two in the middle."""
    upwards = Fraction(0)
    middle = []
    for score, weight in scores:
        if upwards <= results / 2 <= upwards + weight:
            middle.append(score)
        upwards += weight
    return Fraction(middle[0] + middle[-1], 2)


def _cross_imps(score: int, group: Group, conditions: Conditions) -> Fraction:
    results = group.results
    if results <= 1:
        return Fraction(0)
    total = Fraction(0)
    for other, weight in group.chart:
        total += imps(score - other, conditions.imp_scale) * weight
    full = results
    if not group.live and conditions.ximp_factor is CrossImpFactor.EBU:
        full = Fraction(group.expected)
        total = total * full / results
    if not group.live and conditions.ximp_factor is CrossImpFactor.ACBL:
        full = Fraction(group.expected)
        total = total * (full - 1) / (results - 1)
    if conditions.ximp_form is CrossImpForm.AVERAGE:
        return total / (full - 1)
    if conditions.ximp_form is CrossImpForm.PER_RESULT:
        return total / full
    if conditions.ximp_form is CrossImpForm.SQUARE_ROOT:
        return over_root(total, full * (full - 1) / 2)
    return total
