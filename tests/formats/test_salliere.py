"""The board file of salliere: lines that the program itself wrote, and what its README allows."""

from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction

import pytest

from pipeline.formats.imported import BadFile, Imported, NoteKind
from pipeline.formats.in_bulk import result_of, slot_of, stamped_at
from pipeline.formats.salliere import read_salliere
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.codec import read_record, write_record
from schemas.control import ContestantEntered
from schemas.corrections import Award, BoardForms
from schemas.deal import (
    Artificial,
    Assigned,
    Contract,
    NotPlayed,
    PassedOut,
    Played,
    ScoreOnly,
    TableResult,
    Weighted,
)
from schemas.record import Role, Slot, Stamp, Stamped
from schemas.results import BoardResult
from schemas.terms import (
    AwardKind,
    BoardNumber,
    ContestantId,
    Direction,
    Doubling,
    EventId,
    Points,
    RecordId,
    Seat,
    SectionId,
    SessionId,
    SourceId,
    Strain,
    Tricks,
    Vulnerability,
)

# As salliere 0.10-3.1 wrote it back after `score matchpoint`; the averages were entered, all else computed.
SCORED = """\
1,1,2,4S=,N,10,420,0,3,1
1,3,4,4S=,N,10,420,0,3,1
1,5,6,3NX-1,E,8,100,0,0,4
2,1,4,4S=,N,10,620,0,4,0
2,3,6,P.O.,N,0,0,0,2,2
2,5,2,4SXX-1,N,9,0,400,0,4
3,5,4,,,0,av+,av-,2.4,1.6
3,1,6,1N+2,W,9,0,150,3.5,0.5
3,3,2,6CX-2,S,10,0,300,0.5,3.5
"""


def read(text: str) -> Imported:
    return read_salliere(text.encode())


def results(imported: Imported) -> list[BoardResult]:
    return [record for record in imported.records if isinstance(record, BoardResult)]


def only(line: str) -> TableResult:
    (record,) = results(read(line))
    return record.result


def four_spades(tricks: int, doubling: Doubling = Doubling.UNDOUBLED) -> Played:
    return Played(Contract(4, Strain.SPADES, doubling, Seat.N), Tricks(tricks))


def test_what_the_program_wrote_has_the_scores_it_gave() -> None:
    scored = read(SCORED)
    reproduced = 0
    for record, line in zip(results(scored), SCORED.splitlines(), strict=True):
        ns, ew = line.split(",")[6:8]
        if isinstance(record.result, Played | PassedOut):
            assert ns_points(record.result, vulnerability(record.slot.board)) == int(ns) - int(ew)
            reproduced += 1
    assert reproduced == 8
    assert not scored.notes


def test_its_averages_are_awards_over_an_unplayed_board() -> None:
    scored = read(SCORED)
    (award,) = (record for record in scored.records if isinstance(record, Award))
    assert (award.ns_award, award.ew_award) == (
        Artificial(AwardKind.AVE_PLUS),
        Artificial(AwardKind.AVE_MINUS),
    )
    (unplayed,) = (record for record in results(scored) if isinstance(record.result, NotPlayed))
    assert (unplayed.ns, unplayed.ew, award.changes[0].slot) == ("5", "4", unplayed.slot)


def test_every_line_is_a_result_with_its_pairs() -> None:
    scored = read(SCORED)
    told = results(scored)
    assert [(record.id, record.slot.board, record.ns, record.ew) for record in told] == [
        ("1", 1, "1", "2"), ("2", 1, "3", "4"), ("3", 1, "5", "6"),
        ("4", 2, "1", "4"), ("5", 2, "3", "6"), ("6", 2, "5", "2"),
        ("7", 3, "5", "4"), ("8", 3, "1", "6"), ("9", 3, "3", "2"),
    ]  # fmt: skip
    assert len({record.slot for record in told}) == 9
    pairs = [record for record in scored.records if isinstance(record, ContestantEntered)]
    assert [(pair.contestant, pair.number) for pair in pairs] == [
        (str(number), number) for number in range(1, 7)
    ]
    assert scored.suggested_preset == "salliere"


def test_its_match_points_are_published_in_two_one_zero() -> None:
    scored = read(SCORED)
    assert scored.line_unit == Fraction(1)
    assert [(line.direction, line.points) for line in scored.published_lines[:2]] == [
        (Direction.NS, "3"),
        (Direction.EW, "1"),
    ]
    assert len(scored.published_lines) == 18


def test_every_record_can_be_written_and_read() -> None:
    text = SCORED + "4;vul=ns,1,6,,,,av+,av-\n4;vul=ns,3,2,4S,N,10,,,!4,!0\n4;vul=ns,5,4,4S,N,9,!100,!50\n"
    for record in read(text).records:
        assert read_record(write_record(record)) == record


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1,1,2,4S,N,10", four_spades(10)),
        ("1,1,2,4s,n,10", four_spades(10)),
        ("1,1,2,4S=,N", four_spades(10)),
        ("1,1,2,4S =,N", four_spades(10)),
        ("1,1,2,4SX+2,N,", four_spades(12, Doubling.DOUBLED)),
        ("1,1,2,4Sxx-3,N,7", four_spades(7, Doubling.REDOUBLED)),
        ("1,1,2,3N,E,9", Played(Contract(3, Strain.NOTRUMP, Doubling.UNDOUBLED, Seat.E), Tricks(9))),
        ("1,1,2,P,,", PassedOut()),
        ("1,1,2", NotPlayed()),
        ("1,1,2,,,,0,0", NotPlayed()),
        ("1,1,2,,,,0,50", ScoreOnly(Points(-50))),
        ("1,1,2,4S,N,10,!100,!-100", ScoreOnly(Points(100))),
        ("1,1,2,,,,!0,!200", ScoreOnly(Points(-200))),
    ],
)
def test_a_line_as_the_readme_allows_it(line: str, expected: TableResult) -> None:
    assert only(line) == expected


def test_equal_results_are_one_object() -> None:
    told = results(read("1,1,2,4S,N,10\n1,3,4,4S,N,10\n5,3,4,4S,N,10\n"))
    assert told[0].result is told[1].result is told[2].result


@pytest.mark.parametrize(
    ("scores", "kinds"),
    [
        ("av+,av-", (AwardKind.AVE_PLUS, AwardKind.AVE_MINUS)),
        ("av=,av=", (AwardKind.AVE, AwardKind.AVE)),
        ("!AV+,!av", (AwardKind.AVE_PLUS, AwardKind.AVE)),
    ],
)
def test_averages_are_awards(scores: str, kinds: tuple[AwardKind, AwardKind]) -> None:
    averaged = read(f"1,1,2,,,,{scores}\n1,3,4,4S,N,10\n")
    (award,) = (record for record in averaged.records if isinstance(record, Award))
    assert (award.ns_award, award.ew_award) == tuple(Artificial(kind) for kind in kinds)
    assert [change.supersedes for change in award.changes] == ["salliere/1"]


@pytest.mark.parametrize(
    ("line", "ns", "ew"),
    [
        ("1,1,2,,,,!100,!50", 100, -50),
        ("1,1,2,4S,N,10,!450,0", 450, 420),
        ("1,1,2,4S,N,10,420,!50", 420, -50),
    ],
)
def test_a_split_score_gives_each_side_its_own(line: str, ns: int, ew: int) -> None:
    (award,) = (record for record in read(line).records if isinstance(record, Award))
    assert award.ns_award == Assigned((Weighted(Points(ns), Fraction(1)),))
    assert award.ew_award == Assigned((Weighted(Points(ew), Fraction(1)),))


def test_match_points_set_by_hand_are_a_share_of_the_top() -> None:
    text = "1,1,2,4S,N,10,,,!3,!1\n1,3,4,4S,N,10,,,1,1\n1,5,6,4S,N,10,,,1,1\n"
    (award,) = (record for record in read(text).records if isinstance(record, Award))
    assert award.ns_award == Artificial(AwardKind.AVE_PLUS, Fraction(75))
    assert award.ew_award == Artificial(AwardKind.AVE_MINUS, Fraction(25))


def test_a_score_without_a_mark_that_contradicts_the_contract_is_noted_and_the_contract_counts() -> None:
    told = read("1,1,2,4S,N,10,450,0\n")
    assert results(told)[0].result == four_spades(10)
    assert [(note.kind, note.place) for note in told.notes] == [
        (NoteKind.SCORE_CONTRADICTS_CONTRACT, "1/A/r1/t1/b1")
    ]


def test_a_board_may_have_a_section_and_a_vulnerability_of_its_own() -> None:
    told = read("C:25;vul=all,1,2,4S,N,10,620,0\nB:25,3,4,4S,N,10,420,0\nA:1;vul=none,5,6,4S,N,10\n")
    assert [record.slot.section for record in results(told)] == ["C", "B", "A"]
    (marked,) = (record for record in told.records if isinstance(record, BoardForms))
    (form,) = marked.forms
    assert (marked.board, form.vulnerability, form.slots) == (
        25,
        Vulnerability.BOTH,
        (results(told)[0].slot,),
    )
    assert not told.notes, "4S makes 620 when marked, and 420 as Law 2 has board 25"


def test_empty_lines_are_no_results() -> None:
    assert len(results(read("\n1,1,2,4S,N,10\n\n,\n"))) == 1


# Bad input.


@pytest.mark.parametrize(
    ("line", "place", "value"),
    [
        ("1,1,2,8NT,N,10", "line 1", "8NT"),
        ("1,1,2,4S,N,14", "line 1", "14"),
        ("1,1,2,4S,N", "line 1", ""),
        ("1,1,2,4S+4,N", "line 1", "+4"),
        ("1,1,2,4S=,N,11", "line 1", "4S=, 11 tricks"),
        ("1,1,2,4S,Q,10", "line 1", "Q"),
        ("0,1,2,4S,N,10", "line 1, board", "0"),
        ("first,1,2,4S,N,10", "line 1, board", "first"),
        ("1;vul=some,1,2,4S,N,10", "line 1, board", "1;vul=some"),
        ("1,1", "line 1", "1,1"),
        ("1,,2,4S,N,10", "line 1", ""),
        ("1,1,1,4S,N,10", "line 1", "pair 1"),
        ("1,1,2,4S,N,10,x,0", "line 1", "x"),
        ("1,1,2,,,,!455,!0", "line 1", "455"),
        ("1,1,2,,,,av+,", "line 1", "EW ''"),
        ("1,1,2,4S,N,10,420,0,many,0", "line 1", "many"),
        ("1,1,2,4S,N,10\n1,1,4,4S,N,10", "board 1", "pair 1"),
    ],
)
def test_a_line_that_cannot_be_is_named(line: str, place: str, value: str) -> None:
    with pytest.raises(BadFile) as refused:
        read(line)
    assert (refused.value.place, refused.value.value) == (place, value)
    assert refused.value.rule


@pytest.mark.parametrize("data", [b"", b"\n\n", b"1,2\x00", b'"' + b"x" * 200_000])
def test_what_is_no_board_file_is_refused(data: bytes) -> None:
    with pytest.raises(BadFile):
        read_salliere(data)


def test_results_in_bulk_are_the_records_that_they_stand_for() -> None:
    slot = slot_of(SessionId("1"), SectionId("A"), 2, 3, BoardNumber(4))
    made = result_of(
        EventId("e"),
        SourceId("s"),
        RecordId("7"),
        slot,
        four_spades(10),
        ContestantId("1"),
        ContestantId("2"),
    )
    ordinary = BoardResult(
        event=EventId("e"),
        id=RecordId("7"),
        source=SourceId("s"),
        role=Role.IMPORTER,
        slot=Slot(SessionId("1"), SectionId("A"), 2, 3, BoardNumber(4)),
        result=four_spades(10),
        ns=ContestantId("1"),
        ew=ContestantId("2"),
    )
    assert (type(made), type(made.slot)) == (BoardResult, Slot)
    assert (made, made.slot) == (ordinary, ordinary.slot)
    assert (hash(made), hash(made.slot)) == (hash(ordinary), hash(ordinary.slot))
    assert {field.name: getattr(made, field.name) for field in fields(BoardResult)} == {
        field.name: getattr(ordinary, field.name) for field in fields(BoardResult)
    }
    assert write_record(made) == write_record(ordinary)
    assert replace(made, ns=None) == replace(ordinary, ns=None)
    stamped = stamped_at(made, 9, "board-results")
    assert stamped == Stamped(ordinary, Stamp(9, "board-results", 0, 9))
    assert (type(stamped), type(stamped.stamp)) == (Stamped, Stamp)
    for frozen, name in ((made, "ns"), (made.slot, "table"), (stamped, "record"), (stamped.stamp, "offset")):
        with pytest.raises(FrozenInstanceError):
            setattr(frozen, name, 0)


def test_a_large_field_is_read() -> None:
    lines = (
        f"{board},{pair},{pair + 500},4S,N,{7 + pair % 6}\n" for board in (1, 2, 3) for pair in range(1, 501)
    )
    told = results(read("".join(lines)))
    assert len({record.slot for record in told}) == 1500
    assert len({id(record.result) for record in told}) == 6
