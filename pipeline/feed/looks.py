"""How pages are asked for and found: their looks, their addresses, the order of their lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlencode

from pipeline.ports import BoardName, NotThere
from pipeline.scoring.scores import EVENT

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


@dataclass(frozen=True, slots=True)
class Look:
    """How a page was asked for."""

    screen: str
    theme: str
    turn: str

    def address(self, event: str | None = None, name: str | None = None, page: int = 1) -> str:
        """The board of an event's list in the same look."""
        asked: dict[str, object] = {} if event is None else {"event": event}
        if name is not None:
            asked["list"] = name
        if page > 1:
            asked["page"] = page
        if self.screen == "hall":
            asked |= {"screen": self.screen, "turn": self.turn}
        if self.theme != "auto":
            asked["theme"] = self.theme
        return f"/board?{urlencode(asked, safe='/')}" if asked else "/board"


class Hidden(Exception):
    """Something may not be seen yet, and the page says so."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def headers() -> dict[str, str]:
    """What every page is sent with."""
    return {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


def main_lists(lists: Sequence[str]) -> Sequence[str]:
    """The lists of the whole event. Raises NotThere where an event has none."""
    found = [name for name in lists if name.startswith(f"{EVENT}/")] or list(lists)
    if not found:
        raise NotThere("list", EVENT)
    return in_order(found)


def in_order(lists: Sequence[str]) -> list[str]:
    """Lists by scope as they come, North-South before East-West.

    >>> in_order(["1/A-EW", "1/A-NS", "event/EW", "event/NS"])
    ['1/A-NS', '1/A-EW', 'event/NS', 'event/EW']
    """
    scopes = list(dict.fromkeys(name.partition("/")[0] for name in lists))

    def place(name: str) -> tuple[int, str, bool]:
        scope, _, line = name.partition("/")
        return scopes.index(scope), line.removesuffix("EW").removesuffix("NS"), line.endswith("EW")

    return sorted(lists, key=place)


def address_of(event: str, board: BoardName) -> str:
    """Where the traveller of a board is."""
    parts = (event, board.session, board.group, str(board.board))
    return "/board/traveller/" + "/".join(quote(part, safe="") for part in parts)
