"""As of a moment, what changed between two, and what a ruling would change: folds over a slice."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final, TypeVar

from pydantic import TypeAdapter

from pipeline.ports import BoardName, Page, Pages, Secrecy
from pipeline.scoring import lists, standings, travellers
from pipeline.scoring.board import BoardId
from pipeline.scoring.event import Event
from pipeline.scoring.scores import EVENT
from pipeline.scoring.verdict import roles_for
from schemas.control import RoundEnded
from schemas.policies import ShowStandings, ShowTraveller
from schemas.published import Row, Standings, StandingsIndex, Status, Traveller, TravellerLine
from schemas.record import Record, Slot, Stamp, Stamped
from schemas.terms import ContestantId, EventId, ListId
from schemas.topics import TOPIC_OF

MOST_KEPT: Final = 8
"""Folds of the past that are kept: a director looks at a few moments again and again."""
Outcome = TypeVar("Outcome")
_STANDINGS: Final = TypeAdapter(Standings)
_TRAVELLER: Final = TypeAdapter(Traveller)
_INDEX: Final = TypeAdapter(StandingsIndex)


# Slices.


def moments(entries: Sequence[Stamped]) -> Iterator[tuple[int, Stamped]]:
    """When each was said, in microseconds: an honoured original stamp goes before the log's own."""
    live = False
    for stamped in entries:
        original = stamped.record.original_stamp
        live = live or original is None
        yield (stamped.stamp.time_us if original is None or live else original.time_us), stamped


def until(entries: Sequence[Stamped], us: int) -> list[Stamped]:
    """What had been said at a moment; a record stamped exactly then is in."""
    return [stamped for moment, stamped in moments(entries) if moment <= us]


def fold(event: EventId, entries: Iterable[Stamped], incomplete: int = 0) -> Event:
    """An event from its records."""
    folded = Event(event)
    folded.incomplete = incomplete
    folded.apply(entries)
    return folded


def as_of(event: EventId, entries: Sequence[Stamped], us: int) -> Event:
    """An event as it stood at a moment: a smaller set."""
    return fold(event, until(entries, us))


def with_record(event: EventId, entries: Sequence[Stamped], record: Record) -> Event:
    """An event as it would stand had this record been said just after all the others: a larger set."""
    last = max((stamped.stamp.time_us for stamped in entries), default=0)
    offset = max((stamped.stamp.offset for stamped in entries), default=-1)
    stamp = Stamp(last + 1, TOPIC_OF[type(record)], 0, offset + 1)
    return fold(event, [*entries, Stamped(record, stamp)])


# What changed.


@dataclass(frozen=True, slots=True)
class Move:
    """A contestant's place and score in a list before and after; None where it was not in it."""

    contestant: ContestantId
    before: Row | None
    after: Row | None


@dataclass(frozen=True, slots=True)
class ListChange:
    """What changed in one ranking list, in the order of the new one."""

    list: ListId
    status_before: Status | None
    status_after: Status | None
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line of a traveller before and after."""

    slot: Slot
    before: TravellerLine | None
    after: TravellerLine | None


@dataclass(frozen=True, slots=True)
class BoardChange:
    """What changed on one board of one comparison group."""

    session: str
    group: str
    board: int
    lines: tuple[LineChange, ...]

    @property
    def deal(self) -> tuple[str, int]:
        """What everybody who has the board plays."""
        return self.session, self.board


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two folds of one event."""

    event: EventId
    lists: tuple[ListChange, ...]
    boards: tuple[BoardChange, ...]

    def __bool__(self) -> bool:
        return bool(self.lists or self.boards)


def diff(old: Event, new: Event, old_us: int | None = None, new_us: int | None = None) -> Difference:
    """What differs between two folds; the moments are those of the lists' status."""
    changed = _list_changes(old, new, old_us, new_us)
    return Difference(new.id, tuple(changed), tuple(_board_changes(old, new)))


def preview(event: EventId, entries: Sequence[Stamped], record: Record) -> Difference:
    """What a ruling would change; nothing changes."""
    return diff(fold(event, entries), with_record(event, entries, record))


def _list_changes(old: Event, new: Event, old_us: int | None, new_us: int | None) -> Iterator[ListChange]:
    had, has = lists.list_ids(old), lists.list_ids(new)
    for name in dict.fromkeys([*has, *had]):
        status_before, before = _rows(old, name, old_us) if name in had else (None, {})
        status_after, after = _rows(new, name, new_us) if name in has else (None, {})
        moves = tuple(
            Move(contestant, before.get(contestant), after.get(contestant))
            for contestant in dict.fromkeys([*after, *before])
            if before.get(contestant) != after.get(contestant)
        )
        if moves or status_before is not status_after:
            yield ListChange(name, status_before, status_after, moves)


def _rows(event: Event, name: ListId, us: int | None) -> tuple[Status, dict[ContestantId, Row]]:
    pages = standings.standings(event, name, us)
    return pages[0].status, {row.contestant: row for page in pages for row in page.rows}


def _board_changes(old: Event, new: Event) -> Iterator[BoardChange]:
    had, has = set(travellers.board_ids(old)), set(travellers.board_ids(new))
    for board in sorted(had | has):
        before = lines_of(old, board) if board in had else {}
        after = lines_of(new, board) if board in has else {}
        changed = tuple(
            LineChange(slot, before.get(slot), after.get(slot))
            for slot in dict.fromkeys([*before, *after])
            if before.get(slot) != after.get(slot)
        )
        if changed:
            name = name_of(board)
            yield BoardChange(name.session, name.group, name.board, changed)


def lines_of(event: Event, board: BoardId) -> dict[Slot, TravellerLine]:
    """The lines of a traveller by slot."""
    return {line.slot: line for page in travellers.traveller(event, board) for line in page.lines}


# Messages as pages.


def name_of(board: BoardId) -> BoardName:
    """What the traveller of a board is called."""
    return BoardName(board.session, f"{board.group}#{board.form}" if board.form else board.group, board.board)


def board_of(name: BoardName) -> BoardId:
    """The board that a traveller is of."""
    group, _, form = name.group.partition("#")
    return BoardId(name.session, group, name.board, form)


def page(body: bytes) -> Page:
    """Bytes with a name that no other bytes have."""
    return Page(body, f'"{blake2b(body, digest_size=12).hexdigest()}"')


def standings_pages(event: Event, name: str, us: int | None, offset: int) -> Pages:
    """A ranking list with its status at a moment. Raises KeyError."""
    found = standings.standings(event, ListId(name), us)
    return Pages(tuple(page(_STANDINGS.dump_json(one)) for one in found), offset, found[0].status)


def traveller_pages(event: Event, name: BoardName, offset: int) -> Pages:
    """A traveller. Raises KeyError."""
    found = travellers.traveller(event, board_of(name))
    return Pages(tuple(page(_TRAVELLER.dump_json(one)) for one in found), offset)


def index_pages(event: Event, offset: int) -> Pages:
    """The lists of an event."""
    return Pages((page(_INDEX.dump_json(standings.index(event))),), offset)


# What decides about secrecy.


def secrecy(event: Event) -> Secrecy:
    """What of an event is over, as it stands (docs/semantics.md section 8)."""
    conditions = event.conditions
    boards = travellers.board_ids(event)
    deals = {(board.session, board.board) for board in boards}
    closed = frozenset(deal for deal in deals if travellers.is_closed(event, *deal))
    closed = _without_moved(event, deals, closed)
    sessions = event.session_names()
    ended = frozenset(name for name in sessions if event.facts.session(name).ended_us is not None)
    found = Secrecy(conditions.show_traveller, conditions.show_standings, closed, frozenset(), ended)
    if conditions.show_traveller is ShowTraveller.AFTER_ROUND:
        found = replace(found, round_over=_rounds_over(event, closed, ended))
    if conditions.show_standings is ShowStandings.AFTER_ROUND:
        found = replace(found, rounds_until_us=_rounds_until(event, sessions, ended))
    return found


def _without_moved(
    event: Event, deals: set[tuple[str, int]], closed: frozenset[tuple[str, int]]
) -> frozenset[tuple[str, int]]:
    """Without deals that a result was moved from or to, while the other deal is still to be played.

    As of a moment before the move, and in what it changed, the one shows what happened on the other.
    """
    moves = {
        ((record.slot.session, record.slot.board), (record.to.slot.session, record.to.slot.board))
        for record in event.moves()
        if record.role in roles_for(record)
    }
    joined = [pair for pair in moves if deals.issuperset(pair)]
    while parted := [pair for pair in joined if len(closed.intersection(pair)) == 1]:
        closed = closed.difference(*parted)
    return closed


def _round_ends(event: Event) -> dict[tuple[str, int], dict[str | None, int]]:
    """By session and round: when it ended, by section (None: in all of them)."""
    found: dict[tuple[str, int], dict[str | None, int]] = {}
    for stamped in event.records.by_identity.values():
        record = stamped.record
        if isinstance(record, RoundEnded) and record.role in roles_for(record):
            when = event.records.position(stamped)[0]
            found.setdefault((record.session, record.round), {}).setdefault(record.section, when)
    return found


def _rounds_over(
    event: Event, closed: frozenset[tuple[str, int]], ended: frozenset[str]
) -> frozenset[tuple[str, int]]:
    ends = _round_ends(event)
    still: set[tuple[str, int]] = set()
    for board in travellers.board_ids(event):
        deal = (board.session, board.board)
        if deal in closed and board.session not in ended and deal not in still:
            for slot in lines_of(event, board):
                over = ends.get((slot.session, slot.round), {})
                if None not in over and slot.section not in over:
                    still.add(deal)
                    break
    return closed - still


def _rounds_until(event: Event, sessions: Sequence[str], ended: frozenset[str]) -> Mapping[str, int]:
    last: dict[str, int] = {}
    for (session, _), over in _round_ends(event).items():
        sections = {section for name, section in event.facts.movements if name == session}
        whole = over.get(None)
        if whole is None and sections and sections <= over.keys():
            whole = max(when for when in over.values())
        if whole is not None:
            last[session] = max(last.get(session, 0), whole)
    playing = [name for name in sessions if name not in ended]
    found = {name: last.get(name, 0) for name in playing}
    over_us = [us for name in ended if (us := event.facts.session(name).ended_us) is not None]
    # A session that has not begun holds nothing back.
    if any(last.get(name) or _has_begun(event, name) for name in playing):
        found[EVENT] = max([*last.values(), *over_us], default=0)
    return found


def _has_begun(event: Event, session: str) -> bool:
    return standings.status_of(event, session, None)[0] is not Status.SCHEDULED


# Off the loop.


class Past:
    """Answers questions about slices of history in a thread of its own, so that nothing live waits for them.

    The last few folds are kept; what is asked of them is asked in that thread alone.
    """

    def __init__(self, folded: Callable[[], None] = lambda: None) -> None:
        """`folded` is told of each slice that had to be folded."""
        self._thread = ThreadPoolExecutor(1, "history")
        self._kept: OrderedDict[tuple[EventId, int, int], Event] = OrderedDict()
        self._folded = folded

    async def ask(
        self,
        event: EventId,
        entries: Sequence[Stamped],
        us: int,
        question: Callable[[Event], Outcome],
        incomplete: int = 0,
    ) -> Outcome:
        """Ask an event as it stood at a moment; `incomplete` is how many of its entries cannot be folded."""

        def answer() -> Outcome:
            found = self._as_of(event, entries, us)
            found.incomplete = incomplete
            return question(found)

        return await self._run(answer)

    async def diff(self, event: EventId, entries: Sequence[Stamped], from_us: int, to_us: int) -> Difference:
        """What changed between two moments."""
        return await self._run(
            lambda: diff(
                self._as_of(event, entries, from_us), self._as_of(event, entries, to_us), from_us, to_us
            )
        )

    async def preview(
        self, event: EventId, entries: Sequence[Stamped], record: Record, now_us: int
    ) -> Difference:
        """What a record would change now."""
        return await self._run(
            lambda: diff(
                self._as_of(event, entries, now_us), with_record(event, entries, record), now_us, now_us
            )
        )

    def close(self) -> None:
        """Let go; what is being folded is abandoned."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[], Outcome]) -> Outcome:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _as_of(self, event: EventId, entries: Sequence[Stamped], us: int) -> Event:
        found = until(entries, us)
        # A slice is named by its size too: should anything have been in flight, it is another slice.
        key = (event, us, len(found))
        known = self._kept.get(key)
        if known is None:
            known = self._kept[key] = fold(event, found)
            self._folded()
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return known
