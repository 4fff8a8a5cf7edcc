"""What pages are made of, as the public may see it, and how they are sent."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from fastapi import Request, Response
from pydantic import TypeAdapter

from pipeline.feed.looks import Hidden, headers
from pipeline.feed.reading import Desk
from pipeline.feed.visibility import list_moment, require_deal, require_list
from pipeline.history import standings_pages
from pipeline.ports import BoardName, NotThere, Page, Pages, People
from pipeline.scoring.event import Event
from pipeline.web.notation import when
from pipeline.web.problem import Problem
from pipeline.web.roles import PUBLIC
from schemas.published import Standings, StandingsIndex, Traveller
from schemas.terms import EventId

CLOCK_HEADER: Final = "X-Barometer-Clock"
"""The hall's time of day, so that a page can say since when it is not live."""
_STANDINGS: Final = TypeAdapter(Standings)
_TRAVELLER: Final = TypeAdapter(Traveller)
_INDEX: Final = TypeAdapter(StandingsIndex)


class Sources:
    """Reads for somebody at a browser, who is the public."""

    def __init__(self, desk: Desk, people: People) -> None:
        """Read from what the other routes read from."""
        self.desk, self.live, self.people = desk, desk.live, people

    async def index(self, event: EventId) -> StandingsIndex:
        """The title and the lists of an event. Raises NotThere."""
        return _INDEX.validate_json((await self.live.index(event)).pages[0].body)

    async def standings(self, event: EventId, name: str, page: int) -> tuple[Standings, str]:
        """A page of a list as the public may see it, and its tag. Raises Hidden, NotThere."""
        scope = name.partition("/")[0]
        try:
            us = list_moment(PUBLIC, await self.live.secrecy(event), scope, None)
            pages = await (self.live.standings(event, name) if us is None else self._as_of(event, name, us))
            # Asked again: what was live while the page was made may have been closed to the public since.
            secrecy = await self.live.secrecy(event)
            list_moment(PUBLIC, secrecy, scope, None)
            require_list(PUBLIC, secrecy, [pages.status])
        except Problem as problem:
            round_over = problem.slug == "round-not-over"
            raise Hidden("page.hidden-round" if round_over else "page.hidden-list") from problem
        found = _numbered(pages, page)
        return _STANDINGS.validate_json(found.body), found.tag

    async def _as_of(self, event: EventId, name: str, us: int) -> Pages:
        def then(found: Event) -> Pages:
            try:
                return standings_pages(found, name, us, self.live.folded)
            except KeyError:
                raise NotThere("list", name) from None

        return await self.desk.at(event, us, then)

    async def names(self, event: EventId) -> Mapping[str, str]:
        """The names of an event's people, by pseudonym."""
        return {str(person): named.name for person, named in (await self.people.people(event)).items()}

    def answer(self, request: Request, page: Page) -> Response:
        """Send a page, or 304 to somebody who has it."""
        told = headers() | {
            "ETag": page.tag,
            CLOCK_HEADER: f"{when(self.live.watermark_us()):%H:%M:%S}",
        }
        if page.tag in request.headers.get("If-None-Match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=told)
        return Response(page.body, headers=told, media_type="text/html; charset=utf-8")

    async def traveller(self, event: EventId, name: BoardName, page: int) -> Traveller:
        """A page of the traveller of a closed deal. Raises Hidden, NotThere."""
        try:
            require_deal(PUBLIC, await self.live.secrecy(event), name.deal)
            pages = await self.live.traveller(event, name)
            # Asked again, for a deal may be opened while its traveller is made.
            require_deal(PUBLIC, await self.live.secrecy(event), name.deal)
        except Problem as problem:
            raise Hidden("page.hidden-deal", board=name.board) from problem
        return _TRAVELLER.validate_json(_numbered(pages, page).body)


def _numbered(pages: Pages, number: int) -> Page:
    if number > len(pages.pages):
        raise NotThere("page", str(number))
    return pages.pages[number - 1]
