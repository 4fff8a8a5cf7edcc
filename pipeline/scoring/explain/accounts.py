"""The account of one side of one line: the steps of its method, and where the line stands."""

from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from pipeline.scoring.board import Board, Field, Line, Rating
from pipeline.scoring.event import Event
from pipeline.scoring.explain import awards, butler, cross_imps, matchpoints, team_match
from pipeline.scoring.explain.explanation import Account, State
from pipeline.scoring.explain.side import Side, rounded_by, side_of
from pipeline.scoring.explain.steps import OfTop, Rounded, Step
from pipeline.scoring.totals import Tally
from schemas.conditions import Conditions
from schemas.deal import Artificial
from schemas.policies import Method
from schemas.terms import Direction


def account(event: Event, board: Board, line: Line, direction: Direction) -> Account:
    """How a side came to the points that count in its total."""
    rating = event.rated(board)
    return _account(event, board, line, direction, event.conditions, rating, "mp.round")


def account_as_shown(
    event: Event, board: Board, line: Line, direction: Direction, rating: Rating
) -> tuple[Account, Account | None]:
    """How a side came to the points on the traveller, and, where the total follows another rule, to those."""
    counted = account(event, board, line, direction)
    conditions = event.conditions
    of_lines = (conditions.line_missing, conditions.line_round)
    artificial = award_of(line, event.rated(board), direction) is not None
    if (
        artificial
        or conditions.score_method is not Method.MATCHPOINTS
        or of_lines == (conditions.mp_missing, conditions.mp_round)
    ):
        return counted, None
    as_shown = replace(conditions, mp_missing=conditions.line_missing, mp_round=conditions.line_round)
    shown = _account(event, board, line, direction, as_shown, rating, "line.round")
    return shown, None if shown.points == counted.points and shown.top == counted.top else counted


def _account(
    event: Event,
    board: Board,
    line: Line,
    direction: Direction,
    conditions: Conditions,
    rating: Rating,
    setting: str,
) -> Account:
    side = side_of(board, line, direction)
    is_ns = direction is Direction.NS
    award = award_of(line, rating, direction)
    tally = (line.ns_tally if is_ns else line.ew_tally) or Tally()
    top = rating.ns_top if is_ns else rating.ew_top
    steps: tuple[Step, ...]
    if award is not None:
        steps = awards.steps(event, board, award, direction, tally)
    elif line.home is not None:
        steps = team_match.steps(board, line, direction, conditions) if rating.awards else ()
    else:
        steps = _of_method(side, conditions, event.field_of(board), top, setting)
    points = steps[-1].gives if steps else None
    return Account(steps=steps, points=points, top=top, rated=rating.rated)


def award_of(line: Line, rating: Rating, direction: Direction) -> Artificial | None:
    """The artificial score of a side; in a match, of the team, from whichever table."""
    is_ns = direction is Direction.NS
    if line.home is None:
        return line.ns_award if is_ns else line.ew_award
    return rating.awards.get(line.slot, (None, None))[0 if is_ns else 1]


def _of_method(side: Side, conditions: Conditions, normal: Field, top: int, setting: str) -> tuple[Step, ...]:
    match conditions.score_method:
        case Method.MATCHPOINTS:
            found = matchpoints.steps(side, conditions, normal)
            return rounded_by(found, conditions.mp_round, setting, Fraction(top, 2))
        case Method.BUTLER:
            return butler.steps(side, conditions, normal)
        case Method.CROSS_IMPS:
            found = cross_imps.steps(side, conditions, normal)
            return rounded_by(found, conditions.ximp_round, "ximp.round")
        case Method.TEAM_IMPS:
            return ()
        case _:
            assert_never(conditions.score_method)


def state_of(board: Board, line: Line, direction: Direction, rating: Rating, found: Account) -> State:
    """Where a line with a result stands."""
    if line.home is not None:
        if rating.counted_at is None:
            return State.OTHER_TABLE
        return State.INCOMPARABLE if found.points is None else State.RATED
    if found.points is None:
        return State.NO_MATCH
    side = side_of(board, line, direction)
    if side.award is not None and not found.top and isinstance(found.steps[-1], OfTop | Rounded):
        return State.NO_TOP
    if rating.live:
        return State.LIVE
    return State.ALONE if side.award is None and side.results <= 1 else State.RATED
