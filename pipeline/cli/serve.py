"""`barometer serve`: all of Barometer in one process."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.status import refuse_input


def serve(
    *,
    log: Annotated[
        Path | None, typer.Option(help="The file of the log; it is made if there is none.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="The address to listen at.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="The port; 0 is any free one.")] = None,
) -> None:
    """Take records and show scores over HTTP, from one log file.

    Prints the address first. Everything else is set by `BAROMETER_...` names of the environment; options go
    before them. At 127.0.0.1 senders of this machine are believed; at any other address writes need a token.

    Example: `barometer serve --log club.sqlite --port 8090`
    """
    import asyncio

    from pipeline import bootstrap
    from pipeline.runtime.embedded.clock import SystemClock
    from pipeline.runtime.embedded.file import LogFileError
    from pipeline.settings import BadSettings, read_settings

    try:
        settings = read_settings(os.environ, log=log, host=host, port=port)
    except BadSettings as error:
        refuse_input(str(error))
    bootstrap.set_up_diagnostics(settings)
    try:
        listener = bootstrap.listening(settings.host, settings.port)
    except OSError as error:
        refuse_input(f"cannot listen at {settings.host}:{settings.port}: {error.strerror or error}")
    sys.stdout.write(f"Barometer listens at {bootstrap.address_of(listener)}\n")
    sys.stdout.flush()
    if not settings.is_loopback and not settings.tokens:
        sys.stderr.write("barometer: no tokens were given out (BAROMETER_TOKENS), so nobody can write\n")
    try:
        asyncio.run(bootstrap.serve(settings, SystemClock(), listener))
    except LogFileError as error:
        refuse_input(str(error))
    finally:
        listener.close()
