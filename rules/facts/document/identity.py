"""Documents as keys of a cache: frozen, but not hashable, so that they count by identity."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Something that equals itself alone; a cache that keeps it keeps its identity from being given again."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and self.value is other.value
