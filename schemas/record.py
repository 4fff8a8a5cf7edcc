"""The envelope of a record: who said it, in which event, with what authority, stamped by which log."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, NamedTuple

from pydantic import Field

from schemas.terms import BoardNumber, EventId, Identity, RecordId, SectionId, SessionId, SourceId

LAST_US: Final = 253_402_300_799_999_999
"""The end of the year 9999: no calendar has a later moment, so no log gives such a stamp."""
WIRE_VERSION: Final = 1
"""The schema these models write; readers are upgraded before writers, so a higher one stops a reader."""

NAMED: Final = Field(pattern=r"^[A-Za-z0-9._:+-]{1,64}$")
"""What an identifier may be on the wire: no slash, for `source/id` joins two of them.

It goes beside a type of its own, `Annotated[EventId, NAMED]`; an `Annotated` there would be ignored.
"""
Name = Annotated[str, NAMED]
"""An identifier that has no type of its own."""
Reference = Annotated[Identity, Field(pattern=r"^[A-Za-z0-9._:+-]{1,64}/[A-Za-z0-9._:+-]{1,64}$")]
"""The identity of another record."""
Text = Annotated[str, Field(max_length=500)]
Round = Annotated[int, Field(ge=1, le=999)]
Table = Annotated[int, Field(ge=1, le=99_999)]
Board = Annotated[BoardNumber, Field(ge=1, le=9_999)]


class Role(StrEnum):
    """The authority behind a record, vouched for by the entry service that took it."""

    TABLE = "table"
    PAIR = "pair"
    SCORER = "scorer"
    DIRECTOR = "director"
    CHIEF_DIRECTOR = "chief-director"
    ORGANISER = "organiser"
    COMMITTEE = "committee"
    IMPORTER = "importer"


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where and when a log took a record; `time_us` is microseconds since 1970 UTC, by the log's clock."""

    time_us: Annotated[int, Field(ge=0, le=LAST_US)]
    topic: Name
    partition: Annotated[int, Field(ge=0)]
    offset: Annotated[int, Field(ge=0)]


class Position(NamedTuple):
    """A place in log order: append time in microseconds, rank of the topic, offset."""

    time_us: int
    topic_rank: int
    offset: int


@dataclass(frozen=True, slots=True)
class Slot:
    """One board at one table in one round: the place that a result fills."""

    session: Annotated[SessionId, NAMED]
    section: Annotated[SectionId, NAMED]
    round: Round
    table: Table
    board: Board

    def __str__(self) -> str:
        return f"{self.session}/{self.section}/r{self.round}/t{self.table}/b{self.board}"


@dataclass(frozen=True, slots=True)
class SlotChange:
    """A slot that a ruling changes, and the record that it replaces there (none: the slot is empty)."""

    slot: Slot
    supersedes: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What every record carries: `(source, id)` is its identity, `role` its authority.

    `device`, `sequence` and `said_at` are what the sender says of itself: shown, and watched for
    gaps, never believed. Only an importer gets an `original_stamp` past the entry.
    """

    event: Annotated[EventId, NAMED]
    id: Annotated[RecordId, NAMED]
    source: Annotated[SourceId, NAMED]
    role: Role
    wire: Annotated[int, Field(ge=1)] = WIRE_VERSION
    device: Name | None = None
    sequence: Annotated[int, Field(ge=0)] | None = None
    said_at: Annotated[str, Field(max_length=40)] | None = None
    original_stamp: Stamp | None = None

    @property
    def identity(self) -> Identity:
        """`source/id`."""
        return Identity(f"{self.source}/{self.id}")


@dataclass(frozen=True, slots=True)
class Stamped:
    """A record as the log holds it."""

    record: Record
    stamp: Stamp
