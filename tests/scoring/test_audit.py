"""The audit: a refold against a second witness, and against what was published."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from pipeline.scoring.audit import AuditDifference, Audited, Opinions, PublishedList, audit
from pipeline.scoring.naive import naive_score
from pipeline.scoring.standings import standings
from schemas.control import PinnedList, RescoringAccepted, ScorePublished
from schemas.record import Record, Role, Stamped
from schemas.terms import ListId, RecordId, SourceId
from tests.builders import (
    EVENT,
    awarded,
    conditions,
    entered,
    field,
    movement,
    noted,
    placement,
    replaced,
    result,
    score_published,
    session_finalised,
    slot,
    voided,
    withdrawn,
)
from tests.scoring.evening import at, clock, told

LIST = ListId("1/all")
PLAYED = [result(1, "a", "b"), result(1, "c", "d", tricks=9, table=2)]


def digest(entries: Iterable[Stamped | Record]) -> str:
    return standings(told(*entries).event, LIST)[0].digest


def others(mine: Iterable[Record], theirs: Iterable[Record]) -> dict[Audited, AuditDifference]:
    """Where two witnesses differ who were told different evenings: the last difference of each kind."""
    found = Opinions(told(*mine).event, naive_score(told(*theirs).entries)).differences()
    return {difference.audited: difference for difference in found}


def test_an_empty_log_and_an_honest_one_have_no_differences() -> None:
    assert audit([]) == ()
    assert audit(told(PLAYED, awarded(slot(2)), score_published()).entries) == ()


@pytest.mark.parametrize("preset", ["exact", "acbl", "butler", "cross_imps", "ebu2025", "law1963_pairs"])
def test_every_preset_is_audited_alike(preset: str) -> None:
    """Also where totals are factored up to all boards, or rounded."""
    evening = told(conditions(preset), field([300, 200, 100, 0]), field([200, 100], board=2))
    assert audit(evening.entries) == ()


def test_a_witness_who_heard_another_result() -> None:
    change = replaced(PLAYED[0], tricks=8)
    found = others([*PLAYED, change], PLAYED)
    assert {Audited.VERDICT, Audited.EFFECTIVE, Audited.POINTS, Audited.TOTAL, Audited.RANK} == set(found)
    assert found[Audited.VERDICT].refold == "read"
    assert found[Audited.VERDICT].other is None
    assert str(found[Audited.VERDICT]) == f"{EVENT}: verdict {change.identity}: read, but -"
    assert found[Audited.EFFECTIVE].refold == change.identity
    assert found[Audited.EFFECTIVE].other == PLAYED[0].identity
    assert found[Audited.POINTS].where == "1/A/r1/t2/b1 EW"
    emptied = others([*PLAYED, voided(PLAYED[0])], PLAYED)
    assert emptied[Audited.EFFECTIVE].refold is None
    back = others(PLAYED, [*PLAYED, change])
    assert (back[Audited.VERDICT].refold, back[Audited.VERDICT].other) == (None, "accepted -")


def test_a_witness_who_saw_other_people_or_another_deal() -> None:
    plan = movement([placement(1, 1, "a", "b", [1]), placement(1, 2, "c", "d", [1])])
    unsaid = [result(1), result(1, table=2, tricks=9)]
    elsewhere = replace(plan, id=RecordId("movement"))
    other = [elsewhere, *(replace(one, ns=None) for one in unsaid)]
    sat = movement(
        [placement(1, 1, "x", "b", [1]), placement(1, 2, "c", "d", [1]), placement(1, 3, "e", "f", [1])]
    )
    found = others([plan, *unsaid], [sat, *unsaid])
    assert found[Audited.SEATED].refold == "a b"
    assert found[Audited.SEATED].other == "x b"
    assert (found[Audited.DEAL_CLOSED].refold, found[Audited.DEAL_CLOSED].other) == ("True", "False")
    assert found[Audited.TOTAL].other is not None
    assert others([plan, *unsaid], other).keys() == {Audited.VERDICT}


def test_a_witness_with_a_slot_or_list_that_the_refold_has_not() -> None:
    more = result(1, "x", "y", table=3, session="2")
    found = others(PLAYED, [*PLAYED, more])
    assert found[Audited.EFFECTIVE].refold is None
    assert found[Audited.LIST].where == "2/all"
    assert found[Audited.LIST].other == "2 contestants"
    third = others([*PLAYED, noted(1, 3, 50)], PLAYED)
    assert third[Audited.RANK].other is None  # the witness has no such contestant
    assert others(PLAYED, [*PLAYED, noted(1, 3, 50)])[Audited.TOTAL].refold is None


def test_a_witness_who_heard_one_identity_say_two_things() -> None:
    twice = replace(PLAYED[0], entered_by=None, ns=None)
    for mine, theirs in (([*PLAYED, twice], PLAYED), (PLAYED, [*PLAYED, twice])):
        found = others(mine, theirs)
        assert found.keys() == {Audited.CONFLICT}
        assert found[Audited.CONFLICT].where.startswith(PLAYED[0].identity)


# What was published.


def pinned(value: str) -> ScorePublished:
    return replace(score_published(), lists=(PinnedList(LIST, value),))


def test_a_pinned_list_is_held_to_what_had_been_said_before_it() -> None:
    right = pinned(digest(PLAYED))
    after = replaced(PLAYED[0], tricks=8)
    assert audit(told(PLAYED, right, after).entries) == ()
    (wrong,) = audit(told(PLAYED, pinned("0" * 64), after).entries)
    assert (wrong.audited, wrong.other) == (Audited.DIGEST, "0" * 64)
    assert wrong.where == f"{LIST} of {right.identity}"
    assert wrong.refold == digest(PLAYED)
    final = replace(session_finalised(), lists=(PinnedList(LIST, "0" * 64),))
    found = audit(told(PLAYED, at("22:10", right), at("22:41", final)).entries)
    assert [difference.where for difference in found] == [f"{LIST} of {final.identity}"]


def test_a_pin_that_was_taken_back_is_still_held_to_and_a_refused_one_is_not() -> None:
    wrong = pinned("0" * 64)
    assert len(audit(told(PLAYED, wrong, withdrawn(wrong)).entries)) == 1
    early = replace(session_finalised(), lists=(PinnedList(LIST, "0" * 64),))
    assert audit(told(PLAYED, early).entries) == ()  # no publication
    assert len(audit(told(wrong, PLAYED).entries)) == 1  # pinned before anything was said
    nowhere = replace(score_published(), lists=(PinnedList(ListId("9/all"), "0" * 64),))
    (difference,) = audit(told(PLAYED, nowhere).entries)
    assert difference.refold is None


def test_a_rescoring_that_was_accepted_excuses_a_changed_list() -> None:
    rescored = RescoringAccepted(
        event=EVENT,
        id=RecordId("rescored"),
        source=SourceId("office"),
        role=Role.ORGANISER,
        scoring_version=2,
        lists=(PinnedList(LIST, digest(PLAYED)),),
    )
    old = pinned("0" * 64)
    assert audit(told(PLAYED, old, rescored).entries) == ()
    assert len(audit(told(PLAYED, old, replace(rescored, role=Role.TABLE)).entries)) == 1


def test_a_list_from_elsewhere_is_held_to_its_own_moment() -> None:
    evening = told(PLAYED, at("21:00", noted(1, 3, 50)), at("21:01", entered("z", 9)))
    then = PublishedList(LIST, digest(PLAYED), clock("20:59"))
    assert audit(evening.entries, [then]) == ()
    now = PublishedList(LIST, digest(PLAYED))
    (difference,) = audit(evening.entries, [now])
    assert difference.where == f"{LIST} as published"
    (difference,) = audit(evening.entries, [replace(then, digest="0" * 64)])
    assert difference.where == f"{LIST} as published at {clock('20:59')}"
    nothing_yet = PublishedList(LIST, digest(evening.entries), 0)
    assert audit(evening.entries, [nothing_yet]) == ()
