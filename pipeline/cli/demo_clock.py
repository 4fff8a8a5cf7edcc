"""The demo's clock: it goes where the script says, so a log of the demo has the same stamps at any speed."""

from typing import Final

STARTS_US: Final = 1_767_463_200_000_000
"""2026-01-03 18:00 UTC, whenever the demo is played."""


class StageClock:
    """Wall and steady time of a scaled evening; both move together, so that the log's guard sees no jump."""

    def __init__(self) -> None:
        self._passed_us = 0

    def wall_us(self) -> int:
        """Microseconds since 1970 UTC, on stage."""
        return STARTS_US + self._passed_us

    def monotonic_us(self) -> int:
        """Microseconds since the curtain rose."""
        return self._passed_us

    def go_to(self, passed_us: int) -> None:
        """Move on to a moment of the script; never back."""
        self._passed_us = max(self._passed_us, passed_us)
