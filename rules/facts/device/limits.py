"""The most that the memory and the links of one device allow: as the document states it, else by the accelerator table.

A stated value and that of the table are both upper limits for an accusation: the larger one counts.
"""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ....schemas.conditions import System
from ...case import Case
from ..quantities.given import given
from .specification import Variant, device_of

GIB = Decimal(2) ** 30


class Limit(Struct, frozen=True):
    """An upper limit of one device.

    Attributes:
        value: in bytes, or bytes per second.
        reliable: whether the document states it, or the table vouches for it: else it is only a published figure.
        words: where it comes from.
        at: place of the stated value, or of the system.
    """

    value: Decimal
    reliable: bool
    words: str
    at: str


def memory_bandwidth(case: Case, system: System | None) -> Limit | None:
    """Return the highest bandwidth of the memory of one device, in bytes per second."""
    variant = device_of(case, system)
    stated = system.memory_bytes_per_s if system is not None else None
    return _limit(system, variant, "memory_bytes_per_s", stated, variant.memory_bytes_per_s)


def link_bandwidth(case: Case, system: System | None) -> Limit | None:
    """Return the highest bandwidth with which one device sends to others, in bytes per second.

    The table knows the links inside of a node, both directions together: it is asked for a single node only.
    """
    variant = device_of(case, system)
    stated = system.link_bytes_per_s if system is not None else None
    tabulated = variant.link_bytes_per_s if system is not None and system.nodes == 1 else None
    return _limit(system, variant, "link_bytes_per_s", stated, tabulated)


def memory_capacity(case: Case, system: System | None) -> Limit | None:
    """Return the most memory of one device, in bytes: a stated size is read in powers of two.

    Of a device that is sold with several sizes, the stated one counts.
    """
    variant = device_of(case, system)
    stated = system.device_memory_gib if system is not None else None
    size = float(given(stated).high * GIB) if stated is not None else None
    if system is not None and stated is not None and any(device.memory_gb == stated for device in variant.devices):
        return Limit(Decimal(repr(stated)) * GIB, True, "as stated", system.place("device_memory_gib"))
    return _limit(system, variant, "device_memory_gib", size, variant.memory_bytes)


def _limit(
    system: System | None, variant: Variant, field: str, stated: float | None, tabulated: Decimal | None
) -> Limit | None:
    if system is None or (stated is None and tabulated is None):
        return None
    known = tabulated * variant.sold_together if tabulated is not None else Decimal(0)
    if stated is not None and given(stated).high >= known:
        return Limit(given(stated).high, True, "as stated", system.place(field))
    sure = all(device.bound_reliable for device in variant.devices) or stated is not None
    return Limit(known, sure, f"of {variant.words} in the accelerator table", system.place("device"))
