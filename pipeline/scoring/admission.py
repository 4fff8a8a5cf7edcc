"""May this result come into its slot at all? Seats, score and session (docs/semantics.md section 4)."""

from dataclasses import astuple

from pipeline.rules.contract_score import ns_points, possible
from pipeline.scoring.facts import AtSlot, Facts
from pipeline.scoring.record_set import Place
from pipeline.scoring.standing import HOLDER_OF, Effective, Entry, Holder
from pipeline.scoring.verdict import require_authority, to_director
from schemas.deal import Played, ScoreOnly
from schemas.decisions import Reason, Refused
from schemas.record import Role, Slot
from schemas.results import BoardResult
from schemas.terms import ContestantId


def admit(slot: Slot, entry: Entry, record: BoardResult, facts: Facts, seats: AtSlot | None) -> Effective:
    """Check a table's result by itself, whatever else was said about the slot; `seats` as known at its place.

    Raises Refused.
    """
    require_authority(record)
    place = entry.place
    facts.require_session(slot.session, place)
    if seats is not None and record.role is not Role.IMPORTER:
        _require_seats(slot, record, seats)
    if facts.first_entry < place:
        if record.ns is not None:
            _require_entered(record.ns, facts, place)
        if record.ew is not None:
            _require_entered(record.ew, facts, place)
        if record.players is not None:
            for name in astuple(record.players):
                _require_entered(name, facts, place)
    if record.score_ns is not None or isinstance(record.result, ScoreOnly):
        _require_score(slot, record, facts, place)
    if facts.session(slot.session).is_final(place):
        raise to_director(
            Reason.SESSION_FINAL, field="session", value=slot.session, rule="the result is final"
        )
    return Effective(
        entry.identity,
        record.result,
        HOLDER_OF.get(record.role, Holder.DIRECTOR),
        record.source,
        record.ns,
        record.ew,
        record.entered_by,
        record.ending,
    )


def _require_seats(slot: Slot, record: BoardResult, seats: AtSlot) -> None:
    if not seats.table_known:
        raise to_director(
            Reason.UNKNOWN_TABLE,
            field="slot.table",
            value=f"{slot.section}{slot.table}",
            rule=f"a table of round {slot.round} of the movement",
        )
    if not seats.board_known:
        raise to_director(
            Reason.BOARD_NOT_AT_TABLE,
            field="slot.board",
            value=slot.board,
            rule=f"a board of table {slot.section}{slot.table} in round {slot.round}",
        )
    if seats.ns is None or seats.ew is None:
        raise to_director(
            Reason.SITS_OUT,
            field="slot.table",
            value=f"{slot.section}{slot.table}",
            rule=f"two contestants sit there in round {slot.round}",
        )
    if record.ns in (None, seats.ns) and record.ew in (None, seats.ew):
        return
    as_seated = record.ns in (None, seats.ns)
    name, said, seated = ("ew", record.ew, seats.ew) if as_seated else ("ns", record.ns, seats.ns)
    raise to_director(Reason.PAIR_NOT_AT_TABLE, field=name, value=said, rule=f"{seated} sits there")


def _require_entered(contestant: ContestantId, facts: Facts, place: Place) -> None:
    entered = facts.entered_at.get(contestant)
    if entered is None or not entered < place:
        raise to_director(
            Reason.UNKNOWN_CONTESTANT, field="contestant", value=contestant, rule="entered in this event"
        )


def _require_score(slot: Slot, record: BoardResult, facts: Facts, place: Place) -> None:
    result = record.result
    if isinstance(result, ScoreOnly):
        vulnerability = facts.vulnerability(slot, place)
        if not possible(result.ns_points, vulnerability, facts.conditions_at(place).score_table):
            raise Refused(
                Reason.SCORE_IMPOSSIBLE,
                field="result.ns_points",
                value=result.ns_points,
                rule=f"no contract scores that with vulnerability {vulnerability}",
                article="Law 77",
            )
    elif isinstance(result, Played) and record.role is not Role.IMPORTER:
        vulnerability = facts.vulnerability(slot, place)
        score = ns_points(result, vulnerability, facts.conditions_at(place).score_table)
        if score != record.score_ns:
            raise to_director(
                Reason.SCORE_CONTRADICTS_CONTRACT,
                field="score_ns",
                value=record.score_ns,
                rule=f"the contract scores {score}",
            )
