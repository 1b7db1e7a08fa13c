"""Hugging Face Trainer: `trainer_state.json`, `all_results.json`, `train_results.json`, `eval_results.json`.

The run becomes one arm. Its time and its training throughput are claimed as printed, and so are the metrics of the last
evaluation; the log gives the curve. Whether the evaluated split is a validation or a test set the files do not say, so
it stays unlabelled. Neither do they state seed, precision or hardware: those stand in `training_args.bin`, a pickle,
which is never opened, or on the model card. `train_samples_per_second` follows from steps times batch, or from the size
of the data set times epochs, over the whole run time; it is not a measured rate of steps.
"""

from __future__ import annotations

import math
from typing import Any

from .draft import Draft, Drafting, at
from .handed import Handed
from .interface import Field, Importer, Signature
from .records import Record, claim, metric, quality_claim, records

FIELDS = (
    Field("train_runtime", "performance.train_runtime, claims", "s, the whole run"),
    Field(
        "train_samples_per_second, train_steps_per_second",
        "performance, claims",
        "the last only where the first is absent",
    ),
    Field("eval_samples_per_second", "performance, claims", "mode: inference"),
    Field(
        "log_history[].{step, epoch, eval_*, loss}",
        "trials.run.evaluations",
        "split: unlabelled, or train for the loss",
    ),
    Field("the last eval_*", "quality, claims", "not the evaluation's own times"),
    Field("best_metric, best_model_checkpoint", "quality.best", "no claim"),
    Field("train_batch_size, num_train_epochs, max_steps", "options.per_device_batch, epochs, extra", "newer files"),
    Field("train_samples, eval_samples", "splits.train.examples, quality.examples"),
    Field("total_flos", "options.extra"),
)
TIMES = (
    "runtime",
    "samples_per_second",
    "steps_per_second",
    "samples",
    "model_preparation_time",
    "jit_compilation_time",
)
ARM = "run"


def read(file: Handed) -> Draft:
    """Return the submission of one file."""
    file.document()
    draft = Drafting(f"Hugging Face Trainer, {file.short_name}")
    (record,) = records(file)
    draft.put(at("arms", ARM, "label"), "the training run", record.origin())
    history = list(record.items("log_history"))
    used = {"log_history", "epoch", "global_step", "best_metric", "best_model_checkpoint"}
    _options(draft, record, used)
    _rates(draft, [record, *reversed(history)], used)
    _curve(draft, history)
    last = [entry for entry in reversed(history) if any(_metric(key) for key in entry.value)][:1]
    if "log_history" in record.value:
        for entry in last:
            _qualities(draft, entry)
    else:
        _qualities(draft, record)
    _best(draft, record)
    draft.unused += [key for key in record.value if key not in used and not key.startswith(("eval_", "train_"))]
    return draft.done(file)


def _metric(key: str) -> str | None:
    """Return the name of an evaluated metric, or None where a field is none."""
    name = key.removeprefix("eval_")
    return name if key.startswith("eval_") and not name.endswith(TIMES) and name else None


def _options(draft: Drafting, record: Record, used: set[str]) -> None:
    batch, epochs = record.whole("train_batch_size", 1), record.real("num_train_epochs")
    draft.put(at("arms", ARM, "options", "per_device_batch"), batch, record.origin("train_batch_size"))
    draft.put(at("arms", ARM, "options", "epochs"), epochs, record.origin("num_train_epochs"))
    for name in ("max_steps", "total_flos", "eval_steps", "logging_steps", "save_steps"):
        if name in record.value:
            draft.keep(ARM, name, record.value[name], record.origin(name))
            used.add(name)
    used |= {"train_batch_size", "num_train_epochs"}
    size = record.whole("train_samples")
    draft.put(at("arms", ARM, "splits", "train"), {"examples": size} if size else None, record.origin("train_samples"))


def _rates(draft: Drafting, entries: list[Record], used: set[str]) -> None:
    """Claim each time and rate once, from where it stands first: the file itself, else the log's end."""
    for field, told, words in (
        ("train_runtime", {"quantity": "time", "unit": "s", "scope": "training_run"}, "training time"),
        ("train_samples_per_second", {"quantity": "rate", "unit": "samples/s", "scope": "training_run"}, "training"),
        ("train_steps_per_second", {"quantity": "rate", "unit": "steps/s", "scope": "training_run"}, "training"),
        ("eval_samples_per_second", {"quantity": "rate", "unit": "samples/s", "scope": "step"}, "evaluation"),
    ):
        if field == "train_steps_per_second" and "train_samples_per_second" in draft.value["arms"][ARM].get(
            "performance", {}
        ):
            continue
        held = [entry for entry in entries if entry.real(field) is not None]
        if held and metric(draft, held[0], ARM, field, (field,), told):
            kept: dict[str, Any] = {"mode": "inference" if field.startswith("eval") else "training"}
            if told["quantity"] == "rate":
                kept |= {"purpose": "hardware_throughput"} | ({"work": "samples"} if "samples" in field else {})
            claim(draft, ARM, field, words, kept)
            used.add(field)


def _curve(draft: Drafting, history: list[Record]) -> None:
    evaluations = []
    for entry in history:
        metrics: dict[str, float] = {}
        for key, value in entry.value.items():
            name = _metric(key) or ("loss" if key == "loss" else None)
            number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
            if name is not None and number and math.isfinite(value):
                metrics[name[:200]] = float(value)
        step, epoch = entry.whole("step"), entry.real("epoch")
        if metrics and (step is not None or epoch is not None):
            found = {
                "split": "train" if "loss" in entry.value else "unlabelled",
                "metrics": metrics,
                "step": step,
                "epoch": epoch,
            }
            evaluations.append({key: value for key, value in found.items() if value is not None})
    if evaluations:
        trial = {"kind": "convergence", "outcome": "completed", "evaluations": evaluations}
        draft.put(at("arms", ARM, "trials", "t1"), trial, history[0].origin())


def _qualities(draft: Drafting, record: Record) -> None:
    for key in record.value:
        name, value = _metric(key), record.printed(key)
        if name is None or value is None:
            continue
        id_ = "".join(sign if sign.isalnum() and sign.isascii() else "-" for sign in name)[:50].strip("-") or "metric"
        quality: dict[str, Any] = {"metric": name[:4000], "split": "unlabelled"}
        examples = record.whole("eval_samples", 1)
        if examples is not None:
            quality["examples"] = examples
        draft.put(at("arms", ARM, "quality", id_), quality, record.origin(key))
        draft.put(at("arms", ARM, "quality", id_, "value"), value, record.origin(key))
        claim_ = quality_claim(ARM, id_, name, value, f"{name} {value} at the last evaluation")
        if f"quality-{id_}" not in draft.value["claims"] and len(draft.value["claims"]) < 1000:
            draft.put(at("claims", f"quality-{id_}"), claim_, record.origin(key))
            draft.put(at("claims", f"quality-{id_}", "value"), value, record.origin(key))


def _best(draft: Drafting, record: Record) -> None:
    value = record.printed("best_metric")
    if value is not None:
        checkpoint = record.text("best_model_checkpoint")
        quality = {"metric": "best metric", "value": value, "split": "unlabelled"}
        draft.put(at("arms", ARM, "quality", "best"), quality, record.origin("best_metric"))
        draft.put(at("arms", ARM, "quality", "best", "checkpoint"), checkpoint, record.origin("best_model_checkpoint"))


IMPORTER = Importer(
    name="hf-trainer",
    title="Hugging Face Trainer: trainer_state.json, all_results.json",
    doc=__doc__,
    signatures=(
        Signature("json", ("log_history", "global_step")),
        Signature("json", ("train_samples_per_second", "train_runtime")),
        Signature("json", ("eval_samples_per_second", "eval_runtime", "eval_loss"), ("log_history",)),
    ),
    fields=FIELDS,
    read=read,
)
