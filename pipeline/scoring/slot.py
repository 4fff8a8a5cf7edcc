"""What was said about one board at one table, and what of it counts (docs/semantics.md section 4)."""

from collections.abc import Callable, Iterable
from typing import Final

from pipeline.scoring.admission import admit
from pipeline.scoring.facts import Facts
from pipeline.scoring.limits import require_clock, require_time
from pipeline.scoring.record_set import Place
from pipeline.scoring.rulings import rule
from pipeline.scoring.standing import (
    EMPTY,
    Done,
    Effective,
    Entry,
    Holder,
    Operation,
    Standing,
    live_withdrawals,
    standing,
)
from pipeline.scoring.verdict import (
    ACCEPTED,
    WITHDRAWN,
    Judgement,
    judged,
    require_authority,
    require_other,
    to_director,
)
from schemas import corrections, results
from schemas.control import Period
from schemas.decisions import Flag, Reason, Refused, Verdict
from schemas.policies import Confirmation
from schemas.record import Record, Slot
from schemas.results import Subject
from schemas.terms import Identity

CAP: Final = 200
"""Records in one slot that are looked at; a table that sends more is broken."""
FactsAt = Callable[[Place], Facts]
ResultBefore = Callable[[Slot, Place], Effective | None]


class SlotFold:
    """Folds the records of one slot in the order of their places."""

    __slots__ = (
        "done",
        "facts_at",
        "judgements",
        "now",
        "result_before",
        "said",
        "slot",
        "withdrawals",
        "withdrawn",
    )

    def __init__(self, slot: Slot, facts_at: FactsAt, result_before: ResultBefore) -> None:
        self.slot = slot
        self.facts_at = facts_at
        self.result_before = result_before
        self.done: list[Done] = []
        self.said: dict[Identity, Record] = {}
        self.judgements: dict[Identity, Judgement] = {}
        self.withdrawals: dict[Identity, Identity] = {}
        """An accepted withdrawal, and what it takes back."""
        self.withdrawn: set[Identity] = set()
        self.now: Standing = EMPTY

    def run(self, entries: Iterable[Entry]) -> Standing:
        """Fold all; `judgements` then has every record's verdict for this slot."""
        for number, entry in enumerate(entries):
            identity = entry.identity
            try:
                self._require_room(number)
                self.judgements[identity] = self._take(entry)
            except Refused as refused:
                self.judgements[identity] = judged(refused)
            self.said[identity] = entry.record
        for identity in self.withdrawn:
            if identity in self.judgements:
                self.judgements[identity] = WITHDRAWN
        return self.now

    def _require_room(self, number: int) -> None:
        if number >= CAP:
            raise Refused(Reason.RECORDS_CAPPED, field="slot", value=self.slot, rule=f"at most {CAP} records")

    def _take(self, entry: Entry) -> Judgement:
        record = entry.record
        facts = self.facts_at(entry.place)
        if isinstance(record, results.BoardResult):
            return self._board_result(entry, record, facts)
        require_authority(record)
        facts.require_session(self.slot.session, entry.place)
        match record:
            case results.ResultConfirmed():
                return self._confirmed(entry, record, facts.conditions_at(entry.place).confirm_by)
            case results.ResultDisputed():
                return self._disputed(entry, record, facts)
            case corrections.RecordWithdrawn():
                return self._withdrawn(entry, record, facts)
            case corrections.Ruling():
                return rule(self, entry, record, facts)
            case _:
                raise AssertionError(record)

    def do(self, done: Done) -> Judgement:
        """Accept a change."""
        self.done.append(done)
        self.now = standing(self.done, self.withdrawn)
        return ACCEPTED

    def require_effective(self, named: Identity | None) -> None:
        """Raise Refused unless a change names the record that stands (none: the slot is empty)."""
        effective = self.now.effective
        stands = None if effective is None else effective.identity
        if named == stands:
            return
        if named is not None and named not in self.said:
            raise self.not_here(named)
        raise to_director(
            Reason.SUPERSEDED_ALREADY,
            field="supersedes",
            value=named or "",
            rule=f"the slot has {stands or 'no result'}",
            effective=stands,
        )

    def not_here(self, named: Identity) -> Refused:
        """What naming a record of another slot amounts to."""
        return Refused(
            Reason.REFERENCE_NOT_IN_SLOT,
            field="supersedes",
            value=named,
            rule=f"a record of slot {self.slot}",
        )

    def _board_result(self, entry: Entry, record: results.BoardResult, facts: Facts) -> Judgement:
        if record.supersedes == entry.identity:
            raise Refused(
                Reason.SUPERSEDES_ITSELF,
                field="supersedes",
                value=entry.identity,
                rule="a record supersedes another",
            )
        slot = self.slot
        seats = facts.at_slot(slot.session, slot.section, slot.round, slot.table, slot.board, entry.place)
        new = admit(slot, entry, record, facts, seats)
        old = self.now.effective
        if old is not None:
            return self._second(entry, record, new, old, facts)
        if record.supersedes is not None and record.supersedes not in self.said:
            raise self.not_here(record.supersedes)
        self.do(Done(entry.identity, Operation.SET, new))
        return accepted_in(facts, slot, entry)

    def _second(
        self, entry: Entry, record: results.BoardResult, new: Effective, old: Effective, facts: Facts
    ) -> Judgement:
        if new.result == old.result and (record.supersedes is None or record.source != old.source):
            return Judgement(Verdict.ACCEPTED, flags=(Flag.CORROBORATED,), effective=old.identity)
        if record.supersedes is None:
            raise to_director(
                Reason.SLOT_TAKEN,
                field="supersedes",
                value="",
                rule=f"the slot has {old.identity}",
                effective=old.identity,
            )
        self.require_effective(record.supersedes)
        if old.holder is Holder.DIRECTOR and new.holder is not Holder.DIRECTOR:
            raise to_director(
                Reason.SUPERSEDES_DIRECTOR,
                field="supersedes",
                value=record.supersedes,
                rule="only a director changes a ruling",
                effective=old.identity,
            )
        if new.holder is Holder.TABLE:
            self._require_own(record, old)
        require_time(facts, record, self.slot.session, self.slot, entry.place, entry.time_us)
        return self.do(Done(entry.identity, Operation.SET, new))

    def _require_own(self, record: results.BoardResult, old: Effective) -> None:
        if record.source != old.source:
            raise to_director(
                Reason.SLOT_TAKEN,
                field="source",
                value=record.source,
                rule=f"entered by {old.source}",
                effective=old.identity,
            )
        if self.now.confirmed:
            raise to_director(
                Reason.CONFIRMED_ALREADY,
                field="supersedes",
                value=record.supersedes,
                rule="a confirmed result is the director's to change",
                effective=old.identity,
            )

    def _confirmed(self, entry: Entry, record: results.ResultConfirmed, by: Confirmation) -> Judgement:
        effective = self._must_stand(record.result_record)
        entered = effective.entered_by
        if (
            by is Confirmation.OPPONENTS
            and entered is not None
            and entered.direction is record.seat.direction
        ):
            raise Refused(
                Reason.WRONG_SIDE_CONFIRMS,
                field="seat",
                value=record.seat,
                rule=f"entered by {entered}, so one of {entered.direction.other} confirms",
                article="1963 article 79",
            )
        return self.do(Done(entry.identity, Operation.CONFIRM))

    def _disputed(self, entry: Entry, record: results.ResultDisputed, facts: Facts) -> Judgement:
        self._must_stand(record.result_record)
        session = self.slot.session
        if facts.session(session).is_final(entry.place):
            raise Refused(Reason.SESSION_FINAL, field="session", value=session, rule="the result is final")
        require_clock(facts, Subject.ENTRY, session, self.slot, entry.place, entry.time_us)
        return self.do(Done(entry.identity, Operation.DISPUTE))

    def _must_stand(self, named: Identity) -> Effective:
        effective = self.now.effective
        if effective is None:
            raise Refused(Reason.SLOT_EMPTY, field="slot", value=self.slot, rule="there is a result")
        if named != effective.identity:
            raise Refused(
                Reason.SUPERSEDED_ALREADY,
                field="result_record",
                value=named,
                rule=f"the slot has {effective.identity}",
                effective=effective.identity,
            )
        return effective

    def _withdrawn(self, entry: Entry, record: corrections.RecordWithdrawn, facts: Facts) -> Judgement:
        require_other(entry.identity, record)
        require_time(facts, record, self.slot.session, self.slot, entry.place, entry.time_us)
        self.withdrawals[entry.identity] = record.record
        self.withdrawn = live_withdrawals(self.withdrawals)
        self.now = standing(self.done, self.withdrawn)
        return ACCEPTED


LATE: Final = Judgement(Verdict.ACCEPTED, flags=(Flag.LATE,))


def accepted_in(facts: Facts, slot: Slot, entry: Entry) -> Judgement:
    """The acceptance of an empty slot's first result: never out of time, but marked when late."""
    over = facts.session(slot.session).is_over(Period.CORRECTION, entry.place, entry.time_us)
    return LATE if over else ACCEPTED
