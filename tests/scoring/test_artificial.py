"""Artificial, assigned, split and weighted scores, through the records of an evening (Law 12C)."""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from schemas.corrections import Award, PenaltyUnit
from schemas.deal import Artificial
from schemas.record import SlotChange
from schemas.terms import AwardKind
from tests.builders import (
    awarded,
    conditions,
    field,
    match_set,
    noted,
    penalised,
    ranked_field,
    reseated,
    result,
    slot,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, EW, told

GOLDEN = Path(__file__).parent.parent / "golden" / "rules"
CASES = json.loads((GOLDEN / "adjusted.json").read_text(encoding="utf-8"))
WEIGHTED = json.loads((GOLDEN / "weighted.json").read_text(encoding="utf-8"))
BOARDS = {board["name"]: board for board in json.loads((GOLDEN / "matchpoints.json").read_text("utf-8"))}
TABLES = 11  # a top of 20
POLICIES = {"1963": "1963", "flat": "flat"}


def own_boards(share: str | None) -> list[Any]:
    """As many boards as it takes for North-South of table 1 to have this share of their tops."""
    if share is None:
        return []
    each = Fraction(share) * 20
    boards = each.denominator
    points = int(each * boards)
    won = [points // boards + (number < points % boards) for number in range(boards)]
    return [record for board, n in enumerate(won, start=11) for record in ranked_field(board, TABLES, {1: n})]


def award_of_kind(kind: str, board: int = 1, table: int = 1) -> Award:
    """The same award to both sides, at a table where n1 and e1 sit."""
    return awarded(slot(board, table), kind, kind, id=f"award.{board}.{table}")


def short_board(board: int = 1) -> list[Any]:
    return [reseated(1, 1, "n1", "e1"), *field([0] * (TABLES - 1), board)[1:], noted(board, 11, 0)]


@pytest.mark.parametrize(
    "case", CASES["matchpoints"], ids=lambda case: f"{case['name']} {case['kind']} {case.get('policy', '')}"
)
def test_an_artificial_score_is_a_share_of_the_top_of_the_field(case: Mapping[str, Any]) -> None:
    """60, 50 and 40 %, or the contestant's own percentage on the boards without an artificial score."""
    laid = {"adj.session": case.get("policy", "2017")}
    evening = told(
        conditions(settings=laid), own_boards(case.get("own")), short_board(), award_of_kind(case["kind"])
    )
    share = Fraction(case["value"]) / case["top"]
    assert evening.points(slot(1)) == share * 20
    if "own" in case:
        elsewhere = evening.event.tally("1", "n1")  # type: ignore[arg-type]
        assert elsewhere.total() / elsewhere.available == Fraction(case["own"])


def test_two_awards_both_rest_on_the_boards_without_one() -> None:
    """Law 12C2c: 62.5 % elsewhere gives 12.5 of 20 on both."""
    evening = told(
        own_boards("0.625"),
        short_board(1),
        short_board(2)[1:],
        award_of_kind("ave+"),
        award_of_kind("ave+", 2),
    )
    assert evening.points(slot(1)) == evening.points(slot(2)) == Fraction(25, 2)
    page = evening.rows()["n1"]
    assert (page.score, page.percentage, page.boards) == ("50.00", "62.50", 4)


def test_an_award_follows_its_contestants_other_boards() -> None:
    """Corrected elsewhere, it is another share; taken back, it is 60 % again."""
    better = ranked_field(11, TABLES, {1: 16})
    evening = told(short_board(), award_of_kind("ave+"), better)
    assert evening.points(slot(1)) == 16
    gone = told(short_board(), award_of_kind("ave+"), better, withdrawn(better[0]))
    assert gone.points(slot(1)) == 12


def test_another_sessions_boards_have_no_say() -> None:
    other = [noted(11, table, 10 * rank, session="2") for table, rank in enumerate((10, *range(10)), start=1)]
    evening = told(short_board(), award_of_kind("ave+"), other)
    assert evening.totals("2/all")["n1"] == 20
    assert evening.points(slot(1)) == 12


def test_ave_plus_is_of_the_field_top_whatever_neuberg_makes_of_the_board() -> None:
    """EBU: top 100 gives 60, and the artificial score is outside the group that Neuberg rates."""
    scores = [10 * rank for rank in range(50)]
    evening = told(field([0] * 51, board=2), field(scores), awarded(slot(1, 51), "ave+", "ave-"))
    assert evening.points(slot(1, 51)) == 60
    assert evening.points(slot(1, 51), EW) == 40
    assert evening.points(slot(1, 50)) == Fraction(98 * 51 + 1, 50)  # not quite the top


def test_an_award_by_percent_is_that_share_of_the_top() -> None:
    exact = replace(
        awarded(slot(1)),
        ns_award=Artificial(AwardKind.AVE_PLUS, percent=Fraction(55)),
        ew_award=Artificial(AwardKind.AVE_MINUS, percent=Fraction(45)),
    )
    evening = told(own_boards("0.8"), short_board(), exact)
    assert [evening.points(slot(1)), evening.points(slot(1), EW)] == [11, 9]
    lines = {line.slot: line for page in evening.travellers() for line in page.lines}
    assert (lines[slot(1)].points_ns.award, lines[slot(1)].points_ew.award) == ("55%", "45%")
    assert lines[slot(1)].result is None


def test_an_award_is_rounded_as_a_board_score() -> None:
    """1/3 of a top of 20 is 6.67, to a tenth 6.7 and from the average 6.6."""
    third = replace(
        awarded(slot(1)),
        ns_award=Artificial(AwardKind.AVE_MINUS, percent=Fraction(100, 3)),
        ew_award=Artificial(AwardKind.AVE_MINUS, percent=Fraction(325, 10)),
    )
    for rounding, expected in (("tenth-half-up", "6.7"), ("tenth-down", "6.6"), ("none", "20/3")):
        evening = told(conditions(settings={"mp.round": rounding}), short_board(), third)
        assert evening.points(slot(1)) == Fraction(expected)


@pytest.mark.parametrize("case", CASES["arbitral_1963"], ids=lambda case: f"{case['arbitral']} arbitral")
def test_every_comparison_with_an_arbitral_score_is_worth_one_point(case: Mapping[str, Any]) -> None:
    """1963 article 81: no Neuberg; what the arbitral contestants get is article 107."""
    scores, more = case["ns_scores"], case["arbitral"]
    first = len(scores) + 1
    awards = [awarded(slot(1, table), "ave", "ave") for table in range(first, first + more)]
    evening = told(conditions("law1963_pairs"), field(scores), awards)
    assert evening.board()[: len(scores)] == case["with_arbitral"]
    assert evening.board()[len(scores) :] == [case["top"] / 2] * more
    assert evening.travellers()[0].top == f"{case['top']}.00"
    if "neuberg" in case:
        laid = {"mp.missing": "neuberg", "mp.small_group": "neuberg"}
        evening = told(conditions("law1963_pairs", laid), field(scores), awards)
        assert evening.board()[: len(scores)] == [Fraction(points) for points in case["neuberg"]]


# At IMPs.

LEADS = {"4": [210], "-4": [-210], "1.5": [30, 80]}
"""Table 1's scores on boards where the others have 0: datum 70, -70, 10 and 30, so 4, -4, 1 and 2 IMPs."""


@pytest.mark.parametrize("case", CASES["imps"], ids=lambda case: f"{case['kind']} {case.get('own', '')}")
def test_three_imps_or_the_contestants_own_average(case: Mapping[str, Any]) -> None:
    """White Book 4.1.1.1: averaging +4 they get +4, averaging -4 they get -4."""
    boards = [
        record
        for number, score in enumerate(LEADS[case["own"]] if "own" in case else [], start=2)
        for record in field([score, 0, 0], board=number)
    ]
    seats = reseated(1, 1, "n1", "e1")
    untrimmed = conditions("butler", {"butler.trim": "none"})
    evening = told(untrimmed, boards, seats, field([0] * 3)[1:], award_of_kind(case["kind"]))
    assert evening.points(slot(1)) == Fraction(case["value"])


def test_an_award_in_imps_overrides_the_usual_three() -> None:
    five = Artificial(AwardKind.AVE_PLUS, imps=Fraction(5))
    evening = told(conditions("butler"), field([0] * 3)[1:], replace(awarded(slot(1)), ns_award=five))
    assert [evening.points(slot(1)), evening.points(slot(1), EW)] == [5, -3]
    laid = {"adj.imp_plus": "2"}
    evening = told(conditions("butler", laid), field([0] * 3)[1:], awarded(slot(1)))
    assert [evening.points(slot(1)), evening.points(slot(1), EW)] == [2, -2]


@pytest.mark.parametrize(("form", "expected"), [("total", 27), ("average", 3)])
def test_cross_imps_award_three_for_each_comparison(form: str, expected: int) -> None:
    """ACBLscore manual, p. 83: 10 results, 27 in total, 3 on average."""
    laid = {"ximp.form": form}
    others = field([0] * 10)[1:]
    evening = told(conditions("cross_imps", laid), others, awarded(slot(1)))
    assert evening.points(slot(1)) == expected
    five = Artificial(AwardKind.AVE_PLUS, imps=Fraction(5))
    evening = told(conditions("cross_imps", laid), others, replace(awarded(slot(1)), ns_award=five))
    assert evening.points(slot(1)) == (45 if form == "total" else 5)


def test_a_team_with_ave_plus() -> None:
    """White Book: 23 IMPs up on the other boards, 26 with Ave+; eight boards, less than 3 a board."""
    case = CASES["team_with_ave_plus"]
    net = {1: 1500, 2: 220, **dict.fromkeys(range(3, 9), 0)}  # 17 and 6 IMPs
    tables = [
        record
        for board, points in net.items()
        for record in (noted(board, 1, points, "home", "visit"), noted(board, 2, 0, "visit", "home"))
    ]
    match = match_set("home", "visit", range(1, 10))
    evening = told(conditions("teams_imps"), match, tables)
    assert evening.totals()["home"] == case["imps_without_board"]
    sides = [awarded(slot(9, 1), "ave+", "ave-"), awarded(slot(9, 2), "ave-", "ave+")]
    evening = told(conditions("teams_imps"), match, tables, sides)
    assert evening.totals() == {"home": case["imps_with_board"], "visit": -case["imps_with_board"]}


# Assigned, split, weighted.


def test_an_assigned_score_is_rated_as_if_it_had_been_played() -> None:
    """Law 12C1: +430 in the field of White Book 4.2.2 beats the five scores of 420."""
    board = BOARDS["wb-intermediate"]
    evening = told(
        field([*board["ns_scores"], 0]), awarded(noted(1, 9, 0).slot, "430", "430", supersedes=noted(1, 9, 0))
    )
    by_score = dict(zip(board["ns_scores"], evening.board(), strict=False))
    mine = evening.points(slot(1, 9))
    assert by_score[420] == 4
    assert [mine, evening.points(slot(1, 9), EW)] == [10, 6]


def test_a_split_score_goes_into_a_chart_of_each_side() -> None:
    """White Book: North-South keep -50, East-West are given -420; each in their own direction's field."""
    first = result(1, "n", "e", tricks=9)
    split = awarded(first, "-50", "420")
    others = field([420, 420, -50, 0])[1:]
    evening = told(first, others, split)
    assert evening.board() == [1, 6, 1, 4]  # -50 twice, 0, 420
    assert evening.board(side=EW) == [1, 1, 6, 4]  # 420 twice for North-South, 0, -50
    page = evening.travellers()[0]
    assert [(line.score_ns, line.score_ew) for line in page.lines][-1] == (-50, 50)
    assert next(line for line in page.lines if line.slot == slot(1)).score_ew == -420


def test_a_weighted_score_counts_by_its_parts_and_in_the_frequencies() -> None:
    """White Book 4.1.1.4: 30 % of +650 (9.7) and 70 % of -100 (5.7) are 6.90, East-West 3.10."""
    scores = [int(score) for score, count in WEIGHTED["field"].items() for _ in range(count)]
    share = awarded(slot(1, 6), "30% 650,70% -100", "30% 650,70% -100")
    evening = told(field(scores), share)
    assert evening.points(slot(1, 6)) == Fraction(WEIGHTED["ns"])
    assert evening.points(slot(1, 6), EW) == Fraction(WEIGHTED["ew"])
    assert sum(points or 0 for points in evening.board()) == Fraction(WEIGHTED["total"])
    page = evening.travellers()[0]
    weights = {str(row.ns_points): Fraction(row.weight) for row in page.frequencies}
    assert weights == {score: Fraction(weight) for score, weight in WEIGHTED["frequencies"].items()}
    shown = {str(row.ns_points): Fraction(row.points_ns) for row in page.frequencies}
    assert shown == {score: Fraction(points) for score, points in WEIGHTED["matchpoints"].items()}
    line = next(line for line in page.lines if line.slot == slot(1, 6))
    assert (line.points_ns.award, line.score_ns) == ("weighted", None)
    gone = told(field(scores), share, withdrawn(share))
    assert gone.travellers()[0].results == 5


def test_one_side_weighted_and_the_other_assigned() -> None:
    both = awarded(slot(1, 3), "50% 100,50% 0", "100")
    evening = told(field([100, 0]), both)
    assert evening.points(slot(1, 3)) == Fraction(2)
    assert evening.points(slot(1, 3), EW) == 1
    artificial = awarded(slot(1, 3), "100", "ave+")
    evening = told(field([100, 0]), artificial)
    assert evening.points(slot(1, 3)) == 3
    assert evening.points(slot(1, 3), EW) == Fraction(12, 5)


def test_weighted_at_imps() -> None:
    """The IMPs are weighted, not the scores: at Butler 7 and 0 IMPs by halves against a datum of 140."""
    half = awarded(slot(1, 3), "50% 420,50% 140", "50% 420,50% 140")
    untrimmed = conditions("butler", {"butler.trim": "none"})
    evening = told(untrimmed, field([140, 0]), half)
    assert evening.travellers()[0].datum == 140  # of 140, 0, and half of 420 and of 140
    assert evening.points(slot(1, 3)) == Fraction(7, 2)
    assert evening.points(slot(1, 3), EW) == Fraction(-7, 2)
    # At cross-IMPs 420 is worth 7 against 140 (once and a half) and 9 against 0, and 140 is worth 4 and -7.
    evening = told(conditions("cross_imps", {"ximp.form": "total"}), field([140, 0]), half)
    of_420, of_140 = 7 + Fraction(7, 2) + 9, Fraction(-7, 2) + 4
    assert evening.points(slot(1, 3)) == (of_420 + of_140) / 2
    assert evening.points(slot(1, 3), EW) == -(of_420 + of_140) / 2


# Penalties, which stay apart from the board.


def test_a_standard_penalty_is_a_quarter_of_a_top() -> None:
    """EBU guidance: with a top of 24 that is 6 match points."""
    case = CASES["penalty"]
    evening = told(field([10 * rank for rank in range(13)]), penalised("n13", 25))
    row = evening.rows()["n13"]
    assert evening.points(slot(1, 13)) == case["top"]
    assert row.penalty == f"{case['matchpoints']}.00"
    assert evening.totals()["n13"] == case["top"] - case["matchpoints"]
    half = told(
        conditions(settings={"mp.unit": "1-1/2-0"}), field([10 * n for n in range(13)]), penalised("n13", 25)
    )
    assert half.totals()["n13"] == 9


@pytest.mark.parametrize(
    ("preset", "unit", "taken"),
    [
        ("exact", PenaltyUnit.POINTS, 6),
        ("exact", PenaltyUnit.IMPS, 0),
        ("exact", PenaltyUnit.VICTORY_POINTS, 0),
        ("butler", PenaltyUnit.POINTS, 6),
        ("butler", PenaltyUnit.IMPS, 6),
        ("butler", PenaltyUnit.PERCENT_OF_TOP, 0),
        ("butler", PenaltyUnit.VICTORY_POINTS, 0),
    ],
)
def test_a_penalty_counts_in_its_own_unit(preset: str, unit: PenaltyUnit, taken: int) -> None:
    scores = field([100, 0, 0])
    before = told(conditions(preset), scores).totals()["n1"]
    after = told(conditions(preset), scores, penalised("n1", 6, unit))
    assert after.verdict(penalised("n1", 6, unit)) == ACCEPTED
    assert after.totals()["n1"] == before - taken


def test_one_ruling_awards_several_tables() -> None:
    both = replace(awarded(slot(1, 3)), changes=(SlotChange(slot(1, 3)), SlotChange(slot(1, 4))))
    evening = told(field([100, 0]), both)
    assert evening.board()[2:] == [Fraction(18, 5), Fraction(18, 5)]
    assert evening.board(side=EW)[2:] == [Fraction(12, 5), Fraction(12, 5)]


def test_ave_plus_of_a_pair_that_never_sat_down_is_sixty_percent() -> None:
    """Nobody is known to sit there: the award still has its worth on the traveller."""
    evening = told(field([100, 0]), awarded(slot(1, 3)))
    assert evening.points(slot(1, 3)) == Fraction(12, 5)
    assert evening.seated(slot(1, 3)) == (None, None)
