"""What was said about one board at one table, and what counts: docs/semantics.md, section 4."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from pipeline.scoring.naive import authority
from pipeline.scoring.naive.deal import ns_score, possible
from pipeline.scoring.naive.facts import NOBODY, Facts, Pairs
from pipeline.scoring.naive.order import Placed, Ruled
from pipeline.scoring.naive.periods import final, untimely
from schemas.corrections import (
    Award,
    MoveResult,
    ReplaceResult,
    ResultUpheld,
    SwapDirections,
    VoidResult,
)
from schemas.deal import Adjusted, Artificial, Assigned, Played, Result, ScoreOnly
from schemas.decisions import Reason, Verdict
from schemas.policies import Confirmation
from schemas.record import Record, Role, Slot
from schemas.results import BoardResult, ResultConfirmed, ResultDisputed, Subject
from schemas.terms import Identity

CAP: Final = 200
ACCEPTED: Final[Ruled] = (Verdict.ACCEPTED, None)
WORST_LAST: Final = (Verdict.ACCEPTED, Verdict.WAITING_FOR_DIRECTOR, Verdict.REFUSED)
SlotRuling = ReplaceResult | VoidResult | MoveResult | SwapDirections | Award | ResultUpheld


def refused(reason: Reason) -> Ruled:
    """It may not count."""
    return (Verdict.REFUSED, reason)


def waits(reason: Reason) -> Ruled:
    """The director has to look."""
    return (Verdict.WAITING_FOR_DIRECTOR, reason)


class Entry(NamedTuple):
    """One accepted change of a slot: the record that stands (none: emptied), who said so, who holds it."""

    record: Identity | None
    by: Identity
    holder: str


@dataclass(slots=True)
class Slots:
    """The changes of every slot, in the order of their places."""

    facts: Facts
    stacks: dict[Slot, list[Entry]] = field(default_factory=dict)
    counts: dict[Slot, int] = field(default_factory=dict)

    def entry(self, slot: Slot) -> Entry | None:
        """The last change that is not taken back, where it leaves a result."""
        for entry in reversed(self.stacks.get(slot, [])):
            gone = self.facts.withdrawn(entry.by)
            if not gone and (entry.record is None or not self.facts.withdrawn(entry.record)):
                return None if entry.record is None else entry
        return None

    def effective(self, slot: Slot) -> Identity | None:
        """The record that stands in a slot."""
        entry = self.entry(slot)
        return None if entry is None else entry.record

    def capped(self, slot: Slot) -> bool:
        """Count a record of a slot, and tell whether it is one too many."""
        self.counts[slot] = self.counts.get(slot, 0) + 1
        return self.counts[slot] > CAP

    def push(self, slot: Slot, record: Identity | None, one: Placed, holder: str) -> None:
        """Accept a change."""
        self.stacks.setdefault(slot, []).append(Entry(record, one.identity, holder))

    def content(self, identity: Identity | None, slot: Slot) -> Result | None:
        """What a record puts into a slot: its own result, or that of the record it takes it from."""
        seen: set[Identity] = set()
        while identity is not None and identity not in seen:
            seen.add(identity)
            record = self.facts.known.get(identity)
            if isinstance(record, BoardResult | ReplaceResult):
                return record.result if record.slot == slot else None
            if isinstance(record, Award):
                return Adjusted(record.ns_award, record.ew_award)
            if isinstance(record, SwapDirections):
                identity = superseded(record, slot)
            elif isinstance(record, MoveResult) and slot == record.to.slot:
                identity, slot = record.supersedes, record.slot
            else:
                return None
        return None

    def seated(self, identity: Identity | None, slot: Slot) -> Pairs:
        """Who sat there, by the plan and by what the record in the slot, and those before it, said."""
        path: list[Record] = []
        seen: set[Identity] = set()
        pairs = self.facts.seated(slot)
        while identity is not None and identity not in seen:
            seen.add(identity)
            record = self.facts.known[identity]
            path.append(record)
            if isinstance(record, BoardResult):
                pairs = pairs if self.facts.really_sat(slot) else given(record, pairs)
                break
            if isinstance(record, MoveResult):
                if pairs != NOBODY:
                    break
                identity, slot = record.supersedes, record.slot
            else:
                identity = superseded(record, slot)
            pairs = self.facts.seated(slot)
        for record in reversed(path):
            if isinstance(record, ReplaceResult):
                pairs = given(record, pairs)
            elif isinstance(record, SwapDirections):
                pairs = pairs[::-1]
        return pairs

    # Verdicts.

    def judge(self, one: Placed) -> Ruled:
        """Judge a record about slots; what is accepted changes them."""
        record = one.record
        if isinstance(record, BoardResult):
            return self._result(one, record)
        if isinstance(record, ResultConfirmed):
            return self._confirmation(record)
        if isinstance(record, ResultDisputed):
            return self._dispute(one, record)
        verdicts = []
        if isinstance(record, ReplaceResult):
            verdicts = [self._ruling(one, record, record.slot, record.supersedes)]
        elif isinstance(record, MoveResult):
            halves = [
                self._may_rule(one, record, record.slot, record.supersedes, empties=True),
                self._may_rule(one, record, record.to.slot, record.to.supersedes),
            ]
            if halves == [None, None]:
                self.push(record.slot, None, one, holder(record.role))
                self.push(record.to.slot, record.identity, one, holder(record.role))
            verdicts = [ruled or ACCEPTED for ruled in halves]
        elif isinstance(record, VoidResult):
            verdicts = [
                self._ruling(one, record, change.slot, change.supersedes, empties=True)
                for change in record.changes
            ]
        elif isinstance(record, SwapDirections | Award | ResultUpheld):  # pragma: no branch - no other
            verdicts = [
                self._ruling(one, record, change.slot, change.supersedes) for change in record.changes
            ]
        return max(verdicts, key=lambda ruled: WORST_LAST.index(ruled[0]))

    def _result(self, one: Placed, said: BoardResult) -> Ruled:
        ruled = (
            self._door(said, said.slot)
            or (None if said.role is Role.IMPORTER else self._at_the_table(said))
            or self._contestants(said)
            or self._figures(said)
        )
        if ruled is not None:
            return ruled
        if final(self.facts, said.slot.session):
            return waits(Reason.SESSION_FINAL)
        entry = self.entry(said.slot)
        if entry is not None and entry.record is not None:
            same = self.content(entry.record, said.slot) == said.result
            if same and (said.supersedes is None or said.source != self.facts.known[entry.record].source):
                return ACCEPTED
            ruled = self._over(one, said, entry.record, entry.holder)
            if ruled is not None:
                return ruled
        self.push(said.slot, said.identity, one, holder(said.role))
        return ACCEPTED

    def _door(self, record: Record, slot: Slot) -> Ruled | None:
        if self.capped(slot):
            return refused(Reason.RECORDS_CAPPED)
        if not authority.may_say(record):
            return refused(Reason.NOT_AUTHORISED)
        if not authority.session_known(self.facts, {slot.session}):
            return refused(Reason.UNKNOWN_SESSION)
        return None

    def _at_the_table(self, said: BoardResult) -> Ruled | None:
        slot = said.slot
        if not self.facts.plan_known(slot):
            return None
        at = self.facts.seating(slot.session, slot.section).get((slot.round, slot.table))
        if at is None:
            return waits(Reason.UNKNOWN_TABLE)
        if slot.board not in at.boards:
            return waits(Reason.BOARD_NOT_AT_TABLE)
        if None in at.pairs:
            return waits(Reason.SITS_OUT)
        if given(said, at.pairs) != at.pairs:
            return waits(Reason.PAIR_NOT_AT_TABLE)
        return None

    def _contestants(self, said: BoardResult) -> Ruled | None:
        names = {said.ns, said.ew} - {None}
        if said.players is not None:
            names |= {said.players.north, said.players.east, said.players.south, said.players.west}
        entrants = self.facts.entrants()
        return waits(Reason.UNKNOWN_CONTESTANT) if entrants and names - set(entrants) else None

    def _figures(self, said: BoardResult) -> Ruled | None:
        vulnerability, table = self.facts.vulnerability(said.slot), self.facts.conditions().score_table
        if isinstance(said.result, ScoreOnly) and said.result.ns_points not in possible(vulnerability, table):
            return refused(Reason.SCORE_IMPOSSIBLE)
        if not isinstance(said.result, Played) or said.score_ns is None or said.role is Role.IMPORTER:
            return None
        agrees = said.score_ns == ns_score(said.result, vulnerability, table)
        return None if agrees else waits(Reason.SCORE_CONTRADICTS_CONTRACT)

    def _over(self, one: Placed, said: BoardResult, effective: Identity, held: str) -> Ruled | None:
        if said.supersedes is not None and said.slot not in changed_slots(self.facts.known[said.supersedes]):
            return refused(Reason.REFERENCE_NOT_IN_SLOT)
        if said.supersedes is None:
            return waits(Reason.SLOT_TAKEN)
        if said.supersedes != effective:
            return waits(Reason.SUPERSEDED_ALREADY)
        if held == "director" and holder(said.role) != "director":
            return waits(Reason.SUPERSEDES_DIRECTOR)
        if holder(said.role) == "table":
            if said.source != self.facts.known[effective].source:
                return waits(Reason.SLOT_TAKEN)
            if self._confirmed(effective):
                return waits(Reason.CONFIRMED_ALREADY)
        late = untimely(self.facts, one, Subject.ENTRY, said.slot.session, said.slot)
        return None if late is None else refused(late)

    def _confirmed(self, identity: Identity) -> bool:
        return any(
            isinstance(one.record, ResultConfirmed) and one.record.result_record == identity
            for one in self.facts.standing(ResultConfirmed)
        )

    def _confirmation(self, said: ResultConfirmed) -> Ruled:
        ruled = self._door(said, said.slot)
        if ruled is not None:
            return ruled
        effective = self.effective(said.slot)
        if effective is None:
            return refused(Reason.SLOT_EMPTY)
        if said.result_record != effective:
            return refused(Reason.SUPERSEDED_ALREADY)
        by = getattr(self.facts.known[effective], "entered_by", None)
        asked = self.facts.conditions().confirm_by is Confirmation.OPPONENTS
        if asked and by is not None and by.direction is said.seat.direction:
            return refused(Reason.WRONG_SIDE_CONFIRMS)
        return ACCEPTED

    def _dispute(self, one: Placed, said: ResultDisputed) -> Ruled:
        ruled = self._door(said, said.slot)
        if ruled is not None:
            return ruled
        late = untimely(self.facts, one, Subject.ENTRY, said.slot.session, said.slot)
        return ACCEPTED if late is None else refused(late)

    def _ruling(
        self, one: Placed, record: SlotRuling, slot: Slot, over: Identity | None, *, empties: bool = False
    ) -> Ruled:
        ruled = self._may_rule(one, record, slot, over, empties=empties)
        if ruled is not None:
            return ruled
        if isinstance(record, ResultUpheld):
            return self._upheld(one, slot, self.effective(slot), over)
        self.push(slot, None if empties else record.identity, one, holder(record.role))
        return ACCEPTED

    def _may_rule(
        self, one: Placed, record: SlotRuling, slot: Slot, over: Identity | None, *, empties: bool = False
    ) -> Ruled | None:
        ruled = self._door(record, slot)
        if ruled is not None:
            return ruled
        effective = self.effective(slot)
        after = None if empties else self.content(record.identity, slot)
        if isinstance(record, SwapDirections):
            after = None  # it is the same score
        if isinstance(record, MoveResult) and self.effective(record.slot) != record.supersedes:
            after = None
        raises = self.raises(slot, effective, after)
        late = untimely(self.facts, one, record.subject, slot.session, slot, raises=raises)
        if late is not None:
            return refused(late)
        if over is not None and slot not in changed_slots(self.facts.known[over]):
            return refused(Reason.REFERENCE_NOT_IN_SLOT)
        if isinstance(record, ResultUpheld):
            return None
        takes = empties or isinstance(record, SwapDirections)
        if takes and effective is None:
            return refused(Reason.SLOT_EMPTY)
        return waits(Reason.SUPERSEDED_ALREADY) if over != effective else None

    def _upheld(self, one: Placed, slot: Slot, effective: Identity | None, stands: Identity | None) -> Ruled:
        if stands is not None and stands != effective:
            ruled = self.facts.verdict(stands)
            answer = isinstance(self.facts.known[stands], BoardResult)
            if answer and ruled is not None and ruled[0] is Verdict.WAITING_FOR_DIRECTOR:
                self.push(slot, stands, one, "director")
                self.facts.upheld_by.setdefault(stands, []).append(one.identity)
                return ACCEPTED
        if effective is None:
            return refused(Reason.SLOT_EMPTY)
        if stands != effective:
            return waits(Reason.SUPERSEDED_ALREADY)
        self.push(slot, stands, one, "director")
        return ACCEPTED

    def raises(self, slot: Slot, before: Identity | None, after: Result | None) -> bool:
        """Tell whether a side that had a score gets a higher one (Law 79B of 1997)."""
        old = self.figures(slot, None if before is None else self.content(before, slot))
        new = self.figures(slot, after)
        return any(
            was is not None and now is not None and now > was for was, now in zip(old, new, strict=True)
        )

    def figures(self, slot: Slot, result: Result | None) -> tuple[Fraction | None, Fraction | None]:
        """The score points of both sides, each from its own side; a weighted score is the weighted mean."""
        if isinstance(result, Adjusted):
            ns, ew = mean(result.ns), mean(result.ew)
            return ns, None if ew is None else -ew
        score = ns_score(result, self.facts.vulnerability(slot), self.facts.conditions().score_table)
        return (None, None) if score is None else (Fraction(score), Fraction(-score))


def mean(award: Artificial | Assigned) -> Fraction | None:
    """The weighted mean of an assigned score, from the side of North-South."""
    if isinstance(award, Artificial):
        return None
    return sum((part.ns_points * part.weight for part in award.components), Fraction(0))


def holder(role: Role) -> str:
    """Whose word a change is."""
    if role in {Role.TABLE, Role.PAIR}:
        return "table"
    return "office" if role in {Role.SCORER, Role.IMPORTER} else "director"


def given(said: BoardResult | ReplaceResult, otherwise: Pairs) -> Pairs:
    """The pairs that a record names, and for a side it does not name those of the plan."""
    return (otherwise[0] if said.ns is None else said.ns, otherwise[1] if said.ew is None else said.ew)


def superseded(record: Record, slot: Slot) -> Identity | None:
    """The record that another takes the place of in a slot."""
    if isinstance(record, ReplaceResult):
        return record.supersedes
    for change in getattr(record, "changes", ()):
        if change.slot == slot:
            found: Identity | None = change.supersedes
            return found
    return None


def changed_slots(record: Record) -> list[Slot]:
    """The slots that a result or a ruling is about."""
    if isinstance(record, BoardResult | ReplaceResult):
        return [record.slot]
    if isinstance(record, MoveResult):
        return [record.slot, record.to.slot]
    return [change.slot for change in getattr(record, "changes", ())]
