"""Ranking lists: totals, percentages, places and what is still open, as messages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import lcm
from typing import Final, NamedTuple, assert_never

from pydantic import TypeAdapter

from pipeline.rules.adjusted import artificial_imps, artificial_percentage
from pipeline.rules.ranking import places
from pipeline.rules.rounding import decimal_text, exact_text, rounded
from pipeline.scoring.board import Board, Line, Rating, normal_top
from pipeline.scoring.event import SCORING_VERSION, Event
from pipeline.scoring.facts import Entrant
from pipeline.scoring.totals import Tally
from schemas.conditions import Conditions
from schemas.control import Period
from schemas.corrections import Appeal, Penalty, PenaltyKind, PenaltyUnit
from schemas.deal import Artificial
from schemas.policies import (
    CrossImpForm,
    MatchpointUnit,
    Method,
    MissingResults,
    RankBy,
    Rounding,
    Winners,
)
from schemas.published import ROWS_A_PAGE, Open, Row, Standings, StandingsIndex, Status
from schemas.terms import ContestantId, Direction, ListId

EVENT: Final = "event"
PLACES: Final = 2
_ROWS: Final = TypeAdapter(tuple[Row, ...])
_ORDER: Final = tuple(Status)
_DECIMALS: Final = {policy: 1 for policy in Rounding if policy.startswith("tenth")} | {
    Rounding.UNIT_AWAY_FROM_ZERO: 0
}
"""How many decimals a rounded percentage is shown with, where not two."""


class Score(NamedTuple):
    """A contestant's result in a scope, exact: `penalty` is taken off, `carry_over` brought in."""

    points: Fraction
    available: int
    boards: int
    penalty: Fraction = Fraction(0)
    carry_over: Fraction = Fraction(0)
    penalised: bool = False

    @property
    def total(self) -> Fraction:
        """What counts."""
        if not (self.penalty or self.carry_over):
            return self.points
        return self.points - self.penalty + self.carry_over

    @property
    def percentage(self) -> Fraction | None:
        """Of the tops played for; None where scores are signed or nothing was played."""
        if not self.available:
            return None
        total = self.total
        return Fraction(100 * total.numerator, total.denominator * self.available)


def list_ids(event: Event) -> tuple[ListId, ...]:
    """The lists that the event has: for each session and for the event, one for each winner."""
    lines = sorted(_lines(event)) or ["all"]
    return tuple(ListId(f"{scope}/{line}") for scope in (*event.session_names(), EVENT) for line in lines)


def line_of(event: Event, contestant: ContestantId) -> str:
    """Which list a contestant is ranked in (1963 article 83), by as much as the entry says."""
    entrant = event.facts.entrants.get(contestant)
    winners = event.conditions.rank_winners
    if entrant is None or winners is Winners.ONE:
        return "all"
    parts = []
    if winners in {Winners.PER_SECTION, Winners.PER_SECTION_AND_DIRECTION} and entrant.section is not None:
        parts.append(str(entrant.section))
    if (
        winners in {Winners.PER_DIRECTION, Winners.PER_SECTION_AND_DIRECTION}
        and entrant.direction is not None
    ):
        parts.append(str(entrant.direction))
    return "-".join(parts) or "all"


def _contestants(event: Event) -> list[ContestantId]:
    found = dict.fromkeys(event.facts.entrants)
    for tallies in event.tallies.values():
        found.update(dict.fromkeys(tallies))
    return list(found)


def _lines(event: Event) -> dict[str, list[ContestantId]]:
    """Who is ranked in which list."""
    known = event.memo.get("lines")
    if isinstance(known, dict):
        return known
    lines: dict[str, list[ContestantId]] = {}
    for contestant in _contestants(event):
        lines.setdefault(line_of(event, contestant), []).append(contestant)
    event.memo["lines"] = lines
    return lines


def award_value(
    award: Artificial, board: Board, direction: Direction, tally: Tally, event: Event
) -> tuple[Fraction, int]:
    """What an artificial score is worth to a side, and of which top (Law 12C2)."""
    conditions = event.conditions
    if conditions.score_method is Method.MATCHPOINTS:
        rating = event.rated(board)
        top = rating.ns_top if direction is Direction.NS else rating.ew_top
        own = Fraction(tally.total(), tally.available) if tally.available else None
        share = (
            award.percent / 100
            if award.percent is not None
            else artificial_percentage(award.kind, own, conditions.adj_session)
        )
        return rounded(share * top, conditions.mp_round, Fraction(top, 2)), top
    in_total = conditions.score_method is Method.CROSS_IMPS and conditions.ximp_form is CrossImpForm.TOTAL
    times = event.field_of(board).expected - 1 if in_total else 1
    if award.imps is not None:
        return award.imps * times, 0
    own = tally.total() / tally.boards if tally.boards else None
    return artificial_imps(award.kind, conditions.adj_imp_plus * times, own, conditions.adj_session), 0


def side_points(
    event: Event, board: Board, rating: Rating, line: Line, direction: Direction
) -> tuple[Fraction | None, Artificial | None]:
    """One side's exact points on a line by a rating of its board, and the award behind them if one is."""
    ns = direction is Direction.NS
    of_match = rating.awards.get(line.slot, (None, None))
    award = (line.ns_award if ns else line.ew_award) if line.home is None else of_match[0 if ns else 1]
    if award is not None:
        tally = line.ns_tally if ns else line.ew_tally
        return award_value(award, board, direction, tally or Tally(), event)[0], award
    key = line.slot if line.home is not None else (line.ns_key if ns else line.ew_key)
    number = (rating.ns if ns else rating.ew).get(key)
    return (None if number is None else Fraction(number, rating.denominator)), None


def session_score(event: Event, tally: Tally) -> tuple[Fraction, int, int]:
    """Points, tops and boards of a session, artificial scores included, penalties apart."""
    points, available, boards = tally.total(), tally.available, tally.boards
    for (_, direction), (award, board) in tally.awards.items():
        value, top = award_value(award, board, direction, tally, event)
        points, available, boards = points + value, available + top, boards + 1
    return points, available, boards


def scores(event: Event, scope: str) -> Mapping[ContestantId, Score]:
    """Every contestant's score in a session or in the whole event."""
    known = event.memo.get(("scores", scope))
    if isinstance(known, dict):
        return known
    event.rate_all()
    names = event.session_names() if scope == EVENT else (scope,)
    found: dict[ContestantId, Score] = {}
    of_sessions = [event.tallies.get(session, {}) for session in names]
    for contestant in _contestants(event):
        parts = [
            session_score(event, tallies[contestant]) for tallies in of_sessions if contestant in tallies
        ]
        if len(parts) == 1:
            found[contestant] = Score(*parts[0])
        else:
            points, available, boards = (
                tuple(map(sum, zip(*parts, strict=True))) if parts else (Fraction(0), 0, 0)
            )
            found[contestant] = Score(Fraction(points), available, boards)
    for penalty in event.facts.penalties.values():
        if penalty.session in names:
            before = found.get(penalty.contestant) or Score(Fraction(0), 0, 0)
            amount = penalty_amount(event, penalty)
            found[penalty.contestant] = before._replace(penalty=before.penalty + amount, penalised=True)
    if scope == EVENT:
        _carry_over(event, found)
    event.memo["scores", scope] = found
    return found


def _carry_over(event: Event, found: dict[ContestantId, Score]) -> None:
    for (contestant, _), record in event.facts.carry_over.items():
        before = found.get(contestant)
        if before is not None:
            carried = before.carry_over + record.amount
            found[contestant] = before._replace(carry_over=carried)


def penalty_amount(event: Event, penalty: Penalty) -> Fraction:
    """A penalty in the unit of the event; a warning takes nothing off (Law 90)."""
    if penalty.penalty_kind is PenaltyKind.WARNING:
        return Fraction(0)
    at_matchpoints = event.conditions.score_method is Method.MATCHPOINTS
    match penalty.unit:
        case PenaltyUnit.POINTS:
            return penalty.amount
        case PenaltyUnit.IMPS:
            return Fraction(0) if at_matchpoints else penalty.amount
        case PenaltyUnit.PERCENT_OF_TOP:
            expected = max(
                (
                    group.expected
                    for (session, _), group in event.groups.items()
                    if session == penalty.session
                ),
                default=0,
            )
            return penalty.amount / 100 * normal_top(expected, event.conditions)
        case PenaltyUnit.VICTORY_POINTS:
            return Fraction(0)
        case _:
            assert_never(penalty.unit)


def standings(event: Event, list_id: ListId, at_us: int | None = None) -> tuple[Standings, ...]:
    """A list in pages of 200 rows, best first; `at_us` is the moment its status is asked for.

    Raises KeyError for a list that the event does not have.
    """
    scope, _, line = list_id.partition("/")
    if list_id not in list_ids(event):
        raise KeyError(list_id)
    conditions = event.conditions
    rows = _rows(event, ranking(event, list_id), full_tops(event, scope))
    digest = sha256(_ROWS.dump_json(rows)).hexdigest()
    status, revision = status_of(event, scope, at_us)
    names = event.session_names() if scope == EVENT else (scope,)
    correction, appeal = (_until(event, names, period) for period in (Period.CORRECTION, Period.APPEAL))
    counted, due = max((row.boards for row in rows), default=0), boards_due(event, names, rows)
    pages = max(1, -(-len(rows) // ROWS_A_PAGE))
    return tuple(
        Standings(
            event=event.id,
            scoring_version=SCORING_VERSION,
            records_folded=len(event.records.by_identity),
            digest=digest,
            as_of_us=event.as_of_us,
            list=list_id,
            scope=scope,
            line=line,
            method=conditions.score_method,
            unit=unit_of(conditions),
            status=status,
            revision=revision,
            correction_until_us=correction,
            appeal_until_us=appeal,
            boards_counted=counted,
            boards_due=due,
            open=still_open(event, names, line),
            incomplete=event.incomplete,
            contestants=len(rows),
            page=page + 1,
            pages=pages,
            rows=rows[page * ROWS_A_PAGE : (page + 1) * ROWS_A_PAGE],
        )
        for page in range(pages)
    )


def unit_of(conditions: Conditions) -> str:
    """What the scores of a list are counted in."""
    if conditions.score_method is not Method.MATCHPOINTS:
        return "IMPs"
    return "match points" if conditions.mp_unit is MatchpointUnit.TWO_ONE_ZERO else "half match points"


def ranking_figure(score: Score, conditions: Conditions, full: int) -> Fraction | None:
    """The exact figure that a list is ranked by; None for who has nothing to rank by."""
    if not (score.boards or score.penalised or score.carry_over):
        return None
    match conditions.rank_by:
        case RankBy.PERCENTAGE if conditions.score_method is Method.MATCHPOINTS:
            return score.percentage
        case RankBy.PER_BOARD:
            return factored_total(score, conditions, full) / score.boards if score.boards else None
        case _:
            return factored_total(score, conditions, full)


def _order_keys(figures: Sequence[Fraction]) -> list[int]:
    """Whole numbers in the same order, ties included: one common denominator makes sorting cheap."""
    common = lcm(*{figure.denominator for figure in figures}) if figures else 1
    return [figure.numerator * (common // figure.denominator) for figure in figures]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A contestant's place in a list; no rank while there is nothing to rank by."""

    contestant: ContestantId
    score: Score
    rank: int | None
    tied: bool


def ranking(event: Event, list_id: ListId) -> tuple[Ranked, ...]:
    """A list in order, best first, then those who have nothing yet."""
    scope, _, line = list_id.partition("/")
    every = scores(event, scope)
    found = {name: every[name] for name in _lines(event).get(line, ()) if name in every}
    found.update({name: every[name] for name in every.keys() - event.facts.entrants.keys() if line == "all"})
    full = full_tops(event, scope)
    figures = {name: ranking_figure(score, event.conditions, full) for name, score in found.items()}
    ranked = {name: figure for name, figure in figures.items() if figure is not None}
    keys = dict(zip(ranked, _order_keys(list(ranked.values())), strict=True))
    numbered = {name: _by_number(event.facts.entrants.get(name), name) for name in found}
    order = sorted(keys, key=lambda name: (-keys[name], numbered[name]))
    where = places([keys[name] for name in order])
    idle = sorted(
        (name for name, figure in figures.items() if figure is None), key=lambda name: numbered[name]
    )
    return (
        *(Ranked(name, found[name], rank, tied) for name, (rank, tied) in zip(order, where, strict=True)),
        *(Ranked(name, found[name], None, tied=False) for name in idle),
    )


def _rows(event: Event, ranked: Sequence[Ranked], full: int) -> tuple[Row, ...]:
    conditions, entrants = event.conditions, event.facts.entrants
    return tuple(_row(one, entrants.get(one.contestant), conditions, full) for one in ranked)


def _by_number(entrant: Entrant | None, name: ContestantId) -> tuple[str, int, str, str]:
    if entrant is None:
        return ("", 0, "", name)
    return (entrant.section or "", entrant.number or 0, str(entrant.direction or ""), name)


def full_tops(event: Event, scope: str) -> int:
    """What a contestant with every board of a scope plays for: the highest sum of tops in it."""
    return max((score.available for score in scores(event, scope).values()), default=0)


def factored_total(score: Score, conditions: Conditions, full: int) -> Fraction:
    """The total, factored up to all boards where the conditions say so: `full` tops."""
    return (
        score.total * full / score.available if _is_factored(conditions) and score.available else score.total
    )


def _is_factored(conditions: Conditions) -> bool:
    return (
        conditions.score_method is Method.MATCHPOINTS
        and conditions.mp_missing is MissingResults.FACTORED_TOTAL
    )


def _row(ranked: Ranked, entrant: Entrant | None, conditions: Conditions, full: int) -> Row:
    score = ranked.score
    total = factored_total(score, conditions, full)
    if conditions.total_round is not Rounding.NONE:
        total = rounded(total, conditions.total_round)
    text, exact = decimal_and_exact(total)
    percentage = score.percentage
    if percentage is not None and _is_factored(conditions):
        percentage = 100 * total / full  # of the total as shown, as the ACBL has it
    decimals = _DECIMALS.get(conditions.percentage_round, PLACES)
    return Row(
        ranked.rank,
        ranked.tied,
        ranked.contestant,
        None if entrant is None else entrant.number,
        None if entrant is None else entrant.section,
        None if entrant is None or entrant.direction is None else str(entrant.direction),
        () if entrant is None else entrant.players,
        text,
        exact,
        None
        if percentage is None
        else decimal_text(percentage, decimals)
        if percentage >= 0 and conditions.percentage_round is Rounding.HUNDREDTH_HALF_UP
        else decimal_text(rounded(percentage, conditions.percentage_round), decimals),
        score.boards,
        None if not score.penalty else decimal_text(score.penalty, PLACES),
        None if not score.carry_over else decimal_text(score.carry_over, PLACES),
    )


@lru_cache(maxsize=65_536)
def decimal_and_exact(value: Fraction, decimals: int = PLACES) -> tuple[str, str | None]:
    """A decimal string, and the exact fraction where the decimal is not all of it.

    >>> decimal_and_exact(Fraction(31, 4)), decimal_and_exact(Fraction(1, 3))
    (('7.75', None), ('0.33', '1/3'))
    """
    text = decimal_text(value, decimals)
    return text, None if (value * 10**decimals).denominator == 1 else exact_text(value)


def status_of(event: Event, scope: str, at_us: int | None) -> tuple[Status, int | None]:
    """A list's status at a moment and its revision; the event has the lowest of its sessions'."""
    names = event.session_names() if scope == EVENT else (scope,)
    with_results = {session for session, _ in event.groups}
    found = []
    revision = None
    for session in names:
        facts = event.facts.session(session)
        has_results = session in with_results and any(
            tally.boards or tally.awards for tally in event.tallies.get(session, {}).values()
        )
        found.append(facts.status(results=has_results, at_us=at_us))
        published = facts.published.last()
        if published:
            revision = published if revision is None else min(revision, published)
    if not found:
        return Status.SCHEDULED, None
    return min(found, key=_ORDER.index), revision


def _until(event: Event, names: Iterable[str], period: Period) -> int | None:
    ends = [end for name in names if (end := event.facts.session(name).until(period)) is not None]
    return max(ends, default=None)


def boards_due(event: Event, names: Sequence[str], rows: Sequence[Row]) -> int:
    """The most boards that a contestant of a list has played or still has to."""
    of_sessions = [event.tallies.get(session, {}) for session in names]
    return max(
        (
            sum(tallies[row.contestant].due for tallies in of_sessions if row.contestant in tallies)
            for row in rows
        ),
        default=0,
    )


def still_open(event: Event, names: Sequence[str], line: str) -> Open:
    """What is open in these sessions; for the list of one section, in that section."""
    section = line.partition("-")[0]
    one_section = any(name == section for _, name in event.matters)
    counts = [0] * 5
    for (session, name), found in event.matters.items():
        if session in names and (name == section or not one_section):
            counts = [before + now for before, now in zip(counts, found, strict=True)]
    facts = event.facts
    appeals = sum(
        isinstance(record, Appeal) and record.session in names and name not in facts.decided
        for name, record in facts.lodged.items()
    )
    missing, unconfirmed, disputed, not_played, waiting = counts
    return Open(missing, unconfirmed, disputed, not_played, waiting, appeals)


def index(event: Event) -> StandingsIndex:
    """The lists that the event has, as a message."""
    lists = list_ids(event)
    described = event.facts.described.last()
    title = str(event.id) if described is None else described.title
    return StandingsIndex(
        event=event.id,
        scoring_version=SCORING_VERSION,
        records_folded=len(event.records.by_identity),
        digest=sha256("\n".join((title, *lists)).encode()).hexdigest(),
        as_of_us=event.as_of_us,
        title=title,
        lists=lists,
    )
