"""Run a bench and write its figures down: `python -m tests.bench NAME [NAME ...]`.

A bench is a module beside this one with `run() -> dict`. Its figures go to docs/bench/NAME.json, with the
machine and the day; they are measured, never asserted.
"""

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE.parent.parent / "docs" / "bench"


def names() -> list[str]:
    """The benches there are."""
    return sorted(
        path.stem for path in HERE.glob("[!_]*.py") if "def run(" in path.read_text(encoding="utf-8")
    )


def machine() -> dict[str, Any]:
    """What the figures hold for."""
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": model,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(memory / 2**30, 1),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load_before": round(os.getloadavg()[0], 2),
    }


def write(name: str, figures: Mapping[str, Any], on: Mapping[str, Any]) -> Path:
    """Write a bench's figures down."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    told = {"bench": name, "date": _today(), "machine": dict(on), "figures": dict(figures)}
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _today() -> str:
    return datetime.now(UTC).date().isoformat()  # noqa: TID251 - the day of a measurement, and no score


def main(wanted: list[str]) -> int:
    known = names()
    strangers = [name for name in wanted if name not in known]
    if not wanted or strangers:
        sys.stderr.write(f"benches: {', '.join(known)}\n")
        return 2
    for name in wanted:
        on = machine()
        figures = import_module(f"tests.bench.{name}").run()
        print(json.dumps(figures, indent=2, ensure_ascii=False))
        print(write(name, figures, on))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
