"""The facts of an event over its whole order: anew where one arrives late or is taken back."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Final

from pipeline.scoring.fact_rules import take
from pipeline.scoring.facts import Facts
from pipeline.scoring.limits import require_time
from pipeline.scoring.record_set import START, Place
from pipeline.scoring.standing import Entry
from pipeline.scoring.verdict import ACCEPTED, WITHDRAWN, Judgement, judged, require_authority, require_other
from schemas.corrections import RecordWithdrawn, Ruling
from schemas.decisions import Refused, Verdict
from schemas.record import Stamped
from schemas.terms import Identity

_BY_PLACE: Final = attrgetter("place")


class FactHistory:
    """Facts as of any place. Taking back a record starts a new epoch, in which it was never said."""

    __slots__ = ("changed", "epochs", "judgements", "latest", "log", "records")

    def __init__(self, records: Mapping[Identity, Stamped]) -> None:
        self.records = records
        self.log: list[Entry] = []
        self.epochs: list[tuple[Place, Facts]] = [(START, Facts())]
        self.judgements: dict[Identity, Judgement] = {}
        self.latest: Place = START
        self.changed: set[Identity] = set()
        """Records whose verdict is another than when last asked."""

    @property
    def now(self) -> Facts:
        """The facts as they stand."""
        return self.epochs[-1][1]

    def at(self, place: Place) -> Facts:
        """The facts to ask for what stood before a place."""
        for start, facts in reversed(self.epochs):
            if start < place:
                return facts
        return self.epochs[0][1]

    def take(self, entries: Iterable[Entry]) -> Place | None:
        """Take in new facts, in any order; answer the place behind which verdicts may differ now."""
        new = sorted(entries, key=_BY_PLACE)
        if not new:
            return None
        self.log += new
        if new[0].place < self.latest:
            self._anew()
        else:
            for entry in new:
                self._take(entry)
        self.latest = max(self.latest, new[-1].place)
        return new[0].place

    def _anew(self) -> None:
        self.log.sort(key=_BY_PLACE)
        self.epochs = [(START, Facts())]
        before, self.judgements = self.judgements, {}
        for entry in self.log:
            self._take(entry)
        self.changed.update(
            name for name, found in self.judgements.items() if name in before and before[name] != found
        )

    def _take(self, entry: Entry) -> None:
        record = entry.record
        if isinstance(record, RecordWithdrawn):
            judgement = self._take_back(entry, record)
        else:
            judgement = take(self.now, entry.place, entry.time_us, entry.identity, record)
        self.judgements[entry.identity] = judgement

    def _take_back(self, entry: Entry, record: RecordWithdrawn) -> Judgement:
        target = self.records[record.record].record
        try:
            require_authority(record)
            require_other(entry.identity, record)
            session = getattr(target, "session", None)
            if isinstance(target, Ruling) and session is not None:
                require_time(self.now, record, session, None, entry.place, entry.time_us)
        except Refused as refused:
            return judged(refused)
        self.judgements[entry.identity] = ACCEPTED
        self.epochs.append((entry.place, self._without_withdrawn(entry)))
        return ACCEPTED

    def _without_withdrawn(self, last: Entry) -> Facts:
        gone = self._withdrawn(last)
        anew = Facts()
        for earlier in self.log:
            if earlier.place >= last.place:
                break
            name = earlier.identity
            judgement = self.judgements[name]
            if judgement.verdict is Verdict.REFUSED:
                continue
            wanted = WITHDRAWN if name in gone else ACCEPTED
            if judgement != wanted:
                self.judgements[name] = wanted
                self.changed.add(name)
            if wanted is ACCEPTED and not isinstance(earlier.record, RecordWithdrawn):
                take(anew, earlier.place, earlier.time_us, name, earlier.record)
        return anew

    def _withdrawn(self, last: Entry) -> set[Identity]:
        """What is taken back by a place; a withdrawal may itself be, so the latest are asked first."""
        gone: set[Identity] = set()
        for entry in reversed(self.log):
            if entry.place > last.place or not isinstance(entry.record, RecordWithdrawn):
                continue
            if entry.identity not in gone and self.judgements[entry.identity].verdict is not Verdict.REFUSED:
                gone.add(entry.record.record)
        return gone
