"""The topics, one row each in rank order: this is the data flow, and the tie-break of the log order."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, get_args

from schemas import control, corrections, decisions, published, results


class Kept(StrEnum):
    """How long a topic keeps what it has."""

    UNTIL_ARCHIVED = "until-archived"
    LATEST = "latest"
    THIRTY_DAYS = "thirty-days"


class Keyed(StrEnum):
    """What a message's key is."""

    EVENT = "event"
    EVENT_AND_PERSON = "event-and-person"
    BOARD_GROUP = "board-group"
    LIST = "list"
    RECORD = "record"
    BOARD_AND_LIST = "board-and-list"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic: its name, key, what it carries and how long."""

    name: str
    key: Keyed
    kept: Kept
    carries: tuple[type, ...]


INPUTS: Final = (
    Topic("session-control", Keyed.EVENT, Kept.UNTIL_ARCHIVED, get_args(control.ControlRecord)),
    Topic("corrections", Keyed.EVENT, Kept.UNTIL_ARCHIVED, get_args(corrections.CorrectionRecord)),
    Topic("board-results", Keyed.EVENT, Kept.UNTIL_ARCHIVED, get_args(results.TableRecord)),
)
PEOPLE: Final = Topic("people", Keyed.EVENT_AND_PERSON, Kept.LATEST, (published.PersonNamed,))
OUTPUTS: Final = (
    Topic("travellers", Keyed.BOARD_GROUP, Kept.LATEST, (published.Traveller,)),
    Topic("standings", Keyed.LIST, Kept.LATEST, (published.Standings, published.StandingsIndex)),
    Topic("decisions", Keyed.RECORD, Kept.LATEST, (decisions.Decision,)),
    Topic("frequencies", Keyed.BOARD_AND_LIST, Kept.LATEST, (published.Frequencies,)),
    Topic("unreadable", Keyed.RECORD, Kept.THIRTY_DAYS, (published.Unreadable,)),
)
TOPIC_RANK: Final = {topic.name: rank for rank, topic in enumerate(INPUTS)}
TOPIC_OF: Final = {kind: topic.name for topic in INPUTS for kind in topic.carries}
"""Which input topic a record class belongs to."""
