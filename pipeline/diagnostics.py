"""Log lines as data: an event in the past tense and its facts, never a player's name nor a token."""

import logging
import sys
from collections.abc import Callable
from typing import Any, Final, TextIO

import structlog

_SECRET: Final = frozenset({"token", "name", "names", "player", "authorization"})


def for_people(level: str, stream: TextIO | None = None) -> None:
    """Write log lines from this level on (`info`) as columns, to stderr unless told."""
    out = stream or sys.stderr
    # Plain tracebacks: those with the values of locals would show who plays.
    plain = structlog.dev.plain_traceback
    _set_up(level, out, structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=plain))


def for_machines(level: str, stream: TextIO | None = None) -> None:
    """Write log lines from this level on (`info`), one JSON object each, to stderr unless told."""
    _set_up(
        level, stream or sys.stderr, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()
    )


def _set_up(level: str, out: TextIO, *last: Callable[..., Any]) -> None:
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            without_secrets,
            *last,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=False,
    )


def without_secrets(
    _logger: object, _method: str, facts: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Blank what must not be in a log, should somebody put it there."""
    for name in _SECRET & facts.keys():
        facts[name] = "..."
    return facts
