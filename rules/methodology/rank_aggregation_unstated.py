"""M24: a time of many ranks without how it became one."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..fields import points_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  fast:
    measurement: {rank_aggregation: "maximum over ranks, per iteration"}
"""
PROVIDE_RANKS = """\
arms:
  fast:
    performance:
      time: {quantity: time, unit: s, ranks: {"0": "0.793", "1": "0.801"}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    spread: float = Threshold(1.05, "slowest over fastest rank", "judgement")


@rule(
    "M24",
    "rank-aggregation-unstated",
    effect=CAVEAT,
    confidence=C3,
    applies="timing and (points>=2 or mode=training)",
    origin="HB15",
    thresholds=Thresholds,
)
def rank_aggregation_unstated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A time on many devices without a word on how the ranks' times became one.

    ## What it does
    Reads how the values of several ranks were brought together, and compares the slowest with the fastest where the
    mean was taken. An arm of one device has nothing to bring together.

    ## Why it misleads
    A parallel step ends with its slowest rank. The mean over ranks hides who waits for whom.

    ## Branches
    - (a) caveat, C3: the mean over ranks, where slowest and fastest differ by more than 5 %.
    - not shown: how ranks were aggregated is not stated; or it is the mean, or the value of one rank, and their values
      are not all given.
    - not applicable: one device; or a claim on one number of devices that does not say how many.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"arms": {"n8": {"measurement": {"rank_aggregation": "mean over ranks"},
      "performance": {"rate": {"ranks": {"0": "2030", "1": "2025", "2": "1810", "3": "2028"}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, with the maximum over ranks in every iteration.

    ## How to fix
    Take the maximum over ranks in every iteration.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 10.
    """
    side = case.subject(claim)
    alone = (points_of(claim, case) or 1) < 2
    if alone and (side is None or side.devices is None):
        yield Inapplicable("the number of devices is not stated")
    elif side is None:
        yield NotShown("how the ranks' values became one is not stated", claim.at, provide=PROVIDE)
    elif side.devices == 1:
        yield Inapplicable("one device has one rank")
    else:
        yield from _judge(claim, case, side, thresholds)


def _judge(claim: Claim, case: Case, side: Side, thresholds: Thresholds) -> Iterator[Branch]:
    measurement = side.arm.measurement
    stated = measurement.rank_aggregation if measurement is not None else None
    if measurement is None or stated is None:
        at = measurement.at if measurement is not None else side.arm.at
        yield NotShown(f"how the ranks of arm {side.id} were aggregated is not stated", at, provide=PROVIDE)
        return
    words, at = read(stated), measurement.place("rank_aggregation")
    if words.has("slowest"):
        return
    if words.has("one_rank"):
        message = f"the number of arm {side.id} is that of one rank of {side.devices or 'several'}: {stated}"
        yield NotShown(message, at, provide=PROVIDE_RANKS)
        return
    if not words.has("statistic.mean"):
        return
    metric = case.metric(claim.measured)
    values = [Decimal(text) for text in metric.ranks.values()] if metric is not None else []
    if metric is None or len(values) < 2 or min(values) <= 0:
        message = f"arm {side.id} reports the mean over its ranks, and their values are not given"
        yield NotShown(message, at, provide=PROVIDE_RANKS)
        return
    spread = max(values) / min(values)
    if spread > Decimal(str(thresholds.spread)):
        message = f"the mean over ranks hides that the extreme ones differ by a factor of {spread:.3g}"
        related = (Related(metric.place("ranks"), "values of the ranks"),)
        yield Violation("a", CAVEAT, C3, message, at, stated, f"{spread:.4g}", related)
    elif side.devices is not None and len(values) < side.devices:
        message = f"the values of {len(values)} ranks are given, of {side.devices} devices"
        yield NotShown(message, metric.place("ranks"), provide=PROVIDE_RANKS)
