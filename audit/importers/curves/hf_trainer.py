"""Hugging Face Trainer: `trainer_state.json`, `all_results.json`, `train_results.json`, `eval_results.json`.

The run becomes one arm; of a folder, these files together (and `predict_results.json`), as the Trainer leaves them in
its output folder, with the hyperparameters and versions of the model card (`README.md`) beside them. The states of its
checkpoints are earlier ones of the same run. Its time and its training throughput are claimed as printed, and so are
the metrics of the last evaluation, or of the best checkpoint where the results print those; the log gives the curve.
Where two files print one number differently, both are kept beside each other. Whether the evaluated split is a
validation or a test set the files do not say, so it stays unlabelled; `predict_` names the test split. `eval_samples`
counts sequences, blocks or windows, as the data set has them: it is taken for the examples of an accuracy only where
that is a whole number of them. Neither do the files state seed, precision or hardware: those stand in
`training_args.bin`, a pickle, which is never opened, or on the model card. `train_samples_per_second` follows from
steps times batch, or from the size of the data set times epochs, over the whole run time; it is not a measured rate of
steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ....rules.facts.training.proportions_of_examples import attainable, printed_share, testable
from ....rules.forensics.same_quantity_two_values import BEST
from ....schemas.pattern import Pattern
from ..draft import Draft, Drafting, at, identifier
from ..interface import Field, Importer, Signature, Together
from ..records import Record, claim, metric, quality_claim, records
from ..report_file import ReportFile
from .hf_model_card import draft_card, is_card

FIELDS = (
    Field("train_runtime", "performance.train_runtime, claims", "s, the whole run"),
    Field(
        "train_samples_per_second, train_steps_per_second",
        "performance, claims",
        "the last only where the first is absent",
    ),
    Field("eval_samples_per_second", "performance, claims", "mode: inference; n: how often the log holds it"),
    Field(
        "log_history[].{step, epoch, eval_*, loss}",
        "trials.run.evaluations",
        "split: unlabelled, or train for the loss",
    ),
    Field("the last eval_*, perplexity", "quality, claims", "not the evaluation's own times and lengths"),
    Field("predict_*, test_*", "quality, claims", "split: test"),
    Field("best_metric, best_model_checkpoint", "quality.best, quality.checkpoint", "no claim"),
    Field("train_batch_size, num_train_epochs, max_steps", "options.per_device_batch, epochs, extra", "newer files"),
    Field("train_samples", "splits.train.examples"),
    Field("eval_samples, predict_samples", "quality.examples", "where the accuracy is a share of them"),
    Field("total_flos, eval_gen_len", "options.extra"),
    Field(
        "README.md: train_batch_size, total_train_batch_size, num_devices, seed, versions",
        "options, devices, software.packages",
        "of a folder",
    ),
)
TIMES = (
    "runtime",
    "samples_per_second",
    "steps_per_second",
    "samples",
    "model_preparation_time",
    "jit_compilation_time",
    "gen_len",
    "mem_cpu_alloc_delta",
    "mem_cpu_peaked_delta",
    "mem_gpu_alloc_delta",
    "mem_gpu_peaked_delta",
)
STATE = "trainer_state.json"
ARM = "run"
PREFIXES = {"eval_": "unlabelled", "predict_": "test", "test_": "test"}
_CHECKPOINT = Pattern(r"checkpoint-([0-9]{1,12})")


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    return read_files((file,))


def read_files(files: tuple[ReportFile, ...]) -> Draft:
    """Return the submission of the files of one run's output folder, its model card among them."""
    cards, files = tuple(filter(is_card, files)), tuple(file for file in files if not is_card(file))
    found = [(file, record) for file in files for record in _record(file)]
    states = [item for item in found if "log_history" in item[1].value]
    state = max(states, key=lambda item: (-item[0].name.count("/"), item[1].whole("global_step") or 0), default=None)
    # what is printed in a file of its own comes before all results in one
    results = sorted((item[1] for item in found if item not in states), key=lambda record: len(record.value))
    main = state[0] if state is not None else files[0]
    title = main.short_name if len(files) == 1 else (main.name.rpartition("/")[0].rpartition("/")[2] or "output folder")
    draft = Drafting(f"Hugging Face Trainer, {title}")
    draft.unused += [f"{file.name}: an earlier state of the same run" for file, _ in states if file is not main]
    _draft(draft, state[1] if state is not None else None, results)
    for card in cards:
        draft_card(draft, ARM, card)
    done = draft.done(main, *(file for file in (*files, *cards) if file is not main))
    if len(files) + len(cards) == 1:
        return done
    listing = "".join(f"{file.sha256}  {file.name}\n" for file in (*files, *cards))
    return replace(done, listing=listing.encode())


def _record(file: ReportFile) -> tuple[Record, ...]:
    file.document()
    return records(file)


def _place(path: str) -> str:
    """Return the output folder that a file belongs to: the state of a checkpoint is one of the folder above it."""
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    return above if name == STATE and _CHECKPOINT.fullmatch(last) else folder


def _draft(draft: Drafting, state: Record | None, results: list[Record]) -> None:
    first = state or results[0]
    history = list(state.items("log_history")) if state is not None else []
    draft.put(at("arms", ARM, "label"), "the training run", first.origin())
    used = {"log_history", "epoch", "global_step", "best_metric", "best_model_checkpoint", "best_global_step"}
    for record in [*reversed(results), *([state] if state is not None else [])]:
        _options(draft, record, used)
    _rates(draft, results, [*([state] if state is not None else []), *reversed(history)], used)
    _curve(draft, history)
    evaluated = [entry for entry in history if any(_metric(key) for key in entry.value)]
    if any(_metric(key) or key == "perplexity" for record in results for key in record.value):
        for record in results:
            _qualities(draft, record, evaluated, state)
            used |= {"perplexity"} & set(record.value)
    elif evaluated:
        _qualities(draft, evaluated[-1], (), None)
    if state is not None:
        _best(draft, state, evaluated)
    taken = ("train_", *PREFIXES)
    keys = [key for record in [*results, *([state] if state is not None else [])] for key in record.value]
    draft.unused += [key for key in keys if key not in used and not key.startswith(taken)]


def _metric(key: str) -> str | None:
    """Return the name of an evaluated metric, or None where a field is none."""
    prefix = next((prefix for prefix in PREFIXES if key.startswith(prefix)), None)
    name = key.removeprefix(prefix) if prefix is not None else ""
    return name if name and not name.endswith(TIMES) else None


def _options(draft: Drafting, record: Record, used: set[str]) -> None:
    batch, epochs = record.whole("train_batch_size", 1), record.real("num_train_epochs")
    draft.put(at("arms", ARM, "options", "per_device_batch"), batch, record.origin("train_batch_size"))
    draft.put(at("arms", ARM, "options", "epochs"), epochs, record.origin("num_train_epochs"))
    for name in ("max_steps", "total_flos", "eval_steps", "logging_steps", "save_steps"):
        if name in record.value:
            draft.keep(ARM, name, record.value[name], record.origin(name))
            used.add(name)
    for name in record.value:
        if name.endswith("_gen_len"):
            draft.keep(ARM, name, record.value[name], record.origin(name))
    used |= {"train_batch_size", "num_train_epochs"}
    size = record.whole("train_samples")
    draft.put(at("arms", ARM, "splits", "train"), {"examples": size} if size else None, record.origin("train_samples"))


def _rates(draft: Drafting, results: list[Record], log: list[Record], used: set[str]) -> None:
    """Claim each time and rate once, from where it stands first: the results, else the log's end."""
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
        held = [entry for entry in (*results, *log) if entry.real(field) is not None]
        often = sum(entry.real(field) is not None for entry in log)
        counted = {"n": {"unit": "iteration", "completed": often}} if field.startswith("eval") and often > 1 else {}
        if held and metric(draft, held[0], ARM, field, (field,), {**told, **counted}):
            kept: dict[str, Any] = {"mode": "inference" if field.startswith("eval") else "training"}
            if told["quantity"] == "rate":
                kept |= {"purpose": "hardware_throughput"} | ({"work": "samples"} if "samples" in field else {})
            claim(draft, ARM, field, words, kept)
            _said_again(draft, results, field)
            used.add(field)


def _said_again(draft: Drafting, results: list[Record], field: str) -> None:
    """Claim a number as another file of results prints it, where that differs from what was put."""
    put = draft.value["arms"][ARM]["performance"][field]["value"]
    key = identifier(f"{ARM}-{field}")
    for entry in results:
        printed = entry.printed(field)
        if printed is not None and float(printed) != float(put) and key in draft.value["claims"]:
            told = draft.value["claims"][key]
            words = told["statement"].replace(f": {put} ", f": {printed} ")
            draft.put(at("claims", key), {**told, "statement": words}, entry.origin(field))
            draft.put(at("claims", key, "value"), printed, entry.origin(field))
            return


def _curve(draft: Drafting, history: list[Record]) -> None:
    evaluations: list[dict[str, Any]] = []
    log = at("arms", ARM, "trials", "t1", "evaluations")
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
            draft.origins[f"{log}/{len(evaluations)}"] = entry.origin()
            evaluations.append({key: value for key, value in found.items() if value is not None})
    if evaluations:
        trial = {"kind": "convergence", "outcome": "completed", "evaluations": evaluations}
        draft.put(at("arms", ARM, "trials", "t1"), trial, history[0].origin())


def _qualities(draft: Drafting, record: Record, evaluated: Iterable[Record], state: Record | None) -> None:
    """Put and claim the metrics of one evaluation; what another file has put is claimed once more, as printed here."""
    for key in record.value:
        name = _metric(key) or ("perplexity" if key == "perplexity" else None)
        value = record.printed(key)
        if name is None or value is None:
            continue
        split = next((split for prefix, split in PREFIXES.items() if key.startswith(prefix)), "unlabelled")
        id_ = identifier(("predict-" if split == "test" else "") + name[:50].replace("_", "-").replace(".", "-"))
        where = at("arms", ARM, "quality", id_)
        what, told = _which(record, key, evaluated, state)
        if id_ not in draft.value["arms"][ARM].get("quality", {}):
            quality = {"metric": name[:4000], "split": split, **told, **_examples(record, key, name, value)}
            draft.put(where, quality, record.origin(key))
            draft.put(f"{where}/value", value, record.origin(key))
            if name == "perplexity" and (loss := record.printed("eval_loss")) is not None:
                # the Trainer's scripts print the exponential of the loss
                told_of = {"loss": loss, "loss_base": "e", "loss_per": "token", "perplexity": value}
                for field, part in told_of.items():
                    draft.put(f"{where}/{field}", part, record.origin("eval_loss" if field == "loss" else key))
        if len(draft.value["claims"]) < 1000:
            claimed = quality_claim(ARM, id_, name, value, f"{name} {value} {what}")
            draft.put(at("claims", f"quality-{id_}"), claimed, record.origin(key))
            draft.put(at("claims", f"quality-{id_}", "value"), value, record.origin(key))


def _which(record: Record, key: str, evaluated: Iterable[Record], state: Record | None) -> tuple[str, dict[str, Any]]:
    """Return which evaluation a printed result is, in words and as fields: the best one, where it is not the last."""
    if key.startswith(("predict_", "test_")):
        return "at the prediction", {}
    logged = [entry for entry in evaluated if entry.real(key) is not None]
    best = state.text("best_model_checkpoint") if state is not None else None
    step = _CHECKPOINT.search(best) if best is not None else None
    at_best = [entry for entry in logged if step is not None and entry.whole("step") == int(step[1])]
    value = record.real(key)
    if not at_best or logged[-1].real(key) == value or all(entry.real(key) != value for entry in at_best):
        return "at the last evaluation", {}
    selection = {"evaluations": len(logged), "split_used_for": ["checkpoint"]}
    return "of the best checkpoint", {"checkpoint": best, "selection": selection}


def _examples(record: Record, key: str, name: str, value: str) -> dict[str, int]:
    """Return the examples of an accuracy where it is a whole number of them: of tokens it is none."""
    prefix = next((prefix for prefix in PREFIXES if key.startswith(prefix)), "")
    count = record.whole(f"{prefix}samples", 1)
    share = printed_share(value, None)
    if count is None or share is None or name != "accuracy" or not testable(share, count):
        return {}
    return {"examples": count} if attainable(share, count) else {}


def _best(draft: Drafting, state: Record, evaluated: list[Record]) -> None:
    value = state.printed("best_metric")
    if value is None:
        return
    best = state.real("best_metric")
    names = {name for entry in evaluated for key in entry.value if (name := _metric(key)) and entry.real(key) == best}
    kept = names.pop() if len(names) == 1 else BEST
    selection = {"evaluations": len(evaluated), "split_used_for": ["checkpoint"]}
    quality = {"metric": kept[:4000], "value": value, "split": "unlabelled", "selection": selection}
    checkpoint = state.text("best_model_checkpoint")
    draft.put(at("arms", ARM, "quality", "best"), quality, state.origin("best_metric"))
    draft.put(at("arms", ARM, "quality", "best", "checkpoint"), checkpoint, state.origin("best_model_checkpoint"))


IMPORTER = Importer(
    name="hf-trainer",
    title="Hugging Face Trainer: trainer_state.json, all_results.json",
    doc=__doc__,
    signatures=(
        Signature("json", ("log_history", "global_step")),
        Signature("json", ("train_samples_per_second", "train_runtime")),
        Signature("json", ("eval_samples_per_second", "eval_runtime"), ("log_history",)),
        Signature("json", ("predict_samples_per_second", "predict_runtime"), ("log_history",)),
    ),
    fields=FIELDS,
    read=read,
    together=Together(_place, read_files, is_card),
)
