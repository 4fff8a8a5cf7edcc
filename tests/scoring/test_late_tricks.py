"""The number of tricks, disputed before and after the end of the round: Law 79B in three editions."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from schemas.decisions import Reason
from schemas.record import Role
from schemas.results import Subject
from tests.builders import (
    awarded,
    conditions,
    leave,
    penalised,
    play_ended,
    replaced,
    requested,
    result,
    round_ended,
    score_published,
    voided,
)
from tests.scoring.evening import ACCEPTED, EW, at, refused, told

EDITIONS = {"1963": "law1963_pairs", "1997": "danish1997", "2017": "exact"}
PLAYED = result(1, "n", "e", tricks=10)  # 4 spades by North, nobody vulnerable: 420
NINE = replaced(PLAYED, tricks=9, subject=Subject.TRICKS)  # -50: East-West's score goes up
ELEVEN = replaced(PLAYED, tricks=11, subject=Subject.TRICKS)  # 450: North-South's goes up
SAME = replaced(PLAYED, tricks=10, subject=Subject.TRICKS)
ONE_DOWN = replace(awarded(PLAYED, "420", "450", id="one-down"), subject=Subject.TRICKS)
"""East-West lose a trick's worth, North-South win nothing by it."""
OTHER_DOWN = replace(awarded(PLAYED, "-50", "420", id="other-down"), subject=Subject.TRICKS)
BOTH_UP = replace(awarded(PLAYED, "450", "400", id="both-up"), subject=Subject.TRICKS)
ROUND_OVER, PERIOD_OVER = refused(Reason.ROUND_OVER), refused(Reason.PERIOD_OVER)


@pytest.mark.parametrize("edition", EDITIONS)
def test_called_during_the_round_the_director_settles_it_either_way(edition: str) -> None:
    for change in (NINE, ELEVEN, ONE_DOWN):
        evening = told(conditions(EDITIONS[edition]), PLAYED, change, round_ended(1))
        assert evening.verdict(change) == ACCEPTED
        assert evening.stands(PLAYED.slot) == change.identity


@pytest.mark.parametrize(
    ("edition", "expected", "article"),
    [
        ("1963", [ROUND_OVER] * 6, "1963 article 92"),
        ("1997", [PERIOD_OVER, PERIOD_OVER, ACCEPTED, ACCEPTED, ACCEPTED, PERIOD_OVER], "Law 79B"),
        (
            "2017",
            [ACCEPTED] * 6,
            None,
        ),  # in the correction period, as far as the director is convinced
    ],
)
def test_called_after_the_round(edition: str, expected: Sequence[object], article: str | None) -> None:
    """1963 changes nothing; 1997 raises nobody's score, but lowers one side's without raising the other's."""
    changes = (NINE, ELEVEN, SAME, ONE_DOWN, OTHER_DOWN, BOTH_UP)
    for change, verdict in zip(changes, expected, strict=True):
        evening = told(conditions(EDITIONS[edition]), PLAYED, round_ended(1), change)
        assert evening.verdict(change) == verdict, change
        assert evening.article(change) == (None if verdict == ACCEPTED else article)


def test_the_refusal_names_the_round_or_the_slot() -> None:
    evening = told(conditions("law1963_pairs"), PLAYED, round_ended(1), NINE)
    assert (evening.decision(NINE).field, evening.decision(NINE).value) == ("round", "1")
    evening = told(conditions("danish1997"), PLAYED, round_ended(1), NINE)
    assert (evening.decision(NINE).field, evening.decision(NINE).value) == ("result", "1/A/r1/t1/b1")


def test_one_side_is_lowered_and_keeps_its_own_score_on_the_traveller() -> None:
    other = result(1, "x", "y", table=2, tricks=10)
    evening = told(conditions("danish1997"), PLAYED, other, round_ended(1), OTHER_DOWN)
    assert evening.board() == [0, 2]  # -50 against 420 in North-South's chart
    assert evening.board(side=EW) == [1, 1]  # 420 twice in East-West's


@pytest.mark.parametrize("edition", ["1997", "1963"])
def test_the_round_ends_with_its_section_for_all_or_with_play(edition: str) -> None:
    preset = conditions(EDITIONS[edition])
    late = ROUND_OVER if edition == "1963" else PERIOD_OVER
    for ended in (round_ended(1), round_ended(1, section="A"), play_ended()):
        assert told(preset, PLAYED, ended, NINE).verdict(NINE) == late
    for elsewhere in (round_ended(2), round_ended(1, section="B"), round_ended(1, session="2")):
        assert told(preset, PLAYED, elsewhere, NINE).verdict(NINE) == ACCEPTED


def test_said_at_the_very_moment_the_round_ends_is_in_time() -> None:
    preset = conditions("law1963_pairs")
    assert told(preset, PLAYED, at("20:30", round_ended(1)), at("20:30", NINE)).verdict(NINE) == ACCEPTED
    assert told(preset, PLAYED, at("20:30", play_ended()), at("20:30", NINE)).verdict(NINE) == ACCEPTED
    assert told(preset, PLAYED, at("20:30", round_ended(1)), at("20:30:01", NINE)).verdict(NINE) == ROUND_OVER


def test_a_round_ends_once() -> None:
    again = round_ended(1, section="A")
    evening = told(
        conditions("law1963_pairs"),
        PLAYED,
        at("20:30", round_ended(1)),
        at("20:40", again),
        at("20:35", NINE),
    )
    assert evening.verdict(NINE) == ROUND_OVER


def test_in_2017_late_tricks_have_the_correction_period() -> None:
    """Law 79B3: the director changes both scores only if clearly convinced, which no record can tell."""
    official = at("22:10", score_published())
    assert told(PLAYED, round_ended(1), official, at("22:40", NINE)).verdict(NINE) == ACCEPTED
    late = told(PLAYED, round_ended(1), official, at("22:41", NINE))
    assert late.verdict(NINE) == PERIOD_OVER
    assert late.article(NINE) == "Law 79B"


def test_in_1963_and_1997_the_correction_period_has_no_say_over_tricks() -> None:
    official = at("22:10", score_published())
    evening = told(conditions("danish1997"), PLAYED, round_ended(1), official, at("23:30", ONE_DOWN))
    assert evening.verdict(ONE_DOWN) == ACCEPTED
    evening = told(conditions("law1963_pairs"), PLAYED, official, at("23:30", NINE))
    assert evening.verdict(NINE) == ACCEPTED  # the round never ended


def test_a_request_counts_as_raising_somebodys_score() -> None:
    asked = requested(PLAYED, subject=Subject.TRICKS)
    for edition, late in (("1963", ROUND_OVER), ("1997", PERIOD_OVER), ("2017", ACCEPTED)):
        preset = conditions(EDITIONS[edition])
        assert told(preset, PLAYED, asked, round_ended(1)).verdict(asked) == ACCEPTED
        assert told(preset, PLAYED, round_ended(1), asked).verdict(asked) == late


@pytest.mark.parametrize("edition", ["1963", "1997"])
def test_asked_for_during_the_round_or_by_leave_it_is_changed_afterwards(edition: str) -> None:
    asked, allowed = requested(PLAYED, subject=Subject.TRICKS), leave()
    change = replace(NINE, request=asked.identity)
    evening = told(conditions(EDITIONS[edition]), PLAYED, asked, round_ended(1), change)
    assert evening.verdict(change) == ACCEPTED
    change = replace(NINE, override=allowed.identity)
    evening = told(conditions(EDITIONS[edition]), PLAYED, round_ended(1), allowed, change)
    assert evening.verdict(change) == ACCEPTED


def test_what_is_not_known_on_one_side_is_raised_by_nothing() -> None:
    """An artificial score, an empty slot and a weighted score: only what is known before and after counts."""
    preset = conditions("danish1997")
    artificial = awarded(PLAYED, "ave-", "ave-")
    after = replaced(PLAYED, tricks=11, subject=Subject.TRICKS, supersedes=artificial)
    evening = told(preset, PLAYED, artificial, round_ended(1), after)
    assert evening.verdict(after) == ACCEPTED
    gone = voided(PLAYED)
    into = replace(NINE, supersedes=None)
    assert told(preset, PLAYED, gone, round_ended(1), into).verdict(into) == ACCEPTED
    emptied = replace(voided(PLAYED), subject=Subject.TRICKS)
    assert told(preset, PLAYED, round_ended(1), emptied).verdict(emptied) == ACCEPTED
    above = replace(awarded(PLAYED, "50% 420,50% 450", "420"), subject=Subject.TRICKS)
    assert told(preset, PLAYED, round_ended(1), above).verdict(above) == PERIOD_OVER
    below = replace(awarded(PLAYED, "50% 420,50% -50", "420"), subject=Subject.TRICKS)
    assert told(preset, PLAYED, round_ended(1), below).verdict(below) == ACCEPTED


def test_a_score_is_raised_by_the_vulnerability_of_its_board() -> None:
    """Board 2, North-South vulnerable: 4 spades made are 620 and not 420."""
    two = result(2, "n", "e", tricks=10)
    down = replace(awarded(two, "620", "620"), subject=Subject.TRICKS)
    evening = told(conditions("danish1997"), two, round_ended(1), down)
    assert evening.verdict(down) == ACCEPTED
    up = replace(awarded(two, "630", "620"), subject=Subject.TRICKS)
    evening = told(conditions("danish1997"), two, round_ended(1), up)
    assert evening.verdict(up) == PERIOD_OVER


def test_without_a_slot_only_play_ends_the_round() -> None:
    fine = replace(penalised("n"), subject=Subject.TRICKS)
    preset = conditions("law1963_pairs")
    assert told(preset, PLAYED, round_ended(1), fine).verdict(fine) == ACCEPTED
    late = told(preset, PLAYED, play_ended(), fine)
    assert late.verdict(fine) == ROUND_OVER
    assert late.decision(fine).value == ""
    fine = replace(fine, id=NINE.id)
    assert told(conditions("danish1997"), PLAYED, play_ended(), fine).verdict(fine) == ACCEPTED


def test_a_scorer_settles_no_tricks() -> None:
    change = replace(NINE, role=Role.SCORER)
    assert told(PLAYED, change).verdict(change) == refused(Reason.NOT_AUTHORISED)
