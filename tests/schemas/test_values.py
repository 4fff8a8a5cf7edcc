"""What can be said of a board, a slot and a ruling, and what cannot."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from schemas.corrections import Award, MoveResult, ResultUpheld, SwapDirections, VoidResult
from schemas.deal import Adjusted, Artificial, Assigned, Contract, Played, ScoreOnly, Weighted
from schemas.decisions import Reason, Refused, Verdict
from schemas.record import Role, SlotChange
from schemas.results import Subject
from schemas.terms import (
    AwardKind,
    ContestantId,
    Direction,
    Doubling,
    EventId,
    Identity,
    Points,
    RecordId,
    Seat,
    SourceId,
    Strain,
    Tricks,
    Vulnerability,
)
from tests.builders import award_of, contract_of, result, slot


@pytest.mark.parametrize("level", [0, 8, -1])
def test_a_contract_is_for_one_to_seven_odd_tricks(level: int) -> None:
    with pytest.raises(ValueError, match=r"not 1 to 7 \(Law 18A\)"):
        Contract(level, Strain.SPADES, Doubling.UNDOUBLED, Seat.N)


@pytest.mark.parametrize("tricks", [-1, 14])
def test_a_side_wins_none_to_thirteen_tricks(tricks: int) -> None:
    with pytest.raises(ValueError, match=r"not 0 to 13 \(Law 1\)"):
        Played(contract_of("4S", "N"), Tricks(tricks))


@pytest.mark.parametrize("points", [5, 425, 7610, -7610])
def test_a_score_is_a_multiple_of_ten_that_one_deal_can_give(points: int) -> None:
    # 7NT redoubled, thirteen down, vulnerable: 7600 (Law 77).
    ScoreOnly(Points(-7600))
    with pytest.raises(ValueError, match="not a score of one deal"):
        ScoreOnly(Points(points))


@pytest.mark.parametrize("weight", [Fraction(0), Fraction(-1, 2), Fraction(3, 2)])
def test_a_weight_is_above_none_and_at_most_all(weight: Fraction) -> None:
    with pytest.raises(ValueError, match="not above 0 and at most 1"):
        Weighted(Points(420), weight)


@pytest.mark.parametrize("weights", [(), (Fraction(1, 2),), (Fraction(2, 3), Fraction(1, 2))])
def test_weights_add_up_to_one(weights: tuple[Fraction, ...]) -> None:
    with pytest.raises(ValueError, match="do not add up to 1"):
        Assigned(tuple(Weighted(Points(420), weight) for weight in weights))


def test_a_contract_is_written_as_it_is_called() -> None:
    assert str(contract_of("3NTxx", "E")) == "3NTxx"
    assert str(contract_of("1C", "E")) == "1C"


def test_each_side_has_its_own_score_of_an_adjusted_board() -> None:
    ns, ew = Artificial(AwardKind.AVE_PLUS), award_of("-420")
    assert Adjusted(ns, ew).of(Direction.NS) is ns
    assert Adjusted(ns, ew).of(Direction.EW) is ew


def test_seats_and_directions_belong_together() -> None:
    assert [seat.direction for seat in Seat] == [Direction.NS, Direction.EW, Direction.NS, Direction.EW]
    assert [direction.other for direction in Direction] == [Direction.EW, Direction.NS]


def test_a_vulnerability_names_the_sides_that_are() -> None:
    vulnerable = {kind: [side for side in Direction if kind.includes(side)] for kind in Vulnerability}
    assert vulnerable == {
        Vulnerability.NONE: [],
        Vulnerability.NS: [Direction.NS],
        Vulnerability.EW: [Direction.EW],
        Vulnerability.BOTH: [Direction.NS, Direction.EW],
    }


def test_a_slot_reads_as_a_path_and_an_identity_as_source_and_id() -> None:
    assert str(slot(17, 4, 9, "B", "2")) == "2/B/r9/t4/b17"
    assert result(17, table=4).identity == "table.A4/result.1.A.r1.t4.b17"


CHANGE = SlotChange(slot(1), Identity("table.A1/1"))


def void(changes: tuple[SlotChange, ...]) -> VoidResult:
    return VoidResult(**SAID, changes=changes)  # type: ignore[arg-type]


def swap(changes: tuple[SlotChange, ...]) -> SwapDirections:
    return SwapDirections(**SAID, changes=changes)  # type: ignore[arg-type]


def uphold(changes: tuple[SlotChange, ...]) -> ResultUpheld:
    return ResultUpheld(**SAID, changes=changes)  # type: ignore[arg-type]


def award(changes: tuple[SlotChange, ...]) -> Award:
    both = Artificial(AwardKind.AVE)
    return Award(**SAID, changes=changes, ns_award=both, ew_award=both)  # type: ignore[arg-type]


SAID = {
    "event": EventId("e"),
    "id": RecordId("1"),
    "source": SourceId("director"),
    "role": Role.DIRECTOR,
    "subject": Subject.RULING,
}


@pytest.mark.parametrize("ruling", [void, swap, uphold, award])
def test_a_ruling_names_a_slot_once(ruling: Callable[[tuple[SlotChange, ...]], object]) -> None:
    ruling((CHANGE, SlotChange(slot(2))))
    with pytest.raises(ValueError, match="a slot is named twice"):
        ruling((CHANGE, SlotChange(slot(2)), SlotChange(slot(1))))


def test_a_result_moves_to_another_slot() -> None:
    with pytest.raises(ValueError, match="moves to another slot than 1/A/r1/t1/b1"):
        MoveResult(**SAID, slot=slot(1), supersedes=Identity("table.A1/1"), to=SlotChange(slot(1)))  # type: ignore[arg-type]


def test_a_refusal_carries_what_it_rests_on() -> None:
    refused = Refused(
        Reason.PAIR_NOT_AT_TABLE, field="ns", value=ContestantId("7"), rule="movement", article="Law 5"
    )
    assert str(refused) == "pair-not-at-table: ns = 7 (movement)"
    assert (refused.verdict, refused.article, refused.effective) == (Verdict.REFUSED, "Law 5", None)
