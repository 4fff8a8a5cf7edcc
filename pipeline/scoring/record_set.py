"""What was said about one event: one record for each identity, the first in log order."""

from dataclasses import fields
from enum import StrEnum
from typing import Final

from schemas import corrections, results
from schemas.codec import payload_digest
from schemas.record import Record, Slot, SlotChange, Stamp, Stamped
from schemas.terms import Identity
from schemas.topics import TOPIC_RANK

Place = tuple[int, ...]
"""A place in the order of an event: (time, topic rank, offset), or behind a record it names."""

START: Final[Place] = ()
END: Final[Place] = (1 << 62,)
_NAMING: Final = (
    "supersedes",
    "result_record",
    "request",
    "override",
    "record",
    "decided",
    "appeal",
    "against",
    "publication",
)
"""The fields that name another record, in whatever kind they occur (docs/semantics.md section 1)."""
_NAMING_IN: Final[dict[type[Record], tuple[str, ...]]] = {}
"""Those of them that a kind has, as met."""
_OF_THE_ENTRY: Final = frozenset({"source", "role", "original_stamp"})


class Addition(StrEnum):
    """What adding a record did to the set."""

    NEW = "new"
    KNOWN = "known"
    CONFLICT = "conflict"
    REORDERED = "reordered"
    """The set is new, and so is the order of what was there."""


def log_place(stamp: Stamp) -> Place:
    """Where the log has it."""
    return (stamp.time_us, TOPIC_RANK[stamp.topic], stamp.offset)


def names(record: Record) -> tuple[Identity, ...]:
    """The records that this one names."""
    kind = type(record)
    fields_of_kind = _NAMING_IN.get(kind)
    if fields_of_kind is None:
        fields_of_kind = _NAMING_IN[kind] = tuple(name for name in _NAMING if hasattr(record, name))
    if not fields_of_kind:
        return ()
    found: list[Identity | None] = [getattr(record, name) for name in fields_of_kind]
    if not isinstance(record, corrections.Ruling):  # nearly every record, and it names one at most
        return () if found[0] is None else (found[0],)
    found += [change.supersedes for change in getattr(record, "changes", ())]
    if isinstance(record, corrections.MoveResult):
        found.append(record.to.supersedes)
    return tuple([identity for identity in found if identity is not None])


def same_payload(one: Record, other: Record) -> bool:
    """Tell whether a client said the same twice; what the entry adds does not matter."""
    return type(one) is type(other) and all(
        getattr(one, field.name) == getattr(other, field.name)
        for field in fields(one)
        if field.name not in _OF_THE_ENTRY
    )


_ONE_SLOT: Final = (
    results.BoardResult,
    results.ResultConfirmed,
    results.ResultDisputed,
    corrections.ReplaceResult,
)


def slots_named(record: Record) -> tuple[Slot, ...]:
    """The slots that a record is about, where it changes or confirms any."""
    if isinstance(record, _ONE_SLOT):
        return (record.slot,)
    if isinstance(record, corrections.MoveResult):
        return (record.slot, record.to.slot)
    changes: tuple[SlotChange, ...] = getattr(record, "changes", ())
    return tuple([change.slot for change in changes])


SlotKey = tuple[str, str, int, int, int]
"""(session, section, round, table, board)."""


def slot_key(slot: Slot) -> SlotKey:
    """What a slot is filed under."""
    return (slot.session, slot.section, slot.round, slot.table, slot.board)


class RecordSet:
    """The records of one event by identity, and the order they count in."""

    __slots__ = ("by_identity", "conflicts", "live_from")

    def __init__(self) -> None:
        self.by_identity: dict[Identity, Stamped] = {}
        self.conflicts: dict[tuple[Identity, str], Stamped] = {}
        """Later contents under an identity that is taken, by payload digest."""
        self.live_from: Place = END
        """Where the first record without an original stamp stands in the log."""

    def add(self, identity: Identity, stamped: Stamped) -> Addition:
        """Take a record in under its identity; of several with one the first in log order stands."""
        record = stamped.record
        known = self.by_identity.get(identity)
        if known is not None:
            return self._again(identity, known, stamped)
        self.by_identity[identity] = stamped
        # By the time alone for all but the first, which a log has at its head.
        if record.original_stamp is None and stamped.stamp.time_us <= self.live_from[0]:
            place = log_place(stamped.stamp)
            if place < self.live_from:
                self.live_from = place
                if self._imported_since(place):
                    return Addition.REORDERED
        return Addition.NEW

    def _imported_since(self, place: Place) -> bool:
        return any(
            stamped.record.original_stamp is not None and log_place(stamped.stamp) > place
            for stamped in self.by_identity.values()
        )

    def _again(self, identity: Identity, known: Stamped, stamped: Stamped) -> Addition:
        same = same_payload(known.record, stamped.record)
        if log_place(stamped.stamp) < log_place(known.stamp):
            self.by_identity[identity] = stamped
            if not same:
                self.conflicts[identity, payload_digest(known.record)] = known
                self.conflicts.pop((identity, payload_digest(stamped.record)), None)
            self.live_from = min(
                (
                    log_place(one.stamp)
                    for one in self.by_identity.values()
                    if one.record.original_stamp is None
                ),
                default=END,
            )
            return Addition.REORDERED
        if same:
            return Addition.KNOWN
        key = (identity, payload_digest(stamped.record))
        earlier = self.conflicts.get(key)
        if earlier is None or log_place(stamped.stamp) < log_place(earlier.stamp):
            self.conflicts[key] = stamped
        return Addition.KNOWN if earlier is not None else Addition.CONFLICT

    def latest_us(self) -> int:
        """The log time of the last record, refused contents included."""
        every = (*self.by_identity.values(), *self.conflicts.values())
        return max((stamped.stamp.time_us for stamped in every), default=0)

    def is_honoured(self, stamped: Stamped) -> bool:
        """Tell whether an original stamp counts: only in an event that no live record came before."""
        return log_place(stamped.stamp) < self.live_from

    def position(self, stamped: Stamped) -> Place:
        """Where a record stands by itself."""
        original = stamped.record.original_stamp
        if original is not None and self.is_honoured(stamped):
            return (original.time_us, TOPIC_RANK.get(original.topic, 0), original.offset)
        stamp = stamped.stamp
        return (stamp.time_us, TOPIC_RANK[stamp.topic], stamp.offset)

    def place(self, stamped: Stamped) -> Place | None:
        """Where a record counts: behind the records that it names; None while one of them is missing."""
        return self.behind(self.position(stamped), names(stamped.record))

    def behind(self, own: Place, named: tuple[Identity, ...]) -> Place | None:
        """The place of a record with a position of its own that names others."""
        latest = own
        for identity in named:
            known = self.by_identity.get(identity)
            if known is None:
                return None
            position = self.position(known)
            latest = max(latest, position)
        return own if latest is own else (*latest, *own)

    def taken_back(self, record: Record) -> Record | None:
        """What a withdrawal takes back in the end, through withdrawals of withdrawals; None: not read yet."""
        seen = 0
        while isinstance(record, corrections.RecordWithdrawn):
            named = self.by_identity.get(record.record)
            seen += 1
            if named is None or seen > len(self.by_identity):
                return None
            record = named.record
        return record

    def missing(self, stamped: Stamped) -> tuple[Identity, ...]:
        """The named records that have not been read."""
        return tuple(identity for identity in names(stamped.record) if identity not in self.by_identity)
