"""The lines of a training's log that print its numbers, each with the epoch and the step that it is of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..report_file import ReportFile
from .lexer import Progress, Reading, lex
from .quantities import Quantity, is_loss, quantity_of, split_of_key

MOST_LINES = 400_000
MOST_SILENT = 20_000
"""Lines before the first that counts the training."""
LEAST = 3
"""Epochs or steps, one after the other, that make a log."""
MOST_RESTARTS = 0.2
"""Share of the counts that may be smaller than that before: a run that was taken up again."""
TRAINED = frozenset({"", "train"})
_DOCUMENT = Pattern(r"^```|^\|? ?:?-{3,}:? ?\||\]\([a-z/.]|^\s{0,8}</[a-z]{1,6}[1-6]?>")


class Number(Struct, frozen=True):
    """A number of a line that tells what it is: name, digits, place and quantity, and the split of a quality."""

    key: str
    value: str
    line: int
    column: int
    quantity: Quantity
    split: str = ""


class Line(Struct, frozen=True):
    """The numbers of one line.

    Attributes:
        epoch: the epoch that it is of.
        step: the step of the whole training.
        of_steps: whether it counts steps, not epochs alone.
        counts: whether it says so itself; any other is of the epoch and step before it.
        numbers: what it prints.
    """

    epoch: float | None
    step: int | None
    of_steps: bool
    counts: bool
    numbers: tuple[Number, ...]


def lines_of(file: ReportFile) -> tuple[Line, ...]:
    """Return the lines of a log; nothing where the file is no log of a training."""
    if file.json is not None or file.json_lines or is_document(file):
        return ()
    found = list(_readings(file))
    if not _is_training(found):
        return ()
    shapes = Counter(line.shape for line in found)
    steps: dict[tuple[str, ...], set[tuple[float | None, int | None]]] = {}
    for line in found:
        steps.setdefault(line.shape, set()).add((line.epoch, line.step))
    counted = [n for n, line in enumerate(found) if line.counts and line.numbers]
    if len(counted) < LEAST:
        counted = [n for n, line in enumerate(found) if line.counts]
    first = counted[0] if counted else len(found)
    begun = counted[LEAST - 1] if len(counted) >= LEAST else first
    kept = []
    for n, line in enumerate(found):
        # what recurs without the training going on is about something else: a start, the ranks of a step
        once = shapes[line.shape] == 1 and n > begun
        recurs = line.counts or once or len(steps[line.shape]) >= max(min(shapes[line.shape], LEAST), 2)
        if line.numbers and n >= first and recurs:
            kept.append(Line(line.epoch, line.step, line.of_steps, line.counts, line.numbers))
    return tuple(kept)


def is_document(file: ReportFile) -> bool:
    """Whether a text is written for readers: it has links, tables, or blocks of code."""
    return any(_DOCUMENT.search(line[:400]) for line in file.lines[:MOST_LINES])


class _Found(Struct, frozen=True):
    epoch: float | None
    step: int | None
    of_steps: bool
    counts: bool
    shape: tuple[str, ...]
    numbers: tuple[Number, ...]


def _readings(file: ReportFile) -> Iterator[_Found]:
    """Yield what the lines print; a line that counts nothing is of the epoch and step before it."""
    epoch: float | None = None
    step: int | None = None
    lowest: float | None = None
    begun = False
    for number, text in enumerate(file.lines[:MOST_LINES], 1):
        if number > MOST_SILENT and not begun:
            return
        reading = lex(text)
        at = reading.progress
        if _is_partial(at, reading.split):
            continue
        counts = at.epoch is not None or at.step is not None
        if at.epoch is not None:
            epoch, lowest = at.epoch, at.epoch if lowest is None else min(lowest, at.epoch)
            step = None if at.inner is None or reading.split not in TRAINED else step
        within = _within(at, lowest) if reading.split in TRAINED else None
        step = at.step if at.step is not None else within if within is not None else step
        begun = begun or counts
        numbers = tuple(_numbers(reading, number))
        if numbers or counts:
            shape = tuple(each.key for each in reading.named)
            yield _Found(epoch, step, at.inner is not None or at.step is not None, counts, shape, numbers)


def _is_partial(at: Progress, split: str) -> bool:
    """Whether a line stands in the middle of an evaluation, or of an epoch without saying which."""
    if at.inner is None or at.inner[1] is None or at.inner[0] >= at.inner[1] - (split not in TRAINED):
        return False
    return split not in TRAINED or (at.epoch is None and at.step is None)


def _within(at: Progress, lowest: float | None) -> int | None:
    """Return the step of the whole training where a line counts the steps of an epoch, from 0 or 1."""
    if at.epoch is None or at.inner is None or at.inner[1] is None:
        return None
    return int((at.epoch - min(lowest or 0, 1)) * at.inner[1]) + at.inner[0]


def _numbers(reading: Reading, line: int) -> Iterator[Number]:
    """Yield the numbers of a line that tell what they are.

    A quality without a split is of that of the line, or of the name before it: "val loss: 0.3, accuracy: 0.9".
    """
    split, taken = reading.split, set()
    for named in reading.named:
        quantity = quantity_of(named.key, named.unit)
        if quantity is None or named.key in taken:
            continue
        taken.add(named.key)
        own = split_of_key(named.key) if quantity.kind == "quality" else ""
        if own == "unlabelled":
            own = split or ("train" if is_loss(named.key) else own)
        elif own and " " in named.key.strip():
            split = own
        yield Number(named.key, named.value, line, named.column, quantity, own)


def _is_training(found: list[_Found]) -> bool:
    """Whether numbers follow each other by a count of epochs or steps that grows."""
    held = [line for line in found if line.numbers and (line.epoch, line.step) != (None, None)]
    stepped = [line for line in held if line.step is not None]  # an evaluation of an epoch may tell no step
    counts = [(line.epoch or 0.0, float(line.step or 0)) for line in stepped or held]
    told = any(number.quantity.kind == "quality" for line in found for number in line.numbers) or len(counts) > LEAST
    steps = [one != other for one, other in pairwise(counts)]
    falls = sum(other < one for one, other in pairwise(counts))
    return told and len(set(counts)) >= LEAST and falls <= MOST_RESTARTS * max(sum(steps), 1)
