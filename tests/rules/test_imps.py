"""Law 78B against the printed scales."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.imps import imps
from schemas.policies import ImpScale
from schemas.terms import Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
SCALES = st.sampled_from(ImpScale)
DIFFERENCES = st.integers(-9000, 9000).map(Points)


def test_both_ends_of_every_printed_band_and_all_between_give_its_imps() -> None:
    with (GOLDEN / "imp_scale.csv").open(encoding="utf-8", newline="") as file:
        bands = list(csv.DictReader(file))
    assert len(bands) == 41
    for band in bands:
        last = int(band["diff_to"] or 15_200)
        for difference in range(int(band["diff_from"]), last + 1, 10):
            assert imps(Points(difference), ImpScale(band["variant"])) == int(band["imps"]), band


def test_every_looked_up_difference_gives_its_imps_in_both_scales() -> None:
    with (GOLDEN / "imp_lookup.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 424
    for row in rows:
        for scale in ImpScale:
            assert imps(Points(int(row["diff"])), scale) == int(row[scale]), row


@pytest.mark.parametrize(("difference", "expected"), [(15, 0), (45, 1), (495, 10)])
def test_a_difference_between_two_bands_belongs_to_the_lower(difference: int, expected: int) -> None:
    assert imps(Points(difference)) == expected
    assert imps(Points(-difference)) == -expected


def test_eight_swings_of_70_beat_one_of_4100_on_the_old_scale() -> None:
    """Sports Illustrated, 2 May 1960."""
    assert 8 * imps(Points(70), ImpScale.PRE_1962) == 16
    assert imps(Points(4100), ImpScale.PRE_1962) == 15


@given(DIFFERENCES, SCALES)
def test_what_one_side_wins_the_other_loses(difference: Points, scale: ImpScale) -> None:
    assert imps(Points(-difference), scale) == -imps(difference, scale)


@given(DIFFERENCES, DIFFERENCES, SCALES)
def test_more_points_are_never_fewer_imps(one: Points, other: Points, scale: ImpScale) -> None:
    less, more = sorted((one, other))
    assert imps(less, scale) <= imps(more, scale)
