"""When results are official, until when they may be corrected or appealed, and what that makes of a list."""

from dataclasses import dataclass, field

from pipeline.rules.periods import deadline, in_time
from pipeline.scoring.record_set import END, Place
from pipeline.scoring.timeline import Timeline
from schemas.conditions import Conditions
from schemas.control import Period, ScorePublished
from schemas.policies import ClockStart
from schemas.published import Status
from schemas.record import Slot
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
    rounds_ended: dict[tuple[str | None, int], tuple[Place, int]] = field(default_factory=dict)
    """The place and the time of each round's first end, by section and round."""
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
        origin = conditions.correction_from if correction else conditions.appeal_from
        if origin is ClockStart.SESSION_END:
            return None if self.ended_us is None else Clock(self.ended_us, self.minutes(period, conditions))
        if starting is None:
            return None
        return Clock(starting.time_us, self.minutes(period, conditions, starting.record))

    def minutes(self, period: Period, conditions: Conditions, starting: ScorePublished | None = None) -> int:
        """How long a period runs: as last changed, else as stated with the result, else by the conditions."""
        if period in self.changed:
            return self.changed[period]
        correction = period is Period.CORRECTION
        minutes = conditions.correction_minutes if correction else conditions.appeal_minutes
        if starting is not None:
            stated = starting.correction_minutes if correction else starting.appeal_minutes
            if stated is not None and (stated >= minutes or conditions.correction_may_shorten):
                return stated
        return minutes

    def is_over(self, period: Period, place: Place, time_us: int) -> bool:
        """Tell whether a period had run out when something was said."""
        clock = self.clocks[period].at(place)
        return clock is not None and not in_time(time_us, clock.until_us)

    def is_final(self, place: Place) -> bool:
        """Tell whether the session's result was final."""
        return self.final.at(place) is True

    def round_over(self, slot: Slot | None, place: Place, time_us: int) -> bool:
        """Tell whether a slot's round, or play, had ended when something was said."""
        if self.ended < place and self.ended_us is not None and self.ended_us < time_us:
            return True
        if slot is None:
            return False
        for section in (None, slot.section):
            known = self.rounds_ended.get((section, slot.round))
            if known is not None and known[0] < place and known[1] < time_us:
                return True
        return False

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
