"""What a PBN game or a line of its ScoreTable says of one board at one table."""

import re
from dataclasses import dataclass
from typing import Final

from pipeline.formats.imported import BadFile, Note, NoteKind
from pipeline.formats.notation import (
    PASSED_OUT,
    BadNotation,
    absolute_tricks,
    contract_of,
    is_pass,
    played,
    relative_tricks,
)
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.deal import Played, ScoreOnly, TableResult
from schemas.record import Slot
from schemas.terms import Direction, Points

_SIDES: Final = re.compile(r"(NS|EW)\s+([-+]?\d+(?:\.\d+)?)", re.IGNORECASE)
_SCORE: Final = re.compile(r"[-+]?\d{1,5}")
_RELATIVE_RESULT: Final = re.compile(r"=|[+-]\d+")


@dataclass(frozen=True, slots=True)
class Said:
    """The words of the file: contract, declarer, result, and the score from North-South's side."""

    place: str
    contract: str
    declarer: str
    result: str
    ns_score: Points | None


def outcome(said: Said, slot: Slot, notes: list[Note]) -> TableResult | None:
    """The result that the words amount to; None where the file says nothing.

    Where the score is not that of contract and tricks the score counts, for the file's points follow it.

    Raises BadFile.
    """
    if is_pass(said.contract):
        return PASSED_OUT
    if not said.contract:
        return None if said.ns_score is None else _score_only(said.ns_score, said.place)
    if not said.result and said.ns_score is not None:
        return _score_only(said.ns_score, said.place)
    try:
        contract = contract_of(said.contract, said.declarer.lstrip("^"))
        relative = _RELATIVE_RESULT.fullmatch(said.result)
        tricks = relative_tricks(contract.level, said.result) if relative else absolute_tricks(said.result)
    except BadNotation as bad:
        raise BadFile("pbn", said.place, bad.value, bad.rule) from bad
    result = played(contract, tricks)
    if said.ns_score is not None and ns_points(result, vulnerability(slot.board)) != said.ns_score:
        told = _told(result)
        notes.append(Note(NoteKind.SCORE_CONTRADICTS_CONTRACT, str(slot), f"{said.ns_score} for {told}"))
        return _score_only(said.ns_score, said.place)
    return result


def sides(text: str) -> dict[Direction, str]:
    """The sides' own numbers in a tag such as "NS 4 EW -4", as printed."""
    return {Direction(side.upper()): value for side, value in _SIDES.findall(text)}


def ns_score(text: str, declarer: str, place: str) -> Points | None:
    """North-South's score in a Score tag; a bare number is declarer's.

    Raises BadFile.
    """
    if not text:
        return None
    told = sides(text)
    if Direction.NS in told:
        return whole_score(told[Direction.NS], place)
    if Direction.EW in told:
        return Points(-whole_score(told[Direction.EW], place))
    score = whole_score(text, place)
    return score if declarer[:1].upper() in {"", "N", "S"} else Points(-score)


def whole_score(text: str, place: str) -> Points:
    """A score in points.

    Raises BadFile.
    """
    word = text.strip()
    if not _SCORE.fullmatch(word):
        raise BadFile("pbn", place, text[:80], "a score is a whole number of points")
    return Points(int(word))


def _score_only(score: Points, place: str) -> ScoreOnly:
    try:
        return ScoreOnly(score)
    except ValueError as error:
        raise BadFile("pbn", place, str(score), "a score of one deal (Law 77)") from error


def _told(result: Played) -> str:
    return f"{result.contract} by {result.contract.declarer}, {result.tricks} tricks"
