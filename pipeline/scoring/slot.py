"""What was said about one board at one table, and what of it counts (docs/semantics.md section 4)."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pipeline.scoring.admission import admit
from pipeline.scoring.facts import AtSlot, Facts
from pipeline.scoring.limits import require_time
from pipeline.scoring.record_set import Place, slots_named
from pipeline.scoring.rulings import rule
from pipeline.scoring.standing import (
    EMPTY,
    Done,
    Effective,
    Entry,
    Holder,
    Mark,
    Standing,
    standing,
)
from pipeline.scoring.verdict import ACCEPTED, Judgement, judged, require_authority, to_director
from schemas import corrections, results
from schemas.control import Period
from schemas.decisions import Flag, Reason, Refused, Verdict
from schemas.policies import Confirmation
from schemas.record import Slot, Stamped
from schemas.terms import Identity

CAP: Final = 200
"""Records in one slot that are looked at; a table that sends more is broken."""
LATE: Final = Judgement(Verdict.ACCEPTED, flags=(Flag.LATE,))


@dataclass(frozen=True, slots=True)
class Around:
    """What a slot asks of the event around it."""

    records: Mapping[Identity, Stamped]
    facts_at: Callable[[Place], Facts]
    withdrawn_at: Callable[[Place], set[Identity]]
    """What was taken back just before a place."""
    seats_at: Callable[[Slot, Facts, Place], AtSlot | None]
    """Who was to sit at a slot, just before a place."""
    fold_before: "Callable[[Slot, Place], SlotFold]"
    """Another slot's records, folded up to a place."""


class SlotFold:
    """Folds the records of one slot in the order of their places."""

    __slots__ = ("around", "confirmations", "count", "disputes", "done", "judgements", "slot")

    def __init__(self, slot: Slot, around: Around) -> None:
        self.slot = slot
        self.around = around
        self.done: list[Done] = []
        self.confirmations: list[Mark] = []
        self.disputes: list[Mark] = []
        self.judgements: dict[Identity, Judgement] = {}
        self.count = 0

    def run(self, entries: Iterable[Entry], end: Place) -> Standing:
        """Fold all; `judgements` then has every record's verdict for this slot."""
        for entry in entries:
            if isinstance(entry.record, corrections.RecordWithdrawn):
                continue
            try:
                self.judgements[entry.identity] = self._take(entry)
            except Refused as refused:
                self.judgements[entry.identity] = judged(refused)
            self.count += 1
        gone = self.around.withdrawn_at(end)
        for identity, effective in self.done:
            if effective is not None and effective.identity != identity and identity not in gone:
                # Upheld: what waited for the director counts by the director's word.
                self.judgements[effective.identity] = ACCEPTED
        return self.standing_at(end)

    def standing_at(self, place: Place) -> Standing:
        """What stood just before a place."""
        if not self.done:
            return EMPTY
        return standing(self.done, self.confirmations, self.disputes, self.around.withdrawn_at(place))

    def do(self, identity: Identity, effective: Effective | None) -> Judgement:
        """Accept a change."""
        self.done.append(Done(identity, effective))
        return ACCEPTED

    def require_here(self, named: Identity | None) -> None:
        """Raise Refused for a named record that is no result or ruling about this slot."""
        if named is None:
            return
        record = self.around.records[named].record
        marks = isinstance(record, results.ResultConfirmed | results.ResultDisputed)
        if marks or self.slot not in slots_named(record):
            raise Refused(
                Reason.REFERENCE_NOT_IN_SLOT,
                field="supersedes",
                value=named,
                rule=f"a record of slot {self.slot}",
            )

    def require_effective(self, named: Identity | None, effective: Effective | None) -> None:
        """Raise Refused unless a change names the record that stands (none: the slot is empty)."""
        stands = None if effective is None else effective.identity
        if named != stands:
            raise to_director(
                Reason.SUPERSEDED_ALREADY,
                field="supersedes",
                value=named or "",
                rule=f"the slot has {stands or 'no result'}",
                effective=stands,
            )

    def require_room(self, entry: Entry) -> None:
        """Raise Refused for a record beyond the cap; `entry` is the next one."""
        if self.count >= CAP and entry.identity not in self.judgements:
            raise Refused(Reason.RECORDS_CAPPED, field="slot", value=self.slot, rule=f"at most {CAP} records")

    def _take(self, entry: Entry) -> Judgement:
        record = entry.record
        facts = self.around.facts_at(entry.place)
        if isinstance(record, corrections.Ruling):
            return rule(self, entry, record, facts)
        self.require_room(entry)
        if isinstance(record, results.BoardResult):
            return self._board_result(entry, record, facts)
        match record:
            case results.ResultConfirmed():
                effective = self.standing_at(entry.place).effective
                require_initials(effective, self.slot, record, facts, entry.place)
                self.confirmations.append(Mark(entry.identity, record.result_record, len(self.done)))
                return ACCEPTED
            case results.ResultDisputed():
                require_authority(record)
                facts.require_session(self.slot.session, entry.place)
                require_time(facts, record, self.slot.session, self.slot, entry.place, entry.time_us)
                self.disputes.append(Mark(entry.identity, record.result_record, len(self.done)))
                return ACCEPTED
            case _:  # pragma: no cover - nothing else is filed under a slot
                raise AssertionError(record)

    def _board_result(self, entry: Entry, record: results.BoardResult, facts: Facts) -> Judgement:
        new = admit(self.slot, entry, record, facts, self.around.seats_at(self.slot, facts, entry.place))
        now = self.standing_at(entry.place)
        if now.effective is None:
            self.do(entry.identity, new)
            return accepted_in(facts, self.slot, entry)
        return self._second(entry, record, new, now, facts)

    def _second(
        self, entry: Entry, record: results.BoardResult, new: Effective, now: Standing, facts: Facts
    ) -> Judgement:
        old = now.effective
        assert old is not None  # noqa: S101 - the slot has a result
        if new.result == old.result and (record.supersedes is None or record.source != old.source):
            return Judgement(Verdict.ACCEPTED, flags=(Flag.CORROBORATED,), effective=old.identity)
        self.require_here(record.supersedes)
        if record.supersedes is None:
            raise to_director(
                Reason.SLOT_TAKEN,
                field="supersedes",
                value="",
                rule=f"the slot has {old.identity}",
                effective=old.identity,
            )
        self.require_effective(record.supersedes, old)
        if old.holder is Holder.DIRECTOR and new.holder is not Holder.DIRECTOR:
            raise to_director(
                Reason.SUPERSEDES_DIRECTOR,
                field="supersedes",
                value=record.supersedes,
                rule="only a director changes a ruling",
                effective=old.identity,
            )
        if new.holder is Holder.TABLE:
            _require_own(record, old, now)
        require_time(facts, record, self.slot.session, self.slot, entry.place, entry.time_us)
        return self.do(entry.identity, new)


def require_initials(
    effective: Effective | None, slot: Slot, record: results.ResultConfirmed, facts: Facts, place: Place
) -> None:
    """Raise Refused unless a confirmation is of the result that stands, by the side that did not enter it."""
    require_authority(record)
    facts.require_session(slot.session, place)
    if effective is None:
        raise Refused(Reason.SLOT_EMPTY, field="slot", value=slot, rule="there is a result")
    if record.result_record != effective.identity:
        raise Refused(
            Reason.SUPERSEDED_ALREADY,
            field="result_record",
            value=record.result_record,
            rule=f"the slot has {effective.identity}",
            effective=effective.identity,
        )
    entered = effective.entered_by
    if (
        entered is not None
        and entered.direction is record.seat.direction
        and facts.conditions_at(place).confirm_by is Confirmation.OPPONENTS
    ):
        raise Refused(
            Reason.WRONG_SIDE_CONFIRMS,
            field="seat",
            value=record.seat,
            rule=f"entered by {entered}, so one of {entered.direction.other} confirms",
            article="1963 article 79",
        )


def _require_own(record: results.BoardResult, old: Effective, now: Standing) -> None:
    if record.source != old.source:
        raise to_director(
            Reason.SLOT_TAKEN,
            field="source",
            value=record.source,
            rule=f"entered by {old.source}",
            effective=old.identity,
        )
    if now.confirmed:
        raise to_director(
            Reason.CONFIRMED_ALREADY,
            field="supersedes",
            value=record.supersedes,
            rule="a confirmed result is the director's to change",
            effective=old.identity,
        )


def accepted_in(facts: Facts, slot: Slot, entry: Entry) -> Judgement:
    """The acceptance of an empty slot's first result: never out of time, but marked when late."""
    over = facts.session(slot.session).is_over(Period.CORRECTION, entry.place, entry.time_us)
    return LATE if over else ACCEPTED
