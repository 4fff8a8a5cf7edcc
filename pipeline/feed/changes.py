"""GET what changed between two moments, and the ticks that say that something has."""

from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic_core import to_json

from pipeline.feed.reading import PROBLEMS, Desk, of_page
from pipeline.feed.verdicts import DIFFERENCE
from pipeline.feed.visibility import shown_difference, shown_tick
from pipeline.history import page
from pipeline.metrics import Metrics
from pipeline.ports import Tick
from pipeline.web.names import EventInPath
from pipeline.web.roles import Viewer
from schemas.terms import EventId

Moment = Annotated[
    str, Query(max_length=40, description="Microseconds since 1970 UTC, or RFC 3339 with a zone")
]
RECONNECT_MS: Final = 2_000
_BEAT: Final = b": beat\n\n"


def change_routes(desk: Desk, metrics: Metrics) -> APIRouter:
    """Routes that read changes."""
    router = APIRouter(tags=["feed"], responses=PROBLEMS)
    live = desk.live

    @router.get("/events/{event}/diff", response_class=Response)
    async def get_difference(
        event: EventInPath,
        request: Request,
        start: Annotated[str, Query(alias="from", max_length=40)],
        end: Annotated[str | None, Query(alias="to", max_length=40)] = None,
    ) -> Response:
        """Contestants that moved and lines that changed between two moments, the second now unless told."""
        viewer = desk.viewer(request)
        from_us = desk.moment(start, "from")
        to_us = live.watermark_us() if end is None else desk.moment(end, "to")
        assert from_us is not None  # noqa: S101 - both were given
        assert to_us is not None  # noqa: S101
        found = await desk.past.diff(event, live.entries(event), from_us, to_us)
        shown = shown_difference(viewer, await live.secrecy(event), found)
        return of_page(request, page(DIFFERENCE.dump_json(shown, exclude_none=True)))

    @router.get(
        "/events/{event}/ticks",
        response_class=StreamingResponse,
        responses={200: {"description": "Server-sent events", "content": {"text/event-stream": {}}}},
    )
    async def get_ticks(
        event: EventInPath,
        request: Request,
        last_event_id: Annotated[str | None, Header(max_length=120)] = None,
        last: Annotated[str | None, Query(max_length=120)] = None,
    ) -> Response:
        """Small ticks that say what to fetch; resumable by Last-Event-ID (or `last`), with heartbeats."""
        viewer = desk.viewer(request)
        ticks = live.ticks(event, read_revision(last_event_id or last))
        return StreamingResponse(
            _stream(desk, metrics, viewer, event, ticks),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    return router


def read_revision(text: str | None) -> tuple[str, int, int] | None:
    """Read the id of a tick; None for what is none, and then everything is fetched.

    >>> read_revision("beef.17.0")
    ('beef', 17, 0)
    """
    parts = (text or "").split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts[1:]):
        return None
    return parts[0], int(parts[1]), int(parts[2])


async def _stream(
    desk: Desk, metrics: Metrics, viewer: Viewer, event: EventId, ticks: AsyncIterator[Tick | None]
) -> AsyncIterator[bytes]:
    metrics.watchers.inc()
    try:
        yield b"retry: %d\n\n" % RECONNECT_MS
        async for tick in ticks:
            if tick is None:
                yield _BEAT
                continue
            shown = shown_tick(viewer, await desk.live.secrecy(event), tick)
            if shown is not None:
                yield _encoded(desk.live.log_id, shown)
    finally:
        metrics.watchers.dec()


def _encoded(log_id: str, tick: Tick) -> bytes:
    revision = f"{log_id}.{tick.revision[0]}.{tick.revision[1]}"
    told = {
        "event": tick.event,
        "folded": tick.revision[0],
        "whole": tick.whole,
        "scopes": sorted(tick.scopes),
        "boards": sorted(tick.boards),
        "decisions": sorted(tick.decisions),
    }
    return b"id: " + revision.encode() + b"\nevent: tick\ndata: " + to_json(told) + b"\n\n"
