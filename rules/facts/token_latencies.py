"""Where a document gives the two latencies that a reader of streamed text feels: to the first token, and per token."""

from __future__ import annotations

from collections.abc import Mapping

from ...schemas.submission import Claim
from ..case import Case, Side
from ..pattern import Pattern
from .samples import samples

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


def parts_given(claim: Claim, case: Case) -> frozenset[str]:
    """Return which of the two token latencies a document gives for a claim's arm: as means, raw numbers or columns."""
    side, row, table = case.subject(claim), case.row(claim), case.table(claim)
    found = set(_of_arm(case, side)) if side is not None else set()
    if row is not None and table is not None:
        found |= {part_of(f"{key} {table.columns[key].unit}") for key in row.values if key in table.columns}
    return frozenset(found) - {WHOLE}


def _of_arm(case: Case, side: Side) -> list[str]:
    found = []
    for name, metric in side.arm.performance.items():
        times = metric.token_times
        if times is not None:
            found += [FIRST] * (times.first_token is not None) + [EACH] * (times.per_output_token is not None)
        if metric.quantity == "latency" and (metric.value is not None or metric.summary is not None):
            found.append(part_of(name))
    return found + [part for part, column in COLUMNS.items() if samples(case, side, column) is not None]
