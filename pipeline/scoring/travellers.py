"""Travellers: one board in one comparison group, its frequency table and its lines, as messages."""

from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from typing import Final

from pydantic import ConfigDict, TypeAdapter

from pipeline.rules.imps import imps
from pipeline.scoring.board import Board, BoardId, Key, Line, Rating, rate
from pipeline.scoring.charting import SlotState
from pipeline.scoring.event import SCORING_VERSION, Event
from pipeline.scoring.record_set import END
from pipeline.scoring.scores import decimal_and_exact, side_points
from pipeline.scoring.standing import Effective, Holder
from schemas.deal import Adjusted, Artificial, NoScore, NotPlayed
from schemas.decisions import Flag, Verdict
from schemas.policies import Confirmation, Method
from schemas.published import LINES_A_PAGE, Frequency, SideScore, Traveller, TravellerLine
from schemas.terms import BoardNumber, Direction, Points, SessionId

_LINES: Final = TypeAdapter(tuple[TravellerLine, ...], config=ConfigDict(defer_build=True))
_UNINITIALLED: Final = (NotPlayed, NoScore)
"""Where there is nothing for the opponents to initial."""
_FAR_FROM_THE_FIELD: Final = 12
"""IMPs to the nearest other score from which a lone result is flagged."""


def board_ids(event: Event) -> tuple[BoardId, ...]:
    """The boards that have anything on them or are due, in order."""
    return tuple(sorted(event.boards))


def is_closed(event: Event, session: str, board: int) -> bool:
    """Tell whether nobody still has to play a deal (docs/semantics.md section 8)."""
    if any(
        form.open
        for (name, _), group in event.groups.items()
        if name == session
        for form in group.boards.get(board, ())
    ):
        return False
    facts = event.facts
    if facts.session(session).ended_us is not None:
        return True
    described = facts.described.last()
    plans = () if described is None else described.sessions
    sections: set[str] = {section for plan in plans if plan.id == session for section in plan.sections}
    sections |= {section for (name, section) in event.sections if name == session}
    planned: set[str] = {section for (name, section) in _seated_sections(event) if name == session}
    planned |= {
        table.section
        for match in facts.matches.values()
        if match.session == session
        for table in match.tables
    }
    return sections <= planned


def _seated_sections(event: Event) -> frozenset[tuple[str, str]]:
    """The (session, section) with a movement in which anybody sits.

    Where nobody is entered yet no slot is open, though everybody is still to come.
    """
    known = event.memo.get(_seated_sections)
    if isinstance(known, frozenset):
        return known
    facts = event.facts
    found = frozenset(
        (session, section)
        for (session, section), timeline in facts.movements.items()
        if any(
            (sat := facts.table_at((session, section, *at), END)) is not None
            and not (sat.ns is None and sat.ew is None)
            for at in timeline.values[-1].tables
        )
    )
    event.memo[_seated_sections] = found
    return found


def shown_rating(event: Event, board: Board) -> Rating:
    """How a traveller's lines are shown: totals may follow another rule."""
    conditions = event.conditions
    if conditions.score_method is not Method.MATCHPOINTS:
        return event.rated(board)
    if (conditions.line_missing, conditions.line_round) == (conditions.mp_missing, conditions.mp_round):
        return event.rated(board)
    return rate(board, event.shown_conditions, event.field_of(board))


def traveller(event: Event, board_id: BoardId) -> tuple[Traveller, ...]:
    """A board in pages of 500 lines, best North-South score first.

    Raises KeyError for a board that the event does not have.
    """
    lines = lines_of(event, board_id)
    board = event.boards[board_id]
    rating = event.rated(board)
    digest = sha256(_LINES.dump_json(lines)).hexdigest()
    pages = max(1, -(-len(lines) // LINES_A_PAGE))
    normal = event.field_of(board)
    frequencies = tuple(_frequencies(board, shown_rating(event, board)))
    return tuple(
        Traveller(
            event=event.id,
            scoring_version=SCORING_VERSION,
            records_folded=len(event.records.by_identity),
            digest=digest,
            as_of_us=event.as_of_us,
            session=SessionId(board_id.session),
            group=board_id.group if not board_id.form else f"{board_id.group}#{board_id.form}",
            board=BoardNumber(board_id.board),
            closed=is_closed(event, board_id.session, board_id.board),
            expected=normal.expected,
            results=board.results,
            top=top_of(rating),
            datum=rating.ns_datum,
            rated=rating.rated,
            frequencies=frequencies,
            page=page + 1,
            pages=pages,
            lines=lines[page * LINES_A_PAGE : (page + 1) * LINES_A_PAGE],
        )
        for page in range(pages)
    )


def top_of(rating: Rating) -> str | None:
    """The top of a board as shown; none where scores are signed."""
    return decimal_and_exact(Fraction(rating.ns_top))[0] if rating.ns_top else None


def lines_of(event: Event, board_id: BoardId) -> tuple[TravellerLine, ...]:
    """The lines of a board, best North-South score first.

    Raises KeyError for a board that the event does not have.
    """
    board = event.boards[board_id]
    event.rate_all()  # an artificial score rests on the contestant's other boards
    lines = list(_lines(event, board, shown_rating(event, board)))
    if len({line.slot.table for line in lines}) == len(lines):
        lines.sort(key=_by_score_and_table)
    else:
        lines.sort(key=lambda line: (*_by_score_and_table(line), str(line.slot)))
    return tuple(lines)


def _by_score_and_table(line: TravellerLine) -> tuple[int, int]:
    return (99_999 if line.score_ns is None else -line.score_ns, line.slot.table)


def _frequencies(board: Board, rating: Rating) -> Iterator[Frequency]:
    for score in sorted(board.ns_chart, reverse=True):
        ns, ew = rating.ns.get(score), rating.ew.get(score)
        if ns is None or ew is None:
            continue
        yield Frequency(
            score,
            str(board.ns_chart[score]),
            decimal_and_exact(Fraction(ns, rating.denominator))[0],
            decimal_and_exact(Fraction(ew, rating.denominator))[0],
        )


def _lines(event: Event, board: Board, rating: Rating) -> Iterator[TravellerLine]:
    lonely = _far_from_the_field(board)
    form = board.id.form or None
    # A field of thousands shares some forty scores a board: what they are worth is worked out once.
    worth: tuple[dict[Key, SideScore], dict[Key, SideScore]] = ({}, {})
    for state in event.slots_on(board):
        effective = state.standing.effective
        if effective is None:
            continue
        line = state.line
        ns, ew = event.seated(state) if line is None else (line.ns, line.ew)
        result = effective.result
        ns_key, ew_key = (None, None) if line is None else (line.ns_key, line.ew_key)
        yield TravellerLine(
            state.slot,
            ns,
            ew,
            None if isinstance(result, Adjusted) else result,
            Points(ns_key) if isinstance(ns_key, int) else None,
            Points(-ew_key) if isinstance(ew_key, int) else None,
            _side_score(event, board, rating, line, Direction.NS, ns_key, worth[0]),
            _side_score(event, board, rating, line, Direction.EW, ew_key, worth[1]),
            effective.identity,
            form,
            _flags(event, state, effective, lonely=ns_key in lonely),
        )


def _side_score(
    event: Event,
    board: Board,
    rating: Rating,
    line: Line | None,
    direction: Direction,
    key: Key | None,
    worth: dict[Key, SideScore],
) -> SideScore:
    if key is None or line is None or line.home is not None:
        return side_score(event, board, rating, line, direction)
    known = worth.get(key)
    if known is None:
        known = worth[key] = side_score(event, board, rating, line, direction)
    return known


def side_score(
    event: Event, board: Board, rating: Rating, line: Line | None, direction: Direction
) -> SideScore:
    """One side's points as shown, exact where rounded, with the award's name."""
    if line is None:
        return SideScore(None)
    points, award = side_points(event, board, rating, line, direction)
    key = line.ns_key if direction is Direction.NS else line.ew_key
    name = award_name(award) if award is not None else "weighted" if isinstance(key, tuple) else None
    if points is None:
        return SideScore(None, award=name)
    text, exact = decimal_and_exact(points)
    return SideScore(text, exact, name)


def award_name(award: Artificial) -> str:
    """What an artificial score is called on a traveller."""
    return str(award.kind) if award.percent is None else f"{award.percent}%"


def _far_from_the_field(board: Board) -> set[int]:
    """Lone scores that are a long way from every other: possible, but worth a look."""
    chart = board.ns_chart
    if sum(chart.values()) < 5:
        return set()
    return {
        score
        for score, weight in chart.items()
        if weight == 1
        and all(abs(imps(Points(score - other))) >= _FAR_FROM_THE_FIELD for other in chart if other != score)
    }


def _flags(event: Event, state: SlotState, effective: Effective, *, lonely: bool) -> tuple[Flag, ...]:
    standing = state.standing
    by_table = effective.holder is Holder.TABLE
    if not (by_table or standing.disputed or state.judgements):
        return ()
    flags = []
    if lonely and by_table:
        flags.append(Flag.IMPLAUSIBLE)
    if standing.disputed:
        flags.append(Flag.DISPUTED)
    if (
        by_table
        and not standing.confirmed
        and not isinstance(effective.result, _UNINITIALLED)
        and event.conditions.confirm_by is Confirmation.OPPONENTS
    ):
        flags.append(Flag.UNCONFIRMED)
    found = None if state.judgements is None else state.judgements.get(effective.identity)
    if found is not None and found.verdict is Verdict.ACCEPTED:
        flags += [flag for flag in found.flags if flag not in flags]
    return tuple(flags)
