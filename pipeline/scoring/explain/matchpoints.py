"""Why so many match points: comparisons, then the rule for a board with fewer results."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, assert_never

from pipeline.rules.matchpoints import in_unit
from pipeline.rules.small_groups import RatedBy, group_points
from pipeline.scoring.board import Chart, Field
from pipeline.scoring.explain.side import Side, weighed
from pipeline.scoring.explain.steps import (
    Compared,
    Factored,
    PlainStep,
    PlusOne,
    SmallGroupShare,
    Step,
    Unfactored,
)
from schemas.conditions import Conditions
from schemas.policies import MissingResults, Rounding, SmallGroup
from schemas.terms import Direction, Points

_SMALL: Final = {
    SmallGroup.EBU_2022: "White Book 4.2.3.3, mp.small_group (Law 87)",
    SmallGroup.ACBL_1991: "ACBL 1991, mp.small_group (Law 87)",
    SmallGroup.NEUBERG: "White Book 4.2.3",
}


def steps(side: Side, conditions: Conditions, normal: Field) -> tuple[Step, ...]:
    """Law 78A: the steps from a side's score to its match points, before rounding."""
    chart = side.chart
    expected = expected_results(side.results, normal)
    largest = normal.ns_largest if side.direction is Direction.NS else normal.ew_largest
    missing = MissingResults.RAW if normal.live else conditions.mp_missing
    rated_by = _rated_by(chart, expected, missing, conditions, largest=largest)
    return weighed(side, lambda score: tuple(_of_score(score, chart, expected, rated_by, conditions)))


def expected_results(results: Fraction, normal: Field) -> int:
    """The number of results E that a group is rated for: those that are in while it is live."""
    return int(results) if normal.live else max(normal.expected, int(results))


def _rated_by(
    chart: Chart, expected: int, missing: MissingResults, conditions: Conditions, *, largest: bool
) -> RatedBy:
    return group_points(chart, expected, missing, conditions.mp_small_group, Rounding.NONE, largest).rated_by


def _of_score(
    score: Points, chart: Chart, expected: int, rated_by: RatedBy, conditions: Conditions
) -> Iterator[PlainStep]:
    unit = in_unit(Fraction(1), conditions.mp_unit)
    results = Fraction(sum(chart.values()))
    compared = _compared(score, chart, unit, conditions)
    yield compared
    points = compared.gives
    match rated_by:
        case RatedBy.RAW:
            if results < expected:
                law = f"mp.missing = {conditions.mp_missing} (Law 87 leaves it to regulation)"
                yield Unfactored(results=results, expected=expected, gives=points, law=law)
        case RatedBy.NEUBERG:
            yield Factored(
                points=points,
                itself=unit,
                results=results,
                expected=expected,
                gives=(points + unit) * expected / results - unit,
                law="Neuberg: White Book 4.2.3, mp.missing (Law 87 leaves it to regulation)",
            )
        case RatedBy.PLUS_ONE_1963:
            missing = expected - results
            gives = points + missing * unit
            yield PlusOne(points=points, missing=missing, each=unit, gives=gives, law="1963 article 81")
        case RatedBy.SMALL_GROUP | RatedBy.SINGLE_RESULT:
            yield _small(points / unit - (results - 1), results, expected, unit, conditions)
        case _:
            assert_never(rated_by)


def _compared(score: Points, chart: Chart, unit: Fraction, conditions: Conditions) -> Compared:
    beaten = Fraction(sum(count for other, count in chart.items() if other < score))
    at = Fraction(chart[score])
    lost = sum(chart.values()) - beaten - at
    of_1963 = conditions.mp_missing is MissingResults.PLUS_ONE_1963
    return Compared(
        score=score,
        beaten=beaten,
        equalled=at - 1,
        lost=lost,
        for_beaten=2 * unit,
        for_equalled=unit,
        gives=2 * unit * beaten + unit * (at - 1),
        law="1963 article 81" if of_1963 else "Law 78A",
    )


def _small(
    off_middle: Fraction, results: Fraction, expected: int, unit: Fraction, conditions: Conditions
) -> SmallGroupShare:
    share = Fraction(60, 100) + Fraction(5, 100) * off_middle
    top = 2 * unit * (expected - 1)
    return SmallGroupShare(
        rule=conditions.mp_small_group,
        results=results,
        expected=expected,
        off_middle=off_middle,
        share=share,
        top=top,
        gives=share * top,
        law=_SMALL[conditions.mp_small_group],
    )
