"""IMPs against a datum, on published boards and exact ties."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.butler import butler, datum
from schemas.policies import DatumKind, DatumTie, DatumTrim, ImpScale
from schemas.terms import Points

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASES = json.loads((GOLDEN / "butler.json").read_text(encoding="utf-8"))
FIELDS = st.dictionaries(
    st.integers(-200, 200).map(lambda tens: Points(10 * tens)), st.integers(1, 5), min_size=1, max_size=9
)


def mean(
    frequencies: dict[int, int],
    trim: DatumTrim = DatumTrim.NONE,
    tie: DatumTie = DatumTie.AWAY_FROM_ZERO,
    kind: DatumKind = DatumKind.MEAN,
) -> int:
    return datum({Points(score): count for score, count in frequencies.items()}, kind, trim, tie)


@pytest.mark.parametrize("board", CASES["boards"], ids=[board["name"] for board in CASES["boards"]])
def test_the_published_datum_and_imps_come_out_again(board: dict[str, Any]) -> None:
    field = {Points(int(score)): count for score, count in board["frequencies"].items()}
    factor = Fraction(board.get("factor", "1"))
    value = datum(field, DatumKind.MEAN, DatumTrim(board["trim"]), DatumTie.AWAY_FROM_ZERO, factor)
    assert value == board["datum"]
    for score, expected in board.get("imps", {}).items():
        assert butler(Points(int(score)), value) == expected


@pytest.mark.parametrize("tie", DatumTie)
@pytest.mark.parametrize("case", CASES["ties"])
def test_a_mean_that_ends_in_5_goes_where_the_rule_sends_it(case: dict[str, Any], tie: DatumTie) -> None:
    below, above = case["mean"] - 5, case["mean"] + 5
    assert mean({below: 1, above: 1}, tie=tie) == case[tie]


def test_one_two_or_five_percent_are_left_out_at_either_end() -> None:
    field = {-1000: 1, 0: 2, 100: 5, 500: 1, 3000: 1}
    assert mean(field) == 300
    assert mean(field, DatumTrim.ONE_EACH_END) == 130  # 1000 over 8
    assert mean(field, DatumTrim.TWO_EACH_END) == 80  # 500 over 6
    assert mean(field, DatumTrim.FIVE_PERCENT) == 220  # 2000 over 9


def test_where_leaving_out_would_leave_nothing_all_results_count() -> None:
    assert mean({-100: 1, 620: 1}, DatumTrim.ONE_EACH_END) == 260
    assert mean({-100: 1, 0: 1, 620: 1}, DatumTrim.ONE_EACH_END) == 0
    assert mean({-100: 2, 620: 2}, DatumTrim.TWO_EACH_END) == 260


def test_a_weighted_score_is_left_out_by_its_fraction() -> None:
    field = {Points(650): Fraction(8, 5), Points(620): Fraction(16, 5), Points(-100): Fraction(16, 5)}
    assert datum(field, DatumKind.MEAN, DatumTrim.ONE_EACH_END, DatumTie.AWAY_FROM_ZERO) == 360


def test_the_median_is_the_middle_result_or_lies_between_two() -> None:
    for field, expected in (
        ({100: 1, 420: 1, 620: 1}, 420),
        ({100: 1, 420: 1, 450: 1, 620: 1}, 440),
        ({100: 1, 420: 3, 620: 1}, 420),
        ({-50: 1, 420: 1}, 190),
        ({620: 1}, 620),
    ):
        assert mean(field, kind=DatumKind.MEDIAN) == expected
    assert mean({100: 1, 420: 1, 450: 1, 620: 1}, DatumTrim.ONE_EACH_END, kind=DatumKind.MEDIAN) == 440
    assert mean({-50: 1, 420: 1}, tie=DatumTie.EVEN_TEN, kind=DatumKind.MEDIAN) == 180


def test_a_board_without_results_has_no_datum() -> None:
    with pytest.raises(ValueError, match="no datum"):
        mean({})


def test_the_scale_is_that_of_the_event() -> None:
    assert butler(Points(450), Points(0), ImpScale.PRE_1962) == 5
    assert butler(Points(450), Points(0)) == 10


@given(
    FIELDS,
    st.sampled_from(DatumKind),
    st.sampled_from(DatumTrim),
    st.sampled_from([DatumTie.AWAY_FROM_ZERO, DatumTie.EVEN_TEN]),
    st.sampled_from([Fraction(1), Fraction(8, 5)]),
)
def test_seen_from_the_other_side_the_datum_changes_its_sign(
    field: dict[Points, int], kind: DatumKind, trim: DatumTrim, tie: DatumTie, factor: Fraction
) -> None:
    mirrored = {Points(-score): count for score, count in field.items()}
    value = datum(field, kind, trim, tie, factor)
    assert datum(mirrored, kind, trim, tie, factor) == -value
    assert value % 10 == 0
    assert min(field) <= value <= max(field)
    for score in field:
        assert butler(Points(-score), Points(-value)) == -butler(score, value)
