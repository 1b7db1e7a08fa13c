"""Whether an arm's work waits for memory or for arithmetic, by its intensity and the ceilings of its device."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from ....schemas.operations import Operations
from ....schemas.submission import Claim
from ...case import Case, Side
from ..quantities.given import given
from .limits import memory_bandwidth
from .operations import matrix_product
from .peak_bound import peak_bound

CLEARLY = 2
"""How far from the ridge an intensity has to lie: caches, and clocks below the highest, move it."""

Regime = Literal["memory", "compute"]


def counted_operations(operations: Operations) -> Decimal | None:
    """Return the operations that belong to the bytes: of one sample, or of the matrix product."""
    if operations.flop_per_sample is not None:
        return given(operations.flop_per_sample).high
    return matrix_product({key: Decimal(size) for key, size in operations.dimensions.items()})


def regime_of(claim: Claim, case: Case, side: Side) -> Regime | None:
    """Return what limits an arm's work; None where operations, bytes or ceilings are not known, or both limit it."""
    operations = side.arm.operations
    count = counted_operations(operations) if operations is not None else None
    bandwidth, peak = memory_bandwidth(case, side.system), peak_bound(claim, case, side)
    if operations is None or not operations.bytes_moved or count is None or bandwidth is None or peak is None:
        return None
    if not (bandwidth.value and peak.certain):
        return None
    intensity = count / given(operations.bytes_moved).high
    if intensity * CLEARLY < peak.certain / bandwidth.value:
        return "memory"
    most = max(peak.bound, peak.data_sheet) / bandwidth.value
    return "compute" if intensity > CLEARLY * most else None
