"""Every number of an explanation follows from the parts that it shows, and is what traveller and list say."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pipeline.scoring.event import Event
from pipeline.scoring.explain import (
    Explanation,
    LineExplained,
    TotalExplanation,
    as_text,
    explain,
    explain_total,
)
from pipeline.scoring.lists import list_ids
from pipeline.scoring.standings import standings
from pipeline.scoring.travellers import board_ids, traveller
from schemas.codec import AnyRecord
from schemas.control import MatchSet, TableOfMatch
from schemas.corrections import BoardForms, BoardsCancelled, Form, Penalty, PenaltyKind, PenaltyUnit
from schemas.policies import (
    CrossImpFactor,
    CrossImpForm,
    DatumKind,
    DatumTie,
    DatumTrim,
    MatchpointUnit,
    MissingResults,
    RankBy,
    Rounding,
    SessionPercentage,
    SmallGroup,
    Winners,
)
from schemas.published import SideScore
from schemas.record import Role
from schemas.results import BoardResult, Subject
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    MatchId,
    RecordId,
    SectionId,
    SessionId,
    SourceId,
)
from tests import builders as build
from tests.scoring.recomputed import points_of

JSON: Final = TypeAdapter[Explanation | TotalExplanation](Explanation | TotalExplanation)
BOARDS: Final = (1, 2, 3)
CONTRACTS: Final = ("1NT", "2H", "3NT", "4S", "4Sx", "pass", "5D", "6S")
AWARDS: Final = ("ave+", "ave", "ave-", "420", "-100", "30% 420, 70% -100", "25% 170, 25% -50, 50% 400")
SETTINGS: Final = {
    "field.compare": ("section", "field"),
    "mp.unit": tuple(MatchpointUnit),
    "mp.missing": tuple(MissingResults),
    "mp.small_group": tuple(SmallGroup),
    "mp.round": tuple(Rounding),
    "line.missing": tuple(MissingResults),
    "line.round": tuple(Rounding),
    "butler.datum": tuple(DatumKind),
    "butler.trim": tuple(DatumTrim),
    "butler.tie": tuple(DatumTie),
    "ximp.form": tuple(CrossImpForm),
    "ximp.factor": tuple(CrossImpFactor),
    "ximp.round": tuple(Rounding),
    "adj.session": tuple(SessionPercentage),
    "adj.imp_plus": ("3", "2", "5/2"),
    "rank.by": tuple(RankBy),
    "rank.winners": tuple(Winners),
    "total.round": ("none", "hundredth-half-up", "tenth-half-even"),
}


@st.composite
def settings_of(draw: st.DrawFn, method: str) -> dict[str, str]:
    """Any conditions, by one scoring method."""
    choices = {name: st.sampled_from(values) for name, values in SETTINGS.items()}
    drawn = draw(st.fixed_dictionaries({}, optional=choices))
    return {"score.method": method, **{key: str(value) for key, value in drawn.items()}}


@st.composite
def happenings(draw: st.DrawFn, section: str, table: int, board: int, ns: str, ew: str) -> list[AnyRecord]:
    """What is said about a board at a table: mostly a result, or nothing, no play, or an award."""
    what = draw(st.sampled_from(("played", "played", "played", "played", "nothing", "unplayed", "award")))
    where = build.slot(board, table, board, section)
    records: list[AnyRecord] = []
    if what in {"played", "unplayed"} or (what == "award" and draw(st.booleans())):
        unplayed = "not-played:" + draw(st.sampled_from(("time", "late-play-due", "unknown")))
        contract = unplayed if what == "unplayed" else draw(st.sampled_from(CONTRACTS))
        seat, tricks = draw(st.sampled_from("NE")), draw(st.integers(7, 12))
        records.append(
            build.result(board, ns, ew, contract, seat, tricks, table=table, round=board, section=section)
        )
    if what == "award":
        sides = draw(st.tuples(st.sampled_from(AWARDS), st.sampled_from(AWARDS)))
        over = records[0] if records else None
        ruled = over if isinstance(over, BoardResult) else where
        records.append(build.awarded(ruled, *sides))
    return records


@st.composite
def pairs_events(draw: st.DrawFn) -> Event:
    """One or two small sections of pairs, at match points, Butler or cross-IMPs."""
    method = draw(st.sampled_from(("matchpoints", "matchpoints", "butler", "cross-imps")))
    records: list[AnyRecord] = [build.conditions("exact", draw(settings_of(method)))]
    for section in ("A", "B")[: draw(st.integers(1, 2))]:
        tables = range(1, draw(st.integers(2, 6)) + 1)
        records += [build.entered(f"n{section}{table}", table, "NS", section) for table in tables]
        records += [build.entered(f"e{section}{table}", table, "EW", section) for table in tables]
        seats = [
            build.placement(board, table, f"n{section}{table}", f"e{section}{table}", [board])
            for board in BOARDS
            for table in tables
        ]
        records.append(build.movement(seats, section))
        for board in BOARDS:
            for table in tables:
                records += draw(happenings(section, table, board, f"n{section}{table}", f"e{section}{table}"))
    return folded(records, draw(st.lists(extras(), max_size=2)))


@st.composite
def extras(draw: st.DrawFn) -> AnyRecord:
    """A penalty, a fouled board or a cancelled one."""
    name = f"extra.{draw(st.integers(0, 999))}"
    envelope = (build.EVENT, RecordId(name), SourceId("director"), Role.DIRECTOR)
    event, record_id, source, role = envelope
    match draw(st.sampled_from(("penalty", "forms", "cancelled"))):
        case "penalty":
            return Penalty(
                event=event,
                id=record_id,
                source=source,
                role=role,
                subject=Subject.RULING,
                contestant=ContestantId(draw(st.sampled_from(("nA1", "eA2")))),
                session=SessionId("1"),
                amount=Fraction(draw(st.integers(-20, 40)), 2),
                unit=draw(st.sampled_from(PenaltyUnit)),
                penalty_kind=draw(st.sampled_from(PenaltyKind)),
            )
        case "forms":
            return BoardForms(
                event=event,
                id=record_id,
                source=source,
                role=role,
                subject=Subject.RULING,
                session=SessionId("1"),
                board=BoardNumber(1),
                forms=(Form("turned", tuple(build.slot(1, table) for table in (1, 2, 3))),),
            )
        case _:
            return BoardsCancelled(
                event=event,
                id=record_id,
                source=source,
                role=role,
                subject=Subject.RULING,
                session=SessionId("1"),
                boards=(BoardNumber(2),),
            )


@st.composite
def team_events(draw: st.DrawFn) -> Event:
    """A match of two teams: home and visitors, three boards at two tables."""
    records: list[AnyRecord] = [build.conditions("exact", draw(settings_of("team-imps")))]
    for board in BOARDS:
        tables = (
            TableOfMatch(SectionId("A"), 1, Direction.NS),
            TableOfMatch(SectionId("A"), 2, Direction.EW),
        )
        records.append(
            MatchSet(
                event=build.EVENT,
                id=RecordId(f"match.{board}"),
                source=SourceId("office"),
                role=Role.SCORER,
                match=MatchId(f"m{board}"),
                session=SessionId("1"),
                round=board,
                home=ContestantId("home"),
                visit=ContestantId("visit"),
                tables=tables,
                boards=(BoardNumber(board),),
            )
        )
        for table, ns, ew in ((1, "home", "visit"), (2, "visit", "home")):
            records += draw(happenings("A", table, board, ns, ew))
    return folded(records, [])


def folded(records: list[AnyRecord], later: list[AnyRecord]) -> Event:
    event = Event(build.EVENT)
    event.apply(build.stamped([*records, *later, build.play_ended()]))
    return event


def travelled(event: Event) -> dict[tuple[str, Direction], SideScore]:
    """What the travellers say, by slot and direction."""
    event.rate_all()
    found = {}
    for board_id in board_ids(event):
        for page in traveller(event, board_id):
            for line in page.lines:
                found[str(line.slot), Direction.NS] = line.points_ns
                found[str(line.slot), Direction.EW] = line.points_ew
    return found


def lines_of(event: Event) -> Iterator[LineExplained]:
    """Every line of every contestant, each explanation brought through JSON and text on the way."""
    seats = {
        (contestant, state.slot.session, state.slot.board)
        for state in event.slots.values()
        for contestant in event.seated(state)
        if contestant is not None
    }
    for contestant, session, board in sorted(seats):
        explanation = explain(event, contestant, session, board)
        assert JSON.validate_json(JSON.dump_json(explanation)) == explanation
        assert as_text(explanation)
        yield from explanation.lines


def hold_the_lines(event: Event) -> None:
    said = travelled(event)
    explained = set()
    for line in lines_of(event):
        key = (str(line.slot), line.direction)
        shown = line.shown
        points = None if shown is None else points_of(shown.steps, event.conditions.imp_scale)
        side = said.get(key)
        published = None if side is None else side.exact or side.points
        assert points == (None if published is None else Fraction(published))
        if shown is not None:
            assert points == shown.points
        if line.counted is not None:
            assert points_of(line.counted.steps, event.conditions.imp_scale) == line.counted.points
        if line.frequencies and line.compared is not None:
            assert sum(row.count for row in line.frequencies) == line.compared.results
        explained.add(key)
    assert {key for key, side in said.items() if side.points is not None} <= explained


def hold_the_totals(event: Event) -> None:
    rows = {
        (list_id.partition("/")[0], row.contestant): row
        for list_id in list_ids(event)
        for page in standings(event, list_id)
        for row in page.rows
    }
    assert rows
    for (scope, contestant), row in rows.items():
        total = explain_total(event, contestant, scope)
        assert JSON.validate_json(JSON.dump_json(total)) == total
        assert as_text(total)
        for share in total.boards:
            if share.award is not None:
                assert points_of(share.steps, event.conditions.imp_scale) == share.points
        points = sum((share.points for share in total.boards), Fraction(0))
        taken = sum((penalty.taken for penalty in total.penalties), Fraction(0))
        assert total.total == points - taken
        assert total.available == sum(share.top for share in total.boards)
        if total.available:
            assert total.percentage == 100 * total.total / total.available
        factored = total.total if total.full is None else total.total * total.full / total.available
        assert total.factored == factored
        assert len(total.boards) == row.boards
        assert total.shown == Fraction(row.exact or row.score)
        assert total.rank == row.rank
        assert bool(total.tied_with) == row.tied


@given(pairs_events())
def test_the_steps_of_a_pair_give_what_the_traveller_shows(event: Event) -> None:
    hold_the_lines(event)


@given(team_events())
def test_the_steps_of_a_team_give_what_the_traveller_shows(event: Event) -> None:
    hold_the_lines(event)


@given(st.one_of(pairs_events(), team_events()))
def test_a_total_is_its_boards_less_its_penalties_and_stands_where_the_list_has_it(event: Event) -> None:
    hold_the_totals(event)
