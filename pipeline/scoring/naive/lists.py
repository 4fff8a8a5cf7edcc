"""Totals, ranks and closed deals: docs/semantics.md, sections 7 and 8 (Law 78D, 1963 articles 83 and 84)."""

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from pipeline.scoring.naive.boards import Boards
from pipeline.scoring.naive.facts import Entrant
from pipeline.scoring.naive.periods import play_ended_us
from schemas.control import CarryOverSet
from schemas.corrections import Penalty, PenaltyKind, PenaltyUnit
from schemas.policies import MatchpointUnit, Method, MissingResults, RankBy, Winners
from schemas.terms import BoardNumber, ContestantId, SessionId, StageId

EVENT = "event"


@dataclass(frozen=True, slots=True)
class NaiveRow:
    """A contestant's line in a list; no rank where nothing could be won yet."""

    total: Fraction
    available: Fraction
    boards: int
    rank: int | None
    tied: bool


@dataclass(slots=True)
class _Sum:
    points: Fraction = Fraction(0)
    available: Fraction = Fraction(0)
    boards: int = 0


def totals(boards: Boards) -> dict[str, dict[ContestantId, NaiveRow]]:
    """Every list with its rows, by `scope/line`."""
    sums: dict[str, dict[ContestantId, _Sum]] = defaultdict(lambda: defaultdict(_Sum))
    winners = boards.facts.conditions().rank_winners
    entrants = boards.facts.entrants()

    def lists_of(contestant: ContestantId, session: SessionId) -> list[str]:
        line = _line(winners, entrants.get(contestant))
        return [f"{session}/{line}", f"{EVENT}/{line}"]

    for one in boards.counted:
        for name in lists_of(one.contestant, one.session):
            row = sums[name][one.contestant]
            row.points += one.points
            row.available += one.top
            row.boards += 1
    for said in boards.facts.of(Penalty):
        for name in lists_of(said.contestant, said.session):
            sums[name][said.contestant].points -= _taken_off(said, boards)
    for (contestant, _), amount in _carried_over(boards).items():
        sums[f"{EVENT}/{_line(winners, entrants.get(contestant))}"][contestant].points += amount
    full: dict[str, Fraction] = {}
    for name, rows in sums.items():
        scope = name.partition("/")[0]
        full[scope] = max(full.get(scope, Fraction(0)), *(row.available for row in rows.values()))
    return {name: _ranked(rows, boards, full[name.partition("/")[0]]) for name, rows in sums.items()}


def _line(winners: Winners, entrant: Entrant | None) -> str:
    if entrant is None:
        return "all"
    by_section = winners in {Winners.PER_SECTION, Winners.PER_SECTION_AND_DIRECTION}
    by_direction = winners in {Winners.PER_DIRECTION, Winners.PER_SECTION_AND_DIRECTION}
    parts = [entrant.section] if by_section and entrant.section is not None else []
    line = [str(part) for part in parts]
    if by_direction and entrant.direction is not None:
        line.append(entrant.direction.value)
    return "-".join(line) or "all"


def _taken_off(penalty: Penalty, boards: Boards) -> Fraction:
    """In the unit of the list; a unit that is foreign to the method changes no total."""
    if penalty.penalty_kind is PenaltyKind.WARNING:
        return Fraction(0)
    conditions = boards.facts.conditions()
    at_matchpoints = conditions.score_method is Method.MATCHPOINTS
    if penalty.unit is PenaltyUnit.POINTS:
        return penalty.amount
    if penalty.unit is PenaltyUnit.IMPS and not at_matchpoints:
        return penalty.amount
    if penalty.unit is PenaltyUnit.PERCENT_OF_TOP and at_matchpoints:
        expected = [number for (session, _), number in boards.expected.items() if session == penalty.session]
        top = Fraction(2 * (max(expected, default=1) - 1))
        half = conditions.mp_unit is MatchpointUnit.ONE_HALF_ZERO
        return penalty.amount / 100 * (top / 2 if half else top)
    return Fraction(0)


def _carried_over(boards: Boards) -> dict[tuple[ContestantId, StageId], Fraction]:
    """By contestant and stage, as last said."""
    return {(said.contestant, said.stage): said.amount for said in boards.facts.of(CarryOverSet)}


def _ranked(rows: dict[ContestantId, _Sum], boards: Boards, most: Fraction) -> dict[ContestantId, NaiveRow]:
    conditions = boards.facts.conditions()
    factored = (
        conditions.score_method is Method.MATCHPOINTS
        and conditions.mp_missing is MissingResults.FACTORED_TOTAL
    )
    shown = {
        name: row.points * most / row.available if factored and row.available else row.points
        for name, row in rows.items()
    }
    keys = {name: _key(shown[name], row, boards) for name, row in rows.items()}
    return {
        name: NaiveRow(
            shown[name],
            row.available,
            row.boards,
            _rank(keys[name], list(keys.values())),
            keys[name] is not None and list(keys.values()).count(keys[name]) > 1,
        )
        for name, row in rows.items()
    }


def _key(total: Fraction, row: _Sum, boards: Boards) -> Fraction | None:
    """What ranks: there is no percentage at IMPs, so that there the total does."""
    conditions = boards.facts.conditions()
    if conditions.rank_by is RankBy.PER_BOARD:
        return total / row.boards if row.boards else None
    if conditions.rank_by is RankBy.PERCENTAGE and conditions.score_method is Method.MATCHPOINTS:
        return row.points / row.available if row.available else None
    return total


def _rank(key: Fraction | None, keys: list[Fraction | None]) -> int | None:
    if key is None:
        return None
    return 1 + sum(1 for other in keys if other is not None and other > key)


def closed(boards: Boards) -> dict[tuple[SessionId, BoardNumber], bool]:
    """Whether nobody still has to play a deal."""
    facts = boards.facts
    deals = {(slot.session, slot.board) for slot in boards.seated}
    still_open = {(slot.session, slot.board) for slot in boards.open}
    unplanned = set()
    for session in {session for session, _ in deals}:
        said = set(boards.seated) | set(boards.slots.counts)
        sections = {slot.section for slot in said if slot.session == session}
        sections |= facts.described_sections(session)
        without = any(not facts.planned(session, section) for section in sections)
        if without and play_ended_us(facts, session) is None:
            unplanned.add(session)
    return {deal: deal not in still_open and deal[0] not in unplanned for deal in deals}
