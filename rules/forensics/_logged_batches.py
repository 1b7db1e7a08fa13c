"""Batches that a run logs, of one device and of all of them, held against the devices."""

from __future__ import annotations

from msgspec import Struct

from ..case import Case, Side
from ..facts.runs.logged_options import whole_option
from ..trace import Logged

OF_A_DEVICE = ("d_batch_size", "local_batch_size", "per_device_batch_size", "per_device_train_batch_size")
ACCUMULATION = ("gradient_accumulation_steps", "gradient_accumulation_frequency")


class Shared(Struct, frozen=True):
    """A global batch that cannot be shared out over the devices in batches of the size that is logged for one.

    Attributes:
        run: the run that logs them.
        key: the key of the batch of a device.
        batch: that batch.
        accumulation: passes a step.
        whole: the global batch.
        devices: the devices.
    """

    run: Logged
    key: str
    batch: int
    accumulation: int
    whole: int
    devices: int


def shared_wrongly(case: Case, side: Side) -> Shared | None:
    """Return the first run whose batches do not fit its devices; None where none is sure not to.

    Tensor, pipeline and other parallel layouts share a batch among several devices, so that the number of batches only
    has to divide the devices; a device may count as two, and its batch may hold the accumulation. Of processors the
    ranks are anybody's choice.
    """
    if side.system is None or side.system.device_kind != "accelerator":
        return None
    for run in case.runs_of(side):
        key = next((key for key in OF_A_DEVICE if run.trace.of(key)), "")
        batch, whole = whole_option(run, key), whole_option(run, "global_batch_size")
        accumulation = next((steps for key in ACCUMULATION if (steps := whole_option(run, key))), 0)
        nodes, each = whole_option(run, "number_of_nodes"), whole_option(run, "accelerators_per_node")
        devices = nodes * each or side.devices or 0
        if not (batch and whole and accumulation and devices):
            continue
        parts = (divmod(whole, batch), divmod(whole, batch * accumulation))
        if not any(rest == 0 and count and 2 * devices % count == 0 for count, rest in parts):
            return Shared(run, key, batch, accumulation, whole, devices)
    return None
