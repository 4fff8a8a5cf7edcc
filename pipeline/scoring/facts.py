"""What is known of an event besides its slots: control records and rulings that name no slot, in order.

Every question takes a place: a verdict sees only what stands before it, scoring asks at the end.
"""

from dataclasses import dataclass, field
from typing import Final

from pipeline.rules.board_conditions import vulnerability
from pipeline.scoring.publication import Publication, SessionFacts
from pipeline.scoring.record_set import END, START, Place
from pipeline.scoring.seating import Numbered, Occupant, SectionSeating
from pipeline.scoring.timeline import Timeline
from schemas import control, corrections, results
from schemas.conditions import Conditions, resolve
from schemas.decisions import Reason, Refused
from schemas.record import Record, Slot
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, MatchId, Vulnerability

EXACT: Final = resolve("exact")

BoardKey = tuple[str, int]
"""(session, board): a deal."""
RoundKey = tuple[str, str, int, int]
"""(session, section, round, table)."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A contestant as entered, with later changes."""

    record: control.ContestantEntered
    section: str | None
    number: int | None
    direction: Direction | None
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """Which slot played which form of a board, and how each form was marked."""

    form_of: dict[Slot, str]
    marked: dict[str, Vulnerability]


@dataclass(frozen=True, slots=True)
class AtSlot:
    """Who should be where: contestants, and whether table and board exist in that round."""

    table_known: bool
    board_known: bool
    ns: ContestantId | None = None
    ew: ContestantId | None = None
    match: MatchId | None = None


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
    numbers: dict[tuple[str | None, int, Direction | None], Timeline[ContestantId | None]] = field(
        default_factory=dict
    )
    withdrawn_from: dict[ContestantId, dict[str, int]] = field(default_factory=dict)
    movements: dict[tuple[str, str], Timeline[SectionSeating]] = field(default_factory=dict)
    reseated: dict[RoundKey, Timeline[control.SeatingChanged]] = field(default_factory=dict)
    match_at: dict[RoundKey, Timeline[tuple[control.MatchSet, Direction]]] = field(default_factory=dict)
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
            for place, publication in self.for_all:
                known.publications.append(publication)
                known.refresh(place, self.conditions_at(place))
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
        for series in (occupant.series, None):
            timeline = self.numbers.get((section, occupant.number, series))
            found = None if timeline is None else timeline.at(place)
            if found is not None:
                return found
        return None

    def at_slot(
        self, session: str, section: str, round_number: int, table: int, board: int, place: Place
    ) -> AtSlot | None:
        """Who should play a board at a table in a round; None where no seating is known for the section."""
        here = (session, section, round_number, table)
        reseated = self.reseated.get(here)
        changed = None if reseated is None else reseated.at(place)
        if changed is not None:
            if changed.boards is None or board in changed.boards:
                known = self._placed(here, board, place)
                match = None if known is None else known.match
                fits = changed.boards is not None or known is None or known.board_known
                return AtSlot(table_known=True, board_known=fits, ns=changed.ns, ew=changed.ew, match=match)
            return NO_BOARD
        return self._placed(here, board, place)

    def _placed(self, here: RoundKey, board: int, place: Place) -> AtSlot | None:
        session, section, round_number, table = here
        of_match = self.match_at.get(here)
        found = None if of_match is None else of_match.at(place)
        if found is not None:
            match, home = found
            if board not in match.boards:
                return NO_BOARD
            sides = (match.home, match.visit) if home is Direction.NS else (match.visit, match.home)
            return AtSlot(table_known=True, board_known=True, ns=sides[0], ew=sides[1], match=match.match)
        movement = self.movements.get((session, section))
        seating = None if movement is None else movement.at(place)
        if seating is None:
            return None
        seated = seating.at(round_number, table, board)
        if seated is None:
            return NO_BOARD if (round_number, table) in seating.tables else NOWHERE
        return AtSlot(
            table_known=True,
            board_known=True,
            ns=self.contestant(section, seated.ns, place),
            ew=self.contestant(section, seated.ew, place),
        )

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
