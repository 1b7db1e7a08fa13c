"""Where a document gives the two latencies that a reader of streamed text feels: to the first token, and per token."""

from __future__ import annotations

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.series.raw_numbers import samples
from ..facts.serving.latency_parts import COLUMNS, EACH, FIRST, WHOLE, part_of
from ..facts.serving.tails import states_tail

MIDDLE = frozenset({"mean", "median"})


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


def parts_without_tail(claim: Claim, case: Case) -> frozenset[str]:
    """Return the token latencies that an arm gives only as a mean or median of their own, without a slow percentile."""
    side = case.subject(claim)
    if side is None:
        return frozenset()
    held = {
        part
        for name, metric in side.arm.performance.items()
        if metric.quantity == "latency" and (part := part_of(name)) != WHOLE and metric.statistic in MIDDLE
    }
    metrics = side.arm.performance.items()
    tails = {part_of(name) for name, metric in metrics if metric.quantity == "latency" and states_tail(metric)}
    for _, metric in metrics:
        if metric.token_times is not None:
            tails |= {FIRST, EACH}
    tails |= {part for part, column in COLUMNS.items() if samples(case, side, column) is not None}
    return frozenset(held - tails)
