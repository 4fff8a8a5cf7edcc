"""The verdict on each record, with a closed set of reasons."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from schemas.record import Reference, Slot, Stamp
from schemas.terms import EventId, Identity


class Verdict(StrEnum):
    """May this record count?"""

    ACCEPTED = "accepted"
    WAITING_FOR_REFERENCE = "waiting-for-reference"
    """It names a record that has not been read yet."""
    WAITING_FOR_DIRECTOR = "waiting-for-director"
    """It does not count until the director upholds or enters it."""
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    """It was taken back by a later record."""


class Reason(StrEnum):
    """Why a record is refused or waits; the slug is stable, the sentence belongs to the reader's language."""

    IDENTITY_TAKEN = "identity-taken"
    NOT_AUTHORISED = "not-authorised"
    UNKNOWN_SESSION = "unknown-session"
    UNKNOWN_TABLE = "unknown-table"
    BOARD_NOT_AT_TABLE = "board-not-at-table"
    UNKNOWN_CONTESTANT = "unknown-contestant"
    PAIR_NOT_AT_TABLE = "pair-not-at-table"
    SITS_OUT = "sits-out"
    SCORE_IMPOSSIBLE = "score-impossible"
    SCORE_CONTRADICTS_CONTRACT = "score-contradicts-contract"
    SUPERSEDES_ITSELF = "supersedes-itself"
    REFERENCE_UNKNOWN = "reference-unknown"
    REFERENCE_NOT_IN_SLOT = "reference-not-in-slot"
    REFERENCE_OF_OTHER_KIND = "reference-of-other-kind"
    SLOT_TAKEN = "slot-taken"
    SUPERSEDED_ALREADY = "superseded-already"
    SUPERSEDES_DIRECTOR = "supersedes-director"
    CONFIRMED_ALREADY = "confirmed-already"
    SLOT_EMPTY = "slot-empty"
    WRONG_SIDE_CONFIRMS = "wrong-side-confirms"
    PERIOD_OVER = "period-over"
    PROTEST_PERIOD_OVER = "protest-period-over"
    ROUND_OVER = "round-over"
    SESSION_FINAL = "session-final"
    NOT_A_PROTEST = "not-a-protest"
    PERIOD_MAY_NOT_SHORTEN = "period-may-not-shorten"
    PERIOD_STILL_OPEN = "period-still-open"
    NO_PUBLICATION = "no-publication"
    OVERRIDE_DOES_NOT_COVER = "override-does-not-cover"
    CONDITIONS_AFTER_START = "conditions-after-start"
    UNKNOWN_SETTING = "unknown-setting"
    MOVEMENT_UNUSABLE = "movement-unusable"
    CONTESTANT_TAKEN = "contestant-taken"
    IMPORT_INTO_LIVE_EVENT = "import-into-live-event"
    MATCH_UNKNOWN = "match-unknown"
    RECORDS_CAPPED = "records-capped"
    WITHDRAWS_ITSELF = "withdraws-itself"


class Flag(StrEnum):
    """What a director should know of an accepted record."""

    LATE = "late"
    """It filled an empty slot after the period."""
    IMPLAUSIBLE = "implausible"
    """Possible by the Laws but far from the field."""
    DISPUTED = "disputed"
    UNCONFIRMED = "unconfirmed"
    CORROBORATED = "corroborated"
    """Another source said the same."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on one record; revised when facts arrive.

    `field`, `value` and `rule` name what a refusal rests on, `article` the law behind it.
    """

    event: EventId
    record: Reference
    kind: str
    verdict: Verdict
    reason: Reason | None = None
    field: str | None = None
    value: str | None = None
    rule: str | None = None
    article: str | None = None
    flags: tuple[Flag, ...] = ()
    slot: Slot | None = None
    effective: Identity | None = None
    """The record that stands instead."""
    stamp: Stamp | None = None
    payload_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    """Set where one identity came with several contents: which of them this is about."""


class Refused(Exception):
    """The only expected failure: a record that may not count, with what it rests on."""

    def __init__(
        self,
        reason: Reason,
        *,
        field: str,
        value: object,
        rule: str,
        article: str | None = None,
        verdict: Verdict = Verdict.REFUSED,
        effective: Identity | None = None,
    ) -> None:
        super().__init__(f"{reason}: {field} = {value} ({rule})")
        self.reason, self.field, self.value, self.rule = reason, field, str(value), rule
        self.article, self.verdict, self.effective = article, verdict, effective
