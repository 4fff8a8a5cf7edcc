"""One event as a function of its records: `apply` is the only way in, and takes them in any order."""

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final, cast

from pipeline.rules.contract_score import ns_points
from pipeline.scoring.board import Board, BoardId, Field, Key, Line, Rating, SlotKey, rate
from pipeline.scoring.facts import Facts
from pipeline.scoring.record_set import END, START, Addition, Place, RecordSet, names
from pipeline.scoring.slot import CAP, EMPTY, Effective, Entry, SlotFold, Standing
from pipeline.scoring.totals import Tally, count, recount
from pipeline.scoring.verdict import ACCEPTED, WITHDRAWN, Judgement, judged, require_authority
from schemas import control, corrections, results
from schemas.codec import payload_digest
from schemas.conditions import Conditions
from schemas.deal import Adjusted, Artificial, Award, NoScore, NotPlayed
from schemas.decisions import Decision, Reason, Refused, Verdict
from schemas.policies import Comparison, Method
from schemas.record import Record, Slot, Stamped
from schemas.terms import BoardNumber, ContestantId, Direction, EventId, Identity, SectionId, SessionId, Unplayed

SCORING_VERSION: Final = 1
"""Rises with every change that can alter a published point."""

slot_key = cast("type[SlotKey]", attrgetter("session", "section", "round", "table", "board"))
_SLOTTED: Final = (
    results.BoardResult,
    results.ResultConfirmed,
    results.ResultDisputed,
    corrections.ReplaceResult,
    corrections.MoveResult,
    corrections.VoidResult,
    corrections.SwapDirections,
    corrections.Award,
    corrections.ResultUpheld,
)
_RESHAPING: Final = (
    control.ConditionsPublished,
    control.ContestantEntered,
    control.ContestantChanged,
    control.ContestantWithdrawn,
    control.MovementSet,
    control.MovementChanged,
    control.SeatingChanged,
    control.MatchSet,
    control.RoundCancelled,
    corrections.BoardForms,
    corrections.BoardsCancelled,
    corrections.RecordWithdrawn,
    control.PlayEnded,
)
"""Records after which lines may belong elsewhere or boards count otherwise."""
_WORST: Final = {
    Verdict.WITHDRAWN: 0,
    Verdict.ACCEPTED: 1,
    Verdict.WAITING_FOR_DIRECTOR: 2,
    Verdict.REFUSED: 3,
    Verdict.WAITING_FOR_REFERENCE: 4,
}


def slots_named(record: Record) -> tuple[Slot, ...]:
    """The slots that a record is about, where it changes or confirms any."""
    match record:
        case results.BoardResult() | results.ResultConfirmed() | results.ResultDisputed() | corrections.ReplaceResult():
            return (record.slot,)
        case corrections.MoveResult():
            return (record.slot, record.to.slot)
        case (
            corrections.VoidResult()
            | corrections.SwapDirections()
            | corrections.Award()
            | corrections.ResultUpheld()
        ):
            return tuple(dict.fromkeys(change.slot for change in record.changes))
        case _:
            return ()


@dataclass(slots=True, eq=False)
class SlotState:
    """One slot: what was said, what stands, and where it is charted."""

    slot: Slot
    entries: list[Entry] = field(default_factory=list)
    standing: Standing = EMPTY
    judgements: dict[Identity, Judgement] | None = None
    """Verdicts other than a plain acceptance."""
    board: Board | None = None
    line: Line | None = None
    due: bool = False
    open: bool = False
    seats: tuple[ContestantId | None, ContestantId | None, str | None] | None = None
    """The seating as it stands: North-South, East-West, and the match."""


@dataclass(slots=True, eq=False)
class GroupCount:
    """A comparison group's boards: how many results are due on each, and how many are still to come."""

    due: dict[int, int] = field(default_factory=dict)
    open: dict[int, int] = field(default_factory=dict)
    boards: dict[int, list[Board]] = field(default_factory=dict)
    expected: int = 0

    def refresh(self) -> bool:
        """Take the field's normal number of results anew; tell whether it changed."""
        expected = max(self.due.values(), default=0)
        changed = expected != self.expected
        self.expected = expected
        return changed


@dataclass(frozen=True, slots=True)
class Changes:
    """What a batch changed: travellers and lists to publish again, and verdicts to send."""

    boards: frozenset[BoardId]
    sessions: frozenset[str]
    """Sessions whose lists are to be published again."""
    decisions: tuple[Identity, ...]
    conflicts: tuple[tuple[Identity, str], ...]

    def __bool__(self) -> bool:
        return bool(self.boards or self.sessions or self.decisions or self.conflicts)


class Event:
    """The state of one event: a cache of what its records mean, never repaired, rebuilt by reading."""

    def __init__(self, event: EventId) -> None:
        self.id = event
        self.records = RecordSet()
        self.incomplete = 0
        """Records of this event that no model accepts."""
        self.as_of_us = 0
        self._reset()

    def _reset(self) -> None:
        self.slots: dict[SlotKey, SlotState] = {}
        self.boards: dict[BoardId, Board] = {}
        self.groups: dict[tuple[str, str], GroupCount] = {}
        self.deals_open: dict[tuple[str, int], int] = {}
        self.tallies: dict[str, dict[ContestantId, Tally]] = {}
        self.by_deal: dict[tuple[str, int], list[SlotState]] = {}
        self._facts_log: list[Entry] = []
        self._epochs: list[tuple[Place, Facts]] = [(START, Facts())]
        self._fact_judgements: dict[Identity, Judgement] = {}
        self._waiting: dict[Identity, set[Identity]] = {}
        self._fact_place: Place = START
        self._slot_place: Place = START
        self._touched: dict[SlotKey, None] = {}
        self._new_facts: list[Entry] = []
        self._reshaped = False
        self._stale: set[Board] = set()
        self._lists: set[str] = set()
        self._decided: dict[Identity, None] = {}

    # In.

    def apply(self, batch: Iterable[Stamped]) -> Changes:
        """Take in a batch of stamped records of this event, in any order, repeats included."""
        conflicts: list[tuple[Identity, str]] = []
        reordered = False
        for stamped in batch:
            addition = self.records.add(stamped)
            if addition is Addition.NEW:
                self._file(stamped)
            elif addition is Addition.CONFLICT:
                conflicts.append((stamped.record.identity, payload_digest(stamped.record)))
            elif addition is Addition.REORDERED:
                reordered = True
            if addition is not Addition.KNOWN:
                self.as_of_us = max(self.as_of_us, stamped.stamp.time_us)
        if reordered:
            self._refold()
        self._settle()
        changed_boards = frozenset(board.id for board in self._stale)
        sessions = frozenset(self._lists)
        decisions = tuple(self._decided)
        self._lists.clear()
        self._decided.clear()
        return Changes(changed_boards, sessions, decisions, tuple(conflicts))

    def _refold(self) -> None:
        """Everything anew: an identity changed hands, or imported records lost their stamps."""
        self._reset()
        for stamped in self.records.by_identity.values():
            self._file(stamped)

    def _file(self, stamped: Stamped) -> None:
        record = stamped.record
        identity = record.identity
        self._decided[identity] = None
        if record.original_stamp is not None and not self.records.is_honoured(stamped):
            return
        place = self.records.place(stamped)
        if place is None:
            for name in self.records.missing(stamped):
                self._waiting.setdefault(name, set()).add(identity)
        else:
            position = self.records.position(stamped)
            self._enter(Entry(place, position[0], record), identity)
        for waiter in self._waiting.pop(identity, ()):
            if self.records.place(self.records.by_identity[waiter]) is not None:
                self._file(self.records.by_identity[waiter])

    def _enter(self, entry: Entry, identity: Identity) -> None:
        record = entry.record
        named = (record.slot,) if isinstance(record, results.BoardResult) else self._slots_of(record)
        if not named or isinstance(record, results.ResultDisputed):
            self._new_facts.append(entry)
        for slot in named:
            key = slot_key(slot)
            state = self.slots.get(key)
            if state is None:
                state = self._new_slot(key, slot)
            entries = state.entries
            if not entries or entries[-1].place < entry.place:
                entries.append(entry)
            else:
                insort(entries, entry, key=lambda known: known.place)
            self._touched[key] = None
            if entry.place > self._slot_place:
                self._slot_place = entry.place

    def _new_slot(self, key: SlotKey, slot: Slot) -> SlotState:
        state = self.slots[key] = SlotState(slot)
        self.by_deal.setdefault((slot.session, slot.board), []).append(state)
        return state

    def _slots_of(self, record: Record) -> tuple[Slot, ...]:
        """The slots that a record changes; a withdrawal changes those of the record that it takes back."""
        seen: set[Identity] = set()
        while isinstance(record, corrections.RecordWithdrawn):
            if record.record in seen:
                return ()
            seen.add(record.record)
            record = self.records.by_identity[record.record].record
        return slots_named(record)

    # Facts.

    @property
    def facts(self) -> Facts:
        """The facts as they stand."""
        return self._epochs[-1][1]

    @property
    def conditions(self) -> Conditions:
        """The conditions that scoring uses: the last accepted ones."""
        return self.facts.conditions_at(END)

    def facts_at(self, place: Place) -> Facts:
        """The facts to ask for what stood before a place."""
        for start, facts in reversed(self._epochs):
            if start < place:
                return facts
        return self._epochs[0][1]

    def _take_facts(self) -> None:
        new = sorted(self._new_facts, key=attrgetter("place"))
        self._new_facts = []
        if not new:
            return
        first = new[0].place
        self._facts_log += new
        if first < self._fact_place:
            self._facts_log.sort(key=attrgetter("place"))
            self._epochs = [(START, Facts())]
            before, self._fact_judgements = self._fact_judgements, {}
            self._withdrawals: dict[Identity, Identity] = {}
            for entry in self._facts_log:
                self._take_fact(entry)
            self._decided.update(
                dict.fromkeys(name for name, found in self._fact_judgements.items() if before.get(name) != found)
            )
            self._reshaped = True
        else:
            for entry in new:
                self._take_fact(entry)
        self._fact_place = max(self._fact_place, new[-1].place)
        if first < self._slot_place:
            for key, state in self.slots.items():
                if state.entries and state.entries[-1].place > first:
                    self._touched[key] = None

    def _take_fact(self, entry: Entry) -> None:
        record = entry.record
        identity = record.identity
        if isinstance(record, corrections.RecordWithdrawn):
            self._fact_judgements[identity] = self._take_back(entry, identity, record)
        else:
            self._fact_judgements[identity] = self.facts.apply(entry.place, entry.time_us, identity, record)
        if isinstance(record, _RESHAPING):
            self._reshaped = True
        self._lists.update(self._sessions_touched(record))

    def _take_back(self, entry: Entry, identity: Identity, record: corrections.RecordWithdrawn) -> Judgement:
        """Start a new epoch of facts without the record that is taken back."""
        target = self.records.by_identity[record.record].record
        try:
            require_authority(record)
            if record.record == identity:
                raise Refused(
                    Reason.WITHDRAWS_ITSELF, field="record", value=identity, rule="a record takes back another"
                )
            session = getattr(target, "session", None)
            if isinstance(target, corrections.Ruling) and session is not None:
                self.facts.require_time(record, record.subject, session, None, entry.place, entry.time_us)
        except Refused as refused:
            return judged(refused)
        self._fact_judgements[identity] = ACCEPTED
        gone = self._facts_withdrawn(entry.place)
        anew = Facts()
        for earlier in self._facts_log:
            if earlier.place >= entry.place:
                break
            name = earlier.record.identity
            judgement = self._fact_judgements.get(name)
            accepted = judgement is not None and judgement.verdict in {Verdict.ACCEPTED, Verdict.WITHDRAWN}
            if name in gone:
                if judgement is not None and accepted:
                    self._fact_judgements[name] = WITHDRAWN
                    self._decided[name] = None
            elif accepted and not isinstance(earlier.record, corrections.RecordWithdrawn):
                anew.apply(earlier.place, earlier.time_us, name, earlier.record)
                if judgement is WITHDRAWN:
                    self._fact_judgements[name] = ACCEPTED
                    self._decided[name] = None
        self._epochs.append((entry.place, anew))
        self._lists.update(self._sessions_touched(target))
        return ACCEPTED

    def _facts_withdrawn(self, until: Place) -> set[Identity]:
        withdrawn: set[Identity] = set()
        for entry in reversed(self._facts_log):
            record = entry.record
            if entry.place > until or not isinstance(record, corrections.RecordWithdrawn):
                continue
            name = record.identity
            judgement = self._fact_judgements.get(name)
            if name not in withdrawn and judgement is not None and judgement.verdict is not Verdict.REFUSED:
                withdrawn.add(record.record)
        return withdrawn

    def _sessions_touched(self, record: Record) -> tuple[str, ...]:
        session = getattr(record, "session", None)
        if session is not None:
            return (session,)
        slot = getattr(record, "slot", None)
        return (slot.session,) if slot is not None else self.session_names()

    # Settling.

    def _settle(self) -> None:
        self._take_facts()
        placed: dict[SlotKey, None] = {}
        while self._touched:
            touched, self._touched = self._touched, {}
            for key in touched:
                self._evaluate(key)
                placed[key] = None
        if self._reshaped:
            self._reshaped = False
            self._reshape()
        else:
            for key in placed:
                self._chart(self.slots[key])
        for group in self.groups.values():
            if group.refresh():
                self._stale.update(board for boards in group.boards.values() for board in boards)

    def _evaluate(self, key: SlotKey) -> None:
        state = self.slots[key]
        fold = SlotFold(state.slot, self.facts_at, self._result_before)
        state.standing = fold.run(state.entries)
        found = {name: judgement for name, judgement in fold.judgements.items() if judgement is not ACCEPTED}
        if found or state.judgements:
            before = state.judgements or {}
            for name in found.keys() | before.keys():
                if found.get(name) != before.get(name):
                    self._decided[name] = None
            state.judgements = found or None
        for entry in state.entries:
            record = entry.record
            if isinstance(record, corrections.MoveResult) and record.slot == state.slot:
                target = slot_key(record.to.slot)
                if target != key:
                    self._touched[target] = None

    def _result_before(self, slot: Slot, place: Place) -> Effective | None:
        state = self.slots.get(slot_key(slot))
        if state is None:
            return None
        earlier = [entry for entry in state.entries[:CAP] if entry.place < place]
        found = SlotFold(slot, self.facts_at, self._result_before).run(earlier).effective
        if found is None or found.ns is not None:
            return found
        seats = self.facts_at(place).at_slot(slot.session, slot.section, slot.round, slot.table, slot.board, place)
        if seats is None:
            return found
        return Effective(
            found.identity, found.result, found.holder, found.source, seats.ns, seats.ew, ending=found.ending
        )

    # Charting.

    def session_names(self) -> tuple[str, ...]:
        """The sessions of the event, in the order announced, then as they occur."""
        described = self.facts.described.last()
        listed = [plan.id for plan in described.sessions] if described is not None else []
        found = [*self.facts.sessions, *(key[0] for key in self.facts.movements), *(key[0] for key in self.groups)]
        return tuple(dict.fromkeys([*listed, *sorted(found)]))

    def tally(self, session: str, contestant: ContestantId) -> Tally:
        """A contestant's tally in a session."""
        of_session = self.tallies.setdefault(session, {})
        known = of_session.get(contestant)
        if known is None:
            known = of_session[contestant] = Tally()
        return known

    def _reshape(self) -> None:
        """Lay out seats and boards anew; the slots' verdicts are untouched."""
        self.boards, self.groups, self.deals_open, self.tallies = {}, {}, {}, {}
        self._stale = set()
        facts = self.facts
        for state in self.slots.values():
            state.board, state.line, state.due, state.open, state.seats = None, None, False, False, None
        for session, section, round_number, table, board, seats in self._seating(facts):
            key = (session, section, round_number, table, board)
            state = self.slots.get(key)
            if state is None:
                slot = Slot(SessionId(session), SectionId(section), round_number, table, BoardNumber(board))
                state = self._new_slot(key, slot)
            state.seats = seats
        for state in self.slots.values():
            self._chart(state)
        self._lists.update(self.session_names())

    def _seating(
        self, facts: Facts
    ) -> Iterator[tuple[str, str, int, int, int, tuple[ContestantId | None, ContestantId | None, str | None]]]:
        for (session, section), timeline in facts.movements.items():
            seating = timeline.last()
            if seating is None:
                continue
            for round_number, table, board, seated in seating.slots():
                here = (session, section, round_number, table)
                if here in facts.reseated or here in facts.match_at:
                    continue
                ns = facts.contestant(section, seated.ns, END)
                ew = facts.contestant(section, seated.ew, END)
                yield session, section, round_number, table, board, (ns, ew, None)
        for here in dict.fromkeys([*facts.match_at, *facts.reseated]):
            for board in sorted(self._boards_at(facts, here)):
                seats = facts.at_slot(*here, board, END)
                if seats is not None and seats.board_known:
                    yield *here, board, (seats.ns, seats.ew, seats.match)

    def _boards_at(self, facts: Facts, here: tuple[str, str, int, int]) -> set[int]:
        boards: set[int] = set()
        reseated = facts.reseated.get(here)
        changed = None if reseated is None else reseated.last()
        if changed is not None and changed.boards is not None:
            return set(changed.boards)
        of_match = facts.match_at.get(here)
        found = None if of_match is None else of_match.last()
        if found is not None:
            boards |= set(found[0].boards)
        movement = facts.movements.get(here[:2])
        seating = None if movement is None else movement.last()
        if seating is not None and found is None:
            for seated in seating.tables.get(here[2:], ()):
                boards |= seated.boards
        return boards

    def _chart(self, state: SlotState) -> None:
        """Put a slot's result where it is compared, and count what is due."""
        facts = self.facts
        slot = state.slot
        effective = state.standing.effective
        cancelled = facts.is_cancelled(slot)
        result = None if effective is None else effective.result
        due, is_open = self._is_due(state, result, cancelled=cancelled)
        line: Line | None = None
        board_id: BoardId | None = None
        if not cancelled and (due or effective is not None):
            board_id = self._board_id(state)
            if effective is not None and not isinstance(result, NotPlayed | NoScore):
                line = self._line(state, effective)
        self._move(state, board_id, line, due=due, is_open=is_open)
        self._lists.add(slot.session)

    def _is_due(self, state: SlotState, result: object, *, cancelled: bool) -> tuple[bool, bool]:
        if cancelled or isinstance(result, NoScore):
            return False, False
        to_come = result is None or (isinstance(result, NotPlayed) and result.cause is Unplayed.LATE_PLAY_DUE)
        seats = state.seats
        if seats is None:
            return result is not None, result is not None and to_come
        ns, ew = seats[0], seats[1]
        if ns is None or ew is None:
            return result is not None, result is not None and to_come
        if result is None:
            slot = state.slot
            facts = self.facts
            if facts.withdrawn_from and (
                facts.has_left(ns, slot.session, slot.round) or facts.has_left(ew, slot.session, slot.round)
            ):
                return False, False
        return True, to_come

    def _board_id(self, state: SlotState) -> BoardId:
        slot = state.slot
        match = None if state.seats is None else state.seats[2]
        conditions = self.conditions
        form = self.facts.form(slot, END) if self.facts.forms else ""
        if conditions.score_method is Method.TEAM_IMPS:
            return BoardId(slot.session, f"match:{match or ''}", slot.board, form)
        group = "field" if conditions.field_compare is Comparison.FIELD else slot.section
        return BoardId(slot.session, group, slot.board, form)

    def seated(self, state: SlotState) -> tuple[ContestantId | None, ContestantId | None]:
        """Who sat there: as the director reseated, else as the result says, else as the movement has it."""
        effective = state.standing.effective
        slot = state.slot
        ns, ew = (None, None) if state.seats is None else state.seats[:2]
        if effective is not None:
            here = (slot.session, slot.section, slot.round, slot.table)
            if here not in self.facts.reseated and (state.seats is None or state.seats[2] is None):
                ns = effective.ns if effective.ns is not None else ns
                ew = effective.ew if effective.ew is not None else ew
            if effective.swapped:
                ns, ew = ew, ns
        return ns, ew

    def _line(self, state: SlotState, effective: Effective) -> Line:
        slot = state.slot
        ns, ew = self.seated(state)
        result = effective.result
        ns_key: Key | None
        ew_key: Key | None
        ns_award: Artificial | None = None
        ew_award: Artificial | None = None
        if isinstance(result, Adjusted):
            ns_key, ns_award = _rated_by(result.ns)
            ew_key, ew_award = _rated_by(result.ew)
        else:
            vulnerability = self.facts.vulnerability(slot, END)
            ns_key = ew_key = ns_points(result, vulnerability, self.conditions.score_table)  # type: ignore[arg-type]
        key = slot_key(slot)
        line = Line(key, effective.identity, ns, ew, ns_key, ew_key, ns_award, ew_award)
        match = None if state.seats is None else state.seats[2]
        if match is not None and self.conditions.score_method is Method.TEAM_IMPS:
            line.home = self._home(match, slot, swapped=effective.swapped)
        line.ns_tally = None if ns is None else self.tally(slot.session, ns)
        line.ew_tally = None if ew is None else self.tally(slot.session, ew)
        return line

    def _home(self, match: str, slot: Slot, *, swapped: bool) -> Direction | None:
        timeline = self.facts.match_at.get((slot.session, slot.section, slot.round, slot.table))
        found = None if timeline is None else timeline.last()
        if found is None or found[0].match != match:
            return None
        return found[1].other if swapped else found[1]

    def _move(
        self, state: SlotState, board_id: BoardId | None, line: Line | None, *, due: bool, is_open: bool
    ) -> None:
        old = state.board
        if old is not None:
            self._count_due(old.id, due=-int(state.due), is_open=-int(state.open))
            if state.line is not None:
                if state.line.counted and old.rating is not None:
                    count(old, state.line, old.rating, -1)
                old.remove(state.line)
            self._stale.add(old)
        state.due, state.open, state.line = due, is_open, line
        if board_id is None:
            state.board = None
            return
        board = self.boards.get(board_id)
        if board is None:
            board = self.boards[board_id] = Board(board_id)
        state.board = board
        if line is not None:
            board.add(line)
        self._count_due(board_id, due=int(due), is_open=int(is_open), board=board)
        self._stale.add(board)

    def _count_due(self, board_id: BoardId, *, due: int, is_open: int, board: Board | None = None) -> None:
        session, name, number, _ = board_id
        group = self.groups.get((session, name))
        if group is None:
            group = self.groups[session, name] = GroupCount()
        if board is not None:
            boards = group.boards.setdefault(number, [])
            if board not in boards:
                boards.append(board)
        if due:
            group.due[number] = group.due.get(number, 0) + due
        if is_open:
            before = group.open.get(number, 0)
            group.open[number] = before + is_open
            if (before == 0) != (group.open[number] == 0):
                self._stale.update(group.boards.get(number, ()))
            deal = (session, number)
            self.deals_open[deal] = self.deals_open.get(deal, 0) + is_open

    # Rating, when somebody asks.

    def field_of(self, board: Board) -> Field:
        """What a board is rated against."""
        session, name, number, _ = board.id
        group = self.groups[session, name]
        siblings = group.boards[number]
        largest = len(siblings) == 1 or all(other.results <= board.results for other in siblings)
        return Field(group.expected, group.open.get(number, 0) > 0, largest)

    def rated(self, board: Board) -> Rating:
        """A board's rating, brought up to date with its lines."""
        if board.rating is None or board in self._stale:
            self._rate(board)
            self._stale.discard(board)
        return cast("Rating", board.rating)

    @property
    def shown_conditions(self) -> Conditions:
        """The conditions with the rules for showing lines in the place of those for totals."""
        conditions = self.conditions
        return replace(conditions, mp_missing=conditions.line_missing, mp_round=conditions.line_round)

    def slots_on(self, board: Board) -> Iterator[SlotState]:
        """The slots that are charted on a board."""
        for state in self.by_deal.get((board.id.session, board.id.board), ()):
            if state.board is board:
                yield state

    def rate_all(self) -> None:
        """Bring every board and tally up to date."""
        for board in self._stale:
            self._rate(board)
        self._stale.clear()

    def _rate(self, board: Board) -> None:
        after = rate(board, self.conditions, self.field_of(board))
        recount(board, board.rating, after)
        board.rating = after

    # Verdicts, when somebody asks.

    def decision(self, identity: Identity) -> Decision | None:
        """The verdict on a record; None for one that has not been read."""
        stamped = self.records.by_identity.get(identity)
        if stamped is None:
            return None
        judgement, slot = self._judgement(identity, stamped)
        record = stamped.record
        return Decision(
            self.id,
            identity,
            getattr(record, "kind", ""),
            judgement.verdict,
            judgement.reason,
            judgement.field,
            judgement.value,
            judgement.rule,
            judgement.article,
            judgement.flags,
            slot,
            judgement.effective,
            stamped.stamp,
        )

    def _judgement(self, identity: Identity, stamped: Stamped) -> tuple[Judgement, Slot | None]:
        record = stamped.record
        if record.original_stamp is not None and not self.records.is_honoured(stamped):
            refused = Refused(
                Reason.IMPORT_INTO_LIVE_EVENT,
                field="original_stamp",
                value=record.original_stamp.time_us,
                rule="only in an event with no live record",
            )
            return judged(refused), None
        missing = self.records.missing(stamped)
        if missing:
            waits = Judgement(
                Verdict.WAITING_FOR_REFERENCE,
                Reason.REFERENCE_UNKNOWN,
                field="record",
                value=missing[0],
                rule="a record that has been read",
            )
            return waits, None
        worst: Judgement | None = self._fact_judgements.get(identity)
        where: Slot | None = None
        for slot in self._slots_of(record):
            state = self.slots[slot_key(slot)]
            found = (state.judgements or {}).get(identity, ACCEPTED)
            if worst is None or _WORST[found.verdict] > _WORST[worst.verdict] or (worst is ACCEPTED and found.flags):
                worst, where = found, slot
        return worst or ACCEPTED, where

    def conflict(self, identity: Identity, digest: str) -> Decision:
        """The refusal of another content under a taken identity."""
        stamped = self.records.conflicts[identity, digest]
        return Decision(
            self.id,
            identity,
            getattr(stamped.record, "kind", ""),
            Verdict.REFUSED,
            Reason.IDENTITY_TAKEN,
            "id",
            identity,
            "one content for one identity",
            stamp=stamped.stamp,
            payload_digest=digest,
        )


def _rated_by(award: Award) -> tuple[Key | None, Artificial | None]:
    if isinstance(award, Artificial):
        return None, award
    if len(award.components) == 1:
        return int(award.components[0].ns_points), None
    return award.components, None


__all__ = ["SCORING_VERSION", "Changes", "Event", "SlotState", "names"]
