"""Reports of pytest-benchmark (`--benchmark-json`).

Each benchmark becomes an arm and a claim: the mean time of its rounds. What the benchmark measures is a function call;
whether that is a kernel or a whole step the report does not say, so the claim says step. With `--benchmark-save-data`
the raw times are there too, up to 10,000 of each: longer lists are named. Each is the mean of a round's calls. Whether
the measured code had uncommitted changes is read from `commit_info`.

`warmup: false` is the default and does not mean a cold start: the calibration calls the function before the first
round, as often as it needs, and does not count the calls. So it is kept as a free option.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..draft import Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, document, is_full, keep, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

if TYPE_CHECKING:
    from ..fields import ClaimFields, MetricFields, TrialFields

FIELDS = (
    Field("benchmarks[].fullname", "claims, arms", "the statement names it"),
    Field("benchmarks[].stats.mean", "claims.value, performance.time.value", "digits as printed, in seconds"),
    Field("benchmarks[].stats.{min, max, mean, median, stddev}", "performance.time.summary"),
    Field("benchmarks[].stats.rounds", "performance.time.n.completed", "unit: iteration"),
    Field("benchmarks[].stats.iterations", "performance.time.averaged_over", "calls in a round"),
    Field("benchmarks[].stats.data", "trials.t1.samples.step_time_s", "only where the data were saved"),
    Field("benchmarks[].options.timer", "measurement.timer.name"),
    Field("benchmarks[].options.warmup", "options.extra", "the calibration calls the function before the first round"),
    Field("benchmarks[].params, extra_info", "options.extra", "as written"),
    Field("commit_info.{id, dirty}", "software.code"),
    Field("machine_info.{python_version, cpu.brand_raw, system, release}", "software.language, systems.machine"),
)
USED = {"fullname", "name", "stats", "options", "params", "param", "extra_info"}


def read(file: ReportFile) -> Draft:
    """Return the submission of one report."""
    report = document(file)
    draft = Drafting(f"pytest-benchmark report {file.short_name}")
    machine = report.inner("machine_info")
    if machine is not None:
        _machine(draft, report, machine)
    for index in range(len(report.array("benchmarks") or ())):
        benchmark, stats = report.inner("benchmarks", index), report.inner("benchmarks", index, "stats")
        if benchmark is not None and stats is not None:
            arm = _benchmark(draft, benchmark, stats, index)
            if arm is not None:
                _software(arm, report)
                _raw(arm, stats)
            draft.unused += [f"benchmarks[].{key}" for key in benchmark if key not in USED]
    draft.unused += [key for key in report if key not in {"machine_info", "commit_info", "benchmarks"}]
    return draft.done(file)


def _machine(draft: Drafting, report: Record, machine: Record) -> None:
    name = machine.get("cpu", "brand_raw") or machine.get("processor") or machine.get("node")
    if isinstance(name, str) and name:
        draft.system("machine", machine.origin(), name=name, host_processor=name)
        parts = (machine.get(key) for key in ("system", "release"))
        system = " ".join(part for part in parts if isinstance(part, str))
        draft.system("machine", machine.origin("system"), operating_system=system)


def _benchmark(draft: Drafting, benchmark: Record, stats: Record, index: int) -> ArmDraft | None:
    """Draft one benchmark, and return its arm; None where no mean is printed."""
    named = (benchmark.get(field) for field in ("fullname", "name"))
    name = next((text for text in named if isinstance(text, str) and text), f"benchmark {index + 1}")[:3000]
    key, mean = identifier(name, draft.claims), stats.printed_number("mean")
    if mean is None or is_full(draft):
        return None
    claim: ClaimFields = {
        "statement": f"{name}: {mean} s (mean)",
        "value": mean,
        "unit": "s",
        "quantity": "time",
        "form": "absolute",
        "scope": "step",
        "mode": "none",
        "compares": "none",
        "basis": "measured",
        "statistic": "mean",
        "measured": {"arm": key, "metric": "time"},
    }
    draft.put_claim(key, claim, benchmark.origin(), stats.origin("mean"))
    arm = draft.arm(key)
    arm.put(benchmark.origin(), label=name)
    arm.put(None, system="machine" if draft.systems else None)
    _statistics(arm, stats, mean)
    _conditions(arm, benchmark)
    return arm


def _statistics(arm: ArmDraft, stats: Record, mean: str) -> None:
    where = stats.origin("mean")
    fields: MetricFields = {"quantity": "time", "unit": "s", "statistic": "mean", "scope": "step", "value": mean}
    time = arm.put_metric("time", fields, where, where)
    time.summary(where, mean=mean)
    time.summary(stats.origin("median"), median=stats.printed_number("median"))
    time.summary(stats.origin("stddev"), sd=stats.printed_number("stddev"))
    time.summary(stats.origin("min"), min=stats.printed_number("min"))
    time.summary(stats.origin("max"), max=stats.printed_number("max"))
    rounds = stats.whole("rounds")
    if rounds is not None:
        time.put(stats.origin("rounds"), n={"unit": "iteration", "completed": rounds})
    time.put(stats.origin("iterations"), averaged_over=stats.whole("iterations", 2))


def _raw(arm: ArmDraft, stats: Record) -> None:
    """Draft the raw times of a benchmark, where they were saved and are not too many."""
    data = stats.get("data")
    found = samples(data)
    if found is None:
        if data:
            arm.draft.unused.append(f"benchmarks[].stats.data of {arm.key}: {why_unread(data)}")
        return
    arm.metric("time").put(None, column="step_time_s")
    trial: TrialFields = {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": found}}
    arm.put_trial("t1", trial, stats.origin("data"))


def _conditions(arm: ArmDraft, benchmark: Record) -> None:
    options = benchmark.inner("options")
    if options is not None:
        timer = options.get("timer")
        arm.timer(options.origin(), name=timer if isinstance(timer, str) else None)
        if "warmup" in options:
            arm.keep("warmup", options.get("warmup"), options.origin())
    for group in ("params", "extra_info"):
        held = benchmark.inner(group)
        if held is not None:
            keep(arm, held, held)


def _software(arm: ArmDraft, report: Record) -> None:
    commit = report.inner("commit_info")
    id_ = commit.get("id") if commit is not None else None
    if commit is not None and isinstance(id_, str):
        arm.code(commit.origin("id"), commit=id_)
        arm.code(commit.origin("dirty"), dirty=commit.flag("dirty"))
    version = report.get("machine_info", "python_version")
    if isinstance(version, str):
        arm.software(report.origin("machine_info", "python_version"), language=f"Python {version}")


IMPORTER = Importer(
    name="pytest-benchmark",
    title="pytest-benchmark, JSON",
    doc=__doc__,
    signatures=(Signature("json", ("benchmarks.0.stats.mean", "benchmarks.0.stats.rounds", "machine_info")),),
    fields=FIELDS,
    read=read,
)
