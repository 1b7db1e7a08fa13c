"""F02: training samples that batch and steps do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Trial
from ...schemas.options import Options
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_of
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.runs.work_counters import Mark, largest_batch, marks, runs, samples_after, slack, train_examples, within
from ..language.printed import Span, short
from ..outcome import C3, REFUTES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

PROVIDE = """\
claims:
  time:
    crossing_samples: 2048000     # the steps after which the target is met, times the global batch
"""


class Counted(Struct, frozen=True):
    """The samples of one mark beside what its steps give."""

    mark: Mark
    stated: Span
    expected: Decimal
    allowed: Span


@rule(
    "F02",
    "samples-contradict-batch-and-steps",
    effect=REFUTES,
    confidence=C3,
    applies="training and has(counters)",
    origin="J",
)
def samples_contradict_batch_and_steps(claim: Claim, case: Case) -> Iterator[Branch]:
    """Training samples that are not the optimizer steps times the global batch.

    ## What it does
    Multiplies the stated global batch (along its schedule) with the optimizer steps of every evaluation and recorded
    crossing, and compares the product with the samples there. A last batch may be dropped or filled up in every epoch;
    where the length of an epoch is not known, up to a third of the samples. Counters that begin at another point than
    zero are compared from their first mark on. Samples to the target that the claim states are held against the steps
    after which its runs record the target.

    ## Why it misleads
    Samples to the target, epochs and rates all hang on the batch. If it is not the one that ran, none of them holds.

    ## Branches
    - (a) refutes, C3: samples and steps times batch are apart by more than one batch per epoch; a caveat where that is
      at most 1 %.
    - not shown: the samples to the target are fewer than the steps to it make, and lie between two evaluations: whether
      the claim was read off between them is not stated.
    - not applicable: no evaluation states both counters, some state one only, or both begin at different points.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"options": {"global_batch": 512}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`: 1920 steps of 1024 samples are 1966080 samples.

    ## How to fix
    Correct the batch or the counter; say where samples are counted that the optimizer never saw.

    ## References
    Arithmetic: every step processes one global batch.
    """
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    if side is None or options is None or options.global_batch is None:
        yield Inapplicable("no global batch is stated")
        return
    yield from _of_claim(claim, case, side, options)
    found = [mark for mark in marks(side) if mark.samples is not None or mark.step is not None]
    size = train_examples(claim, case, side)
    both = [mark for mark in found if mark.samples is not None and mark.step is not None]
    if not both or len(both) < len(found):
        yield Inapplicable("samples and steps are not both given everywhere")
    examples = size[0] if size is not None else None
    if all(_fits(mark, options, examples) for mark in both):
        return
    counted = [item for mark in both if (item := _counted(mark, options, examples)) is not None]
    off = [item for item in counted if not item.allowed.meets(item.stated)]
    if off and _begins_elsewhere(counted):
        yield Inapplicable("the counters begin at different points")
    elif off:
        worst = max(off, key=lambda item: gap(item.stated, item.allowed))
        exactly = Span(worst.expected, worst.expected)
        cause = likely_cause(worst.stated, exactly, counts_of(side))
        message = (
            f"{worst.mark.step} steps of {largest_batch(options)} samples are {short(worst.expected)} samples; "
            f"{short(worst.mark.samples or 0)} are stated ({len(off)} of {len(counted)} marks){cause}"
        )
        related = (Related(options.place("global_batch"), "global batch"),)
        effect = weighed(REFUTES, gap(worst.stated, exactly))
        stated = short(worst.mark.samples or 0)
        yield Violation("a", effect, C3, message, worst.mark.at, stated, short(worst.expected), related)


def _of_claim(claim: Claim, case: Case, side: Side, options: Options) -> Iterator[Branch]:
    """Yield claimed samples to the target that are not the recorded steps to it times the batch."""
    reached = [trial for trial in runs(side).values() if trial.crossing is not None and trial.crossing.reached]
    size = train_examples(claim, case, side)
    found = [_crossed(trial, options, size[0] if size is not None else None) for trial in reached]
    counted = [item for item in found if item is not None and item.allowed.meets(item.stated)]
    if claim.crossing_samples is None or not counted or len(counted) < len(reached):
        return
    stated = given(claim.crossing_samples)
    first, last = (pick(counted, key=lambda item: item.expected) for pick in (min, max))
    if stated.meets(Span(first.allowed.low, last.allowed.high)):
        return
    at, printed = claim.place("crossing_samples"), short(claim.crossing_samples)
    steps = f"{first.mark.step} steps of {largest_batch(options)} samples"
    message = f"{printed} samples to the target are claimed; {steps} after which it is met are {short(first.expected)}"
    if not min(map(_last_before, reached)) <= claim.crossing_samples <= last.expected:
        related = (Related(options.place("global_batch"), "global batch"), Related(first.mark.at, "where it is met"))
        effect = weighed(REFUTES, min(gap(stated, first.allowed), gap(stated, last.allowed)))
        yield Violation("a", effect, C3, message, at, printed, short(first.expected), related)
    elif not words_of(claim).has("interpolated", affirmed=False):
        message += ": whether it was read off between two evaluations is not stated"
        yield NotShown(message, at, provide=PROVIDE, question=True)


def _crossed(trial: Trial, options: Options, examples: int | None) -> Counted | None:
    crossing = trial.crossing
    if crossing is None or crossing.step is None:
        return None
    return _counted(Mark("", crossing.at, crossing.samples, crossing.step, None), options, examples)


def _last_before(trial: Trial) -> float:
    """Return the samples of a run's last evaluation before its crossing; 0 where there is none."""
    crossing = trial.crossing
    at = crossing.step if crossing is not None else None
    earlier = [item for item in trial.evaluations if item.step is not None and at is not None and item.step < at]
    return max((item.samples or 0.0 for item in earlier), default=0.0)


def _fits(mark: Mark, options: Options, examples: int | None) -> bool:
    """Whether a mark surely fits, along a constant batch: nearly all do."""
    if options.batch_schedule or options.global_batch is None or mark.samples is None or mark.step is None:
        return False
    expected = float(mark.step * options.global_batch)
    return within(mark.samples, expected, options.global_batch, _epochs(mark, examples))


def _epochs(mark: Mark, examples: int | None) -> float | None:
    if mark.epoch is not None or mark.samples is None:
        return mark.epoch
    return mark.samples / examples if examples else None


def _counted(mark: Mark, options: Options, examples: int | None) -> Counted | None:
    expected = samples_after(options, mark.step) if mark.step is not None else None
    if mark.samples is None or expected is None:
        return None
    allowed = slack(expected, largest_batch(options), _epochs(mark, examples))
    return Counted(mark, given(mark.samples), expected, allowed)


def _begins_elsewhere(counted: list[Counted]) -> bool:
    """Whether every run's counters agree from their first mark on, by at least two marks at different steps."""
    by_run: dict[str, list[Counted]] = {}
    for item in counted:
        by_run.setdefault(item.mark.trial, []).append(item)
    return all(_agrees_from_first(marks_of_run) for marks_of_run in by_run.values())


def _agrees_from_first(items: list[Counted]) -> bool:
    first = min(items, key=lambda item: item.expected)
    later = [item for item in items if item.expected > first.expected]
    return bool(later) and all(_same_distance(first, item) for item in later)


def _same_distance(first: Counted, item: Counted) -> bool:
    half = (item.allowed.high - item.allowed.low) / 2
    stated = Decimal(repr(float(item.mark.samples or 0))) - Decimal(repr(float(first.mark.samples or 0)))
    # The slack of both ends counts only where it is small beside the distance: else any two counters would agree.
    return abs(stated - (item.expected - first.expected)) <= min(half, (item.expected - first.expected) / 10)
