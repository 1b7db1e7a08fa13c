"""Training curves in tables: progress, time and metrics by column, as evaluations of one run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.language.reading import read
from ..draft import Origin, identifier, printed_text
from ..drafting import Drafting
from ..records import quality_claim
from ..report_file import ReportFile

if TYPE_CHECKING:
    from ..fields import EvaluationFields, QualityFields

MOST_EVALUATIONS = 20_000
MOST_CLAIMS = 20
MOST_RESTARTS = 0.2
"""Share of rows whose progress may be smaller than that before: a run that was taken up again, or several below each
other."""
ARM = "run"
PROGRESS = {
    "epoch": "epoch",
    "epochs": "epoch",
    "step": "step",
    "_step": "step",
    "global_step": "step",
    "trainer/global_step": "step",
    "iteration": "step",
    "iter": "step",
    "training_iteration": "step",
}
TIMES = {
    "hours": 3600.0,
    "accumulated_submission_time": 1.0,
    "_runtime": 1.0,
    "relative time (process)": 1.0,
    "wall_time_s": 1.0,
    "time_s": 1.0,
    "elapsed_s": 1.0,
}
RATES = frozenset({"lr", "learning_rate"})
RESTARTED = frozenset({"_runtime", "relative time (process)"})
"""Times of the running process: one that was resumed begins anew."""
NO_NUMBERS = frozenset({"nan", "inf", "infinity"})
SPLITS = ("validation", "test", "train")


class Curve(Struct, frozen=True):
    """The columns of a curve, by index.

    Attributes:
        header: the headings.
        progress: epoch and step, where there are such columns.
        time: the column of time with its seconds, or None.
        metrics: name and split of each column that holds a metric.
        keras: whether it is a history of Keras, which writes every metric in every row.
        runs: the run of each column that names one, where several runs stand side by side.
        examples: the column that counts the evaluated examples of a split, by split.
    """

    header: tuple[str, ...]
    progress: dict[str, int]
    time: tuple[int, float] | None
    metrics: dict[int, tuple[str, str]]
    keras: bool = False
    runs: dict[int, str] = {}
    examples: dict[str, int] = {}


def curve_of(file: ReportFile, metric_names: frozenset[str] = frozenset()) -> Curve | None:
    """Return the curve that a CSV or TSV file is, or None where it is none.

    Args:
        file: the file.
        metric_names: headings, in small letters, that hold metrics whatever they are called.
    """
    if len(file.table) < 2:
        return None
    header = file.table[0][1]
    plain = [heading.casefold() for heading in header]
    progress: dict[str, int] = {}
    for index, heading in enumerate(plain):
        if heading in PROGRESS:
            progress.setdefault(PROGRESS[heading], index)
    if not progress and plain[0] == "" and "loss" in plain:
        progress["epoch"] = 0  # a history of Keras that was saved with its index
    time = next(((index, TIMES[heading]) for index, heading in enumerate(plain) if heading in TIMES), None)
    if time is not None and plain[time[0]] in RESTARTED and not _rises(file, time[0]):
        time = None
    keras = any(heading.startswith("val_") for heading in plain) or plain[0] == ""
    if progress and (_of_many_runs(file) or not any(_advances(file, index) for index in progress.values())):
        return None
    taken = {*progress.values(), time[0] if time is not None else -1}
    names = frozenset(header)
    runs = {index: match for index, heading in enumerate(header) if (match := _run(heading, names)) is not None}
    metrics: dict[int, tuple[str, str]] = {}
    for index, heading in enumerate(header):
        name = heading.removeprefix(f"{runs[index]} - ") if index in runs else heading
        told = _says(name, "curve.quality") or heading.casefold() in metric_names
        if index not in taken and told and not heading.casefold().endswith(("__min", "__max")):
            metrics[index] = (name, split_of(name, keras))
    examples = {split: index for index, heading in enumerate(plain) if (split := _counts(heading)) is not None}
    told = bool(progress) or time is not None or _is_history(file, plain, metrics)
    if not metrics or not told:
        return None
    return Curve(header, progress, time, metrics, keras, runs, examples)


def _is_history(file: ReportFile, plain: list[str], metrics: Mapping[int, object]) -> bool:
    """Whether a table without an index is a history of Keras: metrics of several epochs, some with their `val_`."""
    paired = any(f"val_{heading}" in plain for heading in plain)
    others = [heading for index, heading in enumerate(plain) if index not in metrics]
    return paired and len(file.table) > 3 and all(heading in RATES for heading in others)


def _run(heading: str, header: frozenset[str]) -> str | None:
    """Return the run of a column in an export of Weights & Biases: `RUN - METRIC` beside `RUN - METRIC__MIN`."""
    run, _, name = heading.rpartition(" - ")
    return run if run and name and f"{heading}__MIN" in header else None


def _counts(heading: str) -> str | None:
    """Return the split whose evaluated examples a column counts, as AlgoPerf's `validation/num_examples`."""
    split, _, rest = heading.rpartition("/")
    return split if rest == "num_examples" and split in {"train", "validation", "test"} else None


def _rises(file: ReportFile, index: int) -> bool:
    values = [value for _, cells in file.table[1:] if (value := _real(cells, index)) is not None]
    return all(one <= other for one, other in pairwise(values))


def _advances(file: ReportFile, index: int) -> bool:
    """Whether a column holds how far one run had come: numbers that grow, and of which few are smaller than the last.

    A constant, as the epochs of several whole runs, is no progress. One row tells nothing: its heading decides.
    """
    values = [value for _, cells in file.table[1:] if (value := _real(cells, index)) is not None]
    steps = [after - before for before, after in pairwise(values)]
    if not steps:
        return bool(values) and not file.table[0][1][index].casefold().endswith("s")
    return sum(step > 0 for step in steps) > 0 and sum(step < 0 for step in steps) <= MOST_RESTARTS * len(steps)


def _of_many_runs(file: ReportFile) -> bool:
    """Whether most rows name a run, device or method of their own."""
    rows = file.table[1:]
    for index, heading in enumerate(file.table[0][1]):
        if read(heading, "header").is_only("names_a_run"):
            names = {cells[index] for _, cells in rows if index < len(cells) and cells[index]}
            if len(names) > max(1, len(rows) / 2):
                return True
    return False


def restarts(file: ReportFile, curve: Curve) -> tuple[str, int] | None:
    """Return heading and line where the progress of a curve goes back to where it began: there another run begins."""
    for index in curve.progress.values():
        values = [(line, v) for line, cells in file.table[1:] if (v := _real(cells, index)) is not None]
        for (_, before), (line, after) in pairwise(values):
            if after < before and after <= values[0][1]:
                return curve.header[index], line
    return None


def split_of(heading: str, keras: bool = False) -> str:
    """Return the split that a heading names."""
    named = next((split for split in SPLITS if _says(heading, f"split.{split}")), None)
    return named or ("train" if keras else "unlabelled")


def _says(heading: str, concept: str) -> bool:
    return read(heading, "header").has(concept, affirmed=False)


def draft_curve(draft: Drafting, file: ReportFile, curve: Curve) -> tuple[int, tuple[str, ...]] | None:
    """Draft the evaluations of a curve's runs; return line and cells of the last row that holds a metric."""
    last: tuple[int, tuple[str, ...]] | None = None
    for run, (key, columns) in _runs(curve).items():
        evaluations: list[EvaluationFields] = []
        arm = draft.arm(key)
        for line, cells in file.table[1:]:
            found = _evaluations(cells, curve, columns)
            if found and len(evaluations) < MOST_EVALUATIONS:
                for index in range(len(evaluations), len(evaluations) + len(found)):
                    arm.place(Origin(file.name, line, 1), "trials", "t1", "evaluations", index)
                evaluations += found
                last = (line, cells) if last is None or line > last[0] else last
        if len(evaluations) >= MOST_EVALUATIONS:
            draft.unused.append(f"rows beyond {MOST_EVALUATIONS:,} evaluations")
        if not evaluations:
            continue
        arm.put(Origin(file.name, file.table[0][0], 1), label=run or f"the run of {file.short_name}")
        lost = any(value is None and _says(name, "curve.lost") for name, value in ends(evaluations).items())
        outcome = "diverged" if lost else "completed"
        where = Origin(file.name, file.table[1][0], 1)
        arm.put_trial("t1", {"kind": "convergence", "outcome": outcome, "evaluations": evaluations}, where)
    used = {*curve.metrics, *curve.progress.values(), *curve.examples.values()}
    used.add(curve.time[0] if curve.time is not None else -1)
    if last is not None:
        draft.unused += [heading for index, heading in enumerate(curve.header) if index not in used and heading]
    return last


def _runs(curve: Curve) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Return arm and columns of each run, by its name; of a file that names none, those of the one run."""
    columns: dict[str, list[int]] = {}
    for index in curve.metrics:
        columns.setdefault(curve.runs.get(index, ""), []).append(index)
    found: dict[str, tuple[str, tuple[int, ...]]] = {}
    taken: dict[str, object] = {}
    for run, held in columns.items():
        arm = identifier(run, taken) if run else ARM
        taken[arm] = run
        found[run] = (arm, tuple(held))
    return found


def ends(evaluations: Iterable[EvaluationFields]) -> dict[str, float | None]:
    """Return the last value of each metric; None where that is no number."""
    return {name: value for each in evaluations for name, value in each["metrics"].items()}


def _evaluations(cells: tuple[str, ...], curve: Curve, columns: tuple[int, ...]) -> list[EvaluationFields]:
    """Return the evaluations that a row holds of a run, one for each split.

    What is printed as no number is null where the row holds another metric of the split, or every one as in Keras:
    elsewhere it may stand for what was not evaluated.
    """
    by_split: dict[str, list[int]] = {}
    for index in columns:
        by_split.setdefault(curve.metrics[index][1], []).append(index)
    found: list[EvaluationFields] = []
    for split, own in by_split.items():
        values = {index: _real(cells, index) for index in own}
        known = curve.keras or any(value is not None for value in values.values())
        kept = [index for index in own if values[index] is not None or (known and _no_number(cells, index))]
        if kept:
            metrics = {curve.metrics[index][0][:200]: values[index] for index in kept}
            evaluation: EvaluationFields = {"split": split, **_progress(cells, curve), "metrics": metrics}
            examples = _real(cells, curve.examples.get(split, -1))
            if examples is not None and examples.is_integer() and 0 < examples < 2**53:
                evaluation["examples"] = int(examples)
            found.append(evaluation)
    return found


def _no_number(cells: tuple[str, ...], index: int) -> bool:
    return index < len(cells) and cells[index].casefold().lstrip("+-") in NO_NUMBERS


def _progress(cells: tuple[str, ...], curve: Curve) -> EvaluationFields:
    found: EvaluationFields = {}
    epoch = _real(cells, curve.progress.get("epoch", -1))
    step = _real(cells, curve.progress.get("step", -1))
    if epoch is not None and epoch >= 0:
        found["epoch"] = epoch
    if step is not None and step >= 0 and step.is_integer() and step < 2**53:
        found["step"] = int(step)
    if curve.time is not None and (time := _real(cells, curve.time[0])) is not None and time >= 0:
        found["time_s"] = time * curve.time[1]
    return found


def _real(cells: tuple[str, ...], index: int) -> float | None:
    text = printed_text(cells[index]) if 0 <= index < len(cells) else None
    value = float(text) if text is not None else None
    return value if value is not None and abs(value) < 1e300 else None


def claim_last(draft: Drafting, file: ReportFile, curve: Curve, percent: bool) -> None:
    """Claim the last value of each metric that was not taken on the training data.

    Args:
        draft: what is written.
        file: the file.
        curve: its columns.
        percent: whether accuracies above 1 are percentages.
    """
    claimed = 0
    runs = _runs(curve)
    last = {
        run: ends(draft.arms[key]["trials"]["t1"]["evaluations"]) for run, (key, _) in runs.items() if key in draft.arms
    }
    for index, (name, split) in curve.metrics.items():
        held = [(line, cells) for line, cells in file.table[1:] if _real(cells, index) is not None]
        run = curve.runs.get(index, "")
        if run in last and last[run].get(name[:200], 0.0) is None:
            draft.unused.append(f"{curve.header[index]}: it is no number at its last evaluation")
            continue
        if not held or run not in last:
            continue
        line, cells = held[-1]
        value = printed_text(cells[index])
        where = Origin(file.name, line, max(file.line(line).find(cells[index]), 0) + 1)
        arm = draft.arm(runs[run][0])
        key = identifier(name, arm.quality)
        quality: QualityFields = {"metric": name[:4000], "split": split, "checkpoint": "the last evaluation"}
        high = max(_real(cells, index) or 0.0 for _, cells in held)
        if percent and 1.5 < high <= 100:
            quality["unit"] = "%"
        arm.put_quality(key, {**quality, "value": value}, where, where)
        if split == "train" or claimed >= MOST_CLAIMS:
            continue
        claimed += 1
        reached = ", ".join(f"{curve.header[i] or 'row'} {cells[i]}" for i in curve.progress.values() if i < len(cells))
        words = f"{run + ': ' if run else ''}{name} {value} at {reached or 'the last row'}"
        claim = quality_claim(arm.key, key, name, value or "", words)
        if "unit" in quality:
            claim["unit"] = quality["unit"]
        draft.put_claim(identifier(f"{arm.key}-{key}" if run else key, draft.claims), claim, where, where)
    if not claimed:
        draft.unused.append("no metric outside the training data: nothing is claimed")
