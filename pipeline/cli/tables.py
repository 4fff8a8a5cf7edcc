"""Tables on the terminal: widths of our own, and colour only where somebody looks."""

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import combining, east_asian_width

SUITS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
ODD_WIDTHS: Final = re.compile("[\u0300-\u036f\u1100-\u11ff\u2e80-\U0010ffff]")
"""Signs that may take no place or two; a text without any is as wide as it is long."""
RED: Final = "[♦♥]"
GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, and whether what stands below it are figures, which go to the right."""

    heading: str
    figures: bool = False


def show(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Write a table to stdout, each column as wide as its widest cell; rows are never cut or wrapped.

    Elsewhere than in a terminal it is plain text, at the speed of plain text.
    """
    cells = [
        (column.heading, *column_cells)
        for column, column_cells in zip(columns, _turned(rows, len(columns)), strict=True)
    ]
    if sys.stdout.isatty():
        _show_in_colour(title, columns, rows, [max(map(width, of_column)) for of_column in cells])
        return
    padded = [
        _padded(of_column, figures=column.figures) for of_column, column in zip(cells, columns, strict=True)
    ]
    lines = [GAP.join(row).rstrip() for row in zip(*padded, strict=True)]
    sys.stdout.write("\n".join((title, *lines, "", "")))


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


def _show_in_colour(
    title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]], widths: Sequence[int]
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column, wide in zip(columns, widths, strict=True):
        table.add_column(
            column.heading, justify="right" if column.figures else "left", no_wrap=True, min_width=wide
        )
    for row in rows:
        cells = [Text(cell) for cell in row]
        for cell in cells:
            cell.highlight_regex(RED, "red")
        table.add_row(*cells)
    # Wider than the terminal is better than a figure cut short.
    needed = sum(widths) + len(GAP) * len(widths)
    console = Console(highlight=False)
    console.width = max(console.width, needed)
    console.print(table)
    console.print()
