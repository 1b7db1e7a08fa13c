"""One knob on one target, and what became of it so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..events import Scalar
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
        value = plain(self.requested)
        number = isinstance(value, float) and value.is_integer()
        return f"{self.knob.NAME} = {int(value) if number else value}" + (f" on {self.label}" if self.target else "")


def plain(value: Any) -> Scalar:
    """Return a requested value as a scalar: a list becomes text."""
    if isinstance(value, (str, int, float)):  # a bool is an int
        return value
    return " ".join(str(item) for item in value)
