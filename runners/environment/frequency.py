"""Policies of the host that nobody asked to change: governor, frequency, turbo, SMT, huge pages. Read only."""

from __future__ import annotations

from pathlib import Path

from . import wording
from .fact import Fact, Facts, unverifiable
from .knobs import cpu_frequency_mhz, governor, smt, transparent_huge_pages, turbo
from .knobs.interface import Knob, Refused

POLICIES: tuple[Knob, ...] = (governor, cpu_frequency_mhz, turbo, smt, transparent_huge_pages)


def policy(sysroot: Path) -> Facts:
    """Return by knob what the kernel states; of turbo and simultaneous multithreading whether they are on."""
    return {knob.NAME: _state(knob, str(sysroot)) for knob in POLICIES}


def _state(knob: Knob, root: str) -> Fact:
    try:
        told = wording.state(knob, knob.read(root))
    except Refused as refused:
        return Fact(not_permitted=str(refused)) if refused.state == "not_permitted" else unverifiable(refused.evidence)
    return Fact(told == "on" if knob in (turbo, smt) else told)
