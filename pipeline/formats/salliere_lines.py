"""What the words of a line of `salliere` amount to: a result, or what each side was given against it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from pipeline.formats.imported import BadFile
from pipeline.formats.notation import (
    PASSED_OUT,
    BadNotation,
    absolute_tricks,
    artificial,
    contract_of,
    is_pass,
    played,
    relative_tricks,
)
from pipeline.rules.contract_score import ns_points
from schemas.deal import Artificial, Assigned, NotPlayed, PassedOut, Played, ScoreOnly, TableResult, Weighted
from schemas.terms import Direction, Points, Vulnerability

_CONTRACT: Final = re.compile(r"(.*?)\s*(=|[+-]\d+)?")
_SCORE: Final = re.compile(r"([-+]?\d{1,5})(?:\.0*)?")
_AVERAGES: Final = {"av=": Fraction(50), "av": Fraction(50), "av+": Fraction(60), "av-": Fraction(40)}
FORCED: Final = "!"
SideAward = Artificial | Assigned


class Words(NamedTuple):
    """The words as they stand; a value that begins with an exclamation mark stands against the contract."""

    contract: str = ""
    declarer: str = ""
    tricks: str = ""
    ns_score: str = ""
    ew_score: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result, what North-South and East-West were awarded in its place, and a contradiction in words."""

    result: TableResult
    awards: tuple[SideAward, SideAward] | None = None
    contradiction: str | None = None


def outcome(words: Words, vulnerability: Vulnerability, place: str) -> Outcome:
    """Read the words of one line.

    Raises BadFile.
    """
    result = _told(words, place)
    scores = {Direction.NS: words.ns_score.strip().lower(), Direction.EW: words.ew_score.strip().lower()}
    if any(score.removeprefix(FORCED) in _AVERAGES for score in scores.values()):
        ns, ew = (_side(score, side, place) for side, score in scores.items())
        return Outcome(result or NotPlayed(), (ns, ew))
    points = {side: _points(score, place) for side, score in scores.items()}
    own = None if result is None else ns_points(result, vulnerability)
    forced = [side for side, score in scores.items() if score.startswith(FORCED)]
    if forced:
        return _forced(result, own, points, forced, place)
    ns_own, ew_own = points[Direction.NS] or 0, points[Direction.EW] or 0
    if result is None:
        return Outcome(_score_only(ns_own - ew_own, place) if ns_own or ew_own else NotPlayed())
    # A file that was not scored yet has no scores, or zeros; one that was has them from the contract.
    contradicts = bool(ns_own or ew_own) and ns_own - ew_own != own
    return Outcome(result, contradiction=f"{ns_own - ew_own} for {words.contract}" if contradicts else None)


def _forced(
    result: Played | PassedOut | None,
    own: Points | None,
    points: Mapping[Direction, int | None],
    forced: list[Direction],
    place: str,
) -> Outcome:
    """Scores marked to stand: one result where they are two sides of one, or else each side its own."""
    ns, ew = points[Direction.NS], points[Direction.EW]
    if len(forced) < len(Direction) and own is not None:
        # The side without a mark keeps what the contract gives it.
        split = (ns or 0, int(own)) if forced == [Direction.NS] else (int(own), -(ew or 0))
    else:
        ns, ew = ns or 0, ew or 0
        # The loser's score may be written as 0 or as a negative number.
        split = (ns - ew, ns - ew) if 0 in {ns, ew} else (ns, -ew)
    if split[0] == split[1]:
        differs = own is not None and own != split[0]
        return Outcome(
            _score_only(split[0], place), contradiction=f"{split[0]} for {own}" if differs else None
        )
    ns_award, ew_award = (
        Assigned((Weighted(_score_only(score, place).ns_points, Fraction(1)),)) for score in split
    )
    return Outcome(NotPlayed() if result is None else result, (ns_award, ew_award))


def _told(words: Words, place: str) -> Played | PassedOut | None:
    text = words.contract.strip()
    if not text:
        return None
    if is_pass(text):
        return PASSED_OUT
    found = _CONTRACT.fullmatch(text)
    body, relative = found.groups() if found else (text, None)
    try:
        contract = contract_of(body, words.declarer)
        counted = words.tricks.strip()
        if relative is None:
            return played(contract, absolute_tricks(counted))
        tricks = relative_tricks(contract.level, relative)
    except BadNotation as bad:
        raise BadFile("salliere", place, bad.value, bad.rule) from bad
    if counted not in {"", "0", str(tricks)}:
        raise BadFile("salliere", place, f"{text}, {counted} tricks", f"{text} is {tricks} tricks")
    return played(contract, tricks)


def _side(score: str, side: Direction, place: str) -> SideAward:
    word = score.removeprefix(FORCED)
    if word in _AVERAGES:
        return artificial(_AVERAGES[word])
    points = _points(score, place)
    if points is None:
        raise BadFile("salliere", place, f"{side} {word!r}", "both sides have a score or an average")
    ns_view = points if side is Direction.NS else -points
    return Assigned((Weighted(_score_only(ns_view, place).ns_points, Fraction(1)),))


def _points(score: str, place: str) -> int | None:
    word = score.removeprefix(FORCED)
    if not word:
        return None
    found = _SCORE.fullmatch(word)
    if found is None:
        raise BadFile("salliere", place, word[:80], "a score in points, av+, av= or av-")
    return int(found[1])


def _score_only(points: int, place: str) -> ScoreOnly:
    try:
        return ScoreOnly(Points(points))
    except ValueError as error:
        raise BadFile("salliere", place, str(points), "a score of one deal (Law 77)") from error
