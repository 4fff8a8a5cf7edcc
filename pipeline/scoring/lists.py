"""Which lists an event has, who is ranked in each, and in what order."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from pipeline.rules.ranking import places
from pipeline.scoring.event import Event
from pipeline.scoring.facts import Entrant
from pipeline.scoring.scores import EVENT, Score, contestants, scores
from schemas.conditions import Conditions
from schemas.policies import Method, MissingResults, RankBy, Winners
from schemas.terms import ContestantId, ListId


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


def _lines(event: Event) -> dict[str, list[ContestantId]]:
    """Who is ranked in which list."""
    known = event.memo.get("lines")
    if isinstance(known, dict):
        return known
    lines: dict[str, list[ContestantId]] = {}
    for contestant in contestants(event):
        lines.setdefault(line_of(event, contestant), []).append(contestant)
    event.memo["lines"] = lines
    return lines


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


def ranking_figure(score: Score, conditions: Conditions, full: int) -> Fraction | None:
    """The exact figure that a list is ranked by; None for who has nothing to rank by."""
    if not (score.boards or score.listed):
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
        score.total * full / score.available if is_factored(conditions) and score.available else score.total
    )


def is_factored(conditions: Conditions) -> bool:
    """Tell whether totals are factored up to all boards."""
    return (
        conditions.score_method is Method.MATCHPOINTS
        and conditions.mp_missing is MissingResults.FACTORED_TOTAL
    )
