"""`barometer preview`: what a ruling would change, without making it."""

import sys
from typing import Annotated

import typer

from pipeline.cli.options import JsonOption
from pipeline.cli.status import refuse_input


def preview(
    log: Annotated[str, typer.Argument(metavar="LOG", help="An SQLite log, or NDJSON of one.")],
    record: Annotated[
        str,
        typer.Argument(
            metavar="RECORD", help="A file with the record as JSON, as it would be posted; `-` reads stdin."
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Show what one more record would change: its verdict on stderr, then places and lines that would move.

    The log stays as it is. Exit status 3 if anything would change.

    Example: `barometer preview club.sqlite ruling.json`
    """
    import json as decoder

    from pipeline.cli import changes, logs
    from pipeline.cli.decisions import line_of
    from pipeline.cli.finished import read_bytes
    from pipeline.history import diff, with_record
    from schemas.codec import UnreadableRecord, accept_record

    if log == record == "-":
        raise typer.BadParameter("only one of LOG and RECORD can be stdin")
    found = logs.read_log(log)
    try:
        payload = decoder.loads(read_bytes(record))
    except (ValueError, RecursionError) as error:
        refuse_input(f"{record}: not JSON: {error}")
    if not isinstance(payload, dict):
        refuse_input(f"{record}: not a record: a JSON object with kind, event, id, source and role")
    try:
        said = accept_record(payload)
    except UnreadableRecord as error:
        refuse_input(f"{record}: {error}")
    name = logs.chosen_event(found, said.event)
    before = logs.fold(found, name)
    after = with_record(name, found.of(name), said)
    decision = after.decision(said.identity)
    if decision is not None:
        sys.stderr.write(f"{line_of(decision)}\n")
    at_us = before.as_of_us
    changes.tell(diff(before, after, at_us, at_us), after, found.people.get(name, {}), as_json=json)
