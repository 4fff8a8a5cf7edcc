"""Law 77 against every score that there is."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.rules.contract_score import contract_score, ns_points, possible, reachable
from schemas.deal import Contract, PassedOut, Played, ScoreOnly
from schemas.policies import ScoringTable
from schemas.terms import Direction, Doubling, Points, Seat, Strain, Tricks, Vulnerability

GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
DOUBLINGS = (Doubling.UNDOUBLED, Doubling.DOUBLED, Doubling.REDOUBLED)
SIDES = {Direction.NS: Vulnerability.NS, Direction.EW: Vulnerability.EW}


def published() -> Iterator[tuple[ScoringTable, Contract, Vulnerability, list[int]]]:
    """Each row for all four declarers, at both vulnerabilities that their side can have it at."""
    with (GOLDEN / "duplicate_score.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            scores = [int(row[str(tricks)]) for tricks in range(14)]
            for seat in Seat:
                contract = Contract(
                    int(row["level"]), Strain(row["strain"]), DOUBLINGS[int(row["doubled"])], seat
                )
                own = SIDES[seat.direction], Vulnerability.BOTH
                others = SIDES[seat.direction.other], Vulnerability.NONE
                for vulnerability in own if row["vulnerable"] == "1" else others:
                    yield ScoringTable(row["ruleset"]), contract, vulnerability, scores


def test_every_contract_at_every_vulnerability_scores_what_the_law_says() -> None:
    rows = 0
    for table, contract, vulnerability, scores in published():
        rows += 1
        ours = [contract_score(contract, Tricks(tricks), vulnerability, table) for tricks in range(14)]
        assert ours == scores, (table, str(contract), vulnerability)
    assert rows == 420 * 4 * 2


def test_north_south_see_the_score_of_east_west_with_the_other_sign() -> None:
    for table, contract, vulnerability, scores in published():
        sign = 1 if contract.declarer in {Seat.N, Seat.S} else -1
        seen = [sign * score for score in scores]
        played = (Played(contract, Tricks(tricks)) for tricks in range(14))
        assert [ns_points(result, vulnerability, table) for result in played] == seen
        assert list(reachable(contract, vulnerability, table)) == seen


def test_the_law_since_1987_is_meant_where_none_is_named() -> None:
    redoubled = Contract(5, Strain.CLUBS, Doubling.REDOUBLED, Seat.N)
    assert contract_score(redoubled, Tricks(12), Vulnerability.BOTH) == 1400
    assert contract_score(redoubled, Tricks(12), Vulnerability.BOTH, ScoringTable.PRE_1987) == 1350
    assert ns_points(Played(redoubled, Tricks(12)), Vulnerability.BOTH) == 1400
    assert reachable(redoubled, Vulnerability.BOTH)[12] == 1400


def test_four_passes_are_nil_and_a_bare_score_is_taken_as_noted() -> None:
    assert ns_points(PassedOut(), Vulnerability.BOTH) == 0
    assert ns_points(ScoreOnly(Points(-130)), Vulnerability.NONE) == -130


@pytest.mark.parametrize("tricks", [-1, 14])
def test_a_deal_has_13_tricks(tricks: int) -> None:
    with pytest.raises(ValueError, match="0 to 13"):
        contract_score(
            Contract(1, Strain.CLUBS, Doubling.UNDOUBLED, Seat.N), Tricks(tricks), Vulnerability.NONE
        )


def test_what_is_possible_is_what_some_contract_can_come_to() -> None:
    reached: dict[tuple[ScoringTable, Vulnerability], set[int]] = {}
    for table, contract, vulnerability, scores in published():
        sign = 1 if contract.declarer in {Seat.N, Seat.S} else -1
        reached.setdefault((table, vulnerability), {0}).update(sign * score for score in scores)
    assert len(reached) == 8
    for (table, vulnerability), scores_at_all in reached.items():
        ours = {points for points in range(-7700, 7701, 10) if possible(Points(points), vulnerability, table)}
        assert ours == scores_at_all


def test_a_game_for_the_wrong_vulnerability_is_not_possible() -> None:
    assert possible(Points(620), Vulnerability.NS)
    assert not possible(Points(620), Vulnerability.EW)
    assert possible(Points(-620), Vulnerability.EW)
    assert not possible(Points(10), Vulnerability.BOTH)
    assert possible(Points(0), Vulnerability.NONE)
    assert possible(Points(-3500), Vulnerability.NONE), "thirteen down doubled, since 1987"
    assert not possible(Points(-3500), Vulnerability.NONE, ScoringTable.PRE_1987)


def test_a_score_form_shows_nothing_but_what_four_spades_can_come_to() -> None:
    """1963 articles 78 and 79: 4S by North, not vulnerable."""
    four_spades = Contract(4, Strain.SPADES, Doubling.UNDOUBLED, Seat.N)
    down = [-50 * tricks for tricks in range(10, 0, -1)]
    assert list(reachable(four_spades, Vulnerability.EW)) == [*down, 420, 450, 480, 510]
