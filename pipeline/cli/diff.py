"""`barometer diff`: what changed in an event between two moments."""

from typing import Annotated

import typer

from pipeline.cli.options import EventOption, JsonOption, LogArgument


def diff(
    log: LogArgument,
    since: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="TIME",
            help="ISO with its zone, HH:MM (UTC) of the log's last day, or microseconds.",
        ),
    ],
    to: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Likewise; without it, all that was said.")
    ] = None,
    event: EventOption = None,
    json: JsonOption = False,
) -> None:
    """Show what changed between two moments: places and scores that moved, and the lines behind them.

    Exit status 3 if anything did.

    Example: `barometer diff club.sqlite --from 22:05 --to 22:35`
    """
    from pipeline.cli import changes, logs
    from pipeline.history import diff as compared

    found = logs.read_log(log)
    name = logs.chosen_event(found, event)
    entries = found.of(name)
    old_us = logs.moment(since, entries)
    old = logs.fold_until(found, name, old_us)
    new = logs.fold(found, name) if to is None else logs.fold_until(found, name, logs.moment(to, entries))
    new_us = new.as_of_us if to is None else logs.moment(to, entries)
    difference = compared(old, new, old_us, new_us)
    changes.tell(difference, new, found.people.get(name, {}), as_json=json)
