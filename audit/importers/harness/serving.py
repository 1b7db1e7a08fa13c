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
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..draft import Draft, Origin, identifier
from ..drafting import ArmDraft, Drafting, MetricDraft
from ..interface import Field, Importer, Signature
from ..records import Record, claim, keep, metric, records
from ..report_file import ReportFile
from .serving_fields import key_of, keys_of
from .serving_requests import Counts, counts, load_of, raw_times

if TYPE_CHECKING:
    from ..fields import ClaimFields, LoadFields, MetricFields

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
        arm: its arm.
        requests: requests behind all its numbers.
        load: under which all were measured.
        claim: what all claims of them share.
        words: what begins a sentence about one: the label.
    """

    record: Record
    arm: ArmDraft
    requests: Counts
    load: LoadFields
    claim: ClaimFields
    words: str

    def mean(self, quantity: str, unit: str, scope: str) -> MetricFields:
        """Return what is known of a mean beside its value."""
        fields: MetricFields = {"quantity": quantity, "unit": unit, "scope": scope, "statistic": "mean"}
        if self.requests.stated:
            fields["n"] = self.requests.stated
        if self.load:
            fields["load"] = self.load
        return fields


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    draft = Drafting(f"serving benchmark {file.short_name}")
    for number, record in enumerate(records(file), 1):
        used = {"server_info"}
        arm, label = _arm(draft, record, number, used)
        load, requests = load_of(record, used), counts(record, used)
        run = Run(record, arm, requests, load, _claimed(record, requests), label)
        found = _rates(run, used)
        linked = raw_times(arm, record, requests.completed, used)
        if "results_ttft_s_mean" in record or "results_inter_token_latency_s_mean" in record:
            _llmperf(run, used)
        else:
            _latencies(run, used)
            if linked and "ttft" in arm.performance:
                arm.metric("ttft").put(None, column="ttft_s")
        if found:
            draft.unused += [key for key in record if key not in used and record.get(key) is not None]
    return draft.done(file)


def _claimed(record: Record, requests: Counts) -> ClaimFields:
    """Return what all claims of a record share; where requests failed, the fields that the report prints of it.

    A report whose counts contradict each other says something else than what happened.
    """
    found: ClaimFields = {"mode": "inference", "work": "tokens"}
    if requests.failed and requests.agree:
        names = ("num_prompts", "results_num_requests_started", "failed", "results_number_errors")
        keys = [*names, *keys_of("completed"), "results_num_completed_requests"]
        printed = [f'"{key}": {record.get(key)}' for key in keys if record.get(key) is not None]
        printed += ['"errors": [...]'] if record.array("errors") is not None else []
        found["said"] = [{"topic": "failed_requests", "quote": ", ".join(printed)[:4000]}]
    return found


def _arm(draft: Drafting, record: Record, number: int, used: set[str]) -> tuple[ArmDraft, str]:
    names = ("Test name", "name", "config", "label")
    label = next((text for key in names if (text := record.text(key))), f"run {number}")
    arm = draft.arm(identifier(label, draft.arms))
    arm.put(record.origin(), label=label)
    model, dataset = key_of(record, "model_id", "model"), key_of(record, "dataset_name", "dataset_path")
    arm.options(record.origin(model), model=_string(record, model))
    arm.options(record.origin(dataset), dataset=_string(record, dataset))
    _framework(arm, record)
    tensor, pipeline = key_of(record, "tp"), key_of(record, "pp")
    arm.options(record.origin(tensor), tensor_parallel=record.whole(tensor, 1))
    arm.options(record.origin(pipeline), pipeline_parallel=record.whole(pipeline, 1))
    arm.precision(record.origin("dtype"), compute=FORMATS.get(record.text("dtype") or ""))
    key = key_of(record, "gpu")
    system = record.text(key)
    if system is not None:
        _system(arm, record.origin(key), system.strip())
    _server(arm, record)
    used |= {"Test name", "name", "label", "model", "framework", "dataset_path", "dtype"}
    used |= keys_of("model_id", "backend", "dataset_name", "tp", "pp", "gpu")
    keep(arm, record, KEPT)
    used |= {name for name in KEPT if name in record}
    return arm, label


def _string(record: Record, key: str) -> str | None:
    """Return a field that is a text, of spaces alone, too."""
    value = record.get(key)
    return value if isinstance(value, str) else None


def _framework(arm: ArmDraft, record: Record) -> None:
    """Put the framework; a name of the interface over which it was asked tells none, and stays an option."""
    key = key_of(record, "backend", "framework")
    name = record.text(key)
    if name is None:
        return
    if _INTERFACE.fullmatch(name.strip()) is None:
        arm.software(record.origin(key), framework=_CLIENT.sub("", name))
    if _INTERFACE.fullmatch(name.strip()) is not None or _CLIENT.search(name) is not None:
        arm.keep("backend", name, record.origin(key))


def _server(arm: ArmDraft, record: Record) -> None:
    """Put what an SGLang server says of itself: what it leaves to itself ("auto") is not stated."""
    server = record.inner("server_info")
    if server is None:
        return
    texts = (server.text(key) for key in ("model_path", "quantization", "kv_cache_dtype"))
    model, quantisation, cache = (None if text == "auto" else text for text in texts)
    arm.options(server.origin("model_path"), model=model)
    arm.options(server.origin("tp_size"), tensor_parallel=server.whole("tp_size", 1))
    arm.options(server.origin("pp_size"), pipeline_parallel=server.whole("pp_size", 1))
    arm.options(server.origin("quantization"), quantisation=quantisation)
    arm.options(server.origin("kv_cache_dtype"), cache_format=cache)
    arm.precision(server.origin("dtype"), compute=FORMATS.get(server.text("dtype") or ""))
    version, framework = server.text("version"), arm.fields.get("software", {}).get("framework")
    if version is not None and framework is not None:
        arm.software(server.origin("version"), framework=f"{framework} {version}")


def _system(arm: ArmDraft, where: Origin, system: str) -> None:
    id_ = identifier(system)
    counted = _COUNTED.fullmatch(system)
    device = (counted[2] if counted is not None else system).replace("_", " ").strip()
    arm.draft.put_system(id_, {"name": system, "device": device}, where)
    arm.put(where, system=id_)
    if counted is not None and int(counted[1]):
        arm.put(where, devices=int(counted[1]))


def _rates(run: Run, used: set[str]) -> int:
    """Put the rates, each with the work and the time that it was computed from, and return how many there are."""
    record, found = run.record, 0
    wall = record.real("duration")
    tokens = {part: record.whole(key_of(record, f"total_{part}_tokens")) for part in ("input", "output")}
    both = (tokens["input"] or 0) + (tokens["output"] or 0) if None not in tokens.values() else None
    work = {**tokens, "total": both, "request_throughput": record.whole(key_of(record, "completed"))}
    used |= {"duration"} | (keys_of("total_input_tokens", "total_output_tokens") if wall is not None else set())
    for name, (unit, counted) in RATES.items():
        key = key_of(record, name)
        fields = run.mean("rate", unit, "serving_window")
        if counted is not None:
            fields["load"] = {**run.load, "tokens_counted": counted}
        amount = work.get(counted or name)
        if wall is not None and amount is not None:
            fields |= {"statistic": "total", "wall_s": wall, "work": amount}
        short = name.removeprefix("results_").removesuffix("_token_per_s")
        if key and metric(run.arm, record, short, (key,), fields):
            words = f"{run.words}, {short.replace('_', ' ')}"
            claim(run.arm, short, words, {**run.claim, "purpose": "hardware_throughput"})
            found += 1
        used |= {key}
    return found


def _latencies(run: Run, used: set[str]) -> None:
    record, arm = run.record, run.arm
    printed = {key.casefold(): key for key in record}
    for part, words in PARTS.items():
        title, keys = part.upper(), {}
        for word in ("mean", "median", "std", "max", "min"):
            spelt = (f"{word}_{part}_ms".casefold(), f"{word} {title} (ms)".casefold())
            keys[word] = next((printed[text] for text in spelt if text in printed), "")
        keys["median"] = keys["median"] or key_of(record, f"median_{part}_ms")
        if not keys["mean"] or not metric(arm, record, part, (keys["mean"],), run.mean("latency", "ms", "request")):
            continue
        latency = arm.metric(part)
        _summarise(latency, record, keys)
        for key in record:
            match = re.fullmatch(
                rf"p([0-9]{{1,2}}(?:\.[0-9]{{1,3}})?)(?:_{part}_ms| {title} \(ms\))", key, re.IGNORECASE
            )
            rank = match[1] if match is not None else "99" if key == key_of(record, f"p99_{part}_ms") else None
            if rank is not None:
                latency.percentile(rank, record.printed(key), record.origin(key))
                used.add(key)
        used |= set(keys.values())
        claim(arm, part, f"{run.words}, mean {words}", run.claim)


def _summarise(number: MetricDraft, record: Record, keys: Mapping[str, str]) -> None:
    """Put statistics of a number by the fields that print them: mean, median, std, max, min."""
    for word, key in keys.items():
        value, where = record.printed(key), record.origin(key)
        match word:
            case "mean":
                number.summary(where, mean=value)
            case "median":
                number.summary(where, median=value)
            case "std" | "stddev":
                number.summary(where, sd=value)
            case "max":
                number.summary(where, max=value)
            case "min":
                number.summary(where, min=value)


def _llmperf(run: Run, used: set[str]) -> None:
    record, arm = run.record, run.arm
    for field, (part, words, quantity, unit) in LLMPERF.items():
        stem = f"results_{field}_"
        if not metric(arm, record, part, (f"{stem}mean",), run.mean(quantity, unit, "request")):
            continue
        number = arm.metric(part)
        keys = {key.removeprefix(stem): key for key in record if key.startswith(stem)}
        _summarise(number, record, keys)
        for rest, key in keys.items():
            match = _PERCENTILE.fullmatch(rest)
            if match is not None:
                number.percentile(match[1], record.printed(key), record.origin(key))
        used |= set(keys.values())
        claim(arm, part, f"{run.words}, mean {words}", run.claim)


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
