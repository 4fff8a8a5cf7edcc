"""What directors change in a slot: replace, void, move, swap, award, uphold (docs/semantics.md section 4)."""

from fractions import Fraction
from typing import TYPE_CHECKING

from pipeline.rules.contract_score import ns_points
from pipeline.scoring.facts import Facts
from pipeline.scoring.limits import require_time
from pipeline.scoring.standing import HOLDER_OF, Effective, Entry, Holder, Moved
from pipeline.scoring.verdict import Judgement, require_authority, to_director
from schemas import corrections, results
from schemas.deal import Adjusted, Assigned, PassedOut, Played, Result, ScoreOnly
from schemas.decisions import Reason, Refused, Verdict
from schemas.policies import ScoringTable
from schemas.record import Slot
from schemas.terms import Direction, Identity, Vulnerability

if TYPE_CHECKING:
    from pipeline.scoring.slot import SlotFold


def rule(fold: "SlotFold", entry: Entry, record: corrections.Ruling, facts: Facts) -> Judgement:
    """Take a ruling on the slot.

    Raises Refused.
    """
    after = require_ruling(fold, entry, record, facts)
    if isinstance(record, corrections.ResultUpheld):
        return _uphold(fold, entry, named_in(record, fold.slot))
    if isinstance(record, corrections.MoveResult):
        other = record.to.slot if record.slot == fold.slot else record.slot
        require_ruling(fold.around.fold_before(other, entry.place), entry, record, facts)
    return fold.do(entry.identity, after)


def require_ruling(
    fold: "SlotFold", entry: Entry, record: corrections.Ruling, facts: Facts
) -> Effective | None:
    """Check a ruling for one slot: its time, what it names, whether that stands; answer what it puts there.

    Raises Refused.
    """
    slot = fold.slot
    fold.require_room(entry)
    require_authority(record)
    facts.require_session(slot.session, entry.place)
    effective = fold.standing_at(entry.place).effective
    named = named_in(record, slot)
    after = _after(fold, entry, record, effective)
    raises = _raises(entry, slot, effective, after, facts)
    require_time(facts, record, slot.session, slot, entry.place, entry.time_us, raises=raises)
    fold.require_here(named)
    if isinstance(record, corrections.ResultUpheld):
        return None
    takes = isinstance(record, corrections.VoidResult | corrections.SwapDirections) or (
        isinstance(record, corrections.MoveResult) and record.slot == slot
    )
    if takes and effective is None:
        raise _empty(slot)
    fold.require_effective(named, effective)
    return after


def named_in(record: corrections.Ruling, slot: Slot) -> Identity | None:
    """The record that a ruling says it replaces in a slot."""
    match record:
        case corrections.ReplaceResult():
            return record.supersedes
        case corrections.MoveResult():
            return record.supersedes if record.slot == slot else record.to.supersedes
        case (
            corrections.VoidResult()
            | corrections.SwapDirections()
            | corrections.Award()
            | corrections.ResultUpheld()
        ):
            return next(change.supersedes for change in record.changes if change.slot == slot)
        case _:  # pragma: no cover - the other rulings are about no slot
            raise AssertionError(record)


def _after(
    fold: "SlotFold", entry: Entry, record: corrections.Ruling, old: Effective | None
) -> Effective | None:
    """What would stand in the slot by this ruling."""
    match record:
        case corrections.ReplaceResult():
            new = _over(entry, record.result, old)
            return new._replace(
                ruled_ns=new.ruled_ns if record.ns is None else record.ns,
                ruled_ew=new.ruled_ew if record.ew is None else record.ew,
            )
        case corrections.Award():
            return _over(entry, Adjusted(record.ns_award, record.ew_award), old)
        case corrections.SwapDirections() if old is not None:
            return old._replace(
                identity=entry.identity,
                holder=_holder(entry),
                source=record.source,
                ns=old.ew,
                ew=old.ns,
                ruled_ns=old.ruled_ew,
                ruled_ew=old.ruled_ns,
                swapped=not old.swapped,
                entered_by=None,
            )
        case corrections.MoveResult() if record.slot != fold.slot:
            moved = fold.around.fold_before(record.slot, entry.place).standing_at(entry.place).effective
            if moved is None or moved.identity != record.supersedes:
                return None
            return Effective(
                entry.identity,
                moved.result,
                _holder(entry),
                record.source,
                ending=moved.ending,
                moved=Moved(record.slot, moved),
            )
        case _:
            return None


def _holder(entry: Entry) -> Holder:
    return HOLDER_OF.get(entry.record.role, Holder.DIRECTOR)


def _over(entry: Entry, result: Result, old: Effective | None) -> Effective:
    """Another result, with the same people at the table."""
    new = Effective(entry.identity, result, _holder(entry), entry.record.source)
    if old is None:
        return new
    return new._replace(
        ns=old.ns,
        ew=old.ew,
        ruled_ns=old.ruled_ns,
        ruled_ew=old.ruled_ew,
        swapped=old.swapped,
        moved=old.moved,
    )


def _empty(slot: Slot) -> Refused:
    return Refused(Reason.SLOT_EMPTY, field="slot", value=slot, rule="there is a result")


def _uphold(fold: "SlotFold", entry: Entry, named: Identity | None) -> Judgement:
    """The result that stands, or a waiting one, which then stands by the director's word."""
    effective = fold.standing_at(entry.place).effective
    if named is not None and (effective is None or named != effective.identity):
        said = fold.around.records[named].record
        if isinstance(said, results.BoardResult) and _waits(fold, entry, named):
            new = Effective(
                named,
                said.result,
                Holder.DIRECTOR,
                said.source,
                said.ns,
                said.ew,
                entered_by=said.entered_by,
                ending=said.ending,
            )
            return fold.do(entry.identity, new)
    if effective is None:
        raise _empty(fold.slot)
    if named != effective.identity:
        raise to_director(
            Reason.SUPERSEDED_ALREADY,
            field="supersedes",
            value=named or "",
            rule="the result that stands, or one that waits",
            effective=effective.identity,
        )
    return fold.do(entry.identity, effective._replace(holder=Holder.DIRECTOR))


def _waits(fold: "SlotFold", entry: Entry, named: Identity) -> bool:
    """Tell whether a result of this slot waits for the director, and was not upheld before."""
    judgement = fold.judgements.get(named)
    if judgement is None or judgement.verdict is not Verdict.WAITING_FOR_DIRECTOR:
        return False
    gone = fold.around.withdrawn_at(entry.place)
    upheld = any(
        done.effective is not None and done.effective.identity == named and done.identity not in gone
        for done in fold.done
    )
    return named not in gone and not upheld


def _raises(entry: Entry, slot: Slot, old: Effective | None, new: Effective | None, facts: Facts) -> bool:
    """Tell whether a side that had a score gets a higher one (1997, section 79B)."""
    if old is None or new is None:
        return False
    vulnerability = facts.vulnerability(slot, entry.place)
    table = facts.conditions_at(entry.place).score_table
    for direction in Direction:
        before = _worth(old.result, direction, vulnerability, table)
        after = _worth(new.result, direction, vulnerability, table)
        if before is not None and after is not None and after > before:
            return True
    return False


def _worth(
    result: Result, direction: Direction, vulnerability: Vulnerability, table: ScoringTable
) -> Fraction | None:
    sign = 1 if direction is Direction.NS else -1
    match result:
        case Played() | PassedOut() | ScoreOnly():
            return Fraction(sign * ns_points(result, vulnerability, table))
        case Adjusted():
            award = result.of(direction)
            if isinstance(award, Assigned):
                return sum((sign * part.ns_points * part.weight for part in award.components), Fraction(0))
            return None
        case _:
            return None
