"""Steps of an epoch, as a log counts them, held against the examples of the training set and the global batch."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from ..trace import Event, Logged

LEAST_EPOCHS = 2
SLACK = 1.2
"""Last batches are filled up or dropped, and sets padded to the number of workers: a tenth and more is not that."""
CLOSE = 0.02
"""How far from a whole number of passes an epoch may be: last batches are dropped or filled up in each."""
KEYS = ("epoch_start", "epoch_stop")


class Epochs(Struct, frozen=True):
    """Epochs of equal length.

    Attributes:
        event: the mark at which the last of them was counted.
        steps: steps of each.
        examples: examples of the training set, as logged before the start.
    """

    event: Event
    steps: int
    examples: int


def equal_epochs(run: Logged) -> Epochs | None:
    """Return the epochs of a run, where all that it marks have one number of steps; None where they do not."""
    sizes = run.trace.options.get("train_samples", ())
    if len(sizes) != 1 or not isinstance(sizes[0], float) or sizes[0] < 1:
        return None
    for key in KEYS:
        marks = [event for event in run.trace.of(key) if event.step is not None and event.epoch is not None]
        if any(event.samples is not None for event in marks):
            continue  # the mark itself says how many examples its epoch passed, as of epochs of the program's own
        ordered = all((left.epoch or 0) + 1 == right.epoch for left, right in pairwise(marks))
        steps = {(right.step or 0) - (left.step or 0) for left, right in pairwise(marks)}
        if len(marks) > LEAST_EPOCHS and ordered and len(steps) == 1 and (each := steps.pop()) >= 1:
            return Epochs(marks[-1], int(each), int(sizes[0]))
    return None


def other_batch(epochs: Epochs, batches: tuple[float, ...]) -> bool:
    """Whether an epoch of so many steps passes surely more or fewer examples than there are, under any batch given."""
    shares = [epochs.steps * batch / epochs.examples for batch in batches]
    # of few steps the last one, filled up or dropped, is a large part
    slack = SLACK + 1 / epochs.steps
    return bool(shares) and not any(1 / slack <= share <= slack for share in shares)


def passes(epochs: Epochs, batch: float) -> int:
    """Return how many times an epoch passes the set under a batch; 0 where that is surely no whole number of times."""
    share = epochs.steps * batch / epochs.examples
    times = round(share)
    return times if times >= 1 and abs(share - times) <= CLOSE * times + batch / epochs.examples else 0
