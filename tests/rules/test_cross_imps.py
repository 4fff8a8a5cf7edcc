"""Cross-IMPs against published boards, in every form."""

import json
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.cross_imps import award_in_form, cross_imps
from pipeline.rules.imps import imps
from pipeline.rules.rounding import decimal_text
from schemas.policies import CrossImpFactor, CrossImpForm, ImpScale
from schemas.terms import Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASES = json.loads((GOLDEN / "cross_imps.json").read_text(encoding="utf-8"))
FIELDS = st.dictionaries(
    st.integers(-200, 200).map(lambda tens: Points(10 * tens)), st.integers(1, 5), min_size=1, max_size=9
)
FORMS = st.sampled_from(CrossImpForm)


@pytest.mark.parametrize("board", CASES["boards"])
def test_the_published_cross_imps_come_out_again(board: dict[str, Any]) -> None:
    scores = [Points(score) for score in board["ns_scores"]]
    tested = 0
    for form in CrossImpForm:
        if form in board:
            ours = cross_imps(Counter(scores), board["expected"], form, CrossImpFactor(board["factor"]))
            places = [len(text.partition(".")[2]) for text in board[form]]
            texts = [decimal_text(ours[score], place) for score, place in zip(scores, places, strict=True)]
            assert texts == board[form]
            tested += 1
    assert tested


def test_an_award_is_worth_as_much_in_each_comparison() -> None:
    case = CASES["awards"]
    each = Fraction(case["per_comparison"])
    assert award_in_form(each, case["results"], CrossImpForm.TOTAL) == case["total"]
    assert award_in_form(each, case["results"], CrossImpForm.AVERAGE) == case["average"]
    assert award_in_form(each, 10, CrossImpForm.PER_RESULT) == Fraction("2.7")
    assert award_in_form(each, 10, CrossImpForm.SQUARE_ROOT) == Fraction("4.0249")  # 27 / 6.7082...
    assert award_in_form(each, 1, CrossImpForm.AVERAGE) == 0
    assert award_in_form(each, 2, CrossImpForm.AVERAGE) == 3


def test_a_board_short_of_results_is_factored_by_its_rule() -> None:
    field = {Points(620): 1, Points(170): 1}  # 450 is 10 IMPs
    for form, factor, expected in (
        (CrossImpForm.TOTAL, CrossImpFactor.NONE, 10),
        (CrossImpForm.TOTAL, CrossImpFactor.EBU, 20),
        (CrossImpForm.TOTAL, CrossImpFactor.ACBL, 30),
        (CrossImpForm.AVERAGE, CrossImpFactor.NONE, 10),
        (CrossImpForm.AVERAGE, CrossImpFactor.EBU, Fraction(20, 3)),
        (CrossImpForm.AVERAGE, CrossImpFactor.ACBL, 10),
        (CrossImpForm.PER_RESULT, CrossImpFactor.NONE, 5),
        (CrossImpForm.PER_RESULT, CrossImpFactor.EBU, 5),
        (CrossImpForm.PER_RESULT, CrossImpFactor.ACBL, Fraction(30, 4)),
        (CrossImpForm.SQUARE_ROOT, CrossImpFactor.NONE, 10),
        (CrossImpForm.SQUARE_ROOT, CrossImpFactor.EBU, Fraction("8.1650")),  # 20 over the root of 6
        (CrossImpForm.SQUARE_ROOT, CrossImpFactor.ACBL, Fraction("12.2474")),
    ):
        assert cross_imps(field, 4, form, factor)[Points(620)] == expected, (form, factor)
        assert cross_imps(field, 4, form, factor)[Points(170)] == -expected, (form, factor)


@pytest.mark.parametrize("factor", CrossImpFactor)
@pytest.mark.parametrize("form", CrossImpForm)
def test_a_single_result_has_nothing_to_compare_with(form: CrossImpForm, factor: CrossImpFactor) -> None:
    assert cross_imps({Points(620): 1}, 8, form, factor) == {Points(620): 0}
    assert cross_imps({}, 8, form, factor) == {}


def test_more_results_than_expected_are_no_short_board() -> None:
    field = {Points(620): 2, Points(170): 1}
    assert cross_imps(field, 2, CrossImpForm.TOTAL, CrossImpFactor.NONE)[Points(170)] == -20
    for factor in (CrossImpFactor.EBU, CrossImpFactor.ACBL):
        with pytest.raises(ValueError, match="3 results where 2 are expected"):
            cross_imps(field, 2, CrossImpForm.TOTAL, factor)


def test_part_of_an_imp_keeps_its_sign_under_the_root() -> None:
    field = {Points(20): Fraction(1), Points(0): Fraction(1, 2)}
    ours = cross_imps(field, 2, CrossImpForm.SQUARE_ROOT, CrossImpFactor.NONE)
    assert ours == {Points(20): Fraction("0.8165"), Points(0): Fraction("-1.6330")}  # the root of 3/8


def test_the_scale_is_that_of_the_event() -> None:
    field = {Points(620): 1, Points(170): 1}
    old = cross_imps(field, 2, CrossImpForm.TOTAL, CrossImpFactor.NONE, ImpScale.PRE_1962)
    assert old == {Points(620): 5, Points(170): -5}


@given(FIELDS, st.integers(0, 20), FORMS, st.sampled_from(CrossImpFactor))
def test_what_is_won_on_a_board_is_lost_on_it(
    field: dict[Points, int], more: int, form: CrossImpForm, factor: CrossImpFactor
) -> None:
    expected = sum(field.values()) + more
    ours = cross_imps(field, expected, form, factor)
    rounding = Fraction(sum(field.values()), 20_000) if form is CrossImpForm.SQUARE_ROOT else Fraction(0)
    assert abs(Fraction(sum(ours[score] * count for score, count in field.items()))) <= rounding
    mirrored = cross_imps({Points(-score): count for score, count in field.items()}, expected, form, factor)
    assert {score: -mirrored[Points(-score)] for score in field} == ours


@given(FIELDS)
def test_the_total_is_the_sum_over_every_other_result(field: dict[Points, int]) -> None:
    ours = cross_imps(field, sum(field.values()), CrossImpForm.TOTAL, CrossImpFactor.NONE)
    lines = [score for score, count in field.items() for _ in range(count)]
    for score in field:
        assert ours[score] == sum(imps(Points(score - other)) for other in lines)


@given(FIELDS)
def test_the_square_root_is_the_nearest_fourth_place(field: dict[Points, int]) -> None:
    results = sum(field.values())
    sums = cross_imps(field, results, CrossImpForm.TOTAL, CrossImpFactor.NONE)
    rooted = cross_imps(field, results, CrossImpForm.SQUARE_ROOT, CrossImpFactor.NONE)
    with localcontext(prec=60):
        for score, total in sums.items():
            if results > 1:
                exact = Decimal(int(total)) / (Decimal(results * (results - 1)) / 2).sqrt()
                assert abs(Fraction(exact) - rooted[score]) <= Fraction(1, 20_000)
                assert (rooted[score] * 10_000).denominator == 1
