"""Plays the congress against a server, and keeps what there is to be seen of it."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event as Signal
from typing import Any, Final, NamedTuple, TypeVar

from pipeline.cli.demo_clock import STARTS_US, StageClock
from pipeline.cli.demo_server import Caller, ServerGone
from pipeline.cli.demo_words import sentence
from pipeline.simulation.congress import Moment, Remark, RemarkKind
from schemas.codec import AnyRecord
from schemas.control import RoundStarted
from schemas.published import PersonNamed
from schemas.results import BoardResult

STEP_SECONDS: Final = 0.05
RATE_SECONDS: Final = 5.0
TRIES: Final = 20
Answer = TypeVar("Answer")


class Said(NamedTuple):
    """A remark that was made: when on stage, of which event, in words."""

    time_us: int
    event: str
    text: str


@dataclass(slots=True)
class EventSeen:
    """An event as its readers see it."""

    event: str
    title: str
    lists: Sequence[str]
    standings: dict[str, Any]


@dataclass(slots=True)
class Stage:
    """What is to be seen, for the view; one thread writes each part."""

    clock: StageClock
    address: str
    speed: float
    done: bool = False
    failed: str | None = None
    records: set[str] = field(default_factory=set)
    results: deque[float] = field(default_factory=lambda: deque(maxlen=2000))
    remarks: list[Said] = field(default_factory=list)
    rounds: dict[str, int] = field(default_factory=dict)
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    events: list[EventSeen] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    waiting: int = 0
    last_offset: int = -1

    @property
    def results_a_second(self) -> float:
        """Board results sent in the last five seconds, a second."""
        since = time.monotonic() - RATE_SECONDS
        return sum(1 for sent in tuple(self.results) if sent > since) / RATE_SECONDS


class Stopped(Exception):
    """The play was broken off."""


def play(script: Sequence[Moment], stage: Stage, stop: Signal, told: Callable[[Said], None]) -> None:
    """Say everything at its time; the last thing done is to note that the play is done."""
    caller = Caller(stage.address)
    began = time.monotonic()
    try:
        for moment in script:
            _wait_for(moment.time_us, began, stage, stop)
            _say(moment, stage, caller, stop, told)
        stage.done = True
    except Stopped:
        pass
    except ServerGone as gone:
        stage.failed = str(gone)
    finally:
        caller.close()


def go_on(stage: Stage, stop: Signal) -> None:
    """Let time pass as it does outside, once the play is over."""
    while not stop.wait(STEP_SECONDS):
        stage.clock.go_to(stage.clock.monotonic_us() + int(STEP_SECONDS * 1_000_000))


def _wait_for(time_us: int, began: float, stage: Stage, stop: Signal) -> None:
    due = began + time_us / 1_000_000 / stage.speed
    while (left := due - time.monotonic()) > 0:
        stage.clock.go_to(min(time_us, int((time.monotonic() - began) * stage.speed * 1_000_000)))
        if stop.wait(min(left, STEP_SECONDS)):
            raise Stopped
    if stop.is_set():
        raise Stopped
    stage.clock.go_to(time_us)


def _say(moment: Moment, stage: Stage, caller: Caller, stop: Signal, told: Callable[[Said], None]) -> None:
    item = moment.item
    match item:
        case PersonNamed():
            stage.names[item.event, item.person] = item.name
            _insist(stop, lambda: caller.name(item))
        case Remark():
            decision = _decision(item, stage, caller) if item.kind is RemarkKind.LATE_FIX_REFUSED else None
            said = Said(STARTS_US + moment.time_us, item.event, sentence(item, decision))
            stage.remarks.append(said)
            told(said)
        case _:
            record: AnyRecord = item
            stage.last_offset = max(stage.last_offset, _insist(stop, lambda: caller.send(record)))
            stage.records.add(f"{record.event} {record.identity}")
            if isinstance(record, RoundStarted):
                stage.rounds[record.event] = record.round
            if isinstance(record, BoardResult):
                stage.results.append(time.monotonic())


def _insist(stop: Signal, ask: Callable[[], Answer]) -> Answer:
    """Send again what the server did not answer, under the same identity: that is always safe."""
    for tried in range(TRIES):
        try:
            return ask()
        except ServerGone:
            if tried == TRIES - 1 or stop.wait(0.2):
                raise
    raise AssertionError


def _decision(remark: Remark, stage: Stage, caller: Caller) -> dict[str, object] | None:
    path = f"/events/{remark.event}/records/{remark.record}?after={stage.last_offset}"
    found: dict[str, object] = caller.get(path, role="director")
    return found


def look(stage: Stage, caller: Caller) -> None:
    """See what the server shows now. Raises ServerGone."""
    found = []
    for told in caller.get("/events")["events"]:
        event, lists = told["event"], tuple(_in_order(told["lists"]))
        if lists:
            standings = {name: caller.get(f"/events/{event}/standings/{name}") for name in lists}
            found.append(EventSeen(event, told["title"], lists, standings))
    stage.events = found
    refused, waiting = [], 0
    for seen in found:
        path = f"/events/{seen.event}/decisions?verdict="
        told = caller.get(f"{path}refused", role="director")["decisions"]
        refused += [str(decision.get("reason", "")) for decision in told]
        for verdict in ("waiting-for-director", "waiting-for-reference"):
            waiting += len(caller.get(path + verdict, role="director")["decisions"])
    stage.refused, stage.waiting = refused, waiting


def _in_order(lists: Sequence[str]) -> Iterator[str]:
    yield from sorted(
        (name for name in lists if name.startswith("event/")), key=lambda name: name.endswith("EW")
    )
