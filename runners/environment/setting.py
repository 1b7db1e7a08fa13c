"""One knob on one target, and what became of it so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..trial.events import Scalar
from .knobs.interface import Knob, Reading, Refused, Restoration


@dataclass(slots=True)
class Setting:
    """A requested knob, through the course of a session."""

    knob: Knob
    target: str
    """Empty where there is none: then it is refused."""
    label: str
    """The target for people."""
    requested: Any
    required: bool
    original: Reading = None
    applied: Scalar | None = None
    refused: Refused | None = None
    restoration: Restoration | None = None

    @property
    def words(self) -> str:
        """Return knob, value and target in words."""
        return f"{self.knob.NAME} = {spelt(self.requested)}" + (f" on {self.label}" if self.target else "")


def spelt(value: Any) -> str:
    """Return a requested value as a spec spells it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return f"[{', '.join(map(str, value))}]" if isinstance(value, (list, tuple)) else str(value)


def plain(value: Any) -> Scalar:
    """Return a requested value as a scalar: a list becomes text."""
    if isinstance(value, (str, int, float)):  # a bool is an int
        return value
    return " ".join(str(item) for item in value)
