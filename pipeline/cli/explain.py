"""`barometer explain`: why a pair has these points on a board, or this place in a list."""

import sys
from typing import Annotated

import typer

from pipeline.cli.options import AsOfOption, EventOption, LogArgument
from pipeline.cli.status import refuse_input


def explain(
    log: LogArgument,
    pair: Annotated[str, typer.Option("--pair", help="The pair, team or player, as the lists name it.")],
    board: Annotated[
        int | None, typer.Option("--board", min=1, help="A board; without it, the total.")
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", help="The session, where there are several.")
    ] = None,
    event: EventOption = None,
    as_of: AsOfOption = None,
) -> None:
    """Explain a score step by step, each step with its law.

    Example: `barometer explain club.sqlite --pair 7NS --board 12`

    Example: `barometer explain club.sqlite --pair 7NS`
    """
    from pipeline.cli import logs
    from pipeline.scoring.explain import as_text, explain_total
    from pipeline.scoring.explain import explain as explained
    from pipeline.scoring.scores import EVENT, scores
    from schemas.terms import ContestantId

    found = logs.read_log(log)
    name = logs.chosen_event(found, event)
    folded = (
        logs.fold(found, name)
        if as_of is None
        else logs.fold_until(found, name, logs.moment(as_of, found.of(name)))
    )
    contestant = ContestantId(pair)
    if contestant not in scores(folded, EVENT):
        there = ", ".join(sorted(scores(folded, EVENT), key=lambda one: (len(one), one))) or "nobody"
        refuse_input(f"unknown-contestant: {pair}; the event has {there}")
    sessions = folded.session_names()
    if session is not None and session not in sessions:
        refuse_input(f"unknown-session: {session}; the event has {', '.join(sessions)}")
    if board is None:
        sys.stdout.write(f"{as_text(explain_total(folded, contestant, session or EVENT))}\n")
        return
    if session is None and len(sessions) != 1:
        refuse_input(
            f"unknown-session: say which with --session; the event has {', '.join(sessions) or 'none'}"
        )
    explanation = explained(folded, contestant, session or sessions[0], board)
    if not explanation.lines:
        refuse_input(f"unknown-board: {pair} does not play board {board} in session {session or sessions[0]}")
    sys.stdout.write(f"{as_text(explanation)}\n")
