"""POST a record or a list of them: 202 with the stamps, once they are on disk."""

import re
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

from pipeline.metrics import Metrics, Refusal
from pipeline.ports import IdentityTaken, Log, LogUnavailable
from pipeline.web.body import MOST_BYTES, MOST_RECORDS, read_body, records_of
from pipeline.web.guard import App, Receive, Scope, Send
from pipeline.web.names import PATTERN, EventInPath
from pipeline.web.problem import EXPECTED, MEDIA_TYPE, Problem, problem_of
from pipeline.web.roles import Door
from schemas.codec import AnyRecord
from schemas.record import Stamp
from schemas.terms import EventId

_REFUSALS: Final = {
    HTTPStatus.BAD_REQUEST: Refusal.UNREADABLE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: Refusal.UNREADABLE,
    HTTPStatus.UNAUTHORIZED: Refusal.TOKEN,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Refusal.TOO_LARGE,
}
_ADDRESS: Final = re.compile(f"/events/({PATTERN.strip('^$')})/records")
_PROBLEM: Final = {"content": {MEDIA_TYPE: {"schema": {"type": "object"}}}}
ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    202: {"description": "On disk: who said it, and the stamp"},
    400: {"description": "No JSON", **_PROBLEM},
    401: {"description": "A token is needed, or not known", **_PROBLEM},
    409: {"description": "The same id with other content; what the log has stands", **_PROBLEM},
    413: {"description": f"Longer than {MOST_BYTES} bytes", **_PROBLEM},
    415: {"description": "Not application/json", **_PROBLEM},
    422: {"description": "Form or authority: each field at fault, its value and the rule", **_PROBLEM},
    503: {"description": "Unknown whether the log has it: send the same id again", **_PROBLEM},
}
BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": f"A record without source, role and original_stamp, or up to {MOST_RECORDS} of them",
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        {"type": "object"},
                        {
                            "type": "array",
                            "items": {"type": "object"},
                            "minItems": 1,
                            "maxItems": MOST_RECORDS,
                        },
                    ]
                }
            }
        },
    }
}


class Counter:
    """Where records are handed in."""

    def __init__(self, log: Log, door: Door, metrics: Metrics) -> None:
        """Append to this log whatever the door lets in."""
        self._log, self._door, self._metrics = log, door, metrics

    async def take(self, event: EventId, request: Request) -> Response:
        """Check, append, answer. Raises Problem, IdentityTaken, LogUnavailable."""
        metrics = self._metrics
        try:
            caller = self._door.caller(request)
            records, many = records_of(await read_body(request), event, caller)
            started = time.perf_counter()
            stamps = await self._log.append(records)
        except Problem as problem:
            metrics.turn_away(_REFUSALS.get(problem.status) or _of_form(problem))
            raise
        except IdentityTaken:
            metrics.turn_away(Refusal.IDENTITY_TAKEN)
            raise
        except LogUnavailable:
            metrics.turn_away(Refusal.UNAVAILABLE)
            raise
        metrics.append_seconds.observe(time.perf_counter() - started)
        metrics.appended.inc(len(records))
        return _accepted(self._log.log_id, event, records, stamps, many=many)


class RecordsFirst:
    """Takes POST /events/EVENT/records before any routing, whose cost is twice that of taking the record."""

    def __init__(self, app: App, counter: Counter) -> None:
        """Let everything else through to the application."""
        self.app, self._counter = app, counter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        found = _ADDRESS.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
        if found is None:
            await self.app(scope, receive, send)
            return
        try:
            response = await self._counter.take(EventId(found[1]), Request(scope, receive))
        except EXPECTED as error:
            response = problem_of(error).response()
        await response(scope, receive, send)


def record_routes(counter: Counter) -> APIRouter:
    """The route of all writers, as it is documented."""
    router = APIRouter(tags=["entry"])

    @router.post(
        "/events/{event}/records",
        status_code=HTTPStatus.ACCEPTED,
        response_class=Response,
        responses=ANSWERS,
        openapi_extra=BODY,
    )
    async def post_records(event: EventInPath, request: Request) -> Response:
        """Append one record, or several all or none; the answer means *in the log*, not *counted*."""
        return await counter.take(event, request)

    return router


def _of_form(problem: Problem) -> Refusal:
    return Refusal.AUTHORITY if problem.slug == "not-authorised" else Refusal.FORM


def _accepted(
    log_id: str, event: EventId, records: Sequence[AnyRecord], stamps: Sequence[Stamp], *, many: bool
) -> Response:
    told = [
        {"record": record.identity, "stamp": _stamp(stamp)}
        for record, stamp in zip(records, stamps, strict=True)
    ]
    body: dict[str, object] = {"event": event, "log": log_id}
    headers = {}
    if many:
        body["records"] = told
    else:
        body |= told[0]
        headers["Location"] = f"/events/{quote(event)}/records/{quote(records[0].identity)}"
    return Response(to_json(body), HTTPStatus.ACCEPTED, headers, "application/json")


def _stamp(stamp: Stamp) -> Mapping[str, object]:
    return {
        "time_us": stamp.time_us,
        "topic": stamp.topic,
        "partition": stamp.partition,
        "offset": stamp.offset,
    }
