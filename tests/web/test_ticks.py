"""Ticks: at once when idle, then ten a second and always the last one; resumable, and never too much."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, TypeVar

from pipeline.ports import Tick
from pipeline.runtime.embedded.ticks import APART_SECONDS, MOST_REMEMBERED, Ticker
from schemas.terms import EventId
from tests.builders import described, result
from tests.web.calls import DIRECTOR, Called, called
from tests.web.test_feed import FIRST, SECOND_ROUND, SET_UP

Told = TypeVar("Told")


async def next_of(ticks: AsyncIterator[Told]) -> Told:
    return await asyncio.wait_for(anext(ticks), 10)


async def tick_of(ticks: AsyncIterator[Tick | None]) -> Tick:
    tick = await next_of(ticks)
    assert tick is not None
    return tick


async def until(ticks: AsyncIterator[Any], folded: int) -> dict[str, Any]:
    """All that is told until so many entries are folded, as one tick."""
    found: dict[str, Any] = {"whole": False, "scopes": set(), "boards": [], "decisions": []}
    while found.get("folded", 0) < folded:
        tick = await next_of(ticks)
        found |= {"id": tick["id"], "folded": tick["folded"], "whole": tick["whole"] or found["whole"]}
        found["scopes"].update(tick["scopes"])
        found["boards"] += tick["boards"]
        found["decisions"] += tick["decisions"]
    return found


async def test_the_first_change_is_told_at_once_and_the_last_one_always() -> None:
    ticker = Ticker(EventId("e"), "log")
    loop = asyncio.get_running_loop()
    ticker.changed(1, ["1"], (), ())
    assert ticker.last == (1, 0)
    for folded in range(2, 500):
        ticker.changed(folded, ["1"], (), ())
    assert ticker.last == (1, 0), "the rest of the tenth of a second is told together"
    watching = ticker.watch(("log", 1, 0))
    before = loop.time()
    tick = await tick_of(watching)
    assert tick.revision == (499, 0)
    assert loop.time() - before <= 10 * APART_SECONDS


async def test_a_slow_watcher_gets_what_it_missed_as_one() -> None:
    ticker = Ticker(EventId("e"), "log")
    ticker.changed(1, ["1"], (), ())
    ticker._not_before = 0.0
    ticker.changed(2, ["2"], (), ["a/b"])
    tick = await tick_of(ticker.watch(("log", 0, 0)))
    assert tick == Tick(EventId("e"), (2, 0), frozenset({"1", "2"}), frozenset(), frozenset({"a/b"}))


async def test_who_was_away_too_long_fetches_everything() -> None:
    ticker = Ticker(EventId("e"), "log")
    for folded in range(1, MOST_REMEMBERED + 10):
        ticker._not_before = 0.0
        ticker.changed(folded, ["1"], (), ())
    assert (await tick_of(ticker.watch(("log", 3, 0)))).whole
    assert not (await tick_of(ticker.watch(("log", MOST_REMEMBERED, 0)))).whole
    assert (await tick_of(ticker.watch(("another", MOST_REMEMBERED, 0)))).whole
    assert (await tick_of(ticker.watch(("log", 10**9, 0)))).whole
    assert (await tick_of(ticker.watch(None))).whole


async def test_a_stream_says_first_to_fetch_everything_then_what_changed(barometer: Called) -> None:
    await barometer.say(*SET_UP)
    ticks = barometer.ticks()
    assert (await next_of(ticks))["whole"]
    await barometer.say(FIRST[0])
    tick = await until(ticks, len(SET_UP) + 1)
    assert not tick["whole"]
    assert tick["scopes"] == {"1", "event"}
    assert tick["boards"] == [], "somebody still has to play it"
    assert tick["decisions"] == []
    await ticks.aclose()  # type: ignore[attr-defined]


async def test_the_director_is_told_of_boards_and_verdicts(barometer: Called) -> None:
    await barometer.say(*SET_UP)
    ticks = barometer.ticks(DIRECTOR)
    await barometer.say(FIRST[0])
    tick = await until(ticks, len(SET_UP) + 1)
    assert FIRST[0].identity in tick["decisions"]
    assert ["1", "A", 1] in tick["boards"]
    await ticks.aclose()  # type: ignore[attr-defined]


async def test_a_stream_goes_on_where_it_was_cut(barometer: Called) -> None:
    await barometer.say(*SET_UP)
    ticks = barometer.ticks()
    seen = await next_of(ticks)
    await ticks.aclose()  # type: ignore[attr-defined]
    for record in (*FIRST, *SECOND_ROUND):
        await barometer.say(record)
    resumed = barometer.ticks({"Last-Event-ID": seen["id"]})
    found = await until(resumed, len(SET_UP) + 4)
    assert not found["whole"]
    await resumed.aclose()  # type: ignore[attr-defined]
    for nonsense in ("", "x", "a.b.c", "1.2", f"{seen['id']}.9", "é.1.1"):
        again = barometer.ticks({"Last-Event-ID": nonsense})
        assert (await next_of(again))["whole"], nonsense
        await again.aclose()  # type: ignore[attr-defined]


async def test_after_a_restart_a_stream_goes_on_or_starts_anew(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(*SET_UP)
        ticks = barometer.ticks()
        old = await next_of(ticks)
        await ticks.aclose()  # type: ignore[attr-defined]
        await barometer.say(FIRST[0])
        ticks = barometer.ticks()
        current = await until(ticks, len(SET_UP) + 1)
        await ticks.aclose()  # type: ignore[attr-defined]
        clock = barometer.clock
    async with called(tmp_path / "log.sqlite", clock=clock) as barometer:
        resumed = barometer.ticks({"Last-Event-ID": old["id"]})
        assert (await next_of(resumed))["whole"]
        await resumed.aclose()  # type: ignore[attr-defined]
        resumed = barometer.ticks({"Last-Event-ID": f"{current['id'].rpartition('.')[0]}.0"})
        await barometer.say(FIRST[1])
        tick = await until(resumed, len(SET_UP) + 2)
        assert not tick["whole"]
        await resumed.aclose()  # type: ignore[attr-defined]


async def test_a_quiet_stream_beats_and_ends_with_the_process(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite", heartbeat_seconds=0.01) as barometer:
        await barometer.say(described(), result())
        ticks = barometer.ticks()
        assert (await next_of(ticks))["whole"]
        assert (await next_of(ticks)) == {"beat": True}
        assert "barometer_watchers 1.0" in (await barometer.get("/metrics")).text
        barometer.whole.hub.end_ticks()
        while (await anext(ticks, None)) is not None:
            pass
        assert "barometer_watchers 0.0" in (await barometer.get("/metrics")).text
