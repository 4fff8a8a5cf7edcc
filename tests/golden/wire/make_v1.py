"""How tests/golden/wire/v1 was made: a log with every kind of record, and what it means for ever.

    python -m tests.golden.wire.make_v1        folds log.ndjson and writes expected.json
    python -m tests.golden.wire.make_v1 log    writes log.ndjson anew from the values below, then the same

Values are chosen by hand, so that every kind, every optional field, every variant and every word of a closed
set occurs; what is refused is here on purpose, for a refusal must replay too. Once a version is released the
log may only be added to, and expected.json changes only with `SCORING_VERSION` and a line in the changelog.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from pipeline.formats.records_ndjson import read_records, write_stamped
from pipeline.scoring.events import Events
from pipeline.scoring.lists import list_ids
from pipeline.scoring.standings import index, standings
from pipeline.scoring.travellers import board_ids, traveller
from schemas import control as c
from schemas import corrections as k
from schemas import results as r
from schemas.deal import (
    Artificial,
    Assigned,
    Contract,
    NoScore,
    NotPlayed,
    PassedOut,
    Played,
    ScoreOnly,
    Weighted,
)
from schemas.record import Role, Slot, SlotChange, Stamp, Stamped
from schemas.results import Subject
from schemas.terms import AwardKind, Direction, Doubling, Seat, Strain, Unplayed, Vulnerability
from schemas.topics import TOPIC_OF
from tests.scoring.fingerprint import fingerprint

HERE = Path(__file__).parent / "v1"
LOG, EXPECTED = HERE / "log.ndjson", HERE / "expected.json"
START_US = 1_767_463_200_000_000  # 2026-01-03 18:00 UTC
SECOND = 1_000_000
MINUTE = 60 * SECOND
NS, EW = Direction.NS, Direction.EW


class Log:
    """What was said, by the clock of the log: five seconds later each time, unless told otherwise."""

    def __init__(self) -> None:
        self.entries: list[Stamped] = []
        self.now = START_US
        self.offsets: dict[str, int] = {}
        self.event = ""
        self.number = 0

    def say(self, kind, role=Role.DIRECTOR, source=None, id=None, **fields):
        self.number += 1
        record = kind(
            event=self.event,
            id=id or f"{self.number}",
            source=source or str(role),
            role=role,
            **fields,
        )
        self.append(record)
        return record

    def append(self, record) -> None:
        topic = TOPIC_OF[type(record)]
        offset = self.offsets[topic] = self.offsets.get(topic, -1) + 1
        self.now += 5 * SECOND
        self.entries.append(Stamped(record, Stamp(self.now, topic, 0, offset)))

    def later(self, minutes: int) -> None:
        self.now += minutes * MINUTE

    def table(self, slot, result, **more):
        return self.say(
            r.BoardResult, Role.TABLE, f"table.{slot.section}{slot.table}", slot=slot, result=result, **more
        )

    def rule(self, kind, subject=Subject.RULING, role=Role.DIRECTOR, **fields):
        return self.say(kind, role, subject=subject, **fields)


def at(board: int, table: int = 1, round: int = 1, section: str = "A", session: str = "1") -> Slot:
    return Slot(session, section, round, table, board)


def made(text: str, tricks: int, by: str = "N") -> Played:
    """`4S`, `3NTx`, by a seat."""
    bare = text.rstrip("x")
    doubling = Doubling(text[len(bare) :])
    return Played(Contract(int(bare[0]), Strain(bare[1:]), doubling, Seat(by)), tricks)


def change(record) -> SlotChange:
    return SlotChange(record.slot, record.identity)


def pairs(log: Log) -> None:
    """A club evening: a Mitchell of three tables in A, four pairs told row by row in B."""
    log.event = "club-night"
    log.say(
        c.EventDescribed,
        Role.SCORER,
        "office",
        title="Club night",
        place="Assembly Rooms",
        organiser="Bridge Club",
        sessions=(
            c.SessionPlan("1", "Evening", "final", ("A", "B"), "2026-01-03"),
            c.SessionPlan("2", "Afternoon", "final", ("A",)),
        ),
        grade="club",
        charge_code="C/17",
    )
    log.say(
        c.ConditionsPublished,
        Role.ORGANISER,
        preset="ebu2025",
        settings={"rank.winners": "per-section", "correction.may_shorten": "true", "mp.round": "none"},
        approved_by="Committee",
    )
    log.say(c.ConditionsPublished, Role.ORGANISER, preset="exact", settings={"mp.colour": "blue"})
    for number in (1, 2, 3):
        for direction in (NS, EW):
            log.say(
                c.ContestantEntered,
                Role.SCORER,
                "office",
                contestant=f"A{number}{direction}",
                section="A",
                number=number,
                direction=direction,
                players=(f"p{number}{direction}a", f"p{number}{direction}b"),
                category="mixed" if number == 1 else None,
                stratum="B" if number == 2 else None,
                handicap=Fraction(3, 2) if number == 3 else None,
            )
    for number in (1, 2, 3, 4):
        log.say(
            c.ContestantEntered, Role.SCORER, "office", contestant=f"B{number}", section="B", number=number
        )
    log.say(c.ContestantEntered, Role.SCORER, "office", contestant="B5", section="B", number=4)
    log.say(
        c.ContestantChanged,
        Role.SCORER,
        "office",
        contestant="B4",
        section="B",
        number=4,
        direction=EW,
        players=("p40", "p41"),
    )
    log.say(
        c.MovementSet,
        Role.SCORER,
        "office",
        session="1",
        section="A",
        movement=c.MitchellMovement(tables=3, rounds=3, boards_per_round=2),
    )
    rows = (
        c.Placement(1, 1, "B1", "B2", (1, 2)),
        c.Placement(1, 2, "B3", "B4", (1, 2)),
        c.Placement(2, 1, "B1", "B3", (3, 4)),
        c.Placement(2, 2, "B4", "B2", (3, 4)),
        c.Placement(3, 1, "B1", None, (5, 6)),
        c.Placement(3, 2),
    )
    log.say(c.MovementSet, Role.SCORER, "office", session="1", section="B", movement=c.ExplicitMovement(rows))
    log.say(c.SessionOpened, session="1")
    log.say(c.RoundStarted, session="1", round=1)
    log.say(c.RoundStarted, session="1", section="B", round=1)
    log.say(
        r.SeatTaken,
        Role.TABLE,
        "table.A1",
        session="1",
        section="A",
        round=1,
        table=1,
        seat=Seat.N,
        person="p1NSa",
    )
    log.say(r.DirectorCalled, Role.TABLE, "table.A2", session="1", section="A", round=1, table=2, board=4)

    # Round 1 of A: tables 1 to 3 play boards 1-2, 3-4, 5-6.
    first = log.table(
        at(1),
        made("4S", 10),
        ns="A1NS",
        ew="A1EW",
        score_ns=420,
        lead="HK",
        ending=r.Ending.PLAYED,
        entered_by=Seat.N,
        device="tablet.7",
        sequence=1,
        said_at="2026-01-03T18:20:00+00:00",
    )
    log.append(first)  # a retry
    log.append(replace(first, result=made("4S", 11), score_ns=450))  # the same id, other content
    log.say(r.ResultConfirmed, Role.TABLE, "table.A1", slot=at(1), result_record=first.identity, seat=Seat.E)
    log.say(r.ResultConfirmed, Role.TABLE, "table.A1", slot=at(1), result_record=first.identity, seat=Seat.S)
    log.table(at(2), PassedOut())
    log.table(at(3, 2), made("3NTx", 8, "E"), ending=r.Ending.CLAIM, entered_by=Seat.S)
    fourth = log.table(at(4, 2), made("5Dxx", 11, "S"), ending=r.Ending.CONCESSION)
    corrected = log.table(at(4, 2), made("5Dx", 11, "S"), supersedes=fourth.identity)
    fifth = log.table(at(5, 3), ScoreOnly(-100))
    log.table(at(6, 3), NotPlayed(Unplayed.TIME))
    log.table(at(6, 3), made("1C", 7, "W"))
    log.table(at(7, 3), made("2H", 8, "W"))  # not at this table
    log.table(at(1, 9), made("2H", 8, "W"))  # no such table
    log.say(
        r.ResultDisputed,
        Role.PAIR,
        slot=at(5, 3),
        result_record=fifth.identity,
        seat=Seat.W,
        note="we made it",
    )
    log.rule(k.ResultUpheld, changes=(change(fifth),))
    log.say(c.RoundEnded, session="1", section="A", round=1)

    # Round 2 of A: table 1 boards 3-4, table 2 boards 5-6, table 3 boards 1-2.
    swapped = log.table(at(3, 1, 2), made("2NT", 8, "W"), score_ns=None)
    log.table(at(4, 1, 2), made("3C", 9, "E"), score_ns=110)
    moved = log.table(at(5, 2, 2), made("6H", 12, "S"))
    log.table(at(1, 3, 2), made("4S", 9))
    void = log.table(at(2, 3, 2), made("1NT", 7, "W"), honours=r.Honours(NS, 100))
    log.rule(k.SwapDirections, changes=(change(swapped),), law="Law 15", note="sat the wrong way")
    log.rule(
        k.MoveResult, Subject.SCORER, slot=moved.slot, supersedes=moved.identity, to=SlotChange(at(6, 2, 2))
    )
    log.rule(k.VoidResult, Subject.ENTRY, changes=(change(void),))
    log.table(at(2, 3, 2), made("1NT", 8, "W"), honours=r.Honours(EW, 150))

    # Round 3 of A: table 1 boards 5-6, table 2 boards 1-2, table 3 boards 3-4.
    log.rule(
        k.Award,
        changes=(SlotChange(at(5, 1, 3)),),
        ns_award=Artificial(AwardKind.AVE_PLUS),
        ew_award=Artificial(AwardKind.AVE_MINUS),
    )
    log.rule(
        k.Award,
        changes=(SlotChange(at(6, 1, 3)),),
        ns_award=Artificial(AwardKind.AVE, Fraction(55)),
        ew_award=Artificial(AwardKind.AVE, Fraction(91, 2), Fraction(-1, 2)),
    )
    split = log.table(at(1, 2, 3), made("4H", 10, "W"))
    log.rule(
        k.Award,
        changes=(change(split),),
        ns_award=Assigned((Weighted(-620, Fraction(1, 3)), Weighted(100, Fraction(2, 3)))),
        ew_award=Assigned((Weighted(620, Fraction(1)),)),
        law="Law 12C1c",
    )
    before = None
    for outcome in (
        made("7NT", 13, "N"),
        PassedOut(),
        ScoreOnly(90),
        NotPlayed(Unplayed.LATE_PLAY_DUE),
        NoScore(),
    ):
        before = log.rule(
            k.ReplaceResult,
            Subject.ENTRY,
            Role.SCORER,
            slot=at(2, 2, 3),
            supersedes=before.identity if before else None,
            result=outcome,
            ns="A2NS",
            ew="A3EW",
        )
    for board, cause in ((3, Unplayed.SIT_OUT), (4, Unplayed.WITHDRAWN)):
        log.table(at(board, 3, 3), NotPlayed(cause))

    # Section B.
    for board, table, round_, what in (
        (1, 1, 1, made("3S", 9)),
        (2, 1, 1, made("1H", 8, "E")),
        (1, 2, 1, made("4S", 11)),
        (2, 2, 1, NotPlayed()),
        (3, 1, 2, made("3NT", 9, "W")),
        (4, 2, 2, made("5Cx", 9, "S")),
    ):
        log.table(at(board, table, round_, "B"), what)
    log.say(
        c.SeatingChanged,
        session="1",
        section="B",
        round=2,
        table=2,
        ns="B2",
        ew="B4",
        boards=(3, 4),
    )
    log.table(at(3, 2, 2, "B"), made("2S", 8), players=r.Players("B2", "B4", "B2", "B4"))
    log.say(c.RoundCancelled, session="1", section="B", round=3)
    log.say(
        c.PlayerSubstituted,
        contestant="B1",
        session="1",
        from_round=2,
        to_round=2,
        player="p1",
        substitute="p9",
    )
    log.say(c.ContestantWithdrawn, contestant="B3", session="1", from_round=3)
    log.rule(
        k.BoardForms,
        session="1",
        board=1,
        forms=(
            k.Form("turned", (at(1, 3, 2),), Vulnerability.EW),
            k.Form("none", (at(1, 1, 1, "B"),), Vulnerability.NONE),
            k.Form("north-south", (at(1, 2, 1, "B"),), Vulnerability.NS),
            k.Form("both", (at(1, 9, 9),), Vulnerability.BOTH),
            k.Form("as-marked", (at(1, 8, 9),)),
        ),
    )
    log.rule(k.BoardsCancelled, session="1", boards=(4,), section="B")
    for kind, unit, amount in (
        (k.PenaltyKind.LATE, k.PenaltyUnit.POINTS, Fraction(1)),
        (k.PenaltyKind.SLOW, k.PenaltyUnit.PERCENT_OF_TOP, Fraction(10)),
        (k.PenaltyKind.PROCEDURAL, k.PenaltyUnit.IMPS, Fraction(1, 2)),
        (k.PenaltyKind.DISCIPLINARY, k.PenaltyUnit.VICTORY_POINTS, Fraction(1, 4)),
        (k.PenaltyKind.WARNING, k.PenaltyUnit.POINTS, Fraction(0)),
    ):
        log.rule(k.Penalty, contestant="A2NS", session="1", amount=amount, unit=unit, penalty_kind=kind)

    # Publication, the two clocks, and what comes inside and outside them.
    log.say(c.PlayEnded, session="1")
    log.say(
        c.ScorePublished,
        Role.SCORER,
        "office",
        scope=c.Scope.SESSION,
        session="1",
        revision=1,
        correction_minutes=30,
        appeal_minutes=45,
        scoring_version=1,
        lists=(c.PinnedList("1/A", "0" * 64),),
    )
    log.later(10)
    asked = log.say(
        r.CorrectionRequested,
        Role.PAIR,
        "pair.A1EW",
        slot=at(1),
        subject=Subject.TRICKS,
        by="A1EW",
        proposed=made("4S", 9),
        note="one trick too many",
    )
    appeals = [
        log.say(
            k.Appeal,
            Role.PAIR,
            "pair.A3EW",
            subject=subject,
            appeal_kind=kind,
            session="1",
            by="A3EW",
            slots=(at(1, 2, 3),),
            against=split.identity if kind is k.AppealKind.APPEAL else None,
            note="the weights",
        )
        for kind, subject in (
            (k.AppealKind.APPEAL, Subject.RULING),
            (k.AppealKind.RULING_REQUEST, Subject.APPEAL),
            (k.AppealKind.PROTEST_1963, Subject.ENTRY),
        )
    ]
    log.say(
        c.PeriodChanged, Role.ORGANISER, session="1", period=c.Period.CORRECTION, minutes=40, note="a queue"
    )
    log.say(c.PeriodChanged, Role.ORGANISER, session="1", period=c.Period.APPEAL, minutes=60)
    log.later(45)
    log.rule(
        k.ReplaceResult, Subject.TRICKS, slot=at(1), supersedes=first.identity, result=made("4S", 9)
    )  # too late
    log.rule(
        k.ReplaceResult,
        Subject.TRICKS,
        slot=at(1),
        supersedes=first.identity,
        result=made("4S", 9),
        request=asked.identity,
        law="Law 79B",
    )
    log.rule(k.CorrectionDecided, Subject.TRICKS, decided=asked.identity, decision=k.Decision.GRANTED)
    for lodged, decision in zip(appeals, (k.Decision.REFUSED, k.Decision.WITHDRAWN), strict=False):
        log.rule(k.AppealDecided, Subject.APPEAL, Role.COMMITTEE, appeal=lodged.identity, decision=decision)
    leave = log.rule(k.OverrideGranted, Subject.ENTRY, Role.ORGANISER, session="1", slots=(at(4, 2),))
    log.rule(
        k.ReplaceResult,
        Subject.ENTRY,
        slot=at(4, 2),
        supersedes=corrected.identity,
        result=made("5D", 11, "S"),
        override=leave.identity,
    )
    log.rule(k.OverrideGranted, Subject.ENTRY, session="1")  # a director may not
    withdrawn = log.rule(
        k.Penalty,
        contestant="A1NS",
        session="1",
        amount=Fraction(-1),
        unit=k.PenaltyUnit.POINTS,
        penalty_kind=k.PenaltyKind.PROCEDURAL,
    )
    log.rule(k.RecordWithdrawn, record=withdrawn.identity)
    log.rule(k.RecordWithdrawn, record="ghost/1")  # waits for ever
    second = log.say(
        c.ScorePublished,
        Role.DIRECTOR,
        scope=c.Scope.SESSION,
        session="1",
        revision=2,
        restarts_clocks=True,
    )
    log.say(c.PublicationWithdrawn, Role.CHIEF_DIRECTOR, publication=second.identity)
    for scope, subject in (
        (c.Scope.ROUND, "1"),
        (c.Scope.MATCH, "m1"),
        (c.Scope.STAGE, "final"),
    ):
        log.say(c.ScorePublished, scope=scope, session="1", subject=subject, revision=3)
    log.later(120)
    log.say(
        c.SessionFinalised,
        Role.CHIEF_DIRECTOR,
        session="1",
        scoring_version=1,
        lists=(c.PinnedList("1/A", "1" * 64),),
    )
    log.rule(k.ReplaceResult, slot=at(1), supersedes=first.identity, result=made("4S", 8))  # final
    log.say(c.SessionReopened, Role.CHIEF_DIRECTOR, session="1")
    log.say(
        c.RescoringAccepted,
        Role.CHIEF_DIRECTOR,
        scoring_version=1,
        lists=(c.PinnedList("1/A", "2" * 64),),
    )
    log.say(c.QualifiersPublished, stage="1", next_stage="final", contestants=("A1NS", "A1EW"))
    log.say(c.CarryOverSet, contestant="A1NS", stage="final", amount=Fraction(7, 2))
    log.say(c.ScorePublished, scope=c.Scope.EVENT)
    log.say(c.SessionFinalised, Role.CHIEF_DIRECTOR, session="2")  # not published long enough
    log.say(c.EventArchived, Role.CHIEF_DIRECTOR, digest="3" * 64, records=1)


def butler(log: Log) -> None:
    """IMPs against a datum in a Howell, with a movement changed on the way; and the Mitchells by form."""
    log.event = "butler"
    log.later(10)
    log.say(
        c.ConditionsPublished,
        Role.ORGANISER,
        preset="butler",
        settings={"field.compare": "field", "adj.session": "1963"},
    )
    for number in range(1, 5):
        log.say(
            c.ContestantEntered,
            Role.SCORER,
            contestant=f"{number}",
            contestant_kind=c.ContestantKind.PAIR if number < 4 else c.ContestantKind.PLAYER,
            section="A",
            number=number,
        )
    log.say(
        c.MovementSet,
        session="1",
        section="A",
        movement=c.HowellMovement(pairs=4, boards_per_round=2, first_board=13, rounds=3, phantom=None),
    )
    log.say(
        c.MovementSet,
        session="1",
        section="H",
        movement=c.HowellMovement(pairs=6, boards_per_round=1, phantom=6),
    )
    for section, movement in (
        (
            "S",
            c.MitchellMovement(
                tables=4,
                rounds=3,
                boards_per_round=2,
                first_board=21,
                form="skip",
                skip_after=2,
                arrow_switch_rounds=(3,),
                missing_ns=4,
            ),
        ),
        (
            "R",
            c.MitchellMovement(tables=4, rounds=4, boards_per_round=2, form="relay-and-share", missing_ew=2),
        ),
    ):
        log.say(c.MovementSet, session="1", section=section, movement=movement)
    log.say(
        c.MovementChanged,
        session="1",
        section="A",
        from_round=3,
        movement=c.ExplicitMovement(
            (c.Placement(3, 1, "1", "2", (17, 18)), c.Placement(3, 2, "3", "4", (17, 18)))
        ),
    )
    contracts = (
        made("1NT", 7, "N"),
        made("2S", 9, "E"),
        made("3NT", 8, "S"),
        made("4H", 10, "W"),
        made("5D", 12, "N"),
        made("6C", 11, "E"),
    )
    for place, played in enumerate(contracts):
        for table in (1, 2):
            slot = at(13 + place, table, 1 + place // 2)
            done = played if table == 1 else replace(played, tricks=played.tricks - 1)
            log.table(slot, done)
    log.rule(
        k.Award,
        changes=(SlotChange(at(19, 1, 3)),),
        ns_award=Artificial(AwardKind.AVE_PLUS, imps=Fraction(2)),
        ew_award=Artificial(AwardKind.AVE_MINUS),
    )


def teams(log: Log) -> None:
    """Two matches of teams, one of them told by the captains."""
    log.event = "teams"
    log.later(10)
    log.say(c.EventDescribed, Role.SCORER, title="Teams", contest=c.ContestantKind.TEAM)
    log.say(c.ConditionsPublished, Role.ORGANISER, preset="teams_imps", settings={})
    for name in ("red", "blue", "green", "white", "black"):
        log.say(c.ContestantEntered, Role.SCORER, contestant=name, contestant_kind=c.ContestantKind.TEAM)
    for match, home, visit, table in (("m1", "red", "blue", 1), ("m2", "green", "white", 3)):
        log.say(
            c.MatchSet,
            match=match,
            session="1",
            round=1,
            home=home,
            visit=visit,
            tables=(c.TableOfMatch("A", table, NS), c.TableOfMatch("A", table + 1, EW)),
            boards=(1, 2),
        )
    log.say(c.PairingsPublished, session="1", round=1, matches=("m1", "m2"), drawn_from=0)
    log.say(c.ByeAwarded, contestant="black", session="1", round=1, privilege=True)
    log.say(
        c.LineupDeclared,
        Role.PAIR,
        "captain.red",
        match="m1",
        team="red",
        open_room=("r1", "r2"),
        closed_room=("r3", "r4"),
    )
    for board, played in ((1, (made("4S", 10), made("4S", 9))), (2, (made("3NT", 9, "E"), PassedOut()))):
        for table, result in zip((1, 2), played, strict=True):
            log.table(at(board, table), result)
    told = log.say(
        r.MatchResult,
        Role.PAIR,
        "captain.green",
        match="m2",
        by="green",
        home_imps=31,
        visit_imps=12,
        boards=2,
    )
    log.say(
        r.MatchResult,
        Role.PAIR,
        "captain.white",
        match="m2",
        by="white",
        home_imps=30,
        visit_imps=12,
        boards=2,
        supersedes=told.identity,
    )
    log.say(c.ScorePublished, scope=c.Scope.MATCH, session="1", subject="m1")


def imported(log: Log) -> None:
    """An event brought in with the stamps of another log, which are the ones that count."""
    log.event = "imported"
    log.later(10)
    stamps = iter(range(1_000_000, 99_000_000, 1_000_000))

    def bring(kind, topic, **fields):
        return log.say(kind, Role.IMPORTER, original_stamp=Stamp(next(stamps), topic, 3, 7), **fields)

    bring(c.ConditionsPublished, "session-control", preset="law1963_pairs")
    for table, tricks in enumerate((9, 10, 10, 12), start=1):
        bring(
            r.BoardResult,
            "board-results",
            slot=at(8, table),
            result=made("4H", tricks, "E"),
            ns=f"{table}",
            ew=f"{table + 4}",
        )


def entries() -> list[Stamped]:
    """The log as the values above make it."""
    log = Log()
    for event in (pairs, butler, teams, imported):
        event(log)
    return log.entries


def read_log() -> list[Stamped]:
    """The log as it is kept."""
    return [line for line in read_records(LOG.read_bytes().splitlines()) if isinstance(line, Stamped)]


def folded(log: list[Stamped]) -> Iterator[tuple[str, dict[str, object]]]:
    """What a log means: for each event its fingerprint, verdicts and the digests of all that it shows."""
    events = Events()
    events.apply(log)
    for name, event in sorted(events.by_id.items()):
        verdicts = {}
        for identity in sorted(event.records.by_identity):
            decision = event.decision(identity)
            reason = f" {decision.reason}" if decision.reason else ""
            verdicts[identity] = f"{decision.verdict}{reason}"
        for identity, digest in sorted(event.records.conflicts):
            decision = event.conflict(identity, digest)
            verdicts[f"{identity} {digest}"] = f"{decision.verdict} {decision.reason}"
        yield (
            name,
            {
                "fingerprint": sha256(fingerprint(event)).hexdigest(),
                "index": index(event).digest,
                "lists": {listed: standings(event, listed)[0].digest for listed in list_ids(event)},
                "travellers": {
                    "/".join(map(str, board)): traveller(event, board)[0].digest for board in board_ids(event)
                },
                "verdicts": verdicts,
            },
        )


def main() -> None:
    """Write what is asked for."""
    HERE.mkdir(exist_ok=True)
    if sys.argv[1:] == ["log"]:
        LOG.write_bytes(b"".join(map(write_stamped, entries())))
    EXPECTED.write_text(json.dumps(dict(folded(read_log())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
