"""Worked examples of others, explained: the figures are theirs, the sentences a player reads."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import pytest

from pipeline.scoring.event import Event
from pipeline.scoring.explain import Explanation, LineExplained, State, as_text, explain, explain_total
from pipeline.scoring.explain import steps as said
from pipeline.scoring.explain.steps import Step
from schemas.codec import AnyRecord
from schemas.control import CarryOverSet, MatchSet, TableOfMatch
from schemas.corrections import BoardForms, BoardsCancelled, Form, Penalty, PenaltyKind, PenaltyUnit
from schemas.deal import NoScore, ScoreOnly
from schemas.record import Role, Slot
from schemas.results import BoardResult, Subject
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    MatchId,
    Points,
    RecordId,
    SectionId,
    SessionId,
    SourceId,
    StageId,
)
from tests import builders as build

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "rules"
NS_VULNERABLE: Final = 2


def golden(name: str) -> Any:  # noqa: ANN401 - files of several shapes
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


def scored(board: int, ns_points: int, table: int, section: str = "A") -> BoardResult:
    """The pairs `n<table>` and `e<table>` come to a score on a board."""
    plain = build.result(board, f"n{table}", f"e{table}", table=table, section=section)
    return replace(plain, result=ScoreOnly(Points(ns_points)))


def board_of(board: int, scores: Sequence[int], section: str = "A") -> list[BoardResult]:
    """A board with these scores, at tables 1, 2, ..."""
    return [scored(board, points, table, section) for table, points in enumerate(scores, 1)]


def event_of(records: Sequence[AnyRecord], settings: Mapping[str, str] | None = None) -> Event:
    event = Event(build.EVENT)
    event.apply(build.stamped([build.conditions("exact", settings), *records]))
    return event


def explained(event: Event, contestant: str, board: int) -> LineExplained:
    (line,) = explain(event, ContestantId(contestant), "1", board).lines
    return line


def points_of(event: Event, contestant: str, board: int) -> Fraction | None:
    shown = explained(event, contestant, board).shown
    return None if shown is None else shown.points


def steps_of(event: Event, contestant: str, board: int) -> tuple[Step, ...]:
    shown = explained(event, contestant, board).shown
    assert shown is not None
    return shown.steps


def text_of(event: Event, contestant: str, board: int) -> str:
    return as_text(explain(event, ContestantId(contestant), "1", board))


# Match points.


def test_a_traveller_is_told_from_the_reader_s_side() -> None:
    # +100 three times, -170, -620 five times, -650 twice, as East-West see it.
    event = event_of(board_of(NS_VULNERABLE, [-100] * 3 + [170] + [620] * 5 + [650] * 2))
    text = text_of(event, "e5", NS_VULNERABLE)
    assert "8 of 20. You beat 2 results (2 each) and tied 4 (1 each): 2×2 + 4×1 = 8 (Law 78A)." in text
    assert "you sat East-West against n5. Noted without a contract: −620 for you (Law 77)." in text
    line = explained(event, "e5", NS_VULNERABLE)
    assert [row.score for row in line.frequencies] == [100, -170, -620, -650]
    assert [row.count for row in line.frequencies] == [3, 1, 5, 2]
    assert [row.points for row in line.frequencies] == [18, 14, 8, 1]
    assert [row.own for row in line.frequencies] == [False, False, True, False]


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in golden("neuberg.json")["neuberg"]
        if (case["expected"], case["results"]) == (10, 7) and case["scale"] == "2-1-0"
    ],
    ids=lambda case: f"M={case['matchpoints']}",
)
def test_seven_results_on_a_board_of_ten_are_factored(case: dict[str, Any]) -> None:
    # EBU, "Scoring of fouled boards": 17.6 14.7 11.9 9.0 6.1 3.3 0.4.
    scores = [430, 420, 400, 170, 140, -50, -100]
    records = board_of(1, scores) + board_of(17, [420] * 10)
    table = 7 - int(case["matchpoints"]) // 2
    event = event_of(records, {"line.round": "tenth-towards-average", "mp.round": "tenth-towards-average"})
    assert points_of(event, f"n{table}", 1) == Fraction(Decimal(case["rounded"]["toward_avg"]))
    assert points_of(event_of(records), f"n{table}", 1) == Fraction(case["exact"])


def test_the_factor_and_the_rounding_are_sentences_with_their_rules() -> None:
    records = board_of(1, [430, 420, 400, 170, 140, -50, -100]) + board_of(17, [420] * 10)
    event = event_of(records, {"line.round": "tenth-half-up", "mp.round": "tenth-half-up"})
    text = text_of(event, "n1", 1)
    assert "17.6 of 18. You beat 6 results" in text
    assert "7 results on a board of 10: (12 + 1) × 10/7 − 1 = 123/7 (Neuberg: White Book 4.2.3" in text
    assert "Rounded from 123/7 to 17.6: tenth-half-up (White Book 4.2.6, mp.round" in text


@pytest.mark.parametrize(
    ("policy", "sixth", "eighth"),
    [("tenth-towards-average", "7.8", "10.2"), ("tenth-away-from-average", "7.7", "10.3")],
)
def test_a_half_goes_where_the_policy_names(policy: str, sixth: str, eighth: str) -> None:
    # E = 10, A = 8: M = 6 is 7.75, M = 8 is 10.25; the average is 9.
    records = board_of(1, [430, 420, 400, 170, 140, 110, -50, -100]) + board_of(17, [420] * 10)
    event = event_of(records, {"mp.round": policy, "line.round": policy})
    assert (points_of(event, "n5", 1), points_of(event, "n4", 1)) == (Fraction(sixth), Fraction(eighth))
    (rounding,) = (step for step in steps_of(event, "n5", 1) if isinstance(step, said.Rounded))
    assert rounding.value == Fraction(31, 4)
    assert rounding.average == 9


def test_three_results_of_ten_are_a_small_group() -> None:
    # White Book 4.2.3.3: 70, 60 and 50 % of 18.
    event = event_of(board_of(1, [430, 420, 400]) + board_of(17, [420] * 10))
    assert [points_of(event, f"n{table}", 1) for table in (1, 2, 3)] == [
        Fraction(value) for value in ("12.6", "10.8", "9")
    ]
    assert "60% + 2×5% = 70% of 18 = 12.6 (White Book 4.2.3.3" in text_of(event, "n1", 1)


def test_three_results_of_eight_are_not() -> None:
    event = event_of(board_of(1, [430, 420, 400]) + board_of(17, [420] * 8))
    exact = [points_of(event, f"n{table}", 1) for table in (1, 2, 3)]
    assert exact == [Fraction(37, 3), 7, Fraction(5, 3)]


def test_an_arbitral_score_is_worth_a_point_to_everybody_else_in_1963() -> None:
    # Article 81: 6, 3, 3, 0 become 7, 4, 4, 1, of 8.
    records: list[AnyRecord] = [*board_of(1, [420, 170, 170, -50, 400])]
    records.append(build.awarded(scored(1, 400, 5)))
    event = event_of(records, {"mp.missing": "plus-one-1963", "line.missing": "plus-one-1963"})
    assert [points_of(event, f"n{table}", 1) for table in (1, 2, 3, 4)] == [7, 4, 4, 1]
    assert "1 result missing: 6 + 1×1 = 7 (1963 article 81)." in text_of(event, "n1", 1)


def test_half_match_points_are_compared_at_half_the_price() -> None:
    event = event_of(board_of(1, [430, 420, 420, -50]), {"mp.unit": "1-1/2-0"})
    assert "1.5 of 3. You beat 1 result (1 each) and tied 1 (0.5 each)" in text_of(event, "n2", 1)


def test_a_weighted_score_is_valued_in_parts() -> None:
    # White Book 4.1.1.4: six tables, 30 % of +650 (9.7) and 70 % of -100 (5.7): 6.9, East-West 3.1.
    case = golden("weighted.json")
    scores = [int(points) for points, count in case["field"].items() for _ in range(count)]
    records: list[AnyRecord] = [*board_of(NS_VULNERABLE, [*scores, 620])]
    weighted = "30% 650, 70% -100"
    records.append(build.awarded(scored(NS_VULNERABLE, 620, 6), weighted, weighted))
    event = event_of(records)
    assert points_of(event, "n6", NS_VULNERABLE) == Fraction(case["ns"])
    assert points_of(event, "e6", NS_VULNERABLE) == Fraction(case["ew"])
    (weighing,) = steps_of(event, "n6", NS_VULNERABLE)
    assert isinstance(weighing, said.Weighing)
    assert [part.gives for part in weighing.components] == [Fraction("9.7"), Fraction("5.7")]
    assert "Together 0.3×9.7 + 0.7×5.7 = 6.9." in text_of(event, "n6", NS_VULNERABLE)


def test_a_fouled_board_is_compared_within_its_form() -> None:
    records = board_of(1, [430, 420, 400, 170])
    fouled = tuple(record.slot for record in records[:2])
    forms = BoardForms(
        **director("forms"),
        session=SessionId("1"),
        board=BoardNumber(1),
        forms=(Form("turned", fouled),),
    )
    line = explained(event_of([*records, forms]), "n1", 1)
    assert line.compared is not None
    assert line.compared.form == "turned"
    assert line.compared.results == 2
    assert line.compared.expected == 4
    assert "Law 87" in line.compared.law


def test_the_line_may_follow_another_rule_than_the_total() -> None:
    # As one club program has it: exact values are summed, lines are shown to a tenth.
    records = board_of(1, [430, 420, 400, 170, 140, -50, -100]) + board_of(17, [420] * 10)
    line = explained(event_of(records, {"line.round": "tenth-half-even"}), "n1", 1)
    assert line.shown is not None
    assert line.counted is not None
    assert (line.shown.points, line.counted.points) == (Fraction("17.6"), Fraction(123, 7))


# Artificial scores.


def nearly_63_percent() -> list[AnyRecord]:
    """Pair n1 has 15 of 24 on two boards of seven tables, and Ave+ on a third."""
    records: list[AnyRecord] = [
        *board_of(1, [400, 430, 420, 170, 140, -50, -100]),  # four beaten: 8
        *board_of(17, [400, 450, 430, 400, 140, -50, -100]),  # three beaten, one tied: 7
        *board_of(33, [400, 430, 420, 170, 140, -50, -100]),
    ]
    return [*records, build.awarded(scored(33, 400, 1), "ave+", "ave-")]


def test_average_plus_follows_a_session_of_62_and_a_half_per_cent() -> None:
    # Law 12C2c; 62.5 % elsewhere gives 7.5 of 12.
    event = event_of(nearly_63_percent())
    assert points_of(event, "n1", 33) == Fraction(15, 2)
    text = text_of(event, "n1", 33)
    assert "7.5 of 12. Your other 2 boards: 15 of 24, 62.5% (Law 12C2" in text
    assert "Ave+: what you have on your other boards, in place of 60% (Law 12C2)." in text
    assert "62.5% of 12 = 7.5" in text


def test_average_plus_is_flat_where_the_conditions_say_so() -> None:
    event = event_of(nearly_63_percent(), {"adj.session": "flat"})
    assert points_of(event, "n1", 33) == Fraction("7.2")


# IMPs.


@pytest.mark.parametrize(("table", "imps"), [(1, 10), (4, -1), (15, -2), (22, -11)])
def test_the_datum_of_a_published_butler(table: int, imps: int) -> None:
    # Bermuda Bowl 2011: mean 514.545, datum 510.
    scores = [980] * 3 + [480] * 11 + [450] * 7 + [-50]
    event = event_of(board_of(1, scores), {"score.method": "butler"})
    datum, against = steps_of(event, f"n{table}", 1)
    assert isinstance(datum, said.Datum)
    assert datum.exact == Fraction(11320, 22)
    assert datum.gives == 510
    assert against.gives == imps
    assert points_of(event, f"e{table}", 1) == -imps


def test_a_short_board_is_factored_then_trimmed() -> None:
    # White Book 4.2.4: frequencies 1.6, 3.2, 3.2; one left out at either end: mean 359, datum 360.
    records = board_of(NS_VULNERABLE, [650, 620, 620, -100, -100]) + board_of(18, [620] * 8)
    event = event_of(records, {"score.method": "butler", "butler.trim": "one-each-end"})
    datum, _ = steps_of(event, "n1", NS_VULNERABLE)
    assert isinstance(datum, said.Datum)
    kept = {row.ns_points: row.kept for row in datum.rows}
    assert kept == {650: Fraction("0.6"), 620: Fraction("3.2"), -100: Fraction("2.2")}
    assert datum.exact == 359
    assert datum.gives == 360
    assert "1 left out at either end, mean +359, to the nearest ten (ebu-away) +360" in text_of(
        event, "n1", NS_VULNERABLE
    )


def test_a_trim_that_would_leave_nothing_leaves_nothing_out() -> None:
    settings = {"score.method": "butler", "butler.trim": "two-each-end"}
    datum, _ = steps_of(event_of(board_of(1, [430, 420, 170, -50]), settings), "n1", 1)
    assert isinstance(datum, said.Datum)
    assert datum.left_out == 0
    assert datum.exact == Fraction(970, 4)


def test_a_datum_that_ends_in_five_says_how_it_was_rounded() -> None:
    # White Book 4.2.6.2: -425 goes to -430; ACBL: to -420.
    for tie, rounded in (("ebu-away", -430), ("acbl-even", -420)):
        event = event_of(board_of(1, [-420, -430]), {"score.method": "butler", "butler.tie": tie})
        datum, against = steps_of(event, "e1", 1)
        assert isinstance(against, said.AgainstDatum)
        assert datum.gives == rounded
        assert against.datum == -rounded


@pytest.mark.parametrize(
    ("form", "best"),
    [("total", "32"), ("average", "10.6667"), ("per-result", "8.0000"), ("square-root", "13.0639")],
)
def test_cross_imps_in_each_form(form: str, best: str) -> None:
    event = event_of(
        board_of(NS_VULNERABLE, [620, 170, -100, 140]), {"score.method": "cross-imps", "ximp.form": form}
    )
    points = points_of(event, "n1", NS_VULNERABLE)
    assert points is not None
    assert round(points, 4) == Fraction(best)
    assert points_of(event, "e1", NS_VULNERABLE) == -points


@pytest.mark.parametrize(("factor", "exact"), [("ebu", "55/36"), ("acbl", "11/7"), ("none", "11/7")])
def test_eight_results_of_ten_are_factored_at_cross_imps(factor: str, exact: str) -> None:
    # EBU: ((11)*10/8)/9 = 1.5278; ACBLscore: 1.5714.
    records = board_of(1, [430, 420, 420, 450, -50, 400, 400, 430]) + board_of(17, [420] * 10)
    event = event_of(records, {"score.method": "cross-imps", "ximp.factor": factor})
    assert points_of(event, "n1", 1) == Fraction(exact)


def match_of(*results: BoardResult) -> Event:
    """A match of the home and the visiting team at tables 1 and 2."""
    match = MatchSet(
        event=build.EVENT,
        id=RecordId("match"),
        source=SourceId("office"),
        role=Role.SCORER,
        match=MatchId("m1"),
        session=SessionId("1"),
        round=1,
        home=ContestantId("home"),
        visit=ContestantId("visit"),
        tables=(
            TableOfMatch(SectionId("A"), 1, Direction.NS),
            TableOfMatch(SectionId("A"), 2, Direction.EW),
        ),
        boards=(BoardNumber(NS_VULNERABLE),),
    )
    return event_of([match, *results], {"score.method": "team-imps"})


def at_table(table: int, ns_points: int) -> BoardResult:
    return replace(build.result(NS_VULNERABLE, table=table), result=ScoreOnly(Points(ns_points)))


def test_both_tables_of_a_match_are_shown() -> None:
    # Law 78B: +620 here and -170 there are +450, 10 IMPs.
    event = match_of(at_table(1, 620), at_table(2, 170))
    for line in explain(event, ContestantId("home"), "1", NS_VULNERABLE).lines:
        assert line.shown is not None
        assert line.shown.points == 10
    text = text_of(event, "home", NS_VULNERABLE)
    assert "+620 and −170 are +450: +10 IMPs: +10 (Law 78B" in text
    assert "+170 and −620 are −450: −10 IMPs" in text_of(event, "visit", NS_VULNERABLE)
    total = explain_total(event, ContestantId("visit"), "1")
    assert total.total == -10
    assert len(total.boards) == 1


def test_a_match_board_waits_for_the_other_table() -> None:
    event = match_of(at_table(1, 620))
    states = {line.state for line in explain(event, ContestantId("home"), "1", NS_VULNERABLE).lines}
    assert states == {State.OTHER_TABLE, State.NO_RESULT}
    assert "The other table of the match is not in yet" in text_of(event, "home", NS_VULNERABLE)


def test_a_match_board_that_the_teams_sat_the_same_way_compares_nothing() -> None:
    sat_alike = replace(
        at_table(2, 170), ns=ContestantId("home"), ew=ContestantId("visit"), role=Role.IMPORTER
    )
    event = match_of(at_table(1, 620), sat_alike)
    for line in explain(event, ContestantId("home"), "1", NS_VULNERABLE).lines:
        assert line.state is State.INCOMPARABLE
    (nothing,) = explain_total(event, ContestantId("home"), "1").not_counted
    assert nothing.state is State.INCOMPARABLE


def test_a_table_of_no_match_has_nothing_to_be_compared_with() -> None:
    event = event_of([scored(1, 420, 1)], {"score.method": "team-imps"})
    assert explained(event, "n1", 1).state is State.NO_MATCH
    assert "This table belongs to no match of two tables." in text_of(event, "n1", 1)


# Not yet, and not at all.


def director(name: str) -> dict[str, Any]:
    return {
        "event": build.EVENT,
        "id": RecordId(name),
        "source": SourceId("director"),
        "role": Role.DIRECTOR,
        "subject": Subject.RULING,
    }


def two_tables() -> list[AnyRecord]:
    return [build.movement([build.placement(1, table, f"n{table}", f"e{table}", [1]) for table in (1, 2)])]


def test_a_board_still_being_played_is_not_final_yet() -> None:
    line = explained(event_of([*two_tables(), scored(1, 420, 1)]), "n1", 1)
    assert line.state is State.LIVE
    assert line.compared is not None
    assert line.compared.results == 1
    assert line.compared.open == 1


def test_the_only_result_has_nobody_to_compare_with() -> None:
    event = event_of([scored(1, 420, 1)])
    assert explained(event, "n1", 1).state is State.ALONE
    assert "There is no other result to compare with." in text_of(event, "n1", 1)


def test_a_board_without_result_says_why() -> None:
    played = scored(1, 420, 1)
    cancelled = BoardsCancelled(**director("cancel"), session=SessionId("1"), boards=(BoardNumber(1),))
    closed = replace(build.replaced(played), result=NoScore())
    for records, state, sentence in (
        ([], State.NO_RESULT, "No result has been entered yet."),
        ([build.result(1, contract="not-played:time")], State.NOT_PLAYED, "the director decides"),
        ([played, closed], State.NO_SCORE, "counts for nobody"),
        ([played, cancelled], State.CANCELLED, "was cancelled"),
    ):
        event = event_of([*two_tables(), *records])
        assert explained(event, "n1", 1).state is state
        assert sentence in text_of(event, "n1", 1)


def test_a_board_that_a_pair_does_not_play() -> None:
    assert text_of(event_of(board_of(1, [420])), "n9", 1) == "You do not play board 1 in session 1."


def test_a_result_is_told_with_its_contract() -> None:
    records = [build.result(1, "n1", "e1"), build.result(1, "n2", "e2", "pass", table=2)]
    event = event_of(records, {"score.table": "laws_pre1987"})
    assert "4S by N, 10 tricks: +420 for you (Law 77 as before 1987" in text_of(event, "n1", 1)
    assert "Passed out: 0 for you" in text_of(event, "e2", 1)


# Totals.


def test_a_total_adds_up_to_a_place() -> None:
    penalty = Penalty(
        **director("late"),
        contestant=ContestantId("n1"),
        session=SessionId("1"),
        amount=Fraction(25),
        unit=PenaltyUnit.PERCENT_OF_TOP,
        penalty_kind=PenaltyKind.LATE,
    )
    # Law 90: a quarter of the top of 4 is 1, so that n1 has 3 of 4 and e3 4 of 4.
    event = event_of([*board_of(1, [430, 420, -50]), penalty])
    total = explain_total(event, ContestantId("n1"), "1")
    assert total.points == 4
    assert total.available == 4
    assert total.total == 3
    assert total.percentage == 75
    assert (total.rank, total.tied_with) == (2, ())
    assert "Penalty, late: −1 (25% of 4) (Law 90)." in as_text(total)
    middle = explain_total(event, ContestantId("n2"), "1")
    assert middle.rank == 3
    assert middle.tied_with == ("e2",)
    assert "Place 3, shared with e2: 2 above, 2 below" in as_text(middle)


def test_what_is_carried_over_counts_in_the_event_alone() -> None:
    carried = CarryOverSet(
        event=build.EVENT,
        id=RecordId("carry"),
        source=SourceId("office"),
        role=Role.SCORER,
        contestant=ContestantId("n1"),
        stage=StageId("final"),
        amount=Fraction(3, 2),
    )
    others = replace(carried, id=RecordId("other"), contestant=ContestantId("n2"), amount=Fraction(1))
    event = event_of([*board_of(1, [430, 420, -50]), carried, others])
    assert explain_total(event, ContestantId("n1"), "1").total == 4
    total = explain_total(event, ContestantId("n1"), "event")
    assert total.total == Fraction(11, 2)
    assert "Carried over from stage final: +1.5 (conditions of contest)." in as_text(total)


def test_nobody_has_a_place_before_anything_counts() -> None:
    event = event_of([build.entered("n1", 1, "NS"), *two_tables()])
    assert as_text(explain_total(event, ContestantId("n1"), "1")).endswith(
        "Adding nothing, yet or at all: 1 board.\nNo place yet: nothing has been counted."
    )


def test_an_artificial_score_in_a_total_is_explained_there() -> None:
    text = as_text(explain_total(event_of(nearly_63_percent()), ContestantId("n1"), "event"))
    assert "3 boards: 22.5 of 36 match points." in text
    assert "Board 33: ave+, 7.5 of 12." in text
    assert "= 62.5%" in text


def test_a_total_says_how_it_is_shown() -> None:
    # 7 results of 10: M = 12 is 123/7 of 18, 17.5714...; on the other board all are level: 9.
    records = board_of(1, [430, 420, 400, 170, 140, -50, -100]) + board_of(17, [420] * 10)
    event = event_of(records, {"total.round": "hundredth-half-up"})
    total = explain_total(event, ContestantId("n1"), "1")
    assert total.total == Fraction(123, 7) + 9
    assert total.shown == Fraction("26.57")
    assert "Shown as 26.57 (total.round = hundredth-half-up)." in as_text(total)


def test_totals_are_factored_to_all_boards_where_the_conditions_say_so() -> None:
    settings = {"mp.missing": "factored-total", "line.missing": "factored-total"}
    event = event_of(board_of(1, [430, 420, -50]) + board_of(17, [430, 420]), settings)
    total = explain_total(event, ContestantId("n3"), "1")
    assert total.available == 4
    assert total.full == 6
    assert total.factored == 0
    assert "0 × 6 / 4 = 0 (ACBLscore" in as_text(total)


def test_an_explanation_names_a_slot_by_table_and_round() -> None:
    explanation: Explanation = explain(event_of(board_of(1, [420])), ContestantId("n1"), "1", 1)
    (line,) = explanation.lines
    assert line.slot == Slot(SessionId("1"), SectionId("A"), 1, 1, BoardNumber(1))
