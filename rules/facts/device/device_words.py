"""Models of devices that a label names, wherever they stand in it: `XE9680x8H200-SXM` names an H200."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...caching import remembered
from ...case import Case
from ...language.reading import read
from ...tables.accelerators import Accelerators
from .specification import device_table

LEAST = 3
FOLDED = {"gb200": ("b200",), "gb300": ("b300",), "gh200": ("h100", "h200")}
"""A superchip is called by its accelerator, too."""


def device_words(case: Case, text: str) -> frozenset[str]:
    """Return the models that a text names, superchips with their accelerators; empty where it names none.

    Only models that are one word with a digit count: "gaudi" is also the name of a host. Those of two signs (L4, T4)
    count where the reader takes them for a device, in capitals: "t4" is also that of a zone.
    """
    return _words(text, device_table(case.whole or case))


@remembered(4096)
def _words(text: str, table: Accelerators) -> frozenset[str]:
    folded = text.casefold().replace("tpu-v", "tpuv").replace("tpu v", "tpuv")
    found = {match[1] for match in _pattern(table).finditer(folded)}
    last = (name.text.split()[-1] for name in read(text).names("device"))
    found |= {word.casefold() for word in last if word.isupper() and word.casefold() in _short(table)}
    found |= {other for names in _names(table) if not found.isdisjoint(names) for other in names}
    return frozenset(found | {other for model in found for other in FOLDED.get(model, ())})


@remembered(8)
def _names(table: Accelerators) -> tuple[tuple[str, ...], ...]:
    """Return the names of each device that has several: "trn1" is "trainium1"."""
    found = {_models(device.names) for device in table.devices.values()}
    return tuple(sorted(names for names in found if len(names) > 1))


@remembered(8)
def _short(table: Accelerators) -> frozenset[str]:
    return frozenset(name for device in table.devices.values() for name in device.names if len(name) < LEAST)


@remembered(8)
def _pattern(table: Accelerators) -> re.Pattern[str]:
    models = _models(name for device in table.devices.values() for name in device.names)
    return re.compile(
        rf"(?:(?<![a-z0-9])|(?<=[0-9]x)|(?<=x[0-9])|(?<=x[0-9]{{2}}))({'|'.join(map(re.escape, models))})(?![a-z0-9])"
    )


def _models(names: Iterable[str]) -> tuple[str, ...]:
    words = (name for name in names if " " not in name and len(name) >= LEAST)
    told = {word for word in words if any(c.isdigit() for c in word) and any(c.isalpha() for c in word)}
    return tuple(sorted(told, key=lambda word: (-len(word), word)))
