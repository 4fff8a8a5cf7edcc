"""Corrections of the score: before it is official, within the period, exactly at its end, and after it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schemas.control import Period, Scope
from schemas.corrections import PenaltyKind, PenaltyUnit
from schemas.deal import ScoreOnly
from schemas.decisions import Reason
from schemas.published import Status
from schemas.record import Role
from schemas.results import Subject
from schemas.terms import Points, RecordId
from tests.builders import (
    boards_cancelled,
    conditions,
    disputed,
    fouled,
    leave,
    penalised,
    period_changed,
    play_ended,
    publication_withdrawn,
    replaced,
    request_decided,
    requested,
    result,
    score_published,
    session_finalised,
    session_reopened,
    slot,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, WITHDRAWN, at, clock, refused, told, waits

SOURCES = json.loads(
    (Path(__file__).parent.parent / "golden" / "rules" / "source_rules.json").read_text(encoding="utf-8")
)
PRESETS = {"1963_art94": "law1963_pairs", "law79C_1997": "danish1997"}
ARTICLES = {"exact": "Law 79C", "danish1997": "Law 79C", "law1963_pairs": "1963 article 94"}
PLAYED = result(1, "n", "e")
OFFICIAL = at("22:10", score_published())
TOO_LATE = refused(Reason.PERIOD_OVER)


# The worked cases of the sources.


@pytest.mark.parametrize("case", SOURCES["corrections"], ids=lambda case: str(case["id"]))
def test_a_correction_counts_until_the_last_moment_of_its_period(case: Mapping[str, Any]) -> None:
    stated = {"printed-60": 60, "printed-15": 15}.get(case["id"])
    shortens = {"correction.may_shorten": "true"} if case["period_minutes"] < 30 else {}
    lengthener = Role.DIRECTOR if case["id"] == "director-longer" else Role.ORGANISER
    changed = stated is None and case["period_minutes"] != 30
    change = replaced(PLAYED, subject=Subject.SCORER, role=Role.SCORER, source="office")
    evening = told(
        conditions(PRESETS[case["ruleset"]], shortens),
        PLAYED,
        at("22:00", play_ended()),
        at(case["official_score_released"], score_published(correction_minutes=stated)),
        *([at("22:12", period_changed(case["period_minutes"], role=lengthener))] if changed else []),
        at(case["request_at"], change),
    )
    assert evening.page().correction_until_us == clock(case["deadline"])
    assert evening.verdict(change) == (ACCEPTED if case["in_time"] else TOO_LATE)
    assert evening.stands(PLAYED.slot) == (change if case["in_time"] else PLAYED).identity


def test_a_stated_shorter_period_does_not_count_where_nothing_may_be_shortened() -> None:
    """1963 article 94 leaves it open whether the official result may state less than 30 minutes."""
    change = replaced(PLAYED)
    evening = told(
        conditions("law1963_pairs"),
        PLAYED,
        at("22:10", score_published(correction_minutes=15)),
        at("22:30", change),
    )
    assert evening.verdict(change) == ACCEPTED


@pytest.mark.parametrize(
    ("ruleset", "before", "after", "subject"),
    [
        ("1963_art94", 420, 450, Subject.ENTRY),  # North wrote 4S= 420 for 4S+1
        ("1963_art94", 100, -100, Subject.SCORER),  # the scorer booked 100 to the wrong side
        ("law79C_1997", 170, 420, Subject.ENTRY),  # 10 tricks agreed in 4S not vulnerable
    ],
)
def test_a_score_noted_or_valued_wrongly_is_corrected(
    ruleset: str, before: int, after: int, subject: Subject
) -> None:
    wrong = replace(PLAYED, result=ScoreOnly(Points(before)))
    right = replace(replaced(wrong, subject=subject), result=ScoreOnly(Points(after)))
    evening = told(
        conditions(PRESETS[ruleset]), wrong, result(1, table=2, tricks=9), OFFICIAL, at("22:40", right)
    )
    assert evening.verdict(right) == ACCEPTED
    assert evening.travellers()[0].lines[0 if after > 0 else 1].score_ns == after


# Before, within, at the end, after.


@pytest.mark.parametrize("preset", ARTICLES)
@pytest.mark.parametrize(
    ("time", "in_time"),
    [("21:00", True), ("22:11", True), ("22:40", True), ("22:40:01", False), ("23:59", False)],
)
def test_the_period_runs_thirty_minutes_from_the_official_score(
    preset: str, time: str, in_time: bool
) -> None:
    change = replaced(PLAYED)
    entries = [at("22:10", score_published()), at(time, change)]
    evening = told(conditions(preset), PLAYED, *sorted(entries, key=lambda entry: entry.stamp.time_us))
    assert evening.verdict(change) == (ACCEPTED if in_time else TOO_LATE)
    assert evening.article(change) == (None if in_time else ARTICLES[preset])
    if not in_time:
        decision = evening.decision(change)
        assert (decision.field, decision.value) == ("time", str(clock(time)))
        assert decision.rule == f"at most {clock('22:40')}"


def test_without_an_official_score_no_period_runs_out() -> None:
    change = replaced(PLAYED)
    evening = told(PLAYED, at("22:00", play_ended()), at("29:00", change))
    assert evening.verdict(change) == ACCEPTED
    assert evening.page().correction_until_us is None


def test_the_table_itself_may_correct_within_the_period_alone() -> None:
    again = result(1, "n", "e", tricks=9, supersedes=PLAYED, id="again")
    assert told(PLAYED, OFFICIAL, at("22:40", again)).verdict(again) == ACCEPTED
    late = told(PLAYED, OFFICIAL, at("22:41", again))
    assert late.verdict(again) == TOO_LATE
    assert late.article(again) == "Law 79C"


def test_penalties_forms_and_cancelled_boards_have_a_period_too() -> None:
    """A ruling may still come while either clock runs (Law 81C6)."""
    rulings = (
        penalised("n"),
        fouled(1, ("b", [slot(1)])),
        boards_cancelled(1),
        penalised("e", 1, PenaltyUnit.POINTS, PenaltyKind.LATE),
    )
    for ruling in rulings:
        assert told(PLAYED, OFFICIAL, at("22:40", ruling)).verdict(ruling) == ACCEPTED
        late = told(PLAYED, OFFICIAL, at("22:41", ruling))
        assert late.verdict(ruling) == TOO_LATE
        assert late.article(ruling) == "Law 81C6"


def test_a_ruling_is_in_time_while_the_longer_of_the_clocks_runs() -> None:
    ruling = replaced(PLAYED, subject=Subject.RULING)
    longer = at("22:15", period_changed(60, period=Period.APPEAL))
    assert told(PLAYED, OFFICIAL, longer, at("23:10", ruling)).verdict(ruling) == ACCEPTED
    evening = told(PLAYED, OFFICIAL, longer, at("23:11", ruling))
    assert evening.verdict(ruling) == TOO_LATE
    assert evening.article(ruling) == "Law 81C6"
    assert evening.decision(ruling).rule == f"at most {clock('23:10')}"


def test_a_late_ruling_of_1963_goes_by_article_94() -> None:
    ruling = replaced(PLAYED, subject=Subject.RULING)
    evening = told(
        conditions("law1963_pairs"), PLAYED, OFFICIAL, at("22:05:00", play_ended()), at("22:50", ruling)
    )
    assert evening.verdict(ruling) == TOO_LATE
    assert evening.article(ruling) == "1963 article 94"


# After the period all the same.


def test_the_organiser_may_allow_a_correction_after_the_period() -> None:
    """Law 79C2; the leave is for a session, or for the slots that it names."""
    for granted in (leave(), leave(PLAYED.slot)):
        change = replaced(PLAYED, override=granted)
        evening = told(PLAYED, OFFICIAL, at("23:30", granted), at("23:31", change))
        assert evening.verdicts(granted, change) == [ACCEPTED, ACCEPTED]
        assert evening.stands(PLAYED.slot) == change.identity


def test_leave_for_another_slot_or_session_or_for_slots_alone_does_not_cover() -> None:
    for granted in (leave(slot(2)), leave(session="2"), leave(PLAYED.slot, session="2")):
        change = replaced(PLAYED, override=granted)
        evening = told(PLAYED, OFFICIAL, at("23:30", granted), at("23:31", change))
        assert evening.verdict(change) == refused(Reason.OVERRIDE_DOES_NOT_COVER)
        assert evening.article(change) == "Law 79C2"
    fine = replace(penalised("n"), override=leave(PLAYED.slot).identity)
    evening = told(PLAYED, OFFICIAL, at("23:30", leave(PLAYED.slot)), at("23:31", fine))
    assert evening.verdict(fine) == refused(Reason.OVERRIDE_DOES_NOT_COVER)


def test_leave_that_is_no_leave_or_was_taken_back_does_not_cover() -> None:
    other = score_published(revision=2)
    granted = leave()
    change = replaced(PLAYED, override=other)
    evening = told(PLAYED, OFFICIAL, at("22:50", other), at("23:31", change))
    assert evening.verdict(change) == refused(Reason.OVERRIDE_DOES_NOT_COVER)
    change = replaced(PLAYED, override=granted)
    back = withdrawn(granted)
    evening = told(PLAYED, OFFICIAL, at("23:30", granted), at("23:31", back), at("23:32", change))
    assert evening.verdict(change) == refused(Reason.OVERRIDE_DOES_NOT_COVER)
    after = told(PLAYED, OFFICIAL, at("23:30", granted), at("23:32", change), at("23:33", back))
    assert after.verdict(change) == ACCEPTED  # a verdict uses what stood before it


def test_leave_without_need_is_not_looked_at() -> None:
    change = replaced(PLAYED, override=leave(slot(9)))
    assert told(PLAYED, leave(slot(9)), OFFICIAL, at("22:40", change)).verdict(change) == ACCEPTED


def test_what_was_asked_for_in_time_may_be_decided_later() -> None:
    asked = requested(PLAYED)
    change = replaced(PLAYED, request=asked)
    answer = request_decided(asked)
    evening = told(PLAYED, OFFICIAL, at("22:40", asked), at("23:30", change), at("23:31", answer))
    assert evening.verdicts(asked, change, answer) == [ACCEPTED, ACCEPTED, ACCEPTED]


def test_what_was_asked_for_too_late_helps_nothing() -> None:
    asked = requested(PLAYED)
    change = replaced(PLAYED, request=asked)
    evening = told(PLAYED, OFFICIAL, at("22:41", asked), at("23:30", change))
    assert evening.verdicts(asked, change) == [TOO_LATE, TOO_LATE]
    assert evening.article(asked) == "Law 79C"


def test_a_request_taken_back_helps_nothing() -> None:
    asked = requested(PLAYED)
    change = replaced(PLAYED, request=asked)
    evening = told(PLAYED, OFFICIAL, asked, at("22:50", withdrawn(asked)), at("23:30", change))
    assert evening.verdict(change) == TOO_LATE


def test_what_was_asked_for_in_time_may_be_decided_even_after_the_final_result() -> None:
    asked, bare = requested(PLAYED), replaced(PLAYED, id="bare")
    change = replaced(PLAYED, request=asked)
    evening = told(
        PLAYED,
        OFFICIAL,
        at("22:40", asked),
        at("22:41", session_finalised()),
        at("22:50", bare),
        at("22:51", change),
    )
    assert evening.verdicts(bare, change) == [refused(Reason.SESSION_FINAL), ACCEPTED]
    assert evening.page().status is Status.FINAL


def test_a_dispute_in_time_lets_the_director_decide_later() -> None:
    doubt = disputed(PLAYED)
    change = replaced(PLAYED, request=doubt)
    evening = told(PLAYED, OFFICIAL, at("22:40", doubt), at("23:30", change))
    assert evening.verdicts(doubt, change) == [ACCEPTED, ACCEPTED]
    late = told(PLAYED, OFFICIAL, at("22:41", doubt), at("23:30", change))
    assert late.verdicts(doubt, change) == [TOO_LATE, TOO_LATE]


def test_a_dispute_taken_back_lets_nobody_decide_later() -> None:
    doubt = disputed(PLAYED)
    change = replaced(PLAYED, request=doubt)
    evening = told(PLAYED, doubt, OFFICIAL, at("22:20", withdrawn(doubt)), at("23:30", change))
    assert evening.verdicts(doubt, change) == [WITHDRAWN, TOO_LATE]


# The length of the period.


@pytest.mark.parametrize(
    ("minutes", "role", "settings", "expected"),
    [
        (60, Role.ORGANISER, {}, ACCEPTED),
        (30, Role.ORGANISER, {}, ACCEPTED),
        (60, Role.DIRECTOR, {}, refused(Reason.NOT_AUTHORISED)),
        (60, Role.CHIEF_DIRECTOR, {}, refused(Reason.NOT_AUTHORISED)),
        (60, Role.DIRECTOR, {"correction.lengthen_by": "director-or-organiser"}, ACCEPTED),
        (60, Role.CHIEF_DIRECTOR, {"correction.lengthen_by": "director-or-organiser"}, ACCEPTED),
        (
            60,
            Role.SCORER,
            {"correction.lengthen_by": "director-or-organiser"},
            refused(Reason.NOT_AUTHORISED),
        ),
        (15, Role.ORGANISER, {}, refused(Reason.PERIOD_MAY_NOT_SHORTEN)),
        (15, Role.ORGANISER, {"correction.may_shorten": "true"}, ACCEPTED),
        (15, Role.DIRECTOR, {"correction.may_shorten": "true"}, refused(Reason.PERIOD_MAY_NOT_SHORTEN)),
        (15, Role.SCORER, {"correction.may_shorten": "true"}, refused(Reason.NOT_AUTHORISED)),
    ],
)
def test_who_changes_the_correction_period(
    minutes: int, role: Role, settings: Mapping[str, str], expected: object
) -> None:
    """Law 79C1 leaves it to the organiser; 1963 article 94 to the director too, but only to lengthen."""
    change = period_changed(minutes, role=role)
    evening = told(conditions(settings=settings), PLAYED, OFFICIAL, change)
    assert evening.verdict(change) == expected
    until = clock("22:10") + (minutes if expected == ACCEPTED else 30) * 60_000_000
    assert evening.page().correction_until_us == until


def test_a_lengthened_period_is_not_lengthened_by_fewer_minutes_than_it_has() -> None:
    fewer = period_changed(40)
    evening = told(PLAYED, OFFICIAL, period_changed(60), fewer)
    assert evening.verdict(fewer) == refused(Reason.PERIOD_MAY_NOT_SHORTEN)
    assert evening.decision(fewer).rule == "at least 60"
    assert evening.article(fewer) == "Law 79C"


def test_a_period_may_be_lengthened_before_it_runs_and_after_it_has_run_out() -> None:
    change = replaced(PLAYED)
    before = told(PLAYED, period_changed(60), OFFICIAL, at("23:10", change))
    assert before.verdict(change) == ACCEPTED
    after = told(PLAYED, OFFICIAL, at("22:50", period_changed(60)), at("23:10", change))
    assert after.verdict(change) == ACCEPTED
    assert told(PLAYED, OFFICIAL, at("22:50", change), period_changed(60)).verdict(change) == TOO_LATE


def test_a_period_once_changed_stands_over_what_a_later_publication_states() -> None:
    again = replace(score_published(revision=2, correction_minutes=90), restarts_clocks=True)
    evening = told(PLAYED, OFFICIAL, period_changed(60), at("22:30", again))
    assert evening.page().correction_until_us == clock("23:30")


# The clock's start.


def test_a_later_revision_restarts_the_clock_only_where_it_says_so() -> None:
    second = score_published(revision=2)
    change = replaced(PLAYED)
    silent = told(PLAYED, OFFICIAL, at("22:30", second), at("22:50", change))
    assert silent.verdict(change) == TOO_LATE
    restarted = told(
        PLAYED, OFFICIAL, at("22:30", replace(second, restarts_clocks=True)), at("23:00", change)
    )
    assert restarted.verdict(change) == ACCEPTED
    assert restarted.page().revision == silent.page().revision == 2
    assert restarted.page().correction_until_us == restarted.page().appeal_until_us == clock("23:00")


def test_a_round_or_match_that_is_published_starts_no_clock_of_the_session() -> None:
    for scope in (Scope.ROUND, Scope.MATCH):
        evening = told(PLAYED, at("22:10", score_published(scope=scope)))
        assert evening.page().correction_until_us is None
        assert evening.page().status is Status.PLAYING
    evening = told(PLAYED, at("22:10", score_published(scope=Scope.STAGE)))
    assert evening.page().correction_until_us == clock("22:40")
    nowhere = told(PLAYED, at("22:10", replace(score_published(), session=None)))
    assert nowhere.page().correction_until_us is None


def test_the_score_of_the_event_starts_the_clocks_of_all_its_sessions() -> None:
    """Also of a session that nobody had heard of; conditions before and after it count from there on."""
    whole = replace(score_published(scope=Scope.EVENT), session=None)
    other = result(1, "n", "e", session="2")
    change = replaced(other)
    evening = told(
        conditions(),
        PLAYED,
        at("22:10", whole),
        at("22:12", conditions(settings={"correction.minutes": "20"}, id="shorter")),
        at("22:20", other),
        at("22:31", change),
    )
    assert evening.verdict(change) == TOO_LATE
    assert (
        evening.page("1/all").correction_until_us
        == evening.page("2/all").correction_until_us
        == clock("22:30")
    )
    assert evening.page("event/all").correction_until_us == clock("22:30")


def test_a_publication_that_is_withdrawn_never_started_a_clock() -> None:
    """What was refused by it stays refused: a verdict uses what stood before it."""
    late, later = replaced(PLAYED, id="late"), replaced(PLAYED, id="later")
    back = publication_withdrawn(score_published())
    evening = told(PLAYED, OFFICIAL, at("22:50", late), at("22:55", back), at("23:00", later))
    assert evening.verdicts(score_published(), late, back, later) == [WITHDRAWN, TOO_LATE, ACCEPTED, ACCEPTED]
    assert evening.page().correction_until_us is None
    assert evening.page().status is Status.PLAYING
    assert evening.page().revision is None


def test_only_a_publication_is_withdrawn_as_one() -> None:
    back = publication_withdrawn(PLAYED)
    evening = told(PLAYED, back)
    assert evening.verdict(back) == refused(Reason.REFERENCE_OF_OTHER_KIND)
    assert evening.verdict(PLAYED) == ACCEPTED


def test_a_withdrawn_publication_may_be_brought_back() -> None:
    back = publication_withdrawn(score_published())
    again = withdrawn(back)
    evening = told(PLAYED, OFFICIAL, back, again)
    assert evening.verdicts(score_published(), back, again) == [ACCEPTED, WITHDRAWN, ACCEPTED]
    assert evening.page().correction_until_us == clock("22:40")


# Final, and open again.


def test_after_the_final_result_nothing_is_corrected_until_the_session_is_reopened() -> None:
    final, reopened = at("22:41", session_finalised()), session_reopened()
    late = [replaced(PLAYED), requested(PLAYED), disputed(PLAYED), penalised("n"), boards_cancelled(1)]
    for record in late:
        evening = told(PLAYED, OFFICIAL, final, at("22:50", record))
        assert evening.verdict(record) == refused(Reason.SESSION_FINAL), record
    filled = told(PLAYED, OFFICIAL, final, at("22:50", result(2, "n", "e")))
    assert filled.verdict(result(2)) == waits(Reason.SESSION_FINAL)
    change = replaced(PLAYED, override=leave())
    open_again = told(PLAYED, OFFICIAL, final, reopened, replaced(PLAYED, id="bare"), leave(), change)
    assert open_again.verdict(reopened) == ACCEPTED
    assert open_again.decision(replaced(PLAYED, id="bare")).reason is Reason.PERIOD_OVER  # the clock has run
    assert open_again.verdict(change) == ACCEPTED
    assert open_again.page().status is Status.OFFICIAL_CLOSED


def test_an_empty_slot_is_filled_late_and_flagged() -> None:
    late = result(2, "n", "e")
    evening = told(PLAYED, OFFICIAL, at("22:41", late))
    assert evening.verdict(late) == ACCEPTED
    assert [str(flag) for flag in evening.decision(late).flags] == ["late"]
    assert [str(flag) for flag in evening.flags(late.slot)] == ["unconfirmed", "late"]
    assert not told(PLAYED, OFFICIAL, at("22:40", late)).decision(late).flags


def test_a_record_is_taken_back_within_the_period_of_its_own_subject() -> None:
    change = replaced(PLAYED, subject=Subject.RULING)
    back = withdrawn(change)
    assert told(PLAYED, change, OFFICIAL, at("22:40", back)).verdict(back) == ACCEPTED
    late = told(PLAYED, change, OFFICIAL, at("22:41", back))
    assert late.verdicts(change, back) == [ACCEPTED, TOO_LATE]
    helped = replace(back, override=leave().identity)
    assert told(PLAYED, change, OFFICIAL, at("22:41", leave()), helped).verdict(helped) == ACCEPTED
    fine = penalised("n")
    unfine = withdrawn(fine)
    assert told(PLAYED, fine, OFFICIAL, at("22:41", unfine)).verdict(unfine) == TOO_LATE


def test_confirmations_disputes_and_publications_are_taken_back_at_any_time() -> None:
    doubt = disputed(PLAYED)
    for record in (doubt, period_changed(60, id="longer")):
        back = replace(withdrawn(record), id=RecordId("back"))
        assert told(PLAYED, record, OFFICIAL, at("23:50", back)).verdict(back) == ACCEPTED
