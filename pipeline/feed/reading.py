"""What every route that reads shares: who asks, as of when, and a page by its tag."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, TypeVar

from fastapi import Request, Response

from pipeline.history import Past
from pipeline.ports import LiveScores, NotThere, Page, Pages
from pipeline.scoring.event import Event
from pipeline.web.names import moment
from pipeline.web.problem import MEDIA_TYPE, Problem
from pipeline.web.roles import Door, Viewer
from schemas.terms import EventId

WAIT_SECONDS: Final = 10.0
Outcome = TypeVar("Outcome")
PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    status: {"description": meaning, "content": {MEDIA_TYPE: {"schema": {"type": "object"}}}}
    for status, meaning in {
        401: "The token is not known",
        403: "Not to be seen yet, or not by everybody",
        404: "Not known",
        422: "A parameter cannot be used",
        425: "As of a moment that the log has not reached",
        503: "The scores are not up to date",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Desk:
    """What the routes read from."""

    live: LiveScores
    past: Past
    door: Door

    def viewer(self, request: Request) -> Viewer:
        """Who asks."""
        return self.door.viewer(request)

    async def wait(self, after: int) -> None:
        """Wait until an entry is folded. Raises Problem: 503 when it takes too long."""
        if after >= self.live.folded and not await self.live.wait_folded(after, WAIT_SECONDS):
            raise Problem(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "not-folded-yet",
                f"the entry at offset {after} is not folded",
                headers={"Retry-After": "1"},
            )

    def moment(self, as_of: str | None, field: str = "as_of") -> int | None:
        """Read a moment that has been. Raises Problem: 422, 425."""
        if as_of is None:
            return None
        us = moment(as_of, field)
        watermark = self.live.watermark_us()
        if us > watermark:
            raise Problem(
                HTTPStatus.TOO_EARLY,
                "not-yet",
                "the log has not reached this moment",
                headers={"Retry-After": str(min(3600, (us - watermark) // 1_000_000 + 1))},
                watermark_us=watermark,
            )
        return us

    async def at(self, event: EventId, us: int, question: Callable[[Event], Outcome]) -> Outcome:
        """Ask an event as it stood. Raises NotThere."""
        live = self.live
        return await self.past.ask(event, live.entries(event), us, question, live.incomplete(event))


def one_page(request: Request, found: Pages, number: int) -> Response:
    """Answer with a page, or with 304 to somebody who has these bytes. Raises NotThere."""
    if number > len(found.pages):
        raise NotThere("page", str(number))
    return of_page(request, found.pages[number - 1])


def of_page(request: Request, page: Page) -> Response:
    """Answer with a page, or with 304 to somebody who has these bytes."""
    headers = {"ETag": page.tag, "Cache-Control": "no-cache", "Vary": "Authorization, X-Barometer-Role"}
    held = {tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")}
    if page.tag in held or "*" in held:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(page.body, headers=headers, media_type="application/json")
