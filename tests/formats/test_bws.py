"""Bridgemate files: 297 results of a real evening, and the real correction chain of one board row by row."""

import logging
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from access_parser import AccessParser
from access_parser import access_parser as engine
from access_parser import utils as engine_tools

from pipeline.formats.bws import import_rows, read_bws
from pipeline.formats.imported import BadFile, Imported, NoteKind
from pipeline.rules.contract_score import ns_points
from schemas.codec import read_record, write_record
from schemas.control import ContestantEntered, ExplicitMovement, MovementSet
from schemas.corrections import Award, SwapDirections, VoidResult
from schemas.deal import Artificial, Contract, NotPlayed, PassedOut, Played, TableResult
from schemas.results import BoardResult
from schemas.terms import AwardKind, Direction, Doubling, Points, Seat, Strain, Tricks, Vulnerability

REAL = Path(__file__).parents[3] / "shared/data/real/bws/club_session_11_tables.bws"
PAGE = 0x800


@pytest.fixture(scope="module")
def data() -> bytes:
    if not REAL.exists():
        pytest.skip(f"{REAL.name} is not on this machine")
    return REAL.read_bytes()


@pytest.fixture(scope="module")
def evening(data: bytes) -> Imported:
    return read_bws(data)


def results(imported: Imported) -> list[BoardResult]:
    return [record for record in imported.records if isinstance(record, BoardResult)]


SECTION = {
    "ID": 1,
    "Letter": "A  ",
    "Tables": 8,
    "MissingPair": 0,
    "Session": 1,
    "ScoringType": 1,
    "Winners": 0,
}


def seated(round_number: int, table: int, ns: int, ew: int, **other: object) -> dict[str, Any]:
    row: dict[str, Any] = {"Section": 1, "Table": table, "Round": round_number, "NSPair": ns, "EWPair": ew}
    return row | {"LowBoard": 10, "HighBoard": 12, "CustomBoards": None} | other


def entered(row_id: int, seat: str, contract: str, result: str, **other: object) -> dict[str, Any]:
    row: dict[str, Any] = {
        "ID": row_id,
        "Section": 1,
        "Table": 8,
        "Round": 10,
        "Board": 12,
        "PairNS": 8,
        "PairEW": 3,
    }
    row |= {
        "Declarer": 3,
        "NS/EW": seat,
        "Contract": contract,
        "Result": result,
        "LeadCard": "",
        "Remarks": "",
    }
    row |= {"DateLog": "2026-01-19 00:00:00", "TimeLog": "1899-12-30 21:40:05", "Erased": False}
    return row | {"SuspiciousContract": 0} | other


def imported(
    *received: dict[str, Any], rounds: Sequence[dict[str, Any]] = (seated(10, 8, 8, 3),)
) -> Imported:
    return import_rows({"Section": [SECTION], "RoundData": rounds, "ReceivedData": received}, "chain")


def played(level: int, strain: Strain, seat: Seat, tricks: int) -> Played:
    return Played(Contract(level, strain, Doubling.UNDOUBLED, seat), Tricks(tricks))


# The real evening (11 tables, 9 rounds of 3 boards).


def test_297_results_come_out_of_the_real_evening(evening: Imported) -> None:
    assert len(results(evening)) == 297
    assert len({record.slot for record in results(evening)}) == 297
    assert len({record.identity for record in evening.records}) == len(evening.records)


def test_the_first_rows_of_the_real_evening_read_as_they_stand_there(evening: Imported) -> None:
    by_id = {str(record.id): record for record in results(evening)}
    first = by_id["1"]
    assert first.result == played(1, Strain.NOTRUMP, Seat.W, 10)
    assert str(first.slot) == "1/A/r1/t8/b22"
    assert (first.ns, first.ew, first.said_at) == ("A8NS", "A8EW", "2026-01-19T10:13:18")
    assert by_id["2"].result == played(3, Strain.NOTRUMP, Seat.N, 8)
    assert by_id["4"].result == played(4, Strain.SPADES, Seat.E, 13)


def test_the_movement_of_the_real_evening_is_told_row_by_row(evening: Imported) -> None:
    (movement,) = (record for record in evening.records if isinstance(record, MovementSet))
    assert isinstance(movement.movement, ExplicitMovement)
    placements = movement.movement.placements
    assert len(placements) == 99
    due = {
        (placed.round, placed.table, board, placed.ns, placed.ew)
        for placed in placements
        for board in placed.boards
    }
    said = {(at.slot.round, at.slot.table, at.slot.board, at.ns, at.ew) for at in results(evening)}
    assert said == due


def test_numbers_that_both_fields_use_are_two_pairs_and_two_lists(evening: Imported) -> None:
    pairs = [record for record in evening.records if isinstance(record, ContestantEntered)]
    assert len(pairs) == 22
    assert {pair.direction for pair in pairs} == set(Direction)
    assert evening.suggested_settings["rank.winners"] == "per-direction"
    # One of the 44 terminals' seats has neither name nor number.
    assert sorted(person for pair in pairs for person in pair.players) == sorted(evening.people)
    assert len(evening.people) == 43


def test_what_the_real_file_only_flags_or_lacks_is_noted(evening: Imported) -> None:
    suspicious = [note for note in evening.notes if note.kind is NoteKind.SUSPICIOUS_CONTRACT]
    assert {(note.place, note.value) for note in suspicious} == {
        ("1/A/r6/t3/b24", "2"),
        ("1/A/r8/t1/b24", "2"),
    }
    names = [note for note in evening.notes if note.place == "table PlayerNames"]
    assert [note.value for note in names] == ["0 of 14020 rows can be read"]


def test_every_record_can_be_written_and_read(evening: Imported) -> None:
    for record in evening.records:
        assert read_record(write_record(record)) == record


def test_names_are_nowhere_in_the_records(evening: Imported) -> None:
    written = b"".join(write_record(record) for record in evening.records)
    assert evening.people
    assert not any(name.encode() in written for name in evening.people.values())


def test_reading_writes_no_log(data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        read_bws(data)
    assert not caplog.records


# A real chain of erasures: the erased row itself is not marked, so filtering leaves one result too many.

CHAIN = (
    entered(8859, "W", "4 NT", "-1"),
    entered(8861, "W", "4 NT", "-1", Erased=True, Remarks="Result erased"),
    entered(8863, "E", "4 NT", "+1"),
)


def test_the_erased_result_is_voided_and_the_last_row_entered_anew() -> None:
    first, erasure, last = chain_of(*CHAIN)
    assert isinstance(first, BoardResult)
    assert first.result == played(4, Strain.NOTRUMP, Seat.W, 9)
    assert isinstance(erasure, VoidResult)
    assert [change.supersedes for change in erasure.changes] == ["bws/8859"]
    assert isinstance(last, BoardResult)
    assert last.result == played(4, Strain.NOTRUMP, Seat.E, 11)
    assert last.supersedes is None, "an erased slot is empty"


def chain_of(*rows: dict[str, Any]) -> list[BoardResult | VoidResult | Award | SwapDirections]:
    return [
        record
        for record in imported(*rows).records
        if isinstance(record, BoardResult | VoidResult | Award | SwapDirections)
    ]


def test_rows_are_taken_in_order_of_their_id_whatever_order_they_lie_in() -> None:
    assert chain_of(*reversed(CHAIN)) == chain_of(*CHAIN)


def test_every_erasure_is_noted() -> None:
    notes = [note for note in imported(*CHAIN).notes if note.kind is NoteKind.ERASED_RESULT]
    assert [(note.place, note.value) for note in notes] == [("1/A/r10/t8/b12", "row 8861 erases bws/8859")]


def test_a_later_row_supersedes_the_live_one() -> None:
    first, second, third = chain_of(
        entered(1, "N", "4 S", "="), entered(2, "N", "4 S", "+1"), entered(3, "N", "4 S", "-1")
    )
    assert isinstance(first, BoardResult)
    assert isinstance(second, BoardResult)
    assert isinstance(third, BoardResult)
    assert (first.supersedes, second.supersedes, third.supersedes) == (None, "bws/1", "bws/2")


def test_an_erasure_with_nothing_to_erase_is_noted_and_changes_nothing() -> None:
    rows = imported(entered(1, "N", "4 S", "=", Erased=True), entered(2, "N", "4 S", "="))
    assert [record.id for record in results(rows)] == ["2"]
    assert [note.value for note in rows.notes if note.kind is NoteKind.ERASED_RESULT] == [
        "row 1 erases nothing"
    ]


def test_rows_of_another_slot_are_left_alone() -> None:
    rows = imported(*CHAIN[:2], entered(9000, "N", "1 NT", "=", Board=11))
    other = results(rows)[-1]
    assert (other.slot.board, other.supersedes) == (11, None)


# The codes of the format.


@pytest.mark.parametrize(
    ("contract", "result", "outcome", "score"),
    [
        ("3 NT", "=", played(3, Strain.NOTRUMP, Seat.S, 9), 400),
        ("4 S x", "-2", Played(Contract(4, Strain.SPADES, Doubling.DOUBLED, Seat.S), Tricks(8)), -300),
        ("1 C xx", "+1", Played(Contract(1, Strain.CLUBS, Doubling.REDOUBLED, Seat.S), Tricks(8)), 430),
        ("PASS", "", PassedOut(), 0),
    ],
)
def test_contracts_as_the_terminal_writes_them(
    contract: str, result: str, outcome: TableResult, score: int
) -> None:
    (record,) = results(imported(entered(1, "S", contract, result)))
    assert record.result == outcome
    assert isinstance(outcome, Played | PassedOut)
    assert ns_points(outcome, Vulnerability.NONE) == Points(score)


def test_not_played_is_an_open_question_with_a_note() -> None:
    rows = imported(entered(1, "", "", "", Remarks="Not played"))
    assert [record.result for record in results(rows)] == [NotPlayed()]
    assert [note.kind for note in rows.notes] == [NoteKind.NOT_PLAYED]


def test_an_arbitral_score_is_an_award_with_both_percentages() -> None:
    result, award = chain_of(entered(1, "N", "3 NT", "="), entered(2, "", "", "", Remarks="60%-40%"))
    assert isinstance(award, Award)
    assert award.ns_award == Artificial(AwardKind.AVE_PLUS)
    assert award.ew_award == Artificial(AwardKind.AVE_MINUS)
    assert award.changes[0].supersedes == result.identity


def test_an_unusual_percentage_is_meant_as_it_stands() -> None:
    (award,) = chain_of(entered(2, "", "", "", Remarks="70%-45%"))
    assert isinstance(award, Award)
    assert award.ns_award == Artificial(AwardKind.AVE_PLUS, Fraction(70))
    assert award.ew_award == Artificial(AwardKind.AVE_MINUS, Fraction(45))


def test_wrong_direction_swaps_the_pairs_of_the_row() -> None:
    result, swap = chain_of(entered(7, "N", "3 NT", "=", Remarks="Wrong direction"))
    assert isinstance(result, BoardResult)
    assert isinstance(swap, SwapDirections)
    assert (result.ns, result.ew) == ("A8", "A3")
    assert [change.supersedes for change in swap.changes] == [result.identity]


def test_an_erasure_after_a_swap_erases_the_swapped_result() -> None:
    *_, swap, erasure = chain_of(
        entered(7, "N", "3 NT", "=", Remarks="Wrong direction"), entered(8, "", "", "", Erased=True)
    )
    assert isinstance(erasure, VoidResult)
    assert erasure.changes[0].supersedes == swap.identity


def test_a_lead_has_ten_in_two_digits() -> None:
    rows = imported(entered(1, "N", "3 NT", "=", LeadCard="S10"), entered(2, "N", "3 NT", "=", LeadCard="?9"))
    assert [record.lead for record in results(rows)] == ["S10", None]
    assert [note.value for note in rows.notes] == ["lead ?9"]


def test_custom_boards_replace_low_and_high() -> None:
    rows = imported(
        rounds=[seated(1, 1, 1, 2, CustomBoards="1,3, 7-9"), seated(1, 2, 3, 0, LowBoard=0, HighBoard=0)]
    )
    (movement,) = (record.movement for record in rows.records if isinstance(record, MovementSet))
    assert isinstance(movement, ExplicitMovement)
    first, second = movement.placements
    assert first.boards == (1, 3, 7, 8, 9)
    assert (second.ns, second.ew, second.boards) == ("A3", None, ())


def test_numbers_that_never_sit_both_ways_in_a_round_are_one_list() -> None:
    rows = imported(rounds=[seated(1, 1, 1, 2), seated(2, 1, 2, 3)])
    pairs = [record for record in rows.records if isinstance(record, ContestantEntered)]
    assert [(pair.contestant, pair.direction) for pair in pairs] == [("A1", None), ("A2", None), ("A3", None)]
    assert rows.suggested_settings["rank.winners"] == "one"


# Bad input.


@pytest.mark.parametrize(
    ("row", "place", "value"),
    [
        (entered(5, "N", "8 NT", "="), "ReceivedData row 5, Contract", "8 NT"),
        (entered(5, "", "3 NT", "="), "ReceivedData row 5, Contract", ""),
        (entered(5, "N", "7 NT", "+1"), "ReceivedData row 5, Result", "+1"),
        (entered(5, "N", "3 NT", "made"), "ReceivedData row 5, Result", "made"),
        (entered(5, "N", "3 NT", "=", Board=0), "ReceivedData row 5, Board", "0"),
        (entered(5, "N", "3 NT", "=", Section=9), "ReceivedData row 5, Section", "9"),
        (entered(5, "N", "3 NT", "=", Round=None), "ReceivedData row 5, Round", "0"),
        (entered(0, "N", "3 NT", "="), "ReceivedData, ID", "0"),
    ],
)
def test_a_row_that_cannot_be_is_named(row: dict[str, Any], place: str, value: str) -> None:
    with pytest.raises(BadFile) as refused:
        imported(row)
    assert (refused.value.place, refused.value.value) == (place, value)
    assert refused.value.rule


def test_one_id_on_two_rows_is_refused() -> None:
    with pytest.raises(BadFile, match="row 5: 5"):
        imported(entered(5, "N", "3 NT", "="), entered(5, "N", "3 NT", "+1"))


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(BadFile, match="empty"):
        read_bws(b"")


@pytest.mark.parametrize("data", [b"<?xml version='1.0'?>" * 1000, b"\x00\x01\x00\x00", b"\x00" * 100_000])
def test_what_is_no_access_database_is_refused(data: bytes) -> None:
    with pytest.raises(BadFile, match="no Microsoft Access database"):
        read_bws(data)


@pytest.mark.parametrize("pages", [1, 5, 30, 150, 300, 500, 548])
def test_a_file_cut_short_at_a_page_is_refused(data: bytes, pages: int) -> None:
    assert pages * PAGE < len(data)
    with pytest.raises(BadFile):
        read_bws(data[: pages * PAGE])


@pytest.mark.parametrize("size", [19, 20, 4_000, 50_001, -1, -700])
def test_a_file_cut_short_inside_a_page_is_refused(data: bytes, size: int) -> None:
    with pytest.raises(BadFile, match=r"cut short|no Microsoft"):
        read_bws(data[:size])


@pytest.mark.parametrize("page", range(2, 40, 5))
def test_a_damaged_page_is_refused_or_harmless(data: bytes, evening: Imported, page: int) -> None:
    damaged = data[: page * PAGE] + b"\xff" * PAGE + data[(page + 1) * PAGE :]
    try:
        read = read_bws(damaged)
    except BadFile:
        return
    assert read.records == evening.records


def test_the_library_still_has_the_internals_that_are_overridden() -> None:
    for name in ("_parse_file_header", "_link_tables_to_data", "_parse_catalog", "get_table"):
        assert callable(getattr(AccessParser, name))
    assert callable(engine_tools.categorize_pages)
    assert (engine.LOGGER.name, engine_tools.LOGGER.name) == ("access_parser", "access_parser.utils")
