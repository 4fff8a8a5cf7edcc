"""What was said about one board at one table, and what of it counts (docs/semantics.md section 4)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from pipeline.rules.contract_score import ns_points, possible
from pipeline.scoring.facts import AtSlot, Facts
from pipeline.scoring.record_set import Place
from pipeline.scoring.verdict import ACCEPTED, WITHDRAWN, Judgement, judged, require_authority, to_director
from schemas import corrections, results
from schemas.control import Period
from schemas.deal import Adjusted, Assigned, Award, NotPlayed, PassedOut, Played, Result, ScoreOnly
from schemas.decisions import Flag, Reason, Refused, Verdict
from schemas.policies import Confirmation, LateTricks
from schemas.record import Record, Role, Slot
from schemas.results import Subject
from schemas.terms import ContestantId, Direction, Identity, Seat

CAP: Final = 200
"""Records in one slot that are looked at; a table that sends more is broken."""


class Holder(IntEnum):
    """Who stands behind an effective result."""

    TABLE = 0
    OFFICE = 1
    DIRECTOR = 2


_HOLDER: Final = {Role.TABLE: Holder.TABLE, Role.PAIR: Holder.TABLE, Role.SCORER: Holder.OFFICE, Role.IMPORTER: Holder.OFFICE}


class Entry(NamedTuple):
    """A record in a slot: where it counts, when it was said, and the record."""

    place: Place
    time_us: int
    record: Record


@dataclass(frozen=True, slots=True)
class Effective:
    """The result that stands in a slot; `ns` and `ew` are who sat there as far as the record says so."""

    identity: Identity
    result: Result
    holder: Holder
    source: str
    ns: ContestantId | None = None
    ew: ContestantId | None = None
    swapped: bool = False
    entered_by: Seat | None = None
    ending: results.Ending | None = None


class Operation(StrEnum):
    """What an accepted record does to its slot."""

    SET = "set"
    VOID = "void"
    SWAP = "swap"
    UPHOLD = "uphold"
    CONFIRM = "confirm"
    DISPUTE = "dispute"


class Done(NamedTuple):
    """One accepted change of a slot."""

    identity: Identity
    operation: Operation
    effective: Effective | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands in a slot."""

    effective: Effective | None = None
    confirmed: bool = False
    disputed: bool = False


EMPTY: Final = Standing()
FactsAt = Callable[[Place], Facts]
ResultBefore = Callable[[Slot, Place], Effective | None]


def standing(done: Iterable[Done], withdrawn: frozenset[Identity] | set[Identity]) -> Standing:
    """Fold the accepted changes that were not taken back."""
    effective: Effective | None = None
    confirmed = disputed = False
    for identity, operation, change in done:
        if identity in withdrawn:
            continue
        match operation:
            case Operation.SET:
                effective, confirmed, disputed = change, False, False
            case Operation.VOID:
                effective, confirmed, disputed = None, False, False
            case Operation.SWAP if effective is not None:
                effective = replace(
                    effective, identity=identity, swapped=not effective.swapped, holder=Holder.DIRECTOR
                )
                confirmed = disputed = False
            case Operation.UPHOLD if effective is not None:
                effective, disputed = replace(effective, holder=Holder.DIRECTOR), False
            case Operation.CONFIRM:
                confirmed = effective is not None
            case Operation.DISPUTE:
                disputed = effective is not None
            case _:
                pass
    return Standing(effective, confirmed, disputed)


class SlotFold:
    """Folds the records of one slot in the order of their places."""

    __slots__ = ("done", "facts_at", "judgements", "now", "result_before", "said", "slot", "withdrawals", "withdrawn")

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
        self.now = EMPTY

    def run(self, entries: Iterable[Entry]) -> Standing:
        """Fold all; `judgements` then has every record's verdict for this slot."""
        for number, entry in enumerate(entries):
            record = entry.record
            identity = record.identity
            try:
                if number >= CAP:
                    raise Refused(
                        Reason.RECORDS_CAPPED, field="slot", value=self.slot, rule=f"at most {CAP} records"
                    )
                self.judgements[identity] = self._take(entry, identity)
            except Refused as refused:
                self.judgements[identity] = judged(refused)
            self.said[identity] = record
        for identity in self.withdrawn:
            if identity in self.judgements:
                self.judgements[identity] = WITHDRAWN
        return self.now

    def _take(self, entry: Entry, identity: Identity) -> Judgement:
        record = entry.record
        require_authority(record)
        facts = self.facts_at(entry.place)
        facts.require_session(self.slot.session, entry.place)
        match record:
            case results.BoardResult():
                return self._board_result(entry, identity, record, facts)
            case results.ResultConfirmed():
                return self._confirmed(identity, record, facts.conditions_at(entry.place).confirm_by)
            case results.ResultDisputed():
                return self._disputed(identity, record, facts, entry)
            case corrections.RecordWithdrawn():
                return self._withdrawn(entry, identity, record, facts)
            case corrections.Ruling():
                return self._ruling(entry, identity, record, facts)
            case _:
                raise AssertionError(record)

    def _do(self, done: Done) -> Judgement:
        self.done.append(done)
        if not self.withdrawn and done.operation is Operation.SET:
            self.now = Standing(done.effective)
        else:
            self.now = standing(self.done, self.withdrawn)
        return ACCEPTED

    # Results.

    def _board_result(self, entry: Entry, identity: Identity, record: results.BoardResult, facts: Facts) -> Judgement:
        if record.supersedes is not None and record.supersedes == identity:
            raise Refused(
                Reason.SUPERSEDES_ITSELF, field="supersedes", value=identity, rule="a record supersedes another"
            )
        if record.role is not Role.IMPORTER:
            self._require_seats(record, facts, entry.place)
            self._require_score(record, facts, entry.place)
        elif isinstance(record.result, ScoreOnly):
            self._require_score(record, facts, entry.place)
        session = facts.session(self.slot.session)
        if session.is_final(entry.place):
            raise to_director(
                Reason.SESSION_FINAL, field="session", value=self.slot.session, rule="the result is final"
            )
        new = Effective(
            identity,
            record.result,
            _HOLDER.get(record.role, Holder.DIRECTOR),
            record.source,
            record.ns,
            record.ew,
            entered_by=record.entered_by,
            ending=record.ending,
        )
        standing_now = self.now.effective
        if standing_now is None:
            if record.supersedes is not None and record.supersedes not in self.said:
                raise self._not_here("supersedes", record.supersedes)
            self._do(Done(identity, Operation.SET, new))
            if session.is_over(Period.CORRECTION, entry.place, entry.time_us):
                return Judgement(Verdict.ACCEPTED, flags=(Flag.LATE,))
            return ACCEPTED
        return self._second(entry, record, new, standing_now, facts)

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
        self._require_effective(record.supersedes)
        if old.holder is Holder.DIRECTOR and new.holder is not Holder.DIRECTOR:
            raise to_director(
                Reason.SUPERSEDES_DIRECTOR,
                field="supersedes",
                value=record.supersedes,
                rule="only a director changes a ruling",
                effective=old.identity,
            )
        if new.holder is Holder.TABLE:
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
        facts.require_time(record, Subject.ENTRY, self.slot.session, self.slot, entry.place, entry.time_us)
        return self._do(Done(new.identity, Operation.SET, new))

    def _require_seats(self, record: results.BoardResult, facts: Facts, place: Place) -> None:
        slot = self.slot
        seats = facts.at_slot(slot.session, slot.section, slot.round, slot.table, slot.board, place)
        if seats is not None:
            if not seats.table_known:
                raise to_director(
                    Reason.UNKNOWN_TABLE,
                    field="slot.table",
                    value=f"{slot.section}{slot.table}",
                    rule=f"a table of round {slot.round} of the movement",
                )
            if not seats.board_known:
                raise to_director(
                    Reason.BOARD_NOT_AT_TABLE,
                    field="slot.board",
                    value=slot.board,
                    rule=f"a board of table {slot.section}{slot.table} in round {slot.round}",
                )
            if seats.ns is None or seats.ew is None:
                raise to_director(
                    Reason.SITS_OUT,
                    field="slot.table",
                    value=f"{slot.section}{slot.table}",
                    rule=f"two contestants sit there in round {slot.round}",
                )
            _require_side("ns", record.ns, seats.ns)
            _require_side("ew", record.ew, seats.ew)
        if facts.first_entry < place:
            for name, contestant in (("ns", record.ns), ("ew", record.ew)):
                if contestant is not None and not _entered(facts, contestant, place):
                    raise to_director(
                        Reason.UNKNOWN_CONTESTANT, field=name, value=contestant, rule="entered in this event"
                    )

    def _require_score(self, record: results.BoardResult, facts: Facts, place: Place) -> None:
        result = record.result
        if isinstance(result, ScoreOnly):
            vulnerability = facts.vulnerability(self.slot, place)
            if not possible(result.ns_points, vulnerability):
                raise Refused(
                    Reason.SCORE_IMPOSSIBLE,
                    field="result.ns_points",
                    value=result.ns_points,
                    rule=f"no contract scores that with vulnerability {vulnerability}",
                    article="Law 77",
                )
        elif record.score_ns is not None and not isinstance(result, NotPlayed):
            vulnerability = facts.vulnerability(self.slot, place)
            score = ns_points(result, vulnerability, facts.conditions_at(place).score_table)
            if score != record.score_ns:
                raise to_director(
                    Reason.SCORE_CONTRADICTS_CONTRACT,
                    field="score_ns",
                    value=record.score_ns,
                    rule=f"the contract scores {score}",
                )

    def _confirmed(self, identity: Identity, record: results.ResultConfirmed, by: Confirmation) -> Judgement:
        effective = self._must_stand(record.result_record)
        entered = effective.entered_by
        if by is Confirmation.OPPONENTS and entered is not None and entered.direction is record.seat.direction:
            raise Refused(
                Reason.WRONG_SIDE_CONFIRMS,
                field="seat",
                value=record.seat,
                rule=f"entered by {entered}, so one of {entered.direction.other} confirms",
                article="1963 article 79",
            )
        return self._do(Done(identity, Operation.CONFIRM))

    def _disputed(self, identity: Identity, record: results.ResultDisputed, facts: Facts, entry: Entry) -> Judgement:
        self._must_stand(record.result_record)
        if facts.session(self.slot.session).is_final(entry.place):
            raise Refused(
                Reason.SESSION_FINAL, field="session", value=self.slot.session, rule="the result is final"
            )
        facts.require_time_of(Subject.ENTRY, self.slot, entry.place, entry.time_us)
        return self._do(Done(identity, Operation.DISPUTE))

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

    # Rulings.

    def _ruling(self, entry: Entry, identity: Identity, record: corrections.Ruling, facts: Facts) -> Judgement:
        facts.require_time(record, record.subject, self.slot.session, self.slot, entry.place, entry.time_us)
        match record:
            case corrections.ReplaceResult():
                self._require_effective(record.supersedes)
                new = self._ruled(identity, record, record.result, record.ns, record.ew)
                self._require_not_raised(entry, record, new.result, facts)
                return self._do(Done(identity, Operation.SET, new))
            case corrections.VoidResult():
                self._filled(self._named(record.changes))
                return self._do(Done(identity, Operation.VOID))
            case corrections.SwapDirections():
                self._filled(self._named(record.changes))
                return self._do(Done(identity, Operation.SWAP))
            case corrections.Award():
                self._require_effective(self._named(record.changes))
                new = self._ruled(identity, record, Adjusted(record.ns_award, record.ew_award), None, None)
                self._require_not_raised(entry, record, new.result, facts)
                return self._do(Done(identity, Operation.SET, new))
            case corrections.ResultUpheld():
                return self._upheld(identity, self._named(record.changes))
            case corrections.MoveResult():
                return self._moved(entry, identity, record)
            case _:
                raise AssertionError(record)

    def _named(self, changes: Iterable[corrections.SlotChange]) -> Identity | None:
        return next(change.supersedes for change in changes if change.slot == self.slot)

    def _ruled(
        self, identity: Identity, record: Record, result: Result, ns: ContestantId | None, ew: ContestantId | None
    ) -> Effective:
        old = self.now.effective
        return Effective(
            identity,
            result,
            _HOLDER.get(record.role, Holder.DIRECTOR),
            record.source,
            ns if ns is not None or old is None else old.ns,
            ew if ew is not None or old is None else old.ew,
            swapped=old is not None and old.swapped and ns is None and ew is None,
        )

    def _filled(self, named: Identity | None) -> Effective:
        if self.now.effective is None:
            raise Refused(Reason.SLOT_EMPTY, field="slot", value=self.slot, rule="there is a result")
        self._require_effective(named)
        return self.now.effective

    def _upheld(self, identity: Identity, named: Identity | None) -> Judgement:
        effective = self.now.effective
        if effective is not None and named == effective.identity:
            return self._do(Done(identity, Operation.UPHOLD))
        said = None if named is None else self.said.get(named)
        judgement = None if named is None else self.judgements.get(named)
        waits = judgement is not None and judgement.verdict is Verdict.WAITING_FOR_DIRECTOR
        if isinstance(said, results.BoardResult) and waits and named is not None:
            new = Effective(
                named, said.result, Holder.DIRECTOR, said.source, said.ns, said.ew, entered_by=said.entered_by
            )
            self.judgements[named] = ACCEPTED
            return self._do(Done(identity, Operation.SET, new))
        if effective is None and named is None:
            raise Refused(Reason.SLOT_EMPTY, field="slot", value=self.slot, rule="there is a result")
        if said is None and named is not None:
            raise self._not_here("supersedes", named)
        raise to_director(
            Reason.SUPERSEDED_ALREADY,
            field="supersedes",
            value=named or "",
            rule="the result that stands, or one that waits",
            effective=None if effective is None else effective.identity,
        )

    def _moved(self, entry: Entry, identity: Identity, record: corrections.MoveResult) -> Judgement:
        if record.slot == self.slot:
            self._filled(record.supersedes)
            return self._do(Done(identity, Operation.VOID))
        self._require_effective(record.to.supersedes)
        moved = self.result_before(record.slot, entry.place)
        if moved is None or moved.identity != record.supersedes:
            raise to_director(
                Reason.SUPERSEDED_ALREADY,
                field="supersedes",
                value=record.supersedes,
                rule="the result that stands in the slot it is moved from",
                effective=None if moved is None else moved.identity,
            )
        slot = self.slot
        facts = self.facts_at(entry.place)
        seats = facts.at_slot(slot.session, slot.section, slot.round, slot.table, slot.board, entry.place)
        seated = seats is not None and seats.board_known
        return self._do(
            Done(
                identity,
                Operation.SET,
                replace(
                    moved,
                    identity=identity,
                    holder=_HOLDER.get(record.role, Holder.DIRECTOR),
                    swapped=False,
                    ns=None if seated else moved.ns,
                    ew=None if seated else moved.ew,
                ),
            )
        )

    def _require_effective(self, named: Identity | None) -> None:
        """The record that a change names must be the one that stands (none: the slot is empty)."""
        effective = self.now.effective
        stands = None if effective is None else effective.identity
        if named == stands:
            return
        if named is not None and named not in self.said:
            raise self._not_here("supersedes", named)
        raise to_director(
            Reason.SUPERSEDED_ALREADY,
            field="supersedes",
            value=named or "",
            rule=f"the slot has {stands or 'no result'}",
            effective=stands,
        )

    def _not_here(self, field: str, named: Identity) -> Refused:
        return Refused(
            Reason.REFERENCE_NOT_IN_SLOT, field=field, value=named, rule=f"a record of slot {self.slot}"
        )

    def _require_not_raised(self, entry: Entry, record: corrections.Ruling, new: Result, facts: Facts) -> None:
        conditions = facts.conditions_at(entry.place)
        old = self.now.effective
        if record.subject is not Subject.TRICKS or conditions.tricks_late is not LateTricks.LAW_1997 or old is None:
            return
        if record.request is not None or record.override is not None:
            return
        session = facts.session(self.slot.session)
        if not session.round_over(self.slot.section, self.slot.round, entry.place):
            return
        vulnerability = facts.vulnerability(self.slot, entry.place)
        for direction in Direction:
            before = _worth(old.result, direction, vulnerability, conditions.score_table)
            after = _worth(new, direction, vulnerability, conditions.score_table)
            if before is not None and after is not None and after > before:
                raise Refused(
                    Reason.ROUND_OVER,
                    field="result",
                    value=f"{direction} {before} -> {after}",
                    rule="after the round a trick claim raises nobody's score",
                    article="Law 79B",
                )

    def _withdrawn(
        self, entry: Entry, identity: Identity, record: corrections.RecordWithdrawn, facts: Facts
    ) -> Judgement:
        if record.record == identity:
            raise Refused(
                Reason.WITHDRAWS_ITSELF, field="record", value=identity, rule="a record takes back another"
            )
        facts.require_time(record, record.subject, self.slot.session, self.slot, entry.place, entry.time_us)
        self.withdrawals[identity] = record.record
        self.withdrawn = live_withdrawals(self.withdrawals)
        self.now = standing(self.done, self.withdrawn)
        return ACCEPTED


def live_withdrawals(withdrawals: dict[Identity, Identity]) -> set[Identity]:
    """What is taken back, where a withdrawal may itself be taken back: the latest ones decide first.

    >>> sorted(live_withdrawals({"d/2": "t/1", "d/3": "d/2"}))
    ['d/2']
    """
    withdrawn: set[Identity] = set()
    for identity, target in reversed(withdrawals.items()):
        if identity not in withdrawn:
            withdrawn.add(target)
    return withdrawn


def _require_side(name: str, said: ContestantId | None, seated: ContestantId) -> None:
    if said is not None and said != seated:
        raise to_director(Reason.PAIR_NOT_AT_TABLE, field=name, value=said, rule=f"{seated} sits there")


def _entered(facts: Facts, contestant: ContestantId, place: Place) -> bool:
    at = facts.entered_at.get(contestant)
    return at is not None and at < place


def _worth(result: Result, direction: Direction, vulnerability: object, table: object) -> Fraction | None:
    sign = 1 if direction is Direction.NS else -1
    match result:
        case Played() | PassedOut() | ScoreOnly():
            return Fraction(sign * ns_points(result, vulnerability, table))  # type: ignore[arg-type]
        case Adjusted():
            award: Award = result.of(direction)
            if isinstance(award, Assigned):
                return sum((sign * part.ns_points * part.weight for part in award.components), Fraction(0))
            return None
        case _:
            return None


__all__ = ["ACCEPTED", "AtSlot", "Effective", "Entry", "Holder", "SlotFold", "Standing", "live_withdrawals", "standing"]
