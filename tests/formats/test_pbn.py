"""PBN: a real round of 15 team matches, pairs' ScoreTables, and the odd corners of the notation."""

from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from pipeline.formats.imported import BadFile, Imported, NoteKind, PublishedLine
from pipeline.formats.notation import decoded
from pipeline.formats.pbn import read_pbn
from pipeline.formats.pbn_tags import LONGEST_LINE, read_games
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from pipeline.rules.imps import imps
from schemas.codec import read_record, write_record
from schemas.control import ContestantEntered, MatchSet
from schemas.corrections import Award
from schemas.deal import Artificial, Contract, NotPlayed, PassedOut, Played, ScoreOnly
from schemas.record import Slot
from schemas.results import BoardResult
from schemas.terms import AwardKind, Direction, Doubling, Points, Seat, Strain, Tricks

REAL = Path(__file__).parents[3] / "shared/data/real/pbn/teams_round_15_matches.pbn"


@pytest.fixture(scope="module")
def data() -> bytes:
    if not REAL.exists():
        pytest.skip(f"{REAL.name} is not on this machine")
    return REAL.read_bytes()


@pytest.fixture(scope="module")
def teams(data: bytes) -> Imported:
    return read_pbn(data)


def results(imported: Imported) -> list[BoardResult]:
    return [record for record in imported.records if isinstance(record, BoardResult)]


def matches(imported: Imported) -> list[MatchSet]:
    return [record for record in imported.records if isinstance(record, MatchSet)]


def noted(imported: Imported, kind: NoteKind) -> list[str]:
    return [note.place for note in imported.notes if note.kind is kind]


# The real round: 15 matches of 10 boards, one not played, one line without its other table.


def test_every_game_is_a_result_and_every_two_teams_a_match(teams: Imported) -> None:
    assert len(results(teams)) == 299
    assert len({record.identity for record in teams.records}) == len(teams.records)
    assert len(matches(teams)) == 15
    assert all(len(match.tables) == 2 for match in matches(teams))
    assert all({table.home for table in match.tables} == set(Direction) for match in matches(teams))
    assert {board for match in matches(teams) for board in match.boards} == set(range(11, 21))


def test_278_of_278_lines_played_at_both_tables_have_the_printed_imps(teams: Imported) -> None:
    printed = {(line.slot, line.direction): int(line.points) for line in teams.published_lines}
    assert len(printed) == 2 * 299
    table_of = {
        (table.section, table.table): match.match for match in matches(teams) for table in match.tables
    }
    by_board: dict[tuple[str, int], list[tuple[Slot, Points]]] = defaultdict(list)
    for record in results(teams):
        if not isinstance(record.result, NotPlayed):
            slot = record.slot
            points = ns_points(record.result, vulnerability(slot.board))
            by_board[table_of[slot.section, slot.table], slot.board].append((slot, points))
    reproduced = 0
    for tables in by_board.values():
        if len(tables) == 2:
            (one, here), (other, there) = tables
            for slot, won in ((one, imps(Points(here - there))), (other, imps(Points(there - here)))):
                assert printed[slot, Direction.NS] == won == -printed[slot, Direction.EW], slot
                reproduced += 1
    assert reproduced == 278


def test_no_score_of_the_real_file_contradicts_its_contract(teams: Imported) -> None:
    assert not noted(teams, NoteKind.SCORE_CONTRADICTS_CONTRACT)
    assert not [record for record in results(teams) if isinstance(record.result, ScoreOnly)]


def test_the_match_of_passes_without_a_score_is_told_as_not_played(teams: Imported) -> None:
    unplayed = [record for record in results(teams) if isinstance(record.result, NotPlayed)]
    assert len(unplayed) == 20
    assert {record.ns for record in unplayed} == {"Team-29", "Team-30"}
    assert sorted(noted(teams, NoteKind.PASSED_WITHOUT_SCORE)) == sorted(str(at.slot) for at in unplayed)
    assert [(note.place, note.value) for note in teams.notes if note.kind is NoteKind.NOT_PLAYED] == [
        ("match r1t1", "Team 29 - Team 30")
    ]


def test_passes_with_a_score_are_passed_out(teams: Imported) -> None:
    (passed,) = (record for record in results(teams) if isinstance(record.result, PassedOut))
    assert str(passed.slot) == "1/A/r1/t11/b11"


def test_the_line_played_at_one_table_is_only_noted(teams: Imported) -> None:
    assert noted(teams, NoteKind.ONE_TABLE_ONLY) == ["1/A/r1/t6/b20"]


def test_every_record_can_be_written_and_read(teams: Imported) -> None:
    for record in teams.records:
        assert read_record(write_record(record)) == record


# By hand: team matches.


def game(board: int = 1, table: int = 1, home: str = "Reds", visit: str = "Blues", **tags: str) -> str:
    told = {"Board": str(board), "Table": str(table), "HomeTeam": home, "VisitTeam": visit}
    told |= {"Contract": "4S", "Declarer": "N", "Result": "10", "Score": "NS 420"} | tags
    return "".join(f'[{name} "{value}"]\n' for name, value in told.items()) + "\n"


def read(*texts: str) -> Imported:
    return read_pbn("".join(texts).encode())


def test_without_a_room_the_first_team_sits_north_south() -> None:
    one = read(game(), game(table=7, home="Blues", visit="Reds"))
    assert [(record.ns, record.ew) for record in results(one)] == [("Reds", "Blues"), ("Blues", "Reds")]
    (match,) = matches(one)
    assert [(at.table, at.home) for at in match.tables] == [(1, Direction.NS), (7, Direction.EW)]


def test_with_a_room_the_home_team_sits_north_south_in_the_open_room() -> None:
    text = game(Room="Open").replace('[Table "1"]\n', "") + game(Room="Closed").replace('[Table "1"]\n', "")
    one = read(text)
    assert [(record.slot.table, record.ns) for record in results(one)] == [(1, "Reds"), (2, "Blues")]


def test_pair_ns_says_who_sits_north_south() -> None:
    one = read(game(PairNS="Blues"), game(table=2, PairNS="Reds"))
    assert [record.ns for record in results(one)] == ["Blues", "Reds"]


def test_who_sits_where_is_never_guessed() -> None:
    with pytest.raises(BadFile, match="Reds - Blues"):
        read(game(), game(table=2))


def test_a_table_plays_a_board_once() -> None:
    with pytest.raises(BadFile, match="once"):
        read(game(), game(), game(table=2, home="Blues", visit="Reds"))


def test_a_pass_without_a_score_in_a_match_with_scores_is_passed_out_with_a_note() -> None:
    other = game(table=2, home="Blues", visit="Reds", Contract="Pass", Declarer="", Result="")
    one = read(game(), other.replace('[Score "NS 420"]\n', ""))
    assert results(one)[1].result == PassedOut()
    assert noted(one, NoteKind.PASSED_WITHOUT_SCORE) == ["1/A/r1/t2/b1"]


@pytest.mark.parametrize(
    ("score", "seen"),
    [("NS 420", 420), ("420", 420), ("EW -420", 420), ("NS 420 EW -420", 420), ("EW -420 NS 420", 420)],
)
def test_a_score_in_each_of_its_five_forms(score: str, seen: int) -> None:
    one = read(game(Score=score), game(table=2, home="Blues", visit="Reds"))
    result = results(one)[0].result
    assert isinstance(result, Played)
    assert ns_points(result, vulnerability(results(one)[0].slot.board)) == seen


def test_where_score_and_contract_contradict_the_score_counts_and_a_note_says_so() -> None:
    one = read(game(Score="NS 450"), game(table=2, home="Blues", visit="Reds"))
    assert results(one)[0].result == ScoreOnly(Points(450))
    assert noted(one, NoteKind.SCORE_CONTRADICTS_CONTRACT) == ["1/A/r1/t1/b1"]


@pytest.mark.parametrize(
    ("tags", "place", "value"),
    [
        ({"Contract": "8NT"}, "Contract", "8NT"),
        ({"Result": "14"}, "Contract", "14"),
        ({"Declarer": "Q"}, "Contract", "Q"),
        ({"Score": "NS lots"}, "Score", "NS lots"),
        ({"Board": "0"}, "Board", "0"),
        ({"Table": "first"}, "Table", "first"),
    ],
)
def test_a_value_that_cannot_be_is_named_with_its_game(tags: dict[str, str], place: str, value: str) -> None:
    with pytest.raises(BadFile) as refused:
        read(game(table=2, home="Blues", visit="Reds"), game(**tags))  # type: ignore[arg-type]
    assert refused.value.place == f"game at line 10, tag {place}"
    assert refused.value.value == value


# By hand: pairs.

SCORE_TABLE = (
    "Section;Table\\2R;Round;PairId_NS;PairId_EW;Contract\\4L;Declarer;Result;Score_NS;Score_EW;MP_NS;MP_EW;"
    "Percentage_NS;Percentage_EW;Names_NS\\13;Names_EW"
)
PAIRS = f"""% PBN 2.1
[Event "Club pairs"]
[Site "?"]
[Date "2026.05.12"]
[Scoring "MatchPoints"]

[Board "1"]
[ScoreTable "{SCORE_TABLE}"]
A  1 1 1 11 4S    N 10  420    - 3.00 1.00 75.00 25.00 "Ann Bee" "Cy Dee"
A  2 1 2 12 3NTX  S  8    - 100 0.00 4.00  0.00 100.00 Ed-Flo Gil-Hal  ; a comment
A  3 1 3 13 4S    N 10  420    - 3.00 1.00 75.00 25.00 I J

[Board "2"]
[ScoreTable "{SCORE_TABLE}"]
A  1 2 3 11 PASS  -  - PASS    - 4.00 0.00 100.00 0.00 I J
A  2 2 1 12 1NT   W  7    -   90 0.00 2.00 0.00 100.00 I J
A  3 2 2 13 -     -  -    -    - ^2.40 ^1.60 ^60.00 ^40.00 I J

[TotalScoreTable "Rank;PairId;TotalMP;TotalPercentage;Names;NrBoards"]
1= 3 7.00 87.50 I 2
2  1 3.00 37.50 "Ann Bee" 2
"""


def test_the_lines_of_a_score_table_are_results() -> None:
    club = read(PAIRS)
    told = results(club)
    assert [str(record.slot) for record in told] == [
        "1/A/r1/t1/b1", "1/A/r1/t2/b1", "1/A/r1/t3/b1", "1/A/r2/t1/b2", "1/A/r2/t2/b2",
        "1/A/r2/t3/b2",
    ]  # fmt: skip
    assert (told[0].ns, told[0].ew) == ("A1", "A11")
    assert told[1].result == Played(Contract(3, Strain.NOTRUMP, Doubling.DOUBLED, Seat.S), Tricks(8))
    assert told[3].result == PassedOut()
    assert (club.title, club.suggested_preset, club.line_unit) == ("Club pairs", "exact", Fraction(1))


def test_an_artificial_score_is_an_award() -> None:
    (award,) = (record for record in read(PAIRS).records if isinstance(record, Award))
    assert [str(change.slot) for change in award.changes] == ["1/A/r2/t3/b2"]
    unplayed = results(read(PAIRS))[-1]
    assert (unplayed.result, unplayed.ns, unplayed.ew) == (NotPlayed(), "A2", "A13")
    assert award.changes[0].supersedes == unplayed.identity
    assert award.ns_award == Artificial(AwardKind.AVE_PLUS)
    assert award.ew_award == Artificial(AwardKind.AVE_MINUS)


def test_published_points_and_totals_come_as_printed() -> None:
    club = read(PAIRS)
    assert len(club.published_lines) == 12
    slot = results(club)[0].slot
    assert club.published_lines[0] == PublishedLine(slot, Direction.NS, "3.00")
    assert [
        (total.contestant, total.total, total.percentage, total.rank) for total in club.published_totals
    ] == [
        ("A3", "7.00", "87.50", 1),
        ("A1", "3.00", "37.50", 2),
    ]


def test_names_go_to_people_and_not_into_records() -> None:
    club = read(PAIRS)
    assert club.people["A1"] == "Ann Bee"  # type: ignore[index]
    assert b"Ann" not in b"".join(write_record(record) for record in club.records)


def test_half_match_points_are_told_by_their_sum() -> None:
    table = 'PairId_NS;PairId_EW;Contract;Declarer;Result;MP_NS;MP_EW"]\n'
    club = read(f'[Board "1"]\n[ScoreTable "{table}', "1 11 4S N 10 0.5 0.5\n2 12 4S N 10 .5 .5\n")
    assert club.line_unit == 2


def test_one_number_on_both_sides_of_a_board_is_two_pairs() -> None:
    table = 'PairId_NS;PairId_EW;Contract;Declarer;Result"]\n'
    club = read(f'[Board "1"]\n[ScoreTable "{table}', "1 2 4S N 10\n2 1 4S N 10\n")
    pairs = [record for record in club.records if isinstance(record, ContestantEntered)]
    assert {(pair.contestant, pair.direction) for pair in pairs} == {
        ("A1NS", Direction.NS), ("A2NS", Direction.NS), ("A1EW", Direction.EW), ("A2EW", Direction.EW),
    }  # fmt: skip
    assert club.suggested_settings["rank.winners"] == "per-direction"


def test_a_row_with_a_value_too_few_is_named() -> None:
    with pytest.raises(BadFile, match="line 3"):
        read('[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Contract"]\n1 2\n')


@pytest.mark.parametrize(
    ("scoring", "preset"), [("IMP;Cross1", "cross_imps"), ("Butler", "butler"), ("MP1", "exact")]
)
def test_the_scoring_tag_suggests_the_method(scoring: str, preset: str) -> None:
    assert read(PAIRS.replace("MatchPoints", scoring)).suggested_preset == preset


# The notation.


def test_a_hash_takes_the_value_of_the_game_before() -> None:
    games = read_games('[Event "A"]\n\n[Event "#"]\n[Board "2"]\n\n[Event "#"]\n')
    assert [each.tag("Event") for each in games] == ["A", "A", "A"]


def test_two_hashes_hold_for_all_games_that_follow_until_redefined() -> None:
    games = read_games('[Date "##2026.01.01"]\n\n[Board "1"]\n\n[Date "2026.01.02"]\n\n[Board "2"]\n')
    assert [each.tag("Date") for each in games] == ["2026.01.01"] * 2 + ["2026.01.02"] * 2


def test_a_tag_that_already_occurred_in_a_game_is_ignored() -> None:
    (only,) = read_games('[Board "1"]\n[Board "2"]\n')
    assert only.tag("Board") == "1"


def test_comments_and_escaped_lines_are_no_text() -> None:
    text = '% [Board "9"]\n{ a comment\n\n[Board "8"] } [Board "1"] ; [Board "7"]\n'
    text += '[Event "say; \\"{hi}\\""] [Site "x"]\n'
    (only,) = read_games(text)
    assert (only.tag("Board"), only.tag("Event"), only.tag("Site")) == ("1", 'say; "{hi}"', "x")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1"])
def test_names_survive_every_encoding_in_use(encoding: str) -> None:
    assert decoded("Müller".encode(encoding)) == "Müller"


def test_a_line_longer_than_255_characters_is_read() -> None:
    (only,) = read_games(f'[Event "{"x" * 300}"]\n')
    assert len(only.tag("Event")) == 300


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[Event "A"]\n[Board 1]\n', "line 2"),
        ('[Event "A"]\n\n{ never closed\n', "line 3"),
        ("hello\n", "line 1"),
        (f'[Event "{"x" * LONGEST_LINE}"]\n', "line 1"),
    ],
)
def test_what_is_no_notation_is_named_with_its_line(text: str, place: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_games(text)
    assert refused.value.place == place


@pytest.mark.parametrize("data", [b"", b" \n", b'[Event "A"]\n[Board "1"]\n', b"\xff\xfe\x00\x01"])
def test_a_file_without_results_is_refused(data: bytes) -> None:
    with pytest.raises(BadFile):
        read_pbn(data)


@pytest.mark.parametrize("size", [1_000, 70_001, 140_000])
def test_a_file_cut_short_is_refused_or_reads_what_is_there(data: bytes, teams: Imported, size: int) -> None:
    try:
        cut = read_pbn(data[:size])
    except BadFile:
        return
    assert len(results(cut)) < len(results(teams))
