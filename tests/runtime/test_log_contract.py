"""What every log must do, whichever runtime it belongs to."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from pipeline.ports import IdentityTaken, Log, UnreadableBytes
from pipeline.runtime.embedded.clock import SystemClock
from pipeline.runtime.embedded.log import SqliteLog
from schemas.codec import AnyRecord, write_record
from schemas.record import Position, Role, Stamp, Stamped
from schemas.topics import TOPIC_RANK
from tests.builders import conditions, replaced, result, session_opened

Open = Callable[[], Awaitable[Log]]
"""Opens the same log again each time."""


def embedded(folder: Path) -> Open:
    return lambda: SqliteLog.open(folder / "log.sqlite", SystemClock())


@pytest.fixture(params=[embedded])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    opener: Open = request.param(tmp_path)
    return opener


@pytest.fixture
async def log(opens: Open) -> AsyncIterator[Log]:
    opened = await opens()
    yield opened
    await opened.close()


async def entries(log: Log) -> list[Stamped]:
    return [entry async for batch in log.read() for entry in batch if isinstance(entry, Stamped)]


def position(stamp: Stamp) -> Position:
    return Position(stamp.time_us, TOPIC_RANK[stamp.topic], stamp.offset)


async def test_what_is_appended_is_read_in_log_order(log: Log) -> None:
    first = result(board=1)
    said: Sequence[AnyRecord] = [conditions(), session_opened(), first, replaced(first)]
    stamps = [(await log.append([record]))[0] for record in said]
    read = await entries(log)
    assert [entry.record for entry in read] == said
    assert [entry.stamp for entry in read] == stamps
    assert [stamp.topic for stamp in stamps] == [
        "session-control", "session-control", "board-results", "corrections",
    ]  # fmt: skip
    assert await log.end() == 4


async def test_stamps_rise_strictly_within_and_between_appends(log: Log) -> None:
    stamps = [
        stamp
        for board in range(1, 40, 3)
        for stamp in await log.append([result(board=number) for number in range(board, board + 3)])
    ]
    positions = [position(stamp) for stamp in stamps]
    assert positions == sorted(set(positions))
    assert len({stamp.time_us for stamp in stamps}) == len(stamps)


async def test_a_retry_gets_the_first_stamp_and_is_appended_once(log: Log) -> None:
    record = result(board=1)
    (first,) = await log.append([record])
    await log.append([result(board=2)])
    assert await log.append([record]) == [first]
    assert await log.append([record, record]) == [first, first]
    assert await log.end() == 2


async def test_a_retry_by_another_way_in_is_still_a_retry(log: Log) -> None:
    # Role and original stamp are the entry service's; the client said the same.
    (first,) = await log.append([result(board=1)])
    again = result(board=1, role=Role.SCORER, original_stamp=Stamp(1, "board-results", 0, 0))
    assert await log.append([again]) == [first]
    assert [entry.record.role for entry in await entries(log)] == [Role.TABLE]


async def test_another_payload_under_a_known_identity_is_refused(log: Log) -> None:
    await log.append([result(board=1, tricks=10)])
    with pytest.raises(IdentityTaken) as refusal:
        await log.append([result(board=1, tricks=11)])
    assert refusal.value.identity == result(board=1).identity
    assert await log.end() == 1


async def test_an_append_is_taken_whole_or_not_at_all(log: Log) -> None:
    await log.append([result(board=1, tricks=10)])
    with pytest.raises(IdentityTaken):
        await log.append([result(board=2), result(board=1, tricks=11), result(board=3)])
    with pytest.raises(IdentityTaken):
        await log.append([result(board=4), result(board=4, tricks=9)])
    assert [entry.record for entry in await entries(log)] == [result(board=1, tricks=10)]


async def test_one_identity_in_two_events_is_two_records(log: Log) -> None:
    await log.append([result(board=1, event="pairs"), result(board=1, event="teams", tricks=9)])
    assert [entry.record.event for entry in await entries(log)] == ["pairs", "teams"]


async def test_an_imported_record_keeps_its_original_stamp_and_gets_one(log: Log) -> None:
    original = Stamp(1_000_000, "board-results", 3, 77)
    (stamp,) = await log.append([result(board=1, role=Role.IMPORTER, original_stamp=original)])
    (entry,) = await entries(log)
    assert entry.record.original_stamp == original
    assert entry.stamp == stamp != original


async def test_five_hundred_at_once_are_all_there_in_the_order_of_their_stamps(log: Log, opens: Open) -> None:
    records = [result(board=board, table=table) for table in range(1, 26) for board in range(1, 21)]
    Random(17).shuffle(records)  # noqa: S311 - seeded dice, no secret
    answers = await asyncio.gather(*(log.append([record]) for record in records))
    told = {answer[0]: record for answer, record in zip(answers, records, strict=True)}
    assert len(told) == 500
    await log.close()
    again = await opens()
    try:
        read = await entries(again)
    finally:
        await again.close()
    assert [entry.record for entry in read] == [told[stamp] for stamp in sorted(told, key=position)]
    assert {entry.stamp: entry.record for entry in read} == told


async def test_the_same_record_sent_by_many_at_once_is_appended_once(log: Log) -> None:
    answers = await asyncio.gather(*(log.append([result(board=1)]) for _ in range(50)))
    assert len({answer[0] for answer in answers}) == 1
    assert await log.end() == 1


async def test_of_two_payloads_at_once_one_is_appended_and_the_other_refused(log: Log) -> None:
    answers = await asyncio.gather(
        *(log.append([result(board=1, tricks=tricks)]) for tricks in range(14)), return_exceptions=True
    )
    assert sum(isinstance(answer, IdentityTaken) for answer in answers) == 13
    assert await log.end() == 1


async def test_a_follower_sees_what_was_there_and_what_is_appended(log: Log) -> None:
    await log.append([result(board=1)])
    batches = aiter(log.read(follow=True))
    assert [entry.stamp.offset for entry in await anext(batches)] == [0]
    for board in (2, 3):
        waiting = asyncio.ensure_future(anext(batches))
        (stamp,) = await log.append([result(board=board)])
        async with asyncio.timeout(10):
            assert await waiting == [Stamped(result(board=board), stamp)]


async def test_a_follower_of_an_empty_log_waits(log: Log) -> None:
    waiting = asyncio.ensure_future(anext(aiter(log.read(follow=True))))
    (stamp,) = await log.append([result(board=1)])
    async with asyncio.timeout(10):
        assert await waiting == [Stamped(result(board=1), stamp)]


async def test_a_follower_ends_when_the_log_is_closed(log: Log) -> None:
    await log.append([result(board=1)])

    async def follow() -> int:
        return sum([len(batch) async for batch in log.read(follow=True)])

    following = asyncio.create_task(follow())
    await log.append([result(board=2)])
    await log.close()
    async with asyncio.timeout(10):
        assert await following == 2


async def test_a_long_read_comes_in_batches_and_tells_how_far_it_is(log: Log) -> None:
    total = 2500
    await log.append([result(board=number % 36 + 1, id=f"r{number}") for number in range(total)])
    told: list[tuple[int, int]] = []
    sizes = [len(batch) async for batch in log.read(progress=lambda read, of: told.append((read, of)))]
    assert sum(sizes) == total
    assert len(sizes) > 1
    assert told[-1] == (total, total)
    assert [read for read, _ in told] == sorted({read for read, _ in told})


async def test_a_log_opened_again_is_the_same_log_with_the_same_bytes(log: Log, opens: Open) -> None:
    records = [result(board=board) for board in range(1, 31)]
    await log.append(records)
    before = [(entry.stamp, write_record(entry.record)) for entry in await entries(log)]
    name = log.log_id
    await log.close()
    again = await opens()
    try:
        assert [(entry.stamp, write_record(entry.record)) for entry in await entries(again)] == before
        assert again.log_id == name
        (stamp,) = await again.append([result(board=31)])
        assert position(stamp) > position(before[-1][0])
        assert stamp.time_us > before[-1][0].time_us
        assert await again.append(records[:1]) == [before[0][0]], "a retry after a restart"
        assert await again.end() == 31
    finally:
        await again.close()


async def test_parked_bytes_are_kept_and_are_no_entry(log: Log, opens: Open) -> None:
    await log.append([result(board=1)])
    parked = [
        await log.park("congress", b"\xff\xfe{", "record: not JSON"),
        await log.park(None, b"", "record: empty"),
    ]
    assert [(copy.key, copy.data, copy.problem) for copy in parked] == [
        ("congress", b"\xff\xfe{", "record: not JSON"),
        (None, b"", "record: empty"),
    ]
    assert await log.end() == 1
    await log.close()
    again = await opens()
    try:
        assert list(await again.unreadable()) == parked
        assert all(isinstance(copy, UnreadableBytes) for copy in await again.unreadable())
        assert len(await entries(again)) == 1
    finally:
        await again.close()
