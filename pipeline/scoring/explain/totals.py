"""Why a contestant stands where it stands: its boards, penalties, percentage and place."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from pipeline.rules.rounding import rounded
from pipeline.scoring.board import normal_top
from pipeline.scoring.event import Event
from pipeline.scoring.explain.accounts import account, award_of, state_of
from pipeline.scoring.explain.explanation import (
    BoardShare,
    CarriedOver,
    NotCounted,
    PenaltyShare,
    TotalExplanation,
)
from pipeline.scoring.explain.lines import directions_of, without_line
from pipeline.scoring.lists import factored_total, full_tops, line_of, ranking_figure
from pipeline.scoring.scores import EVENT, penalty_amount, scores, unit_of
from pipeline.scoring.travellers import award_name
from schemas.corrections import Penalty, PenaltyUnit
from schemas.policies import MissingResults, Winners
from schemas.terms import ContestantId

_LAWS: Final = {
    Winners.ONE: "Law 78D: one list for all",
    Winners.PER_DIRECTION: "Law 78D: a list for each direction",
    Winners.PER_SECTION: "Law 78D, 1963 article 83: a list for each section",
    Winners.PER_SECTION_AND_DIRECTION: "Law 78D, 1963 article 83: a list for each section and direction",
}


def explain_total(event: Event, contestant: ContestantId, scope: str) -> TotalExplanation:
    """Explain a contestant's total and place in a session, or with scope `event` in all of them.

    Raises KeyError for a contestant that the event does not know.
    """
    found = scores(event, scope)
    own = found[contestant]
    conditions = event.conditions
    line = line_of(event, contestant)
    rivals = {name: score for name, score in found.items() if line_of(event, name) == line}
    full = full_tops(event, scope)
    figures = {name: ranking_figure(score, conditions, full) for name, score in rivals.items()}
    figure = figures[contestant]
    others = {name: other for name, other in figures.items() if other is not None and name != contestant}
    above = 0 if figure is None else sum(other > figure for other in others.values())
    boards = tuple(_boards(event, contestant, scope))
    counted = tuple(share for share in boards if isinstance(share, BoardShare))
    factored = factored_total(own, conditions, full)
    is_factored = conditions.mp_missing is MissingResults.FACTORED_TOTAL and own.available
    return TotalExplanation(
        event=event.id,
        contestant=contestant,
        scope=scope,
        line=line,
        method=conditions.score_method,
        unit=unit_of(conditions),
        boards=counted,
        not_counted=tuple(share for share in boards if isinstance(share, NotCounted)),
        points=sum((share.points for share in counted), Fraction(0)),
        available=sum(share.top for share in counted),
        penalties=tuple(_penalties(event, contestant, scope)),
        carried_over=tuple(_carried(event, contestant, scope)),
        total=own.total,
        percentage=own.percentage,
        percentage_round=conditions.percentage_round,
        full=full if is_factored else None,
        factored=factored,
        shown=rounded(factored, conditions.total_round),
        total_round=conditions.total_round,
        rank_by=conditions.rank_by,
        figure=figure,
        rank=None if figure is None else above + 1,
        above=above,
        below=0 if figure is None else sum(other < figure for other in others.values()),
        tied_with=tuple(sorted(name for name, other in others.items() if other == figure)),
        law=f"{_LAWS[conditions.rank_winners]}; equal figures share the place (1963 article 84)",
    )


def _sessions(event: Event, scope: str) -> tuple[str, ...]:
    return event.session_names() if scope == EVENT else (scope,)


def _boards(event: Event, contestant: ContestantId, scope: str) -> Iterator[BoardShare | NotCounted]:
    wanted = _sessions(event, scope)
    states = [state for state in event.slots.values() if state.slot.session in wanted]
    for state in sorted(
        states, key=lambda state: (wanted.index(state.slot.session), state.slot.board, str(state.slot))
    ):
        for direction in directions_of(event, state, contestant):
            board, line = state.board, state.line
            if board is None or line is None:
                yield NotCounted(slot=state.slot, direction=direction, state=without_line(event, state))
                continue
            rating = event.rated(board)
            if line.home is not None and rating.counted_at not in (None, line.slot):
                continue  # a team's board counts once, at the first of its two tables
            found = account(event, board, line, direction)
            if found.points is None:
                at = state_of(board, line, direction, rating, found)
                yield NotCounted(slot=state.slot, direction=direction, state=at)
                continue
            award = award_of(line, rating, direction)
            yield BoardShare(
                slot=state.slot,
                direction=direction,
                points=found.points,
                top=found.top,
                award=None if award is None else award_name(award),
                steps=() if award is None else found.steps,
            )


def _penalties(event: Event, contestant: ContestantId, scope: str) -> Iterator[PenaltyShare]:
    wanted = _sessions(event, scope)
    for identity, penalty in event.facts.penalties.items():
        if penalty.contestant == contestant and penalty.session in wanted:
            yield PenaltyShare(
                record=identity,
                session=penalty.session,
                kind=penalty.penalty_kind,
                unit=penalty.unit,
                amount=penalty.amount,
                top=_top(event, penalty),
                taken=penalty_amount(event, penalty),
                law=penalty.law or "Law 90",
            )


def _top(event: Event, penalty: Penalty) -> Fraction | None:
    if penalty.unit is not PenaltyUnit.PERCENT_OF_TOP:
        return None
    of_session = (board for board in event.boards.values() if board.id.session == penalty.session)
    expected = max((event.field_of(board).expected for board in of_session), default=0)
    return normal_top(expected, event.conditions)


def _carried(event: Event, contestant: ContestantId, scope: str) -> Iterator[CarriedOver]:
    if scope != EVENT:
        return
    for (name, stage), record in event.facts.carry_over.items():
        if name == contestant:
            yield CarriedOver(stage=stage, amount=record.amount, law="conditions of contest")
