"""The steps of an explanation: each shows its numbers, what they give, and the law or article behind it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from schemas.policies import (
    CrossImpFactor,
    CrossImpForm,
    DatumKind,
    DatumTie,
    DatumTrim,
    Rounding,
    SessionPercentage,
    SmallGroup,
)
from schemas.record import Slot
from schemas.terms import AwardKind, Imps, Points

# Scores are seen from the side that asks; only a datum is North-South's, for its ties are rounded so.


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """So much for each worse score and half of it for each equal one; `equalled` leaves out the score itself.

    A component of a weighted score meets the other components of its own line, so that `equalled` may be
    a fraction, even below 0.
    """

    step: Literal["compared"] = "compared"
    score: Points
    beaten: Fraction
    equalled: Fraction
    lost: Fraction
    for_beaten: Fraction
    for_equalled: Fraction
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfactored:
    """Fewer results than expected, and the conditions leave the points as they stand, over their own top."""

    step: Literal["unfactored"] = "unfactored"
    results: Fraction
    expected: int
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Factored:
    """Neuberg: (points + `itself`) x expected / results - `itself`."""

    step: Literal["neuberg"] = "neuberg"
    points: Fraction
    itself: Fraction
    results: Fraction
    expected: int
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlusOne:
    """1963: an equal score's worth for each of the missing results."""

    step: Literal["plus-one"] = "plus-one"
    points: Fraction
    missing: Fraction
    each: Fraction
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallGroupShare:
    """A group of one, two or three: 60 % of the top, 5 % more or less for each point off the middle."""

    step: Literal["small-group"] = "small-group"
    rule: SmallGroup
    results: Fraction
    expected: int
    off_middle: Fraction
    share: Fraction
    top: Fraction
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatumRow:
    """A score of North-South, how often it occurs, the same factored, and what trimming leaves of that."""

    ns_points: Points
    count: Fraction
    factored: Fraction
    kept: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Datum:
    """The mean or median of what is kept, to the nearest ten; `left_out` results at either end."""

    step: Literal["datum"] = "datum"
    rows: tuple[DatumRow, ...]
    factor: Fraction
    trim: DatumTrim
    left_out: Fraction
    datum_kind: DatumKind
    exact: Fraction
    tie: DatumTie
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstDatum:
    """The IMPs of one difference; `datum` as this side sees it."""

    step: Literal["against-datum"] = "against-datum"
    score: Points
    datum: Points
    difference: Points
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpRow:
    """A comparison with so many equal results: `imps` each."""

    other: Points
    difference: Points
    imps: Imps
    count: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCompared:
    """The sum of the IMPs against every result."""

    step: Literal["cross-compared"] = "cross-compared"
    score: Points
    rows: tuple[ImpRow, ...]
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossFactored:
    """The sum times E/A, or times (E - 1)/(A - 1)."""

    step: Literal["cross-factored"] = "cross-factored"
    points: Fraction
    factor: CrossImpFactor
    results: Fraction
    expected: int
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InForm:
    """The sum divided by comparisons, by results, or by the root of E(E - 1)/2, to four places."""

    step: Literal["in-form"] = "in-form"
    points: Fraction
    form: CrossImpForm
    results: Fraction
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """Nobody to compare with: 0 IMPs."""

    step: Literal["alone"] = "alone"
    score: Points
    gives: Fraction
    law: str


PlainStep = Annotated[
    Compared | Unfactored | Factored | PlusOne | SmallGroupShare | Datum | AgainstDatum | CrossCompared
    | CrossFactored | InForm | Alone,
    Field(discriminator="step"),
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One component of a weighted score, worked out by itself."""

    score: Points
    weight: Fraction
    steps: tuple[PlainStep, ...]
    gives: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """Components turned into points first, then weighted."""

    step: Literal["weighing"] = "weighing"
    components: tuple[Component, ...]
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NetRow:
    """Both tables of a match, as one team sees them: `net` is the sum of the two scores."""

    at_ns_table: Points
    at_ew_table: Points
    net: Points
    imps: Imps
    weight: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoTables:
    """The IMPs of both tables together; several rows where a score was weighted."""

    step: Literal["two-tables"] = "two-tables"
    ns_table: Slot
    ew_table: Slot
    rows: tuple[NetRow, ...]
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBoards:
    """The contestant's boards in the session without artificial scores: a share of tops, or IMPs a board."""

    step: Literal["own-boards"] = "own-boards"
    points: Fraction
    available: int
    boards: int
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtificialScore:
    """What goes with a kind: `flat`, `own` where the law lets it follow the other boards, or as `stated`.

    `flat` is `each` so many `times`: once, or for each comparison of a total, which goes for `stated` too.
    """

    step: Literal["artificial"] = "artificial"
    award_kind: AwardKind
    policy: SessionPercentage
    in_percent: bool
    stated: Fraction | None
    each: Fraction
    times: int
    flat: Fraction
    own: Fraction | None
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTop:
    """A share of the top that the board has."""

    step: Literal["of-top"] = "of-top"
    share: Fraction
    top: int
    gives: Fraction
    law: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounded:
    """The one rounding of a board score; `average` is half the top, or 0 where scores are signed."""

    step: Literal["rounded"] = "rounded"
    value: Fraction
    policy: Rounding
    average: Fraction
    gives: Fraction
    law: str


Step = Annotated[
    Compared | Unfactored | Factored | PlusOne | SmallGroupShare | Datum | AgainstDatum | CrossCompared
    | CrossFactored | InForm | Alone | Weighing | TwoTables | OwnBoards | ArtificialScore | OfTop | Rounded,
    Field(discriminator="step"),
]  # fmt: skip
