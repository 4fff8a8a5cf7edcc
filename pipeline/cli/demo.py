"""`barometer demo`: a whole congress in two minutes, over HTTP against a real server."""

import signal
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Signal
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Final

import typer

from pipeline.cli.status import ExitStatus, refuse_input

if TYPE_CHECKING:
    import socket

    from pipeline.cli.demo_clock import StageClock
    from pipeline.cli.demo_stage import Said, Stage
    from pipeline.scoring.audit import PublishedList
    from pipeline.settings import Settings

PORT: Final = 8090
SPEED: Final = 110.0
"""Three hours and forty minutes in two minutes."""
LOOK_SECONDS: Final = 0.4


def demo(
    *,
    speed: Annotated[
        float, typer.Option(min=0.1, max=1_000_000, help="How many times as fast as real.")
    ] = SPEED,
    seed: Annotated[int, typer.Option(help="Another seed is another congress.")] = 1,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65_535, help=f"The port; {PORT} unless told, or any free one if that is taken."
        ),
    ] = None,
    until_done: Annotated[
        bool, typer.Option("--until-done", help="End by itself, audit the log, and say how that went.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    log: Annotated[
        Path | None, typer.Option(help="Keep the log in this new file; else it goes with the demo.")
    ] = None,
) -> None:
    """Play a congress against `serve`, and watch the scoreboard live: pairs, a Butler and a team match.

    The scoreboard's address comes first. It serves on until Ctrl-C. With `--until-done` the log is audited
    in the end: exit status 3 if anything differs.

    Example: `barometer demo`

    Example: `barometer demo --speed 1000 --until-done --no-browser`
    """
    from pipeline import bootstrap
    from pipeline.settings import LogLevel, Settings

    if log is not None and log.exists():
        refuse_input(f"{log} exists already; the demo begins a log of its own")
    listener = _listening(port)
    try:
        with TemporaryDirectory(prefix="barometer-demo-") as folder:
            path = log or Path(folder) / "demo.sqlite"
            settings = Settings(log=path, port=listener.getsockname()[1], log_level=LogLevel.WARNING)
            bootstrap.set_up_diagnostics(settings)
            address = bootstrap.address_of(listener)
            sys.stdout.write(f"Scoreboard: {address}\nHall screen: {address}board?screen=hall\n")
            sys.stdout.flush()
            if not no_browser and sys.stdout.isatty():
                webbrowser.open(address)
            _perform(settings, listener, address, speed=speed, seed=seed, until_done=until_done)
    finally:
        listener.close()


def _listening(port: int | None) -> "socket.socket":
    from pipeline import bootstrap

    try:
        return bootstrap.listening("127.0.0.1", PORT if port is None else port)
    except OSError as error:
        if port is None:
            return bootstrap.listening("127.0.0.1", 0)
        refuse_input(f"cannot listen at 127.0.0.1:{port}: {error.strerror or error}")


def _perform(
    settings: "Settings",
    listener: "socket.socket",
    address: str,
    *,
    speed: float,
    seed: int,
    until_done: bool,
) -> None:
    import asyncio

    from pipeline import bootstrap
    from pipeline.cli.demo_clock import StageClock
    from pipeline.cli.demo_stage import Stage

    clock = StageClock()
    stage = Stage(clock, address, speed)
    published: dict[str, list[PublishedList]] = {}
    stop = Signal()

    def then(stage: "Stage") -> None:
        if until_done:
            published.update(_published(stage))
            signal.raise_signal(signal.SIGTERM)  # the server ends its streams and flushes

    playing = Thread(target=_play, args=(stage, seed, stop, then), name="play", daemon=True)
    with _seen(stage, stop):
        try:
            asyncio.run(_serving(settings, clock, listener, playing, bootstrap.serve))
        finally:
            stop.set()
    playing.join(timeout=10)
    if stage.failed is not None:
        refuse_input(stage.failed)
    if until_done:
        _audit(settings.log, stage, published)


async def _serving(
    settings: "Settings",
    clock: "StageClock",
    listener: "socket.socket",
    playing: Thread,
    serve: Callable[..., object],
) -> None:
    import asyncio

    # The socket listens already, so what the play sends first waits there.
    asyncio.get_running_loop().call_soon(playing.start)
    await serve(settings, clock, listener)  # type: ignore[misc]  # handed in so that it is imported once


def _play(stage: "Stage", seed: int, stop: Signal, then: Callable[["Stage"], None]) -> None:
    from pipeline.cli.demo_stage import go_on, play
    from pipeline.simulation.congress import congress

    quiet = sys.stdout.isatty()

    def told(said: "Said") -> None:
        if not quiet:
            _line(stage, said)

    play(congress(seed), stage, stop, told)
    if stage.failed is not None:
        signal.raise_signal(signal.SIGTERM)
    elif stage.done:
        then(stage)
        go_on(stage, stop)


def _line(stage: "Stage", said: "Said") -> None:
    from pipeline.web.notation import hour

    sys.stdout.write(f"{hour(said.time_us)} {said.event}: {said.text} ({len(stage.records)} records)\n")
    sys.stdout.flush()


@contextmanager
def _seen(stage: "Stage", stop: Signal) -> Iterator[None]:
    """Show it in a terminal; elsewhere lines are written as things happen."""
    if not sys.stdout.isatty():
        yield
        return
    from rich.console import Console
    from rich.live import Live

    from pipeline.cli.demo_view import View

    looking = Thread(target=_look, args=(stage, stop), name="look", daemon=True)
    with Live(View(stage), console=Console(), refresh_per_second=4, transient=False):
        looking.start()
        try:
            yield
        finally:
            stop.set()
            looking.join(timeout=5)


def _look(stage: "Stage", stop: Signal) -> None:
    from pipeline.cli.demo_server import Caller, ServerGone
    from pipeline.cli.demo_stage import look

    caller = Caller(stage.address)
    while not stop.wait(LOOK_SECONDS):
        try:
            look(stage, caller)
        except ServerGone:
            continue  # it is starting or ending
    caller.close()


def _published(stage: "Stage") -> "dict[str, list[PublishedList]]":
    """Every list as readers see it once all is folded."""
    from pipeline.cli.demo_server import Caller
    from pipeline.scoring.audit import PublishedList
    from schemas.terms import ListId

    caller = Caller(stage.address)
    found = {}
    for told in caller.get(f"/events?after={stage.last_offset}")["events"]:
        event = told["event"]
        lists = [
            caller.get(f"/events/{event}/standings/{name}?after={stage.last_offset}")
            for name in told["lists"]
        ]
        found[event] = [PublishedList(ListId(one["list"]), one["digest"]) for one in lists]
    caller.close()
    return found


def _audit(log: Path, stage: "Stage", published: "dict[str, list[PublishedList]]") -> None:
    from pipeline.cli import logs
    from pipeline.scoring.audit import audit

    read = logs.read_log(str(log))
    differences = 0
    for event in read.events:
        for difference in audit(read.of(event), published.get(event, ())):
            differences += 1
            sys.stdout.write(f"{difference}\n")
    lists = sum(len(found) for found in published.values())
    looked_at = f"{len(read.events)} events, {len(stage.records)} records, {lists} lists"
    sys.stdout.write(f"Audit: {looked_at}: {differences} differences\n")
    unheard = not stage.done or set(published) != set(read.events) or read.unreadable
    if differences or unheard:
        raise typer.Exit(ExitStatus.DIFFERENT)
