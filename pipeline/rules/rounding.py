"""Named roundings of exact scores (Law 78A leaves them to regulation; White Book 4.2.6 and others)."""

from enum import StrEnum
from fractions import Fraction
from typing import Final, assert_never

from schemas.policies import Rounding


class Half(StrEnum):
    """Where a value goes that lies exactly between two units."""

    EVEN = "even"
    UP = "up"
    AWAY_FROM_ZERO = "away-from-zero"
    AWAY_FROM_AVERAGE = "away-from-average"
    TOWARDS_AVERAGE = "towards-average"


_TENTH = Fraction(1, 10)
_HUNDREDTH = Fraction(1, 100)
_NEAREST: Final = {
    Rounding.TENTH_HALF_EVEN: (_TENTH, Half.EVEN),
    Rounding.TENTH_HALF_UP: (_TENTH, Half.UP),
    Rounding.TENTH_TOWARDS_AVERAGE: (_TENTH, Half.TOWARDS_AVERAGE),
    Rounding.TENTH_AWAY_FROM_AVERAGE: (_TENTH, Half.AWAY_FROM_AVERAGE),
    Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE: (Fraction(1, 10_000), Half.AWAY_FROM_AVERAGE),
    Rounding.HUNDREDTH_HALF_UP: (_HUNDREDTH, Half.UP),
    Rounding.HUNDREDTH_HALF_EVEN: (_HUNDREDTH, Half.EVEN),
    Rounding.HUNDREDTH_AWAY_FROM_ZERO: (_HUNDREDTH, Half.AWAY_FROM_ZERO),
    Rounding.UNIT_AWAY_FROM_ZERO: (Fraction(1), Half.AWAY_FROM_ZERO),
}


def rounded(value: Fraction, policy: Rounding, average: Fraction = Fraction(0)) -> Fraction:
    """Round once, by name; `average` is half the top, or 0 where scores are signed.

    All names but `NONE` and `TENTH_DOWN` go to the nearest unit and differ only in exact halves.
    `TENTH_DOWN` goes to the tenth below, negative values too.

    >>> exact = Fraction(31, 4)  # 7.75, the average is 9
    >>> rounded(exact, Rounding.TENTH_TOWARDS_AVERAGE, average=Fraction(9))
    Fraction(39, 5)
    >>> rounded(exact, Rounding.TENTH_AWAY_FROM_AVERAGE, average=Fraction(9))
    Fraction(77, 10)
    """
    if policy is Rounding.NONE:
        return value
    if policy is Rounding.TENTH_DOWN:
        return value // _TENTH * _TENTH
    unit, half = _NEAREST[policy]
    return nearest(value, unit, half, average)


def nearest(value: Fraction, unit: Fraction, half: Half, average: Fraction = Fraction(0)) -> Fraction:
    """Return the multiple of `unit` nearest to the value; `half` decides between two equally near.

    A half that is the average itself counts as above it.

    >>> nearest(Fraction(-425), Fraction(10), Half.AWAY_FROM_ZERO)
    Fraction(-430, 1)
    """
    # In whole numbers: a board asks for this twice for each distinct score.
    denominator = value.denominator * unit.numerator
    below, rest = divmod(value.numerator * unit.denominator, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and _goes_up(value, below, half, average)):
        below += 1
    return Fraction(below * unit.numerator, unit.denominator)


def decimal_text(value: Fraction, places: int) -> str:
    """Write a decimal string with so many places; a value that needs more is rounded half away from zero.

    >>> decimal_text(Fraction(39, 5), 2), decimal_text(Fraction(-2, 3), 1), decimal_text(Fraction(7), 0)
    ('7.80', '-0.7', '7')
    """
    # By whole numbers: `Decimal` would round to the precision of whoever calls, and a list has thousands.
    denominator = value.denominator
    scaled = (2 * abs(value.numerator) * 10**places + denominator) // (2 * denominator)
    digits = f"{scaled:0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if value.numerator < 0 and scaled else text


def exact_text(value: Fraction) -> str:
    """Write the value itself, as a fraction where it is no whole number.

    >>> exact_text(Fraction(31, 4)), exact_text(Fraction(7))
    ('31/4', '7')
    """
    return str(value)


def _goes_up(value: Fraction, below: int, half: Half, average: Fraction) -> bool:
    match half:
        case Half.EVEN:
            return below % 2 == 1
        case Half.UP:
            return True
        case Half.AWAY_FROM_ZERO:
            return value > 0
        case Half.AWAY_FROM_AVERAGE:
            return value >= average
        case Half.TOWARDS_AVERAGE:
            return value < average
        case _:
            assert_never(half)
