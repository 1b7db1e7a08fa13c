"""DAWNBench: the TSV of a training run with its JSON description, and the JSON of an inference result.

The TSV (`epoch`, `hours`, `top1Accuracy` or `f1Score`, in any order) becomes the evaluations of one run; its last row
is claimed: the time of the training and the metrics that it ended with. A JSON file of the same name beside it
describes framework, hardware and code. An inference result is a JSON file alone: its latency (ms) and its accuracy are
claimed.

Accuracies stand in percent, SQuAD's F1 in 0 to 1. Costs name no currency and stay free options. `misc` is a map or a
text, and what stands there also stands at the top level in some files; a batch size does not say whether it is that of
one device, so it stays a free option, too. The target of the benchmark is not in the files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern
from ..draft import Draft, Origin, printed_text
from ..drafting import ArmDraft, Drafting
from ..interface import Field, Importer, Signature
from ..records import Record, claim, day, document, metric, quality_claim
from ..report_file import ReportFile
from .columns import ARM, claim_last, curve_of, draft_curve

if TYPE_CHECKING:
    from ..fields import ClaimFields, QualityFields

FIELDS = (
    Field("epoch, hours", "trials.t1.evaluations.epoch, time_s"),
    Field(
        "top1Accuracy, top5Accuracy, f1Score",
        "trials.t1.evaluations.metrics, quality, claims",
        "the last row is claimed",
    ),
    Field("hours of the last row", "performance.training_time, claims"),
    Field("framework", "software.framework"),
    Field("hardware", "systems", "as written; devices where it begins with their count"),
    Field("codeURL, commitHash", "software.code"),
    Field("model", "options.model"),
    Field("optimizer, momentum, weightDecay (top level or misc)", "options.optimizer, momentum, weight_decay"),
    Field("timestamp", "publication.date"),
    Field("author", "publication.authors"),
    Field("latency", "performance.latency, claims", "ms"),
    Field("cost, costPerHour, batchSize, the rest of misc", "options.extra"),
)
METRICS = frozenset({"top1accuracy", "top5accuracy", "f1score"})
_HARDWARE = Pattern(
    r"([0-9]{1,4}) ?[*x]? ?((?:nvidia |tesla |geforce )?(?:[a-z]{1,4} ?)?[a-z]?[0-9]{2,4}[a-z]{0,2})\b", re.IGNORECASE
)
TOP = {
    "version",
    "author",
    "authorEmail",
    "framework",
    "codeURL",
    "commitHash",
    "model",
    "hardware",
    "timestamp",
    "misc",
}


def read(file: ReportFile) -> Draft:
    """Return the submission of one file."""
    if file.json is not None:
        return _inference(file)
    draft = Drafting(f"DAWNBench training {file.short_name}")
    curve = curve_of(file, METRICS)
    last = draft_curve(draft, file, curve) if curve is not None else None
    beside = file.beside(".json")
    if last is None or curve is None:
        return draft.done(file)
    claim_last(draft, file, curve, percent=True)
    _time(draft.arm(ARM), file, curve.time[0] if curve.time is not None else -1, last)
    if beside is None or beside.json is None or not isinstance(beside.json.value, dict):
        return draft.done(file)
    _description(draft.arm(ARM), document(beside))
    return draft.done(file, beside)


def _time(arm: ArmDraft, file: ReportFile, column: int, last: tuple[int, tuple[str, ...]]) -> None:
    line, cells = last
    value = printed_text(cells[column]) if 0 <= column < len(cells) else None
    if value is None or float(value) <= 0:
        return
    where = Origin(file.name, line, max(file.line(line).find(cells[column]), 0) + 1)
    arm.put_metric(
        "training_time", {"quantity": "time", "unit": "h", "scope": "training_run", "value": value}, where, where
    )
    quality = next(iter(arm.quality), None)
    shared: ClaimFields = {"mode": "training"}
    if quality is not None:
        shared["quality"] = {"arm": ARM, "quality": quality}
    claim(arm, "training_time", "training time", shared)


def _inference(file: ReportFile) -> Draft:
    record = document(file)
    draft = Drafting(f"DAWNBench inference {file.short_name}")
    arm = draft.arm(ARM)
    arm.put(record.origin(), label=str(record.get("model") or file.short_name)[:400])
    accuracy = next((name for name in ("top1Accuracy", "top5Accuracy", "f1Score") if record.printed(name)), None)
    if accuracy is not None:
        unit, value = None if accuracy == "f1Score" else "%", record.printed(accuracy) or ""
        where = record.origin(accuracy)
        quality: QualityFields = {"metric": accuracy, "unit": unit, "value": value}
        arm.put_quality(accuracy, quality, where, where)
        claimed = quality_claim(ARM, accuracy, accuracy, value, f"{accuracy} {value}", "inference")
        draft.put_claim(accuracy, {**claimed, "unit": unit}, where, where)
    if record.real("latency") is not None:
        metric(arm, record, "latency", ("latency",), {"quantity": "latency", "unit": "ms", "scope": "request"})
        paired: ClaimFields = {"mode": "inference", "work": "samples"}
        if accuracy is not None:
            paired["quality"] = {"arm": ARM, "quality": accuracy}
        claim(arm, "latency", "latency of one image or question", paired)
    _description(arm, record)
    return draft.done(file)


def _description(arm: ArmDraft, record: Record) -> None:
    """Keep what a JSON file says of model, machine and software."""
    arm.options(record.origin("model"), model=record.text("model"))
    arm.software(record.origin("framework"), framework=record.text("framework"))
    arm.code(record.origin("codeURL"), url=record.text("codeURL"))
    arm.code(record.origin("commitHash"), commit=record.text("commitHash"))
    arm.draft.publication(record.origin("author"), authors=record.text("author"))
    arm.draft.publication(record.origin("timestamp"), date=day(record.get("timestamp")))
    hardware = record.text("hardware")
    if hardware is not None:
        _hardware(arm, hardware, record.origin("hardware"))
    misc = record.inner("misc")
    if isinstance(record.get("misc"), str):
        arm.keep("misc", record.get("misc"), record.origin("misc"))
    for held in (record, misc) if misc is not None else (record,):
        for name in held:
            _setting(arm, held, name)


def _hardware(arm: ArmDraft, hardware: str, where: Origin) -> None:
    arm.draft.system("machine", where, name=hardware)
    found = _HARDWARE.match(hardware)
    if found is not None:
        arm.draft.system("machine", where, device=found[2])
        arm.put(where, devices=int(found[1]) or None)
    arm.put(where, system="machine")


def _setting(arm: ArmDraft, record: Record, name: str) -> None:
    where, value = record.origin(name), record.get(name)
    number = (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300 else None
    )
    if name == "optimizer" and isinstance(value, str):
        arm.options(where, optimizer=value)
    elif name == "momentum" and number is not None:
        arm.options(where, momentum=number)
    elif name == "weightDecay" and number is not None:
        arm.options(where, weight_decay=number)
    elif record.steps or name not in TOP | {"latency", "top1Accuracy", "top5Accuracy", "f1Score"}:
        if isinstance(value, dict | list):
            arm.draft.unused.append(name)
        else:
            arm.keep(name, value, where)


IMPORTER = Importer(
    name="dawnbench",
    title="DAWNBench: training TSV with its JSON, inference JSON",
    doc=__doc__,
    signatures=(
        Signature("table", ("epoch", "hours", "top1accuracy|top5accuracy|f1score")),
        Signature("json", ("framework", "hardware", "model", "latency|cost", "top1Accuracy|top5Accuracy|f1Score")),
    ),
    fields=FIELDS,
    read=read,
)
