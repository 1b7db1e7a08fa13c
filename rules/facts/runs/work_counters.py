"""Counters of a training run, and the work that batch and steps, or epochs and the data set, make of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Trial
from ....schemas.options import Options
from ....schemas.submission import Claim
from ...case import Case, Side
from ...language.printed import Span
from ..series.per_trial import same_options

LOOSE = Decimal(1) / 3
"""Where the length of an epoch is not known, it is taken to hold at least three batches."""


class Mark(Struct, frozen=True):
    """Counters of one training run at one moment.

    Attributes:
        trial: id of the run.
        at: place of the counters.
        samples: training samples seen.
        step: optimizer steps done.
        epoch: epochs done.
    """

    trial: str
    at: str
    samples: float | None
    step: int | None
    epoch: float | None


def runs(side: Side) -> dict[str, Trial]:
    """Return the training runs of an arm under its own options."""
    return {
        name: trial
        for name, trial in side.arm.trials.items()
        if trial.kind == "convergence" and same_options(side, trial)
    }


def marks(side: Side) -> Iterator[Mark]:
    """Yield the counters of every evaluation and every recorded crossing of an arm's runs."""
    for name, trial in runs(side).items():
        for item in trial.evaluations:
            yield Mark(name, item.at, item.samples, item.step, item.epoch)
        if trial.crossing is not None:
            yield Mark(name, trial.crossing.at, trial.crossing.samples, trial.crossing.step, None)


def train_examples(claim: Claim, case: Case, side: Side) -> tuple[int, str] | None:
    """Return the size of the training set, with its place: of the arm's split, else of the claim's table."""
    split, table = side.arm.splits.get("train"), case.table(claim)
    if split is not None and split.examples is not None:
        return split.examples, split.place("examples")
    if table is not None and table.dataset_examples is not None:
        return table.dataset_examples, table.place("dataset_examples")
    return None


def samples_after(options: Options, steps: int) -> Decimal | None:
    """Return the samples that so many steps process, along the schedule of the global batch where there is one."""
    if options.global_batch is None:
        return None
    schedule = sorted(options.batch_schedule, key=lambda item: item.from_samples)
    done, left, batch = Decimal(0), steps, options.global_batch
    for item in schedule:
        needed = max(math.ceil((item.from_samples - done) / batch), 0)
        if needed >= left:
            break
        done, left, batch = done + needed * batch, left - needed, item.global_batch
    return done + left * batch


def within(samples: float, expected: float, batch: int | None, epochs: float | None) -> bool:
    """Whether samples lie well within the slack around an expected number: floating point spares the exact test."""
    off = expected / 3 if batch is None or epochs is None else batch * max(epochs, 1.0)
    return abs(samples - expected) <= 0.999 * off


def slack(expected: Decimal, batch: int | None, epochs: float | None) -> Span:
    """Return what may be seen in place of the expected samples: a last batch is dropped or filled up in every epoch."""
    if batch is None or epochs is None:
        off = expected * LOOSE
    else:
        off = Decimal(batch) * max(math.ceil(epochs), 1)
    return Span(max(expected - off, Decimal(0)), expected + off)


def largest_batch(options: Options | None) -> int | None:
    """Return the largest global batch of an option set; None where none is stated."""
    if options is None or options.global_batch is None:
        return None
    return max([options.global_batch, *(item.global_batch for item in options.batch_schedule)])
