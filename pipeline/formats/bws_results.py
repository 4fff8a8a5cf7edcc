"""The results of a Bridgemate file: rows of ReceivedData as records that keep the history."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from pipeline.formats.bws_seating import SOURCE, Row, Seating, number, text
from pipeline.formats.imported import BadFile, Note, NoteKind
from pipeline.formats.notation import (
    PASSED_OUT,
    BadNotation,
    artificial,
    contract_of,
    is_pass,
    played,
    relative_tricks,
)
from schemas.codec import AnyRecord
from schemas.corrections import Award, SwapDirections, VoidResult
from schemas.deal import NotPlayed, TableResult
from schemas.record import Role, Slot, SlotChange
from schemas.results import BoardResult, Subject
from schemas.terms import BoardNumber, Direction, EventId, Identity, RecordId

_AWARD: Final = re.compile(r"(\d{1,3})\s*%\s*-\s*(\d{1,3})\s*%")
_LEAD: Final = re.compile(r"[CDHS](10|[2-9TJQKA])")
_ERASED, _WRONG_DIRECTION, _NOT_PLAYED = "result erased", "wrong direction", "not played"


@dataclass(slots=True)
class Received:
    """What the rows came to: records in row order, and what was noticed."""

    seating: Seating
    event: EventId
    records: list[AnyRecord] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    # The record that stands in each slot so far; an erased slot has none and is entered anew.
    live: dict[Slot, Identity] = field(default_factory=dict)

    def take(self, row: Row) -> None:
        """One row: a result, a ruling told by its remark, or the erasure of the live one."""
        row_id = number(row, "ID", "ReceivedData", 1, 2**31 - 1)
        place = f"ReceivedData row {row_id}"
        slot = self._slot(row, place)
        remark = text(row, "Remarks")
        # Only the erasing row is marked, in either way; the row it cancels stays as it was.
        if row.get("Erased") or remark.lower() == _ERASED:
            self._erase(slot, row_id)
            return
        if row.get("SuspiciousContract"):
            self._note(NoteKind.SUSPICIOUS_CONTRACT, slot, str(row["SuspiciousContract"]))
        award = _AWARD.fullmatch(remark)
        if award:
            self._award(slot, row_id, Fraction(award[1]), Fraction(award[2]))
            return
        self._result(slot, row, row_id, place)
        if remark.lower() == _WRONG_DIRECTION:
            self._swap(slot, row_id)
        elif remark and remark.lower() != _NOT_PLAYED:
            self._note(NoteKind.UNKNOWN_ELEMENT, slot, f"remark {remark!r}")

    def _slot(self, row: Row, place: str) -> Slot:
        section = self.seating.section(row, place)
        return Slot(
            session=section.session,
            section=section.id,
            round=number(row, "Round", place, 1, 999),
            table=number(row, "Table", place, 1, 99_999),
            board=BoardNumber(number(row, "Board", place, 1, 9_999)),
        )

    def _result(self, slot: Slot, row: Row, row_id: int, place: str) -> None:
        section = self.seating.section(row, place)
        said_at = _moment(text(row, "DateLog"), text(row, "TimeLog"))
        lead = text(row, "LeadCard").upper() or None
        if lead and not _LEAD.fullmatch(lead):
            self._note(NoteKind.NOT_CARRIED, slot, f"lead {lead}")
            lead = None
        record = BoardResult(
            event=self.event,
            id=RecordId(str(row_id)),
            source=SOURCE,
            role=Role.IMPORTER,
            said_at=said_at,
            slot=slot,
            result=self._outcome(slot, row, place),
            ns=section.contestant(number(row, "PairNS", place, 0, 99_999), Direction.NS),
            ew=section.contestant(number(row, "PairEW", place, 0, 99_999), Direction.EW),
            lead=lead,
            supersedes=self.live.get(slot),
        )
        self.records.append(record)
        self.live[slot] = record.identity

    def _outcome(self, slot: Slot, row: Row, place: str) -> TableResult:
        contract, remark = text(row, "Contract"), text(row, "Remarks")
        if remark.lower() == _NOT_PLAYED or not contract:
            self._note(NoteKind.NOT_PLAYED, slot, remark or "neither contract nor remark")
            return NotPlayed()
        if is_pass(contract):
            return PASSED_OUT
        column = "Contract"
        try:
            # The number in `Declarer` can mean two pairs; the seat cannot.
            agreed = contract_of(contract, text(row, "NS/EW"))
            column = "Result"
            return played(agreed, relative_tricks(agreed.level, text(row, "Result")))
        except BadNotation as bad:
            raise BadFile("bws", f"{place}, {column}", bad.value, bad.rule) from bad

    def _erase(self, slot: Slot, row_id: int) -> None:
        erased = self.live.pop(slot, None)
        self._note(NoteKind.ERASED_RESULT, slot, f"row {row_id} erases {erased or 'nothing'}")
        if erased is not None:
            self.records.append(
                VoidResult(
                    event=self.event,
                    id=RecordId(str(row_id)),
                    source=SOURCE,
                    role=Role.IMPORTER,
                    subject=Subject.ENTRY,
                    changes=(SlotChange(slot, erased),),
                )
            )

    def _swap(self, slot: Slot, row_id: int) -> None:
        record = SwapDirections(
            event=self.event,
            id=RecordId(f"{row_id}.swap"),
            source=SOURCE,
            role=Role.IMPORTER,
            subject=Subject.ENTRY,
            changes=(SlotChange(slot, self.live.get(slot)),),
        )
        self.records.append(record)
        self.live[slot] = record.identity
        self._note(NoteKind.WRONG_DIRECTION, slot, f"row {row_id}: the pairs sat the other way")

    def _award(self, slot: Slot, row_id: int, ns: Fraction, ew: Fraction) -> None:
        record = Award(
            event=self.event,
            id=RecordId(str(row_id)),
            source=SOURCE,
            role=Role.IMPORTER,
            subject=Subject.RULING,
            changes=(SlotChange(slot, self.live.get(slot)),),
            ns_award=artificial(ns),
            ew_award=artificial(ew),
        )
        self.records.append(record)
        self.live[slot] = record.identity

    def _note(self, kind: NoteKind, slot: Slot, value: str) -> None:
        self.notes.append(Note(kind, str(slot), value))


def received(rows: Sequence[Row], seating: Seating, event: EventId) -> Received:
    """All rows in order of their ID, which is the order they were entered in.

    Raises BadFile, naming the row.
    """
    taken = Received(seating, event)
    earlier = None
    for row in sorted(rows, key=lambda row: number(row, "ID", "ReceivedData", 1, 2**31 - 1)):
        if row["ID"] == earlier:
            raise BadFile("bws", f"ReceivedData row {earlier}", str(earlier), "each row has an ID of its own")
        earlier = row["ID"]
        taken.take(row)
    return taken


def _moment(date_log: str, time_log: str) -> str | None:
    """The date is in one column, the time in the other, each beside a dummy."""
    if len(date_log) >= 10 and len(time_log) >= 19:
        return f"{date_log[:10]}T{time_log[11:19]}"
    return None
