"""ACBL club results as JSON: a pairs game with its printed half match points, totals and percentages.

Measured on a real game: every line is the 1-1/2-0 count of its board; every total is the sum of a pair's
lines, factored up to all boards of the section and rounded half up to a hundredth; every percentage is that
of the *rounded* total. Three percentages of 25 are another when taken from the exact total.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from pipeline.formats.acbl_lines import Awarded, Fields, decimal, number, outcome, words
from pipeline.formats.imported import BadFile, Imported, Note, NoteKind, PublishedLine, PublishedTotal
from pipeline.formats.notation import event_of, name_of
from schemas.codec import AnyRecord
from schemas.control import ConditionsPublished, ContestantEntered, EventDescribed, PlayEnded, SessionPlan
from schemas.corrections import Award, Penalty, PenaltyKind, PenaltyUnit
from schemas.deal import NotPlayed
from schemas.record import Role, Slot, SlotChange
from schemas.results import BoardResult, Subject
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    EventId,
    PersonId,
    RecordId,
    SectionId,
    SessionId,
    SourceId,
)

SOURCE: Final = SourceId("acbl")
_METHODS: Final = ("MATCH_POINTS", "MATCHPOINTS", "")
_LEAD: Final = re.compile(r"[CDHS](10|[2-9TJQKA])")
_TWO_WINNERS: Final = "2"


@dataclass(slots=True)
class _Reading:
    event: EventId
    two_fields: bool
    entries: dict[ContestantId, ContestantEntered] = field(default_factory=dict)
    results: list[AnyRecord] = field(default_factory=list)
    penalties: list[AnyRecord] = field(default_factory=list)
    plans: list[SessionPlan] = field(default_factory=list)
    people: dict[PersonId, str] = field(default_factory=dict)
    lines: list[PublishedLine] = field(default_factory=list)
    totals: list[PublishedTotal] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    numbers: int = 0

    def contestant(self, section: SectionId, pair: str, side: Direction) -> ContestantId:
        return ContestantId(name_of(f"{section}{pair}{side if self.two_fields else ''}"))


def read_acbl(data: bytes) -> Imported:
    """Read a club game.

    Raises BadFile for what is no JSON or no pairs game, and for a value that cannot be, with its path.
    """
    game = _game(data)
    named = words(game, "id")
    title = words(game, "name") or "ACBL club game"
    reading = _Reading(
        EventId(name_of(f"acbl-{named}") if named else event_of("acbl", data)),
        two_fields=words(game, "winner_type") == _TWO_WINNERS,
    )
    for index, session in enumerate(_each(game, "sessions", "game")):
        _session(reading, session, index + 1)
    if not reading.plans:
        raise BadFile("acbl", "sessions", "none", "a game has at least one session")
    if reading.numbers:
        reading.notes.append(
            Note(NoteKind.NOT_CARRIED, "players, id_number", f"{reading.numbers} member numbers")
        )
    settings = {
        "rank.winners": "per-direction" if reading.two_fields else "one",
        "confirm.by": "not-asked",
    }
    records: tuple[AnyRecord, ...] = (
        EventDescribed(
            event=reading.event,
            id=RecordId("event"),
            source=SOURCE,
            role=Role.IMPORTER,
            title=title[:500],
            sessions=tuple(reading.plans),
        ),
        ConditionsPublished(
            event=reading.event,
            id=RecordId("conditions"),
            source=SOURCE,
            role=Role.IMPORTER,
            preset="acbl",
            settings=settings,
        ),
        *reading.entries.values(),
        *reading.results,
        *reading.penalties,
        *(_ended(reading.event, plan.id) for plan in reading.plans),
    )
    return Imported(
        event=reading.event,
        title=title,
        records=records,
        people=reading.people,
        suggested_preset="acbl",
        suggested_settings=settings,
        published_lines=tuple(reading.lines),
        published_totals=tuple(reading.totals),
        line_unit=Fraction(2),
        notes=tuple(reading.notes),
    )


def _game(data: bytes) -> Fields:
    try:
        game = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadFile("acbl", "file", f"{type(error).__name__}: {error}"[:200], "JSON in UTF-8") from error
    if not isinstance(game, dict) or "sessions" not in game:
        raise BadFile("acbl", "file", str(type(game).__name__), "an object with sessions")
    kind = words(game, "type").upper()
    if kind not in {"PAIRS", ""}:
        raise BadFile("acbl", "type", kind, "PAIRS: teams and individual games are not read")
    method = words(game, "board_scoring_method").upper()
    if method not in _METHODS:
        raise BadFile("acbl", "board_scoring_method", method, "MATCH_POINTS")
    return game


def _session(reading: _Reading, session: Fields, index: int) -> None:
    session_id = SessionId(name_of(words(session, "number") or str(index)))
    place = f"session {session_id}"
    sections = []
    for section in _each(session, "sections", place):
        section_id = SectionId(name_of(words(section, "name") or "A"))
        sections.append(section_id)
        _section(reading, section, session_id, section_id)
    if session.get("hand_records"):
        reading.notes.append(Note(NoteKind.NOT_CARRIED, f"{place}, hand_records", "deals"))
    reading.plans.append(SessionPlan(id=session_id, sections=tuple(sections)))


def _section(reading: _Reading, section: Fields, session: SessionId, name: SectionId) -> None:
    place = f"session {session}, section {name}"
    for summary in _each(section, "pair_summaries", place):
        _summary(reading, summary, session, name, place)
    taken: set[Slot] = set()
    tables: dict[int, int] = defaultdict(int)
    for board in _each(section, "boards", place):
        label = number(board, "board_number", place, 9_999)
        for line in _each(board, "board_results", f"{place}, board {label}"):
            tables[label] += 1
            where = f"{place}, board {label}, result {tables[label]}"
            slot = Slot(
                session=session,
                section=name,
                round=number(line, "round_number", where, 999) if words(line, "round_number") else 1,
                table=number(line, "table_number", where, 99_999)
                if words(line, "table_number")
                else tables[label],
                board=BoardNumber(label),
            )
            if slot in taken:
                raise BadFile("acbl", where, str(slot), "a table plays a board once in a round")
            taken.add(slot)
            _line(reading, line, slot, where)


def _line(reading: _Reading, line: Fields, slot: Slot, where: str) -> None:
    pairs = {}
    for side in Direction:
        pair = words(line, f"{side.lower()}_pair")
        if not pair:
            raise BadFile("acbl", f"{where}, {side.lower()}_pair", pair, "a pair's number")
        pairs[side] = reading.contestant(slot.section, pair, side)
        _enter(reading, pairs[side], slot.section, pair, side)
    result = outcome(line, slot, where, reading.notes)
    lead = words(line, "opening_lead").upper() or None
    if lead and not _LEAD.fullmatch(lead):
        reading.notes.append(Note(NoteKind.NOT_CARRIED, str(slot), f"lead {lead}"))
        lead = None
    record = BoardResult(
        event=reading.event,
        id=RecordId(f"{slot.session}.{slot.section}.r{slot.round}.t{slot.table}.b{slot.board}"),
        source=SOURCE,
        role=Role.IMPORTER,
        slot=slot,
        # An award says nothing of who sat there; in a section without a movement the table has to.
        result=NotPlayed() if isinstance(result, Awarded) else result,
        ns=pairs[Direction.NS],
        ew=pairs[Direction.EW],
        lead=lead,
    )
    reading.results.append(record)
    if isinstance(result, Awarded):
        reading.results.append(
            Award(
                event=reading.event,
                id=RecordId(f"{record.id}.award"),
                source=SOURCE,
                role=Role.IMPORTER,
                subject=Subject.RULING,
                changes=(SlotChange(slot, record.identity),),
                ns_award=result.ns,
                ew_award=result.ew,
            )
        )
    for side in Direction:
        if decimal(line, f"{side.lower()}_match_points", where) is not None:
            points = words(line, f"{side.lower()}_match_points")
            reading.lines.append(PublishedLine(slot, side, points))


def _summary(reading: _Reading, summary: Fields, session: SessionId, section: SectionId, place: str) -> None:
    pair = words(summary, "pair_number")
    side_word = words(summary, "direction").upper()
    if not pair or (reading.two_fields and side_word not in {"NS", "EW"}):
        raise BadFile(
            "acbl", f"{place}, pair_summaries", f"{pair} {side_word}", "a pair's number and direction"
        )
    side = Direction.EW if side_word == "EW" else Direction.NS
    contestant = reading.contestant(section, pair, side)
    where = f"{place}, pair {contestant}"
    people = []
    for index, player in enumerate(_each(summary, "players", where), start=1):
        person = PersonId(f"{contestant}-{index}")
        people.append(person)
        reading.people[person] = words(player, "name") or f"player {index}"
        # A number may be a name for somebody who has none; 0 is nobody's.
        reading.numbers += words(player, "id_number").strip("0") != ""
    strat = words(summary, "strat") or None
    handicap = decimal(summary, "handicap", where)
    _enter(reading, contestant, section, pair, side, tuple(people), strat, handicap)
    total, percentage = words(summary, "score") or None, words(summary, "percentage") or None
    decimal(summary, "score", where)
    decimal(summary, "percentage", where)
    if total or percentage:
        reading.totals.append(PublishedTotal(contestant, total, percentage))
    adjustment = decimal(summary, "adjustment", where)
    if adjustment:
        reading.penalties.append(
            Penalty(
                event=reading.event,
                id=RecordId(f"{session}.{contestant}.adjustment"),
                source=SOURCE,
                role=Role.IMPORTER,
                subject=Subject.RULING,
                contestant=contestant,
                session=session,
                # The file adds what a penalty takes off.
                amount=-adjustment,
                unit=PenaltyUnit.POINTS,
                penalty_kind=PenaltyKind.PROCEDURAL,
            )
        )


def _enter(
    reading: _Reading,
    contestant: ContestantId,
    section: SectionId,
    pair: str,
    side: Direction,
    players: tuple[PersonId, ...] = (),
    stratum: str | None = None,
    handicap: Fraction | None = None,
) -> None:
    if contestant in reading.entries:
        return
    reading.entries[contestant] = ContestantEntered(
        event=reading.event,
        id=RecordId(f"contestant-{contestant}"),
        source=SOURCE,
        role=Role.IMPORTER,
        contestant=contestant,
        section=section,
        number=int(pair) if pair.isascii() and pair.isdigit() and 0 < int(pair[:9]) <= 99_999 else None,
        direction=side if reading.two_fields else None,
        players=players,
        stratum=stratum,
        handicap=handicap,
    )


def _ended(event: EventId, session: SessionId) -> PlayEnded:
    return PlayEnded(
        event=event,
        id=RecordId(f"play-ended-{session}"),
        source=SOURCE,
        role=Role.IMPORTER,
        session=session,
    )


def _each(parent: Fields, name: str, place: str) -> Iterator[Fields]:
    """The objects under a name: some writers put a single one there without its list, some leave it out."""
    found: Any = parent.get(name)
    children = found if isinstance(found, list) else [] if found is None else [found]
    for index, child in enumerate(children, start=1):
        if not isinstance(child, Mapping):
            raise BadFile("acbl", f"{place}, {name} {index}", repr(child)[:80], "an object")
        yield child
