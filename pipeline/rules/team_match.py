"""A match of two tables at IMPs: Law 78B, 1963 articles 87 and 88; Law 12C4 where scores do not balance."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from pipeline.rules.imps import imps
from schemas.policies import ImpScale
from schemas.terms import Imps, Points


@dataclass(frozen=True, slots=True)
class MatchScore:
    """What both teams won on their boards, in IMPs."""

    home: Fraction
    visit: Fraction

    @property
    def margin(self) -> Fraction:
        """The IMPs by which the home team leads; negative where it trails."""
        return self.home - self.visit


def board_imps(ns_points_open: Points, ns_points_closed: Points, scale: ImpScale = ImpScale.WBF_1962) -> Imps:
    """Law 78B: the IMPs of the home team, which sits North-South in the open room.

    >>> board_imps(Points(620), Points(170))  # 620 here and -170 there
    10
    """
    return imps(Points(ns_points_open - ns_points_closed), scale)


def match_score(boards: Iterable[Fraction | int]) -> MatchScore:
    """1963 article 88: add up what each team won, from the home team's IMPs board by board.

    >>> score = match_score([10, -4, 13, 0, 0])
    >>> int(score.home), int(score.visit), int(score.margin)
    (23, 4, 19)
    """
    home = visit = Fraction(0)
    for won in boards:
        if won > 0:
            home += won
        else:
            visit -= won
    return MatchScore(home, visit)


def non_balancing(home: Fraction, visit_as_home_sees: Fraction) -> Fraction:
    """Law 12C4, knockout: the mean of two separate scores for the home team, its negative for the other.

    >>> non_balancing(Fraction(6), Fraction(1))
    Fraction(7, 2)
    """
    return (home + visit_as_home_sees) / 2
