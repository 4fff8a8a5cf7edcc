"""What a command's exit status says."""

import sys
from enum import IntEnum
from typing import NoReturn

import typer


class ExitStatus(IntEnum):
    """The exit statuses of every verb; a shell script may rely on them."""

    DONE = 0
    BAD_INPUT = 1
    USAGE = 2  # the parser's own
    DIFFERENT = 3  # a comparison or an audit found differences


def refuse_input(reason: str) -> NoReturn:
    """Say on stderr why the input can't be used, and end the command with BAD_INPUT."""
    sys.stderr.write(f"barometer: {reason}\n")
    raise typer.Exit(ExitStatus.BAD_INPUT)
