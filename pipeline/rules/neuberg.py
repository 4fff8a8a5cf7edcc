"""Neuberg's formula for boards with fewer results; Law 87 leaves the method to regulation."""

from fractions import Fraction


def neuberg(matchpoints: Fraction, results: Fraction | int, expected: int) -> Fraction:
    """White Book 4.2.3: (M + 1) E / A - 1, from the group's top 2(A - 1) to the field's 2(E - 1).

    `matchpoints` M in units of 2-1-0 among `results` A; `expected` E is what a normal board has.

    Raises ValueError without results.

    >>> neuberg(Fraction(6), results=8, expected=10)
    Fraction(31, 4)
    """
    if results <= 0:
        raise ValueError(f"{results} results cannot be factored (White Book 4.2.3)")
    return (matchpoints + 1) * expected / results - 1
