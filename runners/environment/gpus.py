"""Which GPUs a study means: numbers of the driver, all of them, or the one that torch calls `cuda:0`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ...schemas.spec import Spec
from . import nvml
from .knobs.interface import Refused


def meant(spec: Spec) -> dict[str, str]:
    """Return the UUIDs of the GPUs whose knobs a spec turns, each with a label for people.

    Raises:
        Refused: no driver answers, or it has no such GPU, or which one it is cannot be told.
    """
    known = nvml.uuids()
    if spec.controls.gpus:
        return numbered(spec.controls.gpus, known, "GPU")
    one = of_device(spec.device, known, _names(known), os.environ)
    if one is None:
        raise Refused(
            "unverifiable",
            f"which GPU does the work cannot be told from device {spec.device}",
            "name it in /controls/gpus, by its number in nvidia-smi",
        )
    return {one: f"GPU {known.index(one)}"}


def numbered(asked: Sequence[int] | str, known: Sequence[str], kind: str) -> dict[str, str]:
    """Return GPUs by the numbers that a spec names, or all of them, each with a label.

    Args:
        asked: numbers of the driver, or `all`.
        known: UUIDs of all GPUs in the driver's order.
        kind: how a label begins.

    Raises:
        Refused: the driver has no such GPU.
    """
    numbers = range(len(known)) if isinstance(asked, str) else asked
    missing = [number for number in numbers if number >= len(known)]
    if missing or not numbers:
        none = f", none of number {missing[0]}" if missing else ""
        raise Refused("unverifiable", f"the driver has {len(known)} {kind}s{none}", "name others")
    return {known[number]: f"{kind} {number}" for number in numbers}


def of_device(device: str, uuids: Sequence[str], names: Sequence[str], variables: Mapping[str, str]) -> str | None:
    """Return the UUID of torch's device; None on the processor, and where renumbering makes it uncertain.

    Args:
        device: `cpu`, `cuda:0` and so on.
        uuids: all GPUs in the driver's order, which is that of the bus.
        names: their names.
        variables: the environment; CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER renumber.
    """
    if not device.startswith("cuda:"):
        return None
    if len(set(names)) > 1 and variables.get("CUDA_DEVICE_ORDER") != "PCI_BUS_ID":
        return None  # CUDA numbers the fastest first
    visible = variables.get("CUDA_VISIBLE_DEVICES")
    order = visible.split(",") if visible else [str(index) for index in range(len(uuids))]
    index = int(device.partition(":")[2])
    name = order[index].strip() if index < len(order) else ""
    if name.isdigit() and int(name) < len(uuids):
        return uuids[int(name)]
    return next((uuid for uuid in uuids if uuid.startswith(name or "-")), None)


def used(spec: Spec) -> tuple[str, ...]:
    """Return the UUIDs of the GPUs on which a study's trials run: its device, and those it names in /controls/gpus.

    Nothing on the processor, and where it is unknown.
    """
    if spec.device == "cpu":
        return ()
    try:
        known = nvml.uuids()
        named = tuple(meant(spec)) if spec.controls.gpus else ()
    except Refused:
        return ()
    one = of_device(spec.device, known, _names(known), os.environ)
    return tuple(uuid for uuid in known if uuid == one or uuid in named)


def _names(uuids: Sequence[str]) -> list[str]:
    return [str(nvml.asked("nvmlDeviceGetName", uuid)) for uuid in uuids]
