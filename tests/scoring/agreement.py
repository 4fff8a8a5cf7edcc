"""Where the core and the naive scorer differ about an event: nothing, one hopes."""

from collections.abc import Iterator
from fractions import Fraction

from pipeline.scoring.charting import SlotState
from pipeline.scoring.event import Event
from pipeline.scoring.lists import factored_total, full_tops, list_ids, ranking
from pipeline.scoring.naive import NaiveEvent
from pipeline.scoring.scores import side_points
from pipeline.scoring.travellers import is_closed
from schemas.record import Slot
from schemas.terms import Direction, ListId


def differences(event: Event, naive: NaiveEvent) -> Iterator[str]:
    """Every disagreement, as a sentence."""
    for identity, ruled in naive.decisions.items():
        found = event.decision(identity)
        mine = None if found is None else (found.verdict, found.reason)
        if mine != tuple(ruled):
            yield f"verdict on {identity}: {mine} but {tuple(ruled)}"
    if set(event.records.conflicts) != set(naive.conflicts):
        yield f"conflicts: {set(event.records.conflicts)} but {naive.conflicts}"
    states = {state.slot: state for state in event.slots.values()}
    for slot, expected in naive.effective.items():
        state = states.get(slot)
        effective = None if state is None else state.standing.effective
        name = None if effective is None else effective.identity
        if name != expected:
            yield f"effective in {slot}: {name} but {expected}"
    yield from _points(event, naive, states)
    yield from _lists(event, naive)
    for (session, board), closed in naive.deal_closed.items():
        if is_closed(event, session, board) != closed:
            yield f"deal {session}/{board} closed: {not closed} but {closed}"


def _points(event: Event, naive: NaiveEvent, states: dict[Slot, SlotState]) -> Iterator[str]:
    event.rate_all()
    for (slot, direction), expected in naive.points.items():
        state = states.get(slot)
        found = None if state is None else points(event, state, direction)
        if found != expected:
            yield f"points in {slot} {direction}: {found} but {expected}"
    for slot, seated in naive.seated.items():
        state = states.get(slot)
        mine = (None, None) if state is None else event.seated(state)
        if state is not None and state.line is not None and mine != seated:
            yield f"seated in {slot}: {mine} but {seated}"


def points(event: Event, state: SlotState, direction: Direction) -> Fraction | None:
    """One side's exact points at a slot."""
    if state.line is None or state.board is None:
        return None
    return side_points(event, state.board, event.rated(state.board), state.line, direction)[0]


def _lists(event: Event, naive: NaiveEvent) -> Iterator[str]:
    ids = {str(name) for name in list_ids(event)}
    for name, rows in naive.totals.items():
        if name not in ids:
            yield f"list {name} is missing"
            continue
        mine = {row.contestant: row for row in ranking(event, ListId(name))}
        full = full_tops(event, name.partition("/")[0])
        for contestant, expected in rows.items():
            row = mine.get(contestant)
            got = (
                None
                if row is None
                else (
                    factored_total(row.score, event.conditions, full),
                    Fraction(row.score.available),
                    row.score.boards,
                    row.rank,
                    row.tied,
                )
            )
            if got != (expected.total, expected.available, expected.boards, expected.rank, expected.tied):
                yield f"{name} {contestant}: {got} but {expected}"
        extra = {contestant for contestant, row in mine.items() if row.rank is not None} - set(rows)
        if extra:
            yield f"{name} has {sorted(extra)} as well"
