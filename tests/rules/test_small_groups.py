"""Groups short of results: the published small-group values, and which rule takes which group."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.matchpoints import in_unit, matchpoints
from pipeline.rules.neuberg import neuberg
from pipeline.rules.rounding import decimal_text
from pipeline.rules.small_groups import GroupRating, RatedBy, group_points
from schemas.policies import MatchpointUnit, MissingResults, Rounding, SmallGroup
from schemas.terms import Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
PUBLISHED = json.loads((GOLDEN / "neuberg.json").read_text(encoding="utf-8"))
ADJUSTED = json.loads((GOLDEN / "adjusted.json").read_text(encoding="utf-8"))
SMALL = PUBLISHED["small_groups"]["cases"]
FIELDS = st.dictionaries(
    st.integers(-200, 200).map(lambda tens: Points(10 * tens)), st.integers(1, 5), min_size=1, max_size=9
)
# Groups of two and three in which somebody has so many match points.
GROUPS = {
    (3, 0): [0, 10, 20],
    (3, 1): [0, 0, 10],
    (3, 2): [-10, 0, 10],
    (3, 3): [0, 0, -10],
    (3, 4): [0, -10, -20],
    (2, 0): [0, 10],
    (2, 1): [0, 0],
    (2, 2): [0, -10],
}


def rate(
    scores: list[int],
    expected: int,
    *,
    missing: MissingResults = MissingResults.NEUBERG,
    small: SmallGroup = SmallGroup.EBU_2022,
    rounding: Rounding = Rounding.NONE,
    largest_group: bool = False,
) -> GroupRating:
    field = Counter(Points(score) for score in scores)
    return group_points(field, expected, missing, small, rounding, largest_group)


@pytest.mark.parametrize("case", SMALL)
def test_a_small_group_gets_the_published_percentage(case: dict[str, Any]) -> None:
    rating = rate(GROUPS[case["results"], case["matchpoints"]], case["expected"])
    ours = rating.points[Points(0)]
    if case["value"] is None:
        assert rating.rated_by is RatedBy.NEUBERG
        assert decimal_text(ours, 6) == decimal_text(Fraction(case["neuberg"]), 6)
    else:
        assert rating.rated_by is RatedBy.SMALL_GROUP
        assert ours == Fraction(case["value"])
        assert 100 * ours / rating.top == Fraction(case["percent"])
        assert rating.opposite[Points(0)] == rating.top * Fraction(6, 5) - ours


@pytest.mark.parametrize("case", PUBLISHED["acbl_groups"]["cases"])
def test_the_acbl_groups_of_1991_come_out(case: dict[str, Any]) -> None:
    rating = rate(
        [-10 * line for line in range(case["results"])], case["expected"], small=SmallGroup.ACBL_1991
    )
    best_or_only = in_unit(rating.points[Points(0)], MatchpointUnit.ONE_HALF_ZERO)
    assert decimal_text(best_or_only, 6) == decimal_text(Fraction(case["value"]), 6)


@pytest.mark.parametrize("case", PUBLISHED["plus_one_1963"]["cases"])
def test_each_missing_result_was_once_worth_one_match_point(case: dict[str, Any]) -> None:
    scores = case.get("scores", [10 * line for line in range(case["results"])])
    rating = rate(scores, case["expected"], missing=MissingResults.PLUS_ONE_1963)
    assert rating.rated_by is RatedBy.PLUS_ONE_1963
    if "percent" in case:
        best = max(rating.points.values())
        assert best == Fraction(case["value"][0])
        assert decimal_text(100 * best / rating.top, 1) == decimal_text(Fraction(case["percent"]), 1)
    else:
        assert [rating.points[Points(score)] for score in scores] == [int(value) for value in case["value"]]
        assert rating.top / 2 == int(case["average"])


@pytest.mark.parametrize("case", ADJUSTED["arbitral_1963"])
def test_1963_article_81_gives_one_for_each_arbitral_score(case: dict[str, Any]) -> None:
    scores = case["ns_scores"]
    expected = len(scores) + case["arbitral"]
    raw = rate(scores, expected, missing=MissingResults.RAW)
    plus_one = rate(scores, expected, missing=MissingResults.PLUS_ONE_1963)
    by_neuberg = rate(scores, expected)
    assert [raw.points[Points(score)] for score in scores] == case["without"]
    assert [plus_one.points[Points(score)] for score in scores] == case["with_arbitral"]
    assert plus_one.top == case["top"]
    if "neuberg" in case:
        assert [by_neuberg.points[Points(score)] for score in scores] == list(map(Fraction, case["neuberg"]))


@pytest.mark.parametrize("missing", [MissingResults.RAW, MissingResults.FACTORED_TOTAL])
def test_points_that_stand_as_they_are_stand_over_their_own_top(missing: MissingResults) -> None:
    rating = rate([620, 170, 170, -50], 10, missing=missing)
    assert rating.rated_by is RatedBy.RAW
    assert rating.points == {Points(620): 6, Points(170): 3, Points(-50): 0}
    assert rating.opposite == {Points(620): 0, Points(170): 3, Points(-50): 6}
    assert rating.top == 6
    assert rate([], 10, missing=missing).top == 0
    assert rate([90], 10, missing=missing).points == {Points(90): 0}


@pytest.mark.parametrize("missing", MissingResults)
@pytest.mark.parametrize("small", SmallGroup)
def test_a_complete_board_needs_no_rule(missing: MissingResults, small: SmallGroup) -> None:
    rating = rate([620, 170], 2, missing=missing, small=small)
    assert (rating.rated_by, rating.top) == (RatedBy.RAW, Fraction(2))
    assert rating.points == {Points(620): 2, Points(170): 0}


@pytest.mark.parametrize("small", [SmallGroup.EBU_2022, SmallGroup.ACBL_1991])
def test_a_single_result_is_60_percent_for_both(small: SmallGroup) -> None:
    rating = rate([-1100], 10, small=small)
    assert rating.rated_by is RatedBy.SINGLE_RESULT
    assert rating.top == 18
    assert rating.points == rating.opposite == {Points(-1100): Fraction("10.8")}


def test_by_neuberg_a_single_result_is_an_average() -> None:
    rating = rate([-1100], 10, small=SmallGroup.NEUBERG)
    assert rating.rated_by is RatedBy.NEUBERG
    assert rating.points == rating.opposite == {Points(-1100): 9}


@pytest.mark.parametrize(
    ("results", "expected", "small", "largest_group", "rated_by"),
    [
        (2, 6, SmallGroup.EBU_2022, False, RatedBy.SMALL_GROUP),
        (2, 5, SmallGroup.EBU_2022, False, RatedBy.NEUBERG),
        (3, 9, SmallGroup.EBU_2022, False, RatedBy.SMALL_GROUP),
        (3, 9, SmallGroup.EBU_2022, True, RatedBy.SMALL_GROUP),
        (3, 8, SmallGroup.EBU_2022, False, RatedBy.NEUBERG),
        (4, 12, SmallGroup.EBU_2022, False, RatedBy.NEUBERG),
        (2, 4, SmallGroup.ACBL_1991, False, RatedBy.SMALL_GROUP),
        (2, 4, SmallGroup.ACBL_1991, True, RatedBy.SMALL_GROUP),
        (3, 10, SmallGroup.ACBL_1991, False, RatedBy.SMALL_GROUP),
        (3, 10, SmallGroup.ACBL_1991, True, RatedBy.NEUBERG),
        (4, 40, SmallGroup.ACBL_1991, False, RatedBy.NEUBERG),
        (2, 40, SmallGroup.NEUBERG, False, RatedBy.NEUBERG),
    ],
)
def test_each_edition_draws_its_own_line(
    results: int, expected: int, small: SmallGroup, largest_group: bool, rated_by: RatedBy
) -> None:
    scores = [10 * line for line in range(results)]
    assert rate(scores, expected, small=small, largest_group=largest_group).rated_by is rated_by


def test_each_value_is_rounded_about_the_average() -> None:
    scores = [10 * line for line in range(8)]
    away = rate(scores, 10, rounding=Rounding.TENTH_AWAY_FROM_AVERAGE)
    towards = rate(scores, 10, rounding=Rounding.TENTH_TOWARDS_AVERAGE)
    assert (away.points[Points(30)], away.opposite[Points(30)]) == (Fraction("7.7"), Fraction("10.3"))
    assert (towards.points[Points(30)], towards.opposite[Points(30)]) == (Fraction("7.8"), Fraction("10.2"))


def test_a_group_cannot_be_larger_than_its_board() -> None:
    with pytest.raises(ValueError, match="3 results where 2 are expected"):
        rate([10, 20, 30], 2)


@given(
    FIELDS,
    st.integers(0, 40),
    st.sampled_from(MissingResults),
    st.sampled_from(SmallGroup),
    st.sampled_from(
        [
            Rounding.NONE,
            Rounding.TENTH_TOWARDS_AVERAGE,
            Rounding.TENTH_AWAY_FROM_AVERAGE,
            Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE,
        ]
    ),
)
def test_both_sides_add_up_to_top_or_to_120_percent_of_it(
    field: dict[Points, int], more: int, missing: MissingResults, small: SmallGroup, rounding: Rounding
) -> None:
    rating = group_points(field, sum(field.values()) + more, missing, small, rounding, largest_group=True)
    lavish = rating.rated_by in {RatedBy.SMALL_GROUP, RatedBy.SINGLE_RESULT}
    both = rating.top * Fraction(6, 5) if lavish else rating.top
    for score in field:
        assert rating.points[score] + rating.opposite[score] == both


@given(FIELDS, st.integers(1, 40))
def test_a_large_group_is_neubergs(field: dict[Points, int], more: int) -> None:
    results = sum(field.values())
    rating = group_points(
        field, results + more, MissingResults.NEUBERG, SmallGroup.NEUBERG, Rounding.NONE, largest_group=True
    )
    inside = matchpoints(field)
    assert rating.points == {score: neuberg(raw, results, results + more) for score, raw in inside.items()}
