"""Where results are compared: seats laid out, slots put on boards, what is due and to come counted."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from pipeline.scoring.board import Board, BoardId, Key, Line
from pipeline.scoring.facts import AtSlot, Facts, RoundKey
from pipeline.scoring.record_set import END, SlotKey
from pipeline.scoring.standing import EMPTY, Effective, Entry, Holder, Standing
from pipeline.scoring.totals import uncount
from pipeline.scoring.verdict import Judgement
from schemas.control import MatchSet
from schemas.deal import Adjusted, Artificial, Award, NoScore, NotPlayed
from schemas.decisions import Verdict
from schemas.policies import Comparison, Confirmation, Method
from schemas.record import Slot
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, SectionId, SessionId, Unplayed

if TYPE_CHECKING:
    from pipeline.scoring.event import Event

Pair = tuple[ContestantId | None, ContestantId | None]
"""North-South and East-West."""
NOBODY: Final[Pair] = (None, None)
_NO_LINE: Final = (NotPlayed, NoScore)
"""What stands in a slot without being compared."""
MISSING, UNCONFIRMED, DISPUTED, NOT_PLAYED, WAITING = (1 << bit for bit in range(5))
"""What can be open at a slot."""


class SlotState:
    """One slot: what was said, what stands, and where it is charted."""

    __slots__ = (
        "board",
        "charted",
        "due",
        "entries",
        "judgements",
        "key",
        "line",
        "marks",
        "open",
        "owed",
        "seats",
        "slot",
        "standing",
    )

    def __init__(self, key: SlotKey, slot: Slot) -> None:
        self.key = key
        self.slot = slot
        self.entries: list[Entry] = []
        self.standing: Standing = EMPTY
        self.judgements: dict[Identity, Judgement] | None = None
        """Verdicts other than a plain acceptance."""
        self.seats: AtSlot | None = None
        """The seating as it stands."""
        self.clear()

    def clear(self) -> None:
        """Take it out of wherever it is charted; what was said stays."""
        self.board: Board | None = None
        self.line: Line | None = None
        self.charted: Effective | None = None
        """What stood when it was last charted."""
        self.due = self.open = False
        self.owed: Pair = NOBODY
        """Whose boards a due slot is among."""
        self.marks = 0
        """What it adds to the open matters of its section."""


@dataclass(slots=True, eq=False)
class GroupCount:
    """A comparison group's boards by number, one for each form, and its normal number of results."""

    boards: dict[int, list[Board]] = field(default_factory=dict)
    expected: int = 0
    touched: bool = False

    def refresh(self) -> bool:
        """Take the field's normal number of results anew; tell whether it changed."""
        if not self.touched:
            return False
        self.touched = False
        expected = max((sum([form.due for form in forms]) for forms in self.boards.values()), default=0)
        changed = expected != self.expected
        self.expected = expected
        return changed


def lay_out(event: "Event") -> None:
    """Seat everybody anew; the slots' verdicts are untouched, and no slot is charted."""
    event.boards, event.groups, event.tallies = {}, {}, {}
    event.sections, event.matters, event.awarded = set(), {}, {}
    event.stale, event.uncounted = set(), set()
    for state in event.slots.values():
        state.clear()
        state.seats = None
        if state.entries:
            event.sections.add(state.key[:2])
    for key, seats in _seating(event.facts):
        _seat(event, key, seats)


def reseat(
    event: "Event", movements: Collection[tuple[str, str]], numbers: Collection[tuple[str, int]]
) -> list[SlotState]:
    """Seat the tables of new movements and those of (section, pair number); answer the slots that differ.

    Only where nobody has played: elsewhere a result may rest on who was to sit at another slot.
    """
    found = []
    tables: dict[RoundKey, None] = {}
    of_section: dict[str, list[int]] = {}
    for section, number in numbers:
        of_section.setdefault(section, []).append(number)
    for (session, section), timeline in event.facts.movements.items():
        seating = timeline.values[-1]
        if (session, section) in movements:
            tables.update(((session, section, *at), None) for at in seating.tables)
        for number in of_section.get(section, ()):
            tables.update(((session, section, *at), None) for at in seating.tables_of(number))
    for key, seats in _seats_at(event.facts, tables):
        known = event.slots.get(key)
        if known is None or known.seats != seats:
            state = _seat(event, key, seats)
            state.charted = None
            found.append(state)
    return found


def _seat(event: "Event", key: SlotKey, seats: AtSlot) -> SlotState:
    known = event.slots.get(key)
    if known is None:
        session, section, round_number, table, board = key
        slot = Slot(SessionId(session), SectionId(section), round_number, table, BoardNumber(board))
        known = event.new_slot(key, slot)
    known.seats = seats
    event.sections.add(key[:2])
    return known


def _seating(facts: Facts) -> Iterator[tuple[SlotKey, AtSlot]]:
    tables: dict[RoundKey, None] = {}
    for (session, section), timeline in facts.movements.items():
        tables.update(((session, section, *at), None) for at in timeline.values[-1].tables)
    tables.update(dict.fromkeys([*facts.match_at, *facts.reseated]))
    yield from _seats_at(facts, tables)


def _seats_at(facts: Facts, tables: Iterable[RoundKey]) -> Iterator[tuple[SlotKey, AtSlot]]:
    for here in tables:
        at = facts.table_at(here, END)
        if at is not None:
            planned = at.match is not None or here[:2] in facts.movements
            seats = AtSlot(
                table_known=True, board_known=True, ns=at.ns, ew=at.ew, match=at.match, planned=planned
            )
            for board in at.boards:
                yield (*here, board), seats


def chart(event: "Event", state: SlotState) -> None:
    """Put a slot's result where it is compared, and count what is due."""
    effective = state.standing.effective
    if state.board is not None and effective is not None and effective == state.charted:
        event.show(state.board)  # initials, disputes and verdicts move no score
        _mark(event, state)
        return
    due = is_open = False
    board: Board | None = None
    line: Line | None = None
    sat: Pair = NOBODY
    if not event.facts.is_cancelled(state.slot):
        has_line = effective is not None and not isinstance(effective.result, _NO_LINE)
        due, is_open = (True, False) if has_line else _is_due(event, state, effective)
        if due or effective is not None:
            sat = seated(event, state)
            # What decides the board (groups, forms, matches) takes every slot off its board when it changes.
            board = state.board or _board(event, state.slot)
            if has_line and effective is not None:
                line = _line(event, state, effective, sat)
    _move(event, state, board, line, due=due, is_open=is_open)
    owed = sat if due else NOBODY
    if event.conditions.score_method is Method.TEAM_IMPS:
        owed = (owed[0], None)  # each team sits North-South at one of a board's two tables
    if state.owed != owed:
        _owe(event, state, owed)
    _mark(event, state)


def _is_due(event: "Event", state: SlotState, effective: Effective | None) -> tuple[bool, bool]:
    """Tell of a slot without a score whether it counts, and whether it is still to be played."""
    result = None if effective is None else effective.result
    if isinstance(result, NoScore):
        return False, False
    to_come = result is None or (isinstance(result, NotPlayed) and result.cause is Unplayed.LATE_PLAY_DUE)
    seats = state.seats
    if seats is None or seats.ns is None or seats.ew is None:
        return result is not None, result is not None and to_come
    if result is None and event.facts.withdrawn_from:
        slot = state.slot
        if any(event.facts.has_left(side, slot.session, slot.round) for side in (seats.ns, seats.ew)):
            return False, False
    return True, to_come


def _board(event: "Event", slot: Slot) -> Board:
    """The board that a slot is compared on."""
    conditions = event.conditions
    form = ""
    if conditions.score_method is Method.TEAM_IMPS:
        match = _match_of(event, slot)
        name = f"match:{match.match if match is not None else ''}"
    else:
        name = "field" if conditions.field_compare is Comparison.FIELD else slot.section
        form = event.facts.form(slot, END) if event.facts.forms else ""
    group = event.groups.get((slot.session, name))
    if group is None:
        group = event.groups[slot.session, name] = GroupCount()
    forms = group.boards.setdefault(slot.board, [])
    for board in forms:
        if board.id.form == form:
            return board
    board_id = BoardId(slot.session, name, slot.board, form)
    board = event.boards[board_id] = Board(board_id)
    forms.append(board)
    return board


def _match_of(event: "Event", slot: Slot) -> MatchSet | None:
    """The match that a slot belongs to."""
    timeline = event.facts.match_at.get((slot.session, slot.section, slot.round, slot.table))
    found = None if timeline is None else timeline.last()
    return found[0] if found is not None and slot.board in found[0].boards else None


def seated(event: "Event", state: SlotState) -> Pair:
    """Who sat there: ruled, else as the director reseated, else as the result says, else as planned."""
    effective = state.standing.effective
    if (
        effective is not None
        and effective.ns is not None
        and effective.ew is not None
        and effective.ruled_ns is effective.ruled_ew is None
        and not event.facts.reseated
    ):
        return (effective.ns, effective.ew)  # no need to ask for the plan
    planned: Pair | None = None if state.seats is None else (state.seats.ns, state.seats.ew)
    return _pair(event, state.slot, effective, planned)


def _pair(event: "Event", slot: Slot, effective: Effective | None, planned: Pair | None) -> Pair:
    here = [(slot, effective, _planned(event, slot) if planned is None else planned)]
    # A result may have been moved more often than calls can be nested.
    while effective is not None and effective.moved is not None and here[-1][2] == NOBODY:
        slot, effective = effective.moved
        here.append((slot, effective, _planned(event, slot)))
    below = NOBODY
    for where, stands, plan in reversed(here):
        below = _said(event, where, stands, plan if plan != NOBODY else below)
    return below


def _said(event: "Event", slot: Slot, effective: Effective | None, plan: Pair) -> Pair:
    """The plan of a slot with what its result says of the pairs."""
    if effective is None:
        return plan
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


def _line(event: "Event", state: SlotState, effective: Effective, sat: Pair) -> Line:
    slot = state.slot
    facts, conditions = event.facts, event.conditions
    ns, ew = sat
    result = effective.result
    ns_key: Key | None = None
    ew_key: Key | None = None
    ns_award: Artificial | None = None
    ew_award: Artificial | None = None
    if isinstance(result, Adjusted):
        ns_key, ns_award = _rated_by(result.ns)
        ew_key, ew_award = _rated_by(result.ew)
    elif not isinstance(result, _NO_LINE):  # pragma: no branch - what is not played has no line
        marked = facts.vulnerability(slot, END) if facts.forms else vulnerability(slot.board)
        ns_key = ew_key = ns_points(result, marked, conditions.score_table)
    home: Direction | None = None
    teams = sat
    if conditions.score_method is Method.TEAM_IMPS:
        match = _match_of(event, slot)
        teams = NOBODY
        if match is not None and len(match.tables) == 2:
            home = _home(match, slot, sat)
            teams = (match.home, match.visit) if home is Direction.NS else (match.visit, match.home)
    return Line(
        state.key,
        effective.identity,
        ns,
        ew,
        ns_key,
        ew_key,
        ns_award,
        ew_award,
        home,
        facts.form(slot, END) if facts.forms else "",
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
    event: "Event",
    state: SlotState,
    board: Board | None,
    line: Line | None,
    *,
    due: bool,
    is_open: bool,
) -> None:
    old = state.board
    if old is not None:
        if state.line is not None:
            _take_off(event, old, state.line)
        if old is not board:
            old.states.remove(state)
            _count_due(event, old, due=-int(state.due), is_open=-int(state.open))
            event.touch(old)
    if board is not None:
        if old is not board:
            board.states.append(state)
            _count_due(event, board, due=int(due), is_open=int(is_open))
        elif due is not state.due or is_open is not state.open:
            _count_due(event, board, due=due - state.due, is_open=is_open - state.open)
        if line is not None:
            _put_on(event, board, line)
        event.touch(board)
    state.board, state.line, state.due, state.open = board, line, due, is_open
    state.charted = state.standing.effective


def _put_on(event: "Event", board: Board, line: Line) -> None:
    board.add(line)
    if line.ns_tally is not None:
        line.ns_tally.on.append(board)
    if line.ew_tally is not None:
        line.ew_tally.on.append(board)
    if line.ns_award is not None or line.ew_award is not None:
        event.awarded.setdefault(board, {})[line.slot] = line


def _take_off(event: "Event", board: Board, line: Line) -> None:
    uncount(board, line)
    board.remove(line)
    for tally in (line.ns_tally, line.ew_tally):
        if tally is not None:
            tally.on.remove(board)
    if line.ns_award is not None or line.ew_award is not None:
        del event.awarded[board][line.slot]


def _owe(event: "Event", state: SlotState, owed: Pair) -> None:
    """Keep up how many boards each contestant is due."""
    session = state.slot.session
    for name in state.owed:
        if name is not None:
            event.tally(session, name).due -= 1
    for name in owed:
        if name is not None:
            event.tally(session, name).due += 1
    state.owed = owed


def _mark(event: "Event", state: SlotState) -> None:
    """Keep up the open matters of each section: what is missing, unconfirmed, disputed and so on."""
    standing = state.standing
    effective = standing.effective
    found = MISSING if state.open else 0
    if effective is not None:
        if isinstance(effective.result, NotPlayed):
            found |= NOT_PLAYED
        elif (
            not standing.confirmed
            and effective.holder is Holder.TABLE
            and event.conditions.confirm_by is Confirmation.OPPONENTS
        ):
            found |= UNCONFIRMED
        if standing.disputed:
            found |= DISPUTED
    if state.judgements is not None and any(
        judgement.verdict is Verdict.WAITING_FOR_DIRECTOR for judgement in state.judgements.values()
    ):
        found |= WAITING
    if found == state.marks:
        return
    counts = event.matters.setdefault(state.key[:2], [0] * 5)
    for number in range(5):
        counts[number] += (found >> number & 1) - (state.marks >> number & 1)
    state.marks = found


def _count_due(event: "Event", board: Board, *, due: int, is_open: int) -> None:
    board.open += is_open
    if due:
        board.due += due
        event.groups[board.id.session, board.id.group].touched = True
