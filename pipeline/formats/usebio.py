"""USEBIO 1.0 to 1.3: the XML in which British clubs exchange results, read into records.

What the file leaves open is decided: rounds and tables as in `usebio_rounds`; a two-winner pair is `1NS` as
the file writes it; a pair number that several sections use is `A-1`. Where award codes or scores and printed
points disagree the points win, and a note says so. A finished file is provisional: nothing in it says more.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from typing import Final

from pipeline.formats.imported import BadFile, Imported, PublishedTotal
from pipeline.formats.usebio_awards import Scale
from pipeline.formats.usebio_event import Participant, identifier, lines, method_of, participants
from pipeline.formats.usebio_lines import Line, decimal
from pipeline.formats.usebio_play import play
from pipeline.formats.usebio_reading import Reading
from pipeline.formats.usebio_xml import FORMAT, Node, parse, unread
from schemas.control import (
    ConditionsPublished,
    ContestantEntered,
    ContestantKind,
    EventDescribed,
    SessionPlan,
)
from schemas.policies import Method
from schemas.terms import ContestantId, Direction, EventId, PersonId, SectionId, SessionId

_TEXT: Final = 500


def read_usebio(data: bytes) -> Imported:
    """Read a USEBIO file; the same bytes give the same records under the same identities.

    Raises BadFile, with place, value and rule, for what is no such file or holds what cannot be.
    """
    root = parse(data)
    if root.tag != "USEBIO":
        raise BadFile(FORMAT, root.place(), root.tag[:40], "is USEBIO")
    root.attribute("VERSION")
    event = next(root.each("EVENT"), None)
    if event is None:
        raise BadFile(FORMAT, root.place(), "no EVENT", "has an EVENT")
    event_type, method = method_of(event)
    entries = participants(event)
    # Teams have no pairs at their tables yet: their lines stay unread, and are noted as such.
    told = [] if method is Method.TEAM_IMPS else list(lines(event, event_type, method))
    several = _numbers_of_several_sections(entries)
    told = [
        replace(
            line,
            ns=_contestant(line.ns, line.section, several),
            ew=_contestant(line.ew, line.section, several),
        )
        for line in told
    ]
    named = re.sub(r"[^A-Za-z0-9._:+-]+", "-", event.text("EVENT_IDENTIFIER")).strip("-")[:64]
    reading = Reading(EventId(named or f"usebio-{sha256(data).hexdigest()[:12]}"))
    title = (event.text("TITLE") or event.text("EVENT_DESCRIPTION"))[:_TEXT]
    if event.text("EVENT_DESCRIPTION") == title:
        event.text("TITLE")
    scale = Scale.of(told, method)
    preset, settings = _suggested(event, method, scale)
    _describe(reading, root, event, title, told, method)
    reading.add(ConditionsPublished(**reading.envelope(), preset=preset, settings=settings))
    adjustments = _enter(reading, entries, told, several)
    play(reading, told, scale, adjustments)
    return Imported(
        event=reading.event,
        title=title,
        records=tuple(reading.records),
        people=reading.people,
        suggested_preset=preset,
        suggested_settings=settings,
        published_lines=tuple(reading.lines),
        published_totals=tuple(reading.totals),
        line_unit=scale.unit,
        notes=(*reading.notes, *unread(root)),
    )


def _suggested(event: Node, method: Method, scale: Scale) -> tuple[str, dict[str, str]]:
    program = event.text("PROGRAM_NAME").casefold().replace(" ", "")
    preset = "compscore3" if program.startswith("compscore") else "exact"
    event.text(
        "SCORING_METHOD"
    )  # Compscore3 says IMPS of Butler and cross-IMPs alike; the type is more exact
    settings = {
        "score.method": method.value,
        "rank.by": "percentage" if method is Method.MATCHPOINTS else "total",
        "rank.winners": "per-direction" if event.text("WINNER_TYPE") == "2" else "one",
    }
    if scale.unit != 1:
        settings["mp.unit"] = "1-1/2-0"
    if preset == "compscore3" and method is Method.CROSS_IMPS:
        settings["line.round"] = "hundredth-away-from-zero"
    return preset, settings


def _describe(
    reading: Reading, root: Node, event: Node, title: str, told: Sequence[Line], method: Method
) -> None:
    sections: dict[str, dict[str, None]] = {}
    for line in told:
        sections.setdefault(line.session, {})[line.section] = None
    club = next(root.each("CLUB"), None)
    date = _date(event.text("DATE"))
    reading.add(
        EventDescribed(
            **reading.envelope(),
            title=title,
            place=event.text("VENUE")[:_TEXT] or None,
            organiser=(club.text("CLUB_NAME")[:_TEXT] if club else "") or None,
            contest=ContestantKind.TEAM if method is Method.TEAM_IMPS else ContestantKind.PAIR,
            sessions=tuple(
                SessionPlan(SessionId(session), title, sections=tuple(map(SectionId, of)), date=date)
                for session, of in (sections or {"1": {"A": None}}).items()
            ),
            grade=event.text("MASTER_POINT_SCALE")[:_TEXT] or None,
            charge_code=event.text("EBU_CHARGE_CODE", "P2P_CHARGE_RATE")[:_TEXT] or None,
        )
    )


def _date(text: str) -> str | None:
    """Return 2026-03-09 for 09/03/2026 and 09-03-2026, and what stands there otherwise."""
    parts = re.fullmatch(r"(\d\d?)[/.-](\d\d?)[/.-](\d{4})", text)
    return (f"{parts[3]}-{int(parts[2]):02}-{int(parts[1]):02}" if parts else text[:40]) or None


def _numbers_of_several_sections(entries: Iterable[Participant]) -> set[str]:
    sections: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        sections[re.sub(r"\s+", "", entry.number)].add(entry.where.section)
    return {number for number, of in sections.items() if len(of) > 1}


def _contestant(number: str, section: str, several: set[str]) -> ContestantId:
    return ContestantId(f"{section}-{number}" if number in several else number)


def _enter(
    reading: Reading, entries: Sequence[Participant], told: Sequence[Line], several: set[str]
) -> dict[ContestantId, Fraction]:
    """Enter all who are listed, then those that only a line names; return their adjustments."""
    adjustments = {}
    played_in: dict[ContestantId, tuple[str, str]] = {}
    for line in told:
        for contestant in (line.ns, line.ew):
            played_in.setdefault(contestant, (line.session, line.section))
    entered = set()
    for entry in entries:
        number = identifier(entry.number, entry.node.place("PAIR_NUMBER"))
        contestant = _contestant(number, entry.where.section, several)
        if contestant in entered:
            continue  # told again in a later session
        entered.add(contestant)
        _, section = played_in.get(contestant, (entry.where.session, entry.where.section))
        direction = entry.node.text("DIRECTION").upper().replace("/", "")
        handicap = entry.node.text("HANDICAP")
        reading.add(
            ContestantEntered(
                **reading.envelope(),
                contestant=contestant,
                contestant_kind=ContestantKind.TEAM if entry.node.tag == "TEAM" else ContestantKind.PAIR,
                section=SectionId(section),
                number=_leading_number(number),
                direction=Direction(direction) if direction in set(Direction) else _written_direction(number),
                players=_players(reading, entry.node),
                handicap=decimal(handicap, entry.node.place("HANDICAP")) if handicap else None,
            )
        )
        _total(reading, entry.node, contestant)
        adjustment = entry.node.text("ADJUSTMENT")
        if adjustment:
            adjustments[contestant] = decimal(adjustment, entry.node.place("ADJUSTMENT"))
    for contestant, (_, section) in played_in.items():
        if contestant not in entered:
            reading.add(
                ContestantEntered(
                    **reading.envelope(),
                    contestant=contestant,
                    section=SectionId(section),
                    number=_leading_number(contestant),
                    direction=_written_direction(contestant),
                )
            )
    return adjustments


def _leading_number(text: str) -> int | None:
    digits = re.match(r"\d{1,5}", text)
    return int(digits[0]) or None if digits else None


def _written_direction(number: str) -> Direction | None:
    return Direction(number[-2:].upper()) if number[-2:].upper() in set(Direction) else None


def _players(reading: Reading, node: Node) -> tuple[PersonId, ...]:
    players = []
    for player in node.each("PLAYER"):
        name = player.text("PLAYER_NAME")
        if name:
            person = PersonId(f"p{len(reading.people) + 1}")
            reading.people[person] = name
            players.append(person)
    return tuple(players)


def _total(reading: Reading, node: Node, contestant: ContestantId) -> None:
    total, percentage = node.text("TOTAL_SCORE"), node.text("PERCENTAGE")
    for name, text in (("TOTAL_SCORE", total), ("PERCENTAGE", percentage)):
        if text:
            decimal(text, node.place(name))
    place = re.match(r"[1-9]\d{0,5}", node.text("PLACE"))
    reading.totals.append(
        PublishedTotal(contestant, total or None, percentage or None, int(place[0]) if place else None)
    )
