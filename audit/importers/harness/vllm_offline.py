"""Offline benchmarks of vLLM: the JSON of `vllm bench latency` and of `vllm bench throughput`.

Of `vllm bench latency` (`benchmark_latency.py`), the time in which one batch is answered becomes a claim: its mean,
with all times as raw values, the percentiles as printed, and the number of iterations. Of `vllm bench throughput`
(`benchmark_throughput.py`), the requests and the tokens per second become a claim each, with the work and the time that
they were computed from; tokens are those of prompts and answers together. Times are seconds.

Neither file names model, device, batch or lengths: what it does not state stays not stated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..draft import Draft
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, claim, document, metric, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

if TYPE_CHECKING:
    from ..fields import MetricFields

FIELDS = (
    Field("avg_latency", "claims, performance.batch_time"),
    Field("latencies", "trials.t1.samples, n", "seconds"),
    Field("percentiles", "performance.batch_time.summary.percentiles"),
    Field("requests_per_second, tokens_per_second", "claims, performance (rate)"),
    Field("num_requests", "n.completed, work"),
    Field("total_num_tokens", "work", "of prompts and answers"),
    Field("elapsed_time", "wall_s"),
)
ARM = "run"
LATENCY = frozenset({"avg_latency", "latencies", "percentiles"})
THROUGHPUT = frozenset({"elapsed_time", "num_requests", "total_num_tokens", "requests_per_second", "tokens_per_second"})
RATES = {
    "requests_per_second": ("request_rate", "requests", "num_requests"),
    "tokens_per_second": ("token_rate", "tokens", "total_num_tokens"),
}


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    record = document(file)
    draft = Drafting(f"vLLM offline benchmark {file.short_name}")
    arm = draft.arm(ARM)
    arm.put(record.origin(), label="the run")
    if "avg_latency" in record:
        _batch_time(arm, record)
    else:
        _rates(arm, record)
    known = LATENCY if "avg_latency" in record else THROUGHPUT
    draft.unused += [key for key in record if key not in known and record.get(key) is not None]
    return draft.done(file)


def _batch_time(arm: ArmDraft, record: Record) -> None:
    """Put the mean time of a batch with its raw values and percentiles."""
    fields: MetricFields = {"quantity": "time", "unit": "s", "statistic": "mean", "scope": "step"}
    if not metric(arm, record, "batch_time", ("avg_latency",), fields):
        return
    time, times = arm.metric("batch_time"), record.get("latencies")
    time.summary(record.origin("avg_latency"), mean=record.printed("avg_latency"))
    for rank in record.inner("percentiles") or ():
        if rank.isascii() and rank.isdigit() and 0 < int(rank) < 100:
            time.percentile(rank, record.printed("percentiles", rank), record.origin("percentiles", rank))
    found = samples(times)
    if found is not None:
        where = record.origin("latencies")
        time.put(where, n={"unit": "iteration", "completed": len(found)}, column="step_time_s")
        arm.put_trial("t1", {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": found}}, where)
    elif times:
        arm.draft.unused.append(f"latencies: {why_unread(times)}")
    claim(arm, "batch_time", "mean time in which a batch is answered", {"mode": "inference"})


def _rates(arm: ArmDraft, record: Record) -> None:
    """Put the rates, each with the work and the time behind it."""
    wall, requests = record.real("elapsed_time"), record.whole("num_requests", 1)
    for key, (name, unit, counted) in RATES.items():
        fields: MetricFields = {"quantity": "rate", "unit": f"{unit}/s", "statistic": "mean", "scope": "serving_window"}
        fields["load"] = {"arrival": "all at once"}
        if unit == "tokens":
            fields["load"]["tokens_counted"] = "total"
        if requests is not None:
            fields["n"] = {"unit": "request", "completed": requests}
        work = record.whole(counted, 1)
        if wall is not None and work is not None:
            fields |= {"statistic": "total", "wall_s": wall, "work": work}
        if metric(arm, record, name, (key,), fields):
            words = f"{unit} per second, all at once"
            claim(arm, name, words, {"mode": "inference", "work": unit, "purpose": "hardware_throughput"})


IMPORTER = Importer(
    name="vllm-offline",
    title="vLLM bench latency, bench throughput",
    doc=__doc__,
    signatures=(
        Signature("json", ("avg_latency", "latencies.0", "percentiles.50|percentiles.99")),
        Signature("json", ("elapsed_time", "num_requests", "requests_per_second", "tokens_per_second")),
    ),
    fields=FIELDS,
    read=read,
)
