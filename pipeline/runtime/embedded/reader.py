"""Rows of the file back to stamped records, many at a time."""

import gc
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from pipeline.ports import UnreadableBytes
from schemas.codec import UnreadableRecord, read_record
from schemas.record import Stamp, Stamped
from schemas.topics import INPUTS

AT_ONCE: Final = 1_000
"""Entries in a batch: parsing them holds the interpreter for some 10 ms, which no live page notices."""
_TOPICS: Final = {topic.name: topic.name for topic in INPUTS}  # one string for all stamps of a topic

Row = tuple[int, int, str, str, bytes]
"""Offset, time, topic, event, data."""


def entries_from(connection: sqlite3.Connection, offset: int) -> Sequence[Stamped | UnreadableBytes]:
    """The next batch from this offset on, empty at the end. Raises NewerSchema."""
    rows: list[Row] = connection.execute(
        "SELECT offset, time_us, topic, event, data FROM entries WHERE offset >= ? ORDER BY offset LIMIT ?",
        (offset, AT_ONCE),
    ).fetchall()
    with _collector_at_rest():
        return [_entry(row) for row in rows]


def unreadable(connection: sqlite3.Connection) -> Sequence[UnreadableBytes]:
    """What was parked, in the order in which it came."""
    return [
        UnreadableBytes(Stamp(time_us, "unreadable", 0, number), key, data, problem)
        for number, time_us, key, data, problem in connection.execute(
            "SELECT number, time_us, key, data, problem FROM unreadable ORDER BY number"
        )
    ]


def _entry(row: Row) -> Stamped | UnreadableBytes:
    offset, time_us, topic, event, data = row
    stamp = Stamp(time_us, _TOPICS.get(topic, topic), 0, offset)
    try:
        return Stamped(read_record(data), stamp)
    except UnreadableRecord as error:
        return UnreadableBytes(stamp, event, data, str(error))


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    # What is made here stays, so the cycle collector would search thousands of new objects in vain
    # every few hundred records: a third of the time of a catch-up.
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
