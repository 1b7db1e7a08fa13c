"""Reports of pytest-benchmark (`--benchmark-json`).

Each benchmark becomes an arm and a claim: the mean time of its rounds. What the benchmark measures is a function call;
whether that is a kernel or a whole step the report does not say, so the claim says step. With `--benchmark-save-data`
the raw times are there too, up to 10,000 of each: longer lists are named. Each is the mean of a round's calls. Whether
the measured code had uncommitted changes is read from `commit_info`.

`warmup: false` is the default and does not mean a cold start: the calibration calls the function before the first
round, as often as it needs, and does not count the calls. So it is kept as a free option.
"""

from __future__ import annotations

from typing import Any

from ....schemas.source import Source
from ..draft import Draft, Drafting, Origin, at, identifier, in_json, printed
from ..interface import Field, Importer, Signature
from ..records import Record, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

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
    source, value = file.document()
    draft = Drafting(f"pytest-benchmark report {file.short_name}")
    _machine(draft, source, value.get("machine_info"))
    benchmarks = value["benchmarks"]
    for index, benchmark in enumerate(benchmarks if isinstance(benchmarks, list) else []):
        if isinstance(benchmark, dict) and isinstance(benchmark.get("stats"), dict):
            key = _benchmark(draft, source, index, benchmark)
            if key is not None:
                _software(draft, source, key, value)
                _raw(draft, source, index, key, benchmark["stats"].get("data"))
            draft.unused += [f"benchmarks[].{key}" for key in benchmark if key not in USED]
    draft.unused += [key for key in value if key not in {"machine_info", "commit_info", "benchmarks"}]
    return draft.done(file)


def _machine(draft: Drafting, source: Source, machine: Any) -> None:
    if not isinstance(machine, dict):
        return
    cpu = machine.get("cpu")
    brand = cpu.get("brand_raw") if isinstance(cpu, dict) else None
    name = brand or machine.get("processor") or machine.get("node")
    if isinstance(name, str) and name:
        draft.put("/systems/machine/name", name, in_json(source, "machine_info"))
        draft.put("/systems/machine/host_processor", name, in_json(source, "machine_info"))
        system = " ".join(machine[key] for key in ("system", "release") if isinstance(machine.get(key), str))
        draft.put("/systems/machine/operating_system", system, in_json(source, "machine_info", "system"))


def _benchmark(draft: Drafting, source: Source, index: int, benchmark: dict[str, Any]) -> str | None:
    """Draft one benchmark, and return the id of its arm; None where no mean is printed."""
    named = (benchmark.get(field) for field in ("fullname", "name"))
    name = next((text for text in named if isinstance(text, str) and text), f"benchmark {index + 1}")[:3000]
    key = identifier(name, draft.value["claims"])
    mean = printed(source, "benchmarks", index, "stats", "mean")
    if mean is None or len(draft.value["claims"]) >= 1000:
        return None
    where = in_json(source, "benchmarks", index, "stats", "mean")
    claim = {
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
    draft.put(at("claims", key), claim, in_json(source, "benchmarks", index))
    draft.put(at("claims", key, "value"), mean, where)
    draft.put(at("arms", key, "label"), name, in_json(source, "benchmarks", index))
    draft.put(at("arms", key, "system"), "machine" if "systems" in draft.value else None)
    _statistics(draft, source, index, key, benchmark["stats"])
    _conditions(draft, source, index, key, benchmark)
    return key


def _statistics(draft: Drafting, source: Source, index: int, key: str, stats: dict[str, Any]) -> None:
    def where(field: str) -> Origin:
        return in_json(source, "benchmarks", index, "stats", field)

    time = at("arms", key, "performance", "time")
    draft.put(time, {"quantity": "time", "unit": "s", "statistic": "mean", "scope": "step"}, where("mean"))
    draft.put(f"{time}/value", printed(source, "benchmarks", index, "stats", "mean"), where("mean"))
    for field, target in (("mean", "mean"), ("median", "median"), ("stddev", "sd"), ("min", "min"), ("max", "max")):
        if field in stats:
            number = printed(source, "benchmarks", index, "stats", field)
            draft.put(f"{time}/summary/{target}", number, where(field))
    counts = Record(source, ("benchmarks", index, "stats"), stats)
    rounds, calls = counts.whole("rounds"), counts.whole("iterations", 2)
    if rounds is not None:
        draft.put(f"{time}/n", {"unit": "iteration", "completed": rounds}, where("rounds"))
    draft.put(f"{time}/averaged_over", calls, where("iterations"))


def _raw(draft: Drafting, source: Source, index: int, key: str, data: Any) -> None:
    """Draft the raw times of a benchmark, where they were saved and are not too many."""
    found = samples(data)
    if found is None:
        if data:
            draft.unused.append(f"benchmarks[].stats.data of {key}: {why_unread(data)}")
        return
    draft.put(f"{at('arms', key, 'performance', 'time')}/column", "step_time_s")
    trial = {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": found}}
    draft.put(at("arms", key, "trials", "t1"), trial, in_json(source, "benchmarks", index, "stats", "data"))


def _conditions(draft: Drafting, source: Source, index: int, key: str, benchmark: dict[str, Any]) -> None:
    options = benchmark.get("options")
    if isinstance(options, dict):
        where = in_json(source, "benchmarks", index, "options")
        timer = options.get("timer")
        draft.put(at("arms", key, "measurement", "timer", "name"), timer if isinstance(timer, str) else None, where)
        if "warmup" in options:
            draft.keep(key, "warmup", options["warmup"], where)
    for group in ("params", "extra_info"):
        held = benchmark.get(group)
        for name, value in held.items() if isinstance(held, dict) else ():
            draft.keep(key, str(name), value, in_json(source, "benchmarks", index, group, name))


def _software(draft: Drafting, source: Source, key: str, value: dict[str, Any]) -> None:
    commit = value.get("commit_info")
    if isinstance(commit, dict) and isinstance(commit.get("id"), str):
        code = at("arms", key, "software", "code")
        draft.put(f"{code}/commit", commit["id"], in_json(source, "commit_info", "id"))
        dirty = commit.get("dirty")
        draft.put(f"{code}/dirty", dirty if isinstance(dirty, bool) else None, in_json(source, "commit_info", "dirty"))
    machine = value.get("machine_info")
    if isinstance(machine, dict) and isinstance(machine.get("python_version"), str):
        version = f"Python {machine['python_version']}"
        draft.put(at("arms", key, "software", "language"), version, in_json(source, "machine_info", "python_version"))


IMPORTER = Importer(
    name="pytest-benchmark",
    title="pytest-benchmark, JSON",
    doc=__doc__,
    signatures=(Signature("json", ("benchmarks.0.stats.mean", "benchmarks.0.stats.rounds", "machine_info")),),
    fields=FIELDS,
    read=read,
)
