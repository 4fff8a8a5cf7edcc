"""One event as a function of its records: `apply` is the only way in, and takes them in any order."""

from bisect import insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from pipeline.scoring import charting, decisions
from pipeline.scoring.admission import admit
from pipeline.scoring.board import Board, BoardId, Field, Line, Rating, rate
from pipeline.scoring.charting import GroupCount, SlotState, chart, lay_out, reseat
from pipeline.scoring.fact_history import FactHistory
from pipeline.scoring.facts import AtSlot, Facts
from pipeline.scoring.record_set import (
    END,
    START,
    Addition,
    Place,
    RecordSet,
    SlotKey,
    names,
    slot_key,
    slots_named,
)
from pipeline.scoring.slot import Around, SlotFold, accepted_in, require_initials
from pipeline.scoring.standing import Effective, Entry, Standing
from pipeline.scoring.totals import Tally, recount
from pipeline.scoring.verdict import ACCEPTED, Judgement, judged
from schemas import control, corrections, results
from schemas.codec import payload_digest
from schemas.conditions import Conditions
from schemas.decisions import Decision, Refused
from schemas.record import Record, Slot, Stamped
from schemas.terms import ContestantId, EventId, Identity

SCORING_VERSION: Final = 1
"""Rises with every change that can alter a published point."""

_OF_ONE_SLOT: Final = (results.BoardResult, results.ResultConfirmed)
_BY_PLACE: Final = attrgetter("place", "identity")
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
)
"""Records after which lines may belong elsewhere or boards count otherwise."""


def _is_plain(entries: Sequence[Entry]) -> bool:
    """Tell whether a slot has one result and perhaps its initials, as nearly all have."""
    return isinstance(entries[0].record, results.BoardResult) and (
        len(entries) == 1 or (len(entries) == 2 and isinstance(entries[1].record, results.ResultConfirmed))
    )


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
        self.sections: set[tuple[str, str]] = set()
        """The (session, section) that anybody sits in or has played in."""
        self.begun: set[str] = set()
        """The sections that anything was said of any slot in, before this batch."""
        self.matters: dict[tuple[str, str], list[int]] = {}
        """Open matters by (session, section): see `charting.matters`."""
        self.boards: dict[BoardId, Board] = {}
        self.groups: dict[tuple[str, str], GroupCount] = {}
        self.tallies: dict[str, dict[ContestantId, Tally]] = {}
        self.stale: set[Board] = set()
        """Boards whose rating is not that of their lines."""
        self.uncounted: set[Board] = set()
        """Boards whose lines are in the tallies by an earlier rating, or not yet."""
        self.awarded: dict[Board, dict[SlotKey, Line]] = {}
        """The lines with an artificial score."""
        self.history = FactHistory(self.records)
        self._around = Around(
            self.records.by_identity,
            self.history.at,
            self.history.withdrawn_at,
            self._seats_at,
            self._fold_before,
        )
        self.facts: Facts = self.history.now
        self.conditions: Conditions = self.facts.conditions_at(END)
        self._before: dict[tuple[SlotKey, Place], SlotFold] = {}
        self._moves: dict[tuple[Place, Identity], corrections.MoveResult] = {}
        self._unravelled = False
        self._waiting: dict[Identity, set[Identity]] = {}
        self._slot_place: Place = START
        """The last place in any slot, and below the same before this batch."""
        self._settled_place: Place = START
        self._touched: dict[SlotState, bool] = {}
        """Slots to be judged: all anew, or only what came behind the rest."""
        self._new_facts: list[Entry] = []
        self.memo: dict[object, object] = {}
        """What was worked out since the last batch."""
        self._changed: set[Board] = set()
        self._sessions: set[str] = set()
        self._decided: dict[Identity, None] = {}

    # In.

    def apply(self, batch: Iterable[Stamped]) -> Changes:
        """Take in a batch of stamped records of this event, in any order, repeats included."""
        conflicts: list[tuple[Identity, str]] = []
        reordered = False
        for stamped in batch:
            identity = stamped.record.identity
            addition = self.records.add(identity, stamped)
            if addition is Addition.NEW:
                self._file(stamped, identity)
            elif addition is Addition.KNOWN:
                continue
            self.as_of_us = max(self.as_of_us, stamped.stamp.time_us)
            if addition is Addition.NEW:
                continue
            if addition is Addition.CONFLICT:
                conflicts.append((identity, payload_digest(stamped.record)))
            else:
                reordered = True
        if reordered or self._unravelled:
            self._reset()
            self.as_of_us = self.records.latest_us()
            for identity, stamped in self.records.by_identity.items():
                self._file(stamped, identity)
            self._unravelled = False
        self.memo.clear()
        self._settle()
        self._settled_place = self._slot_place
        self._touch_awards()
        changes = Changes(
            frozenset(board.id for board in self._changed),
            frozenset(self._sessions),
            tuple(self._decided),
            tuple(conflicts),
        )
        self._changed.clear()
        self._sessions.clear()
        self._decided.clear()
        return changes

    def _file(self, stamped: Stamped, identity: Identity) -> None:
        record = stamped.record
        self._decided[identity] = None
        records = self.records
        if record.original_stamp is not None and not records.is_honoured(stamped):
            return
        named = names(record)
        if identity in named:
            return
        position = records.position(stamped)
        place = records.behind(position, named) if named else position
        if place is None:
            for name in records.missing(stamped):
                self._waiting.setdefault(name, set()).add(identity)
        elif isinstance(record, _OF_ONE_SLOT):
            self._enter_slot(Entry(place, position[0], record, identity), record.slot)
        else:
            self._enter(Entry(place, position[0], record, identity))
        if identity in self._waiting:
            for waiter in sorted(self._waiting.pop(identity)):
                waiting = self.records.by_identity[waiter]
                if self.records.place(waiting) is not None:
                    # Which slots a withdrawal of this one touches could not be known before.
                    self._unravelled = self._unravelled or isinstance(
                        waiting.record, corrections.RecordWithdrawn
                    )
                    self._file(waiting, waiter)

    def _enter(self, entry: Entry) -> None:
        record = entry.record
        named = self.slots_of(record)
        of_facts = isinstance(record, results.ResultDisputed | corrections.RecordWithdrawn)
        if not named or of_facts:
            self._new_facts.append(entry)
        for slot in named:
            self._enter_slot(entry, slot)
        if isinstance(record, corrections.MoveResult):
            self._moves[entry.place, entry.identity] = record

    def _enter_slot(self, entry: Entry, slot: Slot) -> None:
        key = (slot.session, slot.section, slot.round, slot.table, slot.board)
        state = self.slots.get(key)
        if state is None:
            state = self.new_slot(key, slot)
        entries = state.entries
        if not entries:
            entries.append(entry)
            self._touched[state] = True
        elif entries[-1].place < entry.place:
            entries.append(entry)
            self._touched.setdefault(state, False)
        else:
            insort(entries, entry, key=_BY_PLACE)
            self._touched[state] = True
        if self._slot_place < entry.place:  # noqa: PLR1730 - `max` would be a call for every record
            self._slot_place = entry.place

    def moves(self) -> Collection[corrections.MoveResult]:
        """The rulings that move a result, whatever became of them."""
        return self._moves.values()

    def new_slot(self, key: SlotKey, slot: Slot) -> SlotState:
        """File a slot that was not heard of before."""
        state = self.slots[key] = SlotState(key, slot)
        return state

    def slots_of(self, record: Record) -> tuple[Slot, ...]:
        """The slots that a record changes; a withdrawal changes those of the record that it takes back."""
        if isinstance(record, corrections.RecordWithdrawn):
            said = self.records.taken_back(record)
            return () if said is None else slots_named(said)
        return slots_named(record)

    # Settling.

    def _settle(self) -> None:
        reseated = self._take_facts()
        if self._moves and self._touched:
            self._fold_moves()
        placed: dict[SlotState, bool] = {}
        while self._touched:
            touched, self._touched = self._touched, {}
            if placed:
                placed.update(touched)
            else:
                placed = touched
            for state, anew in touched.items():
                self._evaluate(state, anew=anew)
                if self._moves:
                    self._touch_partners(state, placed)
        for state in dict.fromkeys([*reseated, *placed]) if reseated else placed:
            chart(self, state)
        played_in = {state.key[:2] for state in placed}
        self.sections |= played_in
        self._sessions.update(session for session, _ in played_in)
        self.begun.update(section for _, section in played_in)
        self._refresh_groups()

    def _refresh_groups(self) -> None:
        """A group with another number of results is to be rated anew, all of it."""
        for group in self.groups.values():
            if group.refresh():
                for boards in group.boards.values():
                    for board in boards:
                        self.touch(board)

    def _touch_awards(self) -> None:
        """An artificial score follows its contestant's other boards, so it changes with them."""
        if not self._changed or not self.awarded:
            return
        changed = self._changed.copy()
        sessions = {board.id.session for board in changed}
        for board, lines in self.awarded.items():
            if board.id.session in sessions and any(
                # In a match the award shows at both tables, and either team's other boards matter.
                tally is not None and not changed.isdisjoint(tally.on)
                for line in lines.values()
                for tally in (line.ns_tally, line.ew_tally)
            ):
                self._changed.add(board)

    def _take_facts(self) -> Collection[SlotState]:
        """Take in what changes no slot; answer the slots that are to be charted anew for it."""
        new, self._new_facts = self._new_facts, []
        if not new:
            return ()
        epochs, late = len(self.history.epochs), min(entry.place for entry in new) < self.history.latest
        first = self.history.take(new)
        self.facts = self.history.now
        self.conditions = self.facts.conditions_at(END)
        self._decided.update(dict.fromkeys(self.history.changed))
        self.history.changed.clear()
        for entry in new:
            self._sessions.update(self._sessions_of(entry.record))
        if first < self._settled_place:  # what this batch brought is touched already
            for state in self.slots.values():
                if state.entries and state.entries[-1].place > first:
                    self._touched[state] = True
        reshaping = [
            entry
            for entry in new
            # What a withdrawal of a result or ruling changes is in that slot, which is touched.
            if isinstance(entry.record, _RESHAPING)
            and not (isinstance(entry.record, corrections.RecordWithdrawn) and self.slots_of(entry.record))
        ]
        anew = late or epochs != len(self.history.epochs)
        if not (anew or reshaping):
            return ()
        self._sessions.update(self.session_names())
        if not anew and all(map(self._only_seats, reshaping)):
            records = [entry.record for entry in reshaping]
            movements = {
                (record.session, record.section)
                for record in records
                if isinstance(record, control.MovementSet)
            }
            numbers = {
                (record.section, record.number)
                for record in records
                if isinstance(record, control.ContestantEntered) and record.section and record.number
            }
            return reseat(self, movements, numbers)
        lay_out(self)
        return self.slots.values()

    def _only_seats(self, entry: Entry) -> bool:
        """Tell whether a record only seats people where nobody played: a congress is set up by thousands."""
        record = entry.record
        if isinstance(record, control.ContestantEntered):
            again = self.facts.entered_at.get(record.contestant, entry.place) != entry.place
            return not again and record.section not in self.begun
        if isinstance(record, control.MovementSet):
            return (record.session, record.section) not in self.sections
        return False

    def _sessions_of(self, record: Record) -> tuple[str, ...]:
        session = getattr(record, "session", None)
        if session is not None:
            return (session,)
        slot = getattr(record, "slot", None)
        return self.session_names() if slot is None else (slot.session,)

    def _evaluate(self, state: SlotState, *, anew: bool) -> None:
        entries = state.entries
        found: dict[Identity, Judgement] | None
        if _is_plain(entries):
            found = self._take_plain(state, anew=anew)
        else:
            fold = SlotFold(state.slot, self._around)
            state.standing = fold.run(entries, END)
            found = {
                name: judgement for name, judgement in fold.judgements.items() if judgement is not ACCEPTED
            }
        if found or state.judgements:
            before, after = state.judgements or {}, found or {}
            for name in after.keys() | before.keys():
                if after.get(name) != before.get(name):
                    self._decided[name] = None
            state.judgements = found or None

    def _take_plain(self, state: SlotState, *, anew: bool) -> dict[Identity, Judgement] | None:
        """What `SlotFold` does with a plain slot, without the bookkeeping."""
        found: dict[Identity, Judgement] = {}
        effective: Effective | None = None
        confirmed = False
        slot, entries = state.slot, state.entries
        if not anew and state.standing.effective is not None:  # the result counts; now come its initials
            found.update(state.judgements or {})
            effective, entries = state.standing.effective, entries[1:]
        for entry in entries:
            _, _, record, identity = entry
            facts = self.history.at(entry.place)
            try:
                if isinstance(record, results.BoardResult):
                    effective = admit(slot, entry, record, facts, self._seats_of(state, facts, entry.place))
                    judgement = accepted_in(facts, slot, entry)
                    if judgement is not ACCEPTED:
                        found[identity] = judgement
                elif isinstance(record, results.ResultConfirmed):  # pragma: no branch - a plain slot
                    require_initials(effective, slot, record, facts, entry.place)
                    confirmed = True
            except Refused as refused:
                found[identity] = judged(refused)
        state.standing = Standing(effective, confirmed)
        return found or None

    def _seats_at(self, slot: Slot, facts: Facts, place: Place) -> AtSlot | None:
        return self._seats_of(self.slots[slot_key(slot)], facts, place)

    def _seats_of(self, state: SlotState, facts: Facts, place: Place) -> AtSlot | None:
        seats = state.seats
        if seats is not None and facts is self.facts and seats.planned and facts.seated_since < place:
            return seats
        return facts.at_slot(state.slot, place)

    def _touch_partners(self, state: SlotState, placed: Mapping[SlotState, bool]) -> None:
        """The other halves of this slot's moves may be judged otherwise now."""
        for entry in state.entries:
            record = entry.record
            if isinstance(record, corrections.MoveResult):
                for slot in (record.slot, record.to.slot):
                    partner = self.slots[slot_key(slot)]
                    if partner is not state and partner not in placed:
                        self._touched[partner] = True

    def _fold_before(self, slot: Slot, place: Place) -> SlotFold:
        """Another slot just before a place, for a result that moves; kept while nothing changes."""
        key = slot_key(slot)
        known = self._before.get((key, place))
        if known is None:
            known = self._before[key, place] = SlotFold(slot, self._around)
            entries = self.slots[key].entries
            known.run((entry for entry in entries if entry.place < place), place)
        return known

    def _fold_moves(self) -> None:
        """Fold what moves rest on, earliest first, so that no move has to ask through a chain of others."""
        self._before.clear()
        for (place, _), record in sorted(self._moves.items(), key=lambda item: item[0]):
            self._fold_before(record.slot, place)
            self._fold_before(record.to.slot, place)

    # Questions.

    def show(self, board: Board) -> None:
        """A board is to be shown again: its scores are what they were."""
        self._changed.add(board)

    def touch(self, board: Board) -> None:
        """A board is to be rated and shown again."""
        self.stale.add(board)
        self._changed.add(board)

    def session_names(self) -> tuple[str, ...]:
        """The sessions of the event: as announced, then the others by name."""
        facts = self.facts
        found = {key[0] for key in facts.movements} | {key[0] for key in self.groups} | set(facts.sessions)
        return tuple(dict.fromkeys([*(facts.listed.last() or ()), *sorted(found)]))

    def tally(self, session: str, contestant: ContestantId) -> Tally:
        """A contestant's tally in a session."""
        try:
            return self.tallies[session][contestant]
        except KeyError:
            return self.tallies.setdefault(session, {}).setdefault(contestant, Tally())

    def seated(self, state: SlotState) -> tuple[ContestantId | None, ContestantId | None]:
        """Who sat at a slot."""
        return charting.seated(self, state)

    def slots_on(self, board: Board) -> Iterator[SlotState]:
        """The slots that are charted on a board."""
        return iter(board.states)

    def field_of(self, board: Board) -> Field:
        """What a board is rated against."""
        session, name, number, _ = board.id
        group = self.groups[session, name]
        siblings = group.boards[number]
        if len(siblings) == 1:
            return Field(group.expected, board.open > 0)
        return Field(
            group.expected,
            board.open > 0,
            all(sum(other.ns_chart.values()) <= sum(board.ns_chart.values()) for other in siblings),
            all(sum(other.ew_chart.values()) <= sum(board.ew_chart.values()) for other in siblings),
        )

    def rated(self, board: Board) -> Rating:
        """A board's rating, brought up to date with its lines."""
        if board.rating is None or board in self.stale:
            self.stale.discard(board)
            return self._rate(board)
        return board.rating

    def rate_all(self) -> None:
        """Bring every board and tally up to date."""
        for board in self.stale:
            self._rate(board)
        self.stale.clear()
        for board in self.uncounted:
            recount(board, self.rated(board))
        self.uncounted.clear()

    def _rate(self, board: Board) -> Rating:
        # Its lines are counted only when a list or an award asks for tallies: a rating is of scores,
        # of which a field of thousands has some forty.
        board.rating = rate(board, self.conditions, self.field_of(board))
        self.uncounted.add(board)
        return board.rating

    @property
    def shown_conditions(self) -> Conditions:
        """The conditions with the rules for showing lines in the place of those for totals."""
        conditions = self.conditions
        return replace(conditions, mp_missing=conditions.line_missing, mp_round=conditions.line_round)

    def decision(self, identity: Identity) -> Decision | None:
        """The verdict on a record; None for one that has not been read."""
        return decisions.decision(self, identity)

    def conflict(self, identity: Identity, digest: str) -> Decision:
        """The refusal of another content under a taken identity."""
        return decisions.conflict(self, identity, digest)
