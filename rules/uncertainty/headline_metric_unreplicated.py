"""S16: the number in the headline was measured once, the one beside it many times."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..outcome import Branch, Inapplicable, Note, NotShown, Related
from ..registry import Threshold, rule
from ._replications import Replicated, best_other, own

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
    - not applicable: the headline's other numbers are not given.

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
