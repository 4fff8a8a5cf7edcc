"""A process that appends as fast as it can and says, a line each, what was acknowledged.

python append_until_killed.py LOG FIRST CALLERS
"""

import asyncio
import sys
from itertools import count
from pathlib import Path

from pipeline.runtime.embedded.clock import SystemClock
from pipeline.runtime.embedded.log import SqliteLog
from tests.builders import result


async def main(path: Path, first: int, callers: int) -> None:
    log = await SqliteLog.open(path, SystemClock())
    numbers = count(first)

    async def send() -> None:
        for number in numbers:
            record = result(board=number % 36 + 1, id=f"r{number}")
            (stamp,) = await log.append([record])
            sys.stdout.write(f"{record.id} {stamp.offset} {stamp.time_us}\n")
            sys.stdout.flush()

    await asyncio.gather(*(send() for _ in range(callers)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
