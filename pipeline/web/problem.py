"""Problem details (RFC 9457): every refusal names what is wrong, field by field."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic_core import to_json
from starlette.exceptions import HTTPException

from pipeline.ports import IdentityTaken, LogUnavailable, NotReady, NotThere

MEDIA_TYPE: Final = "application/problem+json"


class Problem(Exception):
    """A request that is answered with a problem: a stable slug, a sentence, and each field at fault."""

    def __init__(
        self,
        status: HTTPStatus,
        slug: str,
        detail: str,
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **more: object,
    ) -> None:
        super().__init__(detail)
        self.status, self.slug, self.detail = status, slug, detail
        self.errors, self.headers, self.more = errors, dict(headers or {}), more

    def response(self) -> Response:
        """As bytes."""
        body: dict[str, object] = {
            "type": f"urn:barometer:problem:{self.slug}",
            "title": self.status.phrase,
            "status": self.status.value,
            "detail": self.detail,
            **self.more,
        }
        if self.errors:
            body["errors"] = [dict(error) for error in self.errors]
        return Response(
            to_json(body, inf_nan_mode="constants", serialize_unknown=True),
            self.status.value,
            self.headers,
            MEDIA_TYPE,
        )


def not_there(field: str, value: str) -> Problem:
    """Nothing of that name."""
    return Problem(
        HTTPStatus.NOT_FOUND, "not-known", f"no such {field}", errors=[_at_fault(field, value, "known")]
    )


def of_log(error: LogUnavailable) -> Problem:
    """The log cannot say whether it has the records."""
    return Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "unknown-whether-appended",
        f"{error}; it is unknown whether the log has the records: send the same ids again",
        headers={"Retry-After": str(error.retry_after_seconds)},
    )


def of_identity(error: IdentityTaken) -> Problem:
    """The identity was used for something else."""
    return Problem(
        HTTPStatus.CONFLICT,
        "identity-taken",
        "the log has other content under this id; what it has stands",
        errors=[_at_fault("id", error.identity, "one content for one identity")],
        record=error.identity,
        payload_digest=error.digest,
    )


def problem_of(error: Exception) -> Problem:
    """The answer that a failure amounts to; what nobody expected is a bug."""
    match error:
        case Problem():
            return error
        case LogUnavailable():
            return of_log(error)
        case IdentityTaken():
            return of_identity(error)
        case NotThere():
            return not_there(error.field, error.value)
        case NotReady():
            return _of_wait(error)
        case RequestValidationError():
            return _of_parameters(error)
        case HTTPException():
            return _of_starlette(error)
        case _:
            return _of_bug(error)


EXPECTED: Final = (
    Problem,
    LogUnavailable,
    IdentityTaken,
    NotThere,
    NotReady,
    RequestValidationError,
    HTTPException,
)


def add_handlers(app: FastAPI) -> None:
    """Answer every failure with a problem."""

    async def answer(_request: Request, error: Exception) -> Response:
        return problem_of(error).response()

    for kind in (*EXPECTED, Exception):
        app.add_exception_handler(kind, answer)


def _of_wait(error: NotReady) -> Problem:
    return Problem(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "not-ready",
        str(error),
        headers={"Retry-After": str(error.retry_after_seconds)},
    )


def _of_parameters(error: RequestValidationError) -> Problem:
    errors = [
        _at_fault(".".join(str(part) for part in detail["loc"][1:]), repr(detail.get("input")), detail["msg"])
        for detail in error.errors()
    ]
    return Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY, "bad-parameter", "a parameter cannot be used", errors=errors
    )


def _of_starlette(error: HTTPException) -> Problem:
    status = HTTPStatus(error.status_code)
    return Problem(status, status.phrase.lower().replace(" ", "-"), status.description, headers=error.headers)


def _of_bug(_error: Exception) -> Problem:
    return Problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "bug",
        "this should not happen; the log of the process says what did",
    )


def _at_fault(field: str, value: str, rule: str) -> dict[str, str]:
    return {"field": field, "value": value[:80], "rule": rule}
