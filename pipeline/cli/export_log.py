"""`barometer export-log`: a log as NDJSON, stamps and all."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipeline.ports import UnreadableBytes
    from schemas.published import Unreadable


def export_log(
    log: Annotated[str, typer.Argument(metavar="LOG", help="An SQLite log, or NDJSON; `-` reads stdin.")],
    event: Annotated[str | None, typer.Option("--event", help="This event only.")] = None,
    names: Annotated[
        bool, typer.Option("--names", help="The players' names too, which are kept apart from the log.")
    ] = False,
) -> None:
    """Write a log's records, one a line, each with its stamp: `{"stamp": {...}, "record": {...}}`.

    Entries that cannot be read are written as they are, and named on stderr.

    Example: `barometer export-log club.sqlite > club.ndjson`
    """
    from pipeline.cli.logs import chosen_event, read_log
    from pipeline.formats.records_ndjson import write_person, write_stamped, write_unreadable
    from schemas.published import PersonNamed

    found = read_log(log)
    wanted = set(found.events) if event is None else {chosen_event(found, event)}
    out = sys.stdout.buffer
    if names:
        for name in sorted(wanted):
            for person, named in sorted(found.people.get(name, {}).items()):
                out.write(write_person(PersonNamed(name, person, named)))
    out.writelines(write_stamped(stamped) for stamped in found.entries if stamped.record.event in wanted)
    out.writelines(
        write_unreadable(_unreadable(entry))
        for entry in found.unreadable
        if event is None or entry.key in wanted
    )
    out.flush()


def _unreadable(entry: "UnreadableBytes") -> "Unreadable":
    from base64 import b64encode

    from schemas.published import Unreadable

    return Unreadable(entry.stamp, entry.key, b64encode(entry.data).decode(), entry.problem[:500])
