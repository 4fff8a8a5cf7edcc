"""What a file published beside what was computed from it: each difference, with a proved reason or none."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor
from typing import Final

from pipeline.formats.imported import Imported, Note, NoteKind, PublishedTotal
from pipeline.rules.matchpoints import top
from pipeline.rules.neuberg import neuberg
from pipeline.rules.rounding import decimal_text
from schemas.control import ExplicitMovement, MovementSet
from schemas.corrections import Award
from schemas.record import Slot
from schemas.terms import ContestantId, Direction


class DifferenceCode(StrEnum):
    """Why a published figure is another than ours; each is checked on the figures, none is a guess."""

    LINE_RAW_ON_SHORT_BOARD = "published-line-is-raw-on-short-board"
    """Its match points stand as scored among fewer results; factored by Neuberg they are ours."""
    FEWER_PLACES = "published-with-fewer-places"
    """Ours, rounded to as many places as the file has, is theirs."""
    ROUNDED_DOWN = "published-rounded-down"
    """Ours, cut off after as many places as the file has, is theirs."""
    AWARD_CODE_CONTRADICTS_POINTS = "award-code-contradicts-points"
    """The file's own code or score says other than its points; the points were taken."""
    TOTAL_FACTORED_TO_ALL_BOARDS = "published-total-factored-to-all-boards"
    """Ours, times all boards over the boards played, is theirs."""
    TOTAL_OF_ROUNDED_LINES = "published-total-adds-rounded-lines"
    """Theirs is the sum of the lines as printed."""
    TOTALS_BEFORE_RULINGS = "published-totals-before-rulings"
    """All totals together are what an event without artificial scores gives: the rulings are not in them."""
    ONE_TABLE_ONLY = "one-table-only"
    ERASED_RESULT = "erased-result"
    PASSED_WITHOUT_SCORE = "passed-without-score"
    SCORE_CONTRADICTS_CONTRACT = "score-contradicts-contract"
    WRONG_DIRECTION = "wrong-direction"
    NOT_PLAYED = "not-played"


class Figure(StrEnum):
    """What differs."""

    LINE = "line"
    TOTAL = "total"
    PERCENTAGE = "percentage"


@dataclass(frozen=True, slots=True)
class Difference:
    """One published figure and ours (None: there is none); without a code it is unexplained."""

    figure: Figure
    place: str
    published: str | None
    computed: str | None
    code: DifferenceCode | None


@dataclass(frozen=True, slots=True)
class Computed:
    """A figure of ours: exact, and as the conditions round it for show."""

    exact: Fraction
    shown: Fraction


@dataclass(frozen=True, slots=True)
class ComputedTotal:
    """A contestant's total and percentage (0 to 100), penalties and all, over so many boards that counted."""

    total: Computed
    percentage: Computed | None
    boards: int


_OF_NOTE: Final = {
    NoteKind.AWARD_CODE_CONTRADICTS_POINTS: DifferenceCode.AWARD_CODE_CONTRADICTS_POINTS,
    NoteKind.ERASED_RESULT: DifferenceCode.ERASED_RESULT,
    NoteKind.PASSED_WITHOUT_SCORE: DifferenceCode.PASSED_WITHOUT_SCORE,
    NoteKind.ONE_TABLE_ONLY: DifferenceCode.ONE_TABLE_ONLY,
    NoteKind.SCORE_CONTRADICTS_CONTRACT: DifferenceCode.SCORE_CONTRADICTS_CONTRACT,
    NoteKind.WRONG_DIRECTION: DifferenceCode.WRONG_DIRECTION,
    NoteKind.NOT_PLAYED: DifferenceCode.NOT_PLAYED,
}


def compare(
    imported: Imported,
    line_points: Mapping[tuple[Slot, Direction], Computed],
    totals: Mapping[ContestantId, ComputedTotal],
    *,
    matchpoints: bool,
    unit: Fraction = Fraction(1),
) -> tuple[Difference, ...]:
    """Compare all that a file published with what was computed; lines first, in the file's order.

    `line_points` and `totals` times `unit` are match points 2-1-0, as published ones are times the file's own
    `line_unit`; where the event is not at match points (`matchpoints` false) both are 1. A published figure
    that was not computed differs too. What the file does not publish is not asked for.
    """
    seen = _Seen(imported, line_points, totals, unit, matchpoints=matchpoints)
    return (*seen.lines(), *seen.codes(), *seen.totals_and_percentages())


def unexplained(differences: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """Return the differences without a reason."""
    return tuple(difference for difference in differences if difference.code is None)


class _Seen:
    """Both sides, and what about the file as a whole explains single figures."""

    def __init__(
        self,
        imported: Imported,
        line_points: Mapping[tuple[Slot, Direction], Computed],
        totals: Mapping[ContestantId, ComputedTotal],
        unit: Fraction,
        *,
        matchpoints: bool,
    ) -> None:
        self.imported, self.line_points, self.computed_totals = imported, line_points, totals
        self.matchpoints = matchpoints
        self.ratio = imported.line_unit / unit
        self.notes: dict[str, list[Note]] = defaultdict(list)
        for note in imported.notes:
            self.notes[note.place].append(note)
        self.line_places = max((_places(line.points) for line in imported.published_lines), default=0)
        self.results = Counter(_board(line.slot, line.direction) for line in imported.published_lines)
        self.expected: dict[tuple[str, str], int] = {}
        for (session, section, _, _), count in self.results.items():
            self.expected[session, section] = max(count, self.expected.get((session, section), 1))
        self.all_boards = max((ours.boards for ours in totals.values()), default=0)
        self.seated = _seated(imported)
        self.own_lines = self._own_lines()
        self.before_rulings = matchpoints and self._before_rulings()
        self.reach = self._reach()

    def lines(self) -> Iterator[Difference]:
        """Lines that differ."""
        for line in self.imported.published_lines:
            ours = self.line_points.get((line.slot, line.direction))
            place = f"{line.slot} {line.direction}"
            theirs = Fraction(line.points) * self.ratio
            if ours is None:
                yield Difference(Figure.LINE, place, line.points, None, self._noted(line.slot))
            elif ours.shown != theirs:
                code = self._line_code(theirs, ours.exact, line.slot, line.direction)
                yield Difference(Figure.LINE, place, line.points, _text(ours.shown / self.ratio), code)

    def codes(self) -> Iterator[Difference]:
        """Award codes and scores that the file's own points belie: told even where our points are theirs."""
        for note in self.imported.notes:
            if note.kind is NoteKind.AWARD_CODE_CONTRADICTS_POINTS:
                code, _, points = note.value.partition(", points ")
                yield Difference(Figure.LINE, note.place, code, points or None, _OF_NOTE[note.kind])

    def totals_and_percentages(self) -> Iterator[Difference]:
        """Totals and percentages that differ, contestant by contestant."""
        published = self.imported.published_totals
        of_totals = max((_places(entry.total or "") for entry in published), default=0)
        of_percentages = max((_places(entry.percentage or "") for entry in published), default=0)
        for entry in published:
            ours = self.computed_totals.get(entry.contestant)
            code = None
            if entry.total is not None:
                code = self._total_code(entry.contestant, Fraction(entry.total), ours, of_totals)
                if ours is None or ours.total.shown != Fraction(entry.total) * self.ratio:
                    shown = None if ours is None else _text(ours.total.shown / self.ratio)
                    yield Difference(Figure.TOTAL, entry.contestant, entry.total, shown, code)
            percentage = None if ours is None else ours.percentage
            if entry.percentage is not None and (
                percentage is None or percentage.shown != Fraction(entry.percentage)
            ):
                why = self._percentage_code(entry, Fraction(entry.percentage), code, of_percentages)
                shown = None if percentage is None else _text(percentage.shown)
                yield Difference(Figure.PERCENTAGE, entry.contestant, entry.percentage, shown, why)

    def _total_code(
        self, contestant: ContestantId, theirs: Fraction, ours: ComputedTotal | None, places: int
    ) -> DifferenceCode | None:
        if ours is None:
            return None
        exact = ours.total.exact / self.ratio
        rounding = _by_rounding(theirs, exact, places)
        if rounding is not None:
            return rounding
        if 0 < ours.boards < self.all_boards and _nearest(
            theirs, exact * self.all_boards / ours.boards, places
        ):
            return DifferenceCode.TOTAL_FACTORED_TO_ALL_BOARDS
        if self.before_rulings and abs(theirs - exact) <= self.reach[contestant]:
            return DifferenceCode.TOTALS_BEFORE_RULINGS
        if theirs == self.own_lines.get(contestant):
            return DifferenceCode.TOTAL_OF_ROUNDED_LINES
        return None

    def _percentage_code(
        self, entry: PublishedTotal, theirs: Fraction, of_total: DifferenceCode | None, places: int
    ) -> DifferenceCode | None:
        ours = self.computed_totals.get(entry.contestant)
        if ours is None or ours.percentage is None:
            return None
        rounding = _by_rounding(theirs, ours.percentage.exact, places)
        if rounding is not None or entry.total is None or not ours.total.exact:
            return rounding
        # A percentage goes with its total: what explains the one explains the other.
        share = Fraction(entry.total) * self.ratio / ours.total.exact
        return of_total if _nearest(theirs, ours.percentage.exact * share, places) else None

    def _line_code(
        self, theirs: Fraction, exact: Fraction, slot: Slot, direction: Direction
    ) -> DifferenceCode | None:
        results = self.results[_board(slot, direction)]
        expected = self.expected[slot.session, slot.section]
        if self.matchpoints and results < expected:
            unit = self.imported.line_unit / self.ratio
            if neuberg(theirs * unit, results, expected) == exact * unit:
                return DifferenceCode.LINE_RAW_ON_SHORT_BOARD
        return _by_rounding(theirs / self.ratio, exact / self.ratio, self.line_places) or self._noted(slot)

    def _noted(self, slot: Slot) -> DifferenceCode | None:
        """Find a note on the slot, or on what it is part of: session, section, round or table."""
        parts = str(slot).split("/")
        for length in range(len(parts), 0, -1):
            for note in self.notes.get("/".join(parts[:length]), ()):
                if note.kind in _OF_NOTE:
                    return _OF_NOTE[note.kind]
        return None

    def _own_lines(self) -> Mapping[ContestantId, Fraction]:
        sums: defaultdict[ContestantId, Fraction] = defaultdict(Fraction)
        for line in self.imported.published_lines:
            contestant = self.seated.get(line.slot, {}).get(line.direction)
            if contestant is not None:
                sums[contestant] += Fraction(line.points)
        return sums

    def _before_rulings(self) -> bool:
        """Tell whether all published totals are whole and add up to the tops of all lines, awards or not."""
        unit = self.imported.line_unit
        texts = [entry.total for entry in self.imported.published_totals]
        slots = {line.slot for line in self.imported.published_lines}
        awarded = any(isinstance(record, Award) for record in self.imported.records)
        if not awarded or not slots or None in texts:
            return False
        values = [Fraction(text) * unit for text in texts if text is not None]
        tops = sum(top(self.expected[slot.session, slot.section]) for slot in slots)
        return all(value.denominator == 1 for value in values) and sum(values) == tops

    def _reach(self) -> Mapping[ContestantId, Fraction]:
        """How far rulings can have moved a total: a top for one's own, 2 for one on a board one played."""
        reach: defaultdict[ContestantId, Fraction] = defaultdict(Fraction)
        played: defaultdict[tuple[str, str, int], set[ContestantId]] = defaultdict(set)
        for slot, sides in self.seated.items():
            played[slot.session, slot.section, slot.board] |= set(sides.values())
        for record in self.imported.records:
            for change in record.changes if isinstance(record, Award) else ():
                slot = change.slot
                own = set(self.seated.get(slot, {}).values())
                for contestant in played[slot.session, slot.section, slot.board]:
                    moved = (
                        top(self.expected.get((slot.session, slot.section), 1)) if contestant in own else 2
                    )
                    reach[contestant] += moved / self.imported.line_unit
        return reach


def _seated(imported: Imported) -> dict[Slot, dict[Direction, ContestantId]]:
    seated: dict[Slot, dict[Direction, ContestantId]] = {}
    for record in imported.records:
        if isinstance(record, MovementSet) and isinstance(record.movement, ExplicitMovement):
            for placement in record.movement.placements:
                sides = {Direction.NS: placement.ns, Direction.EW: placement.ew}
                present = {side: contestant for side, contestant in sides.items() if contestant is not None}
                for board in placement.boards:
                    slot = Slot(record.session, record.section, placement.round, placement.table, board)
                    seated[slot] = present
    return seated


def _board(slot: Slot, direction: Direction) -> tuple[str, str, int, Direction]:
    return slot.session, slot.section, slot.board, direction


def _places(text: str) -> int:
    return len(text.partition(".")[2])


def _nearest(published: Fraction, exact: Fraction, places: int) -> bool:
    """Tell whether a figure is a right rounding of another; a half may go either way."""
    return abs(published - exact) <= Fraction(1, 2 * 10**places)


def _by_rounding(published: Fraction, exact: Fraction, places: int) -> DifferenceCode | None:
    if _nearest(published, exact, places):
        return DifferenceCode.FEWER_PLACES
    if published == Fraction(floor(exact * 10**places), 10**places):
        return DifferenceCode.ROUNDED_DOWN
    return None


def _text(value: Fraction) -> str:
    """Write a figure with at least the places that it needs, at most four."""
    places = next((places for places in range(4) if (value * 10**places).denominator == 1), 4)
    return decimal_text(value, places)
