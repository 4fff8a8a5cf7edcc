"""The field's terms as types: seats, directions, strains, vulnerability, units and identifiers."""

from enum import StrEnum
from typing import NewType

Points = NewType("Points", int)
"""Score points of one deal, a multiple of 10, seen from the side its variable names."""
Imps = NewType("Imps", int)
"""International match points of one comparison."""
Tricks = NewType("Tricks", int)
"""Tricks won by declarer's side, 0 to 13."""
BoardNumber = NewType("BoardNumber", int)
"""The label on a board, from 1; boards 13 to 36 are as good as 1 to 24."""

EventId = NewType("EventId", str)
StageId = NewType("StageId", str)
SessionId = NewType("SessionId", str)
SectionId = NewType("SectionId", str)
ContestantId = NewType("ContestantId", str)
"""A pair, a team or (in an individual) a player, unique within the event."""
PersonId = NewType("PersonId", str)
"""A pseudonym; the name belongs to it in the topic `people` alone."""
MatchId = NewType("MatchId", str)
ListId = NewType("ListId", str)
RecordId = NewType("RecordId", str)
SourceId = NewType("SourceId", str)
Identity = NewType("Identity", str)
"""`source/id`: who said it, and under which number of their own."""


class Direction(StrEnum):
    """The two sides of a table."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> "Direction":
        """The opponents."""
        return Direction.EW if self is Direction.NS else Direction.NS


class Seat(StrEnum):
    """The four places at a table, clockwise."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @property
    def direction(self) -> Direction:
        """The side that this seat belongs to."""
        return Direction.NS if self in {Seat.N, Seat.S} else Direction.EW


class Strain(StrEnum):
    """The denomination of a contract, from the lowest."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "NT"


class Doubling(StrEnum):
    """What was called after the last bid."""

    UNDOUBLED = ""
    DOUBLED = "x"
    REDOUBLED = "xx"


class Vulnerability(StrEnum):
    """Which side is vulnerable on a board."""

    NONE = "none"
    NS = "ns"
    EW = "ew"
    BOTH = "both"

    def includes(self, direction: Direction) -> bool:
        """Tell whether this side is vulnerable."""
        return self is Vulnerability.BOTH or self.value == direction.value.lower()


class AwardKind(StrEnum):
    """The artificial scores of Law 12C2, as a side receives them."""

    AVE_PLUS = "ave+"
    AVE = "ave"
    AVE_MINUS = "ave-"


class Unplayed(StrEnum):
    """Why a board that was due has no result; it ends by an award or as no score."""

    TIME = "time"
    SIT_OUT = "sit-out"
    WITHDRAWN = "withdrawn"
    LATE_PLAY_DUE = "late-play-due"
    UNKNOWN = "unknown"
