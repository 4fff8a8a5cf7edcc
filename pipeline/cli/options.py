"""What several verbs ask for in the same words."""

from typing import Annotated

import typer

LogArgument = Annotated[
    str, typer.Argument(metavar="LOG", help="An SQLite log, or NDJSON of one; `-` reads stdin.")
]
EventOption = Annotated[str | None, typer.Option("--event", help="Which event, where the log has several.")]
AsOfOption = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        help="How it stood then: ISO with its zone, HH:MM (UTC) of the log's last day, or microseconds.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON instead of tables.")]
