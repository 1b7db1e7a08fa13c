"""Models of devices that a label names, wherever they stand in it: `XE9680x8H200-SXM` names an H200."""

from __future__ import annotations

import re
from functools import lru_cache

from ...case import Case
from ..caching import fact
from .specification import device_table

LEAST = 3
FOLDED = {"gb200": ("b200",), "gb300": ("b300",), "gh200": ("h100", "h200")}
"""A superchip is called by its accelerator, too."""


@fact
def device_words(case: Case, text: str) -> frozenset[str]:
    """Return the models that a text names, superchips with their accelerators; empty where it names none.

    Only models that are one word with a digit count: "gaudi" is also the name of a host.
    """
    folded = text.casefold().replace("tpu-v", "tpuv").replace("tpu v", "tpuv")
    whole = case.whole or case
    found = {match[1] for match in _pattern_of(whole).finditer(folded)}
    found |= {other for names in _names(whole) if not found.isdisjoint(names) for other in names}
    return frozenset(found | {other for model in found for other in FOLDED.get(model, ())})


@fact
def _names(case: Case) -> tuple[tuple[str, ...], ...]:
    """Return the names of each device that has several: "trn1" is "trainium1"."""
    found = {_models(frozenset(device.names)) for device in device_table(case).devices.values()}
    return tuple(sorted(names for names in found if len(names) > 1))


@fact
def _pattern_of(case: Case) -> re.Pattern[str]:
    return _pattern(_models(frozenset(name for device in device_table(case).devices.values() for name in device.names)))


@lru_cache(maxsize=8)
def _models(names: frozenset[str]) -> tuple[str, ...]:
    words = (name for name in names if " " not in name and len(name) >= LEAST)
    told = {word for word in words if any(c.isdigit() for c in word) and any(c.isalpha() for c in word)}
    return tuple(sorted(told, key=lambda word: (-len(word), word)))


@lru_cache(maxsize=8)
def _pattern(models: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?<![a-z0-9])|(?<=[0-9]x)|(?<=x[0-9])|(?<=x[0-9]{{2}}))({'|'.join(map(re.escape, models))})(?![a-z0-9])"
    )
