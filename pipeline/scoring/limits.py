"""What comes too late, and which law says so (docs/semantics.md section 5)."""

from typing import assert_never

from pipeline.rules.periods import Matter, article
from pipeline.scoring.facts import Facts
from pipeline.scoring.publication import SessionFacts
from pipeline.scoring.record_set import Place
from schemas import corrections, results
from schemas.control import Period
from schemas.decisions import Reason, Refused
from schemas.policies import LateTricks
from schemas.record import Record, Slot
from schemas.results import Subject
from schemas.terms import Identity


def require_time(
    facts: Facts,
    record: Record,
    session: str,
    slot: Slot | None,
    place: Place,
    time_us: int,
    *,
    raises: bool = False,
) -> None:
    """Raise Refused when this comes too late and has no leave; `raises`: somebody's score would go up."""
    subject = (
        record.subject
        if isinstance(record, corrections.Ruling | results.CorrectionRequested)
        else Subject.ENTRY
    )
    try:
        _require_clock(facts, subject, session, slot, place, time_us, raises=raises)
    except Refused:
        if not isinstance(record, corrections.Ruling):
            raise
        if record.request is not None and record.request in facts.lodged:
            return
        if record.override is None:
            raise
        _require_cover(facts, record.override, session, slot)


def _require_clock(
    facts: Facts,
    subject: Subject,
    session: str,
    slot: Slot | None,
    place: Place,
    time_us: int,
    *,
    raises: bool,
) -> None:
    known = facts.session(session)
    if known.is_final(place):
        raise Refused(Reason.SESSION_FINAL, field="session", value=session, rule="the result is final")
    edition = facts.conditions_at(place).tricks_late
    if subject is Subject.TRICKS and edition is not LateTricks.LAW_2017:
        _require_round(known, edition, slot, place, time_us, raises=raises)
        return
    periods = {Subject.RULING: tuple(Period), Subject.APPEAL: (Period.APPEAL,)}.get(
        subject, (Period.CORRECTION,)
    )
    if all(known.is_over(period, place, time_us) for period in periods):
        clocks = [clock for period in periods if (clock := known.clocks[period].at(place)) is not None]
        raise Refused(
            Reason.PERIOD_OVER,
            field="time",
            value=time_us,
            rule=f"at most {max(clock.until_us for clock in clocks)}",
            article=article_for(subject, edition),
        )


def _require_round(
    known: SessionFacts, edition: LateTricks, slot: Slot | None, place: Place, time_us: int, *, raises: bool
) -> None:
    """1963, article 92: nothing after the round; 1997, section 79B: nothing that raises a score."""
    if not known.round_over(slot, place, time_us):
        return
    if edition is LateTricks.LAW_1963:
        raise Refused(
            Reason.ROUND_OVER,
            field="round",
            value="" if slot is None else slot.round,
            rule="the number of tricks is settled before the round ends",
            article=article_for(Subject.TRICKS, edition),
        )
    if raises:
        raise Refused(
            Reason.PERIOD_OVER,
            field="result",
            value=slot or "",
            rule="after the round a trick claim raises nobody's score",
            article=article_for(Subject.TRICKS, edition),
        )


def _require_cover(facts: Facts, override: Identity, session: str, slot: Slot | None) -> None:
    granted = facts.overrides.get(override)
    if granted is None or granted.session != session or (granted.slots and slot not in granted.slots):
        raise Refused(
            Reason.OVERRIDE_DOES_NOT_COVER,
            field="override",
            value=override,
            rule="one that was granted for this session and slot",
            article="Law 79C2",
        )


def article_for(subject: Subject, edition: LateTricks) -> str:
    """The law behind a subject's period, by edition (docs/semantics.md section 5)."""
    old = edition is LateTricks.LAW_1963
    match subject:
        case Subject.ENTRY | Subject.SCORER:
            return article(Matter.SCORE_ENTRY, edition)
        case Subject.TRICKS:
            return article(Matter.TRICKS, edition)
        case Subject.RULING:
            return article(Matter.SCORE_ENTRY, edition) if old else "Law 81C6"
        case Subject.APPEAL:
            return article(Matter.DIRECTOR_ACT, edition)
        case _:
            assert_never(subject)
