"""Artificial, assigned and weighted scores against published cases."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.adjusted import (
    artificial_imps,
    artificial_percentage,
    assigned_outside_field,
    weighted,
)
from pipeline.rules.matchpoints import matchpoints
from pipeline.rules.matchpoints import top as top_of
from schemas.policies import SessionPercentage
from schemas.terms import AwardKind, Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASES = json.loads((GOLDEN / "adjusted.json").read_text(encoding="utf-8"))
BOARDS = {
    board["name"]: board for board in json.loads((GOLDEN / "matchpoints.json").read_text(encoding="utf-8"))
}
SHARES = st.integers(0, 200).map(lambda half_percents: Fraction(half_percents, 200))


def own(case: dict[str, Any]) -> Fraction | None:
    return Fraction(case["own"]) if "own" in case and "/" not in case["own"] else ratio(case.get("own"))


def ratio(text: str | None) -> Fraction | None:
    if text is None:
        return None
    won, available = text.split("/")
    return Fraction(int(won), int(available))


@pytest.mark.parametrize("case", CASES["matchpoints"], ids=[case["name"] for case in CASES["matchpoints"]])
def test_an_artificial_score_is_its_share_of_the_field_top(case: dict[str, Any]) -> None:
    policy = SessionPercentage(case.get("policy", "2017"))
    share = artificial_percentage(AwardKind(case["kind"]), own(case), policy)
    assert share * case["top"] == Fraction(case["value"])


@pytest.mark.parametrize("case", CASES["imps"])
def test_an_artificial_score_in_imps_follows_the_average(case: dict[str, Any]) -> None:
    kind = AwardKind(case["kind"])
    assert artificial_imps(kind, Fraction(3), own(case), SessionPercentage.LAW_2017) == Fraction(
        case["value"]
    )


def test_the_imps_of_ave_plus_are_set_by_regulation() -> None:
    for kind, value in ((AwardKind.AVE_PLUS, 2), (AwardKind.AVE, 0), (AwardKind.AVE_MINUS, -2)):
        assert artificial_imps(kind, Fraction(2), None, SessionPercentage.LAW_2017) == value
    assert artificial_imps(AwardKind.AVE_PLUS, Fraction(3), Fraction(5), SessionPercentage.FLAT) == 3


def test_a_team_adds_its_ave_plus_to_the_match() -> None:
    case = CASES["team_with_ave_plus"]
    plus = artificial_imps(AwardKind.AVE_PLUS, Fraction(3), None, SessionPercentage.LAW_2017)
    assert case["imps_without_board"] + plus == case["imps_with_board"]


@given(SHARES, st.sampled_from(SessionPercentage))
def test_the_side_at_fault_never_gets_more_than_the_other(share: Fraction, policy: SessionPercentage) -> None:
    minus, average, plus = (
        artificial_percentage(kind, share, policy)
        for kind in (AwardKind.AVE_MINUS, AwardKind.AVE, AwardKind.AVE_PLUS)
    )
    assert minus <= Fraction(2, 5) < average == Fraction(1, 2) < Fraction(3, 5) <= plus
    assert average == artificial_percentage(AwardKind.AVE, None, policy)


def test_components_are_weighted_after_conversion() -> None:
    """EBU White Book 4.1.1.4: 2.91 + 3.99."""
    score = weighted([(Fraction("9.7"), Fraction("0.3")), (Fraction("5.7"), Fraction("0.7"))])
    assert score == Fraction("6.90")
    assert weighted(iter([(Fraction(4), Fraction(1))])) == 4


def test_weights_add_up_to_one() -> None:
    with pytest.raises(ValueError, match="12C1c"):
        weighted([(Fraction(9), Fraction("0.3")), (Fraction(5), Fraction("0.6"))])
    with pytest.raises(ValueError, match="12C1c"):
        weighted([])


def test_an_assigned_score_lies_between_its_neighbours() -> None:
    board = BOARDS["wb-intermediate"]
    field = {Points(score): board["ns_scores"].count(score) for score in board["ns_scores"]}
    top = Fraction(top_of(len(board["ns_scores"])))
    chart = matchpoints(field)
    assigned = assigned_outside_field(Points(board["assigned"]), field, top)
    assert assigned == board["assigned_value"]
    assert assigned == chart[Points(420)] + field[Points(420)] == chart[Points(450)] - field[Points(450)]


def test_an_assigned_score_stays_within_nothing_and_top() -> None:
    field = {Points(420): 3, Points(50): 1}
    assert assigned_outside_field(Points(-100), field, Fraction(6)) == 0
    assert assigned_outside_field(Points(980), field, Fraction(6)) == 6
    assert assigned_outside_field(Points(980), {Points(420): Fraction(16, 3)}, Fraction(8)) == 8


def test_an_assigned_score_that_is_in_the_field_gets_what_the_field_gets() -> None:
    field = {Points(420): 3, Points(50): 1}
    assert assigned_outside_field(Points(420), field, Fraction(6)) == matchpoints(field)[Points(420)]
