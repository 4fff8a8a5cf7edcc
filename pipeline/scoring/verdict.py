"""May this record count? Who may say what (authority), and the answer's shape."""

from dataclasses import dataclass
from typing import Final

from schemas import control, corrections, results
from schemas.decisions import Flag, Reason, Refused, Verdict
from schemas.record import Record, Role
from schemas.results import Subject
from schemas.terms import Identity


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a record; see `schemas.decisions.Decision` for the fields."""

    verdict: Verdict
    reason: Reason | None = None
    field: str | None = None
    value: str | None = None
    rule: str | None = None
    article: str | None = None
    flags: tuple[Flag, ...] = ()
    effective: Identity | None = None


ACCEPTED: Final = Judgement(Verdict.ACCEPTED)
WITHDRAWN: Final = Judgement(Verdict.WITHDRAWN)

_OFFICE: Final = frozenset({Role.SCORER, Role.IMPORTER})
_DIRECTORS: Final = frozenset({Role.DIRECTOR, Role.CHIEF_DIRECTOR, Role.ORGANISER, Role.IMPORTER})
_CHIEFS: Final = frozenset({Role.CHIEF_DIRECTOR, Role.ORGANISER, Role.IMPORTER})
_ORGANISERS: Final = frozenset({Role.ORGANISER, Role.IMPORTER})
_OFFICIALS: Final = _DIRECTORS | _OFFICE
_AT_THE_TABLE: Final = _OFFICIALS | {Role.TABLE}
_CAPTAINS: Final = _OFFICIALS | {Role.PAIR}
_MAY: Final[dict[type[Record], frozenset[Role]]] = {
    results.BoardResult: _AT_THE_TABLE,
    results.ResultConfirmed: _AT_THE_TABLE,
    results.ResultDisputed: _AT_THE_TABLE | {Role.PAIR},
    results.SeatTaken: _AT_THE_TABLE,
    results.DirectorCalled: _AT_THE_TABLE,
    results.CorrectionRequested: _CAPTAINS | {Role.TABLE},
    results.MatchResult: _CAPTAINS,
    corrections.Appeal: _CAPTAINS,
    corrections.AppealDecided: _DIRECTORS | {Role.COMMITTEE},
    corrections.OverrideGranted: _ORGANISERS,
    control.LineupDeclared: _CAPTAINS,
    control.SessionFinalised: _CHIEFS,
    control.SessionReopened: _CHIEFS,
    control.PublicationWithdrawn: _CHIEFS,
    control.RescoringAccepted: _CHIEFS,
    control.EventArchived: _CHIEFS,
    control.PeriodChanged: _DIRECTORS,
}
_NOTATION: Final = frozenset({Subject.ENTRY, Subject.SCORER})
_OF_THE_SCORER: Final = (
    corrections.ReplaceResult,
    corrections.VoidResult,
    corrections.MoveResult,
    corrections.SwapDirections,
)


def roles_for(record: Record) -> frozenset[Role]:
    """The roles that may say this (docs/semantics.md section 2)."""
    known = _MAY.get(type(record))
    if known is not None:
        return known
    if isinstance(record, corrections.Ruling):
        if record.subject is Subject.APPEAL:
            return _DIRECTORS | {Role.COMMITTEE}
        if isinstance(record, _OF_THE_SCORER) and record.subject in _NOTATION:
            return _OFFICIALS
        return _DIRECTORS
    return _OFFICIALS


def require_authority(record: Record) -> None:
    """Raise Refused unless the record's role may say it."""
    allowed = roles_for(record)
    if record.role not in allowed:
        raise Refused(
            Reason.NOT_AUTHORISED,
            field="role",
            value=record.role,
            rule=f"one of {', '.join(sorted(allowed))}",
        )


def judged(refused: Refused) -> Judgement:
    """The answer that a refusal amounts to."""
    return Judgement(
        refused.verdict,
        refused.reason,
        refused.field,
        refused.value,
        refused.rule,
        refused.article,
        effective=refused.effective,
    )


def to_director(
    reason: Reason, *, field: str, value: object, rule: str, effective: Identity | None = None
) -> Refused:
    """A record that does not count until the director says so."""
    return Refused(
        reason, field=field, value=value, rule=rule, verdict=Verdict.WAITING_FOR_DIRECTOR, effective=effective
    )
