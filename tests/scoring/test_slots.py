"""One board at one table: what is said of it, by whom, and what of it stands."""

from dataclasses import replace

import pytest

from schemas.control import SessionFinalised
from schemas.corrections import MoveResult
from schemas.deal import NoScore, NotPlayed, PassedOut, ScoreOnly
from schemas.decisions import Flag, Reason, Verdict
from schemas.record import Role, SlotChange, Stamp
from schemas.results import Players
from schemas.terms import ContestantId, Direction, Identity, Points, RecordId, Unplayed
from tests.builders import (
    START_US,
    awarded,
    boards_cancelled,
    conditions,
    confirmed,
    described,
    disputed,
    entered,
    fouled,
    moved,
    movement,
    placement,
    replaced,
    result,
    score_published,
    session_finalised,
    slot,
    stamped,
    swapped,
    upheld,
    voided,
    withdrawn,
)
from tests.scoring.evening import ACCEPTED, EW, NS, WITHDRAWN, Told, at, refused, told, waits

FIRST = result(1, "n", "e", entered_by="N")
SLOT = FIRST.slot


# Two answers for one slot.


def test_a_second_answer_of_another_table_waits_for_the_director() -> None:
    other = result(1, "n", "e", tricks=9, source="table.A9", id="other")
    over = result(1, "n", "e", tricks=9, source="table.A9", id="over", supersedes=FIRST)
    evening = told(FIRST, other, over)
    assert evening.verdicts(other, over) == [waits(Reason.SLOT_TAKEN), waits(Reason.SLOT_TAKEN)]
    assert [evening.decision(one).field for one in (other, over)] == ["supersedes", "source"]
    assert evening.decision(other).effective == evening.stands(SLOT) == FIRST.identity
    assert evening.page().open.waiting == 1


def test_the_same_answer_from_anywhere_corroborates() -> None:
    same = result(1, "n", "e", source="table.A9", id="same")
    over = result(1, "n", "e", source="table.A9", id="over", supersedes=FIRST)
    evening = told(FIRST, same, over)
    for record in (same, over):
        assert evening.verdict(record) == ACCEPTED
        assert evening.decision(record).flags == (Flag.CORROBORATED,)
        assert evening.decision(record).effective == FIRST.identity
    assert evening.stands(SLOT) == FIRST.identity


def test_the_same_answer_over_ones_own_takes_its_place() -> None:
    again = result(1, "n", "e", id="again", supersedes=FIRST)
    evening = told(FIRST, again)
    assert evening.decision(again).flags == ()
    assert evening.stands(SLOT) == again.identity


def test_not_played_is_the_same_only_for_the_same_cause() -> None:
    late = result(1, "n", "e", contract="not-played:late-play-due")
    same = replace(late, id=RecordId("same"))
    other = replace(late, id=RecordId("other"), result=NotPlayed(Unplayed.TIME))
    evening = told(late, same, other)
    assert evening.decision(same).flags == (Flag.CORROBORATED,)
    assert evening.verdict(other) == waits(Reason.SLOT_TAKEN)


def test_a_table_corrects_itself_until_the_result_is_confirmed() -> None:
    second = result(1, "n", "e", tricks=9, id="second", supersedes=FIRST, entered_by="N")
    third = result(1, "n", "e", tricks=11, id="third", supersedes=second, entered_by="N")
    evening = told(FIRST, second, third)
    assert evening.stands(SLOT) == third.identity
    evening = told(FIRST, second, confirmed(second), third)
    assert evening.verdict(third) == waits(Reason.CONFIRMED_ALREADY)
    assert evening.stands(SLOT) == second.identity
    evening = told(FIRST, second, confirmed(second), withdrawn(confirmed(second)), third)
    assert evening.stands(SLOT) == third.identity


def test_a_correction_names_what_stands() -> None:
    second = result(1, "n", "e", tricks=9, id="second", supersedes=FIRST)
    stale = result(1, "n", "e", tricks=11, id="stale", supersedes=FIRST)
    evening = told(FIRST, second, stale)
    assert evening.verdict(stale) == waits(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(stale).effective == second.identity
    assert evening.decision(stale).rule == f"the slot has {second.identity}"


def test_the_office_corrects_a_table_and_a_table_never_a_director() -> None:
    office = result(1, "n", "e", tricks=9, id="office", supersedes=FIRST, source="office", role=Role.SCORER)
    assert told(FIRST, confirmed(FIRST), office).stands(SLOT) == office.identity
    ruling = replaced(FIRST, tricks=8)
    for role in (Role.TABLE, Role.SCORER, Role.IMPORTER):
        late = result(1, "n", "e", tricks=7, id="late", supersedes=ruling, role=role)
        evening = told(FIRST, ruling, late)
        assert evening.verdict(late) == waits(Reason.SUPERSEDES_DIRECTOR)
        assert evening.stands(SLOT) == ruling.identity
    other = result(1, "n", "e", tricks=7, id="other", supersedes=ruling, role=Role.DIRECTOR)
    assert told(FIRST, ruling, other).stands(SLOT) == other.identity
    scorers = replaced(FIRST, tricks=8, role=Role.SCORER)
    taken = result(1, "n", "e", tricks=7, id="taken", supersedes=scorers, source="director")
    assert told(FIRST, scorers, taken).stands(SLOT) == taken.identity


def test_a_pair_enters_nothing() -> None:
    own = result(1, "n", "e", role=Role.PAIR)
    assert told(own).verdict(own) == refused(Reason.NOT_AUTHORISED)


# What a record names.


def test_a_record_that_names_itself_is_refused() -> None:
    itself = replace(FIRST, supersedes=FIRST.identity)
    evening = told(itself)
    assert evening.verdict(itself) == refused(Reason.SUPERSEDES_ITSELF)
    assert (evening.decision(itself).field, evening.decision(itself).value) == ("supersedes", itself.identity)
    away = withdrawn(FIRST)
    away = replace(away, record=away.identity)
    evening = told(away)
    assert evening.verdict(away) == refused(Reason.WITHDRAWS_ITSELF)
    assert evening.decision(away).field == "record"
    odd = replace(withdrawn(FIRST), request=withdrawn(FIRST).identity)
    assert told(FIRST, odd).verdict(odd) == refused(Reason.SUPERSEDES_ITSELF)


def test_a_record_that_names_what_nobody_has_read_waits_for_it() -> None:
    change = replaced(FIRST)
    evening = told(change)
    assert evening.verdict(change) == (Verdict.WAITING_FOR_REFERENCE, Reason.REFERENCE_UNKNOWN)
    assert evening.decision(change).value == FIRST.identity
    assert evening.stands(SLOT) is None
    evening = told(change, FIRST)  # it takes its place behind what it names
    assert evening.verdict(change) == ACCEPTED
    assert evening.stands(SLOT) == change.identity


def test_a_withdrawal_read_before_what_it_takes_back_counts_once_that_is_read() -> None:
    back = withdrawn(FIRST)
    again = withdrawn(back)
    entries = stamped([back, FIRST, result(2, "n", "e")])
    late = Told(entries)
    assert late.verdict(FIRST) == WITHDRAWN
    assert late.stands(SLOT) is None
    # Taken back before it counts itself, it counts all the same.
    evening = told(back, again, FIRST)
    assert evening.verdicts(FIRST, back, again) == [WITHDRAWN, ACCEPTED, ACCEPTED]
    assert evening.stands(SLOT) is None


def test_a_record_of_another_slot_replaces_nothing_here() -> None:
    elsewhere = result(2, "n", "e")
    mine = result(1, "n", "e", tricks=9, id="mine", supersedes=elsewhere)
    ruling = replaced(FIRST, tricks=9, supersedes=elsewhere)
    doubt = disputed(FIRST)
    over_doubt = replaced(FIRST, tricks=9, supersedes=doubt, id="over-doubt")
    evening = told(FIRST, elsewhere, doubt, mine, ruling, over_doubt)
    for record in (mine, ruling, over_doubt):
        assert evening.verdict(record) == refused(Reason.REFERENCE_NOT_IN_SLOT)
    assert evening.decision(mine).rule == "a record of slot 1/A/r1/t1/b1"
    assert evening.stands(SLOT) == FIRST.identity


def test_into_an_empty_slot_anything_may_be_superseded() -> None:
    elsewhere = result(2, "n", "e")
    mine = result(1, "n", "e", supersedes=elsewhere)
    evening = told(elsewhere, mine)
    assert evening.verdict(mine) == ACCEPTED


def test_one_identity_with_two_contents() -> None:
    other = replace(FIRST, result=PassedOut())
    evening = told(FIRST, other, FIRST)
    assert evening.stands(SLOT) == FIRST.identity
    ((name, digest),) = evening.event.records.conflicts
    conflict = evening.event.conflict(name, digest)
    assert (conflict.record, conflict.verdict, conflict.reason) == (
        FIRST.identity,
        Verdict.REFUSED,
        Reason.IDENTITY_TAKEN,
    )
    assert conflict.payload_digest == digest
    assert conflict.field == "id"


def test_an_imported_stamp_does_not_slip_into_a_live_event() -> None:
    early = Stamp(START_US, "board-results", 0, 1)
    imported = result(2, "n", "e", role=Role.IMPORTER, original_stamp=early)
    evening = told(FIRST, imported)
    assert evening.verdict(imported) == refused(Reason.IMPORT_INTO_LIVE_EVENT)
    assert evening.decision(imported).field == "original_stamp"
    before = told(imported, FIRST)
    assert before.verdict(imported) == ACCEPTED
    assert evening.event.decision(Identity("nobody/said-this")) is None


# Confirmations and disputes.


@pytest.mark.parametrize(("seat", "right"), [("N", False), ("S", False), ("E", True), ("W", True)])
def test_the_opponents_of_who_entered_it_initial_a_result(seat: str, *, right: bool) -> None:
    """1963 article 79."""
    initials = confirmed(FIRST, seat)
    evening = told(FIRST, initials)
    assert evening.verdict(initials) == (ACCEPTED if right else refused(Reason.WRONG_SIDE_CONFIRMS))
    assert evening.article(initials) == (None if right else "1963 article 79")
    assert evening.flags(SLOT) == (() if right else (Flag.UNCONFIRMED,))
    assert evening.page().open.unconfirmed == (0 if right else 1)


def test_any_seat_confirms_where_nobody_knows_who_entered_it_or_nobody_is_asked() -> None:
    unsaid = result(1, "n", "e")
    assert told(unsaid, confirmed(unsaid, "N")).verdict(confirmed(unsaid, "N")) == ACCEPTED
    lax = conditions(settings={"confirm.by": "not-asked"})
    evening = told(lax, FIRST, confirmed(FIRST, "N"))
    assert evening.verdict(confirmed(FIRST)) == ACCEPTED
    assert told(lax, FIRST).flags(SLOT) == ()
    assert told(lax, FIRST).page().open.unconfirmed == 0


def test_only_what_stands_is_confirmed() -> None:
    second = result(1, "n", "e", tricks=9, id="second", supersedes=FIRST)
    late = confirmed(FIRST)
    evening = told(FIRST, second, late)
    assert evening.verdict(late) == refused(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(late).effective == second.identity
    emptied = told(FIRST, voided(FIRST), late)
    assert emptied.verdict(late) == refused(Reason.SLOT_EMPTY)


def test_a_dispute_stays_until_a_director_changes_or_upholds() -> None:
    doubt = disputed(FIRST)
    evening = told(FIRST, confirmed(FIRST), doubt)
    assert evening.verdict(doubt) == ACCEPTED
    assert evening.flags(SLOT) == (Flag.DISPUTED,)
    assert evening.page().open.disputed == 1
    for ruling in (upheld(FIRST), replaced(FIRST)):
        settled = told(FIRST, doubt, ruling)
        assert Flag.DISPUTED not in settled.flags(SLOT)
        assert settled.page().open.disputed == 0
        assert settled.stands(SLOT) == (FIRST if ruling == upheld(FIRST) else ruling).identity
    back = told(FIRST, doubt, withdrawn(doubt))
    assert back.page().open.disputed == 0
    again = told(FIRST, doubt, upheld(FIRST), disputed(FIRST, id="again"))
    assert again.page().open.disputed == 1


# Rulings.


def test_two_hundred_records_in_a_slot_are_looked_at() -> None:
    many = [result(1, "n", "e", id=f"r{number}") for number in range(198)]
    last = [disputed(many[0]), confirmed(many[0]), replaced(many[0]), confirmed(many[0], id="x")]
    evening = told(many, last)
    capped = refused(Reason.RECORDS_CAPPED)
    assert evening.verdicts(*last) == [ACCEPTED, ACCEPTED, capped, capped]
    assert evening.stands(SLOT) == many[0].identity
    back = withdrawn(many[0])
    assert told(many, last, back).verdict(back) == ACCEPTED  # a withdrawal is none of them


def test_a_move_into_a_slot_that_is_full_of_records_is_refused_in_both() -> None:
    many = [result(2, "n", "e", id=f"r{number}") for number in range(200)]
    move = moved(FIRST, slot(2), over=many[0])
    evening = told(FIRST, many, move)
    assert evening.verdict(move) == refused(Reason.RECORDS_CAPPED)
    assert evening.stands(SLOT) == FIRST.identity


def test_a_voided_slot_may_be_entered_anew() -> None:
    again = result(1, "n", "e", tricks=9, id="again")
    evening = told(FIRST, voided(FIRST), again)
    assert evening.stands(SLOT) == again.identity
    assert told(FIRST, voided(FIRST)).stands(SLOT) is None
    undone = told(FIRST, voided(FIRST), withdrawn(voided(FIRST)))
    assert undone.stands(SLOT) == FIRST.identity


def test_an_empty_slot_is_neither_voided_nor_swapped_nor_moved_nor_upheld() -> None:
    gone = voided(FIRST)
    for ruling in (
        replace(gone, id=RecordId("again")),
        swapped(FIRST),
        moved(FIRST, slot(2)),
        upheld(FIRST),
    ):
        evening = told(FIRST, gone, ruling)
        assert evening.verdict(ruling) == refused(Reason.SLOT_EMPTY), ruling
        assert evening.decision(ruling).field == "slot"


def test_a_replacement_of_nothing_fills_an_empty_slot_alone() -> None:
    into = replace(replaced(FIRST), supersedes=None)
    assert told(into).stands(SLOT) == into.identity
    evening = told(FIRST, into)
    assert evening.verdict(into) == waits(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(into).value == ""
    gone = replaced(FIRST)
    evening = told(FIRST, voided(FIRST), gone)
    assert evening.verdict(gone) == waits(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(gone).rule == "the slot has no result"


def test_a_ruling_on_several_slots_has_the_worst_of_its_verdicts() -> None:
    second, third = result(2, "n", "e"), result(3, "n", "e")
    both = voided(FIRST, second, third)
    evening = told(FIRST, second, third, both)
    assert evening.verdict(both) == ACCEPTED
    changed = replaced(second)
    evening = told(FIRST, second, third, changed, both)
    assert evening.verdict(both) == waits(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(both).slot == second.slot
    assert evening.stands(SLOT) is None  # each slot by itself
    assert evening.stands(second.slot) == changed.identity
    gone = voided(third, id="gone")
    evening = told(FIRST, second, third, changed, gone, both)
    assert evening.verdict(both) == refused(Reason.SLOT_EMPTY)
    assert evening.decision(both).slot == third.slot


def test_a_moved_result_takes_its_pairs_with_it_where_nobody_sits_there() -> None:
    other = result(2, "x", "y", tricks=9, table=2)
    move = moved(FIRST, slot(2))
    evening = told(FIRST, other, move)
    assert evening.verdict(move) == ACCEPTED
    assert evening.stands(SLOT) is None
    assert evening.stands(slot(2)) == move.identity
    assert evening.seated(slot(2)) == ("n", "e")
    assert evening.board(2) == [2, 0]
    back = told(FIRST, other, move, withdrawn(move))
    assert back.stands(SLOT) == FIRST.identity
    assert back.stands(slot(2)) is None


def test_a_moved_result_is_that_of_who_sits_there() -> None:
    plan = movement([placement(1, 1, "a", "b", [1]), placement(1, 2, "c", "d", [2])])
    mine = result(1)
    evening = told(plan, mine, moved(mine, slot(2, table=2)))
    assert evening.seated(slot(2, table=2)) == ("c", "d")


def test_a_move_is_accepted_in_both_slots_or_in_neither() -> None:
    there = result(2, "x", "y", tricks=9)
    blind = moved(FIRST, slot(2))
    knowing = moved(FIRST, slot(2), over=there)
    evening = told(FIRST, there, blind)
    assert evening.verdict(blind) == waits(Reason.SUPERSEDED_ALREADY)
    assert (evening.stands(SLOT), evening.stands(slot(2))) == (FIRST.identity, there.identity)
    evening = told(FIRST, there, knowing)
    assert (evening.stands(SLOT), evening.stands(slot(2))) == (None, knowing.identity)
    assert evening.seated(slot(2)) == ("n", "e")
    changed = result(1, "n", "e", tricks=8, id="changed", supersedes=FIRST)
    evening = told(FIRST, there, changed, knowing)
    assert evening.verdict(knowing) == waits(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(knowing).slot == SLOT
    assert evening.stands(slot(2)) == there.identity


def test_two_results_that_were_entered_for_each_others_board_change_places() -> None:
    """Through an empty slot, one move after another."""
    other = result(2, "n", "e", tricks=9)
    aside = moved(FIRST, slot(9), id="aside")
    across = moved(other, slot(1), id="across")
    home = MoveResult(
        event=FIRST.event,
        id=RecordId("home"),
        source=aside.source,
        role=Role.DIRECTOR,
        subject=aside.subject,
        slot=slot(9),
        supersedes=aside.identity,
        to=SlotChange(slot(2)),
    )
    evening = told(FIRST, other, aside, across, home)
    assert evening.verdicts(aside, across, home) == [ACCEPTED] * 3
    assert [evening.stands(slot(board)) for board in (1, 2, 9)] == [across.identity, home.identity, None]
    assert evening.seated(slot(2)) == ("n", "e")
    lines = {line.slot: line for page in evening.travellers() for line in page.lines}
    assert (lines[slot(1)].score_ns, lines[slot(2)].score_ns) == (-50, 620)


def test_swapped_pairs_change_places_and_contract_and_declarer_stay() -> None:
    other = result(1, "x", "y", tricks=9, table=2)
    swap = swapped(FIRST)
    evening = told(FIRST, other, swap)
    assert evening.seated(SLOT) == ("e", "n")
    assert evening.totals() == {"e": 2, "n": 0, "x": 0, "y": 2}
    twice = replace(swapped(FIRST, id="twice"), changes=(SlotChange(SLOT, swap.identity),))
    assert told(FIRST, other, swap, twice).seated(SLOT) == ("n", "e")
    plan = movement([placement(1, 1, "a", "b", [1])])
    unsaid = result(1)
    assert told(plan, unsaid, swapped(unsaid)).seated(SLOT) == ("b", "a")
    back = replace(twice, changes=(SlotChange(SLOT, swapped(unsaid).identity),))
    assert told(plan, unsaid, swapped(unsaid), back).seated(SLOT) == ("a", "b")
    named = replace(replaced(unsaid, supersedes=swapped(unsaid)), ns=ContestantId("c"))
    assert told(plan, unsaid, swapped(unsaid), named).seated(SLOT) == ("c", "a")


def test_an_award_and_a_replacement_leave_the_pairs_where_they_were() -> None:
    for ruling in (awarded(FIRST), replaced(FIRST)):
        assert told(FIRST, ruling).seated(SLOT) == ("n", "e")
    other = replace(replaced(FIRST), ns=ContestantId("x"), ew=ContestantId("y"))
    assert told(FIRST, other).seated(SLOT) == ("x", "y")


def test_a_live_record_read_late_takes_imports_out_again() -> None:
    early = Stamp(START_US - 60_000_000, "board-results", 0, 1)
    imported = result(2, "n", "e", role=Role.IMPORTER, original_stamp=early)
    live, later = stamped([FIRST, imported])
    event = told(imported).event
    event = type(event)(event.id)
    event.apply([later])
    assert event.decision(imported.identity).verdict is Verdict.ACCEPTED  # type: ignore[union-attr]
    event.apply([live])
    assert event.decision(imported.identity).reason is Reason.IMPORT_INTO_LIVE_EVENT  # type: ignore[union-attr]


def test_swaps_that_name_each_other_or_a_swap_elsewhere_change_nothing() -> None:
    one, two = swapped(FIRST, id="one"), swapped(FIRST, id="two")
    ring = [
        replace(one, changes=(SlotChange(SLOT, two.identity),)),
        replace(two, changes=(SlotChange(SLOT, one.identity),)),
    ]
    evening = told(FIRST, *ring)
    assert evening.verdicts(*ring) == [waits(Reason.SUPERSEDED_ALREADY)] * 2
    elsewhere = result(2, "n", "e")
    there = swapped(elsewhere, id="there")
    here = replace(swapped(FIRST, id="here"), changes=(SlotChange(SLOT, there.identity),))
    evening = told(FIRST, elsewhere, there, here)
    assert evening.verdict(here) == refused(Reason.REFERENCE_NOT_IN_SLOT)
    assert evening.seated(SLOT) == ("n", "e")


# A waiting record that the director upholds.


def test_an_upheld_waiting_answer_stands_by_the_directors_word() -> None:
    other = result(1, "n", "e", tricks=9, source="table.A9", id="other")
    word = upheld(other)
    evening = told(FIRST, other, word)
    assert evening.verdicts(other, word) == [ACCEPTED, ACCEPTED]
    assert evening.stands(SLOT) == other.identity
    later = result(1, "n", "e", tricks=8, source="table.A9", id="later", supersedes=other)
    evening = told(FIRST, other, word, later)
    assert evening.verdict(later) == waits(Reason.SUPERSEDES_DIRECTOR)
    for taken_back in (word, other):
        evening = told(FIRST, other, word, withdrawn(taken_back))
        assert evening.stands(SLOT) == FIRST.identity
    assert told(FIRST, other, word, withdrawn(word)).verdict(other) == waits(Reason.SLOT_TAKEN)


def test_a_waiting_answer_fills_an_empty_slot_once_it_is_upheld() -> None:
    plan = movement([placement(1, 1, "a", "b", [1])])
    strangers = result(1, "n", "e")
    word = upheld(strangers)
    assert told(plan, strangers).verdict(strangers) == waits(Reason.PAIR_NOT_AT_TABLE)
    evening = told(plan, strangers, word)
    assert evening.verdicts(strangers, word) == [ACCEPTED, ACCEPTED]
    assert evening.seated(SLOT) == ("n", "e")


def test_only_what_stands_or_waits_here_is_upheld() -> None:
    second = result(1, "n", "e", tricks=9, id="second", supersedes=FIRST)
    word = upheld(FIRST)
    evening = told(FIRST, second, word)
    assert evening.verdict(word) == waits(Reason.SUPERSEDED_ALREADY)
    assert evening.decision(word).effective == second.identity
    waiting = result(1, "n", "e", tricks=8, source="table.A9", id="waiting")
    early, again = upheld(waiting), upheld(waiting, id="again")
    changed = replaced(waiting, supersedes=waiting, tricks=7)
    evening = told(FIRST, waiting, early, changed, again)
    assert evening.verdicts(early, changed) == [ACCEPTED, ACCEPTED]
    assert evening.verdict(again) == waits(Reason.SUPERSEDED_ALREADY)  # upheld before
    gone = told(FIRST, waiting, withdrawn(waiting), early)
    assert gone.verdict(early) == waits(Reason.SUPERSEDED_ALREADY)
    nothing = replace(word, changes=(SlotChange(SLOT),))
    evening = told(FIRST, nothing)
    assert evening.verdict(nothing) == waits(Reason.SUPERSEDED_ALREADY)
    refused_one = result(1, "n", "e", role=Role.PAIR, id="pair")
    evening = told(refused_one, upheld(refused_one))
    assert evening.verdict(upheld(refused_one)) == refused(Reason.SLOT_EMPTY)


# Withdrawals.


def test_a_withdrawn_record_leaves_the_slot_as_it_was_without_it() -> None:
    second = result(1, "n", "e", tricks=9, id="second", supersedes=FIRST)
    third = result(1, "n", "e", tricks=8, id="third", supersedes=second)
    evening = told(FIRST, second, third, withdrawn(second))
    assert evening.verdicts(second, third) == [WITHDRAWN, ACCEPTED]
    assert evening.stands(SLOT) == third.identity
    evening = told(FIRST, second, third, withdrawn(third))
    assert evening.stands(SLOT) == second.identity
    evening = told(FIRST, withdrawn(FIRST), confirmed(FIRST))
    assert evening.stands(SLOT) is None
    assert evening.verdict(confirmed(FIRST)) == refused(Reason.SLOT_EMPTY)


def test_what_is_withdrawn_already_is_withdrawn_again_without_effect() -> None:
    one, two = withdrawn(FIRST, id="one"), withdrawn(FIRST, id="two")
    evening = told(FIRST, one, two, withdrawn(one, id="back"))
    assert evening.verdicts(one, two) == [WITHDRAWN, ACCEPTED]
    assert evening.verdict(FIRST) == ACCEPTED


def test_a_refused_record_may_be_withdrawn_too() -> None:
    own = result(1, "n", "e", role=Role.PAIR)
    assert told(own, withdrawn(own)).verdict(own) == WITHDRAWN


def test_a_table_takes_nothing_back() -> None:
    back = withdrawn(FIRST, role=Role.TABLE)
    evening = told(FIRST, back)
    assert evening.verdict(back) == refused(Reason.NOT_AUTHORISED)
    assert evening.stands(SLOT) == FIRST.identity


# What comes in at all.


def test_scores_that_no_contract_reaches_and_scores_that_contradict_it() -> None:
    """1963 articles 77 and 78: 4 spades by North, not vulnerable, are 420 and not 430."""
    noted_wrong = result(1, "n", "e", score_ns=430)
    noted_right = result(1, "n", "e", score_ns=420)
    assert told(noted_right).verdict(noted_right) == ACCEPTED
    evening = told(noted_wrong)
    assert evening.verdict(noted_wrong) == waits(Reason.SCORE_CONTRADICTS_CONTRACT)
    assert evening.decision(noted_wrong).rule == "the contract scores 420"
    imported = replace(noted_wrong, role=Role.IMPORTER)
    assert told(imported).verdict(imported) == ACCEPTED
    passed = replace(noted_wrong, result=PassedOut())
    assert told(passed).verdict(passed) == ACCEPTED
    for score, possible in ((420, True), (620, False), (0, True), (430, True), (410, False)):
        alone = replace(FIRST, result=ScoreOnly(Points(score)))
        evening = told(alone)
        assert evening.verdict(alone) == (ACCEPTED if possible else refused(Reason.SCORE_IMPOSSIBLE)), score
        assert evening.article(alone) == (None if possible else "Law 77")


def test_a_wrongly_marked_board_is_scored_as_marked() -> None:
    """Law 87: 620 for 4 spades where the board was marked vulnerable."""
    marked = fouled(1, ("wrong", [SLOT]), vulnerability="ns")
    alone = replace(FIRST, result=ScoreOnly(Points(620)))
    assert told(marked, alone).verdict(alone) == ACCEPTED
    other_table = replace(alone, slot=slot(1, table=2))
    assert told(marked, other_table).verdict(other_table) == refused(Reason.SCORE_IMPOSSIBLE)
    written = result(1, "n", "e", score_ns=620)
    assert told(marked, written).verdict(written) == ACCEPTED
    unmarked = fouled(1, ("wrong", [SLOT]))
    assert told(unmarked, alone).verdict(alone) == refused(Reason.SCORE_IMPOSSIBLE)


def test_a_score_of_one_deal_is_a_multiple_of_ten() -> None:
    """The scorer typed 42 for 420 (1963 article 94)."""
    with pytest.raises(ValueError, match="not a score of one deal"):
        ScoreOnly(Points(42))


def test_contestants_that_were_never_entered() -> None:
    stranger = result(1, "n", "x")
    evening = told(entered("n", 1), entered("e", 2), stranger)
    assert evening.verdict(stranger) == waits(Reason.UNKNOWN_CONTESTANT)
    imported = replace(stranger, role=Role.IMPORTER)
    assert told(entered("n", 1), imported).verdict(imported) == waits(Reason.UNKNOWN_CONTESTANT)
    assert told(stranger, entered("n", 1)).verdict(stranger) == ACCEPTED  # nobody was entered yet
    too_early = told(entered("n", 1), stranger, entered("x", 2))
    assert too_early.verdict(stranger) == waits(Reason.UNKNOWN_CONTESTANT)
    seats = Players(*(ContestantId(name) for name in "nesw"))
    single = replace(result(1), players=seats)
    known = [entered(name, number) for number, name in enumerate("nesw", start=1)]
    assert told(known, single).verdict(single) == ACCEPTED
    assert told(known[:3], single).verdict(single) == waits(Reason.UNKNOWN_CONTESTANT)


def test_a_session_that_the_event_does_not_have() -> None:
    elsewhere = result(1, "n", "e", session="3")
    evening = told(described(sessions=("1", "2")), elsewhere)
    assert evening.verdict(elsewhere) == refused(Reason.UNKNOWN_SESSION)
    assert evening.decision(elsewhere).rule == "one of 1, 2"
    for record in (
        disputed(elsewhere),
        replaced(elsewhere),
        replace(boards_cancelled(1), session=elsewhere.slot.session),
        replace(fouled(1, ("b", [elsewhere.slot]))),
        confirmed(elsewhere),
        score_published("3"),
        session_finalised("3"),
    ):
        evening = told(described(sessions=("1", "2")), elsewhere, record)
        assert evening.verdict(record) == refused(Reason.UNKNOWN_SESSION), record
    assert isinstance(record, SessionFinalised)
    assert told(described(sessions=()), elsewhere).verdict(elsewhere) == ACCEPTED


def test_a_final_session_takes_no_new_result() -> None:
    late = result(2, "n", "e")
    evening = told(FIRST, at("22:10", score_published()), at("22:41", session_finalised()), late)
    assert evening.verdict(late) == waits(Reason.SESSION_FINAL)


def test_a_board_closed_without_a_score_counts_for_nobody() -> None:
    closed = replace(replaced(FIRST), result=NoScore())
    other = result(1, "x", "y", table=2)
    evening = told(FIRST, other, closed)
    assert evening.board() == [None, 0]
    assert evening.page().boards_due == 1
    assert evening.flags(SLOT) == ()
    assert evening.points(slot(1, table=2), Direction.EW) == evening.points(slot(1, table=2), NS) == 0
    assert evening.points(SLOT, EW) is None
