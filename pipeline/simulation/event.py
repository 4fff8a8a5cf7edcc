"""A whole event from one seed: set-up, play with its mistakes, publication, corrections in time, the end."""

from collections.abc import Iterable, Iterator, Mapping
from math import log
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple

from pipeline.simulation.deals import BELL, deals
from pipeline.simulation.field import Entrant, MovementKind, Section, Session, plan_session
from pipeline.simulation.mistakes import REAL, Floor, Rates, Tablet, asked_and_granted, swapped
from pipeline.simulation.voices import MINUTE, SECOND, Officials, Timed
from schemas.codec import AnyRecord
from schemas.control import (
    ConditionsPublished,
    ContestantEntered,
    ContestantKind,
    EventDescribed,
    MovementSet,
    PlayEnded,
    RoundEnded,
    RoundStarted,
    ScorePublished,
    SessionFinalised,
    SessionOpened,
    SessionPlan,
)
from schemas.policies import Method
from schemas.record import Role, Slot
from schemas.results import BoardResult
from schemas.terms import EventId

PRESETS: Final[Mapping[Method, str]] = {
    Method.MATCHPOINTS: "ebu2025",
    Method.BUTLER: "butler",
    Method.CROSS_IMPS: "cross_imps",
    Method.TEAM_IMPS: "teams_imps",
}
ENTRY_GAP_US: Final = 5_000
BOARD_US: Final = 7 * MINUTE
MOVE_US: Final = 2 * MINUTE
SET_UP_US: Final = 5 * MINUTE
OFFICIAL_AFTER_US: Final = 5 * MINUTE
PERIOD_US: Final = 30 * MINUTE
MEDIAN_GAP_TABLES_US: Final = 335 * SECOND
"""The median gap between two results times the tables: as measured, 30 s at 11 tables and 43 s at 8."""

_MOMENT: Final = itemgetter(0)


class Course(NamedTuple):
    """The times of a session, in microseconds since set-up."""

    rounds: tuple[tuple[int, int], ...]
    """Start and end of each round."""
    ends: int
    official: int


def course(session: Session, opens_us: int) -> Course:
    """Seven minutes a board and two to move."""
    length = session.boards_a_round * BOARD_US + MOVE_US
    starts = [opens_us + index * length for index in range(session.rounds)]
    ends = opens_us + session.rounds * length
    rounds = tuple((start, start + length - MOVE_US // 2) for start in starts)
    return Course(rounds, ends, ends + OFFICIAL_AFTER_US)


def entered(officials: Officials, entrant: Entrant) -> ContestantEntered:
    """The entry of a contestant."""
    return ContestantEntered(
        **officials.say(Role.SCORER),
        contestant=entrant.contestant,
        contestant_kind=entrant.kind,
        section=entrant.section,
        number=entrant.number,
        direction=entrant.direction,
        players=entrant.players,
    )


def set_up(
    officials: Officials,
    session: Session,
    *,
    title: str,
    method: Method,
    settings: Mapping[str, str],
    contest: ContestantKind = ContestantKind.PAIR,
    at_us: int = 0,
) -> Iterator[Timed]:
    """Describe the event, publish its conditions, enter everybody and set the movements."""
    plan = SessionPlan(session.id, "Session 1", sections=tuple(section.id for section in session.sections))
    yield (
        at_us,
        EventDescribed(**officials.say(Role.ORGANISER), title=title, contest=contest, sessions=(plan,)),
    )
    conditions = ConditionsPublished(
        **officials.say(Role.ORGANISER), preset=PRESETS[method], settings=dict(settings)
    )
    yield at_us + ENTRY_GAP_US, conditions
    count = 1
    for section in session.sections:
        for entrant in section.entrants:
            count += 1
            yield at_us + min(count * ENTRY_GAP_US, SET_UP_US - SECOND), entered(officials, entrant)
        if section.movement is None:
            continue
        movement = MovementSet(
            **officials.say(Role.SCORER), session=session.id, section=section.id, movement=section.movement
        )
        yield at_us + min(count * ENTRY_GAP_US, SET_UP_US - SECOND), movement


def play(floor: Floor, session: Session, times: Course) -> Iterator[Timed]:
    """Open the session, play its rounds and end it, in order of time; a few things are said after the end."""
    officials = floor.officials
    tablets = {
        (section.id, row.table): Tablet(floor, section, row.table)
        for section in session.sections
        for row in section.rounds[0]
    }
    said: list[Timed] = [
        (times.rounds[0][0] - SECOND, SessionOpened(**officials.say(Role.DIRECTOR), session=session.id))
    ]
    for number, (start_us, end_us) in enumerate(times.rounds, start=1):
        said.append(
            (start_us, RoundStarted(**officials.say(Role.DIRECTOR), session=session.id, round=number))
        )
        next_us = times.rounds[number][0] if number < session.rounds else times.ends
        for section in session.sections:
            for row in section.rounds[number - 1] if number <= len(section.rounds) else ():
                if row.ns is None or row.ew is None:
                    continue
                tablet = tablets[section.id, row.table]
                said += _table_round(tablet, session, section, number, row.table, start_us, end_us)
                said += tablet.confirmed_before(next_us)
        ended = RoundEnded(**officials.say(Role.DIRECTOR), session=session.id, round=number)
        said.append((end_us, ended))
        said.sort(key=_MOMENT)
        done = _count_before(said, next_us)
        yield from said[:done]
        del said[:done]
    said.append((times.ends, PlayEnded(**officials.say(Role.DIRECTOR), session=session.id)))
    for tablet in tablets.values():
        said += tablet.confirmed_before(times.official)
    said.sort(key=_MOMENT)
    yield from said


def _count_before(said: list[Timed], before_us: int) -> int:
    count = len(said)
    while count and said[count - 1][0] >= before_us:
        count -= 1
    return count


def _table_round(
    tablet: Tablet, session: Session, section: Section, number: int, table: int, start_us: int, end_us: int
) -> list[Timed]:
    """One table plays its boards of a round, faster or slower than the others; nearly all in time."""
    floor = tablet.floor
    dice = floor.dice
    row = section.rounds[number - 1][table - 1]
    ns, ew = section.ns[row.ns or 0], section.ew[row.ew or 0]
    edge = ns.skill - ew.skill
    calm = dice.random() < floor.rates.swapped
    throw = dice.random
    pace = BOARD_US * (0.93 + 0.11 * BELL[int(throw() * 1024)])
    # The slowest are hurried, so that the round ends for all within a minute.
    latest_us = end_us + int(throw() * MINUTE)
    said: list[Timed] = []
    at_us = start_us
    last = len(row.boards) - 1
    for index, board in enumerate(row.boards):
        due_us = start_us + int((index + 1) * pace + 90 * SECOND * BELL[int(throw() * 1024)])
        at_us = max(at_us + 2 * MINUTE, min(due_us, latest_us))
        place = Slot(session.id, section.id, number, table, board)
        said += tablet.plays(place, ns.contestant, ew.contestant, edge, at_us, last=index == last, calm=calm)
    if calm:
        results = [record for _, record in said if isinstance(record, BoardResult)]
        said.append(swapped(floor.officials, results, at_us + 5 * MINUTE))
    return said


def publish(
    floor: Floor, times: Course, *, finalised_after_us: int = PERIOD_US + 5 * MINUTE
) -> Iterator[Timed]:
    """The official score, what is found while it may still be corrected, a second revision, the end."""
    officials, session = floor.officials, floor.session
    official_us = times.official
    published = ScorePublished(**officials.say(Role.DIRECTOR), session=session)
    said: list[Timed] = [(official_us, published)]
    for wrong, right in floor.later:
        found_us = official_us + floor.dice.randint(60, 25 * 60) * SECOND
        said += asked_and_granted(officials, wrong, right, found_us, floor.dice)
    if floor.later:
        again = ScorePublished(**officials.say(Role.DIRECTOR), session=session, revision=2)
        said.append((official_us + PERIOD_US + MINUTE, again))
    final = SessionFinalised(**officials.say(Role.CHIEF_DIRECTOR), session=session)
    said.append((official_us + finalised_after_us, final))
    said.sort(key=_MOMENT)
    yield from said


def timeline(
    tables: int,
    boards: int,
    seed: int,
    *,
    sections: int | None = None,
    method: Method = Method.MATCHPOINTS,
    movement: MovementKind = MovementKind.MITCHELL,
    event: EventId | None = None,
    rates: Rates = REAL,
) -> Iterator[Timed]:
    """A whole event with its own times, in order of time: microseconds since set-up, and what is said then.

    Sections have at most 16 tables (15 in a Howell) unless their number is given. Whatever a record refers to
    has been said before it. The same arguments give the same records.

    Raises ValueError for a field that cannot be seated, and for team matches, which are no pairs event.
    """
    if method is Method.TEAM_IMPS:
        raise ValueError("a pairs event is not scored as a team match")
    dice = Random(seed)
    session = plan_session(tables, boards, dice, sections=sections, movement=movement)
    return _told(session, dice, event or EventId(f"sim-{seed}"), method, movement, rates)


def _told(
    session: Session, dice: Random, event: EventId, method: Method, movement: MovementKind, rates: Rates
) -> Iterator[Timed]:
    officials = Officials(event)
    settings = {
        "field.compare": "field" if len(session.sections) > 1 else "section",
        "rank.winners": "per-direction" if movement is MovementKind.MITCHELL else "one",
    }
    times = course(session, SET_UP_US)
    board_deals = deals(session.boards, dice)
    floor = Floor(event, session.id, board_deals, rates, dice, officials, times.ends + 3 * MINUTE)
    title = f"Simulated {method.value} event"
    yield from set_up(officials, session, title=title, method=method, settings=settings)
    late: list[Timed] = []
    for moment in play(floor, session, times):
        if moment[0] < times.official:
            yield moment
        else:
            late.append(moment)
    late += publish(floor, times)
    late.sort(key=_MOMENT)
    yield from late


def simulate(
    tables: int,
    boards: int,
    seed: int,
    *,
    sections: int | None = None,
    method: Method = Method.MATCHPOINTS,
    movement: MovementKind = MovementKind.MITCHELL,
    event: EventId | None = None,
    rates: Rates = REAL,
) -> Iterator[AnyRecord]:
    """The records of `timeline` without their times.

    >>> next(simulate(4, 12, seed=1)).kind
    'event_described'
    """
    for _, record in timeline(
        tables, boards, seed, sections=sections, method=method, movement=movement, event=event, rates=rates
    ):
        yield record


def paced(records: Iterable[AnyRecord], *, tables: int, seed: int = 0, start_us: int = 0) -> Iterator[Timed]:
    """Give any records times at the pace of real play, in the order they have; for files without times.

    Gaps between results are exponential with the measured median; what stands between them takes seconds, a
    round's start its minutes, and the end of a session comes after its correction period.
    """
    dice = Random(seed)
    mean = MEDIAN_GAP_TABLES_US / log(2) / tables
    at_us = start_us
    for record in records:
        match record:
            case BoardResult():
                at_us += int(dice.expovariate(1 / mean))
            case ContestantEntered() | MovementSet() | EventDescribed() | ConditionsPublished():
                at_us += ENTRY_GAP_US
            case RoundStarted():
                at_us += MOVE_US
            case ScorePublished() if record.revision == 1:
                at_us += OFFICIAL_AFTER_US
            case SessionFinalised():
                at_us += PERIOD_US + MINUTE
            case _:
                at_us += SECOND
        yield at_us, record
