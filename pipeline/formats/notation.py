"""What readers share: contracts as programs write them, identifiers from what is printed, the file's id."""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Final

from schemas.deal import Artificial, Contract, PassedOut, Played, ScoreOnly
from schemas.terms import AwardKind, Doubling, Seat, Strain, Tricks

_CONTRACT: Final = re.compile(r"([1-7])\s*(NT?|SA|[CDHS])\s*(XX?|\*\*?|R)?", re.IGNORECASE)
_RELATIVE: Final = re.compile(r"=|[+-]\d{1,2}")
_STRAINS: Final = {strain.value: strain for strain in Strain} | {"N": Strain.NOTRUMP, "SA": Strain.NOTRUMP}
_DOUBLINGS: Final = {
    "": Doubling.UNDOUBLED,
    "X": Doubling.DOUBLED,
    "*": Doubling.DOUBLED,
    "XX": Doubling.REDOUBLED,
    "**": Doubling.REDOUBLED,
    "R": Doubling.REDOUBLED,
}
SEATS: Final = {seat.value: seat for seat in Seat}
_USUAL: Final = (40, 50, 60)
_PASSES: Final = frozenset({"PASS", "PASSED", "PASSED OUT", "P", "P.O.", "PO", "ALL PASS", "AP"})
_DIGITS: Final = re.compile(r"([0-9]{1,9})")
_NOT_IN_A_NAME: Final = re.compile(r"[^A-Za-z0-9._:+-]+")


class BadNotation(ValueError):
    """A word that no contract, seat or result is written as: `value` and `rule` say which."""

    def __init__(self, value: str, rule: str) -> None:
        super().__init__(f"{value!r}: {rule}")
        self.value, self.rule = value, rule


def is_pass(text: str) -> bool:
    """Tell whether this contract means four passes.

    >>> is_pass("Pass"), is_pass("1NT")
    (True, False)
    """
    return text.strip().upper() in _PASSES


@lru_cache(maxsize=4096)
def contract_of(text: str, declarer: str) -> Contract:
    """Read a contract such as "3 NT", "4Sx" or "1CXX" and the seat that declared it.

    Raises BadNotation.

    >>> str(contract_of("3 NT xx", "w"))
    '3NTxx'
    """
    found = _CONTRACT.fullmatch(text.strip())
    if found is None:
        raise BadNotation(text, "a contract is 1 to 7 with C, D, H, S or NT, doubled or redoubled (Law 18A)")
    seat = declarer.strip()[:1].upper()
    if seat not in SEATS:
        raise BadNotation(declarer, "declarer is N, E, S or W")
    level, strain, doubling = found.groups(default="")
    return Contract(int(level), _STRAINS[strain.upper()], _DOUBLINGS[doubling.upper()], SEATS[seat])


def relative_tricks(level: int, text: str) -> Tricks:
    """Tricks from a result told relative to the contract: "=", "+1", "-2".

    Raises BadNotation.

    >>> relative_tricks(4, "-2")
    8
    """
    word = text.strip()
    if not _RELATIVE.fullmatch(word):
        raise BadNotation(text, 'a result is "=", "+1", "-2" and so on')
    return _within_a_deal(6 + level + (0 if word == "=" else int(word)), text)


def absolute_tricks(text: str) -> Tricks:
    """Tricks won by declarer's side, as a number.

    Raises BadNotation.
    """
    word = text.strip()
    if not word.isascii() or not word.isdigit():
        raise BadNotation(text, "tricks are a number from 0 to 13 (Law 1)")
    return _within_a_deal(int(word[:6]), text)


def _within_a_deal(tricks: int, text: str) -> Tricks:
    if not 0 <= tricks <= 13:
        raise BadNotation(text, f"{tricks} tricks are not 0 to 13 (Law 1)")
    return Tricks(tricks)


@lru_cache(maxsize=4096)
def played(contract: Contract, tricks: Tricks) -> Played:
    """One object for equal results: a field repeats a few hundred of them."""
    return Played(contract, tricks)


def artificial(percent: Fraction) -> Artificial:
    """Return a side's artificial score (Law 12C2) from its percentage as printed.

    60, 50 and 40 are how programs print Ave+, Ave and Ave-, so that conditions which let Ave+ follow the
    pair's own percentage still can; another percentage is meant as it stands.

    >>> artificial(Fraction(60)).percent, artificial(Fraction(45)).percent
    (None, Fraction(45, 1))
    """
    kind = AwardKind.AVE if percent == 50 else AwardKind.AVE_PLUS if percent > 50 else AwardKind.AVE_MINUS
    return Artificial(kind, None if percent in _USUAL else percent)


PASSED_OUT: Final = PassedOut()
TableScore = Played | PassedOut | ScoreOnly
"""A result that has a score."""


def whole_number(text: object, low: int, high: int) -> int:
    """A number within bounds, from a number or its digits.

    Raises BadNotation.
    """
    word = str(text).strip()
    if not (word.isascii() and word.isdigit() and len(word) < 10 and low <= int(word) <= high):
        raise BadNotation(word, f"a number from {low} to {high}")
    return int(word)


def name_of(text: str) -> str:
    """An identifier from what is printed; what an identifier cannot hold becomes a dash.

    >>> name_of("Team 1"), name_of("ΔΔ")
    ('Team-1', 'xec792a')
    """
    word = _NOT_IN_A_NAME.sub("-", text.strip()).strip("-")
    if word and len(word) <= 48 and word.replace("-", " ") == " ".join(text.replace("-", " ").split()):
        return word
    short = sha256(text.encode()).hexdigest()[:6]
    return f"{word[:40]}-{short}" if word else f"x{short}"


def names_of(texts: Iterable[str], prefix: str = "") -> dict[str, str]:
    """An identifier for each printed name, no two alike."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for text in texts:
        if text not in given:
            name = prefix + name_of(text)
            while name in taken:
                name += "+"
            taken.add(name)
            given[text] = name
    return given


def event_of(format_name: str, data: bytes) -> str:
    """An id for the event of a file that has none: the same bytes give the same id."""
    return f"{format_name}-{sha256(data).hexdigest()[:12]}"


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8 where it is that, or else ISO 8859-1, in which every byte is a letter."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("iso-8859-1")


def in_number_order(text: str) -> tuple[str | int, ...]:
    """A sort key under which 2 comes before 10, also inside words.

    >>> sorted(["Team 10", "Team 2", "7"], key=in_number_order)
    ['7', 'Team 2', 'Team 10']
    """
    return tuple(int(part) if at % 2 else part for at, part in enumerate(_DIGITS.split(text)))
