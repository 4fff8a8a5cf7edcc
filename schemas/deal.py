"""What can come of one board at one table."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, WithJsonSchema

from schemas.terms import AwardKind, Direction, Doubling, Points, Seat, Strain, Tricks, Unplayed

_AMOUNT: Final = r"^-?[0-9]{1,9}(\.[0-9]{1,9}|/0{0,8}[1-9][0-9]{0,8})?$"
_AMOUNT_SAID: Final = re.compile(_AMOUNT.removesuffix("$"))
MOST: Final = 999_999_999
"""No amount is larger, nor any denominator: one that is hides a mistake, or means to keep us busy."""


def _amount(said: object) -> Fraction:
    """Take whole numbers and text; never a float, which would be another number than the one meant."""
    match said:
        case str() if _AMOUNT_SAID.fullmatch(said):
            return Fraction(said)
        case int() if not isinstance(said, bool) and abs(said) <= MOST:
            return Fraction(said)
    raise ValueError('an amount is a whole number, or text such as "0.25", "-3" or "1/3"')


Amount = Annotated[
    Fraction,
    BeforeValidator(_amount),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": -MOST, "maximum": MOST},
                {"type": "string", "pattern": _AMOUNT},
            ]
        }
    ),
]
"""An exact number: on the wire a whole number, a decimal string or a fraction."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A final contract; `level` is 1 to 7.

    Raises ValueError for another level.
    """

    level: int
    strain: Strain
    doubling: Doubling
    declarer: Seat

    def __post_init__(self) -> None:
        if not 1 <= self.level <= 7:
            raise ValueError(f"level {self.level} is not 1 to 7 (Law 18A)")

    def __str__(self) -> str:
        return f"{self.level}{self.strain}{self.doubling}"


@dataclass(frozen=True, slots=True)
class Played:
    """A contract that was played; `tricks` are those of declarer's side, 0 to 13.

    Raises ValueError for another number of tricks.
    """

    contract: Contract
    tricks: Tricks
    outcome: Literal["played"] = "played"

    def __post_init__(self) -> None:
        if not 0 <= self.tricks <= 13:
            raise ValueError(f"{self.tricks} tricks are not 0 to 13 (Law 1)")


@dataclass(frozen=True, slots=True)
class PassedOut:
    """Four passes: a result that scores 0 to both sides (Law 77)."""

    outcome: Literal["passed_out"] = "passed_out"


@dataclass(frozen=True, slots=True)
class ScoreOnly:
    """A score noted without its contract, from North-South's side.

    Raises ValueError where it is no multiple of 10.
    """

    ns_points: Points
    outcome: Literal["score_only"] = "score_only"

    def __post_init__(self) -> None:
        if self.ns_points % 10 or abs(self.ns_points) > 7600:
            raise ValueError(f"{self.ns_points} is not a score of one deal (Law 77)")


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """No result, with its cause: an open question to the director until it is awarded or closed."""

    cause: Unplayed = Unplayed.UNKNOWN
    outcome: Literal["not_played"] = "not_played"


@dataclass(frozen=True, slots=True)
class NoScore:
    """The director closed an unplayed board without a score: it counts for nobody."""

    outcome: Literal["no_score"] = "no_score"


@dataclass(frozen=True, slots=True)
class Weighted:
    """One component of an assigned score: `ns_points` with its weight (Law 12C1c).

    Weights of one side add up to 1; they travel as decimal strings or as "1/3".
    """

    ns_points: Points
    weight: Amount

    def __post_init__(self) -> None:
        if not 0 < self.weight <= 1:
            raise ValueError(f"a weight of {self.weight} is not above 0 and at most 1 (Law 12C1c)")


@dataclass(frozen=True, slots=True)
class Artificial:
    """One side's artificial score (Law 12C2): a kind, or where `percent` stands that share of the top.

    `imps` overrides the usual 3, 0 or -3 where the method scores in IMPs.
    """

    kind: AwardKind
    percent: Amount | None = None
    imps: Amount | None = None
    award: Literal["artificial"] = "artificial"


@dataclass(frozen=True, slots=True)
class Assigned:
    """One side's assigned score (Law 12C1): one component of weight 1, or several.

    Raises ValueError unless the weights add up to 1.
    """

    components: tuple[Weighted, ...]
    award: Literal["assigned"] = "assigned"

    def __post_init__(self) -> None:
        if sum((component.weight for component in self.components), Fraction(0)) != 1:
            raise ValueError("the weights of an assigned score do not add up to 1 (Law 12C1c)")


Award = Artificial | Assigned


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The director's score for a board: each side its own, so that split scores need no second kind."""

    ns: Award
    ew: Award
    outcome: Literal["adjusted"] = "adjusted"

    def of(self, direction: Direction) -> Award:
        """The award to one side."""
        return self.ns if direction is Direction.NS else self.ew


TableResult = Played | PassedOut | ScoreOnly | NotPlayed
"""What a table can report."""
Result = Played | PassedOut | ScoreOnly | NotPlayed | NoScore | Adjusted
"""What can stand in a slot."""
