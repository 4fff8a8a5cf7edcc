"""Movements against published ones and real evenings, and by what always holds."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.rules.howell import LARGEST_HOWELL, barometer, howell
from pipeline.rules.mitchell import MitchellKind, mitchell, usual_kind
from pipeline.rules.movement_check import FaultKind, MovementFault, PairNumbering, Severity, check
from pipeline.rules.movements import BoardSets, Seats, expected_results
from schemas.terms import BoardNumber, Direction

FACTS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "rules" / "movements.json").read_text(encoding="utf-8")
)
Make = Callable[..., tuple[Seats, ...]]
HOWELLS = range(4, LARGEST_HOWELL + 1, 2)


def boards(*numbers: int) -> tuple[BoardNumber, ...]:
    return tuple(BoardNumber(number) for number in numbers)


def kinds(faults: Iterable[MovementFault]) -> set[FaultKind]:
    return {fault.kind for fault in faults}


def tables_of(seats: Iterable[Seats], ew: int) -> list[int]:
    return [row.table for row in seats if row.ew == ew]


def first_boards(seats: Iterable[Seats], round_: int) -> list[int]:
    return [row.boards[0] for row in seats if row.round == round_]


def meetings(seats: Iterable[Seats]) -> Counter[frozenset[int | None]]:
    return Counter(frozenset({row.ns, row.ew}) for row in seats if row.plays)


def unevenness(sets: Iterable[Iterable[tuple[int, int]]], pairs: int) -> int:
    """How far pairs are from comparing evenly: over the sets, same less other direction is ideally -1."""
    signs: dict[int, list[int]] = defaultdict(list)
    for played in sets:
        for ns, ew in played:
            signs[ns].append(1)
            signs[ew].append(-1)
    assert len(signs) == pairs
    return sum(
        (sum(a * b for a, b in zip(signs[one], signs[other], strict=True)) + 1) ** 2
        for one, other in combinations(signs, 2)
    )


def sets_of(seats: Iterable[Seats]) -> list[list[tuple[int, int]]]:
    played: dict[tuple[BoardNumber, ...], list[tuple[int, int]]] = defaultdict(list)
    for row in seats:
        if row.ns is not None and row.ew is not None:
            played[row.boards].append((row.ns, row.ew))
    return [sorted(played[numbers]) for numbers in sorted(played)]


# Mitchell


def test_at_eight_tables_east_west_skip_one_after_round_four() -> None:
    seats = mitchell(8, 7, 3, kind=MitchellKind.SKIP, ew_offset=0)
    assert tables_of(seats, 1) == [1, 2, 3, 4, 6, 7, 8]
    assert tables_of(seats, 8) == [8, 1, 2, 3, 5, 6, 7]
    assert first_boards(seats, 2) == [4, 7, 10, 13, 16, 19, 22, 1]  # the boards move down one
    assert check(seats, numbering=PairNumbering.PER_DIRECTION) == ()


def test_at_the_skip_of_twelve_tables_the_pair_at_table_twelve_goes_to_two_and_eleven_to_one() -> None:
    seats = mitchell(12, 11, 2, kind=MitchellKind.SKIP)
    before = {row.ew: row.table for row in seats if row.round == 6}
    after = {row.ew: row.table for row in seats if row.round == 7}
    went = {before[ew]: after[ew] for ew in before}
    assert (went[12], went[11], went[4]) == (2, 1, 6)


def test_at_six_tables_a_set_rests_between_three_and_four_and_tables_one_and_six_share() -> None:
    seats = mitchell(6, 6, 4, kind=MitchellKind.RELAY_AND_SHARE)
    assert first_boards(seats, 1) == [1, 5, 9, 17, 21, 1]  # boards 13 to 16 at rest
    found = check(seats)
    assert kinds(found) == {FaultKind.BOARD_SHARED}
    assert {fault.tables for fault in found} == {(1, 6)}
    assert expected_results(seats) == dict.fromkeys(range(1, 25), 6)


def test_a_real_mitchell_of_thirteen_tables_with_a_missing_pair_comes_out_again() -> None:
    fact = FACTS["mitchell_13_tables"]
    seats = mitchell(13, 13, 2, ew_offset=0, missing=6, missing_direction=Direction.EW)
    assert [[row.ew for row in seats if row.round == round_] for round_ in range(1, 14)] == fact["ew"]
    for row in seats:
        first = fact["first_board"][row.round - 1][row.table - 1]
        assert first is None or row.boards == (first, first + 1)
    assert expected_results(seats) == dict.fromkeys(range(1, 27), 12)


def test_a_real_evening_of_eleven_tables_on_27_boards_is_usable_and_shares_boards() -> None:
    fact = FACTS["mitchell_11_tables_27_boards"]
    seats = [
        Seats(round_, table, table, ew, boards(first, first + 1, first + 2))
        for round_, (pairs, firsts) in enumerate(zip(fact["ew"], fact["first_board"], strict=True), start=1)
        for table, (ew, first) in enumerate(zip(pairs, firsts, strict=True), start=1)
    ]
    found = check(seats, numbering=PairNumbering.PER_DIRECTION)
    assert kinds(found) == {FaultKind.BOARD_SHARED}
    assert found[0] == MovementFault(FaultKind.BOARD_SHARED, 1, (1, 10), boards=boards(1, 2, 3))
    assert check(seats, numbering=PairNumbering.PER_DIRECTION, allowed=2) == (
        MovementFault(FaultKind.BOARD_SHARED, 5, (1, 10, 11), boards=boards(13, 14, 15)),
    )
    assert set(expected_results(seats).values()) == {11}


def test_an_even_plain_mitchell_repeats_boards_from_half_way_on() -> None:
    assert check(mitchell(8, 4, 3)) == ()
    found = check(mitchell(8, 5, 3))
    assert kinds(found) == {FaultKind.BOARD_REPEATED}
    assert {fault.round for fault in found} == {5}


def test_a_round_more_than_the_skip_allows_is_a_rematch_on_new_boards() -> None:
    found = check(mitchell(8, 8, 3, kind=MitchellKind.SKIP))
    assert kinds(found) == {FaultKind.REMATCH}
    assert {fault.round for fault in found} == {8}


def test_in_an_arrow_switched_round_the_pairs_change_directions_and_nothing_else() -> None:
    plain = mitchell(9, 9, 3)
    switched = mitchell(9, 9, 3, arrow_switch_rounds=frozenset({9}))
    assert [row for row in switched if row.round < 9] == [row for row in plain if row.round < 9]
    assert [(row.ns, row.ew) for row in switched if row.round == 9] == [
        (row.ew, row.ns) for row in plain if row.round == 9
    ]
    assert check(switched) == ()


def test_east_west_are_numbered_after_north_south_unless_they_have_their_own_series() -> None:
    assert {row.ew for row in mitchell(3, 3, 2)} == {4, 5, 6}
    assert {row.ew for row in mitchell(3, 3, 2, ew_offset=0)} == {1, 2, 3}
    assert {row.ew for row in mitchell(3, 3, 2, ew_offset=10)} == {11, 12, 13}


@pytest.mark.parametrize(
    ("missing", "direction", "offset", "sitting_out"),
    [
        (2, None, None, {4, 5, 6}),
        (5, None, None, {1, 2, 3}),
        (2, Direction.NS, 0, {1, 2, 3}),
        (2, Direction.EW, 0, {1, 2, 3}),
    ],
)
def test_opposite_a_missing_pair_each_opponent_sits_out_once(
    missing: int, direction: Direction | None, offset: int | None, sitting_out: set[int]
) -> None:
    seats = mitchell(3, 3, 2, ew_offset=offset, missing=missing, missing_direction=direction)
    resting = [row.ew if row.ns is None else row.ns for row in seats if not row.plays]
    assert sorted(pair or 0 for pair in resting) == sorted(sitting_out)
    assert expected_results(seats) == dict.fromkeys(range(1, 7), 2)


def test_the_missing_pair_of_two_series_is_the_one_of_its_direction() -> None:
    seats = mitchell(3, 3, 2, ew_offset=0, missing=2, missing_direction=Direction.NS)
    assert {row.table for row in seats if row.ns is None} == {2}
    assert all(row.ew is not None for row in seats)


@pytest.mark.parametrize(
    ("tables", "rounds", "settings", "message"),
    [
        (1, 1, {}, "needs two"),
        (7, 8, {}, "8 rounds"),
        (7, 0, {}, "0 rounds"),
        (7, 7, {"kind": MitchellKind.SKIP}, "only an even number"),
        (7, 7, {"kind": MitchellKind.RELAY_AND_SHARE}, "only an even number"),
        (8, 7, {"skip_after": 4}, "no such skip"),
        (8, 7, {"kind": MitchellKind.SKIP, "skip_after": 8}, "no such skip"),
        (8, 7, {"kind": MitchellKind.SKIP, "skip_after": 0}, "no such skip"),
        (7, 6, {"arrow_switch_rounds": frozenset({7})}, "there are 6 rounds"),
        (7, 7, {"arrow_switch_rounds": frozenset({7}), "ew_offset": 0}, "one series"),
        (7, 7, {"ew_offset": 6}, "would meet those of NS"),
        (7, 7, {"ew_offset": -1}, "would meet those of NS"),
        (7, 7, {"missing": 15}, "0 pairs have this number"),
        (7, 7, {"missing": 3, "missing_direction": Direction.EW}, "0 pairs have this number"),
        (7, 7, {"missing": 3, "ew_offset": 0}, "2 pairs have this number"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(
    tables: int, rounds: int, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        mitchell(tables, rounds, 3, **settings)


@given(st.integers(2, 24), st.data())
def test_the_usual_mitchell_has_neither_rematch_nor_repeated_board(tables: int, data: st.DataObject) -> None:
    kind = usual_kind(tables)
    rounds = data.draw(st.integers(1, tables - 1 if kind is MitchellKind.SKIP else tables))
    switched = data.draw(st.frozensets(st.integers(1, rounds)))
    missing = data.draw(st.none() | st.integers(1, 2 * tables))
    seats = mitchell(tables, rounds, 2, kind=kind, arrow_switch_rounds=switched, missing=missing)
    assert check(seats) == ()
    assert max(meetings(seats).values(), default=1) == 1


@given(st.integers(1, 12).map(lambda half: 2 * half), st.integers(1, 5), st.integers(1, 40))
def test_relay_and_share_plays_all_rounds_without_repeats(tables: int, in_round: int, first: int) -> None:
    seats = mitchell(tables, tables, in_round, first_board=first, kind=MitchellKind.RELAY_AND_SHARE)
    assert kinds(check(seats)) == {FaultKind.BOARD_SHARED}
    assert check(seats, allowed=2) == ()
    assert expected_results(seats) == dict.fromkeys(range(first, first + tables * in_round), tables)


# Howell and all-play-all


@pytest.mark.parametrize("pairs", HOWELLS)
def test_in_a_howell_every_pair_meets_every_other_once_and_plays_every_set_once(pairs: int) -> None:
    seats = howell(pairs, 2)
    assert meetings(seats) == Counter(frozenset(two) for two in combinations(range(1, pairs + 1), 2))
    assert expected_results(seats) == dict.fromkeys(range(1, 2 * (pairs - 1) + 1), pairs // 2)
    assert {row.round for row in seats} == set(range(1, pairs))
    assert check(seats, allowed=pairs // 2) == ()


@pytest.mark.parametrize("pairs", HOWELLS)
def test_the_highest_pair_of_a_howell_stays_north_south_at_table_one(pairs: int) -> None:
    places = [(row.table, row.ns) for row in howell(pairs, 2) if pairs in {row.ns, row.ew}]
    assert places == [(1, pairs)] * (pairs - 1)


@pytest.mark.parametrize("pairs", [pairs for pairs in HOWELLS if pairs >= 8])
def test_from_eight_pairs_on_no_board_of_a_howell_is_shared(pairs: int) -> None:
    assert check(howell(pairs, 3)) == ()


def test_six_pairs_share_boards_in_the_last_round_alone_and_four_pairs_always() -> None:
    assert check(howell(6, 3)) == (
        MovementFault(FaultKind.BOARD_SHARED, 5, (1, 2, 3), boards=boards(13, 14, 15)),
    )
    assert check(howell(6, 3, rounds=4)) == ()
    assert {(fault.kind, fault.round) for fault in check(howell(4, 3))} == {
        (FaultKind.BOARD_SHARED, 1),
        (FaultKind.BOARD_SHARED, 2),
        (FaultKind.BOARD_SHARED, 3),
    }


@pytest.mark.parametrize("pairs", [pairs for pairs in HOWELLS if pairs >= 8])
def test_every_other_pair_takes_the_seat_of_the_next_lower_one(pairs: int) -> None:
    seats = howell(pairs, 2)
    where = {(row.round, pair): (row.table, pair == row.ns) for row in seats for pair in (row.ns, row.ew)}
    for round_ in range(1, pairs - 1):
        for pair in range(2, pairs):
            assert where[round_ + 1, pair] == where[round_, pair - 1]


def test_a_published_howell_is_built_alike_and_ours_compares_at_least_as_evenly() -> None:
    published = [[(ns, ew) for ns, ew in played] for played in FACTS["howell_8_pairs"]["sets"]]
    ours = sets_of(howell(8, 5))
    for sets in (published, ours):
        turned = [sorted((ns if ns == 8 else ns % 7 + 1, ew % 7 + 1) for ns, ew in played) for played in sets]
        assert turned == [*sets[1:], sets[0]]
    assert unevenness(ours, 8) <= unevenness(published, 8)


def test_a_real_howell_with_a_missing_pair_expects_as_many_results_as_were_played() -> None:
    played = FACTS["howell_9_pairs"]["sets"]
    assert expected_results(howell(9, 3, phantom=4)) == {
        board: len(played[(board - 1) // 3]) for board in range(1, 28)
    }
    assert meetings(howell(9, 3, phantom=4)) == Counter(frozenset(two) for sets in played for two in sets)


@pytest.mark.parametrize("pairs", [4, 8, 12, 16, 20, 24])
def test_where_four_divides_the_pairs_any_two_compare_perfectly_evenly(pairs: int) -> None:
    """Rows of a Hadamard matrix: no choice of directions can be more even."""
    assert unevenness(sets_of(howell(pairs, 2)), pairs) == 0


@pytest.mark.parametrize("pairs", [6, 10, 14, 18, 22, 26, 28, 30])
def test_elsewhere_pairs_are_two_sets_from_even_on_the_whole(pairs: int) -> None:
    # Same less other direction is odd and cannot be -1 for all; -3 and 1 are next, 2 from -1.
    assert unevenness(sets_of(howell(pairs, 2)), pairs) <= 4 * pairs * (pairs - 1) // 2


@given(st.integers(3, 40), st.integers(1, 4), st.integers(1, 30))
def test_in_a_barometer_all_meet_once_and_all_tables_play_the_boards_of_the_round(
    pairs: int, in_round: int, first: int
) -> None:
    seats = barometer(pairs, in_round, first_board=first)
    seated = pairs + pairs % 2
    assert meetings(seats) == Counter(frozenset(two) for two in combinations(range(1, pairs + 1), 2))
    assert all(
        row.boards == BoardSets(in_round, first).numbered(row.round) and row.table <= seated // 2
        for row in seats
    )
    assert check(seats, allowed=seated // 2) == ()
    assert set(expected_results(seats).values()) == {pairs // 2}


@pytest.mark.parametrize("pairs", [4, 8, 12, 20, 24, 32])
def test_a_barometer_on_a_prime_circle_of_four_n_plus_three_is_perfectly_even(pairs: int) -> None:
    assert unevenness(sets_of(barometer(pairs, 1)), pairs) == 0


@pytest.mark.parametrize("pairs", [14, 16, 22, 26, 28])
def test_other_barometers_are_more_even_than_one_without_care(pairs: int) -> None:
    """Without care: every pair on one side of the circle always NS."""
    careless = [
        [
            (pairs, r),
            *(((r + k - 1) % (pairs - 1) + 1, (r - k - 1) % (pairs - 1) + 1) for k in range(1, pairs // 2)),
        ]
        for r in range(1, pairs)
    ]
    assert unevenness(sets_of(barometer(pairs, 1)), pairs) < unevenness(careless, pairs)


@pytest.mark.parametrize("make", [howell, barometer])
def test_an_odd_number_of_pairs_sits_out_once_each(make: Make) -> None:
    seats = make(7, 3)
    assert Counter(row.ew or row.ns for row in seats if not row.plays) == Counter(range(1, 8))
    assert check(seats, allowed=4) == ()
    assert {row.ns for row in seats if row.table == 1} == {None}  # number 8 is nobody


def test_an_even_number_of_pairs_may_have_a_phantom_of_its_own() -> None:
    seats = howell(8, 2, phantom=3)
    assert all(3 not in {row.ns, row.ew} for row in seats)
    assert sum(not row.plays for row in seats) == 7


def test_a_curtailed_howell_is_the_first_rounds_of_the_whole() -> None:
    assert howell(12, 3, rounds=9) == tuple(row for row in howell(12, 3) if row.round <= 9)
    assert barometer(12, 3, rounds=9) == tuple(row for row in barometer(12, 3) if row.round <= 9)


@pytest.mark.parametrize(
    ("make", "pairs", "settings", "message"),
    [
        (howell, 2, {}, "2 pairs"),
        (howell, LARGEST_HOWELL + 1, {}, "31 pairs"),
        (barometer, 2, {}, "2 pairs"),
        (howell, 8, {"rounds": 8}, "8 rounds"),
        (howell, 8, {"rounds": 0}, "0 rounds"),
        (howell, 7, {"phantom": 9}, "phantom 9"),
        (barometer, 8, {"phantom": 0}, "phantom 0"),
    ],
)
def test_what_no_howell_can_do_is_refused(
    make: Make, pairs: int, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make(pairs, 2, **settings)


# The parts and the check


@pytest.mark.parametrize(
    "numbers", [(0, 1, 1, 2, 1), (1, 0, 1, 2, 1), (1, 1, 0, 2, 1), (1, 1, 1, -2, 1), (1, 1, 1, 2, 0)]
)
def test_nothing_is_numbered_below_one(numbers: tuple[int, int, int, int, int]) -> None:
    round_, table, ns, ew, board = numbers
    with pytest.raises(ValueError, match="numbered from 1"):
        Seats(round_, table, ns, ew, boards(board))


@pytest.mark.parametrize(("in_round", "first"), [(0, 1), (3, 0)])
def test_a_set_has_boards_and_they_start_at_one(in_round: int, first: int) -> None:
    with pytest.raises(ValueError, match="both start at 1"):
        mitchell(5, 5, in_round, first_board=first)


GOOD = (Seats(1, 1, 1, 2, boards(1)), Seats(1, 2, 3, 4, boards(2)))


@pytest.mark.parametrize(
    ("added", "expected"),
    [
        (Seats(1, 3, 1, 5, boards(3)), MovementFault(FaultKind.PAIR_TWICE_IN_ROUND, 1, (1, 3), (1,))),
        (
            Seats(1, 3, 5, 5, boards(3)),
            MovementFault(FaultKind.PAIR_AGAINST_ITSELF, 1, (3,), (5,), boards(3)),
        ),
        (
            Seats(1, 2, 5, 6, boards(3)),
            MovementFault(FaultKind.DIRECTION_CLASH, 1, (2,), (3, 5), direction=Direction.NS),
        ),
        (Seats(1, 3, 5, 6, ()), MovementFault(FaultKind.TABLE_WITHOUT_BOARDS, 1, (3,), (5, 6))),
        (Seats(1, 3, 5, 6, boards(2)), MovementFault(FaultKind.BOARD_SHARED, 1, (2, 3), boards=boards(2))),
        (Seats(1, 3, None, None, boards(3)), MovementFault(FaultKind.EMPTY_TABLE, 1, (3,), boards=boards(3))),
        (Seats(1, 3, 5, 6, boards(3, 3)), MovementFault(FaultKind.BOARD_REPEATED, 1, (3,), (5,), boards(3))),
    ],
)
def test_each_finding_names_its_place_and_its_values(added: Seats, expected: MovementFault) -> None:
    assert check(GOOD) == ()
    assert expected in check([*GOOD, added])


def test_a_pair_against_itself_is_told_once() -> None:
    assert kinds(check([*GOOD, Seats(1, 3, 5, 5, boards(3))])) == {FaultKind.PAIR_AGAINST_ITSELF}


def test_a_pair_that_is_neither_seated_nor_sitting_out_is_missing() -> None:
    later = Seats(2, 1, 1, 3, boards(3))
    assert check([*GOOD, later]) == (
        MovementFault(FaultKind.PAIR_MISSING, 2, pairs=(2,)),
        MovementFault(FaultKind.PAIR_MISSING, 2, pairs=(4,)),
    )
    assert check([*GOOD, later, Seats(2, 2, None, 2, ()), Seats(2, 3, 4, None, boards(3))]) == ()


def test_a_missing_pair_of_two_series_is_named_with_its_direction() -> None:
    two_series = [Seats(1, 1, 1, 1, boards(1)), Seats(1, 2, 2, 2, boards(2)), Seats(2, 1, 1, 2, boards(3))]
    assert check(two_series, numbering=PairNumbering.PER_DIRECTION) == (
        MovementFault(FaultKind.PAIR_MISSING, 2, pairs=(1,), direction=Direction.EW),
        MovementFault(FaultKind.PAIR_MISSING, 2, pairs=(2,), direction=Direction.NS),
    )


def test_a_round_of_one_table_in_two_halves_is_one_meeting() -> None:
    assert check([*GOOD, Seats(1, 1, 1, 2, boards(5))]) == ()


def test_only_what_can_be_played_after_all_is_a_flag() -> None:
    flags = {kind for kind in FaultKind if kind.severity is Severity.FLAG}
    assert flags == {
        FaultKind.REMATCH,
        FaultKind.BOARD_REPEATED,
        FaultKind.BOARD_SHARED,
        FaultKind.EMPTY_TABLE,
    }
    assert all(kind.rule.startswith("Law ") for kind in FaultKind)


@given(st.permutations(howell(6, 2)))
def test_the_order_of_the_rows_changes_no_finding(rows: list[Seats]) -> None:
    assert check(rows) == check(howell(6, 2))


@given(st.sampled_from(HOWELLS[2:]), st.data())
def test_a_row_taken_out_of_a_good_movement_leaves_two_pairs_missing(pairs: int, data: st.DataObject) -> None:
    seats = howell(pairs, 1)
    gone = data.draw(st.integers(0, len(seats) - 1))
    found = check(seats[:gone] + seats[gone + 1 :])
    assert kinds(found) == {FaultKind.PAIR_MISSING}
    assert {pair for fault in found for pair in fault.pairs} == {seats[gone].ns, seats[gone].ew}
