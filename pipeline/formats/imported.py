"""What every reader of a result file returns: records, names apart, and what the file itself published."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from schemas.codec import AnyRecord
from schemas.record import Slot
from schemas.terms import ContestantId, Direction, PersonId


class BadFile(ValueError):
    """A file that cannot be read as what it claims to be; `place` is a line, table or element."""

    def __init__(self, format_name: str, place: str, value: str, rule: str) -> None:
        super().__init__(f"{format_name}, {place}: {value} - {rule}")
        self.format_name, self.place, self.value, self.rule = format_name, place, value, rule


class NoteKind(StrEnum):
    """What a reader noticed and the user should know; nothing is dropped without one."""

    AWARD_CODE_CONTRADICTS_POINTS = "award-code-contradicts-points"
    ERASED_RESULT = "erased-result"
    PASSED_WITHOUT_SCORE = "passed-without-score"
    ONE_TABLE_ONLY = "one-table-only"
    SCORE_CONTRADICTS_CONTRACT = "score-contradicts-contract"
    UNKNOWN_ELEMENT = "unknown-element"
    WRONG_DIRECTION = "wrong-direction"
    NOT_PLAYED = "not-played"
    SUSPICIOUS_CONTRACT = "suspicious-contract"
    NOT_CARRIED = "not-carried"
    """In the file, but no record has a place for it."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing noticed, where, and the value seen."""

    kind: NoteKind
    place: str
    value: str


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """The points that a file itself gives a side for a board, as printed."""

    slot: Slot
    direction: Direction
    points: str


@dataclass(frozen=True, slots=True)
class PublishedTotal:
    """The total and percentage that a file itself gives a contestant, as printed."""

    contestant: ContestantId
    total: str | None = None
    percentage: str | None = None
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """An event read from a file.

    `records` are in an order that folds without waiting: description, conditions, contestants, movement,
    results and rulings, then the session's end. `suggested_preset` is what the file's own program and method
    call for.
    """

    event: str
    title: str
    records: tuple[AnyRecord, ...]
    people: Mapping[PersonId, str] = field(default_factory=dict)
    suggested_preset: str = "exact"
    suggested_settings: Mapping[str, str] = field(default_factory=dict)
    published_lines: tuple[PublishedLine, ...] = ()
    published_totals: tuple[PublishedTotal, ...] = ()
    line_unit: Fraction = Fraction(1)
    """Published line points times this are match points 2-1-0 (2 for a file in half match points)."""
    notes: tuple[Note, ...] = ()
