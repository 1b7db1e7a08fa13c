"""Load points: whether two numbers of a service were measured under one load, and whether an arm shows a curve."""

from __future__ import annotations

from ...schemas.evidence import Load, Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..fields import field_of
from .caching import fact
from .options import Same
from .wording import same_words

SWEPT = frozenset({"concurrency", "request_rate", "load", "clients", "users", "queries", "batch", "qps"})
CURVE = 3


def same_load(left: Load | None, right: Load | None) -> Same:
    """Return whether two loads are one.

    DIFFERENT where the requests in flight, the offered rate, the kind of loop or the lengths differ. EQUAL where
    requests in flight or the offered rate are known of both and agree. UNKNOWN for the rest.
    """
    if left is None or right is None:
        return Same.UNKNOWN
    pairs = [(getattr(left, name), getattr(right, name)) for name in ("concurrency", "request_rate", "loop")]
    known = [(ours, theirs) for ours, theirs in pairs if ours is not None and theirs is not None]
    lengths = ((left.prompt_length, right.prompt_length), (left.output_length, right.output_length))
    apart = any(
        ours is not None and theirs is not None and same_words(ours, theirs) is Same.DIFFERENT
        for ours, theirs in lengths
    )
    if apart or any(ours != theirs for ours, theirs in known):
        return Same.DIFFERENT
    offered = any(ours is not None and ours == theirs for ours, theirs in pairs[:2])
    return Same.EQUAL if offered else Same.UNKNOWN


def words(load: Load) -> str:
    """Return a load as a reader writes it."""
    parts = [
        f"{load.concurrency:g} in flight" if load.concurrency is not None else "",
        f"{load.request_rate:g} requests/s" if load.request_rate is not None else "",
        f"{load.loop} loop" if load.loop is not None else "",
        load.prompt_length or "",
        load.output_length or "",
    ]
    return ", ".join(part for part in parts if part) or "not stated"


def has_curve(side: Side, case: Case) -> bool:
    """Whether an arm shows its numbers over load: at three points, as metrics or as rows of a table."""
    loads = [metric.load for metric in side.arm.performance.values() if metric.load is not None]
    points = {(load.concurrency, load.request_rate) for load in loads} - {(None, None)}
    return len(points) >= CURVE or side.id in _swept(case)


@fact
def _swept(case: Case) -> frozenset[str]:
    """Return the arms that fill three rows of a table over load."""
    counts: dict[tuple[str, str], int] = {}
    for name, table in case.submission.tables.items():
        if not SWEPT.isdisjoint(table.varies):
            for row in table.rows.values():
                if row.arm is not None:
                    counts[name, row.arm] = counts.get((name, row.arm), 0) + 1
    return frozenset(arm for (_, arm), count in counts.items() if count >= CURVE)


def loads_of_group(claim: Claim, case: Case) -> tuple[tuple[Metric, Side], ...]:
    """Return two numbers at most for each load among the serving claims of a headline, with their arms."""
    return _of_group(case, claim.group) if claim.group is not None else ()


@fact
def _of_group(case: Case, group: str) -> tuple[tuple[Metric, Side], ...]:
    found: dict[object, dict[str, tuple[Metric, Side]]] = {}
    for claim in case.submission.claims.values():
        metric, side = case.metric(claim.measured), case.subject(claim)
        if claim.group != group or metric is None or side is None:
            continue
        if claim.quantity == "accuracy" or field_of("scope", claim, case) not in {"request", "serving_window"}:
            continue
        load = metric.load
        key = (load.concurrency, load.request_rate, load.loop, load.prompt_length) if load is not None else None
        numbers = found.setdefault(key, {})
        if len(numbers) < 2:
            numbers.setdefault(metric.at, (metric, side))
    return tuple(number for numbers in found.values() for number in numbers.values())
