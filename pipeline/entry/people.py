"""PUT and DELETE a person's name, which is no part of the log."""

from http import HTTPStatus
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import TypeAdapter, ValidationError

from pipeline.entry.records import ANSWERS
from pipeline.ports import People
from pipeline.web.body import parse, read_body
from pipeline.web.names import EventInPath, PersonInPath
from pipeline.web.problem import Problem
from pipeline.web.roles import Door, insiders_only
from pipeline.web.roles import Viewer as Asking
from schemas.codec import problems_of
from schemas.published import PersonNamed
from schemas.terms import EventId, PersonId

MOST_BYTES: Final = 64 * 1024
_NAMED: Final = TypeAdapter(PersonNamed)
_ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    **{status: ANSWERS[status] for status in (400, 401, 413, 415, 422, 503)},
    204: {"description": "Done"},
    403: {"description": "For directors and scorers"},
}
_BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string", "maxLength": 500},
                        "member_number": {"type": "string", "maxLength": 40},
                    },
                    "additionalProperties": False,
                }
            }
        },
    }
}


def people_routes(people: People, door: Door) -> APIRouter:
    """Routes that name people and erase them."""
    router = APIRouter(tags=["entry"])

    @router.put(
        "/events/{event}/people/{person}",
        status_code=HTTPStatus.NO_CONTENT,
        response_class=Response,
        responses=_ANSWERS,
        openapi_extra=_BODY,
    )
    async def name_person(event: EventInPath, person: PersonInPath, request: Request) -> Response:
        """Say what a pseudonym's person is called; the last one stands."""
        insiders_only(Asking(door.caller(request).role))
        await people.name_person(_named(parse(await read_body(request, MOST_BYTES)), event, person))
        return Response(status_code=HTTPStatus.NO_CONTENT)

    @router.delete(
        "/events/{event}/people/{person}",
        status_code=HTTPStatus.NO_CONTENT,
        response_class=Response,
        responses={status: _ANSWERS[status] for status in (204, 401, 403, 422, 503)},
    )
    async def erase_person(event: EventInPath, person: PersonInPath, request: Request) -> Response:
        """Erase a name: a tombstone is left, and the log is not touched."""
        insiders_only(Asking(door.caller(request).role))
        await people.erase_person(event, person)
        return Response(status_code=HTTPStatus.NO_CONTENT)

    return router


def _named(payload: object, event: EventId, person: PersonId) -> PersonNamed:
    if not isinstance(payload, dict):
        payload = {"body": payload}
    try:
        return _NAMED.validate_python({**payload, "event": event, "person": person}, extra="forbid")
    except ValidationError as error:
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad-name",
            "this names nobody; see the fields",
            errors=[dict(problem) for problem in problems_of(error)],
        ) from error
