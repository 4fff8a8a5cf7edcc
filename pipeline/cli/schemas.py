"""`barometer schemas`: the wire as documents for other programs, and the page on conditions of contest."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.status import refuse_input

app = typer.Typer(
    name="schemas",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Write the wire schemas as JSON Schema and AsyncAPI.",
)


@app.command("export")
def export_command(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", file_okay=False, help="Where the files go; made if need be.")
    ],
) -> None:
    """Write JSON Schema (2020-12) of all records and messages, and AsyncAPI (3.0) of the topics.

    The same version writes the same bytes; the files' names are told on stdout.

    Example: `barometer schemas export docs/wire`
    """
    from schemas.export import documents, written

    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, document in documents().items():
            path = directory / name
            path.write_text(written(document), encoding="utf-8")
            sys.stdout.write(f"{path}\n")
    except OSError as error:
        refuse_input(f"{directory}: {error.strerror}")


@app.command("conditions")
def conditions_command() -> None:
    """Write the page on conditions of contest: every setting, its values and the presets, as Markdown.

    Example: `barometer schemas conditions > docs/conditions.md`
    """
    from schemas.reference import conditions_page

    sys.stdout.write(conditions_page())
