"""Something to look at while a command takes more than a second: on stderr, and only in a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.progress import Progress

AFTER_SECONDS: Final = 1.0


class _Bar:
    """A bar that nothing is loaded or drawn for before it is due."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.done, self.of = 0, 0
        self.bar: Progress | None = None
        self.over = False
        self.lock = Lock()

    def start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with self.lock:
            if self.over:
                return
            columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.add_task(self.what, total=self.of or None, completed=self.done)
            self.bar.start()

    def update(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=done, total=of or None)

    def stop(self) -> None:
        with self.lock:
            self.over = True
            if self.bar is not None:
                self.bar.stop()


@contextmanager
def waiting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Say what is going on if it goes on for more than a second; call what it gives with how far it is.

    Not a byte is written where nobody looks.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    bar = _Bar(what)
    timer = Timer(AFTER_SECONDS, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield bar.update
    finally:
        timer.cancel()
        bar.stop()
