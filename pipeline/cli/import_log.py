"""`barometer import-log`: an exported log into another one; what was said keeps the time it was said at."""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pipeline.cli.status import refuse_input

if TYPE_CHECKING:
    from pipeline.cli.logs import LogRead
    from schemas.codec import AnyRecord
    from schemas.record import Stamped

AT_ONCE: Final = 500


def import_log(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="NDJSON of `export-log`, or an SQLite log; `-` reads stdin.")
    ],
    log: Annotated[
        Path, typer.Argument(metavar="LOG", help="The SQLite log to append to; made if it is not there.")
    ],
) -> None:
    """Append an exported log to another one, each record with its first stamp as `original_stamp`.

    So every verdict and list comes out as it was. An event that has live records in the other log is refused:
    there the old stamps would not be believed. Done twice, nothing changes.

    Example: `barometer export-log old.sqlite | barometer import-log - new.sqlite`
    """
    from pipeline.cli.logs import read_log
    from pipeline.ports import IdentityTaken, LogUnavailable
    from pipeline.runtime.embedded.file import LogFileError

    found = read_log(source)
    records = with_original_stamps(found.entries)
    if log.exists():
        _require_no_live_record(log, records)
    try:
        new = asyncio.run(_append(log, found, records))
    except (LogFileError, IdentityTaken, LogUnavailable) as error:
        refuse_input(str(error))
    sys.stderr.write(f"{len(records)} records read, {new} of them new in {log}\n")


def with_original_stamps(entries: "Sequence[Stamped]") -> "list[AnyRecord]":
    """Let each record say when it was first stamped, in log order.

    A stamp is given once, so one that has an original stamp keeps it; but what was refused for coming with
    one into a live event is told on stderr and left out, or it would count where it did not before.
    """
    from schemas.topics import TOPIC_RANK

    live: set[str] = set()
    found: list[AnyRecord] = []
    in_order = sorted(
        entries,
        key=lambda entry: (entry.stamp.time_us, TOPIC_RANK[entry.stamp.topic], entry.stamp.offset),
    )
    for stamped in in_order:
        record = stamped.record
        if record.original_stamp is None:
            live.add(record.event)
            found.append(replace(record, original_stamp=stamped.stamp))  # type: ignore[arg-type]
        elif record.event in live:
            sys.stderr.write(f"left out: {record.event} {record.identity}: import-into-live-event\n")
        else:
            found.append(record)  # type: ignore[arg-type]
    return found


def _require_no_live_record(log: Path, records: "Sequence[AnyRecord]") -> None:
    from pipeline.cli.logs import read_log

    there = {
        stamped.record.event
        for stamped in read_log(str(log)).entries
        if stamped.record.original_stamp is None
    }
    live = sorted(there & {record.event for record in records})
    if live:
        refuse_input(f"import-into-live-event: {log} has live records of {', '.join(live)}")


async def _append(log: Path, found: "LogRead", records: "Sequence[AnyRecord]") -> int:
    from pipeline.cli.waiting import waiting
    from pipeline.runtime.embedded.clock import SystemClock
    from pipeline.runtime.embedded.log import SqliteLog
    from schemas.published import PersonNamed

    opened = await SqliteLog.open(log, SystemClock())
    before = await opened.end()
    try:
        with waiting(f"Importing into {log}") as progress:
            for start in range(0, len(records), AT_ONCE):
                await opened.append(records[start : start + AT_ONCE])
                progress(min(start + AT_ONCE, len(records)), len(records))
        for event, people in found.people.items():
            for person, name in people.items():
                await opened.name_person(PersonNamed(event, person, name))
        parked = {entry.data for entry in await opened.unreadable()}
        for entry in found.unreadable:
            if entry.data not in parked:
                await opened.park(entry.key, entry.data, entry.problem)
        return await opened.end() - before
    finally:
        await opened.close()
