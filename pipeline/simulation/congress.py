"""The demo's congress: a pairs event, a Butler and a team match, and all that directors are there for.

Nearly four hours of bridge as a script. Its times start at 0 and are meant for a log whose clock is scaled,
so that a correction period of thirty minutes is over in the seconds the demo has for it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from pipeline.simulation.deals import deals
from pipeline.simulation.event import Course, course, play, set_up
from pipeline.simulation.field import (
    People,
    Section,
    Session,
    howell_section,
    match_section,
    mitchell_section,
)
from pipeline.simulation.mistakes import QUIET, Floor, mistyped, wrong_side
from pipeline.simulation.people import named
from pipeline.simulation.voices import MINUTE, SECOND, Officials, Timed
from schemas.codec import AnyRecord
from schemas.control import (
    ContestantKind,
    MatchSet,
    Period,
    PeriodChanged,
    ScorePublished,
    SessionFinalised,
    TableOfMatch,
)
from schemas.corrections import (
    Appeal,
    AppealDecided,
    AppealKind,
    Award,
    CorrectionDecided,
    Decision,
    OverrideGranted,
    Penalty,
    PenaltyKind,
    PenaltyUnit,
    ReplaceResult,
    ResultUpheld,
    SwapDirections,
)
from schemas.deal import Artificial, Assigned, NotPlayed, Played, Weighted
from schemas.policies import Method
from schemas.published import PersonNamed
from schemas.record import Role, Slot, SlotChange
from schemas.results import BoardResult, CorrectionRequested, ResultConfirmed, ResultDisputed, Subject
from schemas.terms import (
    AwardKind,
    ContestantId,
    Direction,
    EventId,
    Identity,
    MatchId,
    Seat,
    SectionId,
    SessionId,
    Tricks,
    Unplayed,
)

PAIRS: Final = EventId("congress-pairs")
BUTLER: Final = EventId("congress-butler")
TEAMS: Final = EventId("congress-teams")
SESSION: Final = SessionId("1")
RATES: Final = replace(QUIET, confirmed_late=0.07, never_confirmed=0.02)
"""Nothing goes wrong but what the script says."""


class RemarkKind(StrEnum):
    """What is worth a line beside the scoreboard; the sentence belongs to the reader's language."""

    PLAY_BEGINS = "play-begins"
    SENT_TWICE = "sent-twice"
    TABLE_CORRECTED = "table-corrected"
    DISPUTE_UPHELD = "dispute-upheld"
    RULING_GIVEN = "ruling-given"
    AVERAGE_PLUS = "average-plus"
    AVERAGE = "average"
    DIRECTIONS_SWAPPED = "directions-swapped"
    LATE_TRICK_DISPUTE = "late-trick-dispute"
    LATE_TRICK_RULED = "late-trick-ruled"
    PENALTY_GIVEN = "penalty-given"
    SCORE_PUBLISHED = "score-published"
    PERIOD_LENGTHENED = "period-lengthened"
    CORRECTION_ASKED = "correction-asked"
    ERROR_FIXED_IN_TIME = "error-fixed-in-time"
    APPEAL_LODGED = "appeal-lodged"
    CORRECTION_PERIOD_OVER = "correction-period-over"
    LATE_FIX_REFUSED = "late-fix-refused"
    OVERRIDE_GRANTED = "override-granted"
    FIXED_BY_OVERRIDE = "fixed-by-override"
    APPEAL_DECIDED = "appeal-decided"
    SESSION_FINAL = "session-final"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remarkable moment: what it is, in which event, of which record, and the values of its sentence."""

    kind: RemarkKind
    event: EventId
    record: Identity | None = None
    values: Mapping[str, str] = field(default_factory=dict)


Item = AnyRecord | PersonNamed | Remark


class Moment(NamedTuple):
    """What happens, and when: microseconds since the congress was set up."""

    time_us: int
    item: Item


_TIME: Final = itemgetter(0)


class Script:
    """One event of the congress: what is played without trouble, into which the troubles are written."""

    def __init__(
        self,
        event: EventId,
        session: Session,
        dice: Random,
        *,
        title: str,
        method: Method,
        settings: Mapping[str, str],
        opens_us: int,
        contest: ContestantKind = ContestantKind.PAIR,
    ) -> None:
        self.event, self.session, self.dice = event, session, dice
        self.officials = Officials(event)
        self.times: Course = course(session, opens_us)
        floor = Floor(
            event,
            session.id,
            deals(session.boards, dice),
            RATES,
            dice,
            self.officials,
            self.times.ends + 2 * MINUTE,
        )
        players = (
            person
            for section in session.sections
            for entrant in section.entrants
            for person in entrant.players
        )
        self.said: list[Timed] = [
            *set_up(self.officials, session, title=title, method=method, settings=settings, contest=contest),
            *play(floor, session, self.times),
        ]
        self.told: list[Moment] = [Moment(0, person) for person in named(event, players, dice)]
        self._touched: set[Slot] = set()
        begins = self.remark(RemarkKind.PLAY_BEGINS, title=title)
        self.told.append(Moment(opens_us, begins))

    def moments(self) -> Iterator[Moment]:
        """Everything in order of time; at the same time names first, and a remark after its record."""
        names = [moment for moment in self.told if isinstance(moment.item, PersonNamed)]
        others = [moment for moment in self.told if not isinstance(moment.item, PersonNamed)]
        everything = [*names, *(Moment(*moment) for moment in self.said), *others]
        return iter(sorted(everything, key=_TIME))

    def pick(
        self, section: str, number: int, wanted: Callable[[Played], bool] = lambda _: True
    ) -> tuple[int, BoardResult, Played]:
        """The first confirmed result of a round of this section that nothing has happened to yet."""
        confirmed = {record.result_record for _, record in self.said if isinstance(record, ResultConfirmed)}
        for time_us, record in self.said:
            if (
                isinstance(record, BoardResult)
                and (record.slot.section, record.slot.round) == (section, number)
                and record.slot not in self._touched
                and record.identity in confirmed
                and isinstance(record.result, Played)
                and wanted(record.result)
            ):
                self._touched.add(record.slot)
                return time_us, record, record.result
        raise LookupError(f"round {number} of section {section} has no such result")

    def touch_table(self, section: str, number: int, table: int) -> list[tuple[int, BoardResult]]:
        """All results of a table in a round."""
        found = [
            (time_us, record)
            for time_us, record in self.said
            if isinstance(record, BoardResult)
            and (record.slot.section, record.slot.round, record.slot.table) == (section, number, table)
        ]
        self._touched.update(record.slot for _, record in found)
        return found

    def rewrite(
        self, record: BoardResult, result: Played | NotPlayed, supersedes: Identity | None = None
    ) -> BoardResult:
        """The table says something else instead, under the same identity."""
        instead = replace(record, result=result, supersedes=supersedes)
        self.said = [(time_us, instead if known is record else known) for time_us, known in self.said]
        return instead

    def unconfirm(self, record: BoardResult) -> None:
        """Nobody initials this result after all."""
        self.said = [
            moment
            for moment in self.said
            if not (isinstance(moment[1], ResultConfirmed) and moment[1].result_record == record.identity)
        ]

    def say(self, time_us: int, *records: AnyRecord, remark: Remark | None = None) -> None:
        """Add records a second apart, and what is worth remarking with the last of them."""
        at_us = time_us
        for index, record in enumerate(records):
            at_us = time_us + index * SECOND
            self.said.append((at_us, record))
        if remark is not None:
            self.told.append(Moment(at_us, remark))

    def remark(self, kind: RemarkKind, record: AnyRecord | None = None, **values: object) -> Remark:
        """A remark of this event; a slot of the record is told without being asked."""
        place = getattr(record, "slot", None)
        seen: dict[str, object] = {}
        if isinstance(place, Slot):
            seen = {
                "section": place.section,
                "round": place.round,
                "table": place.table,
                "board": place.board,
            }
        identity = record.identity if record is not None else None
        return Remark(
            kind, self.event, identity, {name: str(value) for name, value in {**seen, **values}.items()}
        )

    def round_ends(self, number: int) -> int:
        """When this round is called."""
        return self.times.rounds[number - 1][1]


def congress(seed: int = 1) -> tuple[Moment, ...]:
    """The whole congress, in order of time; the same seed, the same script.

    >>> congress()[0].time_us, congress()[-1].time_us // (60 * 1_000_000)
    (0, 220)
    """
    dice = Random(seed)
    scripts = (pairs_event(dice), butler_event(dice), team_match(dice))
    moments = [moment for script in scripts for moment in script.moments()]
    return tuple(sorted(moments, key=_TIME))


def pairs_event(dice: Random) -> Script:
    """Two Mitchell sections of seven tables, 21 boards, match points across the field."""
    people = People(dice, "p")
    sections = tuple(mitchell_section(SectionId(name), 7, 7, 3, people) for name in "AB")
    script = Script(
        PAIRS,
        Session(SESSION, sections, 3),
        dice,
        title="Congress Pairs",
        method=Method.MATCHPOINTS,
        settings={"field.compare": "field", "rank.winners": "per-direction"},
        opens_us=5 * MINUTE,
    )
    _sent_twice(script)
    _table_corrects(script, "A", 2)
    _disputed_and_upheld(script)
    award = _ruling(script)
    _not_played(script, "B", 3, AwardKind.AVE_PLUS, AwardKind.AVE_MINUS)
    _directions_swapped(script)
    _late_trick_dispute(script)
    _penalty(script)
    official_us = script.times.official
    _published(script, official_us, revision=1)
    _fixed_in_time(script, "A", 4, official_us + 8 * MINUTE)
    appeal, result = _appeal(script, award, official_us + 19 * MINUTE)
    script.say(official_us + 30 * MINUTE, remark=script.remark(RemarkKind.CORRECTION_PERIOD_OVER, minutes=30))
    _refused_then_overridden(script, official_us + 32 * MINUTE)
    _appeal_decided(script, appeal, award, result, official_us + 43 * MINUTE)
    _published(script, official_us + 45 * MINUTE, revision=2)
    _final(script, official_us + 49 * MINUTE)
    return script


def butler_event(dice: Random) -> Script:
    """A Howell section of nine pairs, so one of them always sits out; 18 boards, IMPs against a datum."""
    section = howell_section(SectionId("C"), 9, 9, 2, People(dice, "b"))
    script = Script(
        BUTLER,
        Session(SESSION, (section,), 2),
        dice,
        title="Congress Butler",
        method=Method.BUTLER,
        settings={"correction.minutes": "20"},
        opens_us=8 * MINUTE,
    )
    _table_corrects(script, "C", 3)
    _not_played(script, "C", 5, AwardKind.AVE, AwardKind.AVE)
    official_us = script.times.official
    _published(script, official_us, revision=1)
    lengthened = PeriodChanged(
        **script.officials.say(Role.ORGANISER), session=SESSION, period=Period.CORRECTION, minutes=30
    )
    script.say(
        official_us + 10 * MINUTE,
        lengthened,
        remark=script.remark(RemarkKind.PERIOD_LENGTHENED, lengthened, minutes=30),
    )
    _fixed_in_time(script, "C", 6, official_us + 24 * MINUTE)
    script.say(official_us + 30 * MINUTE, remark=script.remark(RemarkKind.CORRECTION_PERIOD_OVER, minutes=30))
    _final(script, official_us + 33 * MINUTE)
    return script


def team_match(dice: Random) -> Script:
    """One match of sixteen boards, open and closed room."""
    section: Section = match_section(SectionId("D"), 16, People(dice, "t"))
    script = Script(
        TEAMS,
        Session(SESSION, (section,), 16),
        dice,
        title="Congress Teams",
        method=Method.TEAM_IMPS,
        settings={},
        opens_us=10 * MINUTE,
        contest=ContestantKind.TEAM,
    )
    home, visit = (entrant.contestant for entrant in section.entrants)
    match = MatchSet(
        **script.officials.say(Role.SCORER),
        match=MatchId("D-1"),
        session=SESSION,
        round=1,
        home=home,
        visit=visit,
        tables=(
            TableOfMatch(section.id, 1, Direction.NS),
            TableOfMatch(section.id, 2, Direction.EW),
        ),
        boards=script.session.boards,
    )
    script.say(4 * MINUTE, match)
    _table_corrects(script, "D", 1)
    official_us = script.times.official
    _published(script, official_us, revision=1)
    script.say(official_us + 30 * MINUTE, remark=script.remark(RemarkKind.CORRECTION_PERIOD_OVER, minutes=30))
    _final(script, official_us + 32 * MINUTE)
    return script


def _sent_twice(script: Script) -> None:
    time_us, record, _ = script.pick("A", 1)
    script.say(time_us + 40 * SECOND, record, remark=script.remark(RemarkKind.SENT_TWICE, record))


def _table_corrects(script: Script, section: str, number: int) -> None:
    time_us, record, result = script.pick(section, number)
    # The wrong one is the earlier number of the same device, as if typed half a minute before.
    wrong = replace(
        record, **script.officials.say(Role.TABLE), result=mistyped(result, script.dice), sequence=None
    )
    right = script.rewrite(record, result, supersedes=wrong.identity)
    script.say(time_us - 30 * SECOND, wrong)
    script.told.append(Moment(time_us, script.remark(RemarkKind.TABLE_CORRECTED, right)))


def _disputed_and_upheld(script: Script) -> None:
    time_us, record, _ = script.pick("B", 2)
    script.unconfirm(record)
    disputed = ResultDisputed(
        **script.officials.say(Role.TABLE), slot=record.slot, result_record=record.identity, seat=Seat.W
    )
    upheld = ResultUpheld(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.TRICKS,
        law="79B",
        request=disputed.identity,
        changes=(SlotChange(record.slot, record.identity),),
    )
    script.say(time_us + 20 * SECOND, disputed)
    script.say(
        time_us + 4 * MINUTE,
        upheld,
        remark=script.remark(RemarkKind.DISPUTE_UPHELD, record, law="79B"),
    )


def _ruling(script: Script) -> Award:
    """The director takes a trick back from declarer's side: the award that is appealed later."""
    time_us, record, result = script.pick("A", 3, lambda played: played.tricks >= 7)
    points = ns_points(_a_trick_less(result), vulnerability(record.slot.board))
    award = Award(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.RULING,
        law="12C1",
        changes=(SlotChange(record.slot, record.identity),),
        ns_award=Assigned((Weighted(points, Fraction(1)),)),
        ew_award=Assigned((Weighted(points, Fraction(1)),)),
    )
    script.say(
        time_us + 9 * MINUTE,
        award,
        remark=script.remark(RemarkKind.RULING_GIVEN, record, law="12C1", ns=points),
    )
    return award


def _not_played(script: Script, section: str, number: int, ns: AwardKind, ew: AwardKind) -> None:
    _, picked, _ = script.pick(section, number)
    time_us, record = script.touch_table(section, number, picked.slot.table)[-1]
    script.unconfirm(record)
    record = script.rewrite(record, NotPlayed(Unplayed.TIME))
    kind = RemarkKind.AVERAGE_PLUS if AwardKind.AVE_PLUS in {ns, ew} else RemarkKind.AVERAGE
    award = Award(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.RULING,
        law="12C2",
        changes=(SlotChange(record.slot, record.identity),),
        ns_award=Artificial(ns),
        ew_award=Artificial(ew),
    )
    script.say(
        time_us + 4 * MINUTE,
        award,
        remark=script.remark(kind, record, ns=ns.value, ew=ew.value, law="12C2"),
    )


def _directions_swapped(script: Script) -> None:
    results = script.touch_table("B", 4, 2)
    time_us, last = results[-1]
    swap = SwapDirections(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.RULING,
        changes=tuple(SlotChange(record.slot, record.identity) for _, record in results),
    )
    script.say(
        time_us + 7 * MINUTE,
        swap,
        remark=script.remark(RemarkKind.DIRECTIONS_SWAPPED, last, boards=len(results)),
    )


def _late_trick_dispute(script: Script) -> None:
    """Defenders find after the round that a trick was theirs; the director is clearly convinced (Law 79B)."""
    _, record, result = script.pick("A", 5, lambda played: played.tricks >= 7)
    defenders = record.ew if result.contract.declarer.direction is Direction.NS else record.ns
    right = _a_trick_less(result)
    asked_us = script.round_ends(5) + 4 * MINUTE
    asked = CorrectionRequested(
        **script.officials.say(Role.PAIR),
        slot=record.slot,
        subject=Subject.TRICKS,
        by=_named(defenders),
        proposed=right,
    )
    script.say(asked_us, asked, remark=script.remark(RemarkKind.LATE_TRICK_DISPUTE, asked, pair=asked.by))
    changed, granted = _granted(script, asked, record, right, Subject.TRICKS, "79B")
    script.say(
        asked_us + 11 * MINUTE,
        changed,
        granted,
        remark=script.remark(RemarkKind.LATE_TRICK_RULED, changed, law="79B"),
    )


def _penalty(script: Script) -> None:
    _, record, _ = script.pick("B", 6)
    penalty = Penalty(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.RULING,
        law="90",
        contestant=_named(record.ew),
        session=SESSION,
        amount=Fraction(10),
        unit=PenaltyUnit.PERCENT_OF_TOP,
        penalty_kind=PenaltyKind.SLOW,
    )
    script.say(
        script.round_ends(6),
        penalty,
        remark=script.remark(RemarkKind.PENALTY_GIVEN, penalty, pair=penalty.contestant, percent=10),
    )


def _published(script: Script, time_us: int, *, revision: int) -> None:
    published = ScorePublished(
        **script.officials.say(Role.DIRECTOR), session=script.session.id, revision=revision
    )
    script.say(
        time_us,
        published,
        remark=script.remark(RemarkKind.SCORE_PUBLISHED, published, revision=revision),
    )


def _final(script: Script, time_us: int) -> None:
    final = SessionFinalised(**script.officials.say(Role.CHIEF_DIRECTOR), session=script.session.id)
    script.say(time_us, final, remark=script.remark(RemarkKind.SESSION_FINAL, final))


def _fixed_in_time(script: Script, section: str, number: int, time_us: int) -> None:
    """Entered and confirmed for the wrong declarer; the pair sees it on the traveller (Law 79C)."""
    _, record, result = script.pick(section, number)
    wrong = script.rewrite(record, wrong_side(result))
    asked = CorrectionRequested(
        **script.officials.say(Role.PAIR),
        slot=wrong.slot,
        subject=Subject.ENTRY,
        by=_named(wrong.ns),
        proposed=result,
    )
    script.say(time_us, asked, remark=script.remark(RemarkKind.CORRECTION_ASKED, asked, pair=asked.by))
    changed, granted = _granted(script, asked, wrong, result, Subject.ENTRY, "79C")
    script.say(
        time_us + 3 * MINUTE,
        changed,
        granted,
        remark=script.remark(RemarkKind.ERROR_FIXED_IN_TIME, changed, law="79C"),
    )


def _appeal(script: Script, award: Award, time_us: int) -> tuple[Appeal, BoardResult]:
    """The side that lost by the ruling appeals in time (Law 92B)."""
    change = award.changes[0]
    result = next(
        record
        for _, record in script.said
        if isinstance(record, BoardResult) and record.identity == change.supersedes
    )
    declarers = result.ns if _played(result).contract.declarer.direction is Direction.NS else result.ew
    appeal = Appeal(
        **script.officials.say(Role.PAIR),
        subject=Subject.APPEAL,
        law="92B",
        appeal_kind=AppealKind.APPEAL,
        session=SESSION,
        by=_named(declarers),
        slots=(change.slot,),
        against=award.identity,
    )
    script.say(
        time_us,
        appeal,
        remark=script.remark(RemarkKind.APPEAL_LODGED, result, pair=appeal.by, law="92B"),
    )
    return appeal, result


def _refused_then_overridden(script: Script, time_us: int) -> None:
    """The same scoring error asked for too late: refused, then allowed by the organiser (Law 79C2)."""
    _, record, result = script.pick("B", 7)
    wrong = script.rewrite(record, wrong_side(result))
    asked = CorrectionRequested(
        **script.officials.say(Role.PAIR),
        slot=wrong.slot,
        subject=Subject.ENTRY,
        by=_named(wrong.ew),
        proposed=result,
    )
    script.say(time_us, asked, remark=script.remark(RemarkKind.CORRECTION_ASKED, asked, pair=asked.by))
    late = _entry_fixed(script, wrong, result)
    script.say(time_us + MINUTE, late, remark=script.remark(RemarkKind.LATE_FIX_REFUSED, late, law="79C1"))
    override = OverrideGranted(
        **script.officials.say(Role.ORGANISER),
        subject=Subject.ENTRY,
        law="79C2",
        session=SESSION,
        slots=(wrong.slot,),
    )
    script.say(
        time_us + 5 * MINUTE,
        override,
        remark=script.remark(RemarkKind.OVERRIDE_GRANTED, override, law="79C2"),
    )
    allowed = _entry_fixed(script, wrong, result, override=override.identity)
    script.say(
        time_us + 6 * MINUTE,
        allowed,
        remark=script.remark(RemarkKind.FIXED_BY_OVERRIDE, allowed, law="79C2"),
    )


def _entry_fixed(
    script: Script, wrong: BoardResult, right: Played, *, override: Identity | None = None
) -> ReplaceResult:
    return ReplaceResult(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.ENTRY,
        law="79C2" if override else "79C1",
        override=override,
        slot=wrong.slot,
        supersedes=wrong.identity,
        result=right,
    )


def _appeal_decided(
    script: Script, appeal: Appeal, award: Award, original: BoardResult, time_us: int
) -> None:
    """The committee weighs: two thirds of the score at the table, one third of the ruling (Law 12C1c)."""
    vulnerable = vulnerability(original.slot.board)
    scored = ns_points(_played(original), vulnerable)
    ruled = ns_points(_a_trick_less(_played(original)), vulnerable)
    weighted = Assigned((Weighted(scored, Fraction(2, 3)), Weighted(ruled, Fraction(1, 3))))
    decided = AppealDecided(
        **script.officials.say(Role.COMMITTEE),
        subject=Subject.APPEAL,
        law="93",
        appeal=appeal.identity,
        decision=Decision.GRANTED,
    )
    changed = Award(
        **script.officials.say(Role.DIRECTOR),
        subject=Subject.APPEAL,
        law="12C1",
        request=appeal.identity,
        changes=(SlotChange(original.slot, award.identity),),
        ns_award=weighted,
        ew_award=weighted,
    )
    script.say(
        time_us,
        decided,
        changed,
        remark=script.remark(RemarkKind.APPEAL_DECIDED, original, pair=appeal.by, decision=decided.decision),
    )


def _granted(
    script: Script,
    asked: CorrectionRequested,
    wrong: BoardResult,
    right: Played,
    subject: Subject,
    law: str,
) -> tuple[ReplaceResult, CorrectionDecided]:
    changed = ReplaceResult(
        **script.officials.say(Role.DIRECTOR),
        subject=subject,
        law=law,
        request=asked.identity,
        slot=wrong.slot,
        supersedes=wrong.identity,
        result=right,
    )
    granted = CorrectionDecided(
        **script.officials.say(Role.DIRECTOR),
        subject=subject,
        law=law,
        decided=asked.identity,
        decision=Decision.GRANTED,
    )
    return changed, granted


def _a_trick_less(result: Played) -> Played:
    return replace(result, tricks=Tricks(result.tricks - 1))


def _played(record: BoardResult) -> Played:
    match record.result:
        case Played() as played:
            return played
        case _:
            raise LookupError(f"{record.identity} was not played")


def _named(contestant: ContestantId | None) -> ContestantId:
    if contestant is None:
        raise LookupError("the table did not say who played")
    return contestant
