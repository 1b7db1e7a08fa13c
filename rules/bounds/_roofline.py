"""The roofline: the rate at which a device can compute, P = min(peak, bandwidth x intensity).

Williams, Waterman and Patterson, Roofline: an insightful visual performance model (2009).
"""

from __future__ import annotations

from decimal import Decimal


def roof(peak: Decimal, bandwidth: Decimal, intensity: Decimal) -> Decimal:
    """Return the highest rate, in operations per second.

    Args:
        peak: operations per second.
        bandwidth: bytes per second.
        intensity: operations per byte moved to or from memory.
    """
    return min(peak, bandwidth * intensity)


def ridge(peak: Decimal, bandwidth: Decimal) -> Decimal:
    """Return the intensity at which the two limits meet, in operations per byte: below it memory is the limit."""
    return peak / bandwidth
