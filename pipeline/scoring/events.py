"""Several events in one log: each record goes to its own."""

from collections.abc import Iterable, Mapping

from pipeline.scoring.event import Changes, Event
from schemas.record import Stamped
from schemas.terms import EventId


class Events:
    """The events of a log by id; an event begins with its first record."""

    def __init__(self) -> None:
        self.by_id: dict[EventId, Event] = {}

    def apply(self, batch: Iterable[Stamped]) -> Mapping[EventId, Changes]:
        """Fold a batch; answer what changed in which event."""
        parts: dict[EventId, list[Stamped]] = {}
        for stamped in batch:
            parts.setdefault(stamped.record.event, []).append(stamped)
        return {name: self._event(name).apply(part) for name, part in parts.items()}

    def _event(self, name: EventId) -> Event:
        known = self.by_id.get(name)
        if known is None:
            known = self.by_id[name] = Event(name)
        return known
