"""The page on conditions of contest, written from the settings, their values and the presets themselves."""

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import StrEnum
from importlib.resources import files
from types import ModuleType
from typing import Any, Final, get_args, get_type_hints

from schemas import policies
from schemas.conditions import SETTINGS, Conditions, preset_names, resolve

LAWS: Final[Mapping[str, tuple[str, str]]] = {
    "score.method": ("How boards are scored against each other.", "Law 78"),
    "score.table": ("The table of scores.", "Law 77"),
    "field.compare": ("Whose results on a board are compared.", "Law 78A"),
    "mp.unit": ("Match points or half match points.", "Law 78A, 1963 article 81"),
    "mp.missing": ("A board with fewer results than expected.", "Law 87, White Book 2025 4.2.3"),
    "mp.small_group": ("A group of three results or fewer.", "White Book 2025 4.2.3"),
    "mp.round": ("Rounding of a contestant's match points on a board.", "conditions of contest"),
    "imp.scale": ("The scale from score points to IMPs.", "Law 78B"),
    "butler.datum": ("The datum is a mean or a median.", "White Book 2025 4.2.4"),
    "butler.trim": ("Results left out at either end.", "White Book 2025 4.2.4"),
    "butler.tie": ("A datum that ends in exactly 5.", "White Book 2025 4.2.6"),
    "ximp.form": ("What the sum of comparisons is divided by.", "White Book 2025 3.1.3"),
    "ximp.factor": ("A board with fewer results at cross-IMPs.", "Law 87, White Book 2025 4.2.4"),
    "ximp.round": ("Rounding of a board's cross-IMPs.", "conditions of contest"),
    "adj.session": ("What Ave+ and Ave- are held against.", "Law 12C2, 1963 article 107"),
    "adj.window": ("Over which boards a contestant's own percentage is taken.", "Law 12C2"),
    "adj.imp_plus": ("Ave+ in IMPs; Ave- is its negative.", "Laws 12C2 and 86"),
    "rank.by": ("The figure that ranks a list; IMPs rank by their total.", "Law 78D"),
    "rank.winners": ("One list, or one per direction or section.", "1963 article 83"),
    "line.missing": ("As `mp.missing`, for the lines of a traveller as shown.", "conditions of contest"),
    "line.round": ("As `mp.round`, for the lines of a traveller as shown.", "conditions of contest"),
    "total.round": ("Rounding of a contestant's total.", "conditions of contest"),
    "percentage.round": (
        "Rounding of a percentage as shown; ranks use the exact one.",
        "conditions of contest",
    ),
    "correction.minutes": ("The correction period, in minutes.", "Law 79C1, 1963 article 94"),
    "correction.from": ("What starts it.", "Law 79C1"),
    "correction.may_shorten": ("Whether it may be made shorter than announced.", "Law 79C1"),
    "correction.lengthen_by": ("Who may lengthen it.", "Law 79C1, 1963 article 94"),
    "appeal.minutes": ("The appeal period, in minutes.", "Law 92B"),
    "appeal.from": ("What starts it.", "Law 92B, 1963 article 93"),
    "tricks.late": ("Tricks disputed after the round.", "Law 79B, 1963 article 92"),
    "confirm.by": ("Who may confirm a result.", "1963 article 79"),
    "show.traveller": ("When the public sees a board's results.", "conditions of contest"),
    "show.standings": ("When the public sees standings.", "conditions of contest"),
    "show.min_boards": ("Percentages and ranks are shown from so many boards on.", "conditions of contest"),
}
"""What each setting decides, and the law or book that leaves it open."""

_HEAD: Final = """\
# Conditions of contest

Everything that the Laws leave to the organiser is a setting, published in advance (Law 78D).
A preset is a set of settings under a name; what an event wants otherwise is laid over it, by dotted name:

```toml
preset = "ebu2025"
[correction]
minutes = 20
[rank]
winners = "per-direction"
```

`barometer conditions list` names the presets, `show` writes one out in full, `check` reads a file of yours.
An unknown setting or value is an error that names it. On the wire it is a record, `conditions_published`.
A released preset never changes; a new edition of a book gets a preset of its own.

This page is generated: `barometer schemas conditions > docs/conditions.md`.
"""


def conditions_page() -> str:
    """The page as Markdown."""
    notes = _notes_of(policies)
    types = get_type_hints(Conditions, include_extras=True)
    lines = [
        _HEAD,
        "## Settings",
        "",
        "| Setting | Decides | Values | Default | Law or book |",
        "|---|---|---|---|---|",
    ]
    for name, field in zip(SETTINGS, fields(Conditions), strict=True):
        decides, law = LAWS[name]
        default = _shown(field.default)
        lines.append(f"| `{name}` | {decides} | {_values(types[field.name])} | `{default}` | {law} |")
    lines += ["", "A rounding is one of " + ", ".join(f"`{value}`" for value in policies.Rounding) + "."]
    lines += ['"Average" in its name is half the top, or 0 where scores are signed.']
    lines += ["", "## What the values mean", ""]
    lines += [f"* `{value}` ({kind}): {note}" for (kind, value), note in notes.items()]
    lines += ["", "## Presets", "", "Settings that a preset does not name are at their default."]
    for preset in preset_names():
        lines += ["", f"### {preset}", "", *_preset(preset)]
    return "\n".join(lines) + "\n"


def _values(kind: Any) -> str:  # noqa: ANN401  # a type, with its limits beside it
    base, *limits = get_args(kind) or (kind,)
    if base is policies.Rounding:
        return "a rounding"
    if isinstance(base, type) and issubclass(base, StrEnum):
        return ", ".join(f"`{value}`" for value in base)
    if base is bool:
        return "`true`, `false`"
    bounds = {type(limit).__name__: limit for of in limits for limit in of.metadata}
    whole = "whole number" if base is int else "number"
    return f"{whole}, {bounds['Ge'].ge} to {bounds['Le'].le}"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _preset(name: str) -> Iterator[str]:
    text = files("schemas.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    yield " ".join(line[1:].strip() for line in text.splitlines() if line.startswith("#"))
    yield ""
    conditions = resolve(name)
    for group, settings in tomllib.loads(text).items():
        for key in settings:
            place = f"{group}_{key}"
            yield f"* `{group}.{key}` = `{_shown(getattr(conditions, place))}`"


def _notes_of(module: ModuleType) -> dict[tuple[str, str], str]:
    """The notes that stand under single values, which Python does not keep: read from the source."""
    found: dict[tuple[str, str], str] = {}
    for kind in ast.parse(inspect.getsource(module)).body:
        if isinstance(kind, ast.ClassDef):
            for value, note in zip(kind.body, kind.body[1:], strict=False):
                match value, note:
                    case ast.Assign(value=ast.Constant(str(said))), ast.Expr(ast.Constant(str(text))):
                        found[_words(kind.name), said] = text
    return found


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
