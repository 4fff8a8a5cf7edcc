"""Movement, results and rulings out of the traveller lines of a USEBIO file."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pipeline.formats.imported import NoteKind, PublishedLine
from pipeline.formats.usebio_awards import Scale, awarded
from pipeline.formats.usebio_lines import Line
from pipeline.formats.usebio_points import ByHand, PrintedLine, set_by_hand
from pipeline.formats.usebio_reading import Reading
from pipeline.formats.usebio_rounds import placed
from pipeline.rules.board_conditions import vulnerability
from pipeline.rules.contract_score import ns_points
from schemas.control import ExplicitMovement, MovementSet, PlayEnded, SessionOpened
from schemas.corrections import Award, Penalty, PenaltyKind, PenaltyUnit
from schemas.deal import NotPlayed, PassedOut, Played
from schemas.policies import Method
from schemas.record import Slot, SlotChange
from schemas.results import BoardResult, Subject
from schemas.terms import BoardNumber, ContestantId, Direction, Identity, SectionId, SessionId


def play(
    reading: Reading,
    lines: Sequence[Line],
    scale: Scale,
    adjustments: Mapping[ContestantId, Fraction],
) -> None:
    """Add the movement of each section, all results, all rulings, then the end of each session.

    `adjustments` are the points that a contestant's own entry gives (positive) or takes, in the file's unit.
    """
    parts: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        parts.setdefault((line.session, line.section), []).append(line)
    at: list[tuple[Line, Slot]] = []
    for (session, section), of in parts.items():
        placements, slots = placed(of)
        at += zip(of, slots, strict=True)
        reading.add(
            MovementSet(
                **reading.envelope(),
                session=SessionId(session),
                section=SectionId(section),
                movement=ExplicitMovement(placements),
            )
        )
    sessions = tuple(SessionId(session) for session in dict.fromkeys(session for session, _ in parts))
    for session_id in sessions:
        reading.add(SessionOpened(**reading.envelope(), session=session_id))
    standing = {slot: identity for line, slot in at if (identity := _result(reading, line, slot))}
    by_hand = _by_hand(at, scale)
    for line, slot in at:
        _ruling(reading, line, SlotChange(slot, standing.get(slot)), scale, by_hand.get(slot))
    for contestant, points in adjustments.items():
        _adjust(reading, contestant, sessions[0] if sessions else SessionId("1"), points, "ADJUSTMENT")
    for session_id in sessions:
        reading.add(PlayEnded(**reading.envelope(), session=session_id))


def _result(reading: Reading, line: Line, slot: Slot) -> Identity | None:
    """Add what the table reported, and return its identity; an award without a contract leaves nothing."""
    reading.lines += (PublishedLine(slot, direction, text) for direction, text in line.points.items())
    if line.remark:
        reading.note(NoteKind.UNKNOWN_ELEMENT, slot, line.remark)
    result = line.result
    if result is None or _unscored_award(line):
        return None
    if isinstance(result, NotPlayed):
        reading.note(NoteKind.NOT_PLAYED, slot, line.score_text or "no SCORE")
    elif line.score_ns is None:
        if isinstance(result, PassedOut):
            reading.note(NoteKind.PASSED_WITHOUT_SCORE, slot, "no SCORE")
    elif (own := ns_points(result, vulnerability(line.board))) != line.score_ns:
        said = f"{result.contract} {result.tricks} tricks" if isinstance(result, Played) else "passed out"
        reading.note(NoteKind.SCORE_CONTRADICTS_CONTRACT, slot, f"{line.score_ns}, {said} is {own}")
    record = BoardResult(
        **reading.envelope(),
        slot=slot,
        result=result,
        ns=line.ns,
        ew=line.ew,
        score_ns=line.score_ns,
        lead=line.lead,
    )
    reading.add(record)
    return record.identity


def _unscored_award(line: Line) -> bool:
    """Tell whether there are points for a board without any result: an award whose code is not given."""
    return isinstance(line.result, NotPlayed) and bool(line.points)


Found = tuple[ByHand, dict[Direction, Fraction]]


def _by_hand(at: Sequence[tuple[Line, Slot]], scale: Scale) -> dict[Slot, Found]:
    if scale.method is not Method.MATCHPOINTS:
        return {}
    boards: dict[tuple[str, str, BoardNumber], list[tuple[Slot, PrintedLine]]] = {}
    complete: dict[tuple[str, str, BoardNumber], bool] = {}
    for line, slot in at:
        if line.code or line.result is None or isinstance(line.result, NotPlayed):
            continue
        board = line.session, line.section, line.board
        complete[board] = complete.get(board, True) and len(line.points) == 2
        score = line.score_ns
        if score is None:
            score = ns_points(line.result, vulnerability(line.board))
        points = {direction: Fraction(text) * scale.unit for direction, text in line.points.items()}
        boards.setdefault(board, []).append((slot, PrintedLine(score, points)))
    found: dict[Slot, Found] = {}
    for board, printed in boards.items():
        if not complete[board]:
            continue
        expected = scale.expected[board[:2]]
        odd = set_by_hand([line for _, line in printed], expected, scale.tolerance)
        found |= {printed[index][0]: (what, dict(own)) for index, (what, own) in odd.items()}
    return found


def _ruling(reading: Reading, line: Line, change: SlotChange, scale: Scale, by_hand: Found | None) -> None:
    shown = "/".join(line.points.get(direction, "?") for direction in Direction)
    said = f"SCORE {line.score_text or 'absent'}, points {shown}"
    if by_hand and by_hand[0] is ByHand.SHIFTED:
        reading.note(NoteKind.AWARD_CODE_CONTRADICTS_POINTS, change.slot, said)
        for direction, own in by_hand[1].items():
            points = Fraction(line.points[direction]) - own / scale.unit
            contestant = line.ns if direction is Direction.NS else line.ew
            _adjust(reading, contestant, change.slot.session, points, f"board {line.board}: {said}")
    elif line.code or by_hand or _unscored_award(line):
        (ns, ns_differs), (ew, ew_differs) = (awarded(line, direction, scale) for direction in Direction)
        if by_hand or ns_differs or ew_differs:
            reading.note(NoteKind.AWARD_CODE_CONTRADICTS_POINTS, change.slot, said)
        reading.add(
            Award(
                **reading.envelope(),
                subject=Subject.RULING,
                law="12C2",
                note=said,
                changes=(change,),
                ns_award=ns,
                ew_award=ew,
            )
        )


def _adjust(
    reading: Reading, contestant: ContestantId, session: SessionId, points: Fraction, note: str
) -> None:
    """Give (or take, below 0) points outside the boards' own: a penalty of the other sign."""
    if points:
        reading.add(
            Penalty(
                **reading.envelope(),
                subject=Subject.RULING,
                law="90",
                note=note,
                contestant=contestant,
                session=session,
                amount=-points,
                unit=PenaltyUnit.POINTS,
                penalty_kind=PenaltyKind.PROCEDURAL,
            )
        )
