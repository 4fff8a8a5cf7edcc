"""The guarded loop: what it cannot fold is parked and counted, and a bad release cannot drain the log."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import pytest

from pipeline.ports import NotReady
from pipeline.runtime.embedded.fold import MOST_IN_A_ROW
from pipeline.scoring.event import Changes, Event
from schemas.record import Stamped
from tests.builders import result
from tests.web.calls import Called, called
from tests.web.test_feed import FIRST, SECOND_ROUND, SET_UP, standings

POISON = "poison"


@pytest.fixture
def poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A release that falls over some records, and halfway at that."""
    whole = Event.apply

    def apply(self: Event, batch: Iterable[Stamped]) -> Changes:
        entries = list(batch)
        bad = [entry for entry in entries if entry.record.id.startswith(POISON)]
        if bad:
            whole(self, entries)
            raise ZeroDivisionError(bad[0].record.id)
        return whole(self, entries)

    monkeypatch.setattr(Event, "apply", apply)


@pytest.mark.usefixtures("poisoned")
async def test_a_record_that_cannot_be_folded_is_parked_and_the_rest_counts(barometer: Called) -> None:
    bad = result(board=2, round=2, id=POISON)
    await barometer.say(*SET_UP, *FIRST, bad, SECOND_ROUND[1])
    told = await standings(barometer)
    assert told["incomplete"] == 1
    assert told["boards_counted"] == 2
    assert (await barometer.get(f"records/{bad.identity}")).status_code == 404
    (parked,) = await barometer.whole.log.unreadable()
    assert (parked.key, parked.problem) == ("congress", "ZeroDivisionError: poison")
    assert b'"id":"poison"' in parked.data
    assert "barometer_entries_parked_total 1.0" in (await barometer.get("/metrics")).text
    assert (await barometer.get("/healthz")).status_code == 200


@pytest.mark.usefixtures("poisoned")
async def test_it_is_parked_once_however_often_the_log_is_read(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(*SET_UP, result(board=2, round=2, id=POISON), FIRST[0])
        clock = barometer.clock
    async with called(tmp_path / "log.sqlite", clock=clock) as barometer:
        assert len(await barometer.whole.log.unreadable()) == 1
        assert (await standings(barometer))["incomplete"] == 1


@pytest.mark.usefixtures("poisoned")
async def test_after_fifty_in_a_row_the_loop_stops_and_the_entry_goes_on(barometer: Called) -> None:
    await barometer.say(*SET_UP)
    payloads = [
        {"kind": "session_opened", "session": "1", "id": f"{POISON}.{number}"}
        for number in range(MOST_IN_A_ROW)
    ]
    assert (await barometer.post(payloads)).status_code == 202
    with pytest.raises(NotReady):
        await barometer.whole.hub.wait_folded(10**6, 10)
    healthy = await barometer.get("/healthz")
    assert healthy.status_code == 503
    assert "50 records in a row" in healthy.json()["status"]
    assert (await barometer.get("standings/1/all")).status_code == 503
    assert "barometer_loop_alive 0.0" in (await barometer.get("/metrics")).text
    assert (
        await barometer.post({"kind": "session_opened", "session": "1", "id": "still"})
    ).status_code == 202


async def write_row(path: Path, offset: int, data: bytes) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO entries(offset, time_us, topic, event, source, id, data)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (offset, 1_800_000_000_000_000, "board-results", "congress", "s", f"i{offset}", data),
        )
    connection.close()


async def test_bytes_of_the_log_that_nobody_can_read_make_the_lists_incomplete(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(*SET_UP, *FIRST)
    await write_row(tmp_path / "log.sqlite", len(SET_UP) + 2, b"{broken")
    async with called(tmp_path / "log.sqlite") as barometer:
        assert (await standings(barometer))["incomplete"] == 1
        us = (await standings(barometer))["as_of_us"]
        assert (await standings(barometer, as_of=us))["incomplete"] == 1


async def test_a_record_of_a_newer_schema_stops_the_reader(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(*SET_UP)
    await write_row(tmp_path / "log.sqlite", len(SET_UP), b'{"kind":"from_the_future","wire":99}')
    async with called(tmp_path / "log.sqlite") as barometer:
        healthy = await barometer.get("/healthz")
        assert healthy.status_code == 503
        assert "wire 99" in healthy.json()["status"]
        assert (await barometer.get("/events")).status_code == 503


async def test_pages_of_a_fast_event_are_made_ten_times_a_second_and_the_last_is_the_last(
    barometer: Called,
) -> None:
    await barometer.say(*SET_UP)
    made = barometer.whole.metrics.render_seconds.labels("standings")
    for number in range(100):
        await barometer.say(result(board=1, tricks=9, id=f"r{number}", source=f"s{number}"))
        await barometer.get("/events/congress/standings/1/all", after=-1)
    samples = {sample.name: sample.value for family in made.collect() for sample in family.samples}
    rendered = samples["barometer_render_seconds_count"]
    assert rendered < 100
    told = await standings(barometer)
    assert told["records_folded"] == len(SET_UP) + 100
