"""GET the events, their lists, and the people in them."""

from fastapi import APIRouter, Request, Response
from pydantic_core import to_json

from pipeline.feed import boards
from pipeline.feed.reading import PROBLEMS, Desk, of_page, one_page
from pipeline.feed.visibility import list_moment, require_list
from pipeline.history import index_pages, page, standings_pages
from pipeline.ports import NotThere, Pages, People
from pipeline.scoring.event import Event
from pipeline.web.names import AsOf, EventInPath, Offset, PageNumber


def list_routes(desk: Desk, people: People) -> APIRouter:
    """Routes that read lists."""
    router = APIRouter(tags=["feed"], responses=PROBLEMS)
    live = desk.live

    @router.get("/events", response_class=Response)
    async def get_events(request: Request) -> Response:
        """The events of this log, with their lists."""
        desk.viewer(request)
        found = [
            {"event": board.event, "title": board.title, "lists": board.lists} for board in await boards(live)
        ]
        return of_page(request, page(to_json({"log": live.log_id, "events": found})))

    @router.get("/events/{event}", response_class=Response)
    async def get_index(
        event: EventInPath, request: Request, as_of: AsOf = None, after: Offset = -1
    ) -> Response:
        """The lists that an event has."""
        desk.viewer(request)
        await desk.wait(after)
        us = desk.moment(as_of)
        if us is None:
            return one_page(request, await live.index(event), 1)
        return one_page(request, await desk.at(event, us, lambda found: index_pages(found, live.folded)), 1)

    @router.get("/events/{event}/standings/{scope}/{line}", response_class=Response)
    async def get_standings(
        event: EventInPath,
        scope: str,
        line: str,
        request: Request,
        page: PageNumber = 1,
        as_of: AsOf = None,
        after: Offset = -1,
    ) -> Response:
        """A page of a ranking list, `{scope}/{line}`, as its readers may see it."""
        viewer = desk.viewer(request)
        await desk.wait(after)
        asked = desk.moment(as_of)
        name = f"{scope}/{line}"

        def then(found: Event, us: int) -> Pages:
            try:
                return standings_pages(found, name, us, live.folded)
            except KeyError:
                raise NotThere("list", name) from None

        us = list_moment(viewer, await live.secrecy(event), scope, asked)
        pages = (
            await live.standings(event, name, after)
            if us is None
            else await desk.at(event, us, lambda found: then(found, us))
        )
        # Asked again: what was live while the page was made may have been closed to the public since.
        secrecy = await live.secrecy(event)
        list_moment(viewer, secrecy, scope, asked)
        require_list(viewer, secrecy, [pages.status])
        return one_page(request, pages, page)

    @router.get("/events/{event}/people", response_class=Response)
    async def get_people(event: EventInPath, request: Request) -> Response:
        """The names of an event's people, by pseudonym, for directors and scorers with their numbers."""
        viewer = desk.viewer(request)
        found = {
            person: {
                "name": named.name,
                **({"member_number": named.member_number} if viewer.is_insider else {}),
            }
            for person, named in (await people.people(event)).items()
        }
        return of_page(request, page(to_json({"event": event, "people": found}, exclude_none=True)))

    return router
