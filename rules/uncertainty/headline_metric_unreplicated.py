"""S16: the number in the headline was measured once, the one beside it many times."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Interval, Metric, PlusMinus, Quality
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case, Side
from ..facts.training.stated_quality import quality_side, stated_quality
from ..outcome import Branch, Inapplicable, Note, NotShown, Related
from ..registry import Threshold, rule

INDEPENDENT = frozenset({"trial", "training_run", "session", "node"})


class Replicated(Struct, frozen=True):
    """A number of a headline.

    Attributes:
        name: what it is, as words.
        n: independent runs behind it; None where not known.
        interval: whether an interval or a scatter of it is given.
        constant: whether at least three runs elsewhere give the same number to its digits.
        at: its place.
    """

    name: str
    n: int | None
    interval: bool
    at: str
    constant: bool = False


def own(claim: Claim, case: Case) -> Replicated | None:
    """Return the number that a claim itself states; None where nothing behind it is given."""
    if claim.quantity == "accuracy":
        return _quality_of(claim, case)
    side = case.subject(claim)
    return _of_metric(claim, side, case.metric(claim.measured)) if side is not None else None


def best_other(claim: Claim, case: Case) -> Replicated | None:
    """Return the best replicated of the other numbers of a claim's headline: its quality, and those of its group."""
    found = []
    if claim.quantity != "accuracy" and (claim.quality is not None or claim.target is not None):
        found.append(_quality_of(claim, case))
    if claim.group is not None:
        found.append(next((number for other, number in _ranked(case, claim.group) if other is not claim), None))
    return max((item for item in found if item is not None), key=_weight, default=None)


@fact
def _ranked(case: Case, group: str) -> tuple[tuple[Claim, Replicated], ...]:
    """Return the claims of a group with their numbers, the best replicated first."""
    members = [claim for claim in case.submission.claims.values() if claim.group == group]
    numbers = [(claim, number) for claim in members if (number := own(claim, case)) is not None]
    return tuple(sorted(numbers, key=lambda item: _weight(item[1]), reverse=True))


def _weight(number: Replicated) -> tuple[int, bool]:
    return number.n or 0, number.interval


def _of_metric(claim: Claim, side: Side, metric: Metric | None) -> Replicated:
    whole = claim.scope == "training_run"
    kind, trials = "convergence" if whole else "throughput", side.arm.trials.values()
    listed = [trial for trial in trials if trial.kind == kind and trial.outcome == "completed"]
    # Where some runs were timed, those without a time are no runs behind the time.
    with_time = [item for item in listed if item.wall_s is not None or (item.crossing and item.crossing.time_s)]
    if claim.quantity == "time" and whole and with_time:
        listed = with_time
    counts = [len(listed) or None, metric.trials if metric is not None else None]
    if metric is not None and metric.n is not None and metric.n.unit in INDEPENDENT:
        counts.append(metric.n.completed)
    n = max((count for count in counts if count is not None), default=None)
    scatter = metric is not None and _scatter(metric.interval, metric.plus_minus)
    times = [trial.crossing.time_s for trial in listed if trial.crossing is not None]
    several = len({time for time in times if time is not None}) > 1 or any(trial.samples for trial in listed)
    at = metric.at if metric is not None else side.arm.at
    constant = len(times) >= 3 and len(set(times)) == 1
    return Replicated(f"the {claim.quantity}", n, scatter or claim.interval is not None or several, at, constant)


def _quality_of(claim: Claim, case: Case) -> Replicated | None:
    found, side = stated_quality(claim, case), quality_side(claim, case)
    if found is None or side is None:
        return None
    quality = found.quality
    scatter = _scatter(quality.interval, quality.plus_minus)
    return Replicated(f"the {quality.metric}", _runs(quality, side), scatter, quality.at)


def _runs(quality: Quality, side: Side) -> int | None:
    """Return the training runs behind a quality: its seeds, its stated count, or the runs that are shown."""
    stated = quality.n.completed if quality.n is not None and quality.n.unit in INDEPENDENT else None
    shown = sum(bool(trial.evaluations or trial.final) for trial in side.arm.trials.values())
    counts = [len(quality.seeds) or None, stated, shown or None]
    return max((count for count in counts if count is not None), default=None)


def _scatter(interval: Interval | None, half: PlusMinus | None) -> bool:
    return interval is not None or (half is not None and half.label not in {None, "unlabelled"})


ITEM = "n of the headline metric"
PROVIDE = """\
arms:
  trained:
    performance:
      time:
        n: {unit: training_run, planned: 5, completed: 5, failed: 0}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    n: float = Threshold(2, "runs behind the headline, at most", "judgement")
    other: float = Threshold(5, "runs behind the other number, at least", "judgement")


@rule(
    "S16",
    "headline-metric-unreplicated",
    applies="(tta or has(group) or pairing) and measured",
    origin="MEAS",
    thresholds=Thresholds,
)
def headline_metric_unreplicated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A headline of two numbers, of which only the less surprising one was repeated.

    ## What it does
    Counts the independent runs behind the claim's own number (processes, training runs, sessions; never iterations or
    requests) and behind the others of its headline: the quality beside a time or a rate, and the claims of its group.

    ## Why it misleads
    "94 % in 2.6 s, mean of 400 runs" is read as one statement. Often 400 runs were scored and one was timed.

    ## Branches
    - not shown: at most 2 runs behind the number, and at least 5 behind another of the headline; or its own runs are
      not counted, and the other has 5 or an interval. Required (n of the headline metric) from the reviewer profile on.
    - not applicable: the headline's other numbers are not given, or no runs are counted behind any of them.

    ## Flagged
    On `time-to-accuracy` for claim `time`, timed once:
    ```json
    {"claims": {"time": {"interval": null}},
     "arms": {"trained": {"performance": {"time": {"trials": null, "interval": null,
                                                   "n": {"planned": 1, "completed": 1}}},
                          "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, with five timed and five scored runs.

    ## How to fix
    Time as many runs as are scored.

    ## References
    Published records of training speed, of which the log holds one timed run and hundreds of scored ones.
    """
    mine, most = own(claim, case), best_other(claim, case)
    if mine is None or most is None:
        yield Inapplicable("the headline's other numbers are not given")
        return
    if mine.n is None and most.n is None and not mine.interval and not most.interval:
        yield Inapplicable("the runs behind the numbers of the headline are not counted")
        return
    if mine.constant:
        yield Note("at least three runs give the same number to its digits")
        return
    reason = _reason(mine, most, thresholds)
    if reason:
        yield NotShown(reason, mine.at, ITEM, PROVIDE, (Related(most.at, most.name),))


def _reason(mine: Replicated, other: Replicated, thresholds: Thresholds) -> str:
    many = (other.n or 0) >= thresholds.other
    if mine.n is not None and mine.n <= thresholds.n and many:
        return f"{mine.name} comes from {mine.n} run{'s' if mine.n != 1 else ''}, {other.name} from {other.n}"
    if mine.n is None and not mine.interval and (many or other.interval):
        behind = f"{other.n} runs" if many else "an interval"
        return f"the runs behind {mine.name} are not counted, while {other.name} has {behind}"
    return ""
