"""What stands in a slot: the accepted changes folded, without those that were taken back."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

from pipeline.scoring.record_set import Place
from schemas import results
from schemas.deal import Result
from schemas.record import Record, Role
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


class Standing(NamedTuple):
    """What stands in a slot."""

    effective: Effective | None = None
    confirmed: bool = False
    disputed: bool = False


EMPTY: Final = Standing()


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
                effective = effective._replace(
                    identity=identity, swapped=not effective.swapped, holder=Holder.DIRECTOR
                )
                confirmed = disputed = False
            case Operation.UPHOLD if effective is not None:
                effective, disputed = effective._replace(holder=Holder.DIRECTOR), False
            case Operation.CONFIRM:
                confirmed = effective is not None
            case Operation.DISPUTE:
                disputed = effective is not None
            case _:
                pass
    return Standing(effective, confirmed, disputed)


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
