"""What stands in a slot: of its accepted changes the last that was not taken back."""

from enum import IntEnum
from typing import Final, NamedTuple, Optional

from pipeline.scoring.record_set import Place
from schemas.deal import Result
from schemas.record import Record, Role, Slot
from schemas.results import Ending
from schemas.terms import ContestantId, Identity, Seat


class Holder(IntEnum):
    """Who stands behind an effective result."""

    TABLE = 0
    OFFICE = 1
    DIRECTOR = 2


HOLDER_OF: Final = {
    Role.TABLE: Holder.TABLE,
    Role.PAIR: Holder.TABLE,
    Role.SCORER: Holder.OFFICE,
    Role.IMPORTER: Holder.OFFICE,
}


class Entry(NamedTuple):
    """A record in a slot: where it counts, when it was said, and the record."""

    place: Place
    time_us: int
    record: Record
    identity: Identity


class Effective(NamedTuple):
    """The result that stands in a slot, and what is known of who sat there.

    `ns` and `ew` are as the table said, `ruled_ns` and `ruled_ew` as a ruling did; `swapped` turns the plan
    about; `moved` is what a result was moved from, for its pairs go with it where nobody is planned.
    """

    identity: Identity
    result: Result
    holder: Holder
    source: str
    ns: ContestantId | None = None
    ew: ContestantId | None = None
    entered_by: Seat | None = None
    ending: Ending | None = None
    ruled_ns: ContestantId | None = None
    ruled_ew: ContestantId | None = None
    swapped: bool = False
    moved: Optional["Moved"] = None


class Moved(NamedTuple):
    """Where a result was moved from."""

    slot: Slot
    effective: Effective

    def __eq__(self, other: object) -> bool:
        """Compare move by move: a chain of them may be longer than calls can be nested."""
        one: object = self
        while isinstance(one, Moved) and isinstance(other, Moved) and one is not other:
            mine, theirs = one.effective, other.effective
            if one.slot != other.slot or mine._replace(moved=None) != theirs._replace(moved=None):
                return False
            one, other = mine.moved, theirs.moved
        return one is other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.slot, self.effective.identity))


class Done(NamedTuple):
    """One accepted change of a slot: what stands by it (None: emptied), and which record said so."""

    identity: Identity
    effective: Effective | None


class Mark(NamedTuple):
    """A confirmation or a dispute: whose, of which record, and after how many changes."""

    identity: Identity
    of: Identity
    after: int


class Standing(NamedTuple):
    """What stands in a slot."""

    effective: Effective | None = None
    confirmed: bool = False
    disputed: bool = False


EMPTY: Final = Standing()


def standing(
    done: list[Done], confirmations: list[Mark], disputes: list[Mark], withdrawn: set[Identity]
) -> Standing:
    """The last change that was not taken back, with its initials and its flag.

    A dispute ends with a director's later change or word.
    """
    if not withdrawn and done and not confirmations and not disputes:
        return Standing(done[-1].effective)
    for number in range(len(done) - 1, -1, -1):
        identity, effective = done[number]
        if identity in withdrawn or (effective is not None and effective.identity in withdrawn):
            continue
        if effective is None:
            return EMPTY
        name = effective.identity
        ruled = number if effective.holder is Holder.DIRECTOR else -1
        return Standing(
            effective,
            bool(confirmations)
            and any(mark.of == name and mark.identity not in withdrawn for mark in confirmations),
            bool(disputes)
            and any(
                mark.of == name and mark.identity not in withdrawn and mark.after > ruled for mark in disputes
            ),
        )
    return EMPTY
