"""When results are official, until when they may be corrected or appealed, and what that makes of a list."""

from dataclasses import dataclass, field

from pipeline.rules.periods import deadline, in_time
from pipeline.scoring.record_set import END, Place
from pipeline.scoring.timeline import Timeline
from schemas.conditions import Conditions
from schemas.control import Period, ScorePublished
from schemas.policies import ClockStart
from schemas.published import Status
from schemas.terms import Identity


@dataclass(frozen=True, slots=True)
class Clock:
    """A period that runs: from when, and how many minutes."""

    start_us: int
    minutes: int

    @property
    def until_us(self) -> int:
        """The last moment that is in time."""
        return deadline(self.start_us, self.minutes)


@dataclass(frozen=True, slots=True)
class Publication:
    """A score that was made available for inspection."""

    identity: Identity
    time_us: int
    record: ScorePublished


@dataclass(slots=True)
class SessionFacts:
    """Where one session stands, place by place."""

    opened: Place = END
    ended: Place = END
    ended_us: int | None = None
    rounds_ended: dict[tuple[str | None, int], Place] = field(default_factory=dict)
    publications: list[Publication] = field(default_factory=list)
    published: Timeline[int] = field(default_factory=Timeline)
    """The revision that stands; 0 once all are withdrawn."""
    clocks: dict[Period, Timeline[Clock | None]] = field(
        default_factory=lambda: {period: Timeline() for period in Period}
    )
    changed: dict[Period, int] = field(default_factory=dict)
    final: Timeline[bool] = field(default_factory=Timeline)

    def refresh(self, place: Place, conditions: Conditions) -> None:
        """Set both clocks anew from what is known at a place."""
        starting = None
        for publication in self.publications:
            if starting is None or publication.record.restarts_clocks:
                starting = publication
        latest = max((publication.record.revision for publication in self.publications), default=0)
        if (self.published.last() or 0) != latest:
            self.published.set(place, latest)
        for period, timeline in self.clocks.items():
            clock = self._clock(period, starting, conditions)
            if timeline.last() != clock:
                timeline.set(place, clock)

    def _clock(self, period: Period, starting: Publication | None, conditions: Conditions) -> Clock | None:
        correction = period is Period.CORRECTION
        minutes = conditions.correction_minutes if correction else conditions.appeal_minutes
        if starting is not None:
            record = starting.record
            stated = record.correction_minutes if correction else record.appeal_minutes
            if stated is not None and (stated >= minutes or conditions.correction_may_shorten):
                minutes = stated
        origin = conditions.correction_from if correction else conditions.appeal_from
        if origin is ClockStart.SESSION_END:
            start = self.ended_us
        else:
            start = None if starting is None else starting.time_us
        return None if start is None else Clock(start, self.changed.get(period, minutes))

    def is_over(self, period: Period, place: Place, time_us: int) -> bool:
        """Tell whether a period had run out when something was said."""
        clock = self.clocks[period].at(place)
        return clock is not None and not in_time(time_us, clock.until_us)

    def is_final(self, place: Place) -> bool:
        """Tell whether the session's result was final."""
        return self.final.at(place) is True

    def round_over(self, section: str, round_number: int, place: Place) -> bool:
        """Tell whether a round had ended."""
        if self.ended < place:
            return True
        at = self.rounds_ended
        return at.get((None, round_number), END) < place or at.get((section, round_number), END) < place

    def until(self, period: Period) -> int | None:
        """When a period ends, as things stand."""
        clock = self.clocks[period].last()
        return None if clock is None else clock.until_us

    def status(self, *, results: bool, at_us: int | None) -> Status:
        """What a list of this session is called at a moment; None: once all periods have run out."""
        if self.final.last():
            return Status.FINAL
        if self.published.last():
            until = max((until for until in map(self.until, Period) if until is not None), default=None)
            is_open = until is not None and at_us is not None and in_time(at_us, until)
            return Status.OFFICIAL_OPEN if is_open else Status.OFFICIAL_CLOSED
        if self.ended is not END:
            return Status.PROVISIONAL
        return Status.PLAYING if results or self.opened is not END else Status.SCHEDULED
