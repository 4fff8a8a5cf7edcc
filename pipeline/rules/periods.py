"""Corrections, protests and disputed tricks: Laws 79B, 79C and 92B, 1963 articles 92 to 94.

Every time is a whole number of microseconds and is passed in.
"""

from enum import StrEnum
from typing import Final, assert_never

from schemas.policies import ClockStart, LateTricks, Lengthener

_MINUTE_US: Final = 60_000_000


class Matter(StrEnum):
    """What somebody wants looked at, which decides the law that governs it."""

    SCORE_ENTRY = "score-entry"
    """The agreed score was noted or valued wrongly, by a player or by the scorer."""
    TRICKS = "tricks"
    """The number of tricks."""
    CONTESTANT_ACT = "contestant-act"
    """An unlawful or improper act of a contestant."""
    DIRECTOR_ACT = "director-act"
    """An act or decision of the director."""


class Officer(StrEnum):
    """Who changes a period."""

    DIRECTOR = "director"
    ORGANISER = "organiser"


class TrickRuling(StrEnum):
    """What may become of a board whose number of tricks is disputed."""

    EITHER_WAY = "either-way"
    """The director settles it; both scores may change."""
    CLAIM_LAWS = "claim-laws"
    """There was a claim or concession: Laws 69 and 71 go first."""
    RAISING_NOT_OWED = "raising-not-owed"
    """Nobody's score need go up; going down is not limited (1997)."""
    LOWER_ONLY = "lower-only"
    """The score stands, or one side's goes down without the other's going up (2017)."""
    REFUSED = "refused"
    """Nothing changes (1963), but for articles 74(a) and 94."""

    @property
    def may_raise(self) -> bool:
        """Tell whether the director is free to raise a side's score."""
        return self not in {TrickRuling.LOWER_ONLY, TrickRuling.REFUSED}

    @property
    def may_lower(self) -> bool:
        """Tell whether the director is free to lower a side's score."""
        return self is not TrickRuling.REFUSED


_1963: Final = {
    Matter.SCORE_ENTRY: "1963 article 94",
    Matter.TRICKS: "1963 article 92",
    Matter.CONTESTANT_ACT: "1963 article 93",
    Matter.DIRECTOR_ACT: "1963 article 93",
}
_SINCE: Final = {
    Matter.SCORE_ENTRY: "Law 79C",
    Matter.TRICKS: "Law 79B",
    Matter.CONTESTANT_ACT: "Law 92B",
    Matter.DIRECTOR_ACT: "Law 92B",
}
_GOVERNS: Final = {LateTricks.LAW_1963: _1963, LateTricks.LAW_1997: _SINCE, LateTricks.LAW_2017: _SINCE}


def deadline(start_us: int, minutes: int) -> int:
    """Law 79C1: the last moment of a period.

    >>> deadline(0, 30)
    1800000000
    """
    return start_us + minutes * _MINUTE_US


def in_time(at_us: int, deadline_us: int) -> bool:
    """Law 79C1: tell whether something came within the period.

    No text says whether the last moment still does; here it counts.

    >>> in_time(1_800_000_000, deadline(0, 30)), in_time(1_800_000_001, deadline(0, 30))
    (True, False)
    """
    return at_us <= deadline_us


def clock_start(start: ClockStart, score_available_us: int | None, session_end_us: int | None) -> int | None:
    """Law 92B counts from the official score, 1963 article 93 from the end of the session; None before that.

    >>> clock_start(ClockStart.SESSION_END, score_available_us=600, session_end_us=0)
    0
    """
    return session_end_us if start is ClockStart.SESSION_END else score_available_us


def may_change_period(
    before: int, after: int, by: Officer, lengthen_by: Lengthener, *, may_shorten: bool
) -> bool:
    """Tell whether this officer may change a period of so many minutes (Law 79C1, 1963 article 94).

    The organiser may lengthen it, by the 1963 article the director too; only the organiser may shorten
    it, where the conditions know shorter periods at all.

    >>> may_change_period(30, 50, Officer.DIRECTOR, Lengthener.ORGANISER, may_shorten=False)
    False
    """
    if after >= before:
        return by is Officer.ORGANISER or lengthen_by is Lengthener.DIRECTOR_OR_ORGANISER
    return may_shorten and by is Officer.ORGANISER


def in_advance(published_us: int | None, start_us: int) -> bool:
    """1963 articles 80, 83 and 89: tell whether a rule was published before the event began.

    >>> in_advance(10, 20), in_advance(20, 20), in_advance(None, 20)
    (True, False, False)
    """
    return published_us is not None and published_us < start_us


def article(matter: Matter, edition: LateTricks) -> str:
    """Return the law or article that governs a matter (Laws 79 and 92, 1963 articles 92 to 94).

    >>> article(Matter.DIRECTOR_ACT, LateTricks.LAW_1963)
    '1963 article 93'
    """
    return _GOVERNS[edition][matter]


def correction_article(edition: LateTricks) -> str:
    """Return the law that refuses a correction after its period (Law 79C, 1963 article 94).

    >>> correction_article(LateTricks.LAW_2017)
    'Law 79C'
    """
    return article(Matter.SCORE_ENTRY, edition)


def protest_admissible(matter: Matter) -> bool:
    """1963 article 93: a protest is about an act of a contestant or of the director, and nothing else.

    >>> protest_admissible(Matter.SCORE_ENTRY)
    False
    """
    return matter in {Matter.CONTESTANT_ACT, Matter.DIRECTOR_ACT}


def late_tricks(
    policy: LateTricks,
    *,
    round_over: bool,
    claim_or_concession: bool = False,
    clearly_convinced: bool = False,
) -> TrickRuling:
    """Law 79B, 1963 article 92: what may become of a dispute that came before or after the round's end.

    `clearly_convinced` is the director's mind in 2017, `claim_or_concession` how the play ended.

    >>> late_tricks(LateTricks.LAW_1963, round_over=True)
    <TrickRuling.REFUSED: 'refused'>
    """
    if claim_or_concession and policy is not LateTricks.LAW_1963:
        return TrickRuling.CLAIM_LAWS
    if not round_over:
        return TrickRuling.EITHER_WAY
    match policy:
        case LateTricks.LAW_1963:
            return TrickRuling.REFUSED
        case LateTricks.LAW_1997:
            return TrickRuling.RAISING_NOT_OWED
        case LateTricks.LAW_2017:
            return TrickRuling.EITHER_WAY if clearly_convinced else TrickRuling.LOWER_ONLY
        case _:
            assert_never(policy)
