"""What the demo says of each remarkable moment, in English."""

from collections.abc import Mapping
from typing import Final

from pipeline.simulation.congress import Remark, RemarkKind

_BOARD: Final = "board {board} at table {section}{table}"
SENTENCES: Final[Mapping[RemarkKind, str]] = {
    RemarkKind.PLAY_BEGINS: "play begins",
    RemarkKind.SENT_TWICE: f"{_BOARD} was sent twice: it counts once",
    RemarkKind.TABLE_CORRECTED: f"{_BOARD}: the table corrected its own entry",
    RemarkKind.DISPUTE_UPHELD: f"{_BOARD}: disputed, the director lets it stand (Law {{law}})",
    RemarkKind.RULING_GIVEN: f"{_BOARD}: adjusted by the director to {{ns}} for North-South (Law {{law}})",
    RemarkKind.AVERAGE_PLUS: f"{_BOARD} was not played: {{ns}} to NS, {{ew}} to EW (Law {{law}})",
    RemarkKind.AVERAGE: f"{_BOARD} was not played: {{ns}} to both (Law {{law}})",
    RemarkKind.DIRECTIONS_SWAPPED: "table {section}{table} sat the other way: {boards} boards turned round",
    RemarkKind.LATE_TRICK_DISPUTE: f"{_BOARD}: {{pair}} asks for a trick after the round",
    RemarkKind.LATE_TRICK_RULED: f"{_BOARD}: the trick is given (Law {{law}})",
    RemarkKind.PENALTY_GIVEN: "{pair}: {percent}% of a top for slow play (Law 90)",
    RemarkKind.SCORE_PUBLISHED: "official score, revision {revision}",
    RemarkKind.PERIOD_LENGTHENED: "correction period lengthened to {minutes} minutes",
    RemarkKind.CORRECTION_ASKED: f"{_BOARD}: {{pair}} asks for a correction",
    RemarkKind.ERROR_FIXED_IN_TIME: f"{_BOARD}: scoring error fixed in time (Law {{law}})",
    RemarkKind.APPEAL_LODGED: f"{_BOARD}: {{pair}} appeals against the ruling (Law {{law}})",
    RemarkKind.CORRECTION_PERIOD_OVER: "the correction period is over after {minutes} minutes",
    RemarkKind.LATE_FIX_REFUSED: f"{_BOARD}: late fix refused",
    RemarkKind.OVERRIDE_GRANTED: "the organiser lets one late correction through (Law {law})",
    RemarkKind.FIXED_BY_OVERRIDE: f"{_BOARD}: fixed with the organiser's leave (Law {{law}})",
    RemarkKind.APPEAL_DECIDED: f"{_BOARD}: the appeal is decided, the score is weighted",
    RemarkKind.SESSION_FINAL: "final",
}


def sentence(remark: Remark, decision: Mapping[str, object] | None = None) -> str:
    """A remark as a sentence; what the server decided stands beside it where it was refused."""
    text = SENTENCES[remark.kind].format_map(_Known(remark.values))
    if decision is None or decision.get("verdict") != "refused":
        return text
    reason = str(decision.get("reason", "")).replace("-", " ")
    article = decision.get("article")
    return f"{text}: {reason} ({article})" if article else f"{text}: {reason}"


class _Known(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "?"
