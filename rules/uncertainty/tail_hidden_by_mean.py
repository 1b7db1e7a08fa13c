"""S09: the latency of a service by its mean alone."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.serving.tails import tail_given
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule

ITEM = "tail"
PROVIDE = """\
arms:
  server:
    performance:
      latency:
        summary: {percentiles: {"50": "2.500", "90": "2.699", "99": "2.857"}}
"""


@rule(
    "S09",
    "tail-hidden-by-mean",
    applies="serving and latency and purpose=serving_objective",
    origin="S4, HB15.8, MEAS",
)
def tail_hidden_by_mean(claim: Claim, case: Case) -> Iterator[Branch]:
    """The latency of a service by its mean or median, without its tail.

    ## What it does
    Looks for a percentile of at least 90 or a maximum of the same latency at the same load, beside a mean or a median.
    Raw latencies alone do not tell a reader what the tail is.

    ## Why it misleads
    A service with a mean of 10 ms and a 99th percentile of 500 ms keeps one user in a hundred waiting fifty times as
    long. An objective is about that user.

    ## Branches
    - not shown: only a mean or a median is given. Required (tail) from the publication profile on.
    - not applicable: a benchmark that asks for the mean.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"claims": {"latency": {"statement": "The mean latency of a request is 2.503 s."}},
     "arms": {"server": {"trials": null, "performance": {"latency": {"summary": null}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`, with its 90th and 99th percentiles.

    ## How to fix
    Give the 99th percentile beside the median and the 90th.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 8; Dean and Barroso, The tail
    at scale (2013).
    """
    if claim.metric_defined is not None and claim.metric_defined.set_by == "benchmark" and claim.statistic == "mean":
        yield Inapplicable("the benchmark asks for the mean")
    elif not tail_given(claim, case):
        yield NotShown("only the middle of the latencies is given, not their tail", claim.at, ITEM, PROVIDE)
