"""Conditions of contest: presets, what is laid over them, and what is no condition at all."""

from dataclasses import fields
from enum import StrEnum
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import policies
from schemas.conditions import SETTINGS, Conditions, UnknownSetting, preset_names, resolve
from schemas.policies import LateTricks, Method, MissingResults, Rounding
from schemas.reference import conditions_page


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_resolves(name: str) -> None:
    assert isinstance(resolve(name), Conditions)


def test_the_presets_are_those_that_were_promised() -> None:
    promised = {"exact", "wbf", "ebu2025", "acbl", "law1963_pairs", "law1963_teams", "danish1997"}
    programs = {"compscore3", "nz_scorer", "salliere"}
    assert promised | programs <= set(preset_names())


def test_a_preset_says_what_its_law_says() -> None:
    assert resolve("law1963_pairs").mp_missing is MissingResults.PLUS_ONE_1963
    assert resolve("law1963_pairs").tricks_late is LateTricks.LAW_1963
    assert resolve("law1963_teams").score_method is Method.TEAM_IMPS
    assert resolve("danish1997").tricks_late is LateTricks.LAW_1997
    assert resolve("ebu2025").mp_round is Rounding.TEN_THOUSANDTH_AWAY_FROM_AVERAGE
    assert resolve("nz_scorer").mp_round is Rounding.TENTH_DOWN


def test_what_differs_is_laid_over_the_preset() -> None:
    over = {"correction.minutes": "60", "correction.may_shorten": "true", "adj.imp_plus": "5/2"}
    conditions = resolve("ebu2025", over)
    assert (conditions.correction_minutes, conditions.correction_may_shorten) == (60, True)
    assert conditions.adj_imp_plus == Fraction(5, 2)
    assert conditions.mp_round is resolve("ebu2025").mp_round


@pytest.mark.parametrize(
    ("preset", "settings", "field", "value", "rule"),
    [
        ("berserk2", {}, "preset", "berserk2", "one of acbl, butler,"),
        ("../exact", {}, "preset", "../exact", "one of "),
        ("exact", {"mp.colour": "blue"}, "mp.colour", "blue", "no such setting"),
        ("exact", {"mp_round": "none"}, "mp_round", "none", "no such setting"),
        ("exact", {"mp.missing": "none"}, "mp.missing", "none", "Input should be 'neuberg', "),
        ("exact", {"correction.minutes": "-1"}, "correction.minutes", "-1", "Input should be greater"),
        (
            "exact",
            {"correction.minutes": "half"},
            "correction.minutes",
            "half",
            "Input should be a valid int",
        ),
        ("exact", {"adj.imp_plus": "25"}, "adj.imp_plus", "25", "Input should be less"),
        ("exact", {"correction.may_shorten": "maybe"}, "correction.may_shorten", "maybe", "Input should be"),
    ],
)
def test_what_does_not_exist_is_named(
    preset: str, settings: dict[str, str], field: str, value: str, rule: str
) -> None:
    with pytest.raises(UnknownSetting) as caught:
        resolve(preset, settings)
    error = caught.value
    assert (error.field, error.value) == (field, value)
    assert error.rule.startswith(rule)
    assert str(error) == f"{field} = {value!r}: {error.rule}"


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@given(st.data())
def test_every_setting_can_be_said_in_words(data: st.DataObject) -> None:
    """Settings travel as text: whatever conditions hold comes back from what they are written as."""
    drawn = {}
    for name, field in zip(SETTINGS, fields(Conditions), strict=True):
        default = field.default
        if isinstance(default, StrEnum):
            drawn[name] = data.draw(st.sampled_from(type(default)))
        elif isinstance(default, bool):
            drawn[name] = data.draw(st.booleans())
        else:
            drawn[name] = data.draw(st.integers(0, 24))
    resolved = resolve("exact", {name: text_of(value) for name, value in drawn.items()})
    for name, value in drawn.items():
        assert getattr(resolved, name.replace(".", "_", 1)) == value


def test_the_page_lists_every_setting_every_value_and_every_preset() -> None:
    page = conditions_page()
    assert [line.split("`")[1] for line in page.splitlines() if line.startswith("| `")] == list(SETTINGS)
    for kind in (getattr(policies, name) for name in dir(policies)):
        if isinstance(kind, type) and issubclass(kind, StrEnum) and kind is not StrEnum:
            assert all(f"`{value}`" in page for value in kind), kind
    for preset in preset_names():
        assert f"\n### {preset}\n" in page
    assert "* `raw` (missing results): As they stand, over their own top." in page
    assert "| `adj.imp_plus` | Ave+ in IMPs; Ave- is its negative. | number, 0 to 24 | `3` |" in page
    assert "| whole number, 0 to 100000 | `30` | Law 92B |" in page
