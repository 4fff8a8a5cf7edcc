"""Routes that read: every one of them asks `visibility` what its reader may see."""

from typing import NamedTuple

from pipeline.ports import LiveScores
from pipeline.scoring.standings import index
from schemas.published import StandingsIndex
from schemas.terms import EventId


class Board(NamedTuple):
    """What a scoreboard shows of one event: its title, and its lists."""

    event: EventId
    title: str
    lists: tuple[str, ...]


async def boards(live: LiveScores) -> tuple[Board, ...]:
    """The events that a scoreboard can show. Raises NotReady."""
    found = []
    for event in live.events():
        told: StandingsIndex = await live.ask(event, index)
        found.append(Board(event, told.title, tuple(told.lists)))
    return tuple(found)


__all__ = ["Board", "boards"]
