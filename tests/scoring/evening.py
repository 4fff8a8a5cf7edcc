"""An evening told to the core, and to the naive scorer beside it: they must agree about every one."""

from collections.abc import Iterable
from fractions import Fraction

from pipeline.scoring.event import Event
from pipeline.scoring.lists import ranking
from pipeline.scoring.naive import naive_score
from pipeline.scoring.standings import standings
from pipeline.scoring.travellers import is_closed, traveller
from schemas.decisions import Decision, Flag, Reason, Verdict
from schemas.published import Row, Standings, Traveller
from schemas.record import Record, Slot, Stamp, Stamped
from schemas.terms import ContestantId, Direction, Identity, ListId
from schemas.topics import TOPIC_OF
from tests.builders import MINUTE, SECOND, START_US
from tests.scoring.agreement import differences, points

MIDNIGHT_US = START_US - 18 * 60 * MINUTE
Said = tuple[Verdict, Reason | None]
ACCEPTED: Said = (Verdict.ACCEPTED, None)
WITHDRAWN: Said = (Verdict.WITHDRAWN, None)
NS, EW = Direction.NS, Direction.EW


def refused(reason: Reason) -> Said:
    return (Verdict.REFUSED, reason)


def waits(reason: Reason) -> Said:
    return (Verdict.WAITING_FOR_DIRECTOR, reason)


def clock(time: str) -> int:
    """`22:10` or `22:40:01` of the evening, as the log's clock has it."""
    hours, minutes, seconds = (*time.split(":"), "0")[:3]
    return MIDNIGHT_US + (int(hours) * 60 + int(minutes)) * MINUTE + int(seconds) * SECOND


def at(time: str, record: Record) -> Stamped:
    """A record as the log took it at this time of the evening."""
    return Stamped(record, Stamp(clock(time), TOPIC_OF[type(record)], 0, 0))


class Told:
    """What became of an evening."""

    def __init__(self, entries: Iterable[Stamped]) -> None:
        self.entries = tuple(entries)
        self.event = Event(self.entries[0].record.event)
        self.event.apply(self.entries)
        assert not list(differences(self.event, naive_score(self.entries)))

    def decision(self, record: Record | Identity) -> Decision:
        found = self.event.decision(record.identity if isinstance(record, Record) else record)
        assert found is not None
        return found

    def verdict(self, record: Record | Identity) -> Said:
        decision = self.decision(record)
        return decision.verdict, decision.reason

    def verdicts(self, *records: Record) -> list[Said]:
        return [self.verdict(record) for record in records]

    def article(self, record: Record) -> str | None:
        return self.decision(record).article

    def stands(self, where: Slot) -> Identity | None:
        """The record whose result counts in a slot."""
        state = next((state for state in self.event.slots.values() if state.slot == where), None)
        effective = None if state is None else state.standing.effective
        return None if effective is None else effective.identity

    def points(self, where: Slot, side: Direction = NS) -> Fraction | None:
        self.event.rate_all()
        state = next(state for state in self.event.slots.values() if state.slot == where)
        return points(self.event, state, side)

    def board(self, number: int = 1, side: Direction = NS, section: str = "A") -> list[Fraction | None]:
        """A side's points on a board, by table."""
        slots = sorted(
            (
                s.slot
                for s in self.event.slots.values()
                if (s.slot.board, s.slot.section) == (number, section)
            ),
            key=lambda slot: (slot.round, slot.table),
        )
        return [self.points(slot, side) for slot in slots]

    def seated(self, where: Slot) -> tuple[ContestantId | None, ContestantId | None]:
        return self.event.seated(next(s for s in self.event.slots.values() if s.slot == where))

    def page(self, name: str = "1/all", time: str | None = None) -> Standings:
        """A list as it is published, at a moment."""
        page, *more = standings(self.event, ListId(name), None if time is None else clock(time))
        assert not more
        return page

    def rows(self, name: str = "1/all") -> dict[str, Row]:
        return {str(row.contestant): row for row in self.page(name).rows}

    def totals(self, name: str = "1/all") -> dict[str, Fraction]:
        """Exact totals by contestant, of those who have any board."""
        return {
            str(row.contestant): row.score.total
            for row in ranking(self.event, ListId(name))
            if row.rank is not None
        }

    def ranks(self, name: str = "1/all") -> dict[str, str]:
        """`1`, `2=` and so on, by contestant."""
        return {
            str(row.contestant): f"{row.rank}{'=' if row.tied else ''}"
            for row in ranking(self.event, ListId(name))
            if row.rank is not None
        }

    def flags(self, where: Slot) -> tuple[Flag, ...]:
        """What a traveller shows beside a result."""
        for page in self.travellers():
            for line in page.lines:
                if line.slot == where:
                    return line.flags
        raise AssertionError(where)

    def travellers(self) -> tuple[Traveller, ...]:
        return tuple(page for board in sorted(self.event.boards) for page in traveller(self.event, board))

    def closed(self, board: int, session: str = "1") -> bool:
        return is_closed(self.event, session, board)


def told(*entries: Stamped | Record | Iterable[Record]) -> Told:
    """Tell an evening: a record without a time of its own comes a second after the one before."""
    now_us = clock("19:59:59")
    found: list[Stamped] = []
    for entry in _flat(entries):
        record = entry.record if isinstance(entry, Stamped) else entry
        now_us = entry.stamp.time_us if isinstance(entry, Stamped) else now_us + SECOND
        found.append(Stamped(record, Stamp(now_us, TOPIC_OF[type(record)], 0, len(found))))
    return Told(found)


def _flat(entries: Iterable[Stamped | Record | Iterable[Record]]) -> Iterable[Stamped | Record]:
    for entry in entries:
        if isinstance(entry, Iterable):
            yield from entry
        else:
            yield entry
