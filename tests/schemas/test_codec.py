"""Bytes to records and back."""

import json
from dataclasses import replace
from typing import Any, get_args

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.codec import (
    AnyRecord,
    FieldProblem,
    NewerSchema,
    UnreadableRecord,
    accept_record,
    canonical,
    payload_digest,
    read_record,
    write_record,
)
from schemas.export import documents, kind_of
from schemas.record import Role, Stamp
from schemas.terms import SourceId
from tests.builders import result
from tests.strategies import of_type, records, stamps

RECORDS = jsonschema_rs.validator_for(documents()["records.schema.json"])


@pytest.mark.parametrize("kind", get_args(AnyRecord), ids=kind_of)
def test_every_record_comes_back_as_it_was_written(kind: type) -> None:
    @settings(max_examples=12)
    @given(of_type(kind))
    def comes_back(record: AnyRecord) -> None:
        data = write_record(record)
        assert read_record(data) == record
        assert write_record(read_record(data)) == data
        assert accept_record(json.loads(data)) == record
        assert RECORDS.is_valid(json.loads(data))

    comes_back()


@given(records())
def test_absent_fields_take_no_room(record: AnyRecord) -> None:
    assert None not in json.loads(write_record(record)).values()


@given(records(), st.sampled_from(Role), st.none() | stamps())
def test_the_digest_is_of_what_the_client_said_itself(record: Any, role: Role, stamp: Stamp | None) -> None:  # noqa: ANN401
    other = replace(record, source=SourceId("another"), role=role, original_stamp=stamp)
    assert canonical(other) == canonical(record)
    assert payload_digest(other) == payload_digest(record)
    assert payload_digest(replace(record, said_at=f"{record.said_at}!")) != payload_digest(record)


def test_the_canonical_payload_is_these_bytes() -> None:
    # Written out once: a digest that moves would turn every stored retry into a conflict.
    assert (
        canonical(result(1, "Ä", contract="3NTx", by="E", tricks=8, score_ns=100, supersedes="s/1"))
        == (
            '{"event":"congress","id":"result.1.A.r1.t1.b1","kind":"board_result","ns":"Ä","result":'
            '{"contract":{"declarer":"E","doubling":"x","level":3,"strain":"NT"},"outcome":"played","tricks":8},'
            '"score_ns":100,"slot":{"board":1,"round":1,"section":"A","session":"1","table":1},'
            '"supersedes":"s/1","wire":1}'
        ).encode()
    )


@given(st.randoms(use_true_random=False), records())
def test_the_order_of_the_fields_does_not_matter(dice: Any, record: AnyRecord) -> None:  # noqa: ANN401
    payload = list(json.loads(write_record(record)).items())
    dice.shuffle(payload)
    assert payload_digest(read_record(json.dumps(dict(payload)))) == payload_digest(record)


GOOD: dict[str, Any] = json.loads(write_record(result(1)))


@pytest.mark.parametrize(
    ("change", "field", "value", "rule"),
    [
        ({"colour": "blue"}, "board_result.colour", "'blue'", "Unexpected keyword argument"),
        ({"id": "a/b"}, "board_result.id", "'a/b'", "String should match pattern"),
        ({"wire": 2}, "wire", "2", "at most 1"),
        (
            {"result": GOOD["result"] | {"tricks": 14}},
            "board_result.result.played",
            "{'contract': ",
            "14 tricks are not 0 to 13 (Law 1)",
        ),
        (
            {"result": {**GOOD["result"], "contract": GOOD["result"]["contract"] | {"level": 8}}},
            "board_result.result.played.contract",
            "{'",
            "level 8 is not 1 to 7 (Law 18A)",
        ),
        (
            {"result": {"outcome": "score_only", "ns_points": 425}},
            "board_result.result.score_only",
            "{'",
            "425 is not a score of one deal (Law 77)",
        ),
        ({"kind": "gossip"}, "record", "{'", "Input tag 'gossip' found using 'kind'"),
    ],
)
def test_a_refusal_names_field_value_and_rule(
    change: dict[str, Any], field: str, value: str, rule: str
) -> None:
    with pytest.raises(UnreadableRecord) as caught:
        accept_record(GOOD | change)
    (problem,) = caught.value.problems
    assert problem["field"] == field
    assert problem["value"].startswith(value)
    assert len(problem["value"]) <= 80
    assert problem["rule"].startswith(rule)
    assert str(caught.value) == f"{problem['field']}: {problem['value']} - {problem['rule']}"


def test_a_refusal_names_every_field_at_fault() -> None:
    with pytest.raises(UnreadableRecord) as caught:
        accept_record(GOOD | {"id": "", "role": "king", "slot": GOOD["slot"] | {"board": 0}})
    assert [problem["field"] for problem in caught.value.problems] == [
        "board_result.id",
        "board_result.role",
        "board_result.slot.board",
    ]


def test_a_problem_is_a_mapping_of_three_names() -> None:
    problem = FieldProblem("board", "0", "from 1")
    assert dict(problem) == {"field": "board", "value": "0", "rule": "from 1"}
    assert len(problem) == 3
    with pytest.raises(KeyError, match="law"):
        problem["law"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b'"text"',
        b"\xff\xfe",
        b"{}",
        b"[" * 100_000,
        b'{"wire": "2"}',
        b'{"wire": true}',
    ],
    ids=lambda data: repr(data[:12]),
)
def test_bytes_that_are_no_record_are_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableRecord):
        read_record(data)


def test_a_record_of_a_later_schema_stops_the_reader_readable_or_not() -> None:
    with pytest.raises(NewerSchema, match="wire 2, this reader knows 1"):
        read_record(json.dumps(GOOD | {"wire": 2}))
    with pytest.raises(NewerSchema, match="wire 2, this reader knows 1"):
        read_record(json.dumps(GOOD | {"wire": 2, "slot": "elsewhere"}))
