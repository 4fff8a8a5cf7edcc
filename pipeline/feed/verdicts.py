"""GET the verdict on a record, and the records that a director should look at."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import TypeAdapter
from pydantic_core import to_json

from pipeline.feed.reading import PROBLEMS, Desk, of_page
from pipeline.feed.visibility import shown_decision
from pipeline.history import Difference, page
from pipeline.web.body import read_body, records_of
from pipeline.web.names import EventInPath, Offset, RecordInPath, SourceInPath
from pipeline.web.problem import Problem
from pipeline.web.roles import insiders_only
from schemas.codec import write_record
from schemas.decisions import Decision, Verdict
from schemas.record import Stamp, Stamped

DECISION: Final = TypeAdapter(Decision)
DECISIONS: Final = TypeAdapter(list[Decision])
DIFFERENCE: Final = TypeAdapter(Difference)
_STAMP: Final = TypeAdapter(Stamp)
LINES_AT_ONCE: Final = 200


def verdict_routes(desk: Desk) -> APIRouter:
    """Routes that read verdicts, and what only directors and scorers may read."""
    router = APIRouter(tags=["feed"], responses=PROBLEMS)
    live = desk.live

    @router.get("/events/{event}/records/{source}/{record}", response_class=Response)
    async def get_decision(
        event: EventInPath, source: SourceInPath, record: RecordInPath, request: Request, after: Offset = -1
    ) -> Response:
        """The verdict on a record as it stands, then that on other contents sent under its id."""
        viewer = desk.viewer(request)
        await desk.wait(after)
        first, *others = [
            shown_decision(viewer, found) for found in await live.decisions_on(event, f"{source}/{record}")
        ]
        told = DECISION.dump_python(first, mode="json", exclude_none=True)
        if others:
            told["others"] = DECISIONS.dump_python(others, mode="json", exclude_none=True)
        return of_page(request, page(to_json(told)))

    @router.get("/events/{event}/decisions", response_class=Response)
    async def get_decisions(
        event: EventInPath, request: Request, verdict: Verdict = Verdict.REFUSED, after: Offset = -1
    ) -> Response:
        """The records with a verdict, for directors and scorers."""
        insiders_only(desk.viewer(request))
        await desk.wait(after)
        found = await live.decisions(event, verdict)
        told = DECISIONS.dump_python(list(found), mode="json", exclude_none=True)
        return of_page(request, page(to_json({"event": event, "verdict": verdict, "decisions": told})))

    @router.post(
        "/events/{event}/preview",
        response_class=Response,
        openapi_extra={
            "requestBody": {
                "required": True,
                "content": {"application/json": {"schema": {"type": "object"}}},
            }
        },
        responses={400: PROBLEMS[422], 413: PROBLEMS[422], 415: PROBLEMS[422]},
    )
    async def preview(event: EventInPath, request: Request) -> Response:
        """What a record would change if it were said now; nothing changes."""
        insiders_only(desk.viewer(request))
        records, many = records_of(await read_body(request), event, desk.door.caller(request))
        if many:
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "one-record", "preview one record at a time")
        entries = live.entries(event)
        now = max(live.watermark_us(), entries[-1].stamp.time_us if entries else 0)
        found = await desk.past.preview(event, entries, records[0], now)
        return Response(DIFFERENCE.dump_json(found, exclude_none=True), media_type="application/json")

    @router.get("/events/{event}/export", response_class=StreamingResponse)
    async def export(event: EventInPath, request: Request) -> Response:
        """Every record with its stamp, a line each, for directors and scorers."""
        insiders_only(desk.viewer(request))
        return StreamingResponse(
            lines(live.entries(event)),
            media_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{event}.ndjson"'},
        )

    return router


def lines(entries: Sequence[Stamped]) -> Iterator[bytes]:
    """Stamped records as NDJSON, some at a time."""
    for first in range(0, len(entries), LINES_AT_ONCE):
        yield b"".join(map(line, entries[first : first + LINES_AT_ONCE]))


def line(stamped: Stamped) -> bytes:
    """A stamped record as a line."""
    record: Any = stamped.record
    return b'{"stamp":' + _STAMP.dump_json(stamped.stamp) + b',"record":' + write_record(record) + b"}\n"
