"""The short form of the fault test: five times `kill -9` in the middle of writing."""

from pathlib import Path

from tests.faults.killing import kill_again_and_again


def test_five_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "log.sqlite", rounds=5, seed=1963)
