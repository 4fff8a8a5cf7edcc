"""Pairs events in PBN: ScoreTable and TotalScoreTable sections."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pipeline.formats.imported import BadFile, Note, NoteKind, PublishedLine, PublishedTotal
from pipeline.formats.notation import BadNotation, artificial, in_number_order, is_pass, name_of, whole_number
from pipeline.formats.pbn_result import Said, outcome, whole_score
from pipeline.formats.pbn_tags import Game
from pipeline.formats.pbn_teams import NOT_PLAYED, SESSION, SOURCE
from schemas.codec import AnyRecord
from schemas.control import ContestantEntered
from schemas.corrections import Award
from schemas.record import Role, Slot, SlotChange
from schemas.results import BoardResult, Subject
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    EventId,
    Identity,
    PersonId,
    Points,
    RecordId,
    SectionId,
)

SCORES: Final = "ScoreTable"
TOTALS: Final = "TotalScoreTable"
_POINTS: Final = ("MP", "IMP")
_ARTIFICIAL: Final = "^"
_PAIR_NUMBER: Final = re.compile(r"[1-9][0-9]{0,4}")


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a ScoreTable with its place in the event."""

    line: int
    values: Mapping[str, str]
    slot: Slot

    @property
    def place(self) -> str:
        return f"line {self.line}"

    def value(self, column: str) -> str:
        return self.values.get(column, "").removeprefix(_ARTIFICIAL)

    @property
    def artificial(self) -> bool:
        return any(value.startswith(_ARTIFICIAL) for value in self.values.values())


class Pairs:
    """The lines of all boards as records, with what was printed and noticed."""

    def __init__(self, games: Sequence[Game], event: EventId) -> None:
        self.event = event
        self.notes: list[Note] = []
        self.lines: list[PublishedLine] = []
        self.totals: list[PublishedTotal] = []
        self.records: list[AnyRecord] = []
        self.people: dict[PersonId, str] = {}
        rows = [row for game in games if game.tag("Board") or SCORES in game.sections for row in _rows(game)]
        self.sections = tuple(dict.fromkeys(row.slot.section for row in rows))
        self.two_fields = _two_fields(rows)
        results: list[AnyRecord] = [record for row in rows for record in self._told(row)]
        for game in games:
            self._totals(game)
        self.records += self._entries(rows)
        self.records += results
        self.line_unit = _line_unit(rows)

    def _told(self, row: _Row) -> Iterator[AnyRecord]:
        slot = row.slot
        said = Said(row.place, row.value("Contract"), row.value("Declarer"), row.value("Result"), _score(row))
        result = outcome(said, slot, self.notes)
        multiplicity = row.values.get("Multiplicity") or "1"
        if multiplicity != "1":
            self._note(NoteKind.UNKNOWN_ELEMENT, slot, f"Multiplicity {multiplicity}")
        if result is None and not row.artificial:
            self._note(NoteKind.NOT_PLAYED, slot, "neither contract nor score")
        record = BoardResult(
            event=self.event,
            id=_record_id(slot),
            source=SOURCE,
            role=Role.IMPORTER,
            slot=slot,
            # An award says nothing of who sat there; in a section without a movement the table has to.
            result=NOT_PLAYED if result is None else result,
            ns=self._pair(row, Direction.NS),
            ew=self._pair(row, Direction.EW),
        )
        yield record
        if row.artificial:
            yield from self._award(row, record.identity)
        for side in Direction:
            points = next(
                (row.value(f"{unit}_{side}") for unit in _POINTS if row.value(f"{unit}_{side}")), ""
            )
            if points:
                self.lines.append(PublishedLine(slot, side, points))

    def _award(self, row: _Row, standing: Identity) -> Iterator[Award]:
        percent = _shares(row)
        if percent is None:
            self._note(NoteKind.UNKNOWN_ELEMENT, row.slot, "an artificial score that names no share")
            return
        ns, ew = percent
        yield Award(
            event=self.event,
            id=RecordId(f"award-{_record_id(row.slot)}"),
            source=SOURCE,
            role=Role.IMPORTER,
            subject=Subject.RULING,
            changes=(SlotChange(row.slot, standing),),
            ns_award=artificial(ns),
            ew_award=artificial(ew),
        )

    def _pair(self, row: _Row, side: Direction) -> ContestantId | None:
        return self._contestant(row.slot.section, row.value(f"PairId_{side}"), side)

    def _contestant(self, section: SectionId, pair: str, side: Direction) -> ContestantId | None:
        direction = side.value if section in self.two_fields else ""
        return ContestantId(name_of(f"{section}{pair}{direction}")) if pair else None

    def _entries(self, rows: Sequence[_Row]) -> Iterator[ContestantEntered]:
        entered: dict[ContestantId, tuple[str, SectionId, Direction, str]] = {}
        for row in rows:
            for side in Direction:
                contestant = self._pair(row, side)
                if contestant is not None:
                    told = (row.value(f"PairId_{side}"), row.slot.section, side, row.value(f"Names_{side}"))
                    entered.setdefault(contestant, told)
        ordered = sorted(entered.items(), key=lambda entry: (in_number_order(entry[1][0]), entry[0]))
        for contestant, (pair, section, side, name) in ordered:
            person = PersonId(contestant)
            if name:
                self.people.setdefault(person, name)
            yield ContestantEntered(
                event=self.event,
                id=RecordId(f"contestant-{contestant}"),
                source=SOURCE,
                role=Role.IMPORTER,
                contestant=contestant,
                section=section,
                number=int(pair)
                if pair.isascii() and pair.isdigit() and 0 < int(pair[:9]) <= 99_999
                else None,
                direction=side if section in self.two_fields else None,
                # Both names of a pair stand in one column, so they are kept as one person's.
                players=(person,) if person in self.people else (),
            )

    def _totals(self, game: Game) -> None:
        for line, values in game.table(TOTALS):
            pair = values.get("PairId", "")
            section = SectionId(name_of(values["Section"])) if values.get("Section") else self.sections[0]
            side = values.get("Direction", "").upper()
            if not pair or (section in self.two_fields and side not in {"NS", "EW"}):
                place = f"line {line}"
                self.notes.append(Note(NoteKind.UNKNOWN_ELEMENT, place, f"{TOTALS}: which pair {pair} is"))
                continue
            contestant = self._contestant(section, pair, Direction.EW if side == "EW" else Direction.NS)
            names = values.get("Names", "")
            if contestant is None:
                continue
            if names:
                self.people[PersonId(contestant)] = names
            total = next(
                (values[name] for name in ("TotalMP", "TotalIMP", "TotalScore") if values.get(name)), None
            )
            rank = values.get("Rank", "").rstrip("=.")
            self.totals.append(
                PublishedTotal(
                    contestant,
                    total,
                    values.get("TotalPercentage") or None,
                    int(rank[:9]) if rank.isascii() and rank.isdigit() else None,
                )
            )

    def _note(self, kind: NoteKind, slot: Slot, value: str) -> None:
        self.notes.append(Note(kind, str(slot), value))


def _rows(game: Game) -> Iterator[_Row]:
    if not game.sections.get(SCORES):
        return
    board = BoardNumber(_whole(game.tag("Board"), 9_999, game.place("Board")))
    taken: set[Slot] = set()
    in_section: Counter[str] = Counter()
    for line, values in game.table(SCORES):
        section = values.get("Section") or game.tag("Section") or "A"
        in_section[section] += 1
        place = f"line {line}"
        table = values.get("Table") or str(in_section[section])
        round_number = values.get("Round") or game.tag("Round") or "1"
        slot = Slot(
            session=SESSION,
            section=SectionId(name_of(section)),
            round=_whole(round_number, 999, place),
            table=_whole(table, 99_999, place),
            board=board,
        )
        if slot in taken:
            raise BadFile("pbn", place, str(slot), "a table plays a board once")
        taken.add(slot)
        yield _Row(line, values, slot)


def _two_fields(rows: Sequence[_Row]) -> frozenset[SectionId]:
    """The sections where one number sits both ways on a board: NS 3 and EW 3 are different pairs."""
    sitting: dict[tuple[SectionId, BoardNumber], dict[Direction, set[str]]] = defaultdict(
        lambda: {side: set() for side in Direction}
    )
    for row in rows:
        for side, pairs in sitting[row.slot.section, row.slot.board].items():
            pairs.add(row.value(f"PairId_{side}"))
    return frozenset(
        section
        for (section, _), pairs in sitting.items()
        if (pairs[Direction.NS] & pairs[Direction.EW]) - {""}
    )


def _score(row: _Row) -> Points | None:
    if is_pass(row.value("Contract")):
        return None
    ns, ew = row.value("Score_NS"), row.value("Score_EW")
    if ns:
        return whole_score(ns, row.place)
    return Points(-whole_score(ew, row.place)) if ew else None


def _shares(row: _Row) -> tuple[Fraction, Fraction] | None:
    """Both sides' percentages of an artificial score; points are shares of what the two got together."""
    for column, whole in (("Percentage", Fraction(100)), ("MP", None)):
        ns, ew = (_fraction(row.value(f"{column}_{side}"), row.place) for side in Direction)
        if ns is not None and ew is not None and (whole or ns + ew):
            between = whole or ns + ew
            return 100 * ns / between, 100 * ew / between
    return None


def _line_unit(rows: Sequence[_Row]) -> Fraction:
    """2 where most lines add up to one match point per other result (half match points), or else 1."""
    results = Counter((row.slot.section, row.slot.board) for row in rows)
    halves: Counter[bool] = Counter()
    for row in rows:
        ns, ew = (_fraction(row.value(f"MP_{side}"), row.place) for side in Direction)
        others = results[row.slot.section, row.slot.board] - 1
        if ns is not None and ew is not None and ns + ew in {others, 2 * others}:
            halves[ns + ew == others] += 1
    return Fraction(2) if halves[True] > halves[False] else Fraction(1)


def _fraction(text: str, place: str) -> Fraction | None:
    if not text:
        return None
    try:
        return Fraction(text[:40])
    except (ValueError, ZeroDivisionError) as error:
        raise BadFile("pbn", place, text[:80], "points are a decimal number") from error


def _whole(text: str, most: int, place: str) -> int:
    try:
        return whole_number(text, 1, most)
    except BadNotation as bad:
        raise BadFile("pbn", place, bad.value, bad.rule) from bad


def _record_id(slot: Slot) -> RecordId:
    return RecordId(f"r{slot.round}.{slot.section}.t{slot.table}.b{slot.board}")
