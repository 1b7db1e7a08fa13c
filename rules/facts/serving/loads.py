"""Load points: whether two numbers of a service were measured under one load, and whether an arm shows a curve."""

from __future__ import annotations

from collections.abc import Iterable

from ....schemas.evidence import Load, Metric
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...fields import field_of
from ...language.reading import read
from ..comparison.options import Same
from ..comparison.treatment import words_of
from ..comparison.wording import same_words

SWEPT = frozenset({"concurrency", "request_rate", "load", "clients", "users", "queries", "batch", "qps"})

CURVE = 3
MEASURED = 0.02
"""Share by which loads and lengths differ that are counted in each of two runs of one list of requests."""


def swept(names: Iterable[str]) -> bool:
    """Whether a treatment, or what a table varies, is the load; "per_device_batch" is one, too."""
    return any(words_of(load) <= words_of(name) for name in names for load in SWEPT)


def same_load(left: Load | None, right: Load | None) -> Same:
    """Return whether two loads are one.

    DIFFERENT where what is offered, the kind of loop or the lengths differ by more than counting them again does.
    EQUAL where what is offered is known of both and agrees. UNKNOWN for the rest. What is offered is the rate, unless
    the loop is closed; the requests in flight are then a result. In a closed loop it is the requests in flight.
    """
    if left is None or right is None:
        return Same.UNKNOWN
    loops = {left.loop, right.loop} - {None}
    rates = left.request_rate is not None and right.request_rate is not None
    offer = "request_rate" if rates and loops != {"closed"} else "concurrency"
    ours, theirs = getattr(left, offer), getattr(right, offer)
    outputs = (left.output_length, right.output_length)
    own_end = all(text is not None and read(text).has("ends_itself") for text in outputs)
    lengths = ((left.prompt_length, right.prompt_length), *(() if own_end else (outputs,)))
    apart = any(one is not None and other is not None and _other_length(one, other) for one, other in lengths)
    if apart or len(loops) == 2:
        return Same.DIFFERENT
    if ours is None or theirs is None:
        return Same.UNKNOWN
    return Same.EQUAL if _near(ours, theirs) else Same.DIFFERENT


def _other_length(one: str, other: str) -> bool:
    """Whether two descriptions of lengths differ by more than the mean of one list of requests does when counted."""
    if same_words(one, other) is not Same.DIFFERENT:
        return False
    numbers = [[float(token.value) for token in read(text).tokens if token.value is not None] for text in (one, other)]
    return not (len(numbers[0]) == len(numbers[1]) > 0 and all(map(_near, *numbers)))


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= MEASURED * max(abs(one), abs(other))


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


def per_device(ours: tuple[Load | None, Side], theirs: tuple[Load | None, Side]) -> bool:
    """Whether two arms of different size have as many requests in flight for each of their devices."""
    counts = [(load.concurrency if load is not None else None, side.devices) for load, side in (ours, theirs)]
    if any(clients is None or not devices for clients, devices in counts):
        return False
    shares = [(clients or 0.0) / (devices or 1) for clients, devices in counts]
    return counts[0][1] != counts[1][1] and shares[0] == shares[1]


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
        if swept(table.varies):
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
