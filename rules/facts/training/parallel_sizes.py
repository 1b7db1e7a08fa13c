"""Parallel sizes of a configuration, and what their product must be."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from ....schemas.options import Options
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...language.reading import read

AXES = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
LEAST_LENGTH = 128
"""Batches of language models are counted in tokens, too: then they are a multiple of a length of at least this."""


class Layout(Struct, frozen=True):
    """The stated sizes of one configuration.

    Attributes:
        name: the row or arm, in words.
        at: its place.
        sizes: parallel sizes by axis, as far as stated.
        devices: devices.
        batch: global batch.
        per_pass: batch of one forward pass on one device, under every name.
        accumulation: forward passes per step.
        length: length of an example in tokens.
        dies: whether one device may count as two.
        experts: expert-parallel size.
        sharded: whether parameters are sharded, over ranks that may count as an axis of their own.
    """

    name: str
    at: str
    sizes: Mapping[str, int]
    devices: int | None
    batch: int | None
    per_pass: tuple[int, ...]
    accumulation: int | None
    length: int | None
    dies: bool
    experts: int | None = None
    sharded: bool = False

    @property
    def complete(self) -> bool:
        """Whether every axis and the devices are stated."""
        return len(self.sizes) == len(AXES) and self.devices is not None

    @property
    def product(self) -> int:
        """Devices that the stated sizes need."""
        return prod(self.sizes.values())


def layouts(claim: Claim, case: Case) -> tuple[Layout, ...]:
    """Return the configurations that a claim is about: the rows of its table, else its arm."""
    table, side = case.table(claim), case.subject(claim)
    found = []
    if table is not None and claim.row is not None:
        names = [claim.row.row] if claim.row.row is not None else list(table.rows)
        for name in names:
            row = table.rows.get(name)
            if row is not None and row.options is not None:
                system = case.submission.systems.get(row.system or "")
                found.append(_layout(f"row `{name}`", row.options, row.devices, str(system and system.name)))
    own = layout_of(case, side) if side is not None else None
    found += [own] if own is not None else []
    return tuple(item for item in found if item.sizes)


def layout_of(case: Case, side: Side) -> Layout | None:
    """Return the parallel sizes of an arm; None where it states no options."""
    if side.arm.options is None:
        return None
    name = side.system.name if side.system is not None else ""
    layout = _layout(f"arm `{side.id}`", side.arm.options, side.devices, name)
    # Where inference was measured, the micro batch is that of a pass, the global batch that of the training before.
    return replace(layout, batch=None) if side.id in _inferring(case) else layout


@fact
def _inferring(case: Case) -> frozenset[str]:
    """Return the arms on which some claim measures inference."""
    claims = [claim for claim in case.submission.claims.values() if claim.mode == "inference"]
    sides = (side for claim in claims for side in (case.subject(claim), case.base(claim)))
    return frozenset(side.id for side in sides if side is not None)


def counts_twice(device: str) -> bool:
    """Whether programs see a device as two: boards of two dies, chips of two cores."""
    return _has_two_dies(device) or read(device).has("device_of_two_cores")


def _has_two_dies(device: str) -> bool:
    return read(device).has("device_of_two_dies")


def _layout(name: str, options: Options, devices: int | None, system: str) -> Layout:
    sizes = {axis: size for axis in AXES if (size := getattr(options, axis)) is not None}
    per_pass = tuple({size for size in (options.micro_batch, options.per_device_batch) if size is not None})
    batch = options.global_batch if not options.batch_schedule else None
    dies = _has_two_dies(system)
    return Layout(
        name, options.at, sizes, devices or options.devices, batch, per_pass, options.accumulation,
        options.input_length, dies, options.expert_parallel, options.sharding not in {None, "none"},
    )  # fmt: skip


def devices_contradict(layout: Layout) -> bool | None:
    """Return whether the stated sizes cannot make the devices; None where one that could change it is missing.

    Whatever a missing axis is, the product of the others divides the devices. Experts re-use ranks and count for none.
    """
    if layout.devices is None or not layout.sizes:
        return None
    counts = (layout.devices, 2 * layout.devices) if layout.dies else (layout.devices,)
    if layout.complete and layout.product not in counts:
        # Some frameworks count experts, or shards of the parameters, as an axis of their own.
        own_axis = layout.experts is not None and layout.product * layout.experts in counts
        return None if own_axis or (layout.sharded and not any(n % layout.product for n in counts)) else True
    if layout.complete:
        return False
    return True if all(count % layout.product for count in counts) else None


def batch_contradicts(layout: Layout) -> bool | None:
    """Return whether batch per pass, accumulation and data-parallel size cannot make the global batch; None: unknown.

    A batch "per device" may hold the accumulation already, and a global batch may be counted in tokens.
    """
    data = layout.sizes.get("data_parallel")
    if layout.batch is None or data is None or layout.accumulation is None or not layout.per_pass:
        return None
    made = {size * data * steps for size in layout.per_pass for steps in (layout.accumulation,)}
    if layout.batch in made or any(size * data == layout.batch for size in layout.per_pass[1:]):
        return False
    for product in made:
        times, rest = divmod(layout.batch, product)
        if rest == 0 and (times == layout.length or (layout.length is None and times >= LEAST_LENGTH)):
            return None
    return True
