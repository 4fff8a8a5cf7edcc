"""Neuberg's formula against published boards."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.matchpoints import in_unit, matchpoints
from pipeline.rules.neuberg import neuberg
from pipeline.rules.rounding import decimal_text
from schemas.policies import MatchpointUnit
from schemas.terms import Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASES = json.loads((GOLDEN / "neuberg.json").read_text(encoding="utf-8"))["neuberg"]
FIELDS = st.dictionaries(
    st.integers(-200, 200).map(lambda tens: Points(10 * tens)), st.integers(1, 9), min_size=1, max_size=12
)


@pytest.mark.parametrize("case", CASES, ids=[case["exact"] for case in CASES])
def test_the_published_value_comes_out_exactly(case: dict[str, Any]) -> None:
    half = case["scale"] == "1-0.5-0"
    inside = Fraction(case["matchpoints"]) * (2 if half else 1)
    value = neuberg(inside, case["results"], case["expected"])
    unit = MatchpointUnit.ONE_HALF_ZERO if half else MatchpointUnit.TWO_ONE_ZERO
    assert in_unit(value, unit) == Fraction(case["exact"])
    if "percent" in case:
        assert decimal_text(100 * in_unit(value, unit) / Fraction(case["top"]), 1) == case["percent"]


@given(FIELDS, st.integers(0, 40))
def test_a_group_keeps_its_share_of_the_field(field: dict[Points, int], more: int) -> None:
    """The sum is A(E - 1): what so many results share out on a full board."""
    results = sum(field.values())
    expected = results + more
    points = matchpoints(field)
    total = sum(neuberg(points[score], results, expected) * count for score, count in field.items())
    assert total == results * (expected - 1)


@given(FIELDS, st.integers(0, 40))
def test_factored_frequencies_give_the_same_points(field: dict[Points, int], more: int) -> None:
    """EBU forum, on factoring by hand: multiply the frequencies by E/A and match-point them."""
    results = sum(field.values())
    expected = results + more
    factored = matchpoints({score: Fraction(count * expected, results) for score, count in field.items()})
    inside = matchpoints(field)
    assert factored == {score: neuberg(value, results, expected) for score, value in inside.items()}


def test_without_results_there_is_nothing_to_factor() -> None:
    with pytest.raises(ValueError, match=r"4\.2\.3"):
        neuberg(Fraction(0), results=0, expected=10)
