"""pyperf and pyperformance results (`.json`, `.json.gz`).

Each benchmark becomes an arm, each process that measured a trial with its values; processes that only calibrated have
no values and are left out. The file holds values and no result: the claim is their mean, which is what `pyperf show`
prints. Each value is itself the mean of the loops that its process ran at once. Warm-ups are counted, not kept: each is
a pair of loops and value, and the loops are its iterations. Frequencies, load and the processor's configuration tell
how the clocks were treated: logged, not locked.
"""

from __future__ import annotations

import math
from typing import Any

from ....schemas.pattern import Pattern
from ..draft import Draft, Drafting, at, identifier
from ..interface import Field, Importer, Signature
from ..records import MOST_SAMPLES, Record, records, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

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
    file.document()
    (record,) = records(file)
    draft = Drafting(f"pyperf results {file.short_name}")
    common = record.inner("metadata")
    room = MOST_SAMPLES
    for number, benchmark in enumerate(record.items("benchmarks"), 1):
        own = benchmark.inner("metadata")
        found = {**(common.value if common is not None else {}), **(own.value if own is not None else {})}
        name = found.get("name") if isinstance(found.get("name"), str) else f"benchmark {number}"
        arm = identifier(str(name), draft.value.get("arms"))
        room -= _values(draft, benchmark, arm, str(name), found, room)
        if arm in draft.value.get("arms", {}):
            _conditions(draft, benchmark, common, arm, found)
    draft.unused += [key for key in record.value if key not in {"benchmarks", "metadata", "version"}]
    return draft.done(file)


def _values(draft: Drafting, benchmark: Record, arm: str, name: str, found: dict[str, Any], room: int) -> int:
    """Draft the trials and the claim of a benchmark; return how many values were taken."""
    unit = found.get("unit", "second")
    if not isinstance(unit, str) or unit not in UNITS:
        draft.unused.append(f"{name}: values in {str(unit)[:40]}")
        return 0
    trials: dict[str, Any] = {}
    warm: list[int] = []
    loops: list[int] = []
    taken, total = 0, 0.0
    for index, run in enumerate(benchmark.items("runs"), 1):
        values = samples(run.value.get("values"))
        if values is None or taken + len(values) > room:
            if run.value.get("values"):
                draft.unused.append(f"{name}: {why_unread(run.value['values'], room - taken)}")
            continue
        trials[f"p{index}"] = {"kind": "throughput", "outcome": "completed", "samples": {"value": values}}
        warm.append(_warmed(run, found))
        loops.append(_loops(run, found))
        taken, total = taken + len(values), total + sum(values)
    if not taken:
        draft.unused.append(f"{name}: no values")
        return 0
    mean = f"{total / taken:.6g}"
    quantity, symbol = UNITS[unit]
    where = benchmark.origin("runs")
    draft.put(at("arms", arm, "label"), name[:4000], where)
    draft.put(at("arms", arm, "trials"), trials, where)
    if min(warm) > 0:
        warmup = {
            "discarded": min(warm),
            "unit": "iteration",
            "policy": "least of all processes: loops of its warm-ups",
        }
        draft.put(at("arms", arm, "measurement", "warmup"), warmup, where)
    held = {
        "quantity": quantity, "unit": symbol, "statistic": "mean", "scope": "step", "value": mean, "column": "value",
        "n": {"unit": "iteration", "completed": taken}, "trials": len(trials),
    }  # fmt: skip
    draft.put(at("arms", arm, "performance", "mean"), held, where)
    draft.put(at("arms", arm, "performance", "mean", "averaged_over"), min(loops) if min(loops) > 1 else None, where)
    told = {
        "statement": f"{name[:3000]}: mean of {taken} values of {len(trials)} processes: {mean} {symbol}",
        "value": mean, "unit": symbol, "quantity": quantity, "form": "absolute", "scope": "step", "mode": "none",
        "compares": "none", "basis": "measured", "statistic": "mean", "device": "processor",
        "measured": {"arm": arm, "metric": "mean"},
    }  # fmt: skip
    if len(draft.value["claims"]) < 1000:
        draft.put(at("claims", arm), told, where)
    return taken


def _loops(run: Record, found: dict[str, Any]) -> int:
    """Return how many calls each value of a process is the mean of; 1 where that is not stated, and for bytes."""
    own = run.value.get("metadata")
    stated = {**found, **own} if isinstance(own, dict) else found
    counts = [stated.get(key, 1) for key in ("loops", "inner_loops")]
    whole = all(isinstance(count, int) and 0 < count < 2**40 for count in counts)
    return min(math.prod(counts), 2**53 - 1) if whole and stated.get("unit", "second") == "second" else 1


def _warmed(run: Record, found: dict[str, Any]) -> int:
    """Return the iterations of a process's warm-ups: each is a pair of loops and value, its loops times inner loops."""
    warmups = run.value.get("warmups")
    pairs = [pair for pair in warmups if isinstance(pair, list) and pair] if isinstance(warmups, list) else []
    inner = found.get("inner_loops", 1)
    counts = [pair[0] for pair in pairs if isinstance(pair[0], int) and 0 < pair[0] < 2**40]
    return min(sum(counts) * (inner if isinstance(inner, int) and 0 < inner < 2**20 else 1), 2**53 - 1)


def _conditions(draft: Drafting, benchmark: Record, common: Record | None, arm: str, found: dict[str, Any]) -> None:
    where = common.origin() if common is not None else benchmark.origin()
    timer = _TIMER.fullmatch(found["timer"]) if isinstance(found.get("timer"), str) else None
    if timer is not None:
        draft.put(at("arms", arm, "measurement", "timer", "name"), timer[1], where)
        resolution = timer[2] if timer[2] and timer[2].count(".") < 2 and timer[2] != "." else None
        if resolution is not None:
            draft.put(
                at("arms", arm, "measurement", "timer", "resolution_s"), float(resolution) * _SECONDS[timer[3]], where
            )
    for key in KEPT:
        if key in found:
            draft.keep(arm, key, found[key], where)
    logged = "cpu_freq" in found or any(
        isinstance(run.value.get("metadata"), dict) and "cpu_freq" in run.value["metadata"]
        for run in benchmark.items("runs")
    )
    draft.put(at("arms", arm, "environment", "clocks"), {"policy": "logged"} if logged else None, where)
    for key, pointer in (
        ("hostname", at("arms", arm, "environment", "host")),
        ("python_version", at("arms", arm, "software", "language")),
        ("perf_version", at("arms", arm, "software", "tool")),
    ):
        if isinstance(found.get(key), str):
            prefix = {"python_version": "Python ", "perf_version": "pyperf "}.get(key, "")
            draft.put(pointer, prefix + found[key], where)
    model = found.get("cpu_model_name")
    if isinstance(model, str) and model:
        system = {"name": model[:4000], "device_kind": "processor", "host_processor": model[:4000]}
        if isinstance(found.get("platform"), str):
            system["operating_system"] = found["platform"][:4000]
        draft.put("/systems/machine", system, where)
        draft.put(at("arms", arm, "system"), "machine", where)


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
