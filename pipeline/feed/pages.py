"""The pages that people look at: the events, a live scoreboard of a list, a traveller of a closed deal.

Each is complete HTML before any script; shown, it fetches itself again by its ETag when a tick says so.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import TypeAdapter

from pipeline.feed.reading import Desk
from pipeline.feed.situation import EntrantShown, Situation, entrants, situation
from pipeline.feed.visibility import list_moment, may_see_deal, require_deal, require_list
from pipeline.history import page as page_of
from pipeline.history import standings_pages
from pipeline.ports import BoardName, NotReady, NotThere, Page, Pages, People
from pipeline.rules.board_conditions import dealer, vulnerability
from pipeline.scoring.event import Event
from pipeline.scoring.lists import ranking
from pipeline.scoring.scores import EVENT
from pipeline.web import scoreboard, traveller
from pipeline.web.locale import DEFAULT, Texts, texts
from pipeline.web.names import PATTERN, EventInPath, PageNumber, SessionInPath
from pipeline.web.notation import when
from pipeline.web.problem import Problem
from pipeline.web.roles import PUBLIC
from pipeline.web.templating import static_files, templates
from schemas.control import ContestantKind
from schemas.published import Standings, StandingsIndex, Status, Traveller
from schemas.terms import BoardNumber, ContestantId, EventId, ListId

CLOCK_HEADER: Final = "X-Barometer-Clock"
"""The hall's time of day, so that a page can say since when it is not live."""
MOST_KEPT: Final = 64
PLACES_SECONDS: Final = 0.4
"""So long a page waits for the places of a moment before; it is shown without them otherwise."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
EventAsked = Annotated[str | None, Query(pattern=PATTERN)]
ListAsked = Annotated[str | None, Query(alias="list", max_length=200)]
Screen = Annotated[
    Literal["page", "hall"], Query(description="A hall screen fills itself and turns its pages")
]
Theme = Annotated[Literal["auto", "dark", "light"], Query()]
Turn = Annotated[
    Literal["no", "event", "all"] | None, Query(description="Which lists a hall screen shows in turn")
]
_STANDINGS: Final = TypeAdapter(Standings)
_TRAVELLER: Final = TypeAdapter(Traveller)
_INDEX: Final = TypeAdapter(StandingsIndex)
Endpoint = Callable[..., Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Look:
    """How a page was asked for."""

    screen: str
    theme: str
    turn: str

    def address(self, event: str | None = None, name: str | None = None, page: int = 1) -> str:
        """The board of an event's list in the same look."""
        asked: dict[str, object] = {} if event is None else {"event": event}
        if name is not None:
            asked["list"] = name
        if page > 1:
            asked["page"] = page
        if self.screen == "hall":
            asked |= {"screen": self.screen, "turn": self.turn}
        if self.theme != "auto":
            asked["theme"] = self.theme
        return f"/board?{urlencode(asked, safe='/')}" if asked else "/board"


class Earlier:
    """The places of every list at some moments before, each refolded once and off the loop."""

    def __init__(self, desk: Desk) -> None:
        """Read slices of history from the desk."""
        self._desk = desk
        self._known: OrderedDict[tuple[EventId, int], asyncio.Task[Mapping[str, scoreboard.Places]]] = (
            OrderedDict()
        )

    async def places(self, event: EventId, us: int, name: str) -> scoreboard.Places | None:
        """The places at a moment, or None while they are not known."""
        task = self._known.get((event, us))
        if task is None:
            task = self._known[event, us] = asyncio.create_task(self._desk.at(event, us, _all_places))
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        try:
            found = await asyncio.wait_for(asyncio.shield(task), PLACES_SECONDS)
        except TimeoutError:
            return None
        return found.get(name)


def _all_places(event: Event) -> Mapping[str, scoreboard.Places]:
    from pipeline.scoring.lists import list_ids  # noqa: PLC0415

    return {
        str(name): scoreboard.Places(
            {str(one.contestant): (one.rank, one.score.boards) for one in ranking(event, name)}
        )
        for name in list_ids(event)
    }


def scoreboard_routes(desk: Desk, people: People) -> APIRouter:
    """Routes of the pages; a browser is the public, whoever sits at it."""
    router = APIRouter(include_in_schema=False)
    pages = _Pages(desk, people)

    @router.get("/")
    @_as_page
    async def get_index(request: Request, theme: Theme = "auto") -> Response:
        return await pages.index(request, Look("page", theme, "no"))

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
        return await pages.board(request, event, name, page, Look(screen, theme, turning))

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
        return await pages.traveller(request, event, name, page, Look("page", theme, "no"))

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


class _Hidden(Exception):
    """Something may not be seen yet, and the page says so."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def _as_page(endpoint: Endpoint) -> Endpoint:
    """Say in a page what a route of the interface would say in a problem."""

    @wraps(endpoint)
    async def answer(*positional: Any, **named: Any) -> Response:  # noqa: ANN401 - passed on
        t = texts(DEFAULT)
        try:
            return await endpoint(*positional, **named)
        except _Hidden as hidden:
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
        return Response(html, status, _headers(), "text/html; charset=utf-8")

    return answer


def _headers() -> dict[str, str]:
    return {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


class _Pages:
    """Makes the pages, and keeps the last ones, so that a thousand phones cost one rendering."""

    def __init__(self, desk: Desk, people: People) -> None:
        self.desk, self.live, self.people = desk, desk.live, people
        self.earlier = Earlier(desk)
        self._kept: OrderedDict[tuple[object, ...], tuple[object, Page]] = OrderedDict()

    # The events.

    async def index(self, request: Request, look: Look) -> Response:
        """The events, each with where it stands and its lists."""
        t = texts(DEFAULT)
        cards = []
        for event in self.live.events():
            index = await self._index(event)
            lists = main_lists(index.lists)
            try:
                first, _ = await self._standings(event, lists[0], 1)
            except _Hidden:
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
        return self._answer(request, page_of(html.encode()))

    # A list.

    async def board(
        self, request: Request, event: str | None, name: str | None, page: int, look: Look
    ) -> Response:
        """A page of a list."""
        asked = EventId(event) if event is not None else await self._first_event()
        if asked is None:
            return await self.index(request, Look("page", look.theme, "no"))
        index = await self._index(asked)
        listed = name or main_lists(index.lists)[0]
        standings, tag = await self._standings(asked, listed, page)
        where = await self.live.ask(asked, lambda found: situation(found, standings.scope, index.lists))
        names = await self._names(asked)
        since = where.since_us
        places = None if since is None else await self.earlier.places(asked, since, listed)
        secrecy = await self.live.secrecy(asked)
        shown_boards = [
            board
            for board in await self.live.boards(asked)
            if may_see_deal(PUBLIC, secrecy, board.deal) and standings.scope in {EVENT, board.session}
        ]
        turn = await self._turn(asked, index.lists, listed, standings, look)
        rests_on = (tag, where, names, places, shown_boards, turn)
        key = ("board", asked, listed, page, look)
        known = self._kept.get(key)
        if known is None or known[0] != rests_on:
            t = texts(DEFAULT)
            html = (
                templates()
                .get_template("board.html")
                .render(
                    t=t,
                    look=look,
                    **self._board(t, look, standings, where, names, places, shown_boards, turn),
                )
            )
            self._keep(key, rests_on, page_of(html.encode()))
        return self._answer(request, self._kept[key][1])

    def _board(
        self,
        t: Texts,
        look: Look,
        standings: Standings,
        where: Situation,
        names: Mapping[str, str],
        places: scoreboard.Places | None,
        boards: Sequence[BoardName],
        turn: tuple[str, str] | None,
    ) -> dict[str, object]:
        in_play = where.round_ended + 1
        round_now = (in_play, where.rounds) if 0 < in_play <= where.rounds else None
        main, more = scoreboard.strip_parts(
            standings,
            round_now,
            play_ended=where.play_ended,
            corrections=len(where.corrections),
            texts=t,
        )
        rows = scoreboard.shown_rows(standings, names, places, where.show_min_boards, t)
        moved = places is not None
        since = None
        if moved:
            since = (
                t("list.since-publication")
                if where.published_us is not None
                else t("list.since-round", round=where.since_round)
            )
        return {
            "standings": standings,
            "where": where,
            "title": where.title,
            "line": self._list_title(standings.list, where, t),
            "status": standings.status.value,
            "official": standings.status in scoreboard.PUBLIC,
            "strip_main": main,
            "strip_more": more,
            "open": scoreboard.open_matters(standings, t, play_ended=where.play_ended),
            "rows": rows,
            "since": since,
            "percentage": scoreboard.is_percentage(standings),
            "least": scoreboard.early_below(standings, where.show_min_boards),
            "any_early": any(row.early and row.boards for row in rows)
            or (standings.status in {Status.PLAYING, Status.PROVISIONAL} and any(row.early for row in rows)),
            "kind": {ContestantKind.TEAM: "-team", ContestantKind.PAIR: ""}.get(where.contest, "-individual"),
            "lists": [
                (
                    look.address(where.event, name),
                    self._list_title(ListId(name), where, t),
                    name == standings.list,
                )
                for name in in_order(where.lists)
                if len(where.lists) > 1 and (name.startswith(f"{EVENT}/") or len(where.sessions) > 1)
            ],
            "pages": [
                (number, look.address(where.event, standings.list, number))
                for number in range(1, standings.pages + 1)
            ],
            "turn": turn,
            "changes": [
                (one, traveller.result_shown(one.before, t), traveller.result_shown(one.after, t))
                for one in where.corrections
            ],
            "penalties": [
                (
                    one,
                    scoreboard.numbered(one.who.section, one.who.number, one.who.contestant),
                    scoreboard.partners(one.who.players, names),
                )
                for one in where.penalties
            ],
            "boards": [(board, address_of(where.event, board)) for board in boards],
            "groups": len({board.group for board in boards}) > 1,
            "iso": when(standings.as_of_us).isoformat(timespec="seconds") if standings.as_of_us else "",
            "ticks": f"/events/{quote(where.event)}/ticks",
        }

    @staticmethod
    def _list_title(name: str, where: Situation, t: Texts) -> str:
        scope, _, line = name.partition("/")
        title = scoreboard.line_title(line, t)
        if len(where.sessions) <= 1:
            return where.title if line == "all" else title
        of = (
            t("line.event")
            if scope == EVENT
            else where.sessions.get(scope) or t("line.session", session=scope)
        )
        return of if line == "all" else f"{of} · {title}"

    async def _turn(
        self, event: EventId, lists: Sequence[str], name: str, standings: Standings, look: Look
    ) -> tuple[str, str] | None:
        """What a hall screen shows next: an address and its name."""
        if look.screen != "hall" or look.turn == "no":
            return None
        t = texts(DEFAULT)
        scope = name.partition("/")[0]
        ours = [one for one in in_order(lists) if one.partition("/")[0] == scope]
        if standings.page < standings.pages:
            return look.address(event, name, standings.page + 1), scoreboard.line_title(standings.line, t)
        after = ours[ours.index(name) + 1 :]
        if after:
            return look.address(event, after[0]), scoreboard.line_title(after[0].partition("/")[2], t)
        if look.turn == "all" and len(self.live.events()) > 1:
            others = self.live.events()
            other = others[(others.index(event) + 1) % len(others)]
            index = await self._index(other)
            first = main_lists(index.lists)[0]
            line = first.partition("/")[2]
            title = index.title if line == "all" else f"{index.title} · {scoreboard.line_title(line, t)}"
            return look.address(other, first), title
        if len(ours) == 1 and standings.pages == 1:
            return None
        return look.address(event, ours[0]), scoreboard.line_title(ours[0].partition("/")[2], t)

    # A traveller.

    async def traveller(
        self, request: Request, event: EventId, name: BoardName, page: int, look: Look
    ) -> Response:
        """A board that nobody still has to play."""
        found = await self._traveller(event, name, page)
        who = await self.live.ask(event, entrants)
        names = await self._names(event)
        index = await self._index(event)
        secrecy = await self.live.secrecy(event)
        t = texts(DEFAULT)
        boards = [
            board
            for board in await self.live.boards(event)
            if (board.session, board.group) == (name.session, name.group)
            and may_see_deal(PUBLIC, secrecy, board.deal)
        ]
        here = boards.index(name) if name in boards else 0
        around = [
            boards[here - 1] if here > 0 else None,
            boards[here + 1] if here + 1 < len(boards) else None,
        ]
        number = BoardNumber(name.board)
        group, _, match = name.group.partition(":")
        html = (
            templates()
            .get_template("traveller.html")
            .render(
                t=t,
                look=look,
                title=index.title,
                name=name,
                traveller=found,
                group=t("traveller.group-match", match=match)
                if match
                else t("traveller.group-field")
                if group == "field"
                else t("traveller.group-section", section=group),
                dealer=t(f"seat.{dealer(number).value}"),
                vulnerable=t(f"vulnerable.{vulnerability(number).value}"),
                unit=t("list.match-points") if found.top is not None else t("list.imps"),
                lines=traveller.shown_lines(found, _caller(who, names), t),
                frequencies=traveller.shown_frequencies(found),
                before=around[0] and (around[0].board, address_of(event, around[0])),
                after=around[1] and (around[1].board, address_of(event, around[1])),
                up=look.address(event),
                iso=when(found.as_of_us).isoformat(timespec="seconds"),
                ticks=f"/events/{quote(event)}/ticks",
            )
        )
        return self._answer(request, page_of(html.encode()))

    async def _traveller(self, event: EventId, name: BoardName, page: int) -> Traveller:
        try:
            require_deal(PUBLIC, await self.live.secrecy(event), name.deal)
            pages = await self.live.traveller(event, name)
            # Asked again, for a deal may be opened while its traveller is made.
            require_deal(PUBLIC, await self.live.secrecy(event), name.deal)
        except Problem as problem:
            raise _Hidden("page.hidden-deal", board=name.board) from problem
        return _TRAVELLER.validate_json(_numbered(pages, page).body)

    # What they rest on.

    async def _first_event(self) -> EventId | None:
        return next(iter(self.live.events()), None)

    async def _index(self, event: EventId) -> StandingsIndex:
        return _INDEX.validate_json((await self.live.index(event)).pages[0].body)

    async def _standings(self, event: EventId, name: str, page: int) -> tuple[Standings, str]:
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
            raise _Hidden("page.hidden-round" if round_over else "page.hidden-list") from problem
        found = _numbered(pages, page)
        return _STANDINGS.validate_json(found.body), found.tag

    async def _as_of(self, event: EventId, name: str, us: int) -> Pages:
        def then(found: Event) -> Pages:
            try:
                return standings_pages(found, name, us, self.live.folded)
            except KeyError:
                raise NotThere("list", name) from None

        return await self.desk.at(event, us, then)

    async def _names(self, event: EventId) -> Mapping[str, str]:
        return {str(person): named.name for person, named in (await self.people.people(event)).items()}

    def _keep(self, key: tuple[object, ...], rests_on: object, page: Page) -> None:
        self._kept[key] = (rests_on, page)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def _answer(self, request: Request, page: Page) -> Response:
        headers = _headers() | {
            "ETag": page.tag,
            CLOCK_HEADER: f"{when(self.live.watermark_us()):%H:%M:%S}",
        }
        if page.tag in request.headers.get("If-None-Match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(page.body, headers=headers, media_type="text/html; charset=utf-8")


def main_lists(lists: Sequence[str]) -> Sequence[str]:
    """The lists of the whole event. Raises NotThere where an event has none."""
    found = [name for name in lists if name.startswith(f"{EVENT}/")] or list(lists)
    if not found:
        raise NotThere("list", EVENT)
    return in_order(found)


def in_order(lists: Sequence[str]) -> list[str]:
    """Lists by scope as they come, North-South before East-West.

    >>> in_order(["1/A-EW", "1/A-NS", "event/EW", "event/NS"])
    ['1/A-NS', '1/A-EW', 'event/NS', 'event/EW']
    """
    scopes = list(dict.fromkeys(name.partition("/")[0] for name in lists))

    def place(name: str) -> tuple[int, str, bool]:
        scope, _, line = name.partition("/")
        return scopes.index(scope), line.removesuffix("EW").removesuffix("NS"), line.endswith("EW")

    return sorted(lists, key=place)


def address_of(event: str, board: BoardName) -> str:
    """Where the traveller of a board is."""
    parts = (event, board.session, board.group, str(board.board))
    return "/board/traveller/" + "/".join(quote(part, safe="") for part in parts)


def _numbered(pages: Pages, number: int) -> Page:
    if number > len(pages.pages):
        raise NotThere("page", str(number))
    return pages.pages[number - 1]


def _caller(
    who: Mapping[ContestantId, EntrantShown], names: Mapping[str, str]
) -> Callable[[str | None], tuple[str, Sequence[scoreboard.Partner]]]:
    many = len({entrant.section for entrant in who.values()}) > 1

    def called(contestant: str | None) -> tuple[str, Sequence[scoreboard.Partner]]:
        if contestant is None:
            return "–", ()
        entrant = who.get(ContestantId(contestant))
        if entrant is None:
            return contestant, ()
        number = scoreboard.numbered(entrant.section if many else None, entrant.number, contestant)
        return number, scoreboard.partners(entrant.players, names)

    return called
