"""How far two intervals lie apart, how much that weighs, and what most likely went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from ..outcome import CAVEAT, Effect
from .numbers import INFINITY, Span

SMALL = Decimal("0.01")
CAUSES: Mapping[str, Decimal] = {
    "a factor 1000": Decimal(1000),
    "a factor 1024 (binary against decimal units)": Decimal(1024),
    "a factor 8 (bits against bytes)": Decimal(8),
    "a factor 60 (minutes against seconds)": Decimal(60),
    "a factor 100 (percent against fractions)": Decimal(100),
    "a factor 2 (multiply-adds counted once or twice)": Decimal(2),
}


def gap(claimed: Span, recomputed: Span) -> Decimal:
    """Return the distance between two intervals, as a share of the recomputed one; 0 where they meet."""
    if claimed.meets(recomputed):
        return Decimal(0)
    low, high = (claimed.high, recomputed.low) if claimed.high < recomputed.low else (recomputed.high, claimed.low)
    size = min(abs(recomputed.low), abs(recomputed.high))
    return (high - low) / size if size > 0 else INFINITY


def weighed(effect: Effect, distance: Decimal) -> Effect:
    """Return the effect of a contradiction between numbers: one of at most 1 % is a caveat."""
    return CAVEAT if distance <= SMALL else effect


def likely_cause(claimed: Span, recomputed: Span, counts: Mapping[str, int | None] | None = None) -> str:
    """Return a clause that names the slip that would explain a contradiction, or nothing.

    Args:
        claimed: what is stated.
        recomputed: what follows from the evidence.
        counts: further factors by name: devices, batch, accumulation.
    """
    if not (claimed.low > 0 and claimed.high < INFINITY and recomputed.low > 0 and recomputed.high < INFINITY):
        return ""
    ratio = (claimed.low + claimed.high) / (recomputed.low + recomputed.high)
    factors = dict(CAUSES) | {f"the number of {name}": Decimal(n) for name, n in (counts or {}).items() if n and n > 1}
    for name, factor in factors.items():
        if any(abs(ratio / wanted - 1) <= Decimal("0.02") for wanted in (factor, 1 / factor)):
            return f"; {name} would explain it"
    inverse = Span(1 / claimed.high, 1 / claimed.low)
    return "; the inverse would fit" if inverse.widened(Decimal("0.02")).meets(recomputed) else ""
