"""What stands in the addresses: identifiers as the wire has them, and moments."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Path, Query

from pipeline.web.problem import Problem
from schemas.terms import EventId, PersonId, RecordId, SessionId, SourceId

PATTERN: Final = r"^[A-Za-z0-9._:+-]{1,64}$"
EventInPath = Annotated[EventId, Path(pattern=PATTERN, description="The event")]
PersonInPath = Annotated[PersonId, Path(pattern=PATTERN, description="A pseudonym")]
SourceInPath = Annotated[SourceId, Path(pattern=PATTERN, description="Who said it")]
RecordInPath = Annotated[RecordId, Path(pattern=PATTERN, description="The id that the source gave it")]
SessionInPath = Annotated[SessionId, Path(pattern=PATTERN)]
PageNumber = Annotated[int, Query(ge=1, le=100_000)]
Offset = Annotated[
    int, Query(ge=-1, le=2**53, description="Wait until the entry at this offset of the log is folded")
]
AsOf = Annotated[
    str | None,
    Query(
        max_length=40,
        description="As it stood then: microseconds since 1970 UTC, or RFC 3339 with its zone",
        examples=["2026-01-03T21:40:00+01:00"],
    ),
]


def moment(text: str, field: str = "as_of") -> int:
    """Read a moment, in microseconds since 1970 UTC. Raises Problem: 422.

    >>> moment("1767472800000000") == moment("2026-01-03T21:40:00+01:00")
    True
    """
    if text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    try:
        when = datetime.fromisoformat(text.replace(" ", "+"))  # a plus sign in an address reads as a space
    except ValueError:
        when = None
    if when is None or when.tzinfo is None:
        raise Problem(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "bad-parameter",
            f"{field} is no moment",
            errors=[
                {
                    "field": field,
                    "value": text[:80],
                    "rule": "microseconds since 1970, or RFC 3339 with a zone",
                }
            ],
        )
    since = when - datetime.fromtimestamp(0, when.tzinfo)
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
