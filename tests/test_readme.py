"""The README can be followed: its commands parse, its records are taken, its links lead somewhere."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from pipeline.cli import VERBS, app
from schemas.codec import accept_record
from schemas.conditions import preset_names

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = "\n".join(re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL))
COMMANDS = [
    part.strip().partition(" > ")[0]
    for line in SHELL.splitlines()
    for part in line.split(" | ")
    if part.strip().startswith("barometer ")
]
PAYLOADS = re.findall(r"-d '(.*?)'$", SHELL, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_parses(line: str) -> None:
    command: Any = typer.main.get_command(app)
    arguments = shlex.split(line)[1:]
    while arguments:
        name, *arguments = arguments
        verb = command.commands[name]
        command = verb.loaded() if hasattr(verb, "loaded") else verb
        if not hasattr(command, "commands"):
            command.make_context(name, arguments).close()  # a wrong option or a missing argument raises
            return
    pytest.fail(f"{line} names no verb that does anything")


def test_every_verb_is_shown_or_told() -> None:
    assert {verb.name for verb in VERBS} - {"schemas"} <= {line.split()[1] for line in COMMANDS}


@pytest.mark.parametrize("text", PAYLOADS, ids=lambda text: text.split('"')[3])
def test_every_record_is_one_that_the_door_takes(text: str) -> None:
    found = json.loads(text)
    for payload in found if isinstance(found, list) else [found]:
        accept_record({**payload, "event": "friday", "source": "director", "role": "director"})


def test_the_ruling_is_one_that_the_log_could_hold() -> None:
    (ruling,) = re.findall(r"^```json\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    accept_record(json.loads(ruling))


def test_there_are_records_to_try() -> None:
    assert len(PAYLOADS) == 4


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_every_preset_named_exists() -> None:
    named = re.findall(r"--conditions (\w+)(?:\s|$)|conditions show (\w+)", SHELL)
    assert {name for pair in named for name in pair if name} <= set(preset_names())
