"""Law 78A against published boards."""

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.adjusted import weighted
from pipeline.rules.matchpoints import in_unit, matchpoints, top
from schemas.policies import MatchpointUnit
from schemas.terms import Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
BOARDS = json.loads((GOLDEN / "matchpoints.json").read_text(encoding="utf-8"))
WEIGHTED = json.loads((GOLDEN / "weighted.json").read_text(encoding="utf-8"))
UNITS = {"2-1-0": MatchpointUnit.TWO_ONE_ZERO, "1-0.5-0": MatchpointUnit.ONE_HALF_ZERO}
SCORES = st.integers(-200, 200).map(lambda tens: Points(10 * tens))
FIELDS = st.dictionaries(SCORES, st.integers(1, 9), min_size=1, max_size=12)


def on_the_board(board: dict[str, Any], sign: int) -> list[Fraction]:
    """What each line of a published board gets, in its unit, by the scores of one side."""
    scores = [Points(sign * score) for score in board["ns_scores"]]
    points = matchpoints(Counter(scores))
    return [in_unit(points[score], UNITS[board["unit"]]) for score in scores]


@pytest.mark.parametrize("board", BOARDS, ids=[board["name"] for board in BOARDS])
def test_the_published_match_points_come_out_again(board: dict[str, Any]) -> None:
    north_south, east_west = on_the_board(board, 1), on_the_board(board, -1)
    assert north_south == [Fraction(str(value)) for value in board["ns"]]
    board_top = in_unit(Fraction(top(len(north_south))), UNITS[board["unit"]])
    assert east_west == [board_top - value for value in north_south]
    if "ew" in board:
        assert east_west == [Fraction(str(value)) for value in board["ew"]]
    if "top" in board:
        assert (board_top, sum(north_south)) == (board["top"], board["total"])
    if "percent" in board:
        shares = [round(100 * value / board_top, 2) for value in north_south]
        assert shares == [Fraction(str(value)) for value in board["percent"]]


def test_a_weighted_score_counts_with_its_weights() -> None:
    frequencies = {Points(int(score)): Fraction(count) for score, count in WEIGHTED["frequencies"].items()}
    weights = {Points(int(score)): Fraction(weight) for score, weight in WEIGHTED["weights"].items()}
    for score, count in WEIGHTED["field"].items():
        assert frequencies[Points(int(score))] == count + weights.get(Points(int(score)), 0)
    points = matchpoints(frequencies)
    assert points == {Points(int(score)): Fraction(value) for score, value in WEIGHTED["matchpoints"].items()}
    north_south = weighted((points[score], weight) for score, weight in weights.items())
    assert north_south == Fraction(WEIGHTED["ns"])
    assert top(6) - north_south == Fraction(WEIGHTED["ew"])
    total = sum(points[score] * count for score, count in frequencies.items())
    assert total == Fraction(WEIGHTED["total"])


def test_the_best_score_comes_first_and_no_score_gives_no_points() -> None:
    assert list(matchpoints({Points(-50): 1, Points(620): 1, Points(0): 1})) == [620, 0, -50]
    assert matchpoints({}) == {}


def test_a_board_without_results_has_no_top() -> None:
    assert top(1) == 0
    with pytest.raises(ValueError, match="no top"):
        top(0)


@given(FIELDS)
def test_a_group_shares_out_n_times_n_less_one(field: dict[Points, int]) -> None:
    results = sum(field.values())
    points = matchpoints(field)
    assert sum(points[score] * count for score, count in field.items()) == results * (results - 1)


@given(FIELDS)
def test_both_directions_of_a_played_result_add_up_to_top(field: dict[Points, int]) -> None:
    north_south = matchpoints(field)
    east_west = matchpoints({Points(-score): count for score, count in field.items()})
    board_top = top(sum(field.values()))
    assert {score: value + east_west[Points(-score)] for score, value in north_south.items()} == (
        dict.fromkeys(north_south, board_top)
    )


@given(FIELDS)
def test_two_for_each_worse_and_one_for_each_equal_result(field: dict[Points, int]) -> None:
    """The law's own words, one comparison at a time."""
    lines = [score for score, count in field.items() for _ in range(count)]
    points = matchpoints(field)
    for index, score in enumerate(lines):
        others = lines[:index] + lines[index + 1 :]
        assert points[score] == sum(2 if other < score else int(other == score) for other in others)


@given(FIELDS, st.lists(st.tuples(SCORES, st.integers(1, 5)), min_size=1, max_size=4))
def test_a_weighted_score_gets_what_its_components_would_get_against_the_others(
    field: dict[Points, int], parts: list[tuple[Points, int]]
) -> None:
    whole = sum(share for _, share in parts)
    weights: dict[Points, Fraction] = {}
    for score, share in parts:
        weights[score] = weights.get(score, Fraction(0)) + Fraction(share, whole)
    frequencies = {
        score: field.get(score, 0) + weights.get(score, Fraction(0)) for score in {*field, *weights}
    }
    points = matchpoints(frequencies)
    alone = {score: matchpoints({**field, score: field.get(score, 0) + 1})[score] for score in weights}
    assert weighted((points[score], weight) for score, weight in weights.items()) == (
        weighted((alone[score], weight) for score, weight in weights.items())
    )
