"""The named roundings, one `if` each (White Book 4.2.6; Law 78A leaves them to regulation)."""

from fractions import Fraction
from math import floor, isqrt

from schemas.policies import DatumTie, Rounding


def rounded(value: Fraction, policy: Rounding, average: Fraction) -> Fraction:
    """Round once; `average` is half the top, or 0 where scores are signed."""
    if policy is Rounding.NONE:
        return value
    unit = _unit(policy)
    below = floor(value / unit) * unit
    rest = value - below
    if policy is Rounding.TENTH_DOWN or rest < unit / 2:
        return below
    if rest > unit / 2:
        return below + unit
    if policy in {Rounding.TENTH_HALF_EVEN, Rounding.HUNDREDTH_HALF_EVEN}:
        up = (below / unit) % 2 == 1
    elif policy in {Rounding.TENTH_AWAY_FROM_AVERAGE, Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE}:
        up = value >= average
    elif policy is Rounding.TENTH_TOWARDS_AVERAGE:
        up = value < average
    elif policy in {Rounding.HUNDREDTH_AWAY_FROM_ZERO, Rounding.UNIT_AWAY_FROM_ZERO}:
        up = value > 0
    else:
        up = True
    return below + unit if up else below


def _unit(policy: Rounding) -> Fraction:
    if policy.value.startswith("tenth"):
        return Fraction(1, 10)
    if policy.value.startswith("hundredth"):
        return Fraction(1, 100)
    return Fraction(1, 10_000) if policy.value.startswith("ten-thousandth") else Fraction(1)


def to_ten(value: Fraction, tie: DatumTie) -> int:
    """The nearest ten; what ends in exactly 5 goes as the conditions say (White Book 4.2.6.2, ACBLscore)."""
    below = floor(value / 10) * 10
    rest = value - below
    if rest != 5:
        return below if rest < 5 else below + 10
    if tie is DatumTie.EVEN_TEN:
        return below if below % 20 == 0 else below + 10
    if tie is DatumTie.AWAY_FROM_ZERO:
        return below + 10 if value > 0 else below
    return below + 10


def over_root(value: Fraction, radicand: Fraction) -> Fraction:
    """A value over a square root, to four places, half away from zero."""
    squared = value * value / radicand * 10**8
    whole = isqrt(floor(squared))
    if (whole + Fraction(1, 2)) ** 2 <= squared:
        whole += 1
    return Fraction(whole, 10_000) if value >= 0 else -Fraction(whole, 10_000)
