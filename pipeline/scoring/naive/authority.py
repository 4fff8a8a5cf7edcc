"""Who may say what, and in which sessions: docs/semantics.md, section 2."""

from typing import Final

from pipeline.scoring.naive.facts import Facts
from schemas.control import (
    EventArchived,
    LineupDeclared,
    PeriodChanged,
    PublicationWithdrawn,
    RescoringAccepted,
    SessionFinalised,
    SessionReopened,
)
from schemas.corrections import (
    Appeal,
    AppealDecided,
    BoardForms,
    MoveResult,
    OverrideGranted,
    ReplaceResult,
    Ruling,
    SwapDirections,
    VoidResult,
)
from schemas.record import Record, Role, Slot
from schemas.results import (
    BoardResult,
    CorrectionRequested,
    DirectorCalled,
    MatchResult,
    ResultConfirmed,
    ResultDisputed,
    SeatTaken,
    Subject,
)
from schemas.terms import SessionId

TOP: Final = {Role.CHIEF_DIRECTOR, Role.ORGANISER, Role.IMPORTER}
DIRECTORS: Final = TOP | {Role.DIRECTOR}
OFFICE: Final = DIRECTORS | {Role.SCORER}


def may_say(record: Record) -> bool:
    """Tell whether the role may send such a record; `period_changed` asks more of it later."""
    if isinstance(record, ResultDisputed):
        return record.role is not Role.COMMITTEE
    if isinstance(record, BoardResult | ResultConfirmed | SeatTaken | DirectorCalled):
        return record.role not in {Role.COMMITTEE, Role.PAIR}
    if isinstance(record, CorrectionRequested):
        return record.role is not Role.COMMITTEE
    if isinstance(record, Appeal | MatchResult | LineupDeclared):
        return record.role not in {Role.COMMITTEE, Role.TABLE}
    if isinstance(record, AppealDecided):
        return record.role in DIRECTORS | {Role.COMMITTEE}
    if isinstance(record, OverrideGranted):
        return record.role in {Role.ORGANISER, Role.IMPORTER}
    if isinstance(record, Ruling):
        of_the_score = isinstance(record, ReplaceResult | VoidResult | MoveResult | SwapDirections)
        if of_the_score and record.subject in {Subject.ENTRY, Subject.SCORER}:
            return record.role in OFFICE
        decides = record.subject is Subject.APPEAL and record.role is Role.COMMITTEE
        return decides or record.role in DIRECTORS
    if isinstance(
        record, SessionFinalised | SessionReopened | PublicationWithdrawn | RescoringAccepted | EventArchived
    ):
        return record.role in TOP
    if isinstance(record, PeriodChanged):
        return record.role in DIRECTORS
    return record.role in OFFICE


def sessions_of(record: Record) -> set[SessionId]:
    """Every session that a record speaks of, by itself or through a slot."""
    sessions = {getattr(record, "session", None)}
    sessions |= {slot.session for slot in slots_named(record)}
    return {session for session in sessions if session is not None}


def slots_named(record: Record) -> list[Slot]:
    """Every slot that a record speaks of, in its order."""
    slots = [getattr(record, "slot", None)]
    slots += [change.slot for change in getattr(record, "changes", ())]
    slots += [record.to.slot] if isinstance(record, MoveResult) else []
    slots += getattr(record, "slots", ())
    if isinstance(record, BoardForms):
        slots += [slot for form in record.forms for slot in form.slots]
    return [slot for slot in slots if slot is not None]


def session_known(facts: Facts, sessions: set[SessionId]) -> bool:
    """Tell whether these are sessions of the event; without a list of them every one is."""
    listed = facts.sessions()
    return not listed or sessions <= set(listed)
