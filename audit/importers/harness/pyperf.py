"""pyperf and pyperformance results (`.json`, `.json.gz`).

Each benchmark becomes an arm, each process that measured a trial with its values; processes that only calibrated have
no values and are left out. The file holds values and no result: the claim is their mean, which is what `pyperf show`
prints. Each value is itself the mean of the loops that its process ran at once. Warm-ups are counted, not kept: each is
a pair of loops and value, and the loops are its iterations. Frequencies, load and the processor's configuration tell
how the clocks were treated: logged, not locked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern
from ..draft import LARGEST, Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import MOST_SAMPLES, Record, document, is_full, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

if TYPE_CHECKING:
    from ..fields import ClaimFields, MetricFields, SystemFields, TrialFields

FIELDS = (
    Field("benchmarks[].runs[].values", "trials.samples.value, performance.mean, claims", "the mean is derived"),
    Field("benchmarks[].runs[].warmups", "measurement.warmup", "pairs of loops and value: only the loops count"),
    Field("metadata.unit", "performance.mean.unit", "second, byte or integer"),
    Field("metadata.{name, loops, inner_loops, timeit_stmt}", "arms.label, options.extra"),
    Field("metadata.{loops, inner_loops}", "performance.mean.averaged_over", "the least of all processes"),
    Field("metadata.timer", "measurement.timer", "name and resolution"),
    Field("metadata.{cpu_model_name, cpu_count, platform, hostname}", "systems, environment.host"),
    Field("metadata.{cpu_config, aslr, load_avg_1min}", "options.extra"),
    Field("runs[].metadata.cpu_freq", "environment.clocks", "policy: logged"),
    Field("metadata.{python_version, perf_version}", "software"),
)
UNITS = {"second": ("time", "s"), "byte": ("memory", "B")}
KEPT = (
    "loops",
    "inner_loops",
    "timeit_stmt",
    "timeit_setup",
    "cpu_config",
    "aslr",
    "load_avg_1min",
    "cpu_affinity",
    "performance_version",
)
_TIMER = Pattern(r"(.{1,200}?)(?:, resolution: ([0-9.]{1,12}) (ns|us|ms|s|sec))?")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0}


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    record = document(file)
    draft = Drafting(f"pyperf results {file.short_name}")
    room = MOST_SAMPLES
    for number, benchmark in enumerate(record.objects("benchmarks"), 1):
        metadata = _metadata(record.inner("metadata"), benchmark)
        name = metadata.get("name")
        name = name if isinstance(name, str) else f"benchmark {number}"
        arm = draft.arm(identifier(name, draft.arms))
        room -= _values(arm, benchmark, name, metadata, room)
        if arm.fields:
            _conditions(arm, benchmark, metadata)
    draft.unused += [key for key in record if key not in {"benchmarks", "metadata", "version"}]
    return draft.done(file)


def _metadata(common: Record | None, own: Record) -> Record:
    """Return what is said of a benchmark: of all, and of it alone."""
    above, inner = common or own, own.inner("metadata")
    value = {**(common.value if common is not None else {}), **(inner.value if inner is not None else {})}
    return Record(above.source, above.steps, value)


def _unit(metadata: Record) -> object:
    return metadata.get("unit") if "unit" in metadata else "second"


def _values(arm: ArmDraft, benchmark: Record, name: str, metadata: Record, room: int) -> int:
    """Draft the trials and the claim of a benchmark; return how many values were taken."""
    draft, unit = arm.draft, _unit(metadata)
    if not isinstance(unit, str) or unit not in UNITS:
        draft.unused.append(f"{name}: values in {str(unit)[:40]}")
        return 0
    trials: dict[str, TrialFields] = {}
    warm: list[int] = []
    loops: list[int] = []
    taken, total = 0, 0.0
    for index, run in enumerate(benchmark.objects("runs"), 1):
        values = samples(run.get("values"))
        if values is None or taken + len(values) > room:
            if run.get("values"):
                draft.unused.append(f"{name}: {why_unread(run.get('values'), room - taken)}")
            continue
        trials[f"p{index}"] = {"kind": "throughput", "outcome": "completed", "samples": {"value": values}}
        warm.append(_warmed(run, metadata))
        loops.append(_loops(run, metadata))
        taken, total = taken + len(values), total + sum(values)
    if not taken:
        draft.unused.append(f"{name}: no values")
        return 0
    mean = f"{total / taken:.6g}"
    quantity, symbol = UNITS[unit]
    where = benchmark.origin("runs")
    arm.put(where, label=name[:4000], trials=trials)
    if min(warm) > 0:
        policy = "least of all processes: loops of its warm-ups"
        arm.measurement(where, warmup={"discarded": min(warm), "unit": "iteration", "policy": policy})
    metric: MetricFields = {
        "quantity": quantity, "unit": symbol, "statistic": "mean", "scope": "step", "value": mean, "column": "value",
        "n": {"unit": "iteration", "completed": taken}, "trials": len(trials),
    }  # fmt: skip
    arm.put_metric("mean", metric, where).put(where, averaged_over=min(loops) if min(loops) > 1 else None)
    claim: ClaimFields = {
        "statement": f"{name[:3000]}: mean of {taken} values of {len(trials)} processes: {mean} {symbol}",
        "value": mean, "unit": symbol, "quantity": quantity, "form": "absolute", "scope": "step", "mode": "none",
        "compares": "none", "basis": "measured", "statistic": "mean", "device": "processor",
        "measured": {"arm": arm.key, "metric": "mean"},
    }  # fmt: skip
    if not is_full(draft):
        draft.put_claim(arm.key, claim, where)
    return taken


def _loops(run: Record, metadata: Record) -> int:
    """Return how many calls each value of a process is the mean of; 1 where that is not stated, and for bytes."""
    own = _metadata(metadata, run)
    stated = [own.get(key) if key in own else 1 for key in ("loops", "inner_loops")]
    counts = [count for count in stated if isinstance(count, int) and 0 < count < 2**40]
    return min(math.prod(counts), LARGEST) if len(counts) == len(stated) and _unit(own) == "second" else 1


def _warmed(run: Record, metadata: Record) -> int:
    """Return the iterations of a process's warm-ups: each is a pair of loops and value, its loops times inner loops."""
    pairs = [pair for pair in run.array("warmups") or () if isinstance(pair, list) and pair]
    inner = metadata.get("inner_loops") if "inner_loops" in metadata else 1
    counts = [pair[0] for pair in pairs if isinstance(pair[0], int) and 0 < pair[0] < 2**40]
    return min(sum(counts) * (inner if isinstance(inner, int) and 0 < inner < 2**20 else 1), LARGEST)


def _conditions(arm: ArmDraft, benchmark: Record, metadata: Record) -> None:
    where, named = metadata.origin(), metadata.get("timer")
    timer = _TIMER.fullmatch(named) if isinstance(named, str) else None
    if timer is not None:
        arm.timer(where, name=timer[1])
        resolution = timer[2] if timer[2] and timer[2].count(".") < 2 and timer[2] != "." else None
        if resolution is not None:
            arm.timer(where, resolution_s=float(resolution) * _SECONDS[timer[3]])
    for key in KEPT:
        arm.keep(key, metadata.get(key), where)
    if "cpu_freq" in metadata or any("cpu_freq" in (run.inner("metadata") or ()) for run in benchmark.objects("runs")):
        arm.environment(where, clocks={"policy": "logged"})
    host, python, tool = (metadata.get(key) for key in ("hostname", "python_version", "perf_version"))
    arm.environment(where, host=host if isinstance(host, str) else None)
    arm.software(where, language=f"Python {python}" if isinstance(python, str) else None)
    arm.software(where, tool=f"pyperf {tool}" if isinstance(tool, str) else None)
    model, platform = metadata.get("cpu_model_name"), metadata.get("platform")
    if isinstance(model, str) and model:
        system: SystemFields = {"name": model[:4000], "device_kind": "processor", "host_processor": model[:4000]}
        if isinstance(platform, str) and platform:
            system["operating_system"] = platform[:4000]
        arm.draft.put_system("machine", system, where)
        arm.put(where, system="machine")


IMPORTER = Importer(
    name="pyperf",
    title="pyperf and pyperformance, JSON",
    doc=__doc__,
    signatures=(
        Signature(
            "json",
            (
                "benchmarks.0.runs.0.values|benchmarks.0.runs.1.values|benchmarks.0.runs.0.warmups",
                "version",
                "metadata|benchmarks.0.metadata",
            ),
        ),
    ),
    fields=FIELDS,
    read=read,
)
