"""What an accepted control record, or a ruling that names no slot, makes known: a function per kind."""

from collections.abc import Callable
from typing import Final

from pipeline.scoring.facts import Entrant, Facts, Forms
from pipeline.scoring.publication import Publication
from pipeline.scoring.record_set import END, Place
from pipeline.scoring.seating import SectionSeating, seating_of
from pipeline.scoring.timeline import Timeline
from schemas import control, corrections, results
from schemas.conditions import resolve
from schemas.control import Scope
from schemas.record import Record, Slot
from schemas.terms import ContestantId, Identity

_SEATING: Final = (
    control.ContestantEntered,
    control.ContestantChanged,
    control.MovementSet,
    control.MovementChanged,
    control.SeatingChanged,
    control.MatchSet,
)


def note(facts: Facts, place: Place, time_us: int, identity: Identity, record: Record) -> None:
    """Take in the next accepted record; what it says is not judged again."""
    particular = _NOTES.get(type(record))
    if particular is not None:
        particular(facts, place, time_us, identity, record)
    if isinstance(record, _SEATING):
        facts.seated_since = place


def _conditions(
    facts: Facts, place: Place, _us: int, _id: Identity, record: control.ConditionsPublished
) -> None:
    conditions = resolve(record.preset, record.settings)
    facts.conditions.set(place, conditions)
    for known in facts.sessions.values():
        known.refresh(place, conditions)


def _described(facts: Facts, place: Place, _us: int, _id: Identity, record: control.EventDescribed) -> None:
    facts.described.set(place, record)
    facts.listed.set(place, tuple(plan.id for plan in record.sessions))


def _entered(facts: Facts, place: Place, _us: int, _id: Identity, record: control.ContestantEntered) -> None:
    _enter(facts, place, record.contestant, Entrant.of(record))
    facts.entered_at.setdefault(record.contestant, place)
    facts.first_entry = min(facts.first_entry, place)


def _changed(facts: Facts, place: Place, _us: int, _id: Identity, record: control.ContestantChanged) -> None:
    before = facts.entrants.get(record.contestant)
    if before is not None:
        _enter(facts, place, record.contestant, before.changed(record))


def _enter(facts: Facts, place: Place, contestant: ContestantId, entrant: Entrant) -> None:
    before = facts.entrants.get(contestant)
    if before is not None and before.number is not None:
        facts.numbers[before.key].set(place, facts.holders(before.key) - {contestant})
    if entrant.number is not None:
        holders = facts.holders(entrant.key) | {contestant}
        facts.numbers.setdefault(entrant.key, Timeline()).set(place, holders)
    facts.entrants[contestant] = entrant


def _withdrew(
    facts: Facts, _place: Place, _us: int, _id: Identity, record: control.ContestantWithdrawn
) -> None:
    rounds = facts.withdrawn_from.setdefault(record.contestant, {})
    rounds[record.session] = min(record.from_round, rounds.get(record.session, record.from_round))


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
    before = facts.matches.get(record.match)
    if before is not None:
        for table in before.tables:
            facts.match_at[before.session, table.section, before.round, table.table].set(place, None)
    facts.matches[record.match] = record
    for table in record.tables:
        key = (record.session, table.section, record.round, table.table)
        facts.match_at.setdefault(key, Timeline()).set(place, (record, table.home))


def _opened(facts: Facts, place: Place, _us: int, _id: Identity, record: control.SessionOpened) -> None:
    known = facts.session(record.session)
    known.opened = min(known.opened, place)
    facts.first_opened = min(facts.first_opened, place)


def _round_ended(facts: Facts, place: Place, time_us: int, _id: Identity, record: control.RoundEnded) -> None:
    facts.session(record.session).rounds_ended.setdefault((record.section, record.round), (place, time_us))


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
    publication = Publication(identity, time_us, record)
    if record.scope is Scope.EVENT:
        facts.for_all.append((place, publication))
        covered = list(facts.sessions.values())
    elif record.scope in {Scope.SESSION, Scope.STAGE} and record.session is not None:
        covered = [facts.session(record.session)]
    else:
        return
    for known in covered:
        known.publications.append(publication)
        known.refresh(place, facts.conditions_at(place))


def _period(facts: Facts, place: Place, _us: int, _id: Identity, record: control.PeriodChanged) -> None:
    known = facts.session(record.session)
    known.changed[record.period] = record.minutes
    known.refresh(place, facts.conditions_at(place))


def _finalised(facts: Facts, place: Place, _us: int, _id: Identity, record: control.SessionFinalised) -> None:
    facts.session(record.session).final.set(place, True)


def _reopened(facts: Facts, place: Place, _us: int, _id: Identity, record: control.SessionReopened) -> None:
    facts.session(record.session).final.set(place, False)


def _carried(facts: Facts, _place: Place, _us: int, _id: Identity, record: control.CarryOverSet) -> None:
    facts.carry_over[record.contestant, record.stage] = record


def _rescored(
    facts: Facts, _place: Place, _us: int, _id: Identity, record: control.RescoringAccepted
) -> None:
    facts.rescoring.append(record)


def _penalised(
    facts: Facts, _place: Place, _us: int, identity: Identity, record: corrections.Penalty
) -> None:
    facts.penalties[identity] = record


def _forms(facts: Facts, place: Place, _us: int, _id: Identity, record: corrections.BoardForms) -> None:
    form_of: dict[Slot, str] = {}
    marked = {form.name: form.vulnerability for form in record.forms if form.vulnerability is not None}
    for form in record.forms:
        for slot in form.slots:
            form_of.setdefault(slot, form.name)
    facts.forms.setdefault((record.session, record.board), Timeline()).set(place, Forms(form_of, marked))


def _cancelled(
    facts: Facts, _place: Place, _us: int, _id: Identity, record: corrections.BoardsCancelled
) -> None:
    facts.boards_cancelled |= {(record.session, record.section, board) for board in record.boards}


def _lodged(
    facts: Facts,
    _place: Place,
    _us: int,
    identity: Identity,
    record: results.CorrectionRequested | results.ResultDisputed | corrections.Appeal,
) -> None:
    facts.lodged[identity] = record


def _decided(
    facts: Facts,
    _place: Place,
    _us: int,
    _id: Identity,
    record: corrections.CorrectionDecided | corrections.AppealDecided,
) -> None:
    facts.decided.add(record.decided if isinstance(record, corrections.CorrectionDecided) else record.appeal)


def _overridden(
    facts: Facts, _place: Place, _us: int, identity: Identity, record: corrections.OverrideGranted
) -> None:
    facts.overrides[identity] = record


def _match_result(facts: Facts, _place: Place, _us: int, _id: Identity, record: results.MatchResult) -> None:
    facts.match_results.setdefault(record.match, {})[record.by] = record


def _called(facts: Facts, _place: Place, _us: int, _id: Identity, record: results.DirectorCalled) -> None:
    facts.calls.add((record.session, record.section, record.round, record.table))


_Note = Callable[..., None]
_NOTES: Final[dict[type[Record], _Note]] = {
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
    control.SessionFinalised: _finalised,
    control.SessionReopened: _reopened,
    control.CarryOverSet: _carried,
    control.RescoringAccepted: _rescored,
    corrections.Penalty: _penalised,
    corrections.BoardForms: _forms,
    corrections.BoardsCancelled: _cancelled,
    corrections.Appeal: _lodged,
    corrections.CorrectionDecided: _decided,
    corrections.AppealDecided: _decided,
    corrections.OverrideGranted: _overridden,
    results.CorrectionRequested: _lodged,
    results.ResultDisputed: _lodged,
    results.MatchResult: _match_result,
    results.DirectorCalled: _called,
}
