"""What is known of an event besides its slots: control records and rulings that name no slot, in order.

Every question takes a place: a verdict sees only what stands before it, scoring asks at the end.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pipeline.rules.board_conditions import vulnerability
from pipeline.scoring.publication import Publication, SessionFacts
from pipeline.scoring.record_set import END, START, Place
from pipeline.scoring.seating import Numbered, Occupant, SectionSeating
from pipeline.scoring.timeline import Timeline
from schemas import control, corrections, results
from schemas.conditions import Conditions, resolve
from schemas.decisions import Reason, Refused
from schemas.record import Record, Slot
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    Identity,
    MatchId,
    PersonId,
    SectionId,
    Vulnerability,
)

EXACT: Final = resolve("exact")

BoardKey = tuple[str, int]
"""(session, board): a deal."""
NumberKey = tuple[str | None, int, Direction | None]
"""(section, pair number, direction)."""
RoundKey = tuple[str, str, int, int]
"""(session, section, round, table)."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant as entered, with later changes."""

    record: control.ContestantEntered
    section: SectionId | None
    number: int | None
    direction: Direction | None
    players: tuple[PersonId, ...]

    @classmethod
    def of(cls, record: control.ContestantEntered) -> "Entrant":
        """As entered."""
        return cls(record, record.section, record.number, record.direction, record.players)

    def changed(self, record: control.ContestantChanged) -> "Entrant":
        """What a change does not name stays."""
        return Entrant(
            self.record,
            self.section if record.section is None else record.section,
            self.number if record.number is None else record.number,
            self.direction if record.direction is None else record.direction,
            self.players if record.players is None else record.players,
        )

    @property
    def key(self) -> "NumberKey":
        """What a number belongs to; only one that has a number is looked up."""
        return (self.section, self.number or 0, self.direction)


@dataclass(frozen=True, slots=True)
class Forms:
    """Which slot played which form of a board, and how each form was marked."""

    form_of: dict[Slot, str]
    marked: dict[str, Vulnerability]


class AtTable(NamedTuple):
    """Who sits at a table in a round, and the boards there."""

    ns: ContestantId | None
    ew: ContestantId | None
    boards: frozenset[int]
    match: control.MatchSet | None = None


def _of_match(match: control.MatchSet, home: Direction) -> AtTable:
    sides = (match.home, match.visit) if home is Direction.NS else (match.visit, match.home)
    return AtTable(sides[0], sides[1], frozenset(match.boards), match)


class AtSlot(NamedTuple):
    """Who should be where: contestants, and whether table and board exist in that round."""

    table_known: bool
    board_known: bool
    ns: ContestantId | None = None
    ew: ContestantId | None = None
    match: control.MatchSet | None = None
    planned: bool = True
    """By a movement or a match: where only a director said so, no result is checked against it."""


NOWHERE: Final = AtSlot(table_known=False, board_known=False)
NO_BOARD: Final = AtSlot(table_known=True, board_known=False)


@dataclass(slots=True)
class Facts:
    """The facts of one event, built by `apply` in the order of places."""

    conditions: Timeline[Conditions] = field(default_factory=Timeline)
    described: Timeline[control.EventDescribed] = field(default_factory=Timeline)
    listed: Timeline[tuple[str, ...]] = field(default_factory=Timeline)
    """The sessions that the description lists."""
    sessions: dict[str, SessionFacts] = field(default_factory=dict)
    first_opened: Place = END
    seated_since: Place = START
    """After the last record that says who sits where."""
    entrants: dict[ContestantId, Entrant] = field(default_factory=dict)
    entered_at: dict[ContestantId, Place] = field(default_factory=dict)
    first_entry: Place = END
    numbers: dict[NumberKey, Timeline[frozenset[ContestantId]]] = field(default_factory=dict)
    withdrawn_from: dict[ContestantId, dict[str, int]] = field(default_factory=dict)
    movements: dict[tuple[str, str], Timeline[SectionSeating]] = field(default_factory=dict)
    reseated: dict[RoundKey, Timeline[control.SeatingChanged]] = field(default_factory=dict)
    match_at: dict[RoundKey, Timeline[tuple[control.MatchSet, Direction] | None]] = field(
        default_factory=dict
    )
    matches: dict[MatchId, control.MatchSet] = field(default_factory=dict)
    rounds_cancelled: set[tuple[str, str | None, int]] = field(default_factory=set)
    boards_cancelled: set[tuple[str, str | None, int]] = field(default_factory=set)
    forms: dict[BoardKey, Timeline[Forms]] = field(default_factory=dict)
    penalties: dict[Identity, corrections.Penalty] = field(default_factory=dict)
    lodged: dict[Identity, Record] = field(default_factory=dict)
    """Requests, disputes and appeals that were in time."""
    decided: set[Identity] = field(default_factory=set)
    overrides: dict[Identity, corrections.OverrideGranted] = field(default_factory=dict)
    rescoring: list[control.RescoringAccepted] = field(default_factory=list)
    match_results: dict[MatchId, dict[ContestantId, results.MatchResult]] = field(default_factory=dict)
    carry_over: dict[tuple[ContestantId, str], control.CarryOverSet] = field(default_factory=dict)
    calls: set[RoundKey] = field(default_factory=set)
    for_all: list[tuple[Place, Publication]] = field(default_factory=list)
    """Publications of an event that lists no sessions: they cover sessions not heard of yet."""

    # Questions.

    def conditions_at(self, place: Place) -> Conditions:
        """The conditions in force just before a place; the preset `exact` until some are published."""
        return self.conditions.at(place) or EXACT

    def session(self, session: str) -> SessionFacts:
        """A session's facts; an unknown one has none yet."""
        known = self.sessions.get(session)
        if known is None:
            known = self.sessions[session] = SessionFacts()
            said = [*self.for_all, *((place, None) for place in self.conditions.places)]
            for place, publication in sorted(said, key=lambda entry: entry[0]):
                if publication is not None:
                    known.publications.append(publication)
                    known.refresh(place, self.conditions_at(place))
                else:
                    known.refresh(place, self.conditions_at((*place, 0)))
        return known

    def require_session(self, session: str, place: Place) -> None:
        """Raise Refused when the event lists its sessions and this is none of them."""
        listed = self.listed.at(place)
        if listed and session not in listed:
            raise Refused(
                Reason.UNKNOWN_SESSION,
                field="session",
                value=session,
                rule=f"one of {', '.join(listed)}",
            )

    def contestant(self, section: str, occupant: Occupant, place: Place) -> ContestantId | None:
        """Who a seat's pair number was, just before a place."""
        if not isinstance(occupant, Numbered):
            return occupant
        number, series = occupant
        found = self._numbered(section, number, series, place)
        if found is None and series is not None:
            found = self._numbered(section, number, None, place)
        if found is None and series is None:
            either = [self._numbered(section, number, direction, place) for direction in Direction]
            found = min((name for name in either if name is not None), default=None)
        return found

    def _numbered(
        self, section: str, number: int, direction: Direction | None, place: Place
    ) -> ContestantId | None:
        timeline = self.numbers.get((section, number, direction))
        holders = None if timeline is None else timeline.at(place)
        return min(holders) if holders else None

    def holders(self, key: NumberKey) -> frozenset[ContestantId]:
        """Who has a number now: one contestant, unless entries were taken back and brought back."""
        timeline = self.numbers.get(key)
        return frozenset() if timeline is None else timeline.last() or frozenset()

    def table_at(self, here: RoundKey, place: Place) -> AtTable | None:
        """Who was to sit at a table in a round and with which boards, just before a place."""
        session, section, round_number, table = here
        movement = self.movements.get((session, section))
        seating = None if movement is None else movement.at(place)
        rows = () if seating is None else seating.tables.get((round_number, table), ())
        if rows:
            boards = rows[0].boards if len(rows) == 1 else frozenset().union(*(row.boards for row in rows))
            ns = self.contestant(section, rows[-1].ns, place)
            ew = self.contestant(section, rows[-1].ew, place)
            planned: AtTable | None = AtTable(ns, ew, boards)
        else:
            of_match = self.match_at.get(here)
            found = None if of_match is None else of_match.at(place)
            planned = None if found is None else _of_match(*found)
        reseated = self.reseated.get(here) if self.reseated else None
        changed = None if reseated is None else reseated.at(place)
        if reseated is None or changed is None:
            return planned
        boards = frozenset() if planned is None else planned.boards
        for at, record in reseated:
            if at < place and record.boards is not None:
                boards = frozenset(record.boards)
        return AtTable(changed.ns, changed.ew, boards, None if planned is None else planned.match)

    def at_slot(self, slot: Slot, place: Place) -> AtSlot | None:
        """What a result is checked against; None where neither movement nor match says who sits there."""
        here = (slot.session, slot.section, slot.round, slot.table)
        movement = self.movements.get((slot.session, slot.section))
        if movement is None or movement.at(place) is None:
            of_match = self.match_at.get(here)
            if of_match is None or of_match.at(place) is None:
                return None
        at = self.table_at(here, place)
        if at is None:
            return NOWHERE
        if slot.board not in at.boards:
            return NO_BOARD
        return AtSlot(table_known=True, board_known=True, ns=at.ns, ew=at.ew)

    def is_cancelled(self, slot: Slot) -> bool:
        """Tell whether a slot's round or board does not count, as things stand."""
        rounds, boards = self.rounds_cancelled, self.boards_cancelled
        return bool(rounds or boards) and (
            (slot.session, None, slot.round) in rounds
            or (slot.session, slot.section, slot.round) in rounds
            or (slot.session, None, slot.board) in boards
            or (slot.session, slot.section, slot.board) in boards
        )

    def has_left(self, contestant: ContestantId, session: str, round_number: int) -> bool:
        """Tell whether a contestant had withdrawn by a round, as things stand."""
        left = self.withdrawn_from.get(contestant)
        return left is not None and left.get(session, 1 << 30) <= round_number

    def form(self, slot: Slot, place: Place) -> str:
        """Which form of the board a slot played; the ordinary one has no name."""
        timeline = self.forms.get((slot.session, slot.board))
        forms = None if timeline is None else timeline.at(place)
        return "" if forms is None else forms.form_of.get(slot, "")

    def vulnerability(self, slot: Slot, place: Place) -> Vulnerability:
        """How the board was marked at this slot (Law 2, unless a form says otherwise)."""
        timeline = self.forms.get((slot.session, slot.board))
        forms = None if timeline is None else timeline.at(place)
        if forms is not None:
            marked = forms.marked.get(forms.form_of.get(slot, ""))
            if marked is not None:
                return marked
        return vulnerability(BoardNumber(slot.board))
