"""What the simulation says, the core accepts; only what is meant to be refused is refused."""

import pytest

from pipeline.scoring.event import Event
from pipeline.simulation.congress import BUTLER, PAIRS, TEAMS, RemarkKind, congress
from pipeline.simulation.event import timeline
from pipeline.simulation.field import MovementKind
from pipeline.simulation.voices import Timed
from schemas.decisions import Decision, Reason, Verdict
from schemas.record import Record, Stamp, Stamped
from schemas.terms import EventId, Identity
from schemas.topics import TOPIC_OF
from tests.simulation.test_congress import SCRIPT, remark

START_US = 1_700_000_000_000_000


def decisions(event: EventId, moments: list[Timed]) -> list[Decision]:
    """The verdicts that are no plain acceptance, after all that was said."""
    scored = Event(event)
    scored.apply(
        Stamped(record, Stamp(START_US + time_us, TOPIC_OF[type(record)], 0, offset))
        for offset, (time_us, record) in enumerate(moments)
    )
    found: dict[Identity, Decision] = {}
    for _, record in moments:
        decision = scored.decision(record.identity)
        assert decision is not None
        if decision.verdict is not Verdict.ACCEPTED:
            found[record.identity] = decision
    return list(found.values())


def said(event: EventId, seed: int = 1) -> list[Timed]:
    script = SCRIPT if seed == 1 else congress(seed)
    return [(time_us, item) for time_us, item in script if isinstance(item, Record) and item.event == event]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_only_what_comes_after_the_period_is_refused_at_the_congress(seed: int) -> None:
    refused = decisions(PAIRS, said(PAIRS, seed))
    assert {(decision.kind, decision.reason) for decision in refused} == {
        ("correction_requested", Reason.PERIOD_OVER),
        ("replace_result", Reason.PERIOD_OVER),
    }
    assert len(refused) == 2
    assert decisions(BUTLER, said(BUTLER, seed)) == []
    assert decisions(TEAMS, said(TEAMS, seed)) == []


def test_the_refused_fix_is_the_one_that_the_congress_remarks_on() -> None:
    late = remark(RemarkKind.LATE_FIX_REFUSED).item
    refused = [decision.record for decision in decisions(PAIRS, said(PAIRS))]
    assert getattr(late, "record", None) in refused


@pytest.mark.parametrize(
    ("tables", "boards", "movement"),
    [(40, 24, MovementKind.MITCHELL), (8, 21, MovementKind.MITCHELL), (14, 27, MovementKind.HOWELL)],
)
def test_everything_in_a_simulated_event_is_accepted(
    tables: int, boards: int, movement: MovementKind
) -> None:
    event = EventId("sim-3")
    assert decisions(event, list(timeline(tables, boards, 3, movement=movement))) == []
