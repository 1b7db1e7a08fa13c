"""Tables whose rows are the epochs or steps of one training: evaluations of a run, and claims of the last one alone.

So a model card of the Trainer lists its evaluations, and a README the log of a training. The rows have to follow each
other by a column `Epoch`, `Step` or `Iteration`, and no other column may tell them apart: a table of several runs, each
with its number of epochs, is none.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ....rules.language import lexicon
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..curves.columns import NO_NUMBERS, ends
from ..draft import Origin, identifier
from ..drafting import ArmDraft, Drafting
from ..records import quality_claim
from .cells import Number, number
from .grids import Cell
from .roles import RATIOS, VALUES
from .series import NONE, Columns

if TYPE_CHECKING:
    from ..fields import EvaluationFields, QualityFields

TRAINER = {"training loss", "epoch", "step", "validation loss"}
"""Headings that the Trainer writes into its model cards: its other columns are of the validation data, too."""
MOST_ROWS = 10_000
_CAMEL = Pattern(r"(?<=[a-z])(?=[A-Z][a-z])")


def heading_split(heading: str) -> str | None:
    """Return the split that the heading of a quality names, where each of its words is known; None where none is.

    "Training loss" and "Acc (val)" name one; "post-training accuracy" and "std dev" are about something else.
    """
    words = re.findall(r"[a-z0-9]+", _CAMEL.sub(" ", heading).casefold())
    splits, metrics = lexicon.classes("columns", "splits"), lexicon.words("columns", "words_of_metrics")
    named = {splits[word] for word in words if word in splits}
    known = all(word in splits or word in metrics or word.isdigit() for word in words)
    return named.pop() if len(named) == 1 and known and len(words) > 1 else None


def _is_loss(name: str) -> bool:
    return read(name, "header").has("curve.loss", affirmed=False)


def draft_epochs(draft: Drafting, file: str, found: Columns, position: int) -> bool:
    """Draft a table as the curve of one training; return whether it is one."""
    progress, metrics = _progress(found), _metrics(found)
    if not progress or not metrics or not _is_curve(found, progress, metrics):
        return False
    arm = draft.arm(identifier(f"t{position}", draft.arms))
    head = found.grid.header[0]
    evaluations: list[EvaluationFields] = []
    for index, row in enumerate(found.grid.rows):
        held = _evaluations(found, index, progress, metrics)
        for each in held:
            arm.place(Origin(file, row[0].line, row[0].column), "trials", "t1", "evaluations", len(evaluations))
            evaluations.append(each)
    lost = any(value is None and _is_loss(name) for name, value in ends(evaluations).items())
    label = found.grid.title or found.grid.sentence or "the training"
    where, outcome = Origin(file, head.line, head.column), "diverged" if lost else "completed"
    arm.put(where, label=label[:4000])
    arm.put_trial("t1", {"kind": "convergence", "outcome": outcome, "evaluations": evaluations}, where)
    for column, split in metrics.items():
        _claim_last(arm, file, found, column, split, progress)
    for index, cell in enumerate(found.grid.header):
        if index not in metrics and index not in progress and cell.text:
            draft.unused.append(f"{cell.text}: one value of each {found.grid.header[next(iter(progress))].text}")
    return True


def _progress(found: Columns) -> dict[int, str]:
    """Return epoch and step by column, the first of each."""
    known = lexicon.classes("columns", "progress")
    named = {i: known[text] for i, cell in enumerate(found.grid.header) if (text := cell.text.casefold()) in known}
    return {i: name for i, name in named.items() if name not in list(named.values())[: list(named).index(i)]}


def _metrics(found: Columns) -> dict[int, str]:
    """Return the split of each column that holds a quality."""
    headings = {cell.text.casefold() for cell in found.grid.header}
    splits: dict[int, str] = {}
    for index, (cell, role) in enumerate(zip(found.grid.header, found.roles, strict=True)):
        split = heading_split(cell.text)
        if split is not None or role.role == "accuracy":
            splits[index] = split or ("validation" if headings >= TRAINER else "unlabelled")
    named = {_bare(found.grid.header[index].text) for index, split in splits.items() if split == "validation"}
    for index, split in splits.items():
        heading = found.grid.header[index].text
        if split == "unlabelled" and _bare(heading) in named and not headings >= TRAINER:
            splits[index] = "train"  # beside "val loss", "loss" is that of the training
    return splits


def _bare(heading: str) -> str:
    words = re.findall(r"[a-z0-9]+", _CAMEL.sub(" ", heading).casefold())
    return " ".join(word for word in words if word not in lexicon.classes("columns", "splits"))


def _is_curve(found: Columns, progress: dict[int, str], metrics: dict[int, str]) -> bool:
    """Whether rows follow each other in one training: progress that grows, and nothing else that tells them apart.

    Plural headings alone count what a whole run took.
    """
    rows = found.grid.rows
    plural = [found.grid.header[index].text.casefold().endswith("s") for index in progress]
    said = any(cell.text and cell.text not in found.guessed for cell in found.grid.header)
    if not 2 <= len(rows) <= MOST_ROWS or all(plural) or said:
        return False
    for index in progress:
        values = [number(row[index].text) for row in rows]
        kept = [float(value.printed) for value in values if value is not None and not value.unit]
        if len(kept) < len(rows) or any(after < before for before, after in pairwise(kept)):
            return False
    if len({tuple(row[index].text for index in progress) for row in rows}) < len(rows):
        return False
    for index, role in enumerate(found.roles):
        if index in progress or index in metrics:
            continue
        texts = {row[index].text for row in rows} - {""}
        numbers = [number(text) for text in texts if text.casefold() not in NONE]
        if role.role in {"rate", "latency", "mfu", "flops", *RATIOS, "seed", "mean"}:
            return False
        if role.role not in (*VALUES, "extra") and len(texts) > 1:
            return False
        if len(texts) > 1 and not all(numbers):
            return False
    return True


def _number(found: Columns, row: int, column: int) -> Number | None:
    read = found.number(row, column) if found.roles[column].role in VALUES else None
    return read or number(found.grid.rows[row][column].text)


def _evaluations(found: Columns, row: int, progress: dict[int, str], metrics: dict[int, str]) -> list[EvaluationFields]:
    """Return the evaluations of a row, one for each split."""
    cells = found.grid.rows[row]
    place: EvaluationFields = {}
    for index, name in progress.items():
        value = float(number(cells[index].text).printed)  # type: ignore[union-attr]
        if 0 <= value < 2**53 and (name == "epoch" or value.is_integer()):
            place |= {"epoch": value} if name == "epoch" else {"step": int(value)}
    by_split: dict[str, dict[str, float | None]] = {}
    for index, split in metrics.items():
        read = _number(found, row, index)
        if cells[index].text.casefold().lstrip("+-") in NO_NUMBERS:
            by_split.setdefault(split, {})[found.grid.header[index].text[:200]] = None
        elif read is not None and abs(float(read.printed)) < 1e300:
            by_split.setdefault(split, {})[found.grid.header[index].text[:200]] = float(read.printed)
    return [{"split": split, **place, "metrics": held} for split, held in by_split.items()]


def _claim_last(arm: ArmDraft, file: str, found: Columns, column: int, split: str, progress: dict[int, str]) -> None:
    """Put the last value of a quality, and claim it where it is not of the training data."""
    heading, rows = found.grid.header[column].text, found.grid.rows
    row = next((n for n in reversed(range(len(rows))) if rows[n][column].text.casefold() not in {"", "-", "--"}), None)
    read = _number(found, row, column) if row is not None else None
    if row is None or read is None:
        arm.draft.unused.append(f"{heading}: it is no number at its last evaluation")
        return
    cell: Cell = rows[row][column]
    where = Origin(file, cell.line, cell.column)
    key = identifier(heading, arm.quality)
    unit = "%" if read.unit == "%" or found.roles[column].unit == "%" else None
    quality: QualityFields = {"metric": heading[:4000], "split": split, "checkpoint": "the last evaluation"}
    arm.put_quality(key, {**quality, "unit": unit, "value": read.printed}, where, where)
    if read.spread is not None:
        arm.add_quality(key, where, plus_minus={"value": read.spread, "label": "unlabelled"})
    if split == "train" or (split == "unlabelled" and _is_loss(heading)):
        return
    reached = ", ".join(f"{found.grid.header[i].text} {rows[row][i].text}" for i in progress)
    title = f"{found.grid.title}: " if found.grid.title else ""
    claim = quality_claim(arm.key, key, heading, read.printed, f"{title}{heading} {cell.text} at {reached}")
    id_ = identifier(f"{arm.key}-{key}", arm.draft.claims)
    arm.draft.put_claim(id_, {**claim, "unit": unit, "qualifier": read.qualifier}, where, where)
