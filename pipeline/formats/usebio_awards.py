"""The unit of a file's points, and its artificial scores (Law 12C2): where both disagree, the points win."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pipeline.formats.usebio_lines import Line
from pipeline.rules.matchpoints import top
from schemas.deal import Artificial
from schemas.policies import Method
from schemas.terms import AwardKind, Direction

_PERCENT: Final = {60: AwardKind.AVE_PLUS, 50: AwardKind.AVE, 40: AwardKind.AVE_MINUS}
_IMPS: Final = {AwardKind.AVE_PLUS: 3, AwardKind.AVE: 0, AwardKind.AVE_MINUS: -3}


@dataclass(frozen=True, slots=True)
class Scale:
    """How points are printed: times `unit` they are match points 2-1-0, `tolerance` is half their last place.

    `expected` is how many results a normal board of a (session, section) has.
    """

    method: Method
    unit: Fraction
    tolerance: Fraction
    expected: dict[tuple[str, str], int]

    @classmethod
    def of(cls, lines: Sequence[Line], method: Method) -> "Scale":
        """Find it in the lines: most add up to 2(E - 1), or to E - 1 where the file has half match points."""
        counts = Counter((line.session, line.section, line.board) for line in lines)
        expected: dict[tuple[str, str], int] = {}
        for (session, section, _), count in counts.items():
            expected[session, section] = max(count, expected.get((session, section), 1))
        printed = [text for line in lines for text in line.points.values()]
        places = max((len(text.partition(".")[2]) for text in printed), default=0)
        halves: Counter[bool] = Counter()
        for line in lines:
            if len(line.points) == 2:
                both = sum(map(Fraction, line.points.values()))
                halves[both * 2 == top(expected[line.session, line.section])] += 1
        unit = 2 if method is Method.MATCHPOINTS and halves[True] > halves[False] else 1
        return cls(method, Fraction(unit), Fraction(unit, 2 * 10**places), expected)

    def top(self, line: Line) -> int:
        """Return the top of the line's board, in units of 2-1-0."""
        return top(self.expected[line.session, line.section])


def awarded(line: Line, direction: Direction, scale: Scale) -> tuple[Artificial, bool]:
    """Return a side's artificial score, and whether its code says other than its points.

    `percent` is per cent of the top. A kind without it is 60, 50 or 40 %, so that conditions which let Ave+
    follow the pair's own percentage still can.
    """
    code = None if line.code is None else line.code[0 if direction is Direction.NS else 1]
    text = line.points.get(direction)
    if scale.method is Method.MATCHPOINTS:
        return _in_percent(code, text, scale, scale.top(line))
    kind = _kind(Fraction(code)) if code is not None else _kind(50 + Fraction(text or 0))
    if text is None:
        return Artificial(kind), False
    value = Fraction(text)
    usual = value == _IMPS[kind]
    # Conditions may value an Ave+ otherwise; what the file printed stands. An average is 0 everywhere.
    imps = None if kind is AwardKind.AVE and usual else value
    return Artificial(kind, imps=imps), code is not None and not usual


def _in_percent(code: int | None, text: str | None, scale: Scale, of_top: int) -> tuple[Artificial, bool]:
    said = None if code is None else Fraction(code)
    shown = None if text is None or of_top == 0 else Fraction(text) * scale.unit * 100 / of_top
    if said is None and shown is None:
        return Artificial(AwardKind.AVE), False
    agree = said is None or shown is None or abs(shown - said) * of_top <= scale.tolerance * 100
    percent = said if agree and said is not None else shown
    kind = _kind(said if said is not None else percent or Fraction(50))
    usual = percent is None or (_PERCENT.get(int(percent)) is kind and percent.denominator == 1)
    return Artificial(kind, percent=None if usual else percent), not agree


def _kind(percent: Fraction) -> AwardKind:
    return AwardKind.AVE_PLUS if percent > 50 else AwardKind.AVE if percent == 50 else AwardKind.AVE_MINUS
