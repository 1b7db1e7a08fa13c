"""Google Benchmark results (`--benchmark_format=json`).

Each row becomes an arm, and its `real_time` a claim: the time of a kernel. Rows with aggregates (mean, median, stddev)
of the same name go into one arm, whose mean is claimed, and the rows of its repetitions, where they are printed, are
its raw numbers: each the mean of its iterations. Aggregates in percent (coefficients of variation) stay out. A row
without a time, or with an error, is named. `cpu_scaling_enabled` tells whether the frequency could change: it is
kept as what was found, which is no lock.
"""

from __future__ import annotations

from typing import Any

from ..draft import Draft, Drafting, at, identifier
from ..interface import Field, Importer, Signature
from ..records import Record, claim, metric, records
from ..report_file import ReportFile

FIELDS = (
    Field("benchmarks[].name, run_name", "arms, claims"),
    Field("benchmarks[].real_time, time_unit", "performance.time, claims", "scope: kernel"),
    Field("benchmarks[].cpu_time", "performance.cpu_time", "no claim"),
    Field("benchmarks[].iterations", "performance.n", "unit: iteration; beside a mean the repetitions"),
    Field("repetition_index, real_time, iterations", "trials.t1.samples, performance.time.averaged_over"),
    Field("aggregate_name mean, median, stddev", "performance.time.summary"),
    Field("bytes_per_second, items_per_second", "performance, claims"),
    Field("context.cpu_scaling_enabled", "environment.controls.cpu_scaling.found"),
    Field(
        "context.{host_name, num_cpus, mhz_per_cpu, library_build_type, library_version}",
        "environment.host, options.extra, software.tool",
    ),
)
UNITS = {"ns", "us", "ms", "s"}
SUMMARY = {"mean": "mean", "median": "median", "stddev": "sd"}
RATES = {"bytes_per_second": "bytes/s", "items_per_second": "items/s"}
USED = {
    *(
        "name",
        "run_name",
        "run_type",
        "iterations",
        "real_time",
        "cpu_time",
        "time_unit",
        "aggregate_name",
        "aggregate_unit",
    ),
    *("repetitions", "repetition_index", "threads", "family_index", "per_family_instance_index", "label", *RATES),
}


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    file.document()
    (record,) = records(file)
    draft = Drafting(f"Google Benchmark results {file.short_name}")
    rows = list(record.items("benchmarks"))
    means = {_run(row) for row in rows if row.value.get("aggregate_name") == "mean"}
    for row in rows:
        name = _run(row) or "benchmark"
        aggregate = row.value.get("aggregate_name")
        if row.value.get("aggregate_unit") == "percentage" or (aggregate is not None and aggregate != "mean"):
            continue  # the median and the deviation go with their mean
        if (aggregate == "mean") == (name in means):
            _row(draft, record, row, rows, name)
        draft.unused += [f"benchmarks[].{key}" for key in row.value if key not in USED]
    if not draft.value["claims"]:
        draft.unused.append("no row prints a time")
    draft.unused += [key for key in record.value if key not in {"benchmarks", "context"}]
    return draft.done(file)


def _row(draft: Drafting, record: Record, row: Record, rows: list[Record], name: str) -> None:
    unit = row.value.get("time_unit", "ns")
    if (
        not isinstance(unit, str)
        or unit not in UNITS
        or row.printed("real_time") is None
        or row.value.get("error_occurred")
    ):
        draft.unused.append(f"{name}: no time")
        return
    if len(draft.value["claims"]) >= 1000:
        return
    arm = identifier(name, draft.value.get("arms"))
    mean = row.value.get("aggregate_name") == "mean"
    told: dict[str, Any] = {"quantity": "time", "unit": unit, "scope": "kernel"} | (
        {"statistic": "mean"} if mean else {}
    )
    draft.put(at("arms", arm, "label"), name[:4000], row.origin())
    count, repeated = row.whole("iterations", 1), _repetitions(rows, name, unit) if mean else []
    n: dict[str, Any] = (
        {"n": {"unit": "trial" if mean and not repeated else "iteration", "completed": count}} if count else {}
    )
    n |= {"averaged_over": _loops(repeated)} if repeated else {}
    told |= n
    if repeated:
        told["column"] = f"real_time_{unit}"
        values = {f"real_time_{unit}": [float(other.printed("real_time") or 0) for other in repeated]}
        trial = {"kind": "throughput", "outcome": "completed", "samples": values}
        draft.put(at("arms", arm, "trials", "t1"), trial, repeated[0].origin("real_time"))
    metric(draft, row, arm, "time", ("real_time",), told)
    metric(draft, row, arm, "cpu_time", ("cpu_time",), {"quantity": "time", "unit": unit, "scope": "kernel"})
    for other in rows if mean else ():
        target = SUMMARY.get(str(other.value.get("aggregate_name")))
        if target is not None and _run(other) == name:
            pointer = at("arms", arm, "performance", "time", "summary", target)
            draft.put(pointer, other.printed("real_time"), other.origin("real_time"))
    shared = {"mode": "none", "device": "processor"}
    claim(draft, arm, "time", name, shared)
    for key, symbol in RATES.items():
        rate = {"quantity": "rate", "unit": symbol, "scope": "kernel"} | n
        if (
            row.real(key) is not None
            and metric(draft, row, arm, key, (key,), rate)
            and len(draft.value["claims"]) < 1000
        ):
            work = {"work": "bytes"} if key == "bytes_per_second" else {}
            claim(draft, arm, key, name, {**shared, **work, "purpose": "kernel_benchmark"})
    _context(draft, record, arm)


def _repetitions(rows: list[Record], name: str, unit: str) -> list[Record]:
    """Return the rows of the single repetitions behind a mean, in its unit; none where some are not printed."""
    found = [row for row in rows if _run(row) == name and row.value.get("aggregate_name") is None]
    kept = [row for row in found if row.real("real_time") is not None and row.value.get("time_unit", "ns") == unit]
    planned = {row.whole("repetitions", 1) for row in kept}  # which older versions do not print
    return kept if len(kept) == len(found) and planned <= {None, len(kept)} else []


def _loops(repeated: list[Record]) -> int:
    """Return how many iterations each repetition is the mean of, at least."""
    return min(row.whole("iterations", 1) or 1 for row in repeated)


def _run(row: Record) -> str | None:
    return row.text("run_name") or row.text("name")


def _context(draft: Drafting, record: Record, arm: str) -> None:
    context = record.inner("context")
    if context is None:
        return
    draft.put(at("arms", arm, "environment", "host"), context.text("host_name"), context.origin("host_name"))
    version = context.text("library_version")
    if version is not None:
        draft.put(at("arms", arm, "software", "tool"), f"Google Benchmark {version}", context.origin("library_version"))
    scaling = context.value.get("cpu_scaling_enabled")
    if isinstance(scaling, bool):
        found = {"found": scaling, "verified": "not_requested", "evidence": "cpu_scaling_enabled of the report"}
        draft.put(
            at("arms", arm, "environment", "controls", "cpu_scaling"), found, context.origin("cpu_scaling_enabled")
        )
    for key in ("num_cpus", "mhz_per_cpu", "library_build_type", "date", "executable"):
        if key in context.value:
            draft.keep(arm, key, context.value[key], context.origin(key))


IMPORTER = Importer(
    name="google-benchmark",
    title="Google Benchmark, JSON",
    doc=__doc__,
    signatures=(
        Signature(
            "json", ("benchmarks.0.name", "benchmarks.0.real_time", "benchmarks.0.cpu_time", "benchmarks.0.time_unit")
        ),
        Signature(
            "json",
            (
                "benchmarks.0.name",
                "benchmarks.0.run_type",
                "benchmarks.0.family_index",
                "benchmarks.0.per_family_instance_index",
            ),
        ),
    ),
    fields=FIELDS,
    read=read,
)
