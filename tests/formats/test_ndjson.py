"""NDJSON of records: to the byte both ways, and no line that ends the reading."""

import io
import json
from base64 import b64encode
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.formats.detect import read_file
from pipeline.formats.imported import BadFile
from pipeline.formats.records_ndjson import (
    HEAD,
    LONGEST_LINE,
    OverlongLine,
    UnreadableLine,
    lines_of,
    read_ndjson,
    read_records,
    write_person,
    write_record_line,
    write_stamped,
    write_unreadable,
)
from schemas.codec import AnyRecord, NewerSchema
from schemas.control import ConditionsPublished, EventDescribed, SessionOpened
from schemas.corrections import RecordWithdrawn
from schemas.deal import Contract, PassedOut, Played
from schemas.published import PersonNamed, Unreadable
from schemas.record import Role, Slot, Stamp, Stamped
from schemas.results import BoardResult, Subject
from schemas.terms import (
    BoardNumber,
    Doubling,
    EventId,
    Identity,
    PersonId,
    RecordId,
    Seat,
    SectionId,
    SessionId,
    SourceId,
    Strain,
    Tricks,
)

EVENT = EventId("congress")
TABLE = SourceId("table-4")


def result(number: int, tricks: int = 10) -> BoardResult:
    return BoardResult(
        event=EVENT,
        id=RecordId(str(number)),
        source=TABLE,
        role=Role.TABLE,
        slot=Slot(SessionId("1"), SectionId("A"), 1, 4, BoardNumber(number)),
        result=Played(Contract(4, Strain.SPADES, Doubling.DOUBLED, Seat.N), Tricks(tricks))
        if tricks
        else PassedOut(),
    )


OPENED = SessionOpened(
    event=EVENT,
    id=RecordId("o"),
    source=TABLE,
    role=Role.DIRECTOR,
    session=SessionId("1"),
    said_at="ο διευθυντής",
)
WITHDRAWN = RecordWithdrawn(
    event=EVENT,
    id=RecordId("w"),
    source=TABLE,
    role=Role.DIRECTOR,
    subject=Subject.RULING,
    record=Identity("table-4/17"),
)
RECORDS: tuple[AnyRecord, ...] = (OPENED, result(17), result(18, 0), WITHDRAWN)
STAMPED = tuple(
    Stamped(record, Stamp(1_760_000_000_000_000 + at, "board-results", 3, at))
    for at, record in enumerate(RECORDS)
)


def test_bare_records_come_back_to_the_byte() -> None:
    written = b"".join(write_record_line(record) for record in RECORDS)
    read = list(read_records(written.splitlines()))
    assert tuple(read) == RECORDS
    assert written == b"".join(write_record_line(record) for record in RECORDS if record in read)


def test_stamps_are_kept_exactly_and_the_round_trip_is_identical_to_the_byte() -> None:
    written = b"".join(write_stamped(stamped) for stamped in STAMPED)
    again = []
    for line in read_records(written.splitlines(keepends=True)):
        assert isinstance(line, Stamped)
        again.append(line)
    assert tuple(again) == STAMPED
    assert b"".join(write_stamped(stamped) for stamped in again) == written


@given(st.integers(0, 2**53), st.integers(0, 11), st.integers(0, 2**40), st.integers(0, 13))
def test_any_stamp_survives(time_us: int, partition: int, offset: int, tricks: int) -> None:
    stamped = Stamped(result(1, tricks), Stamp(time_us, "board-results", partition, offset))
    (read,) = read_records([write_stamped(stamped)])
    assert read == stamped


def test_an_entry_that_no_model_accepted_travels_with_its_bytes() -> None:
    entry = Unreadable(Stamp(5, "corrections", 0, 9), EVENT, b64encode(b"\xff{").decode(), "not JSON")
    written = write_unreadable(entry)
    assert list(read_records([written])) == [entry]
    assert write_unreadable(entry) == written


def test_names_travel_beside_the_records() -> None:
    person = PersonNamed(event=EVENT, person=PersonId("p1"), name="Ann Bee", member_number="77")
    written = write_person(person)
    assert list(read_records([written])) == [person]
    assert write_person(person) == written


def test_a_stamped_line_in_another_order_and_with_unknown_fields_is_read() -> None:
    loose = json.loads(write_stamped(STAMPED[1]))
    line = json.dumps({"later": 1, "record": {"later": 2, **loose["record"]}, "stamp": loose["stamp"]})
    assert list(read_records([line.encode()])) == [STAMPED[1]]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"\xff\xfe\x00", "JSON"),
        (write_record_line(OPENED).replace(b'"congress"', b'"\xff"').strip(), "unicode"),
        (b"{", "EOF"),
        (b"nonsense", "expected"),
        (b"[1, 2]", ""),
        (b"null", ""),
        (b"{}", "kind"),
        (b'{"kind": "no_such_record"}', "kind"),
        (b'{"kind": "board_result"}', "event"),
        (b'{"stamp": 3, "record": {}}', "kind"),
        (b'{"stamp":3,"record":' + write_record_line(OPENED).strip() + b"}", "stamp"),
        (b'{"stamp":{"time_us":1,"topic":"t","partition":0,"offset":0},"record":{"kind":"x"}}', "kind"),
        (
            b'{"stamp":{"time_us":-1,"topic":"t","partition":0,"offset":0},"data_base64":"","problem":""}',
            "time_us",
        ),
        (b"[" * 100_000, "recursion"),
        (write_record_line(result(1)).replace(b'"board":1', b'"board":0').strip(), "board"),
        (write_record_line(result(1)).replace(b'"tricks":10', b'"tricks":14').strip(), "14 tricks"),
        (write_record_line(result(1)).replace(b'"level":4', b'"level":8').strip(), "level 8"),
    ],
)
def test_a_bad_line_is_named_kept_and_passed_over(line: bytes, problem: str) -> None:
    first, bad, last = read_records([write_record_line(OPENED), line, write_record_line(WITHDRAWN)])
    assert (first, last) == (OPENED, WITHDRAWN)
    assert isinstance(bad, UnreadableLine)
    assert (bad.number, bad.head, bad.length) == (2, line[:HEAD], len(line))
    assert problem in bad.problem
    assert bad.problem


def test_a_record_of_a_later_schema_stops_the_reader() -> None:
    bare = write_record_line(OPENED).replace(b'"wire":1', b'"wire":2')
    stamped = write_stamped(STAMPED[0]).replace(b'"wire":1', b'"wire":2')
    unknown = stamped.replace(b'"session_opened"', b'"session_dreamt"')
    for line in (bare, stamped, unknown):
        with pytest.raises(NewerSchema, match="wire 2"):
            list(read_records([line]))


def test_empty_lines_are_skipped_and_counted() -> None:
    bad = list(read_records([b"", b"  \r", b"nonsense"]))
    assert [line.number for line in bad if isinstance(line, UnreadableLine)] == [3]


def test_a_line_of_100_megabytes_is_never_held() -> None:
    piece = b"x" * 2**20
    held = 0

    def pieces() -> Iterator[bytes]:
        yield write_record_line(OPENED) + b'{"note":"'
        for _ in range(100):
            yield piece
        yield b'"}\n' + write_record_line(WITHDRAWN)

    lines = []
    for line in lines_of(pieces()):
        held = max(held, len(line.head if isinstance(line, OverlongLine) else line))
        lines.append(line)
    first, bad, last = read_records(lines)
    assert held < 2 * HEAD
    assert (first, last) == (OPENED, WITHDRAWN)
    assert isinstance(bad, UnreadableLine)
    assert (bad.number, bad.length, len(bad.head)) == (2, 100 * 2**20 + 11, HEAD)
    assert bad.head.startswith(b'{"note":"xxx')
    assert str(LONGEST_LINE) in bad.problem


def test_a_long_line_handed_over_whole_is_refused_too() -> None:
    (bad,) = read_records([b"x" * (LONGEST_LINE + 1)])
    assert isinstance(bad, UnreadableLine)
    assert (bad.length, len(bad.head)) == (LONGEST_LINE + 1, HEAD)


def test_the_longest_line_is_read_whole() -> None:
    stream = io.BytesIO(b"x" * LONGEST_LINE + b"\ny" + b"x" * LONGEST_LINE)
    short, long = lines_of(iter(lambda: stream.read(60_000), b""))
    assert short == b"x" * LONGEST_LINE
    assert long == OverlongLine(b"y" + b"x" * (HEAD - 1), LONGEST_LINE + 1)


@given(st.binary(max_size=60), st.integers(1, 7))
def test_lines_do_not_depend_on_the_pieces(data: bytes, size: int) -> None:
    data = data.replace(b"7", b"\n")
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    expected = data.split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert list(lines_of(pieces)) == expected


# A file of records, scored like any other.


def test_a_file_of_records_is_an_event_that_keeps_its_stamps() -> None:
    described = EventDescribed(
        event=EVENT, id=RecordId("e"), source=TABLE, role=Role.DIRECTOR, title="Spring congress"
    )
    stated = ConditionsPublished(
        event=EVENT,
        id=RecordId("c"),
        source=TABLE,
        role=Role.DIRECTOR,
        preset="wbf",
        settings={"mp.unit": "1-1/2-0"},
    )
    person = PersonNamed(event=EVENT, person=PersonId("p1"), name="Ann Bee")
    lines = [write_record_line(described), write_record_line(stated), write_person(person)]
    read = read_file("evening", b"".join((*lines, write_stamped(STAMPED[1]))))
    assert (read.event, read.title, read.people) == ("congress", "Spring congress", {"p1": "Ann Bee"})
    assert (read.suggested_preset, read.suggested_settings) == ("wbf", {"mp.unit": "1-1/2-0"})
    assert [record.original_stamp for record in read.records] == [None, None, STAMPED[1].stamp]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (write_record_line(OPENED) + b"oops\n", "line 2"),
        (write_record_line(OPENED) + write_record_line(OPENED).replace(b"congress", b"picnic"), "event"),
        (b"\n", "event"),
        (write_record_line(OPENED).replace(b'"wire":1', b'"wire":9'), "wire"),
    ],
)
def test_a_file_of_anything_else_is_refused_by_line(data: bytes, place: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_ndjson(data)
    assert refused.value.place == place
