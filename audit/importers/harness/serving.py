"""Results of serving benchmarks: vLLM `bench serve`, SGLang `bench_serving`, LLMPerf summaries.

Reads the JSON of `vllm bench serve --save-result` (one object, a list of them, or one a line), the tables of vLLM's
nightly runs with their human-readable names, SGLang's lines, which have the same keys, and LLMPerf's `*_summary.json`.
Each object becomes an arm under its load, with a claim for each rate and for the mean of each latency; medians,
deviations and percentiles stand in the summaries. Prompts that were sent and not completed are failed requests, and so
are those with a text among `errors`; each claim quotes these counts, unless they contradict each other.

`request_rate` is a number, `inf`, or a word such as `trace`; the values of `--metadata` are texts; the key
`request_goodput:` ends in a colon in some versions. With `--save-detailed` the times to the first token become raw
values, without those of requests that got no answer. What the benchmark asked for (`input_len`, `output_len`,
`random_input_len`) is kept beside what came back. `backend` is the framework, unless it names an interface only
(`openai-chat`). LLMPerf's inter-token latency is one value a request.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..draft import Draft, Drafting, at, identifier
from ..interface import Field, Importer, Signature
from ..records import Record, claim, metric, records
from ..report_file import ReportFile
from .serving_fields import key_of, keys_of
from .serving_requests import Counts, counts, load_of, raw_times

FIELDS = (
    Field("model_id, model, server_info.model_path", "options.model"),
    Field("backend, Engine, framework", "software.framework", "openai...: options.extra"),
    Field("num_prompts, results_num_requests_started", "n.planned", "unit: request"),
    Field("completed, # of req.", "n.completed"),
    Field("failed, errors, results_number_errors", "n.failed"),
    Field("request_rate, qps, burstiness, max_concurrency, num_concurrent_requests", "load"),
    Field("accept_length, spec_decode_*, server_info.speculative_algorithm", "load.speculation"),
    Field("server_info.disable_radix_cache", "load.prefix_cache"),
    Field("duration", "wall_s"),
    Field(
        "request_throughput, output_throughput, total_token_throughput, request_goodput", "claims, performance (rate)"
    ),
    Field("mean_{ttft, tpot, itl, e2el}_ms", "claims, performance (latency)", "LLMPerf: seconds"),
    Field("median, std, pNN, max of these", "performance.summary", "bare Median, P99: of TPOT"),
    Field("ttfts, output_lens", "trials.t1.samples", "only with --save-detailed"),
    Field(
        "input_len, output_len, random_input_len, random_output_len", "load.prompt_length, output_length", "as asked"
    ),
    Field("input_lens, output_lens", "load.prompt_length, output_length", "their means, where none was asked for"),
    Field("total_input_tokens, total_output_tokens", "work", "beside a duration"),
    Field("gpu, tp, pp, GPU, TP Size, server_info.tp_size", "systems, options.tensor_parallel, pipeline_parallel"),
    Field("dtype, server_info.dtype, quantization, kv_cache_dtype", "options.precision, quantisation, cache_format"),
    Field("date, timestamp", "load.date"),
)
RATES = {
    "request_throughput": ("requests/s", None),
    "request_goodput": ("requests/s", None),
    "output_throughput": ("tokens/s", "output"),
    "input_throughput": ("tokens/s", "input"),
    "total_token_throughput": ("tokens/s", "total"),
    "total_throughput": ("tokens/s", "total"),
    "results_mean_output_throughput_token_per_s": ("tokens/s", "output"),
    "results_num_completed_requests_per_min": ("requests/min", None),
}
PARTS = {
    "ttft": "time to first token",
    "tpot": "time per output token",
    "itl": "inter-token latency",
    "e2el": "end-to-end latency",
    "e2e_latency": "end-to-end latency",
}
LLMPERF = {
    "ttft_s": ("ttft", "time to first token", "latency", "s"),
    "inter_token_latency_s": ("tpot", "inter-token latency of a request", "latency", "s"),
    "end_to_end_latency_s": ("e2el", "end-to-end latency", "latency", "s"),
    "request_output_throughput_token_per_s": ("request_rate", "output rate of a request", "rate", "tokens/s"),
}
FORMATS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "half": "fp16"}
KEPT = (
    *("deployment", "burstiness", "version", "endpoint_type", "gateway", "prefill_replicas", "decode_replicas"),
    *("best_of", "tag"),
)
_PERCENTILE = Pattern(r"(?:quantiles_)?p([0-9]{1,2}(?:\.[0-9]{1,3})?)")
_COUNTED = Pattern(r"([0-9]{1,5}) ?x ?(.{2,100})")
_INTERFACE = Pattern(r"openai\b.*|.*embeddings?|custom", re.IGNORECASE)
_CLIENT = Pattern(r"-(?:native|oai|oai-chat|chat)$")


class Run(Struct, frozen=True):
    """One record that is being read.

    Attributes:
        record: the record.
        arm: id of its arm.
        metric: what all its numbers share.
        claim: what all claims of them share.
        words: what begins a sentence about one: the label.
    """

    record: Record
    arm: str
    metric: dict[str, Any]
    claim: dict[str, Any]
    words: str


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    draft = Drafting(f"serving benchmark {file.short_name}")
    for number, record in enumerate(records(file), 1):
        used = {"server_info"}
        arm, label = _arm(draft, record, number, used)
        load, requests = load_of(record, used), counts(record, used)
        shared = {name: value for name, value in {"n": requests.stated, "load": load}.items() if value}
        run = Run(record, arm, shared, _claimed(record, requests), label)
        found = _rates(draft, run, used)
        linked = raw_times(draft, record, arm, requests.completed, used)
        if "results_ttft_s_mean" in record.value or "results_inter_token_latency_s_mean" in record.value:
            _llmperf(draft, run, used)
        else:
            _latencies(draft, run, used)
            if linked and "ttft" in draft.value["arms"][arm].get("performance", {}):
                draft.put(at("arms", arm, "performance", "ttft", "column"), "ttft_s")
        draft.unused += (
            [key for key, value in record.value.items() if key not in used and value is not None] if found else []
        )
    return draft.done(file)


def _claimed(record: Record, requests: Counts) -> dict[str, Any]:
    """Return what all claims of a record share; where requests failed, the fields that the report prints of it.

    A report whose counts contradict each other says something else than what happened.
    """
    found: dict[str, Any] = {"mode": "inference", "work": "tokens"}
    if requests.failed and requests.agree:
        names = ("num_prompts", "results_num_requests_started", "failed", "results_number_errors")
        keys = [*names, *keys_of("completed"), "results_num_completed_requests"]
        printed = [f'"{key}": {record.value[key]}' for key in keys if record.value.get(key) is not None]
        printed += ['"errors": [...]'] if isinstance(record.value.get("errors"), list) else []
        found["said"] = [{"topic": "failed_requests", "quote": ", ".join(printed)[:4000]}]
    return found


def _arm(draft: Drafting, record: Record, number: int, used: set[str]) -> tuple[str, str]:
    names = ("Test name", "name", "config", "label")
    label = next((text for key in names if (text := record.text(key))), f"run {number}")
    arm = identifier(label, draft.value.get("arms"))
    draft.put(at("arms", arm, "label"), label, record.origin())
    for source, target in (("model_id", "model"), ("dataset_name", "dataset")):
        key = key_of(record, source, "model" if source == "model_id" else "dataset_path")
        if isinstance(record.value.get(key), str):
            draft.put(at("arms", arm, "options", target), record.value[key], record.origin(key))
    _framework(draft, record, arm)
    for source, target in (("tp", "tensor_parallel"), ("pp", "pipeline_parallel")):
        key = key_of(record, source)
        draft.put(at("arms", arm, "options", target), record.whole(key, 1), record.origin(key))
    precision = FORMATS.get(record.text("dtype") or "")
    draft.put(at("arms", arm, "options", "precision", "compute"), precision, record.origin("dtype"))
    key = key_of(record, "gpu")
    system = record.text(key)
    if system is not None:
        _system(draft, record, arm, key, system.strip())
    _server(draft, record, arm)
    used |= {"Test name", "name", "label", "model", "framework", "dataset_path", "dtype"}
    used |= keys_of("model_id", "backend", "dataset_name", "tp", "pp", "gpu")
    for name in KEPT:
        if name in record.value:
            draft.keep(arm, name, record.value[name], record.origin(name))
            used.add(name)
    return arm, label


def _framework(draft: Drafting, record: Record, arm: str) -> None:
    """Put the framework; a name of the interface over which it was asked tells none, and stays an option."""
    key = key_of(record, "backend", "framework")
    name = record.text(key)
    if name is None:
        return
    if _INTERFACE.fullmatch(name.strip()) is None:
        draft.put(at("arms", arm, "software", "framework"), _CLIENT.sub("", name), record.origin(key))
    if _INTERFACE.fullmatch(name.strip()) is not None or _CLIENT.search(name) is not None:
        draft.keep(arm, "backend", name, record.origin(key))


def _server(draft: Drafting, record: Record, arm: str) -> None:
    """Put what an SGLang server says of itself: what it leaves to itself ("auto") is not stated."""
    server = record.inner("server_info")
    if server is None:
        return
    told = {
        ("options", "model"): server.text("model_path"),
        ("options", "tensor_parallel"): server.whole("tp_size", 1),
        ("options", "pipeline_parallel"): server.whole("pp_size", 1),
        ("options", "quantisation"): server.text("quantization"),
        ("options", "cache_format"): server.text("kv_cache_dtype"),
        ("options", "precision", "compute"): FORMATS.get(server.text("dtype") or ""),
    }
    keys = ("model_path", "tp_size", "pp_size", "quantization", "kv_cache_dtype", "dtype")
    for (target, value), key in zip(told.items(), keys, strict=True):
        if value != "auto":
            draft.put(at("arms", arm, *target), value, server.origin(key))
    version, framework = server.text("version"), draft.value["arms"][arm].get("software", {}).get("framework")
    if version is not None and framework is not None:
        draft.put(at("arms", arm, "software", "framework"), f"{framework} {version}", server.origin("version"))


def _system(draft: Drafting, record: Record, arm: str, key: str, system: str) -> None:
    id_ = identifier(system)
    counted = _COUNTED.fullmatch(system)
    device = (counted[2] if counted is not None else system).replace("_", " ").strip()
    draft.put(at("systems", id_), {"name": system, "device": device}, record.origin(key))
    draft.put(at("arms", arm, "system"), id_, record.origin(key))
    if counted is not None and int(counted[1]):
        draft.put(at("arms", arm, "devices"), int(counted[1]), record.origin(key))


def _rates(draft: Drafting, run: Run, used: set[str]) -> int:
    """Put the rates, each with the work and the time that it was computed from, and return how many there are."""
    record, found = run.record, 0
    wall = record.real("duration")
    tokens = {part: record.whole(key_of(record, f"total_{part}_tokens")) for part in ("input", "output")}
    both = (tokens["input"] or 0) + (tokens["output"] or 0) if None not in tokens.values() else None
    work = {**tokens, "total": both, "request_throughput": record.whole(key_of(record, "completed"))}
    used |= {"duration"} | (keys_of("total_input_tokens", "total_output_tokens") if wall is not None else set())
    for name, (unit, counted) in RATES.items():
        key = key_of(record, name)
        told = {"quantity": "rate", "unit": unit, "scope": "serving_window", "statistic": "mean", **run.metric}
        if counted is not None:
            told["load"] = {**run.metric.get("load", {}), "tokens_counted": counted}
        amount = work.get(counted or name)
        if wall is not None and amount is not None:
            told |= {"statistic": "total", "wall_s": wall, "work": amount}
        short = name.removeprefix("results_").removesuffix("_token_per_s")
        if key and metric(draft, record, run.arm, short, (key,), told):
            words = f"{run.words}, {short.replace('_', ' ')}"
            claim(draft, run.arm, short, words, {**run.claim, "purpose": "hardware_throughput"})
            found += 1
        used |= {key}
    return found


def _latencies(draft: Drafting, run: Run, used: set[str]) -> None:
    record = run.record
    for part, words in PARTS.items():
        told = {"quantity": "latency", "unit": "ms", "scope": "request", "statistic": "mean", **run.metric}
        title = part.upper()
        printed = {key.casefold(): key for key in record.value}
        summary = {"mean": "mean", "median": "median", "sd": "std", "max": "max", "min": "min"}
        held = {
            name: next(
                (
                    key
                    for text in (f"{word}_{part}_ms", f"{word} {title} (ms)")
                    if (key := printed.get(text.casefold()))
                ),
                "",
            )
            for name, word in summary.items()
        }
        held["median"] = held["median"] or key_of(record, f"median_{part}_ms")
        if not held["mean"] or not metric(draft, record, run.arm, part, (held["mean"],), told):
            continue
        target = at("arms", run.arm, "performance", part, "summary")
        for name, key in held.items():
            draft.put(f"{target}/{name}", record.printed(key), record.origin(key))
        for key in record.value:
            match = re.fullmatch(
                rf"p([0-9]{{1,2}}(?:\.[0-9]{{1,3}})?)(?:_{part}_ms| {title} \(ms\))", key, re.IGNORECASE
            )
            rank = match[1] if match is not None else "99" if key == key_of(record, f"p99_{part}_ms") else None
            if rank is not None:
                draft.put(f"{target}/percentiles/{rank}", record.printed(key), record.origin(key))
                used.add(key)
        used |= set(held.values())
        claim(draft, run.arm, part, f"{run.words}, mean {words}", run.claim)


def _llmperf(draft: Drafting, run: Run, used: set[str]) -> None:
    record = run.record
    for field, (part, words, quantity, unit) in LLMPERF.items():
        told = {"quantity": quantity, "unit": unit, "scope": "request", "statistic": "mean", **run.metric}
        stem = f"results_{field}_"
        if not metric(draft, record, run.arm, part, (f"{stem}mean",), told):
            continue
        for key in record.value:
            if not key.startswith(stem):
                continue
            used.add(key)
            rest = key.removeprefix(stem)
            match = _PERCENTILE.fullmatch(rest)
            name = {"stddev": "sd", "mean": "mean", "min": "min", "max": "max"}.get(rest)
            target = f"percentiles/{match[1]}" if match is not None else name
            if target is not None:
                pointer = f"{at('arms', run.arm, 'performance', part)}/summary/{target}"
                draft.put(pointer, record.printed(key), record.origin(key))
        claim(draft, run.arm, part, f"{run.words}, mean {words}", run.claim)


_RATE = "request_throughput|output_throughput"
IMPORTER = Importer(
    name="serving",
    title="vLLM bench serve, SGLang bench_serving, LLMPerf",
    doc=__doc__,
    signatures=(
        Signature("json", ("request_throughput", "mean_ttft_ms", "completed", _RATE)),
        Signature("json", ("0.request_throughput", "0.mean_ttft_ms", "0.completed", "0.output_throughput")),
        Signature("json lines", ("request_throughput", "mean_ttft_ms", "completed", _RATE)),
        Signature("json", ("0.Tput (req/s)", "0.Mean TTFT (ms)")),
        Signature("json", ("results_ttft_s_mean", "results_inter_token_latency_s_mean", "num_concurrent_requests")),
    ),
    fields=FIELDS,
    read=read,
)
