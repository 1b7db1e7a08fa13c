"""Which part of a request a latency is the time of: to the first token, per output token, or the whole."""

from __future__ import annotations

from collections.abc import Mapping

from ..pattern import Pattern

FIRST, EACH, WHOLE = "first_token", "per_output_token", "end_to_end"
COLUMNS = {FIRST: "ttft_s", EACH: "tpot_s", WHOLE: "latency_s"}
_NAMES: Mapping[str, Pattern] = {
    FIRST: Pattern(r"ttft|first[ _-]?token"),
    EACH: Pattern(r"tpot|\bitl\b|inter[ _-]?token|(?:per|each)[ _-]?(?:output[ _-]?)?token"),
}


def part_of(name: str) -> str:
    """Return which latency a name stands for: that to the first token, per output token, or of the whole request."""
    text = name.casefold()
    return next((part for part, names in _NAMES.items() if names.search(text) is not None), WHOLE)
