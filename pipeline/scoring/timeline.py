"""A fact as it changed over the places of an event, so that it can be asked for as of any of them."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Generic, TypeVar

from pipeline.scoring.record_set import Place

T = TypeVar("T")


class Timeline(Generic[T]):
    """Values by the place from which they hold; appended in order."""

    __slots__ = ("places", "values")

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.values: list[T] = []

    def set(self, place: Place, value: T) -> None:
        """From behind this place on, the value holds."""
        self.places.append(place)
        self.values.append(value)

    def at(self, place: Place) -> T | None:
        """What held just before a place."""
        places = self.places
        if not places:
            return None
        if places[-1] < place:  # most questions come after the last change
            return self.values[-1]
        index = bisect_left(places, place)
        return self.values[index - 1] if index else None

    def last(self) -> T | None:
        """What holds now."""
        return self.values[-1] if self.values else None

    def __iter__(self) -> Iterator[tuple[Place, T]]:
        return iter(zip(self.places, self.values, strict=True))
