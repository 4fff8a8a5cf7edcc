"""What the feed answers: pages with tags, the past, verdicts, and what is for directors alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from schemas.codec import AnyRecord
from schemas.corrections import ReplaceResult
from schemas.record import Stamp
from schemas.results import BoardResult
from tests.builders import (
    MINUTE,
    SECOND,
    START_US,
    awarded,
    conditions,
    described,
    disputed,
    entered,
    movement,
    placement,
    play_ended,
    replaced,
    result,
    round_ended,
    score_published,
    session_opened,
)
from tests.web.calls import DIRECTOR, Called, called, fields_of, payload_of

FOUR: tuple[AnyRecord, ...] = tuple(entered(number, number) for number in (1, 2, 3, 4))
TWO_TABLES = movement(
    [
        placement(1, 1, 1, 2, [1]),
        placement(1, 2, 3, 4, [2]),
        placement(2, 1, 1, 2, [2]),
        placement(2, 2, 3, 4, [1]),
    ]
)
"""Pairs 1 and 3 sit North-South; the boards are swapped."""
SET_UP: tuple[AnyRecord, ...] = (described(), *FOUR, TWO_TABLES, session_opened())
FIRST = (result(board=1), result(board=2, table=2, contract="3NT", tricks=9))
SECOND_ROUND = (
    result(board=2, round=2, contract="3NT", tricks=8),
    result(board=1, round=2, table=2, tricks=11),
)


async def standings(barometer: Called, name: str = "1/all", **asked: object) -> dict[str, Any]:
    answer = await barometer.get(f"standings/{name}", None, **asked)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def places(told: dict[str, Any]) -> dict[str, str]:
    return {row["contestant"]: row["score"] for row in told["rows"]}


async def test_an_event_tells_its_lists(barometer: Called) -> None:
    offset = await barometer.say(*SET_UP)
    told = (await barometer.get("/events")).json()
    assert told["events"] == [{"event": "congress", "title": "Congress", "lists": ["1/all", "event/all"]}]
    assert (await barometer.get("/events/congress", after=offset)).json()["lists"] == ["1/all", "event/all"]


async def test_matchpoints_of_two_tables_are_two_or_none(barometer: Called) -> None:
    # Law 78A: two for the score beaten; 420 against 450 on board 1, 400 against -50 on board 2.
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND)
    assert places(await standings(barometer)) == {"1": "0.00", "2": "4.00", "3": "4.00", "4": "0.00"}


async def test_a_page_is_sent_once_to_who_has_it(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST)
    first = await barometer.get("standings/1/all")
    tag = first.headers["etag"]
    again = await barometer.get("standings/1/all", {"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (await barometer.get("standings/1/all", {"If-None-Match": f'W/{tag}, "x"'})).status_code == 304
    offset = await barometer.say(SECOND_ROUND[0])
    changed = await barometer.get("standings/1/all", {"If-None-Match": tag}, after=offset)
    assert changed.status_code == 200
    assert changed.headers["etag"] != tag


async def test_who_asks_for_an_offset_gets_what_was_said_there(barometer: Called) -> None:
    offset = await barometer.say(*SET_UP)
    for place, record in enumerate([*FIRST, *SECOND_ROUND], start=1):
        payload, headers = payload_of(record)
        answer = await barometer.post(payload, headers)
        stamp = answer.json()["stamp"]["offset"]
        assert stamp == offset + place
        assert (await standings(barometer, after=stamp))["records_folded"] == stamp + 1


async def test_as_it_stood_is_a_smaller_set(barometer: Called) -> None:
    await barometer.say(*SET_UP)
    barometer.clock.passes(60)
    await barometer.say(*FIRST)
    barometer.clock.passes(60)
    before = await standings(barometer)
    us = before["as_of_us"]
    await barometer.say(*SECOND_ROUND)
    assert places(await standings(barometer)) != places(before)
    assert await standings(barometer, as_of=us) == before
    assert (await standings(barometer, as_of=us + 30 * SECOND))["rows"] == before["rows"]
    assert (await barometer.get("/events/congress", as_of=1)).json()["title"] == "congress"
    assert (await standings(barometer, as_of="2026-01-03T19:01:30+01:00"))["records_folded"] == len(
        SET_UP
    ) + 2


async def test_a_moment_that_has_not_been_is_too_early(barometer: Called) -> None:
    offset = await barometer.say(*SET_UP, *FIRST)
    us = (await standings(barometer, after=offset))["as_of_us"]
    for path in ("standings/1/all", "travellers", "travellers/1/A/1", "explain"):
        asked = {"contestant": "1", "session": "1", "board": "1"} if path == "explain" else {}
        answer = await barometer.get(path, DIRECTOR, as_of=us + MINUTE, **asked)
        assert answer.status_code == 425, path
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.json()["watermark_us"] >= us
    assert (await barometer.get("diff", from_=us, to=us + MINUTE)).status_code == 425
    barometer.clock.passes(63)
    assert (await barometer.get("standings/1/all", as_of=us + MINUTE)).status_code == 200


@pytest.mark.parametrize("moment", ["yesterday", "2026-01-03T19:01:30", "-1", "1e9", "9" * 30])
async def test_what_is_no_moment_is_told_so(barometer: Called, moment: str) -> None:
    await barometer.say(*SET_UP)
    answer = await barometer.get("standings/1/all", as_of=moment)
    assert answer.status_code == 422
    assert fields_of(answer) == {"as_of"}
    for asked in ({"from_": moment}, {"from_": START_US, "to": moment}):
        assert fields_of(await barometer.get("diff", **asked)) == {"to" if "to" in asked else "from"}


async def test_a_traveller_of_a_closed_deal_is_public(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND)
    listed = (await barometer.get("travellers")).json()["travellers"]
    assert [(one["group"], one["board"], one["closed"]) for one in listed] == [("A", 1, True), ("A", 2, True)]
    told = (await barometer.get("travellers/1/A/1")).json()
    assert [(line["score_ns"], line["points_ns"]["points"]) for line in told["lines"]] == [
        (450, "2.00"),
        (420, "0.00"),
    ]
    assert (await barometer.get("travellers", board=2)).json()["travellers"] == listed[1:]


async def test_the_public_learns_verdict_and_reason_and_the_director_all(barometer: Called) -> None:
    first = FIRST[0]
    second = result(board=1, tricks=9, id="second")
    await barometer.say(*SET_UP, first, second)
    told = (await barometer.get(f"records/{second.identity}")).json()
    assert (told["verdict"], told["reason"]) == ("waiting-for-director", "slot-taken")
    assert not told.keys() & {"field", "value", "rule", "slot", "effective", "article"}
    whole = (await barometer.get(f"records/{second.identity}", DIRECTOR)).json()
    assert whole["effective"] == first.identity
    assert whole["slot"]["board"] == 1
    assert (await barometer.get("decisions", verdict="waiting-for-director")).status_code == 403
    listed = (await barometer.get("decisions", DIRECTOR, verdict="waiting-for-director")).json()["decisions"]
    assert [one["record"] for one in listed] == [second.identity]


async def test_a_verdict_is_revised_when_facts_arrive(barometer: Called) -> None:
    early = replaced(FIRST[0], tricks=9)
    await barometer.say(*SET_UP, early)
    where = f"records/{early.identity}"
    assert (await barometer.get(where)).json()["verdict"] == "waiting-for-reference"
    await barometer.say(FIRST[0])
    assert (await barometer.get(where)).json()["verdict"] == "accepted"


async def test_what_is_not_there_is_named(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND)
    for path, field in {
        "/events/other": "event",
        "/events/other/standings/1/all": "event",
        "/events/other/ticks": "event",
        "standings/2/all": "list",
        "standings/1/NS": "list",
        "records/nobody/r1": "record",
    }.items():
        answer = await barometer.get(path)
        assert answer.status_code == 404, path
        assert fields_of(answer) == {field}
    assert (await barometer.get("standings/1/all", page=2)).status_code == 404
    assert (await barometer.get("standings/1/all", page=0)).status_code == 422
    assert (await barometer.get("travellers/1/B/1", DIRECTOR)).status_code == 404
    assert (await barometer.get("travellers/1/A/0", DIRECTOR)).status_code == 422
    assert (await barometer.get("explain", contestant="nobody", session="1", board=1)).status_code == 404
    assert (await barometer.get("decisions", DIRECTOR, verdict="perhaps")).status_code == 422


async def test_why_is_told_in_numbers_and_in_words(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND)
    told = (await barometer.get("explain", contestant="3", session="1", board=1)).json()
    (line,) = told["lines"]
    assert (line["direction"], line["opponent"]) == ("NS", "4")
    assert "450" in told["text"]


async def test_what_changed_between_two_moments_names_rows_and_lines(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND)
    barometer.clock.passes(10)
    between = barometer.clock.wall_us()
    barometer.clock.passes(10)
    fix = replaced(FIRST[0], tricks=12)
    await barometer.say(fix)
    told = (await barometer.get("diff", from_=between)).json()
    changed = next(one for one in told["lists"] if one["list"] == "1/all")
    moved = {
        move["contestant"]: (move["before"]["score"], move["after"]["score"]) for move in changed["moves"]
    }
    assert moved == {
        "1": ("0.00", "2.00"),
        "2": ("4.00", "2.00"),
        "3": ("4.00", "2.00"),
        "4": ("0.00", "2.00"),
    }
    (board,) = told["boards"]
    assert board["board"] == 1
    assert {line["slot"]["table"]: line["after"]["score_ns"] for line in board["lines"]} == {1: 480, 2: 450}
    nothing = (await barometer.get("diff", from_=between, to=between)).json()
    assert (nothing["lists"], nothing["boards"]) == ([], [])


async def test_a_preview_tells_what_a_ruling_would_change_and_changes_nothing(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND)
    before = await standings(barometer)
    payload, _ = payload_of(replaced(FIRST[0], tricks=12))
    told = await barometer.client.post("/events/congress/preview", json=payload, headers=DIRECTOR)
    assert told.status_code == 200, told.text
    await barometer.say(replaced(FIRST[0], tricks=12))
    after = await standings(barometer)
    changed = next(one for one in told.json()["lists"] if one["list"] == "1/all")
    assert {move["contestant"]: move["after"]["score"] for move in changed["moves"]} == {
        name: score for name, score in places(after).items() if score != places(before)[name]
    }
    bad = await barometer.client.post(
        "/events/congress/preview", json={**payload, "colour": 1}, headers=DIRECTOR
    )
    assert bad.status_code == 422


async def test_an_export_is_every_record_with_its_stamp(barometer: Called) -> None:
    said: list[AnyRecord] = [*SET_UP, *FIRST, *SECOND_ROUND]
    await barometer.say(*said)
    answer = await barometer.get("export", DIRECTOR)
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["record"]["id"] for line in lines] == [record.id for record in said]
    assert [line["stamp"]["offset"] for line in lines] == list(range(len(said)))
    assert (await barometer.get("export")).status_code == 403
    assert (await barometer.get("export", {"X-Barometer-Role": "table"})).status_code == 403


async def test_standings_at_publication_wait_for_it(barometer: Called) -> None:
    shown = conditions("exact", {"show.standings": "at_publication"})
    await barometer.say(described(), shown, *SET_UP[1:], *FIRST, *SECOND_ROUND, play_ended())
    answer = await barometer.get("standings/1/all")
    assert answer.status_code == 403
    assert answer.json()["type"].endswith("not-published")
    assert (await barometer.get("standings/1/all", DIRECTOR)).status_code == 200
    before = barometer.clock.wall_us()
    barometer.clock.passes(60)
    await barometer.say(score_published())
    assert (await standings(barometer))["status"] == "official-open"
    assert (await barometer.get("standings/1/all", as_of=before)).status_code == 403


async def test_standings_after_each_round_stand_as_of_its_end(barometer: Called) -> None:
    shown = conditions("exact", {"show.standings": "after_round"})
    await barometer.say(described(), shown, *SET_UP[1:], FIRST[0])
    assert (await barometer.get("standings/1/all")).status_code == 403
    barometer.clock.passes(60)
    await barometer.say(FIRST[1], round_ended(1))
    at_the_end = await standings(barometer)
    barometer.clock.passes(60)
    await barometer.say(*SECOND_ROUND)
    for name in ("1/all", "event/all"):
        assert (await standings(barometer, name))["rows"] == at_the_end["rows"]
    live = (await barometer.get("standings/1/all", DIRECTOR)).json()
    assert live["rows"] != at_the_end["rows"]
    assert places(await standings(barometer, as_of=barometer.clock.wall_us() - 2 * SECOND)) == places(
        at_the_end
    )
    await barometer.say(play_ended())
    assert (await standings(barometer))["rows"] == live["rows"]


async def test_a_status_changes_when_its_period_runs_out_though_nobody_speaks(barometer: Called) -> None:
    await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND, play_ended(), score_published())
    assert (await standings(barometer))["status"] == "official-open"
    barometer.clock.passes(31 * 60)
    assert (await standings(barometer))["status"] == "official-closed"


async def test_the_process_says_how_it_is(barometer: Called) -> None:
    await barometer.say(*SET_UP, disputed(FIRST[0]))
    healthy = await barometer.get("/healthz")
    assert (healthy.status_code, healthy.json()["status"]) == (200, "ready")
    metrics = (await barometer.get("/metrics")).text
    assert f"barometer_entries_folded {len(SET_UP) + 1}.0" in metrics
    assert 'verdict="waiting-for-reference"' in metrics
    assert "congress" not in metrics


async def test_a_log_of_yesterday_is_folded_before_anything_is_shown(tmp_path: Path) -> None:
    async with called(tmp_path / "log.sqlite") as barometer:
        await barometer.say(*SET_UP, *FIRST, *SECOND_ROUND, awarded(FIRST[1]))
        before = [
            (await barometer.get(path, DIRECTOR)).content
            for path in ("standings/event/all", "travellers/1/A/2")
        ]
        clock = barometer.clock
    async with called(tmp_path / "log.sqlite", clock=clock) as barometer:
        after = [
            (await barometer.get(path, DIRECTOR)).content
            for path in ("standings/event/all", "travellers/1/A/2")
        ]
    assert after == before


def test_the_builders_say_what_these_tests_rest_on() -> None:
    assert isinstance(FIRST[0], BoardResult)
    assert isinstance(replaced(FIRST[0]), ReplaceResult)
    assert Stamp(START_US, "board-results", 0, 0).time_us == START_US
