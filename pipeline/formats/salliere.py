"""The board file of `salliere` (Debian package): one comma-separated line per result.

`board, NS pair, EW pair, contract, declarer, tricks, NS score, EW score, NS points, EW points`, the first
three needed. A board is `[section:]number[;vul=none|ns|ew|all]`; a contract may carry its result ("4S=",
"3NTx-1") and is "P" or "P.O." when passed out. Scores are each side's own (the loser's is 0); an exclamation
mark before a value makes it stand against what follows from the contract; "av+", "av=" and "av-" are
artificial scores.

The file knows no rounds or tables: all is told as round 1, with a table for every North-South pair in order
of appearance, and every line says who sat there. Files of 270,000 lines are common in benches, so what
repeats is one object, looked up by the words it came in.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from typing import Final, cast

from pipeline.formats.imported import BadFile, Imported, Note, NoteKind, PublishedLine
from pipeline.formats.in_bulk import result_of, slot_of
from pipeline.formats.notation import artificial, decoded, event_of, in_number_order, name_of
from pipeline.formats.salliere_lines import FORCED, Outcome, SideAward, Words, outcome
from pipeline.rules.board_conditions import vulnerability
from schemas.codec import AnyRecord
from schemas.control import ConditionsPublished, ContestantEntered, EventDescribed, PlayEnded, SessionPlan
from schemas.corrections import Award, BoardForms, Form
from schemas.record import Role, Slot, SlotChange
from schemas.results import Subject
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    EventId,
    Identity,
    RecordId,
    SectionId,
    SessionId,
    SourceId,
    Vulnerability,
)

SOURCE: Final = SourceId("salliere")
SESSION: Final = SessionId("1")
_BOARD: Final = re.compile(
    r"\s*(?:([^:;,]+):)?\s*(\d{1,9})\s*(?:;\s*vul\s*=\s*(none|ns|ew|all)\s*)?", re.IGNORECASE
)
_PAIR_NUMBER: Final = re.compile(r"[1-9][0-9]{0,4}")
_POINTS: Final = re.compile(r"!?[-+]?\d{1,9}(?:\.\d{0,9})?")
_VULNERABILITIES: Final = {
    "none": Vulnerability.NONE,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
    "all": Vulnerability.BOTH,
}
_MOST_IN_A_FORM: Final = 2000
_LEAST: Final = 3
_WORDS: Final = 5
"""Board and two pairs are needed, five words make a result, points may follow."""
_MOST_TABLES: Final = 99_999


@dataclass(slots=True)
class _Board:
    """A board as its first column has it; `marked` is a vulnerability other than the one Law 2 gives it."""

    section: SectionId
    number: BoardNumber
    vulnerability: Vulnerability
    marked: bool
    outcomes: dict[tuple[str, ...], Outcome]
    """What words mean at this vulnerability, shared by all boards that have it."""
    slots: list[Slot] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    event: EventId
    boards: dict[str, _Board] = field(default_factory=dict)
    outcomes: dict[Vulnerability, dict[tuple[str, ...], Outcome]] = field(default_factory=dict)
    pairs: dict[str, ContestantId] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    entries: list[ContestantEntered] = field(default_factory=list)
    results: list[AnyRecord] = field(default_factory=list)
    rulings: list[AnyRecord] = field(default_factory=list)
    forced: list[tuple[RecordId, _Board, Slot, str, str]] = field(default_factory=list)
    lines: list[PublishedLine] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def read_salliere(data: bytes) -> Imported:
    """Read a board file.

    Raises BadFile, naming the line, for a line without board and pairs or with a value that cannot be.
    """
    reading = _Reading(EventId(event_of("salliere", data)))
    try:
        _read(reading, csv.reader(io.StringIO(decoded(data), newline="")))
    except csv.Error as error:
        raise BadFile("salliere", "file", str(error), "comma-separated values") from error
    if not reading.results:
        rule = "at least one line with board, NS pair and EW pair"
        raise BadFile("salliere", "file", f"{len(data)} bytes", rule)
    sections = tuple(dict.fromkeys(board.section for board in reading.boards.values()))
    settings = {"confirm.by": "not-asked"}
    return Imported(
        event=reading.event,
        title="Boards",
        records=(
            EventDescribed(
                event=reading.event,
                id=RecordId("event"),
                source=SOURCE,
                role=Role.IMPORTER,
                title="Boards",
                sessions=(SessionPlan(id=SESSION, sections=sections),),
            ),
            ConditionsPublished(
                event=reading.event,
                id=RecordId("conditions"),
                source=SOURCE,
                role=Role.IMPORTER,
                preset="salliere",
                settings=settings,
            ),
            *sorted(reading.entries, key=lambda entered: in_number_order(entered.contestant)),
            *reading.results,
            *reading.rulings,
            *_given_points(reading),
            *_forms(reading),
            PlayEnded(
                event=reading.event,
                id=RecordId("play-ended"),
                source=SOURCE,
                role=Role.IMPORTER,
                session=SESSION,
            ),
        ),
        suggested_preset="salliere",
        suggested_settings=settings,
        published_lines=tuple(reading.lines),
        line_unit=Fraction(1),
        notes=tuple(reading.notes),
    )


def _read(reading: _Reading, rows: Iterator[list[str]]) -> None:
    """One pass over the lines; what repeats (boards, pairs, results) is looked up and not read again."""
    boards, tables, pairs = reading.boards, reading.tables, reading.pairs
    event, results = reading.event, reading.results
    ids = cast("Iterator[RecordId]", map(str, count(1)))
    for record_id, row in zip(ids, rows, strict=False):
        if len(row) < _LEAST:
            if not any(row):
                continue
            raise BadFile("salliere", f"line {record_id}", ",".join(row)[:80], "board, NS pair, EW pair")
        label, ns_pair, ew_pair, *words = row
        board = boards.get(label) or _new_board(reading, label, record_id)
        ns = pairs.get(ns_pair) or _new_pair(reading, ns_pair, board.section, record_id)
        ew = pairs.get(ew_pair) or _new_pair(reading, ew_pair, board.section, record_id)
        if ns is ew:
            raise BadFile("salliere", f"line {record_id}", f"pair {ns_pair}", "a pair meets another pair")
        table = tables.get(ns_pair) or _new_table(reading, ns_pair, record_id)
        slot = slot_of(SESSION, board.section, 1, table, board.number)
        board.slots.append(slot)
        key = tuple(words[:_WORDS])
        told = board.outcomes.get(key)
        if told is None:
            told = board.outcomes[key] = outcome(Words(*key), board.vulnerability, f"line {record_id}")
        results.append(result_of(event, SOURCE, record_id, slot, told.result, ns, ew))
        if told.awards is not None:
            reading.rulings.append(_award(reading, record_id, slot, *told.awards))
        if told.contradiction is not None:
            reading.notes.append(Note(NoteKind.SCORE_CONTRADICTS_CONTRACT, str(slot), told.contradiction))
        if len(words) > _WORDS:
            _points(reading, words[_WORDS:], record_id, board, slot)
    for label, board in boards.items():
        if len({slot.table for slot in board.slots}) < len(board.slots):
            ((twice, _),) = Counter(slot.table for slot in board.slots).most_common(1)
            pair = next(text for text, table in tables.items() if table == twice)
            raise BadFile("salliere", f"board {label}", f"pair {pair}", "a pair plays a board once")


def _new_board(reading: _Reading, label: str, line: str) -> _Board:
    found = _BOARD.fullmatch(label)
    if found is None or not 1 <= int(found[2]) <= 9_999:
        raise BadFile("salliere", f"line {line}, board", label[:80], "[section:]number[;vul=none|ns|ew|all]")
    board = BoardNumber(int(found[2]))
    by_law = vulnerability(board)
    marked = _VULNERABILITIES[found[3].lower()] if found[3] else by_law
    section = SectionId(name_of(found[1]) if found[1] else "A")
    outcomes = reading.outcomes.setdefault(marked, {})
    return reading.boards.setdefault(label, _Board(section, board, marked, marked is not by_law, outcomes))


def _new_pair(reading: _Reading, text: str, section: SectionId, line: str) -> ContestantId:
    word = text.strip()
    if not word:
        raise BadFile("salliere", f"line {line}", text, "a line has board, NS pair and EW pair")
    contestant = reading.pairs[text] = ContestantId(name_of(word))
    entered = ContestantEntered(
        event=reading.event,
        id=RecordId(f"contestant-{contestant}"),
        source=SOURCE,
        role=Role.IMPORTER,
        contestant=contestant,
        section=section,
        number=int(word) if _PAIR_NUMBER.fullmatch(word) else None,
    )
    reading.entries.append(entered)
    return contestant


def _new_table(reading: _Reading, ns_pair: str, line: str) -> int:
    table = reading.tables[ns_pair] = len(reading.tables) + 1
    if table > _MOST_TABLES:
        raise BadFile("salliere", f"line {line}", ns_pair, f"at most {_MOST_TABLES} pairs sit North-South")
    return table


def _points(reading: _Reading, points: list[str], line: RecordId, board: _Board, slot: Slot) -> None:
    ns, ew = points[0].strip(), points[1].strip() if len(points) > 1 else ""
    for side, printed in ((Direction.NS, ns), (Direction.EW, ew)):
        if printed:
            if not _POINTS.fullmatch(printed):
                raise BadFile("salliere", f"line {line}", printed[:80], "points are a decimal number")
            reading.lines.append(PublishedLine(slot, side, printed.removeprefix(FORCED)))
    if ns.startswith(FORCED) or ew.startswith(FORCED):
        reading.forced.append((line, board, slot, ns.removeprefix(FORCED), ew.removeprefix(FORCED)))


def _award(reading: _Reading, line: RecordId, slot: Slot, ns: SideAward, ew: SideAward) -> Award:
    return Award(
        event=reading.event,
        id=RecordId(f"{line}.award"),
        source=SOURCE,
        role=Role.IMPORTER,
        subject=Subject.RULING,
        changes=(SlotChange(slot, Identity(f"{SOURCE}/{line}")),),
        ns_award=ns,
        ew_award=ew,
    )


def _given_points(reading: _Reading) -> Iterator[AnyRecord]:
    """Match points marked to stand, as shares of the top that the board has."""
    ruled = {
        str(change.slot)
        for ruling in reading.rulings
        if isinstance(ruling, Award)
        for change in ruling.changes
    }
    for line, board, slot, ns, ew in reading.forced:
        top = 2 * (len(board.slots) - 1)
        if not ns or not ew or not top or str(slot) in ruled:
            reading.notes.append(Note(NoteKind.UNKNOWN_ELEMENT, str(slot), f"points set by hand: {ns or ew}"))
            continue
        shares = (artificial(100 * Fraction(points) / top) for points in (ns, ew))
        yield _award(reading, line, slot, *shares)


def _forms(reading: _Reading) -> Iterator[BoardForms]:
    """Boards marked with another vulnerability than their number has."""
    for label, board in reading.boards.items():
        if not board.marked:
            continue
        slots = tuple(board.slots)
        if len(slots) > _MOST_IN_A_FORM:
            rule = f"at most {_MOST_IN_A_FORM} results of a board with a vulnerability of its own"
            raise BadFile("salliere", f"board {label}", f"{len(slots)} results", rule)
        yield BoardForms(
            event=reading.event,
            id=RecordId(f"form-{name_of(label)}"),
            source=SOURCE,
            role=Role.IMPORTER,
            subject=Subject.RULING,
            session=SESSION,
            board=board.number,
            forms=(Form(f"{board.section}-vul-{board.vulnerability}", slots, board.vulnerability),),
        )
