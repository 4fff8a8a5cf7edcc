"""The places of a moment before, so that a page can tell who moved."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from pipeline.feed.reading import Desk
from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids, ranking
from pipeline.web import scoreboard
from schemas.terms import EventId

MOST_KEPT: Final = 64
PLACES_SECONDS: Final = 0.4
"""So long a page waits for the places of a moment before; it is shown without them otherwise."""


class Earlier:
    """The places of every list at some moments before, each refolded once and off the loop."""

    def __init__(self, desk: Desk) -> None:
        """Read slices of history from the desk."""
        self._desk = desk
        self._known: OrderedDict[tuple[EventId, int], asyncio.Task[Mapping[str, scoreboard.Places]]] = (
            OrderedDict()
        )

    async def places(self, event: EventId, us: int, name: str) -> scoreboard.Places | None:
        """The places at a moment, or None while they are not known."""
        task = self._known.get((event, us))
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._known[event, us] = asyncio.create_task(self._desk.at(event, us, _all_places))
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        try:
            found = await asyncio.wait_for(asyncio.shield(task), PLACES_SECONDS)
        except TimeoutError:
            return None
        return found.get(name)


def _all_places(event: Event) -> Mapping[str, scoreboard.Places]:
    return {
        str(name): scoreboard.Places(
            {str(one.contestant): (one.rank, one.score.boards) for one in ranking(event, name)}
        )
        for name in list_ids(event)
    }
