"""The verbs that read a log: out and in again, as of a moment, what changed, why, what if, and the audit."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipeline.cli import app
from pipeline.formats.records_ndjson import write_person, write_stamped, write_unreadable
from pipeline.scoring.event import Event
from pipeline.scoring.standings import standings
from schemas.codec import AnyRecord, write_record
from schemas.control import PinnedList
from schemas.published import PersonNamed, Unreadable
from schemas.record import Role, Stamp, Stamped
from schemas.terms import ListId, PersonId
from tests.builders import (
    EVENT,
    MINUTE,
    START_US,
    conditions,
    described,
    movement,
    placement,
    play_ended,
    replaced,
    result,
    score_published,
    stamped,
)

WRONG = result(1, 3, 4, tricks=9, table=2)
RULING = replaced(WRONG, tricks=10)
# 18:00 and on, a minute apart: two tables play board 1, 420 and -50; at 18:07 the -50 becomes 420 as well.
EVENING = (
    described(),
    conditions(settings={"confirm.by": "not-asked", "show.min_boards": "0"}),
    movement([placement(1, 1, 1, 2, [1]), placement(1, 2, 3, 4, [1])]),
    result(1, 1, 2, tricks=10, table=1),
    WRONG,
    play_ended(),
    score_published(),
    RULING,
)


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def evening(records: Sequence[AnyRecord] = EVENING) -> tuple[Stamped, ...]:
    return stamped(records, apart_us=MINUTE)


def written(path: Path, entries: Sequence[Stamped]) -> str:
    path.write_bytes(b"".join(map(write_stamped, entries)))
    return str(path)


@pytest.fixture
def log(tmp_path: Path) -> str:
    return written(tmp_path / "evening.ndjson", evening())


def percentages(*arguments: str) -> dict[str, tuple[int, str]]:
    shown = run("standings", *arguments, "--json")
    assert shown.exit_code == 0, shown.stderr
    (found,) = json.loads(shown.stdout)["standings"]
    return {row["contestant"]: (row["rank"], row["percentage"]) for row in found["rows"]}


LEVEL = dict.fromkeys(("1", "2", "3", "4"), (1, "50.00"))
BEFORE = {"1": (1, "100.00"), "4": (1, "100.00"), "2": (3, "0.00"), "3": (3, "0.00")}


def test_standings_are_those_of_all_that_was_said(log: str) -> None:
    assert percentages(log) == LEVEL


@pytest.mark.parametrize("moment", ["18:06", "2026-01-03T18:06Z", "2026-01-03T19:06+01:00", "18:06:59"])
def test_standings_as_of_a_moment_know_nothing_of_what_came_later(log: str, moment: str) -> None:
    assert percentages(log, "--as-of", moment) == BEFORE


def test_what_was_said_exactly_then_is_in(log: str) -> None:
    at_us = START_US + 7 * MINUTE
    assert percentages(log, "--as-of", str(at_us)) == LEVEL
    assert percentages(log, "--as-of", str(at_us - 1)) == BEFORE


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--as-of", "yesterday"], "bad-time: yesterday"),
        (["--as-of", "2026-01-03T18:06"], "bad-time: 2026-01-03T18:06 - say its zone"),
        (["--list", "event/NS"], "unknown-list: event/NS"),
        (["--event", "other"], "unknown-event: other"),
    ],
)
def test_what_is_not_there_is_named(log: str, arguments: list[str], named: str) -> None:
    shown = run("standings", log, *arguments)
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert named in shown.stderr


def test_an_exported_log_comes_in_again_with_its_stamps(log: str, tmp_path: Path) -> None:
    database = str(tmp_path / "new.sqlite")
    assert "8 of them new" in run("import-log", log, database).stderr
    assert "0 of them new" in run("import-log", log, database).stderr
    assert percentages(database) == LEVEL
    # By the stamps of the import everything was said just now.
    assert percentages(database, "--as-of", "18:06") == BEFORE
    exported = run("export-log", database).stdout.encode()
    again = str(tmp_path / "again.sqlite")
    run("import-log", "-", again, stdin=exported)
    lines = [json.loads(line) for line in run("export-log", again).stdout.splitlines()]
    assert [line["record"]["original_stamp"]["time_us"] for line in lines] == [
        stamped.stamp.time_us for stamped in evening()
    ]


def test_names_and_unreadable_entries_come_along(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    odd = Unreadable(Stamp(5, "unreadable", 0, 0), EVENT, "e30=", "kind: missing")
    named = PersonNamed(EVENT, PersonId("p1"), "A Player")
    path.write_bytes(
        write_person(named) + b"".join(map(write_stamped, evening()[:3])) + write_unreadable(odd)
    )
    database = str(tmp_path / "new.sqlite")
    assert run("import-log", str(path), database).exit_code == 0
    assert "A Player" not in run("export-log", database).stdout
    exported = run("export-log", database, "--names")
    assert "A Player" in exported.stdout
    assert run("audit", str(path)).exit_code == 3


def test_nothing_is_imported_into_a_live_event(log: str, tmp_path: Path) -> None:
    live = live_log(tmp_path / "live.sqlite")
    refused = run("import-log", log, live)
    assert refused.exit_code == 1
    assert "import-into-live-event" in refused.stderr


def live_log(path: Path) -> str:
    import asyncio

    from pipeline.runtime.embedded.clock import SystemClock
    from pipeline.runtime.embedded.log import SqliteLog

    async def append() -> None:
        opened = await SqliteLog.open(path, SystemClock())
        await opened.append([described()])
        await opened.close()

    asyncio.run(append())
    return str(path)


def test_a_log_of_other_people_is_named(tmp_path: Path) -> None:
    import sqlite3

    foreign = tmp_path / "foreign.sqlite"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE members(name TEXT)")
    connection.commit()
    connection.close()
    for path in (str(foreign), str(tmp_path / "nowhere.sqlite"), written(tmp_path / "x", ())):
        shown = run("standings", path)
        assert (shown.exit_code, shown.stdout) == (1, "")
        assert shown.stderr.count("\n") == 1


def test_what_changed_between_two_moments(log: str) -> None:
    changed = run("diff", log, "--from", "18:06", "--to", "18:07", "--json")
    assert changed.exit_code == 3
    found = json.loads(changed.stdout)
    (board,) = found["boards"]
    by_slot = {line["slot"]: line for line in board["lines"]}
    assert (by_slot["1/A/r1/t2/b1"]["before"]["tricks"], by_slot["1/A/r1/t2/b1"]["after"]["tricks"]) == (
        9,
        10,
    )
    (whole,) = [change for change in found["lists"] if change["list"] == "event/all"]
    moves = {move["contestant"]: (move["before"]["rank"], move["after"]["rank"]) for move in whole["moves"]}
    assert moves == {"1": (1, 1), "2": (3, 1), "3": (3, 1), "4": (1, 1)}
    assert "9 → 10" not in run("diff", log, "--from", "18:07").stdout


def test_nothing_changed_is_exit_status_0(log: str) -> None:
    same = run("diff", log, "--from", "18:07", "--to", "18:20")
    assert (same.exit_code, same.stdout) == (0, "")


def test_a_ruling_can_be_looked_at_before_it_is_made(tmp_path: Path) -> None:
    log = written(tmp_path / "log.ndjson", evening(EVENING[:-1]))
    before = Path(log).read_bytes()
    shown = run("preview", log, "-", "--json", stdin=write_record(RULING))
    assert shown.exit_code == 3
    assert shown.stderr.startswith("accepted: replace_result director/")
    moves = [
        (move["contestant"], move["after"]["percentage"])
        for change in json.loads(shown.stdout)["lists"]
        if change["list"] == "event/all"
        for move in change["moves"]
    ]
    assert dict(moves) == dict.fromkeys(("1", "2", "3", "4"), "50.00")
    assert Path(log).read_bytes() == before


def test_a_ruling_that_would_be_refused_changes_nothing_and_says_why(tmp_path: Path) -> None:
    log = written(tmp_path / "log.ndjson", evening(EVENING[:-1]))
    foreign = tmp_path / "ruling.json"
    foreign.write_bytes(write_record(replace(RULING, role=Role.PAIR)))
    shown = run("preview", log, str(foreign))
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "not-authorised" in shown.stderr


@pytest.mark.parametrize("text", ["", "[]", '{"kind": "replace_result"}', '{"kind": "nothing"}'])
def test_what_is_no_record_is_named(log: str, tmp_path: Path, text: str) -> None:
    ruling = tmp_path / "ruling.json"
    ruling.write_text(text)
    shown = run("preview", log, str(ruling))
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert "ruling.json" in shown.stderr


def test_a_score_is_explained_with_its_laws(log: str) -> None:
    shown = run("explain", log, "--pair", "1", "--board", "1")
    assert shown.exit_code == 0, shown.stderr
    assert "4S by N, 10 tricks: +420" in shown.stdout
    assert "Law 78A" in shown.stdout
    assert run("explain", log, "--pair", "1").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--pair", "9", "--board", "1"], "unknown-contestant: 9"),
        (["--pair", "1", "--board", "7"], "unknown-board"),
        (["--pair", "1", "--board", "1", "--session", "2"], "unknown-session: 2"),
    ],
)
def test_nobody_and_nothing_are_not_explained(log: str, arguments: list[str], named: str) -> None:
    shown = run("explain", log, *arguments)
    assert shown.exit_code == 1
    assert named in shown.stderr


def pinned(digest: str) -> tuple[AnyRecord, ...]:
    publication = replace(score_published(), lists=(PinnedList(ListId("event/all"), digest),))
    return *EVENING[:6], publication, RULING


def digest_before_publication() -> str:
    event = Event(EVENT)
    event.apply(evening(EVENING[:6]))
    return standings(event, ListId("event/all"))[0].digest


def test_a_sound_log_passes_the_audit(tmp_path: Path) -> None:
    log = written(tmp_path / "log.ndjson", evening(pinned(digest_before_publication())))
    shown = run("audit", log)
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "0 differences" in shown.stderr


def test_a_pinned_list_that_does_not_come_out_again_fails_it(tmp_path: Path) -> None:
    log = written(tmp_path / "log.ndjson", evening(pinned("0" * 64)))
    shown = run("audit", log)
    assert shown.exit_code == 3
    assert shown.stdout.startswith(f"{EVENT}: digest event/all of director/publish.session.1.1: ")


def test_lists_as_they_were_sent_out_are_audited_as_of_then(log: str, tmp_path: Path) -> None:
    lists = tmp_path / "published.ndjson"
    sent = {"event": EVENT, "list": "event/all", "digest": digest_before_publication()}
    lists.write_text(json.dumps({**sent, "as_of_us": START_US + 6 * MINUTE}))
    assert run("audit", log, "--published", str(lists)).exit_code == 0
    lists.write_text(json.dumps({**sent, "as_of_us": START_US + 7 * MINUTE}))
    assert run("audit", log, "--published", str(lists)).exit_code == 3
    lists.write_text("nonsense")
    assert run("audit", log, "--published", str(lists)).exit_code == 1


def test_a_simulated_evening_is_the_same_for_a_seed_and_passes_every_verb() -> None:
    once, again, other = (
        run("simulate", "--tables", "5", "--boards", "10", "--seed", seed, "--stamped").stdout
        for seed in ("3", "3", "4")
    )
    assert once == again != other
    assert run("audit", "-", stdin=once.encode()).exit_code == 0
    scored = run("score", "-", "--json", stdin=once.encode())
    shown = run("standings", "-", "--json", stdin=once.encode())
    rows = [
        [row for one in json.loads(text)["standings"] for row in one["rows"]]
        for text in (scored.stdout, shown.stdout)
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 10


def test_a_field_that_cannot_be_seated_is_named() -> None:
    shown = run("simulate", "--tables", "1", "--boards", "24")
    assert (shown.exit_code, shown.stdout) == (1, "")


def test_conditions_are_listed_shown_and_checked(tmp_path: Path) -> None:
    assert "law1963_pairs" in run("conditions", "list").stdout
    shown = run("conditions", "show", "acbl").stdout
    assert 'missing = "factored-total"\n' in shown
    own = tmp_path / "own.toml"
    own.write_text(shown)
    assert run("conditions", "check", str(own)).exit_code == 0
    assert run("conditions", "show", str(own)).exit_code == 0
    own.write_text('[mp]\nnothing = "neuberg"\n')
    wrong = run("conditions", "check", str(own))
    assert wrong.exit_code == 1
    assert "mp.nothing" in wrong.stderr


@pytest.mark.parametrize(
    "verb",
    ["score", "standings", "explain", "diff", "preview", "audit", "export-log", "import-log", "simulate"],
)
def test_every_help_has_an_example(verb: str) -> None:
    assert f"barometer {verb}" in run(verb, "--help").stdout


def test_verbs_of_real_processes_can_be_piped() -> None:
    verb = [sys.executable, "-c", "from pipeline.cli import main; main()"]
    simulate = [*verb, "simulate", "--tables", "4", "--boards", "8", "--seed", "2", "--stamped"]
    simulated = subprocess.run(simulate, capture_output=True, check=True)
    shown = subprocess.run(
        [*verb, "standings", "-", "--as-of", "18:30"], input=simulated.stdout, capture_output=True, check=True
    )
    assert b"playing" in shown.stdout
    assert simulated.stderr == shown.stderr == b""


def test_the_digests_of_a_log_show_a_figure_that_was_changed_in_the_file(tmp_path: Path) -> None:
    log = written(tmp_path / "evening.ndjson", evening())
    kept = tmp_path / "published.ndjson"
    kept.write_text(run("standings", log, "--digests").stdout)
    assert run("audit", log, "--published", str(kept)).exit_code == 0
    forged = Path(log).read_text().replace('"tricks":10', '"tricks":11', 1)
    Path(log).write_text(forged)
    assert run("audit", log).exit_code == 0
    found = run("audit", log, "--published", str(kept))
    assert found.exit_code == 3
    assert "event/all" in found.stdout
