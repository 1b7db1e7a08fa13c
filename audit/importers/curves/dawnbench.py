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
from typing import Any

from ....schemas.pattern import Pattern
from ..draft import Draft, Drafting, Origin, at, printed_text
from ..interface import Field, Importer, Signature
from ..records import Record, claim, day, metric, quality_claim
from ..report_file import ReportFile
from .columns import ARM, claim_last, curve_of, draft_curve

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
    described = beside is not None and beside.json is not None and isinstance(beside.json.value, dict)
    if last is None or curve is None:
        return draft.done(file)
    claim_last(draft, file, curve, percent=True)
    _time(draft, file, curve.time[0] if curve.time is not None else -1, last)
    if beside is not None and described and beside.json is not None and isinstance(beside.json.value, dict):
        _description(draft, Record(beside.json, (), beside.json.value))
        return draft.done(file, beside)
    return draft.done(file)


def _time(draft: Drafting, file: ReportFile, column: int, last: tuple[int, tuple[str, ...]]) -> None:
    line, cells = last
    value = printed_text(cells[column]) if 0 <= column < len(cells) else None
    if value is None or float(value) <= 0:
        return
    where = Origin(file.name, line, max(file.line(line).find(cells[column]), 0) + 1)
    name = at("arms", ARM, "performance", "training_time")
    draft.put(name, {"quantity": "time", "unit": "h", "scope": "training_run"}, where)
    draft.put(f"{name}/value", value, where)
    quality = next(iter(draft.value["arms"][ARM].get("quality", {})), None)
    told: dict[str, Any] = {"mode": "training"}
    if quality is not None:
        told["quality"] = {"arm": ARM, "quality": quality}
    claim(draft, ARM, "training_time", "training time", told)


def _inference(file: ReportFile) -> Draft:
    source, value = file.document()
    record = Record(source, (), value)
    draft = Drafting(f"DAWNBench inference {file.short_name}")
    draft.put(at("arms", ARM, "label"), str(value.get("model") or file.short_name)[:400], record.origin())
    latency = {"quantity": "latency", "unit": "ms", "scope": "request"}
    accuracy = next((name for name in ("top1Accuracy", "top5Accuracy", "f1Score") if record.printed(name)), None)
    if accuracy is not None:
        quality = {"metric": accuracy} | ({} if accuracy == "f1Score" else {"unit": "%"})
        draft.put(at("arms", ARM, "quality", accuracy), quality, record.origin(accuracy))
        draft.put(at("arms", ARM, "quality", accuracy, "value"), record.printed(accuracy), record.origin(accuracy))
        value_ = record.printed(accuracy) or ""
        told = quality_claim(ARM, accuracy, accuracy, value_, f"{accuracy} {value_}", "inference")
        told |= {key: quality[key] for key in ("unit",) if key in quality}
        draft.put(at("claims", accuracy), told, record.origin(accuracy))
        draft.put(at("claims", accuracy, "value"), record.printed(accuracy), record.origin(accuracy))
    if record.real("latency") is not None and metric(draft, record, ARM, "latency", ("latency",), latency):
        paired: dict[str, Any] = {"mode": "inference", "work": "samples"}
        if accuracy is not None:
            paired["quality"] = {"arm": ARM, "quality": accuracy}
        claim(draft, ARM, "latency", "latency of one image or question", paired)
    _description(draft, record)
    return draft.done(file)


def _description(draft: Drafting, record: Record) -> None:
    """Keep what a JSON file says of model, machine and software."""
    draft.put(at("arms", ARM, "options", "model"), record.text("model"), record.origin("model"))
    draft.put(at("arms", ARM, "software", "framework"), record.text("framework"), record.origin("framework"))
    draft.put(at("arms", ARM, "software", "code", "url"), record.text("codeURL"), record.origin("codeURL"))
    draft.put(at("arms", ARM, "software", "code", "commit"), record.text("commitHash"), record.origin("commitHash"))
    draft.put("/publication/authors", record.text("author"), record.origin("author"))
    draft.put("/publication/date", day(record.value.get("timestamp")), record.origin("timestamp"))
    hardware = record.text("hardware")
    if hardware is not None:
        _hardware(draft, record, hardware)
    misc = record.inner("misc")
    settings = [record] + ([misc] if misc is not None else [])
    if isinstance(record.value.get("misc"), str):
        draft.keep(ARM, "misc", record.value["misc"], record.origin("misc"))
    for held in settings:
        for name, value in held.value.items():
            _setting(draft, held, name, value)


def _hardware(draft: Drafting, record: Record, hardware: str) -> None:
    where = record.origin("hardware")
    draft.put("/systems/machine/name", hardware, where)
    found = _HARDWARE.match(hardware)
    if found is not None:
        draft.put("/systems/machine/device", found[2], where)
        draft.put(at("arms", ARM, "devices"), int(found[1]) or None, where)
    draft.put(at("arms", ARM, "system"), "machine", where)


def _setting(draft: Drafting, record: Record, name: str, value: object) -> None:
    where = record.origin(name)
    number = (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300 else None
    )
    if name == "optimizer" and isinstance(value, str):
        draft.put(at("arms", ARM, "options", "optimizer"), value, where)
    elif name in {"momentum", "weightDecay"} and number is not None:
        draft.put(at("arms", ARM, "options", {"weightDecay": "weight_decay"}.get(name, name)), number, where)
    elif record.steps or name not in TOP | {"latency", "top1Accuracy", "top5Accuracy", "f1Score"}:
        if isinstance(value, dict | list):
            draft.unused.append(name)
        else:
            draft.keep(ARM, name, value, where)


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
