"""An explanation in plain English sentences; pages in other languages say the same from its parts."""

from collections.abc import Iterator
from typing import Final

from pipeline.scoring.explain.explanation import (
    Account,
    ComparisonGroup,
    Explanation,
    LineExplained,
    State,
    TotalExplanation,
)
from pipeline.scoring.explain.phrases import counted, number, shown, signed
from pipeline.scoring.explain.step_text import sentence
from schemas.deal import Adjusted, PassedOut, Played, ScoreOnly
from schemas.policies import Method
from schemas.terms import Direction

_STATES: Final = {
    State.RATED: "",
    State.LIVE: "Not final yet: the board is still being played, and is rated on the results that are in.",
    State.ALONE: "There is no other result to compare with.",
    State.NO_RESULT: "No result has been entered yet.",
    State.NOT_PLAYED: "The board was not played: the director decides.",
    State.NO_SCORE: "The director closed the board without a score: it counts for nobody.",
    State.CANCELLED: "The board or the round was cancelled: it counts for nobody.",
    State.NOT_DUE: "The board does not have to be played here.",
    State.OTHER_TABLE: "The other table of the match is not in yet: the board counts when both are.",
    State.INCOMPARABLE: "The two tables did not play this board alike: the director decides (Laws 86, 87).",
    State.NO_MATCH: "This table belongs to no match of two tables.",
    State.NO_TOP: "The board has no top yet: its artificial score is worth something once results are in.",
}
_SIDES: Final = {Direction.NS: "North-South", Direction.EW: "East-West"}


def as_text(explanation: Explanation | TotalExplanation) -> str:
    """Say it in sentences, one step a line."""
    if isinstance(explanation, TotalExplanation):
        return "\n".join(_total(explanation))
    if not explanation.lines:
        return f"You do not play board {explanation.board} in session {explanation.session}."
    return "\n".join(_lines(explanation))


def _lines(explanation: Explanation) -> Iterator[str]:
    told = False
    for line in explanation.lines:
        # A board of a match is worth the same at both tables: it is told once.
        again = told and explanation.method is Method.TEAM_IMPS
        yield from _line(explanation, line, again=again)
        told = told or (line.shown is not None and line.shown.points is not None)


def _line(explanation: Explanation, line: LineExplained, *, again: bool) -> Iterator[str]:
    where = f"Board {explanation.board}, table {line.slot.section}{line.slot.table}, round {line.slot.round}"
    against = "" if line.opponent is None else f" against {line.opponent}"
    yield f"{where}: you sat {_SIDES[line.direction]}{against}. {_result(line)}".rstrip()
    if again:
        return
    if line.compared is not None and line.shown is not None and line.shown.points is not None:
        yield _compared(line.compared)
        yield from _account(line.shown, explanation.method)
    if _STATES[line.state]:
        yield _STATES[line.state]
    if line.counted is not None:
        yield "In the total the board counts by another rule:"
        yield from _account(line.counted, explanation.method)


def _account(account: Account, method: Method) -> Iterator[str]:
    points = account.steps[-1].gives
    of_top = f" of {account.top}" if account.top else ""
    value = shown(points) if method is Method.MATCHPOINTS else signed(points)
    first, *others = (sentence(step) for step in account.steps)
    yield f"{value}{of_top}. {first}"
    yield from others


def _result(line: LineExplained) -> str:
    scored = "" if line.score is None else f"{signed(line.score)} for you ({line.score_law})."
    match line.result:
        case Played(contract, tricks):
            return f"{contract} by {contract.declarer}, {tricks} tricks: {scored}"
        case PassedOut():
            return f"Passed out: {scored}"
        case ScoreOnly():
            return f"Noted without a contract: {scored}"
        case Adjusted():
            return f"The director assigned {scored}" if scored else "The director adjusted the score."
        case _:  # not played, no score or no result: the state says it
            return ""


def _compared(group: ComparisonGroup) -> str:
    form = f", form {group.form} of the board" if group.form else ""
    whom = {
        "section": f"section {group.name or '-'}",
        "field": "the whole field",
        "match": f"match {group.name}",
    }[group.kind]
    if group.kind == "match":
        return f"Compared within {whom}{form} ({group.law})."
    to_come = f", {group.open} still to come" if group.open else ""
    results = f"{counted(group.results, 'result')}, {group.expected} on a normal board{to_come}"
    return f"Compared with {whom}{form}: {results} ({group.law})."


def _total(total: TotalExplanation) -> Iterator[str]:
    of_tops = f" of {total.available}" if total.available else ""
    boards = counted(len(total.boards), "board")
    yield f"{boards}: {number(total.points)}{of_tops} {total.unit}."
    for share in total.boards:
        if share.award is not None:
            of_top = f" of {share.top}" if share.top else ""
            yield f"Board {share.slot.board}: {share.award}, {number(share.points)}{of_top}."
            yield from (sentence(step) for step in share.steps)
    for penalty in total.penalties:
        share_of = "" if penalty.top is None else f" ({number(penalty.amount)}% of {number(penalty.top)})"
        yield f"Penalty, {penalty.kind}: {number(-penalty.taken)}{share_of} ({penalty.law})."
    for carried in total.carried_over:
        yield f"Carried over from stage {carried.stage}: {signed(carried.amount)} ({carried.law})."
    if total.penalties or total.carried_over:
        yield f"Total: {number(total.total)}."
    if total.percentage is not None:
        per_cent = f"100 × {number(total.total)} / {total.available} = {shown(total.percentage)}%"
        yield f"Percentage: {per_cent} (White Book 4.2.5, shown by {total.percentage_round})."
    if total.full is not None:
        factored = f"{number(total.total)} × {total.full} / {total.available} = {number(total.factored)}"
        yield f"Factored up to all boards: {factored} (ACBLscore, mp.missing)."
    if total.shown != total.factored:
        yield f"Shown as {number(total.shown)} (total.round = {total.total_round})."
    if total.not_counted:
        yield f"Adding nothing, yet or at all: {counted(len(total.not_counted), 'board')}."
    yield _place(total)


def _place(total: TotalExplanation) -> str:
    if total.rank is None:
        return "No place yet: nothing has been counted."
    tied = f", shared with {', '.join(total.tied_with)}" if total.tied_with else ""
    return f"Place {total.rank}{tied}: {total.above} above, {total.below} below ({total.law})."
