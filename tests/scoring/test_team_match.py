"""One match of two teams through the core: IMPs over two tables, awards, fouled boards, honours left out."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from schemas.deal import Artificial
from schemas.decisions import Reason
from schemas.record import Record
from schemas.results import Honours
from schemas.terms import AwardKind
from tests.builders import (
    awarded,
    boards_cancelled,
    conditions,
    fouled,
    match_reported,
    match_set,
    movement,
    noted,
    placement,
    replaced,
    reseated,
    result,
    slot,
    swapped,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, EW, NS, refused, told

CASE = json.loads(
    (Path(__file__).parent.parent / "golden" / "rules" / "source_rules.json").read_text(encoding="utf-8")
)["imp_match"]
TEAMS = conditions("teams_imps")
MATCH = match_set("home", "visit", range(1, 7))


def said(board: int, table: int, ns_points: int) -> Record:
    """A score without names: the match says who sits there."""
    return replace(noted(board, table, ns_points), ns=None, ew=None)


def both(board: int, team_ns: int, team_ew: int) -> list[Record]:
    """The home team's scores: North-South at the first table, East-West at the second."""
    return [said(board, 1, team_ns), said(board, 2, -team_ew)]


def whole_match() -> list[Record]:
    return [
        record
        for number, board in enumerate(CASE["boards"], start=1)
        for record in both(number, board["team_ns"], board["team_ew"])
    ]


def test_a_match_is_scored_board_by_board() -> None:
    """1963 articles 87 and 88, Law 78B: 10, -4, 13, 0 and 0 are 23 to 4."""
    evening = told(TEAMS, MATCH, whole_match())
    imps = [board["imps"] for board in CASE["boards"]]
    assert [evening.points(slot(n, 1)) for n in range(1, 6)] == imps
    assert [evening.points(slot(n, 1), EW) for n in range(1, 6)] == [-n for n in imps]
    assert [evening.points(slot(n, 2)) for n in range(1, 6)] == [-n for n in imps]
    assert [evening.points(slot(n, 2), EW) for n in range(1, 6)] == imps
    assert sum(n for n in imps if n > 0) == CASE["team"]
    assert evening.totals() == {"home": CASE["net"], "visit": -CASE["net"]}
    row = evening.rows()["home"]
    assert (row.score, row.boards, row.percentage, row.rank) == (f"{CASE['net']}.00", 5, None, 1)
    assert evening.page().unit == "IMPs"
    assert evening.page().open.missing == 2
    assert [evening.closed(board) for board in range(1, 7)] == [True] * 5 + [False]
    pages = {page.board: page for page in evening.travellers()}
    assert (pages[1].rated, pages[1].top, pages[1].group) == ("match", None, "match:m")  # type: ignore[index]


def test_a_board_counts_once_both_tables_are_in() -> None:
    evening = told(TEAMS, MATCH, said(1, 1, 620))
    assert evening.points(slot(1, 1)) is None
    assert evening.totals() == {}
    assert evening.travellers()[0].rated == "live"
    back = told(TEAMS, MATCH, both(1, 620, -170), withdrawn(said(1, 2, 170)))
    assert back.points(slot(1, 1)) is None
    assert back.totals() == {}


def test_a_correction_at_one_table_moves_both_teams() -> None:
    change = replace(replaced(result(1, table=2), contract="pass"), supersedes=said(1, 2, 170).identity)
    evening = told(TEAMS, MATCH, both(1, 620, -170), change)
    assert evening.totals() == {"home": 12, "visit": -12}  # 620 against 0


def test_honours_count_for_nothing() -> None:
    """1963 articles 75 and 87: 4 spades at both tables, honours at one, are 0 IMPs and not 3."""
    here = replace(result(1), honours=Honours(NS, 100))
    evening = told(TEAMS, MATCH, here, result(1, table=2))
    assert evening.points(slot(1, 1)) == 0


def test_the_scale_before_1962() -> None:
    evening = told(conditions("teams_imps", {"imp.scale": "pre_1962"}), MATCH, both(1, 620, -170))
    assert evening.totals()["home"] == 5  # 350 to 490, by the scale of the 1960 Olympiad


def test_a_team_scores_from_where_it_sat() -> None:
    turned = swapped(result(1))
    unsaid = result(1, contract="3NT", tricks=9)
    same_way = [unsaid, result(1, table=2, contract="3NT", tricks=8)]
    plain = told(TEAMS, MATCH, same_way)
    assert plain.points(slot(1, 1)) == 10  # 400 and 50 from the other table
    sat = told(TEAMS, MATCH, same_way, replace(turned, changes=swapped(unsaid).changes))
    assert sat.points(slot(1, 1)) is None  # both teams the same way at both tables: no comparison
    assert sat.totals() == {}
    both_turned = told(TEAMS, MATCH, same_way, swapped(*same_way))
    assert both_turned.points(slot(1, 1)) == both_turned.points(slot(1, 2), EW) == 10
    assert both_turned.totals() == {"visit": 10, "home": -10}
    strangers = told(TEAMS, MATCH, same_way, reseated(1, 1, "x", "y"))
    assert strangers.points(slot(1, 1)) == 10  # the home team as the match has it


def test_a_board_fouled_between_the_tables_is_not_compared() -> None:
    """Law 87: the tables did not play the identical board."""
    evening = told(TEAMS, MATCH, both(1, 620, -170), fouled(1, ("other", [slot(1, 2)])))
    assert evening.points(slot(1, 1)) is None
    assert evening.totals() == {}
    award = [
        awarded(slot(1, 1), "ave+", "ave+", supersedes=said(1, 1, 620)),
        awarded(slot(1, 2), "ave+", "ave+", supersedes=said(1, 2, 170)),
    ]
    ruled = told(TEAMS, MATCH, both(1, 620, -170), fouled(1, ("other", [slot(1, 2)])), award)
    assert ruled.totals() == {"home": 3, "visit": 3}


def test_cancelled_boards_and_boards_that_were_not_played_count_for_nobody() -> None:
    assert told(TEAMS, MATCH, whole_match(), boards_cancelled(1)).totals()["home"] == CASE["net"] - 10
    unplayed = replace(
        replaced(result(1, table=2), contract="not-played"), supersedes=said(1, 2, 170).identity
    )
    evening = told(TEAMS, MATCH, whole_match(), unplayed)
    assert evening.totals()["home"] == CASE["net"] - 10
    assert evening.page().open.not_played == 1


def test_an_award_stands_in_for_the_comparison() -> None:
    """Law 86B: each team once, shown at both tables."""
    here = awarded(slot(1, 1), "ave+", "ave-")
    evening = told(TEAMS, MATCH, said(1, 2, 170), here)
    assert [evening.points(slot(1, table), side) for table in (1, 2) for side in (NS, EW)] == [3, -3, -3, 3]
    assert evening.totals() == {"home": 3, "visit": -3}
    assert evening.rows()["home"].boards == 1
    five = replace(here, ns_award=Artificial(AwardKind.AVE_PLUS, imps=Fraction(5)))
    assert told(TEAMS, MATCH, said(1, 2, 170), five).totals() == {"home": 5, "visit": -3}


def test_of_two_awards_to_a_team_that_where_it_sits_north_south_counts() -> None:
    evening = told(TEAMS, MATCH, awarded(slot(1, 1), "ave+", "ave"), awarded(slot(1, 2), "ave-", "ave"))
    assert evening.totals() == {"home": 3, "visit": -3}
    one_side = told(TEAMS, MATCH, awarded(slot(1, 1), "ave+", "420"), said(1, 2, 0))
    assert one_side.totals() == {"home": 3, "visit": -9}  # -420 and 0 from the other table


def test_an_award_goes_when_it_is_taken_back() -> None:
    here = awarded(slot(1, 1), "ave+", "ave-", supersedes=said(1, 1, 620))
    evening = told(TEAMS, MATCH, both(1, 620, -170), here, withdrawn(here))
    assert evening.totals() == {"home": 10, "visit": -10}


def test_weighted_scores_are_compared_part_by_part() -> None:
    """Half of 10 IMPs (620 and -170) and half of -7 (-100 and -170)."""
    share = awarded(slot(1, 1), "50% 620,50% -100", "50% 620,50% -100")
    evening = told(TEAMS, MATCH, share, said(1, 2, 170))
    assert evening.points(slot(1, 1)) == Fraction(10 - 7, 2)
    assert evening.totals() == {"home": Fraction(3, 2), "visit": Fraction(-3, 2)}
    # Non-balancing: +6 to the one and +1 from the other's side (Law 12C4).
    split = awarded(slot(1, 1), "200", "20")
    unequal = told(TEAMS, MATCH, split, said(1, 2, -30))
    assert unequal.totals() == {"home": 6, "visit": -2}


def test_a_match_of_another_number_of_tables_has_no_points() -> None:
    single = match_set("home", "visit", [1], tables=[(1, "NS")])
    evening = told(TEAMS, single, said(1, 1, 620))
    assert evening.totals() == {}
    assert evening.points(slot(1, 1)) is None
    three = match_set("home", "visit", [1], tables=[(1, "NS"), (2, "EW"), (3, "EW")])
    assert told(TEAMS, three, [said(1, table, 620) for table in (1, 2, 3)]).totals() == {}


def test_scores_outside_any_match_have_no_points() -> None:
    evening = told(TEAMS, said(1, 1, 620), said(1, 2, 170))
    assert evening.totals() == {}
    outside = told(TEAMS, MATCH, noted(9, 1, 620), noted(9, 2, 170))
    assert outside.totals() == {}


def test_a_match_that_cannot_be_played_is_refused() -> None:
    itself = match_set("home", "home", [1])
    same_way = match_set("home", "visit", [1], tables=[(1, "NS"), (2, "NS")])
    for match in (itself, same_way):
        assert told(TEAMS, match).verdict(match) == refused(Reason.MOVEMENT_UNUSABLE)
    assert told(TEAMS, itself).decision(itself).field == "visit"
    assert told(TEAMS, same_way).decision(same_way).value == "A1 NS, A2 NS"


def test_a_match_set_anew_frees_its_tables() -> None:
    anew = match_set("home", "visit", [1], tables=[(3, "NS"), (4, "EW")], id="anew")
    evening = told(TEAMS, MATCH, anew)
    assert {(state.slot.table, state.slot.board) for state in evening.event.slots.values()} == {
        (3, 1),
        (4, 1),
    }
    assert evening.seated(slot(1, 3)) == ("home", "visit")


def test_a_movement_of_the_section_goes_before_its_matches() -> None:
    plan = movement([placement(1, 1, "a", "b", [1])])
    evening = told(TEAMS, MATCH, plan)
    assert evening.seated(slot(1, 1)) == ("a", "b")
    assert evening.seated(slot(1, 2)) == ("visit", "home")


def test_captains_report_a_match_of_theirs_that_was_set() -> None:
    for by in ("home", "visit"):
        assert told(TEAMS, MATCH, match_reported(by)).verdict(match_reported(by)) == ACCEPTED
    stranger, unset = match_reported("x"), match_reported("home", "other")
    assert told(TEAMS, MATCH, stranger).verdict(stranger) == refused(Reason.UNKNOWN_CONTESTANT)
    assert told(TEAMS, MATCH, unset).verdict(unset) == refused(Reason.MATCH_UNKNOWN)


def test_the_laws_of_1963_score_a_match_of_their_time() -> None:
    """Doubled undertricks by the older table: four down, not vulnerable, are 700 and not 800."""
    down = result(1, contract="4Sx", tricks=6)
    evening = told(conditions("law1963_teams"), MATCH, down, result(1, table=2, contract="pass"))
    assert evening.points(slot(1, 1)) == -12  # 600 to 740
    modern = told(TEAMS, MATCH, down, result(1, table=2, contract="pass"))
    assert modern.points(slot(1, 1)) == -13  # 750 to 890


def test_a_team_is_due_each_board_once_though_it_sits_at_two_tables() -> None:
    page = told(TEAMS, MATCH, whole_match()).page()
    assert page.boards_due == 6
    assert page.boards_counted == len(CASE["boards"])
