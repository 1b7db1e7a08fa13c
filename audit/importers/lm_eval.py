"""lm-evaluation-harness results (`results_*.json`), older and newer ones.

Each metric of each task becomes a quality and a claim, with its standard error. Older files name a metric `acc` and its
error `acc_stderr`, newer ones `acc,none` and `acc_stderr,none`. The configuration gives model, number format
(`dtype=...` inside `model_args`), number of shots, batch size and `limit`: a limit means that only a part of the task
was evaluated. Which split a task uses is not in the file, so it stays unlabelled. There is no performance number here.
"""

from __future__ import annotations

import re
from typing import Any

from .draft import Draft, Drafting, at, identifier
from .handed import Handed
from .interface import Field, Importer, Signature
from .records import Record, quality_claim, records

FIELDS = (
    Field("results.TASK.METRIC", "quality, claims", "split: unlabelled"),
    Field("results.TASK.METRIC_stderr", "quality.plus_minus", "label: sem"),
    Field("n-samples.TASK.effective", "quality.examples"),
    Field("versions.TASK", "quality.harness"),
    Field("config.model, model_args", "options.model, precision, extra"),
    Field("config.num_fewshot, n-shot", "quality.prompts"),
    Field("config.limit", "quality.subset"),
    Field("config.batch_size", "quality.evaluation_batch"),
    Field("git_hash, lm_eval_version", "software.tool"),
)
ARM = "model"
FORMATS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float64": "fp64", "half": "fp16"}
_DTYPE = re.compile(r"(?:^|,)\s{0,9}(?:torch_)?dtype=([A-Za-z0-9_]{1,40})")
_MODEL = re.compile(r"(?:^|,)\s{0,9}(?:pretrained|model|peft)=([^,]{1,400})")
_NAME = re.compile(r"[A-Za-z0-9_.%@-]{1,100}")


def read(file: Handed) -> Draft:
    """Return the submission of one file."""
    file.document()
    (record,) = records(file)
    draft = Drafting(f"lm-evaluation-harness {file.short_name}")
    draft.put(at("arms", ARM, "label"), "the evaluated model", record.origin())
    config = record.inner("config")
    if config is not None:
        _configuration(draft, config)
    tool = record.text("lm_eval_version") or record.text("git_hash")
    draft.put(at("arms", ARM, "software", "tool"), f"lm-evaluation-harness {tool}" if tool is not None else None)
    results = record.inner("results")
    for task in results.value if results is not None else ():
        held = results.inner(task) if results is not None else None
        if held is not None:
            _task(draft, record, config, held, task)
    known = {"results", "versions", "config", "n-samples", "n-shot", "git_hash", "lm_eval_version"}
    draft.unused += [key for key in record.value if key not in known]
    return draft.done(file)


def _configuration(draft: Drafting, config: Record) -> None:
    arguments, options = config.text("model_args") or "", at("arms", ARM, "options")
    where = config.origin("model_args") if arguments else config.origin()
    model, dtype = _MODEL.search(arguments), _DTYPE.search(arguments)
    draft.put(f"{options}/model", model[1] if model is not None else config.text("model"), where)
    if dtype is not None and dtype[1] != "auto":
        draft.put(f"{options}/precision/compute", FORMATS.get(dtype[1], dtype[1]), where)
    for key in ("model", "model_args", "device", "no_cache", "bootstrap_iters", "gen_kwargs"):
        draft.keep(ARM, key, config.value.get(key), config.origin(key))


def _task(draft: Drafting, record: Record, config: Record | None, held: Record, task: str) -> None:
    for key in held.value:
        name, _, filtered = key.partition(",")
        value = held.printed(key)
        if name.endswith("_stderr") or value is None or not _NAME.fullmatch(name) or isinstance(held.value[key], str):
            continue
        if len(draft.value["claims"]) >= 1000:
            draft.unused.append(f"metrics from {task} on: a submission holds 1,000 claims")
            return
        id_ = identifier(
            f"{task}-{name}" + (f"-{filtered}" if filtered not in {"", "none"} else ""), draft.value["claims"]
        )
        quality = {"metric": f"{task} {name}"[:4000], "split": "unlabelled", **_evaluation(record, config, task)}
        draft.put(at("arms", ARM, "quality", id_), quality, held.origin(key))
        draft.put(at("arms", ARM, "quality", id_, "value"), value, held.origin(key))
        error = f"{name}_stderr" + (f",{filtered}" if filtered else "")
        spread = held.printed(error)
        if spread is not None and not isinstance(held.value.get(error), str):
            draft.put(
                at("arms", ARM, "quality", id_, "plus_minus"), {"value": spread, "label": "sem"}, held.origin(error)
            )
        told = quality_claim(ARM, id_, f"{task} {name}", value, f"{task}: {key} {value}", "inference")
        draft.put(at("claims", id_), told, held.origin(key))
        draft.put(at("claims", id_, "value"), value, held.origin(key))


def _evaluation(record: Record, config: Record | None, task: str) -> dict[str, Any]:
    """Return what is said of how a task was evaluated."""
    found: dict[str, Any] = {}
    counts, versions, shots = record.inner("n-samples", task), record.inner("versions"), record.inner("n-shot")
    if counts is not None and (count := counts.whole("effective", 1)) is not None:
        found["examples"] = count
    version = versions.value.get(task) if versions is not None else None
    if isinstance(version, str | int | float) and not isinstance(version, bool):
        found["harness"] = f"task version {version}"[:4000]
    shot = shots.value.get(task) if shots is not None else None
    if shot is None and config is not None:
        shot = config.value.get("num_fewshot")
    if isinstance(shot, int) and not isinstance(shot, bool):
        found["prompts"] = f"{shot} shots"[:4000]
    limit = config.value.get("limit") if config is not None else None
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        found["subset"] = f"limit {limit}"[:4000]
    batch = config.whole("batch_size", 1) if config is not None else None
    if batch is not None:
        found["evaluation_batch"] = batch
    return found


def recognises(file: Handed) -> bool:
    """Whether a file holds nothing but results and versions of the same tasks, as the oldest ones do."""
    value = file.json.value if file.json is not None else None
    if not isinstance(value, dict) or set(value) != {"results", "versions"}:
        return False
    results, versions = value["results"], value["versions"]
    return isinstance(results, dict) and isinstance(versions, dict) and bool(results) and set(results) <= set(versions)


IMPORTER = Importer(
    name="lm-eval",
    title="lm-evaluation-harness, JSON",
    doc=__doc__,
    signatures=(Signature("json", ("results", "versions", "config|git_hash|lm_eval_version|n-shot")),),
    fields=FIELDS,
    read=read,
    recognises=recognises,
)
