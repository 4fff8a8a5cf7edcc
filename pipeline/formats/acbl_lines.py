"""One line of an ACBL club game: what was played, or which artificial scores the sides got."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from pipeline.formats.imported import BadFile, Note, NoteKind
from pipeline.formats.notation import (
    PASSED_OUT,
    BadNotation,
    absolute_tricks,
    artificial,
    contract_of,
    is_pass,
    played,
    relative_tricks,
    whole_number,
)
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.deal import Artificial, NotPlayed, Played, ScoreOnly, TableResult
from schemas.record import Slot
from schemas.terms import Direction, Points, Unplayed

Fields = Mapping[str, Any]
_PERCENT: Final = {
    "AVE": 50, "AVE=": 50, "AVG": 50, "A": 50, "A=": 50,
    "AVE+": 60, "AVG+": 60, "A+": 60,
    "AVE-": 40, "AVG-": 40, "A-": 40,
}  # fmt: skip
_UNPLAYED: Final = {
    "NP": Unplayed.UNKNOWN,
    "NO PLAY": Unplayed.UNKNOWN,
    "NOT PLAYED": Unplayed.UNKNOWN,
    "LATE": Unplayed.LATE_PLAY_DUE,
    "LATE PLAY": Unplayed.LATE_PLAY_DUE,
    "": Unplayed.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Awarded:
    """Both sides' artificial scores."""

    ns: Artificial
    ew: Artificial


def words(fields: Fields, name: str) -> str:
    """A value as text: files have numbers as strings, strings as numbers, and null."""
    value = fields.get(name)
    return "" if value is None else str(value).strip()


def number(fields: Fields, name: str, place: str, most: int) -> int:
    """A whole number from 1, written as a number or as digits.

    Raises BadFile.
    """
    try:
        return whole_number(words(fields, name), 1, most)
    except BadNotation as bad:
        raise BadFile("acbl", f"{place}, {name}", bad.value, bad.rule) from bad


def decimal(fields: Fields, name: str, place: str) -> Fraction | None:
    """A decimal number; None where it is absent.

    Raises BadFile.
    """
    text = words(fields, name)
    if not text:
        return None
    try:
        return Fraction(text[:40])
    except (ValueError, ZeroDivisionError) as error:
        raise BadFile("acbl", f"{place}, {name}", text[:80], "a decimal number") from error


def outcome(fields: Fields, slot: Slot, place: str, notes: list[Note]) -> TableResult | Awarded:
    """What the line says; where score and contract contradict each other the score counts, as its points do.

    Raises BadFile.
    """
    scores = {side: words(fields, f"{side.lower()}_score").upper() for side in Direction}
    if any(word in _PERCENT for word in scores.values()):
        return _awarded(scores, place)
    contract = words(fields, "contract")
    if is_pass(scores[Direction.NS]) or (is_pass(contract) and not scores[Direction.NS].strip("0")):
        return PASSED_OUT
    ns = _points(scores, place)
    if ns is None:
        notes.append(Note(NoteKind.NOT_PLAYED, str(slot), scores[Direction.NS] or "no score"))
        return NotPlayed(_UNPLAYED[scores[Direction.NS]])
    result = _played(fields, contract, place)
    if result is None:
        return _score_only(ns, place)
    if ns_points(result, vulnerability(slot.board)) != ns:
        told = f"{result.contract} by {result.contract.declarer}, {result.tricks} tricks"
        notes.append(Note(NoteKind.SCORE_CONTRADICTS_CONTRACT, str(slot), f"{ns} for {told}"))
        return _score_only(ns, place)
    return result


def _awarded(scores: Mapping[Direction, str], place: str) -> Awarded:
    for side, word in scores.items():
        if word not in _PERCENT:
            raise BadFile(
                "acbl", f"{place}, {side.lower()}_score", word, "both sides have an artificial score"
            )
    ns, ew = (artificial(Fraction(_PERCENT[scores[side]])) for side in Direction)
    return Awarded(ns, ew)


def _points(scores: Mapping[Direction, str], place: str) -> Points | None:
    ns, ew = scores[Direction.NS], scores[Direction.EW]
    if ns in _UNPLAYED:
        if ns or ew in _UNPLAYED:
            return None
        return Points(-_integer(ew, f"{place}, ew_score"))
    points = _integer(ns, f"{place}, ns_score")
    if ew and ew not in _UNPLAYED and _integer(ew, f"{place}, ew_score") != -points:
        raise BadFile("acbl", f"{place}, ew_score", ew, f"the negative of ns_score {points}")
    return Points(points)


def _integer(word: str, place: str) -> int:
    sign, digits = (-1, word[1:]) if word.startswith("-") else (1, word.removeprefix("+"))
    try:
        return sign * whole_number(digits, 0, 99_999)
    except BadNotation as bad:
        raise BadFile("acbl", place, word[:80], "points, PASS, AVE, AVE+, AVE- or NP") from bad


def _played(fields: Fields, contract: str, place: str) -> Played | None:
    if not contract or is_pass(contract):
        return None
    name = "contract"
    try:
        agreed = contract_of(contract, words(fields, "declarer"))
        name = "tricks_taken" if words(fields, "tricks_taken") else "result"
        told = words(fields, name)
        if not told:
            return None
        tricks = absolute_tricks(told) if name == "tricks_taken" else relative_tricks(agreed.level, told)
    except BadNotation as bad:
        raise BadFile("acbl", f"{place}, {name}", bad.value, bad.rule) from bad
    return played(agreed, tricks)


def _score_only(points: Points, place: str) -> ScoreOnly:
    try:
        return ScoreOnly(points)
    except ValueError as error:
        raise BadFile("acbl", f"{place}, ns_score", str(points), "a score of one deal (Law 77)") from error
