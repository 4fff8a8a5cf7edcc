"""Portable Bridge Notation as games: tag pairs with their inheritance, and the lines of their sections."""

import re
from dataclasses import dataclass, field
from typing import Final

from pipeline.formats.imported import BadFile

# The standard allows 255 characters; programs write longer ones, but none a thousand times as long.
LONGEST_LINE: Final = 255_000
_TAG: Final = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_WIDTH: Final = re.compile(r"\\\d*[LR]?$")


@dataclass(slots=True)
class Game:
    """One game: `tags` by name, the lines of a section under its tag; `line` is where the game begins."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    sections: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def tag(self, name: str) -> str:
        """The value of a tag; empty where it is absent, "?" (unknown) or "-" (irrelevant)."""
        value = self.tags.get(name, "").strip()
        return "" if value in {"?", "-"} else value

    def place(self, name: str) -> str:
        """Where a reader should look."""
        return f"game at line {self.line}, tag {name}"

    def table(self, name: str) -> list[tuple[int, dict[str, str]]]:
        """The rows of a table section by column, with their lines; "-" and "?" are empty.

        Raises BadFile for a row with more or fewer values than the table has columns.
        """
        columns = [
            _WIDTH.sub("", column.strip()).lstrip("+-") for column in self.tags.get(name, "").split(";")
        ]
        rows = []
        for line, text in self.sections.get(name, ()):
            values = [quoted or bare for quoted, bare in _TOKEN.findall(text)]
            if len(values) != len(columns):
                raise BadFile("pbn", f"line {line}", text.strip()[:80], f"{name} has {len(columns)} columns")
            unknown = {"-", "?"}
            rows.append((line, {c: "" if v in unknown else v for c, v in zip(columns, values, strict=True)}))
        return rows


def read_games(text: str) -> list[Game]:
    """All games of a file; an empty line ends a game.

    Raises BadFile for a line that begins like a tag and is none, and for a comment without end.
    """
    reading = _Reading()
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise BadFile("pbn", f"line {number}", f"{len(line)} characters", f"at most {LONGEST_LINE}")
        if not line.startswith("%"):
            reading.take(number, line)
    if reading.comment_from:
        raise BadFile("pbn", f"line {reading.comment_from}", "{", "a comment ends with }")
    return [_inherited(game, reading) for game in reading.games if game.tags]


class _Reading:
    """Where the reader stands: the games so far, the section it is in, and an open comment."""

    def __init__(self) -> None:
        self.games = [Game(1)]
        self.section: str | None = None
        self.comment_from = 0
        self.before: dict[str, str] = {}
        self.for_all: dict[str, str] = {}

    def take(self, number: int, line: str) -> None:
        in_comment = bool(self.comment_from)
        text = self._without_comments(number, line)
        if not text.strip():
            if not in_comment and not line.strip() and self.games[-1].tags:
                self.games.append(Game(number + 1))
                self.section = None
        elif text.lstrip().startswith("["):
            self._tags(number, text.strip())
        elif self.section is not None:
            self.games[-1].sections.setdefault(self.section, []).append((number, text))
        else:
            raise BadFile(
                "pbn", f"line {number}", text.strip()[:80], "text follows the tag that it belongs to"
            )

    def _tags(self, number: int, text: str) -> None:
        game = self.games[-1]
        if not game.tags:
            game.line = number
        start = 0
        while start < len(text):
            found = _TAG.match(text, start)
            if found is None:
                raise BadFile(
                    "pbn", f"line {number}", text[start : start + 80], 'a tag pair is [Name "value"]'
                )
            self.section = found[1]
            # A tag that already occurred in a game is ignored, says the standard.
            game.tags.setdefault(found[1], _ESCAPED.sub(r"\1", found[2]))
            start = found.end()

    def _without_comments(self, number: int, line: str) -> str:
        if not self.comment_from and "{" not in line and ";" not in line:
            return line
        kept = []
        quoted = False
        for at, character in enumerate(line):
            if self.comment_from:
                if character == "}":
                    self.comment_from = 0
            elif character == '"' and line[at - 1 : at] != "\\":
                quoted = not quoted
                kept.append(character)
            elif quoted or character not in "{;":
                kept.append(character)
            elif character == "{":
                self.comment_from = number
            else:
                break
        return "".join(kept)


def _inherited(game: Game, reading: _Reading) -> Game:
    """Fill in `#` (as in the game before) and `##text` (from here on, even where the tag is absent)."""
    for name, value in game.tags.items():
        if value.startswith("##"):
            if len(value) > 2:
                reading.for_all[name] = value[2:]
            value = reading.for_all.setdefault(name, reading.before.get(name, ""))  # noqa: PLW2901
        elif value == "#":
            value = reading.before.get(name, "")  # noqa: PLW2901
        elif name in reading.for_all:
            reading.for_all[name] = value
        game.tags[name] = value
    for name, value in reading.for_all.items():
        game.tags.setdefault(name, value)
    reading.before |= game.tags
    return game
