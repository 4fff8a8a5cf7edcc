"""One side of a line: what it is rated by and what it is compared with, as that side sees scores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pipeline.rules.rounding import rounded
from pipeline.scoring.board import Board, Chart, Key, Line
from pipeline.scoring.explain.steps import Component, PlainStep, Rounded, Step, Weighing
from schemas.deal import Artificial, Weighted
from schemas.policies import Rounding
from schemas.terms import Direction, Points

_WEIGHTED: Final = "Law 12C1c: each component is turned into points first, then weighted"


@dataclass(frozen=True, slots=True)
class Side:
    """A side's `key` and `ns_chart` in North-South's points, its award and its direction."""

    direction: Direction
    key: Key | None
    award: Artificial | None
    ns_chart: Chart

    def own(self, ns_points: int) -> Points:
        """A score of North-South as this side sees it."""
        return Points(ns_points if self.direction is Direction.NS else -ns_points)

    @property
    def chart(self) -> Chart:
        """The chart in this side's points."""
        return {self.own(score): count for score, count in self.ns_chart.items()}

    @property
    def results(self) -> Fraction:
        """The weight of the chart: A."""
        return Fraction(sum(self.ns_chart.values()))

    @property
    def components(self) -> tuple[Weighted, ...]:
        """The scores that this side is rated by, each as it sees it; none for an artificial score."""
        if self.key is None:
            return ()
        if isinstance(self.key, int):
            return (Weighted(self.own(self.key), Fraction(1)),)
        return tuple(Weighted(self.own(part.ns_points), part.weight) for part in self.key)


def side_of(board: Board, line: Line, direction: Direction) -> Side:
    """The side of a line that sits in a direction."""
    if direction is Direction.NS:
        return Side(direction, line.ns_key, line.ns_award, board.ns_chart)
    return Side(direction, line.ew_key, line.ew_award, board.ew_chart)


def weighed(side: Side, steps_of: Callable[[Points], Sequence[PlainStep]]) -> tuple[Step, ...]:
    """The steps of a side's score, or of each component and their weighing (Law 12C1c)."""
    if not isinstance(side.key, tuple):
        return tuple(step for part in side.components for step in steps_of(part.ns_points))
    components = []
    for part in side.components:
        steps = tuple(steps_of(part.ns_points))
        components.append(
            Component(score=part.ns_points, weight=part.weight, steps=steps, gives=steps[-1].gives)
        )
    gives = sum((part.weight * part.gives for part in components), Fraction(0))
    return (Weighing(components=tuple(components), gives=gives, law=_WEIGHTED),)


def rounded_by(
    steps: tuple[Step, ...], policy: Rounding, setting: str, average: Fraction = Fraction(0)
) -> tuple[Step, ...]:
    """The steps with the rounding that the conditions name, if any."""
    if not steps or policy is Rounding.NONE:
        return steps
    value = steps[-1].gives
    law = f"White Book 4.2.6, {setting} (the Laws leave rounding to regulation)"
    gives = rounded(value, policy, average)
    return (*steps, Rounded(value=value, policy=policy, average=average, gives=gives, law=law))
