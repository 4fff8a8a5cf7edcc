"""The log of each wire version: it must be read, written and replayed to the same bytes for ever."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from pipeline.formats.records_ndjson import read_records, write_stamped
from pipeline.scoring.events import Events
from schemas import control, corrections, deal, results
from schemas.codec import AnyRecord, NewerSchema, UnreadableRecord, accept_record, read_record, write_record
from schemas.export import kind_of
from schemas.record import WIRE_VERSION, Role, Stamped
from schemas.terms import AwardKind, Direction, Doubling, Seat, Strain, Unplayed, Vulnerability
from tests.golden.wire.make_v1 import EXPECTED, LOG, folded, read_log
from tests.scoring.fingerprint import fingerprint

LINES = LOG.read_bytes().splitlines(keepends=True)
PAYLOADS: list[dict[str, Any]] = [json.loads(line)["record"] for line in LINES]


def test_every_line_is_read_and_written_to_the_same_bytes() -> None:
    found = list(read_records(LINES))
    assert all(isinstance(line, Stamped) for line in found)
    assert [write_stamped(line) for line in found if isinstance(line, Stamped)] == LINES


def test_every_record_is_read_and_written_to_the_same_bytes() -> None:
    for line, payload in zip(LINES, PAYLOADS, strict=True):
        data = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        assert line.endswith(data + b"}\n")
        assert write_record(read_record(data)) == data


def test_every_record_would_be_taken_at_the_door() -> None:
    for payload in PAYLOADS:
        assert json.loads(write_record(accept_record(payload))) == payload


def test_every_kind_of_record_occurs() -> None:
    assert {payload["kind"] for payload in PAYLOADS} == {kind_of(record) for record in get_args(AnyRecord)}


def test_every_field_of_every_record_occurs() -> None:
    envelope = {"device", "sequence", "said_at", "original_stamp"}
    said: dict[str, set[str]] = {}
    for payload in PAYLOADS:
        said.setdefault(payload["kind"], set()).update(payload)
    ruling = {"law", "note", "request", "override"}
    silent = {
        f"{kind_of(record)}.{field.name}"
        for record in get_args(AnyRecord)
        for field in fields(record)
        if field.name not in said[kind_of(record)] | envelope | ruling
    }
    assert not silent
    assert envelope | ruling <= set().union(*said.values())


def parts(value: object) -> Iterator[object]:
    yield value
    if is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from parts(part)


def test_every_variant_and_every_word_of_a_closed_set_occurs() -> None:
    found = [part for stamped in read_log() for part in parts(stamped.record)]
    shapes = {type(part) for part in found}
    assert set(get_args(deal.Result)) - {deal.Adjusted} <= shapes
    assert set(get_args(deal.Award)) <= shapes
    assert set(get_args(get_args(control.Movement)[0])) <= shapes
    words = {(type(part), part.value) for part in found if isinstance(part, StrEnum)}
    closed: tuple[type[StrEnum], ...] = (
        *(Role, AwardKind, Direction, Doubling, Seat, Strain, Unplayed, Vulnerability),
        *(control.ContestantKind, control.Period, control.Scope, results.Ending, results.Subject),
        *(corrections.AppealKind, corrections.Decision, corrections.PenaltyKind, corrections.PenaltyUnit),
    )
    assert {(kind, word.value) for kind in closed for word in kind} <= words
    forms = {part.form for part in found if isinstance(part, control.MitchellMovement)}
    assert forms == set(get_args(get_type_hints(control.MitchellMovement)["form"]))


def test_the_log_means_what_it_has_always_meant() -> None:
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    found = dict(folded(read_log()))
    assert found == expected, "before a release: python -m tests.golden.wire.make_v1"


def test_it_means_the_same_backwards_and_in_pieces() -> None:
    log = read_log()
    whole, pieces = Events(), Events()
    whole.apply(log)
    for place in range(len(log), 0, -7):
        pieces.apply(reversed(log[max(0, place - 7) : place]))
    for name, event in whole.by_id.items():
        assert fingerprint(pieces.by_id[name]) == fingerprint(event)


@pytest.mark.parametrize("payload", PAYLOADS[:1] + PAYLOADS[20:160:10], ids=lambda payload: payload["kind"])
def test_a_field_of_the_future_is_ignored_in_the_log_and_refused_at_the_door(payload: dict[str, Any]) -> None:
    later = payload | {"weather": "rain"}
    assert read_record(json.dumps(later)) == read_record(json.dumps(payload))
    with pytest.raises(UnreadableRecord, match="weather: 'rain' - "):
        accept_record(later)


def test_a_field_of_the_future_is_ignored_at_any_depth() -> None:
    def aged(part: Any) -> Any:  # noqa: ANN401  # any JSON
        if isinstance(part, dict):
            # Settings are free names of their own, not fields.
            inner = {name: value if name == "settings" else aged(value) for name, value in part.items()}
            return inner | {"weather": "rain"}
        return [aged(value) for value in part] if isinstance(part, list) else part

    for payload in PAYLOADS:
        assert read_record(json.dumps(aged(payload))) == read_record(json.dumps(payload))


@pytest.mark.parametrize("change", [{}, {"kind": "weather_reported"}, {"slot": "anew"}])
def test_a_record_of_a_later_wire_stops_the_reader(change: dict[str, Any]) -> None:
    payload = PAYLOADS[0] | change | {"wire": WIRE_VERSION + 1}
    with pytest.raises(NewerSchema, match=f"wire {WIRE_VERSION + 1}"):
        read_record(json.dumps(payload))
    with pytest.raises(UnreadableRecord):
        accept_record(payload)
    with pytest.raises(NewerSchema):
        list(read_records([json.dumps({"stamp": json.loads(LINES[0])["stamp"], "record": payload}).encode()]))


def test_the_log_is_kept_beside_the_code_that_reads_it() -> None:
    versions = {path.name for path in Path(LOG).parents[1].iterdir() if path.is_dir() and path.name[0] == "v"}
    assert versions == {f"v{version}" for version in range(1, WIRE_VERSION + 1)}
