"""Records as NDJSON, both ways: one bare or stamped record a line, and what could not be read beside them.

A line is a bare record, `{"stamp": {...}, "record": {...}}`, a person's name (kind `person`), or an entry
that no model accepted: `{"stamp": {...}, "key": ..., "data_base64": ..., "problem": ...}`. What this module
wrote it writes again to the byte. A line over `LONGEST_LINE` is never held in memory: its first `HEAD` bytes
and its length are kept.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from pipeline.formats.imported import BadFile, Imported, Note, NoteKind
from schemas.codec import AnyRecord, NewerSchema, UnreadableRecord, problems_of, read_record, write_record
from schemas.control import ConditionsPublished, EventDescribed
from schemas.published import PersonNamed, Unreadable
from schemas.record import WIRE_VERSION, Stamp, Stamped
from schemas.terms import PersonId

LONGEST_LINE: Final = 8 * 2**20
"""Bytes of a line that are read; the largest movement a record may hold takes less."""
HEAD: Final = 64 * 2**10
"""Bytes that are kept of a line that cannot be read."""


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A line that is no record: its number from 1, its first bytes, its whole length, and what is wrong."""

    number: int
    head: bytes
    length: int
    problem: str


@dataclass(frozen=True, slots=True)
class OverlongLine:
    """A line that was too long to be held: its first bytes and its whole length."""

    head: bytes
    length: int


@dataclass(frozen=True, slots=True)
class _StampedLine:
    stamp: Stamp
    record: Annotated[AnyRecord, Field(discriminator="kind")]


Line = AnyRecord | Stamped | PersonNamed | Unreadable | UnreadableLine
_STAMPED: Final = TypeAdapter(_StampedLine)
_UNREADABLE: Final = TypeAdapter(Unreadable)
_PERSON: Final = TypeAdapter(PersonNamed)


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes | OverlongLine]:
    r"""Lines from pieces of any size, such as blocks of a file; memory stays within a line and a piece.

    >>> list(lines_of([b"a", b"b\nc", b"\n", b"d"]))
    [b'ab', b'c', b'd']
    """
    held = bytearray()
    length = 0
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for end in ended:
            yield _whole(held, end, length)
            held.clear()
            length = 0
        length += len(rest)
        held += rest[: max(0, LONGEST_LINE + 1 - len(held))]
    if length:
        yield _whole(held, b"", length)


def _whole(held: bytearray, end: bytes, length: int) -> bytes | OverlongLine:
    if length + len(end) <= LONGEST_LINE:
        return bytes(held) + end
    return OverlongLine(bytes(held[:HEAD]) + end[: max(0, HEAD - len(held))], length + len(end))


def read_records(lines: Iterable[bytes | OverlongLine]) -> Iterator[Line]:
    """Read each line; one that cannot be read comes out as what it is, and the next is read all the same.

    Empty lines are skipped. Unknown fields are ignored, as in the log.
    Raises NewerSchema at a record of a later schema: it must not be guessed at.
    """
    for number, line in enumerate(lines, start=1):
        if isinstance(line, OverlongLine) or len(line) > LONGEST_LINE:
            head, length = (
                (line.head, line.length) if isinstance(line, OverlongLine) else (line[:HEAD], len(line))
            )
            yield UnreadableLine(number, head, length, f"{length} bytes: a line has at most {LONGEST_LINE}")
        elif line.strip():
            yield _read(number, line)


def write_record_line(record: AnyRecord) -> bytes:
    """A bare record as a line."""
    return write_record(record) + b"\n"


def write_stamped(stamped: Stamped) -> bytes:
    """A record with its stamp as a line."""
    return b'{"stamp":%b,"record":%b}\n' % (to_json(stamped.stamp), write_record(stamped.record))


def write_unreadable(entry: Unreadable) -> bytes:
    """An entry of a log that no model accepts as a line, so that an export loses nothing."""
    return _UNREADABLE.dump_json(entry) + b"\n"


def write_person(person: PersonNamed) -> bytes:
    """A person's name as a line, for files that carry an event and its names together."""
    return _PERSON.dump_json(person, exclude_none=True) + b"\n"


def read_ndjson(data: bytes) -> Imported:
    """Read a file of one event, to be scored like any other; stamps are kept as original stamps.

    Raises BadFile at the first line that is no record, for two events in a file and for a later schema.
    """
    records: list[AnyRecord] = []
    people: dict[PersonId, str] = {}
    notes: list[Note] = []
    try:
        for line in read_records(data.split(b"\n")):
            match line:
                case UnreadableLine():
                    seen = line.head[:80].decode("utf-8", "replace")
                    raise BadFile("ndjson", f"line {line.number}", seen, line.problem)
                case PersonNamed():
                    people[line.person] = line.name
                case Unreadable():
                    place = f"{line.stamp.topic} {line.stamp.offset}"
                    notes.append(Note(NoteKind.UNKNOWN_ELEMENT, place, line.problem))
                case Stamped():
                    # The file's stamp is the one that counts: it tells what was in time.
                    records.append(replace(line.record, original_stamp=line.stamp))  # type: ignore[arg-type]
                case _:
                    records.append(line)
    except NewerSchema as error:
        raise BadFile("ndjson", "wire", str(error), "a record of this schema or an earlier one") from error
    events = list(dict.fromkeys(record.event for record in records))
    if len(events) != 1:
        raise BadFile("ndjson", "event", ", ".join(events[:5]) or "none", "one event in a file")
    title = next((each.title for each in reversed(records) if isinstance(each, EventDescribed)), events[0])
    stated = next((each for each in reversed(records) if isinstance(each, ConditionsPublished)), None)
    return Imported(
        event=events[0],
        title=title,
        records=tuple(records),
        people=people,
        suggested_preset=stated.preset if stated else "exact",
        suggested_settings=dict(stated.settings) if stated else {},
        notes=tuple(notes),
    )


def _read(number: int, line: bytes) -> Line:
    try:
        # Three shapes, told apart by what only they have; a bare record has neither of these names.
        if line.startswith(b'{"stamp":'):
            return _read_stamped(line)
        if b'"stamp"' in line and _has_stamp(line):
            return _read_stamped(line)
        return _bare(line)
    except ValidationError as error:
        problem = "; ".join(str(each) for each in problems_of(error))
    except UnreadableRecord as error:
        problem = str(error)
    return UnreadableLine(number, line[:HEAD], len(line), problem[:500])


def _bare(line: bytes) -> AnyRecord | PersonNamed:
    try:
        return read_record(line)
    except UnreadableRecord:
        if _loose(line).get("kind") == "person":
            return _PERSON.validate_json(line, extra="ignore")
        raise


def _read_stamped(line: bytes) -> Line:
    try:
        read = _STAMPED.validate_json(line, extra="ignore")
    except ValidationError:
        loose = _loose(line)
        if "data_base64" in loose:
            return _UNREADABLE.validate_json(line, extra="ignore")
        if isinstance(loose.get("record"), dict):
            # A later schema may fail in any way; this says so by name.
            read_record(to_json(loose["record"]))
        raise
    if read.record.wire > WIRE_VERSION:
        raise NewerSchema(f"wire {read.record.wire}, this reader knows {WIRE_VERSION}")
    return Stamped(read.record, read.stamp)


def _has_stamp(line: bytes) -> bool:
    return "stamp" in _loose(line)


def _loose(line: bytes) -> dict[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
