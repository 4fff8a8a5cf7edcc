"""One board in one comparison group: the multiset of its scores, and what each is worth."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from pipeline.rules.butler import butler, datum
from pipeline.rules.cross_imps import cross_imps
from pipeline.rules.imps import imps
from pipeline.rules.matchpoints import top as top_of
from pipeline.rules.rounding import rounded
from pipeline.rules.small_groups import GroupRating, group_points
from pipeline.scoring.record_set import SlotKey
from pipeline.scoring.totals import Tally
from schemas.conditions import Conditions
from schemas.deal import Artificial, Weighted
from schemas.policies import MatchpointUnit, Method, MissingResults, Rounding
from schemas.terms import ContestantId, Direction, Identity, Points

if TYPE_CHECKING:
    from pipeline.scoring.charting import SlotState

Key = int | tuple[Weighted, ...]
"""What a side is rated by: a score of North-South, or a weighted score."""
Chart = dict[Points, Fraction | int]
NO_TOP: Final = 0


class BoardId(NamedTuple):
    """A board in a comparison group; `form` is empty unless the board was fouled."""

    session: str
    group: str
    board: int
    form: str


@dataclass(slots=True, eq=False)
class Line:
    """A result on a board: who scored what; a side has a key, or an artificial award, or neither."""

    slot: SlotKey
    record: Identity
    ns: ContestantId | None
    ew: ContestantId | None
    ns_key: Key | None
    ew_key: Key | None
    ns_award: Artificial | None = None
    ew_award: Artificial | None = None
    home: Direction | None = None
    """In a team match, where the home team sits at this table."""
    form: str = ""
    """Which form of the board was played here."""
    ns_tally: Tally | None = None
    ew_tally: Tally | None = None
    counted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Rating:
    """What each key is worth to a side: numerators over `denominator`, out of its top (0: signed)."""

    ns: Mapping[object, int]
    ew: Mapping[object, int]
    denominator: int
    ns_top: int
    ew_top: int
    rated: str
    ns_datum: Points | None = None
    ew_datum: Points | None = None
    live: bool = False
    awards: Mapping[SlotKey, tuple[Artificial | None, Artificial | None]] = field(default_factory=dict)
    """In a team match, the awards to the teams that sit North-South and East-West at a line."""
    counted_at: SlotKey | None = None
    """In a team match, the line at which both teams' boards are counted."""


class Board:
    """A multiset of scores for each side, and the slots behind it."""

    __slots__ = (
        "counted_by",
        "due",
        "ew_chart",
        "id",
        "ns_chart",
        "open",
        "rating",
        "results",
        "split",
        "states",
        "weighted",
    )

    def __init__(self, board_id: BoardId) -> None:
        self.id = board_id
        self.ns_chart: Chart = {}
        self.ew_chart: Chart = self.ns_chart
        """One chart serves both sides until a line has them apart."""
        self.states: list[SlotState] = []
        """The slots that are compared here."""
        self.results = 0
        """Lines among them."""
        self.weighted: dict[SlotKey, Line] = {}
        """The lines that have a weighted score."""
        self.rating: Rating | None = None
        self.counted_by: Rating | None = None
        """The rating by which lines are in the tallies: an earlier one, until somebody asks."""
        self.due = 0
        """Slots that have played it or have to."""
        self.open = 0
        """Those of them that still have to."""
        self.split = 0
        """Lines whose two sides are charted apart."""

    @property
    def lines(self) -> dict[SlotKey, Line]:
        """The lines by slot."""
        return {line.slot: line for line in self.each_line()}

    def each_line(self) -> Iterator[Line]:
        """The lines, in no particular order."""
        for state in self.states:
            if state.line is not None:
                yield state.line

    def add(self, line: Line) -> None:
        """Chart a line."""
        self.results += 1
        key = line.ns_key
        if type(key) is int and key == line.ew_key and not self.split:  # nearly every line
            score = Points(key)
            self.ns_chart[score] = self.ns_chart.get(score, 0) + 1
            return
        if key == line.ew_key:
            self._chart_both(key, 1)
        else:
            if not self.split:
                self.ew_chart = dict(self.ns_chart)
            self.split += 1
            _count(self.ns_chart, line.ns_key, 1)
            _count(self.ew_chart, line.ew_key, 1)
        if isinstance(line.ns_key, tuple) or isinstance(line.ew_key, tuple):
            self.weighted[line.slot] = line

    def remove(self, line: Line) -> None:
        """Take a line out again."""
        self.results -= 1
        self.weighted.pop(line.slot, None)
        if line.ns_key == line.ew_key:
            self._chart_both(line.ns_key, -1)
            return
        _count(self.ns_chart, line.ns_key, -1)
        _count(self.ew_chart, line.ew_key, -1)
        self.split -= 1
        if not self.split:
            self.ew_chart = self.ns_chart

    def _chart_both(self, key: Key | None, sign: int) -> None:
        _count(self.ns_chart, key, sign)
        if self.split:
            _count(self.ew_chart, key, sign)


def _count(chart: Chart, key: Key | None, sign: int) -> None:
    if key is None:
        return
    if isinstance(key, int):
        left = chart.get(Points(key), 0) + sign
        if left:
            chart[Points(key)] = left
        else:
            del chart[Points(key)]
        return
    for part in key:
        weight = chart.get(part.ns_points, 0) + sign * part.weight
        if weight:
            chart[part.ns_points] = weight
        else:
            del chart[part.ns_points]


@dataclass(frozen=True, slots=True)
class Field:
    """What a board is rated against: results expected on a normal board, and whether play of it goes on."""

    expected: int
    live: bool
    ns_largest: bool = True
    ew_largest: bool = True
    """No other form of the board has more results on that side."""


@dataclass(slots=True)
class _Sides:
    """Points by score before rounding."""

    ns: Mapping[Points, Fraction]
    ew: Mapping[Points, Fraction]
    ns_top: Fraction
    ew_top: Fraction
    rated: str
    ns_datum: Points | None = None
    ew_datum: Points | None = None


def rate(board: Board, conditions: Conditions, normal: Field) -> Rating:
    """Rate a board: what every score on it is worth to both sides (docs/semantics.md section 6)."""
    rounding = Rounding.NONE
    match conditions.score_method:
        case Method.MATCHPOINTS:
            sides, rounding = _matchpoints(board, conditions, normal), conditions.mp_round
        case Method.BUTLER:
            sides = _butler(board, conditions, normal)
        case Method.CROSS_IMPS:
            sides, rounding = _cross_imps(board, conditions, normal), conditions.ximp_round
        case Method.TEAM_IMPS:
            return _team_imps(board, conditions)
        case _:
            assert_never(conditions.score_method)
    ns: dict[object, Fraction] = {
        score: rounded(value, rounding, sides.ns_top / 2) for score, value in sides.ns.items()
    }
    ew: dict[object, Fraction] = {
        score: rounded(value, rounding, sides.ew_top / 2) for score, value in sides.ew.items()
    }
    for line in board.weighted.values():
        if isinstance(line.ns_key, tuple):
            ns[line.ns_key] = rounded(_weigh(line.ns_key, sides.ns), rounding, sides.ns_top / 2)
        if isinstance(line.ew_key, tuple):
            ew[line.ew_key] = rounded(_weigh(line.ew_key, sides.ew), rounding, sides.ew_top / 2)
    return _over_one_denominator(ns, ew, sides, live=normal.live)


def _weigh(key: tuple[Weighted, ...], points: Mapping[Points, Fraction]) -> Fraction:
    return sum((part.weight * points[part.ns_points] for part in key), Fraction(0))


def _over_one_denominator(
    ns: Mapping[object, Fraction], ew: Mapping[object, Fraction], sides: _Sides, *, live: bool
) -> Rating:
    denominator = lcm(
        *(value.denominator for value in ns.values()), *(value.denominator for value in ew.values())
    )
    return Rating(
        {key: value.numerator * (denominator // value.denominator) for key, value in ns.items()},
        {key: value.numerator * (denominator // value.denominator) for key, value in ew.items()},
        denominator,
        int(sides.ns_top),
        int(sides.ew_top),
        sides.rated,
        sides.ns_datum,
        sides.ew_datum,
        live=live,
    )


def _matchpoints(board: Board, conditions: Conditions, normal: Field) -> _Sides:
    half = conditions.mp_unit is MatchpointUnit.ONE_HALF_ZERO
    scale = Fraction(1, 2) if half else Fraction(1)
    ns = _group(board.ns_chart, conditions, normal, largest=normal.ns_largest)
    same = not board.split and normal.ns_largest == normal.ew_largest
    ew = ns if same else _group(board.ew_chart, conditions, normal, largest=normal.ew_largest)
    return _Sides(
        {score: value * scale for score, value in ns.points.items()} if half else ns.points,
        {score: value * scale for score, value in ew.opposite.items()} if half else ew.opposite,
        ns.top * scale,
        ew.top * scale,
        "live" if normal.live else str(ns.rated_by),
    )


def _group(chart: Chart, conditions: Conditions, normal: Field, *, largest: bool) -> GroupRating:
    results = sum(chart.values())
    expected = int(results) if normal.live else max(normal.expected, -int(-results // 1))
    return group_points(
        chart,
        expected,
        MissingResults.RAW if normal.live else conditions.mp_missing,
        conditions.mp_small_group,
        Rounding.NONE,
        largest,
    )


def _butler(board: Board, conditions: Conditions, normal: Field) -> _Sides:
    ns_datum = _datum(board.ns_chart, conditions, normal)
    ew_datum = ns_datum if not board.split else _datum(board.ew_chart, conditions, normal)
    scale = conditions.imp_scale
    return _Sides(
        {score: Fraction(butler(score, ns_datum, scale)) for score in board.ns_chart}
        if ns_datum is not None
        else {},
        {score: Fraction(-butler(score, ew_datum, scale)) for score in board.ew_chart}
        if ew_datum is not None
        else {},
        Fraction(NO_TOP),
        Fraction(NO_TOP),
        "live" if normal.live else "butler",
        ns_datum,
        ew_datum,
    )


def _datum(chart: Chart, conditions: Conditions, normal: Field) -> Points | None:
    results = sum(chart.values())
    if not results:
        return None
    factor = Fraction(1) if normal.live or normal.expected <= results else Fraction(normal.expected) / results
    return datum(chart, conditions.butler_datum, conditions.butler_trim, conditions.butler_tie, factor)


def _cross_imps(board: Board, conditions: Conditions, normal: Field) -> _Sides:
    ns = _compared(board.ns_chart, conditions, normal)
    ew = ns if not board.split else _compared(board.ew_chart, conditions, normal)
    return _Sides(
        ns,
        {score: -value for score, value in ew.items()},
        Fraction(NO_TOP),
        Fraction(NO_TOP),
        "live" if normal.live else "cross-imps",
    )


def _compared(chart: Chart, conditions: Conditions, normal: Field) -> Mapping[Points, Fraction]:
    results = sum(chart.values())
    if results <= 1:
        return dict.fromkeys(chart, Fraction(0))
    whole = -int(-results // 1)
    expected = whole if normal.live else max(normal.expected, whole)
    return cross_imps(chart, expected, conditions.ximp_form, conditions.ximp_factor, conditions.imp_scale)


def _team_imps(board: Board, conditions: Conditions) -> Rating:
    """Both tables of a match: each team's IMPs from where it sat, or its award (Law 86)."""
    points: dict[object, Fraction] = {}
    opposite: dict[object, Fraction] = {}
    awards: dict[SlotKey, tuple[Artificial | None, Artificial | None]] = {}
    lines = sorted((line for line in board.each_line() if line.home is not None), key=lambda line: line.slot)
    if len(lines) == 2:
        home = _team(lines, [line.home for line in lines], conditions)
        visit = _team(lines, [line.home and line.home.other for line in lines], conditions)
        for line in lines:
            ns, ew = (home, visit) if line.home is Direction.NS else (visit, home)
            awards[line.slot] = (ns[1], ew[1])
            if ns[0] is not None:
                points[line.slot] = ns[0]
            if ew[0] is not None:
                opposite[line.slot] = ew[0]
    sides = _Sides({}, {}, Fraction(NO_TOP), Fraction(NO_TOP), "match" if awards else "live")
    rating = _over_one_denominator(points, opposite, sides, live=not awards)
    return replace(rating, awards=awards, counted_at=lines[0].slot if awards else None)


def _team(
    lines: list[Line], sides: list[Direction | None], conditions: Conditions
) -> tuple[Fraction | None, Artificial | None]:
    """A team's IMPs, or its award: with two of them that of the table where it sits North-South."""
    north = sides[0] is not Direction.NS and sides[1] is Direction.NS
    both = list(zip(lines, sides, strict=True))
    found = [line.ns_award if side is Direction.NS else line.ew_award for line, side in both]
    award = next((one for one in (reversed(found) if north else found) if one is not None), None)
    if award is not None:
        return None, award
    if sides[0] is sides[1] or lines[0].form != lines[1].form:
        return None, None
    keys = [line.ns_key if side is Direction.NS else line.ew_key for line, side in both]
    if sides[0] is not Direction.NS:
        keys.reverse()
    return _between(keys[0], keys[1], conditions), None


def _between(at_ns: Key | None, at_ew: Key | None, conditions: Conditions) -> Fraction | None:
    """IMPs of a team by North-South's scores at the table where it sat that way, and at the other."""
    if at_ns is None or at_ew is None:  # pragma: no cover - a side without a key has an award, rated before
        return None
    return sum(
        (
            here.weight * there.weight * imps(Points(here.ns_points - there.ns_points), conditions.imp_scale)
            for here in _parts(at_ns)
            for there in _parts(at_ew)
        ),
        Fraction(0),
    )


def _parts(key: Key) -> Iterator[Weighted]:
    if isinstance(key, int):
        yield Weighted(Points(key), Fraction(1))
    else:
        yield from key


def normal_top(expected: int, conditions: Conditions) -> Fraction:
    """The top of a board with all its results, in the unit of the conditions; 0 where scores are signed."""
    if conditions.score_method is not Method.MATCHPOINTS:
        return Fraction(NO_TOP)
    top = Fraction(top_of(max(expected, 1)))
    return top / 2 if conditions.mp_unit is MatchpointUnit.ONE_HALF_ZERO else top


__all__ = ["Board", "BoardId", "Field", "Line", "Rating", "normal_top", "rate"]
