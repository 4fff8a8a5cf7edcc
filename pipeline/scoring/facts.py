"""What is known of an event besides its slots: control records and rulings that name no slot, in order.

Every question takes a place: a verdict sees only what stands before it, scoring asks at the end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.penalties import standard_penalty
from pipeline.rules.periods import Matter, Officer, article, may_change_period
from pipeline.scoring.publication import Publication, SessionFacts
from pipeline.scoring.record_set import END, Place
from pipeline.scoring.seating import Numbered, Occupant, Seated, SectionSeating, seating_of
from pipeline.scoring.timeline import Timeline
from pipeline.scoring.verdict import ACCEPTED, Judgement, judged, require_authority
from schemas import control, corrections, results
from schemas.conditions import Conditions, UnknownSetting, resolve
from schemas.control import Period, Scope
from schemas.decisions import Reason, Refused
from schemas.policies import LateTricks
from schemas.record import Record, Role, Slot
from schemas.results import Subject
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, MatchId, Vulnerability

EXACT: Final = resolve("exact")
_ORGANISERS: Final = frozenset({Role.ORGANISER, Role.IMPORTER})
_WIDE: Final = frozenset({Scope.SESSION, Scope.STAGE, Scope.EVENT})

BoardKey = tuple[str, int]
"""(session, board): a deal."""
RoundKey = tuple[str, str, int, int]
"""(session, section, round, table)."""
R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant as entered, with later changes."""

    record: control.ContestantEntered
    section: str | None
    number: int | None
    direction: Direction | None
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """Which slot played which form of a board, and how each form was marked."""

    form_of: dict[Slot, str]
    marked: dict[str, Vulnerability]


class Seats(Protocol):
    """What the seating says of a slot."""

    table_known: bool
    board_known: bool
    ns: ContestantId | None
    ew: ContestantId | None


@dataclass(frozen=True, slots=True)
class AtSlot:
    """Who should be where: contestants, and whether table and board exist in that round."""

    table_known: bool
    board_known: bool
    ns: ContestantId | None = None
    ew: ContestantId | None = None
    match: MatchId | None = None


NOWHERE: Final = AtSlot(table_known=False, board_known=False)
NO_BOARD: Final = AtSlot(table_known=True, board_known=False)


@dataclass(slots=True)
class Facts:
    """The facts of one event, built by `apply` in the order of places."""

    conditions: Timeline[Conditions] = field(default_factory=Timeline)
    described: Timeline[control.EventDescribed] = field(default_factory=Timeline)
    sessions: dict[str, SessionFacts] = field(default_factory=dict)
    first_opened: Place = END
    entrants: dict[ContestantId, Entrant] = field(default_factory=dict)
    entered_at: dict[ContestantId, Place] = field(default_factory=dict)
    first_entry: Place = END
    numbers: dict[tuple[str | None, int, Direction | None], Timeline[ContestantId | None]] = field(default_factory=dict)
    withdrawn_from: dict[ContestantId, dict[str, int]] = field(default_factory=dict)
    movements: dict[tuple[str, str], Timeline[SectionSeating]] = field(default_factory=dict)
    reseated: dict[RoundKey, Timeline[control.SeatingChanged]] = field(default_factory=dict)
    match_at: dict[RoundKey, Timeline[tuple[control.MatchSet, Direction]]] = field(default_factory=dict)
    matches: dict[MatchId, control.MatchSet] = field(default_factory=dict)
    rounds_cancelled: set[tuple[str, str | None, int]] = field(default_factory=set)
    boards_cancelled: set[tuple[str, str | None, int]] = field(default_factory=set)
    forms: dict[BoardKey, Timeline[Forms]] = field(default_factory=dict)
    penalties: dict[Identity, corrections.Penalty] = field(default_factory=dict)
    lodged: dict[Identity, Record] = field(default_factory=dict)
    """Requests, disputes and appeals that were in time."""
    decided: set[Identity] = field(default_factory=set)
    overrides: dict[Identity, corrections.OverrideGranted] = field(default_factory=dict)
    rescoring: list[control.RescoringAccepted] = field(default_factory=list)
    match_results: dict[MatchId, dict[ContestantId, results.MatchResult]] = field(default_factory=dict)
    carry_over: dict[tuple[ContestantId, str], control.CarryOverSet] = field(default_factory=dict)
    calls: set[RoundKey] = field(default_factory=set)
    for_all: list[tuple[Place, Publication]] = field(default_factory=list)
    """Publications of an event that lists no sessions: they cover sessions not heard of yet."""

    # Questions.

    def conditions_at(self, place: Place) -> Conditions:
        """The conditions in force just before a place; the preset `exact` until some are published."""
        return self.conditions.at(place) or EXACT

    def session(self, session: str) -> SessionFacts:
        """A session's facts; an unknown one has none yet."""
        known = self.sessions.get(session)
        if known is None:
            known = self.sessions[session] = SessionFacts()
            for place, publication in self.for_all:
                known.publications.append(publication)
                known.refresh(place, self.conditions_at(place))
        return known

    def require_session(self, session: str, place: Place) -> None:
        """Raise Refused when the event lists its sessions and this is none of them."""
        described = self.described.at(place)
        if described is not None and described.sessions and all(plan.id != session for plan in described.sessions):
            raise Refused(
                Reason.UNKNOWN_SESSION,
                field="session",
                value=session,
                rule=f"one of {', '.join(plan.id for plan in described.sessions)}",
            )

    def contestant(self, section: str, occupant: Occupant, place: Place) -> ContestantId | None:
        """Who a seat's pair number was, just before a place."""
        if not isinstance(occupant, Numbered):
            return occupant
        for series in (occupant.series, None):
            timeline = self.numbers.get((section, occupant.number, series))
            found = None if timeline is None else timeline.at(place)
            if found is not None:
                return found
        return None

    def at_slot(self, session: str, section: str, round_number: int, table: int, board: int, place: Place) -> AtSlot | None:
        """Who should play a board at a table in a round; None where no seating is known for the section."""
        here = (session, section, round_number, table)
        reseated = self.reseated.get(here)
        changed = None if reseated is None else reseated.at(place)
        if changed is not None:
            if changed.boards is None or board in changed.boards:
                known = self._placed(here, board, place)
                match = None if known is None else known.match
                fits = changed.boards is not None or known is None or known.board_known
                return AtSlot(table_known=True, board_known=fits, ns=changed.ns, ew=changed.ew, match=match)
            return NO_BOARD
        return self._placed(here, board, place)

    def _placed(self, here: RoundKey, board: int, place: Place) -> AtSlot | None:
        session, section, round_number, table = here
        of_match = self.match_at.get(here)
        found = None if of_match is None else of_match.at(place)
        if found is not None:
            match, home = found
            if board not in match.boards:
                return NO_BOARD
            sides = (match.home, match.visit) if home is Direction.NS else (match.visit, match.home)
            return AtSlot(table_known=True, board_known=True, ns=sides[0], ew=sides[1], match=match.match)
        movement = self.movements.get((session, section))
        seating = None if movement is None else movement.at(place)
        if seating is None:
            return None
        seated = seating.at(round_number, table, board)
        if seated is None:
            return NO_BOARD if (round_number, table) in seating.tables else NOWHERE
        return AtSlot(
            table_known=True,
            board_known=True,
            ns=self.contestant(section, seated.ns, place),
            ew=self.contestant(section, seated.ew, place),
        )

    def is_cancelled(self, slot: Slot) -> bool:
        """Tell whether a slot's round or board does not count, as things stand."""
        rounds, boards = self.rounds_cancelled, self.boards_cancelled
        return bool(rounds or boards) and (
            (slot.session, None, slot.round) in rounds
            or (slot.session, slot.section, slot.round) in rounds
            or (slot.session, None, slot.board) in boards
            or (slot.session, slot.section, slot.board) in boards
        )

    def has_left(self, contestant: ContestantId, session: str, round_number: int) -> bool:
        """Tell whether a contestant had withdrawn by a round, as things stand."""
        left = self.withdrawn_from.get(contestant)
        return left is not None and left.get(session, 1 << 30) <= round_number

    def form(self, slot: Slot, place: Place) -> str:
        """Which form of the board a slot played; the ordinary one has no name."""
        timeline = self.forms.get((slot.session, slot.board))
        forms = None if timeline is None else timeline.at(place)
        return "" if forms is None else forms.form_of.get(slot, "")

    def vulnerability(self, slot: Slot, place: Place) -> Vulnerability:
        """How the board was marked at this slot (Law 2, unless a form says otherwise)."""
        timeline = self.forms.get((slot.session, slot.board))
        forms = None if timeline is None else timeline.at(place)
        if forms is not None:
            marked = forms.marked.get(forms.form_of.get(slot, ""))
            if marked is not None:
                return marked
        return vulnerability(BoardNumber(slot.board))

    def require_time(
        self, record: corrections.Ruling | results.BoardResult, subject: Subject, session: str,
        slot: Slot | None, place: Place, time_us: int,
    ) -> None:
        """Raise Refused when this comes too late (docs/semantics.md section 5)."""
        if isinstance(record, corrections.Ruling):
            if record.override is not None:
                self._require_cover(record.override, session, slot)
                return
            if record.request is not None:
                if record.request in self.lodged:
                    return
                raise Refused(
                    Reason.REFERENCE_OF_OTHER_KIND,
                    field="request",
                    value=record.request,
                    rule="a request, dispute or appeal lodged in time",
                )
        if self.session(session).is_final(place):
            raise Refused(Reason.SESSION_FINAL, field="session", value=session, rule="the result is final")
        self._require_clock(subject, session, slot, place, time_us)

    def require_time_of(self, subject: Subject, slot: Slot, place: Place, time_us: int) -> None:
        """Raise Refused when a request about a slot comes too late."""
        self._require_clock(subject, slot.session, slot, place, time_us)

    def _require_clock(self, subject: Subject, session: str, slot: Slot | None, place: Place, time_us: int) -> None:
        facts = self.session(session)
        edition = self.conditions_at(place).tricks_late
        correction_over = facts.is_over(Period.CORRECTION, place, time_us)
        appeal_over = facts.is_over(Period.APPEAL, place, time_us)
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
                rule=f"at most {self._limit(facts, subject, place)}",
                article=article_for(subject, edition),
            )
        if subject is Subject.TRICKS and edition is LateTricks.LAW_1963 and slot is not None:
            if facts.round_over(slot.section, slot.round, place):
                raise Refused(
                    Reason.ROUND_OVER,
                    field="round",
                    value=slot.round,
                    rule="the number of tricks is settled before the round ends",
                    article=article_for(subject, edition),
                )

    def _limit(self, facts: SessionFacts, subject: Subject, place: Place) -> int:
        periods = {Subject.APPEAL: (Period.APPEAL,), Subject.RULING: tuple(Period)}.get(subject, (Period.CORRECTION,))
        clocks = [clock for period in periods if (clock := facts.clocks[period].at(place)) is not None]
        return max(clock.until_us for clock in clocks)

    def _require_cover(self, override: Identity, session: str, slot: Slot | None) -> None:
        granted = self.overrides.get(override)
        if granted is None:
            raise Refused(
                Reason.REFERENCE_OF_OTHER_KIND, field="override", value=override, rule="an override that was granted"
            )
        if granted.session != session or (granted.slots and slot not in granted.slots):
            raise Refused(
                Reason.OVERRIDE_DOES_NOT_COVER,
                field="override",
                value=override,
                rule=f"covers {granted.session} {', '.join(map(str, granted.slots)) or '(all of it)'}",
                article="Law 79C2",
            )

    # Records.

    def apply(self, place: Place, time_us: int, identity: Identity, record: Record) -> Judgement:
        """Take in the next record that changes no slot; answer whether it counts."""
        try:
            require_authority(record)
            session = getattr(record, "session", None)
            if session is not None:
                self.require_session(session, place)
            handler = _HANDLERS.get(type(record))
            if handler is not None:
                handler(self, place, time_us, identity, record)
        except Refused as refused:
            return judged(refused)
        return ACCEPTED

    def _conditions(self, place: Place, _us: int, _id: Identity, record: control.ConditionsPublished) -> None:
        try:
            conditions = resolve(record.preset, record.settings)
        except UnknownSetting as error:
            raise Refused(Reason.UNKNOWN_SETTING, field=error.field, value=error.value, rule=error.rule) from error
        if self.first_opened < place and record.role not in _ORGANISERS:
            raise Refused(
                Reason.CONDITIONS_AFTER_START,
                field="role",
                value=record.role,
                rule="after the start only the organiser changes conditions",
                article="Law 78D",
            )
        self.conditions.set(place, conditions)
        for facts in self.sessions.values():
            facts.refresh(place, conditions)

    def _described(self, place: Place, _us: int, _id: Identity, record: control.EventDescribed) -> None:
        self.described.set(place, record)

    def _entered(self, place: Place, _us: int, _id: Identity, record: control.ContestantEntered) -> None:
        entrant = Entrant(record, record.section, record.number, record.direction, record.players)
        self._enter(place, record.contestant, entrant)
        if record.contestant not in self.entered_at:
            self.entered_at[record.contestant] = place
        self.first_entry = min(self.first_entry, place)

    def _enter(self, place: Place, contestant: ContestantId, entrant: Entrant) -> None:
        before = self.entrants.get(contestant)
        if entrant.number is not None:
            key = (entrant.section, entrant.number, entrant.direction)
            timeline = self.numbers.setdefault(key, Timeline())
            holder = timeline.last()
            if holder not in {None, contestant}:
                raise Refused(
                    Reason.CONTESTANT_TAKEN,
                    field="number",
                    value=f"{entrant.section} {entrant.number} {entrant.direction or ''}".strip(),
                    rule=f"that is {holder}",
                )
        if before is not None and before.number is not None:
            self.numbers[before.section, before.number, before.direction].set(place, None)
        if entrant.number is not None:
            self.numbers[entrant.section, entrant.number, entrant.direction].set(place, contestant)
        self.entrants[contestant] = entrant

    def _known(self, contestant: ContestantId, field_name: str = "contestant") -> Entrant:
        entrant = self.entrants.get(contestant)
        if entrant is None:
            raise Refused(Reason.UNKNOWN_CONTESTANT, field=field_name, value=contestant, rule="entered before")
        return entrant

    def _changed(self, place: Place, _us: int, _id: Identity, record: control.ContestantChanged) -> None:
        before = self._known(record.contestant)
        self._enter(
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

    def _withdrew(self, _place: Place, _us: int, _id: Identity, record: control.ContestantWithdrawn) -> None:
        self._known(record.contestant)
        self.withdrawn_from.setdefault(record.contestant, {})[record.session] = record.from_round

    def _movement(self, place: Place, _us: int, _id: Identity, record: control.MovementSet) -> None:
        seating = seating_of(record.movement)
        self.movements.setdefault((record.session, record.section), Timeline()).set(place, seating)

    def _movement_changed(self, place: Place, _us: int, _id: Identity, record: control.MovementChanged) -> None:
        timeline = self.movements.setdefault((record.session, record.section), Timeline())
        before = timeline.last() or SectionSeating({})
        timeline.set(place, before.changed_from(record.from_round, seating_of(record.movement)))

    def _reseated(self, place: Place, _us: int, _id: Identity, record: control.SeatingChanged) -> None:
        key = (record.session, record.section, record.round, record.table)
        self.reseated.setdefault(key, Timeline()).set(place, record)

    def _match(self, place: Place, _us: int, _id: Identity, record: control.MatchSet) -> None:
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
        self.matches[record.match] = record
        for table in record.tables:
            key = (record.session, table.section, record.round, table.table)
            self.match_at.setdefault(key, Timeline()).set(place, (record, table.home))

    def _opened(self, place: Place, _us: int, _id: Identity, record: control.SessionOpened) -> None:
        facts = self.session(record.session)
        facts.opened = min(facts.opened, place)
        self.first_opened = min(self.first_opened, place)

    def _round_ended(self, place: Place, _us: int, _id: Identity, record: control.RoundEnded) -> None:
        self.session(record.session).rounds_ended.setdefault((record.section, record.round), place)

    def _round_cancelled(self, _place: Place, _us: int, _id: Identity, record: control.RoundCancelled) -> None:
        self.rounds_cancelled.add((record.session, record.section, record.round))

    def _ended(self, place: Place, time_us: int, _id: Identity, record: control.PlayEnded) -> None:
        facts = self.session(record.session)
        if facts.ended is END:
            facts.ended, facts.ended_us = place, time_us
        facts.refresh(place, self.conditions_at(place))

    def _published(self, place: Place, time_us: int, identity: Identity, record: control.ScorePublished) -> None:
        if record.scope not in _WIDE:
            return
        publication = Publication(identity, time_us, record)
        described = self.described.last()
        if record.session is None and (described is None or not described.sessions):
            self.for_all.append((place, publication))
        for facts in self._covered(record):
            facts.publications.append(publication)
            facts.refresh(place, self.conditions_at(place))

    def _covered(self, record: control.ScorePublished) -> list[SessionFacts]:
        if record.session is not None:
            return [self.session(record.session)]
        described = self.described.last()
        listed = () if described is None else described.sessions
        names = [plan.id for plan in listed if record.scope is not Scope.STAGE or plan.stage == record.subject]
        return [self.session(name) for name in names] if listed else list(self.sessions.values())

    def _period(self, place: Place, _us: int, _id: Identity, record: control.PeriodChanged) -> None:
        conditions = self.conditions_at(place)
        facts = self.session(record.session)
        clock = facts.clocks[record.period].last()
        usual = conditions.correction_minutes if record.period is Period.CORRECTION else conditions.appeal_minutes
        before = facts.changed.get(record.period, usual) if clock is None else clock.minutes
        shorter = record.minutes < before
        if record.role in _ORGANISERS:
            officer = Officer.ORGANISER
        elif record.role in {Role.DIRECTOR, Role.CHIEF_DIRECTOR}:
            officer = Officer.DIRECTOR
        else:
            raise Refused(Reason.NOT_AUTHORISED, field="role", value=record.role, rule="a director or the organiser")
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
        facts.changed[record.period] = record.minutes
        facts.refresh(place, conditions)

    def _unpublished(self, place: Place, _us: int, _id: Identity, record: control.PublicationWithdrawn) -> None:
        found = any(publication.identity == record.publication for _, publication in self.for_all)
        self.for_all = [entry for entry in self.for_all if entry[1].identity != record.publication]
        for facts in self.sessions.values():
            kept = [publication for publication in facts.publications if publication.identity != record.publication]
            if len(kept) < len(facts.publications):
                found = True
                facts.publications = kept
                facts.refresh(place, self.conditions_at(place))
        if not found:
            raise Refused(
                Reason.REFERENCE_OF_OTHER_KIND,
                field="publication",
                value=record.publication,
                rule="a publication that stands",
            )

    def _finalised(self, place: Place, time_us: int, _id: Identity, record: control.SessionFinalised) -> None:
        facts = self.session(record.session)
        if not facts.published.last():
            raise Refused(
                Reason.NO_PUBLICATION, field="session", value=record.session, rule="published before it is final"
            )
        for period in Period:
            if facts.clocks[period].last() is not None and not facts.is_over(period, place, time_us):
                raise Refused(
                    Reason.PERIOD_STILL_OPEN,
                    field="time",
                    value=time_us,
                    rule=f"after {facts.until(period)}",
                    article="Law 79C" if period is Period.CORRECTION else "Law 92B",
                )
        facts.final.set(place, True)  # noqa: FBT003 - the value of a timeline

    def _reopened(self, place: Place, _us: int, _id: Identity, record: control.SessionReopened) -> None:
        self.session(record.session).final.set(place, False)  # noqa: FBT003 - the value of a timeline

    def _carried(self, _place: Place, _us: int, _id: Identity, record: control.CarryOverSet) -> None:
        self.carry_over[record.contestant, record.stage] = record

    def _rescored(self, _place: Place, _us: int, _id: Identity, record: control.RescoringAccepted) -> None:
        self.rescoring.append(record)

    def _penalised(self, place: Place, time_us: int, identity: Identity, record: corrections.Penalty) -> None:
        self.require_time(record, record.subject, record.session, None, place, time_us)
        self.penalties[identity] = record

    def _forms(self, place: Place, time_us: int, _id: Identity, record: corrections.BoardForms) -> None:
        self.require_time(record, record.subject, record.session, None, place, time_us)
        form_of = {slot: form.name for form in record.forms for slot in form.slots}
        marked = {form.name: form.vulnerability for form in record.forms if form.vulnerability is not None}
        self.forms.setdefault((record.session, record.board), Timeline()).set(place, Forms(form_of, marked))

    def _cancelled(self, place: Place, time_us: int, _id: Identity, record: corrections.BoardsCancelled) -> None:
        self.require_time(record, record.subject, record.session, None, place, time_us)
        self.boards_cancelled |= {(record.session, record.section, board) for board in record.boards}

    def _requested(
        self, place: Place, time_us: int, identity: Identity, record: results.CorrectionRequested | results.ResultDisputed
    ) -> None:
        subject = record.subject if isinstance(record, results.CorrectionRequested) else Subject.ENTRY
        self.require_session(record.slot.session, place)
        facts = self.session(record.slot.session)
        if facts.is_final(place):
            raise Refused(Reason.SESSION_FINAL, field="session", value=record.slot.session, rule="the result is final")
        self.require_time_of(subject, record.slot, place, time_us)
        self.lodged[identity] = record

    def _appealed(self, place: Place, time_us: int, identity: Identity, record: corrections.Appeal) -> None:
        conditions = self.conditions_at(place)
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
        facts = self.session(record.session)
        over = facts.is_over(Period.APPEAL, place, time_us)
        if protest and facts.ended < place and facts.ended_us is not None:
            over = time_us > facts.ended_us + conditions.appeal_minutes * 60_000_000
        if over:
            raise Refused(
                Reason.PROTEST_PERIOD_OVER,
                field="time",
                value=time_us,
                rule="lodged within the appeal period",
                article="1963 article 93" if protest else article(Matter.DIRECTOR_ACT, edition),
            )
        self.lodged[identity] = record

    def _decided(
        self, _place: Place, _us: int, _id: Identity, record: corrections.CorrectionDecided | corrections.AppealDecided
    ) -> None:
        named = record.decided if isinstance(record, corrections.CorrectionDecided) else record.appeal
        if named not in self.lodged:
            raise Refused(
                Reason.REFERENCE_OF_OTHER_KIND, field="decided", value=named, rule="something lodged in time"
            )
        self.decided.add(named)

    def _overridden(self, _place: Place, _us: int, identity: Identity, record: corrections.OverrideGranted) -> None:
        self.overrides[identity] = record

    def _match_result(self, _place: Place, _us: int, _id: Identity, record: results.MatchResult) -> None:
        match = self.matches.get(record.match)
        if match is None:
            raise Refused(Reason.MATCH_UNKNOWN, field="match", value=record.match, rule="a match that was set")
        if record.by not in {match.home, match.visit}:
            raise Refused(
                Reason.UNKNOWN_CONTESTANT, field="by", value=record.by, rule=f"{match.home} or {match.visit}"
            )
        self.match_results.setdefault(record.match, {})[record.by] = record

    def _called(self, _place: Place, _us: int, _id: Identity, record: results.DirectorCalled) -> None:
        self.calls.add((record.session, record.section, record.round, record.table))


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


_Handler = Callable[..., None]
_HANDLERS: Final[dict[type[Record], _Handler]] = {
    control.EventDescribed: Facts._described,
    control.ConditionsPublished: Facts._conditions,
    control.ContestantEntered: Facts._entered,
    control.ContestantChanged: Facts._changed,
    control.ContestantWithdrawn: Facts._withdrew,
    control.MovementSet: Facts._movement,
    control.MovementChanged: Facts._movement_changed,
    control.SeatingChanged: Facts._reseated,
    control.MatchSet: Facts._match,
    control.SessionOpened: Facts._opened,
    control.RoundEnded: Facts._round_ended,
    control.RoundCancelled: Facts._round_cancelled,
    control.PlayEnded: Facts._ended,
    control.ScorePublished: Facts._published,
    control.PeriodChanged: Facts._period,
    control.PublicationWithdrawn: Facts._unpublished,
    control.SessionFinalised: Facts._finalised,
    control.SessionReopened: Facts._reopened,
    control.CarryOverSet: Facts._carried,
    control.RescoringAccepted: Facts._rescored,
    corrections.Penalty: Facts._penalised,
    corrections.BoardForms: Facts._forms,
    corrections.BoardsCancelled: Facts._cancelled,
    corrections.Appeal: Facts._appealed,
    corrections.CorrectionDecided: Facts._decided,
    corrections.AppealDecided: Facts._decided,
    corrections.OverrideGranted: Facts._overridden,
    results.CorrectionRequested: Facts._requested,
    results.ResultDisputed: Facts._requested,
    results.MatchResult: Facts._match_result,
    results.DirectorCalled: Facts._called,
}
