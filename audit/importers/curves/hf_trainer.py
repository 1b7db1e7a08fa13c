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
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....rules.facts.training.proportions_of_examples import attainable, printed_share, testable
from ....rules.forensics.same_quantity_two_values import BEST
from ....schemas.pattern import Pattern
from ..draft import Draft, identifier
from ..drafting import ArmDraft, Drafting, stated
from ..interface import Field, Importer, Signature, Together
from ..records import Record, claim, document, is_full, keep, metric, quality_claim
from ..report_file import ReportFile
from .hf_model_card import draft_card, is_card

if TYPE_CHECKING:
    from ..fields import ClaimFields, EvaluationFields, MetricFields, QualityFields, SelectionFields

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
    found = [(file, document(file)) for file in files]
    states = [item for item in found if "log_history" in item[1]]
    state = max(states, key=lambda item: (-item[0].name.count("/"), item[1].whole("global_step") or 0), default=None)
    # what is printed in a file of its own comes before all results in one
    results = sorted((item[1] for item in found if item not in states), key=lambda record: len(record.value))
    main = state[0] if state is not None else files[0]
    title = main.short_name if len(files) == 1 else (main.name.rpartition("/")[0].rpartition("/")[2] or "output folder")
    draft = Drafting(f"Hugging Face Trainer, {title}")
    draft.unused += [f"{file.name}: an earlier state of the same run" for file, _ in states if file is not main]
    arm = draft.arm(ARM)
    _draft(arm, state[1] if state is not None else None, results)
    for card in cards:
        draft_card(arm, card)
    done = draft.done(main, *(file for file in (*files, *cards) if file is not main))
    if len(files) + len(cards) == 1:
        return done
    listing = "".join(f"{file.sha256}  {file.name}\n" for file in (*files, *cards))
    return replace(done, listing=listing.encode())


def _place(path: str) -> str:
    """Return the output folder that a file belongs to: the state of a checkpoint is one of the folder above it."""
    folder, _, name = path.rpartition("/")
    above, _, last = folder.rpartition("/")
    return above if name == STATE and _CHECKPOINT.fullmatch(last) else folder


def _draft(arm: ArmDraft, state: Record | None, results: list[Record]) -> None:
    first = state or results[0]
    history = list(state.objects("log_history")) if state is not None else []
    arm.put(first.origin(), label="the training run")
    used = {"log_history", "epoch", "global_step", "best_metric", "best_model_checkpoint", "best_global_step"}
    for record in [*reversed(results), *([state] if state is not None else [])]:
        _options(arm, record, used)
    _rates(arm, results, [*([state] if state is not None else []), *reversed(history)], used)
    _curve(arm, history)
    evaluated = [entry for entry in history if any(_metric(key) for key in entry)]
    if any(_metric(key) or key == "perplexity" for record in results for key in record):
        for record in results:
            _qualities(arm, record, evaluated, state)
            used |= {"perplexity"} & set(record)
    elif evaluated:
        _qualities(arm, evaluated[-1], (), None)
    if state is not None:
        _best(arm, state, evaluated)
    taken = ("train_", *PREFIXES)
    keys = [key for record in [*results, *([state] if state is not None else [])] for key in record]
    arm.draft.unused += [key for key in keys if key not in used and not key.startswith(taken)]


def _metric(key: str) -> str | None:
    """Return the name of an evaluated metric, or None where a field is none."""
    prefix = next((prefix for prefix in PREFIXES if key.startswith(prefix)), None)
    name = key.removeprefix(prefix) if prefix is not None else ""
    return name if name and not name.endswith(TIMES) else None


def _options(arm: ArmDraft, record: Record, used: set[str]) -> None:
    arm.options(record.origin("train_batch_size"), per_device_batch=record.whole("train_batch_size", 1))
    arm.options(record.origin("num_train_epochs"), epochs=record.real("num_train_epochs"))
    kept = ("max_steps", "total_flos", "eval_steps", "logging_steps", "save_steps")
    keep(arm, record, kept)
    keep(arm, record, (name for name in record if name.endswith("_gen_len")))
    used |= {"train_batch_size", "num_train_epochs", *(name for name in kept if name in record)}
    size = record.whole("train_samples")
    if size:
        arm.put_split("train", {"examples": size}, record.origin("train_samples"))


def _rates(arm: ArmDraft, results: list[Record], log: list[Record], used: set[str]) -> None:
    """Claim each time and rate once, from where it stands first: the results, else the log's end."""
    for field, quantity, unit, words in (
        ("train_runtime", "time", "s", "training time"),
        ("train_samples_per_second", "rate", "samples/s", "training"),
        ("train_steps_per_second", "rate", "steps/s", "training"),
        ("eval_samples_per_second", "rate", "samples/s", "evaluation"),
    ):
        if field == "train_steps_per_second" and "train_samples_per_second" in arm.performance:
            continue
        evaluates = field.startswith("eval")
        held = [entry for entry in (*results, *log) if entry.real(field) is not None]
        often = sum(entry.real(field) is not None for entry in log)
        scope = "step" if evaluates else "training_run"
        fields: MetricFields = {"quantity": quantity, "unit": unit, "scope": scope}
        if evaluates and often > 1:
            fields["n"] = {"unit": "iteration", "completed": often}
        if held and metric(arm, held[0], field, (field,), fields):
            kept: ClaimFields = {"mode": "inference" if evaluates else "training"}
            if quantity == "rate":
                kept |= {"purpose": "hardware_throughput", "work": "samples" if "samples" in field else None}
            claim(arm, field, words, kept)
            _claim_other_print(arm, results, field)
            used.add(field)


def _claim_other_print(arm: ArmDraft, results: list[Record], field: str) -> None:
    """Claim a number as another file of results prints it, where that differs from what was put."""
    put, claims = arm.performance[field]["value"], arm.draft.claims
    key = identifier(f"{ARM}-{field}")
    for entry in results:
        printed = entry.printed(field)
        if printed is not None and put is not None and float(printed) != float(put) and key in claims:
            words = claims[key]["statement"].replace(f": {put} ", f": {printed} ")
            where = entry.origin(field)
            arm.draft.put_claim(key, {**claims[key], "statement": words, "value": printed}, where, where)
            return


def _curve(arm: ArmDraft, history: list[Record]) -> None:
    evaluations: list[EvaluationFields] = []
    for entry in history:
        metrics: dict[str, float | None] = {}
        for key in entry:
            name, value = _metric(key) or ("loss" if key == "loss" else None), entry.get(key)
            number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
            if name is not None and isinstance(value, int | float) and number and math.isfinite(value):
                metrics[name[:200]] = float(value)
        step, epoch = entry.whole("step"), entry.real("epoch")
        if metrics and (step is not None or epoch is not None):
            split = "train" if "loss" in entry else "unlabelled"
            found: EvaluationFields = {"split": split, "metrics": metrics, "step": step, "epoch": epoch}
            arm.place(entry.origin(), "trials", "t1", "evaluations", len(evaluations))
            evaluations.append(stated(found))
    if evaluations:
        where = history[0].origin()
        arm.put_trial("t1", {"kind": "convergence", "outcome": "completed", "evaluations": evaluations}, where)


def _qualities(arm: ArmDraft, record: Record, evaluated: Iterable[Record], state: Record | None) -> None:
    """Put and claim the metrics of one evaluation; what another file has put is claimed once more, as printed here."""
    for key in record:
        name = _metric(key) or ("perplexity" if key == "perplexity" else None)
        value = record.printed(key)
        if name is None or value is None:
            continue
        where, what = record.origin(key), _which(record, key, evaluated, state)
        split = next((split for prefix, split in PREFIXES.items() if key.startswith(prefix)), "unlabelled")
        id_ = identifier(("predict-" if split == "test" else "") + name[:50].replace("_", "-").replace(".", "-"))
        if id_ not in arm.quality:
            quality: QualityFields = {"metric": name[:4000], "split": split, **what[1], "value": value}
            quality["examples"] = _examples(record, key, name, value)
            arm.put_quality(id_, quality, where, where)
            if name == "perplexity" and (loss := record.printed("eval_loss")) is not None:
                # the Trainer's scripts print the exponential of the loss
                arm.add_quality(id_, record.origin("eval_loss"), loss=loss)
                arm.add_quality(id_, where, loss_base="e", loss_per="token", perplexity=value)
        if not is_full(arm.draft):
            claimed = quality_claim(ARM, id_, name, value, f"{name} {value} {what[0]}")
            arm.draft.put_claim(f"quality-{id_}", claimed, where, where)


def _which(record: Record, key: str, evaluated: Iterable[Record], state: Record | None) -> tuple[str, QualityFields]:
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
    selection: SelectionFields = {"evaluations": len(logged), "split_used_for": ["checkpoint"]}
    return "of the best checkpoint", {"checkpoint": best, "selection": selection}


def _examples(record: Record, key: str, name: str, value: str) -> int | None:
    """Return the examples of an accuracy where it is a whole number of them: of tokens it is none."""
    prefix = next((prefix for prefix in PREFIXES if key.startswith(prefix)), "")
    count = record.whole(f"{prefix}samples", 1)
    share = printed_share(value, None)
    if count is None or share is None or name != "accuracy" or not testable(share, count):
        return None
    return count if attainable(share, count) else None


def _best(arm: ArmDraft, state: Record, evaluated: list[Record]) -> None:
    value = state.printed("best_metric")
    if value is None:
        return
    best = state.real("best_metric")
    names = {name for entry in evaluated for key in entry if (name := _metric(key)) and entry.real(key) == best}
    kept = names.pop() if len(names) == 1 else BEST
    selection: SelectionFields = {"evaluations": len(evaluated), "split_used_for": ["checkpoint"]}
    quality: QualityFields = {"metric": kept[:4000], "value": value, "split": "unlabelled", "selection": selection}
    arm.put_quality("best", quality, state.origin("best_metric"))
    checkpoint = state.text("best_model_checkpoint")
    arm.add_quality("best", state.origin("best_model_checkpoint"), checkpoint=checkpoint)


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
