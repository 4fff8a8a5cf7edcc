"""Ranking lists as messages: rows, status, periods and what is still open."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

from pydantic import ConfigDict, TypeAdapter

from pipeline.rules.rounding import decimal_text, rounded
from pipeline.scoring.event import SCORING_VERSION, Event
from pipeline.scoring.facts import Entrant
from pipeline.scoring.lists import Ranked, factored_total, full_tops, is_factored, list_ids, ranking
from pipeline.scoring.scores import EVENT, PLACES, decimal_and_exact, unit_of
from schemas.conditions import Conditions
from schemas.control import Period
from schemas.corrections import Appeal
from schemas.policies import Rounding
from schemas.published import ROWS_A_PAGE, Open, Row, Standings, StandingsIndex, Status
from schemas.terms import ListId

_ROWS: Final = TypeAdapter(tuple[Row, ...], config=ConfigDict(defer_build=True))
_ORDER: Final = tuple(Status)
_DECIMALS: Final = {policy: 1 for policy in Rounding if policy.startswith("tenth")} | {
    Rounding.UNIT_AWAY_FROM_ZERO: 0
}
"""How many decimals a rounded percentage is shown with, where not two."""


def standings(event: Event, list_id: ListId, at_us: int | None = None) -> tuple[Standings, ...]:
    """A list in pages of 200 rows, best first; `at_us` is the moment its status is asked for.

    Raises KeyError for a list that the event does not have.
    """
    scope, _, line = list_id.partition("/")
    conditions = event.conditions
    rows = rows_of(event, list_id)
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


def _row(ranked: Ranked, entrant: Entrant | None, conditions: Conditions, full: int) -> Row:
    score = ranked.score
    total = factored_total(score, conditions, full)
    if conditions.total_round is not Rounding.NONE:
        total = rounded(total, conditions.total_round)
    text, exact = decimal_and_exact(total)
    percentage = score.percentage
    if percentage is not None and is_factored(conditions):
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


def rows_of(event: Event, list_id: ListId) -> tuple[Row, ...]:
    """The rows of a list, best first.

    Raises KeyError for a list that the event does not have.
    """
    if list_id not in list_ids(event):
        raise KeyError(list_id)
    full = full_tops(event, list_id.partition("/")[0])
    conditions, entrants = event.conditions, event.facts.entrants
    return tuple(_row(one, entrants.get(one.contestant), conditions, full) for one in ranking(event, list_id))


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
