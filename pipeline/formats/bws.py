"""Bridgemate `.bws`: a session as the table terminals left it, erasures and all."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from pipeline.formats.bws_results import received
from pipeline.formats.bws_seating import SOURCE, Row, Seating, contestants, movement, seating_of, text
from pipeline.formats.bws_tables import BwsTables
from pipeline.formats.imported import BadFile, Imported, Note, NoteKind
from pipeline.formats.notation import event_of, name_of
from schemas.codec import AnyRecord
from schemas.control import ConditionsPublished, EventDescribed, PlayEnded, SessionPlan
from schemas.record import Role
from schemas.terms import EventId, RecordId, SessionId

_NEEDED: Final = ("Section", "RoundData", "ReceivedData")
_WELCOME: Final = ("Session", "PlayerNumbers")
_WITHOUT_A_RECORD: Final = (
    "HandRecord",
    "HandEvaluation",
    "IntermediateData",
    "BiddingData",
    "PlayData",
    "Results",
)
_PRESETS: Final = {"0": "exact", "": "exact", "1": "exact", "2": "butler", "4": "teams_imps"}


def read_bws(data: bytes) -> Imported:
    """Read a whole `.bws` file.

    Raises BadFile for a file that is empty, cut short, damaged or no Access database, and for a row that no
    contract, seat or number is written as.
    """
    tables = BwsTables(data)
    rows = {name: tables.rows(name) for name in _NEEDED}
    rows |= {name: tables.rows(name) for name in _WELCOME if tables.has(name)}
    notes = [
        Note(NoteKind.NOT_CARRIED, f"table {name}", f"{there[1]} rows")
        for name in _WITHOUT_A_RECORD
        if tables.has(name) and (there := tables.count(name)) != (0, 0)
    ]
    if tables.has("PlayerNames"):
        read, expected = tables.count("PlayerNames")
        # A list of the club's members, of use only where a terminal sent a number without a name.
        if read == expected:
            rows["PlayerNames"] = tables.rows("PlayerNames")
        else:
            notes.append(
                Note(NoteKind.NOT_CARRIED, "table PlayerNames", f"{read} of {expected} rows can be read")
            )
    notes += [
        Note(NoteKind.UNKNOWN_ELEMENT, "file", complaint) for complaint in dict.fromkeys(tables.complaints)
    ]
    return import_rows(rows, event_of("bws", data), notes)


def import_rows(tables: Mapping[str, Sequence[Row]], event_name: str, notes: Sequence[Note] = ()) -> Imported:
    """Turn rows of the file's tables into records; a session's own GUID names the event.

    Raises BadFile.
    """
    sessions = tables.get("Session", ())
    guid = text(sessions[0], "GUID") if sessions else ""
    event = EventId(name_of(guid) if guid else event_name)
    seating = seating_of(
        tables["Section"],
        tables["RoundData"],
        tables.get("PlayerNumbers", ()),
        _club_list(tables.get("PlayerNames", ())),
    )
    results = received(tables["ReceivedData"], seating, event)
    title = (text(sessions[0], "Name") if sessions else "") or "Bridgemate session"
    preset, method_notes = _preset(tables["Section"])
    settings = {
        "rank.winners": "per-direction" if seating.per_direction else "one",
        "confirm.by": "not-asked",
    }
    plans = tuple(_plans(seating, sessions))
    records: list[AnyRecord] = [
        EventDescribed(
            event=event,
            id=RecordId("event"),
            source=SOURCE,
            role=Role.IMPORTER,
            title=title,
            sessions=plans,
        ),
        ConditionsPublished(
            event=event,
            id=RecordId("conditions"),
            source=SOURCE,
            role=Role.IMPORTER,
            preset=preset,
            settings=settings,
        ),
    ]
    sections = list(seating.sections.values())
    records += [entered for section in sections for entered in contestants(section, event)]
    records += [movement(section, event) for section in sections if section.placements]
    records += results.records
    records += [
        PlayEnded(
            event=event,
            id=RecordId(f"play-ended-{plan.id}"),
            source=SOURCE,
            role=Role.IMPORTER,
            session=plan.id,
        )
        for plan in plans
    ]
    return Imported(
        event=event,
        title=title,
        records=tuple(records),
        people=seating.people,
        suggested_preset=preset,
        suggested_settings=settings,
        notes=(*notes, *method_notes, *seating.notes, *results.notes),
    )


def _club_list(rows: Sequence[Row]) -> dict[str, str]:
    names: dict[str, str] = {}
    for row in rows:
        for column in ("ID", "strID"):
            key = text(row, column)
            if key:
                names[key] = text(row, "Name")
    return names


def _plans(seating: Seating, sessions: Sequence[Row]) -> Iterator[SessionPlan]:
    described = {text(row, "ID"): row for row in sessions}
    for session in dict.fromkeys(section.session for section in seating.sections.values()):
        row = described.get(session, {})
        yield SessionPlan(
            id=SessionId(session),
            title=text(row, "Name"),
            sections=tuple(section.id for section in seating.sections.values() if section.session == session),
            date=text(row, "Date")[:10] or None,
        )


def _preset(sections: Sequence[Row]) -> tuple[str, list[Note]]:
    kinds = {text(row, "ScoringType") for row in sections}
    if len(kinds) > 1:
        raise BadFile(
            "bws", "Section, ScoringType", ", ".join(sorted(kinds)), "one way of scoring for all sections"
        )
    (kind,) = kinds
    if kind in _PRESETS:
        return _PRESETS[kind], []
    return "exact", [Note(NoteKind.UNKNOWN_ELEMENT, "Section, ScoringType", kind)]
