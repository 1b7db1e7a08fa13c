"""Two arms that are said to be on par: how far apart they may be, and what difference would have been found."""

from __future__ import annotations

import math

from msgspec import Struct

from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case
from ...language.printed import span
from ...language.reading import read
from ...statistics.detectable import least_detectable, least_detectable_share
from ...statistics.intervals import log_welch_ratio
from ..quantities.performance import more_is_better
from ..training.final_quality import FinalQuality
from ..training.stated_quality import quality_side
from .arms import arm_pair
from .quality_change import SEEDS, change_of, final_of, not_alike

LEVEL = 0.95
"""One-sided: two such tests make one of equivalence, and their interval is the 90 % interval."""


class Parity(Struct, frozen=True):
    """How much better a claim's arm is than its base, as a share of the base: -0.02 is 2 % worse.

    Attributes:
        low: lower one-sided 95 % bound.
        high: upper one-sided 95 % bound.
        detectable: the difference that these trials would have found with power 0.8; None where their scatter is
            not known.
        method: how the bounds were made.
        at: place of the arm's numbers.
        base_at: place of the base's.
    """

    low: float
    high: float
    detectable: float | None
    method: str
    at: str
    base_at: str

    def below(self, margin: float) -> bool:
        """Whether it is surely worse by more than a margin."""
        return self.high < 1 / (1 + margin) - 1

    def above(self, margin: float) -> bool:
        """Whether it is surely better by more than a margin."""
        return self.low > margin

    def within(self, margin: float, one_sided: bool) -> bool:
        """Whether it surely lies inside the margin; from below only, where being better is no difference."""
        return self.low >= 1 / (1 + margin) - 1 and (one_sided or self.high <= margin)


def one_sided(claim: Claim) -> bool:
    """Whether a claim of parity says that nothing is lost, so that being better does not contradict it."""
    return claim.quantity == "accuracy" or read(claim.statement).has("nothing_lost", affirmed=False)


def margin(claim: Claim, *, performance: float, quality: float) -> float:
    """Return the margin of a claim of parity as a share of the base: the stated one, else that of its quantity."""
    if claim.margin is not None:
        return abs(float(claim.margin.value)) / 100
    return quality if claim.quantity == "accuracy" else performance


def numbers_missing(claim: Claim, case: Case) -> str:
    """Say which side of a claim of parity states no number; empty where both do."""
    if claim.quantity == "accuracy":
        lacking = [_final(claim, case, base) is None for base in (0, 1)]
    else:
        metrics = case.metric(claim.measured), case.metric(claim.base)
        held = [metric is not None and (metric.value is not None or metric.column is not None) for metric in metrics]
        held[1] = held[1] or (claim.base is not None and claim.base.value is not None)
        lacking = [not item for item in held]
    names = [name for name, missing in zip(("the arm", "what it is compared with"), lacking, strict=True) if missing]
    return f"{' and '.join(names)} state{'s' if len(names) == 1 else ''} no number" if names else ""


@fact
def parity(case: Case, claim: Claim) -> Parity | str:
    """Return how far the two arms of a claim may be apart, or why that cannot be told.

    A performance needs three trials a side. So does a quality of training; a quality of fixed weights is one value per
    model, whose scatter is that of the examples.
    """
    return _quality(claim, case) if claim.quantity == "accuracy" else _performance(claim, case)


def stated_difference(claim: Claim, case: Case) -> tuple[float, float] | None:
    """Return how much better a claim's arm is than its base by the numbers that both state, as shares of the base.

    The ends are those that the digits allow. None where a number is missing, or the two cannot be set side by side.
    """
    if claim.quantity == "accuracy":
        ours, theirs = (_final(claim, case, base) for base in (0, 1))
        if not_alike(ours, theirs) or ours is None or theirs is None or theirs.centre <= 0:
            return None
        sign = 1.0 if True in {ours.higher, theirs.higher} else -1.0
        value, slack = sign * (ours.centre - theirs.centre), ours.half + theirs.half
        return (value - slack) / theirs.centre, (value + slack) / theirs.centre
    metrics = case.metric(claim.measured), case.metric(claim.base)
    if metrics[0] is None or metrics[1] is None or metrics[0].value is None or metrics[1].value is None:
        return None
    if arm_pair(claim, case) is not None:
        return None  # two trials a side are no interval, and say more than the number that was made of them
    if (metrics[0].quantity, metrics[0].unit) != (metrics[1].quantity, metrics[1].unit):
        return None
    higher = more_is_better(metrics[0].quantity, metrics[0].unit)
    values = span(metrics[0].value), span(metrics[1].value)
    ratio = values[0] / values[1] if higher else values[1] / values[0]
    if higher is None or ratio is None or ratio.low <= 0:
        return None
    return float(ratio.low) - 1, float(ratio.high) - 1


def _performance(claim: Claim, case: Case) -> Parity | str:
    pair = arm_pair(claim, case)
    if pair is None:
        return "the trials of the two sides are not given in one unit"
    interval = log_welch_ratio(*pair.better, confidence=2 * LEVEL - 1)
    if interval is None:
        return "an arm has fewer than 3 trials"
    logs = [[math.log(value) for value in values] for values in pair.better]
    detectable = math.expm1(least_detectable(logs[0], logs[1])) if min(map(len, logs)) >= SEEDS else None
    low, high = interval.lower - 1, interval.upper - 1
    return Parity(low, high, detectable, "Welch's interval over trials", pair.subject.at, pair.base.at)


def _quality(claim: Claim, case: Case) -> Parity | str:
    ours, theirs = (_final(claim, case, base) for base in (0, 1))
    why_not = not_alike(ours, theirs)
    if why_not or ours is None or theirs is None:
        return why_not
    change, size = change_of(ours, theirs, LEVEL), abs(theirs.centre)
    seeds = min(len(ours.values), len(theirs.values))
    if change is None or (seeds < SEEDS and claim.mode != "inference"):
        return "there are fewer than 3 training runs a side"
    if not (ours.complete and theirs.complete):
        return "not every run gives its value"
    if size <= 0:
        return "the base's quality is 0"
    detectable = _detectable(ours, theirs)
    return Parity(
        change.low / size,
        change.high / size,
        detectable / size if detectable is not None else None,
        change.method,
        ours.at,
        theirs.at,
    )


def _detectable(ours: FinalQuality, theirs: FinalQuality) -> float | None:
    if min(len(ours.values), len(theirs.values)) >= SEEDS:
        return least_detectable(ours.values, theirs.values)
    if ours.share_of is None or theirs.share_of is None:
        return None
    return least_detectable_share(ours.centre, ours.share_of, theirs.centre, theirs.share_of)


def _final(claim: Claim, case: Case, base: int) -> FinalQuality | None:
    side = case.base(claim) if base else quality_side(claim, case)
    return final_of(side, claim, case) if side is not None else None
