"""Why so many IMPs in a match: both tables of a board, as one team sees them."""

from fractions import Fraction
from typing import Final, cast

from pipeline.rules.imps import imps
from pipeline.scoring.board import Board, Key, Line
from pipeline.scoring.explain.steps import NetRow, Step, TwoTables
from pipeline.scoring.record_set import SlotKey
from schemas.conditions import Conditions
from schemas.deal import Weighted
from schemas.record import Slot
from schemas.terms import BoardNumber, Direction, Points, SectionId, SessionId

_LAW: Final = "Law 78B, 1963 articles 87 and 88: own North-South score plus own East-West score"


def steps(board: Board, line: Line, direction: Direction, conditions: Conditions) -> tuple[Step, ...]:
    """Law 78B: the steps of the team that sits in a direction at a line; none where nothing compares."""
    lines = sorted((one for one in board.lines.values() if one.home is not None), key=lambda one: one.slot)
    if len(lines) != 2 or lines[0].home is lines[1].home or lines[0].form != lines[1].form:
        return ()
    is_home = line.home is direction
    at_ns, at_ew = sorted(lines, key=lambda one: (one.home is Direction.NS) is not is_home)
    # A team without an award has a score at both tables.
    own, other = cast("Key", at_ns.ns_key), cast("Key", at_ew.ew_key)
    rows = tuple(_row(here, there, conditions) for here in _parts(own) for there in _parts(other))
    gives = sum((row.weight * row.imps for row in rows), Fraction(0))
    law = _LAW if len(rows) == 1 else f"{_LAW}; Law 12C1c"
    return (
        TwoTables(ns_table=_slot(at_ns.slot), ew_table=_slot(at_ew.slot), rows=rows, gives=gives, law=law),
    )


def _row(here: Weighted, there: Weighted, conditions: Conditions) -> NetRow:
    net = Points(here.ns_points - there.ns_points)
    return NetRow(
        at_ns_table=here.ns_points,
        at_ew_table=Points(-there.ns_points),
        net=net,
        imps=imps(net, conditions.imp_scale),
        weight=here.weight * there.weight,
    )


def _parts(key: Key) -> tuple[Weighted, ...]:
    return (Weighted(Points(key), Fraction(1)),) if isinstance(key, int) else key


def _slot(key: SlotKey) -> Slot:
    session, section, round_number, table, board = key
    return Slot(SessionId(session), SectionId(section), round_number, table, BoardNumber(board))
