"""Something to look at while a command takes more than a second: on stderr, and only in a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final

AFTER_SECONDS: Final = 1.0


@contextmanager
def waiting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Say what is going on if it goes on for more than a second; call what it gives with how far it is.

    Not a byte is written where nobody looks.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(what, total=None)
    timer = Timer(AFTER_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda done, of: bar.update(task, completed=done, total=of or None)
    finally:
        timer.cancel()
        timer.join()
        if bar.live.is_started:
            bar.stop()
