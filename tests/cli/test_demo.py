"""`barometer demo` from its first line to its audit, as a process of its own."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from pipeline.cli.demo import _audit
from pipeline.cli.demo_clock import STARTS_US, StageClock
from pipeline.cli.demo_stage import Stage
from pipeline.cli.demo_words import SENTENCES, sentence
from pipeline.cli.logs import LogRead, read_log
from pipeline.cli.status import ExitStatus
from pipeline.runtime.embedded.clock import ClockGuard
from pipeline.scoring.audit import PublishedList
from pipeline.simulation.congress import Remark, RemarkKind, congress
from schemas.terms import ListId

DEMO = "from pipeline.cli import main; main()"


def played(log: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    arguments = ["demo", "--until-done", "--no-browser", "--port", "0", "--log", str(log), *options]
    return subprocess.run(
        [sys.executable, "-c", DEMO, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple["subprocess.CompletedProcess[str]", LogRead]:
    log = tmp_path_factory.mktemp("demo") / "log.sqlite"
    told = played(log, "--speed", "20000")
    return told, read_log(str(log))


def test_the_address_comes_first_and_the_audit_last(
    quick: tuple["subprocess.CompletedProcess[str]", LogRead],
) -> None:
    told, _ = quick
    lines = told.stdout.splitlines()
    assert told.returncode == ExitStatus.DONE, told.stderr
    assert re.fullmatch(r"Scoreboard: http://127\.0\.0\.1:\d+/", lines[0])
    assert re.fullmatch(r"Audit: 3 events, \d+ records, \d+ lists: 0 differences", lines[-1])


def test_what_directors_are_there_for_is_told(
    quick: tuple["subprocess.CompletedProcess[str]", LogRead],
) -> None:
    told, _ = quick
    for words in (
        "was sent twice: it counts once",
        "the trick is given (Law 79B)",
        "ave+ to NS",
        "scoring error fixed in time (Law 79C)",
        "late fix refused: period over (Law 79C)",
        "the appeal is decided",
    ):
        assert words in told.stdout
    assert told.stdout.count(": final") == 3


def test_the_log_has_the_whole_script_with_the_script_s_times(
    quick: tuple["subprocess.CompletedProcess[str]", LogRead],
) -> None:
    _, log = quick
    script = [moment for moment in congress() if hasattr(moment.item, "identity")]
    firsts = {(moment.item.event, moment.item.identity): moment.time_us for moment in reversed(script)}  # type: ignore[union-attr]  # records
    stamps = {
        (stamped.record.event, stamped.record.identity): stamped.stamp.time_us - STARTS_US
        for event in log.events
        for stamped in log.of(event)
    }
    assert stamps.keys() == firsts.keys()
    # Records of one moment are stamped a microsecond apart.
    assert all(0 <= stamps[name] - firsts[name] < 1000 for name in stamps)


def test_a_published_list_that_the_log_does_not_give_ends_in_status_3(
    quick: tuple["subprocess.CompletedProcess[str]", LogRead],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del quick
    log = tmp_path / "log.sqlite"
    assert played(log, "--speed", "20000").returncode == ExitStatus.DONE
    stage = Stage(StageClock(), "http://127.0.0.1:1/", 1.0, done=True)
    wrong = {
        str(event): [PublishedList(ListId("event/all"), "0" * 64)]
        for event in read_log(str(log)).events
        if event != "congress-pairs"
    }
    with pytest.raises(typer.Exit) as ended:
        _audit(log, stage, {**wrong, "congress-pairs": []})
    assert ended.value.exit_code == ExitStatus.DIFFERENT
    assert "2 differences" in capsys.readouterr().out


def test_a_log_that_is_there_is_not_touched(tmp_path: Path) -> None:
    log = tmp_path / "club.sqlite"
    log.write_bytes(b"precious")
    assert played(log).returncode == ExitStatus.BAD_INPUT
    assert log.read_bytes() == b"precious"


def test_every_remark_has_a_sentence() -> None:
    assert set(SENTENCES) == set(RemarkKind)
    remarks = [moment.item for moment in congress() if isinstance(moment.item, Remark)]
    assert all("?" not in sentence(remark) for remark in remarks)


def test_a_refusal_is_told_as_the_server_gave_it() -> None:
    late = next(
        moment.item
        for moment in congress()
        if isinstance(moment.item, Remark) and moment.item.kind is RemarkKind.LATE_FIX_REFUSED
    )
    refused = {"verdict": "refused", "reason": "period-over", "article": "Law 79C"}
    assert sentence(late, refused).endswith("late fix refused: period over (Law 79C)")
    assert "period over" not in sentence(replace(late), {"verdict": "accepted"})


def test_the_log_s_guard_believes_the_stage_clock_however_far_it_goes() -> None:
    clock = StageClock()
    guard = ClockGuard(clock, 0)
    for hours in (0, 1, 30):
        clock.go_to(hours * 3_600_000_000)
        reading = guard.read()
        guard.stamped(reading, reading.wall_us)
    clock.go_to(0)
    assert clock.monotonic_us() == 30 * 3_600_000_000
