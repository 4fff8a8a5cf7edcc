"""What is known of an event at a place: docs/semantics.md, sections 2 and 3."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar, cast

from pipeline.scoring.naive.deal import law_2
from pipeline.scoring.naive.order import Placed, Ruled
from pipeline.scoring.naive.tables import Pair, Rows, rows_of
from schemas.conditions import Conditions, resolve
from schemas.control import (
    ConditionsPublished,
    ContestantChanged,
    ContestantEntered,
    ContestantWithdrawn,
    ControlRecord,
    EventDescribed,
    MatchSet,
    MovementChanged,
    MovementSet,
    RoundCancelled,
    SeatingChanged,
)
from schemas.corrections import BoardForms, BoardsCancelled, Form, RecordWithdrawn
from schemas.decisions import Verdict
from schemas.record import Record, Slot
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    Identity,
    SectionId,
    SessionId,
    Vulnerability,
)

Pairs = tuple[ContestantId | None, ContestantId | None]
NOBODY: Final[Pairs] = (None, None)


R = TypeVar("R", bound=Record)


class Entrant(NamedTuple):
    """A contestant as entered and changed."""

    section: SectionId | None
    number: int | None
    direction: Direction | None


class Seating(NamedTuple):
    """Who sits at a table in a round, and the boards there."""

    pairs: Pairs
    boards: tuple[BoardNumber, ...]


@dataclass(slots=True)
class Facts:
    """The accepted records so far, in the order of their places; every question reads them through."""

    known: dict[Identity, Record]
    said: dict[type[Record], list[Placed]] = field(default_factory=dict)
    verdicts: dict[Identity, Ruled] = field(default_factory=dict)
    taken_back_by: dict[Identity, list[Identity]] = field(default_factory=dict)
    upheld_by: dict[Identity, list[Identity]] = field(default_factory=dict)
    remembered: dict[object, object] = field(default_factory=dict)
    """Answers that hold until the next control record or withdrawal."""

    def note(self, one: Placed) -> None:
        """Take in an accepted record."""
        self.said.setdefault(type(one.record), []).append(one)
        if isinstance(one.record, ControlRecord | RecordWithdrawn):
            self.remembered.clear()

    def withdrawn(self, identity: Identity) -> bool:
        """Tell whether a record is taken back, by a withdrawal that is not taken back itself."""
        return any(not self.withdrawn(by) for by in self.taken_back_by.get(identity, ()))

    def verdict(self, identity: Identity) -> Ruled | None:
        """The verdict on a record as it stands now; none where it has not been judged yet."""
        if self.withdrawn(identity):
            return (Verdict.WITHDRAWN, None)
        if any(not self.withdrawn(by) for by in self.upheld_by.get(identity, ())):
            return (Verdict.ACCEPTED, None)
        return self.verdicts.get(identity)

    def standing(self, *kinds: type[Record]) -> list[Placed]:
        """The accepted records of these kinds that are not taken back, by place."""
        found = [one for kind in kinds for one in self.said.get(kind, ()) if not self.withdrawn(one.identity)]
        return sorted(found, key=lambda one: one.place) if len(kinds) > 1 else found

    def of(self, kind: type[R]) -> list[R]:
        """The accepted records of one kind that are not taken back, by place."""
        return [one.record for one in self.standing(kind) if isinstance(one.record, kind)]

    def conditions(self) -> Conditions:
        """The conditions of contest: the last published, or the laws with no rounding."""
        known = self.remembered.get("conditions")
        if not isinstance(known, Conditions):
            known = resolve("exact")
            for said in self.of(ConditionsPublished):
                known = resolve(said.preset, said.settings)
            self.remembered["conditions"] = known
        return known

    def sessions(self) -> tuple[SessionId, ...]:
        """The sessions that the event lists; none: every session is known."""
        listed: tuple[SessionId, ...] = ()
        for said in self.of(EventDescribed):
            listed = tuple(plan.id for plan in said.sessions)
        return listed

    def described_sections(self, session: SessionId) -> set[SectionId]:
        """The sections that the event lists for a session."""
        listed: set[SectionId] = set()
        for said in self.of(EventDescribed):
            listed = {section for plan in said.sessions if plan.id == session for section in plan.sections}
        return listed

    def entrants(self) -> dict[ContestantId, Entrant]:
        """The contestants, each with the last section, number and direction said of them."""
        known = self.remembered.get("entrants")
        if isinstance(known, dict):
            return known
        entrants: dict[ContestantId, Entrant] = {}
        for one in self.standing(ContestantEntered, ContestantChanged):
            said = one.record
            if isinstance(said, ContestantEntered):
                entrants[said.contestant] = Entrant(said.section, said.number, said.direction)
            elif isinstance(said, ContestantChanged) and said.contestant in entrants:
                entrants[said.contestant] = changed(entrants[said.contestant], said)
        self.remembered["entrants"] = entrants
        return entrants

    def pair(self, section: SectionId, pair: Pair) -> ContestantId | None:
        """Who has this number in the section; nobody: an empty seat."""
        if pair is None or isinstance(pair, str):
            return pair
        with_number = sorted(
            (name, entrant)
            for name, entrant in self.entrants().items()
            if entrant.section == section and entrant.number == pair.number
        )
        exact = [name for name, entrant in with_number if entrant.direction is pair.direction]
        either = [name for name, entrant in with_number if entrant.direction is None]
        anybody = [name for name, _ in with_number] if pair.direction is None else []
        return next(iter([*exact, *either, *anybody]), None)

    def movement(self, session: SessionId, section: SectionId) -> Rows | None:
        """The rounds of a section by round and table; none: it has no movement."""
        if ("movement", session, section) in self.remembered:
            return cast("Rows | None", self.remembered["movement", session, section])
        rows: Rows | None = None
        for one in self.standing(MovementSet, MovementChanged):
            said = one.record
            if isinstance(said, MovementSet) and (said.session, said.section) == (session, section):
                rows = rows_of(said.movement)
            if isinstance(said, MovementChanged) and (said.session, said.section) == (session, section):
                earlier = {at: row for at, row in (rows or {}).items() if at[0] < said.from_round}
                later = {at: row for at, row in rows_of(said.movement).items() if at[0] >= said.from_round}
                rows = earlier | later
        self.remembered["movement", session, section] = rows
        return rows

    def matches(self) -> list[MatchSet]:
        """The matches, each as last set."""
        last = {said.match: said for said in self.of(MatchSet)}
        return list(last.values())

    def seating(self, session: SessionId, section: SectionId) -> dict[tuple[int, int], Seating]:
        """Who sits where by round and table: the movement, else matches; over both who really sat there."""
        remembered = self.remembered.get(("seating", session, section))
        if isinstance(remembered, dict):
            return remembered
        rows = self.movement(session, section)
        seats: dict[tuple[int, int], Seating] = {}
        for match in self.matches():
            for table in match.tables:
                if (match.session, table.section) == (session, section):
                    pairs = (match.home, match.visit)
                    sat = pairs if table.home is Direction.NS else pairs[::-1]
                    before = seats.get((match.round, table.table), Seating(NOBODY, ())).boards
                    seats[match.round, table.table] = Seating(
                        sat, tuple(dict.fromkeys(before + match.boards))
                    )
        for at, row in (rows or {}).items():
            seats[at] = Seating((self.pair(section, row.ns), self.pair(section, row.ew)), row.boards)
        for one in self.standing(SeatingChanged):
            said = one.record
            if isinstance(said, SeatingChanged) and (said.session, said.section) == (session, section):
                before = seats.get((said.round, said.table), Seating(NOBODY, ())).boards
                boards = before if said.boards is None else said.boards
                seats[said.round, said.table] = Seating((said.ns, said.ew), boards)
        self.remembered["seating", session, section] = seats
        return seats

    def seated(self, slot: Slot) -> Pairs:
        """Who sits at a table in a round by seating, movement or match."""
        at = self.seating(slot.session, slot.section).get((slot.round, slot.table))
        return NOBODY if at is None else at.pairs

    def really_sat(self, slot: Slot) -> bool:
        """Tell whether a `seating_changed` says who sat there."""
        at = (slot.session, slot.section, slot.round, slot.table)
        return any(
            (said.session, said.section, said.round, said.table) == at
            for one in self.standing(SeatingChanged)
            for said in [one.record]
            if isinstance(said, SeatingChanged)
        )

    def planned(self, session: SessionId, section: SectionId) -> bool:
        """Tell whether a section has a movement in which anybody sits, or matches."""
        tables = [(match.session, table.section) for match in self.matches() for table in match.tables]
        seats = self.seating(session, section)
        moves = any(seats[at].pairs != NOBODY for at in self.movement(session, section) or ())
        return moves or (session, section) in tables

    def plan_known(self, slot: Slot) -> bool:
        """Tell whether a movement or a match says who sits at this table."""
        if self.movement(slot.session, slot.section) is not None:
            return True
        return any(
            (match.session, match.round) == (slot.session, slot.round)
            and any((table.section, table.table) == (slot.section, slot.table) for table in match.tables)
            for match in self.matches()
        )

    def forms(self, session: SessionId, board: int) -> tuple[Form, ...]:
        """The forms of a board, as last said."""
        forms: tuple[Form, ...] = ()
        for one in self.standing(BoardForms):
            said = one.record
            if isinstance(said, BoardForms) and (said.session, said.board) == (session, board):
                forms = said.forms
        return forms

    def form(self, slot: Slot) -> str:
        """The form that a table played; "" where it is in none."""
        return next((form.name for form in self.forms(slot.session, slot.board) if slot in form.slots), "")

    def vulnerability(self, slot: Slot) -> Vulnerability:
        """As really marked on the form, or as Law 2 has it."""
        for form in self.forms(slot.session, slot.board):
            if slot in form.slots and form.vulnerability is not None:
                return form.vulnerability
        return law_2(slot.board)

    def cancelled(self, slot: Slot) -> bool:
        """Tell whether the round or the board of a slot is cancelled."""
        for one in self.standing(RoundCancelled, BoardsCancelled):
            said = one.record
            if not isinstance(said, RoundCancelled | BoardsCancelled) or said.session != slot.session:
                continue
            here = said.round == slot.round if isinstance(said, RoundCancelled) else slot.board in said.boards
            if here and said.section in {None, slot.section}:
                return True
        return False

    def plays_no_more(self, contestant: ContestantId, slot: Slot) -> bool:
        """Tell whether a contestant has withdrawn by the round of a slot."""
        return any(
            (said.contestant, said.session) == (contestant, slot.session) and slot.round >= said.from_round
            for one in self.standing(ContestantWithdrawn)
            for said in [one.record]
            if isinstance(said, ContestantWithdrawn)
        )


def changed(entrant: Entrant, said: ContestantChanged) -> Entrant:
    """What is absent stays."""
    return Entrant(
        entrant.section if said.section is None else said.section,
        entrant.number if said.number is None else said.number,
        entrant.direction if said.direction is None else said.direction,
    )
