"""May a control record, or a ruling that names no slot, count? (docs/semantics.md sections 2, 3 and 5)."""

from collections.abc import Callable
from typing import Final

from pipeline.rules.periods import Matter, Officer, article, deadline, may_change_period
from pipeline.scoring.facts import Entrant, Facts
from pipeline.scoring.limits import article_for, require_time
from pipeline.scoring.record_set import Place
from pipeline.scoring.seating import seating_of
from pipeline.scoring.verdict import require_authority
from schemas import control, corrections, results
from schemas.conditions import UnknownSetting, resolve
from schemas.control import Period
from schemas.decisions import Reason, Refused
from schemas.record import Record, Role, Slot
from schemas.results import Subject
from schemas.terms import ContestantId

_ORGANISERS: Final = frozenset({Role.ORGANISER, Role.IMPORTER})


def check(facts: Facts, place: Place, time_us: int, record: Record) -> None:
    """Raise Refused unless a record may count by what stands before its place."""
    require_authority(record)
    session = getattr(record, "session", None)
    if session is not None:
        facts.require_session(session, place)
    for slot in _slots_spoken_of(record):
        facts.require_session(slot.session, place)
    particular = _CHECKS.get(type(record))
    if particular is not None:
        particular(facts, place, time_us, record)


def _slots_spoken_of(record: Record) -> tuple[Slot, ...]:
    if isinstance(record, corrections.BoardForms):
        return tuple(slot for form in record.forms for slot in form.slots)
    if isinstance(record, corrections.Appeal | corrections.OverrideGranted):
        return record.slots
    return ()


def _conditions(facts: Facts, place: Place, _us: int, record: control.ConditionsPublished) -> None:
    try:
        resolve(record.preset, record.settings)
    except UnknownSetting as error:
        raise Refused(
            Reason.UNKNOWN_SETTING, field=error.field, value=error.value, rule=error.rule
        ) from error
    if facts.first_opened < place and record.role not in _ORGANISERS:
        raise Refused(
            Reason.CONDITIONS_AFTER_START,
            field="role",
            value=record.role,
            rule="after the start only the organiser changes conditions",
            article="Law 78D",
        )


def _entered(facts: Facts, _place: Place, _us: int, record: control.ContestantEntered) -> None:
    _require_free(facts, record.contestant, Entrant.of(record))


def _changed(facts: Facts, _place: Place, _us: int, record: control.ContestantChanged) -> None:
    _require_free(facts, record.contestant, _known(facts, record.contestant).changed(record))


def _require_free(facts: Facts, contestant: ContestantId, wanted: Entrant) -> None:
    if wanted.number is None:
        return
    others = facts.holders(wanted.key) - {contestant}
    if others:
        raise Refused(
            Reason.CONTESTANT_TAKEN,
            field="number",
            value=f"{wanted.section} {wanted.number} {wanted.direction or ''}".strip(),
            rule=f"that is {min(others)}",
        )


def _known(facts: Facts, contestant: ContestantId) -> Entrant:
    entrant = facts.entrants.get(contestant)
    if entrant is None:
        raise Refused(Reason.UNKNOWN_CONTESTANT, field="contestant", value=contestant, rule="entered before")
    return entrant


def _withdrew(facts: Facts, _place: Place, _us: int, record: control.ContestantWithdrawn) -> None:
    _known(facts, record.contestant)


def _movement(
    _facts: Facts, _place: Place, _us: int, record: control.MovementSet | control.MovementChanged
) -> None:
    seating_of(record.movement)


def _match(_facts: Facts, _place: Place, _us: int, record: control.MatchSet) -> None:
    homes = [table.home for table in record.tables]
    if len(homes) == 2 and homes[0] is homes[1]:
        raise Refused(
            Reason.MOVEMENT_UNUSABLE,
            field="tables",
            value=", ".join(f"{table.section}{table.table} {table.home}" for table in record.tables),
            rule="the home team North-South at one table and East-West at the other",
        )
    if record.home == record.visit:
        raise Refused(
            Reason.MOVEMENT_UNUSABLE, field="visit", value=record.visit, rule="a team does not meet itself"
        )


def _period(facts: Facts, place: Place, _us: int, record: control.PeriodChanged) -> None:
    conditions = facts.conditions_at(place)
    known = facts.session(record.session)
    clock = known.clocks[record.period].last()
    before = known.minutes(record.period, conditions) if clock is None else clock.minutes
    shorter = record.minutes < before
    allowed = may_change_period(
        before,
        record.minutes,
        Officer.ORGANISER if record.role in _ORGANISERS else Officer.DIRECTOR,
        conditions.correction_lengthen_by,
        may_shorten=conditions.correction_may_shorten,
    )
    if allowed or (record.period is Period.APPEAL and not shorter):
        return
    raise Refused(
        Reason.PERIOD_MAY_NOT_SHORTEN if shorter else Reason.NOT_AUTHORISED,
        field="minutes" if shorter else "role",
        value=record.minutes if shorter else record.role,
        rule=f"at least {before}" if shorter else "the organiser lengthens the correction period",
        article=article_for(Subject.ENTRY, conditions.tricks_late),
    )


def _finalised(facts: Facts, place: Place, time_us: int, record: control.SessionFinalised) -> None:
    known = facts.session(record.session)
    if not known.publications:
        raise Refused(
            Reason.NO_PUBLICATION, field="session", value=record.session, rule="published before it is final"
        )
    for period in Period:
        if not known.is_over(period, place, time_us):
            raise Refused(
                Reason.PERIOD_STILL_OPEN,
                field="time",
                value=time_us,
                rule=f"after {known.until(period) or 'the period has run'}",
                article="Law 79C" if period is Period.CORRECTION else "Law 92B",
            )


def _in_session(
    facts: Facts,
    place: Place,
    time_us: int,
    record: corrections.Penalty | corrections.BoardForms | corrections.BoardsCancelled,
) -> None:
    require_time(facts, record, record.session, None, place, time_us)


def _requested(
    facts: Facts, place: Place, time_us: int, record: results.CorrectionRequested | results.ResultDisputed
) -> None:
    session = record.slot.session
    facts.require_session(session, place)
    # What is asked for is taken to raise somebody's score; a dispute asks for nothing yet.
    raises = isinstance(record, results.CorrectionRequested)
    require_time(facts, record, session, record.slot, place, time_us, raises=raises)


def _appealed(facts: Facts, place: Place, time_us: int, record: corrections.Appeal) -> None:
    conditions = facts.conditions_at(place)
    edition = conditions.tricks_late
    if record.subject in {Subject.ENTRY, Subject.SCORER}:
        raise Refused(
            Reason.NOT_A_PROTEST,
            field="subject",
            value=record.subject,
            rule="a wrong entry is corrected, not appealed",
            article=article(Matter.SCORE_ENTRY, edition),
        )
    known = facts.session(record.session)
    protest = record.appeal_kind is corrections.AppealKind.PROTEST_1963
    over = known.is_over(Period.APPEAL, place, time_us)
    if protest:
        minutes = known.minutes(Period.APPEAL, conditions)
        over = known.ended_us is not None and time_us > deadline(known.ended_us, minutes)
    if over:
        raise Refused(
            Reason.PROTEST_PERIOD_OVER,
            field="time",
            value=time_us,
            rule="lodged within the appeal period",
            article="1963 article 93" if protest else article(Matter.DIRECTOR_ACT, edition),
        )


def _match_result(facts: Facts, _place: Place, _us: int, record: results.MatchResult) -> None:
    match = facts.matches.get(record.match)
    if match is None:
        raise Refused(Reason.MATCH_UNKNOWN, field="match", value=record.match, rule="a match that was set")
    if record.by not in {match.home, match.visit}:
        raise Refused(
            Reason.UNKNOWN_CONTESTANT, field="by", value=record.by, rule=f"{match.home} or {match.visit}"
        )


_Check = Callable[..., None]
_CHECKS: Final[dict[type[Record], _Check]] = {
    control.ConditionsPublished: _conditions,
    control.ContestantEntered: _entered,
    control.ContestantChanged: _changed,
    control.ContestantWithdrawn: _withdrew,
    control.MovementSet: _movement,
    control.MovementChanged: _movement,
    control.MatchSet: _match,
    control.PeriodChanged: _period,
    control.SessionFinalised: _finalised,
    corrections.Penalty: _in_session,
    corrections.BoardForms: _in_session,
    corrections.BoardsCancelled: _in_session,
    corrections.Appeal: _appealed,
    results.CorrectionRequested: _requested,
    results.ResultDisputed: _requested,
    results.MatchResult: _match_result,
}
