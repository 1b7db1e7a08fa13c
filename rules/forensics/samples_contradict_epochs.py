"""F03: training samples that epochs and the data set do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.runs.work_counters import largest_batch, marks, runs, slack, train_examples, within
from ..language.printed import Span, short
from ..language.reading import read
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule


class Worked(Struct, frozen=True):
    """Samples beside the epochs in which they were seen.

    Attributes:
        at: place of the samples.
        samples: as stated.
        epochs: as stated, from the fewest to the most that the counter may mean.
        expected: samples that the epochs hold, with what dropped batches change.
    """

    at: str
    samples: float
    epochs: str
    expected: Span
    exactly: Span


@rule(
    "F03",
    "samples-contradict-epochs",
    effect=REFUTES,
    confidence=C3,
    applies="training and has(counters)",
    origin="J",
)
def samples_contradict_epochs(claim: Claim, case: Case) -> Iterator[Branch]:
    """Training samples that are not the epochs times the examples of the training set.

    ## What it does
    Multiplies the planned epochs with the size of the training set and compares the product with the planned samples
    of every run, and does the same for the counters of every evaluation. A last batch may be dropped or filled up in
    every epoch. A whole number of epochs at an evaluation may be counted from 0, from 1, or cut off.

    ## Why it misleads
    Either the training set is another one, or less of it was seen than the number of epochs says.

    ## Branches
    - (a) refutes, C3: samples and epochs times examples are apart by more than one batch per epoch; a caveat where
      that is at most 1 %.
    - not applicable: the size of the training set, the epochs or the samples are not given everywhere; or a part of
      the set, or a repeated one, is said to be used.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"splits": {"train": {"examples": 100000}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose 40 epochs hold 48 full batches of 1024 each.

    ## How to fix
    Correct the epochs, the size of the set or the counter.

    ## References
    Arithmetic: an epoch sees every example once.
    """
    side = case.subject(claim)
    size = train_examples(claim, case, side) if side is not None else None
    if side is None or size is None or _repeats(side):
        yield Inapplicable("the size of one epoch is not known: no training split is stated, or a part of it is used")
        return
    planned, whole = _planned(side, size[0])
    seen, complete = _seen(side, size[0])
    if not planned or not seen or not whole or not complete:
        yield Inapplicable("epochs and samples are not both given for every plan and every evaluation")
    off = [item for item in (*planned, *seen) if item is not None and not item.expected.meets(given(item.samples))]
    if off:
        worst = max(off, key=lambda item: gap(given(item.samples), item.expected))
        cause = likely_cause(given(worst.samples), worst.exactly, counts_of(side))
        message = (
            f"{worst.epochs} epochs of {size[0]} examples are {worst.exactly} samples; {short(worst.samples)} are "
            f"stated ({len(off)} of {len(planned) + len(seen)} places){cause}"
        )
        effect = weighed(REFUTES, gap(given(worst.samples), worst.exactly))
        related = (Related(size[1], "size of the training set"),)
        yield Violation("a", effect, C3, message, worst.at, short(worst.samples), str(worst.exactly), related)


def _repeats(side: Side) -> bool:
    options = side.arm.options
    texts = (options.dataset, options.augmentation, options.preprocessing) if options is not None else ()
    read_ = [read(text) for text in texts if text is not None]
    return any(words.has("other_epoch", affirmed=False) or words.quantities("percent") for words in read_)


def _planned(side: Side, examples: int) -> tuple[list[Worked], bool]:
    """Return the planned work of every run beside the planned epochs, and whether every run states its own."""
    epochs = side.arm.options.epochs if side.arm.options is not None else None
    found = [(trial.at, trial.planned_samples) for trial in runs(side).values()]
    stated = [(at, samples) for at, samples in found if samples is not None]
    if epochs is None:
        return [], False
    worked = [_worked(side, at, samples, (given(epochs), epochs), examples) for at, samples in stated]
    return worked, len(stated) == len(found)


def _seen(side: Side, examples: int) -> tuple[list[Worked | None], bool]:
    """Return the work at every evaluation beside its epoch, None where it surely fits, and whether each states both."""
    found = [mark for mark in marks(side) if "/evaluations/" in mark.at]
    batch = largest_batch(side.arm.options)
    worked: list[Worked | None] = []
    for mark in found:
        if mark.samples is not None and mark.epoch is not None:
            if within(mark.samples, mark.epoch * examples, batch, mark.epoch):
                worked.append(None)
                continue
            epochs = given(mark.epoch)
            if float(mark.epoch).is_integer():
                epochs = Span(max(epochs.low - 1, Decimal(0)), epochs.high + 1)
            worked.append(_worked(side, mark.at, mark.samples, (epochs, mark.epoch), examples))
    return worked, len(worked) == len(found)


def _worked(side: Side, at: str, samples: float, epochs: tuple[Span, float], examples: int) -> Worked:
    interval, stated = epochs
    batch = largest_batch(side.arm.options)
    low, high = (slack(end * examples, batch, float(end)) for end in (interval.low, interval.high))
    exactly = Decimal(repr(float(stated))) * examples
    return Worked(at, samples, f"{stated:g}", Span(low.low, high.high), Span(exactly, exactly))
