"""What comes too late, and which law says so (docs/semantics.md section 5)."""

from pipeline.rules.periods import Matter, article
from pipeline.scoring.facts import Facts
from pipeline.scoring.publication import SessionFacts
from pipeline.scoring.record_set import Place
from schemas import corrections, results
from schemas.control import Period
from schemas.decisions import Reason, Refused
from schemas.policies import LateTricks
from schemas.record import Slot
from schemas.results import Subject
from schemas.terms import Identity


def require_time(
    facts: Facts,
    record: corrections.Ruling | results.BoardResult,
    session: str,
    slot: Slot | None,
    place: Place,
    time_us: int,
) -> None:
    """Raise Refused when this comes too late (docs/semantics.md section 5)."""
    if isinstance(record, corrections.Ruling):
        if record.override is not None:
            _require_cover(facts, record.override, session, slot)
            return
        if record.request is not None:
            if record.request in facts.lodged:
                return
            raise Refused(
                Reason.REFERENCE_OF_OTHER_KIND,
                field="request",
                value=record.request,
                rule="a request, dispute or appeal lodged in time",
            )
    if facts.session(session).is_final(place):
        raise Refused(Reason.SESSION_FINAL, field="session", value=session, rule="the result is final")
    subject = record.subject if isinstance(record, corrections.Ruling) else Subject.ENTRY
    require_clock(facts, subject, session, slot, place, time_us)


def require_clock(
    facts: Facts, subject: Subject, session: str, slot: Slot | None, place: Place, time_us: int
) -> None:
    """Raise Refused when the clock of a subject has run out."""
    known = facts.session(session)
    edition = facts.conditions_at(place).tricks_late
    correction_over = known.is_over(Period.CORRECTION, place, time_us)
    appeal_over = known.is_over(Period.APPEAL, place, time_us)
    late = {
        Subject.ENTRY: correction_over,
        Subject.SCORER: correction_over,
        Subject.TRICKS: correction_over and edition is not LateTricks.LAW_1963,
        Subject.RULING: correction_over and appeal_over,
        Subject.APPEAL: appeal_over,
    }[subject]
    if late:
        raise Refused(
            Reason.PERIOD_OVER,
            field="time",
            value=time_us,
            rule=f"at most {_limit(known, subject, place)}",
            article=article_for(subject, edition),
        )
    settled = subject is Subject.TRICKS and edition is LateTricks.LAW_1963
    if settled and slot is not None and known.round_over(slot.section, slot.round, place):
        raise Refused(
            Reason.ROUND_OVER,
            field="round",
            value=slot.round,
            rule="the number of tricks is settled before the round ends",
            article=article_for(subject, edition),
        )


def _limit(known: SessionFacts, subject: Subject, place: Place) -> int:
    periods = {Subject.APPEAL: (Period.APPEAL,), Subject.RULING: tuple(Period)}.get(
        subject, (Period.CORRECTION,)
    )
    clocks = [clock for period in periods if (clock := known.clocks[period].at(place)) is not None]
    return max(clock.until_us for clock in clocks)


def _require_cover(facts: Facts, override: Identity, session: str, slot: Slot | None) -> None:
    granted = facts.overrides.get(override)
    if granted is None:
        raise Refused(
            Reason.REFERENCE_OF_OTHER_KIND,
            field="override",
            value=override,
            rule="an override that was granted",
        )
    if granted.session != session or (granted.slots and slot not in granted.slots):
        raise Refused(
            Reason.OVERRIDE_DOES_NOT_COVER,
            field="override",
            value=override,
            rule=f"covers {granted.session} {', '.join(map(str, granted.slots)) or '(all of it)'}",
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
