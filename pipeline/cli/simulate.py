"""`barometer simulate`: a realistic event out of a seed, as NDJSON."""

import sys
from typing import Annotated, Final

import typer

from pipeline.cli.status import refuse_input

EVENING_US: Final = 1_767_463_200_000_000
"""2026-01-03 18:00 UTC: when a stamped simulation is set up, the same whenever it is asked for."""


def simulate(
    *,
    tables: Annotated[int, typer.Option("--tables", min=1, help="Tables in the hall.")] = 11,
    boards: Annotated[int, typer.Option("--boards", min=1, max=999, help="Boards that a pair plays.")] = 24,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same bytes.")] = 1,
    stamped: Annotated[
        bool,
        typer.Option("--stamped", help="Each record with a stamp, at the pace of a real evening: a log."),
    ] = False,
) -> None:
    """Invent an event: entries, movement, results with their errors and corrections, publication, the end.

    One record a line. With `--stamped` it is a log that every verb that takes a LOG reads.

    Example: `barometer simulate --tables 11 --boards 24 --seed 7 --stamped | barometer score -`

    Example: `barometer simulate --seed 7 --stamped | barometer standings - --as-of 20:15`
    """
    from pipeline.formats.records_ndjson import write_record_line, write_stamped
    from pipeline.simulation.event import timeline
    from schemas.record import Stamp, Stamped
    from schemas.topics import TOPIC_OF

    out = sys.stdout.buffer
    try:
        for offset, (after_us, record) in enumerate(timeline(tables, boards, seed)):
            if stamped:
                stamp = Stamp(EVENING_US + after_us, TOPIC_OF[type(record)], 0, offset)
                out.write(write_stamped(Stamped(record, stamp)))
            else:
                out.write(write_record_line(record))
    except ValueError as error:
        refuse_input(f"{tables} tables, {boards} boards: {error}")
    out.flush()
