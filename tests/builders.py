"""Short builders of records, for tests: what a test does not say is the same everywhere.

The default id of a record follows from what it is about, so that the same call is a retry, and another
payload about the same thing is a conflict unless the test gives it an id of its own.
"""

# ruff: noqa: A002 - `round` and `id` are the field's words

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from schemas.codec import AnyRecord
from schemas.control import (
    ConditionsPublished,
    ContestantChanged,
    ContestantEntered,
    ContestantWithdrawn,
    EventDescribed,
    ExplicitMovement,
    HowellMovement,
    MatchSet,
    MitchellMovement,
    Movement,
    MovementChanged,
    MovementSet,
    Period,
    PeriodChanged,
    Placement,
    PlayEnded,
    PublicationWithdrawn,
    RoundCancelled,
    RoundEnded,
    RoundStarted,
    Scope,
    ScorePublished,
    SeatingChanged,
    SessionFinalised,
    SessionOpened,
    SessionPlan,
    SessionReopened,
    TableOfMatch,
)
from schemas.corrections import (
    Appeal,
    AppealDecided,
    AppealKind,
    Award,
    BoardForms,
    BoardsCancelled,
    CorrectionDecided,
    Decision,
    Form,
    MoveResult,
    OverrideGranted,
    Penalty,
    PenaltyKind,
    PenaltyUnit,
    RecordWithdrawn,
    ReplaceResult,
    ResultUpheld,
    SwapDirections,
    VoidResult,
)
from schemas.deal import Artificial, Assigned, Contract, NotPlayed, PassedOut, Played, ScoreOnly, Weighted
from schemas.record import Record, Role, Slot, SlotChange, Stamp, Stamped
from schemas.results import (
    BoardResult,
    CorrectionRequested,
    MatchResult,
    ResultConfirmed,
    ResultDisputed,
    Subject,
)
from schemas.terms import (
    AwardKind,
    BoardNumber,
    ContestantId,
    Direction,
    Doubling,
    EventId,
    Identity,
    MatchId,
    Points,
    RecordId,
    Seat,
    SectionId,
    SessionId,
    SourceId,
    Strain,
    Tricks,
    Unplayed,
    Vulnerability,
)
from schemas.topics import TOPIC_OF

EVENT: Final = EventId("congress")
START_US: Final = 1_767_463_200_000_000
"""2026-01-03 18:00 UTC: a Saturday evening."""
SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND


class HandClock:
    """A clock that goes when it is told to."""

    def __init__(self, wall_us: int = START_US) -> None:
        self.wall, self.steady = wall_us, 0

    def wall_us(self) -> int:
        return self.wall

    def monotonic_us(self) -> int:
        return self.steady

    def passes(self, seconds: int) -> None:
        """Time passes."""
        self.wall += seconds * SECOND
        self.steady += seconds * SECOND

    def jumps(self, seconds: int) -> None:
        """Somebody sets the wall clock."""
        self.wall += seconds * SECOND


def contract_of(text: str, by: str) -> Contract:
    """`4S`, `3NTx` or `6Hxx`, by a seat."""
    strain, doubling = text[1:].removesuffix("x").removesuffix("x"), "x" * text.count("x")
    return Contract(int(text[0]), Strain(strain), Doubling(doubling), Seat(by))


def outcome(contract: str = "4S", by: str = "N", tricks: int = 10) -> Played | PassedOut | NotPlayed:
    """A contract with its tricks, `pass`, or the cause why there is none: `not-played:time`."""
    if contract == "pass":
        return PassedOut()
    if contract.startswith("not-played"):
        return NotPlayed(Unplayed(contract.partition(":")[2] or "unknown"))
    return Played(contract_of(contract, by), Tricks(tricks))


def slot(board: int = 1, table: int = 1, round: int = 1, section: str = "A", session: str = "1") -> Slot:
    return Slot(SessionId(session), SectionId(section), round, table, BoardNumber(board))


def contestant(name: int | str | None) -> ContestantId | None:
    return None if name is None else ContestantId(str(name))


def name_of(where: Slot) -> str:
    """A slot as part of an id."""
    return str(where).replace("/", ".")


def result(
    board: int = 1,
    ns: int | str | None = None,
    ew: int | str | None = None,
    contract: str = "4S",
    by: str = "N",
    tricks: int = 10,
    *,
    table: int = 1,
    round: int = 1,
    section: str = "A",
    session: str = "1",
    supersedes: Record | str | None = None,
    score_ns: int | None = None,
    entered_by: str | None = None,
    id: str | None = None,
    source: str | None = None,
    role: Role = Role.TABLE,
    event: str = EVENT,
    original_stamp: Stamp | None = None,
) -> BoardResult:
    """What a table enters."""
    where = slot(board, table, round, section, session)
    return BoardResult(
        event=EventId(event),
        id=RecordId(id or f"result.{name_of(where)}"),
        source=SourceId(source or f"table.{section}{table}"),
        role=role,
        slot=where,
        result=outcome(contract, by, tricks),
        ns=contestant(ns),
        ew=contestant(ew),
        score_ns=None if score_ns is None else Points(score_ns),
        entered_by=None if entered_by is None else Seat(entered_by),
        supersedes=reference(supersedes),
        original_stamp=original_stamp,
    )


def reference(record: Record | str | None) -> Identity | None:
    return None if record is None else identity(record)


def identity(record: Record | str) -> Identity:
    return record.identity if isinstance(record, Record) else Identity(record)


def confirmed(
    of: BoardResult, seat: str = "E", *, id: str | None = None, source: str | None = None
) -> ResultConfirmed:
    """The opponents initial a result."""
    return ResultConfirmed(
        event=of.event,
        id=RecordId(id or f"confirm.{of.id}"),
        source=SourceId(source or of.source),
        role=Role.TABLE,
        slot=of.slot,
        result_record=of.identity,
        seat=Seat(seat),
    )


def disputed(
    of: BoardResult, seat: str = "E", *, id: str | None = None, source: str | None = None
) -> ResultDisputed:
    """Somebody at the table says that a result is not right."""
    return ResultDisputed(
        event=of.event,
        id=RecordId(id or f"dispute.{of.id}"),
        source=SourceId(source or of.source),
        role=Role.TABLE,
        slot=of.slot,
        result_record=of.identity,
        seat=Seat(seat),
    )


def replaced(
    of: BoardResult,
    contract: str = "4S",
    by: str = "N",
    tricks: int = 9,
    *,
    subject: Subject = Subject.ENTRY,
    supersedes: Record | str | None = None,
    override: Record | str | None = None,
    request: Record | str | None = None,
    id: str | None = None,
    role: Role = Role.DIRECTOR,
    source: str = "director",
) -> ReplaceResult:
    """The director puts another result in the slot of a result, over that result unless told over what."""
    return ReplaceResult(
        event=of.event,
        id=RecordId(id or f"replace.{name_of(of.slot)}"),
        source=SourceId(source),
        role=role,
        subject=subject,
        slot=of.slot,
        supersedes=identity(supersedes if supersedes is not None else of),
        result=outcome(contract, by, tricks),
        override=reference(override),
        request=reference(request),
    )


def changes_of(*records: BoardResult) -> tuple[SlotChange, ...]:
    return tuple(SlotChange(record.slot, record.identity) for record in records)


def voided(*records: BoardResult, id: str | None = None, subject: Subject = Subject.RULING) -> VoidResult:
    """The director empties the slots of these results."""
    return VoidResult(
        event=records[0].event,
        id=RecordId(id or f"void.{name_of(records[0].slot)}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=subject,
        changes=changes_of(*records),
    )


def upheld(*records: BoardResult, id: str | None = None) -> ResultUpheld:
    """The director has looked at these results: they stand."""
    return ResultUpheld(
        event=records[0].event,
        id=RecordId(id or f"uphold.{name_of(records[0].slot)}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        changes=changes_of(*records),
    )


def award_of(text: str) -> Artificial | Assigned:
    """`ave+`, `ave`, `ave-`, or an assigned score for North-South: `420`, or weighted `60% 620, 40% -100`."""
    if text.startswith("ave"):
        return Artificial(AwardKind(text))
    parts = [part.split() for part in text.split(",")] if "%" in text else [["100%", text]]
    return Assigned(
        tuple(
            Weighted(Points(int(points)), Fraction(int(weight.rstrip("%")), 100)) for weight, points in parts
        )
    )


def awarded(
    where: Slot | BoardResult,
    ns: str = "ave+",
    ew: str = "ave-",
    *,
    supersedes: Record | str | None = None,
    id: str | None = None,
    event: str = EVENT,
) -> Award:
    """The director awards each side its own score."""
    change = (
        changes_of(where)[0] if isinstance(where, BoardResult) else SlotChange(where, reference(supersedes))
    )
    return Award(
        event=EventId(event),
        id=RecordId(id or f"award.{name_of(change.slot)}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        changes=(change,),
        ns_award=award_of(ns),
        ew_award=award_of(ew),
    )


def withdrawn(record: Record, *, id: str | None = None, role: Role = Role.DIRECTOR) -> RecordWithdrawn:
    """Somebody takes a record back."""
    return RecordWithdrawn(
        event=record.event,
        id=RecordId(id or f"withdraw.{record.id}"),
        source=SourceId("director"),
        role=role,
        subject=Subject.RULING,
        record=record.identity,
    )


def described(
    title: str = "Congress",
    sessions: Sequence[str] = ("1",),
    sections: Sequence[str] = ("A",),
    event: str = EVENT,
) -> EventDescribed:
    return EventDescribed(
        event=EventId(event),
        id=RecordId("event"),
        source=SourceId("office"),
        role=Role.SCORER,
        title=title,
        sessions=tuple(
            SessionPlan(SessionId(session), sections=tuple(SectionId(section) for section in sections))
            for session in sessions
        ),
    )


def conditions(
    preset: str = "exact",
    settings: Mapping[str, str] | None = None,
    *,
    id: str = "conditions",
    role: Role = Role.ORGANISER,
    event: str = EVENT,
) -> ConditionsPublished:
    """Conditions of contest: `conditions("exact", {"mp.missing": "none"})`."""
    return ConditionsPublished(
        event=EventId(event),
        id=RecordId(id),
        source=SourceId("office"),
        role=role,
        preset=preset,
        settings=settings or {},
    )


def entered(
    name: int | str,
    number: int | None = None,
    direction: str | None = None,
    section: str = "A",
    event: str = EVENT,
) -> ContestantEntered:
    """A pair takes part, under this number of the section."""
    return ContestantEntered(
        event=EventId(event),
        id=RecordId(f"enter.{name}"),
        source=SourceId("office"),
        role=Role.SCORER,
        contestant=ContestantId(str(name)),
        section=SectionId(section),
        number=number,
        direction=None if direction is None else Direction(direction),
    )


def placement(
    round: int,
    table: int,
    ns: int | str | None,
    ew: int | str | None,
    boards: Iterable[int],
) -> Placement:
    return Placement(
        round, table, contestant(ns), contestant(ew), tuple(BoardNumber(board) for board in boards)
    )


def movement(
    plan: Movement | Iterable[Placement], section: str = "A", session: str = "1", event: str = EVENT
) -> MovementSet:
    """The movement of a section: placements, or a Mitchell or Howell from `mitchell` and `howell`."""
    if not isinstance(plan, ExplicitMovement | MitchellMovement | HowellMovement):
        plan = ExplicitMovement(tuple(plan))
    return MovementSet(
        event=EventId(event),
        id=RecordId(f"movement.{session}.{section}"),
        source=SourceId("office"),
        role=Role.SCORER,
        session=SessionId(session),
        section=SectionId(section),
        movement=plan,
    )


def mitchell(tables: int, rounds: int | None = None, boards_per_round: int = 2) -> MitchellMovement:
    return MitchellMovement(tables=tables, rounds=rounds or tables, boards_per_round=boards_per_round)


def howell(pairs: int, boards_per_round: int = 2) -> HowellMovement:
    return HowellMovement(pairs=pairs, boards_per_round=boards_per_round)


def session_opened(session: str = "1", event: str = EVENT) -> SessionOpened:
    return SessionOpened(
        event=EventId(event),
        id=RecordId(f"open.{session}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId(session),
    )


def round_started(
    round: int, session: str = "1", section: str | None = None, event: str = EVENT
) -> RoundStarted:
    return RoundStarted(
        event=EventId(event),
        id=RecordId(f"start.{session}.{section or 'all'}.{round}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId(session),
        section=None if section is None else SectionId(section),
        round=round,
    )


def round_ended(round: int, session: str = "1", section: str | None = None, event: str = EVENT) -> RoundEnded:
    return RoundEnded(
        event=EventId(event),
        id=RecordId(f"end.{session}.{section or 'all'}.{round}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId(session),
        section=None if section is None else SectionId(section),
        round=round,
    )


def play_ended(session: str = "1", event: str = EVENT) -> PlayEnded:
    return PlayEnded(
        event=EventId(event),
        id=RecordId(f"play-ended.{session}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId(session),
    )


def score_published(
    session: str = "1",
    *,
    scope: Scope = Scope.SESSION,
    revision: int = 1,
    correction_minutes: int | None = None,
    appeal_minutes: int | None = None,
    event: str = EVENT,
) -> ScorePublished:
    """The official score is available."""
    return ScorePublished(
        event=EventId(event),
        id=RecordId(f"publish.{scope}.{session}.{revision}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        scope=scope,
        session=SessionId(session),
        revision=revision,
        correction_minutes=correction_minutes,
        appeal_minutes=appeal_minutes,
    )


def period_changed(
    minutes: int,
    session: str = "1",
    period: Period = Period.CORRECTION,
    *,
    id: str | None = None,
    role: Role = Role.ORGANISER,
    event: str = EVENT,
) -> PeriodChanged:
    return PeriodChanged(
        event=EventId(event),
        id=RecordId(id or f"period.{session}.{period}.{minutes}"),
        source=SourceId("director"),
        role=role,
        session=SessionId(session),
        period=period,
        minutes=minutes,
    )


def session_finalised(session: str = "1", event: str = EVENT) -> SessionFinalised:
    return SessionFinalised(
        event=EventId(event),
        id=RecordId(f"final.{session}"),
        source=SourceId("director"),
        role=Role.CHIEF_DIRECTOR,
        session=SessionId(session),
    )


def moved(of: BoardResult, to: Slot, *, over: Record | str | None = None, id: str = "move") -> MoveResult:
    """The director moves a result to the slot where it was played, over what stands there."""
    return MoveResult(
        event=of.event,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.ENTRY,
        slot=of.slot,
        supersedes=of.identity,
        to=SlotChange(to, reference(over)),
    )


def swapped(*records: BoardResult, id: str = "swap") -> SwapDirections:
    """The pairs sat the other way at these results."""
    return SwapDirections(
        event=records[0].event,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.ENTRY,
        changes=changes_of(*records),
    )


def noted(
    board: int,
    table: int,
    ns_points: int,
    ns: int | str | None = None,
    ew: int | str | None = None,
    *,
    section: str = "A",
    session: str = "1",
) -> ReplaceResult:
    """A score of a published example, put in by the director: its board need not fit Law 2."""
    where = slot(board, table, section=section, session=session)
    return ReplaceResult(
        event=EVENT,
        id=RecordId(f"noted.{name_of(where)}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        slot=where,
        result=ScoreOnly(Points(ns_points)),
        ns=contestant(ns if ns is not None else f"n{table}"),
        ew=contestant(ew if ew is not None else f"e{table}"),
    )


def field(scores: Iterable[int], board: int = 1, section: str = "A") -> list[ReplaceResult]:
    """A board's scores, table by table."""
    return [noted(board, table, score, section=section) for table, score in enumerate(scores, start=1)]


def ranked_field(
    board: int, tables: int, wanted: Mapping[int, int], section: str = "A"
) -> list[ReplaceResult]:
    """A board on which these tables win these match points North-South; an odd number ties with a filler."""
    scores: dict[int, int] = {}
    free = list(range(tables))
    for table, points in wanted.items():
        scores[table] = 10 * (points // 2)
        free.remove(points // 2)
    fillers = [table for table in range(1, tables + 1) if table not in wanted]
    for points in wanted.values():
        if points % 2:
            scores[fillers.pop()] = 10 * (points // 2)
            free.remove(points // 2 + 1)
    scores.update(zip(fillers, (10 * rank for rank in free), strict=True))
    return field([scores[table] for table in range(1, tables + 1)], board, section)


def requested(
    of: BoardResult, by: str = "n", *, subject: Subject = Subject.ENTRY, id: str = "request"
) -> CorrectionRequested:
    """A pair asks for a correction."""
    return CorrectionRequested(
        event=of.event,
        id=RecordId(id),
        source=SourceId("pair"),
        role=Role.PAIR,
        slot=of.slot,
        subject=subject,
        by=ContestantId(by),
    )


def request_decided(
    of: CorrectionRequested, decision: Decision = Decision.GRANTED, *, id: str = "answer"
) -> CorrectionDecided:
    return CorrectionDecided(
        event=of.event,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=of.subject,
        decided=of.identity,
        decision=decision,
    )


def appealed(
    by: str = "n",
    session: str = "1",
    *,
    kind: AppealKind = AppealKind.APPEAL,
    subject: Subject = Subject.RULING,
    id: str = "appeal",
    role: Role = Role.PAIR,
    request: Record | str | None = None,
    override: Record | str | None = None,
) -> Appeal:
    """A pair appeals (Law 92B) or protests (1963 article 93)."""
    return Appeal(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("pair"),
        role=role,
        subject=subject,
        appeal_kind=kind,
        session=SessionId(session),
        by=ContestantId(by),
        request=reference(request),
        override=reference(override),
    )


def appeal_decided(
    of: Appeal, decision: Decision = Decision.GRANTED, *, id: str = "verdict"
) -> AppealDecided:
    return AppealDecided(
        event=of.event,
        id=RecordId(id),
        source=SourceId("committee"),
        role=Role.COMMITTEE,
        subject=Subject.APPEAL,
        appeal=of.identity,
        decision=decision,
    )


def leave(*slots: Slot, session: str = "1", id: str = "leave") -> OverrideGranted:
    """The organiser allows corrections of these slots, or of the whole session, after the period."""
    return OverrideGranted(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("office"),
        role=Role.ORGANISER,
        subject=Subject.ENTRY,
        session=SessionId(session),
        slots=slots,
    )


def penalised(
    name: str,
    amount: int | str = 25,
    unit: PenaltyUnit = PenaltyUnit.PERCENT_OF_TOP,
    kind: PenaltyKind = PenaltyKind.SLOW,
    *,
    session: str = "1",
    id: str | None = None,
) -> Penalty:
    return Penalty(
        event=EVENT,
        id=RecordId(id or f"penalty.{name}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        contestant=ContestantId(name),
        session=SessionId(session),
        amount=Fraction(amount),
        unit=unit,
        penalty_kind=kind,
    )


def fouled(
    board: int,
    *forms: tuple[str, Iterable[Slot]],
    vulnerability: str | None = None,
    session: str = "1",
    id: str = "forms",
) -> BoardForms:
    """These slots played these forms of a board; a vulnerability is how each form named was marked."""
    return BoardForms(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        session=SessionId(session),
        board=BoardNumber(board),
        forms=tuple(
            Form(name, tuple(slots), None if vulnerability is None else Vulnerability(vulnerability))
            for name, slots in forms
        ),
    )


def boards_cancelled(*boards: int, section: str | None = None, id: str = "no-boards") -> BoardsCancelled:
    return BoardsCancelled(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        subject=Subject.RULING,
        session=SessionId("1"),
        boards=tuple(BoardNumber(board) for board in boards),
        section=None if section is None else SectionId(section),
    )


def round_cancelled(round: int, section: str | None = None, id: str = "no-round") -> RoundCancelled:
    return RoundCancelled(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        section=None if section is None else SectionId(section),
        round=round,
    )


def reseated(
    round: int,
    table: int,
    ns: str | None,
    ew: str | None,
    boards: Iterable[int] | None = None,
    id: str = "seats",
) -> SeatingChanged:
    """Who really sat there."""
    return SeatingChanged(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        section=SectionId("A"),
        round=round,
        table=table,
        ns=contestant(ns),
        ew=contestant(ew),
        boards=None if boards is None else tuple(BoardNumber(board) for board in boards),
    )


def left(name: str, from_round: int) -> ContestantWithdrawn:
    """A pair goes home."""
    return ContestantWithdrawn(
        event=EVENT,
        id=RecordId(f"left.{name}"),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        contestant=ContestantId(name),
        session=SessionId("1"),
        from_round=from_round,
    )


def changed(
    name: str, number: int | None = None, direction: str | None = None, section: str | None = None
) -> ContestantChanged:
    """A pair has another number, direction or section from now on."""
    return ContestantChanged(
        event=EVENT,
        id=RecordId(f"change.{name}.{number}"),
        source=SourceId("office"),
        role=Role.SCORER,
        contestant=ContestantId(name),
        section=None if section is None else SectionId(section),
        number=number,
        direction=None if direction is None else Direction(direction),
    )


def movement_changed(
    from_round: int, plan: Movement | Iterable[Placement], section: str = "A", id: str = "changed"
) -> MovementChanged:
    """Another movement from a round on."""
    if not isinstance(plan, ExplicitMovement | MitchellMovement | HowellMovement):
        plan = ExplicitMovement(tuple(plan))
    return MovementChanged(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("director"),
        role=Role.DIRECTOR,
        session=SessionId("1"),
        section=SectionId(section),
        from_round=from_round,
        movement=plan,
    )


def match_set(
    home: str,
    visit: str,
    boards: Iterable[int],
    tables: Iterable[tuple[int, str]] = ((1, "NS"), (2, "EW")),
    *,
    round: int = 1,
    id: str = "match",
) -> MatchSet:
    """Two teams meet; each table tells where the home team sits."""
    return MatchSet(
        event=EVENT,
        id=RecordId(id),
        source=SourceId("office"),
        role=Role.SCORER,
        match=MatchId("m"),
        session=SessionId("1"),
        round=round,
        home=ContestantId(home),
        visit=ContestantId(visit),
        tables=tuple(TableOfMatch(SectionId("A"), table, Direction(home)) for table, home in tables),
        boards=tuple(BoardNumber(board) for board in boards),
    )


def match_reported(by: str, match: str = "m") -> MatchResult:
    """A captain says how a match ended."""
    return MatchResult(
        event=EVENT,
        id=RecordId(f"report.{by}"),
        source=SourceId("captain"),
        role=Role.PAIR,
        match=MatchId(match),
        by=ContestantId(by),
        home_imps=23,
        visit_imps=4,
        boards=5,
    )


def publication_withdrawn(of: Record, role: Role = Role.CHIEF_DIRECTOR) -> PublicationWithdrawn:
    return PublicationWithdrawn(
        event=of.event,
        id=RecordId(f"unpublish.{of.id}"),
        source=SourceId("director"),
        role=role,
        publication=of.identity,
    )


def session_reopened(session: str = "1", role: Role = Role.CHIEF_DIRECTOR) -> SessionReopened:
    return SessionReopened(
        event=EVENT,
        id=RecordId(f"reopen.{session}"),
        source=SourceId("director"),
        role=role,
        session=SessionId(session),
    )


def stamped(
    records: Iterable[AnyRecord], start_us: int = START_US, apart_us: int = SECOND, first_offset: int = 0
) -> tuple[Stamped, ...]:
    """The records as an embedded log holds them, one second after another."""
    return tuple(
        Stamped(record, Stamp(start_us + place * apart_us, TOPIC_OF[type(record)], 0, first_offset + place))
        for place, record in enumerate(records)
    )
