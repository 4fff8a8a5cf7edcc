"""Who may see what: the one place that decides it (docs/semantics.md section 8)."""

from collections.abc import Iterable
from dataclasses import replace
from http import HTTPStatus
from typing import Final

from pipeline.history import Difference, ListChange
from pipeline.ports import Secrecy, Tick
from pipeline.web.problem import Problem
from pipeline.web.roles import Viewer
from schemas.decisions import Decision
from schemas.policies import ShowStandings, ShowTraveller
from schemas.published import Status

_OFFICIAL: Final = frozenset({Status.OFFICIAL_OPEN, Status.OFFICIAL_CLOSED, Status.FINAL})


def may_see_deal(viewer: Viewer, secrecy: Secrecy, deal: tuple[str, int]) -> bool:
    """Tell whether travellers, explanations and lines of a (session, board) may reach somebody now.

    Directors and scorers see all. Everybody else waits until nobody still has to play the deal, whatever
    moment is asked for; a table that asks over HTTP is no exception, for its players may talk.
    """
    if viewer.is_insider:
        return True
    if deal not in secrecy.closed:
        return False
    match secrecy.show_traveller:
        case ShowTraveller.AFTER_DEAL_CLOSED | ShowTraveller.AFTER_OWN_BOARD:
            return True
        case ShowTraveller.AFTER_ROUND:
            return deal in secrecy.round_over
        case ShowTraveller.AFTER_SESSION:
            return deal[0] in secrecy.ended


def deal_hidden() -> Problem:
    """The answer about a deal that may not be seen; the same whether or not there is anything to see."""
    return Problem(
        HTTPStatus.FORBIDDEN,
        "deal-not-closed",
        "this deal may not be seen yet: somebody still has to play it",
    )


def require_deal(viewer: Viewer, secrecy: Secrecy, deal: tuple[str, int]) -> None:
    """Let those pass who may see a deal. Raises Problem: 403."""
    if not may_see_deal(viewer, secrecy, deal):
        raise deal_hidden()


def list_moment(viewer: Viewer, secrecy: Secrecy, scope: str, as_of_us: int | None) -> int | None:
    """As of which moment somebody sees a scope's lists; None: live. Raises Problem: 403."""
    until = None if viewer.is_insider else secrecy.rounds_until_us.get(scope)
    if until is None or secrecy.show_standings is not ShowStandings.AFTER_ROUND:
        return as_of_us
    if until == 0:
        raise Problem(HTTPStatus.FORBIDDEN, "round-not-over", "standings are shown after each round")
    return until if as_of_us is None else min(until, as_of_us)


def may_see_list(viewer: Viewer, secrecy: Secrecy, status: Status | None) -> bool:
    """Tell whether a list with this status may reach somebody."""
    if viewer.is_insider or secrecy.show_standings is not ShowStandings.AT_PUBLICATION:
        return True
    return status in _OFFICIAL


def require_list(viewer: Viewer, secrecy: Secrecy, statuses: Iterable[Status | None]) -> None:
    """Let those pass who may see lists with all these statuses. Raises Problem: 403."""
    if not all(may_see_list(viewer, secrecy, status) for status in statuses):
        raise Problem(
            HTTPStatus.FORBIDDEN, "not-published", "standings are shown once the score is published"
        )


def shown_decision(viewer: Viewer, decision: Decision) -> Decision:
    """A decision as somebody may see it: the public learns verdict and reason.

    No digest of what was said: there are few results, so each could be tried until the digest fits.
    """
    if viewer.is_insider:
        return decision
    return Decision(
        decision.event,
        decision.record,
        decision.kind,
        decision.verdict,
        decision.reason,
        stamp=decision.stamp,
    )


def shown_tick(viewer: Viewer, secrecy: Secrecy, tick: Tick) -> Tick | None:
    """A tick as somebody may see it; None where nothing is left of it."""
    if viewer.is_insider:
        return tick
    boards = frozenset(board for board in tick.boards if may_see_deal(viewer, secrecy, board.deal))
    if not (boards or tick.scopes or tick.whole):
        return None
    return replace(tick, boards=boards, decisions=frozenset())


def shown_difference(viewer: Viewer, secrecy: Secrecy, found: Difference) -> Difference:
    """What changed, as somebody may see it."""
    if viewer.is_insider:
        return found
    return replace(
        found,
        lists=tuple(change for change in found.lists if _may_see_change(viewer, secrecy, change)),
        boards=tuple(board for board in found.boards if may_see_deal(viewer, secrecy, board.deal)),
    )


def _may_see_change(viewer: Viewer, secrecy: Secrecy, change: ListChange) -> bool:
    scope = change.list.partition("/")[0]
    if secrecy.show_standings is ShowStandings.AFTER_ROUND and scope in secrecy.rounds_until_us:
        return False
    statuses = {change.status_before, change.status_after} - {None}
    return all(may_see_list(viewer, secrecy, status) for status in statuses)
