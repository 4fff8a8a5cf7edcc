"""What the core needs from the world: a log, a scoreboard and a clock, as protocols."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from schemas.codec import AnyRecord
from schemas.decisions import Decision
from schemas.published import Standings, StandingsIndex, Traveller
from schemas.record import Stamp, Stamped
from schemas.terms import EventId


class LogUnavailable(Exception):  # noqa: N818 - a state of the world, not a mistake
    """The log could not say whether it has the record: send the same identity again later."""

    def __init__(self, reason: str, retry_after_seconds: int) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class IdentityTaken(Exception):  # noqa: N818 - names what happened
    """The log already has another payload under this identity."""

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

        Raises IdentityTaken, LogUnavailable.
        """
        ...

    def read(self, *, follow: bool = False) -> AsyncIterator[Sequence[Stamped | UnreadableBytes]]:
        """Yield batches from the start in log order; with `follow`, go on with what is appended."""
        ...

    async def end(self) -> int:
        """How many entries the log holds."""
        ...

    async def close(self) -> None:
        """Finish what was accepted and let go."""
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
    """Where outputs go; durable before the batch is acknowledged, where the runtime has a batch to acknowledge."""

    async def publish(self, published: Published) -> None:
        """Take in what changed; a lower (scoring version, records folded) is ignored."""
        ...
