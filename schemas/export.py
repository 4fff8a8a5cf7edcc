"""The wire as documents for other programs: JSON Schema 2020-12, and AsyncAPI 3.0 over the topics."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from pydantic import TypeAdapter
from pydantic.json_schema import DEFAULT_REF_TEMPLATE, GenerateJsonSchema, JsonSchemaMode

from schemas.codec import RECORDS
from schemas.record import WIRE_VERSION
from schemas.topics import INPUTS, OUTPUTS, PEOPLE, Kept, Keyed, Topic

Json = dict[str, Any]
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_SCHEMA_FORMAT: Final = "application/schema+json;version=2020-12"
RECORDS_FILE: Final = "records.schema.json"
_DAY_MS: Final = 24 * 60 * 60 * 1000

# What the types check in code, because their sentence cites the law, where JSON Schema can say it too.
_CHECKED_IN_CODE: Final[Mapping[str, Mapping[str, Json]]] = {
    "Contract": {"level": {"minimum": 1, "maximum": 7}},
    "Played": {"tricks": {"minimum": 0, "maximum": 13}},
    "ScoreOnly": {"ns_points": {"minimum": -7600, "maximum": 7600, "multipleOf": 10}},
}
_KEYS: Final = {
    Keyed.EVENT: "the event's id",
    Keyed.EVENT_AND_PERSON: "the event's id and the person's pseudonym",
    Keyed.BOARD_GROUP: "event, session, comparison group and board; a page has its number too",
    Keyed.LIST: "event and list; a page has its number too",
    Keyed.RECORD: "the identity of the record",
    Keyed.BOARD_AND_LIST: "event, board and simultaneous list",
}
_KEPT: Final = {
    Kept.UNTIL_ARCHIVED: "until the event is archived in an exported file whose digest is a record",
    Kept.LATEST: "the latest message of each key; a tombstone takes it away",
    Kept.THIRTY_DAYS: "for thirty days",
}
_KAFKA: Final[Mapping[Kept, Json]] = {
    Kept.UNTIL_ARCHIVED: {"cleanup.policy": ["delete"], "retention.ms": -1},
    Kept.LATEST: {"cleanup.policy": ["compact"]},
    Kept.THIRTY_DAYS: {"cleanup.policy": ["delete"], "retention.ms": 30 * _DAY_MS},
}
_ABOUT: Final = (
    "Duplicate bridge as records in and lists out. The state of an event is a function of the set of its "
    "records. A writer sends no field that these schemas lack; a reader ignores those that it does not know."
)


class _Plain(GenerateJsonSchema):
    """Without titles that only repeat a field's name."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002  # pydantic's own signature
        return False


def documents() -> dict[str, Json]:
    """Every document by its file name.

    >>> sorted(documents())[:3]
    ['asyncapi.json', 'decision.schema.json', 'frequencies.schema.json']
    """
    found = {RECORDS_FILE: _records()}
    for topic in (*OUTPUTS, PEOPLE):
        for message in topic.carries:
            found[_file_of(message)] = _schema_of(message)
    found["asyncapi.json"] = _asyncapi()
    return found


def written(document: Mapping[str, Any]) -> str:
    """A document as the text of its file; the same on every machine."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


# JSON Schema.


def _records() -> Json:
    """Every kind of record in one document, as the door takes them: no unknown field."""
    found = _generated(RECORDS, "validation")
    for schema in found["$defs"].values():
        if schema.get("type") == "object":
            schema["additionalProperties"] = False
    head = {
        "$schema": _DIALECT,
        "title": "Record",
        "description": f"A record of wire version {WIRE_VERSION}, told apart by its kind. {_ABOUT}",
    }
    return {**head, **found}


def _schema_of(message: type) -> Json:
    return {"$schema": _DIALECT, **_generated(TypeAdapter(message), "serialization")}


def _generated(adapter: TypeAdapter[Any], mode: JsonSchemaMode) -> Json:
    found = adapter.json_schema(ref_template=DEFAULT_REF_TEMPLATE, schema_generator=_Plain, mode=mode)
    for schema in (found, *found.get("$defs", {}).values()):
        _say_more(schema)
    return found


def _say_more(schema: Json) -> None:
    """Add what the types only check in code, and take away what speaks to programmers of Python."""
    for name, limits in _CHECKED_IN_CODE.get(schema.get("title", ""), {}).items():
        schema["properties"][name] |= limits
    tags = [name for name, field in schema.get("properties", {}).items() if "const" in field]
    if tags:
        # A discriminator has a default in Python and must be sent all the same.
        schema["required"] = [*tags, *(name for name in schema.get("required", ()) if name not in tags)]
    if "description" in schema:
        parts = schema["description"].split("\n\n")
        schema["description"] = " ".join(
            " ".join(part.split()) for part in parts if not part.startswith("Raises ")
        )


# AsyncAPI.


def _asyncapi() -> Json:
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Barometer",
            "version": str(WIRE_VERSION),
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {topic.name: _channel(topic) for topic in (*INPUTS, PEOPLE, *OUTPUTS)},
        "operations": dict(_operations()),
        "components": {
            "messages": {
                name: message
                for topic in (*INPUTS, PEOPLE, *OUTPUTS)
                for name, message in _messages(topic).items()
            }
        },
    }


def _channel(topic: Topic) -> Json:
    return {
        "address": topic.name,
        "description": f"Key: {_KEYS[topic.key]}. Kept: {_KEPT[topic.kept]}.",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in _messages(topic)},
        "bindings": {"kafka": {"topicConfiguration": _KAFKA[topic.kept], "bindingVersion": "0.5.0"}},
        "x-key": topic.key.value,
        "x-kept": topic.kept.value,
    }


def _operations() -> Iterator[tuple[str, Json]]:
    for topic in (*INPUTS, PEOPLE):
        yield f"read-{topic.name}", {"action": "receive", "channel": {"$ref": f"#/channels/{topic.name}"}}
    for topic in OUTPUTS:
        yield f"publish-{topic.name}", {"action": "send", "channel": {"$ref": f"#/channels/{topic.name}"}}


def _messages(topic: Topic) -> dict[str, Json]:
    """The messages of a topic by name: a record's is its kind, another's the name of its file."""
    found = {}
    for message in topic.carries:
        if topic in INPUTS:
            found[kind_of(message)] = _message(topic, message, f"{RECORDS_FILE}#/$defs/{message.__name__}")
        else:
            file = _file_of(message)
            found[file.partition(".")[0]] = _message(topic, message, file)
    return found


def _message(topic: Topic, message: type, address: str) -> Json:
    return {
        "name": message.__name__,
        "summary": " ".join((message.__doc__ or "").split("\n\n")[0].split()),
        "contentType": "application/json",
        "payload": {
            "schemaFormat": _SCHEMA_FORMAT,
            "schema": {"$ref": address},
        },
        "bindings": {
            "kafka": {
                "key": {"type": "string", "description": _KEYS[topic.key]},
                "bindingVersion": "0.5.0",
            }
        },
    }


def kind_of(record: type) -> str:
    """The `kind` that a record class has on the wire.

    >>> from schemas.results import BoardResult
    >>> kind_of(BoardResult)
    'board_result'
    """
    return str(get_args(record.__annotations__["kind"])[0])


def _file_of(message: type) -> str:
    """`StandingsIndex` is written to `standings-index.schema.json`."""
    words = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in message.__name__)
    return f"{words[1:]}.schema.json"
