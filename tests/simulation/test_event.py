"""A simulated event is a real one in every way a log can tell, and the same one for the same seed."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import fields, replace
from fractions import Fraction
from itertools import pairwise
from json import loads
from statistics import median, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points, possible
from pipeline.rules.matchpoints import matchpoints
from pipeline.simulation.event import paced, simulate, timeline
from pipeline.simulation.field import MovementKind, even_sizes, section_names
from pipeline.simulation.mistakes import QUIET, Rates
from pipeline.simulation.voices import MINUTE, SECOND
from schemas.codec import AnyRecord, accept_record, read_record, write_record
from schemas.conditions import resolve
from schemas.control import ConditionsPublished, ContestantEntered, MovementSet, RoundStarted, ScorePublished
from schemas.corrections import Ruling
from schemas.deal import PassedOut, Played
from schemas.policies import Method
from schemas.record import Record, Role, Slot
from schemas.results import BoardResult, ResultConfirmed
from schemas.terms import BoardNumber, Identity, Points

NAMING = (
    "supersedes",
    "result_record",
    "request",
    "override",
    "record",
    "decided",
    "appeal",
    "against",
    "publication",
)


def named_by(record: Record) -> Iterable[Identity]:
    """Every identity that a record refers to."""
    yield from (named for name in NAMING if (named := getattr(record, name, None)) is not None)
    for change in getattr(record, "changes", ()):
        if change.supersedes is not None:
            yield change.supersedes


def assert_references_were_said_before(records: Iterable[AnyRecord]) -> None:
    said: set[Identity] = set()
    for record in records:
        for named in named_by(record):
            assert named in said, f"{record.identity} names {named}, which was not said before"
        said.add(record.identity)


def test_the_field_names_that_refer_are_all_looked_at() -> None:
    referring = {
        field.name
        for kind in (*Ruling.__subclasses__(), BoardResult, ResultConfirmed)
        for field in fields(kind)
        if "Reference" in str(field.type)
    }
    assert referring <= set(NAMING)


EVENTS = [
    (8, 24, MovementKind.MITCHELL, Method.MATCHPOINTS),
    (33, 24, MovementKind.MITCHELL, Method.MATCHPOINTS),
    (5, 27, MovementKind.HOWELL, Method.BUTLER),
    (2, 12, MovementKind.HOWELL, Method.CROSS_IMPS),
]


@pytest.mark.parametrize(("tables", "boards", "movement", "method"), EVENTS)
def test_the_same_seed_gives_the_same_bytes(
    tables: int, boards: int, movement: MovementKind, method: Method
) -> None:
    first, again, other = (
        b"\n".join(
            write_record(record)
            for record in simulate(tables, boards, seed, movement=movement, method=method)
        )
        for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize(("tables", "boards", "movement", "method"), EVENTS)
def test_every_record_travels_and_is_accepted_at_the_door(
    tables: int, boards: int, movement: MovementKind, method: Method
) -> None:
    for record in simulate(tables, boards, 3, movement=movement, method=method):
        data = write_record(record)
        assert read_record(data) == record
        assert accept_record(_payload(data)) == record


def _payload(data: bytes) -> dict[str, object]:
    payload = loads(data)
    assert isinstance(payload, dict)
    return payload


@settings(max_examples=25)
@given(
    st.integers(2, 40),
    st.integers(1, 30),
    st.integers(0, 10**6),
    st.sampled_from(MovementKind),
)
def test_any_event_is_in_order_of_time_and_refers_only_backwards(
    tables: int, boards: int, seed: int, movement: MovementKind
) -> None:
    moments = list(timeline(tables, boards, seed, movement=movement))
    times = [time_us for time_us, _ in moments]
    assert times == sorted(times)
    assert_references_were_said_before(record for _, record in moments)
    identities: dict[Identity, AnyRecord] = {}
    for _, record in moments:
        assert identities.setdefault(record.identity, record) == record


@settings(max_examples=25)
@given(st.integers(2, 40), st.integers(1, 30), st.sampled_from(MovementKind))
def test_every_pair_plays_its_boards_once_and_every_result_is_possible(
    tables: int, boards: int, movement: MovementKind
) -> None:
    played: dict[str, list[BoardNumber]] = defaultdict(list)
    slots: set[Slot] = set()
    for record in simulate(tables, boards, 1, movement=movement, rates=QUIET):
        if isinstance(record, BoardResult):
            assert record.slot not in slots
            slots.add(record.slot)
            assert record.ns is not None
            assert record.ew is not None
            played[record.ns].append(record.slot.board)
            played[record.ew].append(record.slot.board)
            assert isinstance(record.result, Played | PassedOut)
            vulnerable = vulnerability(record.slot.board)
            assert possible(ns_points(record.result, vulnerable), vulnerable)
    assert len(slots) == tables * boards
    assert len(played) == 2 * tables
    assert all(len(each) == boards == len(set(each)) for each in played.values())


def test_things_go_wrong_at_real_rates_and_nothing_is_left_out() -> None:
    kinds: Counter[str] = Counter()
    corrected = twice = not_played = delayed = 0
    seen: set[Identity] = set()
    for record in simulate(400, 24, 2):
        kinds[record.kind] += 1
        if isinstance(record, BoardResult):
            corrected += record.supersedes is not None
            twice += record.identity in seen
            not_played += record.result.outcome == "not_played"
            delayed += record.said_at is not None
            seen.add(record.identity)
    results = 400 * 24
    assert 0.9 < kinds["result_confirmed"] / results < 0.99
    assert 0.006 < corrected / results < 0.014
    assert 0.001 < twice / results < 0.006
    assert 0.001 < not_played / results < 0.009
    assert 0.003 < delayed / results < 0.01
    assert kinds["award"] == not_played
    assert 0.001 < kinds["result_disputed"] / results < 0.005
    assert 0.001 < kinds["correction_requested"] / results < 0.005
    assert kinds["correction_requested"] == kinds["correction_decided"]
    for kind in ("swap_directions", "result_upheld", "replace_result", "director_called"):
        assert kinds[kind] > 0, kind
    for kind in (
        "event_described",
        "conditions_published",
        "session_opened",
        "play_ended",
        "session_finalised",
    ):
        assert kinds[kind] == 1, kind
    assert kinds["round_started"] == kinds["round_ended"] == 12
    assert kinds["contestant_entered"] == 800
    assert kinds["movement_set"] == 25


def test_a_device_numbers_without_gaps_and_not_always_in_order() -> None:
    numbers: dict[str, list[int]] = defaultdict(list)
    for record in simulate(60, 24, 4):
        if isinstance(record, BoardResult | ResultConfirmed) and record.device is not None:
            assert record.sequence is not None
            numbers[record.device].append(record.sequence)
    assert all(set(sent) == set(range(1, max(sent) + 1)) for sent in numbers.values())
    out_of_order = sum(later < earlier for sent in numbers.values() for earlier, later in pairwise(sent))
    assert 0 < out_of_order < 60


def test_a_table_replaces_its_entry_only_before_it_is_confirmed() -> None:
    confirmed: set[Identity] = set()
    for record in simulate(200, 24, 5):
        if isinstance(record, ResultConfirmed):
            confirmed.add(record.result_record)
        if isinstance(record, BoardResult) and record.supersedes is not None:
            assert record.supersedes not in confirmed


def test_corrections_after_publication_come_in_time_and_the_end_after_it() -> None:
    official = end = 0
    corrected = []
    for time_us, record in timeline(400, 24, 6):
        if isinstance(record, ScorePublished) and record.revision == 1:
            official = time_us
        elif official and record.kind == "replace_result":
            corrected.append(time_us)
        elif record.kind == "session_finalised":
            end = time_us
    assert corrected
    assert all(time_us - official <= 30 * MINUTE for time_us in corrected)
    assert end > official + 30 * MINUTE


def test_standings_spread_as_real_ones_do() -> None:
    """Real Mitchells of 20 to 22 tables and 26 boards run from 37 to 69 %."""
    totals: dict[str, list[Fraction]] = defaultdict(list)
    boards: dict[BoardNumber, list[tuple[str, str, Points]]] = defaultdict(list)
    for record in simulate(21, 24, 9, sections=1, rates=QUIET):
        if isinstance(record, BoardResult) and isinstance(record.result, Played | PassedOut):
            points = ns_points(record.result, vulnerability(record.slot.board))
            boards[record.slot.board].append((str(record.ns), str(record.ew), points))
    for lines in boards.values():
        points_of = matchpoints(Counter(points for _, _, points in lines))
        top = 2 * (len(lines) - 1)
        for ns, ew, points in lines:
            totals[ns].append(points_of[points] / top)
            totals[ew].append(1 - points_of[points] / top)
    percentages = [float(100 * sum(shares) / len(shares)) for shares in totals.values()]
    assert 4 < pstdev(percentages) < 10
    assert 28 < min(percentages) < 43
    assert 57 < max(percentages) < 72


@pytest.mark.parametrize(("tables", "low", "high"), [(8, 30, 60), (11, 20, 42)])
def test_results_come_at_the_measured_pace(tables: int, low: int, high: int) -> None:
    """Measured: median gaps of 43 s at 8 tables and of 30 s at 11."""
    own = [time_us for time_us, record in timeline(tables, 24, 3) if isinstance(record, BoardResult)]
    given_times = [
        time_us
        for time_us, record in paced(simulate(tables, 24, 3), tables=tables)
        if isinstance(record, BoardResult)
    ]
    for times in (own, given_times):
        gaps = [(later - earlier) / SECOND for earlier, later in pairwise(times)]
        assert low < median(gaps) < high


def test_pacing_keeps_records_and_order() -> None:
    records = list(simulate(6, 12, 1))
    moments = list(paced(records, tables=6, start_us=5))
    assert [record for _, record in moments] == records
    times = [time_us for time_us, _ in moments]
    assert times == sorted(times)
    assert times[0] > 5
    assert moments == list(paced(records, tables=6, start_us=5))


@pytest.mark.parametrize("method", [Method.MATCHPOINTS, Method.BUTLER, Method.CROSS_IMPS])
def test_conditions_exist_and_say_the_method(method: Method) -> None:
    conditions = next(
        record for record in simulate(4, 8, 1, method=method) if isinstance(record, ConditionsPublished)
    )
    assert resolve(conditions.preset, conditions.settings).score_method is method


def test_sections_are_even_and_not_too_large() -> None:
    sections = {
        record.section for record in simulate(50, 12, 1, rates=QUIET) if isinstance(record, MovementSet)
    }
    assert sections == {"A", "B", "C", "D"}
    assert even_sizes(50, 4) == (13, 13, 12, 12)
    assert len(set(section_names(800))) == 800


def test_sections_can_be_asked_for() -> None:
    records = list(simulate(12, 12, 1, sections=3))
    assert Counter(record.section for record in records if isinstance(record, ContestantEntered)) == {
        "A": 8,
        "B": 8,
        "C": 8,
    }
    assert all(record.section is None for record in records if isinstance(record, RoundStarted))


@pytest.mark.parametrize(
    ("tables", "boards", "sections", "movement", "method"),
    [
        (1, 12, None, MovementKind.MITCHELL, Method.MATCHPOINTS),
        (3, 12, 2, MovementKind.MITCHELL, Method.MATCHPOINTS),
        (4, 0, None, MovementKind.MITCHELL, Method.MATCHPOINTS),
        (4, 12, 0, MovementKind.MITCHELL, Method.MATCHPOINTS),
        (40, 12, 1, MovementKind.HOWELL, Method.MATCHPOINTS),
        (4, 12, None, MovementKind.MITCHELL, Method.TEAM_IMPS),
    ],
)
def test_what_cannot_be_seated_is_refused_at_once(
    tables: int, boards: int, sections: int | None, movement: MovementKind, method: Method
) -> None:
    with pytest.raises(ValueError, match=r"section|team"):
        timeline(tables, boards, 1, sections=sections, movement=movement, method=method)


def test_rates_are_what_they_are_asked_to_be() -> None:
    always = replace(Rates(), wrong_entry=1.0, swapped=0.0)
    results = [record for record in simulate(4, 12, 1, rates=always) if isinstance(record, BoardResult)]
    assert len(results) == 2 * 4 * 12


def test_tables_speak_as_tables_and_rulings_come_from_the_director() -> None:
    for record in simulate(100, 24, 2):
        if isinstance(record, BoardResult | ResultConfirmed):
            assert record.role is Role.TABLE
        if isinstance(record, Ruling):
            assert record.role is Role.DIRECTOR
