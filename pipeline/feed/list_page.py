"""The live scoreboard of a list."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from urllib.parse import quote

from fastapi import Request, Response

from pipeline.feed.earlier import Earlier
from pipeline.feed.looks import Look, address_of, in_order, main_lists
from pipeline.feed.page_sources import Sources
from pipeline.feed.situation import Situation, situation
from pipeline.feed.visibility import may_see_deal
from pipeline.history import page as page_of
from pipeline.ports import BoardName, Page
from pipeline.scoring.scores import EVENT
from pipeline.web import scoreboard, traveller
from pipeline.web.locale import DEFAULT, Texts, texts
from pipeline.web.notation import when
from pipeline.web.roles import PUBLIC
from pipeline.web.templating import templates
from schemas.control import ContestantKind
from schemas.published import Standings, Status
from schemas.terms import EventId, ListId

MOST_KEPT: Final = 64


class ListPages:
    """Makes the boards, and keeps the last ones, so that a thousand phones cost one rendering."""

    def __init__(self, sources: Sources) -> None:
        """Read from these sources."""
        self.sources = sources
        self.earlier = Earlier(sources.desk)
        self._kept: OrderedDict[tuple[object, ...], tuple[object, Page]] = OrderedDict()

    async def board(
        self, request: Request, event: EventId, name: str | None, page: int, look: Look
    ) -> Response:
        """A page of a list."""
        index = await self.sources.index(event)
        listed = name or main_lists(index.lists)[0]
        standings, tag = await self.sources.standings(event, listed, page)
        where = await self.sources.live.ask(
            event, lambda found: situation(found, standings.scope, index.lists)
        )
        names = await self.sources.names(event)
        since = where.since_us
        places = None if since is None else await self.earlier.places(event, since, listed)
        secrecy = await self.sources.live.secrecy(event)
        shown_boards = [
            board
            for board in await self.sources.live.boards(event)
            if may_see_deal(PUBLIC, secrecy, board.deal) and standings.scope in {EVENT, board.session}
        ]
        where = replace(
            where,
            corrections=tuple(
                one
                if may_see_deal(PUBLIC, secrecy, (one.slot.session, one.slot.board))
                else replace(one, before=None, after=None)
                for one in where.corrections
            ),
        )
        turn = await self._turn(event, index.lists, listed, standings, look)
        rests_on = (tag, where, names, places, shown_boards, turn)
        key = ("board", event, listed, page, look)
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
        return self.sources.answer(request, self._kept[key][1])

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
        if look.turn == "all" and len(self.sources.live.events()) > 1:
            others = self.sources.live.events()
            other = others[(others.index(event) + 1) % len(others)]
            index = await self.sources.index(other)
            first = main_lists(index.lists)[0]
            line = first.partition("/")[2]
            title = index.title if line == "all" else f"{index.title} · {scoreboard.line_title(line, t)}"
            return look.address(other, first), title
        if len(ours) == 1 and standings.pages == 1:
            return None
        return look.address(event, ours[0]), scoreboard.line_title(ours[0].partition("/")[2], t)

    def _keep(self, key: tuple[object, ...], rests_on: object, page: Page) -> None:
        self._kept[key] = (rests_on, page)
        self._kept.move_to_end(key)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
