"""Several events in one log, conditions that nobody knows, and who may say what."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from pipeline.scoring.events import Events
from schemas.codec import RECORDS, AnyRecord, accept_record
from schemas.decisions import Reason
from schemas.record import Role
from schemas.results import Subject
from schemas.terms import EventId
from schemas.topics import TOPIC_OF
from tests.builders import conditions, described, result, session_opened, stamped
from tests.scoring.evening import ACCEPTED, refused, told

# Several events.


def test_each_record_goes_to_its_own_event() -> None:
    here, there = result(1, "n", "e"), result(1, "n", "e", event="other", tricks=9)
    events = Events()
    changes = events.apply(stamped([here, there]))
    assert set(changes) == set(events.by_id) == {"congress", "other"}
    assert all(changes.values())
    for name, record in (("congress", here), ("other", there)):
        (state,) = events.by_id[EventId(name)].slots.values()
        assert state.standing.effective is not None
        assert state.standing.effective.result == record.result
    more = events.apply(stamped([result(2, "n", "e")], first_offset=2))
    assert set(more) == {"congress"}
    assert not events.apply(stamped([here]))[EventId("congress")]  # a retry changes nothing
    assert events.apply([]) == {}


# Conditions.


@pytest.mark.parametrize(
    ("preset", "settings", "field", "value"),
    [
        ("no-such-preset", {}, "preset", "no-such-preset"),
        ("exact", {"no.such": "1"}, "no.such", "1"),
        ("exact", {"mp.round": "sometimes"}, "mp.round", "sometimes"),
        ("exact", {"correction.minutes": "-1"}, "correction.minutes", "-1"),
        ("exact", {"correction.minutes": "half an hour"}, "correction.minutes", "half an hour"),
    ],
)
def test_unknown_settings_are_named(preset: str, settings: Mapping[str, str], field: str, value: str) -> None:
    unknown = conditions(preset, settings)
    evening = told(unknown)
    assert evening.verdict(unknown) == refused(Reason.UNKNOWN_SETTING)
    assert (evening.decision(unknown).field, evening.decision(unknown).value) == (field, value)


def test_after_the_start_only_the_organiser_changes_conditions() -> None:
    for role, expected in (
        (Role.SCORER, refused(Reason.CONDITIONS_AFTER_START)),
        (Role.CHIEF_DIRECTOR, refused(Reason.CONDITIONS_AFTER_START)),
        (Role.ORGANISER, ACCEPTED),
        (Role.IMPORTER, ACCEPTED),
    ):
        late = conditions("wbf", id="late", role=role)
        evening = told(conditions(), session_opened("2"), late)
        assert evening.verdict(late) == expected
        assert evening.article(late) == (None if expected == ACCEPTED else "Law 78D")
        assert told(conditions(), late, session_opened()).verdict(late) == ACCEPTED
    wrong = conditions("no-such-preset", id="late", role=Role.SCORER)
    assert told(session_opened(), wrong).verdict(wrong) == refused(Reason.UNKNOWN_SETTING)  # looked at first


# Authority: docs/semantics.md, section 2, row by row.

EVERYBODY: Final = frozenset(Role) - {Role.COMMITTEE, Role.PAIR}
OFFICE: Final = frozenset({Role.SCORER, Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ORGANISER, Role.IMPORTER})
DIRECTORS: Final = OFFICE - {Role.SCORER}
CHIEFS: Final = DIRECTORS - {Role.DIRECTOR}
ORGANISERS: Final = CHIEFS - {Role.CHIEF_DIRECTOR}
SUBJECTS_OF_THE_OFFICE: Final = {Subject.ENTRY, Subject.SCORER}
MAY: Final = {
    "board_result": EVERYBODY,
    "result_confirmed": EVERYBODY,
    "result_disputed": EVERYBODY | {Role.PAIR},
    "seat_taken": EVERYBODY,
    "director_called": EVERYBODY,
    "correction_requested": OFFICE | {Role.TABLE, Role.PAIR},
    "appeal": OFFICE | {Role.PAIR},
    "match_result": OFFICE | {Role.PAIR},
    "lineup_declared": OFFICE | {Role.PAIR},
    "appeal_decided": DIRECTORS | {Role.COMMITTEE},
    "override_granted": ORGANISERS,
    "session_finalised": CHIEFS,
    "session_reopened": CHIEFS,
    "publication_withdrawn": CHIEFS,
    "rescoring_accepted": CHIEFS,
    "event_archived": CHIEFS,
    "period_changed": DIRECTORS,  # which of them may lengthen or shorten: section 5
}
RULINGS: Final = {"award", "result_upheld", "penalty", "board_forms", "boards_cancelled"} | {
    "correction_decided",
    "record_withdrawn",
}
OF_THE_OFFICE: Final = {"replace_result", "void_result", "move_result", "swap_directions"}
OTHER_CONTROL: Final = {
    "event_described",
    "conditions_published",
    "contestant_entered",
    "contestant_changed",
    "contestant_withdrawn",
    "player_substituted",
    "movement_set",
    "movement_changed",
    "seating_changed",
    "match_set",
    "pairings_published",
    "bye_awarded",
    "session_opened",
    "round_started",
    "round_ended",
    "round_cancelled",
    "play_ended",
    "score_published",
    "qualifiers_published",
    "carry_over_set",
}


def roles_of(kind: str, subject: Subject | None) -> frozenset[Role]:
    if kind in MAY:
        return MAY[kind]
    if kind in OTHER_CONTROL:
        return OFFICE
    if subject is Subject.APPEAL:
        return DIRECTORS | {Role.COMMITTEE}
    return OFFICE if kind in OF_THE_OFFICE and subject in SUBJECTS_OF_THE_OFFICE else DIRECTORS


SCHEMA: Final = RECORDS.json_schema()
KINDS: Final[Mapping[str, Any]] = {
    kind: SCHEMA["$defs"][place.rpartition("/")[2]]
    for kind, place in SCHEMA["discriminator"]["mapping"].items()
}
NAMED: Final = described()
"""What every reference names."""


def least(schema: Mapping[str, Any], name: str = "") -> Any:  # noqa: ANN401 - as JSON is
    """The least that a schema accepts."""
    match schema:
        case {"$ref": place}:
            return least(SCHEMA["$defs"][place.rpartition("/")[2]], name)
        case {"const": value}:
            return value
        case {"enum": [value, *_]}:
            return value
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]}:
            return least(first, name)
        case {"type": "object"}:
            needed = schema.get("required", ())
            found = {part: least(schema["properties"][part], part) for part in needed}
            return found | {  # a union tells its members apart by this
                part: said["const"] for part, said in schema.get("properties", {}).items() if "const" in said
            }
        case {"type": "array", "items": items}:
            return [least(items, name)] * schema.get("minItems", 0)
        case {"type": "integer"}:
            return max(schema.get("minimum", 1), 1)
        case {"type": "string", "pattern": pattern} if "0-9a-f]{64}" in pattern:
            return "0" * 64
        case {"type": "string", "pattern": pattern} if "/" in pattern and "{1,64}/" in pattern:
            return NAMED.identity
        case {"type": "string"}:
            return name
    raise AssertionError(schema)


def sample(kind: str, role: Role, subject: Subject | None) -> AnyRecord:
    """A record of a kind with only what it must have."""
    payload = least(KINDS[kind]) | {"event": "congress", "source": "somebody", "id": kind, "role": role}
    if subject is not None:
        payload["subject"] = subject
    if kind == "move_result":
        payload["to"]["slot"]["board"] = 2
    return accept_record(payload)


def subjects_of(kind: str) -> tuple[Subject | None, ...]:
    properties = KINDS[kind]["properties"]
    of_ruling = "subject" in properties and properties["subject"].get("$ref", "").endswith("/Subject")
    return tuple(Subject) if of_ruling else (None,)


def test_the_table_of_roles_knows_every_kind() -> None:
    known = set(MAY) | RULINGS | OF_THE_OFFICE | OTHER_CONTROL
    assert known == set(KINDS)
    assert len(KINDS) == len(TOPIC_OF)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_foreign_role_is_refused_and_no_other(kind: str) -> None:
    for subject in subjects_of(kind):
        allowed = roles_of(kind, subject)
        for role in Role:
            record = sample(kind, role, subject)
            evening = told(NAMED, record)
            foreign = evening.verdict(record) == refused(Reason.NOT_AUTHORISED)
            assert foreign == (role not in allowed), (kind, subject, role)
            if foreign:
                assert (evening.decision(record).field, evening.decision(record).value) == ("role", role)
