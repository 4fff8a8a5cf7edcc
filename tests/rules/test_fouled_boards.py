"""Law 87: who is compared with whom."""

from fractions import Fraction

from pipeline.rules.fouled_boards import groups, largest


def test_only_those_who_played_the_same_form_are_compared() -> None:
    played = {1: "as dealt", 2: "as dealt", 3: "a card moved", 4: "as dealt", 5: "a card moved"}
    assert groups(played) == {"as dealt": (1, 2, 4), "a card moved": (3, 5)}
    assert groups({1: "as dealt", 2: "as dealt"}) == {"as dealt": (1, 2)}
    assert groups({}) == {}


def test_the_largest_group_is_the_form_that_most_played() -> None:
    assert largest({"as dealt": 7, "a card moved": 3}) == {"as dealt"}
    assert largest({"as dealt": Fraction("2.7"), "a card moved": 3}) == {"a card moved"}


def test_two_groups_of_one_size_are_both_the_largest() -> None:
    assert largest({"as dealt": 3, "a card moved": 3, "turned": 1}) == {"as dealt", "a card moved"}
    assert largest({}) == frozenset()
