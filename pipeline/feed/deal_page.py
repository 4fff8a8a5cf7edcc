"""The traveller of a closed deal as a page."""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import quote

from fastapi import Request, Response

from pipeline.feed.looks import Look, address_of
from pipeline.feed.page_sources import Sources
from pipeline.feed.situation import EntrantShown, entrants
from pipeline.feed.visibility import may_see_deal
from pipeline.history import page as page_of
from pipeline.ports import BoardName
from pipeline.rules.board_conditions import dealer, vulnerability
from pipeline.web import scoreboard, traveller
from pipeline.web.locale import DEFAULT, texts
from pipeline.web.notation import when
from pipeline.web.roles import PUBLIC
from pipeline.web.templating import templates
from schemas.terms import BoardNumber, ContestantId, EventId


async def deal_page(
    sources: Sources, request: Request, event: EventId, name: BoardName, page: int, look: Look
) -> Response:
    """A board that nobody still has to play."""
    found = await sources.traveller(event, name, page)
    who = await sources.live.ask(event, entrants)
    names = await sources.names(event)
    index = await sources.index(event)
    secrecy = await sources.live.secrecy(event)
    t = texts(DEFAULT)
    boards = [
        board
        for board in await sources.live.boards(event)
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
    return sources.answer(request, page_of(html.encode()))


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
