"""What has been made of a USEBIO file so far: records with identities, names, published figures, notes."""

from dataclasses import dataclass, field
from typing import Final, TypedDict

from pipeline.formats.imported import Note, NoteKind, PublishedLine, PublishedTotal
from schemas.codec import AnyRecord
from schemas.record import Role
from schemas.terms import EventId, PersonId, RecordId, SourceId

_SOURCE: Final = SourceId("usebio")


class Envelope(TypedDict):
    """What every record of this reader carries."""

    event: EventId
    id: RecordId
    source: SourceId
    role: Role


@dataclass(slots=True)
class Reading:
    """Collects in the order of reading; record ids count from 1."""

    event: EventId
    records: list[AnyRecord] = field(default_factory=list)
    people: dict[PersonId, str] = field(default_factory=dict)
    lines: list[PublishedLine] = field(default_factory=list)
    totals: list[PublishedTotal] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def envelope(self) -> Envelope:
        """Return the envelope of the record that is added next."""
        return {
            "event": self.event,
            "id": RecordId(str(len(self.records) + 1)),
            "source": _SOURCE,
            "role": Role.IMPORTER,
        }

    def add(self, record: AnyRecord) -> None:
        """Take a record."""
        self.records.append(record)

    def note(self, kind: NoteKind, place: object, value: str) -> None:
        """Say what was noticed."""
        self.notes.append(Note(kind, str(place), value))
