"""A public client walks every route while an event is played, and never sees anything of an open deal.

Two halls play the same event. Where a deal is still to be played somewhere, their results differ; everything
that the public can read must be the same to the byte in both. Standings are shown at publication there, for
live totals speak of every board; where they are live, no route but the lists may speak of an open deal.
"""

import asyncio
import json
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.feed.visibility import shown_decision
from pipeline.web.roles import PUBLIC, Viewer
from schemas.codec import AnyRecord, payload_digest
from schemas.decisions import Decision, Reason, Verdict
from schemas.record import Role
from schemas.results import BoardResult
from tests.builders import (
    SECOND,
    conditions,
    confirmed,
    described,
    disputed,
    entered,
    moved,
    movement,
    placement,
    replaced,
    result,
    session_opened,
    slot,
)
from tests.web.calls import DIRECTOR, Called, called

PAIRS = (1, 2, 3, 4, 5, 6)
ROUNDS = 3
BOARDS = (1, 2, 3)
OUTCOMES = (("4S", 10), ("3NT", 9), ("2H", 7), ("5C", 11))
PUBLIC_ROLES: tuple[dict[str, str], ...] = ({}, {"X-Barometer-Role": "table"}, {"X-Barometer-Role": "pair"})


def set_up(show: str) -> list[AnyRecord]:
    """Three tables, three rounds, a board at each; every pair sits still and the boards go round."""
    rows = [
        placement(round_number, table, 2 * table - 1, 2 * table, [(table + round_number - 2) % 3 + 1])
        for round_number in range(1, ROUNDS + 1)
        for table in (1, 2, 3)
    ]
    return [
        described(),
        conditions("exact", {"show.standings": show}),
        *(entered(pair, pair) for pair in PAIRS),
        movement(rows),
        session_opened(),
    ]


@st.composite
def plays(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """(round, table, how) in an order of play, and how often to stop and look."""
    slots = draw(st.permutations([(number, table) for number in range(1, ROUNDS + 1) for table in (1, 2, 3)]))
    return [(number, table, draw(st.integers(0, len(OUTCOMES) - 1))) for number, table in slots]


def board_at(round_number: int, table: int) -> int:
    return (table + round_number - 2) % 3 + 1


def said(plays_of: Sequence[tuple[int, int, int]], turn: int) -> Iterator[list[AnyRecord]]:
    """What is said at each table; `turn` makes another hall of it."""
    for number, table, how in plays_of:
        contract, tricks = OUTCOMES[(how + turn) % len(OUTCOMES)]
        played = result(
            board_at(number, table),
            contract=contract,
            tricks=tricks,
            round=number,
            table=table,
            id=f"r{number}.{table}",
        )
        extra: list[AnyRecord] = [confirmed(played)] if how == 0 else [disputed(played)] if how == 1 else []
        if how == 2:
            extra = [replaced(played, contract, tricks=tricks - 1, id=f"fix{number}.{table}")]
        yield [played, *extra]


async def walk(barometer: Called, moments: Sequence[int]) -> dict[str, tuple[int, str]]:
    """Everything that somebody without a token can read, by address: status and body."""
    found: dict[str, tuple[int, str]] = {}

    async def look(address: str, headers: dict[str, str]) -> None:
        answer = await barometer.get(address, headers, after=barometer.said)
        found[f"{address} {headers}"] = (answer.status_code, answer.text)

    entries = barometer.whole.hub.entries(described().event)
    addresses = ["/events", "/events/congress", *(f"records/{entry.record.identity}" for entry in entries)]
    addresses += ["/", "/board?event=congress", "decisions?verdict=accepted", "export", "people"]
    for at in ("", *(f"as_of={moment}" for moment in moments)):
        addresses += [f"travellers?{at}", f"standings/1/all?{at}", f"standings/event/all?{at}"]
        for board in BOARDS:
            addresses.append(f"travellers/1/A/{board}?{at}")
            addresses.append(f"/board/traveller/congress/1/A/{board}?{at}")
            addresses += [f"explain?contestant={pair}&session=1&board={board}&{at}" for pair in (1, 4)]
    if moments:
        addresses += [f"diff?from={moments[0]}", f"diff?from={moments[0]}&to={moments[-1]}", "diff?from=0"]
    for address in addresses:
        for headers in PUBLIC_ROLES if "/1/A/" in address else PUBLIC_ROLES[:1]:
            await look(address, headers)
    preview = await barometer.client.post("/events/congress/preview", json={}, headers=PUBLIC_ROLES[1])
    found["preview"] = (preview.status_code, preview.text)
    return found


def parts(told: object) -> Iterator[dict[str, Any]]:
    """Every object in an answer."""
    if isinstance(told, dict):
        yield told
        for value in told.values():
            yield from parts(value)
    elif isinstance(told, list):
        for value in told:
            yield from parts(value)


def speaks_of(told: dict[str, Any]) -> int | None:
    """The board that an object is about, in any of the shapes that we publish."""
    slot = told.get("slot")
    board = slot.get("board") if isinstance(slot, dict) else told.get("board")
    return board if isinstance(board, int) else None


def open_deals(done: Sequence[Sequence[AnyRecord]]) -> set[int]:
    """Boards that some table still has to play."""
    count = dict.fromkeys(BOARDS, 0)
    for batch in done:
        first = batch[0]
        assert isinstance(first, BoardResult)
        count[first.slot.board] += 1
    return {board for board, times in count.items() if times < ROUNDS}


async def next_ticks(barometer: Called, folded: int) -> list[dict[str, Any]]:
    """What the public's stream says until so many entries are folded."""
    ticks = barometer.ticks()
    found = []
    async for tick in ticks:
        found.append(tick)
        if tick.get("folded", 0) >= folded:
            break
    await ticks.aclose()  # type: ignore[attr-defined]
    return found


async def one_hall(
    folder: Path, show: str, batches: Sequence[Sequence[AnyRecord]], stops: set[int]
) -> list[dict[str, tuple[int, str]]]:
    """Play, and look around after some tables' turns, at moments of before too."""
    looks = []
    async with called(folder / "log.sqlite") as barometer:
        await barometer.say(*set_up(show))
        moments = [barometer.clock.wall_us()]
        for place, batch in enumerate(batches):
            barometer.clock.passes(30)
            await barometer.say(*batch)
            barometer.clock.passes(30)
            moments.append(barometer.clock.wall_us() - 10 * SECOND)
            closed_now = set(BOARDS) - open_deals(batches[: place + 1])
            for tick in await next_ticks(barometer, barometer.said + 1):
                assert {board for _, _, board in tick.get("boards", ())} <= closed_now
                assert not tick.get("decisions")
            if place in stops:
                looks.append(await walk(barometer, moments[::3][-2:]))
    return looks


def played_in(
    show: str, batches: Sequence[Sequence[AnyRecord]], stops: set[int]
) -> list[dict[str, tuple[int, str]]]:
    with TemporaryDirectory() as folder:
        return asyncio.run(one_hall(Path(folder), show, batches, stops))


@given(plays(), st.integers(1, 8))
@settings(max_examples=5)
def test_what_happened_on_an_open_deal_makes_no_difference_to_the_public(
    order: list[tuple[int, int, int]], until: int
) -> None:
    batches = list(said(order, 0))[:until]
    still_open = open_deals(batches)
    # The other hall: other results on the deals that are open at the end, the same on those that are closed.
    others = [
        other if other[0].slot.board in still_open else batch  # type: ignore[union-attr]
        for batch, other in zip(batches, list(said(order, 1))[:until], strict=True)
    ]
    # The kinds of record that follow a result are the same, so that only its content differs.
    others = [
        [*other[:1], *_as_followed(batch, other)] if other is not batch else other
        for batch, other in zip(batches, others, strict=True)
    ]
    last = {len(batches) - 1}
    (one,), (two,) = played_in("at_publication", batches, last), played_in("at_publication", others, last)
    for (address, here), (same, there) in zip_longest(sorted(one.items()), sorted(two.items())):
        assert address == same
        assert _without_log(here) == _without_log(there), address


def _as_followed(batch: Sequence[AnyRecord], other: Sequence[AnyRecord]) -> list[AnyRecord]:
    first = other[0]
    assert isinstance(first, BoardResult)
    found: list[AnyRecord] = []
    for record in batch[1:]:
        match record.kind:
            case "result_confirmed":
                found.append(confirmed(first))
            case "result_disputed":
                found.append(disputed(first))
            case _:
                found.append(replaced(first, "1NT", tricks=5, id=record.id))
    return found


def _without_log(answer: tuple[int, str]) -> tuple[int, str]:
    status, text = answer
    try:
        told = json.loads(text)
    except ValueError:
        return answer
    if isinstance(told, dict):
        told.pop("log", None)
    return status, json.dumps(told)


@given(plays(), st.sets(st.integers(0, 8), min_size=1, max_size=3))
@settings(max_examples=5)
def test_no_answer_to_the_public_has_a_line_of_an_open_deal(
    order: list[tuple[int, int, int]], stops: set[int]
) -> None:
    batches = list(said(order, 0))
    for place, answers in zip(sorted(stops), played_in("live", batches, stops), strict=True):
        still_open = open_deals(batches[: place + 1])
        for address, (status, text) in answers.items():
            assert status in {200, 403, 404, 405}, (address, status, text)
            if not text.startswith(("{", "[")):
                continue
            for told in parts(json.loads(text)):
                assert speaks_of(told) not in still_open, (address, told)
        for board in BOARDS:
            status = answers[f"travellers/1/A/{board}? {{}}"][0]
            assert status == (403 if board in still_open else 200)


async def test_a_result_moved_to_an_open_deal_is_not_seen_where_it_was(tmp_path: Path) -> None:
    """As of before the move, and in what it changed, board 2 shows what happened on board 3."""
    plan = [
        placement(number, table, 2 * table - 1, 2 * table, [board])
        for number, table, board in ((1, 1, 2), (1, 2, 2), (2, 1, 3), (2, 2, 3), (3, 1, 1), (3, 2, 1))
    ]
    wrong = result(2, id="wrong", tricks=12)
    right, other = result(2, id="right", tricks=9), result(2, table=2)
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(described(), *(entered(pair, pair) for pair in (1, 2, 3, 4)), movement(plan))
        await barometer.say(session_opened(), wrong, other)
        barometer.clock.passes(30)
        before = barometer.clock.wall_us()
        barometer.clock.passes(60)
        await barometer.say(moved(wrong, slot(3, round=2)), right)
        barometer.clock.passes(60)
        places = ("travellers/1/A/2", "explain?contestant=1&session=1&board=2")
        asked = [f"{place}{mark}as_of={before}" for place, mark in zip(places, "?&", strict=True)]
        for address in (*places, *asked, "/board/traveller/congress/1/A/2", "travellers/1/A/3"):
            assert (await barometer.get(address)).status_code == 403, address
        assert (await barometer.get(f"diff?from={before}")).json()["boards"] == []
        assert (await barometer.get(asked[0], DIRECTOR)).status_code == 200
        await barometer.say(result(3, round=2, table=2))
        barometer.clock.passes(60)
        for address in (*places, *asked, "travellers/1/A/3"):
            assert (await barometer.get(address)).status_code == 200, address


def test_the_public_gets_no_digest_that_results_could_be_tried_against() -> None:
    record = result(1)
    refused = Decision(
        record.event,
        record.identity,
        record.kind,
        Verdict.REFUSED,
        Reason.IDENTITY_TAKEN,
        payload_digest=payload_digest(record),
    )
    assert shown_decision(Viewer(Role.DIRECTOR), refused) == refused
    for viewer in (PUBLIC, Viewer(Role.TABLE)):
        assert shown_decision(viewer, refused).payload_digest is None
