"""Invented people: several scripts, no two alike, the same ones again from the same seed."""

# ruff: noqa: S311 - seeded dice, no secrets

import unicodedata
from random import Random

from pipeline.simulation.people import TONGUES, named
from schemas.terms import EventId, PersonId

EVENT = EventId("congress")
PERSONS = [PersonId(f"p{number}") for number in range(1, 201)]


def test_the_same_seed_names_the_same_people() -> None:
    assert list(named(EVENT, PERSONS, Random(1))) == list(named(EVENT, PERSONS, Random(1)))
    assert list(named(EVENT, PERSONS, Random(1))) != list(named(EVENT, PERSONS, Random(2)))


def test_names_are_in_several_scripts_and_no_two_alike() -> None:
    names = [person.name for person in named(EVENT, PERSONS, Random(1))]
    scripts = {unicodedata.name(letter).split()[0] for name in names for letter in name if letter.isalpha()}
    assert {"LATIN", "GREEK", "CYRILLIC"} <= scripts
    assert len(set(names)) == len(names)


def test_every_person_is_named_once_under_their_pseudonym() -> None:
    assert [person.person for person in named(EVENT, PERSONS, Random(3))] == PERSONS
    assert all(person.event == EVENT for person in named(EVENT, PERSONS, Random(3)))


def test_a_field_larger_than_the_lists_is_named_all_the_same() -> None:
    many = [PersonId(f"p{number}") for number in range(6000)]
    assert len(list(named(EVENT, many, Random(1)))) == 6000


def test_surnames_agree_with_given_names() -> None:
    for tongue in TONGUES.values():
        assert len(tongue.women_end) == len(tongue.men_end)
        assert not set(tongue.women) & set(tongue.men)
