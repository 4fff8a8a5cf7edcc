"""The house keeps its own rules: those that no linter has a contract for."""

import ast
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path

import grimp
import pytest
from typer.testing import CliRunner

from pipeline.cli import VERBS, Verb, app

ROOT = Path(__file__).parent.parent
PACKAGES = ("schemas", "pipeline")
VOCABULARIES = {"schemas.terms", "schemas.policies", "schemas.deal"}
PARTS = {"pydantic_core": "pydantic"}  # shipped as two, one choice
# A lock names what is installed, spelled with dashes; an extra after the name is no part of it.
REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Row:
    """A row of the map: a module, or a pattern of modules, and what it may import."""

    pattern: str
    libraries: frozenset[str]
    stands: bool


def read_map() -> list[Row]:
    rows = []
    for line in (ROOT / "docs/house.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith("`"):
            module, _, libraries, state = cells
            assert state in {"stands", "to come"}, f"{module}: a room stands or is to come, not {state!r}"
            named = frozenset(filter(None, (name.strip() for name in libraries.split(","))))
            rows.append(Row(module.strip("`"), named, state == "stands"))
    return rows


def row_of(module: str) -> Row | None:
    """Return the row that names the module, or else the narrowest pattern that covers it."""
    covering = [row for row in HOUSE_MAP if fnmatchcase(module, row.pattern)]
    return max(covering, key=lambda row: (row.pattern == module, len(row.pattern)), default=None)


HOUSE_MAP = read_map()
GRAPH = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
OURS = sorted(module for module in GRAPH.modules if module.split(".")[0] in PACKAGES)
RULES = [module for module in OURS if module.startswith("pipeline.rules.")]


def source(module: str) -> ast.Module:
    path = ROOT / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def imported_by(module: str) -> set[str]:
    return set(GRAPH.find_modules_directly_imported_by(module))


def in_rooms(*rooms: str) -> list[str]:
    return [module for module in OURS if any(f"{module}.".startswith(f"{room}.") for room in rooms)]


def test_the_map_is_read() -> None:
    assert {"pipeline.cli", "pipeline.rules.imps", "schemas.terms"} <= {row.pattern for row in HOUSE_MAP}
    assert len({row.pattern for row in HOUSE_MAP}) == len(HOUSE_MAP), "a room stands in the map twice"


def test_every_module_stands_in_the_map() -> None:
    strangers = [module for module in OURS if row_of(module) is None]
    assert not strangers, f"give these modules a row in docs/house.md: {strangers}"


def test_every_row_that_stands_has_a_module_and_no_other_has() -> None:
    occupied = {row.pattern for module in OURS if (row := row_of(module))}
    claimed = {row.pattern for row in HOUSE_MAP if row.stands}
    assert not occupied - claimed, f"in docs/house.md these now stand: {sorted(occupied - claimed)}"
    assert not claimed - occupied, f"in docs/house.md these do not stand: {sorted(claimed - occupied)}"


def test_a_module_uses_only_the_libraries_of_its_row() -> None:
    wrong = {
        module: foreign
        for module in OURS
        if (row := row_of(module))
        and (
            foreign := {
                name
                for imported in imported_by(module)
                if (name := imported.split(".")[0]) not in sys.stdlib_module_names
                and name not in PACKAGES
                and PARTS.get(name, name) not in row.libraries
            }
        )
    }
    assert not wrong


def test_only_the_kafka_runtime_knows_kafka() -> None:
    clients = {
        module
        for library in ("faust", "aiokafka")
        if library in GRAPH.modules
        for module in GRAPH.find_modules_that_directly_import(library)
    }
    assert clients <= set(in_rooms("pipeline.runtime.kafka"))


def test_rules_import_their_vocabularies_and_each_other_and_nothing_else() -> None:
    wrong = {
        module: foreign
        for module in RULES
        if (
            foreign := {
                imported
                for imported in imported_by(module)
                if imported not in VOCABULARIES
                and not imported.startswith("pipeline.rules.")
                and imported.split(".")[0] not in sys.stdlib_module_names
            }
        )
    }
    assert not wrong


def test_vocabularies_import_only_vocabularies() -> None:
    for module in VOCABULARIES & set(OURS):
        ours = {imported for imported in imported_by(module) if imported.split(".")[0] in PACKAGES}
        assert ours <= VOCABULARIES, module


# A law or article by number, or one of the published sources that rules are taken from.
CITATION = re.compile(
    r"\bLaws?\s+\d|\b[Aa]rt(icles?|s?\.)\s*\d"
    r"|\b(White Book|Neuberg|WBF|EBU|ACBL|ACBLscore|Berserk|Danish|USEBIO)\b"
)


def test_every_rule_cites_its_law() -> None:
    silent = [module for module in RULES if not CITATION.search(ast.get_docstring(source(module)) or "")]
    assert not silent, f"name law, article or source in the docstring of: {silent}"


def test_every_module_opens_with_a_sentence() -> None:
    silent = [module for module in OURS if not ast.get_docstring(source(module))]
    assert not silent


EFFECTS = {
    "asyncio",
    "logging",
    "os",
    "random",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "threading",
    "time",
}


def test_the_core_and_the_formats_have_no_effects() -> None:
    wrong = {
        module: effects
        for module in in_rooms("pipeline.rules", "pipeline.scoring", "pipeline.formats")
        if (effects := EFFECTS & {imported.split(".")[0] for imported in imported_by(module)})
    }
    assert not wrong


CLOCKS = {"now", "utcnow", "today"}


def test_the_core_and_the_formats_read_no_clock() -> None:
    wrong = [
        f"{module}:{node.lineno}"
        for module in in_rooms("schemas", "pipeline.rules", "pipeline.scoring", "pipeline.formats")
        for node in ast.walk(source(module))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS
    ]
    assert not wrong


def test_rules_and_scoring_hold_no_float() -> None:
    wrong = [
        f"{module}:{node.lineno}"
        for module in in_rooms("pipeline.rules", "pipeline.scoring")
        for node in ast.walk(source(module))
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    ]
    assert not wrong


def loaded_after(arguments: list[str]) -> set[str]:
    program = (
        "import sys\nfrom pipeline.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit as end: assert not end.code, end.code\n"
        "print('LOADED', *sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(run.stdout.split("LOADED", maxsplit=1)[1].split())


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_the_command_line_starts_without_loading_what_it_does_not_use(arguments: list[str]) -> None:
    loaded = loaded_after(arguments)
    assert "pipeline.cli" in loaded
    heavy = {"fastapi", "starlette", "uvicorn", "faust", "aiokafka", "lxml", "sqlite3", "pipeline.bootstrap"}
    assert not heavy & loaded
    assert not {verb.module for verb in VERBS} & loaded


def test_verbs_have_names_of_their_own() -> None:
    assert len({verb.name for verb in VERBS}) == len(VERBS)


def test_every_verb_stands_in_the_table_and_shows_its_help() -> None:
    runner = CliRunner()
    overview = runner.invoke(app, ["--help"])
    assert overview.exit_code == 0
    for verb in VERBS:
        assert verb.name in overview.output
        page = runner.invoke(app, [verb.name, "--help"])
        assert page.exit_code == 0, f"{verb.name}: {page.exception!r}"
        assert "Usage" in page.output


def test_an_unknown_verb_is_a_usage_error() -> None:
    assert CliRunner().invoke(app, ["no-such-verb"]).exit_code == 2


def test_a_verb_is_loaded_from_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Verb("refuse", "pipeline.cli.status", "refuse_input", "Refuse the reason given.")
    monkeypatch.setattr("pipeline.cli.VERBS", (row,))
    runner = CliRunner()
    assert "Refuse the reason given." in runner.invoke(app, ["--help"]).output
    run = runner.invoke(app, ["refuse", "board 0"])
    assert run.exit_code == 1
    assert "barometer: board 0" in run.stderr
    assert runner.invoke(app, ["refuse"]).exit_code == 2, "an argument is missing"


def normalised(requirement: str) -> str:
    found = REQUIREMENT.match(requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def locked(name: str) -> str:
    return (ROOT / "deploy/locks" / name).read_text(encoding="utf-8")


def test_the_locks_hold_all_that_is_asked_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    run = {*project["project"]["dependencies"], *groups["build"]}
    every = run.union(*groups.values(), *project["project"]["optional-dependencies"].values())
    for name, requirements in (("run.txt", run), ("all.txt", every)):
        pins = {normalised(line) for line in locked(name).splitlines() if line[:1].isalnum()}
        assert {normalised(requirement) for requirement in requirements} <= pins, "sh deploy/lock.sh"


@pytest.mark.parametrize("name", ["run.txt", "all.txt"])
def test_a_lock_has_hashes_and_no_addresses(name: str) -> None:
    text = locked(name)
    assert "://" not in text
    assert "index-url" not in text
    for entry in re.split(r"\n(?=[A-Za-z0-9])", text.strip()):
        assert "--hash=sha256:" in entry, entry.splitlines()[0]


def test_types_are_told_to_users_of_the_packages() -> None:
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        assert Path(spec.origin).with_name("py.typed").exists()
