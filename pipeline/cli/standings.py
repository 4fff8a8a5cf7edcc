"""`barometer standings`: an event's lists out of a log, as they stand or stood."""

from typing import Annotated

import typer

from pipeline.cli.options import AsOfOption, EventOption, JsonOption, LogArgument
from pipeline.cli.status import refuse_input


def standings(
    log: LogArgument,
    event: EventOption = None,
    list_id: Annotated[
        str | None, typer.Option("--list", help="One list, as in `event/all` or `1/NS`; without it, all.")
    ] = None,
    as_of: AsOfOption = None,
    json: JsonOption = False,
    digests: Annotated[
        bool,
        typer.Option("--digests", help="Each list's SHA-256, a line each: what `audit --published` reads."),
    ] = False,
) -> None:
    """Show the ranking lists of an event, now or as they stood at a moment.

    Example: `barometer standings club.sqlite --as-of 21:40`

    Example: `barometer standings club.ndjson --event friday --list event/all --json`

    Example: `barometer standings club.sqlite --digests > published.ndjson`
    """
    from pipeline.cli import lists, logs
    from pipeline.scoring.lists import list_ids

    found = logs.read_log(log)
    name = logs.chosen_event(found, event)
    us = None if as_of is None else logs.moment(as_of, found.of(name))
    folded = logs.fold(found, name) if us is None else logs.fold_until(found, name, us)
    there = list_ids(folded)
    if list_id is not None and list_id not in there:
        refuse_input(f"unknown-list: {list_id}; the event has {', '.join(there)}")
    wanted = lists.lists_of(folded) if list_id is None else tuple(one for one in there if one == list_id)
    at_us = folded.as_of_us if us is None else us
    people = found.people.get(name, {})
    if digests:
        lists.write_digests(folded, wanted, at_us)
    elif json:
        lists.write_json({"standings": lists.standings_json(folded, people, wanted, at_us)})
    else:
        lists.show_standings(folded, people, wanted, at_us)
