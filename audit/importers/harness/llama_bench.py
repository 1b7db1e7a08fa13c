"""llama.cpp's llama-bench (`-o json`, `-o jsonl`, `-o csv`, and the Markdown table that it prints by default).

Each test becomes an arm and a claim: its mean tokens per second over the repetitions (five unless asked otherwise),
with their standard deviation and, from JSON, the raw times. The number format of the weights stands inside
`model_type` (`llama 8B Q4_K - Medium`), those of the cache in `type_k` and `type_v`. Of the model's path only the
file's name is kept. The Markdown table is known by its headings (`model`, `size`, `params`, `backend`, `test`, `t/s`),
where the file holds no other table; `build:` below it and the lines `Device 0: ...` above it are read, too, and the
sentences of a document that shows it.

All of a model's parameters are active for each token, unless its type names experts (`8x7B`, `A3B`) or none that is
known to be dense: then nothing is said of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....schemas.errors import UserError
from ....schemas.pattern import Pattern
from ..claims.prose import draft_prose
from ..claims.sentences import prose_of
from ..draft import LARGEST, Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, claim, keep, metric, records, samples
from ..report_file import ReportFile
from ..tables.grids import Grid
from ..tables.in_documents import grids
from ..tables.rows import rows
from .llama_bench_table import is_table, of_table

if TYPE_CHECKING:
    from ..fields import MetricFields, SystemFields

FIELDS = (
    Field("avg_ts, t/s", "performance.rate, claims", "tokens/s, mean"),
    Field("stddev_ts, t/s", "performance.rate.plus_minus, summary.sd", "in Markdown behind the ±"),
    Field("samples_ns", "trials.t1.samples.step_time_s", "one value a repetition"),
    Field("samples_ts", "trials.t1.samples.tokens_per_s", "without samples_ns"),
    Field("avg_ns", "performance.time, performance.rate.wall_s", "no claim"),
    Field("n_prompt, n_gen, n_depth, test", "performance.rate.load, options.extra"),
    Field("model_filename, model_type, model", "options.model, quantisation"),
    Field("type_k, type_v", "options.cache_format"),
    Field("n_batch, n_ubatch, n_threads, n_gpu_layers, flash_attn", "options.micro_batch, extra"),
    Field("model_n_params, model_size, params, size", "footprint"),
    Field("gpu_info, cpu_info, Device N:", "systems, devices", "several equal devices are counted"),
    Field("backends", "software.libraries.backends"),
    Field("build_commit, build_number, build:", "software.tool, code.commit"),
)
_FORMAT = Pattern(r"\b((?:I?Q[0-9]_[A-Z0-9_]{1,12}(?: - [A-Za-z]{1,10})?)|BF16|F16|F32|MXFP4)\b")
_DENSE = Pattern(
    r"(?:llama|qwen2|qwen3|gemma|gemma2|gemma3|phi2|phi3|falcon|starcoder2?|command-r|granite|gpt2|mpt|olmo2?|stablelm"
    r"|internlm2|mistral3?|smollm3|exaone4?|glm4|bloom|baichuan) ([0-9]{1,4}(?:\.[0-9]{1,3})?)B(?![0-9A-Za-z.+])"
)
OF_TYPE = 0.25
"""How far the parameters of a dense model may lie from the size that its type names: merged experts have more."""
SKIPPED = {
    *("avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns", "samples_ts", "n_prompt", "n_gen", "model_filename"),
    *("model_type", "type_k", "type_v", "gpu_info", "cpu_info", "build_commit", "build_number", "test_time"),
    *("n_ubatch", "model_n_params", "model_size", "backends"),
}
OF_TEST = frozenset({"model_filename", "model_type", "n_prompt", "n_gen", "n_depth"})
"""What the label of a test names anyway."""


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    draft = Drafting(f"llama-bench {file.short_name}")
    found = records(file)
    if not found:
        tables = grids(file)
        found = of_table(draft, file, tables) if is_table(tables) else _of_csv(draft, file, tables)
    telling = _telling(found[:1000])
    for record in found[:1000]:
        _test(draft, record, telling)
    prose = prose_of(file)
    if prose is not None:
        draft_prose(draft, file, prose)
    return draft.done(file)


def _of_csv(draft: Drafting, file: ReportFile, tables: tuple[Grid, ...]) -> tuple[Record, ...]:
    """Return the rows of a CSV file as records; one with more or fewer fields than the heading may be shifted.

    Raises:
        UserError: that is every row.
    """
    if not file.table:
        return ()
    heading = len(file.table[0][1])
    uneven = {line: len(cells) for line, cells in file.table[1:] if len(cells) != heading}
    found = tuple(record for grid in tables[:1] for record in rows(file, grid) if record.line not in uneven)
    told = [f"line {line} has {count} fields, the heading {heading}" for line, count in uneven.items()]
    if told and not found:
        todo = "give the file as llama-bench -o csv writes it"
        raise UserError(told[0], todo, f"{file.name}:{next(iter(uneven))}")
    draft.unused += told
    return found


def _telling(found: Sequence[Record]) -> frozenset[str]:
    """Return the settings in which tests of one model and length differ: without them a label would name several."""
    same: dict[tuple[str, ...], list[Record]] = {}
    for record in found:
        same.setdefault(tuple(str(record.get(key)) for key in OF_TEST), []).append(record)
    keys = {key for record in found for key in record} - SKIPPED - OF_TEST
    differing = ((key, {str(each.get(key)) for each in alike}) for key in keys for alike in same.values())
    return frozenset(key for key, values in differing if len(values) > 1)


def _test(draft: Drafting, record: Record, telling: frozenset[str]) -> None:
    prompt, generated, depth = (record.whole(key) or 0 for key in ("n_prompt", "n_gen", "n_depth"))
    parts = [f"pp{prompt}" if prompt else "", f"tg{generated}" if generated else "", f"d{depth}" if depth else ""]
    model = (record.text("model_filename") or "").replace("\\", "/").rpartition("/")[2] or record.text("model_type")
    label = f"{model or 'model'} {'+'.join(part for part in parts if part)}".strip()
    label += "".join(f", {key.removeprefix('n_')} {record.get(key)}"[:60] for key in record if key in telling)
    arm = draft.arm(identifier(label, draft.arms))
    column, values = _raw(record)
    fields: MetricFields = {"quantity": "rate", "unit": "tokens/s", "statistic": "mean", "scope": "step"}
    counted = "input" if prompt and not generated else "output" if generated and not prompt else "total"
    fields["load"] = {
        "concurrency": 1,
        "prompt_length": f"{prompt} tokens",
        "output_length": f"{generated} tokens",
        "tokens_counted": counted,
    }
    if values:
        fields |= {"n": {"unit": "iteration", "completed": len(values)}, "column": column}
    fields |= _window(record, prompt + generated, len(values), column)
    if not metric(arm, record, "rate", ("avg_ts",), fields):
        draft.unused.append(f"{label}: no rate")
        return
    arm.put(record.origin(), label=label[:4000])
    rate, spread = arm.metric("rate"), record.printed("stddev_ts")
    if spread is not None:
        where = record.origin("stddev_ts")
        rate.put(where, plus_minus={"value": spread, "label": "sd", "varies": "iterations"})
        rate.summary(record.origin("avg_ts"), mean=record.printed("avg_ts"))
        rate.summary(where, sd=spread)
    metric(arm, record, "time", ("avg_ns",), {"quantity": "time", "unit": "ns", "statistic": "mean", "scope": "step"})
    if values:
        where = record.origin("samples_ns" if column == "step_time_s" else "samples_ts")
        arm.put_trial("t1", {"kind": "throughput", "outcome": "completed", "samples": {column: values}}, where)
    words = {"input": "prompt tokens processed", "output": "tokens generated"}.get(
        counted, "prompt and generated tokens"
    )
    claim(arm, "rate", f"{label}, {words}", {"mode": "inference", "work": "tokens", "purpose": "hardware_throughput"})
    _options(arm, record, model)
    _software(arm, record)
    _system(arm, record)


def _raw(record: Record) -> tuple[str, list[float]]:
    """Return the raw values with the column that holds them: the times, else the rates."""
    times = samples(record.get("samples_ns"))
    if times is not None and min(times) > 0:
        return "step_time_s", [value / 1e9 for value in times]
    return "tokens_per_s", samples(record.get("samples_ts")) or []


def _window(record: Record, tokens: int, repetitions: int, column: str) -> MetricFields:
    """Return time and tokens of all repetitions, or of the mean one where it is not known how many there are."""
    found: MetricFields = {}
    times = max(repetitions, 1)
    wall_s, plausible = (record.real("avg_ns") or 0.0) * times / 1e9, 0 < tokens * times <= LARGEST
    if plausible and 0 < wall_s < math.inf:
        found |= {"wall_s": wall_s, "work": tokens * times}
    if plausible and column == "step_time_s":
        found["work_per_iteration"] = tokens
    return found


def _options(arm: ArmDraft, record: Record, model: str | None) -> None:
    kind = record.text("model_type") or ""
    arm.options(record.origin("model_filename" if "model_filename" in record else "model_type"), model=model)
    found = _FORMAT.search(kind)
    arm.options(record.origin("model_type"), quantisation=found[1] if found is not None else None)
    cache = "/".join(dict.fromkeys(text for key in ("type_k", "type_v") if (text := record.text(key)) is not None))
    arm.options(record.origin("type_k"), cache_format=cache)
    arm.options(record.origin("n_ubatch"), micro_batch=record.whole("n_ubatch", 1))
    keep(arm, record, (key for key in record if key not in SKIPPED))
    parameters, size = record.whole("model_n_params", 1), record.whole("model_size", 1)
    arm.footprint(record.origin("model_n_params"), parameters=parameters)
    if parameters and size and _dense(kind, parameters):
        arm.footprint(record.origin("model_n_params"), active_parameters=parameters)
        arm.footprint(record.origin("model_size"), bytes_per_parameter=size / parameters)


def _dense(kind: str, parameters: int) -> bool:
    """Whether each token reads all of a model: its type is known to be dense, and its size is that of its type."""
    found = _DENSE.match(kind)
    return found is not None and math.isclose(float(found[1]) * 1e9, parameters, rel_tol=OF_TYPE)


def _software(arm: ArmDraft, record: Record) -> None:
    build, commit = record.whole("build_number"), record.text("build_commit")
    if commit is not None:
        arm.software(record.origin("build_commit"), tool=f"llama-bench {build or ''} {commit}")
        arm.code(record.origin("build_commit"), commit=commit)
    arm.library("backends", record.text("backends"), record.origin("backends"))


def _system(arm: ArmDraft, record: Record) -> None:
    """Put the hardware: GPUs where some are named, each of the same kind counted, else the processor."""
    gpu, cpu = record.text("gpu_info"), record.text("cpu_info")
    if gpu is None and cpu is None:
        return
    name = gpu or cpu or ""
    cards = [card.strip() for card in re.split(r", |(?<=\w)/(?=[A-Z])", gpu)] if gpu is not None else []
    system: SystemFields = {"name": name, "device_kind": "accelerator" if gpu else "processor"}
    if len(set(cards)) <= 1:
        system["device"] = cards[0] if cards else name
    if cpu is not None:
        system["host_processor"] = cpu
    held = arm.draft.systems
    key = next((key for key, value in held.items() if value == system), None)
    if key is None:
        key = identifier(name, held)
        arm.draft.put_system(key, system, record.origin("gpu_info" if gpu else "cpu_info"))
    arm.put(record.origin(), system=key)
    if cards and record.whole("n_gpu_layers") != 0:
        used = 1 if record.text("split_mode") == "none" else len(cards)
        arm.put(record.origin("gpu_info"), devices=used)


IMPORTER = Importer(
    name="llama-bench",
    title="llama-bench: JSON, CSV, Markdown",
    doc=__doc__,
    signatures=(
        Signature("json", ("0.avg_ts", "0.n_prompt", "0.n_gen", "0.model_type")),
        Signature("json lines", ("avg_ts", "n_prompt", "n_gen", "model_type")),
        Signature("table", ("avg_ts", "n_prompt", "n_gen", "model_type")),
    ),
    fields=FIELDS,
    read=read,
    recognises=lambda file: is_table(grids(file)),
)
