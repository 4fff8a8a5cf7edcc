"""A traveller as a page shows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pipeline.rules.rounding import decimal_text, rounded
from pipeline.web.locale import Texts
from pipeline.web.notation import plain, result_text, signed, unsigned
from pipeline.web.scoreboard import Partner
from schemas.deal import Adjusted, Contract, NoScore, NotPlayed, PassedOut, Played, Result, ScoreOnly
from schemas.policies import Rounding
from schemas.published import SideScore, Traveller, TravellerLine
from schemas.terms import Doubling

Called = tuple[str, Sequence[Partner]]
"""A contestant's number, and the names that are known."""


@dataclass(frozen=True, slots=True)
class ContractShown:
    """A contract in parts, for the symbol of its strain is a picture."""

    level: int
    strain: str
    doubling: str
    declarer: str
    result: str


@dataclass(frozen=True, slots=True)
class ShownLine:
    """One table's result; `words` stand where there is no contract."""

    table: str
    ns: Called
    ew: Called
    contract: ContractShown | None
    words: str
    score_ns: str
    score_ew: str
    points_ns: str
    points_ew: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownFrequency:
    """How often a score occurs, and what it is worth."""

    score: str
    times: str
    points_ns: str
    points_ew: str


DOUBLINGS: Final = {Doubling.UNDOUBLED: "", Doubling.DOUBLED: "×", Doubling.REDOUBLED: "××"}


def contract_shown(contract: Contract, tricks: int) -> ContractShown:
    """A contract and what came of it."""
    return ContractShown(
        contract.level,
        str(contract.strain.value),
        DOUBLINGS[contract.doubling],
        str(contract.declarer.value),
        result_text(tricks, contract.level),
    )


def result_shown(result: Result | None, texts: Texts) -> tuple[ContractShown | None, str]:
    """A result as a contract, or in words."""
    match result:
        case Played(contract, tricks):
            return contract_shown(contract, tricks), ""
        case PassedOut():
            return None, texts("traveller.passed-out")
        case NotPlayed():
            return None, texts("traveller.not-played")
        case NoScore():
            return None, texts("traveller.no-score")
        case ScoreOnly(ns_points):
            return None, f"{signed(str(ns_points))} NS"
        case Adjusted() | None:
            return None, texts("traveller.adjusted")


def shown_lines(
    traveller: Traveller, called: Callable[[str | None], Called], texts: Texts
) -> tuple[ShownLine, ...]:
    """The lines in their order, with what is to be known of each in words."""
    signs = traveller.top is None

    def shown(line: TravellerLine) -> ShownLine:
        contract, words = result_shown(line.result, texts)
        awards = [side.award for side in (line.points_ns, line.points_ew)]
        notes = [texts(f"flag.{flag.value}") for flag in line.flags]
        for side, award in zip(("NS", "EW"), awards, strict=True):
            if award is not None and (side == "NS" or award != awards[0]):
                both = awards[0] == awards[1]
                notes.append(_award(award, texts) if both else f"{side} {_award(award, texts)}")
        return ShownLine(
            table=f"{line.slot.section}{line.slot.table}",
            ns=called(line.ns),
            ew=called(line.ew),
            contract=contract,
            words=words,
            score_ns="" if line.score_ns is None else signed(str(line.score_ns)),
            score_ew="" if line.score_ew is None else signed(str(line.score_ew)),
            points_ns=_points(line.points_ns, signs=signs),
            points_ew=_points(line.points_ew, signs=signs),
            notes=tuple(notes),
        )

    return tuple(shown(line) for line in traveller.lines)


def shown_frequencies(traveller: Traveller) -> tuple[ShownFrequency, ...]:
    """The frequency table, best for North-South first."""
    write = signed if traveller.top is None else unsigned
    return tuple(
        ShownFrequency(
            signed(str(one.ns_points)),
            _times(one.weight),
            write(plain(one.points_ns)),
            write(plain(one.points_ew)),
        )
        for one in traveller.frequencies
    )


def _times(weight: str) -> str:
    """How often, to one decimal where weighted scores count in part.

    >>> _times("3"), _times("10/3")
    ('3', '3.3')
    """
    return decimal_text(rounded(Fraction(weight), Rounding.TENTH_HALF_UP), 1).removesuffix(".0")


def _award(award: str, texts: Texts) -> str:
    return texts(f"award.{award}") if f"award.{award}" in texts else award


def _points(side: SideScore, *, signs: bool) -> str:
    if side.points is None:
        return "–"
    return signed(plain(side.points)) if signs else unsigned(plain(side.points))
