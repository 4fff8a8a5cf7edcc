"""Fifty times `kill -9` in the middle of writing: what was acknowledged is there, and nothing twice."""

from pathlib import Path

import pytest

from tests.faults.killing import kill_again_and_again


@pytest.mark.faults
def test_fifty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "log.sqlite", rounds=50, seed=1925)
