"""The records of the topic `corrections`: what directors, organisers and committees change."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from schemas.deal import Amount, Artificial, Assigned, NoScore, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.record import NAMED, Board, Name, Record, Reference, Slot, SlotChange, Text
from schemas.results import Subject
from schemas.terms import ContestantId, SectionId, SessionId, Vulnerability

CorrectedOutcome = Annotated[
    Played | PassedOut | ScoreOnly | NotPlayed | NoScore, Field(discriminator="outcome")
]
SideAward = Annotated[Artificial | Assigned, Field(discriminator="award")]
Changes = Annotated[tuple[SlotChange, ...], Field(min_length=1, max_length=500)]


class PenaltyKind(StrEnum):
    """Why a penalty was given (Law 90)."""

    LATE = "late"
    SLOW = "slow"
    PROCEDURAL = "procedural"
    DISCIPLINARY = "disciplinary"
    WARNING = "warning"


class PenaltyUnit(StrEnum):
    """The unit of a penalty: the method's own points, a share of one board's top, IMPs or victory points."""

    POINTS = "points"
    PERCENT_OF_TOP = "percent-of-top"
    IMPS = "imps"
    VICTORY_POINTS = "vps"


class AppealKind(StrEnum):
    """A request for a ruling, an appeal (Law 92) or a protest (1963 article 93)."""

    RULING_REQUEST = "ruling-request"
    APPEAL = "appeal"
    PROTEST_1963 = "protest-1963"


class Decision(StrEnum):
    """What became of a request or an appeal."""

    GRANTED = "granted"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling(Record):
    """What every ruling carries.

    `request` names what was lodged in time (a correction request, a dispute or an appeal);
    `override` names the organiser's leave to correct after the period.
    """

    subject: Subject
    law: Annotated[str, Field(max_length=40)] | None = None
    note: Text | None = None
    request: Reference | None = None
    override: Reference | None = None


def _one_change_a_slot(changes: tuple[SlotChange, ...]) -> None:
    slots = [change.slot for change in changes]
    if len(set(slots)) < len(slots):
        raise ValueError("a slot is named twice")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaceResult(Ruling):
    """Another result stands in a slot."""

    kind: Literal["replace_result"] = "replace_result"
    slot: Slot
    supersedes: Reference | None = None
    result: CorrectedOutcome
    ns: Annotated[ContestantId, NAMED] | None = None
    ew: Annotated[ContestantId, NAMED] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidResult(Ruling):
    """A slot is emptied; the table may enter anew."""

    kind: Literal["void_result"] = "void_result"
    changes: Changes

    def __post_init__(self) -> None:
        _one_change_a_slot(self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult(Ruling):
    """A result was entered for the wrong board, table or round: it moves to `to`."""

    kind: Literal["move_result"] = "move_result"
    slot: Slot
    supersedes: Reference
    to: SlotChange

    def __post_init__(self) -> None:
        if self.slot == self.to.slot:
            raise ValueError(f"a result moves to another slot than {self.slot}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapDirections(Ruling):
    """The pairs sat the other way: they change places; contract and declarer's compass stay."""

    kind: Literal["swap_directions"] = "swap_directions"
    changes: Changes

    def __post_init__(self) -> None:
        _one_change_a_slot(self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Award(Ruling):
    """Artificial, assigned, split or weighted: each side gets its own score (Law 12C)."""

    kind: Literal["award"] = "award"
    changes: Changes
    ns_award: SideAward
    ew_award: SideAward

    def __post_init__(self) -> None:
        _one_change_a_slot(self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultUpheld(Ruling):
    """The director has looked: what stands, stands. Ends a dispute, a flag and a waiting second answer."""

    kind: Literal["result_upheld"] = "result_upheld"
    changes: Changes

    def __post_init__(self) -> None:
        _one_change_a_slot(self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty(Ruling):
    """A penalty (positive, taken off) or compensation (negative), apart from board scores (Law 90)."""

    kind: Literal["penalty"] = "penalty"
    contestant: Annotated[ContestantId, NAMED]
    session: Annotated[SessionId, NAMED]
    amount: Amount
    unit: PenaltyUnit
    penalty_kind: PenaltyKind


@dataclass(frozen=True, slots=True)
class Form:
    """The slots that played one form of a board, with the vulnerability as really marked."""

    name: Name
    slots: Annotated[tuple[Slot, ...], Field(min_length=1, max_length=2000)]
    vulnerability: Vulnerability | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardForms(Ruling):
    """A fouled or wrongly marked board: which slots played which form (Law 87). The last one counts."""

    kind: Literal["board_forms"] = "board_forms"
    session: Annotated[SessionId, NAMED]
    board: Board
    forms: Annotated[tuple[Form, ...], Field(min_length=1, max_length=50)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsCancelled(Ruling):
    """Boards that count for nobody, in one section or in all of the session."""

    kind: Literal["boards_cancelled"] = "boards_cancelled"
    session: Annotated[SessionId, NAMED]
    boards: Annotated[tuple[Board, ...], Field(min_length=1, max_length=500)]
    section: Annotated[SectionId, NAMED] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionDecided(Ruling):
    """The answer to a correction request; the change itself, if any, is a record of its own."""

    kind: Literal["correction_decided"] = "correction_decided"
    decided: Reference
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class Appeal(Ruling):
    """Somebody appeals (Law 92B) or protests (1963 article 93); lodged in time it may be decided later."""

    kind: Literal["appeal"] = "appeal"
    appeal_kind: AppealKind
    session: Annotated[SessionId, NAMED]
    by: Annotated[ContestantId, NAMED]
    slots: tuple[Slot, ...] = ()
    against: Reference | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealDecided(Ruling):
    """The answer to an appeal; the change itself, if any, is a record of its own."""

    kind: Literal["appeal_decided"] = "appeal_decided"
    appeal: Reference
    decision: Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordWithdrawn(Ruling):
    """Takes back one record: from here on the event is as if it had not been said."""

    kind: Literal["record_withdrawn"] = "record_withdrawn"
    record: Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideGranted(Ruling):
    """The organiser allows corrections after the period (Law 79C2); a correction then names this record."""

    kind: Literal["override_granted"] = "override_granted"
    session: Annotated[SessionId, NAMED]
    slots: tuple[Slot, ...] = ()
    """Empty: the whole session."""


CorrectionRecord = (
    ReplaceResult
    | VoidResult
    | MoveResult
    | SwapDirections
    | Award
    | ResultUpheld
    | Penalty
    | BoardForms
    | BoardsCancelled
    | CorrectionDecided
    | Appeal
    | AppealDecided
    | RecordWithdrawn
    | OverrideGranted
)
