"""How scores and moments are written on a page: signs, decimals, hours of the hall's own clock."""

from datetime import datetime
from typing import Final

MINUS: Final = "−"
LAST_US: Final = 253_402_000_000 * 1_000_000
"""In the last days of 9999: an importer may bring stamps that no calendar has."""


def signed(text: str) -> str:
    """A score with its sign, a true minus.

    >>> signed("620"), signed("-50"), signed("0"), signed("0.00")
    ('+620', '−50', '0', '0.00')
    """
    if text.startswith("-"):
        return MINUS + text[1:]
    return text if not text.strip("0.") else f"+{text}"


def unsigned(text: str) -> str:
    """A score that shows a sign only where it is below zero."""
    return MINUS + text[1:] if text.startswith("-") else text


def plain(text: str) -> str:
    """Without the decimals that say nothing.

    >>> plain("12.00"), plain("12.50"), plain("120")
    ('12', '12.5', '120')
    """
    return text.rstrip("0").rstrip(".") if "." in text else text


def result_text(tricks: int, level: int) -> str:
    """Tricks won as the field writes them: made, over or down.

    >>> result_text(10, 4), result_text(11, 4), result_text(8, 4)
    ('=', '+1', '−2')
    """
    over = tricks - level - 6
    return "=" if over == 0 else f"+{over}" if over > 0 else f"{MINUS}{-over}"


def when(time_us: int) -> datetime:
    """A moment in the zone of the machine, which is the hall's; one past all calendars is their last.

    >>> when(10**30).year
    9999
    """
    return datetime.fromtimestamp(min(time_us, LAST_US) / 1_000_000).astimezone()


def hour(time_us: int) -> str:
    """The hour and minute in the hall, as in 22:40."""
    return f"{when(time_us):%H:%M}"
