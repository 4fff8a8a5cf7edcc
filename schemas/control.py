"""The records of the topic `session-control`: what the event is, and where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.deal import Amount
from schemas.record import NAMED, Board, Name, Record, Reference, Round, Table, Text
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    ListId,
    MatchId,
    PersonId,
    SectionId,
    SessionId,
    StageId,
)

Session = Annotated[SessionId, NAMED]
Section = Annotated[SectionId, NAMED]
Contestant = Annotated[ContestantId, NAMED]
Person = Annotated[PersonId, NAMED]
Match = Annotated[MatchId, NAMED]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PairNumber = Annotated[int, Field(ge=1, le=99_999)]


class ContestantKind(StrEnum):
    """What competes."""

    PAIR = "pair"
    TEAM = "team"
    PLAYER = "player"


class Scope(StrEnum):
    """How much a publication covers."""

    MATCH = "match"
    ROUND = "round"
    SESSION = "session"
    STAGE = "stage"
    EVENT = "event"


class Period(StrEnum):
    """The two clocks."""

    CORRECTION = "correction"
    APPEAL = "appeal"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """A session as announced."""

    id: Session
    title: Text = ""
    stage: Annotated[StageId, NAMED] = StageId("1")
    sections: tuple[Section, ...] = ()
    date: Annotated[str, Field(max_length=40)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDescribed(Record):
    """What the event is called and which sessions it has; the last one stands."""

    kind: Literal["event_described"] = "event_described"
    title: Text
    place: Text | None = None
    organiser: Text | None = None
    contest: ContestantKind = ContestantKind.PAIR
    sessions: tuple[SessionPlan, ...] = ()
    grade: Text | None = None
    charge_code: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionsPublished(Record):
    """The conditions of contest: a preset by name and what differs from it, by dotted setting (Law 78D)."""

    kind: Literal["conditions_published"] = "conditions_published"
    preset: Name
    settings: Mapping[Annotated[str, Field(max_length=60)], Annotated[str, Field(max_length=60)]] = field(
        default_factory=dict
    )
    approved_by: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestantEntered(Record):
    """A pair, team or player takes part; `number` is theirs in the section (and direction: two winners)."""

    kind: Literal["contestant_entered"] = "contestant_entered"
    contestant: Contestant
    contestant_kind: ContestantKind = ContestantKind.PAIR
    section: Section | None = None
    number: PairNumber | None = None
    direction: Direction | None = None
    players: tuple[Person, ...] = ()
    category: Text | None = None
    stratum: Text | None = None
    handicap: Amount | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestantChanged(Record):
    """Another section, number, direction or line-up from now on; what is absent stays."""

    kind: Literal["contestant_changed"] = "contestant_changed"
    contestant: Contestant
    section: Section | None = None
    number: PairNumber | None = None
    direction: Direction | None = None
    players: tuple[Person, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestantWithdrawn(Record):
    """A contestant plays no more, from a round on."""

    kind: Literal["contestant_withdrawn"] = "contestant_withdrawn"
    contestant: Contestant
    session: Session
    from_round: Round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSubstituted(Record):
    """One player for another, for some boards."""

    kind: Literal["player_substituted"] = "player_substituted"
    contestant: Contestant
    session: Session
    from_round: Round
    to_round: Round | None = None
    player: Person
    substitute: Person


@dataclass(frozen=True, slots=True)
class Placement:
    """Who plays which boards at a table in a round; none: nobody sits there (sit-out)."""

    round: Round
    table: Table
    ns: Contestant | None = None
    ew: Contestant | None = None
    boards: Annotated[tuple[Board, ...], Field(max_length=500)] = ()


@dataclass(frozen=True, slots=True)
class ExplicitMovement:
    """A movement told row by row."""

    placements: Annotated[tuple[Placement, ...], Field(max_length=20_000)]
    movement: Literal["explicit"] = "explicit"


@dataclass(frozen=True, slots=True)
class MitchellMovement:
    """North-South sit still, East-West go up a table, boards go down; pairs by number and direction."""

    tables: Annotated[int, Field(ge=2, le=999)]
    rounds: Annotated[int, Field(ge=1, le=999)]
    boards_per_round: Annotated[int, Field(ge=1, le=99)]
    first_board: Board = BoardNumber(1)
    form: Literal["plain", "skip", "relay-and-share"] = "plain"
    skip_after: Round | None = None
    arrow_switch_rounds: tuple[Round, ...] = ()
    missing_ns: PairNumber | None = None
    missing_ew: PairNumber | None = None
    movement: Literal["mitchell"] = "mitchell"


@dataclass(frozen=True, slots=True)
class HowellMovement:
    """Every pair meets every other; pairs by number."""

    pairs: Annotated[int, Field(ge=3, le=200)]
    boards_per_round: Annotated[int, Field(ge=1, le=99)]
    first_board: Board = BoardNumber(1)
    rounds: Round | None = None
    phantom: PairNumber | None = None
    movement: Literal["howell"] = "howell"


Movement = Annotated[ExplicitMovement | MitchellMovement | HowellMovement, Field(discriminator="movement")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementSet(Record):
    """The movement of a section in a session, from its first round; the last one stands."""

    kind: Literal["movement_set"] = "movement_set"
    session: Session
    section: Section
    movement: Movement


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementChanged(Record):
    """Another movement from a round on; earlier rounds stay as they were."""

    kind: Literal["movement_changed"] = "movement_changed"
    session: Session
    section: Section
    from_round: Round
    movement: Movement


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingChanged(Record):
    """Who really sat at a table in a round; the last one for a table and round stands."""

    kind: Literal["seating_changed"] = "seating_changed"
    session: Session
    section: Section
    round: Round
    table: Table
    ns: Contestant | None = None
    ew: Contestant | None = None
    boards: tuple[Board, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineupDeclared(Record):
    """The players of a team in a match."""

    kind: Literal["lineup_declared"] = "lineup_declared"
    match: Match
    team: Contestant
    open_room: tuple[Person, ...]
    closed_room: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class TableOfMatch:
    """One table of a match; `home` tells where the home team sits."""

    section: Section
    table: Table
    home: Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSet(Record):
    """Two teams meet at these tables on these boards."""

    kind: Literal["match_set"] = "match_set"
    match: Match
    session: Session
    round: Round
    home: Contestant
    visit: Contestant
    tables: Annotated[tuple[TableOfMatch, ...], Field(min_length=1, max_length=8)]
    boards: Annotated[tuple[Board, ...], Field(min_length=1, max_length=500)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingsPublished(Record):
    """The matches of a round, with the revision of the standings they were drawn from."""

    kind: Literal["pairings_published"] = "pairings_published"
    session: Session
    round: Round
    matches: tuple[Match, ...]
    drawn_from: Annotated[int, Field(ge=0)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeAwarded(Record):
    """A contestant has no opponent in a round."""

    kind: Literal["bye_awarded"] = "bye_awarded"
    contestant: Contestant
    session: Session
    round: Round
    privilege: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOpened(Record):
    """Play may begin."""

    kind: Literal["session_opened"] = "session_opened"
    session: Session


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(Record):
    """A round begins."""

    kind: Literal["round_started"] = "round_started"
    session: Session
    section: Section | None = None
    round: Round


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(Record):
    """A round is over: from here on a trick dispute is late (Law 79B)."""

    kind: Literal["round_ended"] = "round_ended"
    session: Session
    section: Section | None = None
    round: Round


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCancelled(Record):
    """A round is not played: its slots are no longer due."""

    kind: Literal["round_cancelled"] = "round_cancelled"
    session: Session
    section: Section | None = None
    round: Round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayEnded(Record):
    """The session is over; the 1963 protest clock starts (article 93)."""

    kind: Literal["play_ended"] = "play_ended"
    session: Session


@dataclass(frozen=True, slots=True)
class PinnedList:
    """A list as it was published: its SHA-256."""

    list: Annotated[ListId, Field(max_length=200)]
    digest: Sha256


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePublished(Record):
    """The official score is available for inspection; the correction and appeal clocks start (Laws 79C, 92B).

    `session` names what it covers for every scope but the event. `correction_minutes` and
    `appeal_minutes` state a period with the result (1963 article 94). A later revision restarts no clock
    unless `restarts_clocks`.
    """

    kind: Literal["score_published"] = "score_published"
    scope: Scope = Scope.SESSION
    session: Session | None = None
    subject: Name | None = None
    """The round, match or stage, for those scopes."""
    revision: Annotated[int, Field(ge=1)] = 1
    correction_minutes: Annotated[int, Field(ge=0, le=100_000)] | None = None
    appeal_minutes: Annotated[int, Field(ge=0, le=100_000)] | None = None
    restarts_clocks: bool = False
    scoring_version: Annotated[int, Field(ge=1)] | None = None
    lists: tuple[PinnedList, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodChanged(Record):
    """A clock of a session now runs so many minutes from its start."""

    kind: Literal["period_changed"] = "period_changed"
    session: Session
    period: Period
    minutes: Annotated[int, Field(ge=0, le=100_000)]
    note: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicationWithdrawn(Record):
    """A publication is taken back; its clocks are as if it had not been made, what was accepted stays."""

    kind: Literal["publication_withdrawn"] = "publication_withdrawn"
    publication: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFinalised(Record):
    """A session's result is final."""

    kind: Literal["session_finalised"] = "session_finalised"
    session: Session
    scoring_version: Annotated[int, Field(ge=1)] | None = None
    lists: tuple[PinnedList, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReopened(Record):
    """A final session is open again."""

    kind: Literal["session_reopened"] = "session_reopened"
    session: Session


@dataclass(frozen=True, slots=True, kw_only=True)
class QualifiersPublished(Record):
    """Who goes on to the next stage; a later correction changes carry-over, not the qualifiers."""

    kind: Literal["qualifiers_published"] = "qualifiers_published"
    stage: Annotated[StageId, NAMED]
    next_stage: Annotated[StageId, NAMED]
    contestants: tuple[Contestant, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CarryOverSet(Record):
    """What a contestant takes into a stage, in the unit of the event."""

    kind: Literal["carry_over_set"] = "carry_over_set"
    contestant: Contestant
    stage: Annotated[StageId, NAMED]
    amount: Amount


@dataclass(frozen=True, slots=True, kw_only=True)
class RescoringAccepted(Record):
    """A pinned list may change under a newer scoring version."""

    kind: Literal["rescoring_accepted"] = "rescoring_accepted"
    scoring_version: Annotated[int, Field(ge=1)]
    lists: tuple[PinnedList, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventArchived(Record):
    """The event is exported to a file with this SHA-256; its records may be deleted from the log."""

    kind: Literal["event_archived"] = "event_archived"
    digest: Sha256
    records: Annotated[int, Field(ge=0)]


ControlRecord = (
    EventDescribed
    | ConditionsPublished
    | ContestantEntered
    | ContestantChanged
    | ContestantWithdrawn
    | PlayerSubstituted
    | MovementSet
    | MovementChanged
    | SeatingChanged
    | LineupDeclared
    | MatchSet
    | PairingsPublished
    | ByeAwarded
    | SessionOpened
    | RoundStarted
    | RoundEnded
    | RoundCancelled
    | PlayEnded
    | ScorePublished
    | PeriodChanged
    | PublicationWithdrawn
    | SessionFinalised
    | SessionReopened
    | QualifiersPublished
    | CarryOverSet
    | RescoringAccepted
    | EventArchived
)
