"""An event comes out the same in one batch, record by record, and with its set-up in any order."""

from random import Random

import pytest

from pipeline.scoring.event import Event
from pipeline.simulation.event import simulate
from schemas.record import Stamp, Stamped
from schemas.topics import TOPIC_OF
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
