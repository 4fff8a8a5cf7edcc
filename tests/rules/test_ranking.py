"""Places, ties and percentages."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.ranking import factored, percentage, places, tied_across
from pipeline.rules.rounding import decimal_text

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
SOURCE_RULES = json.loads((GOLDEN / "source_rules.json").read_text(encoding="utf-8"))
PERCENTAGES = json.loads((GOLDEN / "adjusted.json").read_text(encoding="utf-8"))["percentages"]
UNEQUAL = json.loads((GOLDEN / "cross_imps.json").read_text(encoding="utf-8"))["unequal_boards"]


def test_equal_results_share_their_place() -> None:
    assert places([160, 150, 150, 140]) == [(1, False), (2, True), (2, True), (4, False)]
    assert places([5, 5, 5]) == [(1, True)] * 3
    assert places([9, 8, 8, 7, 7]) == [(1, False), (2, True), (2, True), (4, True), (4, True)]
    assert places([]) == []


def test_1963_article_84_two_share_the_first_place() -> None:
    ordinary = SOURCE_RULES["ties_1963"][0]["scores"]
    assert places(list(ordinary.values())) == [(1, True), (1, True), (3, False)]


@pytest.mark.parametrize("case", SOURCE_RULES["ties_1963"][1:], ids=lambda case: case["kind"])
def test_a_selection_breaks_the_tie_across_its_line(case: dict[str, object]) -> None:
    scores = case["scores"]
    assert isinstance(scores, dict)
    qualifiers = int(str(case["kind"]).split()[1])
    names = list(scores)
    tied = [names[index] for index in tied_across(list(scores.values()), qualifiers)]
    assert ([tied] if tied else []) == case["must_break"]


@pytest.mark.parametrize(
    ("qualifiers", "tied"), [(0, []), (1, [0, 1]), (2, []), (3, [2, 3, 4]), (4, [2, 3, 4]), (5, []), (6, [])]
)
def test_a_line_inside_a_tie_names_all_of_the_tie(qualifiers: int, tied: list[int]) -> None:
    assert list(tied_across([9, 9, 8, 8, 8], qualifiers)) == tied


def test_one_winner_in_all_or_one_in_each_group() -> None:
    """1963 article 83: the same scores, ranked together or apart."""
    case = SOURCE_RULES["winners_per_group"]
    scores, (together, apart) = case["match_points"], case["cases"]
    ranking = sorted(scores, key=scores.__getitem__, reverse=True)
    assert ranking == together["ranking"]
    assert places([scores[name] for name in ranking]) == [(place, False) for place in (1, 2, 3, 4)]
    for group, winner in apart["winners_per_group"].items():
        members = [name for name in ranking if name in case["groups"][group]]
        assert places([scores[name] for name in members])[0] == (1, False)
        assert members[0] == winner


def test_contestants_with_different_numbers_of_boards_rank_on_percentage() -> None:
    shares = {}
    for name in ("A", "B"):
        case = PERCENTAGES[name]
        shares[name] = percentage(Fraction(case["mp"]), Fraction(case["boards"] * case["top"]))
        assert decimal_text(shares[name], 2) == case["pct"]
    assert sorted(shares, key=shares.__getitem__, reverse=True) == PERCENTAGES["ranking"]


@pytest.mark.parametrize("available", [0, -2])
def test_there_is_no_percentage_of_nothing(available: int) -> None:
    with pytest.raises(ValueError, match=r"4\.2\.5"):
        percentage(Fraction(0), Fraction(available))


def test_all_of_what_could_be_won_is_100_percent() -> None:
    assert percentage(Fraction(1), Fraction(1)) == 100


def test_nobody_is_tied_across_a_line_above_all() -> None:
    assert not tied_across([7, 7], 0)


def test_a_total_over_fewer_boards_is_factored_up_to_all() -> None:
    for total, expected in UNEQUAL["totals"].items():
        ours = factored(Fraction(total), UNEQUAL["played"], UNEQUAL["full"])
        assert decimal_text(ours, len(expected.partition(".")[2])) == expected
    assert decimal_text(factored(Fraction("163.5"), 24, 26), 2) == "177.13", (
        "as an ACBL club result prints it"
    )


def test_one_board_stands_for_all() -> None:
    assert factored(Fraction(3), boards=1, full=24) == 72


def test_no_boards_cannot_be_factored() -> None:
    with pytest.raises(ValueError, match="0 boards"):
        factored(Fraction(0), 0, 24)


@given(st.lists(st.integers(0, 6), max_size=12))
def test_a_place_is_one_more_than_those_above(scores: list[int]) -> None:
    keys = sorted(scores, reverse=True)
    counts = Counter(keys)
    assert places(keys) == [(1 + sum(other > key for other in keys), counts[key] > 1) for key in keys]
