"""Which control records and rulings count, and what each makes known: a function per kind."""

from collections.abc import Callable
from typing import Final

from pipeline.rules.periods import Matter, Officer, article, may_change_period
from pipeline.scoring.facts import Entrant, Facts, Forms
from pipeline.scoring.limits import article_for, require_clock, require_time
from pipeline.scoring.publication import Publication, SessionFacts
from pipeline.scoring.record_set import END, Place
from pipeline.scoring.seating import SectionSeating, seating_of
from pipeline.scoring.timeline import Timeline
from pipeline.scoring.verdict import ACCEPTED, Judgement, judged, require_authority
from schemas import control, corrections, results
from schemas.conditions import UnknownSetting, resolve
from schemas.control import Period, Scope
from schemas.decisions import Reason, Refused
from schemas.record import Record, Role
from schemas.results import Subject
from schemas.terms import ContestantId, Direction, Identity

_ORGANISERS: Final = frozenset({Role.ORGANISER, Role.IMPORTER})
_SEATING: Final = (
    control.ContestantEntered,
    control.ContestantChanged,
    control.MovementSet,
    control.MovementChanged,
    control.SeatingChanged,
    control.MatchSet,
)
_WIDE: Final = frozenset({Scope.SESSION, Scope.STAGE, Scope.EVENT})


def take(facts: Facts, place: Place, time_us: int, identity: Identity, record: Record) -> Judgement:
    """Take in the next record that changes no slot; answer whether it counts."""
    try:
        require_authority(record)
        session = getattr(record, "session", None)
        if session is not None:
            facts.require_session(session, place)
        handler = _HANDLERS.get(type(record))
        if handler is not None:
            handler(facts, place, time_us, identity, record)
    except Refused as refused:
        return judged(refused)
    if isinstance(record, _SEATING):
        facts.seated_since = place
    return ACCEPTED


def _conditions(
    facts: Facts, place: Place, _us: int, _id: Identity, record: control.ConditionsPublished
) -> None:
    try:
        conditions = resolve(record.preset, record.settings)
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
    facts.conditions.set(place, conditions)
    for known in facts.sessions.values():
        known.refresh(place, conditions)


def _described(facts: Facts, place: Place, _us: int, _id: Identity, record: control.EventDescribed) -> None:
    facts.described.set(place, record)
    facts.listed.set(place, tuple(plan.id for plan in record.sessions))


def _entered(facts: Facts, place: Place, _us: int, _id: Identity, record: control.ContestantEntered) -> None:
    entrant = Entrant(record, record.section, record.number, record.direction, record.players)
    _enter(facts, place, record.contestant, entrant)
    if record.contestant not in facts.entered_at:
        facts.entered_at[record.contestant] = place
    facts.first_entry = min(facts.first_entry, place)


def _enter(facts: Facts, place: Place, contestant: ContestantId, entrant: Entrant) -> None:
    before = facts.entrants.get(contestant)
    if entrant.number is not None:
        key = (entrant.section, entrant.number, entrant.direction)
        timeline = facts.numbers.setdefault(key, Timeline())
        holder = timeline.last()
        if holder not in {None, contestant}:
            raise Refused(
                Reason.CONTESTANT_TAKEN,
                field="number",
                value=f"{entrant.section} {entrant.number} {entrant.direction or ''}".strip(),
                rule=f"that is {holder}",
            )
    if before is not None and before.number is not None:
        facts.numbers[before.section, before.number, before.direction].set(place, None)
    if entrant.number is not None:
        facts.numbers[entrant.section, entrant.number, entrant.direction].set(place, contestant)
    facts.entrants[contestant] = entrant


def _known(facts: Facts, contestant: ContestantId, field_name: str = "contestant") -> Entrant:
    entrant = facts.entrants.get(contestant)
    if entrant is None:
        raise Refused(Reason.UNKNOWN_CONTESTANT, field=field_name, value=contestant, rule="entered before")
    return entrant


def _changed(facts: Facts, place: Place, _us: int, _id: Identity, record: control.ContestantChanged) -> None:
    before = _known(facts, record.contestant)
    _enter(
        facts,
        place,
        record.contestant,
        Entrant(
            before.record,
            before.section if record.section is None else record.section,
            before.number if record.number is None else record.number,
            before.direction if record.direction is None else record.direction,
            before.players if record.players is None else record.players,
        ),
    )


def _withdrew(
    facts: Facts, _place: Place, _us: int, _id: Identity, record: control.ContestantWithdrawn
) -> None:
    _known(facts, record.contestant)
    facts.withdrawn_from.setdefault(record.contestant, {})[record.session] = record.from_round


def _movement(facts: Facts, place: Place, _us: int, _id: Identity, record: control.MovementSet) -> None:
    seating = seating_of(record.movement)
    facts.movements.setdefault((record.session, record.section), Timeline()).set(place, seating)


def _movement_changed(
    facts: Facts, place: Place, _us: int, _id: Identity, record: control.MovementChanged
) -> None:
    timeline = facts.movements.setdefault((record.session, record.section), Timeline())
    before = timeline.last() or SectionSeating({})
    timeline.set(place, before.changed_from(record.from_round, seating_of(record.movement)))


def _reseated(facts: Facts, place: Place, _us: int, _id: Identity, record: control.SeatingChanged) -> None:
    key = (record.session, record.section, record.round, record.table)
    facts.reseated.setdefault(key, Timeline()).set(place, record)


def _match(facts: Facts, place: Place, _us: int, _id: Identity, record: control.MatchSet) -> None:
    if {table.home for table in record.tables} != set(Direction) or len(record.tables) != 2:
        raise Refused(
            Reason.MOVEMENT_UNUSABLE,
            field="tables",
            value=", ".join(f"{table.section}{table.table} {table.home}" for table in record.tables),
            rule="two tables, the home team North-South at one and East-West at the other",
        )
    if record.home == record.visit:
        raise Refused(
            Reason.MOVEMENT_UNUSABLE, field="visit", value=record.visit, rule="a team does not meet itself"
        )
    facts.matches[record.match] = record
    for table in record.tables:
        key = (record.session, table.section, record.round, table.table)
        facts.match_at.setdefault(key, Timeline()).set(place, (record, table.home))


def _opened(facts: Facts, place: Place, _us: int, _id: Identity, record: control.SessionOpened) -> None:
    known = facts.session(record.session)
    known.opened = min(known.opened, place)
    facts.first_opened = min(facts.first_opened, place)


def _round_ended(facts: Facts, place: Place, _us: int, _id: Identity, record: control.RoundEnded) -> None:
    facts.session(record.session).rounds_ended.setdefault((record.section, record.round), place)


def _round_cancelled(
    facts: Facts, _place: Place, _us: int, _id: Identity, record: control.RoundCancelled
) -> None:
    facts.rounds_cancelled.add((record.session, record.section, record.round))


def _ended(facts: Facts, place: Place, time_us: int, _id: Identity, record: control.PlayEnded) -> None:
    known = facts.session(record.session)
    if known.ended is END:
        known.ended, known.ended_us = place, time_us
    known.refresh(place, facts.conditions_at(place))


def _published(
    facts: Facts, place: Place, time_us: int, identity: Identity, record: control.ScorePublished
) -> None:
    if record.scope not in _WIDE:
        return
    publication = Publication(identity, time_us, record)
    described = facts.described.last()
    if record.session is None and (described is None or not described.sessions):
        facts.for_all.append((place, publication))
    for known in _covered(facts, record):
        known.publications.append(publication)
        known.refresh(place, facts.conditions_at(place))


def _covered(facts: Facts, record: control.ScorePublished) -> list[SessionFacts]:
    if record.session is not None:
        return [facts.session(record.session)]
    described = facts.described.last()
    listed = () if described is None else described.sessions
    names = [plan.id for plan in listed if record.scope is not Scope.STAGE or plan.stage == record.subject]
    return [facts.session(name) for name in names] if listed else list(facts.sessions.values())


def _period(facts: Facts, place: Place, _us: int, _id: Identity, record: control.PeriodChanged) -> None:
    conditions = facts.conditions_at(place)
    known = facts.session(record.session)
    clock = known.clocks[record.period].last()
    usual = conditions.correction_minutes if record.period is Period.CORRECTION else conditions.appeal_minutes
    before = known.changed.get(record.period, usual) if clock is None else clock.minutes
    shorter = record.minutes < before
    if record.role in _ORGANISERS:
        officer = Officer.ORGANISER
    elif record.role in {Role.DIRECTOR, Role.CHIEF_DIRECTOR}:
        officer = Officer.DIRECTOR
    else:
        raise Refused(
            Reason.NOT_AUTHORISED, field="role", value=record.role, rule="a director or the organiser"
        )
    allowed = may_change_period(
        before,
        record.minutes,
        officer,
        conditions.correction_lengthen_by,
        may_shorten=conditions.correction_may_shorten,
    )
    if not allowed and not (record.period is Period.APPEAL and not shorter):
        raise Refused(
            Reason.PERIOD_MAY_NOT_SHORTEN if shorter else Reason.NOT_AUTHORISED,
            field="minutes" if shorter else "role",
            value=record.minutes if shorter else record.role,
            rule=f"at least {before}" if shorter else "the organiser lengthens the correction period",
            article=article_for(Subject.ENTRY, conditions.tricks_late),
        )
    known.changed[record.period] = record.minutes
    known.refresh(place, conditions)


def _unpublished(
    facts: Facts, place: Place, _us: int, _id: Identity, record: control.PublicationWithdrawn
) -> None:
    found = any(publication.identity == record.publication for _, publication in facts.for_all)
    facts.for_all = [entry for entry in facts.for_all if entry[1].identity != record.publication]
    for known in facts.sessions.values():
        kept = [
            publication for publication in known.publications if publication.identity != record.publication
        ]
        if len(kept) < len(known.publications):
            found = True
            known.publications = kept
            known.refresh(place, facts.conditions_at(place))
    if not found:
        raise Refused(
            Reason.REFERENCE_OF_OTHER_KIND,
            field="publication",
            value=record.publication,
            rule="a publication that stands",
        )


def _finalised(
    facts: Facts, place: Place, time_us: int, _id: Identity, record: control.SessionFinalised
) -> None:
    known = facts.session(record.session)
    if not known.published.last():
        raise Refused(
            Reason.NO_PUBLICATION, field="session", value=record.session, rule="published before it is final"
        )
    for period in Period:
        if known.clocks[period].last() is not None and not known.is_over(period, place, time_us):
            raise Refused(
                Reason.PERIOD_STILL_OPEN,
                field="time",
                value=time_us,
                rule=f"after {known.until(period)}",
                article="Law 79C" if period is Period.CORRECTION else "Law 92B",
            )
    known.final.set(place, True)


def _reopened(facts: Facts, place: Place, _us: int, _id: Identity, record: control.SessionReopened) -> None:
    facts.session(record.session).final.set(place, False)


def _carried(facts: Facts, _place: Place, _us: int, _id: Identity, record: control.CarryOverSet) -> None:
    facts.carry_over[record.contestant, record.stage] = record


def _rescored(
    facts: Facts, _place: Place, _us: int, _id: Identity, record: control.RescoringAccepted
) -> None:
    facts.rescoring.append(record)


def _penalised(
    facts: Facts, place: Place, time_us: int, identity: Identity, record: corrections.Penalty
) -> None:
    require_time(facts, record, record.session, None, place, time_us)
    facts.penalties[identity] = record


def _forms(facts: Facts, place: Place, time_us: int, _id: Identity, record: corrections.BoardForms) -> None:
    require_time(facts, record, record.session, None, place, time_us)
    form_of = {slot: form.name for form in record.forms for slot in form.slots}
    marked = {form.name: form.vulnerability for form in record.forms if form.vulnerability is not None}
    facts.forms.setdefault((record.session, record.board), Timeline()).set(place, Forms(form_of, marked))


def _cancelled(
    facts: Facts, place: Place, time_us: int, _id: Identity, record: corrections.BoardsCancelled
) -> None:
    require_time(facts, record, record.session, None, place, time_us)
    facts.boards_cancelled |= {(record.session, record.section, board) for board in record.boards}


def _requested(
    facts: Facts,
    place: Place,
    time_us: int,
    identity: Identity,
    record: results.CorrectionRequested | results.ResultDisputed,
) -> None:
    subject = record.subject if isinstance(record, results.CorrectionRequested) else Subject.ENTRY
    facts.require_session(record.slot.session, place)
    known = facts.session(record.slot.session)
    if known.is_final(place):
        raise Refused(
            Reason.SESSION_FINAL, field="session", value=record.slot.session, rule="the result is final"
        )
    require_clock(facts, subject, record.slot.session, record.slot, place, time_us)
    facts.lodged[identity] = record


def _appealed(
    facts: Facts, place: Place, time_us: int, identity: Identity, record: corrections.Appeal
) -> None:
    conditions = facts.conditions_at(place)
    edition = conditions.tricks_late
    protest = record.appeal_kind is corrections.AppealKind.PROTEST_1963
    if record.appeal_kind is not corrections.AppealKind.RULING_REQUEST and record.subject in {
        Subject.ENTRY,
        Subject.SCORER,
    }:
        raise Refused(
            Reason.NOT_A_PROTEST,
            field="subject",
            value=record.subject,
            rule="a wrong entry is corrected, not appealed",
            article=article(Matter.SCORE_ENTRY, edition),
        )
    known = facts.session(record.session)
    over = known.is_over(Period.APPEAL, place, time_us)
    if protest and known.ended < place and known.ended_us is not None:
        over = time_us > known.ended_us + conditions.appeal_minutes * 60_000_000
    if over:
        raise Refused(
            Reason.PROTEST_PERIOD_OVER,
            field="time",
            value=time_us,
            rule="lodged within the appeal period",
            article="1963 article 93" if protest else article(Matter.DIRECTOR_ACT, edition),
        )
    facts.lodged[identity] = record


def _decided(
    facts: Facts,
    _place: Place,
    _us: int,
    _id: Identity,
    record: corrections.CorrectionDecided | corrections.AppealDecided,
) -> None:
    named = record.decided if isinstance(record, corrections.CorrectionDecided) else record.appeal
    if named not in facts.lodged:
        raise Refused(
            Reason.REFERENCE_OF_OTHER_KIND, field="decided", value=named, rule="something lodged in time"
        )
    facts.decided.add(named)


def _overridden(
    facts: Facts, _place: Place, _us: int, identity: Identity, record: corrections.OverrideGranted
) -> None:
    facts.overrides[identity] = record


def _match_result(facts: Facts, _place: Place, _us: int, _id: Identity, record: results.MatchResult) -> None:
    match = facts.matches.get(record.match)
    if match is None:
        raise Refused(Reason.MATCH_UNKNOWN, field="match", value=record.match, rule="a match that was set")
    if record.by not in {match.home, match.visit}:
        raise Refused(
            Reason.UNKNOWN_CONTESTANT, field="by", value=record.by, rule=f"{match.home} or {match.visit}"
        )
    facts.match_results.setdefault(record.match, {})[record.by] = record


def _called(facts: Facts, _place: Place, _us: int, _id: Identity, record: results.DirectorCalled) -> None:
    facts.calls.add((record.session, record.section, record.round, record.table))


_Handler = Callable[..., None]
_HANDLERS: Final[dict[type[Record], _Handler]] = {
    control.EventDescribed: _described,
    control.ConditionsPublished: _conditions,
    control.ContestantEntered: _entered,
    control.ContestantChanged: _changed,
    control.ContestantWithdrawn: _withdrew,
    control.MovementSet: _movement,
    control.MovementChanged: _movement_changed,
    control.SeatingChanged: _reseated,
    control.MatchSet: _match,
    control.SessionOpened: _opened,
    control.RoundEnded: _round_ended,
    control.RoundCancelled: _round_cancelled,
    control.PlayEnded: _ended,
    control.ScorePublished: _published,
    control.PeriodChanged: _period,
    control.PublicationWithdrawn: _unpublished,
    control.SessionFinalised: _finalised,
    control.SessionReopened: _reopened,
    control.CarryOverSet: _carried,
    control.RescoringAccepted: _rescored,
    corrections.Penalty: _penalised,
    corrections.BoardForms: _forms,
    corrections.BoardsCancelled: _cancelled,
    corrections.Appeal: _appealed,
    corrections.CorrectionDecided: _decided,
    corrections.AppealDecided: _decided,
    corrections.OverrideGranted: _overridden,
    results.CorrectionRequested: _requested,
    results.ResultDisputed: _requested,
    results.MatchResult: _match_result,
    results.DirectorCalled: _called,
}
