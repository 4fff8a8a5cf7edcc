"""Law 90: the standard penalty."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.rules.penalties import STANDARD_VICTORY_POINTS, standard_penalty
from schemas.policies import Method

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASE = json.loads((GOLDEN / "adjusted.json").read_text(encoding="utf-8"))["penalty"]


def test_a_quarter_of_a_top_at_match_points() -> None:
    assert standard_penalty(Method.MATCHPOINTS, CASE["top"]) == CASE["matchpoints"]
    assert standard_penalty(Method.MATCHPOINTS, Fraction(9)) == Fraction("2.25")


@pytest.mark.parametrize("method", [method for method in Method if method is not Method.MATCHPOINTS])
def test_six_imps_at_imps_whatever_the_top(method: Method) -> None:
    assert standard_penalty(method, CASE["top"]) == CASE["imps"]


def test_one_victory_point() -> None:
    assert CASE["victory_points"] == STANDARD_VICTORY_POINTS
