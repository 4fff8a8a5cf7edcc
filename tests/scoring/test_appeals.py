"""Appeals and protests: which clock they have, what they may be about, and what they keep open."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schemas.control import Period
from schemas.corrections import AppealKind, Decision
from schemas.decisions import Reason
from schemas.record import Role
from schemas.results import Subject
from schemas.terms import RecordId, SourceId
from tests.builders import (
    appeal_decided,
    appealed,
    conditions,
    leave,
    period_changed,
    play_ended,
    replaced,
    requested,
    result,
    score_published,
    session_finalised,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, WITHDRAWN, at, clock, refused, told

SOURCES = json.loads(
    (Path(__file__).parent.parent / "golden" / "rules" / "source_rules.json").read_text(encoding="utf-8")
)
PLAYED = result(1, "n", "e")
ENDED = at("22:00", play_ended())
OFFICIAL = at("22:10", score_published())
TOO_LATE = refused(Reason.PROTEST_PERIOD_OVER)
ABOUT = {
    "unlawful act of a contestant": Subject.RULING,
    "improper act of a contestant": Subject.RULING,
    "decision of the director": Subject.RULING,
    "wrong entry in the score": Subject.ENTRY,
}


@pytest.mark.parametrize("case", SOURCES["protests"], ids=lambda case: str(case["id"]))
def test_a_protest_of_1963_is_lodged_within_half_an_hour_of_the_end_of_the_session(
    case: Mapping[str, Any],
) -> None:
    """Article 93, in the worked cases of the source."""
    protest = appealed(kind=AppealKind.PROTEST_1963, subject=ABOUT[case["about"]])
    said = [at(case["session_end"], play_ended()), OFFICIAL, at(case["filed_at"], protest)]
    in_order = sorted(said, key=lambda entry: entry.stamp.time_us)
    evening = told(conditions("law1963_pairs"), PLAYED, *in_order)
    assert (evening.verdict(protest) == ACCEPTED) == case["admissible"]
    assert evening.page().appeal_until_us == clock(case["deadline"])
    if not case["admissible"]:
        wrong_entry = case["id"] == "not-a-protest"
        assert evening.verdict(protest) == (refused(Reason.NOT_A_PROTEST) if wrong_entry else TOO_LATE)
        assert evening.article(protest) == ("1963 article 94" if wrong_entry else "1963 article 93")


@pytest.mark.parametrize(
    ("preset", "last", "first_late", "article"),
    [
        ("exact", "22:40", "22:40:01", "Law 92B"),  # from the official score
        ("danish1997", "22:40", "22:40:01", "Law 92B"),
        ("law1963_pairs", "22:30", "22:30:01", "1963 article 93"),  # from the end of the session
    ],
)
def test_the_appeal_clock_runs_from_the_score_or_from_the_end_of_the_session(
    preset: str, last: str, first_late: str, article: str
) -> None:
    appeal = appealed()
    assert told(conditions(preset), PLAYED, ENDED, OFFICIAL, at(last, appeal)).verdict(appeal) == ACCEPTED
    late = told(conditions(preset), PLAYED, ENDED, OFFICIAL, at(first_late, appeal))
    assert late.verdict(appeal) == TOO_LATE
    assert late.article(appeal) == article
    assert late.page().appeal_until_us == clock(last)


def test_a_protest_runs_from_the_end_of_the_session_whatever_the_conditions_start_appeals_with() -> None:
    protest = appealed(kind=AppealKind.PROTEST_1963)
    assert told(PLAYED, ENDED, OFFICIAL, at("22:30", protest)).verdict(protest) == ACCEPTED
    late = told(PLAYED, ENDED, OFFICIAL, at("22:31", protest))
    assert late.verdict(protest) == TOO_LATE
    assert late.article(protest) == "1963 article 93"
    assert late.decision(protest).value == str(clock("22:31"))
    longer = told(PLAYED, ENDED, OFFICIAL, period_changed(60, period=Period.APPEAL), at("23:00", protest))
    assert longer.verdict(protest) == ACCEPTED


def test_while_no_clock_runs_an_appeal_is_in_time() -> None:
    for kind in AppealKind:
        appeal = appealed(kind=kind)
        assert told(PLAYED, at("29:00", appeal)).verdict(appeal) == ACCEPTED


def test_the_end_of_the_session_counts_once() -> None:
    protest = appealed(kind=AppealKind.PROTEST_1963)
    again = replace(play_ended(), source=SourceId("other"))
    evening = told(PLAYED, ENDED, at("22:20", again), at("22:31", protest))
    assert evening.verdict(protest) == TOO_LATE


@pytest.mark.parametrize(
    ("edition", "article"), [("2017", "Law 79C"), ("1997", "Law 79C"), ("1963", "1963 article 94")]
)
@pytest.mark.parametrize("subject", [Subject.ENTRY, Subject.SCORER])
def test_a_wrong_entry_is_corrected_and_not_appealed(edition: str, article: str, subject: Subject) -> None:
    for kind in AppealKind:
        appeal = appealed(subject=subject, kind=kind)
        evening = told(conditions(settings={"tricks.late": edition}), PLAYED, appeal)
        assert evening.verdict(appeal) == refused(Reason.NOT_A_PROTEST)
        assert evening.article(appeal) == article


def test_neither_a_request_nor_leave_brings_an_appeal_back_into_time() -> None:
    asked, allowed = requested(PLAYED), leave()
    appeal = appealed(request=asked, override=allowed)
    evening = told(PLAYED, asked, OFFICIAL, at("22:50", allowed), appeal)
    assert evening.verdict(appeal) == TOO_LATE


@pytest.mark.parametrize(
    ("minutes", "role", "settings", "expected"),
    [
        (60, Role.DIRECTOR, {}, ACCEPTED),
        (60, Role.CHIEF_DIRECTOR, {}, ACCEPTED),
        (60, Role.ORGANISER, {}, ACCEPTED),
        (60, Role.SCORER, {}, refused(Reason.NOT_AUTHORISED)),
        (15, Role.ORGANISER, {}, refused(Reason.PERIOD_MAY_NOT_SHORTEN)),
        (15, Role.DIRECTOR, {"correction.may_shorten": "true"}, refused(Reason.PERIOD_MAY_NOT_SHORTEN)),
        (15, Role.ORGANISER, {"correction.may_shorten": "true"}, ACCEPTED),
    ],
)
def test_who_changes_the_appeal_period(
    minutes: int, role: Role, settings: Mapping[str, str], expected: object
) -> None:
    change = period_changed(minutes, period=Period.APPEAL, role=role)
    evening = told(conditions(settings=settings), PLAYED, OFFICIAL, change)
    assert evening.verdict(change) == expected
    until = clock("22:10") + (minutes if expected == ACCEPTED else 30) * 60_000_000
    assert evening.page().appeal_until_us == until
    assert evening.page().correction_until_us == clock("22:40")


def test_a_publication_states_the_appeal_period() -> None:
    appeal = appealed()
    evening = told(PLAYED, at("22:10", score_published(appeal_minutes=60)), at("23:10", appeal))
    assert evening.verdict(appeal) == ACCEPTED
    assert evening.page().correction_until_us == clock("22:40")


# What a committee decides.


def test_an_appeal_lodged_in_time_is_decided_after_the_period_and_after_the_final_result() -> None:
    appeal = appealed()
    change = replaced(PLAYED, subject=Subject.APPEAL, role=Role.COMMITTEE, source="committee", request=appeal)
    bare = replace(change, request=None, id=RecordId("bare"))
    decided = appeal_decided(appeal)
    evening = told(PLAYED, OFFICIAL, at("22:40", appeal), at("23:30", change), at("23:31", decided))
    assert evening.verdicts(appeal, change, decided) == [ACCEPTED, ACCEPTED, ACCEPTED]
    assert evening.stands(PLAYED.slot) == change.identity
    final = at("22:41", session_finalised())
    evening = told(PLAYED, OFFICIAL, at("22:40", appeal), final, at("23:30", change))
    assert evening.verdict(change) == ACCEPTED
    without = told(PLAYED, OFFICIAL, at("22:40", appeal), at("23:30", bare))
    assert without.verdict(bare) == refused(Reason.PERIOD_OVER)
    assert without.article(bare) == "Law 92B"


def test_a_committee_decides_appeals_and_nothing_else() -> None:
    appeal = appealed()
    for subject in Subject:
        change = replaced(PLAYED, subject=subject, role=Role.COMMITTEE, source="committee")
        allowed = subject is Subject.APPEAL
        evening = told(PLAYED, appeal, change, appeal_decided(appeal))
        assert evening.verdict(change) == (ACCEPTED if allowed else refused(Reason.NOT_AUTHORISED))


def test_a_committees_decision_goes_by_article_93_in_1963() -> None:
    change = replaced(PLAYED, subject=Subject.APPEAL, role=Role.COMMITTEE, source="committee")
    evening = told(conditions("law1963_pairs"), PLAYED, ENDED, OFFICIAL, at("22:31", change))
    assert evening.verdict(change) == refused(Reason.PERIOD_OVER)
    assert evening.article(change) == "1963 article 93"


# Subject to appeal.


def test_a_list_counts_the_appeals_that_are_not_decided() -> None:
    one, two, late = appealed(id="one"), appealed("e", id="two"), appealed(id="late")
    lodged = (PLAYED, OFFICIAL, one, two)
    assert told(PLAYED).page().open.appeals == 0
    assert told(*lodged).page().open.appeals == 2
    assert told(*lodged).page("event/all").open.appeals == 2
    for decision in Decision:
        assert told(*lodged, appeal_decided(one, decision)).page().open.appeals == 1
    evening = told(*lodged, appeal_decided(one), withdrawn(two), at("22:41", late))
    assert evening.verdicts(two, late) == [WITHDRAWN, TOO_LATE]
    assert evening.page().open.appeals == 0


def test_an_appeal_counts_in_its_own_session() -> None:
    evening = told(PLAYED, result(1, "n", "e", session="2"), appealed(session="2"))
    assert [evening.page(name).open.appeals for name in ("1/all", "2/all", "event/all")] == [0, 1, 1]


def test_a_request_for_a_correction_is_no_appeal() -> None:
    assert told(PLAYED, requested(PLAYED)).page().open.appeals == 0
