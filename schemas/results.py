"""The records of the topic `board-results`: what tables, pairs and captains say."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.deal import NotPlayed, PassedOut, Played, ScoreOnly
from schemas.record import NAMED, Board, Record, Reference, Round, Slot, Table, Text
from schemas.terms import ContestantId, Direction, MatchId, PersonId, Points, Seat, SectionId, SessionId

TableOutcome = Annotated[Played | PassedOut | ScoreOnly | NotPlayed, Field(discriminator="outcome")]
LeadCard = Annotated[str, Field(pattern=r"^[CDHS](10|[2-9TJQKA])$")]


class Ending(StrEnum):
    """How the play ended; an agreed claim or concession puts Laws 69 and 71 before Law 79."""

    PLAYED = "played"
    CLAIM = "claim"
    CONCESSION = "concession"


class Subject(StrEnum):
    """What a correction is about, which decides the law that governs it."""

    ENTRY = "entry"
    """The agreed score was noted or valued wrongly by a player (Law 79C, 1963 article 94)."""
    SCORER = "scorer"
    """The same by the scorer."""
    TRICKS = "tricks"
    """The number of tricks (Law 79B, 1963 article 92)."""
    RULING = "ruling"
    """A director's ruling (Laws 12 and 84)."""
    APPEAL = "appeal"
    """A committee's decision (Law 93, 1963 article 93)."""


@dataclass(frozen=True, slots=True)
class Honours:
    """Honours held by one side, in score points (1963 articles 75 and 90); counted at total points alone."""

    side: Direction
    points: Literal[100, 150]


@dataclass(frozen=True, slots=True)
class Players:
    """The four contestants at a table of an individual event."""

    north: Annotated[ContestantId, NAMED]
    east: Annotated[ContestantId, NAMED]
    south: Annotated[ContestantId, NAMED]
    west: Annotated[ContestantId, NAMED]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResult(Record):
    """A table says what came of a board (1963 article 78); `score_ns` is the score as North noted it.

    `ns` and `ew` say who sat there, where the table knows; without them the movement does.
    """

    kind: Literal["board_result"] = "board_result"
    slot: Slot
    result: TableOutcome
    ns: Annotated[ContestantId, NAMED] | None = None
    ew: Annotated[ContestantId, NAMED] | None = None
    players: Players | None = None
    score_ns: Annotated[Points, Field(ge=-9_999, le=9_999)] | None = None
    lead: LeadCard | None = None
    honours: Honours | None = None
    ending: Ending | None = None
    entered_by: Seat | None = None
    supersedes: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultConfirmed(Record):
    """The opponents initial a result (1963 article 79)."""

    kind: Literal["result_confirmed"] = "result_confirmed"
    slot: Slot
    result_record: Reference
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultDisputed(Record):
    """Somebody at the table says that a result is not right."""

    kind: Literal["result_disputed"] = "result_disputed"
    slot: Slot
    result_record: Reference
    seat: Seat | None = None
    note: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult(Record):
    """A captain reports a match scored elsewhere; the other captain confirms it with an equal one."""

    kind: Literal["match_result"] = "match_result"
    match: Annotated[MatchId, NAMED]
    by: Annotated[ContestantId, NAMED]
    home_imps: Annotated[int, Field(ge=-9_999, le=9_999)]
    visit_imps: Annotated[int, Field(ge=-9_999, le=9_999)]
    boards: Annotated[int, Field(ge=1, le=999)]
    supersedes: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken(Record):
    """A person says that they sit here from this round on."""

    kind: Literal["seat_taken"] = "seat_taken"
    session: Annotated[SessionId, NAMED]
    section: Annotated[SectionId, NAMED]
    round: Round
    table: Table
    seat: Seat
    person: Annotated[PersonId, NAMED]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorCalled(Record):
    """A table calls the director."""

    kind: Literal["director_called"] = "director_called"
    session: Annotated[SessionId, NAMED]
    section: Annotated[SectionId, NAMED]
    round: Round
    table: Table
    board: Board | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionRequested(Record):
    """A pair asks for a correction; lodged in time it may be decided later."""

    kind: Literal["correction_requested"] = "correction_requested"
    slot: Slot
    subject: Subject
    by: Annotated[ContestantId, NAMED]
    proposed: TableOutcome | None = None
    note: Text | None = None


TableRecord = (
    BoardResult
    | ResultConfirmed
    | ResultDisputed
    | MatchResult
    | SeatTaken
    | DirectorCalled
    | CorrectionRequested
)
