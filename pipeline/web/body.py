"""A client's bytes to records: read up to a limit, parsed once, with the envelope of the entry added."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

from fastapi import Request
from pydantic_core import from_json
from starlette.requests import ClientDisconnect

from pipeline.scoring.verdict import require_authority
from pipeline.web.problem import Problem
from pipeline.web.roles import Caller
from schemas.codec import AnyRecord, FieldProblem, UnreadableRecord, accept_record
from schemas.decisions import Refused
from schemas.record import Role
from schemas.terms import EventId

MOST_BYTES: Final = 4 * 1024 * 1024
"""A body may be so long: room for the longest movement; it is read no further."""
MOST_RECORDS: Final = 500
"""So many records may come together."""
_JSON: Final = frozenset({"application/json"})


async def read_body(request: Request, most: int = MOST_BYTES) -> bytes:
    """Read a JSON body. Raises Problem: 415 for another type, 413 past the limit.

    The type is asked for because a page of another site cannot send it without being asked who it is.
    """
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind not in _JSON:
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "json-needed", "send Content-Type: application/json")
    declared = request.headers.get("Content-Length", "")
    if declared.isdigit() and int(declared) > most:
        raise _too_large(most)
    parts: list[bytes] = []
    length = 0
    try:
        async for part in request.stream():
            length += len(part)
            if length > most:
                raise _too_large(most)
            parts.append(part)
    except ClientDisconnect:  # a phone in a tunnel: nobody reads the answer, and no bug is to be told of
        raise Problem(HTTPStatus.BAD_REQUEST, "half-a-body", "the body ended before its length") from None
    return b"".join(parts)


def _too_large(most: int) -> Problem:
    # The rest stays unread, so the connection cannot be used again.
    return Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too-large",
        f"a body may have {most} bytes",
        headers={"Connection": "close"},
    )


def parse(body: bytes) -> object:
    """Read JSON. Raises Problem: 400 naming the place."""
    try:
        return from_json(body, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        problem = {"field": "body", "value": repr(body[:60])[1:], "rule": str(error)[:200]}
        raise Problem(HTTPStatus.BAD_REQUEST, "no-json", "the body is no JSON", errors=[problem]) from None


def records_of(body: bytes, event: EventId, caller: Caller) -> tuple[list[AnyRecord], bool]:
    """Read one record or a list; the second is whether it was a list.

    Raises Problem: 400 for what is no JSON, 422 naming every field at fault, in every record.
    """
    payload = parse(body)
    if not isinstance(payload, list):
        record, errors = _accepted(payload, event, caller)
        if record is None:
            raise _refused(errors)
        return [record], False
    if not 0 < len(payload) <= MOST_RECORDS:
        problem = FieldProblem("body", f"{len(payload)} records", f"1 to {MOST_RECORDS} records together")
        raise _refused([dict(problem)])
    records, errors = [], []
    for place, item in enumerate(payload):
        record, found = _accepted(item, event, caller)
        if record is not None:
            records.append(record)
        errors += [{**error, "index": place} for error in found]
    if errors:
        raise _refused(errors)
    return records, True


def _refused(errors: Sequence[Mapping[str, object]]) -> Problem:
    forbidden = all(error.get("reason") == "not-authorised" for error in errors)
    slug, detail = (
        ("not-authorised", "this role may not say that")
        if forbidden
        else ("bad-record", "the log takes none of this; see the fields")
    )
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, slug, detail, errors=errors)


def _accepted(
    payload: object, event: EventId, caller: Caller
) -> tuple[AnyRecord | None, list[dict[str, object]]]:
    if not isinstance(payload, dict):
        return None, [dict(FieldProblem("body", repr(payload)[:80], "an object"))]
    errors: list[dict[str, object]] = _not_the_clients(payload, event, caller)
    envelope = {"event": event, "source": caller.source, "role": caller.role}
    try:
        record = accept_record({**payload, **envelope})
    except UnreadableRecord as error:
        errors += [dict(problem) for problem in error.problems]
        return None, errors
    try:
        require_authority(record)
    except Refused as refused:
        found: dict[str, object] = {"field": refused.field, "value": refused.value, "rule": refused.rule}
        errors.append({**found, "reason": str(refused.reason)})
    return (None, errors) if errors else (record, [])


def _not_the_clients(
    payload: Mapping[str, object], event: EventId, caller: Caller
) -> list[dict[str, object]]:
    """What is said in the envelope must not be said in the payload, or must be the same."""
    problems = [
        FieldProblem(name, repr(payload[name])[:80], "set by the entry, from who is sending")
        for name in ("source", "role")
        if name in payload
    ]
    if payload.get("original_stamp") is not None and caller.role is not Role.IMPORTER:
        value = repr(payload["original_stamp"])[:80]
        problems.append(FieldProblem("original_stamp", value, "from the importer alone"))
    if payload.get("event", event) != event:
        problems.append(FieldProblem("event", repr(payload["event"])[:80], f"{event}, as in the address"))
    return [dict(problem) for problem in problems]
