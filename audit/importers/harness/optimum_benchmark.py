"""optimum-benchmark: `benchmark.json`, `benchmark_report.json`.

Each measured phase (`forward`, `prefill`, `decode`, `train`, `load`, ...) becomes an arm with its raw latencies; its
mean latency is claimed, and so is its throughput: the work of a call over its mean latency, where the configuration
tells that work. The configuration gives model, shapes and number format. A GPU that
the environment lists counts as the device only where the run was on it (`device: cuda`), and is counted where the run
names the ones that it used (`device_ids`) or no other is there. Of the versions the numbers
are kept; the commits are not, since the tool writes one repository's commit for all of them. Energies stay out.
"""

from __future__ import annotations

import re
from typing import Any

from ..draft import Draft, Drafting, at, identifier
from ..interface import Field, Importer, Signature
from ..records import MOST_SAMPLES, Record, claim, metric, records, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

FIELDS = (
    Field("report.*.latency.values", "trials.t1.samples.latency_s", "in seconds"),
    Field("report.*.latency.mean", "performance.latency, claims"),
    Field("report.*.latency.{p50, p90, p95, p99, stdev}", "performance.latency.summary"),
    Field("report.*.latency.count", "performance.latency.n", "unit: iteration"),
    Field("report.*.throughput", "performance.throughput, claims"),
    Field(
        "config.scenario.{input_shapes.batch_size, generate_kwargs.max_new_tokens, num_beams}",
        "performance.throughput.work_per_iteration",
        "samples of forward and prefill, generated tokens of decode and per_token, in one process",
    ),
    Field("config.backend.{model, torch_dtype, dtype, quantization_scheme}", "options"),
    Field("config.scenario.input_shapes.{batch_size, sequence_length}", "options.global_batch, input_length"),
    Field("config.scenario.{warmup_runs, iterations, duration}", "measurement.warmup, options.extra"),
    Field("config.backend.{name, version}", "software.framework"),
    Field("config.backend.device_ids", "devices", "else the only GPU; several without it are not counted"),
    Field("config.environment", "systems, software", "versions, not commits"),
)
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
FORMATS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float64": "fp64", "int8": "int8"}


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    file.document()
    (record,) = records(file)
    draft = Drafting(f"optimum-benchmark {file.short_name}")
    report, config = record.inner("report") or record, record.inner("config")
    room = MOST_SAMPLES
    for name in report.value:
        phase = report.inner(name)
        latency = phase.inner("latency") if phase is not None else None
        if phase is None or latency is None:
            continue
        arm = identifier(name, draft.value.get("arms"))
        room -= _phase(draft, phase, latency, arm, name, room, _work(config, phase, name))
        if arm in draft.value.get("arms", {}) and config is not None:
            _configuration(draft, config, arm)
        draft.unused += [
            f"{name}.{key}" for key, value in phase.value.items() if key not in {"latency", "throughput"} and value
        ]
    draft.unused += [key for key in record.value if key not in {"report", "config"} and report is not record]
    return draft.done(file)


def _work(config: Record | None, phase: Record, name: str) -> int | None:
    """Return the work of one call of a phase, in the unit of its throughput, as the tool counts it; None where unsure.

    Prefill was counted in tokens before it was in samples; of generation, training and calls of image models, and of
    several processes, the work is counted in different ways.
    """
    scenario, launcher = (config.inner(part) if config is not None else None for part in ("scenario", "launcher"))
    shapes, throughput = scenario.inner("input_shapes") if scenario is not None else None, phase.inner("throughput")
    batch = shapes.whole("batch_size", 1) if shapes is not None else None
    processes = launcher.whole("nproc_per_node", 1) if launcher is not None else None
    named = scenario is not None and scenario.value.get("name", "inference") == "inference"
    if scenario is None or not named or throughput is None or batch is None or (processes or 1) > 1:
        return None
    unit, generated = throughput.text("unit"), scenario.inner("generate_kwargs")
    if name in {"forward", "prefill"} and unit == "samples/s":
        return batch
    if name not in {"decode", "per_token"} or unit != "tokens/s" or generated is None:
        return None
    rows = batch * (generated.whole("num_beams", 1) or 1)
    tokens = generated.whole("max_new_tokens", 2) or scenario.whole("new_tokens", 2)
    return rows if name == "per_token" else rows * (tokens - 1) if tokens is not None else None


def _phase(draft: Drafting, phase: Record, latency: Record, arm: str, name: str, room: int, work: int | None) -> int:
    unit = latency.value.get("unit", "s")
    if not isinstance(unit, str) or unit not in SECONDS:
        draft.unused.append(f"{name}.latency in {str(unit)[:40]}")
        return 0
    values = samples(latency.value.get("values"), SECONDS[unit])
    mode = "training" if name == "train" else "inference"
    told: dict[str, Any] = {
        "quantity": "latency",
        "unit": unit,
        "statistic": "mean",
        "scope": "phase" if name == "load" else "step",
    }
    count = latency.whole("count", 1)
    if count is not None:
        told["n"] = {"unit": "iteration", "completed": count}
    kept = values is not None and len(values) <= room
    if kept:
        told["column"] = "latency_s"
    elif latency.value.get("values"):
        draft.unused.append(f"{name}.latency.values: {why_unread(latency.value['values'], room)}")
    if not metric(draft, latency, arm, "latency", ("mean",), told):
        draft.unused.append(f"{name}.latency without a mean")
        return 0
    draft.put(at("arms", arm, "label"), name[:4000], phase.origin())
    summary = at("arms", arm, "performance", "latency", "summary")
    draft.put(f"{summary}/mean", latency.printed("mean"), latency.origin("mean"))
    draft.put(f"{summary}/sd", latency.printed("stdev"), latency.origin("stdev"))
    for percentile in ("50", "90", "95", "99"):
        draft.put(
            f"{summary}/percentiles/{percentile}", latency.printed(f"p{percentile}"), latency.origin(f"p{percentile}")
        )
    if kept:
        trial = {"kind": "throughput", "outcome": "completed", "samples": {"latency_s": values}}
        draft.put(at("arms", arm, "trials", "t1"), trial, latency.origin("values"))
    claim(draft, arm, "latency", f"{name}, mean latency", {"mode": mode})
    throughput = phase.inner("throughput")
    if throughput is not None and throughput.text("unit") is not None:
        rate = {"quantity": "rate", "unit": str(throughput.text("unit")), "scope": told["scope"]}
        rate |= {"n": told["n"]} if "n" in told else {}
        if kept and work is not None:
            rate |= {"statistic": "mean", "column": "latency_s", "work_per_iteration": work}
        if metric(draft, throughput, arm, "throughput", ("value",), rate):
            claim(draft, arm, "throughput", f"{name}, throughput", {"mode": mode, "purpose": "hardware_throughput"})
    return len(values) if kept and values is not None else 0


def _configuration(draft: Drafting, config: Record, arm: str) -> None:
    backend, scenario, environment = (config.inner(name) for name in ("backend", "scenario", "environment"))
    options = at("arms", arm, "options")
    if backend is not None:
        draft.put(f"{options}/model", backend.text("model"), backend.origin("model"))
        for key in ("torch_dtype", "dtype"):
            text = backend.text(key)
            draft.put(
                f"{options}/precision/compute",
                FORMATS.get(text, text) if text is not None else None,
                backend.origin(key),
            )
        for key in ("quantization_scheme", "quantize"):
            draft.put(f"{options}/quantisation", backend.text(key), backend.origin(key))
        draft.put(f"{options}/seed", backend.whole("seed"), backend.origin("seed"))
        name, version = backend.text("name"), backend.text("version")
        if name is not None and version is not None:
            draft.put(at("arms", arm, "software", "framework"), f"{name} {version}", backend.origin("version"))
        for key in ("name", "version", "task", "library", "device", "torch_compile", "attn_implementation"):
            draft.keep(arm, f"backend {key}", backend.value.get(key), backend.origin(key))
    if scenario is not None:
        _scenario(draft, scenario, arm)
    if environment is not None:
        _environment(draft, environment, arm, backend)


def _scenario(draft: Drafting, scenario: Record, arm: str) -> None:
    shapes = scenario.inner("input_shapes")
    if shapes is not None:
        for key, target in (("batch_size", "global_batch"), ("sequence_length", "input_length")):
            draft.put(at("arms", arm, "options", target), shapes.whole(key, 1), shapes.origin(key))
    warmup = scenario.whole("warmup_runs")
    if warmup is not None and arm != "load":
        draft.put(
            at("arms", arm, "measurement", "warmup"),
            {"discarded": warmup, "unit": "iteration"},
            scenario.origin("warmup_runs"),
        )
    for key in ("name", "iterations", "duration", "new_tokens"):
        draft.keep(arm, f"scenario {key}", scenario.value.get(key), scenario.origin(key))


def _accelerators(environment: Record) -> list[str]:
    """Return the GPUs that the environment lists, without those that only drive a display."""
    held = environment.value.get("gpu")
    listed = [name for name in held if isinstance(name, str) and name.strip()] if isinstance(held, list) else []
    return [name for name in listed if not re.search(r"\bdisplay\b", name, re.IGNORECASE)]


def _used(backend: Record, listed: int) -> int | None:
    """Return how many of the listed GPUs a run used: those that it names, else the only one there is."""
    ids = backend.value.get("device_ids")
    parts = [part.strip() for part in ids.split(",")] if isinstance(ids, str) else []
    if parts and all(part.isascii() and part.isdigit() for part in parts) and len(set(parts)) <= listed:
        return len(set(parts))
    if isinstance(ids, int) and not isinstance(ids, bool):
        return 1
    return 1 if listed == 1 else None


def _environment(draft: Drafting, environment: Record, arm: str, backend: Record | None) -> None:
    cpu, where = environment.text("cpu"), environment.origin()
    gpus = _accelerators(environment) if backend is not None and backend.text("device") == "cuda" else []
    used = _used(backend, len(gpus)) if backend is not None else None
    if gpus:
        kinds = list(dict.fromkeys(gpus))
        named = f"{used} x {kinds[0]}" if len(kinds) == 1 and used is not None else ", ".join(kinds)
        system = {"name": named[:4000], "device_kind": "accelerator"}
        system |= {"device": kinds[0][:4000]} if len(kinds) == 1 else {}
        ids = backend.origin("device_ids") if backend is not None and "device_ids" in backend.value else where
        draft.put(at("arms", arm, "devices"), used, ids)
    elif cpu is not None:
        system = {"name": cpu.strip()[:4000], "device_kind": "processor"}
    else:
        return
    if cpu is not None:
        system["host_processor"] = cpu.strip()[:4000]
    text = environment.text("platform")
    draft.put("/systems/machine", system | ({"operating_system": text[:4000]} if text is not None else {}), where)
    draft.put(at("arms", arm, "system"), "machine", where)
    python, tool = environment.text("python_version"), environment.text("optimum_benchmark_version")
    draft.put(
        at("arms", arm, "software", "language"),
        f"Python {python}" if python else None,
        environment.origin("python_version"),
    )
    draft.put(
        at("arms", arm, "software", "tool"),
        f"optimum-benchmark {tool}" if tool else None,
        environment.origin("optimum_benchmark_version"),
    )
    for key in environment.value:
        name = key.removesuffix("_version")
        if key.endswith("_version") and name not in {"python", "optimum_benchmark"}:
            draft.put(
                at("arms", arm, "software", "packages", name[:200]), environment.text(key), environment.origin(key)
            )


IMPORTER = Importer(
    name="optimum-benchmark",
    title="optimum-benchmark, JSON",
    doc=__doc__,
    signatures=(
        Signature("json", ("config.scenario", "config.backend", "report")),
        Signature(
            "json",
            (
                "load.latency.values|forward.latency.values",
                "prefill.latency.values|forward.latency.values|train.latency.values",
            ),
        ),
    ),
    fields=FIELDS,
    read=read,
)
