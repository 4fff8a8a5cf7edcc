"""The verdict on every record, in the order of their places: docs/semantics.md, sections 2 to 5."""

from pipeline.scoring.naive import authority
from pipeline.scoring.naive.facts import Facts, changed
from pipeline.scoring.naive.order import Placed, Ruled
from pipeline.scoring.naive.periods import final, minutes, over, publications, start, untimely
from pipeline.scoring.naive.slots import ACCEPTED, SlotRuling, Slots, changed_slots, refused
from pipeline.scoring.naive.tables import usable
from schemas.conditions import UnknownSetting, resolve
from schemas.control import (
    ConditionsPublished,
    ContestantChanged,
    ContestantEntered,
    ContestantWithdrawn,
    MatchSet,
    MovementChanged,
    MovementSet,
    Period,
    PeriodChanged,
    PublicationWithdrawn,
    ScorePublished,
    SessionFinalised,
    SessionOpened,
)
from schemas.corrections import (
    Appeal,
    AppealKind,
    BoardForms,
    BoardsCancelled,
    Penalty,
    RecordWithdrawn,
)
from schemas.decisions import Reason, Verdict
from schemas.policies import ClockStart, Lengthener
from schemas.record import Record, Role, Slot
from schemas.results import (
    BoardResult,
    CorrectionRequested,
    MatchResult,
    ResultConfirmed,
    ResultDisputed,
    Subject,
)
from schemas.terms import Identity, SessionId

_ORGANISERS = {Role.ORGANISER, Role.IMPORTER}


def judge(one: Placed, facts: Facts, slots: Slots) -> Ruled:
    """Judge one record by what stands before it."""
    record = one.record
    if isinstance(record, BoardResult | ResultConfirmed | ResultDisputed | SlotRuling):
        return slots.judge(one)
    if not authority.may_say(record):
        return refused(Reason.NOT_AUTHORISED)
    if not authority.session_known(facts, authority.sessions_of(record)):
        return refused(Reason.UNKNOWN_SESSION)
    reason = _of_control(one, facts) or _of_corrections(one, facts)
    if reason is not None:
        return refused(reason)
    if isinstance(record, RecordWithdrawn):
        _take_back(one.identity, record.record, facts)
    if isinstance(record, PublicationWithdrawn):
        _take_back(one.identity, record.publication, facts)
    return ACCEPTED


def _take_back(by: Identity, target: Identity, facts: Facts) -> None:
    """A record taken back twice is taken back by the first; a withdrawal only by one that stands after it."""
    is_withdrawal = isinstance(facts.known[target], RecordWithdrawn | PublicationWithdrawn)
    if not facts.withdrawn(target) and not (is_withdrawal and target not in facts.verdicts):
        facts.taken_back_by.setdefault(target, []).append(by)


def _of_control(one: Placed, facts: Facts) -> Reason | None:
    said = one.record
    if isinstance(said, ConditionsPublished):
        return _conditions(said, facts)
    if isinstance(said, ContestantEntered | ContestantChanged | ContestantWithdrawn):
        return _contestant(said, facts)
    if isinstance(said, MovementSet | MovementChanged):
        return None if usable(said.movement) else Reason.MOVEMENT_UNUSABLE
    if isinstance(said, MatchSet):
        homes = [table.home for table in said.tables]
        opposite = len(homes) != 2 or homes[0] is not homes[1]
        return None if opposite and said.home != said.visit else Reason.MOVEMENT_UNUSABLE
    if isinstance(said, PeriodChanged):
        return _period(said, facts)
    if isinstance(said, PublicationWithdrawn):
        is_one = isinstance(facts.known[said.publication], ScorePublished)
        return None if is_one else Reason.REFERENCE_OF_OTHER_KIND
    if isinstance(said, SessionFinalised):
        if not publications(facts, said.session):
            return Reason.NO_PUBLICATION
        both = [over(facts, said.session, period, one.time_us) for period in Period]
        return None if all(both) else Reason.PERIOD_STILL_OPEN
    return None


def _conditions(said: ConditionsPublished, facts: Facts) -> Reason | None:
    try:
        resolve(said.preset, said.settings)
    except UnknownSetting:
        return Reason.UNKNOWN_SETTING
    started = bool(facts.standing(SessionOpened))
    return Reason.CONDITIONS_AFTER_START if started and said.role not in _ORGANISERS else None


def _contestant(
    said: ContestantEntered | ContestantChanged | ContestantWithdrawn, facts: Facts
) -> Reason | None:
    entrants = facts.entrants()
    if not isinstance(said, ContestantEntered) and said.contestant not in entrants:
        return Reason.UNKNOWN_CONTESTANT
    if isinstance(said, ContestantWithdrawn):
        return None
    if isinstance(said, ContestantChanged):
        wanted = changed(entrants[said.contestant], said)
    else:
        wanted = (said.section, said.number, said.direction)  # type: ignore[assignment]
    others = [entrant for name, entrant in entrants.items() if name != said.contestant]
    return Reason.CONTESTANT_TAKEN if wanted[1] is not None and wanted in others else None


def _period(said: PeriodChanged, facts: Facts) -> Reason | None:
    conditions = facts.conditions()
    _, starter = start(facts, said.session, said.period)
    if said.minutes < minutes(facts, said.session, said.period, starter):
        may = said.role in _ORGANISERS and conditions.correction_may_shorten
        return None if may else Reason.PERIOD_MAY_NOT_SHORTEN
    by_director = conditions.correction_lengthen_by is Lengthener.DIRECTOR_OR_ORGANISER
    if said.role in _ORGANISERS or by_director or said.period is Period.APPEAL:
        return None
    return Reason.NOT_AUTHORISED


def _of_corrections(one: Placed, facts: Facts) -> Reason | None:
    said = one.record
    if isinstance(said, Penalty | BoardForms | BoardsCancelled):
        return untimely(facts, one, said.subject, said.session, None)
    if isinstance(said, RecordWithdrawn):
        late = [
            untimely(facts, one, said.subject, session, slot) for session, slot in touched(said.record, facts)
        ]
        return next((reason for reason in late if reason is not None), None)
    if isinstance(said, CorrectionRequested):
        if final(facts, said.slot.session):
            return Reason.SESSION_FINAL
        # A change that raised nobody's score would not be asked for.
        return untimely(facts, one, said.subject, said.slot.session, said.slot, raises=True)
    if isinstance(said, MatchResult):
        found = [match for match in facts.matches() if match.match == said.match]
        if not found:
            return Reason.MATCH_UNKNOWN
        return None if said.by in {found[0].home, found[0].visit} else Reason.UNKNOWN_CONTESTANT
    if isinstance(said, Appeal):
        if said.subject in {Subject.ENTRY, Subject.SCORER}:
            return Reason.NOT_A_PROTEST
        since = ClockStart.SESSION_END if said.appeal_kind is AppealKind.PROTEST_1963 else None
        late_us = over(facts, said.session, Period.APPEAL, one.time_us, since)
        return Reason.PROTEST_PERIOD_OVER if late_us else None
    return None


def touched(
    identity: Identity, facts: Facts, seen: frozenset[Identity] = frozenset()
) -> list[tuple[SessionId, Slot | None]]:
    """The sessions and slots whose score a record is about; of a withdrawal those of what it takes back."""
    record: Record | None = facts.known.get(identity)
    if isinstance(record, RecordWithdrawn):
        return [] if identity in seen else touched(record.record, facts, seen | {identity})
    if isinstance(record, Penalty | BoardForms | BoardsCancelled):
        return [(record.session, None)]
    if isinstance(record, BoardResult | SlotRuling):
        return [(slot.session, slot) for slot in changed_slots(record)]
    return []


def is_accepted(ruled: Ruled) -> bool:
    """Tell whether a record counts as said."""
    return ruled[0] is Verdict.ACCEPTED
