"""The points of each side on each board: docs/semantics.md, section 6."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pipeline.scoring.naive.charts import Chart, Group, top, value
from pipeline.scoring.naive.deal import imps, ns_score
from pipeline.scoring.naive.facts import NOBODY, Facts, Pairs
from pipeline.scoring.naive.rounding import rounded
from pipeline.scoring.naive.slots import Slots
from schemas.control import MatchSet, MovementChanged, MovementSet, SeatingChanged
from schemas.deal import Adjusted, Artificial, NoScore, NotPlayed, Result
from schemas.policies import (
    Comparison,
    CrossImpForm,
    MatchpointUnit,
    Method,
    Rounding,
    SessionPercentage,
)
from schemas.record import Slot
from schemas.terms import AwardKind, ContestantId, Direction, SectionId, SessionId, Unplayed

Side = tuple[Slot, Direction]
Compared = tuple[SessionId, SectionId | None]
SHARES: Final = {
    AwardKind.AVE_PLUS: Fraction(60, 100),
    AwardKind.AVE: Fraction(50, 100),
    AwardKind.AVE_MINUS: Fraction(40, 100),
}


@dataclass(frozen=True, slots=True)
class Counted:
    """A board that counts for a contestant: points of the top, in the unit of the conditions."""

    contestant: ContestantId
    session: SessionId
    points: Fraction
    top: Fraction
    artificial: bool


@dataclass(slots=True)
class Boards:
    """Everything that stands on the boards of an event."""

    facts: Facts
    slots: Slots
    results: dict[Slot, Result] = field(default_factory=dict)
    seated: dict[Slot, Pairs] = field(default_factory=dict)
    due: set[Slot] = field(default_factory=set)
    open: set[Slot] = field(default_factory=set)
    expected: dict[Compared, int] = field(default_factory=dict)
    groups: dict[Side, Group] = field(default_factory=dict)
    points: dict[Side, Fraction | None] = field(default_factory=dict)
    counted: list[Counted] = field(default_factory=list)

    def compared(self, slot: Slot) -> Compared:
        """The section, or the whole session, that a slot is compared in."""
        whole = self.facts.conditions().field_compare is Comparison.FIELD
        return (slot.session, None if whole else slot.section)

    def ns_points(self, slot: Slot, direction: Direction) -> list[tuple[int, Fraction]]:
        """The scores of North-South that one side puts in its chart, with their weights."""
        result = self.results.get(slot)
        if isinstance(result, Adjusted):
            award = result.of(direction)
            if isinstance(award, Artificial):
                return []
            return [(int(part.ns_points), part.weight) for part in award.components]
        score = ns_score(result, self.facts.vulnerability(slot), self.facts.conditions().score_table)
        return [] if score is None else [(score, Fraction(1))]

    def own(self, slot: Slot, direction: Direction) -> Chart:
        """The same from the side itself."""
        sign = 1 if direction is Direction.NS else -1
        return [(sign * score, weight) for score, weight in self.ns_points(slot, direction)]

    def artificial(self, slot: Slot, direction: Direction) -> Artificial | None:
        """A side's artificial score."""
        result = self.results.get(slot)
        if not isinstance(result, Adjusted):
            return None
        award = result.of(direction)
        return award if isinstance(award, Artificial) else None


def scored(facts: Facts, slots: Slots) -> Boards:
    """Score every board."""
    boards = Boards(facts, slots)
    plan = planned(facts)
    for slot in sorted(plan | set(slots.stacks), key=str):
        _look_at(slot, boards, in_plan=slot in plan)
    _expect(boards)
    if facts.conditions().score_method is Method.TEAM_IMPS:
        for match in facts.matches():
            _play_match(match, boards)
    else:
        _chart(boards)
        _rate(boards)
    return boards


def planned(facts: Facts) -> set[Slot]:
    """Every slot of a movement, a match or a seating."""
    sections = {(match.session, table.section) for match in facts.matches() for table in match.tables}
    sections |= {(said.session, said.section) for said in facts.of(MovementSet)}
    sections |= {(said.session, said.section) for said in facts.of(MovementChanged)}
    sections |= {(said.session, said.section) for said in facts.of(SeatingChanged)}
    return {
        Slot(session, section, at[0], at[1], board)
        for session, section in sections
        for at, seating in facts.seating(session, section).items()
        for board in seating.boards
    }


def _look_at(slot: Slot, boards: Boards, *, in_plan: bool) -> None:
    identity = boards.slots.effective(slot)
    result = None if identity is None else boards.slots.content(identity, slot)
    pairs = boards.slots.seated(identity, slot)
    boards.seated[slot] = pairs
    if boards.facts.cancelled(slot) or isinstance(result, NoScore):
        due = False
    elif result is not None:
        due = True
    else:
        gone = any(name is not None and boards.facts.plays_no_more(name, slot) for name in pairs)
        due = in_plan and None not in pairs and not gone
    if result is not None:
        boards.results[slot] = result
    if due:
        boards.due.add(slot)
        waits = isinstance(result, NotPlayed) and result.cause is Unplayed.LATE_PLAY_DUE
        if result is None or waits:
            boards.open.add(slot)


def _expect(boards: Boards) -> None:
    results: dict[tuple[Compared, int], int] = defaultdict(int)
    for slot in boards.due:
        results[boards.compared(slot), slot.board] += 1
    for (compared, _), number in results.items():
        boards.expected[compared] = max(number, boards.expected.get(compared, 0))


def _chart(boards: Boards) -> None:
    charts: dict[tuple[Compared, int, Direction], dict[str, Chart]] = defaultdict(dict)
    live = set()
    for slot in sorted(boards.due, key=str):
        compared, form = boards.compared(slot), boards.facts.form(slot)
        if slot in boards.open:
            live.add((compared, slot.board, form))
        for direction in Direction:
            forms = charts[compared, slot.board, direction]
            forms.setdefault(form, []).extend(boards.own(slot, direction))
    groups: dict[tuple[Compared, int, Direction, str], Group] = {}
    for (compared, board, direction), forms in charts.items():
        sizes = {form: sum(weight for _, weight in chart) for form, chart in forms.items()}
        for form, chart in forms.items():
            groups[compared, board, direction, form] = Group(
                chart,
                direction,
                boards.expected[compared],
                live=(compared, board, form) in live,
                largest=sizes[form] == max(sizes.values()),
            )
    for slot in boards.due:
        for direction in Direction:
            key = (boards.compared(slot), slot.board, direction, boards.facts.form(slot))
            boards.groups[slot, direction] = groups[key]


def _rate(boards: Boards) -> None:
    """Real scores first, then the artificial ones, which look at them."""
    conditions = boards.facts.conditions()
    at_matchpoints = conditions.score_method is Method.MATCHPOINTS
    half = at_matchpoints and conditions.mp_unit is MatchpointUnit.ONE_HALF_ZERO
    unit = Fraction(1, 2) if half else Fraction(1)
    rounding = {Method.MATCHPOINTS: conditions.mp_round, Method.CROSS_IMPS: conditions.ximp_round}.get(
        conditions.score_method, Rounding.NONE
    )
    sides = sorted(boards.groups, key=str)
    for slot, direction in sides:
        group = boards.groups[slot, direction]
        own = boards.own(slot, direction)
        if own:
            exact = sum((weight * value(score, group, conditions) for score, weight in own), Fraction(0))
            of = top(group, conditions) * unit if at_matchpoints else Fraction(0)
            _count(boards, slot, direction, rounded(exact * unit, rounding, of / 2), of, artificial=False)
    averages = {
        key: _average(boards, *key) for key in {(one.contestant, one.session) for one in boards.counted}
    }
    for slot, direction in sides:
        award = boards.artificial(slot, direction)
        group = boards.groups[slot, direction]
        contestant = boards.seated[slot][0 if direction is Direction.NS else 1]
        average = None if contestant is None else averages.get((contestant, slot.session))
        if award is not None and at_matchpoints:
            of = top(group, conditions) * unit
            points = rounded(_share(award, average, conditions.adj_session) * of, rounding, of / 2)
            _count(boards, slot, direction, points, of, artificial=True)
        elif award is not None:
            total = (
                conditions.score_method is Method.CROSS_IMPS and conditions.ximp_form is CrossImpForm.TOTAL
            )
            times = Fraction(group.expected - 1) if total else Fraction(1)
            points = _imps(award, average, conditions.adj_imp_plus, times, conditions.adj_session)
            _count(boards, slot, direction, points, Fraction(0), artificial=True)


def _count(
    boards: Boards, slot: Slot, direction: Direction, points: Fraction, of: Fraction, *, artificial: bool
) -> None:
    boards.points[slot, direction] = points
    contestant = boards.seated[slot][0 if direction is Direction.NS else 1]
    if contestant is not None:
        boards.counted.append(Counted(contestant, slot.session, points, of, artificial))


def _average(boards: Boards, contestant: ContestantId, session: SessionId) -> Fraction | None:
    """A contestant's share of the tops, or IMPs per board, on the boards without an artificial score."""
    own = [
        one
        for one in boards.counted
        if (one.contestant, one.session) == (contestant, session) and not one.artificial
    ]
    won = sum((one.points for one in own), Fraction(0))
    if boards.facts.conditions().score_method is not Method.MATCHPOINTS:
        return won / len(own) if own else None
    tops = sum((one.top for one in own), Fraction(0))
    return won / tops if tops else None


def _share(award: Artificial, own: Fraction | None, policy: SessionPercentage) -> Fraction:
    """Law 12C2, 1963 article 107: the share of the top."""
    if award.percent is not None:
        return award.percent / 100
    return _followed(award.kind, SHARES[award.kind], own, policy)


def _imps(
    award: Artificial, own: Fraction | None, plus: Fraction, times: Fraction, policy: SessionPercentage
) -> Fraction:
    """Law 12C2 at IMPs; `times` the comparisons where the total of them is the score."""
    if award.imps is not None:
        return award.imps * times
    flat = {AwardKind.AVE_PLUS: plus, AwardKind.AVE: Fraction(0), AwardKind.AVE_MINUS: -plus}[award.kind]
    return _followed(award.kind, flat * times, own, policy)


def _followed(kind: AwardKind, flat: Fraction, own: Fraction | None, policy: SessionPercentage) -> Fraction:
    if own is None or policy is SessionPercentage.FLAT or kind is AwardKind.AVE:
        return flat
    if kind is AwardKind.AVE_PLUS:
        return max(flat, own)
    return min(flat, own) if policy is SessionPercentage.LAW_2017 else flat


def _play_match(match: MatchSet, boards: Boards) -> None:
    """Law 78B: what a team won at its two tables together, in IMPs; artificial boards after the others."""
    conditions = boards.facts.conditions()
    if len(match.tables) != 2:
        return
    later = []
    for board in dict.fromkeys(match.boards):
        at = [
            (slot, _home(match, boards.seated.get(slot, NOBODY), table.home))
            for table in match.tables
            for slot in [Slot(match.session, table.section, match.round, table.table, board)]
        ]
        if not all(slot in boards.due and boards.results.get(slot) is not None for slot, _ in at):
            continue
        if any(isinstance(boards.results[slot], NotPlayed) for slot, _ in at):
            continue
        for team in (match.home, match.visit):
            sides = [(slot, home if team == match.home else home.other) for slot, home in at]
            sides.sort(key=lambda side: side[1] is not Direction.NS)
            awards = [boards.artificial(slot, direction) for slot, direction in sides]
            award = next((one for one in awards if one is not None), None)
            forms = {boards.facts.form(slot) for slot, _ in sides}
            if award is None and (len(forms) > 1 or sides[0][1] is sides[1][1]):
                continue
            if award is None:
                (first, second) = (boards.own(slot, direction) for slot, direction in sides)
                points = sum(
                    (
                        one * other * imps(here + there, conditions.imp_scale)
                        for here, one in first
                        for there, other in second
                    ),
                    Fraction(0),
                )
                _count_match(boards, team, sides, points, artificial=False)
            else:
                later.append((team, sides, award))
    for team, sides, award in later:
        average = _average(boards, team, match.session)
        points = _imps(award, average, conditions.adj_imp_plus, Fraction(1), conditions.adj_session)
        _count_match(boards, team, sides, points, artificial=True)


def _home(match: MatchSet, seated: Pairs, planned_home: Direction) -> Direction:
    """Where the home team really sat."""
    if seated[0] == match.home:
        return Direction.NS
    return Direction.EW if seated[1] == match.home else planned_home


def _count_match(
    boards: Boards, team: ContestantId, sides: list[Side], points: Fraction, *, artificial: bool
) -> None:
    """A board of a match counts once for a team, and is shown at both tables."""
    for side in sides:
        boards.points[side] = points
    boards.counted.append(Counted(team, sides[0][0].session, points, Fraction(0), artificial))
