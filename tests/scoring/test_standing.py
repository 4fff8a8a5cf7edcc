"""Where a result was moved from: compared move by move, however long the chain."""

from pipeline.scoring.standing import Effective, Holder, Moved
from schemas.deal import PassedOut
from schemas.terms import Identity
from tests.builders import slot


def chain(moves: int, first: int = 1) -> Moved:
    """A result that went from board to board."""
    effective = Effective(Identity("table/1"), PassedOut(), Holder.TABLE, "table")
    moved = Moved(slot(first), effective)
    for number in range(moves):
        moved = Moved(slot(number + 2), effective._replace(moved=moved))
    return moved


def test_two_chains_of_the_same_moves_are_one() -> None:
    assert chain(3_000) == chain(3_000)
    assert hash(chain(3_000)) == hash(chain(3_000))
    assert len({chain(2), chain(2)}) == 1


def test_chains_differ_by_any_move_and_by_their_length() -> None:
    assert chain(3_000) != chain(3_000, first=9_999)
    assert chain(2) != chain(3)
    assert chain(0) != None  # noqa: E711 - what it is compared with where nothing was moved
