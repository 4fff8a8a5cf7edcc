"""Corrections, protests and disputed tricks: clocks and articles of 1963, 1997 and 2017."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.rules.contract_score import contract_score
from pipeline.rules.periods import (
    Matter,
    Officer,
    TrickRuling,
    article,
    clock_start,
    correction_article,
    deadline,
    in_advance,
    in_time,
    late_tricks,
    may_change_period,
    protest_admissible,
)
from schemas.deal import Contract
from schemas.policies import ClockStart, LateTricks, Lengthener
from schemas.terms import Doubling, Seat, Strain, Tricks, Vulnerability

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
CASES = json.loads((GOLDEN / "source_rules.json").read_text(encoding="utf-8"))
MINUTE_US = 60 * 10**6
EDITIONS = {"1963": LateTricks.LAW_1963, "law7": LateTricks.LAW_1997}
MATTERS = {
    "unlawful act of a contestant": Matter.CONTESTANT_ACT,
    "improper act of a contestant": Matter.CONTESTANT_ACT,
    "decision of the director": Matter.DIRECTOR_ACT,
    "wrong entry in the score": Matter.SCORE_ENTRY,
}


def at(clock: str) -> int:
    """A time of day in microseconds."""
    hours, minutes = clock.split(":")
    return (int(hours) * 60 + int(minutes)) * MINUTE_US


@pytest.mark.parametrize("case", CASES["corrections"], ids=[case["id"] for case in CASES["corrections"]])
def test_a_correction_is_in_time_until_the_last_moment_of_its_period(case: dict[str, Any]) -> None:
    end = deadline(at(case["official_score_released"]), case["period_minutes"])
    assert end == at(case["deadline"])
    assert in_time(at(case["request_at"]), end) is case["in_time"]


def test_a_microsecond_decides() -> None:
    end = deadline(0, 30)
    assert in_time(1_800_000_000, end)
    assert not in_time(1_800_000_001, end)


@pytest.mark.parametrize("case", CASES["protests"], ids=[case["id"] for case in CASES["protests"]])
def test_a_protest_of_1963_counts_from_the_end_of_the_session(case: dict[str, Any]) -> None:
    matter = MATTERS[case["about"]]
    start = clock_start(ClockStart.SESSION_END, at("22:10"), at(case["session_end"]))
    assert start is not None
    end = deadline(start, 30)
    assert end == at(case["deadline"])
    timely = in_time(at(case["filed_at"]), end)
    assert timely is case["in_time"]
    assert (timely and protest_admissible(matter)) is case["admissible"]


def test_an_appeal_of_2017_counts_from_the_official_score() -> None:
    assert clock_start(ClockStart.SCORE_AVAILABLE, at("22:10"), at("22:00")) == at("22:10")
    assert clock_start(ClockStart.SCORE_AVAILABLE, None, at("22:00")) is None
    assert clock_start(ClockStart.SESSION_END, at("22:10"), None) is None


@pytest.mark.parametrize("case", CASES["what_is_a_correction"], ids=lambda case: case["event"])
def test_a_wrong_entry_is_a_correction_and_a_number_of_tricks_is_not(case: dict[str, Any]) -> None:
    edition = EDITIONS[case["ruleset"][:4]]
    matter = Matter.TRICKS if "tricks" in case["kind"] else Matter.SCORE_ENTRY
    assert (article(matter, edition) == correction_article(edition)) is case["correctable"]
    if "corrected" in case:
        contract = Contract(4, Strain.SPADES, Doubling.UNDOUBLED, Seat.N)
        right = contract_score(contract, Tricks(case["tricks_agreed"]), Vulnerability.NONE)
        assert right == case["corrected"] != case["entered"]


@pytest.mark.parametrize(
    ("matter", "edition", "expected"),
    [
        (Matter.SCORE_ENTRY, LateTricks.LAW_1963, "1963 article 94"),
        (Matter.TRICKS, LateTricks.LAW_1963, "1963 article 92"),
        (Matter.CONTESTANT_ACT, LateTricks.LAW_1963, "1963 article 93"),
        (Matter.DIRECTOR_ACT, LateTricks.LAW_1963, "1963 article 93"),
        (Matter.SCORE_ENTRY, LateTricks.LAW_1997, "Law 79C"),
        (Matter.TRICKS, LateTricks.LAW_2017, "Law 79B"),
        (Matter.CONTESTANT_ACT, LateTricks.LAW_2017, "Law 92B"),
        (Matter.DIRECTOR_ACT, LateTricks.LAW_1997, "Law 92B"),
    ],
)
def test_each_matter_has_its_article(matter: Matter, edition: LateTricks, expected: str) -> None:
    assert article(matter, edition) == expected


@pytest.mark.parametrize(
    ("after", "by", "lengthen_by", "may_shorten", "allowed"),
    [
        (60, Officer.ORGANISER, Lengthener.ORGANISER, False, True),
        (60, Officer.DIRECTOR, Lengthener.ORGANISER, False, False),
        (60, Officer.DIRECTOR, Lengthener.DIRECTOR_OR_ORGANISER, False, True),
        (60, Officer.ORGANISER, Lengthener.DIRECTOR_OR_ORGANISER, False, True),
        (30, Officer.ORGANISER, Lengthener.ORGANISER, False, True),
        (15, Officer.ORGANISER, Lengthener.ORGANISER, False, False),
        (15, Officer.ORGANISER, Lengthener.ORGANISER, True, True),
        (15, Officer.DIRECTOR, Lengthener.DIRECTOR_OR_ORGANISER, True, False),
        (15, Officer.DIRECTOR, Lengthener.ORGANISER, True, False),
    ],
)
def test_a_period_of_30_minutes_is_changed_by_whom_the_conditions_let(
    after: int, by: Officer, lengthen_by: Lengthener, may_shorten: bool, allowed: bool
) -> None:
    assert may_change_period(30, after, by, lengthen_by, may_shorten=may_shorten) is allowed


@pytest.mark.parametrize("case", CASES["tie_rules_published"][:2])
def test_a_tie_is_broken_only_by_a_rule_published_before_the_start(case: dict[str, Any]) -> None:
    published = at("19:00") if case["published_before_start"] else at("19:31")
    assert (case["tie_rule_approved"] and in_advance(published, at("19:30"))) is case["may_break"]


def test_what_is_published_at_the_start_or_never_was_not_published_before_it() -> None:
    assert not in_advance(at("19:30"), at("19:30"))
    assert not in_advance(None, at("19:30"))


@pytest.mark.parametrize("edition", LateTricks)
def test_a_call_before_the_round_ends_may_go_either_way(edition: LateTricks) -> None:
    ruling = late_tricks(edition, round_over=False)
    assert ruling is TrickRuling.EITHER_WAY
    assert ruling.may_raise
    assert ruling.may_lower


@pytest.mark.parametrize(
    ("edition", "convinced", "ruling", "may_raise", "may_lower"),
    [
        (LateTricks.LAW_1963, False, TrickRuling.REFUSED, False, False),
        (LateTricks.LAW_1963, True, TrickRuling.REFUSED, False, False),
        (LateTricks.LAW_1997, False, TrickRuling.RAISING_NOT_OWED, True, True),
        (LateTricks.LAW_1997, True, TrickRuling.RAISING_NOT_OWED, True, True),
        (LateTricks.LAW_2017, False, TrickRuling.LOWER_ONLY, False, True),
        (LateTricks.LAW_2017, True, TrickRuling.EITHER_WAY, True, True),
    ],
)
def test_a_call_after_the_round_is_ruled_by_its_edition(
    edition: LateTricks, convinced: bool, ruling: TrickRuling, may_raise: bool, may_lower: bool
) -> None:
    ours = late_tricks(edition, round_over=True, clearly_convinced=convinced)
    assert ours is ruling
    assert (ours.may_raise, ours.may_lower) == (may_raise, may_lower)


def test_an_agreed_claim_goes_before_the_dispute_and_1963_knows_no_such_rule() -> None:
    for edition in (LateTricks.LAW_1997, LateTricks.LAW_2017):
        for over in (False, True):
            ruling = late_tricks(edition, round_over=over, claim_or_concession=True)
            assert ruling is TrickRuling.CLAIM_LAWS
            assert ruling.may_raise
            assert ruling.may_lower
    refused = late_tricks(LateTricks.LAW_1963, round_over=True, claim_or_concession=True)
    assert refused is TrickRuling.REFUSED
