"""Every knob of the machine, a module each; `interface.py` says what a knob is.

In the order in which they are applied. They are restored in the opposite order.
"""

from __future__ import annotations

from ....schemas.spec import Controls
from . import (
    amd_clock_limit_mhz,
    amd_power_limit_w,
    cpu_frequency_mhz,
    cpuset,
    governor,
    gpu_compute_mode,
    gpu_ecc,
    gpu_memory_clock_mhz,
    gpu_persistence_mode,
    gpu_power_limit_w,
    gpu_sm_clock_mhz,
    irq_free,
    smt,
    transparent_huge_pages,
    turbo,
)
from .interface import Knob

KNOBS: tuple[Knob, ...] = (
    irq_free,  # before smt, so that it is put back after: an interrupt may have belonged to the second threads alone
    smt,
    cpuset,
    governor,
    cpu_frequency_mhz,  # before turbo, so that it is put back after: without turbo the kernel cuts earlier limits off
    turbo,
    transparent_huge_pages,
    gpu_persistence_mode,
    gpu_compute_mode,
    gpu_ecc,
    gpu_power_limit_w,
    gpu_memory_clock_mhz,
    gpu_sm_clock_mhz,
    amd_power_limit_w,
    amd_clock_limit_mhz,
)


def requested(controls: Controls) -> tuple[tuple[Knob, object], ...]:
    """Return the knobs that a spec asks for, with what it asks of each."""
    return tuple((knob, getattr(controls, knob.NAME)) for knob in KNOBS if controls.asks(knob.NAME))


def named(name: str) -> Knob | None:
    """Return the knob of a name; None for a name of no knob, as another version may have left it behind."""
    return next((knob for knob in KNOBS if name == knob.NAME), None)
