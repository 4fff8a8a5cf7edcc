"""Every choice that conditions of contest leave open, as a closed set; docs/conditions.md lists them."""

from enum import StrEnum


class Method(StrEnum):
    """How boards are scored against each other."""

    MATCHPOINTS = "matchpoints"
    BUTLER = "butler"
    CROSS_IMPS = "cross-imps"
    TEAM_IMPS = "team-imps"


class Comparison(StrEnum):
    """Whose results on a board are compared."""

    SECTION = "section"
    FIELD = "field"


class Winners(StrEnum):
    """One ranking list for all, one per direction, or one per section (1963 article 83)."""

    ONE = "one"
    PER_DIRECTION = "per-direction"
    PER_SECTION = "per-section"
    PER_SECTION_AND_DIRECTION = "per-section-and-direction"


class MatchpointUnit(StrEnum):
    """Law 78A: match points (2-1-0) or half match points (1-1/2-0)."""

    TWO_ONE_ZERO = "2-1-0"
    ONE_HALF_ZERO = "1-1/2-0"


class MissingResults(StrEnum):
    """What a board with fewer results than expected does to its match points."""

    NEUBERG = "neuberg"
    PLUS_ONE_1963 = "plus-one-1963"
    RAW = "raw"
    """As they stand, over their own top."""
    FACTORED_TOTAL = "factored-total"
    """As they stand; a contestant's total is factored up to all boards (ACBL)."""


class SmallGroup(StrEnum):
    """The rule for a group of one, two or three results."""

    NEUBERG = "neuberg"
    EBU_2022 = "ebu2022"
    ACBL_1991 = "acbl1991"


class Rounding(StrEnum):
    """A named rounding; "average" is half the top, or 0 where scores are signed."""

    NONE = "none"
    TENTH_HALF_EVEN = "tenth-half-even"
    TENTH_HALF_UP = "tenth-half-up"
    TENTH_TOWARDS_AVERAGE = "tenth-towards-average"
    TENTH_AWAY_FROM_AVERAGE = "tenth-away-from-average"
    TENTH_DOWN = "tenth-down"
    TEN_THOUSANDTH_AWAY_FROM_AVERAGE = "ten-thousandth-away-from-average"
    HUNDREDTH_HALF_UP = "hundredth-half-up"
    HUNDREDTH_HALF_EVEN = "hundredth-half-even"
    HUNDREDTH_AWAY_FROM_ZERO = "hundredth-away-from-zero"
    UNIT_AWAY_FROM_ZERO = "unit-away-from-zero"


class DatumTie(StrEnum):
    """A datum that ends in exactly 5: away from zero (EBU), or to the even ten (ACBL)."""

    AWAY_FROM_ZERO = "ebu-away"
    EVEN_TEN = "acbl-even"
    HALF_UP = "half-up"


class DatumTrim(StrEnum):
    """What is left out at either end before the datum is taken."""

    NONE = "none"
    ONE_EACH_END = "one-each-end"
    TWO_EACH_END = "two-each-end"
    FIVE_PERCENT = "five-percent"


class DatumKind(StrEnum):
    """The datum is a mean, or the median of the results."""

    MEAN = "mean"
    MEDIAN = "median"


class CrossImpForm(StrEnum):
    """The published forms of a cross-IMP score."""

    TOTAL = "total"
    AVERAGE = "average"
    """Per comparison."""
    PER_RESULT = "per-result"
    SQUARE_ROOT = "square-root"
    """XIMPQ: the sum over the root of r*c/2; exact only as a rounded decimal."""


class CrossImpFactor(StrEnum):
    """A board with fewer results: by E/A (EBU), by comparisons (ACBL), or not at all."""

    EBU = "ebu"
    ACBL = "acbl"
    NONE = "none"


class ImpScale(StrEnum):
    """The IMP scale in force."""

    WBF_1962 = "wbf_1962"
    PRE_1962 = "pre_1962"


class ScoringTable(StrEnum):
    """Law 77 as it stands since 1987, or before."""

    SINCE_1987 = "laws_1987_2017"
    PRE_1987 = "laws_pre1987"


class SessionPercentage(StrEnum):
    """Whether Ave+ and Ave- follow the contestant's other boards."""

    LAW_2017 = "2017"
    LAW_1963 = "1963"
    """The non-offender's own percentage where higher; nothing symmetric for the offender (article 107)."""
    FLAT = "flat"


class AwardWindow(StrEnum):
    """Over which boards a contestant's own percentage is taken; a match or a stage is not scored by yet."""

    SESSION = "session"


class RankBy(StrEnum):
    """The figure that ranks a list."""

    TOTAL = "total"
    PERCENTAGE = "percentage"
    PER_BOARD = "per-board"


class ClockStart(StrEnum):
    """What starts a period."""

    SCORE_AVAILABLE = "score-available"
    SESSION_END = "session-end"


class Lengthener(StrEnum):
    """Who may lengthen the correction period."""

    ORGANISER = "organiser"
    DIRECTOR_OR_ORGANISER = "director-or-organiser"


class LateTricks(StrEnum):
    """The number of tricks disputed after the round (Law 79B, 1963 article 92)."""

    LAW_2017 = "2017"
    LAW_1997 = "1997"
    LAW_1963 = "1963"


class ShowTraveller(StrEnum):
    """When a board's results may be seen."""

    AFTER_DEAL_CLOSED = "after_deal_closed"
    AFTER_OWN_BOARD = "after_own_board"
    AFTER_ROUND = "after_round"
    AFTER_SESSION = "after_session"


class ShowStandings(StrEnum):
    """When standings may be seen."""

    LIVE = "live"
    AFTER_ROUND = "after_round"
    AT_PUBLICATION = "at_publication"


class Confirmation(StrEnum):
    """Who may confirm a result: the other side (1963 article 79), or nobody needs to."""

    OPPONENTS = "opponents"
    NOT_ASKED = "not-asked"
