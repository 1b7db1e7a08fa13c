"""optimum-benchmark: `benchmark.json`, `benchmark_report.json`.

Each measured phase (`forward`, `prefill`, `decode`, `train`, `load`, ...) becomes an arm with its raw latencies; its
mean latency is claimed, and so is its throughput: the work of a call over its mean latency, where the configuration
tells that work. The configuration gives model, shapes and number format. A GPU that
the environment lists counts as the device only where the run was on it (`device: cuda`), and is counted where the run
names the ones that it used (`device_ids`) or no other is there. Of the versions the numbers
are kept; the commits are not, since the tool writes one repository's commit for all of them. Energies stay out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....rules.language.reading import read as reading
from ..draft import Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import MOST_SAMPLES, Record, claim, document, keep, metric, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

if TYPE_CHECKING:
    from ..fields import MetricFields, SystemFields, TrialFields

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
    record = document(file)
    draft = Drafting(f"optimum-benchmark {file.short_name}")
    report, config = record.inner("report") or record, record.inner("config")
    room = MOST_SAMPLES
    for name in report:
        phase = report.inner(name)
        latency = phase.inner("latency") if phase is not None else None
        if phase is None or latency is None:
            continue
        arm = draft.arm(identifier(name, draft.arms))
        room -= _phase(arm, phase, latency, name, room, _work(config, phase, name))
        if arm.fields and config is not None:
            _configuration(arm, config)
        draft.unused += [f"{name}.{key}" for key in phase if key not in {"latency", "throughput"} and phase.get(key)]
    draft.unused += [key for key in record if key not in {"report", "config"} and report is not record]
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
    named = scenario is not None and ("name" not in scenario or scenario.get("name") == "inference")
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


def _phase(arm: ArmDraft, phase: Record, latency: Record, name: str, room: int, work: int | None) -> int:
    """Draft a phase with its raw latencies and its claims; return how many raw numbers were taken."""
    draft, unit = arm.draft, latency.get("unit") if "unit" in latency else "s"
    if not isinstance(unit, str) or unit not in SECONDS:
        draft.unused.append(f"{name}.latency in {str(unit)[:40]}")
        return 0
    values = samples(latency.get("values"), SECONDS[unit])
    mode, scope = "training" if name == "train" else "inference", "phase" if name == "load" else "step"
    fields: MetricFields = {"quantity": "latency", "unit": unit, "statistic": "mean", "scope": scope}
    count = latency.whole("count", 1)
    if count is not None:
        fields["n"] = {"unit": "iteration", "completed": count}
    kept = values if values is not None and len(values) <= room else None
    if kept is not None:
        fields["column"] = "latency_s"
    elif latency.get("values"):
        draft.unused.append(f"{name}.latency.values: {why_unread(latency.get('values'), room)}")
    if not metric(arm, latency, "latency", ("mean",), fields):
        draft.unused.append(f"{name}.latency without a mean")
        return 0
    arm.put(phase.origin(), label=name[:4000])
    summarised = arm.metric("latency")
    summarised.summary(latency.origin("mean"), mean=latency.printed("mean"))
    summarised.summary(latency.origin("stdev"), sd=latency.printed("stdev"))
    for rank in ("50", "90", "95", "99"):
        summarised.percentile(rank, latency.printed(f"p{rank}"), latency.origin(f"p{rank}"))
    if kept is not None:
        trial: TrialFields = {"kind": "throughput", "outcome": "completed", "samples": {"latency_s": kept}}
        arm.put_trial("t1", trial, latency.origin("values"))
    claim(arm, "latency", f"{name}, mean latency", {"mode": mode})
    throughput = phase.inner("throughput")
    if throughput is not None and throughput.text("unit") is not None:
        rate: MetricFields = {"quantity": "rate", "unit": str(throughput.text("unit")), "scope": scope}
        if "n" in fields:
            rate["n"] = fields["n"]
        if kept is not None and work is not None:
            rate |= {"statistic": "mean", "column": "latency_s", "work_per_iteration": work}
        if metric(arm, throughput, "throughput", ("value",), rate):
            claim(arm, "throughput", f"{name}, throughput", {"mode": mode, "purpose": "hardware_throughput"})
    return len(kept) if kept is not None else 0


def _configuration(arm: ArmDraft, config: Record) -> None:
    backend, scenario, environment = (config.inner(name) for name in ("backend", "scenario", "environment"))
    if backend is not None:
        arm.options(backend.origin("model"), model=backend.text("model"))
        for key in ("torch_dtype", "dtype"):
            text = backend.text(key)
            arm.precision(backend.origin(key), compute=FORMATS.get(text, text) if text is not None else None)
        for key in ("quantization_scheme", "quantize"):
            arm.options(backend.origin(key), quantisation=backend.text(key))
        arm.options(backend.origin("seed"), seed=backend.whole("seed"))
        name, version = backend.text("name"), backend.text("version")
        if name is not None and version is not None:
            arm.software(backend.origin("version"), framework=f"{name} {version}")
        names = ("name", "version", "task", "library", "device", "torch_compile", "attn_implementation")
        keep(arm, backend, names, "backend ")
    if scenario is not None:
        _scenario(arm, scenario)
    if environment is not None:
        _environment(arm, environment, backend)


def _scenario(arm: ArmDraft, scenario: Record) -> None:
    shapes = scenario.inner("input_shapes")
    if shapes is not None:
        arm.options(shapes.origin("batch_size"), global_batch=shapes.whole("batch_size", 1))
        arm.options(shapes.origin("sequence_length"), input_length=shapes.whole("sequence_length", 1))
    warmup = scenario.whole("warmup_runs")
    if warmup is not None and arm.key != "load":
        arm.measurement(scenario.origin("warmup_runs"), warmup={"discarded": warmup, "unit": "iteration"})
    keep(arm, scenario, ("name", "iterations", "duration", "new_tokens"), "scenario ")


def _accelerators(environment: Record) -> list[str]:
    """Return the GPUs that the environment lists, without those that only drive a display."""
    listed = [name for name in environment.array("gpu") or () if isinstance(name, str) and name.strip()]
    return [name for name in listed if not reading(name).has("drives_a_display")]


def _used(backend: Record, listed: int) -> int | None:
    """Return how many of the listed GPUs a run used: those that it names, else the only one there is."""
    ids = backend.get("device_ids")
    parts = [part.strip() for part in ids.split(",")] if isinstance(ids, str) else []
    if parts and all(part.isascii() and part.isdigit() for part in parts) and len(set(parts)) <= listed:
        return len(set(parts))
    if isinstance(ids, int) and not isinstance(ids, bool):
        return 1
    return 1 if listed == 1 else None


def _environment(arm: ArmDraft, environment: Record, backend: Record | None) -> None:
    cpu, where = environment.text("cpu"), environment.origin()
    gpus = _accelerators(environment) if backend is not None and backend.text("device") == "cuda" else []
    used = _used(backend, len(gpus)) if backend is not None else None
    if gpus:
        kinds = list(dict.fromkeys(gpus))
        named = f"{used} x {kinds[0]}" if len(kinds) == 1 and used is not None else ", ".join(kinds)
        device = kinds[0][:4000] if len(kinds) == 1 else None
        system: SystemFields = {"name": named[:4000], "device_kind": "accelerator", "device": device}
        arm.put(
            backend.origin("device_ids") if backend is not None and "device_ids" in backend else where, devices=used
        )
    elif cpu is not None:
        system = {"name": cpu.strip()[:4000], "device_kind": "processor"}
    else:
        return
    if cpu is not None:
        system["host_processor"] = cpu.strip()[:4000]
    text = environment.text("platform")
    system["operating_system"] = text[:4000] if text is not None else None
    arm.draft.put_system("machine", system, where)
    arm.put(where, system="machine")
    python, tool = environment.text("python_version"), environment.text("optimum_benchmark_version")
    arm.software(environment.origin("python_version"), language=f"Python {python}" if python else None)
    tool = f"optimum-benchmark {tool}" if tool else None
    arm.software(environment.origin("optimum_benchmark_version"), tool=tool)
    for key in environment:
        name = key.removesuffix("_version")
        if key.endswith("_version") and name not in {"python", "optimum_benchmark"}:
            arm.package(name[:200], environment.text(key), environment.origin(key))


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
