"""`barometer audit`: fold a log anew, ask the naive scorer, and hold both to what was published."""

import json
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import LogArgument
from pipeline.cli.status import ExitStatus, refuse_input

if TYPE_CHECKING:
    from pipeline.scoring.audit import PublishedList


def audit(
    log: LogArgument,
    published: Annotated[
        str | None,
        typer.Option(
            "--published",
            metavar="FILE",
            help="Lists as they were sent out, one JSON object a line with event, list, digest and as_of_us.",
        ),
    ] = None,
    event: Annotated[str | None, typer.Option("--event", help="This event only.")] = None,
) -> None:
    """Compare a refold of a log with the naive scorer, and with the digests of every published list.

    One line a difference; exit status 3 if there is any.

    Example: `barometer audit club.sqlite`

    Example: `barometer audit club.sqlite --published standings.ndjson`
    """
    from pipeline.cli import logs
    from pipeline.cli.waiting import waiting
    from pipeline.scoring.audit import audit as audited

    found = logs.read_log(log)
    lists = {} if published is None else _published(published)
    wanted = found.events if event is None else (logs.chosen_event(found, event),)
    strangers = sorted(set(lists) - set(found.events))
    if strangers:
        refuse_input(f"unknown-event: {published} has lists of {', '.join(strangers)}, the log has none")
    differences = 0
    records = 0
    for name in wanted:
        entries = found.of(name)
        records += len(entries)
        with waiting(f"Auditing {name}"):
            for difference in audited(entries, lists.get(name, ())):
                differences += 1
                sys.stdout.write(f"{difference}\n")
    unreadable = len(found.unreadable)
    sys.stderr.write(
        f"{len(wanted)} events, {records} records: {differences} differences, {unreadable} unreadable\n"
    )
    if differences or unreadable:
        raise typer.Exit(ExitStatus.DIFFERENT)


def _published(file: str) -> "dict[str, list[PublishedList]]":
    from pipeline.cli.finished import read_bytes
    from pipeline.scoring.audit import PublishedList
    from schemas.terms import ListId

    lists: defaultdict[str, list[PublishedList]] = defaultdict(list)
    for number, line in enumerate(read_bytes(file).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            as_of = told.get("as_of_us")
            one = PublishedList(
                ListId(told["list"]), str(told["digest"]), None if as_of is None else int(as_of)
            )
            lists[str(told["event"])].append(one)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            refuse_input(f"{file}: line {number}: {error!r} - an object with event, list and digest")
    return lists
