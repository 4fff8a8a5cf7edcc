"""The command line: a module per verb, loaded when that verb runs or shows its help."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: where its function is, and the line that `barometer --help` shows for it.

    `function` names a function that typer can make a command of, or a `typer.Typer` with verbs of its own.
    """

    name: str
    module: str
    function: str
    help: str


# One row a verb, in the order of the help page.
VERBS: tuple[Verb, ...] = (
    Verb("serve", "pipeline.cli.serve", "serve", "Take records and show scores over HTTP, from one log."),
    Verb(
        "score",
        "pipeline.cli.score",
        "score",
        "Score a finished event from a file: standings and travellers.",
    ),
    Verb(
        "standings",
        "pipeline.cli.standings",
        "standings",
        "Show an event's lists, now or as they stood at a moment.",
    ),
    Verb(
        "explain",
        "pipeline.cli.explain",
        "explain",
        "Explain a pair's score step by step, each step with its law.",
    ),
    Verb("diff", "pipeline.cli.diff", "diff", "Show what changed between two moments."),
    Verb("preview", "pipeline.cli.preview", "preview", "Show what a ruling would change, without making it."),
    Verb(
        "audit",
        "pipeline.cli.audit",
        "audit",
        "Fold a log anew and compare with a second scorer and with what was published.",
    ),
    Verb("export-log", "pipeline.cli.export_log", "export_log", "Write a log as NDJSON, stamps and all."),
    Verb(
        "import-log",
        "pipeline.cli.import_log",
        "import_log",
        "Append an exported log to another, keeping its stamps.",
    ),
    Verb("simulate", "pipeline.cli.simulate", "simulate", "Invent a realistic event from a seed, as NDJSON."),
    Verb("demo", "pipeline.cli.demo", "demo", "Play a whole congress, live on a scoreboard."),
    Verb("conditions", "pipeline.cli.conditions", "app", "List, show and check conditions of contest."),
    Verb("schemas", "pipeline.cli.schemas", "app", "Write the wire schemas as JSON Schema and AsyncAPI."),
)


class _Later(TyperCommand):
    """A verb that is only a name and a line of help until somebody uses it."""

    def __init__(self, verb: Verb) -> None:
        super().__init__(name=verb.name, help=verb.help, short_help=verb.help)
        self.verb = verb

    def loaded(self) -> TyperCommand | TyperGroup:
        found = getattr(import_module(self.verb.module), self.verb.function)
        if isinstance(found, typer.Typer):
            return typer.main.get_command(found)  # type: ignore[return-value]  # typer's own classes
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
        app.command(self.verb.name)(found)
        return typer.main.get_command(app)  # type: ignore[return-value]

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:  # noqa: ANN401  # typer's own signature
        """Hand over to the real command: this is the first thing asked of a verb that was named."""
        return self.loaded().make_context(info_name, args, parent=parent, **extra)


class _Verbs(TyperGroup):
    """The table of verbs as a group of commands."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401  # passed on
        super().__init__(**settings)
        self.commands = {verb.name: _Later(verb) for verb in VERBS}

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002  # typer's own signature
        """Return the names in the order of the table."""
        return [verb.name for verb in VERBS]


app = typer.Typer(
    cls=_Verbs,
    name="barometer",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,  # a bug shows its plain traceback, without the values of locals
)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"barometer {metadata.version('bridge-barometer')}\n")
        raise typer.Exit


@app.callback()
def barometer(
    *,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Score duplicate bridge while it is being played, exactly, and replay it at will.

    Data goes to stdout, all else to stderr; `-` reads stdin.
    Exit status: 0 done, 1 bad input, 2 usage, 3 differences found.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the verb that `arguments` (else the command line) names; raises SystemExit with its status."""
    app(args=arguments)
