"""Which part of a request a latency is the time of: to the first token, per output token, or the whole."""

from __future__ import annotations

from collections.abc import Mapping

from ....schemas.evidence import Metric
from ....schemas.pattern import Pattern
from ...case import Side

FIRST, EACH, WHOLE = "first_token", "per_output_token", "end_to_end"
COLUMNS = {FIRST: "ttft_s", EACH: "tpot_s", WHOLE: "latency_s"}
_NAMES: Mapping[str, Pattern] = {
    FIRST: Pattern(r"ttft|first[ _-]?token"),
    EACH: Pattern(r"tpot|\bitl\b|inter[ _-]?token|(?:per|each)[ _-]?(?:output[ _-]?)?token"),
}
INTER_TOKEN = Pattern(r"\bitls?\b|inter[ _-]?token")


def part_of(name: str) -> str:
    """Return which latency a name stands for: that to the first token, per output token, or of the whole request."""
    text = name.casefold()
    return next((part for part, names in _NAMES.items() if names.search(text) is not None), WHOLE)


def of_gaps(side: Side, metric: Metric) -> bool:
    """Whether a metric is over the gaps between tokens, of which a request has many, while requests are counted."""
    name = next((name for name, other in side.arm.performance.items() if other is metric), "")
    by_request = metric.n is not None and metric.n.unit == "request"
    return by_request and metric.column is None and INTER_TOKEN.search(name.casefold()) is not None
