"""Free options read as the fields that they name: an author who writes `amp: bf16` beside no precision has stated it.

`extra` and the environment's variables are free text, by names of the author's choosing. Where a name says which field
is meant and the field is not stated, the value stands in for it; a stated field is never replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from ..schemas.conditions import Software
from ..schemas.evidence import Arm, Measurement, Pipeline
from ..schemas.options import Options, Precision
from .caching import remembered
from .facts.device.formats import known, normalised
from .language.reading import read

PARTS = {
    "weights": frozenset({"weight", "weights", "param", "params", "parameters", "storage"}),
    "accumulate": frozenset({"accumulate", "accumulation", "accumulator", "acc", "accum"}),
    "communication": frozenset({"communication", "comm", "allreduce", "gradient", "gradients", "grad"}),
    "compute": frozenset({"precision", "dtype", "amp", "autocast", "compute", "matmul", "gemm", "math", "format"}),
}
"""Words of a name by the part of the arithmetic whose number format they name; the first that fits."""
DEVICES = frozenset({"gpus", "devices", "accelerators", "tpus", "npus", "gpu_count", "device_count", "world_size"})
BATCHES = frozenset({"batch", "batch_size", "global_batch", "global_batch_size", "total_batch_size"})
CLOCKED = frozenset({"timed", "timed_region", "timed_part", "clock_covers", "measured_part"})
INPUTS = frozenset({"input", "inputs", "data", "images", "input_data", "data_source", "loader", "dataloader"})
DRIVERS = frozenset({"driver", "driver_version", "gpu_driver", "nvidia_driver", "cuda_driver", "nvidia_driver_version"})
MADE_UP = ("synthetic_data", "made_up_data")
SCOPES = {
    "kernel": "kernel",
    "layer": "layer",
    "collective": "collective",
    "phase": "phase",
    "step": "step",
    "iteration": "step",
    "epoch": "epoch",
    "request": "request",
}


def of_known_names(arm: Arm) -> Arm:
    """Return an arm with the fields that its free options name, where it does not state them."""
    extra = arm.options.extra if arm.options is not None else {}
    variables = arm.environment.variables if arm.environment is not None else {}
    if not extra and not variables:
        return arm
    free = {plain_name(name): _text(value) for name, value in (*variables.items(), *extra.items()) if value is not None}
    for complete in (_with_formats, _with_counts, _with_measurement, _with_driver):
        arm = complete(arm, free)
    return arm


@remembered(1024)
def names_a_field(name: str) -> bool:
    """Whether a free option's name says which field it stands for."""
    plain = plain_name(name)
    if any(plain in names or plain.removeprefix("num_") in names for names in (DEVICES, BATCHES, CLOCKED, INPUTS)):
        return True
    return any(not words.isdisjoint(plain.split("_")) for words in PARTS.values())


def _text(value: object) -> str:
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


@remembered(1024)
def plain_name(name: str) -> str:
    """Return a name in lower case, its words joined by underscores."""
    return "_".join("".join(letter if letter.isalnum() else " " for letter in name.casefold()).split())


def _first(free: Mapping[str, str], names: frozenset[str], of: Callable[[str], Any]) -> Any:
    found = (of(value) for name, value in free.items() if name in names or name.removeprefix("num_") in names)
    return next((value for value in found if value is not None), None)


def _with_formats(arm: Arm, free: Mapping[str, str]) -> Arm:
    options = arm.options or Options()
    precision = options.precision or Precision()
    found: dict[str, str] = {}
    for part, name in _formats(free):
        stated = getattr(precision, part)
        if stated is None or not known(stated):
            found.setdefault(part, name)
    if not found:
        return arm
    return replace(arm, options=replace(options, precision=replace(precision, **found)))


def _formats(free: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the part of the arithmetic and the format of every free option that names one of each."""
    for name, value in free.items():
        part = next((part for part, words in PARTS.items() if not words.isdisjoint(name.split("_"))), None)
        formats = [each for each in (*read(value).formats(), normalised(value)) if known(each)]
        if part is not None and len(set(formats)) == 1:
            yield part, formats[0]


def _with_counts(arm: Arm, free: Mapping[str, str]) -> Arm:
    options = arm.options or Options()
    if arm.devices is None and options.devices is None:
        devices = _first(free, DEVICES, _count)
        arm = replace(arm, devices=devices) if devices is not None else arm
    batch = _first(free, BATCHES, _count)
    if batch is None or any((options.global_batch, options.micro_batch, options.per_device_batch)):
        return arm
    return replace(arm, options=replace(arm.options or Options(), global_batch=batch))


def _count(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() and 0 < len(value) < 10 and int(value) else None


def _with_measurement(arm: Arm, free: Mapping[str, str]) -> Arm:
    measurement = arm.measurement or Measurement()
    scope = _first(free, CLOCKED, _scope) if measurement.scope is None else None
    made_up = _first(free, INPUTS, _made_up) if measurement.pipeline is None else None
    if scope is not None:
        measurement = replace(measurement, scope=scope)
    if made_up is not None:
        measurement = replace(measurement, pipeline=Pipeline(kind="synthetic", at=arm.place("options", "extra")))
    return replace(arm, measurement=measurement) if scope is not None or made_up is not None else arm


def _scope(value: str) -> str | None:
    scopes = {SCOPES[word] for word in read(value).words() if word in SCOPES}
    return scopes.pop() if len(scopes) == 1 else None


def _made_up(value: str) -> bool | None:
    return any(read(value).has(concept) for concept in MADE_UP) or None


def _with_driver(arm: Arm, free: Mapping[str, str]) -> Arm:
    software = arm.software or Software()
    driver = _first(free, DRIVERS, lambda value: value or None) if software.driver is None else None
    return replace(arm, software=replace(software, driver=driver)) if driver is not None else arm
