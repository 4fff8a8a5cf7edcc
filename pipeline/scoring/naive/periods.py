"""Clocks and what is in time: docs/semantics.md, section 5 (Laws 79 and 92B, 1963 articles 92 to 94)."""

from pipeline.scoring.naive.facts import Facts
from pipeline.scoring.naive.order import Placed
from schemas.control import (
    Period,
    PeriodChanged,
    PlayEnded,
    RoundEnded,
    Scope,
    ScorePublished,
    SessionFinalised,
    SessionReopened,
)
from schemas.corrections import Appeal, OverrideGranted
from schemas.decisions import Reason, Verdict
from schemas.policies import ClockStart, LateTricks
from schemas.record import Record, Slot
from schemas.results import CorrectionRequested, ResultDisputed, Subject
from schemas.terms import Identity, SessionId

MINUTE_US = 60_000_000


def publications(facts: Facts, session: SessionId) -> list[tuple[Placed, ScorePublished]]:
    """The publications that cover a session."""
    return [
        (one, said)
        for one in facts.standing(ScorePublished)
        for said in [one.record]
        if isinstance(said, ScorePublished)
        if said.scope is Scope.EVENT
        or (said.scope in {Scope.SESSION, Scope.STAGE} and said.session == session)
    ]


def play_ended_us(facts: Facts, session: SessionId) -> int | None:
    """When play of a session ended."""
    times = [
        one.time_us
        for one in facts.standing(PlayEnded)
        if isinstance(one.record, PlayEnded) and one.record.session == session
    ]
    return times[0] if times else None


def minutes(facts: Facts, session: SessionId, period: Period, starter: ScorePublished | None) -> int:
    """How long a clock runs: as last changed, else as the publication states, else by the conditions."""
    conditions = facts.conditions()
    correction = period is Period.CORRECTION
    length = conditions.correction_minutes if correction else conditions.appeal_minutes
    if starter is not None:
        stated = starter.correction_minutes if correction else starter.appeal_minutes
        if stated is not None and (stated >= length or conditions.correction_may_shorten):
            length = stated
    for one in facts.standing(PeriodChanged):
        said = one.record
        if isinstance(said, PeriodChanged) and (said.session, said.period) == (session, period):
            length = said.minutes
    return length


def start(
    facts: Facts, session: SessionId, period: Period, since: ClockStart | None = None
) -> tuple[int | None, ScorePublished | None]:
    """When a clock started, and the publication that started it."""
    conditions = facts.conditions()
    by_conditions = conditions.correction_from if period is Period.CORRECTION else conditions.appeal_from
    if (since or by_conditions) is ClockStart.SESSION_END:
        return play_ended_us(facts, session), None
    started: tuple[int | None, ScorePublished | None] = (None, None)
    for one, said in publications(facts, session):
        if started[0] is None or said.restarts_clocks:
            started = (one.time_us, said)
    return started


def over(
    facts: Facts, session: SessionId, period: Period, time_us: int, since: ClockStart | None = None
) -> bool:
    """Tell whether a clock has run out before a moment; with no clock running it has not."""
    started, by = start(facts, session, period, since)
    return started is not None and time_us > started + minutes(facts, session, period, by) * MINUTE_US


def final(facts: Facts, session: SessionId) -> bool:
    """Tell whether a session is finalised and not reopened."""
    state = False
    for one in facts.standing(SessionFinalised, SessionReopened):
        said = one.record
        if isinstance(said, SessionFinalised | SessionReopened) and said.session == session:
            state = isinstance(said, SessionFinalised)
    return state


def round_over(facts: Facts, session: SessionId, slot: Slot | None, time_us: int) -> bool:
    """Tell whether the round of a slot, or the play, ended before a moment."""
    ended = play_ended_us(facts, session)
    times = [] if ended is None else [ended]
    for one in facts.standing(RoundEnded):
        said = one.record
        if isinstance(said, RoundEnded) and slot is not None and said.section in {None, slot.section}:
            times += [one.time_us] if (said.session, said.round) == (session, slot.round) else []
    return any(time_us > time for time in times)


def untimely(
    facts: Facts,
    one: Placed,
    subject: Subject,
    session: SessionId,
    slot: Slot | None,
    *,
    raises: bool = False,
) -> Reason | None:
    """Why a change comes too late; none: it is in time, or has leave. `raises`: somebody's score goes up."""
    late = (
        Reason.SESSION_FINAL if final(facts, session) else _late(facts, one, subject, session, slot, raises)
    )
    if late is None or _lodged(facts, one.record):
        return None
    override = getattr(one.record, "override", None)
    if override is None:
        return late
    return None if _covers(facts, override, session, slot) else Reason.OVERRIDE_DOES_NOT_COVER


def _late(
    facts: Facts, one: Placed, subject: Subject, session: SessionId, slot: Slot | None, raises: bool  # noqa: FBT001
) -> Reason | None:  # fmt: skip
    correction_over = over(facts, session, Period.CORRECTION, one.time_us)
    appeal_over = over(facts, session, Period.APPEAL, one.time_us)
    late_tricks = facts.conditions().tricks_late
    if subject is Subject.TRICKS and late_tricks is not LateTricks.LAW_2017:
        if not round_over(facts, session, slot, one.time_us):
            return None
        if late_tricks is LateTricks.LAW_1963:
            return Reason.ROUND_OVER
        return Reason.PERIOD_OVER if raises else None
    if subject is Subject.RULING:
        return Reason.PERIOD_OVER if correction_over and appeal_over else None
    if subject is Subject.APPEAL:
        return Reason.PERIOD_OVER if appeal_over else None
    return Reason.PERIOD_OVER if correction_over else None


def _lodged(facts: Facts, record: Record) -> bool:
    """Tell whether `request` names what was lodged in time."""
    request = getattr(record, "request", None)
    if request is None or not isinstance(facts.known[request], CorrectionRequested | ResultDisputed | Appeal):
        return False
    ruled = facts.verdict(request)
    return ruled is not None and ruled[0] is Verdict.ACCEPTED


def _covers(facts: Facts, override: Identity, session: SessionId, slot: Slot | None) -> bool:
    granted, ruled = facts.known[override], facts.verdict(override)
    if not isinstance(granted, OverrideGranted) or ruled is None or ruled[0] is not Verdict.ACCEPTED:
        return False
    return granted.session == session and (not granted.slots or slot in granted.slots)
