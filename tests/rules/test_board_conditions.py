"""Law 2 against the published cycle of boards."""

import csv
from pathlib import Path

import pytest

from pipeline.rules.board_conditions import dealer, vulnerability
from schemas.terms import BoardNumber

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"


def test_boards_1_to_64_have_the_dealer_and_vulnerability_of_law_2() -> None:
    with (GOLDEN / "board_conditions.csv").open(encoding="utf-8", newline="") as file:
        published = [tuple(row.values()) for row in csv.DictReader(file)]
    ours = [
        (str(board), str(dealer(BoardNumber(board))), str(vulnerability(BoardNumber(board))).casefold())
        for board in range(1, 65)
    ]
    assert ours == [(board, seat, sides.casefold()) for board, seat, sides in published]


@pytest.mark.parametrize("board", [0, -3])
def test_no_board_is_below_1(board: int) -> None:
    with pytest.raises(ValueError, match="Law 2"):
        dealer(BoardNumber(board))
    with pytest.raises(ValueError, match="Law 2"):
        vulnerability(BoardNumber(board))
