"""Google Benchmark results (`--benchmark_format=json`).

Each row becomes an arm, and its `real_time` a claim: the time of a kernel. Rows with aggregates (mean, median, stddev)
of the same name go into one arm, whose mean is claimed, and the rows of its repetitions, where they are printed, are
its raw numbers: each the mean of its iterations. Aggregates in percent (coefficients of variation) stay out. A row
without a time, or with an error, is named. `cpu_scaling_enabled` tells whether the frequency could change: it is
kept as what was found, which is no lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..draft import Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, claim, document, is_full, keep, metric
from ..report_file import ReportFile

if TYPE_CHECKING:
    from ..fields import ClaimFields, MetricFields

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
    record = document(file)
    draft = Drafting(f"Google Benchmark results {file.short_name}")
    rows = list(record.objects("benchmarks"))
    means = {_run(row) for row in rows if row.get("aggregate_name") == "mean"}
    for row in rows:
        name = _run(row) or "benchmark"
        aggregate = row.get("aggregate_name")
        if row.get("aggregate_unit") == "percentage" or (aggregate is not None and aggregate != "mean"):
            continue  # the median and the deviation go with their mean
        if (aggregate == "mean") == (name in means):
            _row(draft, record, row, rows, name)
        draft.unused += [f"benchmarks[].{key}" for key in row if key not in USED]
    if not draft.claims:
        draft.unused.append("no row prints a time")
    draft.unused += [key for key in record if key not in {"benchmarks", "context"}]
    return draft.done(file)


def _row(draft: Drafting, record: Record, row: Record, rows: list[Record], name: str) -> None:
    unit = _unit(row)
    if unit is None or row.printed("real_time") is None or row.get("error_occurred"):
        draft.unused.append(f"{name}: no time")
        return
    if is_full(draft):
        return
    arm = draft.arm(identifier(name, draft.arms))
    mean = row.get("aggregate_name") == "mean"
    arm.put(row.origin(), label=name[:4000])
    count, repeated = row.whole("iterations", 1), _repetitions(rows, name, unit) if mean else []
    behind: MetricFields = {}
    if count:
        behind["n"] = {"unit": "trial" if mean and not repeated else "iteration", "completed": count}
    if repeated:
        behind["averaged_over"] = _loops(repeated)
    time: MetricFields = {"quantity": "time", "unit": unit, "scope": "kernel"}
    own: MetricFields = {"statistic": "mean"} if mean else {}
    if repeated:
        own["column"] = f"real_time_{unit}"
        values = {f"real_time_{unit}": [float(other.printed("real_time") or 0) for other in repeated]}
        where = repeated[0].origin("real_time")
        arm.put_trial("t1", {"kind": "throughput", "outcome": "completed", "samples": values}, where)
    metric(arm, row, "time", ("real_time",), {**time, **own, **behind})
    metric(arm, row, "cpu_time", ("cpu_time",), time)
    for other in rows if mean else ():
        if _run(other) == name:
            _summarise(arm, other)
    claim(arm, "time", name, {"mode": "none", "device": "processor"})
    for key, symbol in RATES.items():
        rate: MetricFields = {"quantity": "rate", "unit": symbol, "scope": "kernel", **behind}
        if row.real(key) is not None and metric(arm, row, key, (key,), rate) and not is_full(draft):
            work = "bytes" if key == "bytes_per_second" else None
            shared: ClaimFields = {"mode": "none", "device": "processor"}
            claim(arm, key, name, {**shared, "work": work, "purpose": "kernel_benchmark"})
    _context(arm, record)


def _unit(row: Record) -> str | None:
    """Return the unit of a row's times: nanoseconds where it names none, None where it names an unknown one."""
    unit = row.get("time_unit") if "time_unit" in row else "ns"
    return unit if isinstance(unit, str) and unit in UNITS else None


def _summarise(arm: ArmDraft, row: Record) -> None:
    """Put the statistic that a row prints into the summary of the time."""
    printed, where, time = row.printed("real_time"), row.origin("real_time"), arm.metric("time")
    match row.get("aggregate_name"):
        case "mean":
            time.summary(where, mean=printed)
        case "median":
            time.summary(where, median=printed)
        case "stddev":
            time.summary(where, sd=printed)


def _repetitions(rows: list[Record], name: str, unit: str) -> list[Record]:
    """Return the rows of the single repetitions behind a mean, in its unit; none where some are not printed."""
    found = [row for row in rows if _run(row) == name and row.get("aggregate_name") is None]
    kept = [row for row in found if row.real("real_time") is not None and _unit(row) == unit]
    planned = {row.whole("repetitions", 1) for row in kept}  # which older versions do not print
    return kept if len(kept) == len(found) and planned <= {None, len(kept)} else []


def _loops(repeated: list[Record]) -> int:
    """Return how many iterations each repetition is the mean of, at least."""
    return min(row.whole("iterations", 1) or 1 for row in repeated)


def _run(row: Record) -> str | None:
    return row.text("run_name") or row.text("name")


def _context(arm: ArmDraft, record: Record) -> None:
    context = record.inner("context")
    if context is None:
        return
    arm.environment(context.origin("host_name"), host=context.text("host_name"))
    version = context.text("library_version")
    if version is not None:
        arm.software(context.origin("library_version"), tool=f"Google Benchmark {version}")
    scaling = context.flag("cpu_scaling_enabled")
    if scaling is not None:
        where = context.origin("cpu_scaling_enabled")
        evidence = "cpu_scaling_enabled of the report"
        arm.put_control("cpu_scaling", {"found": scaling, "verified": "not_requested", "evidence": evidence}, where)
    keep(arm, context, ("num_cpus", "mhz_per_cpu", "library_build_type", "date", "executable"))


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
