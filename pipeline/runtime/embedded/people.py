"""Names by pseudonym, in a table of their own: a tombstone leaves the key and nothing else."""

import sqlite3
from collections.abc import Mapping
from typing import Final

from pydantic import TypeAdapter

from pipeline.ports import LogUnavailable
from schemas.published import PersonNamed
from schemas.terms import EventId, PersonId

_PERSON: Final = TypeAdapter(PersonNamed)
_SET: Final = """INSERT INTO people(event, person, data) VALUES (?, ?, ?)
    ON CONFLICT(event, person) DO UPDATE SET data = excluded.data"""


def name_person(connection: sqlite3.Connection, named: PersonNamed) -> None:
    """Set what is known of a person."""
    connection.execute(_SET, (named.event, named.person, _PERSON.dump_json(named, exclude_none=True)))


def erase_person(connection: sqlite3.Connection, event: EventId, person: PersonId) -> None:
    """Blank a person; the name also leaves the write-ahead log, which keeps old pages until it is cut.

    Raises LogUnavailable where a reader still holds those pages.
    """
    connection.execute(_SET, (event, person, None))
    (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise LogUnavailable("the name is blank, but a reader holds old pages of the file", 5)


def people(connection: sqlite3.Connection, event: EventId) -> Mapping[PersonId, PersonNamed]:
    """Everybody who is named in an event and was not erased."""
    rows = connection.execute(
        "SELECT person, data FROM people WHERE event = ? AND data IS NOT NULL ORDER BY person", (event,)
    )
    return {PersonId(person): _PERSON.validate_json(data) for person, data in rows}
