"""Whether so few seeds can give an interval as narrow as a tender wants: a word before the spec is sent."""

from __future__ import annotations

from collections.abc import Iterator

from ...runners.study import sweep
from ...schemas.model import to_model
from ...schemas.source import parse
from ...schemas.spec import Spec
from . import width
from .tender import Issued

TO_TARGET = "_to_target"
USUAL = 0.2
"""Standard deviation up to which a word is due: times to a quality differ from seed to seed by some tenths."""


def words(issued: Issued) -> Iterator[str]:
    """Yield a line for each time to a quality without a limit whose seeds are few for the widest interval."""
    for name, metric in issued.content.metrics.items():
        if not (metric.metric or "").endswith(TO_TARGET) or metric.least or metric.most:
            continue
        spec = sweep.expanded(to_model(parse(issued.specs[metric.workload], metric.workload).value, Spec))
        count = len(spec.convergence.planned_seeds()) if spec.convergence is not None else 0
        word = few(count, issued.content.widest_of(metric))
        if word:
            yield f"{name}: {word}; ask for more seeds, a limit (most) or a wider interval"


def few(seeds: int, widest: float) -> str:
    """Return that an interval will hardly be as narrow as is wanted; empty where it well may be.

    Args:
        seeds: of a spec.
        widest: how far the interval may reach from its value, as a share of it.
    """
    if seeds < width.LEAST or (scatter := width.scatter_for(seeds, widest)) >= USUAL:
        return ""
    return (
        f"{seeds} seeds keep the interval within {100 * widest:.3g} % only where they differ by less than about "
        f"{100 * scatter:.2g} % (standard deviation), and times to a quality often differ by more"
    )
