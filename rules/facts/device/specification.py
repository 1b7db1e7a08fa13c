"""Which device of the accelerator table a system has, and the most that such a device can do."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from ....schemas.conditions import System
from ...caching import fact
from ...case import Case
from ...tables.accelerators import Accelerators, Device, accelerators, indexed
from .formats import normalised

FITS = 0.05
"""Share within which a stated memory, bandwidth or power is that of a variant."""
GIB_PER_GB = 1e9 / 2**30
TERA, GIGA, MEGA = Decimal(10) ** 12, Decimal(10) ** 9, Decimal(10) ** 6
COLUMNS = {
    "e4m3": ("fp8", "fp8_accumulate_fp16"),
    "e5m2": ("fp8", "fp8_accumulate_fp16"),
    "fp8": ("fp8", "fp8_accumulate_fp16"),
    "e2m1": ("fp4",),
    "fp16": ("fp16", "fp16_accumulate_fp16"),
    "fp32": ("fp32", "fp32_matrix"),
    "fp64": ("fp64", "fp64_matrix"),
}
"""Columns of the table in which a format's operations may run."""


class Peak(Struct, frozen=True):
    """Operations per second of one device.

    Attributes:
        data_sheet: the highest published dense peak.
        bound: the most that units, operations per clock and the highest clock allow, or the published peak where that
            is more.
        reliable: whether more than the bound is impossible; a published peak alone is not always a bound.
    """

    data_sheet: Decimal
    bound: Decimal
    reliable: bool


class Variant(Struct, frozen=True):
    """The devices of the table that fit what is stated.

    Attributes:
        kind: `fixed`, one fits; `envelope`, several do; `unknown`, none does, or the device is not stated.
        ids: their ids, in order.
        devices: their entries, in the same order.
    """

    kind: Literal["fixed", "envelope", "unknown"]
    ids: tuple[str, ...] = ()
    devices: tuple[Device, ...] = ()

    @property
    def words(self) -> str:
        """The device, or how the variant was chosen, as a reader writes it."""
        return " or ".join(self.ids) if len(self.ids) < 3 else f"the most of {', '.join(self.ids)}"

    def most(self, value: Callable[[Device], float | None]) -> float | None:
        """Return the largest value of a cell; None where it is not known of one of the devices."""
        found = [value(device) for device in self.devices]
        known = [number for number in found if number is not None]
        return max(known) if known and len(known) == len(found) else None

    def only(self, value: Callable[[Device], float | None]) -> float | None:
        """Return the value of a cell in which all devices agree; None where they differ or it is not known."""
        found = {value(device) for device in self.devices}
        return found.pop() if len(found) == 1 else None

    @property
    def memory_bytes(self) -> Decimal | None:
        """The most memory that one device has, in bytes."""
        return _scaled(self.most(lambda device: device.memory_gb), GIGA)

    @property
    def memory_bytes_per_s(self) -> Decimal | None:
        """The highest bandwidth of the memory of one device, in bytes per second."""
        return _scaled(self.most(lambda device: device.memory_gb_s), GIGA)

    @property
    def link_bytes_per_s(self) -> Decimal | None:
        """The highest bandwidth of the links of one device to others, both directions together, in bytes per second."""
        return _scaled(self.most(lambda device: device.link_gb_s), GIGA)

    @property
    def power_w(self) -> float | None:
        """The highest design power of one device, in watts."""
        return self.most(lambda device: device.power_w)

    @property
    def sold_together(self) -> int:
        """How many of the devices one of that name may stand for: a superchip or a pair of boards counts as one.

        Only where that holds of every device that fits: nobody calls a pair by the name of the family.
        """
        return min((device.sold_together for device in self.devices), default=1)

    def peak(self, name: str) -> Peak | None:
        """Return the largest dense peak in a number format; None where it is not known of one of the devices."""
        found = [peak_of(device, name) for device in self.devices]
        known = [peak for peak in found if peak is not None]
        if not known or len(known) < len(found):
            return None
        reliable = all(peak.reliable for peak in known)
        return Peak(max(peak.data_sheet for peak in known), max(peak.bound for peak in known), reliable)

    def dense_peak(self, name: str) -> Decimal | None:
        """Return the published dense peak in a number format in which all devices agree, in operations per second."""
        return _scaled(self.only(lambda device: device.dense_tflops.get(COLUMNS.get(name, (name,))[0])), TERA)


UNKNOWN = Variant("unknown")


def peak_of(device: Device, name: str) -> Peak | None:
    """Return the dense peak of one device in a number format; None where the table does not know it."""
    published = _scaled(_largest(device.dense_tflops, name), TERA)
    per_clock, clock = _largest(device.flop_per_clock, name), device.boost_clock_mhz
    derived = None
    if per_clock is not None and device.units is not None and clock is not None:
        derived = Decimal(str(device.units)) * Decimal(str(per_clock)) * Decimal(str(clock)) * MEGA
    known = [peak for peak in (published, derived) if peak is not None]
    if not known:
        return None
    sure = device.bound_reliable and derived is not None
    return Peak(published if published is not None else known[0], max(known), sure)


def _largest(cells: dict[str, float], name: str) -> float | None:
    usual = normalised(name)
    return max((cells[column] for column in COLUMNS.get(usual, (usual,)) if column in cells), default=None)


def _scaled(value: float | None, factor: Decimal) -> Decimal | None:
    return Decimal(str(value)) * factor if value is not None else None


@fact
def device_table(case: Case) -> Accelerators:
    """Return the accelerator table in force: ours, with the entries of whoever judges in place of ours."""
    own = {key: device for table in case.tables for key, device in table.devices.items()}
    return indexed({**accelerators().devices, **own}) if own else accelerators()


@fact
def named_device(case: Case, name: str) -> Variant:
    """Return the devices that a printed name fits."""
    return _variant(device_table(case), device_table(case).named(name))


@fact
def device_of(case: Case, system: System | None) -> Variant:
    """Return the devices that fit what is stated of a system: name, variant, memory and design power.

    Where the stated memory or power fits none of the named devices, none is meant.
    """
    if system is None or not isinstance(system.device, str):
        return UNKNOWN
    table = device_table(case)
    ids = table.named(system.device)
    if system.device_variant is not None:
        ids = table.named(f"{system.device} {system.device_variant}") or table.named(system.device_variant) or ()
    fitting = tuple(key for key in ids if _fits(table.devices[key], system))
    return _variant(table, fitting)


def _fits(device: Device, system: System) -> bool:
    memory = device.memory_gb
    if system.device_memory_gib is not None and memory is not None:
        stated = system.device_memory_gib
        # Makers count in powers of ten, drivers in powers of two; both are called GB.
        if not any(abs(stated - size) <= FITS * size for size in (memory, memory * GIB_PER_GB)):
            return False
    power = device.power_w
    return system.design_power_w is None or power is None or abs(system.design_power_w - power) <= FITS * power


def _variant(table: Accelerators, ids: tuple[str, ...]) -> Variant:
    if not ids:
        return UNKNOWN
    return Variant("fixed" if len(ids) == 1 else "envelope", ids, tuple(table.devices[key] for key in ids))
