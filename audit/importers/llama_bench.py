"""llama.cpp's llama-bench (`-o json`, `-o jsonl`).

Each test becomes an arm and a claim: its mean tokens per second over the repetitions (five unless asked otherwise),
with their standard deviation and the raw values. The number format of the weights stands inside `model_type`
(`llama 8B Q4_K - Medium`), those of the cache in `type_k` and `type_v`. Of the model's path only the file's name is
kept.
"""

from __future__ import annotations

import re
from typing import Any

from .draft import Draft, Drafting, at, identifier
from .handed import Handed
from .interface import Field, Importer, Signature
from .records import Record, claim, metric, records, samples

FIELDS = (
    Field("avg_ts", "performance.rate, claims", "tokens/s, mean"),
    Field("stddev_ts", "performance.rate.plus_minus, summary.sd"),
    Field("samples_ts", "trials.t1.samples.tokens_per_s", "one value a repetition"),
    Field("avg_ns", "performance.time", "no claim"),
    Field("n_prompt, n_gen, n_depth", "performance.rate.load, options.extra"),
    Field("model_filename, model_type", "options.model, quantisation"),
    Field("type_k, type_v", "options.cache_format"),
    Field("n_batch, n_ubatch, n_threads, n_gpu_layers, flash_attn", "options.micro_batch, extra"),
    Field("model_n_params", "footprint.parameters"),
    Field("gpu_info, cpu_info", "systems"),
    Field("build_commit, build_number", "software.tool, code.commit"),
)
_FORMAT = re.compile(r"\b((?:I?Q[0-9]_[A-Z0-9_]{1,12}(?: - [A-Za-z]{1,10})?)|BF16|F16|F32|MXFP4)\b")
SKIPPED = {
    *("avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns", "samples_ts", "n_prompt", "n_gen", "model_filename"),
    *(
        "model_type",
        "type_k",
        "type_v",
        "gpu_info",
        "cpu_info",
        "build_commit",
        "build_number",
        "test_time",
        "n_ubatch",
    ),
    *("model_n_params",),
}


def read(file: Handed) -> Draft:
    """Return the submission of one file."""
    draft = Drafting(f"llama-bench {file.short_name}")
    for record in records(file)[:1000]:
        _test(draft, record)
    return draft.done(file)


def _test(draft: Drafting, record: Record) -> None:
    prompt, generated, depth = (record.whole(key) or 0 for key in ("n_prompt", "n_gen", "n_depth"))
    parts = [f"pp{prompt}" if prompt else "", f"tg{generated}" if generated else "", f"d{depth}" if depth else ""]
    model = (record.text("model_filename") or "").replace("\\", "/").rpartition("/")[2] or record.text("model_type")
    label = f"{model or 'model'} {'+'.join(part for part in parts if part)}".strip()
    arm = identifier(label, draft.value.get("arms"))
    values = samples(record.value.get("samples_ts"))
    told: dict[str, Any] = {"quantity": "rate", "unit": "tokens/s", "statistic": "mean", "scope": "step"}
    counted = "input" if prompt and not generated else "output" if generated and not prompt else "total"
    told["load"] = {
        "prompt_length": f"{prompt} tokens",
        "output_length": f"{generated} tokens",
        "tokens_counted": counted,
    }
    if values is not None:
        told |= {"n": {"unit": "iteration", "completed": len(values)}, "column": "tokens_per_s"}
    if not metric(draft, record, arm, "rate", ("avg_ts",), told):
        draft.unused.append(f"{label}: no rate")
        return
    draft.put(at("arms", arm, "label"), label[:4000], record.origin())
    rate = at("arms", arm, "performance", "rate")
    spread = record.printed("stddev_ts")
    if spread is not None:
        draft.put(f"{rate}/plus_minus", {"value": spread, "label": "sd"}, record.origin("stddev_ts"))
        draft.put(f"{rate}/summary/mean", record.printed("avg_ts"), record.origin("avg_ts"))
        draft.put(f"{rate}/summary/sd", spread, record.origin("stddev_ts"))
    metric(
        draft,
        record,
        arm,
        "time",
        ("avg_ns",),
        {"quantity": "time", "unit": "ns", "statistic": "mean", "scope": "step"},
    )
    if values is not None:
        trial = {"kind": "throughput", "outcome": "completed", "samples": {"tokens_per_s": values}}
        draft.put(at("arms", arm, "trials", "t1"), trial, record.origin("samples_ts"))
    words = {"input": "prompt processing", "output": "generation"}.get(counted, "prompt and generation")
    claim(
        draft,
        arm,
        "rate",
        f"{label}, {words}",
        {"mode": "inference", "work": "tokens", "purpose": "hardware_throughput"},
    )
    _options(draft, record, arm, model)


def _options(draft: Drafting, record: Record, arm: str, model: str | None) -> None:
    options = at("arms", arm, "options")
    draft.put(f"{options}/model", model, record.origin("model_filename"))
    found = _FORMAT.search(record.text("model_type") or "")
    draft.put(f"{options}/quantisation", found[1] if found is not None else None, record.origin("model_type"))
    cache = "/".join(dict.fromkeys(text for key in ("type_k", "type_v") if (text := record.text(key)) is not None))
    draft.put(f"{options}/cache_format", cache, record.origin("type_k"))
    draft.put(f"{options}/micro_batch", record.whole("n_ubatch", 1), record.origin("n_ubatch"))
    parameters = record.whole("model_n_params", 1)
    draft.put(at("arms", arm, "footprint", "parameters"), parameters, record.origin("model_n_params"))
    for key, value in record.value.items():
        if key not in SKIPPED:
            draft.keep(arm, key, value, record.origin(key))
    build, commit = record.whole("build_number"), record.text("build_commit")
    if commit is not None:
        draft.put(
            at("arms", arm, "software", "tool"), f"llama-bench {build or ''} {commit}", record.origin("build_commit")
        )
        draft.put(at("arms", arm, "software", "code", "commit"), commit, record.origin("build_commit"))
    gpu, cpu = record.text("gpu_info"), record.text("cpu_info")
    name = gpu or cpu
    if name is not None:
        system = {"name": name, "device": name, "device_kind": "accelerator" if gpu else "processor"}
        draft.put(
            "/systems/machine",
            system | ({"host_processor": cpu} if cpu else {}),
            record.origin("gpu_info" if gpu else "cpu_info"),
        )
        draft.put(at("arms", arm, "system"), "machine", record.origin())


IMPORTER = Importer(
    name="llama-bench",
    title="llama-bench, JSON",
    doc=__doc__,
    signatures=(
        Signature("json", ("0.avg_ts", "0.n_prompt", "0.n_gen", "0.model_type")),
        Signature("json lines", ("avg_ts", "n_prompt", "n_gen", "model_type")),
    ),
    fields=FIELDS,
    read=read,
)
