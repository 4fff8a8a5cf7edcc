"""What the log in an SQLite file does beside the contract of all logs."""

# ruff: noqa: ASYNC240 - no other task waits while a test prepares its file

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from pipeline.ports import LogUnavailable, UnreadableBytes
from pipeline.runtime.embedded.clock import SystemClock
from pipeline.runtime.embedded.file import (
    LogFileDamaged,
    LogFileError,
    LogFileForeign,
    LogFileLocked,
    LogFileNewer,
    open_writer,
)
from pipeline.runtime.embedded.log import SqliteLog
from pipeline.runtime.embedded.writer import Answer, Append, Entry, Writer
from schemas.codec import NewerSchema
from schemas.published import PersonNamed
from schemas.record import Stamped
from schemas.terms import EventId, PersonId
from tests.builders import EVENT, SECOND, START_US, HandClock, result

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite"


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
async def log(path: Path, clock: HandClock) -> AsyncIterator[SqliteLog]:
    opened = await SqliteLog.open(path, clock)
    yield opened
    await opened.close()


# The disk.


def test_a_commit_waits_for_the_disk(path: Path) -> None:
    with closing(open_writer(path)) as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL: fsync at every commit"
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_a_full_disk_is_told_to_everybody_who_waits_and_nothing_is_half_written(path: Path) -> None:
    connection = open_writer(path)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    answers: list[Answer[str]] = []
    writer: Writer[str] = Writer(connection, HandClock(), lambda some, _: answers.extend(some))
    large = Entry((EVENT, "table", "large"), "board-results", b" " * 100_000)
    small = Entry((EVENT, "table", "small"), "board-results", b" ")
    writer.submit(Append("one", [large, small]))
    writer.submit(Append("two", [small]))
    writer.start()
    writer.finish()
    outcomes = {answer.ticket: answer.outcome for answer in answers}
    assert isinstance(outcomes["one"], LogUnavailable)
    assert "full" in str(outcomes["one"])
    assert outcomes["one"].retry_after_seconds > 0
    with closing(open_writer(path)) as again:
        kept = [name for (name,) in again.execute("SELECT id FROM entries")]
    assert kept == ([] if isinstance(outcomes["two"], LogUnavailable) else ["small"])
    assert writer.end == len(kept)


async def test_more_than_may_wait_is_told_to_come_again(path: Path, clock: HandClock) -> None:
    log = await SqliteLog.open(path, clock, most_waiting=10)
    try:
        answers = await asyncio.gather(
            *(log.append([result(board=board)]) for board in range(1, 31)), return_exceptions=True
        )
        refused = [answer for answer in answers if isinstance(answer, LogUnavailable)]
        assert len(refused) == 20
        assert all(refusal.retry_after_seconds > 0 for refusal in refused)
        assert await log.end() == 10
        await log.append([result(board=30)])
        assert await log.end() == 11
    finally:
        await log.close()


async def test_what_was_accepted_before_closing_is_written(path: Path, clock: HandClock) -> None:
    log = await SqliteLog.open(path, clock)
    appends = [asyncio.ensure_future(log.append([result(board=board)])) for board in range(1, 31)]
    await asyncio.gather(*appends[:1])
    await log.close()
    assert [stamp.offset for append in appends for stamp in await append] == list(range(30))
    with pytest.raises(LogUnavailable, match="closed"):
        await log.append([result(board=31)])


async def test_a_caller_who_gives_up_disturbs_nobody(log: SqliteLog) -> None:
    appends = [asyncio.ensure_future(log.append([result(board=board)])) for board in range(1, 21)]
    await asyncio.sleep(0)
    appends[3].cancel()
    kept = await asyncio.gather(*appends, return_exceptions=True)
    assert sum(isinstance(answer, asyncio.CancelledError) for answer in kept) == 1
    (stamp,) = await log.append([result(board=4)])
    assert stamp.offset in {3, 19, 20}, "it is unknown whether the first attempt got in; now it is in once"
    assert await log.end() == 20


# The clock.


async def test_stamps_follow_the_clock_and_part_when_it_stands_still(
    log: SqliteLog, clock: HandClock
) -> None:
    first, second = await log.append([result(board=1), result(board=2)])
    clock.passes(90)
    (third,) = await log.append([result(board=3)])
    assert [stamp.time_us - START_US for stamp in (first, second, third)] == [0, 1, 90 * SECOND]


@pytest.mark.parametrize("seconds", [-61, 61, -86_400, 31_536_000])
async def test_a_clock_that_jumps_is_not_believed_until_it_is_right_again(
    log: SqliteLog, clock: HandClock, seconds: int
) -> None:
    await log.append([result(board=1)])
    clock.passes(3600)
    clock.jumps(seconds)
    with pytest.raises(LogUnavailable, match="ahead of" if seconds > 0 else "behind") as refusal:
        await log.append([result(board=2)])
    assert refusal.value.retry_after_seconds > 0
    assert [stamp.offset for stamp in await log.append([result(board=1)])] == [0], "a retry needs no stamp"
    assert await log.end() == 1
    clock.jumps(-seconds)
    (stamp,) = await log.append([result(board=2)])
    assert stamp.time_us == START_US + 3600 * SECOND


@pytest.mark.parametrize("seconds", [-60, 60])
async def test_a_minute_is_let_pass_and_stamps_still_rise(
    log: SqliteLog, clock: HandClock, seconds: int
) -> None:
    (first,) = await log.append([result(board=1)])
    clock.jumps(seconds)
    (second,) = await log.append([result(board=2)])
    assert second.time_us == first.time_us + (seconds * SECOND if seconds > 0 else 1)


async def test_a_clock_set_back_in_small_steps_is_noticed(log: SqliteLog, clock: HandClock) -> None:
    await log.append([result(board=1)])
    clock.jumps(-50)
    await log.append([result(board=2)])
    clock.jumps(-50)
    with pytest.raises(LogUnavailable, match="behind"):
        await log.append([result(board=3)])


@pytest.mark.parametrize("seconds", [-7200, 7200])
async def test_the_operator_can_accept_the_clock(log: SqliteLog, clock: HandClock, seconds: int) -> None:
    (first,) = await log.append([result(board=1)])
    clock.jumps(seconds)
    with pytest.raises(LogUnavailable):
        await log.append([result(board=2)])
    await log.accept_clock()
    (second,) = await log.append([result(board=2)])
    assert second.time_us == first.time_us + (seconds * SECOND if seconds > 0 else 1)
    clock.passes(7201)
    (third,) = await log.append([result(board=3)])
    assert third.time_us == START_US + (seconds + 7201) * SECOND
    clock.jumps(-120)
    with pytest.raises(LogUnavailable):  # the guard is on again
        await log.append([result(board=4)])


async def test_a_log_may_rest_a_year_but_not_wake_up_before_it_fell_asleep(path: Path) -> None:
    log = await SqliteLog.open(path, HandClock())
    await log.append([result(board=1)])
    await log.close()
    before = await SqliteLog.open(path, HandClock(START_US - 61 * SECOND))
    with pytest.raises(LogUnavailable, match="behind"):
        await before.append([result(board=2)])
    await before.close()
    a_year = START_US + 365 * 86_400 * SECOND
    after = await SqliteLog.open(path, HandClock(a_year))
    (stamp,) = await after.append([result(board=2)])
    assert stamp.time_us == a_year
    await after.close()


def test_the_machine_has_the_clocks_that_we_ask_for() -> None:
    clock = SystemClock()
    first, second = clock.monotonic_us(), clock.monotonic_us()
    assert first <= second
    assert clock.wall_us() > START_US - 10**15


# The file.


async def test_a_second_writer_is_refused_by_name_in_this_process(log: SqliteLog, path: Path) -> None:
    with pytest.raises(LogFileLocked, match="this process"):
        await SqliteLog.open(path, HandClock())
    await log.append([result(board=1)])
    await log.close()
    await (await SqliteLog.open(path, HandClock())).close()


async def test_a_second_writer_is_refused_by_name_in_another_process(log: SqliteLog, path: Path) -> None:
    program = (
        "import asyncio, sys\nfrom pathlib import Path\n"
        "from pipeline.runtime.embedded.log import SqliteLog\n"
        "from pipeline.runtime.embedded.clock import SystemClock\n"
        "asyncio.run(SqliteLog.open(Path(sys.argv[1]), SystemClock()))"
    )
    run = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", program, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode
    assert "LogFileLocked" in run.stderr
    await log.append([result(board=1)])


async def written(path: Path, records: int = 300) -> None:
    log = await SqliteLog.open(path, HandClock())
    await log.append([result(board=number % 36 + 1, id=f"r{number}") for number in range(records)])
    await log.close()


async def refused(path: Path, error: type[LogFileError]) -> LogFileError:
    with pytest.raises(error) as refusal:
        await SqliteLog.open(path, HandClock())
    assert str(path) in str(refusal.value)
    return refusal.value


async def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    await written(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    assert "format 2" in str(await refused(path, LogFileNewer))


async def test_a_file_of_another_program_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes(name TEXT)")
    await refused(path, LogFileForeign)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("recipes",)]


async def test_a_file_that_is_no_database_is_damaged(path: Path) -> None:
    path.write_bytes(b"Bridge\n" * 4096)
    await refused(path, LogFileDamaged)
    assert path.read_bytes() == b"Bridge\n" * 4096


async def test_a_file_cut_short_is_damaged(path: Path) -> None:
    await written(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    await refused(path, LogFileDamaged)


async def test_a_file_with_a_page_overwritten_is_damaged(path: Path) -> None:
    await written(path)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = b"\x55" * 4096
    path.write_bytes(content)
    await refused(path, LogFileDamaged)


async def test_a_file_in_no_folder_cannot_be_opened(path: Path) -> None:
    await refused(path.parent / "nowhere" / "log.sqlite", LogFileError)


async def test_an_empty_file_becomes_a_log(path: Path) -> None:
    path.touch()
    await written(path)


async def test_two_logs_have_two_names(tmp_path: Path) -> None:
    names = set()
    for name in "ab":
        log = await SqliteLog.open(tmp_path / name, HandClock())
        names.add(log.log_id)
        await log.close()
    assert len(names) == 2


async def put(path: Path, data: bytes) -> None:
    """An entry as a version that is not ours would have written it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO entries SELECT max(offset) + 1, max(time_us) + 1, 'board-results', ?, 'x', 'y', ?"
            " FROM entries",
            (EVENT, data),
        )


async def test_an_entry_that_no_model_accepts_is_shown_in_its_place(path: Path) -> None:
    await written(path, records=3)
    await put(path, b'{"kind":"board_result","event":"congress"}')
    log = await SqliteLog.open(path, HandClock())
    await log.append([result(board=5)])
    kinds = [type(entry) async for batch in log.read() for entry in batch]
    assert kinds == [Stamped, Stamped, Stamped, UnreadableBytes, Stamped]
    (bad,) = [entry async for batch in log.read() for entry in batch if isinstance(entry, UnreadableBytes)]
    assert (bad.key, bad.data, bad.stamp.offset) == (EVENT, b'{"kind":"board_result","event":"congress"}', 3)
    assert "slot" in bad.problem
    await log.close()


async def test_a_field_that_we_do_not_know_is_passed_over(path: Path) -> None:
    await written(path, records=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            'UPDATE entries SET data = CAST(replace(data, \'"wire"\', \'"hue":1,"wire"\') AS BLOB)'
        )
        assert connection.execute("SELECT count(*) FROM entries WHERE instr(data, 'hue')").fetchone() == (1,)
    log = await SqliteLog.open(path, HandClock())
    assert [entry.record async for batch in log.read() for entry in batch if isinstance(entry, Stamped)] == [
        result(board=1, id="r0")
    ]
    await log.close()


async def test_a_record_of_a_later_schema_stops_the_reader(path: Path) -> None:
    await written(path, records=3)
    await put(path, b'{"wire":2,"kind":"board_sung"}')
    log = await SqliteLog.open(path, HandClock())
    with pytest.raises(NewerSchema):
        _ = [batch async for batch in log.read()]
    await log.close()


# People.


def person(name: str, pseudonym: str = "p1", event: str = EVENT) -> PersonNamed:
    return PersonNamed(EventId(event), PersonId(pseudonym), name, "12345")


async def test_a_person_is_named_renamed_and_found_by_event(log: SqliteLog) -> None:
    await log.name_person(person("Ely"))
    await log.name_person(person("Ely C."))
    await log.name_person(person("Oswald", "p2"))
    await log.name_person(person("Helen", "p1", event="other"))
    assert await log.people(EVENT) == {"p1": person("Ely C."), "p2": person("Oswald", "p2")}
    assert await log.end() == 0


async def test_an_erased_person_leaves_no_byte_in_any_file(path: Path, clock: HandClock) -> None:
    log = await SqliteLog.open(path, clock)
    for number in range(200):
        await log.name_person(person(f"Zaphod-{number} Beeblebrox", f"p{number}"))
    await log.name_person(person("Zaphod-7 Married", "p7"))
    await log.append([result(board=1)])
    await log.erase_person(EVENT, PersonId("p7"))
    await log.erase_person(EVENT, PersonId("p8"))
    assert not {"p7", "p8"} & set(await log.people(EVENT))
    content = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"Zaphod-9 " in content
    assert b"Zaphod-7 " not in content
    assert b"Zaphod-8 " not in content
    await log.close()
    again = await SqliteLog.open(path, clock)
    assert len(await again.people(EVENT)) == 198
    await again.close()
