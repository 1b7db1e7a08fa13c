"""F11: an accuracy that no number of right answers gives."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality, Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.training.dataset import counted as customary
from ..facts.training.proportions_of_examples import (
    Printed,
    attainable,
    averaged,
    bounded,
    counted,
    nearest_shares,
    printed_share,
    testable,
)
from ..facts.training.stated_quality import same_metric
from ..language.printed import Span, short, span
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..words import target_of

COUNTED = ("accuracy", "acc")
ROUNDED = 1e-6
"""What a record's own rounding of single precision may be off by."""
MOST_SIZES = 20_000
"""Sizes that are tried, at most: among so many one fits."""


class Stated(Struct, frozen=True):
    """A printed quality and its place, with the runs that it is a mean of."""

    at: str
    printed: str
    share: Printed
    runs: tuple[int, ...]


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    batch: float = Threshold(512, "examples per device and pass where the batch is not stated", "judgement")


@rule(
    "F11",
    "accuracy-not-attainable",
    effect=REFUTES,
    confidence=C3,
    applies="accuracy or has(n_examples)",
    origin="GRIM, MEAS",
    thresholds=Thresholds,
)
def accuracy_not_attainable(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An accuracy that no whole number of right answers out of the evaluated examples rounds to.

    ## What it does
    Looks for a whole number of right answers out of all examples (times the runs of a mean) that rounds to the printed
    digits, ties either way: for the claim's number, the quality behind it, and the value of every seed. Where a last
    batch may have been dropped or filled up, every size within a batch is tried. An accuracy above 100 % is
    wrong whatever the number of examples.

    ## Why it misleads
    A share of 10,000 images has four decimals at most. One that lies between two of them was counted on another
    set, with padding, or by another metric.

    ## Branches
    - (a) undermines, C3: no whole number of right answers gives the digits, and how many examples were counted is
      documented: right answers are logged, the last batch is said to be kept, or the batches fill the set. A caveat
      where the nearest share is within 1 % and no target lies between the two.
    - (b) refutes, C3: above 100 % or below 0, whatever the set; a caveat where percent and fraction were mixed up.
    - (c) refutes, C3: the record of the accuracy run prints a percentage that its own right answers and examples do not
      give; a caveat where it is by at most 1 %.
    - not applicable: the digits are too few to tell, the metric is no count over examples or an average over classes
      or views, its unit or the number of examples is not known, or a size within a batch fits.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"claims": {"accuracy": {"value": "100.40", "interval": null}},
     "arms": {"trained": {"quality": {"accuracy": {"value": "100.40", "interval": null}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, the mean of five runs on 10,000 images, to a digit that tells:
    ```json
    {"claims": {"accuracy": {"value": "94.502"}},
     "arms": {"trained": {"quality": {"accuracy": {"value": "94.502", "seeds": null}}}}}
    ```

    ## How to fix
    Say how many examples were counted, and what became of a last batch that was not full; report the count.

    ## References
    Brown and Heathers, The GRIM test (2017).
    """
    yield from _recorded(claim, case)
    quality = case.quality(claim.quality)
    if quality is None and claim.quantity != "accuracy":
        yield Inapplicable("the claim names no quality with its examples")
        return
    metric = claim.metric or (quality.metric if quality is not None else "")
    if quality is None:
        yield from _beyond(_own(claim, (1,)), metric)
        yield Inapplicable("the claim names no quality with its examples")
        return
    side = case.side(claim.quality)
    assert side is not None
    runs = _runs(quality, side)
    found = [item for item in (*_own(claim, runs), *_of_quality(quality, runs)) if item is not None]
    yield from _beyond(found, metric)
    table = customary(case, side.arm.options.dataset if side.arm.options is not None else None, quality.metric)
    examples = quality.examples or (table.examples if table is not None else None)
    if examples is None or not found or not runs:
        yield Inapplicable("the number, its unit, the examples it was counted on, or the runs of its mean are missing")
    elif counted(quality) is not True or averaged(quality) or (table is not None and table.is_count is False):
        yield Inapplicable("the metric is not known to be a count over the examples, or averages classes or views")
    elif not any(testable(item.share, examples * min(item.runs)) for item in found):
        yield Inapplicable(f"untestable: too few digits for {examples} examples")
    else:
        yield from _judged(claim, case, side, quality, examples, found, int(thresholds.batch))


def _recorded(claim: Claim, case: Case) -> Iterator[Violation]:
    """Yield an accuracy whose own record counts another share of right answers."""
    for run in case.runs(claim):
        record = run.run.record
        if record is None or record.correct is None or not record.examples:
            continue
        text = next((record.metrics[name] for name in COUNTED if name in record.metrics), None)
        if text is None or record.correct > record.examples:
            continue
        stated, share = span(text), Decimal(record.correct) / record.examples
        percent = Span(100 * share, 100 * share)
        counted_span = Span(share, share) if stated.low <= 1 else percent
        if not any(stated.meets(each.widened(ROUNDED)) for each in (counted_span, percent)):
            shown = f"{100 * share:.3f} %"
            message = f"the record prints {text} %; {record.correct} right answers of {record.examples} are {shown}"
            effect = weighed(REFUTES, gap(stated, counted_span))
            yield Violation("c", effect, C3, message, record.place("metrics"), f"{text} %", shown)


def _own(claim: Claim, runs: tuple[int, ...]) -> tuple[Stated, ...]:
    share = printed_share(claim.value, claim.unit) if claim.value is not None else None
    other = claim.form != "absolute" or claim.quantity != "accuracy"
    if claim.value is None or share is None or other or claim.qualifier is not None:
        return ()
    return (Stated(claim.place("value"), claim.value, share, runs),)


def _of_quality(quality: Quality, runs: tuple[int, ...]) -> Iterator[Stated]:
    share = printed_share(quality.value, quality.unit) if quality.value is not None else None
    if quality.value is not None and share is not None:
        yield Stated(quality.place("value"), quality.value, share, runs)
    for seed, text in quality.seeds.items():
        of_seed = printed_share(text, quality.unit)
        if of_seed is not None:
            yield Stated(quality.place("seeds", seed), text, of_seed, (1,))


def _runs(quality: Quality, side: Side) -> tuple[int, ...]:
    """Return how many runs a number may be the mean of; empty where it is a mean of an unknown number."""
    shown = sum(trial.kind == "convergence" and trial.outcome == "completed" for trial in side.arm.trials.values())
    n = quality.n.completed if quality.n is not None and quality.n.unit == "training_run" else None
    known = tuple(sorted({count for count in (len(quality.seeds), shown, n) if count}))
    mean = quality.averaging is not None and "mean" in quality.averaging.casefold()
    return known or (() if mean else (1,))


def _beyond(found: tuple[Stated, ...] | list[Stated], metric: str) -> Iterator[Branch]:
    if not bounded(metric):
        return
    for item in found:
        if item.share.share.low > 1 or item.share.share.high < 0:
            mixed = 2 < item.share.exact_share == Decimal(item.printed) <= 100
            hint = "; a factor 100 (percent against fractions) would explain it" if mixed else ""
            message = f"{item.printed} is {short(item.share.exact_share * 100)} %: no {metric or 'share'} is{hint}"
            yield Violation("b", CAVEAT if mixed else REFUTES, C3, message, item.at, item.printed)


def _judged(
    claim: Claim, case: Case, side: Side, quality: Quality, examples: int, found: list[Stated], batch: int
) -> Iterator[Branch]:
    targets = list(_targets(claim, case, quality))
    sizes = _sizes(side, quality, examples, batch)
    if len(sizes) > MOST_SIZES:
        yield Inapplicable("how many examples were counted is not known within a few thousand")
        return
    for item in found:
        fits = any(attainable(item.share, size * runs) for size in sizes for runs in item.runs)
        if fits or _mean_of_rounded(item, quality):
            if not attainable(item.share, examples * max(item.runs)):
                yield Inapplicable("another size within a batch, or another number of runs, fits")
            continue
        below, above = nearest_shares(item.share, examples * max(item.runs))
        total = f"{examples} examples" + (f" in {max(item.runs)} runs" if max(item.runs) > 1 else "")
        message = f"no number of right answers out of {total} gives {item.printed}: "
        message += f"the nearest are {below * 100:.6f} % and {above * 100:.6f} %"
        related = (Related(quality.place("examples"), "examples"),)
        share = item.share.exact_share
        distance = min(abs(share - below), abs(above - share)) / share if share else Decimal(1)
        effect = weighed(UNDERMINES, distance, any(below < target <= share for target in targets))
        yield Violation("a", effect, C3, message, item.at, item.printed, related=related)


def _targets(claim: Claim, case: Case, quality: Quality) -> Iterator[Decimal]:
    """Yield what the accuracy is held against, as shares: its target, and the quality of the reference."""
    target = target_of(claim, case)
    stated = [target.value] if isinstance(target, Target) and same_metric(target.metric, quality.metric) else []
    for text in (*stated, *([quality.reference] if quality.reference is not None else [])):
        share = printed_share(text, quality.unit if Decimal(text) > 1 else None)
        if share is not None:
            yield share.exact_share


def _sizes(side: Side, quality: Quality, examples: int, batch: int) -> range:
    """Return the numbers of examples that may have been counted."""
    devices = side.devices or 1
    size = quality.evaluation_batch
    fills = size is not None and examples % (size * devices) == 0
    if quality.last_batch == "kept" or fills or _logged(side, quality, examples):
        return range(examples, examples + 1)
    step = size or batch
    low = examples if quality.last_batch == "padded" else max(examples - step * devices, 1)
    high = examples if quality.last_batch == "dropped" else examples + step * devices
    return range(low, high + 1)


def _logged(side: Side, quality: Quality, examples: int) -> bool:
    """Whether the runs log the right answers out of just so many examples."""
    logs = [
        item
        for trial in side.arm.trials.values()
        for item in trial.evaluations
        if item.split == quality.split and item.correct is not None
    ]
    return bool(logs) and all(item.examples == examples for item in logs)


def _mean_of_rounded(item: Stated, quality: Quality) -> bool:
    """Whether a number is the mean of the seeds' values as printed, which are rounded themselves."""
    if not quality.seeds or item.runs == (1,) or (item.runs and len(quality.seeds) not in item.runs):
        return False
    spans = [span(text) for text in quality.seeds.values()]
    lows, highs = [value.low for value in spans], [value.high for value in spans]
    return span(item.printed).meets(Span(sum(lows, Decimal(0)) / len(lows), sum(highs, Decimal(0)) / len(highs)))
