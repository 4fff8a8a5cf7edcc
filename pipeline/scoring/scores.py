"""What contestants have scored, exactly: boards, artificial scores, penalties and what they bring along."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, assert_never

from pipeline.rules.adjusted import artificial_imps, artificial_percentage
from pipeline.rules.rounding import decimal_text, exact_text, rounded
from pipeline.scoring.board import Board, Line, Rating, normal_top
from pipeline.scoring.event import Event
from pipeline.scoring.totals import Tally
from schemas.conditions import Conditions
from schemas.corrections import Penalty, PenaltyKind, PenaltyUnit
from schemas.deal import Artificial
from schemas.policies import CrossImpForm, MatchpointUnit, Method
from schemas.terms import ContestantId, Direction

EVENT: Final = "event"
"""The scope of all sessions together."""
PLACES: Final = 2
"""How many decimals a score is shown with."""


class Score(NamedTuple):
    """A contestant's result in a scope, exact: `penalty` is taken off, `carry_over` brought in."""

    points: Fraction
    available: int
    boards: int
    penalty: Fraction = Fraction(0)
    carry_over: Fraction = Fraction(0)
    listed: bool = False
    """Has a penalty or something carried over, and so a place without any board."""

    @property
    def total(self) -> Fraction:
        """What counts."""
        if not (self.penalty or self.carry_over):
            return self.points
        return self.points - self.penalty + self.carry_over

    @property
    def percentage(self) -> Fraction | None:
        """Of the tops played for; None where scores are signed or nothing was played."""
        if not self.available:
            return None
        total = self.total
        return Fraction(100 * total.numerator, total.denominator * self.available)


def contestants(event: Event) -> list[ContestantId]:
    """Everybody who was entered or has played."""
    found = dict.fromkeys(event.facts.entrants)
    for tallies in event.tallies.values():
        found.update(dict.fromkeys(tallies))
    return list(found)


def award_value(
    award: Artificial, board: Board, direction: Direction, tally: Tally, event: Event
) -> tuple[Fraction, int]:
    """What an artificial score is worth to a side, and of which top (Law 12C2)."""
    conditions = event.conditions
    if conditions.score_method is Method.MATCHPOINTS:
        rating = event.rated(board)
        top = rating.ns_top if direction is Direction.NS else rating.ew_top
        own = Fraction(tally.total(), tally.available) if tally.available else None
        share = (
            award.percent / 100
            if award.percent is not None
            else artificial_percentage(award.kind, own, conditions.adj_session)
        )
        return rounded(share * top, conditions.mp_round, Fraction(top, 2)), top
    in_total = conditions.score_method is Method.CROSS_IMPS and conditions.ximp_form is CrossImpForm.TOTAL
    times = event.field_of(board).expected - 1 if in_total else 1
    if award.imps is not None:
        return award.imps * times, 0
    own = tally.total() / tally.boards if tally.boards else None
    return artificial_imps(award.kind, conditions.adj_imp_plus * times, own, conditions.adj_session), 0


def side_points(
    event: Event, board: Board, rating: Rating, line: Line, direction: Direction
) -> tuple[Fraction | None, Artificial | None]:
    """One side's exact points on a line by a rating of its board, and the award behind them if one is."""
    ns = direction is Direction.NS
    of_match = rating.awards.get(line.slot, (None, None))
    award = (line.ns_award if ns else line.ew_award) if line.home is None else of_match[0 if ns else 1]
    if award is not None:
        tally = line.ns_tally if ns else line.ew_tally
        return award_value(award, board, direction, tally or Tally(), event)[0], award
    key = line.slot if line.home is not None else (line.ns_key if ns else line.ew_key)
    number = (rating.ns if ns else rating.ew).get(key)
    return (None if number is None else Fraction(number, rating.denominator)), None


def session_score(event: Event, tally: Tally) -> tuple[Fraction, int, int]:
    """Points, tops and boards of a session, artificial scores included, penalties apart."""
    points, available, boards = tally.total(), tally.available, tally.boards
    for (_, direction), (award, board) in tally.awards.items():
        value, top = award_value(award, board, direction, tally, event)
        points, available, boards = points + value, available + top, boards + 1
    return points, available, boards


def scores(event: Event, scope: str) -> Mapping[ContestantId, Score]:
    """Every contestant's score in a session or in the whole event."""
    known = event.memo.get(("scores", scope))
    if isinstance(known, dict):
        return known
    event.rate_all()
    names = event.session_names() if scope == EVENT else (scope,)
    found: dict[ContestantId, Score] = {}
    of_sessions = [event.tallies.get(session, {}) for session in names]
    for contestant in contestants(event):
        parts = [
            session_score(event, tallies[contestant]) for tallies in of_sessions if contestant in tallies
        ]
        if len(parts) == 1:
            found[contestant] = Score(*parts[0])
        else:
            points, available, boards = (
                tuple(map(sum, zip(*parts, strict=True))) if parts else (Fraction(0), 0, 0)
            )
            found[contestant] = Score(Fraction(points), available, boards)
    for penalty in event.facts.penalties.values():
        if penalty.session in names:
            before = found.get(penalty.contestant) or Score(Fraction(0), 0, 0)
            amount = penalty_amount(event, penalty)
            found[penalty.contestant] = before._replace(penalty=before.penalty + amount, listed=True)
    if scope == EVENT:
        _carry_over(event, found)
    event.memo["scores", scope] = found
    return found


def _carry_over(event: Event, found: dict[ContestantId, Score]) -> None:
    for (contestant, _), record in event.facts.carry_over.items():
        before = found.get(contestant) or Score(Fraction(0), 0, 0)
        found[contestant] = before._replace(carry_over=before.carry_over + record.amount, listed=True)


def penalty_amount(event: Event, penalty: Penalty) -> Fraction:
    """A penalty in the unit of the event; a warning takes nothing off (Law 90)."""
    if penalty.penalty_kind is PenaltyKind.WARNING:
        return Fraction(0)
    at_matchpoints = event.conditions.score_method is Method.MATCHPOINTS
    match penalty.unit:
        case PenaltyUnit.POINTS:
            return penalty.amount
        case PenaltyUnit.IMPS:
            return Fraction(0) if at_matchpoints else penalty.amount
        case PenaltyUnit.PERCENT_OF_TOP:
            expected = max(
                (
                    group.expected
                    for (session, _), group in event.groups.items()
                    if session == penalty.session
                ),
                default=0,
            )
            return penalty.amount / 100 * normal_top(expected, event.conditions)
        case PenaltyUnit.VICTORY_POINTS:
            return Fraction(0)
        case _:
            assert_never(penalty.unit)


def unit_of(conditions: Conditions) -> str:
    """What the scores of a list are counted in."""
    if conditions.score_method is not Method.MATCHPOINTS:
        return "IMPs"
    return "match points" if conditions.mp_unit is MatchpointUnit.TWO_ONE_ZERO else "half match points"


@lru_cache(maxsize=65_536)
def decimal_and_exact(value: Fraction, decimals: int = PLACES) -> tuple[str, str | None]:
    """A decimal string, and the exact fraction where the decimal is not all of it.

    >>> decimal_and_exact(Fraction(31, 4)), decimal_and_exact(Fraction(1, 3))
    (('7.75', None), ('0.33', '1/3'))
    """
    text = decimal_text(value, decimals)
    return text, None if (value * 10**decimals).denominator == 1 else exact_text(value)
