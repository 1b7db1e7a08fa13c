"""DLLogger lines of a training or inference log (`DLL <time> - <step> key : value unit`, or `DLLL {...}`).

Read are the lines that begin with `DLL`, wherever they begin (a progress bar may stand before them), and those of the
JSON backend, which begin with `DLLL`; their units stand in lines of type `METADATA`. What steps and epochs log becomes
evaluations: a key with `train`, `val` or `test` names the split, a loss without is of the training data, any other
metric stays unlabelled. What a line without a step prints is a result: rates whose unit follows the value or stands in
the name (`training_sequences_per_second`), times whose unit follows, and final qualities are claimed. A time without a
unit stays out and is named. Parameters are kept as free options; a logged batch size does not say whether it is that of
one device.
"""

from __future__ import annotations

import json
import re
from typing import Any

from msgspec import Struct

from .curves import split_of
from .draft import Draft, Drafting, Origin, at, identifier, printed_text
from .handed import Handed
from .interface import Field, Importer, Signature
from .records import claim, quality_claim
from .table_units import rate_unit

FIELDS = (
    Field("PARAMETER key : value", "options.extra", "SEED: trials.t1.seed"),
    Field("step_loss, loss, val.top1, ... of a step", "trials.t1.evaluations", "split: by the key, a loss's train"),
    Field("KEY : VALUE without a step", "performance or quality, claims", "with the unit behind it or in its name"),
)
ARM = "run"
LONGEST = 20_000
MOST = 20_000
TIMES = {"s": "s", "sec": "s", "seconds": "s", "ms": "ms", "us": "us", "min": "min", "h": "h", "hours": "h"}
_HEAD = re.compile(r"DLL [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{5,20} - ")
_STEP = re.compile(
    r"(?:\(([0-9]{0,9}),? ?([0-9]{0,12})\)|"
    r"(?:[A-Za-z]{1,20} )?Epoch: ?([0-9]{1,9})(?: (?:[A-Za-z]{1,20} )?Iteration: ?([0-9]{1,12}))?)"
)
JSON_HEAD = "DLLL {"
_LOSS = re.compile(r"(?:^|[/_ .-])loss(?:$|[/_ .-])", re.IGNORECASE)
_QUALITY = re.compile(r"loss|accuracy|acc|f1|exact_match|bleu|perplexity|top1|top5|auc|map", re.IGNORECASE)


class Said(Struct, frozen=True):
    """One key of one line: its value, unit and place."""

    key: str
    value: str
    unit: str
    line: int
    column: int


class Line(Struct, frozen=True):
    """One line of the logger.

    Attributes:
        parameter: whether it logs parameters.
        epoch: its epoch.
        step: its iteration.
        said: its keys.
    """

    parameter: bool
    epoch: int | None
    step: int | None
    said: tuple[Said, ...]


def read(file: Handed) -> Draft:
    """Return the submission of one log."""
    draft = Drafting(f"DLLogger log {file.short_name}")
    units: dict[str, str] = {}
    read_ = (_line(text, number, units) for number, text in enumerate(file.lines, 1))
    lines = [found for found in read_ if found is not None]
    if lines and lines[0].said:
        draft.put(at("arms", ARM, "label"), f"the run of {file.short_name}", _place(file, lines[0].said[0]))
    evaluations: list[dict[str, Any]] = []
    trial: dict[str, Any] = {"kind": "convergence", "outcome": "completed"}
    for line in lines:
        if line.parameter:
            for said in line.said:
                draft.keep(ARM, said.key, said.value, _place(file, said))
                if said.key.casefold() == "seed" and said.value.isdigit() and len(said.value) < 15:
                    trial["seed"] = int(said.value)
        elif line.step is None and line.epoch is None:
            for said in line.said:
                _result(draft, file, said)
        elif len(evaluations) < MOST:
            evaluations += _evaluation(line)
    if evaluations:
        steps = (line for line in lines if line.said and (line.step is not None or line.epoch is not None))
        where = _place(file, next(steps).said[0])
        draft.put(at("arms", ARM, "trials", "t1"), {**trial, "evaluations": evaluations}, where)
    return draft.done(file)


def _line(text: str, number: int, units: dict[str, str]) -> Line | None:
    """Return what a line logs, or None; what it says of the units of later lines is noted."""
    at_ = text.find(JSON_HEAD)
    if at_ >= 0:
        return _json_line(text, at_ + len(JSON_HEAD) - 1, number, units)
    start = text.find("DLL ")
    while start >= 0:
        head = _HEAD.match(text, start)
        if head is not None:
            return _said(text[: head.end() + LONGEST], head.end(), number)
        start = text.find("DLL ", start + 4)
    return None


def _json_line(text: str, start: int, number: int, units: dict[str, str]) -> Line | None:
    """Return what a line of the JSON backend logs: numbers as printed."""
    try:
        value = json.loads(text[start : start + LONGEST], parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    metric, told = value.get("metric"), value.get("metadata")
    if isinstance(metric, str) and isinstance(told, dict) and isinstance(told.get("unit"), str):
        units[metric] = told["unit"]
    data, step = value.get("data"), value.get("step")
    if not isinstance(data, dict):
        return None
    found = []
    for key, held in data.items():
        printed = str(held) if isinstance(held, str | bool) else ""
        if key and printed:
            at_ = text.find(printed, text.find(json.dumps(key, ensure_ascii=False), start) + len(key) + 2)
            found.append(Said(key, printed, units.get(key, "")[:40], number, max(at_, start) + 1))
    # a list counts epochs, then iterations; a number of its own is what it is called
    counts = [int(str(part)) for part in (step if isinstance(step, list) else [step]) if _is_count(part)]
    epoch, iteration = [*counts, None, None][:2] if isinstance(step, list) else (None, *counts, None)[:2]
    return Line(step == "PARAMETER", epoch, iteration, tuple(found))


def _is_count(part: object) -> bool:
    return isinstance(part, str) and part.isascii() and part.isdigit() and len(part) < 13


def _said(text: str, start: int, number: int) -> Line:
    body = text[start:]
    parameter = body.startswith("PARAMETER")
    step = _STEP.match(body) if not parameter else None
    offset = len("PARAMETER") if parameter else step.end() if step is not None else 0
    parts = body[offset:].split(" : ")
    found, at_ = [], start + offset + len(parts[0]) + 3
    for index in range(1, len(parts)):
        key = (parts[index - 1].split() or [""])[-1]
        words = parts[index].split()
        if key and words:
            rest = words[1:] if index == len(parts) - 1 else words[1:-1]
            found.append(Said(key, words[0], " ".join(rest)[:40], number, at_ + 1))
        at_ += len(parts[index]) + 3
    epoch = (step[1] or step[3]) if step is not None else None
    iteration = (step[2] or step[4]) if step is not None else None
    return Line(parameter, int(epoch) if epoch else None, int(iteration) if iteration else None, tuple(found))


def _place(file: Handed, said: Said) -> Origin:
    return Origin(file.name, said.line, said.column)


def _evaluation(line: Line) -> list[dict[str, Any]]:
    """Return the evaluations that a line holds, one for each split."""
    by_split: dict[str, dict[str, float]] = {}
    for said in line.said:
        value = printed_text(said.value)
        if value is not None and _QUALITY.search(said.key) and abs(float(value)) < 1e300:
            by_split.setdefault(_split(said.key), {})[said.key[:200]] = float(value)
    place = {key: value for key, value in (("epoch", line.epoch), ("step", line.step)) if value is not None}
    return [{"split": split, **place, "metrics": metrics} for split, metrics in by_split.items()]


def _split(key: str) -> str:
    """Return the split of a metric: what its key names, else that of training for a loss."""
    split = split_of(key)
    return "train" if split == "unlabelled" and _LOSS.search(key) else split


def _result(draft: Drafting, file: Handed, said: Said) -> None:
    value = printed_text(said.value)
    if value is None or len(draft.value["claims"]) >= 1000:
        return
    rate = rate_unit(said.unit) or rate_unit(said.key.replace("_", " "))
    time = TIMES.get(said.unit.casefold())
    where = _place(file, said)
    held = draft.value.get("arms", {}).get(ARM, {})
    if rate is not None or time is not None:
        name = identifier(said.key, held.get("performance"))
        told = {"quantity": "rate", "unit": rate} if rate is not None else {"quantity": "time", "unit": time}
        scope = "training_run" if re.search(r"total|e2e|to_train", said.key.casefold()) else "step"
        draft.put(at("arms", ARM, "performance", name), {**told, "scope": scope}, where)
        draft.put(at("arms", ARM, "performance", name, "value"), value, where)
        mode = (
            "training" if "train" in said.key.casefold() else "inference" if "infer" in said.key.casefold() else "none"
        )
        claim(
            draft,
            ARM,
            name,
            said.key,
            {"mode": mode} | ({"purpose": "hardware_throughput"} if rate is not None else {}),
        )
    elif _QUALITY.search(said.key):
        name = identifier(said.key, held.get("quality"))
        split = _split(said.key)
        unit = {"unit": "%"} if said.unit == "%" else {}
        draft.put(at("arms", ARM, "quality", name), {"metric": said.key[:4000], "split": split, **unit}, where)
        draft.put(at("arms", ARM, "quality", name, "value"), value, where)
        if split != "train":
            told_ = quality_claim(ARM, name, said.key, value, f"{said.key} {value}")
            key = identifier(name, draft.value["claims"])
            draft.put(at("claims", key), {**told_, **unit}, where)
            draft.put(at("claims", key, "value"), value, where)
    elif "time" in said.key.casefold() or "latency" in said.key.casefold():
        draft.unused.append(f"{said.key} (line {said.line}): no unit is stated")
    else:
        draft.unused.append(said.key)


IMPORTER = Importer(
    name="dllogger",
    title="DLLogger lines",
    doc=__doc__,
    signatures=(
        Signature("lines", ("DLL 20", " - PARAMETER ", " : ")),
        Signature("lines", ("DLL 20", "Iteration: ", " : ")),
        Signature("lines", ("DLLL {", '"step"', '"data"')),
    ),
    fields=FIELDS,
    read=read,
)
