"""What the core needs from the world: a log, the people's names, live scores and a clock, as protocols."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from schemas.codec import AnyRecord
from schemas.decisions import Decision, Verdict
from schemas.policies import ShowStandings, ShowTraveller
from schemas.published import PersonNamed, Status
from schemas.record import Stamp, Stamped
from schemas.terms import EventId, PersonId

Answer = TypeVar("Answer")
"""What comes of a question."""


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


class NotThere(LookupError):
    """No event, list, board, record or contestant of that name is known: `field` and `value` say which."""

    def __init__(self, field: str, value: str) -> None:
        super().__init__(f"{field} {value!r} is not known")
        self.field, self.value = field, value


class NotReady(Exception):
    """The scores are still being folded, or their loop has stopped: ask again later."""

    def __init__(self, reason: str, retry_after_seconds: int = 1) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class BoardName(NamedTuple):
    """A board in a comparison group, as its traveller is called; a fouled board's group is `group#form`."""

    session: str
    group: str
    board: int

    @property
    def deal(self) -> tuple[str, int]:
        """What everybody who has the board plays."""
        return self.session, self.board


@dataclass(frozen=True, slots=True)
class Page:
    """A message as JSON, encoded once; `tag` names these bytes and no others."""

    body: bytes
    tag: str


@dataclass(frozen=True, slots=True)
class Pages:
    """A message in pages, and what decides who may see it; `offset` is where the log stood."""

    pages: tuple[Page, ...]
    offset: int
    status: Status | None = None
    """Of a ranking list."""


@dataclass(frozen=True, slots=True)
class Secrecy:
    """What decides about who may see what of an event, as it stands (docs/semantics.md section 8)."""

    show_traveller: ShowTraveller
    show_standings: ShowStandings
    closed: frozenset[tuple[str, int]] = frozenset()
    """Deals, as (session, board), that nobody still has to play."""
    round_over: frozenset[tuple[str, int]] = frozenset()
    """Those of them of which every round is over."""
    ended: frozenset[str] = frozenset()
    """Sessions of which play has ended."""
    rounds_until_us: Mapping[str, int] = field(default_factory=dict)
    """By scope in play: when its last whole round ended, 0 before the first; where lists wait for rounds."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Something changed: fetch what you show. `revision` is the entries folded and which tick there."""

    event: EventId
    revision: tuple[int, int]
    scopes: frozenset[str] = frozenset()
    """Sessions, or "event", whose lists (`scope/line`) are to be fetched again."""
    boards: frozenset[BoardName] = frozenset()
    decisions: frozenset[str] = frozenset()
    whole: bool = False
    """Ticks were missed: fetch everything."""


class LiveScores(Protocol):
    """What the feed asks of a runtime: the latest fold of every event.

    Wherever an event is named that does not exist, NotThere is raised; NotReady before the log is caught up.
    """

    @property
    def log_id(self) -> str:
        """The log that was folded."""
        ...

    @property
    def folded(self) -> int:
        """How many entries of the log are folded."""
        ...

    def trouble(self) -> str | None:
        """Why the scores are not those of the log, or None when they are."""
        ...

    def watermark_us(self) -> int:
        """Nothing with an earlier or equal stamp is still to come."""
        ...

    async def wait_folded(self, offset: int, timeout_seconds: float) -> bool:
        """Wait until the entry at this offset is folded; False when it takes longer."""
        ...

    def events(self) -> tuple[EventId, ...]:
        """The events there are."""
        ...

    async def index(self, event: EventId) -> Pages:
        """The lists of an event, as `schemas.published.StandingsIndex`."""
        ...

    async def standings(self, event: EventId, list_id: str, after: int = -1) -> Pages:
        """A ranking list with at least this offset folded, in pages. Raises NotThere."""
        ...

    async def boards(self, event: EventId) -> Sequence[BoardName]:
        """The boards with anything on them or due."""
        ...

    async def traveller(self, event: EventId, board: BoardName, after: int = -1) -> Pages:
        """A traveller with at least this offset folded, in pages. Raises NotThere."""
        ...

    async def decisions_on(self, event: EventId, record: str) -> Sequence[Decision]:
        """The verdict on a record, then on other contents under its identity. Raises NotThere."""
        ...

    async def decisions(self, event: EventId, verdict: Verdict) -> Sequence[Decision]:
        """All records with this verdict, in the order in which they were read."""
        ...

    async def secrecy(self, event: EventId) -> Secrecy:
        """What decides about who may see what, now."""
        ...

    async def ask(self, event: EventId, question: Callable[[Any], Answer]) -> Answer:
        """Put a question to the fold itself, a `pipeline.scoring.event.Event`, where nothing touches it."""
        ...

    def entries(self, event: EventId) -> Sequence[Stamped]:
        """Everything that was said, in log order, as a copy."""
        ...

    def incomplete(self, event: EventId) -> int:
        """Entries of the event that could not be read or folded."""
        ...

    def ticks(self, event: EventId, last: tuple[str, int, int] | None) -> AsyncIterator[Tick | None]:
        """Ticks since the one last seen (log, revision), or from now; None at each heartbeat."""
        ...
