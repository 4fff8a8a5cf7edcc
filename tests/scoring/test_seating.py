"""Who sat where: movements, changes on the way, sit-outs, and results of tables that are not there."""

from dataclasses import replace

import pytest

from schemas.control import ContestantEntered, HowellMovement, MitchellMovement
from schemas.decisions import Reason
from schemas.record import Role
from schemas.terms import BoardNumber, RecordId, Unplayed
from tests.builders import (
    boards_cancelled,
    changed,
    conditions,
    entered,
    howell,
    left,
    match_set,
    mitchell,
    movement,
    movement_changed,
    outcome,
    placement,
    reseated,
    result,
    round_cancelled,
    slot,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, EW, Told, refused, told, waits

TWO_TABLES = movement(
    [
        placement(1, 1, "a", "c", [1]),
        placement(1, 2, "b", "d", [2]),
        placement(2, 1, "a", "d", [2]),
        placement(2, 2, "b", "c", [1]),
    ]
)


def pairs(count: int, direction: str | None = None, section: str = "A") -> list[ContestantEntered]:
    """`n1`, `e1` and so on, or `1`, `2` in one series."""
    prefix = {"NS": "n", "EW": "e", None: ""}[direction]
    return [entered(f"{prefix}{n}", n, direction, section) for n in range(1, count + 1)]


def mitchell_pairs(count: int) -> list[ContestantEntered]:
    return [*pairs(count, "NS"), *pairs(count, "EW")]


def due(evening: Told) -> set[str]:
    """The slots that still have to be played."""
    return {str(state.slot) for state in evening.event.slots.values() if state.open}


# Movements.


def test_a_mitchell_of_three_tables() -> None:
    """North-South sit still, East-West go up a table, boards go down."""
    evening = told(mitchell_pairs(3), movement(mitchell(3, boards_per_round=1)))
    seats = {str(s.slot): evening.seated(s.slot) for s in evening.event.slots.values()}
    assert seats == {
        "1/A/r1/t1/b1": ("n1", "e1"),
        "1/A/r1/t2/b2": ("n2", "e2"),
        "1/A/r1/t3/b3": ("n3", "e3"),
        "1/A/r2/t1/b2": ("n1", "e3"),
        "1/A/r2/t2/b3": ("n2", "e1"),
        "1/A/r2/t3/b1": ("n3", "e2"),
        "1/A/r3/t1/b3": ("n1", "e2"),
        "1/A/r3/t2/b1": ("n2", "e3"),
        "1/A/r3/t3/b2": ("n3", "e1"),
    }
    assert len(due(evening)) == 9
    assert {row.contestant: row.boards for row in evening.page().rows} == dict.fromkeys(seats_of(3), 0)
    assert evening.page().boards_due == 3


def seats_of(tables: int) -> list[str]:
    return [f"{side}{number}" for side in "ne" for number in range(1, tables + 1)]


def test_an_arrow_switch_turns_the_pairs_about() -> None:
    plan = MitchellMovement(tables=3, rounds=3, boards_per_round=1, arrow_switch_rounds=(3,))
    evening = told(mitchell_pairs(3), movement(plan))
    assert evening.seated(slot(3, 1, 3)) == ("e2", "n1")
    assert evening.seated(slot(2, 1, 2)) == ("n1", "e3")


def test_a_missing_pair_of_a_mitchell_makes_a_sit_out() -> None:
    plan = MitchellMovement(tables=3, rounds=3, boards_per_round=1, missing_ns=3, missing_ew=1)
    evening = told(mitchell_pairs(3), movement(plan))
    assert evening.seated(slot(3, 3, 1)) == (None, "e3")
    assert evening.seated(slot(1, 1, 1)) == ("n1", None)
    alone = result(3, table=3)
    assert told(mitchell_pairs(3), movement(plan), alone).verdict(alone) == waits(Reason.SITS_OUT)
    assert len(due(evening)) == 9 - 3 - 3 + 1


def test_even_tables_skip_or_share_boards() -> None:
    for plan in (
        MitchellMovement(tables=4, rounds=3, boards_per_round=1, form="skip", skip_after=2),
        MitchellMovement(tables=4, rounds=4, boards_per_round=1, form="relay-and-share"),
    ):
        assert told(mitchell_pairs(4), movement(plan)).verdict(movement(plan)) == ACCEPTED
    far = movement(mitchell(3, rounds=5))
    evening = told(far)
    assert evening.verdict(far) == refused(Reason.MOVEMENT_UNUSABLE)
    assert evening.article(far) == "Law 8"


def test_a_howell_names_pairs_by_number_alone() -> None:
    evening = told(pairs(6), movement(howell(6, boards_per_round=1)))
    met = {frozenset(evening.seated(s.slot)) for s in evening.event.slots.values()}
    assert len(met) == 15  # every pair meets every other
    tiny = movement(HowellMovement(pairs=4, boards_per_round=1, rounds=9))
    assert told(tiny).verdict(tiny) == refused(Reason.MOVEMENT_UNUSABLE)


def test_a_phantom_pair_sits_out_its_opponents() -> None:
    plan = movement(HowellMovement(pairs=6, boards_per_round=1, phantom=6))
    evening = told(pairs(6), plan)
    alone = [s.slot for s in evening.event.slots.values() if None in evening.seated(s.slot)]
    assert len(alone) == 5
    assert len(due(evening)) == 10
    told_off = result(alone[0].board, table=alone[0].table, round=alone[0].round)
    assert told(pairs(6), plan, told_off).verdict(told_off) == waits(Reason.SITS_OUT)


def test_an_entry_without_direction_serves_both_and_the_exact_one_goes_first() -> None:
    plan = movement(mitchell(3, boards_per_round=1))
    either = told(entered("x", 1), entered("exact", 1, "NS"), plan)
    assert either.seated(slot(1)) == ("exact", "x")
    in_howell = told(entered("n", 1, "NS"), entered("e", 1, "EW"), movement(howell(4, boards_per_round=1)))
    first = next(s.slot for s in in_howell.event.slots.values() if "e" in in_howell.seated(s.slot))
    assert "n" not in in_howell.seated(first)  # of two the lowest id


def test_a_number_belongs_to_one_contestant() -> None:
    other = entered("b", 1, "NS")
    evening = told(entered("a", 1, "NS"), other)
    assert evening.verdict(other) == refused(Reason.CONTESTANT_TAKEN)
    assert evening.decision(other).value == "A 1 NS"
    assert evening.decision(other).rule == "that is a"
    assert told(entered("a", 1, "NS"), entered("b", 1, "EW")).verdict(entered("b", 1, "EW")) == ACCEPTED
    assert told(entered("a", 1), entered("b", 1, section="B")).verdict(entered("b")) == ACCEPTED
    assert told(entered("a"), entered("b")).verdict(entered("b")) == ACCEPTED  # no number, no quarrel
    move = changed("b", 1)
    assert told(entered("a", 1), entered("b", 2), move).verdict(move) == refused(Reason.CONTESTANT_TAKEN)
    freed = told(entered("a", 1), entered("b", 2), changed("a", 3), move)
    assert freed.verdict(move) == ACCEPTED


def test_who_was_never_entered_neither_changes_nor_withdraws() -> None:
    for record in (changed("x", 1), left("x", 2)):
        assert told(record).verdict(record) == refused(Reason.UNKNOWN_CONTESTANT)


# Pairs that come late, change and go.


def test_a_late_pair_takes_the_empty_seats() -> None:
    plan = movement(mitchell(3, boards_per_round=1))
    there = [*pairs(3, "NS"), *pairs(2, "EW")]
    early = result(3, table=3)
    before = told(there, plan, early)
    assert before.verdict(early) == waits(Reason.SITS_OUT)
    assert len(due(before)) == 6
    late = told(there, plan, early, entered("late", 3, "EW"))
    assert late.verdict(early) == waits(Reason.SITS_OUT)  # it stood so when it was said
    assert len(due(late)) == 9
    assert late.seated(slot(3, 3, 1)) == ("n3", "late")
    again = replace(early, id=RecordId("again"))
    assert told(there, plan, entered("late", 3, "EW"), again).verdict(again) == ACCEPTED


def test_a_pair_with_another_number_sits_elsewhere_from_then_on() -> None:
    plan = movement(mitchell(3, boards_per_round=1))
    first = result(1, "n1", "e1")
    evening = told(mitchell_pairs(2), plan, first, changed("n1", 3), changed("e1", section="B"))
    assert evening.verdict(first) == ACCEPTED
    assert evening.seated(slot(3, 3, 1)) == ("n1", None)
    assert evening.seated(slot(2, 2, 1)) == ("n2", "e2")
    assert evening.seated(slot(1)) == ("n1", "e1")  # as the table said
    row = evening.rows()["n1"]
    assert (row.number, row.direction, row.section) == (3, "NS", "A")
    assert evening.rows()["e1"].section == "B"


def test_who_has_gone_is_due_nothing_more() -> None:
    plan = movement(mitchell(3, boards_per_round=1))
    evening = told(mitchell_pairs(3), plan, result(2, round=2), left("n1", 2))
    assert due(evening) == due(told(mitchell_pairs(3), plan, result(2, round=2))) - {"1/A/r3/t1/b3"}
    assert evening.stands(slot(2, 1, 2)) is not None  # what was played counts
    again = told(mitchell_pairs(3), plan, left("n1", 3), replace(left("n1", 2), id=RecordId("more")))
    assert "1/A/r2/t1/b2" not in due(again)
    back = told(mitchell_pairs(3), plan, left("n1", 2), withdrawn(left("n1", 2)))
    assert len(due(back)) == 9


def test_an_entry_taken_back_takes_its_changes_along() -> None:
    plan = movement(mitchell(3, boards_per_round=1))
    evening = told(entered("a", 1, "NS"), plan, changed("a", 2), withdrawn(entered("a")))
    assert evening.seated(slot(2, 2, 1)) == (None, None)
    assert evening.verdict(changed("a", 2)) == ACCEPTED


# Changes on the way.


def test_the_movement_changes_from_a_round_on() -> None:
    plan = movement_changed(2, [placement(2, 1, "c", "b", [1]), placement(2, 2, "d", "a", [2])])
    evening = told(TWO_TABLES, plan, result(1), result(1, round=2))
    assert evening.seated(slot(1)) == ("a", "c")
    assert evening.seated(slot(1, 1, 2)) == ("c", "b")
    assert evening.seated(slot(2, 2, 2)) == ("d", "a")
    assert slot(2, 1, 2) not in [state.slot for state in evening.event.slots.values()]
    back = told(TWO_TABLES, plan, withdrawn(plan))
    assert back.seated(slot(2, 1, 2)) == ("a", "d")


def test_a_changed_movement_may_be_the_first_and_a_movement_forgets_changes() -> None:
    plan = movement_changed(2, [placement(1, 1, "x", "y", [1]), placement(2, 1, "c", "b", [1])])
    evening = told(plan)
    assert [str(state.slot) for state in evening.event.slots.values()] == ["1/A/r2/t1/b1"]
    anew = told(plan, TWO_TABLES)
    assert anew.seated(slot(2, 1, 2)) == ("a", "d")


def test_a_movement_that_cannot_be_sat_down_to_is_refused() -> None:
    twice = [placement(1, 1, "a", "b", [1]), placement(1, 2, "a", "c", [2])]
    for plan in (movement(twice), movement_changed(1, twice)):
        evening = told(plan)
        assert evening.verdict(plan) == refused(Reason.MOVEMENT_UNUSABLE)
        assert evening.decision(plan).field == "movement"
    missing = movement([placement(1, 1, "a", "b", [1]), placement(2, 1, "a", "c", [2])])
    assert told(missing).verdict(missing) == ACCEPTED  # c sits out round 1, b round 2


def test_a_table_told_twice_in_a_round_plays_both_sets() -> None:
    plan = movement([placement(1, 1, "a", "b", [1, 2]), placement(1, 1, "a", "b", [3])])
    evening = told(plan)
    assert evening.verdict(plan) == ACCEPTED
    assert due(evening) == {"1/A/r1/t1/b1", "1/A/r1/t1/b2", "1/A/r1/t1/b3"}


def test_who_really_sat_there_stands_over_plan_and_table() -> None:
    really = reseated(1, 1, "c", "b")
    evening = told(TWO_TABLES, result(1, "a", "c"), really, result(1, table=2, round=2, tricks=9))
    assert evening.seated(slot(1)) == ("c", "b")
    assert evening.totals() == {"c": 4, "b": 0}
    twice = told(TWO_TABLES, result(1), really, reseated(1, 1, "d", "b", id="again"))
    assert twice.seated(slot(1)) == ("d", "b")
    back = told(TWO_TABLES, result(1), really, withdrawn(really))
    assert back.seated(slot(1)) == ("a", "c")


def test_reseating_may_bring_other_boards_and_else_keeps_them() -> None:
    boards = reseated(1, 1, "a", "c", boards=[5])
    evening = told(TWO_TABLES, boards, result(5), result(1))
    assert evening.verdicts(result(5), result(1)) == [ACCEPTED, waits(Reason.BOARD_NOT_AT_TABLE)]
    later = reseated(1, 1, "c", "a", id="later")
    evening = told(TWO_TABLES, boards, later)
    assert evening.seated(slot(5)) == ("c", "a")
    seen = told(TWO_TABLES, reseated(1, 1, "c", "a"), result(1), replace(boards, id=RecordId("more")))
    assert seen.verdict(result(1)) == ACCEPTED  # by the boards that were there then
    extra = reseated(1, 3, "x", "y", boards=[1])
    evening = told(TWO_TABLES, extra, result(1, table=3))
    assert evening.verdict(result(1, table=3)) == ACCEPTED
    nobody = reseated(1, 1, None, "c")
    assert told(TWO_TABLES, nobody, result(1)).verdict(result(1)) == waits(Reason.SITS_OUT)


# Cancelled.


def test_a_cancelled_round_is_due_to_nobody() -> None:
    for record in (round_cancelled(2), round_cancelled(2, "A")):
        evening = told(TWO_TABLES, result(1), record)
        assert due(evening) == {"1/A/r1/t2/b2"}
        assert evening.closed(1)
        assert not evening.closed(2)
        assert evening.page().boards_due == 1
    assert len(due(told(TWO_TABLES, round_cancelled(2, "B")))) == 4
    back = told(TWO_TABLES, round_cancelled(2), withdrawn(round_cancelled(2)))
    assert len(due(back)) == 4


def test_cancelled_boards_count_for_nobody() -> None:
    plays = (result(1), result(1, table=2, round=2, tricks=9), result(2, table=2))
    for record in (boards_cancelled(1), boards_cancelled(1, section="A")):
        evening = told(TWO_TABLES, *plays, record)
        assert evening.board(1) == [None, None]
        assert evening.stands(slot(1)) == result(1).identity
        assert evening.totals() == {}  # the only board left is live, with one result
    assert told(TWO_TABLES, *plays, boards_cancelled(1, section="B")).board(1) == [2, 0]


# Results of tables that are not there.


def test_results_that_do_not_fit_the_movement_wait_for_the_director() -> None:
    table, round_, board, pair = (
        result(1, table=9),
        result(1, round=9),
        result(2, "a", "c"),
        result(1, "a", "d"),
    )
    evening = told(TWO_TABLES, table, round_, board, pair)
    assert evening.verdicts(table, round_, board, pair) == [
        waits(Reason.UNKNOWN_TABLE),
        waits(Reason.UNKNOWN_TABLE),
        waits(Reason.BOARD_NOT_AT_TABLE),
        waits(Reason.PAIR_NOT_AT_TABLE),
    ]
    assert [evening.decision(one).value for one in (table, board, pair)] == ["A9", "2", "d"]
    assert evening.decision(pair).rule == "c sits there"
    assert evening.page().open.waiting == 4
    wrong_way = result(1, "c", "a")
    assert told(TWO_TABLES, wrong_way).verdict(wrong_way) == waits(Reason.PAIR_NOT_AT_TABLE)
    for record in (table, board, pair):
        imported = replace(record, role=Role.IMPORTER)
        assert told(TWO_TABLES, imported).verdict(imported) == ACCEPTED


def test_without_a_movement_any_table_is_believed() -> None:
    assert told(result(1, table=9)).verdict(result(1, table=9)) == ACCEPTED
    other_section = result(1, section="B")
    assert told(TWO_TABLES, other_section).verdict(other_section) == ACCEPTED
    before = told(result(1, table=9), TWO_TABLES)
    assert before.verdict(result(1, table=9)) == ACCEPTED


def test_a_match_says_who_sits_at_its_tables() -> None:
    match = match_set("home", "visit", [1, 2])
    evening = told(conditions("teams_imps"), match, result(1), result(3), result(1, "x", "visit", id="x"))
    assert evening.verdict(result(1)) == ACCEPTED
    assert evening.verdict(result(3)) == waits(Reason.BOARD_NOT_AT_TABLE)
    assert evening.seated(slot(1)) == ("home", "visit")
    assert evening.seated(slot(1, 2)) == ("visit", "home")
    anywhere = result(1, table=7)
    assert told(match, anywhere).verdict(anywhere) == ACCEPTED  # its section has no movement


@pytest.mark.parametrize("first_board", [1, 13])
def test_boards_are_labels(first_board: int) -> None:
    """Boards 13 to 36 are as good as 1 to 24; board 13 is vulnerable to both (Law 2)."""
    plan = MitchellMovement(tables=3, rounds=3, boards_per_round=8, first_board=BoardNumber(first_board))
    evening = told(mitchell_pairs(3), movement(plan), result(first_board))
    assert {state.slot.board for state in evening.event.slots.values()} == set(
        range(first_board, first_board + 24)
    )
    line = evening.travellers()[0].lines[0]
    assert line.score_ns == {1: 420, 13: 620}[first_board]


def test_two_sections_have_their_own_movements() -> None:
    evening = told(
        pairs(3, "NS"),
        pairs(3, "EW"),
        [entered(f"{side}b{n}", n, d, "B") for side, d in (("n", "NS"), ("e", "EW")) for n in (1, 2, 3)],
        movement(mitchell(3, boards_per_round=1)),
        movement(mitchell(3, boards_per_round=1), section="B"),
        result(1, section="B"),
    )
    assert evening.seated(slot(1, section="B")) == ("nb1", "eb1")
    assert evening.page().open.missing == 17
    assert evening.points(slot(1, section="B"), EW) == 0


def test_a_board_not_played_for_lack_of_time_is_open_to_the_director_only() -> None:
    plays = replace(result(1), result=outcome("not-played:time"))
    assert plays.result.cause is Unplayed.TIME  # type: ignore[union-attr]
    evening = told(TWO_TABLES, plays)
    assert "1/A/r1/t1/b1" not in due(evening)
    assert evening.page().open.not_played == 1
