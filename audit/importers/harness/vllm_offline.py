"""Offline benchmarks of vLLM: the JSON of `vllm bench latency` and of `vllm bench throughput`.

Of `vllm bench latency` (`benchmark_latency.py`), the time in which one batch is answered becomes a claim: its mean,
with all times as raw values, the percentiles as printed, and the number of iterations. Of `vllm bench throughput`
(`benchmark_throughput.py`), the requests and the tokens per second become a claim each, with the work and the time that
they were computed from; tokens are those of prompts and answers together. Times are seconds.

Neither file names model, device, batch or lengths: what it does not state stays not stated.
"""

from __future__ import annotations

from typing import Any

from ..draft import Draft, Drafting, at
from ..interface import Field, Importer, Signature
from ..records import Record, claim, metric, records, samples
from ..report_file import ReportFile
from .raw_numbers import why_unread

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
    file.document()
    (record,) = records(file)
    draft = Drafting(f"vLLM offline benchmark {file.short_name}")
    draft.put(at("arms", ARM, "label"), "the run", record.origin())
    if "avg_latency" in record.value:
        _batch_time(draft, record)
    else:
        _rates(draft, record)
    known = LATENCY if "avg_latency" in record.value else THROUGHPUT
    draft.unused += [key for key, value in record.value.items() if key not in known and value is not None]
    return draft.done(file)


def _batch_time(draft: Drafting, record: Record) -> None:
    """Put the mean time of a batch with its raw values and percentiles."""
    told = {"quantity": "time", "unit": "s", "statistic": "mean", "scope": "step"}
    if not metric(draft, record, ARM, "batch_time", ("avg_latency",), told):
        return
    target, times = at("arms", ARM, "performance", "batch_time"), record.value.get("latencies")
    draft.put(f"{target}/summary/mean", record.printed("avg_latency"), record.origin("avg_latency"))
    percentiles = record.value.get("percentiles")
    for rank in percentiles if isinstance(percentiles, dict) else ():
        if rank.isascii() and rank.isdigit() and 0 < int(rank) < 100:
            where = record.origin("percentiles", rank)
            draft.put(f"{target}/summary/percentiles/{rank}", record.printed("percentiles", rank), where)
    found = samples(times)
    if found is not None:
        where = record.origin("latencies")
        draft.put(f"{target}/n", {"unit": "iteration", "completed": len(found)}, where)
        draft.put(f"{target}/column", "step_time_s", where)
        trial = {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": found}}
        draft.put(at("arms", ARM, "trials", "t1"), trial, where)
    elif times:
        draft.unused.append(f"latencies: {why_unread(times)}")
    claim(draft, ARM, "batch_time", "mean time in which a batch is answered", {"mode": "inference"})


def _rates(draft: Drafting, record: Record) -> None:
    """Put the rates, each with the work and the time behind it."""
    wall, requests = record.real("elapsed_time"), record.whole("num_requests", 1)
    for key, (name, unit, counted) in RATES.items():
        told: dict[str, Any] = {"quantity": "rate", "unit": f"{unit}/s", "statistic": "mean", "scope": "serving_window"}
        told["load"] = {"arrival": "all at once"} | ({"tokens_counted": "total"} if unit == "tokens" else {})
        if requests is not None:
            told["n"] = {"unit": "request", "completed": requests}
        work = record.whole(counted, 1)
        if wall is not None and work is not None:
            told |= {"statistic": "total", "wall_s": wall, "work": work}
        if metric(draft, record, ARM, name, (key,), told):
            more = {"mode": "inference", "work": unit, "purpose": "hardware_throughput"}
            claim(draft, ARM, name, f"{unit} per second, all at once", more)


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
