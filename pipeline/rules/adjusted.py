"""Artificial, assigned and weighted scores: Law 12C, 1963 article 107."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final

from schemas.policies import SessionPercentage
from schemas.terms import AwardKind, Points

_SHARES: Final = {
    AwardKind.AVE_PLUS: Fraction(3, 5),
    AwardKind.AVE: Fraction(1, 2),
    AwardKind.AVE_MINUS: Fraction(2, 5),
}


def artificial_percentage(kind: AwardKind, own: Fraction | None, policy: SessionPercentage) -> Fraction:
    """Law 12C2: the share of the field's top that goes with a kind, from 0 to 1.

    `own` is the contestant's share over the boards of the window that carry no artificial score, None
    without any. 2017: at least 60 % and the own share if higher, 50 %, at most 40 % and the own share if
    lower. 1963: only the one not at fault follows his own share. Flat: nobody does.

    >>> artificial_percentage(AwardKind.AVE_PLUS, Fraction(180, 288), SessionPercentage.LAW_2017) * 12
    Fraction(15, 2)
    """
    return _at_least_or_at_most(kind, _SHARES[kind], own, policy)


def artificial_imps(
    kind: AwardKind, ave_plus: Fraction, own_per_board: Fraction | None, policy: SessionPercentage
) -> Fraction:
    """Law 12C2: the IMPs that go with a kind: `ave_plus` (by law 3), 0 or the negative.

    `own_per_board` is the contestant's average in IMPs over his other boards, None without any.

    >>> artificial_imps(AwardKind.AVE_MINUS, Fraction(3), Fraction(-4), SessionPercentage.LAW_2017)
    Fraction(-4, 1)
    """
    flat = {AwardKind.AVE_PLUS: ave_plus, AwardKind.AVE: Fraction(0), AwardKind.AVE_MINUS: -ave_plus}
    return _at_least_or_at_most(kind, flat[kind], own_per_board, policy)


def weighted(components: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """Law 12C1c: the sum of (value, weight), each value already in match points or IMPs.

    Raises ValueError unless the weights add up to 1.

    >>> weighted([(Fraction("9.7"), Fraction("0.3")), (Fraction("5.7"), Fraction("0.7"))])
    Fraction(69, 10)
    """
    total = weights = Fraction(0)
    for value, weight in components:
        total += value * weight
        weights += weight
    if weights != 1:
        raise ValueError(f"weights of {weights} do not add up to 1 (Law 12C1c)")
    return total


def assigned_outside_field(
    score: Points, frequencies: Mapping[Points, Fraction | int], top: Fraction
) -> Fraction:
    """White Book 4.2.2: an assigned score (Law 12C1) that is not in the field, in units of 2-1-0.

    The match points of the next lower score plus its frequency, which is the next higher one's less its
    frequency, within 0 and top. `score` and `frequencies` are seen from one side; on a board with fewer
    results the frequencies come factored by E/A.

    >>> field = {Points(500): 1, Points(450): 2, Points(420): 5}
    >>> assigned_outside_field(Points(430), field, top=Fraction(14))
    Fraction(9, 1)
    """
    below = sum(count for other, count in frequencies.items() if other < score)
    at = frequencies.get(score, 0)
    return min(max(Fraction(2 * below + at - 1), Fraction(0)), top)


def _at_least_or_at_most(
    kind: AwardKind, flat: Fraction, own: Fraction | None, policy: SessionPercentage
) -> Fraction:
    if own is None or policy is SessionPercentage.FLAT:
        return flat
    if kind is AwardKind.AVE_PLUS:
        return max(flat, own)
    if kind is AwardKind.AVE_MINUS and policy is SessionPercentage.LAW_2017:
        return min(flat, own)
    return flat
