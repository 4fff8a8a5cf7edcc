"""What was computed, in the shape that `formats/compare` takes, and its differences in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pipeline.cli.finished import folded, stating
from pipeline.formats.compare import Computed, ComputedTotal, Difference, compare
from pipeline.formats.imported import Imported
from pipeline.rules.rounding import rounded
from pipeline.scoring import travellers
from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.scores import EVENT, scores
from pipeline.scoring.standings import standings
from schemas.conditions import Conditions
from schemas.policies import MatchpointUnit, Method, MissingResults
from schemas.record import Slot
from schemas.terms import ContestantId, Direction

_UNROUNDED = {"line.round": "none", "mp.round": "none", "ximp.round": "none"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a file published, against ours."""

    lines: int
    totals: int
    differences: tuple[Difference, ...]


def compared(imported: Imported, event: Event) -> Comparison:
    """Compare all that a file published with the event that was folded from it."""
    conditions = event.conditions
    matchpoints = conditions.score_method is Method.MATCHPOINTS
    half = matchpoints and conditions.mp_unit is MatchpointUnit.ONE_HALF_ZERO
    differences = compare(
        imported,
        line_points(imported, event),
        totals(event, conditions),
        matchpoints=matchpoints,
        unit=Fraction(2) if half else Fraction(1),
    )
    return Comparison(len(imported.published_lines), len(imported.published_totals), differences)


def line_points(imported: Imported, event: Event) -> Mapping[tuple[Slot, Direction], Computed]:
    """Every side's points as a traveller shows them, beside the same without any rounding."""
    shown = _points(event)
    unrounded = {**imported.suggested_settings, **_UNROUNDED}
    exact = _points(folded(stating(imported, imported.suggested_preset, unrounded)))
    conditions = event.conditions
    # A traveller shows IMPs as they are; how a program that prints fewer places rounds is in `line.round`.
    signed = conditions.score_method is not Method.MATCHPOINTS
    return {
        place: Computed(
            exact.get(place, points), rounded(points, conditions.line_round) if signed else points
        )
        for place, points in shown.items()
    }


def _points(event: Event) -> dict[tuple[Slot, Direction], Fraction]:
    found: dict[tuple[Slot, Direction], Fraction] = {}
    for board in travellers.board_ids(event):
        for page in travellers.traveller(event, board):
            for line in page.lines:
                for direction, side in ((Direction.NS, line.points_ns), (Direction.EW, line.points_ew)):
                    if side.points is not None:
                        found[line.slot, direction] = Fraction(side.exact or side.points)
    return found


def totals(event: Event, conditions: Conditions) -> Mapping[ContestantId, ComputedTotal]:
    """Every contestant's total and percentage over the whole event."""
    every = scores(event, EVENT)
    rows = {
        row.contestant: row
        for name in list_ids(event)
        if name.startswith(f"{EVENT}/")
        for page in standings(event, name)
        for row in page.rows
    }
    factored = conditions.mp_missing is MissingResults.FACTORED_TOTAL
    full = max((score.available for score in every.values()), default=0)
    found = {}
    for contestant, row in rows.items():
        score = every[contestant]
        exact = score.total * full / score.available if factored and score.available else score.total
        percentage = (
            None
            if score.percentage is None or row.percentage is None
            else Computed(Fraction(score.percentage), Fraction(row.percentage))
        )
        shown = Computed(Fraction(exact), Fraction(row.exact or row.score))
        found[contestant] = ComputedTotal(shown, percentage, score.boards)
    return found
