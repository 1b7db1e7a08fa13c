"""Which limit a step runs into: the arithmetic, the memory, or neither of them, which leaves the overhead of calls.

A step is held against measured ceilings of the same device in the same process: operations per second against the
product ceiling of each format, bytes per second against a copy. The larger share names the regime; where both lie
below two fifths, most of the time goes to neither (Williams, Waterman and Patterson, Roofline, 2009, for the two
ceilings; the two fifths are a judgement). A memory share above 1 means that caches hold the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from ...rules.statistics.intervals import rounded
from .ceilings import Ceilings

LEAST_SHARE = 0.4
LARGEST_SPREAD = 0.99
Regime = Literal["compute", "memory", "overhead", "unknown"]


class Roofline(msgspec.Struct, frozen=True, kw_only=True):
    """A step beside its ceilings."""

    step_s: float
    """Median time of a step, without counting or tracing."""
    intensity: dict[str, float]
    """Operations (elements, for pointwise) per byte moved between operators, by kind."""
    compute_share: float | None
    """Time that the operations need at the product ceilings of their formats, over the step's; None where a format has
    no ceiling."""
    memory_share: float
    """Time that the bytes need at the copy ceiling, over the step's."""
    regime: Regime
    evidence: str


def roofline(
    operations: Mapping[str, int], moved: Mapping[str, int], pointwise: int, step_s: float, limits: Ceilings
) -> Roofline:
    """Hold a step against its ceilings.

    Args:
        operations: executed operations per format.
        moved: bytes per kind of operator: contractions, pointwise, movements.
        pointwise: elements that element-wise operators handled.
        step_s: time of a step.
        limits: ceilings of the device.
    """
    counts = {"contractions": sum(operations.values()), "pointwise": pointwise}
    intensity = {kind: rounded(count / moved[kind]) for kind, count in counts.items() if moved.get(kind)}
    known = all(name in limits.product_flops for name, count in operations.items() if count)
    needed = sum(count / limits.product_flops[name] for name, count in operations.items() if count) if known else None
    compute = rounded(needed / step_s) if needed is not None else None
    memory = rounded(sum(moved.values()) / limits.copy_bytes_per_s / step_s)
    regime = _certain_regime(compute, memory, needed_formats(operations), limits.spread)
    return Roofline(
        step_s=rounded(step_s),
        intensity=intensity,
        compute_share=compute,
        memory_share=memory,
        regime=regime,
        evidence=_evidence(compute, memory, limits.spread),
    )


def _regime(compute: float | None, memory: float) -> Regime:
    if compute is None:
        return "memory" if memory >= LEAST_SHARE else "unknown"
    if max(compute, memory) < LEAST_SHARE:
        return "overhead"
    return "compute" if compute >= memory else "memory"


def needed_formats(operations: Mapping[str, int]) -> frozenset[str]:
    """Return the formats that a step computes in."""
    return frozenset(name for name, count in operations.items() if count)


def _certain_regime(
    compute: float | None, memory: float, formats: frozenset[str], spread: Mapping[str, float]
) -> Regime:
    """Return the regime that holds whichever round of the ceilings is taken, else unknown."""
    products = 1 / (1 - min(LARGEST_SPREAD, max((spread.get(name, 0.0) for name in formats), default=0.0)))
    copies = 1 / (1 - min(LARGEST_SPREAD, spread.get("copy", 0.0)))
    found = {
        _regime(compute if compute is None else compute * one, memory * other)
        for one in (1.0, products)
        for other in (1.0, copies)
    }
    return found.pop() if len(found) == 1 else "unknown"


def _evidence(compute: float | None, memory: float, spread: Mapping[str, float]) -> str:
    apart = f"; its ceilings came out up to {max(spread.values()):.0%} apart" if any(spread.values()) else ""
    products = "the ceilings of its formats are not known" if compute is None else f"{compute:.0%} of the step"
    return f"its operations need {products} at the product ceilings, its bytes {memory:.0%} at the copy ceiling{apart}"
