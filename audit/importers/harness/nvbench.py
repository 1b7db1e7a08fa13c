"""NVBench results (`--json`).

Each measured state (a benchmark on one device with one setting of its axes) becomes an arm; its mean GPU time is
claimed, with the number of samples, and so is a printed bandwidth. All numbers are texts in this format. The clock that
the report prints is the device's default clock, not the one that it ran at, so it says nothing about clock control.
Bytes are those of the bandwidth times the GPU time; of 50 times what the cache of second level holds, next to none can
have stayed in it. Skipped states are named.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..draft import Draft, Drafting, at, identifier
from ..interface import Field, Importer, Signature
from ..records import Record, claim, metric, records
from ..report_file import ReportFile

FIELDS = (
    Field("benchmarks[].name, states[].axis_values", "arms, options.extra"),
    Field("nv/cold/time/gpu/mean", "performance.gpu_time, claims", "s, scope: kernel"),
    Field("nv/cold/time/cpu/mean", "performance.cpu_time", "no claim"),
    Field("nv/cold/time/gpu/stdev/absolute", "performance.gpu_time.summary.sd"),
    Field("nv/cold/time/gpu/stdev/relative", "options.extra.noise"),
    Field("nv/cold/sample_size", "performance.gpu_time.n, performance.bandwidth.n"),
    Field("nv/cold/bw/global/bytes_per_second", "performance.bandwidth, claims, operations.bytes_moved"),
    Field("min_samples, max_noise, min_time, timeout", "options.extra"),
    Field("devices[].name", "systems"),
    Field("devices[].global_memory_bus_bandwidth", "systems.memory_bytes_per_s", "by its clock and width"),
    Field("devices[].{sm_default_clock_rate, ecc_state}", "options.extra", "the default clock"),
    Field("meta.version.nvbench", "software.tool, tool_dirty"),
)
KEPT = ("min_samples", "min_time", "max_noise", "skip_time", "timeout")


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    file.document()
    (record,) = records(file)
    draft = Drafting(f"NVBench results {file.short_name}")
    devices = {device.whole("id"): device for device in record.items("devices")}
    for benchmark in record.items("benchmarks"):
        for state in benchmark.items("states"):
            name = f"{benchmark.text('name') or 'benchmark'} {state.text('name') or ''}".strip()
            if state.value.get("is_skipped"):
                draft.unused.append(f"{name}: skipped")
            elif len(draft.value["claims"]) < 1000:
                _state(draft, record, state, name, devices.get(state.whole("device")))
    draft.unused += [key for key in record.value if key not in {"benchmarks", "devices", "meta"}]
    return draft.done(file)


def _state(draft: Drafting, record: Record, state: Record, name: str, device: Record | None) -> None:
    summaries = {
        tag: summary for summary in state.items("summaries") if (tag := summary.text("tag") or summary.text("name"))
    }
    time = summaries.get("nv/cold/time/gpu/mean")
    if time is None:
        draft.unused.append(f"{name}: no GPU time")
        return
    arm = identifier(name, draft.value.get("arms"))
    draft.put(at("arms", arm, "label"), name[:4000], state.origin())
    count = _value(summaries.get("nv/cold/sample_size"))
    told: dict[str, Any] = {"quantity": "time", "unit": "s", "statistic": "mean", "scope": "kernel"}
    whole = count is not None and count.isdigit() and len(count) < 16
    n = {"n": {"unit": "iteration", "completed": int(count)}} if count is not None and whole else {}
    told |= n
    if not metric(draft, time, arm, "gpu_time", ("data", 0, "value"), told):
        del draft.value["arms"][arm]
        return
    for tag, target in (("nv/cold/time/gpu/stdev/absolute", "summary/sd"),):
        draft.put(f"{at('arms', arm, 'performance', 'gpu_time')}/{target}", _value(summaries.get(tag)))
    shared = {"mode": "none", "purpose": "kernel_benchmark"}
    claim(draft, arm, "gpu_time", name, shared)
    cpu, bandwidth = summaries.get("nv/cold/time/cpu/mean"), summaries.get("nv/cold/bw/global/bytes_per_second")
    if cpu is not None:
        metric(draft, cpu, arm, "cpu_time", ("data", 0, "value"), {"quantity": "time", "unit": "s", "scope": "kernel"})
    rate = {"quantity": "rate", "unit": "bytes/s", "scope": "kernel"} | n
    if bandwidth is not None and metric(draft, bandwidth, arm, "bandwidth", ("data", 0, "value"), rate):
        claim(draft, arm, "bandwidth", name, {**shared, "work": "bytes"})
        _moved(draft, bandwidth, time, arm)
    _settings(draft, record, state, arm, summaries)
    if device is not None:
        _device(draft, device, arm)


def _moved(draft: Drafting, bandwidth: Record, time: Record, arm: str) -> None:
    """Draft the bytes of one call, as its author counts them: what is read repeatedly may count and be cached."""
    moved = math.prod(float(_value(summary) or 0) for summary in (bandwidth, time))
    if 1 <= moved < 1e18:
        draft.put(at("arms", arm, "operations", "bytes_moved"), float(f"{moved:.6g}"), bandwidth.origin())


def _value(summary: Record | None) -> str | None:
    return summary.printed("data", 0, "value") if summary is not None else None


def _settings(draft: Drafting, record: Record, state: Record, arm: str, summaries: Mapping[str, Record]) -> None:
    for axis in state.items("axis_values"):
        if axis.text("name") is not None:
            draft.keep(arm, str(axis.text("name")), axis.value.get("value"), axis.origin())
    for key in KEPT:
        if key in state.value:
            draft.keep(arm, key, state.value[key], state.origin(key))
    noise = _value(summaries.get("nv/cold/time/gpu/stdev/relative"))
    if noise is not None:
        draft.keep(arm, "noise", noise, state.origin())
    tool = record.inner("meta", "version", "nvbench")
    if tool is not None:
        draft.put(at("arms", arm, "software", "tool"), f"NVBench {tool.text('string') or ''}".strip(), tool.origin())
        dirty = tool.value.get("git_is_dirty")
        draft.put(at("arms", arm, "software", "tool_dirty"), dirty if isinstance(dirty, bool) else None, tool.origin())


def _device(draft: Drafting, device: Record, arm: str) -> None:
    name = device.text("name")
    if name is None:
        return
    id_ = identifier(f"device-{device.whole('id')}")
    system: dict[str, Any] = {"name": name, "device": name, "device_kind": "accelerator"}
    bandwidth = device.real("global_memory_bus_bandwidth")
    if bandwidth is not None:
        system["memory_bytes_per_s"] = bandwidth
    draft.put(at("systems", id_), system, device.origin("name"))
    draft.put(at("arms", arm, "system"), id_, device.origin("name"))
    draft.put(at("arms", arm, "devices"), 1)
    for key in ("sm_default_clock_rate", "ecc_state"):
        if key in device.value:
            draft.keep(arm, key, device.value[key], device.origin(key))


IMPORTER = Importer(
    name="nvbench",
    title="NVBench, JSON",
    doc=__doc__,
    signatures=(
        Signature("json", ("benchmarks.0.states", "benchmarks.0.name", "devices.0.name", "meta.version.nvbench")),
    ),
    fields=FIELDS,
    read=read,
)
