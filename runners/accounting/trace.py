"""A profiler trace of a step: where the time went, and the products' operations once more, from the traced shapes."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

FORMATS = {"float": "fp32", "double": "fp64", "c10::BFloat16": "bf16", "c10::Half": "fp16", "signed char": "int8"}
CHECKED = {"aten::mm": (0, 1), "aten::addmm": (1, 2), "aten::bmm": (0, 1), "aten::baddbmm": (1, 2)}
"""The traced matrix products, with the places of their two matrices among the arguments."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What a trace shows.

    Attributes:
        self_time_us: time inside each operator, without the operators that it calls.
        products: operations of matrix products by format, from the shapes and types in the trace.
        calls: how often each operator ran.
    """

    self_time_us: Mapping[str, float]
    products: Mapping[str, int]
    calls: Mapping[str, int]


def trace(step: Callable[[], object], device: str, keep: Path | None = None) -> Trace:
    """Run a step under the profiler with shapes; the step runs more slowly than it would by itself.

    Args:
        step: makes one step.
        device: where it runs.
        keep: file that takes the trace, gzipped; viewers such as Perfetto open it. None keeps nothing.
    """
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if device.startswith("cuda") else [])]
    with profile(activities=activities, record_shapes=True) as profiler:
        step()
    times: dict[str, float] = {}
    calls: dict[str, int] = {}
    for event in profiler.key_averages():
        device_time = getattr(event, "self_device_time_total", 0.0) if device.startswith("cuda") else 0.0
        spent = device_time or event.self_cpu_time_total
        if spent > 0:
            times[event.key] = times.get(event.key, 0.0) + spent
            calls[event.key] = calls.get(event.key, 0) + event.count
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(path))
        data = path.read_bytes()
    if keep is not None:
        keep.write_bytes(gzip.compress(data, compresslevel=6, mtime=0))
    return Trace(times, dict(_products(json.loads(data)["traceEvents"])), calls)


def _products(traced: Sequence[Mapping[str, Any]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, sizes, types in _calls(traced):
        left, right = (sizes[place] for place in CHECKED[name])
        operations = 2 * right[-1]
        for size in left:
            operations *= size
        kind = types[CHECKED[name][0]]
        found[FORMATS.get(kind, kind)] += operations
    return found


def _calls(traced: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[list[int]], list[str]]]:
    """Yield (name, input sizes, input types) of the traced matrix products."""
    for event in traced:
        arguments = event.get("args", {})
        if event.get("name") in CHECKED and "Input Dims" in arguments:
            yield event["name"], arguments["Input Dims"], arguments.get("Input type", [])


def available() -> bool:
    """Whether this build of torch can trace."""
    return bool(torch.profiler.kineto_available())
