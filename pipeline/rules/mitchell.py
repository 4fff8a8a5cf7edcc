"""Mitchell movement (Law 8A): NS stay, EW move up one table a round, the boards move down one.

The classic published movement, with its two cures for an even number of tables: skip, or relay and share.
"""

from enum import StrEnum

from pipeline.rules.movements import BoardSets, Seats
from schemas.terms import Direction


class MitchellKind(StrEnum):
    """How EW escape the boards they have played, which with an even number of tables come back half-way."""

    PLAIN = "plain"
    """Nothing done: right for an odd number of tables, or for at most half as many rounds as tables."""
    SKIP = "skip"
    """EW pass over one table once, usually half-way; one round short of the number of tables."""
    RELAY_AND_SHARE = "relay-and-share"
    """A set rests between the middle tables; the first and last table share one. A round for each table."""


def usual_kind(tables: int) -> MitchellKind:
    """The plain movement for an odd number of tables, the skip for an even one.

    >>> usual_kind(9).value, usual_kind(8).value
    ('plain', 'skip')
    """
    return MitchellKind.SKIP if tables % 2 == 0 else MitchellKind.PLAIN


def mitchell(
    tables: int,
    rounds: int,
    boards_per_round: int,
    *,
    first_board: int = 1,
    kind: MitchellKind = MitchellKind.PLAIN,
    skip_after: int | None = None,
    arrow_switch_rounds: frozenset[int] = frozenset(),
    ew_offset: int | None = None,
    missing: int | None = None,
    missing_direction: Direction | None = None,
) -> tuple[Seats, ...]:
    """Return the seats of a Mitchell by round and table; each pair starts at the table of its number.

    `skip_after` is the round before the skip, by default half the tables. `ew_offset` is what EW numbers add
    to the starting table: by default the number of tables (t+1 to 2t), or 0 for two series (two winners).
    `missing` is the phantom's number; two series need `missing_direction` too.
    Rematches and repeated boards are dealt out where asked for: `movement_check.check` flags them.

    Raises ValueError where the settings contradict each other.

    >>> [row.table for row in mitchell(8, 7, 3, kind=MitchellKind.SKIP) if row.ew == 9]  # skip after round 4
    [1, 2, 3, 4, 6, 7, 8]
    """
    _refuse_contradictions(tables, rounds, kind, skip_after, arrow_switch_rounds)
    offset = tables if ew_offset is None else ew_offset
    phantoms = _phantoms(tables, offset, missing, missing_direction)
    if offset == 0 and arrow_switch_rounds:
        raise ValueError("after an arrow switch both directions need one series of numbers: ew_offset is 0")
    sets = BoardSets(boards_per_round, first_board)
    last_before_skip = tables // 2 if skip_after is None else skip_after
    seats = []
    for played in range(rounds):  # rounds behind us
        skipped = int(kind is MitchellKind.SKIP and played >= last_before_skip)
        for table in range(1, tables + 1):
            # The set at rest between the middle tables puts those above it one set ahead; so the last table
            # comes to hold the set of table 1.
            relayed = int(kind is MitchellKind.RELAY_AND_SHARE and table > tables // 2)
            ns, ew = table, (table - 1 - played - skipped) % tables + 1
            row = Seats(
                round=played + 1,
                table=table,
                ns=None if (Direction.NS, ns) in phantoms else ns,
                ew=None if (Direction.EW, ew + offset) in phantoms else ew + offset,
                boards=sets.numbered((table - 1 + played + relayed) % tables + 1),
            )
            seats.append(row.arrow_switched() if row.round in arrow_switch_rounds else row)
    return tuple(seats)


def _refuse_contradictions(
    tables: int, rounds: int, kind: MitchellKind, skip_after: int | None, arrow_switch_rounds: frozenset[int]
) -> None:
    if tables < 2:
        raise ValueError(f"{tables} tables: a Mitchell needs two")
    if not 1 <= rounds <= tables:
        raise ValueError(f"{rounds} rounds: {tables} tables hold boards for 1 to {tables}")
    if kind is not MitchellKind.PLAIN and tables % 2:
        raise ValueError(f"{tables} tables: only an even number needs {kind.value}")
    if skip_after is not None and (kind is not MitchellKind.SKIP or not 1 <= skip_after < tables):
        raise ValueError(f"skip after round {skip_after}: {kind.value} at {tables} tables has no such skip")
    if not arrow_switch_rounds <= set(range(1, rounds + 1)):
        raise ValueError(f"arrow switch in rounds {sorted(arrow_switch_rounds)}: there are {rounds} rounds")


def _phantoms(
    tables: int, offset: int, missing: int | None, direction: Direction | None
) -> frozenset[tuple[Direction, int]]:
    """The one phantom by direction and number, or none."""
    if 0 < offset < tables or offset < 0:
        raise ValueError(f"ew_offset {offset}: EW numbers would meet those of NS, which are 1 to {tables}")
    if missing is None:
        return frozenset()
    sides = ((Direction.NS, range(1, tables + 1)), (Direction.EW, range(offset + 1, offset + tables + 1)))
    found = [(side, missing) for side, numbers in sides if missing in numbers and direction in {None, side}]
    if len(found) != 1:
        raise ValueError(
            f"missing pair {missing}: {len(found)} pairs have this number, direction {direction}"
        )
    return frozenset(found)
