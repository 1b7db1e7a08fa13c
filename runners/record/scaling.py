"""What a scaling study shows: speed-up and efficiency at each size, and the laws that may describe them.

With p ranks, speed-up S and serial share s:

    Amdahl (1967)       S = 1 / (s + (1 - s) / p)                     one problem, solved sooner
    Gustafson (1988)    S = p - s (p - 1)                             a problem that grows with p
    USL (Gunther 2007)  S = p / (1 + a (p - 1) + b p (p - 1))         a: contention, b: coherence; from three sizes on

Each is fitted to the speed-ups of the single trials over the median of the base, by least squares; the intervals are
Student's t over these points. What lies beyond the measured sizes is not stated.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...rules.statistics.intervals import log_welch_ratio, median, rounded
from ...schemas.spec import Size, Spec
from ..study.scaling import name_of, ordered
from .summary import printed

LEVEL = 0.95
METHOD = "least squares over trials, Student's t"
Arms = Mapping[str, Any]
Law = Callable[..., Any]


def amdahl(p: Any, serial: float) -> Any:
    """Return the speed-up that a serial share leaves."""
    return 1 / (serial + (1 - serial) / p)


def gustafson(p: Any, serial: float) -> Any:
    """Return the scaled speed-up that a serial share leaves."""
    return p - serial * (p - 1)


def usl(p: Any, contention: float, coherence: float) -> Any:
    """Return the speed-up under contention and coherence."""
    return p / (1 + contention * (p - 1) + coherence * p * (p - 1))


LAWS: dict[str, tuple[Law, tuple[str, ...]]] = {
    "amdahl": (amdahl, ("serial_fraction",)),
    "gustafson": (gustafson, ("serial_fraction",)),
    "usl": (usl, ("contention", "coherence")),
}
BY_MODE = {"strong": ("amdahl", "usl"), "weak": ("gustafson", "usl"), "time_to_target": ("amdahl", "usl")}


def of_study(spec: Spec, arms: Arms) -> dict[str, Any] | None:
    """Return the record of a scaling study; None where the study is none, or its base gave no number."""
    if spec.scaling is None:
        return None
    mode, sizes = spec.scaling.mode, ordered(spec.scaling)
    speeds = {name_of(size): _speeds(arms[name_of(size)], mode) for size in sizes}
    base = name_of(sizes[0])
    if not speeds[base]:
        return None
    rows = {name_of(size): _row(size, arms[name_of(size)], speeds[name_of(size)], speeds[base], mode) for size in sizes}
    points = [
        (size.ranks, speed / median(speeds[base])) for size in sizes for speed in speeds[name_of(size)] if size.ranks
    ]
    fits = {law: found for law in BY_MODE[mode] if (found := fit(law, points)) is not None}
    return {"mode": mode, "base": base, "sizes": rows, **({"fits": fits} if fits else {})}


def fit(law: str, points: Sequence[tuple[int, float]]) -> dict[str, Any] | None:
    """Return the parameters of a law with their intervals; None where there are too few sizes or points.

    Args:
        law: amdahl, gustafson or usl.
        points: ranks and speed-up of each trial.
    """
    import numpy as np
    from scipy.optimize import curve_fit
    from scipy.stats import t

    function, names = LAWS[law]
    if len({p for p, _ in points}) < len(names) + 1 or len(points) <= len(names) + 1:
        return None
    p, speedup = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a covariance that cannot be estimated is infinite, and said so below
        try:
            best, covariance = curve_fit(function, p, speedup, p0=[0.1] + [0.0] * (len(names) - 1), maxfev=10_000)
        except RuntimeError:
            return None
    quantile = float(t.ppf(0.5 + LEVEL / 2, len(points) - len(names)))
    found: dict[str, Any] = {}
    for name, value, variance in zip(names, best, np.diag(covariance), strict=True):
        half = quantile * math.sqrt(variance) if variance >= 0 else math.inf
        if not math.isfinite(value):
            return None
        found[name] = {"value": rounded(float(value))}
        if math.isfinite(half):
            found[name] |= {"low": rounded(float(value) - half), "high": rounded(float(value) + half)}
    residual = speedup - function(p, *best)
    return {
        "parameters": found,
        "level": LEVEL,
        "method": METHOD,
        "points": len(points),
        "largest_residual": rounded(float(np.abs(residual).max())),
    }


def _speeds(arm: Mapping[str, Any], mode: str) -> list[float]:
    """Return the speed of each trial: work per second, or trainings per second; nothing where one never got there."""
    if mode == "time_to_target":
        runs = [one for one in arm["trials"].values() if one["kind"] == "convergence"]
        times = [one.get("crossing", {}).get("time_s") for one in runs if one.get("crossing", {}).get("reached")]
        return [1 / time for time in times if time] if len(times) == len(runs) else []
    metric = arm.get("performance", {}).get("rate")
    timed = [one for one in arm["trials"].values() if one["kind"] == "throughput" and one["outcome"] == "completed"]
    medians = [float(one["medians"]["step_time_s"]) for one in timed if "step_time_s" in one.get("medians", {})]
    return [metric["work_per_iteration"] / step for step in medians if step > 0] if metric is not None else []


def _row(
    size: Size, arm: Mapping[str, Any], speeds: Sequence[float], base: Sequence[float], mode: str
) -> dict[str, Any]:
    row: dict[str, Any] = {"ranks": size.ranks, "nodes": size.nodes, "trials": len(speeds)}
    if isinstance(arm["options"].get("global_batch"), int):
        row["global_batch"] = arm["options"]["global_batch"]
    if speeds:
        speedup = median(speeds) / median(base)
        row |= {"speedup": printed(speedup), "efficiency": printed(speedup / size.ranks)}
        interval = log_welch_ratio(speeds, base) if size.ranks > 1 else None
        if interval is not None:
            row |= {"low": printed(interval.lower), "high": printed(interval.upper)}
    share = communication_share(arm)
    return row | ({"communication_share": share} if share is not None else {})


def communication_share(arm: Mapping[str, Any]) -> float | None:
    """Return the exposed communication over the whole step, from the pass of its own; None where there was none."""
    return share_of_communication(arm.get("measurement", {}).get("phases_s", {}))


def share_of_communication(phases_s: Mapping[str, float]) -> float | None:
    """Return the communication that a step waits for over the whole step; None where no pass measured it."""
    whole = math.fsum(phases_s.values())
    return rounded(phases_s["communication"] / whole) if whole > 0 and "communication" in phases_s else None
