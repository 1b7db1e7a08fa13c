"""The table of accelerators: what one device of each model can do at most, and when it could be had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from .names import matching, tokens

TABLE = Path(__file__).with_name("accelerators.json")


class Device(msgspec.Struct, frozen=True):
    """One model of device; each field is described, with its unit, in accelerators.schema.json. None is not known."""

    vendor: str
    segment: str
    names: tuple[str, ...]
    qualifiers: frozenset[str] = frozenset()
    successor: str | None = None
    sold_together: int = 1
    release_earliest: str | None = None
    release_latest: str | None = None
    units: float | None = None
    base_clock_mhz: float | None = None
    boost_clock_mhz: float | None = None
    matrix_clock_mhz: float | None = None
    memory_gb: float | None = None
    memory_gb_s: float | None = None
    link_gb_s: float | None = None
    power_w: float | None = None
    bound_reliable: bool = False
    flop_per_clock: dict[str, float] = {}
    dense_tflops: dict[str, float] = {}
    sparse_tflops: dict[str, float] = {}
    note: str = ""


class Accelerators(msgspec.Struct, frozen=True):
    """Devices by id, with the index of their names."""

    devices: dict[str, Device]
    index: dict[frozenset[str], tuple[str, ...]]

    def named(self, name: str) -> tuple[str, ...]:
        """Return the ids of all devices that a printed name fits: several where it leaves the variant open."""
        found: dict[str, None] = {}
        for rest, ids in matching(self.index, tokens(name)):
            found.update({key: None for key in ids if rest <= self.devices[key].qualifiers})
        return tuple(sorted(found))


class _File(msgspec.Struct, frozen=True):
    devices: dict[str, Device]


@cache
def accelerators() -> Accelerators:
    """Return the table that ships with the rules."""
    return indexed(msgspec.json.decode(TABLE.read_bytes(), type=_File).devices)


def indexed(devices: Mapping[str, Device]) -> Accelerators:
    """Return devices with the index of their names."""
    return Accelerators(dict(devices), _index(devices.items()))


def _index(devices: Iterable[tuple[str, Device]]) -> dict[frozenset[str], tuple[str, ...]]:
    index: dict[frozenset[str], tuple[str, ...]] = {}
    for key, device in devices:
        for name in device.names:
            words = frozenset(name.split())
            index[words] = (*index.get(words, ()), key)
    return index


def devices_of(value: object) -> dict[str, Device]:
    """Return the devices of a document that its schema accepts."""
    return msgspec.convert(value, _File).devices
