"""The messages of the output topics: travellers, standings, frequencies, unreadable bytes, people."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.deal import NoScore, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.decisions import Flag
from schemas.record import Slot, Stamp, Text
from schemas.terms import (
    BoardNumber,
    ContestantId,
    EventId,
    Identity,
    ListId,
    PersonId,
    Points,
    SectionId,
    SessionId,
)

LINES_A_PAGE = 500
ROWS_A_PAGE = 200
Decimal = Annotated[str, Field(pattern=r"^-?\d+(\.\d+)?$")]
"""A score as a decimal string."""
Exact = Annotated[str, Field(pattern=r"^-?\d+(/\d+)?$")]
"""A score as an exact fraction, present where the decimal is rounded."""


class Status(StrEnum):
    """Where a list stands; a function of the record set and the moment asked about."""

    SCHEDULED = "scheduled"
    PLAYING = "playing"
    PROVISIONAL = "provisional"
    OFFICIAL_OPEN = "official-open"
    OFFICIAL_CLOSED = "official-closed"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """What every output carries: readers drop a lower (`scoring_version`, `records_folded`).

    `digest` is the SHA-256 of the rows or lines; `as_of_us` the log time of the last record folded.
    """

    event: EventId
    scoring_version: int
    records_folded: int
    digest: str
    as_of_us: int


@dataclass(frozen=True, slots=True)
class SideScore:
    """One side's points on a board; `award` names an artificial or assigned score."""

    points: Decimal | None
    exact: Exact | None = None
    award: str | None = None


@dataclass(frozen=True, slots=True)
class TravellerLine:
    """What happened at one table; `score_ns` and `score_ew` in score points, apart after a split ruling."""

    slot: Slot
    ns: ContestantId | None
    ew: ContestantId | None
    result: (
        Annotated[Played | PassedOut | ScoreOnly | NotPlayed | NoScore, Field(discriminator="outcome")] | None
    )
    score_ns: Points | None
    score_ew: Points | None
    points_ns: SideScore
    points_ew: SideScore
    record: Identity
    form: str | None = None
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a score occurs on a board, and what it is worth to North-South."""

    ns_points: Points
    weight: Exact
    points_ns: Decimal
    points_ew: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Traveller(Edition):
    """One board in one comparison group: the frequency table, and a page of its lines."""

    session: SessionId
    group: str
    """The section compared within, or "field"."""
    board: BoardNumber
    closed: bool
    """Nobody still has to play this deal."""
    expected: int
    results: int
    top: Decimal | None
    datum: Points | None
    rated: str
    """How the board was rated: raw, neuberg, small-group, plus-one-1963, live ..."""
    frequencies: tuple[Frequency, ...]
    page: int
    pages: int
    lines: tuple[TravellerLine, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A contestant's place: `rank` is shared by `tied` contestants; `score` is in the unit of the method."""

    rank: int | None
    tied: bool
    contestant: ContestantId
    number: int | None
    section: SectionId | None
    direction: str | None
    players: tuple[PersonId, ...]
    score: Decimal
    exact: Exact | None
    percentage: Decimal | None
    boards: int
    penalty: Decimal | None = None
    carry_over: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """What is still open in what a list covers."""

    missing: int = 0
    unconfirmed: int = 0
    disputed: int = 0
    not_played: int = 0
    waiting: int = 0
    appeals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings(Edition):
    """One page of one ranking list."""

    list: ListId
    scope: str
    """The session, or "event"."""
    line: str
    """Whose list: "all", a section, a direction, or both."""
    method: str
    unit: str
    status: Status
    revision: int | None
    correction_until_us: int | None
    appeal_until_us: int | None
    boards_counted: int
    boards_due: int
    open: Open
    incomplete: int
    """Records that could not be read; 0 on a complete list."""
    contestants: int
    page: int
    pages: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsIndex(Edition):
    """The lists that an event has."""

    title: str
    lists: tuple[ListId, ...]


@dataclass(frozen=True, slots=True)
class ScoreWeight:
    """A score and how often it occurs."""

    ns_points: Points
    weight: Exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies(Edition):
    """Per event, board and simultaneous list: the scores, to be summed over events."""

    board: BoardNumber
    conditions_hash: str
    complete: bool
    scores: tuple[ScoreWeight, ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A copy, for people, of bytes that no model accepts."""

    stamp: Stamp
    key: str | None
    data_base64: str
    problem: Text


@dataclass(frozen=True, slots=True)
class PersonNamed:
    """A person's name and numbers, apart from the log; erased by a tombstone on the same key."""

    event: EventId
    person: PersonId
    name: Text
    member_number: Annotated[str, Field(max_length=40)] | None = None
    kind: Literal["person"] = "person"
