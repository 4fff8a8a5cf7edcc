"""The machine's clock, and the guard that notices when it jumps."""

import time
from typing import Final, NamedTuple

from pipeline.ports import Clock, LogUnavailable

TOLERANCE_US: Final = 60_000_000
"""So far may wall time be from what the log expects; a leap second or a slewing clock is well inside."""
RETRY_AFTER_SECONDS: Final = 15
# A laptop's lid is shut between two sessions: CLOCK_MONOTONIC stands still meanwhile, and the wall
# clock would then seem to have jumped ahead.
_STEADY: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The wall clock, and a steady one that goes on while the machine sleeps."""

    def wall_us(self) -> int:
        """Microseconds since 1970 UTC."""
        return time.time_ns() // 1000

    def monotonic_us(self) -> int:
        """Microseconds that never run backwards."""
        return time.clock_gettime_ns(_STEADY) // 1000


class Reading(NamedTuple):
    """Both clocks at one moment, in microseconds."""

    wall_us: int
    steady_us: int


class ClockGuard:
    """Refuses to stamp while the wall clock contradicts the log or the steady clock.

    Two things are watched, both with `TOLERANCE_US`: wall time since the append before must have gone as
    far as the steady clock, and wall time may not be behind the last stamp. The second is all that can be
    known of a log just opened, for the time it rested may be any. The guard recovers when the clock does;
    `accept` is for the operator who knows that the clock is right now.
    """

    def __init__(self, clock: Clock, last_stamp_us: int) -> None:
        """Watch from the last stamp of the log (0: it is empty)."""
        self._clock = clock
        self._last_stamp_us = last_stamp_us
        self._seen: Reading | None = None
        self._may_be_behind = False

    def read(self) -> Reading:
        """The time, if it can be believed. Raises LogUnavailable."""
        now = self._look()
        if self._seen is not None:
            self._judge(now.wall_us - self._seen.wall_us - (now.steady_us - self._seen.steady_us))
        if not self._may_be_behind:
            self._judge(min(0, now.wall_us - self._last_stamp_us))
        return now

    def stamped(self, reading: Reading, last_stamp_us: int) -> None:
        """Take note of an append: when it was, and the last stamp it gave."""
        self._seen, self._last_stamp_us = reading, last_stamp_us
        self._may_be_behind = self._may_be_behind and reading.wall_us < last_stamp_us

    def accept(self) -> None:
        """Believe the clock as it stands.

        Where it is behind the last stamp, stamps go on one microsecond apart until it has caught up.
        """
        self._seen, self._may_be_behind = self._look(), True

    def _look(self) -> Reading:
        return Reading(self._clock.wall_us(), self._clock.monotonic_us())

    def _judge(self, ahead_us: int) -> None:
        if abs(ahead_us) > TOLERANCE_US:
            way = "ahead of" if ahead_us > 0 else "behind"
            raise LogUnavailable(
                f"the clock is {abs(ahead_us) // 1_000_000} s {way} what the log expects", RETRY_AFTER_SECONDS
            )
