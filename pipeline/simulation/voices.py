"""Who speaks in an invented event: one source for each role, and numbers that nobody else uses."""

from collections.abc import Mapping
from typing import Final, TypedDict

from schemas.codec import AnyRecord
from schemas.record import Role
from schemas.terms import EventId, RecordId, SourceId

Timed = tuple[int, AnyRecord]
"""Microseconds since the event was set up, and what is said then."""
SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
SOURCES: Final[Mapping[Role, SourceId]] = {
    Role.TABLE: SourceId("tables"),
    Role.PAIR: SourceId("pairs"),
    Role.SCORER: SourceId("scorer"),
    Role.DIRECTOR: SourceId("director"),
    Role.CHIEF_DIRECTOR: SourceId("chief-director"),
    Role.ORGANISER: SourceId("organiser"),
    Role.COMMITTEE: SourceId("committee"),
    Role.IMPORTER: SourceId("importer"),
}
"""A record id is used once whatever its source, so that one source may also speak for all."""


class Envelope(TypedDict):
    """What `Record` asks of every record."""

    event: EventId
    id: RecordId
    source: SourceId
    role: Role


class Officials:
    """Numbers everything that is not a table's result."""

    def __init__(self, event: EventId) -> None:
        self.event, self._said = event, 0

    def say(self, role: Role) -> Envelope:
        """The envelope of the next record, by this role."""
        self._said += 1
        return Envelope(
            event=self.event, id=RecordId(f"{self.event}.{self._said}"), source=SOURCES[role], role=role
        )
