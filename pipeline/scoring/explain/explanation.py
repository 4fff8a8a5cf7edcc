"""What a person is told who asks why: the parts of an explanation, as data that goes to JSON and back."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from pipeline.scoring.explain.steps import Step
from schemas.corrections import PenaltyKind, PenaltyUnit
from schemas.deal import Adjusted, NoScore, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.policies import Method, RankBy, Rounding
from schemas.record import Slot
from schemas.terms import ContestantId, Direction, EventId, Identity, Points, SessionId, Vulnerability


class State(StrEnum):
    """How far a line is: only the first three and `no-top` have points."""

    RATED = "rated"
    LIVE = "live"
    """Somebody still has to play it: rated on the results that are in."""
    ALONE = "alone"
    """Nobody to compare with."""
    NO_RESULT = "no-result"
    NOT_PLAYED = "not-played"
    NO_SCORE = "no-score"
    CANCELLED = "cancelled"
    NOT_DUE = "not-due"
    """A contestant has withdrawn, or nobody sits there."""
    OTHER_TABLE = "other-table"
    """A match board whose other table is not in."""
    INCOMPARABLE = "incomparable"
    """A match board that the two tables did not play alike: the director decides (Law 86, Law 87)."""
    NO_MATCH = "no-match"
    """A table of no match of two tables, in a team event."""
    NO_TOP = "no-top"
    """An artificial score of a board that has no top yet: 0 of 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonGroup:
    """Whom a line is compared with, and by which rule; `results` A of `expected` E, `open` still to come."""

    kind: Literal["section", "field", "match"]
    name: str
    form: str
    results: Fraction
    expected: int
    open: int
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyRow:
    """How often a score occurs, seen from the side that asks, and what it is worth to it."""

    score: Points
    count: Fraction
    points: Fraction | None
    own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The steps from a result to its points; `top` is 0 where scores are signed."""

    steps: tuple[Step, ...]
    points: Fraction | None
    top: int
    rated: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineExplained:
    """One line of the contestant on the board; `counted` only where the total follows another rule."""

    slot: Slot
    direction: Direction
    opponent: ContestantId | None
    record: Identity | None
    result: (
        Annotated[
            Played | PassedOut | ScoreOnly | NotPlayed | NoScore | Adjusted, Field(discriminator="outcome")
        ]
        | None
    )
    vulnerability: Vulnerability
    score: Points | None
    score_law: str
    state: State
    compared: ComparisonGroup | None
    frequencies: tuple[FrequencyRow, ...]
    shown: Account | None
    counted: Account | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a contestant has these points on a board; without lines, it does not play the board."""

    event: EventId
    contestant: ContestantId
    session: SessionId
    board: int
    method: Method
    unit: str
    lines: tuple[LineExplained, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShare:
    """What a board adds to a total; `award` names an artificial score, explained by its `steps`."""

    slot: Slot
    direction: Direction
    points: Fraction
    top: int
    award: str | None = None
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotCounted:
    """A board that adds nothing, and why."""

    slot: Slot
    direction: Direction
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyShare:
    """A penalty: `amount` in its `unit`, of `top` where it is a share of one, `taken` off the total."""

    record: Identity
    session: SessionId
    kind: PenaltyKind
    unit: PenaltyUnit
    amount: Fraction
    top: Fraction | None
    taken: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedOver:
    """What is brought in from another stage."""

    stage: str
    amount: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalExplanation:
    """Why a contestant stands where it stands: board points - penalties + carry-over = total, and its place.

    `full` is what a total is factored up to (None: it is not), `factored` what that gives and `shown` the
    same rounded; `figure` is what the list is ranked by;
    `tied_with` shares the rank; `below` contestants are ranked lower, `above` higher.
    """

    event: EventId
    contestant: ContestantId
    scope: str
    line: str
    method: Method
    unit: str
    boards: tuple[BoardShare, ...]
    not_counted: tuple[NotCounted, ...]
    points: Fraction
    available: int
    penalties: tuple[PenaltyShare, ...]
    carried_over: tuple[CarriedOver, ...]
    total: Fraction
    percentage: Fraction | None
    percentage_round: Rounding
    full: int | None
    factored: Fraction
    shown: Fraction
    total_round: Rounding
    rank_by: RankBy
    figure: Fraction | None
    rank: int | None
    above: int
    below: int
    tied_with: tuple[ContestantId, ...]
    law: str
