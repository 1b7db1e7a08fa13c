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
from typing import TYPE_CHECKING

from ..draft import Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, claim, document, is_full, keep, metric
from ..report_file import ReportFile

if TYPE_CHECKING:
    from ..fields import ClaimFields, MetricFields

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
    record = document(file)
    draft = Drafting(f"NVBench results {file.short_name}")
    devices = {device.whole("id"): device for device in record.objects("devices")}
    for benchmark in record.objects("benchmarks"):
        for state in benchmark.objects("states"):
            name = f"{benchmark.text('name') or 'benchmark'} {state.text('name') or ''}".strip()
            if state.get("is_skipped"):
                draft.unused.append(f"{name}: skipped")
            elif not is_full(draft):
                _state(draft, record, state, name, devices.get(state.whole("device")))
    draft.unused += [key for key in record if key not in {"benchmarks", "devices", "meta"}]
    return draft.done(file)


def _state(draft: Drafting, record: Record, state: Record, name: str, device: Record | None) -> None:
    summaries = {
        tag: summary for summary in state.objects("summaries") if (tag := summary.text("tag") or summary.text("name"))
    }
    time = summaries.get("nv/cold/time/gpu/mean")
    if time is None:
        draft.unused.append(f"{name}: no GPU time")
        return
    arm = draft.arm(identifier(name, draft.arms))
    arm.put(state.origin(), label=name[:4000])
    count = _value(summaries.get("nv/cold/sample_size"))
    behind: MetricFields = {}
    if count is not None and count.isdigit() and len(count) < 16:
        behind["n"] = {"unit": "iteration", "completed": int(count)}
    gpu_time: MetricFields = {"quantity": "time", "unit": "s", "statistic": "mean", "scope": "kernel", **behind}
    if not metric(arm, time, "gpu_time", ("data", 0, "value"), gpu_time):
        del draft.arms[arm.key]
        return
    arm.metric("gpu_time").summary(None, sd=_value(summaries.get("nv/cold/time/gpu/stdev/absolute")))
    shared: ClaimFields = {"mode": "none", "purpose": "kernel_benchmark"}
    claim(arm, "gpu_time", name, shared)
    cpu, bandwidth = summaries.get("nv/cold/time/cpu/mean"), summaries.get("nv/cold/bw/global/bytes_per_second")
    if cpu is not None:
        metric(arm, cpu, "cpu_time", ("data", 0, "value"), {"quantity": "time", "unit": "s", "scope": "kernel"})
    rate: MetricFields = {"quantity": "rate", "unit": "bytes/s", "scope": "kernel", **behind}
    if bandwidth is not None and metric(arm, bandwidth, "bandwidth", ("data", 0, "value"), rate):
        claim(arm, "bandwidth", name, {**shared, "work": "bytes"})
        _moved(arm, bandwidth, time)
    _settings(arm, record, state, summaries)
    if device is not None:
        _device(arm, device)


def _moved(arm: ArmDraft, bandwidth: Record, time: Record) -> None:
    """Draft the bytes of one call, as its author counts them: what is read repeatedly may count and be cached."""
    moved = math.prod(float(_value(summary) or 0) for summary in (bandwidth, time))
    if 1 <= moved < 1e18:
        arm.operations(bandwidth.origin(), bytes_moved=float(f"{moved:.6g}"))


def _value(summary: Record | None) -> str | None:
    return summary.printed("data", 0, "value") if summary is not None else None


def _settings(arm: ArmDraft, record: Record, state: Record, summaries: Mapping[str, Record]) -> None:
    for axis in state.objects("axis_values"):
        if axis.text("name") is not None:
            arm.keep(str(axis.text("name")), axis.get("value"), axis.origin())
    keep(arm, state, KEPT)
    noise = _value(summaries.get("nv/cold/time/gpu/stdev/relative"))
    if noise is not None:
        arm.keep("noise", noise, state.origin())
    tool = record.inner("meta", "version", "nvbench")
    if tool is not None:
        name = f"NVBench {tool.text('string') or ''}".strip()
        arm.software(tool.origin(), tool=name, tool_dirty=tool.flag("git_is_dirty"))


def _device(arm: ArmDraft, device: Record) -> None:
    name = device.text("name")
    if name is None:
        return
    id_ = identifier(f"device-{device.whole('id')}")
    where, bandwidth = device.origin("name"), device.real("global_memory_bus_bandwidth")
    arm.draft.put_system(
        id_, {"name": name, "device": name, "device_kind": "accelerator", "memory_bytes_per_s": bandwidth}, where
    )
    arm.put(where, system=id_)
    arm.put(None, devices=1)
    keep(arm, device, ("sm_default_clock_rate", "ecc_state"))


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
