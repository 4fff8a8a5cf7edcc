"""Hypothesis strategies for the wire, read off the types: any record that the door would take.

    @given(records())
    @given(records(corrections.Award))

What a type only checks in code (a level, weights that add up to 1, slots named once) is told here.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from schemas import corrections
from schemas.codec import AnyRecord
from schemas.deal import Assigned, Contract, Played, ScoreOnly, Weighted
from schemas.record import WIRE_VERSION, SlotChange, Stamp
from schemas.terms import Points, Tricks

Strategy = st.SearchStrategy[Any]
SHORT: Final = 4
"""So many parts at most of what may have thousands."""
DEAL_POINTS: Final = st.integers(-760, 760).map(lambda tens: Points(10 * tens))


def records(kind: type | None = None) -> Strategy:
    """Any record, or any of one kind."""
    return st.sampled_from(get_args(AnyRecord)).flatmap(of_type) if kind is None else of_type(kind)


def stamps() -> Strategy:
    """Any stamp."""
    return of_type(Stamp)


@cache
def of_type(kind: Any) -> Strategy:  # noqa: ANN401  # a type, or what typing makes of one
    """Any value of a type of the wire."""
    if kind in BY_HAND:
        return BY_HAND[kind]()
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return limited(arguments[0], [note for note in arguments[1:] if isinstance(note, FieldInfo)])
    if origin in {Union, UnionType}:
        return st.one_of(*map(of_type, sorted(arguments, key=lambda each: each is not NoneType)))
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple:
        return st.lists(of_type(arguments[0]), max_size=SHORT).map(tuple)
    if origin is Mapping or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return st.dictionaries(*map(of_type, arguments), max_size=SHORT)
    if isinstance(kind, NewType):
        return of_type(kind.__supertype__)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    return of_class(kind)


def of_class(kind: Any) -> Strategy:  # noqa: ANN401  # a dataclass
    """Any instance of a dataclass of the wire."""
    hints = get_type_hints(kind, include_extras=True)
    parts = {field.name: of_type(hints[field.name]) for field in fields(kind)}
    if "wire" in parts:
        parts["wire"] = st.just(WIRE_VERSION)
    if hints.get("changes") == corrections.Changes:
        parts["changes"] = st.lists(
            of_type(SlotChange), min_size=1, max_size=SHORT, unique_by=lambda change: change.slot
        ).map(tuple)
    return st.builds(kind, **parts)


def limited(base: Any, notes: list[FieldInfo]) -> Strategy:  # noqa: ANN401  # a type
    """Any value of a type within the limits that stand beside it."""
    limits = {
        name: getattr(limit, name)
        for note in notes
        for limit in note.metadata
        for name in ("ge", "le", "min_length", "max_length", "pattern")
        if getattr(limit, name, None) is not None
    }
    while isinstance(base, NewType):
        base = base.__supertype__
    if base is str and "pattern" in limits:
        # `$` would let a line end follow.
        return st.from_regex(limits["pattern"].removesuffix("$") + r"\Z")
    if base is str:
        return st.text(TEXT, max_size=limits.get("max_length"))
    if base is int:
        return st.integers(limits.get("ge"), limits.get("le"))
    if get_origin(base) is tuple:
        return st.lists(of_type(get_args(base)[0]), min_size=limits.get("min_length", 0), max_size=SHORT).map(
            tuple
        )
    return of_type(base)


TEXT: Final = st.characters(codec="utf-8")


def amounts() -> st.SearchStrategy[Fraction]:
    """Any amount that fits on the wire."""
    return st.builds(Fraction, st.integers(-(10**6), 10**6), st.integers(1, 10**6))


@st.composite
def weights(draw: st.DrawFn) -> tuple[Fraction, ...]:
    """One to four weights that add up to 1."""
    shares = draw(st.lists(st.integers(1, 20), min_size=1, max_size=SHORT))
    return tuple(Fraction(share, sum(shares)) for share in shares)


@st.composite
def assigned(draw: st.DrawFn) -> Assigned:
    """Any assigned score of one side."""
    return Assigned(tuple(Weighted(draw(DEAL_POINTS), weight) for weight in draw(weights())))


@st.composite
def moves(draw: st.DrawFn) -> corrections.MoveResult:
    """Any move, to another slot than its own."""
    parts = {field.name: field for field in fields(corrections.MoveResult)}
    hints = get_type_hints(corrections.MoveResult, include_extras=True)
    drawn = {name: draw(of_type(hints[name])) for name in parts if name not in {"wire", "slot", "to"}}
    slots = draw(st.lists(of_type(SlotChange), min_size=2, max_size=2, unique_by=lambda change: change.slot))
    return corrections.MoveResult(**drawn, slot=slots[0].slot, to=slots[1])


BY_HAND: Final[Mapping[Any, Callable[[], Strategy]]] = {
    str: lambda: st.text(TEXT),
    int: lambda: st.integers(-(10**6), 10**6),
    bool: st.booleans,
    NoneType: st.none,
    Fraction: amounts,
    Points: lambda: DEAL_POINTS,
    Tricks: lambda: st.integers(0, 13).map(Tricks),
    Contract: lambda: st.builds(
        Contract,
        st.integers(1, 7),
        *(of_type(get_type_hints(Contract)[name]) for name in ("strain", "doubling", "declarer")),
    ),
    Played: lambda: st.builds(Played, of_type(Contract), of_type(Tricks)),
    ScoreOnly: lambda: st.builds(ScoreOnly, DEAL_POINTS),
    Assigned: assigned,
    corrections.MoveResult: moves,
}
"""What the types do not say of themselves."""
