"""What directors change in a slot: replace, void, move, swap, award, uphold (docs/semantics.md section 4)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from pipeline.rules.contract_score import ns_points
from pipeline.scoring.facts import Facts
from pipeline.scoring.limits import require_time
from pipeline.scoring.standing import HOLDER_OF, Done, Effective, Entry, Holder, Operation
from pipeline.scoring.verdict import ACCEPTED, Judgement, to_director
from schemas import corrections, results
from schemas.deal import Adjusted, Assigned, Award, PassedOut, Played, Result, ScoreOnly
from schemas.decisions import Reason, Refused, Verdict
from schemas.policies import LateTricks, ScoringTable
from schemas.record import SlotChange
from schemas.results import Subject
from schemas.terms import ContestantId, Direction, Identity, Vulnerability

if TYPE_CHECKING:
    from pipeline.scoring.slot import SlotFold


def rule(fold: "SlotFold", entry: Entry, record: corrections.Ruling, facts: Facts) -> Judgement:
    """Take a ruling on the slot.

    Raises Refused.
    """
    slot = fold.slot
    require_time(facts, record, slot.session, slot, entry.place, entry.time_us)
    match record:
        case corrections.ReplaceResult():
            fold.require_effective(record.supersedes)
            new = _ruled(fold, entry, record.result, record.ns, record.ew)
            _require_not_raised(fold, entry, new.result, facts)
            return fold.do(Done(entry.identity, Operation.SET, new))
        case corrections.VoidResult():
            _filled(fold, _named(fold, record.changes))
            return fold.do(Done(entry.identity, Operation.VOID))
        case corrections.SwapDirections():
            _filled(fold, _named(fold, record.changes))
            return fold.do(Done(entry.identity, Operation.SWAP))
        case corrections.Award():
            fold.require_effective(_named(fold, record.changes))
            new = _ruled(fold, entry, Adjusted(record.ns_award, record.ew_award), None, None)
            _require_not_raised(fold, entry, new.result, facts)
            return fold.do(Done(entry.identity, Operation.SET, new))
        case corrections.ResultUpheld():
            return _uphold(fold, entry, _named(fold, record.changes))
        case corrections.MoveResult():
            return _move(fold, entry, record, facts)
        case _:
            raise AssertionError(record)


def _named(fold: "SlotFold", changes: Iterable[SlotChange]) -> Identity | None:
    return next(change.supersedes for change in changes if change.slot == fold.slot)


def _ruled(
    fold: "SlotFold", entry: Entry, result: Result, ns: ContestantId | None, ew: ContestantId | None
) -> Effective:
    old = fold.now.effective
    return Effective(
        entry.identity,
        result,
        HOLDER_OF.get(entry.record.role, Holder.DIRECTOR),
        entry.record.source,
        ns if ns is not None or old is None else old.ns,
        ew if ew is not None or old is None else old.ew,
        swapped=old is not None and old.swapped and ns is None and ew is None,
    )


def _filled(fold: "SlotFold", named: Identity | None) -> None:
    if fold.now.effective is None:
        raise Refused(Reason.SLOT_EMPTY, field="slot", value=fold.slot, rule="there is a result")
    fold.require_effective(named)


def _uphold(fold: "SlotFold", entry: Entry, named: Identity | None) -> Judgement:
    """The result that stands, or a waiting one, which then stands by the director's word."""
    effective = fold.now.effective
    if effective is not None and named == effective.identity:
        return fold.do(Done(entry.identity, Operation.UPHOLD))
    if effective is None and named is None:
        raise Refused(Reason.SLOT_EMPTY, field="slot", value=fold.slot, rule="there is a result")
    if named is not None:
        said = fold.said.get(named)
        if said is None:
            raise fold.not_here(named)
        waits = fold.judgements[named].verdict is Verdict.WAITING_FOR_DIRECTOR
        if isinstance(said, results.BoardResult) and waits:
            new = Effective(
                named, said.result, Holder.DIRECTOR, said.source, said.ns, said.ew, entered_by=said.entered_by
            )
            fold.judgements[named] = ACCEPTED
            return fold.do(Done(entry.identity, Operation.SET, new))
    raise to_director(
        Reason.SUPERSEDED_ALREADY,
        field="supersedes",
        value=named or "",
        rule="the result that stands, or one that waits",
        effective=None if effective is None else effective.identity,
    )


def _move(fold: "SlotFold", entry: Entry, record: corrections.MoveResult, facts: Facts) -> Judgement:
    slot = fold.slot
    if record.slot == slot:
        _filled(fold, record.supersedes)
        return fold.do(Done(entry.identity, Operation.VOID))
    fold.require_effective(record.to.supersedes)
    moved = fold.result_before(record.slot, entry.place)
    if moved is None or moved.identity != record.supersedes:
        raise to_director(
            Reason.SUPERSEDED_ALREADY,
            field="supersedes",
            value=record.supersedes,
            rule="the result that stands in the slot it is moved from",
            effective=None if moved is None else moved.identity,
        )
    seats = facts.at_slot(slot.session, slot.section, slot.round, slot.table, slot.board, entry.place)
    seated = seats is not None and seats.board_known
    new = moved._replace(
        identity=entry.identity,
        holder=HOLDER_OF.get(record.role, Holder.DIRECTOR),
        swapped=False,
        ns=None if seated else moved.ns,
        ew=None if seated else moved.ew,
    )
    return fold.do(Done(entry.identity, Operation.SET, new))


def _require_not_raised(fold: "SlotFold", entry: Entry, new: Result, facts: Facts) -> None:
    """1997, section 79B: after the round, a disputed number of tricks raises nobody's score."""
    record = entry.record
    conditions = facts.conditions_at(entry.place)
    old = fold.now.effective
    if not isinstance(record, corrections.Ruling) or old is None:
        return
    lodged = record.request is not None or record.override is not None
    slot = fold.slot
    if (
        record.subject is not Subject.TRICKS
        or conditions.tricks_late is not LateTricks.LAW_1997
        or lodged
        or not facts.session(slot.session).round_over(slot.section, slot.round, entry.place)
    ):
        return
    vulnerability = facts.vulnerability(slot, entry.place)
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


def _worth(
    result: Result, direction: Direction, vulnerability: Vulnerability, table: ScoringTable
) -> Fraction | None:
    sign = 1 if direction is Direction.NS else -1
    match result:
        case Played() | PassedOut() | ScoreOnly():
            return Fraction(sign * ns_points(result, vulnerability, table))
        case Adjusted():
            award: Award = result.of(direction)
            if isinstance(award, Assigned):
                return sum((sign * part.ns_points * part.weight for part in award.components), Fraction(0))
            return None
        case _:
            return None
