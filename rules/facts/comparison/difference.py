"""Whether two arms differ: the interval of their ratio, and the level at which a family of claims may call it real."""

from __future__ import annotations

import math

from msgspec import Struct

from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case
from ...statistics.intervals import Interval, log_welch_ratio
from ...statistics.means import difference_p
from .arms import ArmPair, arm_pair


class Difference(Struct, frozen=True):
    """The gain of a claim's arm over its base, over trials.

    Attributes:
        pair: the trials of both arms.
        interval: log-Welch interval of the gain, at the level that Holm's procedure gives the claim.
        strict: the same at the level of Bonferroni's, for statements against the claim.
        level: the confidence of `interval`.
        varies: whether the trials of an arm differ at all.
    """

    pair: ArmPair
    interval: Interval
    strict: Interval
    level: float
    varies: bool


@fact
def difference(case: Case, claim: Claim, alpha: float) -> Difference | None:
    """Return the interval of a claim's gain, or None below three trials in an arm.

    The family is every comparison of the document. One whose trials are not given counts as the least significant:
    leaving evidence out never makes another claim easier to show.
    """
    pair = arm_pair(claim, case)
    if pair is None or min(len(pair.subject.values), len(pair.base.values)) < 3:
        return None
    own = _p_value(pair)
    family = [_claim_p(case, other) for other in case.submission.claims.values() if compares(other)]
    smaller = sum(p < own for p in family)
    level = 1 - alpha / max(1, len(family) - smaller)
    interval = log_welch_ratio(*pair.better, confidence=level)
    strict = log_welch_ratio(*pair.better, confidence=1 - alpha / max(1, len(family)))
    assert interval is not None
    assert strict is not None
    varies = len(set(pair.subject.values)) > 1 or len(set(pair.base.values)) > 1
    return Difference(pair, interval, strict, level, varies)


def compares(claim: Claim) -> bool:
    """Whether a claim says that one thing is better than another."""
    return claim.compares != "none" and claim.form in {"ratio", "rank"}


@fact
def _claim_p(case: Case, claim: Claim) -> float:
    pair = arm_pair(claim, case)
    return 1.0 if pair is None or min(len(pair.subject.values), len(pair.base.values)) < 3 else _p_value(pair)


def _p_value(pair: ArmPair) -> float:
    """Return the two-sided p of Welch's t test on logarithms, for at least three trials in each arm."""
    new, base = ([math.log(value) for value in values] for values in pair.better)
    return difference_p(new, base)
