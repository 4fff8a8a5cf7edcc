"""One deal: Law 2 for the vulnerability, Law 77 for the score, Law 78B for IMPs, as plain tables."""

from functools import cache

from schemas.deal import Contract, PassedOut, Played, Result, ScoreOnly
from schemas.policies import ImpScale, ScoringTable
from schemas.terms import Doubling, Seat, Strain, Vulnerability

_NONE = (1, 8, 11, 14)
_NS = (2, 5, 12, 15)
_EW = (3, 6, 9, 16)


def law_2(board: int) -> Vulnerability:
    """Who is vulnerable on a board (Law 2)."""
    of_sixteen = (board - 1) % 16 + 1
    if of_sixteen in _NONE:
        return Vulnerability.NONE
    if of_sixteen in _NS:
        return Vulnerability.NS
    return Vulnerability.EW if of_sixteen in _EW else Vulnerability.BOTH


def declarers_score(contract: Contract, tricks: int, *, vulnerable: bool, table: ScoringTable) -> int:
    """The score of declarer's side (Law 77)."""
    target = contract.level + 6
    if tricks < target:
        return -_defenders_score(target - tricks, contract.doubling, vulnerable=vulnerable, table=table)
    each = 20 if contract.strain in {Strain.CLUBS, Strain.DIAMONDS} else 30
    trick_points = each * contract.level + (10 if contract.strain is Strain.NOTRUMP else 0)
    if contract.doubling is Doubling.DOUBLED:
        trick_points *= 2
    if contract.doubling is Doubling.REDOUBLED:
        trick_points *= 4
    score = trick_points
    if trick_points >= 100:
        score += 500 if vulnerable else 300
    else:
        score += 50
    if contract.level == 6:
        score += 750 if vulnerable else 500
    if contract.level == 7:
        score += 1500 if vulnerable else 1000
    over = tricks - target
    if contract.doubling is Doubling.UNDOUBLED:
        return score + over * each
    if contract.doubling is Doubling.DOUBLED:
        return score + 50 + over * (200 if vulnerable else 100)
    made = 50 if table is ScoringTable.PRE_1987 else 100
    return score + made + over * (400 if vulnerable else 200)


def _defenders_score(down: int, doubling: Doubling, *, vulnerable: bool, table: ScoringTable) -> int:
    if doubling is Doubling.UNDOUBLED:
        return down * (100 if vulnerable else 50)
    score = 0
    for trick in range(1, down + 1):
        if trick == 1:
            score += 200 if vulnerable else 100
        elif vulnerable:
            score += 300
        elif trick <= 3 or table is ScoringTable.PRE_1987:
            score += 200
        else:
            score += 300
    return score * 2 if doubling is Doubling.REDOUBLED else score


def ns_score(result: Result | None, vulnerability: Vulnerability, table: ScoringTable) -> int | None:
    """The score from the side of North-South; none where a result has no score of its own."""
    if isinstance(result, PassedOut):
        return 0
    if isinstance(result, ScoreOnly):
        return result.ns_points
    if isinstance(result, Played):
        side = result.contract.declarer.direction
        score = declarers_score(
            result.contract, result.tricks, vulnerable=vulnerability.includes(side), table=table
        )
        return score if result.contract.declarer in {Seat.N, Seat.S} else -score
    return None


@cache
def possible(vulnerability: Vulnerability, table: ScoringTable) -> frozenset[int]:
    """Every score of North-South that some contract reaches, and 0 for four passes."""
    return frozenset(
        {0}
        | {
            score if seat is Seat.N else -score
            for level in range(1, 8)
            for strain in Strain
            for doubling in Doubling
            for seat in (Seat.N, Seat.E)
            for tricks in range(14)
            for score in [
                declarers_score(
                    Contract(level, strain, doubling, seat),
                    tricks,
                    vulnerable=vulnerability.includes(seat.direction),
                    table=table,
                )
            ]
        }
    )


_LAW_78B = (
    *((0, 0), (20, 1), (50, 2), (90, 3), (130, 4), (170, 5), (220, 6), (270, 7), (320, 8), (370, 9)),
    *((430, 10), (500, 11), (600, 12), (750, 13), (900, 14), (1100, 15), (1300, 16), (1500, 17)),
    *((1750, 18), (2000, 19), (2250, 20), (2500, 21), (3000, 22), (3500, 23), (4000, 24)),
)
_BEFORE_1962 = (
    *((0, 0), (20, 1), (70, 2), (140, 3), (220, 4), (350, 5), (500, 6), (750, 7), (1000, 8), (1250, 9)),
    *((1500, 10), (2000, 11), (2500, 12), (3000, 13), (3500, 14), (4000, 15)),
)


@cache
def imps(difference: int, scale: ImpScale) -> int:
    """Law 78B: the row with the highest lower end that the difference reaches, with its sign."""
    rows = _LAW_78B if scale is ImpScale.WBF_1962 else _BEFORE_1962
    won = max(points for reached, points in rows if abs(difference) >= reached)
    return won if difference >= 0 else -won
