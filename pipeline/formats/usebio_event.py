"""The parts of a USEBIO event: participants, sessions, sections and lines, in the order of the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pipeline.formats.imported import BadFile
from pipeline.formats.usebio_lines import Line, lead, outcome, points, whole
from pipeline.formats.usebio_xml import FORMAT, Node
from schemas.policies import Method
from schemas.terms import BoardNumber, ContestantId, Direction

_IDENTIFIER: Final = re.compile(r"[A-Za-z0-9._:+-]{1,64}")
BY_TYPE: Final = {
    "MP_PAIRS": Method.MATCHPOINTS,
    "PAIRS": Method.MATCHPOINTS,
    "SWISS_PAIRS": Method.MATCHPOINTS,
    "BUTLER_PAIRS": Method.BUTLER,
    "SWISS_PAIRS_BUTLER_IMPS": Method.BUTLER,
    "CROSS_IMP": Method.CROSS_IMPS,
    "CROSS_IMPS": Method.CROSS_IMPS,
    "SWISS_PAIRS_CROSS_IMPS": Method.CROSS_IMPS,
    "SWISS_TEAMS": Method.TEAM_IMPS,
    "TEAMS_OF_FOUR": Method.TEAM_IMPS,
    "TEAMS": Method.TEAM_IMPS,
}
BY_BOARD_SCORING: Final = {
    "MATCH_POINTS": Method.MATCHPOINTS,
    "BUTLER_IMPS": Method.BUTLER,
    "CROSS_IMPS": Method.CROSS_IMPS,
    "IMPS": Method.TEAM_IMPS,
}


@dataclass(frozen=True, slots=True)
class Where:
    """The part of the event that is being read; pairs and round come from a match, where there is one."""

    session: str = "1"
    section: str = "A"
    round: int | None = None
    ns: str = ""
    ew: str = ""


@dataclass(frozen=True, slots=True)
class Participant:
    """A pair or team as the file lists it, not yet taken apart."""

    node: Node
    where: Where
    number: str


def method_of(event: Node) -> tuple[str, Method]:
    """Return the event's type as it stands and the method it means.

    Raises BadFile for a type or a board scoring method that is not read.
    """
    event_type = event.attribute("EVENT_TYPE").upper()
    scoring = event.text("BOARD_SCORING_METHOD").upper()
    method = BY_BOARD_SCORING.get(scoring) if scoring else BY_TYPE.get(event_type)
    if event_type not in BY_TYPE or method is None:
        known = f"is one of {', '.join(BY_TYPE)}; BOARD_SCORING_METHOD one of {', '.join(BY_BOARD_SCORING)}"
        raise BadFile(FORMAT, event.place("@EVENT_TYPE"), f"{event_type or 'none'} {scoring}".strip(), known)
    return event_type, method


def participants(event: Node) -> list[Participant]:
    """Return pairs and teams in the order of the file."""
    found = []
    for node, where in _parts(event, Where()):
        if node.tag != "PARTICIPANTS":
            continue
        node.attribute("EVENT_TYPE")
        for entry in node.each("PAIR", "TEAM"):
            number = entry.text("PAIR_NUMBER", "TEAM_NUMBER", "TEAM_ID")
            found.append(Participant(entry, where, number))
    return found


def lines(event: Node, event_type: str, method: Method) -> Iterator[Line]:
    """Go through all traveller lines.

    Raises BadFile for one that cannot be what it says.
    """
    for board, where in _parts(event, Where()):
        if board.tag != "BOARD":
            continue
        if board.attributes.get("EVENT_TYPE", "").upper() in {"", event_type}:
            board.attribute("EVENT_TYPE")
        number = BoardNumber(whole(board.text("BOARD_NUMBER"), 1, 9999, board.place("BOARD_NUMBER")))
        for line in board.each("TRAVELLER_LINE"):
            yield _line(line, where, number, method)


def identifier(text: str, place: str, rule: str = "is a number or name without odd characters") -> str:
    """Return a pair's number, a section's letter or the like as an identifier of the wire.

    Raises BadFile where it is none.
    """
    name = re.sub(r"\s+", "", text)
    if not _IDENTIFIER.fullmatch(name):
        raise BadFile(FORMAT, place, repr(text[:40]), rule)
    return name


def _parts(node: Node, where: Where) -> Iterator[tuple[Node, Where]]:
    """Go down through sessions, sections and matches to participants and boards."""
    sessions = sections = 0
    for child in node.children:
        if child.tag == "SESSION":
            sessions += 1
            yield from _parts(child, replace(where, session=_label(child, "SESSION", str(sessions))))
        elif child.tag == "SECTION":
            sections += 1
            yield from _parts(child, replace(where, section=_label(child, "SECTION", _letter(sections))))
        elif child.tag == "MATCH":
            text = child.text("ROUND_NUMBER")
            number = whole(text, 1, 999, child.place("ROUND_NUMBER")) if text else None
            ns, ew = child.text("NS_PAIR_NUMBER"), child.text("EW_PAIR_NUMBER")
            yield from _parts(child, replace(where, round=number, ns=ns, ew=ew))
        elif child.tag in {"BOARD", "PARTICIPANTS"}:
            yield child, where


def _label(node: Node, name: str, otherwise: str) -> str:
    text = node.attribute(f"{name}_ID") or node.text(
        f"{name}_ID", f"{name}_NUMBER", f"{name}_LETTER", f"{name}_NAME"
    )
    return identifier(text, node.place(f"{name}_ID")) if text else otherwise


def _letter(number: int) -> str:
    return chr(ord("A") + number - 1) if number <= 26 else f"S{number}"


def _line(node: Node, where: Where, board: BoardNumber, method: Method) -> Line:
    seats = {
        side: node.text(f"{side}_PAIR_NUMBER") or (where.ns if side is Direction.NS else where.ew)
        for side in Direction
    }
    for side, text in seats.items():
        if not text:
            raise BadFile(FORMAT, node.place(f"{side}_PAIR_NUMBER"), "''", "names the pair")
    result, score, code, text, remark = outcome(node)
    card, other = lead(node)
    return Line(
        place=node.place(),
        session=where.session,
        section=where.section,
        round=where.round,
        board=board,
        ns=ContestantId(identifier(seats[Direction.NS], node.place("NS_PAIR_NUMBER"))),
        ew=ContestantId(identifier(seats[Direction.EW], node.place("EW_PAIR_NUMBER"))),
        result=result,
        score_ns=score,
        code=code,
        score_text=text,
        lead=card,
        points=points(node, method),
        remark="; ".join(part for part in (remark, f"lead {other[:20]}" if other else "") if part),
    )
