"""The pages that people look at: the events, a live scoreboard of a list, a traveller of a closed deal.

Each is complete HTML before any script; shown, it fetches itself again by its ETag when a tick says so.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from pipeline.feed.deal_page import deal_page
from pipeline.feed.list_page import ListPages
from pipeline.feed.looks import Hidden, Look, headers, main_lists
from pipeline.feed.page_sources import Sources
from pipeline.feed.reading import Desk
from pipeline.history import page as page_of
from pipeline.ports import BoardName, NotReady, NotThere, People
from pipeline.web import scoreboard
from pipeline.web.locale import DEFAULT, texts
from pipeline.web.names import PATTERN, EventInPath, PageNumber, SessionInPath
from pipeline.web.templating import static_files, templates
from schemas.terms import EventId

EventAsked = Annotated[str | None, Query(pattern=PATTERN)]
ListAsked = Annotated[str | None, Query(alias="list", max_length=200)]
Screen = Annotated[
    Literal["page", "hall"], Query(description="A hall screen fills itself and turns its pages")
]
Theme = Annotated[Literal["auto", "dark", "light"], Query()]
Turn = Annotated[
    Literal["no", "event", "all"] | None, Query(description="Which lists a hall screen shows in turn")
]
Endpoint = Callable[..., Awaitable[Response]]


def scoreboard_routes(desk: Desk, people: People) -> APIRouter:
    """Routes of the pages; a browser is the public, whoever sits at it."""
    router = APIRouter(include_in_schema=False)
    sources = Sources(desk, people)
    lists = ListPages(sources)

    @router.get("/")
    @_as_page
    async def get_index(request: Request, theme: Theme = "auto") -> Response:
        return await _index(sources, request, Look("page", theme, "no"))

    @router.get("/board")
    @_as_page
    async def get_board(
        request: Request,
        event: EventAsked = None,
        name: ListAsked = None,
        page: PageNumber = 1,
        screen: Screen = "page",
        theme: Theme = "auto",
        turn: Turn = None,
    ) -> Response:
        turning = turn or ("all" if event is None else "event" if name is None else "no")
        asked = event or next(iter(desk.live.events()), None)
        if asked is None:
            return await _index(sources, request, Look("page", theme, "no"))
        return await lists.board(request, EventId(asked), name, page, Look(screen, theme, turning))

    @router.get("/board/traveller/{event}/{session}/{group}/{board}")
    @_as_page
    async def get_traveller(
        event: EventInPath,
        session: SessionInPath,
        group: Annotated[str, Path(max_length=200)],
        board: Annotated[int, Path(ge=1, le=9_999)],
        request: Request,
        page: PageNumber = 1,
        theme: Theme = "auto",
    ) -> Response:
        name = BoardName(session, group, board)
        return await deal_page(sources, request, event, name, page, Look("page", theme, "no"))

    @router.get("/static/{name}")
    async def get_static(name: str, request: Request) -> Response:
        found = static_files().get(name)
        if found is None:
            raise NotThere("file", name)
        lasting = request.query_params.get("v") == found.tag
        control = "public, max-age=31536000, immutable" if lasting else "no-cache"
        headers = {"ETag": f'"{found.tag}"', "Cache-Control": control, "X-Content-Type-Options": "nosniff"}
        if f'"{found.tag}"' in request.headers.get("If-None-Match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(found.data, headers=headers, media_type=found.media_type)

    return router


def _as_page(endpoint: Endpoint) -> Endpoint:
    """Say in a page what a route of the interface would say in a problem."""

    @wraps(endpoint)
    async def answer(*positional: Any, **named: Any) -> Response:  # noqa: ANN401 - passed on
        t = texts(DEFAULT)
        try:
            return await endpoint(*positional, **named)
        except Hidden as hidden:
            title, sentence, status = (
                t("page.hidden-title"),
                t(hidden.key, **hidden.values),
                HTTPStatus.FORBIDDEN,
            )
        except NotThere:
            title, sentence, status = t("page.unknown-title"), t("page.unknown"), HTTPStatus.NOT_FOUND
        except NotReady:
            title, sentence = t("page.hidden-title"), t("page.not-ready")
            status = HTTPStatus.SERVICE_UNAVAILABLE
        html = (
            templates()
            .get_template("message.html")
            .render(t=t, look=Look("page", "auto", "no"), title=title, sentence=sentence, again=status >= 500)
        )
        return Response(html, status, headers(), "text/html; charset=utf-8")

    return answer


async def _index(sources: Sources, request: Request, look: Look) -> Response:
    """The events, each with where it stands and its lists."""
    t = texts(DEFAULT)
    cards = []
    for event in sources.live.events():
        index = await sources.index(event)
        lists = main_lists(index.lists)
        try:
            first, _ = await sources.standings(event, lists[0], 1)
        except Hidden:
            first = None
        cards.append(
            {
                "event": event,
                "title": index.title,
                "standings": first,
                "status": "scheduled" if first is None else first.status.value,
                "lists": [
                    (look.address(event, name), scoreboard.line_title(name.partition("/")[2], t))
                    for name in lists
                ],
                "address": look.address(event, lists[0]),
                "hall": Look("hall", look.theme, "event").address(event),
            }
        )
    hall = Look("hall", look.theme, "all").address()
    html = templates().get_template("index.html").render(t=t, look=look, cards=cards, hall=hall)
    return sources.answer(request, page_of(html.encode()))
