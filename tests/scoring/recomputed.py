"""An explanation worked out again, as a reader with a pencil would: from nothing but what it shows."""

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from math import lcm
from statistics import median
from typing import assert_never

from pipeline.rules.imps import imps
from pipeline.rules.rounding import rounded
from pipeline.scoring.explain import steps as said
from schemas.policies import CrossImpFactor, CrossImpForm, DatumKind, DatumTie, ImpScale, SessionPercentage
from schemas.terms import AwardKind


def points_of(steps: tuple[said.Step, ...], scale: ImpScale) -> Fraction | None:
    """What the last step gives, after each was found to follow from its parts and those before it."""
    return _chain(steps, (), scale)


def _chain(steps: Sequence[said.Step], earlier: Sequence[said.Step], scale: ImpScale) -> Fraction | None:
    before = list(earlier)
    for step in steps:
        assert step.law
        assert step.gives == _gives(step, before, scale), step
        before.append(step)
    return steps[-1].gives if steps else None


def _gives(step: said.Step, before: list[said.Step], scale: ImpScale) -> Fraction:
    match step:
        case said.Datum() | said.AgainstDatum() | said.CrossCompared() | said.CrossFactored() | said.InForm():
            return _imps(step, before, scale)
        case said.Compared() | said.Unfactored() | said.Factored() | said.PlusOne() | said.SmallGroupShare():
            return _matchpoints(step, before)
        case said.OwnBoards() | said.ArtificialScore() | said.OfTop():
            return _award(step, before)
        case said.Alone():
            return Fraction(0)
        case said.Weighing() | said.TwoTables():
            return _weighed(step, before, scale)
        case said.Rounded():
            assert step.value == before[-1].gives
            return rounded(step.value, step.policy, step.average)
        case _:
            assert_never(step)


def _weighed(step: said.Weighing | said.TwoTables, before: list[said.Step], scale: ImpScale) -> Fraction:
    if isinstance(step, said.Weighing):
        assert sum(part.weight for part in step.components) == 1
        for part in step.components:
            assert part.gives == _chain(part.steps, before, scale)
        return sum((part.weight * part.gives for part in step.components), Fraction(0))
    assert sum(row.weight for row in step.rows) == 1
    for row in step.rows:
        assert row.net == row.at_ns_table + row.at_ew_table
        assert row.imps == imps(row.net, scale)
    return sum((row.weight * row.imps for row in step.rows), Fraction(0))


def _matchpoints(
    step: said.Compared | said.Unfactored | said.Factored | said.PlusOne | said.SmallGroupShare,
    before: list[said.Step],
) -> Fraction:
    match step:
        case said.Compared():
            return step.for_beaten * step.beaten + step.for_equalled * step.equalled
        case said.Unfactored():
            assert step.results < step.expected
            return before[-1].gives
        case said.Factored():
            assert step.points == before[-1].gives
            return (step.points * step.expected + step.itself * (step.expected - step.results)) / step.results
        case said.PlusOne():
            assert step.points == before[-1].gives
            return step.points + step.missing * step.each
        case said.SmallGroupShare():
            assert step.share == (60 + 5 * step.off_middle) / 100
            return step.share * step.top
        case _:
            assert_never(step)


def _award(step: said.OwnBoards | said.ArtificialScore | said.OfTop, before: list[said.Step]) -> Fraction:
    match step:
        case said.OwnBoards():
            return step.points / (step.available or step.boards)
        case said.ArtificialScore():
            return _artificial(step, before)
        case said.OfTop():
            assert step.share == before[-1].gives
            return step.share * step.top
        case _:
            assert_never(step)


def _imps(
    step: said.Datum | said.AgainstDatum | said.CrossCompared | said.CrossFactored | said.InForm,
    before: list[said.Step],
    scale: ImpScale,
) -> Fraction:
    match step:
        case said.Datum():
            return _datum(step)
        case said.AgainstDatum():
            for datum in before:
                assert abs(datum.gives) == abs(step.datum)
            assert step.difference == step.score - step.datum
            return Fraction(imps(step.difference, scale))
        case said.CrossCompared():
            for row in step.rows:
                assert row.difference == step.score - row.other
                assert row.imps == imps(row.difference, scale)
            return sum((row.imps * row.count for row in step.rows), Fraction(0))
        case said.CrossFactored():
            assert step.points == before[-1].gives
            if step.factor is CrossImpFactor.EBU:
                return step.points * step.expected / step.results
            return step.points * (step.expected - 1) / (step.results - 1)
        case said.InForm():
            assert step.points == before[-1].gives
            return _in_form(step)
        case _:
            assert_never(step)


def _in_form(step: said.InForm) -> Fraction:
    match step.form:
        case CrossImpForm.TOTAL:
            return step.points
        case CrossImpForm.AVERAGE:
            return step.points / (step.results - 1)
        case CrossImpForm.PER_RESULT:
            return step.points / step.results
        case CrossImpForm.SQUARE_ROOT:
            with localcontext() as context:
                context.prec = 60
                radicand = step.results * (step.results - 1) / 2
                root = (Decimal(radicand.numerator) / radicand.denominator).sqrt()
                exact = Decimal(step.points.numerator) / step.points.denominator / root
                return Fraction(exact.quantize(Decimal("0.0001"), ROUND_HALF_UP))
        case _:
            assert_never(step.form)


def _datum(step: said.Datum) -> Fraction:
    for row in step.rows:
        assert row.factored == row.count * step.factor
    lowest_first = [row.ns_points for row in step.rows]
    assert lowest_first == sorted(lowest_first)
    # At either end so much is left out, whole scores first: of each, what the ends have not used up.
    below, every = Fraction(0), sum((row.factored for row in step.rows), Fraction(0))
    for row in step.rows:
        low = max(below, step.left_out)
        high = min(below + row.factored, every - step.left_out)
        assert row.kept == max(high - low, Fraction(0))
        below += row.factored
    if step.datum_kind is DatumKind.MEAN:
        total = sum(row.kept * row.ns_points for row in step.rows)
        exact = Fraction(total) / sum(row.kept for row in step.rows)
    else:
        common = lcm(*(row.kept.denominator for row in step.rows))
        listed = [row.ns_points for row in step.rows for _ in range(int(row.kept * common))]
        exact = Fraction(median(listed))
    assert step.exact == exact
    return Fraction(_to_ten(exact, step.tie))


def _to_ten(exact: Fraction, tie: DatumTie) -> int:
    below = exact // 10 * 10
    if exact - below != 5:
        return below if exact - below < 5 else below + 10
    match tie:
        case DatumTie.AWAY_FROM_ZERO:
            return below + 10 if exact > 0 else below
        case DatumTie.EVEN_TEN:
            return below if below % 20 == 0 else below + 10
        case DatumTie.HALF_UP:
            return below + 10
        case _:
            assert_never(tie)


def _artificial(step: said.ArtificialScore, before: list[said.Step]) -> Fraction:
    assert step.flat == step.each * step.times
    if step.stated is not None:
        return step.stated * step.times
    assert step.own == (before[-1].gives if before else None)
    follows = step.own is not None and step.policy is not SessionPercentage.FLAT
    if follows and step.award_kind is AwardKind.AVE_PLUS:
        return max(step.flat, step.own or Fraction(0))
    if follows and step.award_kind is AwardKind.AVE_MINUS and step.policy is SessionPercentage.LAW_2017:
        return min(step.flat, step.own or Fraction(0))
    return step.flat
