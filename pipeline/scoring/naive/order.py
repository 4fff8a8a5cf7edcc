"""Which record of an identity stands, and in which order records are judged: docs/semantics.md, section 1."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from schemas.codec import payload_digest
from schemas.corrections import RecordWithdrawn
from schemas.decisions import Reason, Verdict
from schemas.record import Position, Record, Stamp, Stamped
from schemas.terms import Identity
from schemas.topics import TOPIC_RANK

Ruled = tuple[Verdict, Reason | None]
Place = tuple[Position, int, Position, str]
_NAMING: Final = (
    *("supersedes", "result_record", "request", "override", "record"),
    *("decided", "appeal", "against", "publication"),
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A record with its own position and with the place at which it is judged."""

    record: Record
    position: Position
    place: Place

    @property
    def identity(self) -> Identity:
        """`source/id`."""
        return self.record.identity

    @property
    def time_us(self) -> int:
        """The time that periods are measured by."""
        return self.position.time_us


@dataclass(frozen=True, slots=True)
class Ordered:
    """The records to judge, in order of their places; those that have no effect whatever else is said."""

    placed: tuple[Placed, ...]
    known: Mapping[Identity, Record]
    without_effect: Mapping[Identity, Ruled]
    conflicts: frozenset[tuple[Identity, str]]


def named(record: Record) -> tuple[Identity, ...]:
    """Every record that a record names."""
    found = [getattr(record, name, None) for name in _NAMING]
    found += [change.supersedes for change in getattr(record, "changes", ())]
    found += [record.to.supersedes] if hasattr(record, "to") else []
    return tuple(name for name in found if name is not None)


def ordered(entries: Iterable[Stamped]) -> Ordered:
    """Put the records of an event in the order in which they are judged."""
    log = sorted(entries, key=lambda entry: (_position(entry.stamp), entry.record.identity))
    standing: dict[Identity, Stamped] = {}
    conflicts = set()
    for entry in log:
        first = standing.setdefault(entry.record.identity, entry)
        if first is not entry and payload_digest(first.record) != payload_digest(entry.record):
            conflicts.add((entry.record.identity, payload_digest(entry.record)))
    live = [_position(entry.stamp) for entry in standing.values() if entry.record.original_stamp is None]
    positions: dict[Identity, Position] = {}
    without: dict[Identity, Ruled] = {}
    for identity, entry in standing.items():
        positions[identity] = _position(entry.stamp)
        if entry.record.original_stamp is not None:
            if any(position < positions[identity] for position in live):
                without[identity] = (Verdict.REFUSED, Reason.IMPORT_INTO_LIVE_EVENT)
            else:
                positions[identity] = _position(entry.record.original_stamp)
    for identity, entry in standing.items():
        names = named(entry.record)
        if identity in without:
            continue
        if identity in names:
            itself = isinstance(entry.record, RecordWithdrawn) and entry.record.record == identity
            without[identity] = (
                Verdict.REFUSED,
                Reason.WITHDRAWS_ITSELF if itself else Reason.SUPERSEDES_ITSELF,
            )
        elif not all(name in standing for name in names):
            without[identity] = (Verdict.WAITING_FOR_REFERENCE, Reason.REFERENCE_UNKNOWN)
    placed = [
        Placed(entry.record, positions[identity], _place(entry.record, positions))
        for identity, entry in standing.items()
        if identity not in without
    ]
    return Ordered(
        tuple(sorted(placed, key=lambda one: one.place)),
        {identity: entry.record for identity, entry in standing.items()},
        without,
        frozenset(conflicts),
    )


def _position(stamp: Stamp) -> Position:
    return Position(stamp.time_us, TOPIC_RANK.get(stamp.topic, len(TOPIC_RANK)), stamp.offset)


def _place(record: Record, positions: Mapping[Identity, Position]) -> Place:
    own = positions[record.identity]
    after = [(own, 0), *((positions[name], 1) for name in named(record))]
    position, behind = max(after)
    return (position, behind, own, record.identity)
