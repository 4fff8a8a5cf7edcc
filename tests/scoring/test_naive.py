"""The naive scorer against published figures, brought in as records of an event."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from csv import DictReader
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.scoring.naive import NaiveEvent, naive_score
from pipeline.scoring.naive.deal import declarers_score, imps, law_2
from schemas.codec import AnyRecord, payload_digest
from schemas.control import (
    ExplicitMovement,
    MatchSet,
    MovementChanged,
    Period,
    RoundCancelled,
    SeatingChanged,
    TableOfMatch,
)
from schemas.corrections import (
    Appeal,
    AppealKind,
    BoardForms,
    BoardsCancelled,
    Form,
    MoveResult,
    OverrideGranted,
    Penalty,
    PenaltyKind,
    PenaltyUnit,
    ReplaceResult,
    SwapDirections,
)
from schemas.deal import NotPlayed, PassedOut, ScoreOnly
from schemas.decisions import Reason, Verdict
from schemas.policies import ImpScale, ScoringTable
from schemas.record import Role, SlotChange, Stamp, Stamped
from schemas.results import CorrectionRequested, Subject
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    Doubling,
    Identity,
    MatchId,
    Points,
    RecordId,
    Seat,
    SectionId,
    SessionId,
    SourceId,
    Strain,
)
from schemas.topics import TOPIC_OF
from tests.builders import (
    EVENT,
    MINUTE,
    START_US,
    awarded,
    changes_of,
    conditions,
    confirmed,
    contract_of,
    described,
    entered,
    mitchell,
    movement,
    period_changed,
    placement,
    play_ended,
    replaced,
    result,
    round_ended,
    score_published,
    session_finalised,
    session_opened,
    slot,
    stamped,
    upheld,
    voided,
    withdrawn,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "rules"
NS, EW = Direction.NS, Direction.EW
ACCEPTED = (Verdict.ACCEPTED, None)


def golden(name: str) -> Any:  # noqa: ANN401 - as JSON is
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


def refused(reason: Reason) -> tuple[Verdict, Reason]:
    return (Verdict.REFUSED, reason)


def waits(reason: Reason) -> tuple[Verdict, Reason]:
    return (Verdict.WAITING_FOR_DIRECTOR, reason)


def noted(board: int, table: int, ns_points: int, session: str = "1") -> ReplaceResult:
    """A score of an oracle, put in by the director: an oracle's board need not fit Law 2."""
    return ReplaceResult(
        event=EVENT,
        id=RecordId(f"noted.{session}.{board}.{table}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        slot=slot(board, table, session=session),
        result=ScoreOnly(Points(ns_points)),
        ns=ContestantId(f"n{table}"),
        ew=ContestantId(f"e{table}"),
    )


def field(scores: Sequence[int], board: int = 1) -> list[ReplaceResult]:
    return [noted(board, table, score) for table, score in enumerate(scores, start=1)]


def points(event: NaiveEvent, side: Direction = NS, board: int = 1) -> list[Fraction | None]:
    """The points of one side on a board, by table."""
    on_board = sorted((at for at in event.seated if at.board == board), key=lambda at: at.table)
    return [event.points[at, side] for at in on_board]


def scored(records: Iterable[AnyRecord]) -> NaiveEvent:
    return naive_score(stamped(records))


def fractions(texts: Iterable[str | int | float]) -> list[Fraction]:
    return [Fraction(str(text)) for text in texts]


# Single deals.


def test_law_77_by_published_table() -> None:
    doublings = (Doubling.UNDOUBLED, Doubling.DOUBLED, Doubling.REDOUBLED)
    with (GOLDEN / "duplicate_score.csv").open(encoding="utf-8", newline="") as file:
        rows = list(DictReader(file))
    assert len(rows) == 420
    for row in rows:
        doubling, vulnerable = doublings[int(row["doubled"])], row["vulnerable"] == "1"
        contract = replace(contract_of(f"{row['level']}{Strain(row['strain'])}", "N"), doubling=doubling)
        for tricks in range(14):
            score = declarers_score(
                contract, tricks, vulnerable=vulnerable, table=ScoringTable(row["ruleset"])
            )
            assert score == int(row[str(tricks)]), (row, tricks)


def test_law_2_and_law_78b_by_published_tables() -> None:
    with (GOLDEN / "board_conditions.csv").open(encoding="utf-8", newline="") as file:
        boards = list(DictReader(file))
    assert len(boards) >= 16
    words = {"none": "none", "ns": "ns", "ew": "ew", "both": "both", "all": "both"}
    for row in boards:
        assert law_2(int(row["board"])).value == words[row["vulnerable"].lower()], row
    with (GOLDEN / "imp_lookup.csv").open(encoding="utf-8", newline="") as file:
        rows = list(DictReader(file))
    assert len(rows) > 400
    for row in rows:
        for scale in ImpScale:
            assert imps(int(row["diff"]), scale) == int(row[scale.value]), row
            assert imps(-int(row["diff"]), scale) == -int(row[scale.value]), row


# Match points.


@pytest.mark.parametrize(
    ("unit", "expected"), [("2-1-0", [6, 3, 3, 0]), ("1-1/2-0", [3, Fraction(3, 2), Fraction(3, 2), 0])]
)
def test_match_points_in_both_units(unit: str, expected: list[Fraction]) -> None:
    """Law 78A, in the sources' example."""
    event = scored([conditions(settings={"mp.unit": unit}), *field([620, 170, 170, -50])])
    assert points(event) == expected
    assert points(event, EW) == expected[::-1]
    assert [event.totals["1/all"][ContestantId(f"n{table}")].rank for table in (1, 2, 3, 4)] == [1, 3, 3, 7]


@pytest.mark.parametrize(
    "board",
    [board for board in golden("matchpoints.json") if "ns" in board],
    ids=lambda board: str(board["name"]),
)
def test_match_points_as_published(board: Mapping[str, Any]) -> None:
    unit = "2-1-0" if board["unit"] == "2-1-0" else "1-1/2-0"
    scores = [score * 10 if abs(score) < 10 else score for score in board["ns_scores"]]
    event = scored([conditions(settings={"mp.unit": unit}), *field(scores)])
    assert points(event) == fractions(board["ns"])


def short_board(case: Mapping[str, Any]) -> list[AnyRecord]:
    """A board with too few results beside one with all, and the score that wins the case's match points."""
    results, won = int(case["results"]), int(case["matchpoints"])
    others = results - 1
    beaten, level = divmod(won, 2)
    scores = [100, *[50] * beaten, *[100] * level, *[150] * (others - beaten - level)]
    return [*field(scores), *field([100] * int(case["expected"]), board=2)]


@pytest.mark.parametrize("case", golden("neuberg.json")["neuberg"])
def test_neuberg_boards_as_published(case: Mapping[str, Any]) -> None:
    half = case["scale"] != "2-1-0"
    won = Fraction(case["matchpoints"]) * (2 if half else 1)
    records = short_board({**case, "matchpoints": won})
    laid = {"mp.small_group": "neuberg", "mp.unit": "1-1/2-0" if half else "2-1-0"}
    event = scored([conditions(settings=laid), *records])
    assert points(event)[0] == Fraction(case["exact"])
    rounding = {
        "half_up": "tenth-half-up",
        "half_even": "tenth-half-even",
        "toward_avg": "tenth-towards-average",
        "away_avg": "tenth-away-from-average",
        "ten_thousandth_away_avg": "ten-thousandth-away-from-average",
    }
    for name, value in case["rounded"].items():
        rounds = {**laid, "mp.round": rounding[name]}
        assert points(scored([conditions(settings=rounds), *records]))[0] == Fraction(value), name


@pytest.mark.parametrize("case", golden("neuberg.json")["small_groups"]["cases"])
def test_small_groups_of_the_white_book(case: Mapping[str, Any]) -> None:
    records = short_board(case)
    event = scored([conditions(settings={"mp.small_group": "ebu2022"}), *records])
    if case["value"] is not None:
        assert points(event)[0] == Fraction(case["value"])
        assert event.totals["1/all"][ContestantId("n1")].available == 4 * (case["expected"] - 1)
    else:
        found = points(event)[0]
        assert found is not None
        assert round(float(found), 6) == float(case["neuberg"])


@pytest.mark.parametrize("case", golden("neuberg.json")["acbl_groups"]["cases"])
def test_small_groups_of_the_acbl(case: Mapping[str, Any]) -> None:
    records = short_board({**case, "matchpoints": 2 * int(case["matchpoints"])})
    laid = {"mp.small_group": "acbl1991", "mp.unit": "1-1/2-0"}
    found = points(scored([conditions(settings=laid), *records]))[0]
    assert found is not None
    assert round(float(found), 6) == float(case["value"])


@pytest.mark.parametrize(
    ("ns_scores", "arbitral", "expected"),
    [([420, 170, 170, -50], 1, [7, 4, 4, 1]), ([620, 170, 170, -100], 2, [8, 5, 5, 2])],
)
def test_an_arbitral_score_is_worth_one_point_to_everybody_else(
    ns_scores: list[int], arbitral: int, expected: list[int]
) -> None:
    """1963 article 81."""
    awards = [awarded(slot(1, 5 + more), "ave", "ave") for more in range(arbitral)]
    event = scored([conditions("law1963_pairs"), *field(ns_scores), *awards])
    assert points(event)[:4] == expected
    assert points(event)[4] == len(ns_scores) + arbitral - 1  # half of the top 2(n - 1)


def test_weighted_score_of_the_white_book() -> None:
    """White Book 4.1.1.4: 30 % of +650 and 70 % of -100."""
    case = golden("weighted.json")
    scores = [int(score) for score, count in case["field"].items() for _ in range(count)]
    weighted = awarded(slot(1, 6), "30% 650,70% -100", "30% 650,70% -100")
    event = scored([conditions(), *field(scores), weighted])
    assert points(event)[5] == Fraction(case["ns"])
    assert points(event, EW)[5] == Fraction(case["ew"])
    assert sum(point for point in points(event) if point is not None) == Fraction(case["total"])


def test_ave_plus_follows_a_better_session() -> None:
    """Law 12C2c: 62.5 % elsewhere is 7.5 of 12 instead of 7.2; 50 % and the flat policy leave 7.2."""
    first = field([200, 300, 300, 100, 100, 100, 100], board=1)  # 8 of 12
    second = field([200, 300, 300, 200, 100, 100, 100], board=2)  # 7 of 12
    third = field([0, 300, 250, 200, 150, 100, 50], board=3)[1:]
    award = replace(awarded(slot(3, 1), "ave+", "ave-"), changes=(SlotChange(slot(3, 1)),))
    seats = SeatingChanged(
        event=EVENT,
        id=RecordId("seats"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        section=SectionId("A"),
        round=1,
        table=1,
        ns=ContestantId("n1"),
        ew=ContestantId("e1"),
    )
    records: list[AnyRecord] = [*first, *second, *third, seats, award]
    event = scored([conditions(), *records])
    assert points(event, board=1)[0] == 8
    assert points(event, board=2)[0] == 7
    assert event.points[slot(3, 1), NS] == Fraction(15, 2)
    assert event.points[slot(3, 1), EW] == Fraction(9, 2)  # 37.5 % elsewhere
    assert event.totals["1/all"][ContestantId("n1")].available == 36
    flat = scored([conditions(settings={"adj.session": "flat"}), *records])
    assert (flat.points[slot(3, 1), NS], flat.points[slot(3, 1), EW]) == (Fraction(36, 5), Fraction(24, 5))
    law1963 = scored([conditions(settings={"adj.session": "1963"}), *records])
    assert law1963.points[slot(3, 1), NS] == Fraction(15, 2)
    assert law1963.points[slot(3, 1), EW] == Fraction(24, 5)


# IMPs.


def whole(board: Mapping[str, Any]) -> bool:
    """No factored frequencies, and IMPs as well as a datum."""
    return "imps" in board and all(Fraction(str(n)).denominator == 1 for n in board["frequencies"].values())


WHOLE_BOARDS = [board for board in golden("butler.json")["boards"] if whole(board)]


@pytest.mark.parametrize("board", WHOLE_BOARDS, ids=lambda board: str(board["name"]))
def test_butler_boards(board: Mapping[str, Any]) -> None:
    scores = [int(score) for score, count in board["frequencies"].items() for _ in range(int(count))]
    laid = {"score.method": "butler", "butler.trim": board["trim"]}
    event = scored([conditions(settings=laid), *field(scores)])
    assert points(event) == [board["imps"][str(score)] for score in scores]
    assert points(event, EW) == [-board["imps"][str(score)] for score in scores]


def test_butler_with_five_of_eight_results() -> None:
    """The method of White Book 4.2.4, by hand: frequencies times 8/5, one left out at each end, datum 360."""
    scores = [650, 620, 620, -100, -100]
    laid = {"score.method": "butler", "butler.trim": "one-each-end"}
    event = scored([conditions(settings=laid), *field(scores), *field([0] * 8, board=2)])
    assert points(event) == [7, 6, 6, -10, -10]  # 290, 260 and -460


CROSS_IMPS = [
    (number, form)
    for number, board in enumerate(golden("cross_imps.json")["boards"])
    for form in ("total", "average", "per-result", "square-root")
    if form in board
]


@pytest.mark.parametrize(("number", "form"), CROSS_IMPS)
def test_cross_imp_boards(number: int, form: str) -> None:
    board = golden("cross_imps.json")["boards"][number]
    laid = {"score.method": "cross-imps", "ximp.form": form, "ximp.factor": board["factor"]}
    others = field([0] * int(board["expected"]), board=2)
    event = scored([conditions(settings=laid), *field(board["ns_scores"]), *others])
    for found, value in zip(points(event), board[form], strict=True):
        assert found is not None
        assert abs(found - Fraction(value)) <= Fraction(1, 20_000)


def test_team_match_of_1963() -> None:
    """Articles 87 and 88: +620 and -170, -50 and -110 and so on: 10, -4, 13, 0, 0."""
    case = golden("source_rules.json")["imp_match"]
    tables = (
        TableOfMatch(SectionId("A"), 1, NS),
        TableOfMatch(SectionId("A"), 2, EW),
    )
    match = MatchSet(
        event=EVENT,
        id=RecordId("match"),
        source=SourceId("office"),
        role=Role.SCORER,
        match=MatchId("m"),
        session=SessionId("1"),
        round=1,
        home=ContestantId("home"),
        visit=ContestantId("visit"),
        tables=tables,
        boards=tuple(BoardNumber(board) for board in range(1, len(case["boards"]) + 2)),
    )
    plays: list[AnyRecord] = [conditions("teams_imps"), match]
    for number, board in enumerate(case["boards"], start=1):
        first, second = noted(number, 1, board["team_ns"]), noted(number, 2, -board["team_ew"])
        plays += [replace(first, ns=None, ew=None), replace(second, ns=None, ew=None)]
    event = scored(plays)
    assert [event.points[slot(n, 1), NS] for n in range(1, 6)] == [b["imps"] for b in case["boards"]]
    assert [event.points[slot(n, 2), NS] for n in range(1, 6)] == [-b["imps"] for b in case["boards"]]
    home = event.totals["1/all"][ContestantId("home")]
    assert (home.total, home.boards, home.rank) == (case["net"], 5, 1)
    assert event.points[slot(6, 1), NS] is None
    assert not event.deal_closed[SessionId("1"), BoardNumber(6)]
    assert event.deal_closed[SessionId("1"), BoardNumber(1)]


# Clocks.


def at(clock: str, record: AnyRecord, offset: int = 0) -> Stamped:
    """A record as the log took it at this time of the evening."""
    hours, minutes = clock.split(":")
    time_us = START_US + (int(hours) * 60 + int(minutes)) * MINUTE
    return Stamped(record, Stamp(time_us, TOPIC_OF[type(record)], 0, offset))


PRESETS = {"1963_art94": "law1963_pairs", "law79C_1997": "danish1997"}


@pytest.mark.parametrize("case", golden("source_rules.json")["corrections"], ids=lambda case: str(case["id"]))
def test_correction_periods_of_the_sources(case: Mapping[str, Any]) -> None:
    stated = {"printed-60": 60, "printed-15": 15}.get(case["id"])
    laid = {"correction.may_shorten": "true"} if case["id"] == "printed-15" else {}
    first = result(1, "n", "e")
    entries = [
        at("18:00", conditions(PRESETS[case["ruleset"]], laid)),
        at("20:00", first),
        at("22:00", play_ended()),
        at(case["official_score_released"], score_published(correction_minutes=stated)),
    ]
    if stated is None and case["period_minutes"] != 30:
        role = Role.DIRECTOR if case["id"] == "director-longer" else Role.ORGANISER
        entries.append(at("22:12", period_changed(case["period_minutes"], role=role)))
    change = replaced(first, subject=Subject.SCORER, role=Role.SCORER, source="office")
    entries.append(at(case["request_at"], change))
    event = naive_score(entries)
    assert event.decisions[change.identity] == (ACCEPTED if case["in_time"] else refused(Reason.PERIOD_OVER))
    assert event.effective[first.slot] == (change if case["in_time"] else first).identity


@pytest.mark.parametrize("case", golden("source_rules.json")["protests"], ids=lambda case: str(case["id"]))
def test_protests_of_1963(case: Mapping[str, Any]) -> None:
    wrong_entry = case["about"] == "wrong entry in the score"
    protest = Appeal(
        event=EVENT,
        id=RecordId("protest"),
        source=SourceId("pair"),
        role=Role.PAIR,
        subject=Subject.ENTRY if wrong_entry else Subject.RULING,
        appeal_kind=AppealKind.PROTEST_1963,
        session=SessionId("1"),
        by=ContestantId("n"),
    )
    event = naive_score(
        [
            at("18:00", conditions("law1963_pairs")),
            at(case["session_end"], play_ended()),
            at("22:10", score_published()),
            at(case["filed_at"], protest),
        ]
    )
    late = refused(Reason.PROTEST_PERIOD_OVER)
    expected = refused(Reason.NOT_A_PROTEST) if wrong_entry else ACCEPTED if case["in_time"] else late
    assert event.decisions[protest.identity] == expected
    assert (event.decisions[protest.identity] == ACCEPTED) == case["admissible"]


@pytest.mark.parametrize(
    ("preset", "tricks", "expected"),
    [
        ("law1963_pairs", 9, refused(Reason.ROUND_OVER)),
        ("danish1997", 9, refused(Reason.PERIOD_OVER)),  # East-West's score goes up
        ("danish1997", 10, ACCEPTED),
        ("exact", 9, ACCEPTED),
    ],
)
def test_tricks_disputed_after_the_round(preset: str, tricks: int, expected: object) -> None:
    """1963 article 92; Law 79B of 1997 and of 2017."""
    first = result(1, "n", "e")
    change = replaced(first, tricks=tricks, subject=Subject.TRICKS)
    event = scored([conditions(preset), first, round_ended(1), change])
    assert event.decisions[change.identity] == expected
    before = scored([conditions(preset), first, change, round_ended(1)])
    assert before.decisions[change.identity] == ACCEPTED


def test_a_late_raise_for_nobody_is_owed_by_no_law_of_1997() -> None:
    """Law 79B of 1997: one side may go down without the other going up."""
    first = result(1, "n", "e")  # 420
    down = replace(awarded(first, "420", "450"), subject=Subject.TRICKS)
    event = scored([conditions("danish1997"), first, round_ended(1), down])
    assert event.decisions[down.identity] == ACCEPTED


def test_what_was_lodged_in_time_may_be_decided_late_and_after_the_final_result() -> None:
    first = result(1, "n", "e")
    request = CorrectionRequested(
        event=EVENT,
        id=RecordId("request"),
        source=SourceId("pair"),
        role=Role.PAIR,
        slot=first.slot,
        subject=Subject.ENTRY,
        by=ContestantId("n"),
    )
    override = OverrideGranted(
        event=EVENT,
        id=RecordId("leave"),
        source=SourceId("office"),
        role=Role.ORGANISER,
        subject=Subject.ENTRY,
        session=SessionId("1"),
        slots=(slot(2),),
    )
    bare = replaced(first, id="bare")
    with_request = replaced(first, id="with-request", request=request)
    elsewhere = replaced(first, id="elsewhere", override=override, supersedes=with_request)
    entries = [
        at("20:00", first),
        at("22:10", score_published()),
        at("22:40", request),
        at("22:40", session_finalised(), 1),
        at("22:41", replace(session_finalised(), id=RecordId("again"))),
        at("22:50", bare),
        at("22:51", override),
        at("22:52", with_request),
        at("22:53", elsewhere),
        at("22:54", result(2, "n", "e")),
    ]
    decisions = naive_score(entries).decisions
    assert decisions[request.identity] == ACCEPTED
    assert decisions[session_finalised().identity] == refused(Reason.PERIOD_STILL_OPEN)
    assert decisions[Identity("director/again")] == ACCEPTED
    assert decisions[bare.identity] == refused(Reason.SESSION_FINAL)
    assert decisions[with_request.identity] == ACCEPTED
    assert decisions[elsewhere.identity] == refused(Reason.OVERRIDE_DOES_NOT_COVER)
    assert decisions[result(2).identity] == waits(Reason.SESSION_FINAL)


def test_no_period_ends_and_no_session_is_final_without_a_publication() -> None:
    event = naive_score([at("22:00", play_ended()), at("23:59", session_finalised())])
    assert event.decisions[session_finalised().identity] == refused(Reason.NO_PUBLICATION)


@pytest.mark.parametrize(
    ("minutes", "role", "settings_", "expected"),
    [
        (60, Role.ORGANISER, {}, ACCEPTED),
        (60, Role.DIRECTOR, {}, refused(Reason.NOT_AUTHORISED)),
        (60, Role.DIRECTOR, {"correction.lengthen_by": "director-or-organiser"}, ACCEPTED),
        (15, Role.ORGANISER, {}, refused(Reason.PERIOD_MAY_NOT_SHORTEN)),
        (15, Role.ORGANISER, {"correction.may_shorten": "true"}, ACCEPTED),
        (15, Role.DIRECTOR, {"correction.may_shorten": "true"}, refused(Reason.PERIOD_MAY_NOT_SHORTEN)),
        (15, Role.SCORER, {"correction.may_shorten": "true"}, refused(Reason.NOT_AUTHORISED)),
    ],
)
def test_who_changes_a_period(
    minutes: int, role: Role, settings_: Mapping[str, str], expected: object
) -> None:
    """Law 79C, 1963 article 94."""
    change = period_changed(minutes, role=role)
    assert scored([conditions(settings=settings_), change]).decisions[change.identity] == expected


def test_the_director_lengthens_the_appeal_period() -> None:
    change = period_changed(60, period=Period.APPEAL, role=Role.DIRECTOR)
    assert scored([change]).decisions[change.identity] == ACCEPTED


# Slots.


def test_the_table_changes_its_own_entry_until_it_is_confirmed() -> None:
    first = result(1, "n", "e", entered_by="N")
    second = result(1, "n", "e", tricks=9, supersedes=first, id="second")
    wrong = confirmed(second, "S", id="wrong")
    right = confirmed(second, "W", id="right")
    third = result(1, "n", "e", tricks=11, supersedes=second, id="third")
    second = replace(second, entered_by=Seat.N)
    event = scored([first, second, wrong, right, third])
    assert event.effective[first.slot] == second.identity
    assert event.decisions[wrong.identity] == refused(Reason.WRONG_SIDE_CONFIRMS)
    assert event.decisions[right.identity] == ACCEPTED
    assert event.decisions[third.identity] == waits(Reason.CONFIRMED_ALREADY)


def test_a_second_answer_waits_until_the_director_upholds_it() -> None:
    first = result(1, "n", "e")
    same = result(1, "n", "e", id="same", source="other")
    other = result(1, "n", "e", tricks=9, id="other", source="other")
    over = result(1, "n", "e", tricks=9, supersedes=first, id="over", source="other")
    stale = result(1, "n", "e", tricks=9, supersedes=other, id="stale")
    waiting = [first, same, other, over, stale]
    event = scored(waiting)
    assert event.effective[first.slot] == first.identity
    assert event.decisions[same.identity] == ACCEPTED
    assert event.decisions[other.identity] == waits(Reason.SLOT_TAKEN)
    assert event.decisions[over.identity] == waits(Reason.SLOT_TAKEN)
    assert event.decisions[stale.identity] == waits(Reason.SUPERSEDED_ALREADY)
    ruling = upheld(other)
    later = result(1, "n", "e", tricks=8, supersedes=other, id="later", source="other")
    event = scored([*waiting, ruling, later])
    assert event.effective[first.slot] == other.identity
    assert event.decisions[other.identity] == ACCEPTED
    assert event.decisions[later.identity] == waits(Reason.SUPERSEDES_DIRECTOR)
    event = scored([*waiting, ruling, later, withdrawn(ruling)])
    assert event.effective[first.slot] == first.identity
    assert event.decisions[other.identity] == waits(Reason.SLOT_TAKEN)


def test_a_withdrawn_record_has_no_effect_until_the_withdrawal_is_withdrawn() -> None:
    first, change = result(1, "n", "e"), replaced(result(1, "n", "e"))
    back = withdrawn(change)
    again = withdrawn(back)
    event = scored([first, change, back])
    assert event.decisions[change.identity] == (Verdict.WITHDRAWN, None)
    assert event.effective[first.slot] == first.identity
    event = scored([first, change, back, again])
    assert event.decisions[change.identity] == ACCEPTED
    assert event.decisions[back.identity] == (Verdict.WITHDRAWN, None)
    assert event.effective[first.slot] == change.identity


def test_withdrawals_that_take_each_other_back_come_to_an_end() -> None:
    a, b, c = (withdrawn(result(1), id=name) for name in "abc")
    ring = [replace(a, record=b.identity), replace(b, record=c.identity), replace(c, record=a.identity)]
    event = scored([result(1, "n", "e"), *ring])
    assert {event.decisions[one.identity][0] for one in ring} <= {Verdict.ACCEPTED, Verdict.WITHDRAWN}
    mine = replace(a, record=a.identity)
    assert scored([mine]).decisions[mine.identity] == refused(Reason.WITHDRAWS_ITSELF)


def test_swapped_pairs_change_places_and_the_contract_stays() -> None:
    first = result(1, "n", "e", contract="4S", by="E", tricks=10)
    swap = SwapDirections(
        event=EVENT,
        id=RecordId("swap"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.ENTRY,
        changes=changes_of(first),
    )
    event = scored([first, *field([0, 50], board=1)[1:], swap])
    assert event.seated[first.slot] == ("e", "n")
    assert event.results[first.slot] == first.result
    assert event.points[first.slot, EW] == 2
    assert event.totals["1/all"][ContestantId("n")].total == 2
    assert event.totals["1/all"][ContestantId("e")].total == 0


def test_a_moved_result_empties_one_slot_and_fills_another() -> None:
    wrong = result(1, "n", "e")
    move = MoveResult(
        event=EVENT,
        id=RecordId("move"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.ENTRY,
        slot=wrong.slot,
        supersedes=wrong.identity,
        to=SlotChange(slot(2)),
    )
    event = scored([wrong, move])
    assert event.effective[slot(1)] is None
    assert event.effective[slot(2)] == move.identity
    assert event.seated[slot(2)] == ("n", "e")
    assert event.results == {slot(2): wrong.result}
    taken = scored([wrong, result(2, "n", "e"), move])
    assert taken.decisions[move.identity] == waits(Reason.SUPERSEDED_ALREADY)
    assert taken.effective[slot(1)] == wrong.identity
    assert taken.effective[slot(2)] == result(2).identity


def test_an_emptied_slot_may_be_filled_anew() -> None:
    first = result(1, "n", "e")
    again = result(1, "n", "e", tricks=9, id="again")
    void = voided(first)
    event = scored([first, void, again])
    assert event.effective[first.slot] == again.identity
    assert scored([first, void]).effective[first.slot] is None
    missing = voided(result(2))
    assert scored([first, result(2), missing, replace(missing, id=RecordId("x"))]).decisions[
        Identity("director/x")
    ] == refused(Reason.SLOT_EMPTY)


def test_what_the_laws_cannot_score_is_refused_and_a_contradiction_waits() -> None:
    possible = replace(result(1, "n", "e", id="a"), result=ScoreOnly(Points(420)))
    impossible = replace(possible, id=RecordId("b"), slot=slot(1, 2), result=ScoreOnly(Points(620)))
    vulnerable = replace(impossible, id=RecordId("c"), slot=slot(2, 2))
    wrong = result(3, "n", "e", score_ns=450)
    imported = result(3, "n", "e", table=2, score_ns=450, role=Role.IMPORTER)
    nothing = replace(possible, id=RecordId("d"), slot=slot(1, 3), result=ScoreOnly(Points(0)))
    decisions = scored([possible, impossible, vulnerable, wrong, imported, nothing]).decisions
    assert decisions[possible.identity] == ACCEPTED
    assert decisions[impossible.identity] == refused(Reason.SCORE_IMPOSSIBLE)
    assert decisions[vulnerable.identity] == ACCEPTED
    assert decisions[wrong.identity] == waits(Reason.SCORE_CONTRADICTS_CONTRACT)
    assert decisions[imported.identity] == ACCEPTED
    assert decisions[nothing.identity] == ACCEPTED


def test_no_slot_takes_more_than_two_hundred_records() -> None:
    records = [result(1, "n", "e", id=f"r{number}") for number in range(201)]
    event = scored(records)
    assert event.decisions[records[199].identity] == ACCEPTED  # the same once more
    assert event.decisions[records[200].identity] == refused(Reason.RECORDS_CAPPED)


# Authority, sessions, identity, order.


@pytest.mark.parametrize(
    ("role", "subject", "expected"),
    [
        (Role.SCORER, Subject.ENTRY, ACCEPTED),
        (Role.SCORER, Subject.RULING, refused(Reason.NOT_AUTHORISED)),
        (Role.COMMITTEE, Subject.APPEAL, ACCEPTED),
        (Role.COMMITTEE, Subject.ENTRY, refused(Reason.NOT_AUTHORISED)),
        (Role.TABLE, Subject.ENTRY, refused(Reason.NOT_AUTHORISED)),
        (Role.DIRECTOR, Subject.RULING, ACCEPTED),
    ],
)
def test_who_replaces_a_result(role: Role, subject: Subject, expected: object) -> None:
    first = result(1, "n", "e")
    change = replaced(first, subject=subject, role=role)
    assert scored([first, change]).decisions[change.identity] == expected


def test_unknown_sessions_and_contestants() -> None:
    known, unknown = result(1, "n", "e"), result(1, "n", "e", session="2")
    stranger = result(2, "n", "x")
    event = scored([described(), entered("n", 1), entered("e", 2), known, unknown, stranger])
    assert event.decisions[known.identity] == ACCEPTED
    assert event.decisions[unknown.identity] == refused(Reason.UNKNOWN_SESSION)
    assert event.decisions[stranger.identity] == waits(Reason.UNKNOWN_CONTESTANT)


def test_a_taken_number_and_conditions_after_the_start_are_refused() -> None:
    late, unknown = conditions("wbf", id="late", role=Role.SCORER), conditions("no-such-preset", id="no")
    event = scored([entered("a", 1), entered("b", 1), unknown, session_opened(), late])
    assert event.decisions[entered("b").identity] == refused(Reason.CONTESTANT_TAKEN)
    assert event.decisions[late.identity] == refused(Reason.CONDITIONS_AFTER_START)
    assert event.decisions[unknown.identity] == refused(Reason.UNKNOWN_SETTING)


def test_one_identity_with_two_contents_is_a_conflict_and_a_retry_is_none() -> None:
    first, other = result(1, "n", "e"), result(1, "n", "e", tricks=9)
    event = scored([first, other, first])
    assert event.effective[first.slot] == first.identity
    assert event.results[first.slot] == first.result
    assert event.conflicts == {(first.identity, payload_digest(other))}


def test_a_record_waits_for_what_it_names_and_takes_its_place_after_it() -> None:
    first = result(1, "n", "e")
    change = replaced(first)
    assert scored([change]).decisions == {
        change.identity: (Verdict.WAITING_FOR_REFERENCE, Reason.REFERENCE_UNKNOWN)
    }
    event = scored([change, first])
    assert event.effective[first.slot] == change.identity
    itself = replace(change, supersedes=change.identity)
    assert scored([itself]).decisions[itself.identity] == refused(Reason.SUPERSEDES_ITSELF)


def test_imported_stamps_count_in_an_event_without_live_records_alone() -> None:
    early = Stamp(START_US - MINUTE, "board-results", 0, 1)
    later = Stamp(START_US, "board-results", 0, 2)
    second = result(1, "n", "e", tricks=9, id="b", original_stamp=later, role=Role.IMPORTER)
    first = result(1, "n", "e", id="a", original_stamp=early, role=Role.IMPORTER)
    event = scored([second, first])
    assert event.effective[first.slot] == first.identity
    live = scored([result(5, "n", "e"), first])
    assert live.decisions[first.identity] == refused(Reason.IMPORT_INTO_LIVE_EVENT)


# Movements and what is due.


def two_tables() -> list[AnyRecord]:
    rounds = [
        placement(1, 1, "a", "c", [1]),
        placement(1, 2, "b", "d", [2]),
        placement(2, 1, "a", "d", [2]),
        placement(2, 2, "b", "c", [1]),
    ]
    return [movement(rounds)]


def test_only_the_seated_enter_a_result() -> None:
    tables = [
        result(1, "a", "c"),
        result(1, "a", "c", table=3),
        result(2, "a", "c", id="board"),
        result(2, "a", "d", table=2, id="pair"),
    ]
    believed = result(9, "a", "c", table=9, role=Role.IMPORTER)
    decisions = scored([*two_tables(), *tables, believed]).decisions
    assert [decisions[one.identity] for one in tables] == [
        ACCEPTED,
        waits(Reason.UNKNOWN_TABLE),
        waits(Reason.BOARD_NOT_AT_TABLE),
        waits(Reason.PAIR_NOT_AT_TABLE),
    ]
    assert decisions[believed.identity] == ACCEPTED


def test_a_board_is_live_until_everybody_has_played_it() -> None:
    records = [*two_tables(), result(1)]
    event = scored(records)
    assert event.points[slot(1), NS] == 0
    assert event.totals["1/all"][ContestantId("a")].available == 0
    assert event.totals["1/all"][ContestantId("a")].rank is None
    assert not event.deal_closed[SessionId("1"), BoardNumber(1)]
    other = result(1, tricks=9, table=2, round=2)
    event = scored([*records, other])
    assert event.points[slot(1), NS] == 2
    assert event.seated[slot(1)] == ("a", "c")
    assert event.deal_closed[SessionId("1"), BoardNumber(1)]
    assert not event.deal_closed[SessionId("1"), BoardNumber(2)]


def test_cancelled_rounds_and_boards_count_for_nobody() -> None:
    cancelled = RoundCancelled(
        event=EVENT,
        id=RecordId("no-round"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        round=2,
    )
    event = scored([*two_tables(), result(1), cancelled])
    assert event.deal_closed[SessionId("1"), BoardNumber(1)]
    boards = BoardsCancelled(
        event=EVENT,
        id=RecordId("no-board"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        session=SessionId("1"),
        boards=(BoardNumber(1),),
    )
    event = scored([*two_tables(), result(1), result(1, tricks=9, table=2, round=2), boards])
    assert event.points[slot(1), NS] is None
    assert event.totals == {}


def test_who_really_sat_there_stands_over_the_movement() -> None:
    seats = SeatingChanged(
        event=EVENT,
        id=RecordId("really"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        section=SectionId("A"),
        round=1,
        table=1,
        ns=ContestantId("c"),
        ew=ContestantId("a"),
    )
    event = scored([*two_tables(), result(1), seats, result(1, tricks=9, table=2, round=2)])
    assert event.seated[slot(1)] == ("c", "a")
    assert event.totals["1/all"][ContestantId("c")].total == 2 + 2  # North-South here, East-West there


def test_pairs_of_a_mitchell_are_numbered_by_direction() -> None:
    pairs = [entered(f"n{n}", n, "NS") for n in (1, 2, 3)] + [entered(f"e{n}", n, "EW") for n in (1, 2)]
    event = scored([*pairs, movement(mitchell(3, boards_per_round=1)), result(1), result(3, table=3)])
    assert event.seated[slot(1)] == ("n1", "e1")
    assert event.decisions[result(3, table=3).identity] == waits(Reason.SITS_OUT)
    assert event.seated[slot(2, 2)] == ("n2", "e2")


def test_a_movement_that_cannot_be_played_is_refused() -> None:
    twice = movement([placement(1, 1, "a", "b", [1]), placement(1, 2, "a", "c", [2])])
    assert scored([twice]).decisions[twice.identity] == refused(Reason.MOVEMENT_UNUSABLE)
    plain = movement(mitchell(3, rounds=5))
    assert scored([plain]).decisions[plain.identity] == refused(Reason.MOVEMENT_UNUSABLE)


def test_a_changed_movement_leaves_earlier_rounds() -> None:
    change = MovementChanged(
        event=EVENT,
        id=RecordId("changed"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        section=SectionId("A"),
        from_round=2,
        movement=ExplicitMovement(
            (
                placement(1, 1, "c", "a", [1]),
                placement(1, 2, "b", None, [2]),
                placement(2, 1, "c", "b", [1]),
                placement(2, 2, "a", None, [2]),
            )
        ),
    )
    event = scored([*two_tables(), change, result(1)])
    assert event.seated[slot(1)] == ("a", "c")
    assert event.seated[slot(1, 1, 2)] == ("c", "b")
    assert event.seated[slot(2, 2, 2)] == ("a", None)
    assert slot(1, 2, 2) not in event.seated


def test_only_one_form_of_a_board_is_compared() -> None:
    """Law 87: 7 and 3 of 10 tables (EBU, Scoring of fouled boards)."""
    scores = [100, 90, 80, 70, 60, 50, 40, 30, 20, 10]
    forms = BoardForms(
        event=EVENT,
        id=RecordId("forms"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        session=SessionId("1"),
        board=BoardNumber(1),
        forms=(Form("fouled", tuple(slot(1, table) for table in (8, 9, 10))),),
    )
    event = scored([conditions(settings={"mp.small_group": "neuberg"}), *field(scores), forms])
    shown = [None if point is None else round(float(point), 1) for point in points(event)]
    assert shown == [17.6, 14.7, 11.9, 9.0, 6.1, 3.3, 0.4, 15.7, 9.0, 2.3]


# Lists.


def test_one_winner_or_one_in_each_section() -> None:
    """1963 article 83."""
    pairs = [entered("a", 1, "NS"), entered("b", 1, "EW"), entered("c", 1, "NS", "B")]
    plays = [result(1, "a", "b"), result(1, "c", "d", tricks=9, section="B")]
    for winners, lists in {
        "one": {"all"},
        "per-section": {"A", "B", "all"},
        "per-direction": {"NS", "EW", "all"},
        "per-section-and-direction": {"A-NS", "A-EW", "B-NS", "all"},
    }.items():
        laid = {"rank.winners": winners, "field.compare": "field"}
        event = scored([conditions(settings=laid), *plays, *pairs])
        assert set(event.totals) == {f"{scope}/{line}" for scope in ("1", "event") for line in lists}


def test_penalties_are_taken_off_the_total() -> None:
    """A standard penalty is 25 % of a top: with a top of 6 that is 1.5 (EBU guidance)."""
    penalty = Penalty(
        event=EVENT,
        id=RecordId("slow"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        contestant=ContestantId("n1"),
        session=SessionId("1"),
        amount=Fraction(25),
        unit=PenaltyUnit.PERCENT_OF_TOP,
        penalty_kind=PenaltyKind.SLOW,
    )
    event = scored([*field([620, 170, 170, -50]), penalty])
    assert event.totals["1/all"][ContestantId("n1")].total == Fraction(9, 2)
    assert points(event)[0] == 6


def test_a_percentage_ranks_unequal_boards() -> None:
    """White Book 4.2.5: 3 of 6 loses to 5 of 8."""
    first, second = field([300, 200, 100, 0]), field([200, 300, 100], board=2)
    event = scored([*first, *second])
    rows = event.totals["1/all"]
    share = {name: row.total / row.available for name, row in rows.items() if row.available}
    by_share = sorted(share, key=lambda name: share[name], reverse=True)
    assert [rows[name].rank for name in by_share] == sorted(row.rank or 0 for row in rows.values())


def test_factored_totals_are_shares_of_the_highest_sum_of_tops() -> None:
    laid = conditions(settings={"mp.missing": "factored-total", "mp.small_group": "acbl1991"})
    event = scored([laid, *field([300, 200, 100, 0]), *field([200, 100], board=2)])
    rows = event.totals["1/all"]
    assert rows[ContestantId("n1")].total == 8  # 6 of 6 and 2 of 2
    assert rows[ContestantId("n3")].total == Fraction(8, 3)  # 2 of 6, as of 8


def test_sessions_add_up_in_the_event() -> None:
    again = [noted(1, 1, 100, "2"), noted(1, 2, 0, "2")]
    event = scored([*field([100, 0]), *again])
    assert event.totals["1/all"][ContestantId("n1")].total == 2
    assert event.totals["event/all"][ContestantId("n1")].total == 4
    assert event.totals["event/all"][ContestantId("n1")].rank == 1
    assert event.totals["event/all"][ContestantId("n1")].tied  # with East-West of the other table


# The event is a function of the set.


def evening() -> tuple[Stamped, ...]:
    first = result(1)
    other = result(1, tricks=9, table=2, round=2)
    change = replaced(first, tricks=11)
    award = awarded(slot(2), "ave+", "ave-")
    return stamped(
        [
            *two_tables(),
            first,
            change,
            first,
            replace(first, result=PassedOut()),
            other,
            withdrawn(change),
            replace(award, changes=(SlotChange(slot(2, 2)),)),
            replace(other, id=RecordId("late"), slot=slot(2, 1, 2), result=NotPlayed()),
            score_published(),
            play_ended(),
        ]
    )


@settings(max_examples=50, deadline=None)
@given(st.permutations(evening()), st.lists(st.sampled_from(evening()), max_size=4))
def test_any_order_and_any_repetition_give_the_same_event(
    entries: list[Stamped], more: list[Stamped]
) -> None:
    assert naive_score([*entries, *more]) == naive_score(evening())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-40, 40).map(lambda tens: tens * 10), min_size=1, max_size=9))
def test_both_sides_share_the_top_of_a_full_board(scores: list[int]) -> None:
    event = scored(field(scores))
    top = 2 * (len(scores) - 1)
    for ns, ew in zip(points(event), points(event, EW), strict=True):
        assert ns is not None
        assert ew is not None
        assert ns + ew == top
    assert Counter(points(event)).total() == len(scores)
    assert sum(point for point in points(event) if point is not None) == len(scores) * (len(scores) - 1)


def test_the_naive_scorer_imports_no_rule_but_movements() -> None:
    folder = Path(__file__).parents[2] / "pipeline" / "scoring" / "naive"
    lines = [line for path in folder.glob("*.py") for line in path.read_text("utf-8").splitlines()]
    imported = {line.split()[1] for line in lines if line.startswith(("from pipeline", "import pipeline"))}
    rules = {name.removeprefix("pipeline.rules.") for name in imported if name.startswith("pipeline.rules")}
    assert rules <= {"movements", "mitchell", "howell", "movement_check"}
    rest = {name for name in imported if not name.startswith("pipeline.rules")}
    assert rest
    assert all(name.startswith("pipeline.scoring.naive") for name in rest)
