"""Decisions in words: one line a record that does not count."""

from collections.abc import Iterator

from pipeline.scoring.event import Event
from schemas.decisions import Decision, Verdict
from schemas.results import BoardResult


def not_counted(event: Event) -> Iterator[Decision]:
    """The records of an event that are refused or wait, and the conflicting contents, in log order."""
    spoken_of = {name for state in event.slots.values() if state.judgements for name in state.judgements}
    for identity, stamped in event.records.by_identity.items():
        record = stamped.record
        # Most are a slot's only result, of which the slot would say so: there is no need to ask for each.
        plain = type(record) is BoardResult and record.supersedes is None and record.original_stamp is None
        if plain and identity not in spoken_of:
            continue
        decision = event.decision(identity)
        if decision is not None and decision.verdict not in {Verdict.ACCEPTED, Verdict.WITHDRAWN}:
            yield decision
    for identity, digest in event.records.conflicts:
        yield event.conflict(identity, digest)


def line_of(decision: Decision) -> str:
    """A decision as one line: verdict, record, reason, and what it rests on."""
    where = "" if decision.slot is None else f" at {decision.slot}"
    why = "" if decision.reason is None else f": {decision.reason.value}"
    rests = "" if decision.field is None else f" ({decision.field} {decision.value}: {decision.rule})"
    law = "" if decision.article is None else f" [{decision.article}]"
    return f"{decision.verdict.value}: {decision.kind} {decision.record}{where}{why}{rests}{law}"
