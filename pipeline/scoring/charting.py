"""Where results are compared: seats laid out, slots put on boards, what is due and to come counted."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from pipeline.scoring.board import Board, BoardId, Key, Line, SlotKey
from pipeline.scoring.facts import Facts, RoundKey
from pipeline.scoring.record_set import END
from pipeline.scoring.standing import EMPTY, Effective, Entry, Standing
from pipeline.scoring.totals import count
from pipeline.scoring.verdict import Judgement
from schemas.deal import Adjusted, Artificial, Award, NoScore, NotPlayed, Result
from schemas.policies import Comparison, Method
from schemas.record import Slot
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, SectionId, SessionId, Unplayed

if TYPE_CHECKING:
    from pipeline.scoring.event import Event

Sides = tuple[ContestantId | None, ContestantId | None, str | None]
"""North-South, East-West, and the match."""


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


@dataclass(slots=True, eq=False)
class GroupCount:
    """A comparison group's boards: how many results are due on each, and how many are still to come."""

    due: dict[int, int] = field(default_factory=dict)
    open: dict[int, int] = field(default_factory=dict)
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
    event.stale = set()
    for state in event.slots.values():
        state.board, state.line, state.due, state.open, state.seats = None, None, False, False, None
    for key, seats in _seating(event.facts):
        known = event.slots.get(key)
        if known is None:
            session, section, round_number, table, board = key
            slot = Slot(SessionId(session), SectionId(section), round_number, table, BoardNumber(board))
            known = event.new_slot(key, slot)
        known.seats = seats


def _seating(facts: Facts) -> Iterator[tuple[SlotKey, Sides]]:
    for (session, section), timeline in facts.movements.items():
        seating = timeline.last()
        if seating is None:
            continue
        for round_number, table, board, seated in seating.slots():
            here = (session, section, round_number, table)
            if here in facts.reseated or here in facts.match_at:
                continue
            ns = facts.contestant(section, seated.ns, END)
            ew = facts.contestant(section, seated.ew, END)
            yield (*here, board), (ns, ew, None)
    for here in dict.fromkeys([*facts.match_at, *facts.reseated]):
        for board in sorted(_boards_at(facts, here)):
            seats = facts.at_slot(*here, board, END)
            if seats is not None and seats.board_known:
                yield (*here, board), (seats.ns, seats.ew, seats.match)


def _boards_at(facts: Facts, here: RoundKey) -> set[int]:
    reseated = facts.reseated.get(here)
    changed = None if reseated is None else reseated.last()
    if changed is not None and changed.boards is not None:
        return set(changed.boards)
    of_match = facts.match_at.get(here)
    found = None if of_match is None else of_match.last()
    if found is not None:
        return set(found[0].boards)
    movement = facts.movements.get(here[:2])
    seating = None if movement is None else movement.last()
    if seating is None:
        return set()
    return {board for seated in seating.tables.get(here[2:], ()) for board in seated.boards}


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
    form = event.facts.form(slot, END) if event.facts.forms else ""
    conditions = event.conditions
    if conditions.score_method is Method.TEAM_IMPS:
        match = None if state.seats is None else state.seats[2]
        return BoardId(slot.session, f"match:{match or ''}", slot.board, form)
    group = "field" if conditions.field_compare is Comparison.FIELD else slot.section
    return BoardId(slot.session, group, slot.board, form)


def seated(event: "Event", state: SlotState) -> tuple[ContestantId | None, ContestantId | None]:
    """Who sat there: as the director reseated, else as the result says, else as the movement has it."""
    effective = state.standing.effective
    ns, ew, match = (None, None, None) if state.seats is None else state.seats
    if effective is not None:
        if match is None and not _was_reseated(event, state.slot):
            ns = effective.ns if effective.ns is not None else ns
            ew = effective.ew if effective.ew is not None else ew
        if effective.swapped:
            ns, ew = ew, ns
    return ns, ew


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
    tally = event.tally
    return Line(
        (slot.session, slot.section, slot.round, slot.table, slot.board),
        effective.identity,
        ns,
        ew,
        ns_key,
        ew_key,
        ns_award,
        ew_award,
        _home(event, state, swapped=effective.swapped),
        None if ns is None else tally(slot.session, ns),
        None if ew is None else tally(slot.session, ew),
    )


def _rated_by(award: Award) -> tuple[Key | None, Artificial | None]:
    if isinstance(award, Artificial):
        return None, award
    if len(award.components) == 1:
        return int(award.components[0].ns_points), None
    return award.components, None


def _home(event: "Event", state: SlotState, *, swapped: bool) -> Direction | None:
    """In a team match, where the home team sat."""
    if state.seats is None or state.seats[2] is None or event.conditions.score_method is not Method.TEAM_IMPS:
        return None
    slot = state.slot
    timeline = event.facts.match_at.get((slot.session, slot.section, slot.round, slot.table))
    found = None if timeline is None else timeline.last()
    if found is None:
        return None
    return found[1].other if swapped else found[1]


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
        event.stale.add(old)
    state.due, state.open, state.line, state.board = due, is_open, line, None
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
    event.stale.add(board)


def _count_due(event: "Event", board: Board, *, due: int, is_open: int) -> None:
    session, name, number, _ = board.id
    group = event.groups[session, name]
    if due:
        group.due[number] = group.due.get(number, 0) + due
        group.touched = True
    if is_open:
        before = group.open.get(number, 0)
        after = group.open[number] = before + is_open
        if not before or not after:
            event.stale.update(group.boards[number])
        deal = (session, number)
        event.deals_open[deal] = event.deals_open.get(deal, 0) + is_open
