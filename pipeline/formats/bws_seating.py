"""Who plays in a Bridgemate file: sections, movement, contestants and names from rows of its tables."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pipeline.formats.imported import BadFile, Note, NoteKind
from pipeline.formats.notation import SEATS, BadNotation, name_of, whole_number
from schemas.control import ContestantEntered, ExplicitMovement, MovementSet, Placement
from schemas.record import Role
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    EventId,
    PersonId,
    RecordId,
    Seat,
    SectionId,
    SessionId,
    SourceId,
)

Row = Mapping[str, Any]
SOURCE: Final = SourceId("bws")
_RANGE: Final = re.compile(r"(\d{1,4})(?:\s*-\s*(\d{1,4}))?")
_TWO_WINNERS: Final = 2


def number(row: Row, column: str, place: str, low: int, high: int) -> int:
    """A whole number of a row; an absent value is 0.

    Raises BadFile.
    """
    value = row.get(column)
    try:
        return whole_number(0 if value is None else value, low, high)
    except BadNotation as bad:
        raise BadFile("bws", f"{place}, {column}", bad.value, bad.rule) from bad


def text(row: Row, column: str) -> str:
    """A text of a row without the padding; an absent value is empty."""
    value = row.get(column)
    return "" if value is None else str(value).strip()


@dataclass(slots=True)
class Section:
    """A section: its movement, and who its pair numbers stand for.

    In a section of two fields NS 3 and EW 3 are different pairs.
    """

    id: SectionId
    session: SessionId
    winners: int
    two_fields: bool = False
    placements: list[Placement] = field(default_factory=list)
    seated: dict[ContestantId, tuple[int, set[Direction]]] = field(default_factory=dict)
    people: dict[ContestantId, dict[Seat, PersonId]] = field(default_factory=dict)

    def contestant(self, pair: int, direction: Direction) -> ContestantId | None:
        """The pair of this number; number 0 is nobody."""
        if pair == 0:
            return None
        known = ContestantId(f"{self.id}{pair}{direction if self.two_fields else ''}")
        self.seated.setdefault(known, (pair, set()))[1].add(direction)
        return known


@dataclass(slots=True)
class Seating:
    """All sections by their number in the file, names by person, and what was noticed."""

    sections: dict[int, Section]
    people: dict[PersonId, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def section(self, row: Row, place: str) -> Section:
        """The section of a row.

        Raises BadFile for one that the file does not have.
        """
        key = number(row, "Section", place, 0, 99_999)
        if key not in self.sections:
            raise BadFile("bws", f"{place}, Section", str(key), "no such section in the table Section")
        return self.sections[key]

    @property
    def per_direction(self) -> bool:
        """Tell whether North-South and East-West are ranked apart."""
        return any(section.winners == _TWO_WINNERS for section in self.sections.values())


def seating_of(
    sections: Sequence[Row], round_data: Sequence[Row], players: Sequence[Row], names: Mapping[str, str]
) -> Seating:
    """Sections with their movements and names; `names` has the club's own list by player number.

    Raises BadFile.
    """
    seating = Seating(_sections(sections))
    rounds: dict[int, list[Row]] = {}
    for row in round_data:
        _refuse_individual(row)
        seating.section(row, "RoundData")
        rounds.setdefault(int(row["Section"]), []).append(row)
    for key, rows in rounds.items():
        section = seating.sections[key]
        section.two_fields = section.winners == _TWO_WINNERS or _one_number_sits_both_ways(rows)
        # Where one number means two pairs and the file says nothing, it can only mean two lists.
        section.winners = section.winners or (_TWO_WINNERS if section.two_fields else 1)
        section.placements = [_placement(section, row) for row in rows]
    _seat_people(seating, players, names)
    return seating


def contestants(section: Section, event: EventId) -> Iterator[ContestantEntered]:
    """A section's pairs in number order, with the direction of those that never change it."""
    for contestant, (pair, directions) in sorted(
        section.seated.items(), key=lambda item: (item[1][0], item[0])
    ):
        (direction, *others) = directions
        keeps_it = section.two_fields or (section.winners == _TWO_WINNERS and not others)
        people = section.people.get(contestant, {})
        yield ContestantEntered(
            event=event,
            id=RecordId(f"contestant-{contestant}"),
            source=SOURCE,
            role=Role.IMPORTER,
            contestant=contestant,
            section=section.id,
            number=pair,
            direction=direction if keeps_it else None,
            players=tuple(person for _, person in sorted(people.items())),
        )


def movement(section: Section, event: EventId) -> MovementSet:
    """A section's movement, told row by row."""
    return MovementSet(
        event=event,
        id=RecordId(f"movement-{section.session}-{section.id}"),
        source=SOURCE,
        role=Role.IMPORTER,
        session=section.session,
        section=section.id,
        movement=ExplicitMovement(tuple(section.placements)),
    )


def _sections(rows: Sequence[Row]) -> dict[int, Section]:
    if not rows:
        raise BadFile("bws", "table Section", "0 rows", "a session has at least one section")
    sections: dict[int, Section] = {}
    taken: set[str] = set()
    for row in rows:
        key = number(row, "ID", "Section", 0, 99_999)
        letter = text(row, "Letter") or str(key)
        name = name_of(letter)
        if key in sections:
            raise BadFile("bws", "Section, ID", str(key), "each section has a number of its own")
        if name in taken:
            name = f"{name}-{key}"
        taken.add(name)
        session = SessionId(str(number(row, "Session", f"Section {letter}", 0, 99_999) or 1))
        sections[key] = Section(
            SectionId(name), session, number(row, "Winners", f"Section {letter}", 0, _TWO_WINNERS)
        )
    return sections


def _one_number_sits_both_ways(rows: Sequence[Row]) -> bool:
    sitting: set[tuple[int, int]] = {(int(row["Round"]), int(row["NSPair"])) for row in rows if row["NSPair"]}
    return any((int(row["Round"]), int(row["EWPair"])) in sitting for row in rows if row["EWPair"])


def _placement(section: Section, row: Row) -> Placement:
    table = number(row, "Table", f"RoundData, section {section.id}", 1, 99_999)
    round_number = number(row, "Round", f"RoundData, section {section.id}, table {table}", 1, 999)
    place = f"RoundData, section {section.id}, table {table}, round {round_number}"
    return Placement(
        round=round_number,
        table=table,
        ns=section.contestant(number(row, "NSPair", place, 0, 99_999), Direction.NS),
        ew=section.contestant(number(row, "EWPair", place, 0, 99_999), Direction.EW),
        boards=tuple(BoardNumber(board) for board in _boards(row, place)),
    )


def _boards(row: Row, place: str) -> list[int]:
    custom = text(row, "CustomBoards")
    if custom:
        boards: list[int] = []
        for part in re.split(r"[,;]\s*|\s+", custom):
            found = _RANGE.fullmatch(part)
            if found is None:
                raise BadFile(
                    "bws", f"{place}, CustomBoards", custom, "board numbers with commas between them"
                )
            first, last = int(found[1]), int(found[2] or found[1])
            boards += range(first, last + 1)
    else:
        low, high = number(row, "LowBoard", place, 0, 9_999), number(row, "HighBoard", place, 0, 9_999)
        boards = list(range(low, high + 1)) if low else []
    if len(boards) > 500 or not all(1 <= board <= 9_999 for board in boards):
        raise BadFile(
            "bws", f"{place}, boards", custom or f"{boards[:1]}", "at most 500 boards, from 1 to 9999"
        )
    return boards


def _refuse_individual(row: Row) -> None:
    if any(row.get(seat) for seat in ("South", "West")):
        raise BadFile(
            "bws", "RoundData, South and West", str(row.get("South")), "individual events are not read"
        )


def _seat_people(seating: Seating, players: Sequence[Row], names: Mapping[str, str]) -> None:
    numbers = 0
    for row in players:
        section = seating.section(row, "PlayerNumbers")
        place = f"PlayerNumbers, section {section.id}, table {row.get('Table')}"
        direction = text(row, "Direction").upper()
        if direction not in SEATS:
            raise BadFile("bws", f"{place}, Direction", direction, "N, E, S or W")
        seat = SEATS[direction]
        member = text(row, "Number")
        known = member.strip("0") != ""
        name = text(row, "Name") or (names.get(member, "") or f"no. {member}" if known else "")
        if not name:
            continue
        table, in_round = number(row, "Table", place, 1, 99_999), number(row, "Round", place, 0, 999)
        contestant = _sits(section, table, max(in_round, 1), seat.direction)
        if contestant is None:
            seating.notes.append(Note(NoteKind.NOT_CARRIED, place, f"a player at {seat} where nobody sits"))
            continue
        numbers += known
        _name(seating, section, contestant, seat, name, place)
    if numbers:
        seating.notes.append(Note(NoteKind.NOT_CARRIED, "PlayerNumbers, Number", f"{numbers} member numbers"))


def _name(
    seating: Seating, section: Section, contestant: ContestantId, seat: Seat, name: str, place: str
) -> None:
    person = PersonId(f"{contestant}-{seat}")
    earlier = seating.people.setdefault(person, name)
    section.people.setdefault(contestant, {})[seat] = person
    if earlier != name:
        seating.notes.append(Note(NoteKind.NOT_CARRIED, place, f"another player at {seat} of {contestant}"))


def _sits(section: Section, table: int, in_round: int, direction: Direction) -> ContestantId | None:
    for placement in section.placements:
        if placement.table == table and placement.round == in_round:
            return placement.ns if direction is Direction.NS else placement.ew
    return None
