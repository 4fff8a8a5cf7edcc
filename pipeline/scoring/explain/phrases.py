"""Numbers as people read them."""

from fractions import Fraction
from typing import Final

from pipeline.rules.rounding import decimal_text

_MINUS: Final = "−"


def number(value: Fraction | int) -> str:
    """A number in full: a decimal where four places hold it, else a fraction.

    >>> number(Fraction(31, 4)), number(Fraction(123, 7)), number(-3)
    ('7.75', '123/7', '−3')
    """
    exact = Fraction(value)
    short = (exact * 10_000).denominator == 1
    text = decimal_text(exact, 4).rstrip("0").rstrip(".") if short else str(exact)
    return text.replace("-", _MINUS)


def shown(value: Fraction) -> str:
    """A score with two decimals at most, and the exact fraction where that is not all of it.

    >>> shown(Fraction(8)), shown(Fraction(123, 7))
    ('8', '17.57 (exactly 123/7)')
    """
    if (value * 100).denominator == 1:
        return number(value)
    return f"{decimal_text(value, 2)} (exactly {value})".replace("-", _MINUS)


def signed(value: Fraction | int) -> str:
    """A score that may be below 0, with its sign.

    >>> signed(620), signed(Fraction(-32, 3)), signed(0)
    ('+620', '−10.67 (exactly −32/3)', '0')
    """
    exact = Fraction(value)
    return f"+{shown(exact)}" if exact > 0 else shown(exact)


def factor(value: Fraction | int) -> str:
    """A number inside a product: a negative one or a fraction stands in brackets.

    >>> factor(Fraction(7, 3)), factor(2)
    ('(7/3)', '2')
    """
    text = number(value)
    return f"({text})" if "/" in text or text.startswith(_MINUS) else text


def counted(value: Fraction | int, noun: str) -> str:
    """So many of a thing.

    >>> counted(1, "result"), counted(Fraction(27, 10), "result")
    ('1 result', '2.7 results')
    """
    return f"{number(value)} {noun}" if value == 1 else f"{number(value)} {noun}s"
