"""Named roundings: the exact ties that tell them apart."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.rounding import Half, decimal_text, exact_text, nearest, rounded
from schemas.policies import Rounding

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASES = json.loads((GOLDEN / "neuberg.json").read_text(encoding="utf-8"))["neuberg"]
POLICIES = {
    "half_up": Rounding.TENTH_HALF_UP,
    "half_even": Rounding.TENTH_HALF_EVEN,
    "toward_avg": Rounding.TENTH_TOWARDS_AVERAGE,
    "away_avg": Rounding.TENTH_AWAY_FROM_AVERAGE,
    "ten_thousandth_away_avg": Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE,
}
VALUES = st.integers(-4000, 4000).map(lambda numerator: Fraction(numerator, 160))


@pytest.mark.parametrize("case", CASES, ids=[case["exact"] for case in CASES])
def test_published_values_come_out_under_each_policy(case: dict[str, object]) -> None:
    exact, top = Fraction(str(case["exact"])), Fraction(str(case["top"]))
    expected = case["rounded"]
    assert isinstance(expected, dict)
    assert {
        name: decimal_text(rounded(exact, policy, top / 2), len(expected[name].split(".")[1]))
        for name, policy in POLICIES.items()
    } == expected


@pytest.mark.parametrize(
    ("value", "policy", "expected"),
    [
        ("31/4", Rounding.NONE, "31/4"),
        ("12.65", Rounding.TENTH_HALF_EVEN, "12.6"),  # as Compscore3 prints it
        ("18.95", Rounding.TENTH_HALF_EVEN, "19"),
        ("12.69", Rounding.TENTH_DOWN, "12.6"),
        ("12.6", Rounding.TENTH_DOWN, "12.6"),
        ("-0.01", Rounding.TENTH_DOWN, "-0.1"),
        ("-0.25", Rounding.TENTH_HALF_UP, "-0.2"),
        ("62.345", Rounding.HUNDREDTH_HALF_UP, "62.35"),
        ("-62.345", Rounding.HUNDREDTH_HALF_UP, "-62.34"),
        ("62.345", Rounding.HUNDREDTH_HALF_EVEN, "62.34"),
        ("62.355", Rounding.HUNDREDTH_HALF_EVEN, "62.36"),
        ("62.345", Rounding.HUNDREDTH_AWAY_FROM_ZERO, "62.35"),
        ("-62.345", Rounding.HUNDREDTH_AWAY_FROM_ZERO, "-62.35"),
        ("-62.344", Rounding.HUNDREDTH_AWAY_FROM_ZERO, "-62.34"),
        ("0.5", Rounding.UNIT_AWAY_FROM_ZERO, "1"),
        ("3.5", Rounding.UNIT_AWAY_FROM_ZERO, "4"),
        ("-3.5", Rounding.UNIT_AWAY_FROM_ZERO, "-4"),
        ("-3.4", Rounding.UNIT_AWAY_FROM_ZERO, "-3"),
    ],
)
def test_a_value_goes_where_its_policy_sends_it(value: str, policy: Rounding, expected: str) -> None:
    assert rounded(Fraction(value), policy) == Fraction(expected)


def test_zero_is_the_average_of_signed_scores() -> None:
    assert rounded(Fraction("-0.25"), Rounding.TENTH_AWAY_FROM_AVERAGE) == Fraction("-0.3")
    assert rounded(Fraction("-0.25"), Rounding.TENTH_TOWARDS_AVERAGE) == Fraction("-0.2")
    assert rounded(Fraction("0.25"), Rounding.TENTH_TOWARDS_AVERAGE) == Fraction("0.2")


def test_an_average_that_is_itself_a_half_counts_as_above() -> None:
    average = Fraction("9.05")
    assert rounded(average, Rounding.TENTH_AWAY_FROM_AVERAGE, average) == Fraction("9.1")
    assert rounded(average, Rounding.TENTH_TOWARDS_AVERAGE, average) == 9


@given(VALUES, st.sampled_from([policy for policy in Rounding if policy is not Rounding.NONE]))
def test_a_rounded_value_is_near_and_stays(value: Fraction, policy: Rounding) -> None:
    once = rounded(value, policy)
    unit = {"t": Fraction(1, 10), "h": Fraction(1, 100), "u": Fraction(1)}[policy[0]]
    if policy is Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE:
        unit = Fraction(1, 10_000)
    assert (once / unit).denominator == 1
    assert abs(once - value) <= (unit if policy is Rounding.TENTH_DOWN else unit / 2)
    assert rounded(once, policy) == once


@given(
    st.integers(0, 1440).map(lambda numerator: Fraction(numerator, 80)),
    st.sampled_from(
        [
            Rounding.TENTH_TOWARDS_AVERAGE,
            Rounding.TENTH_AWAY_FROM_AVERAGE,
            Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE,
        ]
    ),
)
def test_both_sides_rounded_about_the_average_still_add_up_to_top(value: Fraction, policy: Rounding) -> None:
    top = Fraction(18)
    assert rounded(value, policy, top / 2) + rounded(top - value, policy, top / 2) == top


def test_half_up_does_not_keep_the_top() -> None:
    """Why the policies about the average exist: 7.75 + 10.25."""
    policy = Rounding.TENTH_HALF_UP
    assert rounded(Fraction("7.75"), policy) + rounded(Fraction("10.25"), policy) == Fraction("18.1")


def test_a_unit_need_not_be_a_decimal() -> None:
    assert nearest(Fraction(425), Fraction(10), Half.EVEN) == 420
    assert nearest(Fraction(1, 3), Fraction(1, 4), Half.UP) == Fraction(1, 4)
    assert nearest(Fraction(1, 2), Fraction(1), Half.AWAY_FROM_AVERAGE) == 1


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        ("7.8", 1, "7.8"),
        ("7.8", 2, "7.80"),
        ("7", 0, "7"),
        ("0", 2, "0.00"),
        ("-0.001", 2, "0.00"),
        ("-0.005", 2, "-0.01"),
        ("2/3", 4, "0.6667"),
        ("-2/3", 4, "-0.6667"),
        ("123456789012345678901234567890.25", 2, "123456789012345678901234567890.25"),
    ],
)
def test_a_decimal_is_written_in_full_and_half_away_from_zero(value: str, places: int, text: str) -> None:
    assert decimal_text(Fraction(value), places) == text


def test_an_exact_value_is_written_as_it_is() -> None:
    assert exact_text(Fraction(31, 4)) == "31/4"
    assert exact_text(Fraction(14, 2)) == "7"
    assert exact_text(Fraction(-1, 3)) == "-1/3"
