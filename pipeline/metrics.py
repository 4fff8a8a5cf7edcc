"""Every metric, defined once: what it means, and what to do when it moves."""

from enum import StrEnum
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from schemas.decisions import Reason, Verdict

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Refusal(StrEnum):
    """Why a request to write was turned away at the door."""

    UNREADABLE = "unreadable"
    """No JSON, or JSON of another shape."""
    FORM = "form"
    AUTHORITY = "authority"
    TOKEN = "token"  # noqa: S105 - a reason, no secret
    IDENTITY_TAKEN = "identity-taken"
    TOO_LARGE = "too-large"
    UNAVAILABLE = "unavailable"


class Reader(StrEnum):
    """What somebody read."""

    STANDINGS = "standings"
    TRAVELLER = "traveller"
    HISTORY = "history"


class Metrics:
    """The metrics of one process in a registry of their own, so that two processes can live in one."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        # Flat during play: tables cannot reach us; look at the network, then at the refusals.
        self.appended: Final = self._counter("barometer_records_appended_total", "Records answered with 202")
        # Rising: a sender does not speak our language or has no right to; its answers say field and rule.
        self.turned_away: Final = self._counter(
            "barometer_requests_refused_total", "Requests to write turned away at the door", "reason"
        )
        # p99 over 0.05 s: the disk is slow to sync; move the log to a better one.
        self.append_seconds: Final = self._histogram(
            "barometer_append_seconds", "From a checked request to its records on disk"
        )
        # Rising: records reach the log and do not count; a director should read the decisions.
        self.verdicts: Final = self._counter(
            "barometer_verdicts_total", "Verdicts given or revised since the start", "verdict", "reason"
        )
        # Behind the log's end for longer than a second: folding is too slow; see the fold times.
        self.folded: Final = self._gauge("barometer_entries_folded", "Entries of the log that are folded")
        self.entries: Final = self._gauge("barometer_entries_appended", "Entries that the log holds")
        # p99 over 0.05 s with small batches: a control record lays out a large field anew, or a bug.
        self.fold_seconds: Final = self._histogram("barometer_fold_seconds", "Time to fold a batch")
        # p99 over 0.5 s: a list is too long for this machine.
        self.render_seconds: Final = self._histogram(
            "barometer_render_seconds", "Time to make the pages of a list or traveller", "what"
        )
        # Above 0: records that no model accepts or that the fold fell over; their bytes are parked. A bug, or
        # a newer writer: upgrade, then restart.
        self.parked: Final = self._counter(
            "barometer_entries_parked_total", "Entries parked as unreadable or poison"
        )
        # 0: the loop has stopped and the scores are old; the last log line says why.
        self.loop_alive: Final = self._gauge("barometer_loop_alive", "1 while the loop follows the log")
        # Near what one process can serve (some thousands): add a feed.
        self.watchers: Final = self._gauge("barometer_watchers", "Open streams of ticks")
        # Rising steeply: somebody steps through history with a script.
        self.refolds: Final = self._counter(
            "barometer_refolds_total", "Slices of history that were folded anew"
        )

    def turn_away(self, reason: Refusal) -> None:
        """Count a request that was turned away."""
        self.turned_away.labels(reason).inc()

    def judge(self, verdict: Verdict, reason: Reason | None) -> None:
        """Count a verdict."""
        self.verdicts.labels(verdict, reason or "").inc()

    def page(self) -> bytes:
        """All of them, in the text format of Prometheus."""
        return generate_latest(self.registry)

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(name, meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str) -> Gauge:
        return Gauge(name, meaning, registry=self.registry)

    def _histogram(self, name: str, meaning: str, *labels: str) -> Histogram:
        return Histogram(name, meaning, labels, buckets=_SECONDS, registry=self.registry)
