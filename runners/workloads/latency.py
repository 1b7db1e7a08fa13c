"""Latency and bandwidth of an exchange: t = latency + S / bandwidth through several sizes (Hockney 1994)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from ...rules.statistics.intervals import rounded

LEVEL = 0.95
LEAST = 3
"""Sizes through which a line with an interval can go."""


def fitted(times: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """Return `latency_s` and `bandwidth_bytes_per_s`, each with its interval; nothing below three sizes.

    The residuals are relative to the measured times, so that small messages count as much as large ones.

    Args:
        times: bytes of a message and its time, in seconds.
    """
    if len(times) < LEAST:
        return {}
    import numpy as np
    from scipy.optimize import curve_fit
    from scipy.stats import t

    size, time_s = (np.array(column, dtype=float) for column in zip(*times, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a covariance that cannot be estimated is infinite
        best, covariance = curve_fit(lambda s, latency, per_byte: latency + s * per_byte, size, time_s, sigma=time_s)
    half = float(t.ppf(0.5 + LEVEL / 2, len(times) - 2)) * np.sqrt(np.diag(covariance))
    latency_s, per_byte = (float(value) for value in best)
    if not all(map(math.isfinite, (*best, *half))) or latency_s <= 0 or per_byte <= 0:
        return {}
    found = {"latency_s": {"value": latency_s, "low": latency_s - float(half[0]), "high": latency_s + float(half[0])}}
    slow, fast = per_byte + float(half[1]), per_byte - float(half[1])
    bandwidth = {"value": 1 / per_byte, "low": 1 / slow} | ({"high": 1 / fast} if fast > 0 else {})
    whole = {**found, "bandwidth_bytes_per_s": bandwidth}
    return {name: {key: rounded(value) for key, value in one.items()} for name, one in whole.items()}
