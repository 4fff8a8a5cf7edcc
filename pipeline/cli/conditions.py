"""`barometer conditions`: the conditions of contest there are, and whether a file of them is right."""

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import typer

from pipeline.cli.status import refuse_input
from schemas.conditions import SETTINGS, Conditions, UnknownSetting, preset_names, resolve

BASE: Final = "exact"
"""What a file of conditions is laid over when it names no preset."""

app = typer.Typer(
    name="conditions",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="The conditions of contest there are, and what is in them.",
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Conditions as a record states them: a preset by name, and by dotted setting what differs from it."""

    preset: str
    settings: Mapping[str, str]
    named: frozenset[str]
    """Every setting that the preset or the file itself names; the others are defaults."""

    @property
    def conditions(self) -> Conditions:
        """All settings. Raises UnknownSetting."""
        return resolve(self.preset, self.settings)


def read_conditions(name_or_file: str) -> Chosen:
    """Find a preset by its name, or else read a file in the form of a preset.

    Such a file may say `preset = "name"` before its groups; it is laid over that one, else over `exact`.
    Raises UnknownSetting, with file and place for a file that is no TOML, and OSError.
    """
    if name_or_file in preset_names():
        return Chosen(name_or_file, {}, frozenset(_settings(_table(name_or_file), name_or_file)))
    path = Path(name_or_file)
    if not path.exists() and "/" not in name_or_file and not name_or_file.endswith(".toml"):
        raise UnknownSetting("conditions", name_or_file, f"a file, or one of {', '.join(preset_names())}")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnknownSetting("conditions", name_or_file, f"TOML: {error}") from error
    preset = table.pop("preset", BASE)
    if not isinstance(preset, str) or preset not in preset_names():
        raise UnknownSetting("preset", str(preset), f"one of {', '.join(preset_names())}")
    settings = _settings(table, name_or_file)
    chosen = Chosen(preset, settings, frozenset({*settings, *_settings(_table(preset), preset)}))
    resolve(chosen.preset, chosen.settings)
    return chosen


def _table(preset: str) -> dict[str, object]:
    return tomllib.loads(files("schemas.presets").joinpath(f"{preset}.toml").read_text(encoding="utf-8"))


def _settings(table: Mapping[str, object], where: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    for group, values in table.items():
        if not isinstance(values, dict):
            raise UnknownSetting(
                group, str(values), f"a group of settings, as [score] with method, in {where}"
            )
        for key, value in values.items():
            settings[f"{group}.{key}"] = str(value).lower() if isinstance(value, bool) else str(value)
    return settings


def shown(value: object) -> str:
    """A setting's value as a file of conditions writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | Fraction) else f'"{value}"'


def lines_of(chosen: Chosen) -> list[str]:
    """Every setting of some conditions as TOML, a group after the other; `# default` where nothing names it.

    >>> lines_of(Chosen("exact", {}, frozenset({"mp.missing"})))[:3]
    ['preset = "exact"', '', '[score]']
    """
    conditions = chosen.conditions
    lines, group = [f'preset = "{chosen.preset}"'], ""
    for name, place in zip(SETTINGS, fields(conditions), strict=True):
        of, _, key = name.partition(".")
        if of != group:
            lines += ["", f"[{of}]"]
            group = of
        line = f"{key} = {shown(getattr(conditions, place.name))}"
        lines.append(line if name in chosen.named else f"{line:<40}  # default")
    return lines


@app.command("list")
def list_command() -> None:
    """Name the presets, with what each is for.

    Example: `barometer conditions list`
    """
    width = max(map(len, preset_names()))
    for name in preset_names():
        text = files("schemas.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")
        purpose = next((line[1:].strip() for line in text.splitlines() if line.startswith("#")), "")
        sys.stdout.write(f"{name:<{width}}  {purpose}\n")


@app.command("show")
def show_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A preset, or a file of conditions.")],
) -> None:
    """Show every setting of a preset, those it leaves at their default too.

    The output is itself a file of conditions.

    Example: `barometer conditions show law1963_pairs`
    """
    sys.stdout.writelines(f"{line}\n" for line in lines_of(_read(name)))


@app.command("check")
def check_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A TOML file in the form of a preset.")],
) -> None:
    """Say whether a file of conditions can be used, and if not which setting is at fault.

    Example: `barometer conditions check our_club.toml`
    """
    chosen = _read(file)
    sys.stdout.write(f"{file}: {len(chosen.settings)} settings over {chosen.preset}, all known\n")


def _read(name_or_file: str) -> Chosen:
    try:
        return read_conditions(name_or_file)
    except UnknownSetting as error:
        refuse_input(f"unknown-setting: {error}")
    except OSError as error:
        refuse_input(f"{name_or_file}: {error.strerror}")
