"""Boards that were not identical: Law 87 compares only those who played the same form."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TypeVar

Line = TypeVar("Line", bound=Hashable)
Form = TypeVar("Form", bound=Hashable)


def groups(forms: Mapping[Line, Form]) -> dict[Form, tuple[Line, ...]]:
    """Law 87: the lines of a traveller by the form of the board they played, in their order.

    >>> groups({"table 1": "as dealt", "table 2": "fouled", "table 3": "as dealt"})
    {'as dealt': ('table 1', 'table 3'), 'fouled': ('table 2',)}
    """
    members: dict[Form, tuple[Line, ...]] = {}
    for line, form in forms.items():
        members[form] = (*members.get(form, ()), line)
    return members


def largest(sizes: Mapping[Form, Fraction | int]) -> frozenset[Form]:
    """Return the form that most played, or several: the ACBL rule for groups of three asks for it (Law 87).

    >>> sorted(largest({"as dealt": 3, "fouled": 3, "turned": 2}))
    ['as dealt', 'fouled']
    """
    most = max(sizes.values(), default=0)
    return frozenset(form for form, size in sizes.items() if size == most)
