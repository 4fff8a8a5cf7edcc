"""The topics: every record and every message belongs to one, and their order is that of the log."""

from typing import get_args

from schemas import control, corrections, results
from schemas.codec import AnyRecord
from schemas.decisions import Decision
from schemas.published import (
    Frequencies,
    PersonNamed,
    Standings,
    StandingsIndex,
    Traveller,
    Unreadable,
)
from schemas.topics import INPUTS, OUTPUTS, PEOPLE, TOPIC_OF, TOPIC_RANK, Kept, Keyed


def test_control_goes_before_corrections_and_corrections_before_results() -> None:
    assert TOPIC_RANK == {"session-control": 0, "corrections": 1, "board-results": 2}


def test_every_record_class_belongs_to_one_topic() -> None:
    carried = [record for topic in INPUTS for record in topic.carries]
    assert len(carried) == len(set(carried)) == len(TOPIC_OF)
    assert set(TOPIC_OF) == set(get_args(AnyRecord))
    assert TOPIC_OF[results.BoardResult] == "board-results"
    assert TOPIC_OF[corrections.Award] == "corrections"
    assert TOPIC_OF[control.ScorePublished] == "session-control"


def test_every_input_has_the_event_as_key_and_is_kept_until_archived() -> None:
    assert {(topic.key, topic.kept) for topic in INPUTS} == {(Keyed.EVENT, Kept.UNTIL_ARCHIVED)}


def test_names_of_people_are_apart_from_the_log() -> None:
    assert PEOPLE.carries == (PersonNamed,)
    assert PEOPLE.name not in TOPIC_RANK
    assert PEOPLE.kept is Kept.LATEST


def test_every_message_belongs_to_one_output() -> None:
    carried = [message for topic in OUTPUTS for message in topic.carries]
    assert len(carried) == len(set(carried))
    assert set(carried) == {Traveller, Standings, StandingsIndex, Decision, Frequencies, Unreadable}


def test_topics_have_names_of_their_own() -> None:
    names = [topic.name for topic in (*INPUTS, PEOPLE, *OUTPUTS)]
    assert len(set(names)) == len(names) == 9
