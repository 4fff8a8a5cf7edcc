"""Each step of an explanation as a sentence with its sum and its law."""

from fractions import Fraction
from typing import Final, assert_never

from pipeline.scoring.explain.phrases import counted, factor, number, signed
from pipeline.scoring.explain.steps import (
    AgainstDatum,
    Alone,
    ArtificialScore,
    Compared,
    CrossCompared,
    CrossFactored,
    Datum,
    Factored,
    InForm,
    OfTop,
    OwnBoards,
    PlusOne,
    Rounded,
    SmallGroupShare,
    Step,
    TwoTables,
    Unfactored,
    Weighing,
)
from schemas.policies import CrossImpFactor, CrossImpForm
from schemas.terms import AwardKind

_KINDS: Final = {AwardKind.AVE_PLUS: "Ave+", AwardKind.AVE: "Ave", AwardKind.AVE_MINUS: "Ave−"}


def sentence(step: Step) -> str:
    """What a step does, with its numbers."""
    match step:
        case Compared() | Unfactored() | Factored() | PlusOne() | SmallGroupShare():
            return _of_matchpoints(step)
        case Datum() | AgainstDatum() | CrossCompared() | CrossFactored() | InForm() | Alone() | TwoTables():
            return _of_imps(step)
        case OwnBoards() | ArtificialScore() | OfTop():
            return _of_award(step)
        case Weighing():
            parts = "; ".join(
                f"{signed(part.score)}: {' '.join(map(sentence, part.steps))}" for part in step.components
            )
            products = " + ".join(f"{number(part.weight)}×{factor(part.gives)}" for part in step.components)
            return f"Weighted ({step.law}). {parts} Together {products} = {number(step.gives)}."
        case Rounded():
            return f"Rounded from {number(step.value)} to {number(step.gives)}: {step.policy} ({step.law})."
        case _:
            assert_never(step)


def _of_matchpoints(step: Compared | Unfactored | Factored | PlusOne | SmallGroupShare) -> str:
    match step:
        case Compared():
            return _compared(step)
        case Unfactored():
            missing = f"{counted(step.results, 'result')} on a board of {step.expected}"
            return f"{missing}: the points stay as they are, over their own top ({step.law})."
        case Factored():
            missing = f"{counted(step.results, 'result')} on a board of {step.expected}"
            sum_ = f"({number(step.points)} + {number(step.itself)}) × {step.expected}/{number(step.results)}"
            return f"{missing}: {sum_} − {number(step.itself)} = {number(step.gives)} ({step.law})."
        case PlusOne():
            added = f"{number(step.points)} + {number(step.missing)}×{number(step.each)}"
            return f"{counted(step.missing, 'result')} missing: {added} = {number(step.gives)} ({step.law})."
        case SmallGroupShare():
            group = f"A group of {number(step.results)} on a board of {step.expected}"
            share = f"60% + {factor(step.off_middle)}×5% = {number(100 * step.share)}%"
            return f"{group}: {share} of {number(step.top)} = {number(step.gives)} ({step.law})."
        case _:
            assert_never(step)


def _compared(step: Compared) -> str:
    beaten = f"{counted(step.beaten, 'result')} ({number(step.for_beaten)} each)"
    equalled = f"{number(step.equalled)} ({number(step.for_equalled)} each)"
    products = (
        f"{number(step.beaten)}×{number(step.for_beaten)}"
        f" + {factor(step.equalled)}×{number(step.for_equalled)}"
    )
    return f"You beat {beaten} and tied {equalled}: {products} = {number(step.gives)} ({step.law})."


def _of_imps(
    step: Datum | AgainstDatum | CrossCompared | CrossFactored | InForm | Alone | TwoTables,
) -> str:
    match step:
        case Datum():
            return _datum(step)
        case AgainstDatum():
            difference = f"{signed(step.score)} against {signed(step.datum)} is {signed(step.difference)}"
            return f"{difference}: {signed(step.gives)} IMPs ({step.law})."
        case CrossCompared():
            rows = ", ".join(
                f"{number(row.count)}×{signed(row.imps)} against {signed(row.other)}"
                for row in step.rows
                if row.count
            )
            return f"Compared with every other result: {rows}: {signed(step.gives)} IMPs ({step.law})."
        case CrossFactored():
            by_results = step.factor is CrossImpFactor.EBU
            less = 0 if by_results else 1
            times = f"{step.expected - less}/{number(step.results - less)}"
            return (
                f"Results are missing: {number(step.points)} × {times} = {number(step.gives)} ({step.law})."
            )
        case InForm():
            return _in_form(step)
        case Alone():
            return f"Nobody to compare with: 0 IMPs ({step.law})."
        case TwoTables():
            rows = "; ".join(
                f"{signed(row.at_ns_table)} and {signed(row.at_ew_table)} are {signed(row.net)}:"
                f" {signed(row.imps)} IMPs" + ("" if row.weight == 1 else f" × {number(row.weight)}")
                for row in step.rows
            )
            return f"Both tables, North-South then East-West: {rows}: {signed(step.gives)} ({step.law})."
        case _:
            assert_never(step)


def _datum(step: Datum) -> str:
    times = "" if step.factor == 1 else f"each counted {number(step.factor)} times, "
    left = f"{number(step.left_out)} left out at either end, " if step.left_out else "nothing left out, "
    exact = f"{step.datum_kind} {signed(step.exact)}"
    return (
        f"Datum for North-South: {times}{left}{exact},"
        f" to the nearest ten ({step.tie}) {signed(step.gives)} ({step.law})."
    )


def _in_form(step: InForm) -> str:
    divisor = {
        CrossImpForm.TOTAL: "1",
        CrossImpForm.AVERAGE: f"{number(step.results - 1)} comparisons",
        CrossImpForm.PER_RESULT: f"{number(step.results)} results",
        CrossImpForm.SQUARE_ROOT: f"√({number(step.results)}×{number(step.results - 1)}/2), to four places",
    }[step.form]
    return f"{number(step.points)} / {divisor} = {number(step.gives)} ({step.law})."


def _of_award(step: OwnBoards | ArtificialScore | OfTop) -> str:
    match step:
        case OwnBoards() if step.available:
            share = f"{number(step.points)} of {step.available}, {number(100 * step.gives)}%"
            return f"Your other {counted(step.boards, 'board')}: {share} ({step.law})."
        case OwnBoards():
            share = f"{number(step.points)} IMPs, {number(step.gives)} a board"
            return f"Your other {counted(step.boards, 'board')}: {share} ({step.law})."
        case ArtificialScore():
            return f"{_KINDS[step.award_kind]}: {_reason(step)} ({step.law})."
        case OfTop():
            return f"{number(100 * step.share)}% of {step.top} = {number(step.gives)} ({step.law})."
        case _:
            assert_never(step)


def _reason(step: ArtificialScore) -> str:
    each = step.each if step.stated is None else step.stated
    if step.stated is None and step.gives == step.own != step.flat:
        return f"what you have on your other boards, in place of {_amount(step, step.flat)}"
    times = "" if step.times == 1 else f"{number(each)} × {step.times} = "
    stated = "" if step.stated is None else ", as the director stated"
    return f"{times}{_amount(step, step.gives)}{stated}"


def _amount(step: ArtificialScore, value: Fraction) -> str:
    return f"{number(100 * value)}%" if step.in_percent else f"{signed(value)} IMPs"
