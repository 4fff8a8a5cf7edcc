"""An event comes out the same in one batch, record by record, and with its set-up in any order."""

from dataclasses import replace
from random import Random

import pytest

from pipeline.scoring.event import Event
from pipeline.scoring.naive import naive_score
from pipeline.scoring.record_set import slot_key
from pipeline.simulation.event import simulate
from schemas.codec import AnyRecord
from schemas.decisions import Verdict
from schemas.record import Stamp, Stamped
from schemas.topics import TOPIC_OF
from tests.builders import (
    EVENT,
    SECOND,
    START_US,
    described,
    moved,
    replaced,
    result,
    slot,
    stamped,
    withdrawn,
)
from tests.scoring.fingerprint import fingerprint

SAID = list(simulate(8, 6, seed=1925))
LOG = [Stamped(record, Stamp(at, TOPIC_OF[type(record)], 0, at)) for at, record in enumerate(SAID)]


def folded(log: list[Stamped], size: int) -> bytes:
    event = Event(SAID[0].event)
    for first in range(0, len(log), size):
        event.apply(log[first : first + size])
    return fingerprint(event)


@pytest.mark.parametrize("size", [1, 7, 50])
def test_batches_of_any_size_come_to_the_same(size: int) -> None:
    assert folded(LOG, size) == folded(LOG, len(LOG))


@pytest.mark.parametrize("seed", range(5))
def test_a_set_up_in_any_order_comes_to_the_same(seed: int) -> None:
    """Movements before their contestants and after them, one record at a time."""
    first = next(at for at, stamped in enumerate(LOG) if stamped.record.kind == "board_result")  # type: ignore[attr-defined]
    set_up = [stamped.record for stamped in LOG[:first]]
    head, rest = set_up[:2], set_up[2:]
    Random(seed).shuffle(rest)  # noqa: S311 - seeded dice, no secrets
    order = [*head, *rest, *(stamped.record for stamped in LOG[first:])]
    log = [Stamped(record, Stamp(at, TOPIC_OF[type(record)], 0, at)) for at, record in enumerate(order)]
    assert folded(log, 1) == folded(log, len(log))


def test_a_result_moved_a_thousand_times_has_its_pairs() -> None:
    first = result(1, "n", "e")
    records: list[AnyRecord] = [described(), first]
    entered, here = first, first
    for number in range(1100):
        there = slot(number % 36 + 1, table=number // 36 + 2)
        records.append(replace(moved(here, there, id=f"move-{number}"), supersedes=records[-1].identity))
        here = replace(entered, slot=there)
    log = stamped(records)
    event = Event(EVENT)
    for first_of_batch in range(0, len(log), 500):
        event.apply(log[first_of_batch : first_of_batch + 500])
    state = event.slots[slot_key(here.slot)]
    assert event.seated(state) == ("n", "e")
    assert naive_score(log).decisions[records[-1].identity] == (Verdict.ACCEPTED, None)


def test_taking_back_a_ruling_lays_nothing_out_anew() -> None:
    first, other = result(1, "n", "e"), result(2, "n", "e")
    event = Event(EVENT)
    ruling = replaced(first)
    event.apply(stamped([described(), first, other, ruling]))
    boards = event.boards
    event.apply(stamped([withdrawn(ruling)], first_offset=4, start_us=START_US + 9 * SECOND))
    assert event.boards is boards
    assert event.slots[slot_key(first.slot)].standing.effective.identity == first.identity  # type: ignore[union-attr]
