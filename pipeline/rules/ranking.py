"""Places, percentages and unequal boards: Law 78D, 1963 articles 83 and 84, White Book 4.2.5."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

Key = TypeVar("Key")


def places(keys: Sequence[Key]) -> list[tuple[int, bool]]:
    """1963 article 84: the place of each key, sorted best first, and whether it is shared.

    >>> places([160, 150, 150, 140])
    [(1, False), (2, True), (2, True), (4, False)]
    """
    ranks: list[int] = []
    for index, key in enumerate(keys):
        ranks.append(ranks[-1] if index and key == keys[index - 1] else index + 1)
    shared = {rank for rank, following in pairwise(ranks) if rank == following}
    return [(rank, rank in shared) for rank in ranks]


def tied_across(keys: Sequence[Key], qualifiers: int) -> range:
    """1963 article 84: the positions (from 0) whose tie a selection must break; empty where it need not.

    >>> list(tied_across([160, 150, 150, 140], 2)), list(tied_across([160, 150, 150, 140], 3))
    ([1, 2], [])
    """
    if not 0 < qualifiers < len(keys) or keys[qualifiers - 1] != keys[qualifiers]:
        return range(0)
    tied = [index for index, key in enumerate(keys) if key == keys[qualifiers]]
    return range(tied[0], tied[-1] + 1)


def percentage(score: Fraction, available: Fraction) -> Fraction:
    """White Book 4.2.5 (Law 78D): a score in per cent of what could be won; lists rank on it unrounded.

    Raises ValueError where nothing could be won.

    >>> percentage(Fraction(317), Fraction(576)) > percentage(Fraction(338), Fraction(624))
    True
    """
    if available <= 0:
        raise ValueError(f"there is no percentage of {available} (White Book 4.2.5)")
    return 100 * score / available


def factored(total: Fraction, boards: int, full: int) -> Fraction:
    """White Book 4.2.5, ACBLscore (Law 78D): a total over `boards` as if all `full` had been played.

    Raises ValueError without boards.

    >>> factored(Fraction(21), boards=21, full=24)
    Fraction(24, 1)
    """
    if boards <= 0:
        raise ValueError(f"a total over {boards} boards cannot be factored (White Book 4.2.5)")
    return total * full / boards
