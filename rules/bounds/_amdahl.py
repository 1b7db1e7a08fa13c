"""How much faster more devices can be when a part of the work stays serial.

Amdahl, Validity of the single processor approach (1967); Gustafson, Reevaluating Amdahl's law (1988).
"""

from __future__ import annotations

from decimal import Decimal


def strong_bound(serial: Decimal, base: int, new: int) -> Decimal:
    """Return the largest speed-up from `base` to `new` devices at one problem size.

    Args:
        serial: share of the work on one device that stays serial.
        base: devices of the base.
        new: devices of the subject.
    """
    return (serial + (1 - serial) / base) / (serial + (1 - serial) / new)


def weak_bound(serial: Decimal, base: int, new: int) -> Decimal:
    """Return the largest growth of the rate from `base` to `new` devices where the work grows with the devices."""
    return (serial + (1 - serial) * new) / (serial + (1 - serial) * base)
