"""The documents for other programs: they say what the door does, and the copies in docs/ are up to date."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest
from pydantic_core import to_jsonable_python
from typer.testing import CliRunner

from pipeline.cli import app
from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.standings import index, standings
from pipeline.scoring.travellers import board_ids, traveller
from schemas.codec import AnyRecord, UnreadableRecord, accept_record, write_record
from schemas.conditions import SETTINGS
from schemas.export import documents, kind_of, written
from schemas.published import Frequencies, PersonNamed, ScoreWeight, Unreadable
from schemas.record import Stamp
from schemas.reference import LAWS, conditions_page
from schemas.terms import BoardNumber, EventId, PersonId, Points
from schemas.topics import INPUTS, OUTPUTS, PEOPLE
from tests.builders import result
from tests.random_events import EVENT, random_log

ROOT = Path(__file__).parents[2]
DOCUMENTS = documents()
RECORDS = jsonschema_rs.validator_for(DOCUMENTS["records.schema.json"])
BOARD_RESULT = json.loads(write_record(result(1, 1, 2, score_ns=420)))


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_the_copy_in_docs_is_up_to_date(name: str) -> None:
    copy = (ROOT / "docs/wire" / name).read_text(encoding="utf-8")
    assert copy == written(DOCUMENTS[name]), "barometer schemas export docs/wire"


def test_docs_hold_no_document_of_the_past() -> None:
    assert {path.name for path in (ROOT / "docs/wire").iterdir()} == set(DOCUMENTS)


def test_the_page_on_conditions_is_up_to_date() -> None:
    copy = (ROOT / "docs/conditions.md").read_text(encoding="utf-8")
    assert copy == conditions_page(), "barometer schemas conditions > docs/conditions.md"


def test_every_setting_names_what_leaves_it_open() -> None:
    assert tuple(LAWS) == SETTINGS


@pytest.mark.parametrize("name", sorted(set(DOCUMENTS) - {"asyncapi.json"}))
def test_each_is_a_schema_of_the_draft_it_names(name: str) -> None:
    document = DOCUMENTS[name]
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert jsonschema_rs.meta.is_valid(document)
    assert set(references(document)) <= {f"#/$defs/{name}" for name in document.get("$defs", {})}


def references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        for inner in part.values():
            yield from references(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from references(inner)


def test_every_kind_of_record_is_in_the_one_document() -> None:
    mapping = DOCUMENTS["records.schema.json"]["discriminator"]["mapping"]
    assert set(mapping) == {kind_of(record) for record in get_args(AnyRecord)}


@pytest.mark.parametrize("seed", range(8))
def test_the_schema_takes_what_is_written(seed: int) -> None:
    for stamped in random_log(seed, 60, teams=bool(seed % 2)):
        RECORDS.validate(json.loads(write_record(stamped.record)))


WRONG: list[dict[str, Any]] = [
    {"kind": None},
    {"kind": "board_results"},
    {"id": "a/b"},
    {"id": ""},
    {"source": "x" * 65},
    {"colour": "blue"},
    {"role": "king"},
    {"wire": 0},
    {"score_ns": 10_000},
    {"score_ns": "420"},
    {"slot": None},
    {"slot": BOARD_RESULT["slot"] | {"board": 0}},
    {"slot": BOARD_RESULT["slot"] | {"round": "1"}},
    {"slot": BOARD_RESULT["slot"] | {"colour": "blue"}},
    {"result": {"outcome": "played"}},
    {"result": {"outcome": "no_score"}},
    {"result": {"outcome": "score_only", "ns_points": 425}},
    {"result": {"outcome": "score_only", "ns_points": 7610}},
    {"result": BOARD_RESULT["result"] | {"tricks": 14}},
    {"result": BOARD_RESULT["result"] | {"tricks": -1}},
    {"result": {**BOARD_RESULT["result"], "contract": BOARD_RESULT["result"]["contract"] | {"level": 8}}},
    {"result": {**BOARD_RESULT["result"], "contract": BOARD_RESULT["result"]["contract"] | {"strain": "N"}}},
    {"lead": "S11"},
    {"supersedes": "no-slash"},
]


@pytest.mark.parametrize("change", WRONG, ids=str)
def test_the_schema_refuses_what_the_door_refuses(change: dict[str, Any]) -> None:
    RECORDS.validate(BOARD_RESULT)
    payload = BOARD_RESULT | change
    with pytest.raises(UnreadableRecord):
        accept_record(payload)
    assert not RECORDS.is_valid(payload)


@pytest.mark.parametrize("missing", ["kind", "event", "id", "source", "role", "slot", "result"])
def test_what_must_be_said_must_be_said(missing: str) -> None:
    payload = {name: value for name, value in BOARD_RESULT.items() if name != missing}
    with pytest.raises(UnreadableRecord):
        accept_record(payload)
    assert not RECORDS.is_valid(payload)


PENALTY = {
    "kind": "penalty",
    "event": "e",
    "id": "1",
    "source": "director",
    "role": "director",
    "subject": "ruling",
    "contestant": "1",
    "session": "1",
    "unit": "points",
    "penalty_kind": "slow",
}


@pytest.mark.parametrize("amount", [3, "3", "-3", "0.25", "1/3", "007", "999999999/999999999"])
def test_an_amount_is_whole_decimal_or_a_fraction(amount: object) -> None:
    accept_record(PENALTY | {"amount": amount})
    RECORDS.validate(PENALTY | {"amount": amount})


@pytest.mark.parametrize(
    "amount", [0.1, True, "1/0", "1e5", ".5", "", " 3", "3\n", "1_000", "nan", 10**9, "1234567890"]
)
def test_an_amount_is_nothing_else(amount: object) -> None:
    with pytest.raises(UnreadableRecord, match=r"amount: .* - an amount is a whole number"):
        accept_record(PENALTY | {"amount": amount})
    assert not RECORDS.is_valid(PENALTY | {"amount": amount})


@pytest.mark.parametrize("seed", range(6))
def test_what_the_core_publishes_fits_its_schemas(seed: int) -> None:
    event = Event(EVENT)
    event.apply(random_log(seed, 80, teams=bool(seed % 2)))
    fits(index(event), "standings-index")
    for name in list_ids(event):
        for listed in standings(event, name):
            fits(listed, "standings")
    for board in board_ids(event):
        for page in traveller(event, board):
            fits(page, "traveller")
    for identity in event.records.by_identity:
        fits(event.decision(identity), "decision")


def test_the_other_messages_fit_theirs() -> None:
    stamp = Stamp(1, "board-results", 0, 1)
    fits(Unreadable(stamp, None, "AA==", "no JSON"), "unreadable")
    fits(PersonNamed(EventId("e"), PersonId("p"), "A Name"), "person-named")
    scores = (ScoreWeight(Points(420), "1/2"),)
    frequencies = Frequencies(
        event=EventId("e"),
        scoring_version=1,
        records_folded=1,
        digest="",
        as_of_us=1,
        board=BoardNumber(1),
        conditions_hash="",
        complete=False,
        scores=scores,
    )
    fits(frequencies, "frequencies")


def fits(message: object, name: str) -> None:
    schema = jsonschema_rs.validator_for(DOCUMENTS[f"{name}.schema.json"])
    schema.validate(to_jsonable_python(message))


def test_asyncapi_walks_the_topics() -> None:
    document = DOCUMENTS["asyncapi.json"]
    topics = (*INPUTS, PEOPLE, *OUTPUTS)
    assert document["asyncapi"] == "3.0.0"
    assert list(document["channels"]) == [topic.name for topic in topics]
    messages = document["components"]["messages"]
    for topic in topics:
        channel = document["channels"][topic.name]
        assert len(channel["messages"]) == len(topic.carries)
        assert (channel["x-key"], channel["x-kept"]) == (topic.key, topic.kept)
        for name, reference in channel["messages"].items():
            assert reference == {"$ref": f"#/components/messages/{name}"}
            assert messages[name]["summary"]
    assert {
        operation["channel"]["$ref"].rpartition("/")[2] for operation in document["operations"].values()
    } == {topic.name for topic in topics}


def test_asyncapi_names_schemas_that_exist() -> None:
    for message in DOCUMENTS["asyncapi.json"]["components"]["messages"].values():
        file, _, place = message["payload"]["schema"]["$ref"].partition("#/$defs/")
        assert not place or place in DOCUMENTS[file]["$defs"]
        assert file in DOCUMENTS


def test_the_verb_writes_the_documents(tmp_path: Path) -> None:
    run = CliRunner().invoke(app, ["schemas", "export", str(tmp_path / "wire")])
    assert run.exit_code == 0
    assert len(run.stdout.splitlines()) == len(DOCUMENTS)
    for name, document in DOCUMENTS.items():
        assert (tmp_path / "wire" / name).read_text(encoding="utf-8") == written(document)
    assert CliRunner().invoke(app, ["schemas", "conditions"]).stdout == conditions_page()


def test_the_verb_says_where_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = CliRunner().invoke(app, ["schemas", "export", str(tmp_path / "file" / "wire")])
    assert run.exit_code == 1
    assert "file" in run.stderr
