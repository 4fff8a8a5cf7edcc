"""Small ticks that say what changed: at once when idle, then at most ten a second, always the last one."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from typing import Final

from pipeline.ports import BoardName, Tick
from schemas.terms import EventId

APART_SECONDS: Final = 0.1
HEARTBEAT_SECONDS: Final = 15.0
MOST_REMEMBERED: Final = 600
"""A minute of the fastest play, for a phone that comes out of a tunnel."""


class Ticker:
    """The ticks of one event, for any number of watchers; a slow one gets several as one."""

    def __init__(self, event: EventId, log_id: str, heartbeat_seconds: float = HEARTBEAT_SECONDS) -> None:
        """Begin with nothing to tell."""
        self.event, self._log_id, self._heartbeat = event, log_id, heartbeat_seconds
        self.last: tuple[int, int] = (0, 0)
        self._complete_from: tuple[int, int] = (0, 0)
        """Whoever has seen this has missed nothing that is not remembered."""
        self._remembered: deque[Tick] = deque()
        self._changed = asyncio.Event()
        self._scopes: set[str] = set()
        self._boards: set[BoardName] = set()
        self._decisions: set[str] = set()
        self._folded = 0
        self._timer: asyncio.TimerHandle | None = None
        self._not_before = 0.0
        self._closed = False

    def begin_at(self, folded: int) -> None:
        """Say that what came before is not remembered."""
        self.last = self._complete_from = (folded, 0)

    def changed(
        self, folded: int, scopes: Iterable[str], boards: Iterable[BoardName], decisions: Iterable[str]
    ) -> None:
        """Something changed; it is told now, or with what else changes in the next tenth of a second."""
        self._scopes.update(scopes)
        self._boards.update(boards)
        self._decisions.update(decisions)
        self._folded = max(folded, self._folded)
        loop = asyncio.get_running_loop()
        if self._timer is None:
            wait = self._not_before - loop.time()
            if wait <= 0:
                self._tell()
            else:
                self._timer = loop.call_later(wait, self._tell)

    async def watch(self, last: tuple[str, int, int] | None) -> AsyncIterator[Tick | None]:
        """Ticks after the one last seen, else first one to fetch everything; None at each heartbeat."""
        seen = self.last if last is None else last[1:]
        if last is None or last[0] != self._log_id or not self._complete_from <= seen <= self.last:
            seen = self.last
            yield Tick(self.event, seen, whole=True)
        while not self._closed:
            changed = self._changed
            missed = [tick for tick in self._remembered if tick.revision > seen]
            if missed or seen < self._complete_from:
                yield self._together(missed, whole=seen < self._complete_from)
                seen = self.last if not missed else missed[-1].revision
                continue
            try:
                await asyncio.wait_for(changed.wait(), self._heartbeat)
            except TimeoutError:
                yield None

    def close(self) -> None:
        """End every watch."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        self._wake()

    def _together(self, missed: list[Tick], *, whole: bool) -> Tick:
        if len(missed) == 1 and not whole:
            return missed[0]
        return Tick(
            self.event,
            missed[-1].revision if missed else self.last,
            frozenset[str]().union(*(tick.scopes for tick in missed)),
            frozenset[BoardName]().union(*(tick.boards for tick in missed)),
            frozenset[str]().union(*(tick.decisions for tick in missed)),
            whole,
        )

    def _tell(self) -> None:
        self._timer = None
        self._not_before = asyncio.get_running_loop().time() + APART_SECONDS
        again = self.last[1] + 1 if self._folded <= self.last[0] else 0
        self.last = (max(self._folded, self.last[0]), again)
        self._remembered.append(
            Tick(
                self.event,
                self.last,
                frozenset(self._scopes),
                frozenset(self._boards),
                frozenset(self._decisions),
            )
        )
        if len(self._remembered) > MOST_REMEMBERED:
            self._complete_from = self._remembered.popleft().revision
        self._scopes.clear()
        self._boards.clear()
        self._decisions.clear()
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
