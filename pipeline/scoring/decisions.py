"""The verdict on a record as a message: what its slots, or the facts, say of it."""

from typing import TYPE_CHECKING, Final

from pipeline.scoring.record_set import END, names, slot_key, slots_named
from pipeline.scoring.verdict import ACCEPTED, WITHDRAWN, Judgement, judged
from schemas.corrections import RecordWithdrawn
from schemas.decisions import Decision, Reason, Refused, Verdict
from schemas.record import Record, Slot, Stamped
from schemas.terms import Identity

if TYPE_CHECKING:
    from pipeline.scoring.event import Event

_WORST: Final = {
    Verdict.WITHDRAWN: 0,
    Verdict.ACCEPTED: 1,
    Verdict.WAITING_FOR_DIRECTOR: 2,
    Verdict.REFUSED: 3,
    Verdict.WAITING_FOR_REFERENCE: 4,
}


def decision(event: "Event", identity: Identity) -> Decision | None:
    """The verdict on a record; None for one that has not been read."""
    stamped = event.records.by_identity.get(identity)
    if stamped is None:
        return None
    judgement, slot = judgement_of(event, identity, stamped)
    return Decision(
        event.id,
        identity,
        getattr(stamped.record, "kind", ""),
        judgement.verdict,
        judgement.reason,
        judgement.field,
        judgement.value,
        judgement.rule,
        judgement.article,
        judgement.flags,
        slot,
        judgement.effective,
        stamped.stamp,
    )


def judgement_of(event: "Event", identity: Identity, stamped: Stamped) -> tuple[Judgement, Slot | None]:
    """A record's worst verdict over its slots, with that slot."""
    record = stamped.record
    if record.original_stamp is not None and not event.records.is_honoured(stamped):
        refused = Refused(
            Reason.IMPORT_INTO_LIVE_EVENT,
            field="original_stamp",
            value=record.original_stamp.time_us,
            rule="only in an event with no live record",
        )
        return judged(refused), None
    if identity in names(record):
        return judged(_itself(identity, record)), None
    if identity in event.history.withdrawn_at(END):
        return WITHDRAWN, None
    missing = event.records.missing(stamped)
    if missing:
        waits = Judgement(
            Verdict.WAITING_FOR_REFERENCE,
            Reason.REFERENCE_UNKNOWN,
            field="record",
            value=missing[0],
            rule="a record that has been read",
        )
        return waits, None
    slots = () if isinstance(record, RecordWithdrawn) else slots_named(record)
    if not slots:
        return event.history.judgements.get(identity, ACCEPTED), None
    found = [((event.slots[slot_key(slot)].judgements or {}).get(identity, ACCEPTED), slot) for slot in slots]
    return max(found, key=lambda pair: (_WORST[pair[0].verdict], bool(pair[0].flags)))


def _itself(identity: Identity, record: Record) -> Refused:
    withdraws = isinstance(record, RecordWithdrawn) and record.record == identity
    return Refused(
        Reason.WITHDRAWS_ITSELF if withdraws else Reason.SUPERSEDES_ITSELF,
        field="record" if withdraws else "supersedes",
        value=identity,
        rule="a record names others",
    )


def conflict(event: "Event", identity: Identity, digest: str) -> Decision:
    """The refusal of another content under a taken identity."""
    stamped = event.records.conflicts[identity, digest]
    return Decision(
        event.id,
        identity,
        getattr(stamped.record, "kind", ""),
        Verdict.REFUSED,
        Reason.IDENTITY_TAKEN,
        "id",
        identity,
        "one content for one identity",
        stamp=stamped.stamp,
        payload_digest=digest,
    )
