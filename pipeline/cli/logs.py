"""A log as a command reads it: an SQLite file, or the NDJSON that `export-log` writes; and moments of it."""

import re
import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

from pipeline.cli.status import refuse_input
from pipeline.cli.waiting import waiting
from pipeline.formats.records_ndjson import UnreadableLine, lines_of, read_records
from pipeline.ports import UnreadableBytes
from pipeline.scoring.event import Event
from schemas.codec import NewerSchema
from schemas.published import PersonNamed, Unreadable
from schemas.record import Stamp, Stamped
from schemas.terms import EventId, PersonId
from schemas.topics import TOPIC_OF

SQLITE: Final = b"SQLite format 3\x00"
BLOCK: Final = 2**20
"""Bytes that are read at once."""
_TIME_OF_DAY: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?")


@dataclass(frozen=True, slots=True)
class LogRead:
    """What a log holds: stamped records in log order, entries that no model accepts, and names."""

    entries: Sequence[Stamped]
    unreadable: Sequence[UnreadableBytes] = ()
    people: Mapping[EventId, Mapping[PersonId, str]] = field(default_factory=dict)

    @property
    def events(self) -> tuple[EventId, ...]:
        """The events in it, in order of appearance."""
        return tuple(dict.fromkeys(stamped.record.event for stamped in self.entries))

    def of(self, event: EventId) -> list[Stamped]:
        """The records of one event."""
        return [stamped for stamped in self.entries if stamped.record.event == event]


class BadLine(ValueError):
    """A line of an NDJSON log that is neither record nor anything else that is in one."""

    def __init__(self, line: UnreadableLine) -> None:
        seen = line.head[:60].decode("utf-8", "replace")
        super().__init__(f"line {line.number}: {seen!r} - {line.problem}")


def read_log(log: str) -> LogRead:
    """Read a log, `-` for NDJSON on stdin; one that cannot be read ends the command with its fault named."""
    from pipeline.runtime.embedded.file import LogFileError

    try:
        with waiting(f"Reading {log}"):
            found = _read(log)
    except (BadLine, LogFileError, NewerSchema) as error:
        refuse_input(str(error) if isinstance(error, LogFileError) else f"{log}: {error}")
    except OSError as error:
        refuse_input(f"{log}: {error.strerror}")
    for entry in found.unreadable:
        sys.stderr.write(f"unreadable: offset {entry.stamp.offset}: {entry.problem}\n")
    return found


def _read(log: str) -> LogRead:
    if log == "-":
        return read_lines(sys.stdin.buffer)
    path = Path(log)
    with path.open("rb") as file:
        if file.read(len(SQLITE)) != SQLITE:
            file.seek(0)
            return read_lines(file)
    return _read_sqlite(path)


def _read_sqlite(path: Path) -> LogRead:
    from pipeline.runtime.embedded import people
    from pipeline.runtime.embedded.file import damage_named, open_reader
    from pipeline.runtime.embedded.reader import entries_from

    entries: list[Stamped] = []
    unreadable: list[UnreadableBytes] = []
    with damage_named(path), closing(open_reader(path)) as connection:
        position = 0
        while batch := entries_from(connection, position):
            position = batch[-1].stamp.offset + 1
            for entry in batch:
                (entries if isinstance(entry, Stamped) else unreadable).append(entry)  # type: ignore[arg-type]
        events = dict.fromkeys(stamped.record.event for stamped in entries)
        names = {
            event: {person: named.name for person, named in people.people(connection, event).items()}
            for event in events
        }
    return LogRead(entries, unreadable, names)


# NDJSON: see `formats/records_ndjson`.


def read_lines(file: BinaryIO) -> LogRead:
    """Read NDJSON of a log; a bare record has its original stamp, else one a microsecond after the last.

    Raises BadLine at a line that is none of these, and NewerSchema at a record of a later version.
    """
    entries: list[Stamped] = []
    unreadable: list[UnreadableBytes] = []
    people: dict[EventId, dict[PersonId, str]] = {}
    last = Stamp(0, "", 0, -1)
    blocks = iter(partial(file.read, BLOCK), b"")
    for line in read_records(lines_of(blocks)):
        match line:
            case UnreadableLine():
                raise BadLine(line)
            case PersonNamed():
                people.setdefault(line.event, {})[line.person] = line.name
            case Unreadable():
                data = b64decode(line.data_base64)
                unreadable.append(UnreadableBytes(line.stamp, line.key, data, line.problem))
            case Stamped():
                entries.append(line)
                last = line.stamp
            case _:
                next_us = last.time_us + 1 if entries else 0
                last = line.original_stamp or Stamp(next_us, TOPIC_OF[type(line)], 0, last.offset + 1)
                entries.append(Stamped(line, last))
    return LogRead(entries, unreadable, people)


# One event, and moments.


def chosen_event(log: LogRead, wanted: str | None) -> EventId:
    """The event that is asked about; where a log has but one, it need not be named."""
    events = log.events
    if wanted is not None:
        if EventId(wanted) not in events:
            refuse_input(f"unknown-event: {wanted}; the log has {', '.join(events) or 'none'}")
        return EventId(wanted)
    if len(events) != 1:
        refuse_input(f"unknown-event: say which with --event; the log has {', '.join(events) or 'none'}")
    return events[0]


def moment(text: str, entries: Sequence[Stamped]) -> int:
    """Read a moment as microseconds since 1970: ISO with zone, `HH:MM` (UTC) of the last day, or the number.

    A wrong one ends the command.
    """
    from pipeline.history import moments

    if text.isascii() and text.isdigit():
        return int(text)
    of_day = _TIME_OF_DAY.fullmatch(text)
    if of_day is not None:
        last_us = max((when for when, _ in moments(entries)), default=0)
        day = datetime.fromtimestamp(last_us // 1_000_000, UTC).replace(hour=0, minute=0, second=0)
        hour, minute, second = (int(part) if part else 0 for part in of_day.groups())
        return _microseconds(day + timedelta(hours=hour, minutes=minute, seconds=second))
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        refuse_input(
            f"bad-time: {text} - ISO with a zone (2026-01-03T21:40Z), HH:MM of the last day, or microseconds"
        )
    if found.tzinfo is None:
        refuse_input(f"bad-time: {text} - say its zone, as in {text}Z")
    return _microseconds(found)


def _microseconds(when: datetime) -> int:
    return (when - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def clock_text(us: int) -> str:
    """A moment as ISO, to the second."""
    try:
        return datetime.fromtimestamp(us // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return str(us)


def fold(log: LogRead, event: EventId) -> Event:
    """The event as the whole log has it."""
    from pipeline.history import fold as folded

    incomplete = sum(entry.key == event for entry in log.unreadable)
    with waiting(f"Folding {event}"):
        return folded(event, log.of(event), incomplete)


def fold_until(log: LogRead, event: EventId, us: int) -> Event:
    """The event as it stood at a moment."""
    from pipeline.history import as_of

    with waiting(f"Folding {event} until {clock_text(us)}"):
        return as_of(event, log.of(event), us)
