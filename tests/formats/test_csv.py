"""CSV out: what a spreadsheet opens is what was published."""

import csv
import io

from pipeline.formats.results_csv import STANDINGS_COLUMNS, TRAVELLER_COLUMNS, standings_csv, travellers_csv
from schemas.deal import Contract, NoScore, NotPlayed, PassedOut, Played, ScoreOnly, TableResult
from schemas.decisions import Flag
from schemas.published import Open, Row, SideScore, Standings, Status, Traveller, TravellerLine
from schemas.record import Slot
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Doubling,
    EventId,
    Identity,
    ListId,
    PersonId,
    Points,
    Seat,
    SectionId,
    SessionId,
    Strain,
    Tricks,
)


def page(*rows: Row, number: int = 1) -> Standings:
    return Standings(
        event=EventId("e"),
        scoring_version=1,
        records_folded=9,
        digest="0" * 64,
        as_of_us=1,
        list=ListId("1/all"),
        scope="1",
        line="all",
        method="matchpoints",
        unit="2-1-0",
        status=Status.PROVISIONAL,
        revision=None,
        correction_until_us=None,
        appeal_until_us=None,
        boards_counted=2,
        boards_due=2,
        open=Open(),
        incomplete=0,
        contestants=3,
        page=number,
        pages=2,
        rows=rows,
    )


def row(contestant: str, rank: int | None, *, tied: bool = False, players: tuple[str, ...] = ()) -> Row:
    return Row(
        rank=rank,
        tied=tied,
        contestant=ContestantId(contestant),
        number=3,
        section=SectionId("A"),
        direction="NS",
        players=tuple(PersonId(player) for player in players),
        score="7.75",
        exact="31/4",
        percentage="64.58",
        boards=2,
        penalty="0.25",
    )


def line(
    board: int, table: int, result: TableResult | NoScore | None, award: str | None = None
) -> TravellerLine:
    return TravellerLine(
        slot=Slot(SessionId("1"), SectionId("A"), 2, table, BoardNumber(board)),
        ns=ContestantId("A1"),
        ew=ContestantId("A2"),
        result=result,
        score_ns=Points(-100),
        score_ew=Points(100),
        points_ns=SideScore("0.0", award=award),
        points_ew=SideScore("2.0"),
        record=Identity("table/1"),
        flags=(Flag.LATE, Flag.IMPLAUSIBLE),
    )


def traveller(*lines: TravellerLine) -> Traveller:
    return Traveller(
        event=EventId("e"),
        scoring_version=1,
        records_folded=9,
        digest="0" * 64,
        as_of_us=1,
        session=SessionId("1"),
        group="A",
        board=BoardNumber(7),
        closed=True,
        expected=2,
        results=2,
        top="2",
        datum=None,
        rated="raw",
        frequencies=(),
        page=1,
        pages=1,
        lines=lines,
    )


def parsed(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_all_pages_come_under_one_header() -> None:
    text = standings_csv([page(row("A1", 1)), page(row("A2", 2), row("A3", 2, tied=True), number=2)], {})
    assert text.splitlines()[0] == ",".join(STANDINGS_COLUMNS)
    assert [(each["rank"], each["tied"], each["contestant"]) for each in parsed(text)] == [
        ("1", "", "A1"),
        ("2", "", "A2"),
        ("2", "=", "A3"),
    ]


def test_scores_are_as_published_and_what_is_absent_is_empty() -> None:
    (first,) = parsed(standings_csv([page(row("A1", None))], {}))
    told = {
        name: first[name]
        for name in ("rank", "score", "exact", "percentage", "penalty", "carry_over", "status")
    }
    assert told == {
        "rank": "",
        "score": "7.75",
        "exact": "31/4",
        "percentage": "64.58",
        "penalty": "0.25",
        "carry_over": "",
        "status": "provisional",
    }


def test_names_come_from_people_with_commas_quotes_and_greek_intact() -> None:
    names = {PersonId("p1"): 'Müller, "Mo"', PersonId("p2"): "Ελένη"}
    (first,) = parsed(standings_csv([page(row("A1", 1, players=("p1", "p2", "p3")))], names))
    assert first["names"] == 'Müller, "Mo" - Ελένη - p3'


def test_a_name_is_never_a_formula() -> None:
    (first,) = parsed(standings_csv([page(row("A1", 1, players=("p1",)))], {PersonId("p1"): "=1+1"}))
    assert first["names"] == "'=1+1"


def test_every_kind_of_result_has_its_words() -> None:
    contract = Contract(3, Strain.NOTRUMP, Doubling.DOUBLED, Seat.E)
    text = travellers_csv(
        [
            traveller(
                line(7, 1, Played(contract, Tricks(9))), line(7, 2, PassedOut()), line(7, 3, NotPlayed())
            ),
            traveller(
                line(8, 1, ScoreOnly(Points(-100))), line(8, 2, NoScore()), line(8, 3, None, award="ave+")
            ),
        ]
    )
    assert text.splitlines()[0] == ",".join(TRAVELLER_COLUMNS)
    assert [
        (each["contract"], each["declarer"], each["tricks"], each["award_ns"]) for each in parsed(text)
    ] == [
        ("3NTx", "E", "9", ""),
        ("PASS", "", "", ""),
        ("not played", "", "", ""),
        ("", "", "", ""),
        ("no score", "", "", ""),
        ("", "", "", "ave+"),
    ]
    first = parsed(text)[0]
    assert (first["round"], first["table"], first["score_ns"], first["points_ew"]) == (
        "2",
        "1",
        "-100",
        "2.0",
    )
    assert first["flags"] == "late implausible"
