"""The score of one deal: Law 77, as it stands since 1987 and as it stood before."""

from functools import cache
from itertools import product
from typing import Final, NamedTuple, assert_never

from schemas.deal import Contract, PassedOut, Played, ScoreOnly
from schemas.policies import ScoringTable
from schemas.terms import Direction, Doubling, Points, Seat, Strain, Tricks, Vulnerability

_BOOK: Final = 6
_DECK: Final = 13
_ODD_TRICK: Final = {
    Strain.CLUBS: 20,
    Strain.DIAMONDS: 20,
    Strain.HEARTS: 30,
    Strain.SPADES: 30,
    Strain.NOTRUMP: 30,
}
_TIMES: Final = {Doubling.UNDOUBLED: 1, Doubling.DOUBLED: 2, Doubling.REDOUBLED: 4}


class _Prices(NamedTuple):
    """What one vulnerability pays; a redoubled trick costs twice the doubled one."""

    game: int
    small_slam: int
    grand_slam: int
    doubled_overtrick: int
    undertrick: int
    first_doubled: int
    second_and_third_doubled: int
    later_doubled: int


_NOT_VULNERABLE = _Prices(300, 500, 1000, 100, 50, 100, 200, 300)
_VULNERABLE = _Prices(500, 750, 1500, 200, 100, 200, 300, 300)
# Before 1987 a fourth doubled undertrick cost no more than the second, and a redoubled contract
# that was made earned the 50 of a doubled one.
_PRICES: Final = {
    ScoringTable.SINCE_1987: (_NOT_VULNERABLE, _VULNERABLE),
    ScoringTable.PRE_1987: (_NOT_VULNERABLE._replace(later_doubled=200), _VULNERABLE),
}
_MADE_DOUBLED: Final = {
    ScoringTable.SINCE_1987: {Doubling.UNDOUBLED: 0, Doubling.DOUBLED: 50, Doubling.REDOUBLED: 100},
    ScoringTable.PRE_1987: {Doubling.UNDOUBLED: 0, Doubling.DOUBLED: 50, Doubling.REDOUBLED: 50},
}


def contract_score(
    contract: Contract,
    tricks: Tricks,
    vulnerability: Vulnerability,
    table: ScoringTable = ScoringTable.SINCE_1987,
) -> Points:
    """Law 77: the score points of declarer's side for the tricks (0 to 13) it took.

    Raises ValueError for another number of tricks.

    >>> four_spades = Contract(4, Strain.SPADES, Doubling.UNDOUBLED, Seat.E)
    >>> contract_score(four_spades, Tricks(10), Vulnerability.NS)
    420
    >>> contract_score(four_spades, Tricks(8), Vulnerability.EW)
    -200
    """
    if not 0 <= tricks <= _DECK:
        raise ValueError(f"{tricks} tricks are not 0 to 13 (Law 1)")
    prices = _PRICES[table][vulnerability.includes(contract.declarer.direction)]
    over = tricks - _BOOK - contract.level
    if over < 0:
        return Points(-_undertricks(-over, contract.doubling, prices))
    bonus = _MADE_DOUBLED[table][contract.doubling]
    return Points(_bid_and_made(contract, prices) + bonus + _overtricks(over, contract, prices))


def ns_points(
    result: Played | PassedOut | ScoreOnly,
    vulnerability: Vulnerability,
    table: ScoringTable = ScoringTable.SINCE_1987,
) -> Points:
    """Law 77: the score points of a table's result as North-South see them; four passes are 0.

    >>> contract = Contract(3, Strain.NOTRUMP, Doubling.UNDOUBLED, Seat.W)
    >>> ns_points(Played(contract, Tricks(9)), Vulnerability.BOTH)
    -600
    >>> ns_points(PassedOut(), Vulnerability.BOTH)
    0
    """
    match result:
        case Played():
            contract = result.contract
            # By the parts: hashing a nested dataclass would cost more than the score itself.
            return _of_contract(
                contract.level,
                contract.strain,
                contract.doubling,
                contract.declarer,
                result.tricks,
                vulnerability,
                table,
            )
        case PassedOut():
            return Points(0)
        case ScoreOnly():
            return result.ns_points
        case _:
            assert_never(result)


def reachable(
    contract: Contract,
    vulnerability: Vulnerability,
    table: ScoringTable = ScoringTable.SINCE_1987,
) -> tuple[Points, ...]:
    """Law 77: what North-South score with this contract for 0, 1, ... 13 tricks of declarer's side.

    >>> one_notrump = Contract(1, Strain.NOTRUMP, Doubling.UNDOUBLED, Seat.N)
    >>> reachable(one_notrump, Vulnerability.NONE)[5:9]
    (-100, -50, 90, 120)
    """
    return tuple(
        ns_points(Played(contract, Tricks(tricks)), vulnerability, table) for tricks in range(_DECK + 1)
    )


def possible(
    ns_points: Points,
    vulnerability: Vulnerability,
    table: ScoringTable = ScoringTable.SINCE_1987,
) -> bool:
    """Law 77: tell whether four passes or any contract can come to this score at this vulnerability.

    >>> possible(Points(620), Vulnerability.NS), possible(Points(620), Vulnerability.EW)
    (True, False)
    """
    return ns_points in _possible_points(vulnerability, table)


def _bid_and_made(contract: Contract, prices: _Prices) -> int:
    """Trick points of the tricks bid, with the bonus for a part score, a game and a slam."""
    first = 10 if contract.strain is Strain.NOTRUMP else 0
    trick_points = (_ODD_TRICK[contract.strain] * contract.level + first) * _TIMES[contract.doubling]
    slam = {6: prices.small_slam, 7: prices.grand_slam}.get(contract.level, 0)
    return trick_points + (prices.game if trick_points >= 100 else 50) + slam


def _overtricks(over: int, contract: Contract, prices: _Prices) -> int:
    match contract.doubling:
        case Doubling.UNDOUBLED:
            return over * _ODD_TRICK[contract.strain]
        case Doubling.DOUBLED:
            return over * prices.doubled_overtrick
        case Doubling.REDOUBLED:
            return over * prices.doubled_overtrick * 2
        case _:
            assert_never(contract.doubling)


def _undertricks(down: int, doubling: Doubling, prices: _Prices) -> int:
    if doubling is Doubling.UNDOUBLED:
        return down * prices.undertrick
    second_and_third = min(down - 1, 2)
    doubled = (
        prices.first_doubled
        + second_and_third * prices.second_and_third_doubled
        + (down - 1 - second_and_third) * prices.later_doubled
    )
    return doubled if doubling is Doubling.DOUBLED else doubled * 2


@cache
def _of_contract(
    level: int,
    strain: Strain,
    doubling: Doubling,
    declarer: Seat,
    tricks: Tricks,
    vulnerability: Vulnerability,
    table: ScoringTable,
) -> Points:
    score = contract_score(Contract(level, strain, doubling, declarer), tricks, vulnerability, table)
    return score if declarer.direction is Direction.NS else Points(-score)


@cache
def _possible_points(vulnerability: Vulnerability, table: ScoringTable) -> frozenset[Points]:
    contracts = (Contract(*parts) for parts in product(range(1, 8), Strain, Doubling, (Seat.N, Seat.E)))
    scores = (reachable(contract, vulnerability, table) for contract in contracts)
    return frozenset({Points(0)}.union(*scores))
