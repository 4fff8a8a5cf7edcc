"""The in-process hub: follows the log, keeps the latest fold of every event, and says what changed.

One thread folds and renders, so the fold needs no lock and the event loop never waits for it; the loop
holds the pages, encoded once.
"""

import asyncio
import gc
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog

from pipeline.history import index_pages, name_of, secrecy, standings_pages, traveller_pages
from pipeline.metrics import Metrics, Reader
from pipeline.ports import (
    BoardName,
    Clock,
    Log,
    LogUnavailable,
    NotReady,
    NotThere,
    Pages,
    Progress,
    Secrecy,
    Tick,
    UnreadableBytes,
)
from pipeline.runtime.embedded.fold import Folded, Folder, Poison, Room
from pipeline.runtime.embedded.ticks import APART_SECONDS, HEARTBEAT_SECONDS, Ticker
from pipeline.scoring.event import Event
from pipeline.scoring.scores import EVENT
from pipeline.scoring.travellers import board_ids
from schemas.codec import write_record
from schemas.control import Period
from schemas.decisions import Decision, Verdict
from schemas.record import Stamped
from schemas.terms import EventId, Identity

AT_ONCE: Final = 200
"""Entries folded before somebody who wants to read gets a turn: some 10 ms."""
SETTLED_US: Final = 2_000_000
"""So long after all is folded, nothing older is under way from the disk."""
MOST_TRAVELLERS: Final = 4_000
Outcome = TypeVar("Outcome")
LOG: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Rendered:
    pages: Pages
    at_seconds: float
    stale_us: int | None = None
    """When its status changes though nobody says anything."""


class _Shelf:
    """What is rendered of one event, and from which offset on it is old."""

    def __init__(self, ticker: Ticker) -> None:
        self.ticker = ticker
        self.lists: dict[str, _Rendered] = {}
        self.travellers: OrderedDict[BoardName, _Rendered] = OrderedDict()
        self.list_changed: dict[str, int] = {}
        self.board_changed: dict[BoardName, int] = {}
        self.changed = -1
        self.index: _Rendered | None = None
        self.secrecy: tuple[int, Secrecy] | None = None


class Hub:
    """The latest of everything, for entry and feed of the same process (see `pipeline.ports.LiveScores`)."""

    def __init__(
        self, log: Log, clock: Clock, metrics: Metrics, *, heartbeat_seconds: float = HEARTBEAT_SECONDS
    ) -> None:
        """Stand ready; `start` begins to read."""
        self._log, self._clock, self._metrics = log, clock, metrics
        self._heartbeat = heartbeat_seconds
        self._thread = ThreadPoolExecutor(1, "scorer")
        self._folder = Folder()
        self._folded_there = 0  # as the scorer's thread knows it
        self._folded = 0
        self._end = 0
        self._last_us = 0
        self._caught_up = asyncio.Event()
        self._advanced = asyncio.Event()
        self._shelves: dict[EventId, _Shelf] = {}
        self._rendering: dict[tuple[str, ...], asyncio.Task[_Rendered]] = {}
        self._trouble: str | None = "catching up"
        self._parked: set[tuple[str | None, bytes]] = set()
        self._task: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None

    # The loop.

    def start(self, progress: Progress | None = None) -> None:
        """Read the log from its start, then follow it."""
        self._task = asyncio.create_task(self._run(progress), name="hub")
        self._watch = asyncio.create_task(self._watch_clock(), name="hub-clock")

    async def caught_up(self) -> None:
        """Wait until what the log held at the start is folded."""
        await self._caught_up.wait()

    async def close(self) -> None:
        """Stop following; what was asked for is answered."""
        self.end_ticks()
        for task in (self._task, self._watch):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        self._thread.shutdown(wait=True)

    def end_ticks(self) -> None:
        """End every stream, so that a server can stop."""
        for shelf in self._shelves.values():
            shelf.ticker.close()

    async def _run(self, progress: Progress | None) -> None:
        self._metrics.loop_alive.set(1)
        collecting = gc.isenabled()
        gc.disable()  # what is folded stays: searching it for cycles is a third of the time of a catch-up
        try:
            self._parked = {(kept.key, kept.data) for kept in await self._log.unreadable()}
            behind = await self._log.end()
            if not behind:
                self._begin(collecting)
            async for batch in self._log.read(follow=True, progress=progress):
                step = AT_ONCE if self._caught_up.is_set() else len(batch)
                for first in range(0, len(batch), step):
                    await self._take(batch[first : first + step])
                if not self._caught_up.is_set() and self._folded >= behind:
                    self._begin(collecting)
            self._trouble = "the log is closed"
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self._trouble = f"the loop has stopped: {error}"
            LOG.exception("loop_stopped", folded=self._folded)
        finally:
            if collecting:
                gc.enable()
            self._metrics.loop_alive.set(0)
            self._caught_up.set()
            self._wake()

    def _begin(self, collecting: bool) -> None:  # noqa: FBT001 - how the collector was found
        gc.collect()
        gc.freeze()
        if collecting:
            gc.enable()
        for shelf in self._shelves.values():
            shelf.ticker.begin_at(self._folded)
        self._trouble = None
        self._caught_up.set()
        LOG.info("log_caught_up", entries=self._folded, events=len(self._shelves))

    async def _take(self, batch: Sequence[Stamped | UnreadableBytes]) -> None:
        started = time.perf_counter()
        folded = await self._in_thread(lambda: self._fold(batch))
        self._metrics.fold_seconds.observe(time.perf_counter() - started)
        for poison in folded.poison:
            await self._park(poison)
        for entry in folded.unreadable:
            self._metrics.parked.inc()
            LOG.error("entry_unreadable", offset=entry.stamp.offset, problem=entry.problem)
        self._folded = batch[-1].stamp.offset + 1
        self._last_us = max(self._last_us, batch[-1].stamp.time_us)
        self._metrics.folded.set(self._folded)
        self._end = await self._log.end()
        self._metrics.entries.set(self._end)
        self._publish(folded)
        self._wake()

    def _fold(self, batch: Sequence[Stamped | UnreadableBytes]) -> Folded:
        found = self._folder.take(batch)
        self._folded_there = batch[-1].stamp.offset + 1
        return found

    def _publish(self, folded: Folded) -> None:
        live = self._caught_up.is_set()
        for event, told in folded.told.items():
            shelf = self._shelf(event)
            shelf.changed = self._folded
            for scope in told.scopes:
                shelf.list_changed[scope] = self._folded
            for board in told.boards:
                shelf.board_changed[board] = self._folded
            if live:
                for decision in told.decisions:
                    self._metrics.judge(decision.verdict, decision.reason)
                names = {str(decision.record) for decision in told.decisions}
                shelf.ticker.changed(self._folded, told.scopes, told.boards, names)
        for event in self._folder.rooms.keys() - self._shelves.keys():
            self._shelf(event)

    def _shelf(self, event: EventId) -> _Shelf:
        known = self._shelves.get(event)
        if known is None:
            ticker = Ticker(event, self._log.log_id, self._heartbeat)
            known = self._shelves[event] = _Shelf(ticker)
        return known

    async def _park(self, poison: Poison) -> None:
        """Keep the bytes for people, once however often the log is read again."""
        record = poison.stamped.record
        data = write_record(record)
        self._metrics.parked.inc()
        LOG.error("record_parked", offset=poison.stamped.stamp.offset, problem=poison.problem)
        if (record.event, data) in self._parked:
            return
        try:
            await self._log.park(record.event, data, poison.problem)
        except LogUnavailable as error:
            LOG.warning("record_not_parked", offset=poison.stamped.stamp.offset, problem=str(error))
            return
        self._parked.add((record.event, data))

    async def _watch_clock(self) -> None:
        """A period that runs out changes a list's status without a record."""
        while True:
            await asyncio.sleep(1)
            now = self._clock.wall_us()
            for shelf in self._shelves.values():
                over = [name for name, known in shelf.lists.items() if _is_over(known, now)]
                if over:
                    for name in over:
                        del shelf.lists[name]
                    shelf.ticker.changed(self._folded, {name.partition("/")[0] for name in over}, (), ())

    def _wake(self) -> None:
        advanced, self._advanced = self._advanced, asyncio.Event()
        advanced.set()

    async def _in_thread(self, work: Callable[[], Outcome]) -> Outcome:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # Where it stands.

    @property
    def log_id(self) -> str:
        """The log that is followed."""
        return self._log.log_id

    @property
    def folded(self) -> int:
        """Entries folded."""
        return self._folded

    def trouble(self) -> str | None:
        """Why the scores are not those of the log."""
        return self._trouble

    def watermark_us(self) -> int:
        """Nothing with an earlier or equal stamp is still to come."""
        if self._end > self._folded:
            return self._last_us
        return max(self._last_us, self._clock.wall_us() - SETTLED_US)

    async def wait_folded(self, offset: int, timeout_seconds: float) -> bool:
        """Wait until the entry at this offset is folded."""
        try:
            async with asyncio.timeout(timeout_seconds):
                while self._folded <= offset:
                    self._ready_or_catching_up()
                    await self._advanced.wait()
        except TimeoutError:
            return False
        return True

    def _ready_or_catching_up(self) -> None:
        if self._caught_up.is_set() and self._trouble is not None:
            raise NotReady(self._trouble, 5)

    # What it shows.

    def events(self) -> tuple[EventId, ...]:
        """The events there are."""
        self._ready()
        return tuple(self._shelves)

    async def index(self, event: EventId) -> Pages:
        """The lists of an event."""
        shelf = self._of(event)
        if shelf.index is None or shelf.index.pages.offset < shelf.changed:
            shelf.index = await self._render(
                ("index", event), event, lambda found: _Rendered(index_pages(found, self._folded_there), 0.0)
            )
        return shelf.index.pages

    async def standings(self, event: EventId, list_id: str, after: int = -1) -> Pages:
        """A list with at least this offset folded."""
        shelf = self._of(event)
        after = min(after, self._folded - 1)
        changed = shelf.list_changed.get(list_id.partition("/")[0], 0)
        known = shelf.lists.get(list_id)
        while known is None or not self._will_do(known, shelf, changed, after):
            known = await self._render(
                ("standings", event, list_id), event, lambda found: self._standings(found, list_id)
            )
            shelf.lists[list_id] = known
        return known.pages

    async def traveller(self, event: EventId, board: BoardName, after: int = -1) -> Pages:
        """A traveller with at least this offset folded."""
        shelf = self._of(event)
        after = min(after, self._folded - 1)
        known = shelf.travellers.get(board)
        # Other sections close a deal too, so any change of the event makes it old.
        while known is None or not self._will_do(known, shelf, shelf.changed, after):
            known = await self._render(
                ("traveller", event, *map(str, board)), event, lambda found: self._traveller(found, board)
            )
            shelf.travellers[board] = known
            if len(shelf.travellers) > MOST_TRAVELLERS:
                shelf.travellers.popitem(last=False)
        return known.pages

    async def boards(self, event: EventId) -> Sequence[BoardName]:
        """The boards of an event."""
        return await self.ask(event, lambda found: [name_of(board) for board in board_ids(found)])

    async def decisions_on(self, event: EventId, record: str) -> Sequence[Decision]:
        """The verdict on a record, then on other contents under its identity."""
        found = await self.ask(event, lambda fold: _decisions_on(fold, Identity(record)))
        if not found:
            raise NotThere("record", record)
        return found

    async def decisions(self, event: EventId, verdict: Verdict) -> Sequence[Decision]:
        """All records with this verdict."""
        self._of(event)
        return await self._in_thread(lambda: _decisions(self._folder.rooms[event], verdict))

    async def secrecy(self, event: EventId) -> Secrecy:
        """What decides about who may see what."""
        shelf = self._of(event)
        if shelf.secrecy is None or shelf.secrecy[0] < shelf.changed:
            shelf.secrecy = await self.ask(event, lambda found: (self._folded_there, secrecy(found)))
        return shelf.secrecy[1]

    async def ask(self, event: EventId, question: Callable[[Any], Outcome]) -> Outcome:
        """Put a question to the fold, in the one thread that touches it."""
        self._of(event)
        return await self._in_thread(lambda: question(self._folder.rooms[event].event))

    def entries(self, event: EventId) -> Sequence[Stamped]:
        """Everything that was said, in log order."""
        self._of(event)
        return self._folder.rooms[event].entries[:]

    def incomplete(self, event: EventId) -> int:
        """Entries that could not be read or folded."""
        self._of(event)
        return self._folder.rooms[event].incomplete

    def ticks(self, event: EventId, last: tuple[str, int, int] | None) -> AsyncIterator[Tick | None]:
        """Ticks from now on, or since the one last seen."""
        return self._of(event).ticker.watch(last)

    def _ready(self) -> None:
        if self._trouble is not None:
            raise NotReady(self._trouble)

    def _of(self, event: EventId) -> _Shelf:
        self._ready()
        known = self._shelves.get(event)
        if known is None:
            raise NotThere("event", event)
        return known

    # Rendering.

    def _will_do(self, known: _Rendered, shelf: _Shelf, changed: int, after: int) -> bool:
        """Tell whether a page is new enough: the latest, or no older than the last tick and just made."""
        if known.pages.offset <= after or _is_over(known, self._clock.wall_us()):
            return False
        if known.pages.offset >= changed:
            return True
        just_made = time.monotonic() - known.at_seconds < APART_SECONDS
        return just_made and known.pages.offset >= shelf.ticker.last[0]

    async def _render(
        self, key: tuple[str, ...], event: EventId, work: Callable[[Event], _Rendered]
    ) -> _Rendered:
        """Render once for all who ask meanwhile."""
        task = self._rendering.get(key)
        if task is None:
            task = asyncio.create_task(self._work(event, work))
            self._rendering[key] = task
            task.add_done_callback(lambda _: self._rendering.pop(key, None))
        return await asyncio.shield(task)

    async def _work(self, event: EventId, work: Callable[[Event], _Rendered]) -> _Rendered:
        return await self._in_thread(lambda: work(self._folder.rooms[event].event))

    def _standings(self, found: Event, list_id: str) -> _Rendered:
        started = time.monotonic()
        now = self._clock.wall_us()
        try:
            pages = standings_pages(found, list_id, now, self._folded_there)
        except KeyError:
            raise NotThere("list", list_id) from None
        ended = time.monotonic()
        self._metrics.render_seconds.labels(Reader.STANDINGS).observe(ended - started)
        return _Rendered(pages, ended, _next_end(found, list_id.partition("/")[0], now))

    def _traveller(self, found: Event, board: BoardName) -> _Rendered:
        started = time.monotonic()
        try:
            pages = traveller_pages(found, board, self._folded_there)
        except KeyError:
            raise NotThere("board", f"{board.session}/{board.group}/{board.board}") from None
        ended = time.monotonic()
        self._metrics.render_seconds.labels(Reader.TRAVELLER).observe(ended - started)
        return _Rendered(pages, ended)


def _is_over(known: _Rendered, now_us: int) -> bool:
    return known.stale_us is not None and now_us > known.stale_us


def _next_end(found: Event, scope: str, now_us: int) -> int | None:
    """When the next period of a scope runs out."""
    names = found.session_names() if scope == EVENT else (scope,)
    ends = [found.facts.session(name).until(period) for name in names for period in Period]
    return min((end for end in ends if end is not None and end >= now_us), default=None)


def _decisions_on(fold: Event, record: Identity) -> list[Decision]:
    first = fold.decision(record)
    if first is None:
        return []
    others = [fold.conflict(*key) for key in fold.records.conflicts if key[0] == record]
    return [first, *others]


def _decisions(room: Room, verdict: Verdict) -> list[Decision]:
    if verdict in {Verdict.ACCEPTED, Verdict.WITHDRAWN}:
        names = list(room.event.records.by_identity)
    else:
        names = [name for name, found in room.attention.items() if found is verdict]
    found = [decision for name in names if (decision := room.event.decision(name)) is not None]
    if verdict is Verdict.REFUSED:
        found += [room.event.conflict(*key) for key in room.event.records.conflicts]
    return [decision for decision in found if decision.verdict is verdict]
