"""The curve of a scaling study as inline SVG: speed-up by ranks, with the ideal line and the laws that were fitted.

A law is drawn within the measured sizes only; its bound, where it has one, is a line of its own.
"""

from __future__ import annotations

from typing import Any

from ...schemas.manifest import Scaling, ScalingFit
from .charts import _GRID, _INK, _TARGET, _drawing, _svg

POINTS, HEIGHT_IN = 60, 3.2


def scaling_chart(scaling: Scaling, key: str) -> str:
    """Return the drawing.

    Args:
        scaling: what the manifest says of the study.
        key: prefix of the identifiers in the drawing, unique in its page.
    """
    with _drawing(HEIGHT_IN) as (figure, axes):
        sizes = [(size.ranks, size) for size in scaling.sizes.values() if size.speedup is not None]
        ranks = [count for count, _ in sizes]
        most = max(ranks, default=1)
        axes.plot([1, most], [1, most], color=_GRID, linestyle="--", label="ideal")
        for law, fit in scaling.fits.items():
            across = [1 + (most - 1) * step / POINTS for step in range(POINTS + 1)]
            axes.plot(across, [value_of(law, fit, at) for at in across], color=_TARGET, label=law)
        bound = bound_of(scaling)
        if bound is not None and bound <= 2 * most:
            axes.axhline(bound, color=_TARGET, linestyle=":", label="bound")
        speeds = [float(size.speedup or "nan") for _, size in sizes]
        ends = [
            (float(size.speedup or 0) - float(size.low or size.speedup or 0), float(size.high or size.speedup or 0))
            for _, size in sizes
        ]
        below = [max(0.0, low) for low, _ in ends]
        above = [max(0.0, high - speed) for (_, high), speed in zip(ends, speeds, strict=True)]
        axes.errorbar(ranks, speeds, yerr=[below, above], color=_INK, marker="o", linestyle="none", capsize=3)
        axes.set_xlabel("ranks")
        axes.set_ylabel("speed-up over one")
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.legend(frameon=False)
        return _svg(figure, key)


def in_words(scaling: Scaling) -> str:
    """Return what the curve shows, for readers who do not see it."""
    sizes = [f"{size.ranks} ranks {size.speedup}" for size in scaling.sizes.values() if size.speedup is not None]
    laws = [
        f"{law}: " + ", ".join(f"{name.replace('_', ' ')} {one.value:g}" for name, one in fit.parameters.items())
        for law, fit in scaling.fits.items()
    ]
    return f"Speed-up over one process: {', '.join(sizes)}." + (
        f" Fitted within these: {'; '.join(laws)}." if laws else ""
    )


def value_of(law: str, fit: ScalingFit, ranks: float) -> float:
    """Return the speed-up that a fitted law gives."""
    found: dict[str, Any] = {name: one.value for name, one in fit.parameters.items()}
    if law == "amdahl":
        return float(1 / (found["serial_fraction"] + (1 - found["serial_fraction"]) / ranks))
    if law == "gustafson":
        return float(ranks - found["serial_fraction"] * (ranks - 1))
    contention, coherence = found["contention"], found["coherence"]
    return float(ranks / (1 + contention * (ranks - 1) + coherence * ranks * (ranks - 1)))


def bound_of(scaling: Scaling) -> float | None:
    """Return the speed-up that no number of ranks exceeds under Amdahl's law; None where it was not fitted."""
    fit = scaling.fits.get("amdahl")
    serial = fit.parameters["serial_fraction"].value if fit is not None else 0.0
    return 1 / serial if serial > 0 else None
