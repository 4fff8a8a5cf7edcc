"""Folding with a net: a record that the fold falls over is set aside, and its event read again without it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pipeline.history import fold, name_of
from pipeline.ports import BoardName, UnreadableBytes
from pipeline.scoring.event import Changes, Event
from pipeline.scoring.events import Events
from pipeline.scoring.scores import EVENT
from schemas.decisions import Decision, Verdict
from schemas.record import Stamped
from schemas.terms import EventId, Identity

MOST_IN_A_ROW: Final = 50
"""So many in a row are no odd records: a bad release must not set the whole log aside."""
_SETTLED: Final = frozenset({Verdict.ACCEPTED, Verdict.WITHDRAWN})


class LoopStopped(Exception):
    """The fold fell over too many records in a row."""


@dataclass(slots=True)
class Room:
    """One event: its fold, what was said in log order, and what a director should look at."""

    event: Event
    entries: list[Stamped] = field(default_factory=list)
    incomplete: int = 0
    attention: dict[Identity, Verdict] = field(default_factory=dict)
    """Records with a verdict other than accepted or withdrawn."""


@dataclass(slots=True)
class Told:
    """What a batch changed in one event."""

    scopes: set[str] = field(default_factory=set)
    boards: set[BoardName] = field(default_factory=set)
    decisions: list[Decision] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Poison:
    """A record that the fold fell over."""

    stamped: Stamped
    problem: str


@dataclass(slots=True)
class Folded:
    """What came of a batch: changes by event, records set aside, entries of which only bytes are known."""

    told: dict[EventId, Told] = field(default_factory=dict)
    poison: list[Poison] = field(default_factory=list)
    unreadable: list[UnreadableBytes] = field(default_factory=list)


class Folder:
    """All events of a log; used from one thread."""

    def __init__(self) -> None:
        self.events = Events()
        self.rooms: dict[EventId, Room] = {}
        self.in_a_row = 0

    def take(self, batch: Sequence[Stamped | UnreadableBytes]) -> Folded:
        """Fold a batch. Raises LoopStopped."""
        found = Folded()
        parts: dict[EventId, list[Stamped]] = {}
        for entry in batch:
            if isinstance(entry, UnreadableBytes):
                found.unreadable.append(entry)
                self._count_unreadable(entry, found)
            else:
                parts.setdefault(entry.record.event, []).append(entry)
        for event, part in parts.items():
            self._take_part(event, part, found)
        return found

    def room(self, event: EventId) -> Room:
        """The room of an event; it is made for the first record."""
        known = self.rooms.get(event)
        if known is None:
            made = self.events.by_id.setdefault(event, Event(event))
            known = self.rooms[event] = Room(made)
        return known

    def _count_unreadable(self, entry: UnreadableBytes, found: Folded) -> None:
        if entry.key is not None:
            room = self.room(EventId(entry.key))
            room.incomplete += 1
            room.event.incomplete = room.incomplete
            found.told.setdefault(EventId(entry.key), Told()).scopes |= {EVENT, *room.event.session_names()}

    def _take_part(self, event: EventId, part: Sequence[Stamped], found: Folded) -> None:
        room = self.room(event)
        try:
            changes = self._apply(event, room, part)
        except Exception as error:  # noqa: BLE001 - the guarded loop: anything that comes here is a bug
            self._without(event, room)
            if len(part) > 1:
                for stamped in part:
                    self._take_part(event, [stamped], found)
            else:
                self._set_aside(event, room, part[0], error, found)
            return
        self.in_a_row = 0
        self._tell(event, room, changes, found)

    def _apply(self, event: EventId, room: Room, part: Sequence[Stamped]) -> Changes:
        changes = self.events.apply(part)[event]
        room.event = self.events.by_id[event]
        room.event.incomplete = room.incomplete
        room.entries += part
        return changes

    def _without(self, event: EventId, room: Room) -> None:
        """Nothing is repaired: the event is read again, as it was before the batch."""
        room.event = self.events.by_id[event] = fold(event, room.entries, room.incomplete)

    def _set_aside(
        self, event: EventId, room: Room, stamped: Stamped, error: Exception, found: Folded
    ) -> None:
        room.incomplete += 1
        room.event.incomplete = room.incomplete
        self.in_a_row += 1
        found.poison.append(Poison(stamped, f"{type(error).__name__}: {error}"))
        found.told.setdefault(event, Told()).scopes |= {EVENT, *room.event.session_names()}
        if self.in_a_row >= MOST_IN_A_ROW:
            raise LoopStopped(f"{self.in_a_row} records in a row cannot be folded: {error}") from error

    def _tell(self, event: EventId, room: Room, changes: Changes, found: Folded) -> None:
        if not changes:
            return
        told = found.told.setdefault(event, Told())
        if changes.sessions:
            told.scopes |= {EVENT, *changes.sessions}
        told.boards.update(name_of(board) for board in changes.boards)
        decided = [room.event.decision(identity) for identity in changes.decisions]
        decisions = [decision for decision in decided if decision is not None]
        for decision in decisions:
            if decision.verdict in _SETTLED:
                room.attention.pop(decision.record, None)
            else:
                room.attention[decision.record] = decision.verdict
        told.decisions += decisions
        told.decisions += [room.event.conflict(identity, digest) for identity, digest in changes.conflicts]
