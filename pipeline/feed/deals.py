"""GET what happened on the boards, and why a contestant has its points: once the deal is closed."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import TypeAdapter
from pydantic_core import to_json

from pipeline.feed.reading import PROBLEMS, Desk, of_page, one_page
from pipeline.feed.visibility import may_see_deal, require_deal
from pipeline.history import name_of, page, traveller_pages
from pipeline.ports import BoardName, NotThere, Pages
from pipeline.scoring.event import Event
from pipeline.scoring.explain import Explanation, as_text, explain
from pipeline.scoring.travellers import board_ids
from pipeline.web.names import PATTERN, AsOf, EventInPath, Offset, PageNumber, SessionInPath
from schemas.terms import ContestantId

BoardNumber = Annotated[int, Path(ge=1, le=9_999)]
Group = Annotated[
    str, Path(max_length=200, description="The section compared within, or `field`, or `match:` and a match")
]
_EXPLANATION = TypeAdapter(Explanation)


def deal_routes(desk: Desk) -> APIRouter:
    """Routes that read deals."""
    router = APIRouter(tags=["feed"], responses=PROBLEMS)
    live = desk.live

    @router.get("/events/{event}/travellers", response_class=Response)
    async def get_boards(
        event: EventInPath,
        request: Request,
        session: Annotated[str | None, Query(pattern=PATTERN)] = None,
        board: Annotated[int | None, Query(ge=1, le=9_999)] = None,
        as_of: AsOf = None,
        after: Offset = -1,
    ) -> Response:
        """The boards of which the traveller may be seen."""
        viewer = desk.viewer(request)
        await desk.wait(after)
        us = desk.moment(as_of)
        names = await live.boards(event) if us is None else await desk.at(event, us, _names)
        secrecy = await live.secrecy(event)
        found = [
            {
                "session": name.session,
                "group": name.group,
                "board": name.board,
                "closed": name.deal in secrecy.closed,
            }
            for name in names
            if session in {None, name.session} and board in {None, name.board}
            if may_see_deal(viewer, secrecy, name.deal)
        ]
        return of_page(request, page(to_json({"event": event, "travellers": found})))

    @router.get("/events/{event}/travellers/{session}/{group}/{board}", response_class=Response)
    async def get_traveller(
        event: EventInPath,
        session: SessionInPath,
        group: Group,
        board: BoardNumber,
        request: Request,
        page: PageNumber = 1,
        as_of: AsOf = None,
        after: Offset = -1,
    ) -> Response:
        """A page of a traveller, once nobody still has to play the deal."""
        viewer = desk.viewer(request)
        await desk.wait(after)
        us = desk.moment(as_of)
        name = BoardName(session, group, board)
        require_deal(viewer, await live.secrecy(event), name.deal)

        def then(found: Event) -> Pages:
            try:
                return traveller_pages(found, name, live.folded)
            except KeyError:
                raise NotThere("board", f"{session}/{group}/{board}") from None

        pages = await live.traveller(event, name, after) if us is None else await desk.at(event, us, then)
        # Asked again, for a deal may be opened while its traveller is made.
        require_deal(viewer, await live.secrecy(event), name.deal)
        return one_page(request, pages, page)

    @router.get("/events/{event}/explain", response_class=Response)
    async def get_explanation(
        event: EventInPath,
        request: Request,
        contestant: Annotated[str, Query(pattern=PATTERN)],
        session: Annotated[str, Query(pattern=PATTERN)],
        board: Annotated[int, Query(ge=1, le=9_999)],
        as_of: AsOf = None,
        after: Offset = -1,
    ) -> Response:
        """Why a contestant has its points on a board: number by number, and in words."""
        viewer = desk.viewer(request)
        await desk.wait(after)
        us = desk.moment(as_of)
        require_deal(viewer, await live.secrecy(event), (session, board))

        def why(found: Event) -> bytes:
            explanation = explain(found, ContestantId(contestant), session, board)
            if not explanation.lines:
                raise NotThere("board of this contestant", f"{contestant} {session}/{board}")
            told = _EXPLANATION.dump_python(explanation, mode="json")
            return to_json({**told, "text": as_text(explanation)})

        body = await live.ask(event, why) if us is None else await desk.at(event, us, why)
        require_deal(viewer, await live.secrecy(event), (session, board))
        return of_page(request, page(body))

    return router


def _names(found: Event) -> list[BoardName]:
    return [name_of(board) for board in board_ids(found)]
