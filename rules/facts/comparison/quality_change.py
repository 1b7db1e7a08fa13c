"""How much the quality of two arms differs, with bounds that a reader may rely on."""

from __future__ import annotations

import math

from msgspec import Struct

from ....schemas.evidence import Quality
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case, Side
from ...language.printed import short
from ...statistics.means import deviation, difference_bounds
from ...statistics.proportions import newcombe_bounds
from ..training.final_quality import FinalQuality, of_one_scale, stated_final, trained_final
from ..training.stated_quality import StatedQuality, metric_of, of_metric, same_metric, stated_quality

SEEDS = 3


class Change(Struct, frozen=True):
    """How much better the claim's arm is than its base: negative where it is worse.

    Attributes:
        value: the difference of the centres.
        low: lower one-sided bound, digits read against the claim.
        high: upper one-sided bound, digits read in favour of the claim.
        method: how the bounds were made.
        spread: deviation of a single difference over seeds; None for shares.
    """

    value: float
    low: float
    high: float
    method: str
    spread: float | None = None


def final_of(side: Side, claim: Claim, case: Case) -> FinalQuality | None:
    """Return an arm's final quality of the metric that a claim is about; None where it states none."""
    return _final_of(case, side, claim)


@fact
def _final_of(case: Case, side: Side, claim: Claim) -> FinalQuality | None:
    stated = stated_quality(claim, case)
    metric = stated.quality.metric if stated is not None else metric_of(claim, case)
    quality = _quality_of(side, metric, stated)
    if quality is not None:
        return stated_final(side, quality)
    target = side.arm.target
    return trained_final(side, target) if target is not None and (metric or target.metric) == target.metric else None


def _quality_of(side: Side, metric: str | None, stated: StatedQuality | None) -> Quality | None:
    """Return an arm's quality of a metric: of several (development and test) that of the claim's split."""
    if stated is None:
        return of_metric(side, metric)
    if stated.side.id == side.id:
        return stated.quality
    alike = [item for item in side.arm.quality.values() if same_metric(item.metric, stated.quality.metric)]
    split = [item for item in alike if item.split == stated.quality.split]
    return split[0] if len(alike) > 1 and len(split) == 1 else of_metric(side, metric)


def not_alike(ours: FinalQuality | None, theirs: FinalQuality | None) -> str:
    """Say why two final qualities cannot be set side by side, or nothing."""
    if ours is None or theirs is None or not same_metric(ours.metric, theirs.metric):
        return "only one of the two arms states the quality metric"
    if ours.split != theirs.split:
        return f"the quality is given on different splits: {ours.split or 'not stated'}, {theirs.split or 'not stated'}"
    if ours.split == "train":
        return "both values are of the training split, and tell nothing about the quality of the models"
    if {ours.higher, theirs.higher} - {None} not in ({True}, {False}):
        return f"which way {ours.metric} is better is not stated"
    if not of_one_scale((ours.centre,), (theirs.centre,), ours.metric):
        return f"{short(ours.centre)} and {short(theirs.centre)} are on different scales"
    return ""


def change_of(ours: FinalQuality, theirs: FinalQuality, level: float) -> Change | None:
    """Return how much better one quality is than another, with one-sided bounds at a level; None where there are none.

    From three seeds on each side by Welch's interval; else, for shares of counted examples, by Newcombe's, which is
    cautious where both models saw the same examples.
    """
    sign = 1.0 if True in {ours.higher, theirs.higher} else -1.0
    value = sign * (ours.centre - theirs.centre)
    confidence, slack = 2 * level - 1, ours.half + theirs.half
    if min(len(ours.values), len(theirs.values)) >= SEEDS:
        ends = sorted(sign * end for end in difference_bounds(ours.values, theirs.values, confidence))
        spread = math.hypot(deviation(ours.values), deviation(theirs.values))
        return Change(value, ends[0] - slack, ends[1] + slack, "Welch's interval over seeds", spread)
    if ours.share_of is None or theirs.share_of is None:
        return None
    shares = [ours.centre, theirs.centre] if sign > 0 else [1 - ours.centre, 1 - theirs.centre]
    low = _newcombe(shares[0] - ours.half, ours.share_of, shares[1] + theirs.half, theirs.share_of, confidence)[0]
    high = _newcombe(shares[0] + ours.half, ours.share_of, shares[1] - theirs.half, theirs.share_of, confidence)[1]
    return Change(value, low, high, f"Newcombe's interval of shares of {ours.share_of} and {theirs.share_of} examples")


def _newcombe(left: float, n_left: int, right: float, n_right: int, confidence: float) -> tuple[float, float]:
    return newcombe_bounds(min(max(left, 0.0), 1.0), n_left, min(max(right, 0.0), 1.0), n_right, confidence)
