"""The demo in a terminal: events, a list, what was said last, verdicts."""

import time
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pipeline.cli.demo_stage import EventSeen, Stage
from pipeline.web.locale import texts
from pipeline.web.notation import hour, plain, signed, unsigned
from pipeline.web.scoreboard import initials, line_title

REMARKS: Final = 7
TOP: Final = 5
TURN_SECONDS: Final = 5
STYLES: Final = {
    "scheduled": "dim",
    "playing": "black on yellow",
    "provisional": "black on yellow",
    "official-open": "black on bright_cyan",
    "official-closed": "black on bright_cyan",
    "final": "black on white",
}


class View:
    """Draws the stage anew whenever rich asks for it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def __rich__(self) -> RenderableType:
        """All of it."""
        stage = self.stage
        state = "done; Ctrl-C ends" if stage.done else f"{stage.results_a_second:.1f} results/s"
        head = Text.assemble(
            ("Scoreboard  ", "bold"),
            (stage.address, "bold underline"),
            f"   {hour(stage.clock.wall_us())}   {stage.speed:g} times as fast   {state}",
        )
        return Group(head, self._events(), self._list(), self._remarks(), self._verdicts())

    def _events(self) -> Table:
        t = texts()
        table = Table(expand=True, pad_edge=False, box=None, header_style="dim")
        for name in ("Event", "Status", "Round", "Boards", "Open", "Until"):
            table.add_column(name, no_wrap=True)
        for seen in self.stage.events:
            standings = seen.standings[seen.lists[0]]
            status = standings["status"]
            until = standings.get("correction_until_us")
            left = {
                name: number for name, number in standings["open"].items() if number and name != "missing"
            }
            table.add_row(
                seen.title,
                Text(f" {t(f'status.{status}').upper()} ", style=STYLES[status]),
                str(self.stage.rounds.get(seen.event, "-")),
                t("strip.complete", counted=standings["boards_counted"], due=standings["boards_due"]),
                ", ".join(t.count(f"open.{name}", number) for name, number in left.items()) or "-",
                "" if until is None else hour(until),
            )
        return table

    def _list(self) -> Panel:
        shown = [(seen, name) for seen in self.stage.events for name in seen.lists]
        if not shown:
            return Panel("The congress is being set up.", title="Standings")
        seen, name = shown[int(time.monotonic() / TURN_SECONDS) % len(shown)]
        table = Table(expand=True, box=None, pad_edge=False, show_header=False)
        table.add_column("place", width=4, justify="right")
        table.add_column("pair", width=5)
        table.add_column("names", ratio=1, no_wrap=True)
        table.add_column("boards", width=6, justify="right")
        table.add_column("figure", width=8, justify="right")
        standings = seen.standings[name]
        for row in standings["rows"][:TOP]:
            place = "-" if row["rank"] is None else f"{row['rank']}{'=' if row['tied'] else ''}"
            number = f"{row['section'] or ''}{row['number'] or ''}"
            table.add_row(
                place,
                number,
                self._names(seen, row),
                str(row["boards"]),
                _figure(standings, row),
                style="bold",
            )
        line = name.partition("/")[2]
        title = seen.title if line == "all" else f"{seen.title}, {line_title(line, texts())}"
        return Panel(table, title=title, title_align="left")

    def _names(self, seen: EventSeen, row: dict[str, Any]) -> str:
        known = [self.stage.names.get((seen.event, player)) for player in row["players"]]
        return " – ".join(initials(name) for name in known if name) or str(row["contestant"])

    def _remarks(self) -> Panel:
        titles = {seen.event: seen.title for seen in self.stage.events}
        table = Table.grid(padding=(0, 1))
        last = self.stage.remarks[-REMARKS:]
        for said in last:
            table.add_row(hour(said.time_us), Text(titles.get(said.event, said.event), "cyan"), said.text)
        for _ in range(REMARKS - len(last)):
            table.add_row("", "", "")
        return Panel(table, title="What happens", title_align="left")

    def _verdicts(self) -> Text:
        stage = self.stage
        refused = len(stage.refused)
        accepted = len(stage.records) - refused - stage.waiting
        reasons = ", ".join(sorted({reason.replace("-", " ") for reason in stage.refused}))
        told = f"{refused} refused ({reasons})" if reasons else f"{refused} refused"
        return Text.assemble(
            ("Verdicts  ", "bold"), f"{accepted} accepted · {told} · {stage.waiting} waiting"
        )


def _figure(standings: dict[str, Any], row: dict[str, Any]) -> str:
    if standings["method"] == "matchpoints":
        return "-" if row["percentage"] is None else f"{unsigned(row['percentage'])} %"
    return signed(plain(row["score"]))
