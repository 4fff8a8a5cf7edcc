"""The one place that builds: each process, from its settings and a clock."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

import structlog

from pipeline import diagnostics
from pipeline.ports import Clock, Progress
from pipeline.settings import LogFormat, Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from pipeline.history import Past
    from pipeline.metrics import Metrics
    from pipeline.runtime.embedded.hub import Hub
    from pipeline.runtime.embedded.log import SqliteLog

LOG: Final = structlog.get_logger()
GRACE_SECONDS: Final = 5
BACKLOG: Final = 2048
KEEP_ALIVE_SECONDS: Final = 75
"""A table sends every few minutes, a page asks every few seconds."""
SWITCH_SECONDS: Final = 0.001
"""After so long a thread that folds lets the loop go on: the default 5 ms would be felt at p99."""


@dataclass(frozen=True, slots=True)
class Whole:
    """All of Barometer in one process."""

    app: "FastAPI"
    log: "SqliteLog"
    hub: "Hub"
    past: "Past"
    metrics: "Metrics"


@asynccontextmanager
async def whole(
    settings: Settings,
    clock: Clock,
    *,
    progress: Progress | None = None,
    heartbeat_seconds: float | None = None,
) -> AsyncIterator[Whole]:
    """Build the process that `barometer serve` is, and take it down in order: what was accepted is on disk.

    Raises LogFileError and its kinds.
    """
    from pipeline.history import Past
    from pipeline.metrics import Metrics
    from pipeline.runtime.embedded.hub import Hub
    from pipeline.runtime.embedded.log import SqliteLog
    from pipeline.runtime.embedded.ticks import HEARTBEAT_SECONDS

    metrics = Metrics()
    log = await SqliteLog.open(settings.log, clock, most_waiting=settings.most_waiting)
    hub = Hub(log, clock, metrics, heartbeat_seconds=heartbeat_seconds or HEARTBEAT_SECONDS)
    past = Past(metrics.refolds.inc)
    try:
        hub.start(progress)
        yield Whole(web_app(settings, log, hub, past, metrics), log, hub, past, metrics)
    finally:
        past.close()
        await hub.close()
        await log.close()


def web_app(settings: Settings, log: "SqliteLog", hub: "Hub", past: "Past", metrics: "Metrics") -> "FastAPI":
    """Entry and feed as one application."""
    from fastapi import FastAPI

    from pipeline.entry.people import people_routes
    from pipeline.entry.records import Counter, RecordsFirst, record_routes
    from pipeline.feed.changes import change_routes
    from pipeline.feed.deals import deal_routes
    from pipeline.feed.lists import list_routes
    from pipeline.feed.process import process_routes
    from pipeline.feed.reading import Desk
    from pipeline.feed.verdicts import verdict_routes
    from pipeline.web.guard import LoopbackOnly
    from pipeline.web.problem import add_handlers
    from pipeline.web.roles import Caller, Door

    # The pages that FastAPI offers for its document load scripts from elsewhere; a hall may have no network.
    app = FastAPI(
        title="Barometer", version=metadata.version("bridge-barometer"), docs_url=None, redoc_url=None
    )
    callers = {token: Caller(holder.role, holder.source) for token, holder in settings.tokens.items()}
    door = Door(callers, believes_headers=settings.believes_headers)
    desk = Desk(hub, past, door)
    counter = Counter(log, door, metrics)
    app.include_router(record_routes(counter))
    app.include_router(people_routes(log, door))
    app.include_router(list_routes(desk, log))
    app.include_router(deal_routes(desk))
    app.include_router(verdict_routes(desk))
    app.include_router(change_routes(desk, metrics))
    app.include_router(process_routes(hub, metrics))
    if find_spec("pipeline.feed.pages") is not None:
        app.include_router(import_module("pipeline.feed.pages").scoreboard_routes(desk, log))
    add_handlers(app)
    app.add_middleware(RecordsFirst, counter=counter)
    if settings.believes_headers:
        app.add_middleware(LoopbackOnly)
    return app


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, else asyncio would not switch Nagle's algorithm off, and answers would wait 40 ms.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(BACKLOG)  # from here on a connection waits and is not refused
    except BaseException:
        found.close()
        raise
    return found


def address_of(listener: socket.socket) -> str:
    """Where it can be found by a browser."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def serve(
    settings: Settings, clock: Clock, listener: socket.socket, progress: Progress | None = None
) -> None:
    """Serve until SIGINT or SIGTERM, then end every stream and flush."""
    import uvicorn
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    from pipeline.web.corked import Corked

    class Protocol(AutoHTTPProtocol):  # type: ignore[misc,valid-type]  # whichever is installed
        """Uvicorn's, with answers in one piece."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(Corked(transport))

    class Server(uvicorn.Server):
        """Uvicorn, without its own ideas about signals."""

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    sys.setswitchinterval(SWITCH_SECONDS)
    async with whole(settings, clock, progress=progress) as process:
        config = uvicorn.Config(
            process.app,
            http=Protocol,
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            server_header=False,
        )
        server = Server(config)

        def stop() -> None:
            process.hub.end_ticks()
            server.should_exit = True

        with _signals(stop):
            LOG.info("server_started", address=address_of(listener))
            await server.serve(sockets=[listener])
    LOG.info("server_stopped")


@contextlib.contextmanager
def _signals(stop: Callable[[], Any]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    wanted = (signal.SIGINT, signal.SIGTERM)
    for number in wanted:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in wanted:
            with suppress(ValueError):
                loop.remove_signal_handler(number)


def set_up_diagnostics(settings: Settings) -> None:
    """Write log lines as the settings say."""
    set_up = diagnostics.for_machines if settings.log_format is LogFormat.JSON else diagnostics.for_people
    set_up(settings.log_level)
