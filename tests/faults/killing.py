"""Kill a writing process again and again, and compare what it acknowledged with what the log has."""

import asyncio
import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

from pipeline.runtime.embedded.clock import SystemClock
from pipeline.runtime.embedded.log import SqliteLog
from schemas.record import Stamped

ROOT = Path(__file__).parent.parent.parent
CALLERS = 64
A_ROUND = 1_000_000
"""Numbers apart, so that no round sends what another has sent."""


def write_and_kill(path: Path, round_number: int, dice: Random) -> dict[str, tuple[int, int]]:
    """Let the process write, kill it without notice, and return what it acknowledged: id to offset and time.

    It dies while it goes on writing, after a random number of acknowledgements, from the first on.
    """
    writer = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.append_until_killed",
         str(path), str(round_number * A_ROUND), str(CALLERS)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    assert writer.stdout is not None
    with writer.stdout:
        acknowledged = list(
            islice(writer.stdout, dice.choice((1, dice.randint(2, 200), dice.randint(200, 2000))))
        )
        writer.kill()
        # What it had flushed before it died is in the pipe still; a line cut short was not acknowledged.
        acknowledged += [line for line in writer.stdout if line.endswith("\n")]
    assert writer.wait(timeout=30) == -9, "it died by our hand and not by its own"
    parts = [line.split() for line in acknowledged]
    return {record: (int(offset), int(time_us)) for record, offset, time_us in parts}


async def compare(path: Path, acknowledged: dict[str, tuple[int, int]]) -> int:
    """Open the log again; all that was acknowledged is there, under its stamp, and nothing is there twice."""
    log = await SqliteLog.open(path, SystemClock())
    try:
        entries = [entry async for batch in log.read() for entry in batch]
        end = await log.end()
    finally:
        await log.close()
    assert all(isinstance(entry, Stamped) for entry in entries)
    there = [
        (str(entry.record.id), (entry.stamp.offset, entry.stamp.time_us))
        for entry in entries
        if isinstance(entry, Stamped)
    ]
    assert len({name for name, _ in there}) == len(there) == end
    lost = dict(acknowledged.items() - set(there))
    assert not lost, f"{len(lost)} acknowledged and not there, such as {next(iter(lost))}"
    stamps = [stamp for _, stamp in there]
    assert [offset for offset, _ in stamps] == list(range(end))
    assert [time_us for _, time_us in stamps] == sorted({time_us for _, time_us in stamps})
    return end


def kill_again_and_again(path: Path, rounds: int, seed: int) -> None:
    """Rounds of writing and dying over one log."""
    dice = Random(seed)  # noqa: S311 - seeded dice, no secret
    acknowledged: dict[str, tuple[int, int]] = {}
    for round_number in range(rounds):
        said = write_and_kill(path, round_number, dice)
        assert said
        assert not said.keys() & acknowledged.keys()
        acknowledged |= said
        entries = asyncio.run(compare(path, acknowledged))
        assert entries >= len(acknowledged)
