"""Why so many cross-IMPs: each comparison, the factor for missing results, and the form they are given in."""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt

from pipeline.rules.imps import imps
from pipeline.scoring.board import Chart, Field
from pipeline.scoring.explain.matchpoints import expected_results
from pipeline.scoring.explain.side import Side, weighed
from pipeline.scoring.explain.steps import (
    Alone,
    CrossCompared,
    CrossFactored,
    ImpRow,
    InForm,
    PlainStep,
    Step,
)
from schemas.conditions import Conditions
from schemas.policies import CrossImpFactor, CrossImpForm
from schemas.terms import Points


def steps(side: Side, conditions: Conditions, normal: Field) -> tuple[Step, ...]:
    """Law 78B: the steps from a side's score to its cross-IMPs, before rounding."""
    chart = side.chart
    expected = expected_results(side.results, normal)
    return weighed(side, lambda score: tuple(_of_score(score, chart, expected, conditions)))


def _of_score(score: Points, chart: Chart, expected: int, conditions: Conditions) -> Iterator[PlainStep]:
    results = Fraction(sum(chart.values()))
    if results <= 1:
        yield Alone(score=score, gives=Fraction(0), law="Law 78B: there is nothing to compare with")
        return
    rows = tuple(_row(score, other, chart, conditions) for other in sorted(chart, reverse=True))
    total = sum((row.imps * row.count for row in rows), Fraction(0))
    law = f"Law 78B, imp.scale = {conditions.imp_scale}"
    yield CrossCompared(score=score, rows=rows, gives=total, law=law)
    factor = conditions.ximp_factor
    full = results if factor is CrossImpFactor.NONE else Fraction(expected)
    if full != results:
        by_results = factor is CrossImpFactor.EBU
        total *= full / results if by_results else (full - 1) / (results - 1)
        law = "White Book 4.2.4, ximp.factor" if by_results else "ACBLscore, ximp.factor"
        yield CrossFactored(
            points=sum((row.imps * row.count for row in rows), Fraction(0)),
            factor=factor,
            results=results,
            expected=expected,
            gives=total,
            law=law,
        )
    if conditions.ximp_form is not CrossImpForm.TOTAL:
        gives = _in_form(total, full, conditions.ximp_form)
        law = "White Book 3.1.3, ximp.form"
        yield InForm(points=total, form=conditions.ximp_form, results=full, gives=gives, law=law)


def _row(score: Points, other: Points, chart: Chart, conditions: Conditions) -> ImpRow:
    difference = Points(score - other)
    won = imps(difference, conditions.imp_scale)
    # A result is not compared with itself; at 0 IMPs that changes no sum, only the count shown.
    count = Fraction(chart[other]) - (1 if other == score and chart[other] >= 1 else 0)
    return ImpRow(other=other, difference=difference, imps=won, count=count)


def _in_form(total: Fraction, results: Fraction, form: CrossImpForm) -> Fraction:
    if form is not CrossImpForm.SQUARE_ROOT:
        return total / (results - 1 if form is CrossImpForm.AVERAGE else results)
    # To four places, half away from zero: rooted at twice the size, so that a half can be seen.
    twice = isqrt(int(4 * 10**8 * total * total / (results * (results - 1) / 2)))
    size = Fraction((twice + 1) // 2, 10_000)
    return size if total >= 0 else -size
