"""Cross-IMPs: Law 78B against every other result; White Book 3.1.3 and 4.2.4, ACBLscore."""

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import assert_never

from pipeline.rules.imps import imps
from schemas.policies import CrossImpFactor, CrossImpForm, ImpScale
from schemas.terms import Points


def cross_imps(
    frequencies: Mapping[Points, Fraction | int],
    expected: int,
    form: CrossImpForm,
    factor: CrossImpFactor,
    scale: ImpScale = ImpScale.WBF_1962,
) -> dict[Points, Fraction]:
    """Law 78B: for each score of North-South its cross-IMPs, best score first; East-West get the negative.

    A results where `expected` E are due: EBU multiplies the sum by E/A, ACBL by (E - 1)/(A - 1), and both
    divide by what E results call for; without a factor A is taken as it stands. A single result has
    nothing to be compared with and gets 0. The square root is rounded to four places, half away from
    zero; all other forms are exact.

    Raises ValueError with more results than expected, where they are factored.

    >>> field = {Points(620): 1, Points(170): 1, Points(140): 1, Points(-100): 1}
    >>> cross_imps(field, 4, CrossImpForm.AVERAGE, CrossImpFactor.EBU)[Points(620)]
    Fraction(32, 3)
    """
    results = Fraction(sum(frequencies.values()))
    full = results if factor is CrossImpFactor.NONE else Fraction(expected)
    if results > full:
        raise ValueError(f"{results} results where {expected} are expected (White Book 4.2.4)")
    sums = _sums(frequencies, scale)
    if results <= 1:
        return dict.fromkeys(sums, Fraction(0))
    # Without a factor `full` is `results`, so the ACBL's quotient is 1.
    times = full / results if factor is CrossImpFactor.EBU else (full - 1) / (results - 1)
    return {score: _in_form(total * times, full, form) for score, total in sums.items()}


def award_in_form(per_comparison: Fraction, expected: int, form: CrossImpForm) -> Fraction:
    """ACBLscore (Law 12C2): what so many IMPs in each of E - 1 comparisons come to in a form.

    >>> award_in_form(Fraction(3), 10, CrossImpForm.TOTAL)
    Fraction(27, 1)
    """
    if expected < 2:
        return Fraction(0)
    return _in_form(per_comparison * (expected - 1), Fraction(expected), form)


def _sums(frequencies: Mapping[Points, Fraction | int], scale: ImpScale) -> dict[Points, Fraction]:
    """Compare distinct scores once: the other side of a comparison is its negative."""
    scores = sorted(frequencies, reverse=True)
    sums = dict.fromkeys(scores, Fraction(0))
    for index, better in enumerate(scores):
        for worse in scores[index + 1 :]:
            won = imps(Points(better - worse), scale)
            sums[better] += won * frequencies[worse]
            sums[worse] -= won * frequencies[better]
    return sums


def _in_form(total: Fraction, results: Fraction, form: CrossImpForm) -> Fraction:
    match form:
        case CrossImpForm.TOTAL:
            return total
        case CrossImpForm.AVERAGE:
            return total / (results - 1)
        case CrossImpForm.PER_RESULT:
            return total / results
        case CrossImpForm.SQUARE_ROOT:
            return _over_root(total, results * (results - 1) / 2)
        case _:
            assert_never(form)


def _over_root(value: Fraction, radicand: Fraction) -> Fraction:
    """Divide by a square root, to four places; twice the size is rooted so that a half can be seen."""
    twice = isqrt(int(4 * 10**8 * value * value / radicand))
    size = Fraction((twice + 1) // 2, 10_000)
    return size if value >= 0 else -size
