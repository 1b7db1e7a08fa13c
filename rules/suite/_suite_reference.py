"""How fast the suite's reference converges at a global batch: between two batches of it in a straight line."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...schemas.submission import ReferenceRuns
from ..statistics.reference_runs import trimmed
from ..statistics.student import t_quantile


class Reference(Struct, frozen=True):
    """The reference at one batch.

    Attributes:
        mean: trimmed mean of the samples to the target.
        spread: standard deviation of the same runs.
        runs: runs behind it, the fewer of two batches.
    """

    mean: float
    spread: float
    runs: int

    def least_mean(self, runs: int, alpha: float) -> float:
        """Return the least trimmed mean of so many runs that is not significantly below it (one-sided Student t)."""
        n, m = self.runs - 2, runs - 2
        return self.mean - t_quantile(1 - alpha, n + m - 2) * self.spread * math.sqrt(1 / n + 1 / m)


def reference_at(points: Mapping[str, ReferenceRuns], batch: float) -> Reference | None:
    """Return the reference at a batch; None where no batch of it is that one, or lies on either side of it."""
    known = sorted((point.global_batch, _of(point.samples_to_target)) for point in points.values())
    below = [(size, found) for size, found in known if size <= batch and found is not None]
    above = [(size, found) for size, found in known if size >= batch and found is not None]
    if not below or not above:
        return None
    (low, first), (high, last) = below[-1], above[0]
    share = (batch - low) / (high - low) if high > low else 0.0
    return Reference(
        first.mean + share * (last.mean - first.mean),
        first.spread + share * (last.spread - first.spread),
        min(first.runs, last.runs),
    )


def _of(samples: Sequence[float]) -> Reference | None:
    if len(samples) < 3:
        return None
    return Reference(*trimmed(samples), len(samples))
