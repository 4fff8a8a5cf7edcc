"""`barometer score` on real events, on other conditions, and on everything that is no event."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import app

REAL = Path(__file__).parents[3] / "shared" / "data" / "real"
FILES = (
    "acbl/club_game.json",
    "bws/club_session_11_tables.bws",
    "pbn/teams_round_15_matches.pbn",
    "usebio/butler_howell.xml",
    "usebio/cross_imp_howell.xml",
    "usebio/mp_pairs_howell.xml",
    "usebio/mp_pairs_mitchell_02.xml",
    "usebio/mp_pairs_mitchell_adjusted_02.xml",
)
LINE = {
    *("ns", "ew", "contract", "declarer", "tricks"),
    *("score_ns", "score_ew", "points_ns", "points_ew"),
}
ROW = {"rank", "tied", "contestant", "names", "score", "percentage", "boards"}
# The six columns that salliere's README asks for: board, pairs, contract, declarer, tricks.
BOARDS = "1,1,2,3NT,N,9\n1,3,4,3NT,N,8\n1,5,6,4S,S,10\n2,1,4,PO,,\n2,3,6,1NT,E,7\n2,5,2,2H,W,6\n"


def real(name: str) -> str:
    path = REAL / name
    if not path.exists():
        pytest.skip(f"{path.name} is not on this machine")
    return str(path)


def score(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["score", *arguments], input=stdin)


def scored(*arguments: str) -> dict[str, Any]:
    result = score(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def boards(tmp_path: Path) -> str:
    path = tmp_path / "boards.csv"
    path.write_text(BOARDS, encoding="ascii")
    return str(path)


@pytest.mark.parametrize("name", FILES)
def test_every_published_figure_of_a_real_event_comes_out_again_or_says_why_not(name: str) -> None:
    result = score(real(name), "--compare")
    assert result.exit_code == 0
    assert "UNEXPLAINED" not in result.stdout
    assert "0 of them unexplained" in result.stderr


@pytest.mark.parametrize("name", FILES)
def test_a_real_event_has_every_record_accepted_and_the_documented_shape(name: str) -> None:
    result = score(real(name), "--json")
    assert result.exit_code == 0
    assert result.stderr == ""
    found = json.loads(result.stdout)
    assert set(found) == {"standings", "travellers"}
    for standings in found["standings"]:
        assert set(standings) == {"scope", "line", "status", "rows"}
        assert all(set(row) == ROW for row in standings["rows"])
    for traveller in found["travellers"]:
        assert set(traveller) - {"datum"} == {"section", "board", "lines"}
        assert all(set(line) == LINE for line in traveller["lines"])


@pytest.mark.parametrize(
    ("name", "totals", "differing"),
    [
        # 42 pairs, 8 pairs and 9 pairs: the totals that these three files themselves publish.
        ("usebio/mp_pairs_mitchell_adjusted_02.xml", 42, 0),
        ("usebio/butler_howell.xml", 8, 0),
        ("usebio/cross_imp_howell.xml", 9, 0),
    ],
)
def test_all_published_totals_come_out_to_the_last_figure(name: str, totals: int, differing: int) -> None:
    result = score(real(name), "--compare", "--json")
    differences = json.loads(result.stdout)["differences"]
    assert f"{totals} totals published" in result.stderr
    assert sum(difference["figure"] != "line" for difference in differences) == differing


def test_the_imps_of_278_boards_played_at_both_tables_come_out_as_published() -> None:
    # 598 lines are published; 40 belong to the match without a score, 2 to a board played at one table only.
    result = score(real("pbn/teams_round_15_matches.pbn"), "--compare", "--json")
    codes = Counter(difference["code"] for difference in json.loads(result.stdout)["differences"])
    assert codes == {"passed-without-score": 40, "one-table-only": 2}
    assert (598 - codes.total()) // 2 == 278


def test_a_session_of_297_results_has_them_all() -> None:
    found = scored(real("bws/club_session_11_tables.bws"))
    assert sum(len(traveller["lines"]) for traveller in found["travellers"]) == 297


def test_a_published_total_that_nothing_explains_is_exit_status_3(tmp_path: Path) -> None:
    text = Path(real("usebio/butler_howell.xml")).read_text(encoding="utf-8")
    total = text.partition("<TOTAL_SCORE>")[2].partition("<")[0]
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(text.replace(f"<TOTAL_SCORE>{total}<", "<TOTAL_SCORE>999<", 1), encoding="utf-8")
    result = score(str(wrong), "--compare")
    assert result.exit_code == 3
    assert "UNEXPLAINED" in result.stdout
    assert score(str(wrong)).exit_code == 0


def test_match_points_of_a_small_board_file(boards: str) -> None:
    # Laws 77 and 78A by hand, board 1, nobody vulnerable: 420 beats 400 beats -50.
    found = scored(boards, "--conditions", "exact")
    board = found["travellers"][0]
    points = {line["ns"]: (line["score_ns"], line["points_ns"], line["points_ew"]) for line in board["lines"]}
    assert points == {
        "1": ("400", "2.00", "2.00"),
        "3": ("-50", "0.00", "4.00"),
        "5": ("420", "4.00", "0.00"),
    }
    passed_out = next(line for line in found["travellers"][1]["lines"] if line["contract"] == "PASS")
    assert (passed_out["declarer"], passed_out["tricks"], passed_out["score_ns"]) == (None, None, "0")


def test_stdin_is_a_file_too(boards: str) -> None:
    assert score("-", "--json", stdin=BOARDS.encode()).stdout == score(boards, "--json").stdout


def test_tables_have_suits_a_status_and_nothing_cut(boards: str) -> None:
    shown = score(boards).stdout
    assert "provisional" in shown
    assert "4♠" in shown
    assert "…" not in shown


def test_another_preset_keeps_the_method_of_the_file() -> None:
    butler = scored(real("usebio/butler_howell.xml"), "--conditions", "exact")
    assert all("datum" in traveller for traveller in butler["travellers"])
    assert butler["standings"][0]["rows"][0]["percentage"] is None


def test_a_preset_that_names_a_method_brings_it(boards: str) -> None:
    assert all("datum" in traveller for traveller in scored(boards, "--conditions", "butler")["travellers"])


def test_conditions_from_a_file_lie_over_the_preset_it_names(boards: str, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('preset = "exact"\n[mp]\nunit = "1-1/2-0"\n', encoding="ascii")
    best = scored(boards, "--conditions", str(own))["travellers"][0]["lines"][0]
    assert best["points_ns"] == "2.00"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[mp]\nsmal_group = "neuberg"\n', "unknown-setting: mp.smal_group"),
        ('[mp]\nmissing = "guess"\n', "unknown-setting: mp.missing"),
        ("[mp\n", "unknown-setting: conditions"),
        ('preset = "nobody"\n', "unknown-setting: preset"),
    ],
)
def test_wrong_conditions_are_named(boards: str, tmp_path: Path, text: str, named: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="ascii")
    result = score(boards, "--conditions", str(own))
    assert result.exit_code == 1
    assert named in result.stderr
    assert result.stdout == ""


def test_usage_is_exit_status_2() -> None:
    assert score().exit_code == 2
    assert score("a.csv", "--nonsense").exit_code == 2


def result_line(number: int, *, level: int = 3, tricks: int = 9, board: int = 1, **more: object) -> str:
    contract = {"level": level, "strain": "NT", "doubling": "", "declarer": "N"}
    record = {
        "event": "e",
        "id": str(number),
        "source": "t1",
        "role": "table",
        "kind": "board_result",
        "slot": {"session": "1", "section": "A", "round": 1, "table": 1, "board": board},
        "result": {"outcome": "played", "contract": contract, "tricks": tricks},
    }
    return json.dumps({**record, **more}) + "\n"


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><USEBIO Version="1.2"><EVENT>&c;</EVENT></USEBIO>'
)
BAD = {
    "empty.bws": (b"", "the file is empty"),
    "cut.bws": (b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(3000), "cut short"),
    "cut.xml": (b'<?xml version="1.0"?><USEBIO Version="1.2"><EVENT><TITLE>Fr', "well-formed"),
    "bomb.xml": (BOMB.encode(), "no entities"),
    "encoding.xml": (
        b'<?xml version="1.0" encoding="UTF-8"?><USEBIO><EVENT>\xe9\xff</EVENT></USEBIO>',
        "line 1",
    ),
    "other.xml": (b"<html></html>", "USEBIO"),
    "unknown.dat": (b"PK\x03\x04", "a file is"),
    "long.ndjson": (b'{"kind": "board_result", "x": "' + b"a" * 100_000_000 + b'"}\n', "100000033 bytes"),
    "contract.csv": (b"1,1,2,8NT,N,9\n", "8NT"),
    "tricks.csv": (b"1,1,2,3NT,N,14\n", "14 tricks"),
    "board.csv": (b"0,1,2,3NT,N,9\n", "board: 0"),
    "contract.ndjson": (result_line(1, level=8).encode(), "level 8"),
    "tricks.ndjson": (result_line(1, tricks=14).encode(), "14 tricks"),
    "board.ndjson": (result_line(1, board=0).encode(), "slot.board: 0"),
    "newer.ndjson": (result_line(1, wire=99).encode(), "wire 99"),
    "half.ndjson": ((result_line(1) + '{"kind": tru').encode(), "line 2"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_event_is_one_named_line_on_stderr_and_exit_status_1(name: str, tmp_path: Path) -> None:
    data, named = BAD[name]
    path = tmp_path / name
    path.write_bytes(data)
    result = score(str(path))
    assert result.exit_code == 1, result.exception
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 1_000
    assert named in result.stderr


MOVEMENT = json.dumps(
    {
        "event": "e",
        "id": "movement",
        "source": "office",
        "role": "scorer",
        "kind": "movement_set",
        "session": "1",
        "section": "A",
        "movement": {
            "movement": "explicit",
            "placements": [
                {"round": 1, "table": 1, "ns": "1", "ew": "2", "boards": [1, 2]},
                {"round": 1, "table": 2, "ns": "3", "ew": "4", "boards": [1, 2]},
            ],
        },
    }
)


@pytest.mark.parametrize(
    ("second", "decision"),
    [
        ({"slot": {"session": "1", "section": "A", "round": 1, "table": 9, "board": 1}}, "unknown-table"),
        (
            {"slot": {"session": "1", "section": "A", "round": 1, "table": 1, "board": 9}},
            "board-not-at-table",
        ),
        (
            {"slot": {"session": "1", "section": "A", "round": 1, "table": 2, "board": 1}, "ns": "1"},
            "pair-not-at-table",
        ),
        ({"source": "t2"}, "slot-taken"),
        ({"board": 2, "supersedes": "t1/2"}, "supersedes-itself"),
        ({"board": 2, "supersedes": "t1/nobody"}, "reference-unknown"),
        ({"board": 2, "role": "committee"}, "not-authorised"),
        ({"id": "1", "tricks": 8}, "identity-taken"),
        ({"board": 2, "result": {"outcome": "score_only", "ns_points": 10}}, "score-impossible"),
    ],
)
def test_a_record_that_may_not_count_is_named_and_the_others_are_scored(
    second: dict[str, Any], decision: str, tmp_path: Path
) -> None:
    path = tmp_path / "records.ndjson"
    tricks = second.pop("tricks", 10)
    board = second.pop("board", 1)
    path.write_text(f"{MOVEMENT}\n{result_line(1)}{result_line(2, tricks=tricks, board=board, **second)}")
    result = score(str(path), "--json")
    assert result.exit_code == 0
    assert result.stderr.count("\n") == 1
    assert decision in result.stderr
    lines = [line for traveller in json.loads(result.stdout)["travellers"] for line in traveller["lines"]]
    assert [line["tricks"] for line in lines] == [9]


def test_a_real_process_says_the_same_by_its_exit_status(boards: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_bytes(BAD["contract.csv"][0])
    statuses = []
    for arguments in ((boards,), (str(bad),), ()):
        process = subprocess.run(
            [sys.executable, "-c", "from pipeline.cli import main; main()", "score", *arguments],
            capture_output=True,
            check=False,
            text=True,
        )
        assert "Traceback" not in process.stderr
        statuses.append(process.returncode)
    assert statuses == [0, 1, 2]


def test_a_terminal_gets_colour_and_the_same_figures(
    boards: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = score(boards).stdout
    monkeypatch.setattr("pipeline.cli.tables._is_coloured", lambda: True)
    with pytest.raises(SystemExit):
        app(["score", boards])
    coloured = capsys.readouterr().out
    assert "\x1b[31m♥\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
