"""Ranking lists: whose, by what, with which ties, penalties and sessions."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.scoring.standings import index, standings
from pipeline.scoring.travellers import traveller
from schemas.control import CarryOverSet, RescoringAccepted
from schemas.corrections import PenaltyKind, PenaltyUnit
from schemas.deal import Artificial
from schemas.record import Record, Role
from schemas.terms import AwardKind, ContestantId, ListId, PersonId, RecordId, SourceId, StageId
from tests.builders import (
    EVENT,
    awarded,
    conditions,
    described,
    entered,
    field,
    noted,
    penalised,
    ranked_field,
    reseated,
    result,
    slot,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, Told, told

SOURCES = json.loads(
    (Path(__file__).parent.parent / "golden" / "rules" / "source_rules.json").read_text(encoding="utf-8")
)
ADJUSTED = json.loads(
    (Path(__file__).parent.parent / "golden" / "rules" / "adjusted.json").read_text(encoding="utf-8")
)


def groups_of_article_83() -> list[Record]:
    """Ten boards with a top of 20 in two groups: 130 and 128 match points in A, 129 and 120 in B.

    Pair 1 and 3 sit North-South at table 1, pair 2 and 4 East-West at table 2 of their group.
    """
    wanted = {"A": ([13] * 10, [7] * 8 + [8] * 2), "B": ([13] * 9 + [12], [8] * 10)}
    names = {"A": ("1", "2"), "B": ("3", "4")}
    records: list[Record] = []
    for section, (north, east) in wanted.items():
        for board in range(1, 11):
            won = {1: north[board - 1], 2: east[board - 1]}
            for record in ranked_field(board, 11, won, section):
                table = record.slot.table
                first, second = names[section]
                records.append(
                    replace(
                        record,
                        ns=ContestantId(first if table == 1 else f"{section}n{table}"),
                        ew=ContestantId(second if table == 2 else f"{section}e{table}"),
                    )
                )
    entries = [entered(name, 1, "NS", section) for section, (name, _) in names.items()]
    entries += [entered(name, 1, "EW", section) for section, (_, name) in names.items()]
    return [*records, *entries]


def four(evening: Told, name: str) -> dict[str, Fraction]:
    return {who: total for who, total in evening.totals(name).items() if who in "1234"}


def test_one_winner_of_all() -> None:
    """1963 article 83, as announced before the start."""
    case = SOURCES["winners_per_group"]
    evening = told(conditions(settings={"rank.winners": "one"}), groups_of_article_83())
    assert four(evening, "1/all") == case["match_points"]
    assert list(four(evening, "1/all")) == case["cases"][0]["ranking"]


def test_one_winner_in_each_group() -> None:
    case = SOURCES["winners_per_group"]
    evening = told(conditions(settings={"rank.winners": "per-section"}), groups_of_article_83())
    for group, winner in case["cases"][1]["winners_per_group"].items():
        assert list(four(evening, f"1/{group}")) == case["groups"][group]
        assert next(iter(four(evening, f"event/{group}"))) == winner


@pytest.mark.parametrize(
    ("winners", "lines"),
    [
        ("one", ["all"]),
        ("per-section", ["A", "B", "all"]),
        ("per-direction", ["EW", "NS", "all"]),
        ("per-section-and-direction", ["A-EW", "A-NS", "B", "B-NS", "NS", "all"]),
    ],
)
def test_a_contestant_is_in_the_list_that_the_entry_tells(winners: str, lines: list[str]) -> None:
    """By as much as the entry says; who was never entered is in the list of all."""
    entries = [
        entered("a", 1, "NS"),
        entered("b", 1, "EW"),
        entered("c", 1, "NS", "B"),
        entered("d", 2, section="B"),
    ]
    nowhere = replace(entered("f", 9, "NS"), section=None)
    plays = [result(1, "a", "b"), result(1, "c", "d", tricks=9, section="B"), result(1, "f", "x", table=2)]
    laid = {"rank.winners": winners, "field.compare": "field"}
    evening = told(conditions(settings=laid), plays, entries, nowhere)
    found = [name.partition("/")[2] for name in index(evening.event).lists if name.startswith("1/")]
    assert found == lines
    assert set(evening.rows("1/all")) >= ({"x"} if winners != "one" else {"a", "b", "c", "d", "f", "x"})


def test_equal_scores_share_the_place() -> None:
    """1963 article 84: 160, 150, 150 and 140 are 1, 2=, 2= and 4."""
    scores = {"A": 160, "B": 150, "C": 150, "D": 140}
    assert SOURCES["ties_1963"][1]["scores"] == scores
    laid = conditions("butler", {"rank.winners": "per-section"})
    boards = [penalised(name, -score, PenaltyUnit.POINTS) for name, score in scores.items()]
    evening = told(laid, [entered(name) for name in scores], boards)
    assert evening.totals("1/A") == scores
    assert evening.ranks("1/A") == {"A": "1", "B": "2=", "C": "2=", "D": "4"}


def test_equal_boards_share_the_place_in_each_direction() -> None:
    level = told(field([100, 50, 50, 0]))
    thirds = dict.fromkeys(["n2", "n3", "e2", "e3"], "3=")
    assert level.ranks() == {"n1": "1=", "e4": "1=", **thirds, "n4": "7=", "e1": "7="}
    two_winners = told(
        conditions(settings={"rank.winners": "per-direction"}),
        field([100, 50, 50, 0]),
        [entered(f"n{number}", number, "NS") for number in (1, 2, 3, 4)],
    )
    assert two_winners.ranks("1/NS") == {"n1": "1", "n2": "2=", "n3": "2=", "n4": "4"}
    assert [row.contestant for row in two_winners.page("1/NS").rows] == ["n1", "n2", "n3", "n4"]


def test_contestants_with_different_numbers_of_boards_rank_by_their_percentage() -> None:
    """White Book 4.2.5: 338 of 624 is 54.17 % and loses to 317 of 576, 55.03 %."""
    case = ADJUSTED["percentages"]
    of_a = [record for board in range(1, 27) for record in ranked_field(board, 13, {1: 13})]
    of_b = [
        replace(record, ns=ContestantId(f"b{record.slot.table}"))
        for board in range(1, 25)
        for record in ranked_field(board, 13, {1: 14 if board <= 5 else 13}, "B")
    ]
    evening = told(of_a, of_b)
    rows = evening.rows()
    for name, row in (("A", rows["n1"]), ("B", rows["b1"])):
        assert (row.score, row.percentage) == (f"{case[name]['mp']}.00", case[name]["pct"])
        assert row.boards == case[name]["boards"]
    order = [{"n1": "A", "b1": "B"}[who] for who in evening.totals() if who in {"n1", "b1"}]
    assert order == case["ranking"]


def test_a_list_may_rank_by_total_or_per_board() -> None:
    """At match points by the sum; at IMPs per board for who played fewer."""
    more = [*field([100, 0]), *field([100, 50, 0], board=2)]
    by_total = told(conditions(settings={"rank.by": "total"}), more)
    assert [by_total.ranks()[name] for name in ("n1", "e2", "e3")] == ["1", "2", "3"]  # 7.5, 5.5 and 4
    assert [told(more).ranks()[name] for name in ("e3", "n1", "e2")] == ["1", "2", "3"]  # of 4, 8 and 8
    fewer = [*field([300, 0, 0]), *field([300, 0, 0], board=2)[1:], noted(2, 1, 300, "x", "y")]
    imps = conditions("butler", {"rank.by": "per-board", "butler.trim": "none"})
    evening = told(imps, fewer)
    assert evening.ranks()["n1"] == evening.ranks()["x"] == "1="
    assert told(imps, fewer, penalised("idle", 1, PenaltyUnit.IMPS)).ranks()["n1"] == "1="
    idle = told(imps, fewer, penalised("idle", 1, PenaltyUnit.IMPS)).rows()["idle"]
    assert (idle.rank, idle.boards) == (None, 0)


def test_where_nothing_could_be_won_yet_there_is_no_place() -> None:
    evening = told(result(1, "n", "e"))
    assert evening.ranks() == {}
    row = evening.rows()["n"]
    assert (row.rank, row.percentage, row.boards, row.score) == (None, None, 1, "0.00")


def test_those_without_a_board_stand_last_in_the_order_of_their_numbers() -> None:
    plays = [result(1, "a", "b"), result(1, "c", "d", tricks=9, table=2)]
    entries = [
        entered(name, number) for name, number in (("d", 4), ("z", 9), ("y", 5), ("c", 3), ("a", 1), ("b", 2))
    ]
    rows = told(plays, entries).page().rows
    assert [row.contestant for row in rows] == ["a", "d", "b", "c", "y", "z"]
    assert [row.rank for row in rows] == [1, 1, 3, 3, None, None]


def test_a_row_says_what_the_entry_says() -> None:
    entry = replace(entered("n1", 7, "NS", "B"), players=(PersonId("p"), PersonId("q")))
    row = told(entry, field([100, 0])).rows()["n1"]
    assert (row.number, row.section, row.direction, row.players) == (7, "B", "NS", ("p", "q"))
    stranger = told(field([100, 0])).rows()["n1"]
    assert (stranger.number, stranger.section, stranger.direction, stranger.players) == (None, None, None, ())


# Penalties.


def test_a_penalty_is_shown_beside_the_total() -> None:
    """Law 90: 25 % of a top of 6."""
    evening = told(field([620, 170, 170, -50]), penalised("n1"))
    row = evening.rows()["n1"]
    assert (row.score, row.penalty, row.percentage, row.rank) == ("4.50", "1.50", "75.00", 2)
    assert evening.points(slot(1)) == 6
    again = told(
        field([620, 170, 170, -50]), penalised("n1"), penalised("n1", 1, PenaltyUnit.POINTS, id="more")
    )
    assert again.rows()["n1"].penalty == "2.50"
    gone = told(field([620, 170, 170, -50]), penalised("n1"), withdrawn(penalised("n1")))
    assert (gone.rows()["n1"].score, gone.rows()["n1"].penalty) == ("6.00", None)


def test_a_compensation_adds_and_a_warning_takes_nothing() -> None:
    more = told(field([100, 0]), penalised("n2", -1, PenaltyUnit.POINTS))
    assert more.totals()["n2"] == 1
    warned = told(field([100, 0]), penalised("n1", 25, kind=PenaltyKind.WARNING))
    assert warned.rows()["n1"].penalty is None
    assert warned.totals()["n1"] == 2


def test_who_has_a_penalty_and_no_board_is_listed_where_totals_rank() -> None:
    fined = penalised("late", 1, PenaltyUnit.POINTS)
    evening = told(conditions("butler", {"butler.trim": "none"}), field([100, 0, 0]), fined)
    assert evening.totals()["late"] == -1
    by_percentage = told(field([100, 0]), fined)
    assert by_percentage.rows()["late"].rank is None
    assert by_percentage.rows()["late"].score == "-1.00"
    without = told(conditions(), fined)
    assert without.rows("1/all")["late"].score == "-1.00"


def test_a_penalty_is_of_the_highest_top_of_its_session() -> None:
    both = [*field([100, 0]), *field([100, 50, 0], section="B")]
    assert told(both, penalised("n1")).rows()["n1"].penalty == "1.00"
    nowhere = told(field([100, 0]), penalised("n1", session="2"))
    assert nowhere.rows("1/all")["n1"].penalty is None
    assert nowhere.rows("event/all")["n1"].penalty is None


def test_a_percentage_below_nothing_is_shown_as_it_is() -> None:
    fined = told(field([100, 0]), penalised("n2", 1, PenaltyUnit.POINTS))
    assert fined.rows()["n2"].percentage == "-50.00"
    rounds = {"percentage.round": "hundredth-away-from-zero"}
    third = penalised("n2", "1/3", PenaltyUnit.POINTS)
    assert told(conditions(settings=rounds), field([100, 0]), third).rows()["n2"].percentage == "-16.67"


# Sessions.


def two_sessions() -> list[Record]:
    return [
        *field([100, 50, 0]),
        *(noted(1, table, score, session="2") for table, score in ((1, 0), (2, 50), (3, 100))),
    ]


def test_two_sessions_add_up_in_the_event() -> None:
    evening = told(described(sessions=("1", "2")), two_sessions())
    assert [evening.totals(f"{scope}/all")["n1"] for scope in ("1", "2", "event")] == [4, 0, 4]
    assert evening.rows("event/all")["n1"].percentage == "50.00"
    assert evening.page("event/all").boards_counted == evening.page("event/all").boards_due == 2
    assert evening.page("1/all").boards_due == 1
    assert index(evening.event).lists == ("1/all", "2/all", "event/all")
    assert index(evening.event).title == "Congress"
    assert index(told(two_sessions()).event).title == EVENT


def test_a_penalty_of_one_session_counts_in_it_and_in_the_event() -> None:
    evening = told(two_sessions(), penalised("n1", 1, PenaltyUnit.POINTS, session="2"))
    assert [evening.totals(f"{scope}/all")["n1"] for scope in ("1", "2", "event")] == [4, -1, 3]


def test_an_award_counts_among_the_boards_of_the_event() -> None:
    award = replace(awarded(slot(2, 1)), ns_award=Artificial(AwardKind.AVE))
    there = replace(reseated(1, 1, "n1", "e1"), id=RecordId("there"))
    evening = told(two_sessions(), there, field([0, 0, 0], board=2)[1:], award)
    assert evening.rows("1/all")["n1"].boards == 2
    assert evening.rows("event/all")["n1"].boards == 3
    assert evening.totals("event/all")["n1"] == 4 + 2


def carried(name: str, amount: int) -> CarryOverSet:
    return CarryOverSet(
        event=EVENT,
        id=RecordId(f"carry.{name}"),
        source=SourceId("office"),
        role=Role.SCORER,
        contestant=ContestantId(name),
        stage=StageId("2"),
        amount=Fraction(amount),
    )


# Factored totals.


def test_factored_totals_are_shares_of_the_highest_sum_of_tops() -> None:
    """ACBL: 2 of 6 as of 8; its percentage is that of the total as shown."""
    laid = conditions(settings={"mp.missing": "factored-total", "mp.small_group": "acbl1991"})
    evening = told(laid, field([300, 200, 100, 0]), field([200, 100], board=2))
    rows = evening.rows()
    assert (rows["n1"].score, rows["n1"].percentage) == ("8.00", "100.00")
    assert (rows["n3"].score, rows["n3"].exact, rows["n3"].percentage) == ("2.67", "8/3", "33.33")
    rounds = {
        "mp.missing": "factored-total",
        "mp.small_group": "acbl1991",
        "total.round": "hundredth-half-up",
    }
    rounded = told(conditions(settings=rounds), field([300, 200, 100, 0]), field([200, 100], board=2)).rows()
    assert (rounded["n3"].score, rounded["n3"].exact) == ("2.67", None)
    event = told(laid, field([300, 200, 100, 0]), noted(1, 1, 100, session="2"), noted(1, 2, 0, session="2"))
    assert event.rows("event/all")["n3"].score == "2.67"  # the scope is the event
    assert event.rows("1/all")["n3"].score == "2.00"


@pytest.mark.parametrize(
    ("rounding", "whole", "third"),
    [
        ("tenth-half-up", "100.0", "66.7"),
        ("tenth-down", "100.0", "66.6"),
        ("unit-away-from-zero", "100", "67"),
        ("hundredth-half-up", "100.00", "66.67"),
        ("none", "100.00", "66.67"),
    ],
)
def test_a_percentage_is_rounded_as_the_conditions_say(rounding: str, whole: str, third: str) -> None:
    evening = told(conditions(settings={"percentage.round": rounding}), field([100, 50, 0, 0]))
    assert [evening.rows()[name].percentage for name in ("n1", "n2")] == [whole, third]


# What else a list says.


def test_pages_of_two_hundred_rows_and_five_hundred_lines() -> None:
    evening = told(field(range(0, 5010, 10)))
    pages = standings(evening.event, ListId("1/all"))
    assert [len(page.rows) for page in pages] == [200] * 5 + [2]
    assert {(page.contestants, page.pages, page.digest) for page in pages} == {(1002, 6, pages[0].digest)}
    (board,) = evening.event.boards
    lines = traveller(evening.event, board)
    assert [len(page.lines) for page in lines] == [500, 1]
    assert [page.page for page in lines] == [1, 2]
    assert lines[0].lines[0].score_ns == 5000


def test_a_list_that_the_event_does_not_have() -> None:
    evening = told(field([100, 0]))
    for name in ("1/NS", "2/all"):
        with pytest.raises(KeyError):
            evening.page(name)


def test_its_method_and_unit() -> None:
    for preset, settings, unit in (
        ("exact", {}, "match points"),
        ("exact", {"mp.unit": "1-1/2-0"}, "half match points"),
        ("butler", {}, "IMPs"),
        ("cross_imps", {}, "IMPs"),
    ):
        assert told(conditions(preset, settings), field([100, 0])).page().unit == unit


def test_a_rescoring_is_noted_and_changes_nothing() -> None:
    accepted = RescoringAccepted(
        event=EVENT,
        id=RecordId("rescored"),
        source=SourceId("office"),
        role=Role.ORGANISER,
        scoring_version=2,
        lists=(),
    )
    evening = told(field([100, 0]), accepted)
    assert evening.verdict(accepted) == ACCEPTED
    assert evening.totals() == told(field([100, 0])).totals()


def test_what_is_carried_over_comes_into_the_event_alone() -> None:
    later = replace(carried("n2", 5), stage=StageId("3"), id=RecordId("later"))
    again = replace(carried("n2", 2), id=RecordId("again"))  # the last for a stage stands
    evening = told(field([100, 0]), carried("n2", 3), again, later, carried("nobody", 3))
    assert evening.totals("1/all")["n2"] == 0
    row = evening.rows("event/all")["n2"]
    assert (row.score, row.carry_over) == ("7.00", "7.00")
    assert evening.rows("event/all")["n1"].carry_over is None
    assert evening.rows("event/all")["nobody"].score == "3.00"
    assert "nobody" not in evening.rows("1/all")
    imps = conditions("butler", {"butler.trim": "none"})
    assert told(imps, field([100, 0, 0]), carried("nobody", 0)).totals("event/all")["nobody"] == 0
    gone = told(field([100, 0]), carried("n2", 3), withdrawn(carried("n2", 3)))
    assert gone.totals("event/all")["n2"] == 0
