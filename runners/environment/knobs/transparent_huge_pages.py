"""Transparent huge pages: whether the kernel backs memory with pages of 2 MiB, for all, on request, or never."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...trial.events import Scalar
from .. import hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "transparent_huge_pages"
SCOPE: Scope = "host"
SAMPLED = False

ENABLED = "/sys/kernel/mm/transparent_hugepage/enabled"


def read(target: str) -> Reading:
    """Return the choice in force: `always`, `madvise` or `never`."""
    chosen = re.search(r"\[(\w+)\]", hostfile.read(target, ENABLED))
    if chosen is None:
        raise Refused("unverifiable", f"{ENABLED} names no choice in brackets")
    return chosen[1]


def apply(target: str, requested: str) -> Scalar:
    """Choose."""
    if read(target) != requested:
        hostfile.write_all(target, {ENABLED: requested})
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading."""
    off = sum(reading != applied for reading in readings)
    evidence = f"{ENABLED}, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, readings[-1])


def restore(target: str, original: Reading) -> Restoration:
    """Choose what was chosen before."""
    hostfile.write_all(target, {ENABLED: original})
    now = read(target)
    return Restoration("restored" if now == original else "failed", f"read back: {now}")
