"""A traveller line of USEBIO: its contract, score, award code and points, as the file words them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pipeline.formats.imported import BadFile
from pipeline.formats.usebio_xml import FORMAT, Node
from schemas.deal import Contract, NotPlayed, PassedOut, Played, ScoreOnly, TableResult
from schemas.policies import Method
from schemas.terms import BoardNumber, ContestantId, Direction, Doubling, Points, Seat, Strain, Tricks

POINTS_OF: Final[Mapping[Method, tuple[str, ...]]] = {
    Method.MATCHPOINTS: ("MATCH_POINTS", "MATCHPOINTS"),
    Method.BUTLER: ("BUTLER_POINTS", "BUTLER_IMPS", "IMPS"),
    Method.CROSS_IMPS: ("CROSS_IMP_POINTS", "CROSS_IMPS", "IMPS"),
    Method.TEAM_IMPS: ("IMPS",),
}
_CONTRACT: Final = re.compile(r"(\d+)\s*(NT|N|C|D|H|S|[♣♦♥♠])\s*(X{0,2}|\*{1,2})", re.IGNORECASE)
_CODE: Final = re.compile(r"A\s*(\d\d)\s*[/:%-]?\s*(\d\d)%?", re.IGNORECASE)
_DECIMAL: Final = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?")
_SUITS: Final = str.maketrans("♣♦♥♠", "CDHS")
_PASSED: Final = {"PASS", "P", "AP", "ALL PASS", "PASSED", "PASSED OUT", "PASSED-OUT"}
_NOT_PLAYED: Final = {"", "-", "NP", "N/P", "NOT PLAYED", "NO PLAY"}
_RANKS: Final = "[2-9TJQKA]|10"


@dataclass(frozen=True, slots=True)
class Line:
    """A line as read; `code` is the percentages (NS, EW) of an award, `remark` what had to be left out."""

    place: str
    session: str
    section: str
    round: int | None
    board: BoardNumber
    ns: ContestantId
    ew: ContestantId
    result: TableResult | None
    score_ns: Points | None
    code: tuple[int, int] | None
    score_text: str
    lead: str | None
    points: Mapping[Direction, str]
    remark: str = ""


def decimal(text: str, place: str) -> Fraction:
    """Read a decimal number exactly.

    Raises BadFile for anything else.
    """
    if not _DECIMAL.fullmatch(text):
        raise BadFile(FORMAT, place, repr(text[:40]), "is a decimal number")
    return Fraction(text)


def whole(text: str, low: int, high: int, place: str) -> int:
    """Read a whole number of a range.

    Raises BadFile for anything else.
    """
    if not re.fullmatch(r"\+?\d{1,9}", text) or not low <= int(text) <= high:
        raise BadFile(FORMAT, place, repr(text[:40]), f"is a whole number from {low} to {high}")
    return int(text)


def outcome(node: Node) -> tuple[TableResult | None, Points | None, tuple[int, int] | None, str, str]:
    """Return a line's result, score (of North-South), award code, SCORE as it stands and remark.

    An award code leaves the result empty. A contract that lacks declarer or tricks leaves the score alone.
    Raises BadFile for a contract, declarer, number of tricks or score that cannot be.
    """
    text = node.text("SCORE")
    code = _CODE.fullmatch(text)
    contract = node.text("CONTRACT")
    called = contract.upper().strip()
    percentages = (int(code[1]), int(code[2])) if code else None
    score = None if code or text.upper() in _NOT_PLAYED else _score(text, node)
    declarer, tricks = node.text("PLAYED_BY"), node.text("TRICKS")
    remark = ""
    result: TableResult | None
    if called in _PASSED:
        result = PassedOut()
    elif called in _NOT_PLAYED:
        result = ScoreOnly(score) if score is not None else None if code else NotPlayed()
    elif declarer and tricks:
        result = _played(contract, declarer, tricks, node)
    else:
        result = ScoreOnly(score) if score is not None else None if code else NotPlayed()
        remark = f"{contract} by {declarer or 'nobody'}, tricks {tricks or 'unknown'}"
    return result, score, percentages, text, remark


def points(node: Node, method: Method) -> dict[Direction, str]:
    """Return the points that the line itself prints, by side; in the field of the event's method."""
    found = {
        direction: node.text(*(f"{direction}_{name}" for name in POINTS_OF[method]))
        for direction in Direction
    }
    for direction, text in found.items():
        if text:
            decimal(text, node.place(f"{direction} points"))
    return {direction: text for direction, text in found.items() if text}


def lead(node: Node) -> tuple[str | None, str]:
    """Return the card led, suit first; and what stands there where it is no card."""
    text = node.text("LEAD")
    card = text.upper().translate(_SUITS)
    if re.fullmatch(f"[CDHS]({_RANKS})", card):
        return card, ""
    if re.fullmatch(f"({_RANKS})[CDHS]", card):
        return card[-1] + card[:-1], ""
    return None, text


def _score(text: str, node: Node) -> Points:
    place = node.place("SCORE")
    if not re.fullmatch(r"[+-]?\d{1,5}", text):
        raise BadFile(FORMAT, place, repr(text[:40]), "is a score of North-South or an award such as A6040")
    value = int(text)
    try:
        ScoreOnly(Points(value))
    except ValueError as error:
        raise BadFile(FORMAT, place, repr(text), "is a score of one deal (Law 77)") from error
    return Points(value)


def _played(contract: str, declarer: str, tricks: str, node: Node) -> Played:
    parts = _CONTRACT.fullmatch(contract)
    if parts is None or not 1 <= int(parts[1][:9]) <= 7:
        raise BadFile(
            FORMAT, node.place("CONTRACT"), repr(contract[:40]), "is a contract, level 1 to 7 (Law 18A)"
        )
    strain = parts[2].upper().translate(_SUITS)
    seat = declarer[:1].upper()
    if seat not in set(Seat):
        raise BadFile(FORMAT, node.place("PLAYED_BY"), repr(declarer[:40]), "is N, E, S or W")
    return Played(
        Contract(
            int(parts[1]),
            Strain.NOTRUMP if strain == "N" else Strain(strain),
            (Doubling.UNDOUBLED, Doubling.DOUBLED, Doubling.REDOUBLED)[len(parts[3])],
            Seat(seat),
        ),
        Tricks(whole(tricks, 0, 13, node.place("TRICKS"))),
    )
