"""When a deal is closed: nobody still has to play it, in any section (docs/semantics.md, section 8)."""

from dataclasses import replace

from schemas.terms import Identity, RecordId
from tests.builders import (
    awarded,
    boards_cancelled,
    described,
    entered,
    fouled,
    howell,
    left,
    match_set,
    moved,
    movement,
    movement_changed,
    placement,
    play_ended,
    replaced,
    result,
    round_cancelled,
    slot,
    voided,
    withdrawn,
)
from tests.scoring.evening import told

PLAN = movement(
    [
        placement(1, 1, "a", "c", [1]),
        placement(1, 2, "b", "d", [2]),
        placement(2, 1, "a", "d", [2]),
        placement(2, 2, "b", "c", [1]),
    ]
)
FIRST, SECOND = result(1), result(1, table=2, round=2, tricks=9)


def test_a_deal_is_closed_when_everybody_has_played_it() -> None:
    assert not told(PLAN).closed(1)
    assert not told(PLAN, FIRST).closed(1)
    assert told(PLAN, FIRST, SECOND).closed(1)
    assert not told(PLAN, FIRST, SECOND).closed(2)
    assert [page.closed for page in told(PLAN, FIRST, SECOND).travellers()] == [True, False]


def test_a_deal_opens_again_when_a_result_goes() -> None:
    for gone in (voided(SECOND), withdrawn(SECOND), moved(SECOND, slot(9, 2, 2))):
        assert not told(PLAN, FIRST, SECOND, gone).closed(1)


def test_a_result_that_waits_closes_nothing() -> None:
    strangers = result(1, "x", "y", table=2, round=2)
    assert not told(PLAN, FIRST, strangers).closed(1)


def test_an_award_or_a_board_not_played_closes_and_a_late_play_does_not() -> None:
    assert told(PLAN, FIRST, awarded(slot(1, 2, 2))).closed(1)
    assert told(PLAN, FIRST, result(1, table=2, round=2, contract="not-played:time")).closed(1)
    assert not told(PLAN, FIRST, result(1, table=2, round=2, contract="not-played:late-play-due")).closed(1)
    late = result(1, table=2, round=2, contract="not-played:late-play-due")
    assert told(PLAN, FIRST, late, replaced(late)).closed(1)


def test_what_is_not_due_is_not_waited_for() -> None:
    for record in (
        round_cancelled(2),
        boards_cancelled(1),
        movement_changed(2, [placement(2, 1, "a", "d", [2])]),
        movement_changed(2, [placement(2, 2, "b", None, [1])]),
    ):
        assert told(PLAN, FIRST, record).closed(1), record
    entries = [entered(name) for name in "abcd"]
    assert told(entries, PLAN, FIRST, left("b", 2)).closed(1)
    assert not told(entries, PLAN, FIRST, left("a", 2)).closed(1)


def test_a_deal_is_closed_in_all_its_sections_together() -> None:
    other = movement([placement(1, 1, "e", "f", [1])], section="B")
    assert not told(PLAN, other, FIRST, SECOND).closed(1)
    assert told(PLAN, other, FIRST, SECOND, result(1, section="B")).closed(1)


def test_a_section_without_a_movement_keeps_every_deal_until_play_ends() -> None:
    """Nobody knows who still has to play: also in a section that is only described or spoken of."""
    only_described = described(sections=("A", "B"))
    spoken_of = result(1, "x", "y", section="B")
    for record in (only_described, spoken_of):
        assert not told(record, PLAN, FIRST, SECOND).closed(1)
        assert told(record, PLAN, FIRST, SECOND, play_ended()).closed(1)
    refused_too = replace(spoken_of, id=RecordId("odd"), supersedes=Identity(f"{spoken_of.source}/odd"))
    assert told(PLAN, FIRST, SECOND, refused_too).closed(1)  # what names itself is nowhere
    assert not told(FIRST).closed(1)
    assert told(FIRST, play_ended()).closed(1)
    other = described(sessions=("1", "2"))
    assert told(other, PLAN, FIRST, SECOND).closed(1)


def test_a_movement_in_which_nobody_sits_yet_keeps_every_deal_until_play_ends() -> None:
    """A section whose pairs are entered late is still to play, though no slot of it is open."""
    other = movement(howell(4, 1), section="B")
    assert not told(PLAN, other, FIRST, SECOND).closed(1)
    assert told(PLAN, other, FIRST, SECOND, play_ended()).closed(1)
    pairs = [entered(f"B{number}", number, section="B") for number in range(1, 5)]
    here = [entered(name) for name in "abcd"]
    evening = told(here, pairs, PLAN, other, FIRST, SECOND)
    assert not evening.closed(1)
    played = [result(1, section="B"), result(1, table=2, section="B")]
    assert told(here, pairs, PLAN, other, FIRST, SECOND, played).closed(1)


def test_the_end_of_play_closes_no_deal_that_somebody_still_has_to_play() -> None:
    assert not told(PLAN, FIRST, play_ended()).closed(1)


def test_a_match_plans_the_sections_of_its_tables() -> None:
    match = match_set("home", "visit", [1, 2])
    assert not told(match, result(1)).closed(1)
    assert told(match, result(1), result(1, table=2)).closed(1)
    assert not told(match, result(1), result(1, table=2), result(5, "x", "y", section="B")).closed(1)


def test_the_same_board_of_another_session_is_another_deal() -> None:
    again = movement([placement(1, 1, "a", "c", [1])], session="2")
    evening = told(PLAN, again, FIRST, SECOND)
    assert evening.closed(1)
    assert not evening.closed(1, session="2")


def test_forms_of_a_board_are_one_deal() -> None:
    evening = told(PLAN, FIRST, fouled(1, ("b", [slot(1, 2, 2)])))
    assert not evening.closed(1)
    assert {page.closed for page in evening.travellers() if page.board == 1} == {False}
