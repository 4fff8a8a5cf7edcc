"""Where results are compared: seats laid out, slots put on boards, what is due and to come counted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from pipeline.scoring.board import Board, BoardId, Key, Line, SlotKey
from pipeline.scoring.facts import Facts, RoundKey
from pipeline.scoring.record_set import END
from pipeline.scoring.standing import EMPTY, Effective, Entry, Holder, Standing
from pipeline.scoring.totals import Tally, count
from pipeline.scoring.verdict import Judgement
from schemas.control import MatchSet
from schemas.deal import Adjusted, Artificial, Award, NoScore, NotPlayed, Result
from schemas.decisions import Verdict
from schemas.policies import Comparison, Confirmation, Method
from schemas.record import Slot
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, SectionId, SessionId, Unplayed

if TYPE_CHECKING:
    from pipeline.scoring.event import Event

Pair = tuple[ContestantId | None, ContestantId | None]
"""North-South and East-West."""
Sides = tuple[ContestantId | None, ContestantId | None, MatchSet | None]
"""North-South, East-West, and the match."""
NOBODY: Final[Pair] = (None, None)


@dataclass(slots=True, eq=False)
class SlotState:
    """One slot: what was said, what stands, and where it is charted."""

    slot: Slot
    entries: list[Entry] = field(default_factory=list)
    standing: Standing = EMPTY
    judgements: dict[Identity, Judgement] | None = None
    """Verdicts other than a plain acceptance."""
    board: Board | None = None
    line: Line | None = None
    due: bool = False
    open: bool = False
    seats: Sides | None = None
    """The seating as it stands."""
    owed: tuple[Tally, ...] = ()
    """Whose boards a due slot is among."""
    marks: tuple[bool, ...] = ()
    """What it adds to the open matters of its section (`matters`)."""


@dataclass(slots=True, eq=False)
class GroupCount:
    """A comparison group's boards: and how many results are due on each."""

    due: dict[int, int] = field(default_factory=dict)
    boards: dict[int, list[Board]] = field(default_factory=dict)
    expected: int = 0
    touched: bool = False

    def refresh(self) -> bool:
        """Take the field's normal number of results anew; tell whether it changed."""
        if not self.touched:
            return False
        self.touched = False
        expected = max(self.due.values(), default=0)
        changed = expected != self.expected
        self.expected = expected
        return changed


def lay_out(event: "Event") -> None:
    """Seat everybody anew; the slots' verdicts are untouched, and no slot is charted."""
    event.boards, event.groups, event.deals_open, event.tallies = {}, {}, {}, {}
    event.sections, event.matters = set(), {}
    event.stale = set()
    for state in event.slots.values():
        state.board, state.line, state.due, state.open, state.seats = None, None, False, False, None
        state.owed, state.marks = (), ()
    for key, seats in _seating(event.facts):
        known = event.slots.get(key)
        if known is None:
            session, section, round_number, table, board = key
            slot = Slot(SessionId(session), SectionId(section), round_number, table, BoardNumber(board))
            known = event.new_slot(key, slot)
        known.seats = seats
        event.sections.add(key[:2])


def _seating(facts: Facts) -> Iterator[tuple[SlotKey, Sides]]:
    here: RoundKey
    tables: dict[RoundKey, None] = {}
    for (session, section), timeline in facts.movements.items():
        seating = timeline.last()
        if seating is not None:
            tables.update(((session, section, *at), None) for at in seating.tables)
    tables.update(dict.fromkeys([*facts.match_at, *facts.reseated]))
    for here in tables:
        at = facts.table_at(here, END)
        if at is not None:
            sides = (at.ns, at.ew, at.match)
            for board in at.boards:
                yield (*here, board), sides


def chart(event: "Event", state: SlotState) -> None:
    """Put a slot's result where it is compared, and count what is due."""
    slot = state.slot
    effective = state.standing.effective
    result = None if effective is None else effective.result
    due = is_open = False
    line: Line | None = None
    board_id: BoardId | None = None
    if not event.facts.is_cancelled(slot):
        due, is_open = _is_due(event, state, result)
        if due or effective is not None:
            board_id = _board_id(event, state)
            if effective is not None and not isinstance(result, NotPlayed | NoScore):
                line = _line(event, state, effective)
    _move(event, state, board_id, line, due=due, is_open=is_open)


def _is_due(event: "Event", state: SlotState, result: Result | None) -> tuple[bool, bool]:
    if isinstance(result, NoScore):
        return False, False
    to_come = result is None or (isinstance(result, NotPlayed) and result.cause is Unplayed.LATE_PLAY_DUE)
    seats = state.seats
    if seats is None or seats[0] is None or seats[1] is None:
        return result is not None, result is not None and to_come
    if result is None and event.facts.withdrawn_from:
        slot = state.slot
        if any(event.facts.has_left(side, slot.session, slot.round) for side in (seats[0], seats[1])):
            return False, False
    return True, to_come


def _board_id(event: "Event", state: SlotState) -> BoardId:
    slot = state.slot
    conditions = event.conditions
    if conditions.score_method is Method.TEAM_IMPS:
        match = _match_of(event, slot)
        return BoardId(slot.session, f"match:{match.match if match is not None else ''}", slot.board, "")
    form = event.facts.form(slot, END) if event.facts.forms else ""
    group = "field" if conditions.field_compare is Comparison.FIELD else slot.section
    return BoardId(slot.session, group, slot.board, form)


def _match_of(event: "Event", slot: Slot) -> MatchSet | None:
    """The match that a slot belongs to."""
    timeline = event.facts.match_at.get((slot.session, slot.section, slot.round, slot.table))
    found = None if timeline is None else timeline.last()
    return found[0] if found is not None and slot.board in found[0].boards else None


def seated(event: "Event", state: SlotState) -> Pair:
    """Who sat there: ruled, else as the director reseated, else as the result says, else as planned."""
    planned: Pair | None = None if state.seats is None else (state.seats[0], state.seats[1])
    return _pair(event, state.slot, state.standing.effective, planned)


def _pair(event: "Event", slot: Slot, effective: Effective | None, planned: Pair | None) -> Pair:
    plan = _planned(event, slot) if planned is None else planned
    if effective is None:
        return plan
    moved = effective.moved
    if moved is not None and plan == NOBODY:
        plan = _pair(event, moved.slot, moved.effective, None)
    ns, ew = (plan[1], plan[0]) if effective.swapped else plan
    if (effective.ns is not None or effective.ew is not None) and not _was_reseated(event, slot):
        ns = ns if effective.ns is None else effective.ns
        ew = ew if effective.ew is None else effective.ew
    return (
        ns if effective.ruled_ns is None else effective.ruled_ns,
        ew if effective.ruled_ew is None else effective.ruled_ew,
    )


def _planned(event: "Event", slot: Slot) -> Pair:
    at = event.facts.table_at((slot.session, slot.section, slot.round, slot.table), END)
    return NOBODY if at is None else (at.ns, at.ew)


def _was_reseated(event: "Event", slot: Slot) -> bool:
    reseated = event.facts.reseated
    return bool(reseated) and (slot.session, slot.section, slot.round, slot.table) in reseated


def _line(event: "Event", state: SlotState, effective: Effective) -> Line:
    slot = state.slot
    ns, ew = seated(event, state)
    result = effective.result
    ns_key: Key | None = None
    ew_key: Key | None = None
    ns_award: Artificial | None = None
    ew_award: Artificial | None = None
    if isinstance(result, Adjusted):
        ns_key, ns_award = _rated_by(result.ns)
        ew_key, ew_award = _rated_by(result.ew)
    elif not isinstance(result, NotPlayed | NoScore):
        marked = event.facts.vulnerability(slot, END) if event.facts.forms else vulnerability(slot.board)
        ns_key = ew_key = ns_points(result, marked, event.conditions.score_table)
    home: Direction | None = None
    teams: Pair = (ns, ew)
    if event.conditions.score_method is Method.TEAM_IMPS:
        match = _match_of(event, slot)
        teams = NOBODY
        if match is not None and len(match.tables) == 2:
            home = _home(match, slot, (ns, ew))
            teams = (match.home, match.visit) if home is Direction.NS else (match.visit, match.home)
    return Line(
        (slot.session, slot.section, slot.round, slot.table, slot.board),
        effective.identity,
        ns,
        ew,
        ns_key,
        ew_key,
        ns_award,
        ew_award,
        home,
        event.facts.form(slot, END) if event.facts.forms else "",
        None if teams[0] is None else event.tally(slot.session, teams[0]),
        None if teams[1] is None else event.tally(slot.session, teams[1]),
    )


def _rated_by(award: Award) -> tuple[Key | None, Artificial | None]:
    if isinstance(award, Artificial):
        return None, award
    if len(award.components) == 1:
        return int(award.components[0].ns_points), None
    return award.components, None


def _home(match: MatchSet, slot: Slot, sat: Pair) -> Direction:
    """Where the home team of a match sat, or else was to sit."""
    if sat[0] == match.home:
        return Direction.NS
    if sat[1] == match.home:
        return Direction.EW
    return next(
        table.home for table in match.tables if (table.section, table.table) == (slot.section, slot.table)
    )


def _move(
    event: "Event", state: SlotState, board_id: BoardId | None, line: Line | None, *, due: bool, is_open: bool
) -> None:
    old = state.board
    if old is not None:
        _count_due(event, old, due=-int(state.due), is_open=-int(state.open))
        if state.line is not None:
            if state.line.counted and old.rating is not None:
                count(old, state.line, old.rating, -1)
            old.remove(state.line)
        event.touch(old)
    state.due, state.open, state.line, state.board = due, is_open, line, None
    _owe(event, state)
    _mark(event, state)
    if state.entries:
        event.sections.add((state.slot.session, state.slot.section))
    if board_id is None:
        return
    board = event.boards.get(board_id)
    if board is None:
        board = event.boards[board_id] = Board(board_id)
        group = event.groups.setdefault((board_id.session, board_id.group), GroupCount())
        group.boards.setdefault(board_id.board, []).append(board)
    state.board = board
    if line is not None:
        board.add(line)
    _count_due(event, board, due=int(due), is_open=int(is_open))
    event.touch(board)


def _owe(event: "Event", state: SlotState) -> None:
    """Keep up how many boards each contestant is due."""
    for tally in state.owed:
        tally.due -= 1
    state.owed = ()
    if state.due:
        session = state.slot.session
        sat = seated(event, state)
        state.owed = tuple([event.tally(session, name) for name in sat if name is not None])
        for tally in state.owed:
            tally.due += 1


def matters(event: "Event", state: SlotState) -> tuple[bool, ...]:
    """What is open at a slot: missing, unconfirmed, disputed, not played, waiting for the director."""
    effective = state.standing.effective
    waiting = state.judgements is not None and any(
        found.verdict is Verdict.WAITING_FOR_DIRECTOR for found in state.judgements.values()
    )
    if effective is None:
        return (state.open, False, False, False, waiting)
    not_played = isinstance(effective.result, NotPlayed)
    unconfirmed = (
        effective.holder is Holder.TABLE
        and not not_played
        and not state.standing.confirmed
        and event.conditions.confirm_by is Confirmation.OPPONENTS
    )
    return (state.open, unconfirmed, state.standing.disputed, not_played, waiting)


def _mark(event: "Event", state: SlotState) -> None:
    """Keep up the open matters of each section."""
    before, after = state.marks, matters(event, state)
    if before == after:
        return
    counts = event.matters.setdefault((state.slot.session, state.slot.section), [0] * len(after))
    for number, now in enumerate(after):
        counts[number] += now - (before[number] if before else False)
    state.marks = after


def _count_due(event: "Event", board: Board, *, due: int, is_open: int) -> None:
    session, name, number, _ = board.id
    group = event.groups[session, name]
    if due:
        group.due[number] = group.due.get(number, 0) + due
        group.touched = True
    if is_open:
        board.open += is_open
        deal = (session, number)
        event.deals_open[deal] = event.deals_open.get(deal, 0) + is_open
