"""lm-evaluation-harness results (`results_*.json`), older and newer ones.

Each metric of each task, and of each filter of its answers, becomes a quality and a claim, with its standard error.
Older files name a metric `acc` and its error `acc_stderr`, newer ones `acc,none` and `acc_stderr,none`. The
configuration gives model, number format and quantisation (in `model_args`, a text or a map), number of shots, batch
size and `limit`: a limit means that only a part of the task was evaluated. `configs.TASK` of newer files tells the
split: the test split where the task has one, else its validation split. Where neither stands there, as in older files,
the split stays unlabelled. A metric counts as a share of the examples where its standard error is that of one, or where
the task is configured to score each answer as right or wrong. A group's value is the mean over its subtasks. There is
no performance number here.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern
from ..draft import Draft, identifier
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, day, document, is_full, keep, quality_claim
from ..report_file import ReportFile

if TYPE_CHECKING:
    from ..fields import QualityFields, ShardFields, SystemFields

FIELDS = (
    Field("results.TASK.METRIC", "quality, claims", "the filter stands behind the metric's name"),
    Field("results.TASK.METRIC_stderr", "quality.plus_minus", "label: sem, varies: examples"),
    Field("configs.TASK.test_split, validation_split", "quality.split", "else unlabelled"),
    Field("n-samples.TASK.effective", "quality.examples, last_batch", "every example is scored once"),
    Field("configs.TASK.output_type, process_results", "quality.counted"),
    Field("group_subtasks.GROUP", "quality.shards, averaging"),
    Field("higher_is_better.TASK.METRIC", "quality.direction"),
    Field("versions.TASK", "quality.harness"),
    Field("config.model", "software.framework", "where it names one"),
    Field("config.model_args, model_name", "options.model, precision, quantisation, extra"),
    Field("config.num_fewshot, n-shot", "quality.prompts"),
    Field("config.limit, n-samples.TASK.original", "quality.subset", "of a group, the sums of its tasks"),
    Field("pretty_env_info, transformers_version", "systems, software", "not where a service ran the model"),
    Field("config.batch_size", "quality.evaluation_batch"),
    Field("git_hash, lm_eval_version", "software.tool"),
    Field("date", "publication.date"),
)
ARM = "model"
KNOWN = frozenset(
    {
        *("results", "versions", "config", "configs", "n-samples", "n-shot", "git_hash", "lm_eval_version"),
        *(
            "group_subtasks",
            "groups",
            "higher_is_better",
            "date",
            "model_name",
            "pretty_env_info",
            "transformers_version",
        ),
    }
)
OF_GROUPS = frozenset({"sample_len", "samples", "sample_count"})
"""Counts of examples that some versions print among the metrics."""
FORMATS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float64": "fp64", "half": "fp16"}
BACKENDS = {
    **dict.fromkeys(("hf", "hf-auto", "hf-causal", "hf-causal-experimental", "hf-seq2seq", "gpt2"), "transformers"),
    **{name: name for name in ("vllm", "sglang", "deepsparse", "sparseml", "optimum")},
}
"""What the harness calls a way to run a model, where that is a framework and no service; gpt2 is its oldest name."""
MOST_TASKS, DEEPEST = 200, 4
"""Tasks of a group, and groups in groups, whose examples are added up."""
COUNTED = frozenset({"acc", "acc_norm", "exact_match"})
"""Metrics that are 0 or 1 for each example, unless a task has a function of its own for them."""
NEAR = 0.01
"""A standard error this near to that of a share of the examples is one; every other metric scatters less."""
_ARGUMENT = Pattern(r"(?:^|,)\s{0,9}([A-Za-z0-9_]{1,40})=([^,]{0,400})")
_GPU = Pattern(r"^ {0,9}(?:GPU models and configuration: {0,3})?GPU [0-9]{1,3}: ([^\n]{2,100}?) {0,9}$", re.MULTILINE)
_DRIVER = re.compile(r"Nvidia driver version: ([0-9][0-9.]{1,30})")
_TORCH = re.compile(r"PyTorch version: ([0-9][0-9A-Za-z.+]{1,40})")
_NAME = Pattern(r"[A-Za-z0-9_.%@-]{1,100}")


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    record = document(file)
    draft = Drafting(f"lm-evaluation-harness {file.short_name}")
    arm = draft.arm(ARM)
    arm.put(record.origin(), label="the evaluated model")
    config = record.inner("config")
    if config is not None:
        _configuration(arm, record, config)
    tool = record.text("lm_eval_version") or record.text("git_hash")
    arm.software(None, tool=f"lm-evaluation-harness {tool}" if tool is not None else None)
    _environment(arm, record, config)
    draft.publication(record.origin("date"), date=day(record.get("date")))
    for task in record.inner("results") or ():
        held = record.inner("results", task)
        if held is not None:
            _task(arm, record, config, held, task)
    draft.unused += [key for key in record if key not in KNOWN]
    if not draft.claims:
        draft.unused.append("results: no task holds a metric itself: nothing is claimed")
    return draft.done(file)


def _arguments(config: Record) -> dict[str, str]:
    """Return the arguments of the model, from a text or a map."""
    written = config.get("model_args")
    if isinstance(written, str):
        return {match[1]: match[2].strip() for match in _ARGUMENT.finditer(written[:100_000])}
    held = config.inner("model_args")
    kept = {name: held.get(name) for name in held} if held is not None else {}
    return {name: str(value) for name, value in kept.items() if isinstance(value, str | int | float)}


def _configuration(arm: ArmDraft, record: Record, config: Record) -> None:
    arguments = _arguments(config)
    where = config.origin("model_args") if arguments else config.origin()
    model = next((arguments[name] for name in ("peft", "pretrained", "model") if arguments.get(name)), None)
    backend, named = config.text("model"), record.text("model_name")
    if model is not None or named is not None:
        arm.options(where if model is not None else record.origin("model_name"), model=model or named)
        arm.software(config.origin("model"), framework=BACKENDS.get(backend or ""))
    else:
        arm.options(config.origin("model"), model=backend)
    dtype = arguments.get("dtype", arguments.get("torch_dtype", "auto"))
    if dtype != "auto":
        arm.precision(where, compute=FORMATS.get(dtype, dtype))
    quantised = arguments.get("quantization") or arguments.get("quantization_config")
    loaded = (name for name in ("load_in_8bit", "load_in_4bit") if arguments.get(name, "").casefold() == "true")
    if quantised not in {"None", ""}:
        arm.options(where, quantisation=quantised or next(loaded, None))
    keep(arm, config, ("model", "model_args", "device", "no_cache", "bootstrap_iters", "gen_kwargs"))
    stated = config.inner("model_args")
    if stated is not None:
        keep(arm, stated, stated, "model_args.")


def _environment(arm: ArmDraft, record: Record, config: Record | None) -> None:
    """Put the GPUs, driver and versions of the machine, where the model ran on it and not behind a service."""
    text, backend = record.text("pretty_env_info"), config.text("model") if config is not None else None
    if text is None or backend not in BACKENDS or config is None:
        return
    where, driver, torch = record.origin("pretty_env_info"), _DRIVER.search(text), _TORCH.search(text)
    gpus = list(dict.fromkeys(match.strip() for match in _GPU.findall(text)))
    if gpus and (config.text("device") or "cuda").startswith("cuda"):
        device = gpus[0] if len(gpus) == 1 else None
        system: SystemFields = {"name": ", ".join(gpus)[:400], "device_kind": "accelerator", "device": device}
        arm.draft.put_system("machine", system, where)
        arm.put(where, system="machine")
    arm.software(where, driver=driver[1].strip() if driver else None)
    arm.package("torch", torch[1].strip() if torch else None, where)
    arm.package("transformers", record.text("transformers_version"), record.origin("transformers_version"))


def _task(arm: ArmDraft, record: Record, config: Record | None, held: Record, task: str) -> None:
    draft, evaluation = arm.draft, _evaluation(record, config, task)
    for key in held:
        name, _, filtered = key.partition(",")
        value = held.printed_number(key)
        if name.endswith("_stderr") or value is None or not _NAME.fullmatch(name) or name in OF_GROUPS:
            continue
        if is_full(draft):
            draft.unused.append(f"metrics from {task} on: a submission holds 1,000 claims")
            return
        suffix = f" ({filtered})" if filtered not in {"", "none"} else ""
        id_ = identifier(f"{task}-{name}" + (f"-{filtered}" if suffix else ""), draft.claims)
        quality: QualityFields = {"metric": f"{task} {name}{suffix}"[:4000], **evaluation}
        quality["direction"] = _direction(record, task, name)
        if "examples" in quality:
            quality["counted"] = _is_counted(record, config, held, task, key)
        where = held.origin(key)
        arm.put_quality(id_, {**quality, "value": value}, where, where)
        error = _error(key)
        spread = held.printed_number(error)
        if spread is not None:
            arm.add_quality(id_, held.origin(error), plus_minus={"value": spread, "label": "sem", "varies": "examples"})
        _parts(arm, record, task, key, id_)
        claimed = quality_claim(ARM, id_, f"{task} {name}{suffix}", value, f"{task}: {key} {value}", "inference")
        draft.put_claim(id_, claimed, where, where)


def _error(key: str) -> str:
    name, _, filtered = key.partition(",")
    return f"{name}_stderr" + (f",{filtered}" if filtered else "")


def _parts(arm: ArmDraft, record: Record, task: str, key: str, id_: str) -> None:
    """Put the values of a group's subtasks, where each of them has the metric: the group's is their mean."""
    names = record.array("group_subtasks", task)
    if names is None or len(names) < 2:
        return
    shards: dict[str, ShardFields] = {}
    for name in names:
        part = record.inner("results", name) if isinstance(name, str) and len(name) <= 200 else None
        value = part.printed_number(key) if part is not None else None
        if not isinstance(name, str) or value is None:
            return
        shards[name] = {"value": value}
        effective = record.get("n-samples", name, "effective")
        if isinstance(effective, int) and not isinstance(effective, bool) and 0 < effective < 2**53:
            shards[name]["size"] = effective
    where = record.origin("group_subtasks", task)
    arm.add_quality(id_, where, averaging="mean over the tasks of the group", shards=shards)


def _direction(record: Record, task: str, name: str) -> str | None:
    held = record.inner("higher_is_better", task)
    higher = held.flag(name) if held is not None else None
    return None if higher is None else "higher" if higher else "lower"


def _is_counted(record: Record, config: Record | None, held: Record, task: str, key: str) -> bool:
    """Whether a metric is shown to be a share of the examples: each of them is right or wrong."""
    of_task, name = record.inner("configs", task), key.partition(",")[0]
    limit = config.get("limit") if config is not None else None
    if isinstance(limit, float) and limit < 1:
        return False  # a share of the examples: several versions print its count wrongly
    if of_task is not None and of_task.get("process_results") is None and name in COUNTED:
        return True
    counts = record.inner("n-samples", task)
    n = counts.whole("effective", 1) if counts is not None else None
    share, error = held.real(key), held.real(_error(key))
    if n is None or n < 2 or share is None or error is None or not 0 < share < 1:
        return False
    return abs(error / math.sqrt(share * (1 - share) / (n - 1)) - 1) <= NEAR


def _evaluation(record: Record, config: Record | None, task: str) -> QualityFields:
    """Return what is said of how a task was evaluated."""
    of_task = record.inner("configs", task)
    found: QualityFields = {"split": _split(of_task)}
    count, whole = _counts(record, task)
    if count is not None:
        found |= {"examples": count, "last_batch": "kept"}
    version = record.get("versions", task)
    if isinstance(version, str | int | float) and not isinstance(version, bool):
        found["harness"] = f"task version {version}"[:4000]
    shot = record.get("n-shot", task)
    if shot is None and config is not None:
        shot = config.get("num_fewshot")
    if isinstance(shot, int) and not isinstance(shot, bool):
        found["prompts"] = f"{shot} shots"[:4000]
    limit = config.get("limit") if config is not None else None
    part = f"{count} of {whole} examples" if count is not None and whole is not None and count < whole else ""
    if isinstance(limit, int | float) and not isinstance(limit, bool) and (part or whole is None):
        found["subset"] = f"limit {limit}" + (f": {part}" if part else "")
    elif part:
        found["subset"] = part
    batch = config.whole("batch_size", 1) if config is not None else None
    if batch is not None:
        found["evaluation_batch"] = batch
    return found


def _counts(record: Record, task: str, depth: int = 0) -> tuple[int | None, int | None]:
    """Return the evaluated examples of a task and those of its whole set; of a group, the sums over its tasks."""
    counts, names = record.inner("n-samples", task), record.array("group_subtasks", task)
    if counts is not None or names is None or not 0 < len(names) <= MOST_TASKS or depth > DEEPEST:
        return (counts.whole("effective", 1), counts.whole("original", 1)) if counts is not None else (None, None)
    parts = [_counts(record, name, depth + 1) for name in dict.fromkeys(names) if isinstance(name, str)]
    sums = [sum(sizes) if None not in sizes else None for sizes in zip(*parts, strict=True)]
    return (sums[0], sums[1]) if len(sums) == 2 else (None, None)


def _split(of_task: Record | None) -> str:
    """Return the split that a task is evaluated on: the harness takes the test split where there is one."""
    if of_task is not None and of_task.text("test_split") is not None:
        return "test"
    return "validation" if of_task is not None and of_task.text("validation_split") is not None else "unlabelled"


def recognises(file: ReportFile) -> bool:
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
