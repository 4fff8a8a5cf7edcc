"""What a list is called, from scheduled to final, at any moment; and when a session may be final."""

from dataclasses import replace

import pytest

from schemas.control import Period, Scope
from schemas.decisions import Reason
from schemas.published import Status
from schemas.record import Role
from schemas.terms import RecordId
from tests.builders import (
    conditions,
    described,
    mitchell,
    movement,
    period_changed,
    play_ended,
    publication_withdrawn,
    result,
    round_started,
    score_published,
    session_finalised,
    session_opened,
    session_reopened,
)
from tests.scoring.evening import ACCEPTED, WITHDRAWN, at, clock, refused, told

PLAYED = result(1, "n", "e")
OPENED = at("19:30", session_opened())
ENDED = at("22:00", play_ended())
OFFICIAL = at("22:10", score_published())
FINAL = session_finalised()


def test_a_session_goes_from_scheduled_to_final() -> None:
    evening = (described(), OPENED, PLAYED, ENDED, OFFICIAL, at("22:41", FINAL))
    found = [told(*evening[:count]).page(time="22:20").status for count in range(1, 7)]
    assert found == [
        Status.SCHEDULED,
        Status.PLAYING,
        Status.PLAYING,
        Status.PROVISIONAL,
        Status.OFFICIAL_OPEN,
        Status.FINAL,
    ]


def test_a_result_shows_that_play_has_begun() -> None:
    """The round's start alone does not; nor does a result that waits."""
    plan = movement(mitchell(3))
    assert told(plan, round_started(1)).page().status is Status.SCHEDULED
    assert told(PLAYED).page().status is Status.PLAYING
    stranger = result(1, table=9)
    assert told(plan, stranger).page().status is Status.SCHEDULED


@pytest.mark.parametrize(
    ("time", "status"),
    [
        ("22:10", Status.OFFICIAL_OPEN),
        ("22:40", Status.OFFICIAL_OPEN),  # the last moment is in time
        ("22:40:01", Status.OFFICIAL_CLOSED),
        (None, Status.OFFICIAL_CLOSED),  # once everything has run out
    ],
)
def test_an_official_list_is_open_while_a_clock_runs(time: str | None, status: Status) -> None:
    assert told(PLAYED, OFFICIAL).page(time=time).status is status


def test_it_is_open_until_the_later_of_both_clocks() -> None:
    longer = period_changed(60, period=Period.APPEAL)
    evening = told(PLAYED, OFFICIAL, longer)
    assert evening.page(time="23:10").status is Status.OFFICIAL_OPEN
    assert evening.page(time="23:11").status is Status.OFFICIAL_CLOSED
    assert evening.page().correction_until_us == clock("22:40")
    assert evening.page().appeal_until_us == clock("23:10")


def test_as_it_stood_at_an_earlier_moment() -> None:
    """A smaller set of records is the event as of then."""
    whole = told(described(), OPENED, PLAYED, ENDED, OFFICIAL, at("22:41", FINAL))
    for time, status in (
        ("19:30", Status.PLAYING),
        ("22:00", Status.PROVISIONAL),
        ("22:10", Status.OFFICIAL_OPEN),
        ("22:41", Status.FINAL),
    ):
        known = [entry for entry in whole.entries if entry.stamp.time_us <= clock(time)]
        then = told(*known)
        assert then.page(time=time).status is status
        assert then.page().as_of_us == known[-1].stamp.time_us


def test_the_event_has_the_lowest_status_of_its_sessions() -> None:
    first = (PLAYED, OFFICIAL, at("22:41", FINAL))
    assert told(*first).page("event/all").status is Status.FINAL
    announced = told(described(sessions=("1", "2")), *first)
    assert announced.page("event/all").status is Status.SCHEDULED
    assert announced.page("1/all").status is Status.FINAL
    second = result(1, "n", "e", session="2")
    assert told(*first, second).page("event/all").status is Status.PLAYING
    both = told(*first, second, score_published("2"), score_published("2", revision=2))
    assert both.page("event/all").status is Status.OFFICIAL_CLOSED
    assert [both.page(name).revision for name in ("1/all", "2/all", "event/all")] == [1, 2, 1]


def test_an_event_without_sessions_is_scheduled() -> None:
    evening = told(conditions())
    assert evening.page("event/all").status is Status.SCHEDULED
    assert evening.page("event/all").revision is None
    assert evening.page("event/all").rows == ()


def test_final_needs_a_publication() -> None:
    for entries in ((), (ENDED,), (at("22:10", score_published(scope=Scope.ROUND)),)):
        evening = told(PLAYED, *entries, at("29:00", FINAL))
        assert evening.verdict(FINAL) == refused(Reason.NO_PUBLICATION)
    back = publication_withdrawn(score_published())
    evening = told(PLAYED, OFFICIAL, back, at("23:00", FINAL))
    assert evening.verdicts(score_published(), FINAL) == [WITHDRAWN, refused(Reason.NO_PUBLICATION)]


def test_final_needs_both_clocks_over() -> None:
    evening = told(PLAYED, OFFICIAL, at("22:40", FINAL))
    assert evening.verdict(FINAL) == refused(Reason.PERIOD_STILL_OPEN)
    assert evening.article(FINAL) == "Law 79C"
    assert evening.decision(FINAL).rule == f"after {clock('22:40')}"
    longer = period_changed(60, period=Period.APPEAL)
    evening = told(PLAYED, OFFICIAL, longer, at("22:50", FINAL))
    assert evening.verdict(FINAL) == refused(Reason.PERIOD_STILL_OPEN)
    assert evening.article(FINAL) == "Law 92B"
    assert told(PLAYED, OFFICIAL, longer, at("23:11", FINAL)).verdict(FINAL) == ACCEPTED


def test_a_clock_that_never_ran_is_not_over() -> None:
    """In 1963 the appeal clock starts with the end of play."""
    evening = told(conditions("law1963_pairs"), PLAYED, OFFICIAL, at("29:00", FINAL))
    assert evening.verdict(FINAL) == refused(Reason.PERIOD_STILL_OPEN)
    assert evening.decision(FINAL).rule == "after the period has run"
    ended = told(conditions("law1963_pairs"), PLAYED, ENDED, OFFICIAL, at("22:41", FINAL))
    assert ended.verdict(FINAL) == ACCEPTED


def test_the_correction_clock_may_run_from_the_end_of_the_session() -> None:
    from_the_end = conditions(settings={"correction.from": "session-end"})
    evening = told(from_the_end, PLAYED, ENDED, OFFICIAL)
    assert evening.page().correction_until_us == clock("22:30")
    assert evening.page().appeal_until_us == clock("22:40")


def test_only_the_chief_director_finalises_and_reopens() -> None:
    for role in Role:
        final = replace(FINAL, role=role)
        reopened = session_reopened(role=role)
        evening = told(PLAYED, OFFICIAL, at("22:41", final), reopened)
        allowed = role in {Role.CHIEF_DIRECTOR, Role.ORGANISER, Role.IMPORTER}
        said = ACCEPTED if allowed else refused(Reason.NOT_AUTHORISED)
        assert evening.verdicts(final, reopened) == [said, said]


def test_reopened_it_is_official_again_and_may_be_final_once_more() -> None:
    again = replace(FINAL, id=RecordId("again"))
    evening = told(PLAYED, OFFICIAL, at("22:41", FINAL), session_reopened())
    assert evening.page().status is Status.OFFICIAL_CLOSED
    evening = told(PLAYED, OFFICIAL, at("22:41", FINAL), session_reopened(), again)
    assert evening.verdict(again) == ACCEPTED
    assert evening.page().status is Status.FINAL


def test_the_highest_revision_is_shown() -> None:
    evening = told(PLAYED, OFFICIAL, score_published(revision=3), score_published(revision=2))
    assert evening.page().revision == 3
    gone = publication_withdrawn(score_published(revision=3))
    evening = told(PLAYED, OFFICIAL, score_published(revision=3), gone)
    assert evening.page().revision == 1
