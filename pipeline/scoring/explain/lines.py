"""Why a contestant has these points on a board: its lines there, who is compared, and the steps."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from pipeline.scoring.board import Board, Line, Rating
from pipeline.scoring.charting import SlotState
from pipeline.scoring.event import Event
from pipeline.scoring.explain.accounts import account_as_shown, state_of
from pipeline.scoring.explain.explanation import (
    ComparisonGroup,
    Explanation,
    FrequencyRow,
    LineExplained,
    State,
)
from pipeline.scoring.explain.side import Side, side_of
from pipeline.scoring.record_set import END
from pipeline.scoring.scores import unit_of
from pipeline.scoring.travellers import shown_rating
from schemas.deal import Adjusted, NotPlayed
from schemas.policies import Comparison, Method, ScoringTable
from schemas.terms import ContestantId, Direction, SessionId


def explain(event: Event, contestant: ContestantId, session: str, board: int) -> Explanation:
    """Explain a board of a contestant, number by number; without lines where it does not play the board.

    Every number is worked out from the event as it stands, and each step names its law or article.
    """
    event.rate_all()
    states = [
        state for state in event.slots.values() if state.slot.session == session and state.slot.board == board
    ]
    return Explanation(
        event=event.id,
        contestant=contestant,
        session=SessionId(session),
        board=board,
        method=event.conditions.score_method,
        unit=unit_of(event.conditions),
        lines=tuple(
            _line(event, state, direction, states)
            for state in sorted(states, key=lambda state: (str(state.slot.section), state.slot.round))
            for direction in directions_of(event, state, contestant)
        ),
    )


def directions_of(event: Event, state: SlotState, contestant: ContestantId) -> Iterator[Direction]:
    """Where a contestant sits at a slot; a team at the tables of its match, whoever sits there for it."""
    line = state.line
    if line is not None and line.home is not None:
        own = event.tallies.get(state.slot.session, {}).get(contestant)
        played = (line.ns_tally is own, line.ew_tally is own)
    else:
        ns, ew = event.seated(state)
        played = (ns == contestant, ew == contestant)
    yield from (direction for direction, plays in zip(Direction, played, strict=True) if plays)


def without_line(event: Event, state: SlotState) -> State:
    """Why a slot has nothing to be rated."""
    effective = state.standing.effective
    if event.facts.is_cancelled(state.slot):
        return State.CANCELLED
    if effective is None:
        return State.NO_RESULT if state.due else State.NOT_DUE
    return State.NOT_PLAYED if isinstance(effective.result, NotPlayed) else State.NO_SCORE


def _line(event: Event, state: SlotState, direction: Direction, states: list[SlotState]) -> LineExplained:
    effective = state.standing.effective
    ns, ew = event.seated(state)
    board, line = state.board, state.line
    found = shown = counted = side = rating = None
    if board is None or line is None:
        found = without_line(event, state)
    else:
        rating = shown_rating(event, board)
        side = side_of(board, line, direction)
        shown, counted = account_as_shown(event, board, line, direction, rating)
        found = state_of(board, line, direction, rating, shown)
    result = None if effective is None else effective.result
    return LineExplained(
        slot=state.slot,
        direction=direction,
        opponent=ew if direction is Direction.NS else ns,
        record=None if effective is None else effective.identity,
        result=result,
        vulnerability=event.facts.vulnerability(state.slot, END),
        score=side.own(side.key) if side is not None and isinstance(side.key, int) else None,
        score_law=_score_law(event, adjusted=isinstance(result, Adjusted)),
        state=found,
        compared=None if board is None else _compared(event, board, line, direction, states),
        frequencies=() if side is None or rating is None else tuple(_frequencies(side, rating, line)),
        shown=shown,
        counted=counted,
    )


def _score_law(event: Event, *, adjusted: bool) -> str:
    if adjusted:
        return "Law 12C"
    if event.conditions.score_table is ScoringTable.PRE_1987:
        return "Law 77 as before 1987, 1963 article 76"
    return "Law 77"


def _compared(
    event: Event, board: Board, line: Line | None, direction: Direction, states: list[SlotState]
) -> ComparisonGroup:
    group, form = board.id.group, board.id.form
    chart = board.ns_chart if line is None else side_of(board, line, direction).ns_chart
    still_open = sum(state.open for state in states if state.board is board)
    law = _compared_by(event)
    return ComparisonGroup(
        kind=_kind(event),
        name=group.removeprefix("match:"),
        form=form,
        results=Fraction(sum(chart.values())),
        expected=event.field_of(board).expected,
        open=still_open,
        law=f"{law}; Law 87: only the same form of the board" if form else law,
    )


def _kind(event: Event) -> Literal["section", "field", "match"]:
    if event.conditions.score_method is Method.TEAM_IMPS:
        return "match"
    return "field" if event.conditions.field_compare is Comparison.FIELD else "section"


def _compared_by(event: Event) -> str:
    match event.conditions.score_method:
        case Method.TEAM_IMPS:
            return "Law 78B: the two tables of the match"
        case Method.MATCHPOINTS:
            return f"Law 78A, field.compare = {event.conditions.field_compare}"
        case _:
            return f"Law 78B, field.compare = {event.conditions.field_compare}"


def _frequencies(side: Side, rating: Rating, line: Line | None) -> Iterator[FrequencyRow]:
    if line is not None and line.home is not None:
        return
    worth = rating.ns if side.direction is Direction.NS else rating.ew
    chart = side.chart
    own = {part.ns_points for part in side.components}
    for score in sorted(chart, reverse=True):
        points = worth.get(side.own(score))
        yield FrequencyRow(
            score=score,
            count=Fraction(chart[score]),
            points=None if points is None else Fraction(points, rating.denominator),
            own=score in own,
        )
