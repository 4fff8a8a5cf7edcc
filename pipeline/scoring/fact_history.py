"""The facts of an event over its whole order: anew where one arrives late or is taken back."""

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Final

from pipeline.scoring.fact_checks import check
from pipeline.scoring.fact_notes import note
from pipeline.scoring.facts import Facts
from pipeline.scoring.limits import require_time
from pipeline.scoring.record_set import END, START, Place, RecordSet, slots_named
from pipeline.scoring.standing import Entry
from pipeline.scoring.verdict import ACCEPTED, Judgement, judged, require_authority
from schemas.control import PublicationWithdrawn, ScorePublished
from schemas.corrections import BoardForms, BoardsCancelled, Penalty, RecordWithdrawn
from schemas.decisions import Reason, Refused, Verdict
from schemas.record import Record, Slot
from schemas.results import ResultConfirmed, ResultDisputed
from schemas.terms import Identity

_BY_PLACE: Final = attrgetter("place", "identity")
_NOTHING: Final[set[Identity]] = set()
Withdrawal = RecordWithdrawn | PublicationWithdrawn


class FactHistory:
    """Facts, and what was taken back, as of any place.

    Taking back a fact starts a new epoch, in which it was never said.
    """

    __slots__ = ("changed", "effective", "epochs", "judgements", "latest", "log", "records", "withdrawals")

    def __init__(self, records: RecordSet) -> None:
        self.records = records
        self.log: list[Entry] = []
        self.epochs: list[tuple[Place, Facts]] = [(START, Facts())]
        self.judgements: dict[Identity, Judgement] = {}
        self.withdrawals: list[tuple[Place, set[Identity]]] = []
        """What is taken back from behind a place on."""
        self.effective: dict[Identity, Identity] = {}
        """The withdrawals that took something back, in order, and what."""
        self.latest: Place = START
        self.changed: set[Identity] = set()
        """Records whose verdict is another than when last asked."""

    @property
    def now(self) -> Facts:
        """The facts as they stand."""
        return self.epochs[-1][1]

    def at(self, place: Place) -> Facts:
        """The facts to ask for what stood before a place."""
        if len(self.epochs) == 1:
            return self.epochs[0][1]
        return next(facts for start, facts in reversed(self.epochs) if start < place)

    def withdrawn_at(self, place: Place) -> set[Identity]:
        """What had been taken back just before a place."""
        for start, gone in reversed(self.withdrawals):
            if start < place:
                return gone
        return _NOTHING

    def take(self, entries: Iterable[Entry]) -> Place:
        """Take in new facts, one or more in any order; answer behind which place verdicts may differ now."""
        new = sorted(entries, key=_BY_PLACE)
        self.log += new
        if new[0].place < self.latest:
            self._anew()
        else:
            for number, entry in enumerate(new, len(self.log) - len(new)):
                self._take(entry, number)
        self.latest = max(self.latest, new[-1].place)
        return new[0].place

    def _anew(self) -> None:
        self.log.sort(key=_BY_PLACE)
        gone = self.withdrawn_at(END)
        self.epochs, self.withdrawals, self.effective = [(START, Facts())], [], {}
        before, self.judgements = self.judgements, {}
        for number, entry in enumerate(self.log):
            self._take(entry, number)
        self.changed.update(
            name for name, found in self.judgements.items() if name in before and before[name] != found
        )
        self.changed.update(gone ^ self.withdrawn_at(END))

    def _take(self, entry: Entry, number: int) -> None:
        record = entry.record
        if isinstance(record, Withdrawal):
            self.judgements[entry.identity] = self._take_back(entry, record, number)
        else:
            self.judgements[entry.identity] = self._judge(entry)

    def _judge(self, entry: Entry) -> Judgement:
        try:
            check(self.now, entry.place, entry.time_us, entry.record)
        except Refused as refused:
            return judged(refused)
        note(self.now, entry.place, entry.time_us, entry.identity, entry.record)
        return ACCEPTED

    def _take_back(self, entry: Entry, record: Withdrawal, number: int) -> Judgement:
        target = record.record if isinstance(record, RecordWithdrawn) else record.publication
        try:
            self._require_leave(entry, record, target)
        except Refused as refused:
            return judged(refused)
        said = self.records.by_identity[target].record
        gone = self.withdrawn_at(END)
        comes_later = isinstance(said, Withdrawal) and target not in self.judgements
        if target in gone or comes_later:
            return ACCEPTED
        self.effective[entry.identity] = target
        after = live_withdrawals(self.effective)
        self.changed.update(gone ^ after)
        self.withdrawals.append((entry.place, after))
        if self._changes_facts(said):
            self.epochs.append((entry.place, self._without(after, number)))
        return ACCEPTED

    def _require_leave(self, entry: Entry, record: Withdrawal, target: Identity) -> None:
        require_authority(record)
        said = self.records.by_identity[target].record
        if isinstance(record, PublicationWithdrawn):
            if not isinstance(said, ScorePublished):
                raise Refused(
                    Reason.REFERENCE_OF_OTHER_KIND, field="publication", value=target, rule="a publication"
                )
            return
        for session, slot in self._touched(said):
            require_time(self.now, record, session, slot, entry.place, entry.time_us)

    def _touched(self, said: Record) -> list[tuple[str, Slot | None]]:
        """The sessions and slots whose score a record is about, through withdrawals."""
        about = self.records.taken_back(said)
        if about is None or isinstance(about, ResultConfirmed | ResultDisputed):
            return []
        if isinstance(about, Penalty | BoardForms | BoardsCancelled):
            return [(about.session, None)]
        return [(slot.session, slot) for slot in slots_named(about)]

    def _changes_facts(self, said: Record) -> bool:
        if isinstance(said, PublicationWithdrawn):
            return True
        about = self.records.taken_back(said)
        return (
            about is None
            or isinstance(about, ResultDisputed | PublicationWithdrawn)
            or not slots_named(about)
        )

    def _without(self, gone: set[Identity], number: int) -> Facts:
        """The facts up to an entry as if some had never been said; verdicts stay as they were given."""
        anew = Facts()
        for earlier in self.log[:number]:
            accepted = self.judgements[earlier.identity].verdict is Verdict.ACCEPTED
            if accepted and earlier.identity not in gone and not isinstance(earlier.record, Withdrawal):
                note(anew, earlier.place, earlier.time_us, earlier.identity, earlier.record)
        return anew


def live_withdrawals(withdrawals: Mapping[Identity, Identity]) -> set[Identity]:
    """What is taken back, where a withdrawal may itself be taken back: the latest ones decide first.

    >>> sorted(live_withdrawals({"d/2": "t/1", "d/3": "d/2"}))
    ['d/2']
    """
    withdrawn: set[Identity] = set()
    for identity, target in reversed(list(withdrawals.items())):
        if identity not in withdrawn:
            withdrawn.add(target)
    return withdrawn
