"""A light model of a deal: who holds how much and fits where, and so what tables bid and make of it.

Calibrated on real pairs events: of the contracts played about 27 in a hundred are just made, 22 make one
more, 18 go one down; a third are at the one and two level, a third are games, 4 in a hundred are doubled.
Pass-outs come in bunches, on a few boards. Floats are at home here: they draw dice, they score nothing.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from statistics import NormalDist
from typing import Final

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.deal import Contract, PassedOut, Played
from schemas.terms import BoardNumber, Direction, Doubling, Seat, Strain, Tricks, Vulnerability

DOUBLINGS: Final = tuple(Doubling)
PASSED_OUT: Final = PassedOut()
SUITS: Final = (Strain.CLUBS, Strain.DIAMONDS, Strain.HEARTS, Strain.SPADES)
MAJORS: Final = frozenset({Strain.HEARTS, Strain.SPADES})
GAME_LEVEL: Final = {
    Strain.CLUBS: 5,
    Strain.DIAMONDS: 5,
    Strain.HEARTS: 4,
    Strain.SPADES: 4,
    Strain.NOTRUMP: 3,
}
SEATS_OF: Final = {Direction.NS: (Seat.N, Seat.S), Direction.EW: (Seat.E, Seat.W)}
DOUBLED_DOWN: Final = (0.0, 0.05, 0.12, 0.2, 0.28, 0.35)
"""The chance that a contract so many down was doubled."""
DOUBLED_MADE: Final = 0.006
REDOUBLED: Final = 0.03
TRICKS_PER_SKILL: Final = 0.14
BELL: Final = tuple(NormalDist().inv_cdf((step + 0.5) / 1024) for step in range(1024))
"""The normal distribution in 1024 equal steps: a throw and a look-up, several times faster than `gauss`."""
CHOICE_PER_SKILL: Final = 0.035


@dataclass(frozen=True, slots=True)
class Chance:
    """One contract that tables may reach: how many tricks it makes on average, and how often it is bid.

    `edge` is +1 where North-South declare, -1 where East-West do; `contract` is None for four passes.
    """

    contract: Contract | None
    mean_tricks: float
    weight: float
    edge: int = 0
    contested: float = 1.0
    """How much likelier a double is than usual."""


class Deal:
    """What tables make of one board; equal results are one object."""

    __slots__ = ("_by_ns_score", "_floors", "_known", "_parts", "board", "spread", "vulnerability")

    def __init__(self, board: BoardNumber, chances: Iterable[Chance], spread: float) -> None:
        self.board = board
        self.vulnerability = vulnerability(board)
        self.spread = spread
        # From the contract worst for North-South to the best, so that skill can lean on the choice.
        self._by_ns_score = sorted(chances, key=lambda chance: _expected(chance, self.vulnerability))
        total = sum(chance.weight for chance in self._by_ns_score)
        running = accumulate(chance.weight / total for chance in self._by_ns_score)
        self._floors = list(running)[:-1]
        # What `play` needs of each chance, without looking through objects a million times.
        self._parts = [
            (
                chance.contract.level if chance.contract else 0,
                chance.mean_tricks,
                chance.edge,
                chance.contested,
            )
            for chance in self._by_ns_score
        ]
        self._known: dict[int, Played] = {}

    def play(self, dice: Random, edge: float = 0.0) -> Played | PassedOut:
        """Bid and play it once; `edge` is how much stronger North-South are, in deviations of skill."""
        throw = dice.random
        luck = throw()
        lean = CHOICE_PER_SKILL * edge
        luck += (1 - luck) * lean if lean > 0 else luck * lean
        index = bisect_right(self._floors, luck)
        level, mean, side, contested = self._parts[index]
        if level == 0:
            return PASSED_OUT
        tricks = int(mean + side * edge * TRICKS_PER_SKILL + self.spread * BELL[int(throw() * 1024)] + 0.5)
        if tricks < 0 or tricks > 13:
            tricks = 0 if tricks < 0 else 13
        down = level + 6 - tricks
        odds = DOUBLED_DOWN[min(5, down)] * contested if down > 0 else DOUBLED_MADE
        doubled = 0
        if throw() < odds:
            doubled = 2 if throw() < REDOUBLED else 1
        key = (index * 14 + tricks) * 3 + doubled
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._played(index, tricks, DOUBLINGS[doubled])
        return known

    def _played(self, index: int, tricks: int, doubling: Doubling) -> Played:
        contract = self._by_ns_score[index].contract
        if contract is None:
            raise ValueError("four passes have no tricks")
        return Played(replace(contract, doubling=doubling), Tricks(tricks))


def _expected(chance: Chance, vulnerable: Vulnerability) -> float:
    if chance.contract is None:
        return 0.0
    # Between two whole numbers of tricks, so that a contract that fails half of the time ranks in the middle.
    below = min(12, max(0, math.floor(chance.mean_tricks)))
    part = min(1.0, max(0.0, chance.mean_tricks - below))
    low, high = (
        ns_points(Played(chance.contract, Tricks(tricks)), vulnerable) for tricks in (below, below + 1)
    )
    return low * (1 - part) + high * part


def deal(board: BoardNumber, dice: Random) -> Deal:
    """Deal a board: everything about it comes from the dice, and nothing about it changes between tables.

    >>> first, again = (deal(BoardNumber(7), Random(1)).play(Random(2)) for _ in range(2))
    >>> first == again
    True
    """
    strong = dice.choice((Direction.NS, Direction.EW))
    points = 20 + min(17.0, abs(dice.gauss(0, 5.0)))
    chances = [*_strong_side(strong, points, dice), *_weak_side(strong.other, points, dice)]
    if points < 21.5 and dice.random() < 0.22:
        played = sum(chance.weight for chance in chances)
        chances.append(Chance(None, 0.0, played * dice.uniform(0.01, 0.2)))
    most = max(chance.weight for chance in chances)
    return Deal(board, [chance for chance in chances if chance.weight > most / 250], dice.uniform(0.55, 1.05))


def deals(boards: Iterable[BoardNumber], dice: Random) -> dict[BoardNumber, Deal]:
    """Deal these boards, each from dice of its own, so that one more board changes no other."""
    salt = dice.getrandbits(64)
    return {board: deal(board, Random(salt + board)) for board in boards}


def _tricks_at_notrump(points: float) -> float:
    return 6.9 + (points - 20) * 0.42


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def _fit(dice: Random) -> tuple[Strain, int]:
    """A side's best suit, majors first where equal, and how many of it they hold together."""
    return dice.choice((*SUITS, Strain.HEARTS, Strain.SPADES)), dice.choices((7, 8, 9, 10), (20, 44, 26, 10))[
        0
    ]


def _strong_side(side: Direction, points: float, dice: Random) -> Iterator[Chance]:
    suit, length = _fit(dice)
    notrump = _tricks_at_notrump(points) + dice.gauss(0, 0.6)
    in_suit = notrump + 0.75 * (length - 7) + dice.gauss(0, 0.5)
    balanced = dice.betavariate(1.6, 2.2)
    if suit not in MAJORS:
        balanced = min(0.95, balanced + 0.3)
    if length >= 9 and suit in MAJORS:
        balanced *= 0.35
    worth = points + 0.9 * (length - 8)
    for strain, share, tricks, value in (
        (Strain.NOTRUMP, balanced, notrump, points),
        (suit, 1 - balanced, in_suit, worth),
        (_second_suit(suit, dice), 0.1, in_suit - dice.uniform(0.5, 1.8), worth - 1),
    ):
        for level, weight in _levels(strain, value, tricks, length):
            yield from _declared(side, level, strain, tricks, share * weight, dice, 0.8)


def _second_suit(suit: Strain, dice: Random) -> Strain:
    return dice.choice([other for other in SUITS if other is not suit])


def _levels(strain: Strain, worth: float, tricks: float, length: int) -> Iterator[tuple[int, float]]:
    """How high the stronger side bids, for its strength and not for the cards it cannot see."""
    game = GAME_LEVEL[strain]
    # Strength says most of it, but a deal that makes many tricks is a little easier to bid.
    seen = worth + 0.35 * (tricks - 8.5)
    bids_game = _sigmoid((seen - 22.6) * 1.05) * (0.45 if game == 5 else 1)
    bids_slam = _sigmoid((seen - 33.2) * 0.95)
    bids_grand = _sigmoid((seen - 37.2) * 1.1)
    part = 1 - bids_game
    low = 1 if strain is Strain.NOTRUMP else 2
    yield low, part * 0.55
    yield low + 1, part * (0.3 if length < 9 else 0.5)
    if low + 2 < game:
        yield low + 2, part * 0.1
    if strain is not Strain.NOTRUMP:
        yield 1, part * 0.25
    yield game, bids_game * (1 - bids_slam)
    if game < 5:
        yield game + 1, bids_game * (1 - bids_slam) * 0.05
    yield 6, bids_slam * (1 - bids_grand) * (0.8 if game == 5 else 1)
    yield 7, bids_slam * bids_grand


def _weak_side(side: Direction, points: float, dice: Random) -> Iterator[Chance]:
    """Contests a part score as an equal, and now and then sacrifices against a game."""
    suit, length = _fit(dice)
    tricks = _tricks_at_notrump(40 - points) + 0.85 * (length - 7) + dice.gauss(0, 0.6)
    eager = dice.betavariate(1.5, 2.5) * (length - 6) / 2
    contests = eager * _sigmoid((24.5 - points) * 0.9)
    sacrifices = eager * 0.12 * _sigmoid((points - 24) * 1.2) * _sigmoid((31 - points) * 1.2)
    for level, strain, weight, contested in (
        (1, suit, contests * 0.2, 0.5),
        (2, suit, contests * 0.5, 0.8),
        (3, suit, contests * 0.35, 1.2),
        (1, Strain.NOTRUMP, contests * 0.12, 0.9),
        (4, suit, sacrifices, 2.0),
        (5, suit, sacrifices * 0.7, 2.6),
    ):
        won = tricks - (1 if strain is Strain.NOTRUMP else 0)
        # Few bid what will go more than three down.
        sane = _sigmoid((won - level - 6 + 3) * 2)
        yield from _declared(side, level, strain, won, weight * sane, dice, contested)


def _declared(
    side: Direction, level: int, strain: Strain, tricks: float, weight: float, dice: Random, contested: float
) -> Iterator[Chance]:
    """The contract from either hand: mostly from one of them, and a little different from the other."""
    usual = dice.betavariate(5, 1)
    first = dice.randrange(2)
    for hand, share, better in ((first, usual, 0.0), (1 - first, 1 - usual, dice.gauss(0, 0.3))):
        contract = Contract(level, strain, Doubling.UNDOUBLED, SEATS_OF[side][hand])
        yield Chance(contract, tricks + better, weight * share, 1 if side is Direction.NS else -1, contested)
