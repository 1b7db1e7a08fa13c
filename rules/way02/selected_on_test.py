"""W0203: the checkpoint was chosen on the test data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import prod
from statistics import fmean

from msgspec import Struct

from ...schemas.evidence import Evaluation, Quality, Target, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.numbers import exact
from ..facts.series.per_trial import same_options
from ..facts.training.convergence import HELD_OUT, first_crossing, in_order
from ..facts.training.final_quality import is_percent, of_one_scale, usable
from ..facts.training.stated_quality import same_metric, stated_quality
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C2, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median
from ..words import target_of

LEAST_RUNS = 3
CHANCE = 0.01
"""Of fewer runs the best value on one split may well be the best on another, too."""
PROVIDE = """\
arms:
  trained:
    quality:
      accuracy:
        checkpoint: last
        selection: {policy: final, evaluations: 90, split_used_for: [nothing]}
"""


class Run(Struct, frozen=True):
    """The evaluations of one run on the claimed split.

    Attributes:
        at: its place.
        values: in the order of the run.
        unchosen: the values that need no look at the others, by what picks them: the end, the first crossing of the
            target, the best validation point, a checkpoint that is named by its number.
    """

    at: str
    values: tuple[float, ...]
    unchosen: dict[str, float]


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    evaluations: float = Threshold(2, "test evaluations of a run", "exact: of one there is nothing to choose")


@rule(
    "W0203",
    "selected-on-test",
    effect=UNDERMINES,
    confidence=C2,
    applies="(accuracy or tta) and has(curve)",
    origin="S1.2",
    also=("W0306",),
    thresholds=Thresholds,
)
def selected_on_test(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The reported quality is the best of many evaluations on the test split.

    ## What it does
    Recomputes what the runs give: their last values, those at the first crossing of the target, those at the best
    validation point, those of a checkpoint that is named by its epoch or step; of each the single values, the mean and
    the median over runs. Where the printed digits hold none of them, but hold the best evaluations, the checkpoint was
    chosen by looking at the test data. It also reads a policy that says so. A policy of a validation split is believed
    where the runs hold evaluations on one, or their evaluations on the test split do not speak against it: the best of
    each of several runs at once is no accident, unless each holds a few evaluations only.

    ## Why it misleads
    The best of ninety looks at the test split is a tuned number: the split has become part of the training, and new
    data will not give the same.

    ## Branches
    - not applicable: no quality is stated, or not on held-out data; or no completed run holds evaluations there.
    - (a) undermines, C2: the claimed value is the best of at least two test evaluations, is neither the last nor a
      checkpoint declared before, and no validation split drove the choice; or the selection policy is the best on test.
    - not shown: of one or two runs the value is the best on the test split; it is said to be chosen on validation data,
      and the runs hold no evaluation there.
    - not shown: one test evaluation of each run is given, and how many there were is larger or not stated.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"claims": {"accuracy": {"value": "94.59"}}, "arms": {"trained": {"quality": {"accuracy": {"value": "94.59"}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, the mean of the last evaluations.

    ## How to fix
    Select on a validation split, and report the test value of the selected checkpoint.

    ## References
    Hoefler, Twelve ways to fool the masses, way 2.
    """
    stated = stated_quality(claim, case)
    if stated is None or stated.quality.split not in HELD_OUT:
        yield Inapplicable("no quality on held-out data is stated")
        return
    side, quality = stated.side, stated.quality
    policy = quality.selection.policy if quality.selection is not None else None
    declared = quality.selection.evaluations if quality.selection is not None else None
    runs = _runs(side, quality, target_of(claim, case))
    most = max((len(run.values) for run in runs), default=0)
    if policy == "best_on_test" and declared != 1:
        yield _violation(quality, "is said to be the best on the test split", None, None, runs)
        return
    if policy == "predeclared" or (policy == "best_on_validation" and (_validated(side, quality) or not most)):
        return
    if most < thresholds.evaluations:
        yield from _few(quality, policy, declared, most)
        return
    # Of so few evaluations the best on validation data may well be the best on the test split, too, in every run.
    accident = prod(1 / len(run.values) for run in runs)
    believed = policy == "best_on_validation" and (len(runs) < LEAST_RUNS or accident > CHANCE)
    for branch in _recomputed(claim, quality, runs):
        if believed and isinstance(branch, Violation):
            yield NotShown(f"{branch.message}; none on validation data", branch.at, "", PROVIDE)
        else:
            yield branch


def _validated(side: Side, quality: Quality) -> bool:
    """Whether the runs hold evaluations on a split that is neither the reported one nor that of training."""
    trials = side.arm.trials.values()
    return any(item.split not in {quality.split, "train"} for trial in trials for item in trial.evaluations)


def _few(quality: Quality, policy: str | None, declared: int | None, most: int) -> Iterator[Branch]:
    if declared == 1 and most == 1:
        return
    if policy == "final" and most == 1:
        return
    many = "how many there were is not stated" if declared is None else f"there were {declared}"
    what = "no evaluation" if most == 0 else "one evaluation"
    yield NotShown(f"{what} on the {quality.split} split is given for each run; {many}", quality.at, "", PROVIDE)


def _runs(side: Side, quality: Quality, target: object) -> list[Run]:
    found = []
    for trial in side.arm.trials.values():
        if trial.kind != "convergence" or trial.outcome != "completed" or not same_options(side, trial):
            continue
        log = [item for item in in_order(trial.evaluations) if item.split == quality.split]
        log = [item for item in log if usable(item.metrics.get(quality.metric))]
        if log:
            values = tuple(_value(item, quality.metric) for item in log)
            unchosen = {name: _value(item, quality.metric) for name, item in _unchosen(trial, log, quality, target)}
            found.append(Run(trial.at, values, unchosen))
    return found


def _value(item: Evaluation, metric: str) -> float:
    value = item.metrics[metric]
    assert value is not None
    return float(value)


def _unchosen(
    trial: Trial, log: Sequence[Evaluation], quality: Quality, target: object
) -> Iterator[tuple[str, Evaluation]]:
    """Yield the evaluations that can be reported without having looked at the others on this split."""
    yield "end", log[-1]
    if isinstance(target, Target) and same_metric(target.metric, quality.metric):
        crossing = first_crossing(trial, target)
        if crossing is not None and crossing in log:
            yield "crossing", crossing
    better = min if quality.direction == "lower" else max
    for split in {item.split for item in trial.evaluations} - {quality.split, "train"}:
        other = [item for item in trial.evaluations if item.split == split and usable(item.metrics.get(quality.metric))]
        if other:
            best = better(other, key=lambda item: _value(item, quality.metric))
            yield from ((split, item) for item in log if _one_time(item, best))
    named = {float(token.value) for token in read(quality.checkpoint or "").tokens if token.value is not None}
    yield from (("named", item) for item in log if named & {item.epoch, item.step, item.samples})


def _one_time(left: Evaluation, right: Evaluation) -> bool:
    pairs = ((getattr(left, name), getattr(right, name)) for name in ("step", "samples", "epoch", "time_s"))
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return bool(known) and all(a == b for a, b in known)


def _recomputed(claim: Claim, quality: Quality, runs: Sequence[Run]) -> Iterator[Branch]:
    own = claim.quantity == "accuracy" and claim.form == "absolute" and claim.value is not None
    text, unit = (claim.value, claim.unit) if own else (quality.value, quality.unit)
    if text is None or quality.direction is None:
        yield Inapplicable("the value, or which way it is better, is not stated")
        return
    printed = span(text, claim.qualifier, claim.digits) if own else span(text)
    every = [value for run in runs for value in run.values]
    factor = _factor(float(text), unit or quality.unit, every, quality.metric)
    half = _half(every) * factor
    better = min if quality.direction == "lower" else max
    averaged = len(runs) > 1 and read(quality.averaging or (claim.statement if own else "")).has("mean_or_median")
    unchosen = [
        value
        for kind in sorted({kind for run in runs for kind in run.unchosen})
        for value in _summaries([run.unchosen[kind] * factor for run in runs if kind in run.unchosen], averaged)
    ]
    if any(printed.meets(Span(exact(value - half).low, exact(value + half).high)) for value in unchosen):
        return
    best = [run for run in runs if not averaged or better(run.values) not in run.unchosen.values()]
    chosen = _summaries([better(run.values) * factor for run in runs], averaged=True)
    chosen += [better(run.values) * factor for run in best]
    if any(printed.meets(exact(value)) for value in chosen):
        last = short(fmean(run.values[-1] * factor for run in runs))
        yield _violation(quality, "is the best of several evaluations on the test split", text, last, runs)
    else:
        yield Inapplicable("the runs' evaluations do not give the stated value")


def _summaries(values: Sequence[float], averaged: bool) -> list[float]:
    """Return what a document may print of one value per run: their mean, their median, or a single one."""
    return [*(() if averaged else values), fmean(values), median(values)]


def _factor(claimed: float, unit: str | None, values: Sequence[float], metric: str) -> float:
    """Return what turns the runs' values into the scale of the printed number."""
    if of_one_scale((claimed,), values, metric) and not (is_percent(unit) and max(map(abs, values)) <= 1):
        return 1.0
    return 100.0 if is_percent(unit) or abs(claimed) > 1 else 0.01


def _half(values: Sequence[float]) -> float:
    """Return just under half a unit of the finest digit of the runs' values, so that neighbours stay apart."""
    exponents = [Decimal(repr(value)).normalize().as_tuple().exponent for value in values]
    finest = min((exponent for exponent in exponents if isinstance(exponent, int)), default=0)
    return 0.499 * 10.0 ** min(finest, 0)


def _violation(quality: Quality, what: str, claimed: str | None, last: str | None, runs: Sequence[Run]) -> Violation:
    n = max((len(run.values) for run in runs), default=0)
    value = claimed or quality.value or "the value"
    ends = f": the runs hold up to {n} of them and end at {last}" if last is not None else ""
    message = f"{quality.metric} {value} {what}{ends}"
    at = quality.place("selection") if quality.selection is not None and last is None else quality.place("value")
    related = tuple(Related(run.at, "a run and its evaluations") for run in runs[:5])
    return Violation("a", UNDERMINES, C2, message, at, claimed or quality.value, last, related)
