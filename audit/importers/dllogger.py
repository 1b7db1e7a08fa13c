"""DLLogger lines of a training or inference log (`DLL <time> - <step> key : value unit`).

Read are the lines that begin with `DLL`, wherever they begin (a progress bar may stand before them). Losses of steps
become evaluations on the training data; what a line without a step prints is a result: rates whose unit follows the
value or stands in the name (`training_sequences_per_second`), times whose unit follows, and final qualities are
claimed. A time without a unit stays out and is named. Parameters are kept as free options; a logged batch size does not
say whether it is that of one device.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from .draft import Draft, Drafting, Origin, at, identifier, printed_text
from .handed import Handed
from .interface import Field, Importer, Signature
from .records import claim, quality_claim
from .table_units import rate_unit

FIELDS = (
    Field("PARAMETER key : value", "options.extra", "SEED: trials.t1.seed"),
    Field("step_loss, loss, ... of a step", "trials.t1.evaluations", "split: train"),
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
    lines = [found for number, text in enumerate(file.lines, 1) if (found := _line(text, number)) is not None]
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


def _line(text: str, number: int) -> Line | None:
    start = text.find("DLL ")
    while start >= 0:
        head = _HEAD.match(text, start)
        if head is not None:
            return _said(text[: head.end() + LONGEST], head.end(), number)
        start = text.find("DLL ", start + 4)
    return None


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
    metrics = {}
    for said in line.said:
        value = printed_text(said.value)
        if value is not None and _QUALITY.search(said.key) and abs(float(value)) < 1e300:
            metrics[said.key[:200]] = float(value)
    if not metrics:
        return []
    found = {"split": "train", "epoch": line.epoch, "step": line.step, "metrics": metrics}
    return [{key: value for key, value in found.items() if value is not None}]


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
        split = "train" if "train" in said.key.casefold() or said.key.casefold() == "final_loss" else "unlabelled"
        draft.put(at("arms", ARM, "quality", name), {"metric": said.key[:4000], "split": split}, where)
        draft.put(at("arms", ARM, "quality", name, "value"), value, where)
        if split != "train":
            told_ = quality_claim(ARM, name, said.key, value, f"{said.key} {value}")
            key = identifier(name, draft.value["claims"])
            draft.put(at("claims", key), told_, where)
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
    ),
    fields=FIELDS,
    read=read,
)
