"""Something that is not the same on both sides of a comparison."""

from __future__ import annotations

from dataclasses import dataclass

from ...schemas.model import Node


@dataclass(frozen=True, slots=True)
class Differing:
    """What differs, as it is on the old side and on the new one."""

    what: str
    old: str
    new: str


def fields(old: Node | None, new: Node | None, names: tuple[str, ...]) -> list[Differing]:
    """Return the fields that both sides tell and that differ."""
    if old is None or new is None:
        return []
    pairs = [(name, getattr(old, name), getattr(new, name)) for name in names]
    return [
        Differing(name, shown(left), shown(right))
        for name, left, right in pairs
        if left is not None and right is not None and shown(left) != shown(right)
    ]


def shown(value: object) -> str:
    """Return a value as a reader writes it."""
    if isinstance(value, Node):
        return "not applicable"
    if isinstance(value, tuple):
        return " x ".join(shown(item) for item in value)
    return f"{value:.15g}" if isinstance(value, float) else str(value)
