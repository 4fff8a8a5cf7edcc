"""What the core needs from the world: a log, the people's names, a scoreboard and a clock, as protocols."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from schemas.codec import AnyRecord
from schemas.decisions import Decision
from schemas.published import PersonNamed, Standings, StandingsIndex, Traveller
from schemas.record import Stamp, Stamped
from schemas.terms import EventId, PersonId


class LogUnavailable(Exception):
    """The log could not say whether it has the record: send the same identity again later."""

    def __init__(self, reason: str, retry_after_seconds: int) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class IdentityTaken(Exception):
    """The log already has another payload under this identity; `digest` is that of the one it has."""

    def __init__(self, identity: str, digest: str) -> None:
        super().__init__(f"{identity} is taken by the payload {digest}")
        self.identity, self.digest = identity, digest


@dataclass(frozen=True, slots=True)
class UnreadableBytes:
    """An entry of the log that no model accepts: kept, shown, and never dropped."""

    stamp: Stamp
    key: str | None
    data: bytes
    problem: str


Progress = Callable[[int, int], None]
"""Told after each batch of a long read: entries read, and entries there were when it began."""


class Clock(Protocol):
    """Wall time for stamps and monotonic time to watch it with."""

    def wall_us(self) -> int:
        """Microseconds since 1970 UTC."""
        ...

    def monotonic_us(self) -> int:
        """Microseconds that never run backwards."""
        ...


class Log(Protocol):
    """An append-only log that stamps; what it has acknowledged survives a power cut."""

    @property
    def log_id(self) -> str:
        """Changes when the log is not the one it was, so that senders offer again what they kept."""
        ...

    async def append(self, records: Sequence[AnyRecord]) -> Sequence[Stamp]:
        """Append all or none, durably; a record that is there already gets its first stamp back.

        An identity is one within its event. Raises IdentityTaken (best effort: the binding answer is
        the decision) and LogUnavailable; after the latter it is unknown whether the log has the records.
        """
        ...

    def read(
        self, *, follow: bool = False, progress: Progress | None = None
    ) -> AsyncIterator[Sequence[Stamped | UnreadableBytes]]:
        """Yield batches from the start in log order; with `follow`, go on with what is appended, to `close`.

        An entry that no model accepts comes as UnreadableBytes. Raises NewerSchema.
        """
        ...

    async def end(self) -> int:
        """How many entries the log holds: a reader that has had so many has had them all."""
        ...

    async def park(self, key: str | None, data: bytes, problem: str) -> UnreadableBytes:
        """Keep a copy, for people, of bytes that no model accepts; they are no entry of the log.

        Raises LogUnavailable.
        """
        ...

    async def unreadable(self) -> Sequence[UnreadableBytes]:
        """What was parked, in the order in which it came."""
        ...

    async def close(self) -> None:
        """Finish what was accepted and let go."""
        ...


class People(Protocol):
    """Names and member numbers by pseudonym, apart from the log: erasing a person never touches it."""

    async def name_person(self, named: PersonNamed) -> None:
        """Set what is known of a person; the last one stands. Raises LogUnavailable."""
        ...

    async def erase_person(self, event: EventId, person: PersonId) -> None:
        """Leave a tombstone and nothing else. Raises LogUnavailable."""
        ...

    async def people(self, event: EventId) -> Mapping[PersonId, PersonNamed]:
        """Everybody who is named in an event and was not erased."""
        ...


@dataclass(frozen=True, slots=True)
class Published:
    """What one fold of one event changed, ready to be shown."""

    event: EventId
    travellers: tuple[Traveller, ...] = ()
    standings: tuple[Standings, ...] = ()
    index: StandingsIndex | None = None
    decisions: tuple[Decision, ...] = ()


class Scoreboard(Protocol):
    """Where outputs go; durable before the batch is acknowledged, where there is one to acknowledge."""

    async def publish(self, published: Published) -> None:
        """Take in what changed; a lower (scoring version, records folded) is ignored."""
        ...
