"""What the name of a quality says that it is: a level, or a change of one."""

from __future__ import annotations

from ...language.reading import read


def is_change(name: str) -> bool:
    """Whether a quality is the change, or the share, of another level of it: "Δ top-1", "accuracy drop"."""
    return read(name).has("change_of_level", affirmed=False)
