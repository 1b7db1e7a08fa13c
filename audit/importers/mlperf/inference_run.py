"""One run of LoadGen as a run of a submission: its log and summary, its window, verdict and tool."""

from __future__ import annotations

import math
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ....rules.facts.runs.instants import stamp_s
from ....rules.trace import Event, Malformed, Trace
from ..drafting import stated
from ..report_file import ReportFile
from .loadgen_log import read_events
from .loadgen_summary import LoadgenSummary, read_summary

if TYPE_CHECKING:
    from ..fields import ClaimFields, HarnessVerdictFields, RunFields, RunFileFields, RunToolFields, RunWindowFields

FORMAT = "mlperf-inference"
DETAIL, SUMMARY = "mlperf_log_detail.txt", "mlperf_log_summary.txt"
FLAGS = {
    "result_min_duration_met": "min_duration",
    "result_min_queries_met": "min_queries",
    "early_stopping_met": "early_stopping",
    "result_perf_constraints_met": "performance_constraints",
}
SLACK_S = 60


class Logs(Struct, frozen=True, dict=True):
    """What LoadGen wrote of one run.

    Attributes:
        detail: its detailed log, where it was handed in.
        summary: its summary, where it was handed in.
        events: of the detailed log.
        malformed: lines of it that cannot be read.
        figures: the summary as read.
    """

    detail: ReportFile | None
    summary: ReportFile | None
    events: tuple[Event, ...] = ()
    malformed: tuple[Malformed, ...] = ()
    figures: LoadgenSummary | None = None

    @property
    def file(self) -> ReportFile | None:
        """The file that stands for the run."""
        return self.detail or self.summary

    def value(self, key: str) -> Any:
        """Return the last value of a key in the detailed log."""
        return self._last.get(key)

    @cached_property
    def _last(self) -> dict[str, Any]:
        """The last value of each key in the detailed log."""
        return {event.key: event.value for event in self.events}

    def number(self, key: str, *names: str) -> float | None:
        """Return a number of the detailed log, else of the summary."""
        value = self.value(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
        return self.figures.number(*names) if self.figures is not None and names else None

    def text(self, key: str, *names: str) -> str | None:
        """Return a text of the detailed log, else of the summary."""
        value = self.value(key)
        if isinstance(value, str) and value:
            return value
        return self.figures.text(*names) if self.figures is not None else None


def logs_of(detail: ReportFile | None, summary: ReportFile | None) -> Logs:
    """Read the files of one run."""
    events, malformed = read_events(detail.data) if detail is not None else ((), ())
    figures = read_summary(summary.text) if summary is not None else None
    return Logs(detail, summary, events, malformed, figures)


def trace_of(logs: Logs, at: str) -> Trace:
    """Return the trace of a run, of which `at` is the JSON Pointer."""
    return Trace(logs.events, logs.malformed, logs.detail.name if logs.detail is not None else "", at)


def run_entry(logs: Logs, role: str) -> RunFields:
    """Return a run as a submission holds it, without its events."""
    entry: RunFields = {"role": role}
    file = logs.file
    if file is not None and logs.detail is None and logs.figures is not None and not logs.figures.figures:
        # A summary without figures is the same text after every run: its digest tells no run from another.
        entry["file"] = {"name": file.name, "bytes": len(file.raw)}
    elif file is not None:
        entry["file"] = file_entry(file)
        if logs.detail is not None:
            entry["file"]["format"] = FORMAT
    if logs.events:
        entry["clock"] = {"kind": "relative"}
    tool, window, verdict = _tool(logs), _window(logs), _verdict(logs)
    if tool:
        entry["tool"] = tool
    if window:
        entry["window"] = window
    if verdict:
        entry["verdict"] = verdict
    if logs.figures is not None and logs.figures.figures:
        entry["summary"] = dict(logs.figures.figures)
    return entry


def file_entry(file: ReportFile) -> RunFileFields:
    """Return a file with size and digests."""
    whole, content = file.digests
    return {"name": file.name, "bytes": len(file.raw), "sha256": whole, "content_sha256": content}


def _tool(logs: Logs) -> RunToolFields:
    tool: RunToolFields = {}
    version = logs.text("loadgen_version")
    if version is not None:
        release, separator, commit = version.partition("@")
        tool["name"] = "LoadGen"
        if release.strip():
            tool["release"] = release.strip()[:200]
        if separator and commit.strip():
            tool["commit"] = commit.strip()[:200]
    mode = (logs.text("effective_test_mode", "mode") or "").casefold()
    if mode:
        tool["mode"] = next((name for name in ("performance", "accuracy") if mode.startswith(name)), "other")
    return tool


def work_of(logs: Logs) -> float | None:
    """Return what the run did: samples of the offline scenario, queries of the others."""
    scenario = (logs.text("effective_scenario", "scenario") or "").casefold()
    if scenario == "offline":
        return _samples_of(logs)
    return logs.number("result_query_count", "early_stopping_queries")


def _samples_of(logs: Logs) -> float | None:
    """Return the samples of an offline run.

    Log and summary print how many were asked for. Where each sample of the set is issued equally often, they were
    rounded up to a multiple of the set: of the two the one counts that printed rate and largest latency lead to.
    """
    asked = logs.number("generated_samples_per_query", "samples_per_query")
    held = logs.number("qsl_reported_performance_count", "performance_sample_count")
    rate = logs.number("result_samples_per_second", "samples_per_second")
    longest = logs.number("result_max_latency_ns", "max_latency_ns")
    if not asked or not held or not rate or not longest:
        return asked
    rounded = math.ceil(asked / held) * held
    return min((asked, rounded), key=lambda count: abs(rate * longest / 1e9 - count))


def _window(logs: Logs) -> RunWindowFields:
    times = [event.time_ms for event in logs.events if event.time_ms is not None]
    rate = logs.number("result_samples_per_second", "samples_per_second")
    if rate is None:
        rate = logs.number("result_completed_samples_per_sec", "completed_samples_per_second")
    largest = logs.number("result_max_latency_ns", "max_latency_ns")
    found: RunWindowFields = {
        "configured_min_s": _amount(logs.number("effective_min_duration_ms", "min_duration_ms"), 1e3),
        "configured_max_s": _amount(logs.number("effective_max_duration_ms", "max_duration_ms"), 1e3) or None,
        "trace_s": _amount(max(times, default=None), 1e3),
        "wall_s": _amount(wall_s(logs)),
        "largest_latency_s": _amount(largest, 1e9),
        "work": _amount(work_of(logs)),
        "rate_per_s": _amount(rate),
    }
    return stated(found)


def _amount(value: float | None, unit: float | None = None) -> float | None:
    """Return a number in another unit; None where it is none that a window has."""
    found = value / unit if value is not None and unit is not None else value
    return found if found is not None and 0 <= found < 1e15 else None


def wall_s(logs: Logs) -> float | None:
    """Return the time between the local stamps around the test; None where a clock was set between them.

    A difference of one hour from the run's own clock is the start or the end of summer time.
    """
    begun, ended = (stamp_s(logs.text(key) or "") for key in ("power_begin", "power_end"))
    if begun is None or ended is None:
        return None
    elapsed = round(ended - begun, 6)
    times = [event.time_ms for event in logs.events if event.time_ms is not None]
    summer = [hour for hour in (3600, -3600) if times and abs(elapsed - hour - max(times) / 1000) < SLACK_S]
    elapsed -= summer[0] if summer else 0
    return elapsed if 0 <= elapsed < 1e7 else None


def _verdict(logs: Logs) -> HarnessVerdictFields:
    words = logs.text("result_validity", "result")
    figures = logs.figures
    parts = {name: value for key, name in FLAGS.items() if isinstance(value := logs.value(key), bool)} or (
        figures.flags if figures is not None else {}
    )
    errors = figures.errors if figures is not None else None
    if errors is None:
        counted = logs.number("num_errors")
        errors = int(counted) if counted is not None and counted >= 0 else None
    found: HarnessVerdictFields = {}
    if words is not None:
        found |= {"valid": words.casefold() == "valid", "words": words[:200]}
    if parts:
        found["parts"] = dict(parts)
    if errors is not None:
        found["errors"] = errors
    return found


def headline(logs: Logs, round_name: str | None) -> ClaimFields | None:
    """Return the number of a result with its unit, as the summary prints it, else as the detailed log holds it."""
    scenario = (logs.text("effective_scenario", "scenario") or "").casefold().replace(" ", "")
    number = _number(logs, round_name)
    rates = {
        "offline": (("tokens", "tokens_per_second"), ("samples", "samples_per_second")),
        "server": (
            ("tokens", "completed_tokens_per_second"),
            *(("queries", name) for name in _server_rates(logs, number, round_name is not None)),
        ),
    }
    for unit, name in rates.get(scenario, ()):
        key = "result_" + (name if scenario == "offline" else name.replace("per_second", "per_sec"))
        text = _printed(logs, key, name)
        if text is not None:
            work = "requests" if unit == "queries" else unit
            return {"quantity": "rate", "value": text, "unit": f"{unit}/s", "statistic": "mean", "work": work}
    if scenario == "multistream" and number < (2, 0):
        # These rounds counted the streams that kept the bound; the latency beside them is no score.
        return None
    percentiles = {
        "singlestream": ("early_stopping_estimate_ns", "90.0th_percentile_latency_ns", "90.00_percentile_latency_ns"),
        "multistream": ("early_stopping_estimate_ns", "99th_percentile_latency_ns", "99.00_percentile_latency_ns"),
    }
    for name in percentiles.get(scenario, ()):
        text = _printed(logs, f"result_{name}", name)
        if text is not None:
            return {"quantity": "latency", "value": text, "unit": "ns", "statistic": "percentile", "work": "requests"}
    return None


def _number(logs: Logs, round_name: str | None) -> tuple[int, ...]:
    """Return the number of a round, else that of the generator's release, which goes with one."""
    stated = round_name.lstrip("v") if round_name is not None else logs.text("loadgen_version") or ""
    found = re.match(r"([0-9]{1,2})\.([0-9]{1,2})", stated)
    return (int(found[1]), int(found[2])) if found is not None else (99,)


def _server_rates(logs: Logs, number: tuple[int, ...], known: bool) -> tuple[str, str]:
    """Return the rates of a server, the score first: of no known round the one that the summary prints first."""
    scheduled, completed = "scheduled_samples_per_second", "completed_samples_per_second"
    lines = logs.figures.lines if logs.figures is not None else {}
    if known or scheduled not in lines or completed not in lines:
        return (scheduled, completed) if number < (5, 0) else (completed, scheduled)
    return (scheduled, completed) if lines[scheduled] < lines[completed] else (completed, scheduled)


def _printed(logs: Logs, key: str, name: str) -> str | None:
    if logs.figures is not None and logs.figures.number(name) is not None:
        return logs.figures.text(name)
    value = logs.value(key)
    plain = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return repr(value) if plain else None
