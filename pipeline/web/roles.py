"""Who is asking: a token names role and source; where only this machine can reach us, a header may."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from fastapi import Request
from pydantic import TypeAdapter, ValidationError

from pipeline.web.problem import Problem
from schemas.record import Name, Role
from schemas.terms import SourceId

ROLE_HEADER: Final = "X-Barometer-Role"
SOURCE_HEADER: Final = "X-Barometer-Source"
INSIDERS: Final = frozenset({Role.SCORER, Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ORGANISER, Role.IMPORTER})
"""Directors and scorers: they see deals that are still being played."""
_SOURCE: Final = TypeAdapter(Name)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may write, and as whom."""

    role: Role
    source: SourceId


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who reads; without a role, the public."""

    role: Role | None = None

    @property
    def is_insider(self) -> bool:
        """Tell whether this is a director or a scorer."""
        return self.role in INSIDERS


PUBLIC: Final = Viewer()


class Door:
    """Tells callers apart, by tokens that were given out, or by headers where those are believed."""

    def __init__(self, tokens: Mapping[str, Caller], *, believes_headers: bool) -> None:
        """Headers are believed only where nobody else can reach us and no tokens were given out."""
        self._tokens = {token.encode(): caller for token, caller in tokens.items()}
        self._believes_headers = believes_headers

    def caller(self, request: Request) -> Caller:
        """Who writes. Raises Problem: 401 without a token that is known."""
        if self._believes_headers:
            return _from_headers(request, Role.DIRECTOR)
        known = self._by_token(request)
        if known is None:
            raise Problem(
                HTTPStatus.UNAUTHORIZED,
                "token-needed",
                "send Authorization: Bearer and the token you were given",
                headers={"WWW-Authenticate": 'Bearer realm="barometer"'},
            )
        return known

    def viewer(self, request: Request) -> Viewer:
        """Who reads. Raises Problem: 401 for a token that is not known."""
        if self._believes_headers:
            return (
                Viewer(_from_headers(request, Role.DIRECTOR).role)
                if ROLE_HEADER in request.headers
                else PUBLIC
            )
        known = self._by_token(request)
        return PUBLIC if known is None else Viewer(known.role)

    def _by_token(self, request: Request) -> Caller | None:
        given = request.headers.get("Authorization")
        if given is None:
            return None
        scheme, _, token = given.partition(" ")
        found = None
        for known, caller in self._tokens.items():  # all of them, so that time tells nothing
            if hmac.compare_digest(known, token.strip().encode("utf-8", "surrogateescape")):
                found = caller
        if found is None or scheme.lower() != "bearer":
            raise Problem(
                HTTPStatus.UNAUTHORIZED,
                "token-not-known",
                "this token is not known here",
                headers={"WWW-Authenticate": 'Bearer realm="barometer", error="invalid_token"'},
            )
        return found


def _from_headers(request: Request, default: Role) -> Caller:
    role = request.headers.get(ROLE_HEADER, default)
    if role not in set(Role):
        raise _bad_header(ROLE_HEADER, role, f"one of {', '.join(Role)}")
    source = request.headers.get(SOURCE_HEADER, role)
    try:
        return Caller(Role(role), SourceId(_SOURCE.validate_python(source)))
    except ValidationError:
        raise _bad_header(SOURCE_HEADER, source, "1 to 64 of A-Z a-z 0-9 . _ : + -") from None


def _bad_header(name: str, value: str, rule: str) -> Problem:
    return Problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        "bad-header",
        f"{name} cannot be used",
        errors=[{"field": name, "value": value[:80], "rule": rule}],
    )


def insiders_only(viewer: Viewer) -> None:
    """Let directors and scorers pass. Raises Problem: 403."""
    if not viewer.is_insider:
        raise Problem(HTTPStatus.FORBIDDEN, "insiders-only", "this is for directors and scorers")
