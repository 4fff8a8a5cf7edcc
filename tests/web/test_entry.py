"""What the entry answers: each status, every bad input by its name, and the process goes on."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from schemas.record import Role
from tests.builders import described, result, session_opened
from tests.web.calls import DIRECTOR, Called, called, fields_of, payload_of

TABLE = {"X-Barometer-Role": "table", "X-Barometer-Source": "table.A1"}


def played(**changes: object) -> dict[str, Any]:
    """A result as a tablet sends it, with something else in it."""
    payload, _ = payload_of(result(board=1, ns=1, ew=2, id="r1"))
    return {**payload, **changes}


async def assert_lives(barometer: Called) -> None:
    """The next one gets its answer."""
    answer = await barometer.post(played(id="after"), TABLE)
    assert answer.status_code == 202, answer.text
    assert (await barometer.get("/healthz")).status_code == 200 or barometer.whole.hub.folded >= 0


async def test_a_record_is_answered_with_its_stamp(barometer: Called) -> None:
    answer = await barometer.post(played(), TABLE)
    assert answer.status_code == 202
    told = answer.json()
    assert told["record"] == "table.A1/r1"
    assert told["stamp"]["topic"] == "board-results"
    assert told["stamp"]["offset"] == 0
    assert told["log"] == barometer.whole.log.log_id
    where = await barometer.get(answer.headers["location"], after=0)
    assert where.json()["verdict"] == "accepted"


async def test_a_record_sent_twice_gets_its_first_stamp(barometer: Called) -> None:
    first = await barometer.post(played(), TABLE)
    again = await barometer.post(played(), TABLE)
    assert (again.status_code, again.json()) == (202, first.json())
    assert await barometer.whole.log.end() == 1


async def test_another_content_under_an_id_is_a_conflict(barometer: Called) -> None:
    await barometer.post(played(), TABLE)
    answer = await barometer.post(played(lead="SK"), TABLE)
    assert answer.status_code == 409
    assert fields_of(answer) == {"id"}
    assert len(answer.json()["payload_digest"]) == 64
    assert await barometer.whole.log.end() == 1


async def test_two_contents_under_one_id_at_once_leave_one(barometer: Called) -> None:
    leads = ("SK", "H2", "D5", "CA")
    answers = await asyncio.gather(*(barometer.post(played(lead=lead), TABLE) for lead in leads))
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    assert await barometer.whole.log.end() == 1


async def test_a_list_is_appended_all_or_none(barometer: Called) -> None:
    good = [played(id=f"r{number}") for number in range(3)]
    answer = await barometer.post([*good, played(id="bad", lead="ZZ"), played(id="worse", slot=None)], TABLE)
    assert answer.status_code == 422
    assert {error["index"] for error in answer.json()["errors"]} == {3, 4}
    assert await barometer.whole.log.end() == 0
    answer = await barometer.post(good, TABLE)
    assert answer.status_code == 202
    assert [told["stamp"]["offset"] for told in answer.json()["records"]] == [0, 1, 2]


async def test_a_list_has_a_cap(barometer: Called) -> None:
    answer = await barometer.post([played(id=f"r{number}") for number in range(501)], TABLE)
    assert answer.status_code == 422
    assert (await barometer.post([], TABLE)).status_code == 422
    assert await barometer.whole.log.end() == 0


SLOT = played()["slot"]
PLAYED = played()["result"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"result": {**PLAYED, "contract": {**PLAYED["contract"], "level": 8}}}, "contract"),
        ({"result": {**PLAYED, "contract": {**PLAYED["contract"], "strain": "X"}}}, "strain"),
        ({"result": {**PLAYED, "tricks": 14}}, "played"),
        ({"result": {**PLAYED, "tricks": -1}}, "played"),
        ({"slot": {**SLOT, "board": 0}}, "board"),
        ({"slot": {**SLOT, "table": 0}}, "table"),
        ({"slot": {**SLOT, "round": "first"}}, "round"),
        ({"slot": None}, "slot"),
        ({"kind": "board_resolt"}, "record"),
        ({"id": "a/b"}, "id"),
        ({"id": "x" * 65}, "id"),
        ({"lead": "S1"}, "lead"),
        ({"colour": "blue"}, "colour"),
        ({"supersedes": "no identity"}, "supersedes"),
        ({"event": "another"}, "event"),
        ({"source": "table.A2"}, "source"),
        ({"role": "director"}, "role"),
        ({"wire": 99}, "wire"),
        (
            {"original_stamp": {"time_us": 1, "topic": "board-results", "partition": 0, "offset": 0}},
            "original_stamp",
        ),
    ],
)
async def test_bad_form_is_refused_by_field_value_and_rule(
    barometer: Called, changes: dict[str, Any], field: str
) -> None:
    answer = await barometer.post(played(**changes), TABLE)
    assert answer.status_code == 422, answer.text
    assert field in {name.rpartition(".")[2] for name in fields_of(answer)}
    assert await barometer.whole.log.end() == 0
    await assert_lives(barometer)


async def test_every_field_at_fault_is_named_at_once(barometer: Called) -> None:
    changes = {"slot": {**SLOT, "board": 0, "table": 0}, "lead": "S1", "role": "director", "colour": "blue"}
    found = fields_of(await barometer.post(played(**changes), TABLE))
    assert {name.rpartition(".")[2] for name in found} == {"board", "table", "lead", "role", "colour"}


@pytest.mark.parametrize("role", ["pair", "committee"])
async def test_a_foreign_role_is_refused_with_the_roles_that_may(barometer: Called, role: str) -> None:
    answer = await barometer.post(played(), {"X-Barometer-Role": role})
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["field"], error["value"], error["reason"]) == ("role", role, "not-authorised")
    assert "table" in error["rule"]


async def test_a_table_cannot_open_a_session(barometer: Called) -> None:
    payload, _ = payload_of(session_opened())
    answer = await barometer.post(payload, TABLE)
    assert answer.json()["type"].endswith("not-authorised")
    metrics = (await barometer.get("/metrics")).text
    assert 'barometer_requests_refused_total{reason="authority"} 1.0' in metrics


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"kind": "board_result"',
        b"<xml/>",
        b"null",
        b'{"id": NaN}',
        b'{"id": Infinity}',
        b'{"id": "\xff\xfe"}',
        '{"id": "ø"}'.encode("latin-1"),
        '{"id": "r"}'.encode("utf-16"),
        b"\x00" * 100,
        b"[" * 100_000,
        b'{"id": "\\ud800"}',
        b"{" + b'"a":{' * 5_000 + b"}" * 5_001,
    ],
    ids=lambda body: repr(body[:16]),
)
async def test_what_is_no_json_is_told_so(barometer: Called, body: bytes) -> None:
    headers = {**TABLE, "Content-Type": "application/json"}
    answer = await barometer.client.post("/events/congress/records", content=body, headers=headers)
    assert answer.status_code in {400, 422}, answer.text
    assert fields_of(answer)
    assert await barometer.whole.log.end() == 0
    await assert_lives(barometer)


@pytest.mark.parametrize("payload", [1, "text", True, [1], [None], [[]], [[played()]]])
async def test_json_of_another_shape_is_told_so(barometer: Called, payload: object) -> None:
    answer = await barometer.post(payload, TABLE)
    assert answer.status_code == 422
    assert fields_of(answer) == {"body"}


async def test_another_type_of_body_is_not_read(barometer: Called) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = await barometer.client.post(
            "/events/congress/records", content=json.dumps(played()), headers={**TABLE, "Content-Type": kind}
        )
        assert answer.status_code == 415, kind


async def test_a_line_of_a_hundred_megabytes_is_not_swallowed(barometer: Called) -> None:
    given = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal given
        for _ in range(1_600):
            given += 65_536
            yield b"x" * 65_536

    headers = {**TABLE, "Content-Type": "application/json"}
    answer = await barometer.client.post("/events/congress/records", content=endless(), headers=headers)
    assert answer.status_code == 413
    declared = {**headers, "Content-Length": str(100 * 1024 * 1024)}
    answer = await barometer.client.post("/events/congress/records", content=b"{}", headers=declared)
    assert answer.status_code == 413
    await assert_lives(barometer)


@pytest.mark.parametrize("seconds", [3_600, -3_600], ids=["ahead", "back"])
async def test_while_the_clock_jumps_nobody_knows_and_the_same_id_works_later(
    tmp_path: Path, seconds: int
) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(described())
        barometer.clock.jumps(seconds)
        answer = await barometer.post(played(), TABLE)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert "same id" in answer.json()["detail"]
        barometer.clock.jumps(-seconds)
        answer = await barometer.post(played(), TABLE)
        assert answer.status_code == 202
        assert await barometer.whole.log.end() == 2


async def test_a_log_that_ended_says_come_again(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.whole.log.close()
        assert (await barometer.post(played(), TABLE)).status_code == 503


async def test_a_name_is_set_read_and_erased_without_the_log(barometer: Called) -> None:
    await barometer.say(described())
    where = "/events/congress/people/p1"
    named = await barometer.client.put(where, json={"name": "Ada", "member_number": "7"}, headers=DIRECTOR)
    assert named.status_code == 204
    told = (await barometer.get("people", DIRECTOR)).json()["people"]
    assert told == {"p1": {"name": "Ada", "member_number": "7"}}
    for headers in ({}, TABLE):  # a name stands on every list, a number on none
        assert (await barometer.get("people", headers)).json()["people"] == {"p1": {"name": "Ada"}}
    assert (await barometer.client.delete(where, headers=DIRECTOR)).status_code == 204
    assert (await barometer.get("people")).json()["people"] == {}
    assert await barometer.whole.log.end() == 1


async def test_a_name_of_another_shape_is_refused(barometer: Called) -> None:
    where = "/events/congress/people/p1"
    payloads: tuple[object, ...] = ({}, {"name": 1}, {"name": "x" * 501}, {"name": "Ada", "age": 3}, [])
    for payload in payloads:
        answer = await barometer.client.put(where, json=payload, headers=DIRECTOR)
        assert answer.status_code == 422, payload
        assert fields_of(answer)
    answer = await barometer.client.put(where, json={"name": "Ada"}, headers=TABLE)
    assert answer.status_code == 403
    assert (await barometer.client.delete(where, headers=TABLE)).status_code == 403


async def test_a_bad_role_or_source_is_named(barometer: Called) -> None:
    answer = await barometer.post(played(), {"X-Barometer-Role": "king"})
    assert fields_of(answer) == {"X-Barometer-Role"}
    answer = await barometer.post(played(), {**TABLE, "X-Barometer-Source": "a b"})
    assert fields_of(answer) == {"X-Barometer-Source"}


async def test_without_headers_a_sender_of_this_machine_is_the_director(barometer: Called) -> None:
    answer = await barometer.post(payload_of(session_opened())[0], {})
    assert answer.json()["record"].startswith(f"{Role.DIRECTOR}/")


async def test_an_address_that_is_not_ours_is_turned_away(barometer: Called) -> None:
    for host in ("evil.example", "127.evil.example", "127.0.0.1.evil.example:80", "127.0.0.1@evil.example"):
        assert (await barometer.post(played(), {**TABLE, "Host": host})).status_code == 421, host
    for host in ("localhost:8090", "127.0.0.1:1", "127.0.1.1", "[::1]:8090", "[::1]", "LOCALHOST"):
        assert (await barometer.get("/healthz", {"Host": host})).status_code == 200


async def test_a_sender_that_goes_away_within_a_body_is_no_bug(barometer: Called) -> None:
    """A phone in a tunnel: nothing is in the log, nothing is raised, and it is counted."""
    told = iter(({"type": "http.request", "body": b'{"ki', "more_body": True}, {"type": "http.disconnect"}))
    sent: list[Mapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(told)

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/events/congress/records",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")],
    }
    await barometer.whole.app(scope, receive, send)
    assert sent[0]["status"] == 400
    assert await barometer.whole.log.end() == 0
    assert 'reason="unreadable"} 1.0' in (await barometer.get("/metrics")).text


async def test_the_wrong_method_and_the_wrong_place_are_problems(barometer: Called) -> None:
    for answer in (
        await barometer.client.get("/events/congress/records"),
        await barometer.client.delete("/events/congress/standings/1/all"),
        await barometer.client.get("/nowhere"),
        await barometer.client.post("/events/a%20b/records", json=played(), headers=TABLE),
        await barometer.client.post("/events/a%2Fb/records", json=played(), headers=TABLE),
    ):
        assert answer.status_code in {404, 405, 422}
        assert answer.headers["content-type"] == "application/problem+json"


async def test_many_senders_at_once_all_get_a_stamp_of_their_own(barometer: Called) -> None:
    async def send(number: int) -> httpx.Response:
        return await barometer.post(
            played(id=f"r{number}"), {**TABLE, "X-Barometer-Source": f"t{number % 7}"}
        )

    answers = await asyncio.gather(*map(send, range(200)))
    assert {answer.status_code for answer in answers} == {202}
    assert sorted(answer.json()["stamp"]["offset"] for answer in answers) == list(range(200))
