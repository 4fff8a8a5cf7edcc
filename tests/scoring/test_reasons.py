"""Every reason for which a record does not count, and every flag: an evening that brings it about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import pytest

from schemas.deal import ScoreOnly
from schemas.decisions import Flag, Reason, Verdict
from schemas.record import Record, Role, Stamp, Stamped
from schemas.results import Subject
from schemas.terms import Identity, Points, RecordId
from tests.builders import (
    START_US,
    appealed,
    conditions,
    confirmed,
    described,
    disputed,
    entered,
    field,
    leave,
    left,
    match_reported,
    match_set,
    movement,
    period_changed,
    placement,
    publication_withdrawn,
    replaced,
    requested,
    result,
    round_ended,
    score_published,
    session_finalised,
    session_opened,
    slot,
    voided,
    withdrawn,
)
from tests.scoring.evening import Told, at, told

FIRST: Final = result(1, "n", "e", entered_by="N")
OTHER: Final = result(1, "n", "e", tricks=9, id="other", source="table.A9")
PLAN: Final = movement([placement(1, 1, "n", "e", [1]), placement(1, 2, "x", None, [2])])
OFFICIAL: Final = at("22:10", score_published())
MANY: Final = [result(1, "n", "e", id=f"r{number}") for number in range(201)]
BY_DIRECTOR: Final = replaced(FIRST)
SECOND: Final = result(1, "n", "e", tricks=9, id="second", supersedes=FIRST)
THIRD: Final = result(1, "n", "e", tricks=8, id="third", supersedes=FIRST)

Evening = Sequence[Stamped | Record]
LAST_IS: Final[Mapping[Reason, Evening]] = {
    Reason.NOT_AUTHORISED: [result(1, role=Role.PAIR)],
    Reason.UNKNOWN_SESSION: [described(), result(1, session="7")],
    Reason.UNKNOWN_TABLE: [PLAN, result(1, table=7)],
    Reason.BOARD_NOT_AT_TABLE: [PLAN, result(2)],
    Reason.UNKNOWN_CONTESTANT: [left("nobody", 1)],
    Reason.PAIR_NOT_AT_TABLE: [PLAN, result(1, "x", "e")],
    Reason.SITS_OUT: [PLAN, result(2, table=2)],
    Reason.SCORE_IMPOSSIBLE: [replace(FIRST, result=ScoreOnly(Points(410)))],
    Reason.SCORE_CONTRADICTS_CONTRACT: [result(1, score_ns=450)],
    Reason.SUPERSEDES_ITSELF: [replace(FIRST, supersedes=FIRST.identity)],
    Reason.REFERENCE_UNKNOWN: [BY_DIRECTOR],
    Reason.REFERENCE_NOT_IN_SLOT: [FIRST, result(2), replaced(FIRST, supersedes=result(2))],
    Reason.REFERENCE_OF_OTHER_KIND: [FIRST, publication_withdrawn(FIRST)],
    Reason.SLOT_TAKEN: [FIRST, OTHER],
    Reason.SUPERSEDED_ALREADY: [FIRST, SECOND, THIRD],
    Reason.SUPERSEDES_DIRECTOR: [FIRST, BY_DIRECTOR, replace(THIRD, supersedes=BY_DIRECTOR.identity)],
    Reason.CONFIRMED_ALREADY: [FIRST, confirmed(FIRST), SECOND],
    Reason.SLOT_EMPTY: [FIRST, voided(FIRST), voided(FIRST, id="again")],
    Reason.WRONG_SIDE_CONFIRMS: [FIRST, confirmed(FIRST, "S")],
    Reason.PERIOD_OVER: [FIRST, OFFICIAL, at("22:41", requested(FIRST))],
    Reason.PROTEST_PERIOD_OVER: [FIRST, OFFICIAL, at("22:41", appealed())],
    Reason.ROUND_OVER: [
        conditions("law1963_pairs"),
        FIRST,
        round_ended(1),
        replaced(FIRST, subject=Subject.TRICKS),
    ],
    Reason.SESSION_FINAL: [FIRST, OFFICIAL, at("22:41", session_finalised()), BY_DIRECTOR],
    Reason.NOT_A_PROTEST: [appealed(subject=Subject.ENTRY)],
    Reason.PERIOD_MAY_NOT_SHORTEN: [period_changed(10)],
    Reason.PERIOD_STILL_OPEN: [FIRST, OFFICIAL, session_finalised()],
    Reason.NO_PUBLICATION: [FIRST, session_finalised()],
    Reason.OVERRIDE_DOES_NOT_COVER: [
        FIRST,
        OFFICIAL,
        at("23:00", leave(slot(9))),
        replaced(FIRST, override=leave(slot(9))),
    ],
    Reason.CONDITIONS_AFTER_START: [session_opened(), conditions(role=Role.SCORER)],
    Reason.UNKNOWN_SETTING: [conditions(settings={"no.such": "1"})],
    Reason.MOVEMENT_UNUSABLE: [match_set("home", "home", [1])],
    Reason.CONTESTANT_TAKEN: [entered("a", 1), entered("b", 1)],
    Reason.IMPORT_INTO_LIVE_EVENT: [
        FIRST,
        result(2, role=Role.IMPORTER, original_stamp=Stamp(START_US, "board-results", 0, 0)),
    ],
    Reason.MATCH_UNKNOWN: [match_reported("nobody")],
    Reason.RECORDS_CAPPED: MANY,
    Reason.WITHDRAWS_ITSELF: [replace(withdrawn(FIRST), record=withdrawn(FIRST).identity)],
}
"""Evenings whose last record has the reason."""

FLAGGED: Final[Mapping[Flag, Evening]] = {
    Flag.LATE: [FIRST, OFFICIAL, at("22:41", result(2, "n", "e"))],
    Flag.CORROBORATED: [FIRST, replace(FIRST, id=RecordId("again"))],
}
"""Evenings whose last record is accepted with the flag."""
SHOWN: Final[Mapping[Flag, Evening]] = {
    Flag.LATE: [FIRST, OFFICIAL, at("22:41", result(2, "n", "e"))],
    Flag.DISPUTED: [FIRST, disputed(FIRST)],
    Flag.UNCONFIRMED: [FIRST],
    Flag.IMPLAUSIBLE: [
        *field([0, 10, 0, 0, 10], board=5)[1:],
        result(5, "n", "e", contract="7NTxx", tricks=13),
    ],
}
"""Evenings with a line that shows the flag."""


@pytest.mark.parametrize("reason", LAST_IS)
def test_a_record_does_not_count_for_a_reason(reason: Reason) -> None:
    evening = told(*LAST_IS[reason])
    decision = evening.decision(evening.entries[-1].record)
    assert decision.reason is reason
    assert decision.verdict not in {Verdict.ACCEPTED, Verdict.WITHDRAWN}
    assert decision.field
    assert decision.value is not None
    assert decision.rule


def test_another_content_under_a_taken_identity_has_its_own_reason() -> None:
    evening = told(FIRST, replace(FIRST, entered_by=None))
    ((name, digest),) = evening.event.records.conflicts
    assert evening.event.conflict(name, digest).reason is Reason.IDENTITY_TAKEN


@pytest.mark.parametrize("flag", FLAGGED)
def test_a_record_is_accepted_with_a_flag(flag: Flag) -> None:
    evening = told(*FLAGGED[flag])
    decision = evening.decision(evening.entries[-1].record)
    assert (decision.verdict, decision.flags) == (Verdict.ACCEPTED, (flag,))


@pytest.mark.parametrize("flag", SHOWN)
def test_a_traveller_shows_a_flag(flag: Flag) -> None:
    assert flag in shown(told(*SHOWN[flag]))


def shown(evening: Told) -> set[Flag]:
    return {flag for page in evening.travellers() for line in page.lines for flag in line.flags}


def test_only_a_lone_result_of_a_table_is_implausible_and_only_in_a_field() -> None:
    far = result(5, "n", "e", contract="7NTxx", tricks=13)
    assert Flag.IMPLAUSIBLE not in shown(told(field([0, 10, 0], board=5)[1:], far))
    twice = replace(far, slot=slot(5, table=9), id=RecordId("twice"))
    assert Flag.IMPLAUSIBLE not in shown(told(field([0, 10, 0, 0, 10], board=5)[1:], far, twice))
    by_hand = replace(far, role=Role.DIRECTOR)
    assert Flag.IMPLAUSIBLE not in shown(told(field([0, 10, 0, 0, 10], board=5)[1:], by_hand))
    near = result(5, "n", "e", contract="1NT", tricks=7)
    assert Flag.IMPLAUSIBLE not in shown(told(field([0, 10, 0, 0, 10], board=5)[1:], near))


def test_every_reason_and_every_flag_is_brought_about() -> None:
    assert {*LAST_IS, Reason.IDENTITY_TAKEN} == set(Reason)
    assert {*FLAGGED, *SHOWN} == set(Flag)


def test_every_verdict_is_brought_about() -> None:
    evening = told(FIRST, OTHER, withdrawn(FIRST), result(3, role=Role.PAIR), replaced(result(4)))
    found = {evening.decision(Identity(name)).verdict for name in evening.event.records.by_identity}
    assert found == set(Verdict)
