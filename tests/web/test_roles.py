"""Who may write and who sees what: tokens, headers, and the address that is listened at."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from schemas.codec import AnyRecord
from schemas.record import LAST_US
from tests.builders import described, movement, placement, play_ended, result, score_published
from tests.web.calls import Called, called, fields_of, payload_of

TOKENS = "director=director-token, table/table.A1=table-A1-token, importer=importer-token"
BY_DIRECTOR = {"Authorization": "Bearer director-token"}
BY_TABLE = {"Authorization": "Bearer table-A1-token"}
PLAYED = payload_of(result(board=1, ns=1, ew=2))[0]
AN_OPEN_DEAL = (
    described(),
    movement([placement(1, 1, 1, 2, [1]), placement(2, 1, 1, 2, [2]), placement(2, 2, 3, 4, [1])]),
    result(board=1),
)


@pytest.fixture(
    params=[{"BAROMETER_HOST": "0.0.0.0"}, {"BAROMETER_HOST": "127.0.0.1"}],  # noqa: S104 - not listened at
    ids=["anywhere", "loopback with tokens"],
)
async def guarded(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Called]:
    async with called(tmp_path / "log.sqlite", {**request.param, "BAROMETER_TOKENS": TOKENS}) as running:
        yield running


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Barometer-Role": "director"},
        {"Authorization": "Bearer wrong-token"},
        {"Authorization": "Bearer "},
        {"Authorization": "Basic director-token"},
        {"Authorization": "director-token"},
        {"Authorization": "Bearer director-tokem"},
    ],
    ids=str,
)
async def test_nobody_writes_without_a_token_that_is_known(
    guarded: Called, headers: Mapping[str, str]
) -> None:
    answer = await guarded.post(PLAYED, headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    answer = await guarded.client.put("/events/congress/people/p1", json={"name": "Ada"}, headers=headers)
    assert answer.status_code == 401
    assert await guarded.whole.log.end() == 0
    assert 'reason="token"} 1.0' in (await guarded.get("/metrics")).text


async def test_the_token_gives_role_and_source_whatever_a_header_says(guarded: Called) -> None:
    answer = await guarded.post(
        PLAYED, {**BY_TABLE, "X-Barometer-Role": "director", "X-Barometer-Source": "x"}
    )
    assert answer.json()["record"].startswith("table.A1/")
    (entry,) = [entry async for batch in guarded.whole.log.read() for entry in batch]
    assert entry.record.role == "table"  # type: ignore[union-attr]


async def test_only_the_importer_brings_stamps(guarded: Called) -> None:
    stamp = {"time_us": 1, "topic": "board-results", "partition": 0, "offset": 0}
    payload = {**PLAYED, "original_stamp": stamp}
    assert (await guarded.post(payload, BY_DIRECTOR)).status_code == 422
    assert (await guarded.post(payload, {"Authorization": "Bearer importer-token"})).status_code == 202


async def test_a_reader_without_token_is_the_public(guarded: Called) -> None:
    client = guarded.client
    for record in AN_OPEN_DEAL:
        payload, _ = payload_of(record)
        assert (
            await client.post("/events/congress/records", json=payload, headers=BY_DIRECTOR)
        ).status_code == 202
    where = "/events/congress/travellers/1/A/1?after=2"
    assert (await client.get(where)).status_code == 403
    assert (await client.get(where, headers={"X-Barometer-Role": "director"})).status_code == 403
    assert (await client.get(where, headers=BY_TABLE)).status_code == 403
    assert (await client.get(where, headers={"Authorization": "Bearer wrong-token"})).status_code == 401
    assert (await client.get(where, headers=BY_DIRECTOR)).status_code == 200


async def test_at_home_reads_are_public_unless_the_header_says_director(barometer: Called) -> None:
    await barometer.say(*AN_OPEN_DEAL)
    assert (await barometer.get("travellers/1/A/1")).status_code == 403
    for role, status in {"director": 200, "scorer": 200, "table": 403, "pair": 403, "committee": 403}.items():
        answer = await barometer.get("travellers/1/A/1", {"X-Barometer-Role": role})
        assert answer.status_code == status, role


async def test_a_stamp_past_all_calendars_is_refused_and_the_last_one_is_shown(guarded: Called) -> None:
    """What is placed behind the end of time would be scored by nobody."""
    importer = {"Authorization": "Bearer importer-token"}
    stamp = {"topic": "board-results", "partition": 0, "offset": 0}
    answer = await guarded.post({**PLAYED, "original_stamp": {**stamp, "time_us": LAST_US + 1}}, importer)
    assert fields_of(answer) == {"board_result.original_stamp.time_us"}
    said: tuple[AnyRecord, ...] = (*AN_OPEN_DEAL, play_ended(), score_published())
    for number, record in enumerate(said):
        told = {**payload_of(record)[0], "original_stamp": {**stamp, "time_us": LAST_US, "offset": number}}
        answer = await guarded.post(told, importer)
        assert answer.status_code == 202, answer.text
    guarded.said = answer.json()["stamp"]["offset"]
    assert (await guarded.get("standings/1/all")).status_code == 200
    for page in ("/", "/board?event=congress"):
        assert (await guarded.client.get(page)).status_code == 200
