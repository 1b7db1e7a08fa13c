"""What products and convolutions on a device really keep of a number, per precision setting: a probe, not a flag.

Switches of torch and of its libraries change the precision of fp32 work without a word, and some that are said to have
an effect have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .fact import Fact, Facts

SETTINGS = ("fp32", "tf32", "bf16")
"""What the bundled workloads can be asked for."""


def measure(device: str) -> dict[str, dict[str, Any]]:
    """Probe every setting, in a process of its own, for it turns torch's switches; needs torch.

    `as_installed` is what torch does unless told otherwise. fp32 keeps 23 explicit mantissa bits, tf32 10, bf16 7.

    Args:
        device: `cpu`, `cuda:0` and so on.

    Returns:
        by operation and setting, `value` or `unverifiable`.
    """
    from contextlib import nullcontext

    from ..workloads import precision

    found: dict[str, dict[str, Any]] = {}
    for setting in ("as_installed", *SETTINGS):
        told: dict[str, dict[str, Any]]
        try:
            asked = {"precision": {"compute": setting}}
            context = precision.training_precision(asked, device).autocast if setting in SETTINGS else nullcontext
            told = {name: {"value": probe(context(), device)} for name, probe in precision.PROBES.items()}
        except Exception as error:  # whatever a device refuses, the other settings are to be probed too
            why = " ".join(str(error).split())[:200] or type(error).__name__
            told = {name: {"unverifiable": why} for name in precision.PROBES}
        found |= {f"{name}_{setting}_mantissa_bits": one for name, one in told.items()}
    return found


def facts(told: Mapping[str, Mapping[str, Any]]) -> Facts:
    """Return what `measure` told as facts."""
    return {name: Fact(**fact) for name, fact in told.items()}
