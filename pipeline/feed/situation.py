"""What a scoreboard tells beside the list itself: rounds, the score's publication, corrections, penalties."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.rules.rounding import decimal_text
from pipeline.scoring.event import Event
from pipeline.scoring.scores import EVENT, penalty_amount
from schemas.control import ContestantKind
from schemas.corrections import (
    Award,
    MoveResult,
    Penalty,
    PenaltyKind,
    ReplaceResult,
    SwapDirections,
    VoidResult,
)
from schemas.deal import Result
from schemas.decisions import Verdict
from schemas.record import Record, Slot
from schemas.results import BoardResult
from schemas.terms import ContestantId, EventId, Identity, PersonId, SectionId

CORRECTIONS = (ReplaceResult, VoidResult, MoveResult, SwapDirections, Award)


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of a result that was made since the score was published, and what it says of the slot."""

    time_us: int
    kind: str
    slot: Slot
    slots: int
    law: str | None
    before: Result | None = None
    after: Result | None = None


@dataclass(frozen=True, slots=True)
class PenaltyGiven:
    """A penalty in the unit of the list to two places, negative for a compensation (Law 90)."""

    who: "EntrantShown"
    kind: PenaltyKind
    amount: str
    law: str | None


@dataclass(frozen=True, slots=True)
class EntrantShown:
    """What a pair is called on a board."""

    contestant: ContestantId
    number: int | None = None
    section: SectionId | None = None
    players: tuple[PersonId, ...] = ()


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a scope stands, as the fold has it."""

    event: EventId
    title: str
    contest: ContestantKind
    sessions: dict[str, str]
    """Titles by session; empty where nobody gave one."""
    lists: tuple[str, ...]
    show_min_boards: int
    rounds: int
    """Of the scope's longest movement; 0 where none is known."""
    round_ended: int
    round_ended_us: int
    round_before_us: int
    play_ended: bool
    published_us: int | None
    """When the score that stands was first available."""
    corrections: tuple[Correction, ...]
    """Since then, newest first."""
    penalties: tuple[PenaltyGiven, ...]

    @property
    def since_us(self) -> int | None:
        """Since when moves are told: publication, else the last round over, after play the one before it."""
        if self.published_us is not None:
            return self.published_us
        return (self.round_before_us if self.play_ended else self.round_ended_us) or None

    @property
    def since_round(self) -> int:
        """Of which round that was the end."""
        return self.round_ended - 1 if self.play_ended else self.round_ended


def situation(event: Event, scope: str, lists: Sequence[str]) -> Situation:
    """Ask a fold where a scope stands."""
    facts = event.facts
    names = event.session_names() if scope == EVENT else (scope,)
    described = facts.described.last()
    plans = () if described is None else described.sessions
    ends: dict[int, int] = {}
    for name in names:
        for (_, number), (_, time_us) in facts.session(name).rounds_ended.items():
            ends[number] = max(ends.get(number, 0), time_us)
    last = max(ends, default=0)
    rounds = [
        number
        for (session, _), movement in facts.movements.items()
        if session in names and (seating := movement.last()) is not None
        for number, _ in seating.tables
    ]
    starts = [publication.time_us for name in names for publication in facts.session(name).publications[:1]]
    published = min(starts, default=None)
    return Situation(
        event=event.id,
        title=str(event.id) if described is None else described.title,
        contest=ContestantKind.PAIR if described is None else described.contest,
        sessions={str(plan.id): plan.title for plan in plans},
        lists=tuple(lists),
        show_min_boards=event.conditions.show_min_boards,
        rounds=max(rounds, default=0),
        round_ended=last,
        round_ended_us=ends.get(last, 0),
        round_before_us=ends.get(last - 1, 0),
        play_ended=bool(names) and all(facts.session(name).ended_us is not None for name in names),
        published_us=published,
        corrections=() if published is None else tuple(_corrections(event, set(names), published)),
        penalties=tuple(_penalties(event, set(names))),
    )


def entrants(event: Event) -> dict[ContestantId, EntrantShown]:
    """Who is who."""
    return {
        name: EntrantShown(name, entrant.number, entrant.section, entrant.players)
        for name, entrant in event.facts.entrants.items()
    }


def _corrections(event: Event, names: set[str], since_us: int) -> Iterator[Correction]:
    found = []
    for identity, stamped in event.records.by_identity.items():
        record = stamped.record
        if not isinstance(record, CORRECTIONS):
            continue
        time_us = event.records.position(stamped)[0]
        slots = event.slots_of(record)
        if time_us <= since_us or not slots or slots[0].session not in names:
            continue
        decision = event.decision(identity)
        if decision is not None and decision.verdict is Verdict.ACCEPTED:
            found.append(
                Correction(
                    time_us,
                    record.kind,
                    slots[0],
                    len(slots),
                    record.law,
                    _before(event, record),
                    _after(record),
                )
            )
    yield from sorted(found, key=lambda one: -one.time_us)


def _before(event: Event, record: Record) -> Result | None:
    named: Identity | None = getattr(record, "supersedes", None)
    changes = getattr(record, "changes", ())
    if named is None and changes:
        named = changes[0].supersedes
    stamped = None if named is None else event.records.by_identity.get(named)
    if stamped is None or not isinstance(stamped.record, BoardResult | ReplaceResult):
        return None
    return stamped.record.result


def _after(record: Record) -> Result | None:
    return record.result if isinstance(record, ReplaceResult) else None


def _penalties(event: Event, names: set[str]) -> Iterator[PenaltyGiven]:
    who = entrants(event) if event.facts.penalties else {}
    for penalty in event.facts.penalties.values():
        if penalty.session in names:
            shown = who.get(penalty.contestant) or EntrantShown(penalty.contestant)
            yield PenaltyGiven(shown, penalty.penalty_kind, _amount(event, penalty), penalty.law)


def _amount(event: Event, penalty: Penalty) -> str:
    return decimal_text(penalty_amount(event, penalty), 2)
