"""A match of two tables, board by board."""

import json
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.adjusted import artificial_imps
from pipeline.rules.team_match import MatchScore, board_imps, match_score, non_balancing
from schemas.policies import ImpScale, SessionPercentage
from schemas.terms import AwardKind, Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
MATCH = json.loads((GOLDEN / "source_rules.json").read_text(encoding="utf-8"))["imp_match"]
SCORES = st.integers(-300, 300).map(lambda tens: Points(10 * tens))


def test_a_match_of_five_boards_is_won_by_23_to_4() -> None:
    won = []
    for board in MATCH["boards"]:
        # East-West of the home team sit in the closed room, where North-South see the other sign.
        imps = board_imps(Points(board["team_ns"]), Points(-board["team_ew"]))
        assert imps == board["imps"]
        won.append(imps)
    score = match_score(won)
    assert score == MatchScore(Fraction(MATCH["team"]), Fraction(MATCH["opponents"]))
    assert score.margin == MATCH["net"]


def test_the_scale_is_that_of_the_event() -> None:
    assert board_imps(Points(620), Points(170), ImpScale.PRE_1962) == 5


def test_a_board_with_ave_plus_counts_in_the_match() -> None:
    plus = artificial_imps(AwardKind.AVE_PLUS, Fraction(3), None, SessionPercentage.LAW_2017)
    assert match_score([23, plus]).home == 26


def test_scores_that_do_not_balance_are_averaged_in_a_knockout() -> None:
    """Law 12C4: +6 as the home team is scored and +1 as the visitors' score leaves it."""
    assert non_balancing(Fraction(6), Fraction(1)) == Fraction("3.5")
    assert non_balancing(Fraction(-6), Fraction(-1)) == Fraction("-3.5")
    halves = [Fraction("3.5"), Fraction("-0.5"), Fraction("0.5")]
    assert match_score(halves) == MatchScore(Fraction(4), Fraction("0.5"))


def test_a_match_without_boards_is_level() -> None:
    assert match_score([]).margin == 0


@given(SCORES, SCORES)
def test_the_visitors_see_the_other_sign(one: Points, other: Points) -> None:
    assert board_imps(one, other) == -board_imps(other, one)
