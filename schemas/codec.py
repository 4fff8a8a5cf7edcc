"""Bytes to records and back: strict at the door, forgiving of unknown fields in the log."""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Annotated, Final

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from schemas.control import ControlRecord
from schemas.corrections import CorrectionRecord
from schemas.record import WIRE_VERSION, Record
from schemas.results import TableRecord

AnyRecord = TableRecord | CorrectionRecord | ControlRecord
RECORDS: Final[TypeAdapter[AnyRecord]] = TypeAdapter(
    Annotated[AnyRecord, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)
_ENVELOPE_OF_THE_ENTRY: Final = ("source", "role", "original_stamp")


class UnreadableRecord(ValueError):
    """No model accepts these bytes: `problems` names each field, value and rule."""

    def __init__(self, problems: tuple["FieldProblem", ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


class NewerSchema(ValueError):
    """A record of a schema newer than this reader: it must stop, not guess."""


class FieldProblem(Mapping[str, str]):
    """One thing wrong with a record: the field, its value and the rule it breaks."""

    __slots__ = ("field", "rule", "value")

    def __init__(self, field: str, value: str, rule: str) -> None:
        self.field, self.value, self.rule = field, value, rule

    def __getitem__(self, key: str) -> str:
        if key not in self.__slots__:
            raise KeyError(key)
        return str(getattr(self, key))

    def __iter__(self) -> Iterator[str]:
        return iter(("field", "value", "rule"))

    def __len__(self) -> int:
        return 3

    def __str__(self) -> str:
        return f"{self.field}: {self.value} - {self.rule}"


def problems_of(error: ValidationError) -> tuple[FieldProblem, ...]:
    """Translate a validation error, values cut at 80 characters."""
    return tuple(
        FieldProblem(
            ".".join(str(part) for part in detail["loc"]) or "record",
            repr(detail["input"])[:80],
            detail["msg"].removeprefix("Value error, "),
        )
        for detail in error.errors(include_url=False, include_context=False)
    )


def read_record(data: bytes | str) -> AnyRecord:
    """Read a record of the log: unknown fields are ignored.

    Raises NewerSchema for a record of a later schema, UnreadableRecord for bytes no model accepts.
    """
    try:
        record = RECORDS.validate_json(data, extra="ignore")
    except ValidationError as error:
        _stop_at_a_newer_schema(data)
        raise UnreadableRecord(problems_of(error)) from error
    if record.wire > WIRE_VERSION:
        raise NewerSchema(f"wire {record.wire}, this reader knows {WIRE_VERSION}")
    return record


def _stop_at_a_newer_schema(data: bytes | str) -> None:
    try:
        loose = json.loads(data)
    except (ValueError, RecursionError):
        return
    wire = loose.get("wire") if isinstance(loose, dict) else None
    if isinstance(wire, int) and wire > WIRE_VERSION:
        raise NewerSchema(f"wire {wire}, this reader knows {WIRE_VERSION}")


def accept_record(payload: Mapping[str, object]) -> AnyRecord:
    """Read a record at the door: an unknown field is refused, and so is a number sent as text.

    Raises UnreadableRecord naming every field at fault.
    """
    try:
        record = RECORDS.validate_json(to_json(payload), strict=True, extra="forbid")
    except ValidationError as error:
        raise UnreadableRecord(problems_of(error)) from error
    if record.wire > WIRE_VERSION:
        raise UnreadableRecord((FieldProblem("wire", str(record.wire), f"at most {WIRE_VERSION}"),))
    return record


def write_record(record: Record) -> bytes:
    """The bytes of a record; absent fields are left out, so that they hash and travel small."""
    return RECORDS.dump_json(record, exclude_none=True)  # type: ignore[arg-type]


def canonical(record: Record) -> bytes:
    """What the client itself said: the payload without what entry services add, keys in order."""
    payload = RECORDS.dump_python(record, mode="json", exclude_none=True)  # type: ignore[arg-type]
    for name in _ENVELOPE_OF_THE_ENTRY:
        payload.pop(name, None)
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def payload_digest(record: Record) -> str:
    """SHA-256 of the client's canonical payload: one identity with two of these is a conflict."""
    return sha256(canonical(record)).hexdigest()
