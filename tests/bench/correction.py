"""One correction in a field of 10,000 tables beside one in a field of 100.

A director replaces a result; timed are its verdict with its board rated again, and then every list published
again. Each correction is of another slot; figures are processor time, the median of many.
"""

import gc
import time
from collections.abc import Iterator
from statistics import median
from typing import Any, Final

from pipeline.cli.finished import collector_at_rest
from pipeline.scoring.charting import SlotState
from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.standings import standings
from pipeline.simulation.event import simulate
from schemas.control import ScorePublished, SessionFinalised
from schemas.corrections import ReplaceResult
from schemas.deal import PassedOut, ScoreOnly
from schemas.record import Role, Stamp, Stamped
from schemas.results import Subject
from schemas.terms import Points, RecordId, SourceId
from schemas.topics import TOPIC_OF

TABLES: Final = (100, 10_000)
BOARDS: Final = 24
CORRECTIONS: Final = 40
LISTS: Final = 8
_LATER_US: Final = 10**9
_AFTER: Final = 10**8


def played(tables: int) -> Event:
    """An event with all its results, not yet published: everything may still be corrected."""
    said = [
        record
        for record in simulate(tables, BOARDS, seed=1925)
        if not isinstance(record, SessionFinalised | ScorePublished)
    ]
    event = Event(said[0].event)
    event.apply([Stamped(record, Stamp(at, TOPIC_OF[type(record)], 0, at)) for at, record in enumerate(said)])
    return event


def corrections(event: Event, states: list[SlotState]) -> Iterator[Stamped]:
    """A replacement for the result of each slot, one after the other."""
    for number, state in enumerate(states):
        effective = state.standing.effective
        assert effective is not None
        was_passed_out = isinstance(effective.result, PassedOut)
        other: PassedOut | ScoreOnly = ScoreOnly(Points(50)) if was_passed_out else PassedOut()
        record = ReplaceResult(
            event=event.id,
            id=RecordId(f"correction-{number}"),
            source=SourceId("director"),
            role=Role.DIRECTOR,
            subject=Subject.ENTRY,
            slot=state.slot,
            supersedes=effective.identity,
            result=other,
        )
        yield Stamped(record, Stamp(_LATER_US + number, TOPIC_OF[ReplaceResult], 0, _AFTER + number))


def measured(event: Event) -> dict[str, Any]:
    """Milliseconds for a verdict with its board, and for the lists after one."""
    filled = [state for state in event.slots.values() if state.standing.effective is not None]
    lists = list_ids(event)
    for name in lists:
        standings(event, name)
    boards, published = [], []
    states = filled[:: max(1, len(filled) // CORRECTIONS)][:CORRECTIONS]
    for number, correction in enumerate(corrections(event, states)):
        started = time.process_time()
        changes = event.apply([correction])
        for board in changes.boards:
            event.rated(event.boards[board])
        boards.append(1000 * (time.process_time() - started))
        if number < LISTS:
            started = time.process_time()
            for name in lists:
                standings(event, name)
            published.append(1000 * (time.process_time() - started))
    return {
        "contestants": len(event.facts.entrants),
        "slots": len(event.slots),
        "verdict_and_board_ms": round(median(boards), 3),
        "all_lists_ms": round(median(published), 1),
        "lists": len(lists),
        "one_list_ms": round(median(published) / len(lists), 1),
    }


def run() -> dict[str, Any]:
    """Correct results in a small field and in a large one."""
    fields = []
    for tables in TABLES:
        with collector_at_rest():
            event = played(tables)
        gc.collect()
        fields.append({"tables": tables, "boards": BOARDS, **measured(event)})
    small, large = (field["verdict_and_board_ms"] for field in fields)
    return {
        "what": "a director's correction: verdict and board rated again; then every list again",
        "fields": fields,
        "large_over_small": round(large / small, 2),
    }
