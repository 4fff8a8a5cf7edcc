"""The log of the embedded runtime: one SQLite file, one writer, any number of readers."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from pipeline.ports import Clock, LogUnavailable, Progress, UnreadableBytes
from pipeline.runtime.embedded import people, reader
from pipeline.runtime.embedded.file import LogFile, damage_named, open_log_file, open_reader
from pipeline.runtime.embedded.writer import Answer, Append, Entry, Job, Writer
from schemas.codec import AnyRecord, write_record
from schemas.published import PersonNamed
from schemas.record import Stamp, Stamped
from schemas.terms import EventId, PersonId
from schemas.topics import TOPIC_OF

MOST_WAITING: Final = 20_000
"""Records that may wait for the disk; more are told to come again, so that they cannot fill memory."""
RETRY_AFTER_SECONDS: Final = 1
Outcome = TypeVar("Outcome")
Future = asyncio.Future[Any]


class SqliteLog:
    """A log, and the people's names, in one file; used from the event loop that opened it.

    Stamps have partition 0, strictly increasing offsets from 0 and strictly increasing times, so log order
    is the order of offsets. Appends of many callers share a transaction and are answered after its commit.
    """

    def __init__(self, file: LogFile, clock: Clock, most_waiting: int) -> None:
        """Use `open`."""
        self._file, self._most_waiting = file, most_waiting
        self._loop = asyncio.get_running_loop()
        self._writer: Writer[Future] = Writer(file.connection, clock, self._answers)
        self._end = self._writer.end
        self._waiting = 0
        self._closed = False
        self._changed = asyncio.Event()
        self._writer.start()

    @classmethod
    async def open(cls, path: Path, clock: Clock, *, most_waiting: int = MOST_WAITING) -> "SqliteLog":
        """Open the log in this file, or make one.

        Raises LogFileLocked, LogFileNewer, LogFileForeign, LogFileDamaged, LogFileError.
        """
        return cls(await asyncio.to_thread(open_log_file, path), clock, most_waiting)

    @property
    def log_id(self) -> str:
        """Random, given when the file was made."""
        return self._file.log_id

    async def append(self, records: Sequence[AnyRecord]) -> Sequence[Stamp]:
        """Append all or none, durably; a record that is there already gets its first stamp back.

        Raises IdentityTaken, LogUnavailable.
        """
        if self._waiting >= self._most_waiting:
            raise LogUnavailable(f"{self._waiting} records wait for the disk", RETRY_AFTER_SECONDS)
        entries = [
            Entry((record.event, record.source, record.id), TOPIC_OF[type(record)], write_record(record))
            for record in records
        ]
        answer = self._new_answer()
        self._waiting += len(entries)
        try:
            self._writer.submit(Append(answer, entries))
            return cast("Sequence[Stamp]", await answer)
        finally:
            self._waiting -= len(entries)

    async def read(
        self, *, follow: bool = False, progress: Progress | None = None
    ) -> AsyncIterator[Sequence[Stamped | UnreadableBytes]]:
        """Yield batches from the start to what is there now; with `follow`, go on until the log is closed.

        Raises NewerSchema, LogFileDamaged.
        """
        position, there = 0, self._end
        with closing(await asyncio.to_thread(open_reader, self._file.path)) as connection:
            while True:
                while position < (self._end if follow else there):
                    with damage_named(self._file.path):
                        batch = await _to_its_end(
                            asyncio.to_thread(reader.entries_from, connection, position)
                        )
                    position = batch[-1].stamp.offset + 1
                    if progress is not None:
                        progress(min(position, there), there)
                    yield batch
                if not follow or self._closed:
                    return
                await self._changed.wait()

    async def end(self) -> int:
        """How many entries the log holds."""
        return self._end

    async def park(self, key: str | None, data: bytes, problem: str) -> UnreadableBytes:
        """Keep a copy, for people, of bytes that no model accepts. Raises LogUnavailable."""
        return await self._do(partial(self._park, key, data, problem))

    async def unreadable(self) -> Sequence[UnreadableBytes]:
        """What was parked, in the order in which it came."""
        return await self._do(lambda: reader.unreadable(self._writer.connection))

    async def name_person(self, named: PersonNamed) -> None:
        """Set what is known of a person. Raises LogUnavailable."""
        await self._do(lambda: people.name_person(self._writer.connection, named))

    async def erase_person(self, event: EventId, person: PersonId) -> None:
        """Leave a tombstone and no byte of the name. Raises LogUnavailable."""
        await self._do(lambda: people.erase_person(self._writer.connection, event, person))

    async def people(self, event: EventId) -> Mapping[PersonId, PersonNamed]:
        """Everybody who is named in an event and was not erased."""
        return await self._do(lambda: people.people(self._writer.connection, event))

    async def accept_clock(self) -> None:
        """Believe the wall clock as it stands: for an operator who has looked at it."""
        await self._do(self._writer.guard.accept)

    async def close(self) -> None:
        """Write what was accepted, end every `follow`, and let go of the file."""
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._writer.finish)
            self._file.lock.release()
        self._wake()

    def _park(self, key: str | None, data: bytes, problem: str) -> UnreadableBytes:
        time_us = self._writer.stamp_time()
        (number,) = self._writer.connection.execute(
            "INSERT INTO unreadable(time_us, key, data, problem) VALUES (?, ?, ?, ?) RETURNING number",
            (time_us, key, data, problem),
        ).fetchone()
        return UnreadableBytes(Stamp(time_us, "unreadable", 0, number), key, data, problem)

    async def _do(self, work: Callable[[], Outcome]) -> Outcome:
        answer = self._new_answer()
        self._writer.submit(Job(answer, work))
        return cast("Outcome", await answer)

    def _new_answer(self) -> Future:
        if self._closed:
            raise LogUnavailable("the log is closed", RETRY_AFTER_SECONDS)
        return self._loop.create_future()

    def _answers(self, answers: Sequence[Answer[Future]], end: int) -> None:
        """Hand the writer's answers to the loop, if it still runs."""
        try:
            self._loop.call_soon_threadsafe(self._tell, answers, end)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    def _tell(self, answers: Sequence[Answer[Future]], end: int) -> None:
        if end > self._end:
            self._end = end
            self._wake()
        for answer in answers:
            if answer.ticket.done():  # its caller was cancelled
                continue
            if isinstance(answer.outcome, Exception):
                answer.ticket.set_exception(answer.outcome)
            else:
                answer.ticket.set_result(answer.outcome)

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


async def _to_its_end(work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """Await what a thread does, and if cancelled let it end first: it must not find its file closed."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
