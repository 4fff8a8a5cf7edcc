"""A whole `barometer score` beside a whole `salliere`, on the same board file.

Each run is a process of its own, from start to exit, with everything it prints thrown away; the figure is the
processor time that the system charges it with. Both are asked for the same: score every line, match-point it,
add up the pairs, print the list and every board.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

TABLES: Final = (100, 1_000, 10_000)
BOARDS: Final = 27
"""Results: tables times boards."""
ENDURANCE_SECONDS: Final = 150
"""Salliere compares every result of a board with every other one: it is given so long and no longer."""
COMMANDS: Final = ("score", "matchpoint", "total", "results", "boards")
"""What we do: scores, match points, totals, then the list and every board in full."""
BAROMETER: Final = (sys.executable, "-c", "from pipeline.cli import main; main()", "score")
_STRAINS: Final = ("C", "D", "H", "S", "NT")


@dataclass(frozen=True, slots=True)
class Run:
    """One process from start to exit."""

    cpu_seconds: float
    wall_seconds: float
    peak_mb: float
    status: int
    """Its exit status; negative: the signal that ended it, as when it outlasted our patience."""

    @property
    def finished(self) -> bool:
        """Whether it came to its end."""
        return self.status == 0

    def row(self) -> dict[str, Any]:
        """As it goes into the JSON."""
        return {
            "cpu_seconds": round(self.cpu_seconds, 3),
            "wall_seconds": round(self.wall_seconds, 3),
            "peak_mb": round(self.peak_mb, 1),
            "exit_status": self.status,
        }


def board_file(tables: int, path: Path, seed: int = 2700) -> int:
    """Write an event at so many tables, all boards at every table, in salliere's form; return its lines.

    On every board most tables reach one of a few contracts, as they do.
    """
    dice = Random(seed)  # noqa: S311 - seeded dice, no secrets
    count = 0
    with path.open("w", encoding="ascii") as file:
        for board in range(1, BOARDS + 1):
            usual = [(dice.randint(1, 5), dice.choice(_STRAINS), dice.choice("NESW")) for _ in range(4)]
            for table in range(1, tables + 1):
                level, strain, declarer = dice.choices(usual, weights=(8, 4, 2, 1))[0]
                tricks = min(13, max(0, level + 6 + dice.choice((-2, -1, -1, 0, 0, 0, 0, 1, 1, 2))))
                ew = tables + (table + board - 2) % tables + 1
                file.write(f"{board},{table},{ew},{level}{strain},{declarer},{tricks}\n")
                count += 1
    return count


def names_file(tables: int, path: Path) -> None:
    """Write the pairs that salliere wants beside the boards."""
    path.write_text(
        "".join(f"{pair},A{pair},B{pair}\n" for pair in range(1, 2 * tables + 1)), encoding="ascii"
    )


def installed(folder: Path) -> dict[str, str]:
    """An environment in which modules are read compiled, as an installed program has them.

    A work tree may forbid Python to keep what it compiled; salliere comes compiled too.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(folder)}


def timed(
    command: Sequence[str], environment: Mapping[str, str], endurance_seconds: int = ENDURANCE_SECONDS
) -> Run:
    """Run a process to its end, or to the end of our patience."""
    limited = ("prlimit", f"--cpu={endurance_seconds}:{endurance_seconds + 5}", *command)
    before = os.times().elapsed
    process = subprocess.Popen(
        limited, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(environment)
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = os.times().elapsed - before
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, process.returncode)


def run(repeats: int = 3) -> dict[str, Any]:
    """Time both on three sizes, the best of `repeats` runs each, in turn."""
    salliere = shutil.which("salliere", path=f"{os.environ['PATH']}:/usr/games")
    sizes = []
    with TemporaryDirectory() as folder:
        boards, names = Path(folder, "boards.csv"), Path(folder, "names.csv")
        environment = installed(Path(folder, "compiled"))
        board_file(TABLES[0], boards)
        timed((*BAROMETER, str(boards)), environment)
        for tables in TABLES:
            results = board_file(tables, boards)
            names_file(tables, names)
            ours = timed((*BAROMETER, str(boards)), environment)
            theirs = None if salliere is None else timed(_salliere(salliere, folder), environment)
            for _ in range(repeats - 1):
                ours = min(
                    ours, timed((*BAROMETER, str(boards)), environment), key=lambda one: one.cpu_seconds
                )
                # What took long enough to be sure of is not run again.
                if salliere is not None and theirs is not None and theirs.cpu_seconds < 20:
                    again = timed(_salliere(salliere, folder), environment)
                    theirs = min(theirs, again, key=lambda one: one.cpu_seconds)
            sizes.append(_row(results, ours, theirs))
    return {
        "what": "one event from a board file to its list and travellers, whole processes, best of repeats",
        "command": "barometer score FILE, beside salliere " + " ".join((*COMMANDS, "-- FILE NAMES")),
        "processors": os.cpu_count(),
        "sizes": sizes,
        "growth_27000_to_270000": round(
            sizes[2]["barometer"]["cpu_seconds"] / sizes[1]["barometer"]["cpu_seconds"], 2
        ),
    }


def _salliere(program: str, folder: str) -> tuple[str, ...]:
    # It rewrites its files, so it gets copies. It is a Java archive, which not every kernel starts itself.
    for name in ("boards.csv", "names.csv"):
        shutil.copy(Path(folder, name), Path(folder, f"salliere-{name}"))
    own = (str(Path(folder, f"salliere-{name}")) for name in ("boards.csv", "names.csv"))
    return ("java", "-jar", program, *COMMANDS, "--", *own)


def _row(results: int, ours: Run, theirs: Run | None) -> dict[str, Any]:
    row: dict[str, Any] = {"results": results, "barometer": ours.row()}
    if theirs is None:
        return {**row, "salliere": "not installed (Debian package salliere)"}
    row["salliere"] = theirs.row()
    if not theirs.finished:
        row["salliere"]["unfinished"] = (
            f"stopped after {ENDURANCE_SECONDS} s of processor time"
            if theirs.status < 0
            else "gave up by itself"
        )
    ratio = round(theirs.cpu_seconds / ours.cpu_seconds, 2)
    row["salliere_over_barometer"] = ratio if theirs.finished else f"over {ratio}"
    return row
