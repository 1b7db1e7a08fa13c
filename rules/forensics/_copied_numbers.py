"""Arms under different loads or options that print the same measured numbers, digit for digit."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.options import Same, flat
from ..facts.serving.loads import same_load

MEASURED = frozenset({"rate", "time", "latency"})
DIGITS, FEWEST = 9, 3
"""Of two measurements, one in a billion agrees in nine digits: three of them never do."""


class Copied(Struct, frozen=True):
    """Two arms that share their numbers.

    Attributes:
        left: the first arm.
        right: the later one.
        metrics: names of the numbers that they share.
    """

    left: Side
    right: Side
    metrics: tuple[str, ...]


@fact
def copied_numbers(case: Case) -> dict[str, Copied]:
    """Return, by the id of the later arm, the arms that repeat all fine numbers of an earlier one."""
    first: dict[tuple[tuple[str, str], ...], Side] = {}
    found = {}
    for name in case.submission.arms:
        side = case.own(name)
        numbers = _fine(side) if side is not None else ()
        if side is None or side.study is not None or len(numbers) < FEWEST:
            continue
        other = first.setdefault(numbers, side)
        if other is not side and _apart(other, side):
            found[name] = Copied(other, side, tuple(metric for metric, _ in numbers))
    return found


def _fine(side: Side) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, metric.value)
        for name, metric in side.arm.performance.items()
        if metric.value is not None and metric.quantity in MEASURED and _digits(metric) >= DIGITS
    )


def _digits(metric: Metric) -> int:
    return len(Decimal(metric.value or "0").normalize().as_tuple().digits)


def _apart(left: Side, right: Side) -> bool:
    """Whether two arms state different loads or options: the same ones may be one run that is listed twice."""
    names = left.arm.performance.keys() & right.arm.performance.keys()
    loads = [(left.arm.performance[name].load, right.arm.performance[name].load) for name in sorted(names)]
    if any(same_load(*pair) is Same.DIFFERENT for pair in loads):
        return True
    ours, theirs = flat(left.arm.options), flat(right.arm.options)
    return any(ours[key] != theirs[key] for key in ours.keys() & theirs.keys())
