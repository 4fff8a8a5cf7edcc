"""A Barometer for a test, over a log of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.web.calls import Called, called


@pytest.fixture
async def barometer(tmp_path: Path) -> AsyncIterator[Called]:
    async with called(tmp_path / "log.sqlite") as running:
        yield running
