"""Conditions of contest as data: a frozen set of settings, read from a preset and what differs from it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from schemas.policies import (
    AwardWindow,
    ClockStart,
    Comparison,
    Confirmation,
    CrossImpFactor,
    CrossImpForm,
    DatumKind,
    DatumTie,
    DatumTrim,
    ImpScale,
    LateTricks,
    Lengthener,
    MatchpointUnit,
    Method,
    MissingResults,
    RankBy,
    Rounding,
    ScoringTable,
    SessionPercentage,
    ShowStandings,
    ShowTraveller,
    SmallGroup,
    Winners,
)


class UnknownSetting(ValueError):
    """A preset or setting that does not exist, or a value that it cannot take."""

    def __init__(self, field: str, value: str, rule: str) -> None:
        super().__init__(f"{field} = {value!r}: {rule}")
        self.field, self.value, self.rule = field, value, rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Every setting with its default; on the wire the first underscore is a dot: `mp.small_group`.

    The defaults are the laws of 2017 with no rounding.
    """

    # How boards are scored.
    score_method: Method = Method.MATCHPOINTS
    score_table: ScoringTable = ScoringTable.SINCE_1987
    field_compare: Comparison = Comparison.SECTION
    mp_unit: MatchpointUnit = MatchpointUnit.TWO_ONE_ZERO
    mp_missing: MissingResults = MissingResults.NEUBERG
    mp_small_group: SmallGroup = SmallGroup.EBU_2022
    mp_round: Rounding = Rounding.NONE
    imp_scale: ImpScale = ImpScale.WBF_1962
    butler_datum: DatumKind = DatumKind.MEAN
    butler_trim: DatumTrim = DatumTrim.NONE
    butler_tie: DatumTie = DatumTie.AWAY_FROM_ZERO
    ximp_form: CrossImpForm = CrossImpForm.AVERAGE
    ximp_factor: CrossImpFactor = CrossImpFactor.EBU
    ximp_round: Rounding = Rounding.NONE
    # Artificial scores.
    adj_session: SessionPercentage = SessionPercentage.LAW_2017
    adj_window: AwardWindow = AwardWindow.SESSION
    adj_imp_plus: Annotated[Fraction, Field(ge=0, le=24)] = Fraction(3)
    # How lists are ranked and shown.
    rank_by: RankBy = RankBy.PERCENTAGE
    rank_winners: Winners = Winners.ONE
    line_missing: MissingResults = MissingResults.NEUBERG
    """How a traveller's lines are shown; totals follow `mp.missing`."""
    line_round: Rounding = Rounding.NONE
    total_round: Rounding = Rounding.NONE
    percentage_round: Rounding = Rounding.HUNDREDTH_HALF_UP
    # Periods and who may do what.
    correction_minutes: Annotated[int, Field(ge=0, le=100_000)] = 30
    correction_from: ClockStart = ClockStart.SCORE_AVAILABLE
    correction_may_shorten: bool = False
    correction_lengthen_by: Lengthener = Lengthener.ORGANISER
    appeal_minutes: Annotated[int, Field(ge=0, le=100_000)] = 30
    appeal_from: ClockStart = ClockStart.SCORE_AVAILABLE
    tricks_late: LateTricks = LateTricks.LAW_2017
    confirm_by: Confirmation = Confirmation.OPPONENTS
    # What the public sees, and when.
    show_traveller: ShowTraveller = ShowTraveller.AFTER_DEAL_CLOSED
    show_standings: ShowStandings = ShowStandings.LIVE
    show_min_boards: Annotated[int, Field(ge=0, le=999)] = 4
    """Percentages and ranks are not shown before so many boards of a contestant count."""


_ADAPTER: Final = TypeAdapter(Conditions)
SETTINGS: Final = tuple(field.name.replace("_", ".", 1) for field in fields(Conditions))


def preset_names() -> tuple[str, ...]:
    """The presets that exist, in alphabetical order."""
    names = (path.name for path in files("schemas.presets").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def _preset(name: str) -> Mapping[str, object]:
    if name not in preset_names():
        raise UnknownSetting("preset", name, f"one of {', '.join(preset_names())}")
    text = files("schemas.presets").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return {
        f"{group}.{key}": value
        for group, values in table.items()
        if isinstance(values, dict)
        for key, value in values.items()
    }


def resolve(preset: str, settings: Mapping[str, object] | None = None) -> Conditions:
    """Take a preset and lay what differs over it, by dotted name.

    Raises UnknownSetting for a preset, a setting or a value that does not exist.
    >>> resolve("exact", {"correction.minutes": "60"}).correction_minutes
    60
    """
    merged: dict[str, object] = {}
    for name, value in {**_preset(preset), **(settings or {})}.items():
        if name not in SETTINGS:
            raise UnknownSetting(name, str(value), "no such setting")
        merged[name.replace(".", "_", 1)] = value
    try:
        return _ADAPTER.validate_python(merged)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        name = str(detail["loc"][0]).replace("_", ".", 1)
        raise UnknownSetting(name, str(detail["input"]), detail["msg"]) from error
