"""Which part of a request a latency is the time of: to the first token, per output token, or the whole."""

from __future__ import annotations

from ....schemas.evidence import Metric
from ...case import Side
from ...language.reading import read

FIRST, EACH, WHOLE = "first_token", "per_output_token", "end_to_end"
COLUMNS = {FIRST: "ttft_s", EACH: "tpot_s", WHOLE: "latency_s"}


def part_of(name: str) -> str:
    """Return which latency a name stands for: that to the first token, per output token, or of the whole request."""
    return next((part for part in (FIRST, EACH) if read(name).has(f"latency.{part}")), WHOLE)


def of_gaps(side: Side, metric: Metric) -> bool:
    """Whether a metric is over the gaps between tokens, of which a request has many, while requests are counted."""
    name = next((name for name, other in side.arm.performance.items() if other is metric), "")
    by_request = metric.n is not None and metric.n.unit == "request"
    return by_request and metric.column is None and read(name).has("latency.gap")
