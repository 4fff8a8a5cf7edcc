"""A finished event from a file: read, its conditions chosen, stamped in the order of its records, folded."""

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.cli.status import refuse_input
from pipeline.formats.imported import BadFile, Imported
from pipeline.formats.in_bulk import stamped_at
from pipeline.scoring.event import Event
from schemas.conditions import resolve
from schemas.control import ConditionsPublished, EventDescribed
from schemas.record import Record, Role, Stamped
from schemas.terms import EventId, RecordId, SourceId
from schemas.topics import TOPIC_OF

if TYPE_CHECKING:
    from pipeline.cli.conditions import Chosen

OF_THE_EVENT: Final = ("score.method", "rank.winners", "rank.by", "confirm.by")
"""Settings that say what was played and how; other conditions keep them unless they name them."""


def read_bytes(file: str) -> bytes:
    """All of a file, or of stdin for `-`; a file that cannot be read ends the command."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        refuse_input(f"{file}: {error.strerror}")


def read_result_file(file: str) -> Imported:
    """Read a file of results in whatever format it has; a bad one ends the command with its fault named."""
    from pipeline.formats.detect import read_file

    data = read_bytes(file)
    try:
        return read_file(file, data)
    except BadFile as error:
        refuse_input(f"{file}: {error}")


def stamped(records: Sequence[Record]) -> list[Stamped]:
    """Stamp records a microsecond apart from 0: their order is the source of truth.

    A record that brings an original stamp keeps it, so that an exported log scores as it did.
    """
    topics = TOPIC_OF
    return [stamped_at(record, at, topics[type(record)]) for at, record in enumerate(records)]


def under(imported: Imported, chosen: "Chosen") -> Imported:
    """The same event under other conditions than its file suggests.

    The method stays that of the file where the conditions name none, and so do the number of winners and
    who confirms. Raises UnknownSetting.
    """
    of_file: dict[str, str] = dict(imported.suggested_settings)
    of_file["score.method"] = resolve(imported.suggested_preset, of_file).score_method.value
    kept: dict[str, str] = {
        name: of_file[name] for name in OF_THE_EVENT if name in of_file and name not in chosen.named
    }
    return stating(imported, chosen.preset, {**kept, **chosen.settings})


def stating(imported: Imported, preset: str, settings: dict[str, str]) -> Imported:
    """The same event with these conditions published instead of its own."""
    resolve(preset, settings)
    records = [record for record in imported.records if not isinstance(record, ConditionsPublished)]
    stated = ConditionsPublished(
        event=EventId(imported.event),
        id=RecordId("conditions"),
        source=records[0].source if records else SourceId("file"),
        role=Role.IMPORTER,
        preset=preset,
        settings=settings,
    )
    # After the description, so that whatever is said of sessions is said under these conditions.
    first = 1 if records and isinstance(records[0], EventDescribed) else 0
    return replace(
        imported,
        records=(*records[:first], stated, *records[first:]),
        suggested_preset=preset,
        suggested_settings=settings,
    )


def folded(imported: Imported) -> Event:
    """Fold the event of a file."""
    event = Event(EventId(imported.event))
    event.apply(stamped(imported.records))
    return event


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Leave the cycle collector out of it: what a fold makes stays, and it would search in vain.

    What was made meanwhile it never looks at, not even when the process ends.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if running:
            gc.enable()
