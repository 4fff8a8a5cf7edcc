"""USEBIO: five real files, and small ones for what files do otherwise."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats.imported import BadFile, Imported, NoteKind
from pipeline.formats.usebio import read_usebio
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.codec import AnyRecord, read_record, write_record
from schemas.conditions import resolve
from schemas.control import (
    ConditionsPublished,
    ContestantEntered,
    EventDescribed,
    ExplicitMovement,
    MovementSet,
    SessionOpened,
)
from schemas.corrections import Award, Penalty
from schemas.deal import Artificial, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.results import BoardResult
from schemas.terms import AwardKind, Direction, Doubling, Strain

REAL = Path(__file__).parents[3] / "shared" / "data" / "real" / "usebio"
# Counted in the files themselves: pairs, traveller lines, lines with a contract to play, awards, boards.
FACTS = {
    "butler_howell.xml": (8, 140, 140, 0, 35),
    "cross_imp_howell.xml": (9, 108, 106, 0, 27),
    "mp_pairs_howell.xml": (12, 161, 160, 1, 27),
    "mp_pairs_mitchell_02.xml": (42, 567, 562, 3, 27),
    "mp_pairs_mitchell_adjusted_02.xml": (42, 567, 560, 4, 27),
}


def real(name: str) -> bytes:
    path = REAL / name
    if not path.exists():
        pytest.skip(f"{path.name} is not on this machine")
    return path.read_bytes()


_Kind = TypeVar("_Kind")


def of_kind(imported: Imported, kind: type[_Kind]) -> list[_Kind]:
    return [record for record in imported.records if isinstance(record, kind)]


LINE = (
    "<TRAVELLER_LINE><NS_PAIR_NUMBER>{ns}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{ew}</EW_PAIR_NUMBER>"
    "{rest}</TRAVELLER_LINE>"
)
FOUR_HEARTS = (
    "<CONTRACT>4H</CONTRACT><PLAYED_BY>N</PLAYED_BY><LEAD>AC</LEAD><TRICKS>10</TRICKS><SCORE>420</SCORE>"
)


def file_of(
    *lines: str, event_type: str = "MP_PAIRS", head: str = "", version: str = "1.2", board: str = "1"
) -> str:
    return (
        f'<USEBIO Version="{version}"><EVENT EVENT_TYPE="{event_type}"><TITLE>Club night</TITLE>{head}'
        f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>{''.join(lines)}</BOARD></EVENT></USEBIO>"
    )


def line(rest: str, ns: str = "1", ew: str = "2") -> str:
    return LINE.format(ns=ns, ew=ew, rest=rest)


def read(text: str) -> Imported:
    return read_usebio(text.encode())


def refusal(text: str | bytes) -> BadFile:
    with pytest.raises(BadFile) as caught:
        read_usebio(text.encode() if isinstance(text, str) else text)
    assert caught.value.format_name == "usebio"
    assert caught.value.place
    assert caught.value.value
    assert caught.value.rule
    return caught.value


@pytest.mark.parametrize("name", FACTS)
def test_a_real_file_is_read_whole(name: str) -> None:
    pairs, lines, contracts, awards, boards = FACTS[name]
    imported = read_usebio(real(name))
    assert len(of_kind(imported, ContestantEntered)) == len(imported.published_totals) == pairs
    assert len(imported.published_lines) == 2 * lines
    results = of_kind(imported, BoardResult)
    assert sum(isinstance(record.result, Played) for record in results) == contracts
    assert len(of_kind(imported, Award)) == awards
    slots = {published.slot for published in imported.published_lines}
    assert len(slots) == lines
    assert len({slot.board for slot in slots}) == boards
    assert imported.people.keys() == {f"p{number}" for number in range(1, 2 * pairs + 1)}
    assert imported.suggested_preset == "compscore3"
    assert not [note for note in imported.notes if note.kind is NoteKind.SCORE_CONTRADICTS_CONTRACT]


@pytest.mark.parametrize("name", FACTS)
def test_every_score_of_a_real_file_is_that_of_its_contract(name: str) -> None:
    for record in of_kind(read_usebio(real(name)), BoardResult):
        assert isinstance(record.result, Played | PassedOut)
        assert ns_points(record.result, vulnerability(record.slot.board)) == record.score_ns


@pytest.mark.parametrize("name", FACTS)
def test_the_records_of_a_real_file_travel_and_hold_no_names(name: str) -> None:
    imported = read_usebio(real(name))
    assert [record.id for record in imported.records] == [str(n + 1) for n in range(len(imported.records))]
    for record in imported.records:
        wire = write_record(record)
        assert read_record(wire) == record
        assert b"Player" not in wire
    resolve(imported.suggested_preset, imported.suggested_settings)


@pytest.mark.parametrize("name", FACTS)
def test_nobody_sits_twice_in_a_round_of_a_real_file(name: str) -> None:
    imported = read_usebio(real(name))
    (movement,) = of_kind(imported, MovementSet)
    assert isinstance(movement.movement, ExplicitMovement)
    placements = movement.movement.placements
    seats = Counter((place.round, pair) for place in placements for pair in (place.ns, place.ew))
    assert set(seats.values()) == {1}
    assert len({(place.round, place.table) for place in placements}) == len(placements)


def test_the_points_of_the_real_adjusted_lines_win_over_their_codes() -> None:
    imported = read_usebio(real("mp_pairs_mitchell_adjusted_02.xml"))
    awards = {record.note: (record.ns_award, record.ew_award) for record in of_kind(imported, Award)}
    ave, plus, minus = (Artificial(kind) for kind in (AwardKind.AVE, AwardKind.AVE_PLUS, AwardKind.AVE_MINUS))
    assert awards == {
        "SCORE A5050, points 20/20": (ave, ave),
        "SCORE A6040, points 24/16": (plus, minus),
        "SCORE A6060, points 24/24": (plus, plus),
        # 23 and 11 of 40
        "SCORE A5050, points 23/11": (
            Artificial(AwardKind.AVE, percent=Fraction(115, 2)),
            Artificial(AwardKind.AVE, percent=Fraction(55, 2)),
        ),
    }
    # Ten lines of board 4 are 5H= or 4H+1; nine have 19/21, one has 21/19.
    assert [(str(record.contestant), record.amount) for record in of_kind(imported, Penalty)] == [
        ("1NS", Fraction(-2)),
        ("21EW", Fraction(2)),
    ]
    told = [note.value for note in imported.notes if note.kind is NoteKind.AWARD_CODE_CONTRADICTS_POINTS]
    assert told == ["SCORE A5050, points 23/11", "SCORE -650, points 21/19"]


def test_a_contract_beside_points_of_an_average_is_an_award() -> None:
    imported = read_usebio(real("mp_pairs_mitchell_02.xml"))
    award = of_kind(imported, Award)[0]
    assert award.note == "SCORE 110, points 20/20"
    assert award.ns_award == award.ew_award == Artificial(AwardKind.AVE)
    standing = {record.identity: record for record in of_kind(imported, BoardResult)}
    change = award.changes[0]
    assert change.supersedes is not None
    assert standing[change.supersedes].slot == change.slot
    assert change.slot.board == 1


def test_two_winners_make_two_lists_with_directions() -> None:
    imported = read_usebio(real("mp_pairs_mitchell_02.xml"))
    assert imported.suggested_settings["rank.winners"] == "per-direction"
    entered = {record.contestant: record for record in of_kind(imported, ContestantEntered)}
    assert (entered["9NS"].number, entered["9NS"].direction) == (9, Direction.NS)  # type: ignore[index]
    assert entered["9EW"].direction is Direction.EW  # type: ignore[index]


@pytest.mark.parametrize(
    ("event_type", "method", "rank_by"),
    [
        ("MP_PAIRS", "matchpoints", "percentage"),
        ("BUTLER_PAIRS", "butler", "total"),
        ("CROSS_IMP", "cross-imps", "total"),
        ("SWISS_PAIRS", "matchpoints", "percentage"),
        ("SWISS_PAIRS_CROSS_IMPS", "cross-imps", "total"),
        ("SWISS_TEAMS", "team-imps", "total"),
    ],
)
def test_the_event_type_says_the_method(event_type: str, method: str, rank_by: str) -> None:
    imported = read(file_of(event_type=event_type))
    (conditions,) = of_kind(imported, ConditionsPublished)
    assert conditions.settings["score.method"] == method
    assert conditions.settings["rank.by"] == rank_by
    assert conditions.settings == imported.suggested_settings


@pytest.mark.parametrize("event_type", ["KO", "AGGREGATE", "INDIVIDUAL", ""])
def test_a_type_that_is_not_read_is_named_with_those_that_are(event_type: str) -> None:
    error = refusal(file_of(event_type=event_type))
    assert error.value == (event_type or "none")
    assert "BUTLER_PAIRS" in error.rule


def test_version_1_0_with_one_decimal_and_no_programme() -> None:
    head = (
        "<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER><PERCENTAGE>57.1</PERCENTAGE><PLACE>1=</PLACE>"
        "<PLAYER><PLAYER_NAME>A</PLAYER_NAME></PLAYER></PAIR></PARTICIPANTS>"
    )
    imported = read(file_of(line(FOUR_HEARTS), head=head, version="1.0"))
    (total,) = imported.published_totals
    assert (total.total, total.percentage, total.rank) == (None, "57.1", 1)
    assert imported.suggested_preset == "exact"
    # the one that only a line names takes part too
    assert [record.contestant for record in of_kind(imported, ContestantEntered)] == ["1", "2"]
    assert of_kind(imported, ContestantEntered)[0].players == ("p1",)
    assert imported.people == {"p1": "A"}


@pytest.mark.parametrize(
    ("printed", "date"),
    [
        ("09/03/2026", "2026-03-09"),
        ("9-3-2026", "2026-03-09"),
        ("2026-03-09", "2026-03-09"),
        ("spring", "spring"),
        ("", None),
    ],
)
def test_dates_with_strokes_and_dashes(printed: str, date: str | None) -> None:
    (described,) = of_kind(read(file_of(head=f"<DATE>{printed}</DATE>")), EventDescribed)
    assert described.sessions[0].date == date


def test_lower_case_names_read_the_same() -> None:
    text = file_of(line(FOUR_HEARTS))
    lower = text.lower().replace("club night", "Club night")
    assert [(r.kind, r.id) for r in read(lower).records] == [(r.kind, r.id) for r in read(text).records]
    assert of_kind(read(lower), BoardResult)[0].result == of_kind(read(text), BoardResult)[0].result


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16", "utf-8-sig", "iso-8859-15"])
def test_encodings_that_are_declared_or_marked(encoding: str) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{declared}"?>' + file_of().replace("Club night", "Soirée à Bâle")
    assert read_usebio(text.encode(encoding)).title == "Soirée à Bâle"


def test_an_encoding_that_is_not_what_it_says() -> None:
    text = '<?xml version="1.0" encoding="utf-8"?>' + file_of().replace("Club night", "Soirée")
    assert "well-formed" in refusal(text.encode("windows-1252")).rule
    refusal(b'<?xml version="1.0" encoding="no-such"?><USEBIO/>')


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n",
        b"#VERSION,program",
        b"\x00\x01\x00\x00Standard Jet DB",
        b"<html><body/></html>",
        b"<USEBIO/>",
        b"<USEBIO><EVENT/></USEBIO>",
        b"<USEBIO>" * 200 + b"</USEBIO>" * 200,
        b"<USEBIO><EVENT EVENT_TYPE='MP_PAIRS'>" + b"<A>" * 100 + b"</A>" * 100 + b"</EVENT></USEBIO>",
    ],
)
def test_what_is_no_usebio_is_named(data: bytes) -> None:
    refusal(data)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_entity_bomb_is_refused_before_it_goes_off(encoding: str) -> None:
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "boom"}">' for n in range(12))
    text = f"<!DOCTYPE USEBIO [{bomb}]><USEBIO><EVENT><TITLE>&a11;</TITLE></EVENT></USEBIO>"
    assert refusal(text.encode(encoding)).value == "<!ENTITY"


def test_no_file_of_the_machine_is_read_into_the_event(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("told to nobody")
    text = file_of(head="<VENUE>&s;</VENUE>")
    refusal(f'<!DOCTYPE USEBIO [<!ENTITY s SYSTEM "{secret.as_uri()}">]>{text}')
    # what a DTD elsewhere may declare is not fetched either
    refusal(f'<!DOCTYPE USEBIO SYSTEM "{secret.as_uri()}">{text}')


def test_a_text_of_a_hundred_megabytes_is_refused() -> None:
    refusal(file_of(head="<VENUE>" + "x" * 100_000_000 + "</VENUE>"))


@pytest.mark.parametrize("name", ["butler_howell.xml", "mp_pairs_howell.xml"])
def test_a_real_file_cut_anywhere_is_a_bad_file(name: str) -> None:
    data = real(name)
    for end in range(0, len(data) - 20, 500):
        assert "line" in refusal(data[:end]).place or not data[:end].strip()


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for attempt in (data, b"<USEBIO>" + data + b"</USEBIO>"):
        try:
            read_usebio(attempt)
        except BadFile as error:
            assert error.rule  # noqa: PT017 - being refused is one of two right answers


def test_a_board_without_lines_and_an_event_without_boards() -> None:
    assert read(file_of()).published_lines == ()
    empty = read('<USEBIO Version="1.3"><EVENT EVENT_TYPE="MP_PAIRS"/></USEBIO>')
    assert [record.kind for record in empty.records] == ["event_described", "conditions_published"]
    assert of_kind(empty, SessionOpened) == []


@pytest.mark.parametrize(
    ("rest", "result"),
    [
        ("<CONTRACT>PASS</CONTRACT><SCORE>0</SCORE>", PassedOut()),
        ("<CONTRACT>pass</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS/><SCORE>0</SCORE>", PassedOut()),
        ("<SCORE>-100</SCORE>", ScoreOnly(-100)),  # type: ignore[arg-type]
        ("<CONTRACT>4H</CONTRACT><SCORE>+420</SCORE>", ScoreOnly(420)),  # type: ignore[arg-type]
        ("<SCORE/>", NotPlayed()),
        ("", NotPlayed()),
        ("<SCORE>NP</SCORE>", NotPlayed()),
    ],
)
def test_lines_without_a_played_contract(rest: str, result: object) -> None:
    (record,) = of_kind(read(file_of(line(rest))), BoardResult)
    assert record.result == result


@pytest.mark.parametrize(
    ("written", "strain", "doubling"),
    [
        ("4HX", Strain.HEARTS, Doubling.DOUBLED),
        ("4 s xx", Strain.SPADES, Doubling.REDOUBLED),
        ("4N", Strain.NOTRUMP, Doubling.UNDOUBLED),
        ("4nt*", Strain.NOTRUMP, Doubling.DOUBLED),
        ("4♦", Strain.DIAMONDS, Doubling.UNDOUBLED),
    ],
)
def test_contracts_as_programs_write_them(written: str, strain: Strain, doubling: Doubling) -> None:
    rest = f"<CONTRACT>{written}</CONTRACT><PLAYED_BY>North</PLAYED_BY><TRICKS>10</TRICKS>"
    (record,) = of_kind(read(file_of(line(rest))), BoardResult)
    assert isinstance(record.result, Played)
    assert (record.result.contract.strain, record.result.contract.doubling) == (strain, doubling)


@pytest.mark.parametrize(
    ("written", "card"), [("AC", "CA"), ("S4", "S4"), ("10h", "H10"), ("TD", "DT"), ("?", None)]
)
def test_leads_in_both_orders(written: str, card: str | None) -> None:
    imported = read(file_of(line(f"<SCORE>50</SCORE><LEAD>{written}</LEAD>")))
    assert of_kind(imported, BoardResult)[0].lead == card
    assert any(note.value == "lead ?" for note in imported.notes) is (card is None)


@pytest.mark.parametrize(
    ("rest", "place", "value"),
    [
        ("<CONTRACT>8NT</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>9</TRICKS>", "CONTRACT", "'8NT'"),
        ("<CONTRACT>4H</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>14</TRICKS>", "TRICKS", "'14'"),
        ("<CONTRACT>4H</CONTRACT><PLAYED_BY>Q</PLAYED_BY><TRICKS>9</TRICKS>", "PLAYED_BY", "'Q'"),
        ("<SCORE>421</SCORE>", "SCORE", "'421'"),
        ("<SCORE>36000</SCORE>", "SCORE", "'36000'"),
        ("<SCORE>soon</SCORE>", "SCORE", "'soon'"),
        ("<SCORE>50</SCORE><NS_MATCH_POINTS>many</NS_MATCH_POINTS>", "NS points", "'many'"),
        # Python converts at most 4,300 digits.
        (f"<NS_MATCH_POINTS>{'1' * 5000}</NS_MATCH_POINTS>", "NS points", f"'{'1' * 40}'"),
    ],
)
def test_what_cannot_be_is_named(rest: str, place: str, value: str) -> None:
    error = refusal(file_of(line(rest)))
    assert error.place.endswith(f"TRAVELLER_LINE/{place}")
    assert error.value == value


@pytest.mark.parametrize("board", ["0", "10000", "-1", "", "x"])
def test_a_board_that_is_none_is_named(board: str) -> None:
    assert refusal(file_of(line(FOUR_HEARTS), board=board)).place.endswith("BOARD/BOARD_NUMBER")


def test_a_score_that_contradicts_its_contract_is_noted_and_kept() -> None:
    imported = read(file_of(line(FOUR_HEARTS.replace("420", "620"))))
    (record,) = of_kind(imported, BoardResult)
    assert record.score_ns == 620
    assert [note.value for note in imported.notes if note.kind is NoteKind.SCORE_CONTRADICTS_CONTRACT] == [
        "620, 4H 10 tricks is 420"
    ]


@pytest.mark.parametrize(
    ("event_type", "points", "code", "ns", "ew", "told"),
    [
        ("MP_PAIRS", None, "A6040", Artificial(AwardKind.AVE_PLUS), Artificial(AwardKind.AVE_MINUS), False),
        ("MP_PAIRS", None, "A7030", Artificial(AwardKind.AVE_PLUS, Fraction(70)),
         Artificial(AwardKind.AVE_MINUS, Fraction(30)), False),
        ("MP_PAIRS", ("NS_MATCH_POINTS", "1.2", "EW_MATCH_POINTS", "0.8"), "A6040",
         Artificial(AwardKind.AVE_PLUS), Artificial(AwardKind.AVE_MINUS), False),
        ("MP_PAIRS", ("NS_MATCH_POINTS", "1.5", "EW_MATCH_POINTS", "1"), "A5050",
         Artificial(AwardKind.AVE, Fraction(75)), Artificial(AwardKind.AVE), True),
        ("MP_PAIRS", ("NS_MATCH_POINTS", "1.2", "EW_MATCH_POINTS", "0.8"), "",
         Artificial(AwardKind.AVE_PLUS), Artificial(AwardKind.AVE_MINUS), False),
        ("BUTLER_PAIRS", ("NS_BUTLER_POINTS", "3", "EW_BUTLER_POINTS", "-3"), "A6040",
         Artificial(AwardKind.AVE_PLUS, imps=Fraction(3)),
         Artificial(AwardKind.AVE_MINUS, imps=Fraction(-3)), False),
        ("BUTLER_PAIRS", ("NS_BUTLER_POINTS", "0", "EW_BUTLER_POINTS", "0"), "A5050",
         Artificial(AwardKind.AVE), Artificial(AwardKind.AVE), False),
        ("CROSS_IMP", ("NS_CROSS_IMP_POINTS", "2.5", "EW_CROSS_IMP_POINTS", "0"), "A5050",
         Artificial(AwardKind.AVE, imps=Fraction(5, 2)), Artificial(AwardKind.AVE), True),
    ],
)  # fmt: skip
def test_awards(
    event_type: str,
    points: tuple[str, str, str, str] | None,
    code: str,
    ns: Artificial,
    ew: Artificial,
    told: bool,
) -> None:
    shown = f"<{points[0]}>{points[1]}</{points[0]}><{points[2]}>{points[3]}</{points[2]}>" if points else ""
    score = f"<SCORE>{code}</SCORE>" if code else ""
    text = file_of(line(score + shown), line("<SCORE>50</SCORE>", "3", "4"), event_type=event_type)
    imported = read(text)
    (award,) = of_kind(imported, Award)
    assert (award.ns_award, award.ew_award) == (ns, ew)
    assert award.changes[0].supersedes is None
    assert any(note.kind is NoteKind.AWARD_CODE_CONTRADICTS_POINTS for note in imported.notes) is told


def test_points_that_no_single_line_explains_are_left_to_the_comparison() -> None:
    """The file's own fault is no ruling: all of a board's points wrong says nothing about a line."""
    lines = [
        line(
            f"<SCORE>{score}</SCORE><NS_MATCH_POINTS>7</NS_MATCH_POINTS><EW_MATCH_POINTS>1</EW_MATCH_POINTS>",
            ns,
            ew,
        )
        for score, ns, ew in (("420", "1", "2"), ("50", "3", "4"), ("-50", "5", "6"), ("170", "7", "8"))
    ]
    imported = read(file_of(*lines))
    assert of_kind(imported, Award) == []
    assert of_kind(imported, Penalty) == []


def test_an_adjustment_of_a_pair_is_a_penalty_of_the_other_sign() -> None:
    head = (
        "<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER><ADJUSTMENT>-2.5</ADJUSTMENT></PAIR></PARTICIPANTS>"
    )
    (penalty,) = of_kind(read(file_of(line(FOUR_HEARTS), head=head)), Penalty)
    assert (penalty.contestant, penalty.amount, penalty.unit) == ("1", Fraction(5, 2), "points")


def test_sessions_and_sections_keep_equal_numbers_apart() -> None:
    def section(letter: str) -> str:
        return (
            f'<SECTION SECTION_ID="{letter}">'
            "<PARTICIPANTS><PAIR><PAIR_NUMBER>1</PAIR_NUMBER></PAIR></PARTICIPANTS>"
            f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{line(FOUR_HEARTS)}</BOARD></SECTION>"
        )

    text = (
        '<USEBIO Version="1.3"><EVENT EVENT_TYPE="MP_PAIRS"><SESSION>'
        f"{section('A')}{section('B')}</SESSION></EVENT></USEBIO>"
    )
    imported = read(text)
    assert {record.slot.section: record.ns for record in of_kind(imported, BoardResult)} == {
        "A": "A-1",
        "B": "B-1",
    }
    (described,) = of_kind(imported, EventDescribed)
    assert described.sessions[0].sections == ("A", "B")


def test_a_match_lends_its_pairs_and_round_to_its_lines() -> None:
    match = (
        "<MATCH><ROUND_NUMBER>3</ROUND_NUMBER><NS_PAIR_NUMBER>5</NS_PAIR_NUMBER><EW_PAIR_NUMBER>9</EW_PAIR_NUMBER>"
        f"<NS_SCORE>12</NS_SCORE><BOARD><BOARD_NUMBER>7</BOARD_NUMBER><TRAVELLER_LINE>{FOUR_HEARTS}</TRAVELLER_LINE>"
        "</BOARD></MATCH>"
    )
    imported = read(f'<USEBIO><EVENT EVENT_TYPE="SWISS_PAIRS">{match}</EVENT></USEBIO>')
    (record,) = of_kind(imported, BoardResult)
    assert (record.slot.round, record.ns, record.ew) == (3, "5", "9")
    assert "USEBIO/EVENT/MATCH/NS_SCORE" in {note.place for note in imported.notes}


def test_one_board_played_twice_by_two_pairs_has_two_slots() -> None:
    imported = read(file_of(line(FOUR_HEARTS), line("<SCORE>50</SCORE>")))
    assert len({record.slot for record in of_kind(imported, BoardResult)}) == 2


def test_what_is_not_understood_is_told_by_name_and_without_its_value() -> None:
    head = (
        "<CONTACT><TELEPHONE>0123</TELEPHONE></CONTACT>"
        "<WEATHER kind='wet'>rain</WEATHER><WEATHER>sun</WEATHER>"
    )
    notes = {note.place: note.value for note in read(file_of(line(FOUR_HEARTS), head=head)).notes}
    assert notes == {
        "USEBIO/EVENT/CONTACT/TELEPHONE": "1 with a value",
        "USEBIO/EVENT/WEATHER": "2 with a value",
        "USEBIO/EVENT/WEATHER/@KIND": "1 with a value",
    }


def test_half_match_points_are_seen() -> None:
    printed = (("50", "2", "0", "1", "2"), ("0", "1", "1", "3", "4"), ("-50", "0", "2", "5", "6"))
    points = "<NS_MATCH_POINTS>{}</NS_MATCH_POINTS><EW_MATCH_POINTS>{}</EW_MATCH_POINTS>"
    imported = read(
        file_of(*(line(f"<SCORE>{score}</SCORE>{points.format(*of)}", a, b) for score, *of, a, b in printed))
    )
    assert imported.line_unit == 2
    assert imported.suggested_settings["mp.unit"] == "1-1/2-0"
    assert of_kind(imported, Penalty) == []


def test_the_same_bytes_say_the_same_under_the_same_identities() -> None:
    text = file_of(line(FOUR_HEARTS))
    first, second = read(text), read(text)
    assert first == second
    named: list[AnyRecord] = list(
        read(text.replace("<TITLE>", "<EVENT_IDENTIFIER>x/1 y</EVENT_IDENTIFIER><TITLE>")).records
    )
    assert named[0].event == "x-1-y"
