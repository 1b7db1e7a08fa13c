"""Results of serving benchmarks: vLLM `bench serve`, SGLang `bench_serving`, LLMPerf summaries.

Reads the JSON of `vllm bench serve --save-result` (one object, a list of them, or one a line), the tables of vLLM's
nightly runs with their human-readable names, SGLang's lines, which have the same keys, and LLMPerf's `*_summary.json`.
Each object becomes an arm under its load, with a claim for each rate and for the mean of each latency; medians,
deviations and percentiles stand in the summaries. Prompts that were sent and not completed are failed requests.

`request_rate` is a number or the text "inf"; the values of `--metadata` are texts; the key `request_goodput:` ends in a
colon. With `--save-detailed` the times to the first token become raw values. What the benchmark asked for
(`input_len`, `output_len`) is kept beside what came back.
"""

from __future__ import annotations

import re
from typing import Any

from .draft import Draft, Drafting, at, identifier
from .handed import Handed
from .interface import Field, Importer, Signature
from .records import Record, claim, day, metric, records, samples

FIELDS = (
    Field("model_id, model", "options.model"),
    Field("backend, Engine, framework", "software.framework"),
    Field("num_prompts, completed, results_num_requests_started", "n.planned, n.completed, n.failed", "unit: request"),
    Field("request_rate, burstiness, max_concurrency, num_concurrent_requests", "load"),
    Field("duration", "wall_s"),
    Field("request_throughput, output_throughput, total_token_throughput", "claims, performance (rate)"),
    Field("mean_{ttft, tpot, itl, e2el}_ms", "claims, performance (latency)", "LLMPerf: seconds"),
    Field("median, std, pNN of these", "performance.summary"),
    Field("ttfts, input_lens, output_lens", "trials.t1.samples", "only with --save-detailed"),
    Field("input_len, output_len", "load.prompt_length, load.output_length", "as asked for"),
    Field("gpu, tp, GPU", "systems, options.tensor_parallel", "of --metadata"),
    Field("date, timestamp", "load.date"),
)
HUMAN = {
    "Tput (req/s)": "request_throughput",
    "Output Tput (tok/s)": "output_throughput",
    "Input Tput (tok/s)": "input_throughput",
    "Total Token Tput (tok/s)": "total_token_throughput",
    "Successful req.": "completed",
    "Engine": "backend",
    "GPU": "gpu",
}
RATES = {
    "request_throughput": ("requests/s", None),
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
    "inter_token_latency_s": ("itl", "inter-token latency", "latency", "s"),
    "end_to_end_latency_s": ("e2el", "end-to-end latency", "latency", "s"),
    "request_output_throughput_token_per_s": ("request_rate", "output rate of a request", "rate", "tokens/s"),
}
_PERCENTILE = re.compile(r"(?:quantiles_)?p([0-9]{1,2}(?:\.[0-9]{1,3})?)")
_COUNTED = re.compile(r"([0-9]{1,5}) ?x ?(.{2,100})")


def read(file: Handed) -> Draft:
    """Return the submission of one file."""
    draft = Drafting(f"serving benchmark {file.short_name}")
    for number, record in enumerate(records(file), 1):
        used = set(HUMAN)
        arm = _arm(draft, record, number, used)
        load, counts = _load(record, used), _counts(record, used)
        common = {"n": counts, "load": load}
        found = _rates(draft, record, arm, {name: value for name, value in common.items() if value}, used)
        if "results_ttft_s_mean" in record.value or "results_inter_token_latency_s_mean" in record.value:
            _llmperf(draft, record, arm, common, used)
        else:
            _latencies(draft, record, arm, common, used)
        _raw(draft, record, arm, used)
        draft.unused += [] if not found else [key for key in record.value if key not in used]
    return draft.done(file)


def _claimed(record: Record, common: dict[str, Any], **told: str) -> dict[str, Any]:
    """Return what all claims of a record share; that requests failed is said where the report prints how many."""
    found: dict[str, Any] = {"mode": "inference", "work": "tokens", **told}
    if common.get("n", {}).get("failed"):
        counts = ("results_number_errors", "num_prompts", "completed", "results_num_completed_requests")
        fields = [name for name in (*counts, "results_num_requests_started") if name in record.value]
        quote = ", ".join(f'"{name}": {record.value[name]}' for name in fields)
        found["said"] = [{"topic": "failed_requests", "quote": quote[:4000]}]
    return found


def _field(record: Record, *names: str) -> tuple[str, Any]:
    """Return name and value of the first field that is there, in its own or in its human-readable name."""
    for name in names:
        for key in (name, *(human for human, plain in HUMAN.items() if plain == name)):
            if record.value.get(key) is not None:
                return key, record.value[key]
    return "", None


def _arm(draft: Drafting, record: Record, number: int, used: set[str]) -> str:
    label = next(
        (text for key in ("Test name", "name", "config", "label") if (text := record.text(key))), f"run {number}"
    )
    arm = identifier(label, draft.value.get("arms"))
    draft.put(at("arms", arm, "label"), label, record.origin())
    for names, target in (
        (("model_id", "model"), at("options", "model")),
        (("backend", "framework"), at("software", "framework")),
        (("dataset_name", "dataset_path"), at("options", "dataset")),
    ):
        key, value = _field(record, *names)
        if isinstance(value, str):
            draft.put(at("arms", arm) + target, value, record.origin(key))
    for name in ("tp", "tensor_parallel_size", "tp_size"):
        size = record.whole(name, 1)
        if size is not None:
            draft.put(at("arms", arm, "options", "tensor_parallel"), size, record.origin(name))
    key, system = _field(record, "gpu")
    if isinstance(system, str) and system.strip():
        _system(draft, record, arm, key, system.strip())
    used |= {"Test name", "name", "label", "model_id", "model", "backend", "framework", "dataset_name", "tp", "gpu"}
    for name in (
        "deployment",
        "burstiness",
        "version",
        "endpoint_type",
        "gateway",
        "prefill_replicas",
        "decode_replicas",
    ):
        if name in record.value:
            draft.keep(arm, name, record.value[name], record.origin(name))
            used.add(name)
    return arm


def _system(draft: Drafting, record: Record, arm: str, key: str, system: str) -> None:
    id_ = identifier(system)
    counted = _COUNTED.fullmatch(system)
    device = (counted[2] if counted is not None else system).replace("_", " ").strip()
    draft.put(at("systems", id_), {"name": system, "device": device}, record.origin(key))
    draft.put(at("arms", arm, "system"), id_, record.origin(key))
    if counted is not None and int(counted[1]):
        draft.put(at("arms", arm, "devices"), int(counted[1]), record.origin(key))


def _counts(record: Record, used: set[str]) -> dict[str, Any]:
    planned = (
        record.whole("num_prompts", 0)
        if "num_prompts" in record.value
        else record.whole("results_num_requests_started")
    )
    key, _ = _field(record, "completed", "results_num_completed_requests")
    completed, failed = record.whole(key), record.whole("results_number_errors")
    if failed is None and planned is not None and completed is not None and planned >= completed:
        failed = planned - completed
    used |= {"num_prompts", "completed", "results_num_requests_started", "results_num_completed_requests"}
    used |= {"results_number_errors", "results_error_rate", "results_error_code_frequency", key}
    found = {"planned": planned, "completed": completed, "failed": failed}
    kept = {name: value for name, value in found.items() if value is not None}
    return {"unit": "request", **kept} if kept else {}


def _load(record: Record, used: set[str]) -> dict[str, Any]:
    load: dict[str, Any] = {}
    for name in ("max_concurrency", "num_concurrent_requests"):
        value = record.real(name)
        if value is not None:
            load |= {"concurrency": value}
    rate = record.value.get("request_rate")
    number = record.real("request_rate")
    if number is not None:
        load |= {"request_rate": number, "loop": "open"}
    elif isinstance(rate, str) and rate.strip().casefold() in {"inf", "infinity"}:
        load["arrival"] = "all at once (request_rate inf)"
    for name, target in (
        ("input_len", "prompt_length"),
        ("output_len", "output_length"),
        ("tokenizer_id", "tokenizer"),
    ):
        text = record.value.get(name)
        if isinstance(text, str | int) and not isinstance(text, bool) and str(text).strip():
            load[target] = str(text)[:4000]
    for name, target in (("mean_input_tokens", "prompt_length"), ("mean_output_tokens", "output_length")):
        if record.printed(name) is not None:
            load[target] = f"{record.printed(name)} tokens on average, as asked for"
    date = day(record.value.get("date", record.value.get("timestamp")))
    if date is not None:
        load["date"] = date
    used |= {"max_concurrency", "num_concurrent_requests", "request_rate", "input_len", "output_len", "tokenizer_id"}
    used |= {
        "mean_input_tokens",
        "mean_output_tokens",
        "stddev_input_tokens",
        "stddev_output_tokens",
        "date",
        "timestamp",
    }
    return load


def _rates(draft: Drafting, record: Record, arm: str, common: dict[str, Any], used: set[str]) -> int:
    found = 0
    wall = record.real("duration")
    used |= {"duration", "total_output_tokens", "total_input_tokens", "total_output", "total_input"}
    work = {
        "requests/s": record.whole("completed"),
        "output": record.whole("total_output_tokens"),
        "input": record.whole("total_input_tokens"),
    }
    for name, (unit, counted) in RATES.items():
        key, _ = _field(record, name)
        told: dict[str, Any] = {
            "quantity": "rate",
            "unit": unit,
            "scope": "serving_window",
            "statistic": "mean",
            **common,
        }
        if counted is not None:
            told["load"] = {**common.get("load", {}), "tokens_counted": counted}
        amount = work.get(counted or unit)
        if wall is not None and amount is not None:
            told |= {"wall_s": wall, "work": amount}
        short = name.removeprefix("results_").removesuffix("_token_per_s")
        if key and metric(draft, record, arm, short, (key,), told):
            words = draft.value["arms"][arm]["label"] + ", " + short.replace("_", " ")
            claim(draft, arm, short, words, _claimed(record, common, purpose="hardware_throughput"))
            found += 1
        used |= {key, name}
    return found


def _latencies(draft: Drafting, record: Record, arm: str, common: dict[str, Any], used: set[str]) -> None:
    for part, words in PARTS.items():
        told = {"quantity": "latency", "unit": "ms", "scope": "request", "statistic": "mean"}
        told |= {name: value for name, value in common.items() if value}
        title = part.upper()
        keys = {
            "mean": (f"mean_{part}_ms", f"Mean {title} (ms)"),
            "median": (f"median_{part}_ms", f"Median {title} (ms)"),
            "sd": (f"std_{part}_ms", f"Std {title} (ms)"),
        }
        held = {name: next((key for key in names if key in record.value), "") for name, names in keys.items()}
        if not held["mean"] or not metric(draft, record, arm, part, (held["mean"],), told):
            continue
        for name, key in held.items():
            draft.put(at("arms", arm, "performance", part, "summary", name), record.printed(key), record.origin(key))
        for key in record.value:
            match = re.fullmatch(rf"p([0-9]{{1,2}}(?:\.[0-9]{{1,3}})?)_{part}_ms|P([0-9]{{1,2}}) {title} \(ms\)", key)
            if match is not None:
                target = at("arms", arm, "performance", part, "summary", "percentiles", match[1] or match[2])
                draft.put(target, record.printed(key), record.origin(key))
                used.add(key)
        used |= set(held.values())
        claim(draft, arm, part, f"{draft.value['arms'][arm]['label']}, mean {words}", _claimed(record, common))


def _llmperf(draft: Drafting, record: Record, arm: str, common: dict[str, Any], used: set[str]) -> None:
    for field, (part, words, quantity, unit) in LLMPERF.items():
        told = {"quantity": quantity, "unit": unit, "scope": "request", "statistic": "mean"}
        told |= {name: value for name, value in common.items() if value}
        stem = f"results_{field}_"
        if not metric(draft, record, arm, part, (f"{stem}mean",), told):
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
                draft.put(
                    f"{at('arms', arm, 'performance', part)}/summary/{target}", record.printed(key), record.origin(key)
                )
        claim(draft, arm, part, f"{draft.value['arms'][arm]['label']}, mean {words}", _claimed(record, common))


def _raw(draft: Drafting, record: Record, arm: str, used: set[str]) -> None:
    columns = {}
    for name, column in (("ttfts", "ttft_s"), ("output_lens", "output_tokens")):
        values = samples(record.value.get(name))
        if values is not None:
            columns[column] = values
            used.add(name)
    if columns:
        trial = {"kind": "throughput", "outcome": "completed", "samples": columns}
        draft.put(
            at("arms", arm, "trials", "t1"), trial, record.origin("ttfts" if "ttft_s" in columns else "output_lens")
        )


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
