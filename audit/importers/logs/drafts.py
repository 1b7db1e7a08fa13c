"""A log of a training as a draft: evaluations, raw numbers, settings that stay the same, and what it ends with."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from ..draft import Origin, identifier, printed_text
from ..drafting import ArmDraft, stated
from ..records import MOST_SAMPLES, claim, quality_claim
from ..report_file import ReportFile
from .lexer import plain
from .lines import Line, Number
from .quantities import split_of_key

if TYPE_CHECKING:
    from ..fields import ClaimFields, EvaluationFields, OptionsFields, QualityFields

OF_TRAINING = ("train", "epoch", "loss", "learning rate", "optimizer", "gradient", "iteration ")
"""Words of logs of trainings."""
SEARCHED = 1 << 18
"""Characters of a log in which such words are looked for."""
MOST_EVALUATIONS = 20_000
MOST_CLAIMS = 40
LEAST_OF_A_TOTAL = 4
"""Values that only grow, from which on a time is that since the start."""
STEPS = frozenset({"batch", "iter", "iteration", "step"})
"""Words of a time that say that it is that of a step."""
LOST = frozenset({"nan", "inf"})


class Point(Struct, frozen=True):
    """A number with the line that prints it."""

    number: Number
    line: Line


def draft_lines(arm: ArmDraft, file: ReportFile, lines: tuple[Line, ...]) -> None:
    """Draft the lines of a log as the arm that they are of."""
    validated = _validated(lines)
    lines = tuple(_beside(line, validated) for line in lines)
    first = next(number for line in lines for number in line.numbers)
    arm.put(_place(file, first), label=f"the run of {file.short_name}")
    series: dict[tuple[str, str], list[Point]] = {}
    for line in lines:
        for number in line.numbers:
            series.setdefault((number.key, number.split), []).append(Point(number, line))
    _settings(arm, file, series)
    _evaluations(arm, file, lines)
    _claims(arm, file, series)


def _place(file: ReportFile, number: Number) -> Origin:
    return Origin(file.name, number.line, number.column)


def _validated(lines: tuple[Line, ...]) -> frozenset[str]:
    """Return the names of qualities behind "val": beside those, the same name without is of the training."""
    held = (n for line in lines for n in line.numbers if n.split in {"validation", "test"})
    return frozenset(
        " ".join(plain(n.key).replace("/", " ").split()[1:]) for n in held if split_of_key(n.key) != "unlabelled"
    )


def _beside(line: Line, validated: frozenset[str]) -> Line:
    numbers = (
        Number(n.key, n.value, n.line, n.column, n.quantity, "train")
        if n.split == "unlabelled" and (plain(n.key) in validated or _of_a_batch(line))
        else n
        for n in line.numbers
    )
    return Line(line.epoch, line.step, line.of_steps, line.counts, tuple(numbers))


def _of_a_batch(line: Line) -> bool:
    """Whether a line tells of single steps by their loss: what else it prints is of the training, too."""
    return line.of_steps and any(n.split == "train" for n in line.numbers)


def _settings(arm: ArmDraft, file: ReportFile, series: dict[tuple[str, str], list[Point]]) -> None:
    """Put the settings that every line prints alike."""
    for points in series.values():
        quantity, values = points[0].number.quantity, {point.number.value for point in points}
        text = printed_text(points[0].number.value) or ""
        if quantity.kind != "setting" or len(values) > 1 or not text.isdigit() or not int(text[:15]) > 0:
            continue
        where = _place(file, points[0].number)
        if quantity.name == "devices":
            arm.put(where, devices=int(text[:15]))
        elif quantity.name != "nodes":
            arm.options(where, **cast("OptionsFields", {quantity.name: int(text[:15])}))


def _evaluations(arm: ArmDraft, file: ReportFile, lines: tuple[Line, ...]) -> None:
    found: list[EvaluationFields] = []
    lost = False
    for line in lines:
        by_split: dict[str, dict[str, float | None]] = {}
        for number in line.numbers:
            if number.quantity.kind == "quality":
                value = _real(number)
                lost = value is None if number.split == "train" else lost
                by_split.setdefault(number.split, {})[number.key[:200]] = value
        place: EvaluationFields = {"epoch": line.epoch, "step": line.step}
        for split, metrics in by_split.items():
            if len(found) >= MOST_EVALUATIONS:
                arm.draft.unused.append(
                    f"evaluations from line {line.numbers[0].line} on: more than {MOST_EVALUATIONS:,}"
                )
                break
            arm.place(_place(file, line.numbers[0]), "trials", "t1", "evaluations", len(found))
            found.append({"split": split, **stated(place), "metrics": metrics})
        if len(found) >= MOST_EVALUATIONS:
            break
    if found:
        where = next(_place(file, number) for line in lines for number in line.numbers)
        outcome = "diverged" if lost else "completed"
        arm.put_trial("t1", {"kind": "convergence", "outcome": outcome, "evaluations": found}, where)


def _real(number: Number) -> float | None:
    text = printed_text(number.value)
    return float(text) if text is not None and abs(float(text)) < 1e300 else None


def _claims(arm: ArmDraft, file: ReportFile, series: dict[tuple[str, str], list[Point]]) -> None:
    """Claim the last value of each series that a reader would take, and keep the raw numbers of what is measured."""
    columns: dict[str, list[float]] = {}
    where: Origin | None = None
    for (key, split), points in series.items():
        last, quantity = points[-1], points[-1].number.quantity
        text = printed_text(last.number.value)
        if text is None:
            if quantity.kind == "quality" and split != "train":
                arm.draft.unused.append(f"{key}: it is no number at its last evaluation")
            continue
        if len(arm.draft.claims) >= MOST_CLAIMS:
            arm.draft.unused.append(f"{key}: a log makes {MOST_CLAIMS} claims")
        elif quantity.kind == "quality" and split != "train":
            _quality(arm, file, last, text)
        elif quantity.kind == "measured":
            total = _is_total(points)
            if quantity.part and not total:
                arm.draft.unused.append(f"{key}: the time of a part of each step")
                continue
            kept = (len(points) == 1 and float(text) > 0) or total or _keep(arm, columns, key, points)
            where = where or _place(file, points[0].number)
            if kept:
                _measured(arm, file, last, text, total)
    if columns:
        arm.put_trial(
            "t2", {"kind": "throughput", "outcome": "completed", "samples": columns}, where or Origin(file.name)
        )
    if not arm.draft.claims:
        arm.draft.unused.append(
            "no rate, no time with a unit, no quality outside the training data: nothing is claimed"
        )


def _is_total(points: list[Point]) -> bool:
    """Whether the times of a series only grow: they count from the start."""
    values = [_real(point.number) for point in points]
    quantity = points[0].number.quantity
    timed = quantity.name == "time" and quantity.statistic is None and len(values) >= LEAST_OF_A_TOTAL
    return timed and all(a is not None and b is not None and a < b for a, b in pairwise(values))


def _keep(arm: ArmDraft, columns: dict[str, list[float]], key: str, points: list[Point]) -> bool:
    """Keep the values of a series as raw numbers; return whether they can all have been measured."""
    values = [_real(point.number) for point in points]
    real = [value for value in values if value is not None and value > 0]
    if len(real) < len(values):  # nanoGPT prints -100 % before it knows
        arm.draft.unused.append(f"{key}: {len(values) - len(real):,} of {len(values):,} values that nothing measured")
        return bool(values[-1] is not None and values[-1] > 0)
    if len(real) > MOST_SAMPLES - sum(map(len, columns.values())):
        arm.draft.unused.append(f"{key} of each step: {len(real):,} values are more than a submission holds")
        return True
    columns[identifier(f"{key[:40]}.each", columns)] = real
    return True


def _when(line: Line) -> str:
    if not line.counts:
        return ""
    told = [("epoch", line.epoch), ("step", line.step)]
    return ", ".join(
        f"{name} {number:g}" if name == "epoch" else f"{name} {number}" for name, number in told if number is not None
    )


def _measured(arm: ArmDraft, file: ReportFile, point: Point, text: str, total: bool) -> None:
    number, quantity, where = point.number, point.number.quantity, _place(file, point.number)
    name = identifier(number.key, arm.performance)
    scope = "training_run" if total else "step"
    statistic = quantity.statistic if quantity.statistic in {"mean", "median"} else None
    fields = {"quantity": quantity.name, "unit": quantity.unit, "scope": scope, "statistic": statistic, "value": text}
    arm.put_metric(name, fields, where, where)  # type: ignore[arg-type]
    when = _when(point.line)
    purpose = None if quantity.name in {"time", "latency"} else "hardware_throughput"
    # a rate is that of the steps that it is printed beside; a time that names none may be that of an epoch
    told = total or purpose is not None or not STEPS.isdisjoint(plain(number.key).split())
    kind: ClaimFields = {"mode": _mode(file, point.line), "purpose": purpose, "scope": scope if told else "not_stated"}
    claim(arm, name, f"{number.key}{f' at {when}' if when else ''}", kind)


def _mode(file: ReportFile, line: Line) -> str:
    """Return training where a log counts epochs or steps, or speaks of it, else inference where it speaks of that."""
    head = file.text[:SEARCHED].casefold()
    if line.counts or any(word in head for word in OF_TRAINING):
        return "training"
    return "inference" if "inference" in head else "none"


def _quality(arm: ArmDraft, file: ReportFile, point: Point, text: str) -> None:
    number, where = point.number, _place(file, point.number)
    split = number.split
    key = number.key if split == "unlabelled" or split_of_key(number.key) == split else f"{split} {number.key}"
    name, unit = identifier(key, arm.quality), number.quantity.unit or None
    quality: QualityFields = {"metric": key[:4000], "split": split, "unit": unit, "value": text}
    arm.put_quality(name, {**quality, "checkpoint": "the last evaluation"}, where, where)
    when = _when(point.line)
    claimed = quality_claim(arm.key, name, key, text, f"{key} {text}{f' at {when}' if when else ''}")
    arm.draft.put_claim(identifier(name, arm.draft.claims), {**claimed, "unit": unit}, where, where)
