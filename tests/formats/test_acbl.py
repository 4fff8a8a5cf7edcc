"""ACBL club JSON: a real game whose every printed figure comes out again, and hand-made edges."""

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pipeline.formats.acbl import read_acbl
from pipeline.formats.imported import BadFile, Imported, NoteKind
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.codec import read_record, write_record
from schemas.control import ContestantEntered
from schemas.corrections import Award, Penalty
from schemas.deal import Artificial, Contract, NotPlayed, PassedOut, Played, ScoreOnly, TableResult
from schemas.results import BoardResult
from schemas.terms import AwardKind, Direction, Doubling, Points, Seat, Strain, Tricks, Unplayed

REAL = Path(__file__).parents[3] / "shared/data/real/acbl/club_game.json"


@pytest.fixture(scope="module")
def data() -> bytes:
    if not REAL.exists():
        pytest.skip(f"{REAL.name} is not on this machine")
    return REAL.read_bytes()


@pytest.fixture(scope="module")
def club(data: bytes) -> Imported:
    return read_acbl(data)


def results(imported: Imported) -> list[BoardResult]:
    return [record for record in imported.records if isinstance(record, BoardResult)]


def hundredths_half_up(value: Fraction) -> Fraction:
    return Fraction((value * 200 + 1) // 2, 100)


# The real game: 13 tables, 26 boards of 12 results; North-South play 24 boards, East-West 26.


def test_all_312_results_come_out(club: Imported) -> None:
    assert len(results(club)) == len({record.slot for record in results(club)}) == 312
    assert all(isinstance(record.result, Played) for record in results(club))
    assert {note.kind for note in club.notes} <= {NoteKind.NOT_CARRIED}


def test_the_printed_lines_are_the_half_match_points_of_the_scores(club: Imported) -> None:
    scores: dict[int, list[Points]] = defaultdict(list)
    own = {}
    for record in results(club):
        assert isinstance(record.result, Played)
        own[record.slot] = ns_points(record.result, vulnerability(record.slot.board))
        scores[record.slot.board].append(own[record.slot])
    assert club.line_unit == 2
    for line in club.published_lines:
        others = scores[line.slot.board]
        beaten = sum(2 if other < own[line.slot] else int(other == own[line.slot]) for other in others) - 1
        expected = beaten if line.direction is Direction.NS else 2 * (len(others) - 1) - beaten
        assert Fraction(line.points) * club.line_unit == expected
    assert len(club.published_lines) == 624


def test_totals_are_factored_to_all_boards_and_percentages_taken_from_the_rounded_total(
    club: Imported,
) -> None:
    seats = {record.slot: {Direction.NS: record.ns, Direction.EW: record.ew} for record in results(club)}
    lines: dict[str | None, list[Fraction]] = defaultdict(list)
    for line in club.published_lines:
        lines[seats[line.slot][line.direction]].append(Fraction(line.points))
    boards, top = 26, 11
    assert len(club.published_totals) == 25
    for printed in club.published_totals:
        own = lines[printed.contestant]
        assert printed.total is not None
        assert printed.percentage is not None
        total = hundredths_half_up(sum(own, Fraction(0)) * boards / len(own))
        assert Fraction(printed.total) == total
        assert Fraction(printed.percentage) == hundredths_half_up(100 * total / (boards * top))


def test_the_same_number_in_both_directions_is_two_pairs(club: Imported) -> None:
    pairs = [record for record in club.records if isinstance(record, ContestantEntered)]
    assert len(pairs) == 25
    assert {pair.direction for pair in pairs} == set(Direction)
    assert all(len(pair.players) == 2 for pair in pairs)
    assert (club.suggested_preset, club.suggested_settings["rank.winners"]) == ("acbl", "per-direction")


def test_every_record_can_be_written_and_read(club: Imported) -> None:
    assert len({record.identity for record in club.records}) == len(club.records)
    for record in club.records:
        assert read_record(write_record(record)) == record


# By hand.


def line(**fields: object) -> dict[str, Any]:
    told: dict[str, Any] = {"round_number": 1, "table_number": 1, "ns_pair": "1", "ew_pair": "2"}
    told |= {"ns_score": "420", "ew_score": "-420", "contract": "4 S", "declarer": "N", "result": "="}
    return told | {"tricks_taken": "10", "ns_match_points": "0.50", "ew_match_points": ".5"} | fields


def game(*lines: dict[str, Any], pairs: object = None, **fields: object) -> bytes:
    section = {
        "name": "A",
        "pair_summaries": pairs,
        "boards": [{"board_number": "1", "board_results": lines}],
    }
    sessions = [{"number": 1, "sections": [section]}]
    return json.dumps(
        {"type": "PAIRS", "name": "Club", "winner_type": 1, "sessions": sessions} | fields
    ).encode()


def only(**fields: object) -> TableResult:
    (record,) = results(read_acbl(game(line(**fields))))
    return record.result


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, Played(Contract(4, Strain.SPADES, Doubling.UNDOUBLED, Seat.N), Tricks(10))),
        ({"tricks_taken": 10}, Played(Contract(4, Strain.SPADES, Doubling.UNDOUBLED, Seat.N), Tricks(10))),
        ({"tricks_taken": None}, Played(Contract(4, Strain.SPADES, Doubling.UNDOUBLED, Seat.N), Tricks(10))),
        (
            {"contract": "6 NT x", "result": "-1", "tricks_taken": "11", "ns_score": -100, "ew_score": "100"},
            Played(Contract(6, Strain.NOTRUMP, Doubling.DOUBLED, Seat.N), Tricks(11)),
        ),
        ({"ns_score": "PASS", "ew_score": "PASS", "contract": "", "declarer": ""}, PassedOut()),
        ({"ns_score": "0", "ew_score": "0", "contract": "PASS", "declarer": ""}, PassedOut()),
        ({"contract": "", "declarer": "", "result": ""}, ScoreOnly(Points(420))),
        ({"ns_score": "", "contract": None}, ScoreOnly(Points(420))),
        ({"ns_score": "NP", "ew_score": "NP"}, NotPlayed()),
        ({"ns_score": "LATE PLAY", "ew_score": "LATE PLAY"}, NotPlayed(Unplayed.LATE_PLAY_DUE)),
    ],
)
def test_scores_in_the_ways_that_files_write_them(fields: dict[str, object], expected: TableResult) -> None:
    assert only(**fields) == expected


@pytest.mark.parametrize(
    ("ns", "ew", "kinds"),
    [
        ("AVE", "AVE", (AwardKind.AVE, AwardKind.AVE)),
        ("AVE+", "AVE-", (AwardKind.AVE_PLUS, AwardKind.AVE_MINUS)),
        ("A-", "a+", (AwardKind.AVE_MINUS, AwardKind.AVE_PLUS)),
        ("AVG+", "AVG+", (AwardKind.AVE_PLUS, AwardKind.AVE_PLUS)),
    ],
)
def test_averages_are_awards_over_an_unplayed_board(
    ns: str, ew: str, kinds: tuple[AwardKind, AwardKind]
) -> None:
    read = read_acbl(game(line(ns_score=ns, ew_score=ew, contract="")))
    (award,) = (record for record in read.records if isinstance(record, Award))
    (unplayed,) = results(read)
    assert (award.ns_award, award.ew_award) == (Artificial(kinds[0]), Artificial(kinds[1]))
    assert (unplayed.result, unplayed.ns, unplayed.ew) == (NotPlayed(), "A1", "A2")
    assert award.changes[0].supersedes == unplayed.identity


def test_a_score_that_its_contract_cannot_give_counts_and_is_noted() -> None:
    read = read_acbl(game(line(ns_score="450", ew_score="-450")))
    assert results(read)[0].result == ScoreOnly(Points(450))
    assert [(note.kind, note.place) for note in read.notes] == [
        (NoteKind.SCORE_CONTRADICTS_CONTRACT, "1/A/r1/t1/b1")
    ]


def test_a_pair_summary_without_its_list_and_without_players_is_read() -> None:
    read = read_acbl(
        game(line(), pairs={"pair_number": 1, "direction": "NS", "score": "1.0", "adjustment": "-2.5"})
    )
    (penalty,) = (record for record in read.records if isinstance(record, Penalty))
    assert (penalty.contestant, penalty.amount) == ("A1", Fraction(5, 2))
    assert [(total.contestant, total.total, total.percentage) for total in read.published_totals] == [
        ("A1", "1.0", None)
    ]


def test_names_and_numbers_stay_out_of_the_records() -> None:
    players = [{"name": "Zoe Zed", "id_number": "K123456"}, {"name": "Yan Why", "id_number": "0"}]
    read = read_acbl(game(line(), pairs=[{"pair_number": "1", "direction": "NS", "players": players}]))
    written = b"".join(write_record(record) for record in read.records)
    assert list(read.people.values()) == ["Zoe Zed", "Yan Why"]
    assert not any(word in written for word in (b"Zoe", b"K123456"))
    assert [note.value for note in read.notes] == ["1 member numbers"]


# Bad input.

WHERE = "session 1, section A, board 1, result 1"


@pytest.mark.parametrize(
    ("fields", "place", "value"),
    [
        ({"contract": "8 NT"}, f"{WHERE}, contract", "8 NT"),
        ({"tricks_taken": "14"}, f"{WHERE}, tricks_taken", "14"),
        ({"declarer": "?"}, f"{WHERE}, contract", "?"),
        ({"ns_score": "much"}, f"{WHERE}, ns_score", "MUCH"),
        ({"ew_score": "-430"}, f"{WHERE}, ew_score", "-430"),
        ({"ns_score": "455", "ew_score": "", "contract": ""}, f"{WHERE}, ns_score", "455"),
        ({"ns_score": "AVE"}, f"{WHERE}, ew_score", "-420"),
        ({"ns_pair": None}, f"{WHERE}, ns_pair", ""),
        ({"table_number": "x"}, f"{WHERE}, table_number", "x"),
        ({"ns_match_points": "1/0"}, f"{WHERE}, ns_match_points", "1/0"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_path(
    fields: dict[str, object], place: str, value: str
) -> None:
    with pytest.raises(BadFile) as refused:
        read_acbl(game(line(**fields)))
    assert (refused.value.place, refused.value.value) == (place, value)


def test_board_0_is_named() -> None:
    with pytest.raises(BadFile, match="board_number: 0"):
        read_acbl(game(line()).replace(b'"board_number": "1"', b'"board_number": 0'))


def test_one_slot_twice_is_refused() -> None:
    with pytest.raises(BadFile, match="once in a round"):
        read_acbl(game(line(), line()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"sessions": []}',
        b'{"sessions": ["x"]}',
        b'{"sessions": [{}], "type": "TEAMS"}',
        b'{"sessions": [{}], "board_scoring_method": "BAM"}',
        b"\xff\xfe{}",
        b"[" * 100_000,
    ],
)
def test_what_is_no_pairs_game_is_refused(data: bytes) -> None:
    with pytest.raises(BadFile):
        read_acbl(data)


@pytest.mark.parametrize("size", [10, 5_000, 50_001])
def test_a_file_cut_short_is_refused(data: bytes, size: int) -> None:
    with pytest.raises(BadFile, match="JSON"):
        read_acbl(data[:size])
