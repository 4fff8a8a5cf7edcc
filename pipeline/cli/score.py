"""`barometer score`: standings and travellers of a finished event, from a file of results."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.status import ExitStatus, refuse_input

if TYPE_CHECKING:
    from pipeline.cli.comparing import Comparison
    from pipeline.formats.imported import Imported
    from pipeline.scoring.event import Event


def score(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Results: USEBIO, .bws, PBN, ACBL JSON, salliere's CSV, NDJSON of records; `-` reads stdin.",
        ),
    ],
    conditions: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="A preset instead of the one that the file's own program calls for, or a TOML file of "
            "settings; where they name no method of scoring, it stays that of the file.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object instead of tables.")] = False,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="List where the file's own published points and totals differ, each difference with its "
            "reason; exit status 3 if one has none.",
        ),
    ] = False,
) -> None:
    """Score a finished event: standings and travellers.

    Example: `barometer score club_evening.xml --conditions ebu2025`

    Example: `barometer score club_evening.xml --compare`

    Example: `barometer score session.bws --json | jq '.standings[0].rows[0]'`
    """
    from pipeline.cli.finished import collector_at_rest

    with collector_at_rest():
        _score(file, conditions, as_json=json, compare=compare)


def _score(file: str, conditions: str | None, *, as_json: bool, compare: bool) -> None:
    from pipeline.cli.finished import folded, read_result_file
    from pipeline.cli.waiting import waiting

    comparison = None
    with waiting(f"Scoring {file}"):
        imported = read_result_file(file)
        if conditions is not None:
            imported = _under(imported, conditions)
        event = folded(imported)
        if compare:
            from pipeline.cli.comparing import compared

            comparison = compared(imported, event)
    _tell_what_does_not_count(event)
    if as_json:
        _write_json(imported, event, comparison)
    elif comparison is not None:
        _show_comparison(comparison)
    else:
        _show(imported, event)
    if comparison is not None:
        _sum_up(comparison)


def _under(imported: "Imported", conditions: str) -> "Imported":
    from pipeline.cli.conditions import read_conditions
    from pipeline.cli.finished import under
    from schemas.conditions import UnknownSetting

    try:
        return under(imported, read_conditions(conditions))
    except UnknownSetting as error:
        refuse_input(f"unknown-setting: {error}")
    except OSError as error:
        refuse_input(f"{conditions}: {error.strerror}")


def _tell_what_does_not_count(event: "Event") -> None:
    """Name on stderr every record that is refused or waits, and why."""
    from pipeline.cli.decisions import line_of, not_counted

    for decision in not_counted(event):
        sys.stderr.write(f"{line_of(decision)}\n")


def _write_json(imported: "Imported", event: "Event", comparison: "Comparison | None") -> None:
    from pipeline.cli.lists import lists_of, standings_json, travellers_json, write_json

    data: dict[str, object] = {
        "standings": standings_json(event, imported.people, lists_of(event)),
        "travellers": travellers_json(event),
    }
    if comparison is not None:
        data["differences"] = [
            {
                "figure": difference.figure.value,
                "place": difference.place,
                "published": difference.published,
                "computed": difference.computed,
                "code": None if difference.code is None else difference.code.value,
            }
            for difference in comparison.differences
        ]
    write_json(data)


def _show(imported: "Imported", event: "Event") -> None:
    from pipeline.cli.lists import lists_of, show_standings, show_travellers

    show_standings(event, imported.people, lists_of(event))
    show_travellers(event)


def _show_comparison(comparison: "Comparison") -> None:
    from pipeline.cli.tables import Column, show

    if comparison.differences:
        show(
            "Published and computed",
            (
                Column("figure"),
                Column("where"),
                Column("published", figures=True),
                Column("computed", figures=True),
                Column("reason"),
            ),
            [
                (
                    difference.figure.value,
                    difference.place,
                    "-" if difference.published is None else difference.published,
                    "-" if difference.computed is None else difference.computed,
                    "UNEXPLAINED" if difference.code is None else difference.code.value,
                )
                for difference in comparison.differences
            ],
        )


def _sum_up(comparison: "Comparison") -> None:
    from pipeline.formats.compare import unexplained

    without = unexplained(comparison.differences)
    sys.stderr.write(
        f"{comparison.lines} lines and {comparison.totals} totals published; "
        f"{len(comparison.differences)} differences, {len(without)} of them unexplained\n"
    )
    if without:
        raise typer.Exit(ExitStatus.DIFFERENT)
