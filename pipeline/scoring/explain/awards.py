"""Why an artificial score is worth what it is: the kind, the contestant's own boards, and the top."""

from fractions import Fraction
from typing import Final

from pipeline.rules.adjusted import artificial_imps, artificial_percentage
from pipeline.scoring.board import Board
from pipeline.scoring.event import Event
from pipeline.scoring.explain.side import rounded_by
from pipeline.scoring.explain.steps import ArtificialScore, OfTop, OwnBoards, Step
from pipeline.scoring.totals import Tally
from schemas.conditions import Conditions
from schemas.deal import Artificial
from schemas.policies import CrossImpForm, Method, SessionPercentage
from schemas.terms import AwardKind, Direction

_SHARES: Final = {
    AwardKind.AVE_PLUS: Fraction(3, 5),
    AwardKind.AVE: Fraction(1, 2),
    AwardKind.AVE_MINUS: Fraction(2, 5),
}
_LAWS: Final = {
    SessionPercentage.LAW_2017: "Law 12C2",
    SessionPercentage.LAW_1963: "1963 article 107",
    SessionPercentage.FLAT: "Law 12C2, adj.session = flat",
}


def steps(
    event: Event, board: Board, award: Artificial, direction: Direction, tally: Tally
) -> tuple[Step, ...]:
    """Law 12C2: the steps to an artificial score of the side that sits in a direction."""
    conditions = event.conditions
    if conditions.score_method is not Method.MATCHPOINTS:
        return _in_imps(event, board, award, tally)
    rating = event.rated(board)
    top = rating.ns_top if direction is Direction.NS else rating.ew_top
    own = _own_share(tally, conditions)
    per_board = None if own is None else own.gives
    artificial = ArtificialScore(
        award_kind=award.kind,
        policy=conditions.adj_session,
        in_percent=True,
        stated=None if award.percent is None else award.percent / 100,
        each=_SHARES[award.kind],
        times=1,
        flat=_SHARES[award.kind],
        own=per_board,
        gives=artificial_percentage(award.kind, per_board, conditions.adj_session)
        if award.percent is None
        else award.percent / 100,
        law=_LAWS[conditions.adj_session],
    )
    share = artificial.gives
    law = "Law 12C2: of the top that the board has"
    of_top = OfTop(share=share, top=top, gives=share * top, law=law)
    found: tuple[Step, ...] = (artificial, of_top) if own is None else (own, artificial, of_top)
    return rounded_by(found, conditions.mp_round, "mp.round", Fraction(top, 2))


def _in_imps(event: Event, board: Board, award: Artificial, tally: Tally) -> tuple[Step, ...]:
    conditions = event.conditions
    in_total = conditions.score_method is Method.CROSS_IMPS and conditions.ximp_form is CrossImpForm.TOTAL
    times = event.field_of(board).expected - 1 if in_total else 1
    each = artificial_imps(award.kind, conditions.adj_imp_plus, None, SessionPercentage.FLAT)
    own = _own_imps(tally)
    per_board = None if own is None else own.gives
    policy = conditions.adj_session
    law = f"{_LAWS[policy]}, adj.imp_plus"
    artificial = ArtificialScore(
        award_kind=award.kind,
        policy=policy,
        in_percent=False,
        stated=award.imps,
        each=each,
        times=times,
        flat=each * times,
        own=per_board,
        gives=artificial_imps(award.kind, conditions.adj_imp_plus * times, per_board, policy)
        if award.imps is None
        else award.imps * times,
        law=f"{law}; ACBLscore: once for each comparison" if in_total else law,
    )
    return (artificial,) if own is None else (own, artificial)


def _own_share(tally: Tally, conditions: Conditions) -> OwnBoards | None:
    if not tally.available:
        return None
    return OwnBoards(
        points=tally.total(),
        available=tally.available,
        boards=tally.boards,
        gives=tally.total() / tally.available,
        law=f"{_LAWS[conditions.adj_session]}: the boards of the session without an artificial score",
    )


def _own_imps(tally: Tally) -> OwnBoards | None:
    if not tally.boards:
        return None
    return OwnBoards(
        points=tally.total(),
        available=0,
        boards=tally.boards,
        gives=tally.total() / tally.boards,
        law="Law 12C2: IMPs a board, over the boards of the session without an artificial score",
    )
