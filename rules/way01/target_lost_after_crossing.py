"""W0106: the target was reached, and lost again."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from msgspec import Struct

from ...schemas.evidence import Evaluation, Target, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.document.words import words_of
from ..facts.series.per_trial import same_options
from ..facts.training.convergence import first_crossing, judged, meets, metric_value
from ..facts.training.final_quality import is_percent, of_one_scale
from ..facts.training.stated_quality import same_metric
from ..facts.training.target import NOT_RUN, favourable_edge, stated_slack
from ..language.printed import short
from ..language.reading import Reading
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import target_of

PROVIDE = """\
convergence:
  stop_at_target: false     # evaluate on, at least twice, after the target is met
"""


OPEN = frozenset({"at_most", "at_least"})
NEAR = 60
"""Characters within which a number belongs to the words before it."""


class Later(Struct, frozen=True):
    """What a run did after its first crossing of the target.

    Attributes:
        trial: its id.
        at: its place.
        crossing: its first crossing.
        later: how many evaluations follow.
        missed: how many of them miss the target.
        longest: the longest row of misses.
        last: the last value.
        ends_below: whether the last evaluation misses the target.
    """

    trial: str
    at: str
    crossing: Evaluation
    later: int
    missed: int
    longest: int
    last: float
    ends_below: bool


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    later_evaluations: float = Threshold(2, "evaluations after the crossing", "judgement")


@rule(
    "W0106",
    "target-lost-after-crossing",
    effect=UNDERMINES,
    confidence=C3,
    applies="tta and has(curve)",
    origin="S1.1, MEAS",
    thresholds=Thresholds,
)
def target_lost_after_crossing(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A run meets its target once and falls short of it afterwards.

    ## What it does
    Finds the first crossing of every run and reads the evaluations after it. One of them misses the target when even
    the favourable edge of its printed digits does; where it saw a part of the evaluation set only, its standard error
    is added.

    A finished run alone says nothing about where it ended, so that the stronger branch needs the words of the claim:
    a model "trained to", "with" or with a "final" quality that the runs no longer have at their end. Words that say
    themselves that it is lost again ("a final 93.88 %, below 94 %") promise nothing.

    ## Why it misleads
    A curve that touches the target for one evaluation has been lucky once. What a user gets is what the run ends with.

    ## Branches
    - not applicable: no run is seen to cross the target (W0103 judges that).
    - (a) caveat, C3: a later evaluation of a run misses the target.
    - (b) undermines, C3: the runs end below it, no checkpoint declared before meets it, and the statement calls the
      target's value final or what the model was trained to. All runs do, or too many of them for chance.
    - not shown: fewer than 2 evaluations follow the crossing: stopped there, its stability is untested.
    - Where the criterion is the first crossing, (a) only.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"statement": "In 85.0 s the network is trained to 94 % test accuracy."}},
     "arms": {"trained": {"quality": null, "trials": {"s2": null, "s3": null, "s4": null, "s5": null, "s1": {
       "evaluations": [
         {"split": "test", "samples": 1474560, "time_s": 85.0, "examples": 10000, "metrics": {"accuracy": 0.9402}},
         {"split": "test", "samples": 1572864, "time_s": 95.3, "examples": 10000, "metrics": {"accuracy": 0.9391}},
         {"split": "test", "samples": 1671168, "time_s": 100.5, "examples": 10000, "metrics": {"accuracy": 0.9388}}
       ]}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose runs stay above the target once they are there.

    ## How to fix
    Report the first evaluation from which the target holds for three evaluations, or the share of seeds that hold it.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1.
    """
    side, target = case.subject(claim), target_of(claim, case)
    if side is None or not isinstance(target, Target):
        yield Inapplicable("the claim names no arm with runs and a target")
        return
    found = _after_crossing(side, target)
    if not found:
        yield Inapplicable("no run is seen to cross the target")
        return
    lost = [run for run in found if run.missed]
    below = [run for run in found if run.ends_below]
    of_arm = bool(below) and (len(below) == len(found) or of_the_arm(len(below), len(found)))
    if of_arm and _final_promised(claim, target) and not _checkpoint(side, target):
        yield _violation("b", target, below, len(found))
        return
    if lost:
        yield _violation("a", target, lost, len(found))
        return
    short_runs = [run for run in found if run.later < thresholds.later_evaluations]
    if short_runs:
        message = (
            f"{len(short_runs)} of {len(found)} runs stop at the crossing or one evaluation later: whether "
            f"{target.metric} stays at {target.value} is untested"
        )
        yield NotShown(message, min(run.at for run in short_runs), "", PROVIDE)


def _after_crossing(side: Side, target: Target) -> list[Later]:
    slack = stated_slack(side, target)
    runs = (
        (name, trial)
        for name, trial in side.arm.trials.items()
        if trial.kind == "convergence" and trial.outcome not in NOT_RUN and same_options(side, trial)
    )
    return [found for name, trial in runs if (found := _later(side, name, trial, target, slack)) is not None]


def _later(side: Side, name: str, trial: Trial, target: Target, slack: Decimal) -> Later | None:
    crossing, log = first_crossing(trial, target), judged(trial, target)
    if crossing is None:
        return None
    at = next(index for index, item in enumerate(log) if item is crossing)
    later = log[at + 1 :]
    misses = [not meets(favourable_edge(item, target, slack + _sampling(side, item, target)), target) for item in later]
    rows = [sum(1 for _ in group) for missed, group in groupby(misses) if missed]
    last = metric_value(log[-1], target)
    assert last is not None
    return Later(name, trial.at, crossing, len(later), sum(misses), max(rows, default=0), last, misses[-1:] == [True])


def _sampling(side: Side, item: Evaluation, target: Target) -> Decimal:
    """Return the standard error of a share of a part of the evaluation set; 0 where all of it was seen."""
    value = metric_value(item, target)
    whole = side.arm.splits.get(item.split)
    sizes = [whole.examples] if whole is not None else []
    sizes += [quality.examples for quality in side.arm.quality.values() if quality.split == item.split]
    size = max((count for count in sizes if count), default=0)
    if value is None or not item.examples or not item.examples < size or not 0 <= value <= 1:
        return Decimal(0)
    return Decimal(repr(math.sqrt(value * (1 - value) / item.examples)))


def _final_promised(claim: Claim, target: Target) -> bool:
    """Whether the statement calls the target's value final, or what the model was trained to."""
    if (claim.criterion or target.criterion) == "first_crossing" or claim.suite in {"training", "inference"}:
        return False
    return any(_promises(words, Decimal(target.value)) for words in words_of(claim))


def _promises(words: Reading, bound: Decimal) -> bool:
    """Whether a target follows on words such as "trained to", and none between them says that it was missed."""
    finals, lost = words.mentions("final_quality"), [item.start for item in words.mentions("target_lost")]
    ends = [item.end for item in finals]
    for number in words.numbers() if finals else ():
        at = words.tokens[number.first].start
        before = bisect_right(ends, at) - 1
        if before < 0 or at - ends[before] > NEAR or number.low not in {bound, 100 * bound, bound / 100}:
            continue
        missed = number.qualifier in OPEN or bisect_right(lost, at) > bisect_right(lost, ends[before])
        if not missed and not finals[before].negated:
            return True
    return False


def _checkpoint(side: Side, target: Target) -> bool:
    """Whether a checkpoint that was chosen before, or on other data, meets the target."""
    for quality in side.arm.quality.values():
        policy = quality.selection.policy if quality.selection is not None else None
        if quality.value is None or policy not in {"predeclared", "best_on_validation", "first_crossing"}:
            continue
        value = Decimal(quality.value) / (100 if is_percent(quality.unit) else 1)
        bound = float(target.value)
        if not of_one_scale((float(value),), (bound,), target.metric):
            value = value / 100 if value > 1 else value * 100
        if same_metric(quality.metric, target.metric) and meets(value, target):
            return True
    return False


def _violation(branch: str, target: Target, runs: Sequence[Later], n: int) -> Violation:
    worst = max(runs, key=lambda run: (run.ends_below, run.longest, run.missed, run.trial))
    where = f" after {short(worst.crossing.time_s)} s" if worst.crossing.time_s is not None else ""
    message = (
        f"{len(runs)} of {n} runs lose the target {target.metric} {target.value} again: run {worst.trial} meets it"
        f"{where}, then misses it in {worst.missed} of {worst.later} evaluations, {worst.longest} in a row, "
        f"and ends at {short(worst.last)}"
    )
    related = tuple(Related(run.at, "a run that loses it") for run in runs[:5] if run is not worst)
    effect = UNDERMINES if branch == "b" else CAVEAT
    return Violation(branch, effect, C3, message, worst.at, target.value, short(worst.last), related)
