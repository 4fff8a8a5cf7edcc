"""Simulated results beside those of real pairs events.

The bounds are wide ones around figures counted in real files (565 results of a 22-table Mitchell, three small
Howells): doubled 1.3 to 6.5 %, passed out 0 to 1.9 %, just made 23 to 28 %, one and two level 31 to 41 %,
8.5 distinct scores among 21 results.
"""

# ruff: noqa: S311 - seeded dice, no secrets

from collections import Counter
from random import Random

import pytest

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points, possible
from pipeline.simulation.deals import deals
from schemas.deal import PassedOut, Played
from schemas.terms import BoardNumber, Doubling

BOARDS = tuple(BoardNumber(number) for number in range(1, 121))
TABLES = 150


@pytest.fixture(scope="module")
def played() -> dict[BoardNumber, list[Played | PassedOut]]:
    dice = Random(11)
    return {
        board: [deal.play(dice, dice.gauss(0, 1.4)) for _ in range(TABLES)]
        for board, deal in deals(BOARDS, dice).items()
    }


def test_contracts_and_tricks_are_shared_out_as_in_real_events(
    played: dict[BoardNumber, list[Played | PassedOut]],
) -> None:
    results = [result for board in played.values() for result in board]
    contracts = [result for result in results if isinstance(result, Played)]
    over = Counter(result.tricks - 6 - result.contract.level for result in contracts)
    levels = Counter(result.contract.level for result in contracts)
    doubled = sum(result.contract.doubling is not Doubling.UNDOUBLED for result in contracts)
    count = len(contracts)
    assert 0.02 < doubled / count < 0.06
    assert 0.002 < 1 - count / len(results) < 0.02
    assert 0.2 < over[0] / count < 0.32
    assert 0.13 < over[1] / count < 0.28
    assert 0.13 < over[-1] / count < 0.27
    assert 0.28 < (levels[1] + levels[2]) / count < 0.48
    assert 0.15 < levels[4] / count < 0.36
    assert 0.002 < (levels[6] + levels[7]) / count < 0.06


def test_pass_outs_come_in_bunches(played: dict[BoardNumber, list[Played | PassedOut]]) -> None:
    passed = [sum(isinstance(result, PassedOut) for result in results) for results in played.values()]
    assert sum(count == 0 for count in passed) > 0.7 * len(passed)
    assert max(passed) >= 3


def test_a_large_field_has_ten_to_forty_scores_on_a_board(
    played: dict[BoardNumber, list[Played | PassedOut]],
) -> None:
    distinct = sorted(
        len({ns_points(result, vulnerability(board)) for result in results})
        for board, results in played.items()
    )
    assert 12 < sum(distinct) / len(distinct) < 30
    assert distinct[len(distinct) // 20] >= 7
    assert distinct[-1] <= 45


def test_every_result_can_be_scored_at_its_vulnerability(
    played: dict[BoardNumber, list[Played | PassedOut]],
) -> None:
    for board, results in played.items():
        vulnerable = vulnerability(board)
        assert all(possible(ns_points(result, vulnerable), vulnerable) for result in results)


def test_a_stronger_pair_scores_better_on_the_same_boards() -> None:
    dice = Random(3)
    better = worse = 0
    for deal in deals(BOARDS, dice).values():
        better += sum(ns_points(deal.play(dice, 2.5), deal.vulnerability) for _ in range(40))
        worse += sum(ns_points(deal.play(dice, -2.5), deal.vulnerability) for _ in range(40))
    assert better > worse


def test_another_board_in_the_set_changes_no_board() -> None:
    few, more = deals(BOARDS[:3], Random(4)), deals(BOARDS[:9], Random(4))
    for board in BOARDS[:3]:
        assert [few[board].play(Random(seed)) for seed in range(50)] == [
            more[board].play(Random(seed)) for seed in range(50)
        ]


def test_equal_results_are_one_object() -> None:
    deal = deals((BoardNumber(1),), Random(5))[BoardNumber(1)]
    dice = Random(6)
    results = [deal.play(dice) for _ in range(300)]
    assert len({id(result) for result in results}) == len(set(results))
