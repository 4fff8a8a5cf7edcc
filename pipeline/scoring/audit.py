"""Does the log still say what was published, and does a second scorer agree? (docs/semantics.md)"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from pipeline.rules.rounding import exact_text
from pipeline.scoring.charting import SlotState
from pipeline.scoring.event import Event
from pipeline.scoring.lists import Ranked, factored_total, full_tops, list_ids, ranking
from pipeline.scoring.naive import NaiveEvent, naive_score
from pipeline.scoring.record_set import RecordSet
from pipeline.scoring.scores import side_points
from pipeline.scoring.standings import standings
from pipeline.scoring.travellers import is_closed
from schemas.control import PinnedList, RescoringAccepted, ScorePublished, SessionFinalised
from schemas.decisions import Verdict
from schemas.record import Slot, Stamped
from schemas.terms import Direction, EventId, ListId


class Audited(StrEnum):
    """What was looked at."""

    VERDICT = "verdict"
    CONFLICT = "conflict"
    EFFECTIVE = "effective"
    SEATED = "seated"
    POINTS = "points"
    LIST = "list"
    TOTAL = "total"
    RANK = "rank"
    DEAL_CLOSED = "deal-closed"
    DIGEST = "digest"
    """Of a published list."""


@dataclass(frozen=True, slots=True)
class AuditDifference:
    """One thing about which the refold and the other witness differ; None: one of them has nothing there."""

    event: EventId
    audited: Audited
    where: str
    refold: str | None
    other: str | None
    """What the naive scorer has, or what was published."""

    def __str__(self) -> str:
        return f"{self.event}: {self.audited} {self.where}: {self.refold or '-'}, but {self.other or '-'}"


@dataclass(frozen=True, slots=True)
class PublishedList:
    """A list as it was published: its digest, and log time of the last record in it (None: all of them)."""

    list: ListId
    digest: str
    as_of_us: int | None = None


def audit(entries: Sequence[Stamped], published: Iterable[PublishedList] = ()) -> tuple[AuditDifference, ...]:
    """Fold the records of one event anew, and hold the outcome to the naive scorer and to what was published.

    Compared are verdicts, effective results, points per side and slot, totals, ranks and closed deals; then
    every list that `score_published` or `session_finalised` pinned, as of just before that record, and
    every list in `published`. An empty log has no differences.
    """
    if not entries:
        return ()
    event = _fold(entries)
    found = Opinions(event, naive_score(entries))
    return (*found.differences(), *_pins(event, entries), *_published(event, entries, published))


def _fold(entries: Sequence[Stamped]) -> Event:
    event = Event(entries[0].record.event)
    event.apply(entries)
    return event


class Opinions:
    """The core's and the naive scorer's, side by side."""

    def __init__(self, event: Event, naive: NaiveEvent) -> None:
        self.event, self.naive = event, naive
        self.states: dict[Slot, SlotState] = {state.slot: state for state in event.slots.values()}

    def differences(self) -> Iterator[AuditDifference]:
        """Everything about which they differ."""
        yield from self._verdicts()
        yield from self._slots()
        yield from self._points()
        yield from self._lists()
        for (session, board), closed in self.naive.deal_closed.items():
            yield from self._unless_same(
                Audited.DEAL_CLOSED, f"{session}/b{board}", is_closed(self.event, session, board), closed
            )

    def _unless_same(
        self, audited: Audited, where: str, refold: object, other: object
    ) -> Iterator[AuditDifference]:
        if refold != other:
            yield AuditDifference(self.event.id, audited, where, _text(refold), _text(other))

    def _verdicts(self) -> Iterator[AuditDifference]:
        for identity, ruled in self.naive.decisions.items():
            decision = self.event.decision(identity)
            mine = None if decision is None else (decision.verdict, decision.reason)
            yield from self._unless_same(Audited.VERDICT, identity, mine, tuple(ruled))
        for identity in sorted(set(self.event.records.by_identity) - set(self.naive.decisions)):
            yield AuditDifference(self.event.id, Audited.VERDICT, identity, "read", None)
        conflicts = set(self.event.records.conflicts)
        for identity, digest in sorted(conflicts ^ self.naive.conflicts):
            mine_too = (identity, digest) in conflicts
            yield from self._unless_same(Audited.CONFLICT, f"{identity} {digest}", mine_too, not mine_too)

    def _slots(self) -> Iterator[AuditDifference]:
        for slot, expected in self.naive.effective.items():
            state = self.states.get(slot)
            effective = None if state is None else state.standing.effective
            mine = None if effective is None else effective.identity
            yield from self._unless_same(Audited.EFFECTIVE, str(slot), mine, expected)
        for slot, seated in self.naive.seated.items():
            state = self.states.get(slot)
            if state is not None and state.line is not None:
                yield from self._unless_same(Audited.SEATED, str(slot), self.event.seated(state), seated)

    def _points(self) -> Iterator[AuditDifference]:
        self.event.rate_all()
        for (slot, direction), expected in self.naive.points.items():
            state = self.states.get(slot)
            mine = None if state is None else points(self.event, state, direction)
            yield from self._unless_same(Audited.POINTS, f"{slot} {direction}", mine, expected)

    def _lists(self) -> Iterator[AuditDifference]:
        there = {str(name) for name in list_ids(self.event)}
        for name, rows in self.naive.totals.items():
            if name not in there:
                yield AuditDifference(self.event.id, Audited.LIST, name, None, f"{len(rows)} contestants")
                continue
            mine = {row.contestant: row for row in ranking(self.event, ListId(name))}
            full = full_tops(self.event, name.partition("/")[0])
            for contestant, expected in rows.items():
                where = f"{name} {contestant}"
                row = mine.get(contestant)
                total = (expected.total, expected.available, expected.boards)
                yield from self._unless_same(Audited.TOTAL, where, self._total(row, full), total)
                rank = None if row is None else (row.rank, row.tied)
                yield from self._unless_same(Audited.RANK, where, rank, (expected.rank, expected.tied))
            for contestant, row in mine.items():
                if row.rank is not None and contestant not in rows:
                    where = f"{name} {contestant}"
                    yield AuditDifference(self.event.id, Audited.RANK, where, str(row.rank), None)

    def _total(self, row: Ranked | None, full: int) -> tuple[Fraction, Fraction, int] | None:
        if row is None:
            return None
        shown = factored_total(row.score, self.event.conditions, full)
        return shown, Fraction(row.score.available), row.score.boards


def points(event: Event, state: SlotState, direction: Direction) -> Fraction | None:
    """One side's exact points at a slot, as they count; None where it has none."""
    line, board = state.line, state.board
    if line is None or board is None:
        return None
    return side_points(event, board, event.rated(board), line, direction)[0]


def _text(value: object) -> str | None:
    match value:
        case None:
            return None
        case Fraction():
            return exact_text(value)
        case tuple():
            return " ".join(_text(part) or "-" for part in value)
        case _:
            return str(value)


def _pins(event: Event, entries: Sequence[Stamped]) -> Iterator[AuditDifference]:
    """Lists pinned by publications that were accepted, unless a rescoring of them was."""
    rescored = {
        (pin.list, pin.digest)
        for stamped in event.records.by_identity.values()
        if isinstance(stamped.record, RescoringAccepted) and _counts(event, stamped)
        for pin in stamped.record.lists
    }
    for stamped in event.records.by_identity.values():
        record = stamped.record
        if isinstance(record, ScorePublished | SessionFinalised) and record.lists and _counts(event, stamped):
            then = _fold(_before(event.records, entries, stamped))
            for pin in record.lists:
                difference = _against(then, pin, f"{pin.list} of {record.identity}")
                if difference is not None and (pin.list, difference.refold) not in rescored:
                    yield difference


def _counts(event: Event, stamped: Stamped) -> bool:
    decision = event.decision(stamped.record.identity)
    return decision is not None and decision.verdict in {Verdict.ACCEPTED, Verdict.WITHDRAWN}


def _before(records: RecordSet, entries: Sequence[Stamped], until: Stamped) -> Sequence[Stamped]:
    """What had been said when a record was; never nothing, for it says which event."""
    here = records.position(until)
    return [stamped for stamped in entries if records.position(stamped) < here] or [until]


def _published(
    event: Event, entries: Sequence[Stamped], published: Iterable[PublishedList]
) -> Iterator[AuditDifference]:
    for one in published:
        then, when = event, "as published"
        if one.as_of_us is not None:
            known = [stamped for stamped in entries if stamped.stamp.time_us <= one.as_of_us]
            then, when = _fold(known or entries), f"as published at {one.as_of_us}"
        difference = _against(then, PinnedList(one.list, one.digest), f"{one.list} {when}")
        if difference is not None:
            yield difference


def _against(then: Event, pin: PinnedList, where: str) -> AuditDifference | None:
    mine = standings(then, pin.list)[0].digest if pin.list in list_ids(then) else None
    return None if mine == pin.digest else AuditDifference(then.id, Audited.DIGEST, where, mine, pin.digest)
