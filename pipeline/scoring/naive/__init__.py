"""The laws and docs/semantics.md read literally: the second opinion beside the fast core.

Every result is compared with every other one, everything is a `Fraction`, and nothing is kept between two
calls. It imports no rule but the movements, which are data, so that a mistake would have to be made twice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.naive.boards import scored
from pipeline.scoring.naive.facts import Facts
from pipeline.scoring.naive.lists import NaiveRow, closed, totals
from pipeline.scoring.naive.order import Ruled, ordered
from pipeline.scoring.naive.slots import Slots
from pipeline.scoring.naive.verdicts import is_accepted, judge
from schemas.deal import Result
from schemas.record import Slot, Stamped
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, SessionId

__all__ = ["NaiveEvent", "NaiveRow", "naive_score"]


@dataclass(frozen=True, slots=True)
class NaiveEvent:
    """What an event comes to; points and totals are in the unit of the conditions."""

    decisions: dict[Identity, Ruled]
    conflicts: frozenset[tuple[Identity, str]]
    """Refused as `identity-taken`: the identity, and the digest of the payload that came too late."""
    effective: dict[Slot, Identity | None]
    results: dict[Slot, Result]
    seated: dict[Slot, tuple[ContestantId | None, ContestantId | None]]
    points: dict[tuple[Slot, Direction], Fraction | None]
    """None where a side has no points on the board."""
    totals: dict[str, dict[ContestantId, NaiveRow]]
    """By `scope/line`: the session or "event", and "all", "NS", "A" or "A-NS"."""
    deal_closed: dict[tuple[SessionId, BoardNumber], bool]


def naive_score(entries: Iterable[Stamped]) -> NaiveEvent:
    """Score an event from the set of its records, in whatever order they come (docs/semantics.md)."""
    records = ordered(entries)
    facts = Facts(dict(records.known))
    slots = Slots(facts)
    facts.verdicts |= records.without_effect
    for one in records.placed:
        ruled = judge(one, facts, slots)
        facts.verdicts[one.identity] = ruled
        if is_accepted(ruled):
            facts.note(one)
    boards = scored(facts, slots)
    return NaiveEvent(
        decisions={identity: facts.verdict(identity) or ruled for identity, ruled in facts.verdicts.items()},
        conflicts=records.conflicts,
        effective={slot: slots.effective(slot) for slot in boards.seated},
        results=boards.results,
        seated=boards.seated,
        points={
            (slot, direction): boards.points.get((slot, direction))
            for slot in boards.seated
            for direction in Direction
        },
        totals=totals(boards),
        deal_closed=closed(boards),
    )
