"""The one thread that writes: gathers what waits into one transaction, and answers when it is on disk."""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final, Generic, TypeVar

from pipeline.ports import Clock, IdentityTaken, LogUnavailable
from pipeline.runtime.embedded.clock import ClockGuard, Reading
from schemas.codec import payload_digest, read_record
from schemas.record import Stamp

MOST_TOGETHER: Final = 1_000
"""Appends in one transaction: no answer waits for more than so many others."""
RETRY_AFTER_SECONDS: Final = 5
_INSERT: Final = (
    "INSERT INTO entries(offset, time_us, topic, event, source, id, data) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_FIND: Final = """SELECT offset, time_us, topic, event, source, id, data FROM entries
    WHERE event = ? AND source = ? AND id = ?"""

Key = tuple[str, str, str]
"""Event, source, id: what an identity is unique by."""
Row = tuple[int, int, str, str, str, str, bytes]
"""Offset, time, topic, event, source, id, data."""
Ticket = TypeVar("Ticket")
"""What a caller is found by again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record on its way into the file."""

    key: Key
    topic: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Append(Generic[Ticket]):
    """Entries to be appended all or none."""

    ticket: Ticket
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Job(Generic[Ticket]):
    """Anything else that needs the writing connection."""

    ticket: Ticket
    work: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Answer(Generic[Ticket]):
    """What became of an append or a job: its outcome, or the exception that its caller gets."""

    ticket: Ticket
    outcome: object


class Writer(Generic[Ticket]):
    """Takes requests from any thread; calls `answer` from its own, with the number of entries on disk."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        clock: Clock,
        answer: Callable[[Sequence[Answer[Ticket]], int], None],
    ) -> None:
        self.connection = connection
        self._answer = answer
        offset, time_us = connection.execute(
            "SELECT coalesce(max(offset) + 1, 0), coalesce(max(time_us), 0) FROM"
            " (SELECT offset, time_us FROM entries ORDER BY offset DESC LIMIT 1)"
        ).fetchone()
        self.end: int = offset
        self._last_us: int = time_us
        self.guard = ClockGuard(clock, time_us)
        self._requests: SimpleQueue[Append[Ticket] | Job[Ticket] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="log-writer", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def submit(self, request: Append[Ticket] | Job[Ticket]) -> None:
        """Queue a request; its answer comes by `answer`."""
        self._requests.put(request)

    def finish(self) -> None:
        """Write what is queued, close the file and end."""
        self._requests.put(None)
        self._thread.join()

    def stamp_time(self) -> int:
        """The time for something that is stamped but is no entry. Raises LogUnavailable."""
        return max(self.guard.read().wall_us, self._last_us)

    def _run(self) -> None:
        going = True
        while going:
            gathered = self._gather()
            going = None not in gathered
            appends = [request for request in gathered if isinstance(request, Append)]
            if appends:
                answers = self._append(appends)
                self._answer(answers, self.end)
            for request in gathered:
                if isinstance(request, Job):
                    self._answer([self._do(request)], self.end)
        self.connection.close()

    def _gather(self) -> list[Append[Ticket] | Job[Ticket] | None]:
        gathered = [self._requests.get()]
        with suppress(Empty):
            while gathered[-1] is not None and len(gathered) < MOST_TOGETHER:
                gathered.append(self._requests.get_nowait())
        return gathered

    def _do(self, job: Job[Ticket]) -> Answer[Ticket]:
        try:
            return Answer(job.ticket, job.work())
        except sqlite3.Error as error:
            return Answer(job.ticket, unavailable(error))
        except Exception as error:  # noqa: BLE001 - the caller raises it; this thread must go on
            return Answer(job.ticket, error)

    def _append(self, appends: Sequence[Append[Ticket]]) -> list[Answer[Ticket]]:
        group = _Group(self.connection, self.guard, self.end, self._last_us)
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            answers = [Answer(append.ticket, group.place(append.entries)) for append in appends]
            self.connection.executemany(_INSERT, group.fresh.values())
            self.connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - every caller raises it; this thread must go on
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")
            failure = unavailable(error) if isinstance(error, sqlite3.Error) else error
            return [Answer(append.ticket, failure) for append in appends]
        if group.reading is not None:
            self.end, self._last_us = group.end, group.last_us
            self.guard.stamped(group.reading, group.last_us)
        return answers


class _Group:
    """The appends of one transaction; `fresh` are the rows to be written."""

    def __init__(self, connection: sqlite3.Connection, guard: ClockGuard, end: int, last_us: int) -> None:
        self._connection, self._guard = connection, guard
        self.end, self.last_us = end, last_us
        self.reading: Reading | None = None
        self.fresh: dict[Key, Row] = {}

    def place(self, entries: Sequence[Entry]) -> Sequence[Stamp] | Exception:
        """The stamps of one append, or why it is refused, and then none of its entries is written."""
        mine: dict[Key, Row] = {}
        end, last_us = self.end, self.last_us
        stamps = []
        try:
            for entry in entries:
                key = entry.key
                row = mine.get(key) or self.fresh.get(key) or self._connection.execute(_FIND, key).fetchone()
                if row is None:
                    last_us = max(self._now(), last_us + 1)
                    row = mine[key] = (end, last_us, entry.topic, *key, entry.data)
                    end += 1
                elif row[6] != entry.data:
                    _must_say_the_same(entry, row[6])
                stamps.append(Stamp(row[1], row[2], 0, row[0]))
        except (IdentityTaken, LogUnavailable) as refusal:
            return refusal
        self.fresh.update(mine)
        self.end, self.last_us = end, last_us
        return stamps

    def _now(self) -> int:
        if self.reading is None:
            self.reading = self._guard.read()
        return self.reading.wall_us


def _must_say_the_same(entry: Entry, known: bytes) -> None:
    """Compare by the client's own payload what differs in its bytes. Raises IdentityTaken."""
    try:
        digest = payload_digest(read_record(known))
    except ValueError:  # we cannot read what we have, so we cannot call it equal
        digest = "unknown"
    if digest != payload_digest(read_record(entry.data)):
        raise IdentityTaken("/".join(entry.key[1:]), digest)


def unavailable(error: sqlite3.Error) -> LogUnavailable:
    """What a sender is told when the disk is full or fails: it is unknown whether the log has it."""
    return LogUnavailable(f"the log cannot be written: {error}", RETRY_AFTER_SECONDS)
