"""Tables on the terminal: widths of our own, and colour only where somebody looks."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import combining, east_asian_width

SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
ODD_WIDTHS: Final = re.compile("[\u0300-\u036f\u1100-\u11ff\u2e80-\U0010ffff]")
"""Signs that may take no place or two; a text without any is as wide as it is long."""
RED_SUITS: Final = "♦♥"
RED: Final = "\x1b[31m{}\x1b[0m"
BOLD: Final = "\x1b[1m{}\x1b[0m"
GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and whether what stands below it are figures, which go to the right."""

    heading: str
    figures: bool = False


def show(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Write a table to stdout, each column as wide as its widest cell; rows are never cut or wrapped.

    In a terminal headings are bold and two suits red. Rich would do that too, at a millisecond or two a line:
    a congress has tens of thousands.
    """
    turned = _turned(rows, len(columns))
    cells = [(column.heading, *of_column) for column, of_column in zip(columns, turned, strict=True)]
    padded = [
        _padded(of_column, figures=column.figures) for of_column, column in zip(cells, columns, strict=True)
    ]
    heading, *lines = (GAP.join(row).rstrip() for row in zip(*padded, strict=True))
    text = "\n".join(lines)
    if _is_coloured():
        title, heading = BOLD.format(title), BOLD.format(heading)
        for suit in RED_SUITS:
            text = text.replace(suit, RED.format(suit))
    sys.stdout.write(f"{title}\n{heading}\n{text}\n\n" if lines else f"{title}\n{heading}\n\n")


def _is_coloured() -> bool:
    """Tell whether somebody looks who wants colour (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _turned(rows: Sequence[Sequence[str]], columns: int) -> Iterable[Sequence[str]]:
    return zip(*rows, strict=True) if rows else [()] * columns


def _padded(cells: Sequence[str], *, figures: bool) -> list[str]:
    if ODD_WIDTHS.search("".join(cells)) is None:
        wide = max(map(len, cells))
        return [cell.rjust(wide) for cell in cells] if figures else [cell.ljust(wide) for cell in cells]
    widths = [width(cell) for cell in cells]
    wide = max(widths)
    if figures:
        return [" " * (wide - taken) + cell for cell, taken in zip(cells, widths, strict=True)]
    return [cell + " " * (wide - taken) for cell, taken in zip(cells, widths, strict=True)]


def width(text: str) -> int:
    """How many places a text takes in a terminal.

    >>> width("4♠"), width("王"), width("e\u0301")
    (2, 2, 1)
    """
    if ODD_WIDTHS.search(text) is None:
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
