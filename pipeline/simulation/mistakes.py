"""What really happens between a played board and a settled one: mistakes, disputes, rulings, silence."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from itertools import accumulate
from math import log1p
from operator import itemgetter
from random import Random
from typing import Final

from pipeline.simulation.deals import Deal
from pipeline.simulation.field import Section
from pipeline.simulation.voices import MINUTE, SECOND, SOURCES, Officials, Timed
from schemas.corrections import (
    Award,
    CorrectionDecided,
    Decision,
    ReplaceResult,
    ResultUpheld,
    SwapDirections,
)
from schemas.deal import Artificial, Contract, NotPlayed, PassedOut, Played
from schemas.record import Role, Slot, SlotChange
from schemas.results import (
    BoardResult,
    CorrectionRequested,
    DirectorCalled,
    ResultConfirmed,
    ResultDisputed,
    Subject,
)
from schemas.terms import (
    AwardKind,
    BoardNumber,
    ContestantId,
    Doubling,
    EventId,
    Identity,
    RecordId,
    Seat,
    SessionId,
    Strain,
    Tricks,
    Unplayed,
)

_NEXT_SEAT: Final = {Seat.N: Seat.E, Seat.E: Seat.S, Seat.S: Seat.W, Seat.W: Seat.N}
_ONE_CLUB: Final = Contract(1, Strain.CLUBS, Doubling.UNDOUBLED, Seat.N)
_OFFENDED: Final = (
    (AwardKind.AVE_PLUS, AwardKind.AVE_MINUS),
    (AwardKind.AVE_MINUS, AwardKind.AVE_PLUS),
    (AwardKind.AVE, AwardKind.AVE),
    (AwardKind.AVE_PLUS, AwardKind.AVE_PLUS),
)


class Trouble(StrEnum):
    """What can befall a result; at most one thing befalls each."""

    WRONG_ENTRY = "wrong-entry"
    """Seen and replaced by the table itself before it is confirmed."""
    WRONG_SIDE = "wrong-side"
    """Entered for the wrong declarer, confirmed, and found later or never."""
    DISPUTED = "disputed"
    NOT_PLAYED = "not-played"
    SENT_TWICE = "sent-twice"
    """The same record with the same identity arrives again."""
    DELAYED = "delayed"
    """The tablet was out of reach: what it sent later has arrived before."""
    DIRECTOR_CALLED = "director-called"


_TROUBLES: Final = tuple(Trouble)
_MOMENT: Final = itemgetter(0)
_WAITS: Final = tuple(-log1p(-(step + 0.5) / 1024) for step in range(1024))
"""The exponential distribution of mean 1 in 1024 equal steps."""
_TABLES: Final = SOURCES[Role.TABLE]
_TABLE: Final = Role.TABLE
_NORTH: Final = Seat.N
_INITIALS: Final = (Seat.W, Seat.E, Seat.E)


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each thing happens per result.

    `not_played` is per last board of a round, `swapped` per table and round.
    """

    wrong_entry: float = 0.010
    wrong_side: float = 0.003
    disputed: float = 0.0025
    not_played: float = 0.008
    sent_twice: float = 0.003
    delayed: float = 0.006
    director_called: float = 0.004
    swapped: float = 0.0008
    confirmed_late: float = 0.07
    never_confirmed: float = 0.03


REAL: Final = Rates()
QUIET: Final = Rates(**{rate.name: 0.0 for rate in fields(Rates)})


@dataclass(slots=True)
class Floor:
    """What all tables of a session share while it is played.

    `later` collects what is found only after the official score is out: what was entered, and what is right.
    """

    event: EventId
    session: SessionId
    deals: Mapping[BoardNumber, Deal]
    rates: Rates
    dice: Random
    officials: Officials
    ends_us: int
    later: list[tuple[BoardResult, Played]] = field(default_factory=list)
    _floors: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self._floors = list(accumulate(getattr(self.rates, trouble.name.lower()) for trouble in Trouble))

    def trouble(self) -> Trouble | None:
        """Throw the dice for one result."""
        luck = self.dice.random()
        if luck >= self._floors[-1]:
            return None
        return _TROUBLES[bisect_right(self._floors, luck)]


class Tablet:
    """One table's device: numbers what it sends, and tells the story of each board there."""

    __slots__ = ("_due", "_prefix", "_sent", "device", "floor", "section", "table")

    def __init__(self, floor: Floor, section: Section, table: int) -> None:
        self.floor, self.section, self.table = floor, section, table
        self.device = f"{section.id}-{table}"
        self._prefix = f"{floor.event}.{self.device}."
        self._sent = 0
        self._due: list[tuple[int, BoardResult]] = []

    def plays(
        self,
        slot: Slot,
        ns: ContestantId,
        ew: ContestantId,
        edge: float,
        at_us: int,
        *,
        last: bool,
        calm: bool,
    ) -> list[Timed]:
        """All that is said about this board, in an order in which what is referred to comes first."""
        floor = self.floor
        result = floor.deals[slot.board].play(floor.dice, edge)
        trouble = None if calm else floor.trouble()
        told = self.confirmed_before(at_us)
        if trouble is None or (trouble is Trouble.NOT_PLAYED and not last):
            record = self.entry(slot, ns, ew, result)
            self._confirm(at_us, record, promptly=calm)
            told.append((at_us, record))
            return told
        return told + self._troubled(trouble, slot, ns, ew, result, at_us)

    def entry(
        self,
        slot: Slot,
        ns: ContestantId,
        ew: ContestantId,
        result: Played | PassedOut | NotPlayed,
        *,
        supersedes: Identity | None = None,
    ) -> BoardResult:
        """What North types in."""
        self._sent += 1
        return BoardResult(
            event=self.floor.event,
            id=RecordId(f"{self._prefix}{self._sent}"),
            source=_TABLES,
            role=_TABLE,
            device=self.device,
            sequence=self._sent,
            slot=slot,
            result=result,
            ns=ns,
            ew=ew,
            entered_by=_NORTH,
            supersedes=supersedes,
        )

    def confirmation(self, of: BoardResult) -> ResultConfirmed:
        """The initials of East or West."""
        self._sent += 1
        return ResultConfirmed(
            event=self.floor.event,
            id=RecordId(f"{self._prefix}{self._sent}"),
            source=_TABLES,
            role=_TABLE,
            device=self.device,
            sequence=self._sent,
            slot=of.slot,
            result_record=of.identity,
            seat=_INITIALS[self._sent % 3],
        )

    def confirmed_before(self, before_us: int) -> list[Timed]:
        """The confirmations given by then; they are numbered when they are given, not when they fell due."""
        due = self._due
        if len(due) == 1 and due[0][0] < before_us:
            at_us, record = due.pop()
            return [(at_us, self.confirmation(record))]
        given = sorted((pending for pending in due if pending[0] < before_us), key=_MOMENT) if due else ()
        if given:
            self._due = [pending for pending in due if pending[0] >= before_us]
        return [(at_us, self.confirmation(record)) for at_us, record in given]

    def _confirm(self, at_us: int, record: BoardResult, *, promptly: bool = False) -> None:
        dice, rates = self.floor.dice, self.floor.rates
        luck = 0.5 if promptly else dice.random()
        if luck < rates.never_confirmed:
            return
        mean = 4 * MINUTE if luck > 1 - rates.confirmed_late else 14 * SECOND
        confirmed_us = at_us + 2 * SECOND + int(mean * _WAITS[int(dice.random() * 1024)])
        self._due.append((max(at_us + SECOND, min(confirmed_us, self.floor.ends_us)), record))

    def _troubled(
        self,
        trouble: Trouble,
        slot: Slot,
        ns: ContestantId,
        ew: ContestantId,
        result: Played | PassedOut,
        at_us: int,
    ) -> list[Timed]:
        told: list[Timed] = []
        match trouble:
            case Trouble.WRONG_ENTRY:
                wrong = self.entry(slot, ns, ew, mistyped(result, self.floor.dice))
                right = self.entry(slot, ns, ew, result, supersedes=wrong.identity)
                seen_us = at_us + self.floor.dice.randint(5, 60) * SECOND
                told += [(at_us, wrong), (seen_us, right)]
                self._confirm(seen_us, right)
            case Trouble.WRONG_SIDE if isinstance(result, Played):
                self._wrong_side(told, slot, ns, ew, result, at_us)
            case Trouble.DISPUTED if isinstance(result, Played):
                self._disputed(told, slot, ns, ew, result, at_us)
            case Trouble.NOT_PLAYED:
                self._not_played(told, slot, ns, ew, at_us)
            case Trouble.SENT_TWICE:
                record = self.entry(slot, ns, ew, result)
                again_us = at_us + self.floor.dice.randint(1, 90) * SECOND
                told += [(at_us, record), (again_us, record)]
                self._confirm(at_us, record)
            case Trouble.DELAYED:
                # Its confirmation waits with it; what the device numbered after them arrives first.
                record = replace(self.entry(slot, ns, ew, result), said_at=clock_text(at_us))
                arrives_us = min(at_us + self.floor.dice.randint(60, 900) * SECOND, self.floor.ends_us)
                told += [(max(at_us, arrives_us), record)]
                self._confirm(max(at_us, arrives_us), record)
            case _:
                called = DirectorCalled(
                    **self.floor.officials.say(Role.TABLE),
                    session=slot.session,
                    section=slot.section,
                    round=slot.round,
                    table=slot.table,
                    board=slot.board,
                )
                record = self.entry(slot, ns, ew, result)
                told += [(at_us - 2 * MINUTE, called), (at_us, record)]
                self._confirm(at_us, record)
        return told

    def _wrong_side(
        self, told: list[Timed], slot: Slot, ns: ContestantId, ew: ContestantId, result: Played, at_us: int
    ) -> None:
        """Half are found while the session is played, a third when the traveller is out, the rest never."""
        floor = self.floor
        record = self.entry(slot, ns, ew, wrong_side(result))
        told.append((at_us, record))
        self._confirm(at_us, record, promptly=True)
        fate = floor.dice.random()
        found_us = at_us + floor.dice.randint(5, 35) * MINUTE
        if fate < 0.5 and found_us < floor.ends_us - 3 * MINUTE:
            told += asked_and_granted(floor.officials, record, result, found_us, floor.dice)
        elif fate < 0.85:
            floor.later.append((record, result))

    def _disputed(
        self, told: list[Timed], slot: Slot, ns: ContestantId, ew: ContestantId, result: Played, at_us: int
    ) -> None:
        """The opponents dispute the tricks at once; the director decides before the round is much older."""
        floor = self.floor
        record = self.entry(slot, ns, ew, result)
        disputed = ResultDisputed(
            **floor.officials.say(Role.TABLE), slot=slot, result_record=record.identity, seat=Seat.E
        )
        ruled_us = at_us + floor.dice.randint(60, 240) * SECOND
        told += [(at_us, record), (at_us + 20 * SECOND, disputed)]
        if floor.dice.random() < 0.5:
            upheld = ResultUpheld(
                **floor.officials.say(Role.DIRECTOR),
                subject=Subject.TRICKS,
                law="79B",
                request=disputed.identity,
                changes=(SlotChange(slot, record.identity),),
            )
            told.append((ruled_us, upheld))
        else:
            ruled = ReplaceResult(
                **floor.officials.say(Role.DIRECTOR),
                subject=Subject.TRICKS,
                law="79B",
                request=disputed.identity,
                slot=slot,
                supersedes=record.identity,
                result=one_trick_off(result, floor.dice),
            )
            told.append((ruled_us, ruled))

    def _not_played(
        self, told: list[Timed], slot: Slot, ns: ContestantId, ew: ContestantId, at_us: int
    ) -> None:
        floor = self.floor
        record = self.entry(slot, ns, ew, NotPlayed(Unplayed.TIME))
        ns_kind, ew_kind = floor.dice.choice(_OFFENDED)
        award = Award(
            **floor.officials.say(Role.DIRECTOR),
            subject=Subject.RULING,
            law="12C2",
            changes=(SlotChange(slot, record.identity),),
            ns_award=Artificial(ns_kind),
            ew_award=Artificial(ew_kind),
        )
        told += [(at_us, record), (at_us + floor.dice.randint(1, 6) * MINUTE, award)]


def asked_and_granted(
    officials: Officials, wrong: BoardResult, right: Played, at_us: int, dice: Random
) -> list[Timed]:
    """A pair asks for a scoring error to be put right; the director changes it and says so (Law 79C)."""
    pair = wrong.ns if dice.random() < 0.5 else wrong.ew
    if pair is None:
        raise ValueError(f"{wrong.identity} does not say who played")
    asked = CorrectionRequested(
        **officials.say(Role.PAIR), slot=wrong.slot, subject=Subject.ENTRY, by=pair, proposed=right
    )
    changed = ReplaceResult(
        **officials.say(Role.DIRECTOR),
        subject=Subject.ENTRY,
        law="79C",
        request=asked.identity,
        slot=wrong.slot,
        supersedes=wrong.identity,
        result=right,
    )
    granted = CorrectionDecided(
        **officials.say(Role.DIRECTOR),
        subject=Subject.ENTRY,
        law="79C",
        decided=asked.identity,
        decision=Decision.GRANTED,
    )
    ruled_us = at_us + dice.randint(30, 150) * SECOND
    return [(at_us, asked), (ruled_us, changed), (ruled_us + SECOND, granted)]


def swapped(officials: Officials, results: list[BoardResult], at_us: int) -> Timed:
    """The pairs sat the other way round for these boards of one table."""
    changes = tuple(SlotChange(result.slot, result.identity) for result in results)
    return at_us, SwapDirections(
        **officials.say(Role.DIRECTOR), subject=Subject.RULING, law="82", changes=changes
    )


def wrong_side(result: Played) -> Played:
    """The same contract and tricks, entered for the player on declarer's left."""
    contract = result.contract
    return replace(result, contract=replace(contract, declarer=_NEXT_SEAT[contract.declarer]))


def one_trick_off(result: Played, dice: Random) -> Played:
    """One trick more or less."""
    fewer = result.tricks == 13 or (result.tricks > 0 and dice.random() < 0.5)
    return replace(result, tricks=Tricks(result.tricks + (-1 if fewer else 1)))


def mistyped(result: Played | PassedOut, dice: Random) -> Played | PassedOut:
    """What a slip of the finger makes of it: never the same result.

    >>> mistyped(PassedOut(), Random(1)).contract.level
    1
    """
    if isinstance(result, PassedOut):
        return Played(_ONE_CLUB, Tricks(7))
    slip = dice.randrange(3)
    if slip == 0:
        return one_trick_off(result, dice)
    if slip == 1:
        return wrong_side(result)
    level = result.contract.level + (1 if result.contract.level < 7 else -1)
    return replace(result, contract=replace(result.contract, level=level))


def clock_text(time_us: int) -> str:
    """The tablet's own clock, where the event is set up at 19:00.

    >>> clock_text(75 * MINUTE)
    '20:15:00'
    """
    seconds = 19 * 3600 + time_us // SECOND
    return f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
