"""What a board is worth, in published figures, brought in as the records of an evening."""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pipeline.rules.rounding import rounded
from schemas.policies import Rounding
from schemas.terms import RecordId
from tests.builders import (
    awarded,
    conditions,
    field,
    fouled,
    movement,
    noted,
    placement,
    replaced,
    result,
    slot,
    withdrawn,
)
from tests.scoring.evening import EW, NS, Told, told

GOLDEN = Path(__file__).parent.parent / "golden" / "rules"
ROUNDINGS = {
    "half_up": "tenth-half-up",
    "half_even": "tenth-half-even",
    "toward_avg": "tenth-towards-average",
    "away_avg": "tenth-away-from-average",
    "ten_thousandth_away_avg": "ten-thousandth-away-from-average",
}


def golden(name: str) -> Any:  # noqa: ANN401 - as JSON is
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


def unit_of(case: Mapping[str, Any]) -> dict[str, str]:
    return {"mp.unit": "2-1-0" if "2-1-0" in (case.get("unit"), case.get("scale")) else "1-1/2-0"}


# Match points.


@pytest.mark.parametrize(
    "board",
    [board for board in golden("matchpoints.json") if "ns" in board],
    ids=lambda board: str(board["name"]),
)
def test_match_points_as_published(board: Mapping[str, Any]) -> None:
    """Law 78A, in the examples of the ACBL, the EBU and others."""
    scores = [score * 10 if abs(score) < 10 else score for score in board["ns_scores"]]
    evening = told(conditions(settings=unit_of(board)), field(scores))
    assert evening.board() == [Fraction(str(points)) for points in board["ns"]]
    top = 2 * (len(scores) - 1) if board["unit"] == "2-1-0" else len(scores) - 1
    ew = board.get("ew", [top - points for points in board["ns"]])
    assert evening.board(side=EW) == [Fraction(str(points)) for points in ew]
    page = evening.travellers()[0]
    assert (page.top, page.results, page.expected) == (f"{top}.00", len(scores), len(scores))
    if "percent" in board:
        percent = {row.contestant: row.percentage for row in evening.page().rows}
        shown = [Fraction(str(percent[f"n{table}"])) for table in range(1, len(scores) + 1)]  # type: ignore[index]
        assert shown == [Fraction(str(share)) for share in board["percent"]]


def short_board(case: Mapping[str, Any], won: int) -> list[Any]:
    """A board with too few results beside one with all, on which table 1 wins these match points."""
    others = int(case["results"]) - 1
    beaten, level = divmod(won, 2)
    scores = [100, *[50] * beaten, *[100] * level, *[150] * (others - beaten - level)]
    return [*field(scores), *field([100] * int(case["expected"]), board=2)]


@pytest.mark.parametrize(
    "case",
    golden("neuberg.json")["neuberg"],
    ids=lambda case: f"{case['matchpoints']} of {case['results']} as of {case['expected']}, {case['scale']}",
)
def test_neuberg_as_published(case: Mapping[str, Any]) -> None:
    """EBU, "Scoring of fouled boards", and others; each with five roundings."""
    won = int(Fraction(case["matchpoints"]) * (1 if case["scale"] == "2-1-0" else 2))
    records = short_board(case, won)
    laid = {"mp.small_group": "neuberg", **unit_of(case)}
    evening = told(conditions(settings=laid), records)
    assert evening.points(slot(1)) == Fraction(case["exact"])
    assert evening.travellers()[0].rated == ("neuberg" if case["results"] < case["expected"] else "raw")
    for name, value in case["rounded"].items():
        evening = told(conditions(settings={**laid, "mp.round": ROUNDINGS[name]}), records)
        assert evening.points(slot(1)) == Fraction(value), name


@pytest.mark.parametrize(
    "case",
    golden("neuberg.json")["small_groups"]["cases"],
    ids=lambda case: f"{case['matchpoints']} of {case['results']} as of {case['expected']}",
)
def test_small_groups_of_the_white_book(case: Mapping[str, Any]) -> None:
    """4.2.3.3: a group of 2 or 3 that is at most a third of the field has 70-60-50 or 65-55 %."""
    evening = told(conditions(), short_board(case, int(case["matchpoints"])))
    mine = evening.points(slot(1))
    assert mine is not None
    if case["value"] is None:
        assert round(float(mine), 6) == float(case["neuberg"])
    else:
        assert mine == Fraction(case["value"])
        assert mine / (2 * (case["expected"] - 1)) == Fraction(case["percent"]) / 100
        assert evening.travellers()[0].rated.startswith("small-group")


@pytest.mark.parametrize("case", golden("neuberg.json")["acbl_groups"]["cases"])
def test_small_groups_of_the_acbl(case: Mapping[str, Any]) -> None:
    laid = {"mp.small_group": "acbl1991", "mp.unit": "1-1/2-0"}
    mine = told(conditions(settings=laid), short_board(case, 2 * int(case["matchpoints"]))).points(slot(1))
    assert mine is not None
    assert round(float(mine), 6) == float(case["value"])


def test_boards_that_add_up_to_the_top_only_towards_or_away_from_the_average() -> None:
    """6 and 8 of 8 as of 10 are 7.75 and 10.25: half up they are 7.8 and 10.3, together 18.1 of 18."""
    records = short_board({"results": 8, "expected": 10}, 6)
    for name, sums in (
        ("tenth-half-up", "18.1"),
        ("tenth-towards-average", "18"),
        ("tenth-away-from-average", "18"),
    ):
        evening = told(conditions(settings={"mp.round": name}), records)
        both = [evening.points(slot(1), side) for side in (NS, EW)]
        assert sum(points or 0 for points in both) == Fraction(sums)


def test_while_somebody_has_to_play_it_a_board_is_rated_on_the_results_in() -> None:
    rounds = [placement(1, 1, "a", "b", [1]), placement(1, 2, "c", "d", [1]), placement(1, 3, "e", "f", [1])]
    evening = told(movement(rounds), result(1), result(1, table=2, tricks=9))
    page = evening.travellers()[0]
    assert (page.rated, page.closed, page.top, page.expected) == ("live", False, "2.00", 3)
    assert evening.board() == [2, 0, None]
    assert evening.page().open.missing == 1
    whole = told(movement(rounds), result(1), result(1, table=2, tricks=9), result(1, table=3, tricks=11))
    assert (whole.travellers()[0].rated, whole.travellers()[0].top) == ("raw", "4.00")


@pytest.mark.parametrize(
    ("rounding", "points"),
    [
        ("tenth-half-up", ("7.8", "10.3")),
        ("tenth-half-even", ("7.8", "10.2")),
        ("tenth-towards-average", ("7.8", "10.2")),
        ("tenth-away-from-average", ("7.7", "10.3")),
        ("tenth-down", ("7.7", "10.2")),
        ("ten-thousandth-away-from-average", ("7.75", "10.25")),
    ],
)
def test_neuberg_of_seven_and_three_quarters_in_every_rounding(
    rounding: str, points: tuple[str, str]
) -> None:
    """6 and 8 of 8 as of 10: 7.75 and 10.25 about an average of 9."""
    for won, expected in zip((6, 8), points, strict=True):
        evening = told(
            conditions(settings={"mp.round": rounding}), short_board({"results": 8, "expected": 10}, won)
        )
        assert evening.points(slot(1)) == Fraction(expected)


@pytest.mark.parametrize(
    ("rounding", "eighths"),
    [
        ("none", ("-0.125", "0.125")),
        ("hundredth-half-up", ("-0.12", "0.13")),
        ("hundredth-half-even", ("-0.12", "0.12")),
        ("hundredth-away-from-zero", ("-0.13", "0.13")),
        ("unit-away-from-zero", ("0", "0")),
    ],
)
def test_an_eighth_of_an_imp_in_every_rounding(rounding: str, eighths: tuple[str, str]) -> None:
    """One of nine results is 20 better: 8 comparisons of an IMP, and one of eight lost by each other."""
    laid = {"ximp.form": "average", "ximp.round": rounding}
    evening = told(conditions("cross_imps", laid), field([20, *[0] * 8]))
    assert [evening.points(slot(1, 2), side) for side in (NS, EW)] == [Fraction(part) for part in eighths]
    assert evening.points(slot(1)) == 1
    # Half an IMP: two of three results 20 apart from the third are 0.5 or nothing from the first.
    halves = told(conditions("cross_imps", laid), field([30, 20, 0]))
    if rounding == "unit-away-from-zero":
        assert halves.board() == [1, 1, -1]  # 0.5, 0.5 and -1
        assert halves.board(side=EW) == [-1, -1, 1]


def test_a_median_datum() -> None:
    """ASE: the score in the middle, or half-way between the two in the middle."""
    laid = {"butler.datum": "median", "butler.trim": "none"}
    odd = told(conditions("butler", laid), field([1430, 620, 170, 140, -50]))
    assert odd.travellers()[0].datum == 170
    even = told(conditions("butler", laid), field([1430, 620, 170, -50]))
    assert even.travellers()[0].datum == 400  # 395, away from zero


def test_a_board_that_is_asked_for_alone_is_brought_up_to_date() -> None:
    evening = told(field([100, 0]))
    (board,) = evening.event.boards.values()
    assert evening.event.rated(board) is evening.event.rated(board)
    evening.event.apply(told(field([100, 0]), noted(1, 3, 50)).entries)
    (board,) = evening.event.boards.values()
    assert evening.event.rated(board).ns_top == 4


def test_a_split_or_weighted_score_that_is_replaced_leaves_its_chart() -> None:
    """The board is kept up by differences, so it must be what it would be from the start."""
    before = [*field([100, 0]), awarded(slot(1, 3), "-50", "420"), awarded(slot(1, 4), "50% 200,50% 0", "0")]
    event = told(before).event
    third = replace(noted(1, 3, 0), id=RecordId("third"), supersedes=before[2].identity)
    fourth = replace(noted(1, 4, 50), id=RecordId("fourth"), supersedes=before[3].identity)
    steps = [*before, fourth, third]
    for count in (5, 6):
        event.apply(told(*steps[:count]).entries)
        (board,), (anew,) = event.boards.values(), told(*steps[:count]).event.boards.values()
        assert (board.ns_chart, board.ew_chart, board.split) == (anew.ns_chart, anew.ew_chart, anew.split)
    (board,) = event.boards.values()
    assert board.ns_chart == {100: 1, 0: 2, 50: 1}
    assert board.split == 0


def test_a_top_that_rises_for_one_side_alone_counts_for_every_line() -> None:
    """East-West get a fourth score, better than all: no points move, but all are of six now."""
    raw = conditions(settings={"mp.missing": "raw"})
    before, fourth = [raw, *field([100, 50, 0])], awarded(slot(1, 4), "ave", "-200")
    told_so_far, whole = told(before), told(before, fourth)
    assert told_so_far.rows()["e3"].percentage == "100.00"
    told_so_far.event.apply(whole.entries)
    for evening in (told_so_far, whole):
        rows = evening.rows()
        assert [rows[name].percentage for name in ("e3", "e2", "e1")] == ["66.67", "33.33", "0.00"]
        assert rows["n1"].percentage == "100.00"


# Fouled boards.


def test_each_form_of_a_fouled_board_is_rated_apart() -> None:
    """Law 87: 7 and 3 of 10 tables (EBU, "Scoring of fouled boards")."""
    scores = [100, 90, 80, 70, 60, 50, 40, 30, 20, 10]
    forms = fouled(1, ("fouled", [slot(1, table) for table in (8, 9, 10)]))
    evening = told(conditions(settings={"mp.small_group": "neuberg"}), field(scores), forms)
    assert tenths(evening) == [17.6, 14.7, 11.9, 9.0, 6.1, 3.3, 0.4, 15.7, 9.0, 2.3]
    pages = {page.group: page for page in evening.travellers()}
    assert {name: page.results for name, page in pages.items()} == {"A": 7, "A#fouled": 3}
    assert {line.form for line in pages["A#fouled"].lines} == {"fouled"}
    edition = told(conditions(), field(scores), forms)
    assert edition.board()[7:] == [
        Fraction(63, 5),
        Fraction(54, 5),
        9,
    ]  # 70, 60 and 50 % (White Book 4.2.3.3)
    largest = told(conditions(settings={"mp.small_group": "acbl1991"}), field(scores), forms)
    assert largest.board()[7:] == [Fraction(63, 5), Fraction(54, 5), 9]  # three, but not the largest group


def test_the_last_word_about_forms_counts_and_may_be_taken_back() -> None:
    scores = [100, 90, 80, 70]
    first = fouled(1, ("a", [slot(1, 1), slot(1, 2)]))
    second = fouled(1, ("b", [slot(1, 3)]), id="second")
    laid = conditions(settings={"mp.small_group": "neuberg"})
    assert told(laid, field(scores), first).board() == [5, 1, 5, 1]
    assert {page.group for page in told(laid, field(scores), first, second).travellers()} == {"A", "A#b"}
    assert told(laid, field(scores), first, withdrawn(first)).board() == [6, 4, 2, 0]
    assert told(laid, field(scores), first, second, withdrawn(second)).board() == [5, 1, 5, 1]


def tenths(evening: Told) -> list[float]:
    return [
        float(rounded(points or Fraction(0), Rounding.TENTH_TOWARDS_AVERAGE, Fraction(9)))
        for points in evening.board()
    ]


# IMPs.


def whole(board: Mapping[str, Any]) -> bool:
    return all(Fraction(str(count)).denominator == 1 for count in board["frequencies"].values())


@pytest.mark.parametrize(
    "board",
    [board for board in golden("butler.json")["boards"] if whole(board)],
    ids=lambda board: str(board["name"]),
)
def test_butler_boards(board: Mapping[str, Any]) -> None:
    scores = [int(score) for score, count in board["frequencies"].items() for _ in range(int(count))]
    short = Fraction(board.get("factor", "1"))
    more = field([0] * int(len(scores) * short), board=2) if short != 1 else []
    laid = {"butler.trim": board["trim"]}
    evening = told(conditions("butler", laid), field(scores), more)
    assert evening.travellers()[0].datum == board["datum"]
    if "imps" in board:
        assert evening.board() == [board["imps"][str(score)] for score in scores]
        assert evening.board(side=EW) == [-board["imps"][str(score)] for score in scores]
    if short != 1:
        assert evening.board() == [7, 6, 6, -10, -10]  # by hand: 290, 260 and -460 off the datum


@pytest.mark.parametrize("case", golden("butler.json")["ties"], ids=lambda case: str(case["mean"]))
def test_a_datum_that_ends_in_five(case: Mapping[str, Any]) -> None:
    """White Book 4.2.6.2 away from zero; ACBLscore manual to the even ten."""
    low, high = case["mean"] - 5, case["mean"] + 5
    for tie in ("ebu-away", "acbl-even", "half-up"):
        laid = {"butler.tie": tie, "butler.trim": "none"}
        evening = told(conditions("butler", laid), field([low, high]))
        assert evening.travellers()[0].datum == case[tie]


@pytest.mark.parametrize(
    ("number", "form"),
    [
        (number, form)
        for number, board in enumerate(golden("cross_imps.json")["boards"])
        for form in ("total", "average", "per-result", "square-root")
        if form in board
    ],
)
def test_cross_imp_boards(number: int, form: str) -> None:
    """EBU and ACBL factoring of 8 results as of 10, and every published form."""
    board = golden("cross_imps.json")["boards"][number]
    laid = {"ximp.form": form, "ximp.factor": board["factor"]}
    more = field([0] * int(board["expected"]), board=2)
    evening = told(conditions("cross_imps", laid), field(board["ns_scores"]), more)
    for ns, ew, value in zip(evening.board(), evening.board(side=EW), board[form], strict=True):
        assert ns is not None
        assert abs(ns - Fraction(value)) <= Fraction(1, 20_000)
        assert ew == -ns


def test_a_lone_result_is_compared_with_nothing() -> None:
    """Zero IMPs across the field, and at Butler its own datum."""
    for preset in ("cross_imps", "butler"):
        assert told(conditions(preset), field([420])).board() == [0]


def test_a_board_whose_only_result_goes_is_rated_on_nothing() -> None:
    played = result(1, "n", "e")
    for preset in ("exact", "butler", "cross_imps"):
        evening = told(conditions(preset), played, withdrawn(played))
        assert evening.totals() == {}
        back = told(conditions(preset), played, replaced(played, contract="not-played"))
        assert back.board() == [None]


# Across the field.


def test_sections_are_compared_apart_or_across_the_field() -> None:
    both = [*field([100, 0]), *field([200, 50], section="B")]
    apart = told(both)
    assert apart.board() == apart.board(section="B") == [2, 0]
    across = told(conditions(settings={"field.compare": "field"}), both)
    assert [*across.board(), *across.board(section="B")] == [4, 0, 6, 2]
    assert {page.group for page in across.travellers()} == {"field"}


def test_a_section_with_more_tables_has_no_say_over_a_smaller_one() -> None:
    """Expected is the most results due on any board of the group, all forms together."""
    both = [*field([100, 0]), *field([200, 50, 0], section="B")]
    assert [page.expected for page in told(both).travellers()] == [2, 3]


def test_a_board_that_one_table_missed_in_a_movement_is_factored_once_nobody_has_to_play_it() -> None:
    rounds = [placement(1, 1, "a", "b", [1, 2]), placement(1, 2, "c", "d", [1, 2])]
    entered = [result(1), result(2), result(1, table=2, tricks=9)]
    missed = result(2, table=2, contract="not-played:time")
    late = result(2, table=2, contract="not-played:late-play-due")
    evening = told(conditions(settings={"mp.small_group": "neuberg"}), movement(rounds), entered, missed)
    page = evening.travellers()[1]
    assert (page.rated, page.closed, page.results, page.expected) == ("neuberg", True, 1, 2)
    assert evening.points(slot(2)) == 1
    assert evening.page().open.not_played == 1
    waiting = told(movement(rounds), entered, late)
    assert waiting.travellers()[1].rated == "live"
    assert not waiting.travellers()[1].closed
    assert waiting.page().open.missing == 1
