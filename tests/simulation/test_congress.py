"""The demo's congress has every moment it is shown for, in an order that a log can hold."""

from collections.abc import Iterator

import pytest

from pipeline.simulation.congress import BUTLER, PAIRS, TEAMS, Item, Moment, Remark, RemarkKind, congress
from pipeline.simulation.voices import MINUTE
from schemas.codec import AnyRecord, read_record, write_record
from schemas.conditions import resolve
from schemas.control import (
    ConditionsPublished,
    ContestantEntered,
    HowellMovement,
    MatchSet,
    MitchellMovement,
    MovementSet,
    ScorePublished,
)
from schemas.corrections import Appeal, AppealDecided, Award, OverrideGranted, ReplaceResult
from schemas.deal import Artificial
from schemas.policies import Method
from schemas.published import PersonNamed
from schemas.record import Record
from schemas.results import BoardResult, CorrectionRequested, Subject
from schemas.terms import AwardKind, EventId
from tests.simulation.test_event import assert_references_were_said_before

SCRIPT = congress()


def records(event: EventId | None = None) -> Iterator[tuple[int, AnyRecord]]:
    for time_us, item in SCRIPT:
        if isinstance(item, Record) and event in {None, item.event}:
            yield time_us, item


def remark(kind: RemarkKind, event: EventId = PAIRS) -> Moment:
    return next(
        moment
        for moment in SCRIPT
        if isinstance(moment.item, Remark) and (moment.item.kind, moment.item.event) == (kind, event)
    )


def official_us(event: EventId) -> int:
    return next(time_us for time_us, record in records(event) if isinstance(record, ScorePublished))


def test_the_same_seed_tells_the_same_story_and_another_another() -> None:
    assert congress() == SCRIPT
    assert congress(2) != SCRIPT


@pytest.mark.parametrize("seed", range(1, 16))
def test_any_seed_has_the_same_moments_in_order(seed: int) -> None:
    moments = congress(seed)
    times = [moment.time_us for moment in moments]
    assert times == sorted(times)
    assert times[0] == 0
    assert 200 * MINUTE < times[-1] < 240 * MINUTE
    assert {item.kind for _, item in moments if isinstance(item, Remark)} == set(RemarkKind)
    said = [item for _, item in moments if isinstance(item, Record)]
    assert_references_were_said_before(said)


def test_every_record_travels() -> None:
    for _, record in records():
        assert read_record(write_record(record)) == record


def test_a_remark_names_a_record_that_has_been_said() -> None:
    said = set()
    for _, item in SCRIPT:
        if isinstance(item, Record):
            said.add(item.identity)
        if isinstance(item, Remark) and item.record is not None:
            assert item.record in said, item


def test_there_are_pairs_butler_and_teams_in_four_sections_by_mitchell_and_howell() -> None:
    movements = [record for _, record in records() if isinstance(record, MovementSet)]
    assert {record.section for record in movements} == {"A", "B", "C"}
    assert sum(isinstance(record.movement, MitchellMovement) for record in movements) == 2
    assert sum(isinstance(record.movement, HowellMovement) for record in movements) == 1
    matches = [record for _, record in records(TEAMS) if isinstance(record, MatchSet)]
    assert [{table.section for table in match.tables} for match in matches] == [{"D"}]
    methods = {
        record.event: resolve(record.preset, record.settings).score_method
        for _, record in records()
        if isinstance(record, ConditionsPublished)
    }
    assert methods == {PAIRS: Method.MATCHPOINTS, BUTLER: Method.BUTLER, TEAMS: Method.TEAM_IMPS}


def test_everybody_who_plays_has_a_name_before_they_are_entered() -> None:
    names = {
        (item.event, item.person)
        for time_us, item in SCRIPT
        if isinstance(item, PersonNamed) and time_us == 0
    }
    players = {
        (record.event, person)
        for _, record in records()
        if isinstance(record, ContestantEntered)
        for person in record.players
    }
    assert players == names
    assert len(players) == 28 * 2 + 9 * 2 + 2 * 4


def test_a_late_trick_dispute_is_asked_after_its_round_and_ruled_before_the_score_is_out() -> None:
    asked = next(
        (time_us, record)
        for time_us, record in records(PAIRS)
        if isinstance(record, CorrectionRequested) and record.subject is Subject.TRICKS
    )
    ended = next(
        time_us
        for time_us, record in records(PAIRS)
        if record.kind == "round_ended" and record.round == asked[1].slot.round
    )
    ruled = next(
        time_us
        for time_us, record in records(PAIRS)
        if isinstance(record, ReplaceResult) and record.request == asked[1].identity
    )
    assert ended < asked[0] < ruled < official_us(PAIRS)


def test_an_average_plus_is_awarded_for_a_board_not_played() -> None:
    award = next(
        record
        for _, record in records(PAIRS)
        if isinstance(record, Award) and record.ns_award == Artificial(AwardKind.AVE_PLUS)
    )
    entry = next(
        record
        for _, record in records(PAIRS)
        if isinstance(record, BoardResult) and record.identity == award.changes[0].supersedes
    )
    assert entry.result.outcome == "not_played"


def test_an_error_is_fixed_inside_the_period_and_another_comes_after_it() -> None:
    start = official_us(PAIRS)
    fixed = remark(RemarkKind.ERROR_FIXED_IN_TIME).time_us
    refused = remark(RemarkKind.LATE_FIX_REFUSED).time_us
    assert start < fixed <= start + 30 * MINUTE < refused


def test_the_late_fix_rests_on_nothing_and_the_next_one_on_the_organisers_leave() -> None:
    said = {record.identity: record for _, record in records(PAIRS)}
    late = remark(RemarkKind.LATE_FIX_REFUSED).item
    allowed = remark(RemarkKind.FIXED_BY_OVERRIDE).item
    assert isinstance(late, Remark)
    assert isinstance(allowed, Remark)
    assert late.record is not None
    assert allowed.record is not None
    first, second = said[late.record], said[allowed.record]
    assert isinstance(first, ReplaceResult)
    assert isinstance(second, ReplaceResult)
    assert (first.request, first.override) == (None, None)
    assert second.override is not None
    leave = said[second.override]
    assert isinstance(leave, OverrideGranted)
    assert leave.slots == (second.slot,) == (first.slot,)
    assert second.supersedes == first.supersedes


def test_an_appeal_is_lodged_in_time_and_decided_after_the_period() -> None:
    start = official_us(PAIRS)
    lodged = next((time_us, record) for time_us, record in records(PAIRS) if isinstance(record, Appeal))
    decided = next(
        (time_us, record) for time_us, record in records(PAIRS) if isinstance(record, AppealDecided)
    )
    assert decided[1].appeal == lodged[1].identity
    assert start < lodged[0] <= start + 30 * MINUTE < decided[0]
    changed = next(
        record
        for _, record in records(PAIRS)
        if isinstance(record, Award) and record.request == lodged[1].identity
    )
    assert changed.changes[0].supersedes == lodged[1].against


@pytest.mark.parametrize("event", [PAIRS, BUTLER, TEAMS])
def test_every_session_ends_after_its_period(event: EventId) -> None:
    final = remark(RemarkKind.SESSION_FINAL, event).time_us
    over = remark(RemarkKind.CORRECTION_PERIOD_OVER, event).time_us
    assert official_us(event) + 30 * MINUTE <= over < final


def test_no_slot_is_told_two_stories_at_once() -> None:
    """A second answer from a table names the first; only a repeated sending has the same identity."""
    standing: dict[object, Item] = {}
    for _, record in records():
        if isinstance(record, BoardResult):
            known = standing.get((record.event, record.slot))
            if isinstance(known, BoardResult) and known.identity != record.identity:
                assert record.supersedes == known.identity
            standing[record.event, record.slot] = record
