"""The points of one comparison group that may be short of results: Laws 78A and 87, 1963 article 81."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import assert_never

from pipeline.rules.matchpoints import matchpoints
from pipeline.rules.matchpoints import top as top_of
from pipeline.rules.neuberg import neuberg
from pipeline.rules.rounding import rounded
from schemas.policies import MissingResults, Rounding, SmallGroup
from schemas.terms import Points


class RatedBy(StrEnum):
    """How the points of a group were reached."""

    RAW = "raw"
    NEUBERG = "neuberg"
    SMALL_GROUP = "small-group"
    PLUS_ONE_1963 = "plus-one-1963"
    SINGLE_RESULT = "single-result"


@dataclass(frozen=True, slots=True)
class GroupRating:
    """A rated group, in units of 2-1-0: for each score of North-South what both sides get of `top`."""

    points: dict[Points, Fraction]
    opposite: dict[Points, Fraction]
    top: Fraction
    rated_by: RatedBy


def group_points(
    frequencies: Mapping[Points, Fraction | int],
    expected: int,
    missing: MissingResults,
    small: SmallGroup,
    rounding: Rounding,
    largest_group: bool,  # noqa: FBT001 - a fact about the group, as the ACBL rule words it
) -> GroupRating:
    """Rate one group: A results where a normal board has `expected` E (White Book 4.2.3).

    NS + EW = top, except in a small group and with a single result, where both add up to 120 % of it.
    `RAW` and `FACTORED_TOTAL` leave the points as they stand, over the group's own top 2(A - 1).
    Each value is rounded by itself, relative to top/2. Weighted scores want `Rounding.NONE` here, and
    the rounding after the weighting.

    Raises ValueError with more results than expected.

    >>> rating = group_points(
    ...     {Points(620): 1, Points(170): 2},
    ...     9,
    ...     MissingResults.NEUBERG,
    ...     SmallGroup.EBU_2022,
    ...     Rounding.NONE,
    ...     largest_group=False,
    ... )
    >>> str(rating.rated_by), rating.top, rating.points, rating.opposite
    ... # doctest: +NORMALIZE_WHITESPACE
    ('small-group', Fraction(16, 1), {620: Fraction(56, 5), 170: Fraction(44, 5)},
     {620: Fraction(8, 1), 170: Fraction(52, 5)})
    """
    results = Fraction(sum(frequencies.values()))
    if results > expected:
        raise ValueError(f"{results} results where {expected} are expected (White Book 4.2.3)")
    rated_by = _rated_by(results, expected, missing, small, largest_group=largest_group)
    raw_top = max(2 * (results - 1), Fraction(0))
    top = raw_top if rated_by is RatedBy.RAW else Fraction(top_of(expected))
    exact = {
        score: _valued(raw, results, expected, rated_by) for score, raw in matchpoints(frequencies).items()
    }
    lavish = rated_by in {RatedBy.SMALL_GROUP, RatedBy.SINGLE_RESULT}
    both_sides = top * Fraction(6, 5) if lavish else top
    average = top / 2
    return GroupRating(
        points={score: rounded(value, rounding, average) for score, value in exact.items()},
        opposite={score: rounded(both_sides - value, rounding, average) for score, value in exact.items()},
        top=top,
        rated_by=rated_by,
    )


def _rated_by(
    results: Fraction,
    expected: int,
    missing: MissingResults,
    small: SmallGroup,
    *,
    largest_group: bool,
) -> RatedBy:
    if results == expected:
        return RatedBy.RAW
    match missing:
        case MissingResults.RAW | MissingResults.FACTORED_TOTAL:
            return RatedBy.RAW
        case MissingResults.PLUS_ONE_1963:
            return RatedBy.PLUS_ONE_1963
        case MissingResults.NEUBERG:
            return _by_size(results, expected, small, largest_group=largest_group)
        case _:
            assert_never(missing)


def _by_size(results: Fraction, expected: int, small: SmallGroup, *, largest_group: bool) -> RatedBy:
    if small is SmallGroup.NEUBERG or results > 3:
        return RatedBy.NEUBERG
    if results <= 1:
        return RatedBy.SINGLE_RESULT
    # The ACBL of 1991 asks only groups of three whether they are the largest.
    of_1991 = results <= 2 or not largest_group
    applies = expected >= 3 * results if small is SmallGroup.EBU_2022 else of_1991
    return RatedBy.SMALL_GROUP if applies else RatedBy.NEUBERG


def _valued(raw: Fraction, results: Fraction, expected: int, rated_by: RatedBy) -> Fraction:
    match rated_by:
        case RatedBy.RAW:
            return raw
        case RatedBy.NEUBERG:
            return neuberg(raw, results, expected)
        case RatedBy.PLUS_ONE_1963:
            return raw + expected - results
        case RatedBy.SMALL_GROUP | RatedBy.SINGLE_RESULT:
            # 60 % for the middle of the group, 5 % of the top more or less for each match point.
            return (raw - (results - 1) + 12) / 10 * (expected - 1)
        case _:
            assert_never(rated_by)
