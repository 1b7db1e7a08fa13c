"""What somebody meant who mistyped one of few words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(typed: str, choices: Iterable[str]) -> str:
    """Return a question that names what is nearest, or nothing."""
    near = difflib.get_close_matches(typed, list(choices), n=2, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else ""


def meant(typed: str, choices: Iterable[str]) -> str:
    """Return a hint that names what is nearest, or else every choice."""
    choices = tuple(choices)
    return nearest(typed, choices) or f"choose one of: {', '.join(choices)}"
