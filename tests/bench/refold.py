"""A log of a million records folded anew in one process: bytes read, stamped, folded, every list ranked.

The log is a large simulated pairs event, results and initials with what goes wrong at tables, as bytes in a
file; each step runs as it does at a start: a line is read, gets its stamp, and goes in with a batch. The fold
is a process of its own, so that its peak memory is that of the fold.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from pipeline.cli.finished import collector_at_rest
from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.standings import standings
from pipeline.simulation.event import simulate
from schemas.codec import read_record, write_record
from schemas.record import Stamp, Stamped
from schemas.topics import TOPIC_OF

ROOT: Final = Path(__file__).parent.parent.parent
SIZES: Final = ((200, 24), (2_000, 24), (20_000, 24))
"""Tables and boards: the last makes a million records."""
BATCH: Final = 5_000


def log_file(tables: int, boards: int, path: Path) -> int:
    """Write a simulated event as records, one a line; return how many."""
    with path.open("wb") as file:
        return sum(
            1 for record in simulate(tables, boards, seed=1925) if file.write(write_record(record) + b"\n")
        )


def stamped_lines(path: Path) -> Iterator[Stamped]:
    """The records of a log with stamps a microsecond apart."""
    with path.open("rb") as file:
        for at, line in enumerate(file):
            record = read_record(line)
            yield Stamped(record, Stamp(at, TOPIC_OF[type(record)], 0, at))


def peak_mb() -> int:
    """The most memory that this program held; what `resource` tells begins with the process it came from."""
    told = Path("/proc/self/status").read_text(encoding="ascii")
    return int(told.partition("VmHWM:")[2].split()[0]) // 1024


def fold(path: Path) -> dict[str, Any]:
    """Fold a log in this process, in batches; seconds and peak memory."""
    started, busy = time.perf_counter(), time.process_time()
    with collector_at_rest():
        lines = stamped_lines(path)
        first = list(islice(lines, BATCH))
        event = Event(first[0].record.event)
        event.apply(first)
        while batch := list(islice(lines, BATCH)):
            event.apply(batch)
        folded = time.perf_counter() - started
        busy = time.process_time() - busy
        started = time.perf_counter()
        rows = sum(standings(event, name)[0].contestants for name in list_ids(event))
    records = len(event.records.by_identity)
    return {
        "records": records,
        "slots": len(event.slots),
        "read_and_folded_seconds": round(folded, 2),
        "processor_seconds": round(busy, 2),
        "records_a_second": round(records / folded),
        "all_lists_seconds": round(time.perf_counter() - started, 2),
        "rows_of_lists": rows,
        "peak_mb": peak_mb(),
    }


def run() -> dict[str, Any]:
    """Fold logs of three sizes, each in a process of its own."""
    sizes = []
    with TemporaryDirectory() as folder:
        path = Path(folder, "log.ndjson")
        for tables, boards in SIZES:
            log_file(tables, boards, path)
            told = subprocess.run(
                [sys.executable, "-m", "tests.bench.refold", str(path)],
                cwd=ROOT,
                check=True,
                capture_output=True,
                text=True,
            )
            sizes.append({"tables": tables, "boards": boards, **json.loads(told.stdout)})
    return {"what": "bytes read, stamped and folded in one process, batches of 5,000", "sizes": sizes}


if __name__ == "__main__":
    print(json.dumps(fold(Path(sys.argv[1]))))
