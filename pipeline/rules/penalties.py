"""The standard penalty of Law 90 in the unit of each method (EBU guidance notes)."""

from fractions import Fraction
from typing import Final

from schemas.policies import Method

STANDARD_IMPS: Final = Fraction(6)
STANDARD_VICTORY_POINTS: Final = Fraction(1)


def standard_penalty(method: Method, top: Fraction | int) -> Fraction:
    """Law 90: a quarter of one board's top at match points, 6 IMPs elsewhere; a positive amount.

    >>> standard_penalty(Method.MATCHPOINTS, top=24)
    Fraction(6, 1)
    """
    return Fraction(top) / 4 if method is Method.MATCHPOINTS else STANDARD_IMPS
