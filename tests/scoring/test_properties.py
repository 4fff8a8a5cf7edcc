"""What holds for every event: order, repetition and batching change nothing, and the naive scorer agrees."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scoring.event import Event
from pipeline.scoring.lists import list_ids
from pipeline.scoring.naive import naive_score
from pipeline.scoring.standings import standings
from pipeline.scoring.travellers import board_ids, traveller
from schemas.codec import read_record, write_record
from schemas.corrections import RecordWithdrawn, ReplaceResult
from schemas.deal import PassedOut
from schemas.record import Role, Stamp, Stamped
from schemas.results import BoardResult, Subject
from schemas.terms import RecordId, SourceId
from tests.random_events import EVENT, random_log
from tests.scoring.agreement import differences
from tests.scoring.fingerprint import fingerprint

seeds = st.integers(min_value=0, max_value=2**32)
sizes = st.integers(min_value=0, max_value=40)


def folded(log: list[Stamped]) -> Event:
    event = Event(EVENT)
    event.apply(log)
    return event


@pytest.mark.parametrize("teams", [False, True], ids=["pairs", "teams"])
@given(seed=seeds, size=sizes)
def test_the_core_and_the_naive_scorer_agree_about_every_event(seed: int, size: int, *, teams: bool) -> None:
    log = random_log(seed, size, teams=teams)
    assert list(differences(folded(log), naive_score(log))) == []


@pytest.mark.parametrize("teams", [False, True], ids=["pairs", "teams"])
@given(seed=seeds, size=sizes, cut=st.integers(min_value=1, max_value=15))
def test_any_order_any_repetition_and_any_batching_give_the_same_bytes(
    seed: int, size: int, cut: int, *, teams: bool
) -> None:
    log = random_log(seed, size, teams=teams)
    whole = fingerprint(folded(log))
    dice = Random(seed)
    shuffled = [*log, *dice.sample(log, len(log) // 3)]
    dice.shuffle(shuffled)
    event = Event(EVENT)
    while shuffled:
        batch, shuffled = shuffled[: dice.randint(1, cut)], shuffled[cut:]
        event.apply(batch)
        if dice.random() < 0.3:
            fingerprint(event)
    event.apply(log)
    assert fingerprint(event) == whole


@given(seed=seeds, size=sizes)
def test_a_log_that_is_read_record_by_record_gives_the_same_bytes(seed: int, size: int) -> None:
    log = random_log(seed, size)
    event = Event(EVENT)
    for entry in sorted(log, key=lambda entry: entry.stamp.offset):
        event.apply([Stamped(read_record(write_record(entry.record)), entry.stamp)])
        for name in list_ids(event):
            standings(event, name)
    assert fingerprint(event) == fingerprint(folded(log))


@given(seed=seeds, size=sizes)
def test_to_correct_and_to_withdraw_the_correction_changes_no_score(seed: int, size: int) -> None:
    log = random_log(seed, size)
    event = folded(log)
    filled = [state for state in event.slots.values() if state.standing.effective is not None]
    if not filled:
        return
    state = Random(seed).choice(filled)
    effective = state.standing.effective
    assert effective is not None
    late_us = max(entry.stamp.time_us for entry in log) + 1
    organiser, role = SourceId("organiser"), Role.ORGANISER
    correction = ReplaceResult(
        event=EVENT,
        id=RecordId("correction"),
        source=organiser,
        role=role,
        subject=Subject.RULING,
        slot=state.slot,
        supersedes=effective.identity,
        result=PassedOut(),
    )
    back = RecordWithdrawn(
        event=EVENT,
        id=RecordId("back"),
        source=organiser,
        role=role,
        subject=Subject.RULING,
        record=correction.identity,
    )
    before = pages(event)
    event.apply([Stamped(correction, Stamp(late_us, "corrections", 0, 10_000))])
    event.apply([Stamped(back, Stamp(late_us + 1, "corrections", 0, 10_001))])
    assert pages(event) == before


def pages(event: Event) -> list[str]:
    """The digests of all lists and travellers."""
    lists = [page.digest for name in list_ids(event) for page in standings(event, name)]
    return lists + [page.digest for board in board_ids(event) for page in traveller(event, board)]


@given(seed=seeds, size=sizes)
def test_an_event_that_moves_with_its_stamps_keeps_its_verdicts_and_its_scores(seed: int, size: int) -> None:
    log = random_log(seed, size)
    moved = [
        Stamped(
            replace(entry.record, original_stamp=entry.stamp),
            Stamp(10**12 + number, entry.stamp.topic, 0, number),
        )
        for number, entry in enumerate(sorted(log, key=lambda entry: entry.stamp.time_us))
    ]
    here, there = folded(log), folded(moved)
    for identity in here.records.by_identity:
        one, other = here.decision(identity), there.decision(identity)
        assert one is not None
        assert other is not None
        assert replace(one, stamp=None) == replace(other, stamp=None)
    assert pages(there) == pages(here)


@given(seed=seeds, size=sizes)
def test_both_sides_of_a_played_board_add_up_to_its_top(seed: int, size: int) -> None:
    event = folded(random_log(seed, size))
    if event.conditions.score_method != "matchpoints" or event.conditions.mp_round != "none":
        return
    event.rate_all()
    for board in event.boards.values():
        rating = board.rating
        assert rating is not None
        if board.split or rating.rated in {"small-group", "single-result", "plus-one-1963"}:
            continue
        for line in board.lines.values():
            if line.ns_award is None and line.ew_award is None:
                top = rating.ns_top * rating.denominator
                raw_short = rating.rated == "raw" and rating.ns_top < event.field_of(board).expected - 1
                assert raw_short or rating.ns[line.ns_key] + rating.ew[line.ew_key] == top


@given(seed=seeds, size=sizes)
def test_every_record_of_a_table_that_counts_names_a_slot_that_has_it(seed: int, size: int) -> None:
    event = folded(random_log(seed, size))
    for state in event.slots.values():
        effective = state.standing.effective
        if effective is not None and isinstance(
            event.records.by_identity[effective.identity].record, BoardResult
        ):
            decision = event.decision(effective.identity)
            assert decision is not None
            assert decision.verdict == "accepted"
