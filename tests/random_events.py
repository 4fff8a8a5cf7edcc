"""Random events for properties: small, whole, and full of everything that can be said about them.

Drawn from one `Random`, so that Hypothesis need only draw its seed; what is lawful and what is not is mixed
on purpose, for a refusal must come out the same in every order too.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final, TypeVar

from schemas import control, corrections, results
from schemas.codec import AnyRecord
from schemas.deal import (
    Artificial,
    Assigned,
    Contract,
    NoScore,
    NotPlayed,
    PassedOut,
    Played,
    ScoreOnly,
    Weighted,
)
from schemas.record import Record, Role, Slot, SlotChange, Stamp, Stamped
from schemas.results import Subject
from schemas.terms import (
    AwardKind,
    BoardNumber,
    ContestantId,
    Direction,
    Doubling,
    EventId,
    Identity,
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

EVENT: Final = EventId("random")
MINUTE: Final = 60_000_000
SETTINGS: Final = {
    "score.method": ("matchpoints", "matchpoints", "matchpoints", "butler", "cross-imps"),
    "field.compare": ("section", "field"),
    "mp.unit": ("2-1-0", "1-1/2-0"),
    "mp.missing": ("neuberg", "plus-one-1963", "raw", "factored-total"),
    "mp.small_group": ("neuberg", "ebu2022", "acbl1991"),
    "mp.round": ("none", "tenth-half-even", "tenth-towards-average", "ten-thousandth-away-from-average"),
    "butler.datum": ("mean", "median"),
    "butler.trim": ("none", "one-each-end", "five-percent"),
    "butler.tie": ("ebu-away", "acbl-even"),
    "ximp.form": ("total", "average", "per-result", "square-root"),
    "ximp.factor": ("ebu", "acbl", "none"),
    "ximp.round": ("none", "hundredth-half-up"),
    "adj.session": ("2017", "1963", "flat"),
    "rank.by": ("percentage", "total", "per-board"),
    "rank.winners": ("one", "per-direction", "per-section", "per-section-and-direction"),
    "correction.minutes": ("30", "0", "60"),
    "correction.from": ("score-available", "session-end"),
    "correction.may_shorten": ("false", "true"),
    "correction.lengthen_by": ("organiser", "director-or-organiser"),
    "appeal.from": ("score-available", "session-end"),
    "tricks.late": ("2017", "1997", "1963"),
    "confirm.by": ("opponents", "not-asked"),
    "imp.scale": ("wbf_1962", "pre_1962"),
    "score.table": ("laws_1987_2017", "laws_pre1987"),
}
T = TypeVar("T")


class Writer:
    """Makes up one event, record by record."""

    def __init__(self, dice: Random, *, teams: bool = False) -> None:
        self.dice = dice
        self.teams = teams
        self.records: list[AnyRecord] = []
        self.slots: list[Slot] = []
        self.sessions = [SessionId(str(number + 1)) for number in range(dice.choice((1, 1, 2)))]
        self.sections = [SectionId("AB"[number]) for number in range(dice.choice((1, 1, 2)))]
        self.contestants: list[ContestantId] = []

    def say(self, kind: type[T], role: Role | None = None, source: str | None = None, **fields: object) -> T:
        """One more record, from a source that fits its role."""
        role = role if role is not None else Role.DIRECTOR
        number = len(self.records) + 1
        record = kind(
            event=EVENT,  # type: ignore[call-arg]
            id=RecordId(f"r{number}"),
            source=SourceId(source or str(role)),
            role=role,
            **fields,
        )
        self.records.append(record)  # type: ignore[arg-type]
        return record

    def one(self, values: Sequence[T]) -> T:
        return self.dice.choice(values)

    def maybe(self, chance: float) -> bool:
        return self.dice.random() < chance

    def event(self, size: int) -> list[AnyRecord]:
        """A whole event with about `size` things happening after its set-up."""
        self.set_up()
        for _ in range(size):
            self.one(STORY)(self)
        return self.records

    # Set-up.

    def set_up(self) -> None:
        if self.maybe(0.7):
            plans = tuple(
                control.SessionPlan(session, sections=tuple(self.sections)) for session in self.sessions
            )
            self.say(control.EventDescribed, title="Random", sessions=plans)
        if self.maybe(0.9):
            self.conditions()
        self.enter()
        for session in self.sessions:
            if self.teams:
                self.matches(session)
            else:
                for section in self.sections:
                    self.movement(session, section)
            if self.maybe(0.6):
                self.say(control.SessionOpened, session=session)

    def conditions(self, role: Role = Role.ORGANISER) -> None:
        settings = {name: self.one(values) for name, values in SETTINGS.items() if self.maybe(0.5)}
        if self.teams:
            settings["score.method"] = "team-imps"
        if (
            settings.get("score.method", "matchpoints") != "matchpoints"
            and settings.get("rank.by") == "percentage"
        ):
            settings["rank.by"] = "total"
        self.say(control.ConditionsPublished, role=role, preset="exact", settings=settings)

    def enter(self) -> None:
        count = self.one((4, 5, 6, 8))
        by_direction = self.maybe(0.5)
        listed = self.maybe(0.85)
        for section in self.sections:
            for number in range(1, count + 1):
                directions: tuple[Direction | None, ...] = tuple(Direction) if by_direction else (None,)
                for direction in directions:
                    name = ContestantId(f"{section}{number}{direction or ''}")
                    self.contestants.append(name)
                    if listed:
                        self.say(
                            control.ContestantEntered,
                            role=Role.SCORER,
                            contestant=name,
                            section=section if self.maybe(0.95) else None,
                            number=number,
                            direction=direction,
                        )

    def movement(self, session: SessionId, section: SectionId) -> None:
        tables, boards = self.one((2, 3, 4)), self.one((1, 2))
        kind = self.one(("mitchell", "howell", "explicit", "explicit", "none"))
        plan: object
        names = [name for name in self.contestants if name.startswith(section)]
        if kind == "mitchell":
            rounds = self.one((1, 2))
            plan = control.MitchellMovement(tables=tables, rounds=rounds, boards_per_round=boards)
        elif kind == "howell":
            rounds = 3
            plan = control.HowellMovement(pairs=self.one((4, 5, 6)), boards_per_round=boards)
        else:
            rounds = self.one((1, 2))
            self.dice.shuffle(names)
            placements: list[control.Placement] = []
            for number in range(1, rounds + 1):
                for table in range(1, min(tables, len(names) // 2) + 1):
                    ns, ew = names[2 * table - 2], names[(2 * table - 1 + 2 * (number - 1)) % len(names)]
                    if ns == ew or any(
                        placed.round == number and {ns, ew} & {placed.ns, placed.ew} for placed in placements
                    ):
                        continue
                    numbers = tuple(BoardNumber((number - 1) * boards + board + 1) for board in range(boards))
                    placements.append(control.Placement(number, table, ns, ew, numbers))
            plan = control.ExplicitMovement(tuple(placements))
        for number in range(1, rounds + 1):
            for table in range(1, tables + 1):
                for board in range(1, rounds * boards + 1):
                    self.slots.append(Slot(session, section, number, table, BoardNumber(board)))
        if kind != "none":
            self.say(control.MovementSet, role=Role.SCORER, session=session, section=section, movement=plan)

    def matches(self, session: SessionId) -> None:
        section = self.sections[0]
        names = self.contestants[:4]
        for number, (home, visit) in enumerate(((names[0], names[1]), (names[2], names[3]))):
            tables = (2 * number + 1, 2 * number + 2)
            boards = tuple(BoardNumber(board) for board in (1, 2, 3))
            self.say(
                control.MatchSet,
                match=f"m{session}{number}",
                session=session,
                round=1,
                home=home,
                visit=visit,
                tables=(
                    control.TableOfMatch(section, tables[0], Direction.NS),
                    control.TableOfMatch(section, tables[1], Direction.EW),
                ),
                boards=boards,
            )
            self.slots += [Slot(session, section, 1, table, board) for table in tables for board in boards]

    # Play.

    def outcome(self) -> Played | PassedOut | ScoreOnly | NotPlayed:
        kind = self.dice.random()
        if kind < 0.8:
            contract = Contract(
                self.one((1, 2, 3, 4, 4, 3, 6)),
                self.one(tuple(Strain)),
                self.one((Doubling.UNDOUBLED,) * 4 + (Doubling.DOUBLED, Doubling.REDOUBLED)),
                self.one(tuple(Seat)),
            )
            return Played(contract, Tricks(self.one((7, 8, 9, 10, 11, 12))))
        if kind < 0.86:
            return PassedOut()
        if kind < 0.93:
            return ScoreOnly(Points(self.one((0, 110, 420, -50, 620, -100, 10, 1430))))
        return NotPlayed(self.one(tuple(Unplayed)))

    def result(self) -> None:
        slot = self.one(self.slots)
        role = self.one((Role.TABLE,) * 12 + (Role.SCORER, Role.IMPORTER, Role.DIRECTOR, Role.PAIR))
        source = f"t{slot.table}" if role is Role.TABLE and self.maybe(0.95) else str(role)
        self.say(
            results.BoardResult,
            role=role,
            source=source,
            slot=slot,
            result=self.outcome(),
            ns=self.one(self.contestants) if self.maybe(0.04) else None,
            ew=self.one(self.contestants) if self.maybe(0.04) else None,
            entered_by=self.one((None, *Seat)),
            score_ns=Points(420) if self.maybe(0.05) else None,
        )

    def play(self) -> None:
        """Most slots get one plain result, in order."""
        filled = {record.slot for record in self.records if isinstance(record, results.BoardResult)}
        rest = [slot for slot in self.slots if slot not in filled]
        for slot in rest[: self.one((1, 3, 6))]:
            self.say(
                results.BoardResult,
                role=Role.TABLE,
                source=f"t{slot.table}",
                slot=slot,
                result=self.outcome(),
                entered_by=Seat.N,
            )

    def said_in(self, slot: Slot | None = None) -> Record | None:
        """A record that a later one could name: mostly the last about the slot."""
        found = [
            record
            for record in self.records
            if (slot is None or getattr(record, "slot", None) == slot)
            and isinstance(record, results.BoardResult | corrections.ReplaceResult | corrections.MoveResult)
        ]
        if not found:
            return None
        return found[-1] if self.maybe(0.8) else self.one(found)

    def named(self, slot: Slot) -> Identity | None:
        """What a change of this slot says that it supersedes; sometimes wrong, sometimes not there."""
        if self.maybe(0.03):
            return Identity("ghost/r999")
        about = [
            record
            for record in self.records
            if getattr(record, "slot", None) == slot
            or any(change.slot == slot for change in getattr(record, "changes", ()))
        ]
        changing = [
            record
            for record in about
            if isinstance(
                record,
                results.BoardResult
                | corrections.ReplaceResult
                | corrections.Award
                | corrections.SwapDirections
                | corrections.MoveResult,
            )
        ]
        if not changing or self.maybe(0.08):
            return None
        return (changing[-1] if self.maybe(0.85) else self.one(changing)).identity

    def again(self) -> None:
        before = self.said_in()
        if not isinstance(before, results.BoardResult):
            return
        self.say(
            results.BoardResult,
            role=before.role,
            source=before.source if self.maybe(0.8) else "other",
            slot=before.slot,
            result=self.outcome() if self.maybe(0.8) else before.result,
            supersedes=self.named(before.slot) if self.maybe(0.85) else None,
            entered_by=before.entered_by,
        )

    def confirm(self) -> None:
        before = self.said_in()
        if before is None:
            return
        slot = before.slot if hasattr(before, "slot") else self.one(self.slots)
        kind = self.one((results.ResultConfirmed, results.ResultConfirmed, results.ResultDisputed))
        self.say(
            kind,
            role=Role.TABLE,
            source=f"t{slot.table}",
            slot=slot,
            result_record=before.identity,
            seat=self.one(tuple(Seat)),
        )

    # Rulings.

    def ruling(self) -> dict[str, object]:
        lodged = [
            record.identity
            for record in self.records
            if isinstance(record, results.CorrectionRequested | results.ResultDisputed | corrections.Appeal)
        ]
        overrides = [
            record.identity for record in self.records if isinstance(record, corrections.OverrideGranted)
        ]
        return {
            "subject": self.one(
                (Subject.ENTRY, Subject.SCORER, Subject.TRICKS, Subject.RULING, Subject.APPEAL)
            ),
            "request": self.one(lodged) if lodged and self.maybe(0.25) else None,
            "override": self.one(overrides) if overrides and self.maybe(0.25) else None,
            "role": self.one(
                (Role.DIRECTOR,) * 6 + (Role.CHIEF_DIRECTOR, Role.SCORER, Role.COMMITTEE, Role.TABLE)
            ),
        }

    def busy(self) -> Slot:
        """A slot that something was said about, mostly."""
        said = [record.slot for record in self.records if isinstance(record, results.BoardResult)]
        return self.one(said) if said and self.maybe(0.9) else self.one(self.slots)

    def replace(self) -> None:
        slot = self.busy()
        self.say(
            corrections.ReplaceResult,
            **self.ruling(),  # type: ignore[arg-type]
            slot=slot,
            supersedes=self.named(slot),
            result=self.outcome() if self.maybe(0.9) else NoScore(),
            ns=self.one(self.contestants) if self.maybe(0.05) else None,
            ew=self.one(self.contestants) if self.maybe(0.05) else None,
        )

    def change_slots(self) -> None:
        slots = list(dict.fromkeys(self.busy() for _ in range(self.one((1, 1, 2)))))
        changes = tuple(SlotChange(slot, self.named(slot)) for slot in slots)
        kind = self.one((corrections.VoidResult, corrections.SwapDirections, corrections.ResultUpheld))
        self.say(kind, **self.ruling(), changes=changes)  # type: ignore[arg-type]

    def move(self) -> None:
        slot, to = self.busy(), self.one(self.slots)
        named = self.named(slot)
        if named is not None and slot != to:
            self.say(
                corrections.MoveResult,
                **self.ruling(),  # type: ignore[arg-type]
                slot=slot,
                supersedes=named,
                to=SlotChange(to, self.named(to)),
            )

    def side(self) -> Artificial | Assigned:
        kind = self.dice.random()
        if kind < 0.5:
            return Artificial(self.one(tuple(AwardKind)), Fraction(55) if self.maybe(0.1) else None)
        if kind < 0.8:
            return Assigned((Weighted(Points(self.one((420, -50, 110, 620))), Fraction(1)),))
        return Assigned((Weighted(Points(620), Fraction(3, 10)), Weighted(Points(-100), Fraction(7, 10))))

    def award(self) -> None:
        slot = self.busy()
        both = self.side()
        self.say(
            corrections.Award,
            **self.ruling(),  # type: ignore[arg-type]
            changes=(SlotChange(slot, self.named(slot)),),
            ns_award=both,
            ew_award=both if isinstance(both, Assigned) and self.maybe(0.6) else self.side(),
        )

    def withdraw(self) -> None:
        kinds = (corrections.Ruling, results.BoardResult, control.ScorePublished, control.MovementSet)
        found = [record for record in self.records if isinstance(record, kinds)]
        if found:
            self.say(corrections.RecordWithdrawn, **self.ruling(), record=self.one(found[-12:]).identity)  # type: ignore[arg-type]

    def penalise(self) -> None:
        self.say(
            corrections.Penalty,
            **self.ruling(),  # type: ignore[arg-type]
            contestant=self.one(self.contestants),
            session=self.one(self.sessions),
            amount=Fraction(self.one((1, 2, 10, -1))),
            unit=self.one(tuple(corrections.PenaltyUnit)),
            penalty_kind=self.one(tuple(corrections.PenaltyKind)),
        )

    def foul(self) -> None:
        slot = self.one(self.slots)
        same = [other for other in self.slots if (other.session, other.board) == (slot.session, slot.board)]
        some = tuple(other for other in same if self.maybe(0.4)) or (slot,)
        self.say(
            corrections.BoardForms,
            **self.ruling(),  # type: ignore[arg-type]
            session=slot.session,
            board=slot.board,
            forms=(corrections.Form("fouled", some, self.one((None, *Vulnerability))),),
        )

    def cancel(self) -> None:
        slot = self.one(self.slots)
        if self.maybe(0.5):
            self.say(
                corrections.BoardsCancelled,
                **self.ruling(),  # type: ignore[arg-type]
                session=slot.session,
                boards=(slot.board,),
                section=self.one((None, slot.section)),
            )
        else:
            self.say(
                control.RoundCancelled,
                session=slot.session,
                round=slot.round,
                section=self.one((None, slot.section)),
            )

    def ask(self) -> None:
        slot = self.busy()
        if self.maybe(0.6):
            self.say(
                results.CorrectionRequested,
                role=Role.PAIR,
                slot=slot,
                subject=self.one(tuple(Subject)),
                by=self.one(self.contestants),
                proposed=self.outcome() if self.maybe(0.5) else None,
            )
            return
        self.say(
            corrections.Appeal,
            role=Role.PAIR,
            subject=self.one(tuple(Subject)),
            appeal_kind=self.one(tuple(corrections.AppealKind)),
            session=slot.session,
            by=self.one(self.contestants),
        )

    def override(self) -> None:
        slot = self.busy()
        self.say(
            corrections.OverrideGranted,
            role=self.one((Role.ORGANISER, Role.DIRECTOR)),
            subject=Subject.ENTRY,
            session=slot.session,
            slots=(slot,) if self.maybe(0.4) else (),
        )

    # The event's course.

    def course(self) -> None:
        session = self.one(self.sessions)
        kind = self.one(("round", "end", "publish", "publish", "period", "final", "reopen", "unpublish"))
        if kind == "round":
            self.say(control.RoundEnded, session=session, round=self.one((1, 2)))
        elif kind == "end":
            self.say(control.PlayEnded, session=session)
        elif kind == "publish":
            scope = self.one(
                (control.Scope.SESSION, control.Scope.SESSION, control.Scope.EVENT, control.Scope.ROUND)
            )
            self.say(
                control.ScorePublished,
                scope=scope,
                session=None if scope is control.Scope.EVENT else session,
                revision=self.one((1, 2, 3)),
                correction_minutes=self.one((None, None, 10, 90)),
                restarts_clocks=self.maybe(0.2),
            )
        elif kind == "period":
            self.say(
                control.PeriodChanged,
                role=self.one((Role.ORGANISER, Role.DIRECTOR, Role.SCORER)),
                session=session,
                period=self.one(tuple(control.Period)),
                minutes=self.one((5, 20, 60, 120)),
            )
        elif kind == "final":
            self.say(control.SessionFinalised, role=Role.CHIEF_DIRECTOR, session=session)
        elif kind == "reopen":
            self.say(control.SessionReopened, role=Role.CHIEF_DIRECTOR, session=session)
        else:
            found = [record for record in self.records if isinstance(record, control.ScorePublished)]
            if found:
                self.say(
                    control.PublicationWithdrawn,
                    role=Role.CHIEF_DIRECTOR,
                    publication=self.one(found).identity,
                )

    def reseat(self) -> None:
        slot = self.one(self.slots)
        kind = self.dice.random()
        if kind < 0.5:
            pair = self.dice.sample(self.contestants, 2)
            self.say(
                control.SeatingChanged,
                session=slot.session,
                section=slot.section,
                round=slot.round,
                table=slot.table,
                ns=pair[0],
                ew=pair[1] if self.maybe(0.9) else None,
                boards=(slot.board,) if self.maybe(0.3) else None,
            )
        elif kind < 0.7:
            self.say(
                control.ContestantWithdrawn,
                contestant=self.one(self.contestants),
                session=slot.session,
                from_round=self.one((1, 2)),
            )
        elif kind < 0.85:
            self.conditions(self.one((Role.ORGANISER, Role.DIRECTOR)))
        elif not self.teams:
            self.say(
                control.MovementChanged,
                session=slot.session,
                section=slot.section,
                from_round=2,
                movement=control.MitchellMovement(tables=2, rounds=2, boards_per_round=1),
            )


STORY: Final[tuple[Callable[[Writer], None], ...]] = (
    *(Writer.play,) * 8,
    *(Writer.result,) * 5,
    *(Writer.again,) * 4,
    *(Writer.confirm,) * 3,
    *(Writer.replace,) * 4,
    *(Writer.change_slots,) * 4,
    *(Writer.move,) * 2,
    *(Writer.award,) * 3,
    *(Writer.withdraw,) * 3,
    Writer.penalise,
    Writer.foul,
    Writer.cancel,
    *(Writer.ask,) * 2,
    Writer.override,
    *(Writer.course,) * 5,
    *(Writer.reseat,) * 2,
)


def random_records(seed: int, size: int, *, teams: bool = False) -> list[AnyRecord]:
    """The records of one random event, in the order in which they were said."""
    return Writer(Random(seed), teams=teams).event(size)


def random_log(seed: int, size: int, *, teams: bool = False) -> list[Stamped]:
    """A random event as a log: gaps from nothing to an hour, a clock that is off, repeats, and conflicts."""
    dice = Random(seed + 1)
    entries: list[Stamped] = []
    now, offset = 0, 0
    for record in random_records(seed, size, teams=teams):
        now += dice.choice((0, 1, 1, MINUTE, 5 * MINUTE, 20 * MINUTE if dice.random() < 0.3 else 1))
        skew = dice.choice((0,) * 12 + (-2_000_000,))
        offset += 1
        entries.append(Stamped(record, Stamp(max(0, now + skew), TOPIC_OF[type(record)], 0, offset)))
        if dice.random() < 0.03:
            offset += 1
            again = record if dice.random() < 0.5 else replace(record, said_at="later")
            entries.append(Stamped(again, Stamp(now + 5, TOPIC_OF[type(record)], 0, offset)))
    return entries
