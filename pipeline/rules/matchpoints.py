"""Match points by frequency table: Law 78A, 1963 article 81."""

from collections.abc import Mapping
from fractions import Fraction

from schemas.policies import MatchpointUnit
from schemas.terms import Points


def matchpoints(frequencies: Mapping[Points, Fraction | int]) -> dict[Points, Fraction]:
    """Law 78A: two for each worse score and one for each equal one, in units of 2-1-0, best score first.

    `frequencies` says how often each score of one direction occurs; a weighted score counts with its
    weights. A component that stands alone can then come out below 0 or above top: the comparison with its
    own other components is in it, and goes out again when the components are weighted.

    >>> matchpoints({Points(620): 1, Points(170): 2, Points(-50): 1})
    {620: Fraction(6, 1), 170: Fraction(3, 1), -50: Fraction(0, 1)}
    """
    below: Fraction | int = 0
    points = {}
    for score in sorted(frequencies):
        at = frequencies[score]
        points[score] = Fraction(2 * below + at - 1)
        below += at
    return dict(reversed(points.items()))


def top(expected: int) -> int:
    """Law 78A: the most that can be won on a board with so many results, in units of 2-1-0.

    Raises ValueError below 1.

    >>> top(13)
    24
    """
    if expected < 1:
        raise ValueError(f"a board with {expected} results has no top (Law 78A)")
    return 2 * (expected - 1)


def in_unit(value: Fraction, unit: MatchpointUnit) -> Fraction:
    """Law 78A: turn units of 2-1-0 into the unit of the event.

    >>> in_unit(Fraction(3), MatchpointUnit.ONE_HALF_ZERO)
    Fraction(3, 2)
    """
    return value / 2 if unit is MatchpointUnit.ONE_HALF_ZERO else value
