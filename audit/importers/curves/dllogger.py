"""DLLogger lines of a training or inference log (`DLL <time> - <step> key : value unit`, or `DLLL {...}`).

Read are the lines that begin with `DLL`, wherever they begin (a progress bar may stand before them), and those of the
JSON backend, which begin with `DLLL`; their units stand in lines of type `METADATA`. What steps and epochs log becomes
evaluations: a key with `train`, `val` or `test` names the split, a loss without is of the training data, any other
metric stays unlabelled. What a line without a step prints is a result: rates whose unit follows the value or stands in
the name (`training_sequences_per_second`), times whose unit follows, and final qualities are claimed.

A rate that recurs from iteration to iteration is one series: where the log ends with results, they are claimed, else
its last value, of an epoch before that of an iteration; the values of the iterations are its raw numbers. So is the
last value of a metric outside the training data, where no result states a quality. A time without a unit stays out and
is named. Parameters are kept as free options, maps by their parts; a logged batch size does not say whether it is that
of one device.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.language.reading import read as reading
from ..draft import Draft, Origin, identifier, printed_text
from ..drafting import ArmDraft, Drafting, stated
from ..interface import Field, Importer, Signature
from ..records import MOST_SAMPLES, claim, is_full, quality_claim
from ..report_file import ReportFile
from ..tables.units import measure, rate_unit
from .columns import split_of
from .dllogger_lines import Entry, Line, line_of

if TYPE_CHECKING:
    from ..fields import EvaluationFields, QualityFields, TrialFields

FIELDS = (
    Field("PARAMETER key : value", "options.extra", "SEED: trials.t1.seed"),
    Field("step_loss, loss, val.top1, ... of a step", "trials.t1.evaluations", "split: by the key, a loss's train"),
    Field("KEY : VALUE without a step", "performance or quality, claims", "with the unit behind it or in its name"),
    Field(
        "a rate or time of each step", "trials.t2.samples, performance, claims", "one series: its result or last value"
    ),
)
ARM = "run"
MOST = 20_000


class Point(Struct, frozen=True):
    """A value of a series: what printed it, and in which epoch and iteration."""

    entry: Entry
    epoch: int | None
    step: int | None


def read(file: ReportFile) -> Draft:
    """Return the submission of one log."""
    draft = Drafting(f"DLLogger log {file.short_name}")
    units: dict[str, str] = {}
    read_ = (line_of(text, number, units) for number, text in enumerate(file.lines, 1))
    lines = [found for found in read_ if found is not None]
    arm = draft.arm(ARM)
    if lines and lines[0].entries:
        arm.put(_place(file, lines[0].entries[0]), label=f"the run of {file.short_name}")
    trial: TrialFields = {"kind": "convergence", "outcome": "completed"}
    for line in lines:
        for entry in line.entries if line.parameter else ():
            arm.keep(entry.key, entry.value, _place(file, entry))
            if entry.key.casefold() == "seed" and entry.value.isdigit() and len(entry.value) < 15:
                trial["seed"] = int(entry.value)
    stepped = [
        line for line in lines if not line.parameter and (line.epoch, line.step) != (None, None) and line.entries
    ]
    evaluations: list[EvaluationFields] = []
    for line in stepped:
        evaluations += _evaluation(line) if len(evaluations) < MOST else []
    if evaluations:
        arm.put_trial("t1", {**trial, "evaluations": evaluations}, _place(file, stepped[0].entries[0]))
    results = [
        entry
        for line in lines
        if not line.parameter and (line.epoch, line.step) == (None, None)
        for entry in line.entries
    ]
    _results(arm, file, results, stepped)
    return draft.done(file)


def _place(file: ReportFile, entry: Entry) -> Origin:
    return Origin(file.name, entry.line, entry.column)


def _evaluation(line: Line) -> list[EvaluationFields]:
    """Return the evaluations that a line holds, one for each split."""
    by_split: dict[str, dict[str, float | None]] = {}
    for entry in line.entries:
        value = printed_text(entry.value)
        if value is not None and _says(entry.key, "log.quality") and abs(float(value)) < 1e300:
            by_split.setdefault(_split(entry.key), {})[entry.key[:200]] = float(value)
    place: EvaluationFields = {"epoch": line.epoch, "step": line.step}
    return [{"split": split, **stated(place), "metrics": metrics} for split, metrics in by_split.items()]


def _split(key: str) -> str:
    """Return the split of a metric: what its key names, else that of training for a loss."""
    split = split_of(key)
    return "train" if split == "unlabelled" and _says(key, "log.loss") else split


def _results(arm: ArmDraft, file: ReportFile, results: list[Entry], stepped: list[Line]) -> None:
    """Claim what the log prints as its results; each kind of number that it prints none of, from its steps."""
    series = _series(stepped)
    last = {entry.key: entry for entry in results}
    for entry in results:
        _result(arm, file, entry, "")
    timed = {key for key in last if _measured(last[key]) is not None}
    judged = any(_measured(entry) is None and _says(entry.key, "log.quality") for entry in last.values())
    kept: dict[str, list[Point]] = {}
    for key, points in series.items():
        whole = [point for point in points if point.step is None]
        end = (whole or points)[-1]
        measured = _measured(end.entry) is not None
        if measured and key in timed:
            kept[key] = points
        elif measured and not timed:
            kept[key] = points
            _result(arm, file, end.entry, _when(end))
        elif measured:
            arm.draft.unused.append(f"{key} of the steps: the results of the log stand at its end")
        elif not judged and _says(key, "log.quality") and _split(key) != "train":
            _result(arm, file, end.entry, _when(end))
    _samples(arm, file, kept)
    if not arm.draft.claims:
        arm.draft.unused.append(
            "no rate, no time with a unit, no quality outside the training data: nothing is claimed"
        )


def _series(stepped: Iterable[Line]) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for line in stepped:
        for entry in line.entries:
            if printed_text(entry.value) is not None:
                found.setdefault(entry.key, []).append(Point(entry, line.epoch, line.step))
    return found


def _when(point: Point) -> str:
    told = [("epoch", point.epoch), ("iteration", point.step)]
    return " at " + ", ".join(f"{name} {number}" for name, number in told if number is not None)


def _samples(arm: ArmDraft, file: ReportFile, kept: dict[str, list[Point]]) -> None:
    """Put the values of the iterations of each claimed series, of its epochs where it has no other, as raw numbers."""
    columns: dict[str, list[float]] = {}
    for key, points in kept.items():
        single = [point for point in points if point.step is not None] or points
        values = [float(printed_text(point.entry.value) or "nan") for point in single]
        room = MOST_SAMPLES - sum(map(len, columns.values()))
        if not all(0 <= value < 1e300 for value in values) or len(values) > room:
            arm.draft.unused.append(f"{key} of each step: {len(values):,} values, or one that is none")
            continue
        if len(values) > 1:
            columns[identifier(f"{key[:40]}.each", columns)] = values
    if columns:
        where = _place(file, next(iter(kept.values()))[0].entry)
        arm.put_trial("t2", {"kind": "throughput", "outcome": "completed", "samples": columns}, where)


def _measured(entry: Entry) -> tuple[str, str] | None:
    """Return quantity and unit of a rate or time; None where it is none, or states no unit."""
    rate = rate_unit(entry.unit) or rate_unit(entry.key.replace("_", " ")) or _per_second(entry.key)
    if rate is not None:
        return "rate", rate
    time = measure(entry.unit)
    return ("time", time.at(time.exponent)) if time is not None and time.dimension == "time" else None


def _per_second(key: str) -> str | None:
    """Return the unit of a rate whose key ends in "per_second", whatever is counted."""
    words = re.split(r"[/_ .-]", key.casefold())
    ends = len(words) > 2 and words[-2] == "per" and words[-1] in {"s", "sec", "second"}
    return f"{words[-3]}/s" if ends and len(words[-3]) > 1 and words[-3].isalpha() else None


def _says(key: str, concept: str) -> bool:
    return reading(key, "header").has(concept, affirmed=False)


def _result(arm: ArmDraft, file: ReportFile, entry: Entry, when: str) -> None:
    """Put and claim a number, with the step that it is of."""
    value, measured, plain = printed_text(entry.value), _measured(entry), entry.key.casefold()
    if value is None or is_full(arm.draft):
        return
    where = _place(file, entry)
    if measured is not None:
        name = identifier(entry.key, arm.performance)
        scope = "training_run" if _says(plain, "log.of_a_run") else "step"
        quantity, unit = measured
        arm.put_metric(name, {"quantity": quantity, "unit": unit, "scope": scope, "value": value}, where, where)
        mode = "training" if "train" in plain else "inference" if "infer" in plain else "none"
        purpose = "hardware_throughput" if quantity == "rate" else None
        claim(arm, name, f"{entry.key}{when}", {"mode": mode, "purpose": purpose})
    elif _says(entry.key, "log.quality"):
        _quality(arm, entry, value, where, when)
    elif "time" in plain or "latency" in plain:
        arm.draft.unused.append(f"{entry.key} (line {entry.line}): no unit is stated")
    else:
        arm.draft.unused.append(entry.key)


def _quality(arm: ArmDraft, entry: Entry, value: str, where: Origin, when: str) -> None:
    name, split, unit = identifier(entry.key, arm.quality), _split(entry.key), "%" if entry.unit == "%" else None
    quality: QualityFields = {"metric": entry.key[:4000], "split": split, "unit": unit, "value": value}
    arm.put_quality(name, quality, where, where)
    if split != "train":
        words = f"{entry.key}{when}: {value}" if when else f"{entry.key} {value}"
        claimed = quality_claim(ARM, name, entry.key, value, words)
        key = identifier(name, arm.draft.claims)
        arm.draft.put_claim(key, {**claimed, "unit": unit}, where, where)


IMPORTER = Importer(
    name="dllogger",
    title="DLLogger lines",
    doc=__doc__,
    signatures=(
        Signature("lines", ("DLL 20", " - PARAMETER | - (|Epoch: |Iteration: |Step: | -  | - Summary", " : ")),
        Signature("lines", ("DLLL {", '"step"', '"data"')),
    ),
    fields=FIELDS,
    read=read,
)
