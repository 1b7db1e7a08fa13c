"""Q12: a percentile of latency that its queries do not establish."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.numbers import short
from ..facts.suite_inference import number, performance_runs, printed
from ..facts.suite_result import quoted
from ..outcome import C3, REFUTES, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule
from ..statistics.early_stopping import least_met
from ..tables import mlperf
from ..trace import Logged

MOST_QUERIES = 1e12
STREAMS = frozenset({"SingleStream", "MultiStream"})
"""Scenarios without a bound: their score is the percentile itself."""
PROVIDE = """\
arms:
  server:
    runs:
      performance:
        summary: {result_query_count: 270336, result_overlatency_query_count: 112}
"""


@rule(
    "Q12",
    "early-stopping-unmet",
    effect=REFUTES,
    confidence=C3,
    applies="suite_inference",
    origin="POL",
    thresholds={"confidence": Threshold(0.99, "confidence", "rules of the inference suite")},
)
def early_stopping_unmet(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A percentile that too many slow queries among too few contradict.

    ## What it does
    Takes the queries of a run and how many of them exceeded the bound, and asks whether so few misses among so many
    could be chance were the percentile not met: the binomial tail of the suite's rules. In the stream scenarios it
    asks whether more of the slowest queries were left out than the rules allow. A server's throughput rests on the
    bound just as a latency does, so results of both kinds are judged.

    ## Why it misleads
    Without that many queries the run shows the percentile of its luck.

    ## Branches
    - (a) refutes, C3: server: fewer queries than the misses need; streams: more queries left out than allowed.
    - not shown: queries, or the misses of a server, or what a stream leaves out are not given.
    - not applicable: the offline scenario, a scenario that is not stated, or a service whose bound is on tokens, of
      which the log counts no misses.

    ## Flagged
    On `suite-inference` for claim `server`:
    ```json
    {"arms": {"server": {"runs": {"performance": {"summary": {"result_query_count": 270336,
       "result_overlatency_query_count": 2700}, "events": {"18": {"value": 270336}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `server`:
    ```json
    {"arms": {"server": {"runs": {"performance": {"summary": {"result_query_count": 270336,
       "result_overlatency_query_count": 2500}, "events": {"18": {"value": 270336}}}}}}}
    ```

    ## How to fix
    Send more queries, or lower the load.

    ## References
    MLPerf Inference rules, appendix on early stopping.
    """
    result = quoted(claim)
    share = mlperf.inference().early_stopping.share.get(result.scenario or "")
    if share is None:
        yield Inapplicable("the scenario has no percentile, or is not stated")
        return
    silent: Logged | None = None
    runs = performance_runs(claim, case)
    for run in runs:
        if _tokens(run):
            refused = _refused(run)
            if refused is not None:
                message = f"{run.name} ran too few queries for its early stopping: {refused[0]} is false"
                yield Violation("a", REFUTES, C3, message, refused[1], "met", "not met")
                continue
            yield Inapplicable("the bound is on tokens, of which the log counts no misses")
            return
        queries = number(run, "result_query_count", "result_query_count", "early_stopping_queries")
        if queries is None or not 0 < queries[0] < MOST_QUERIES:
            silent = run
        elif result.scenario in STREAMS:
            dropped = printed(run, "early_stopping_discarded")
            if dropped is None:
                silent = run
            elif dropped >= 1 and queries[0] < least_met(int(dropped) + 1, share, settings.confidence) + dropped + 1:
                message = f"{run.name} leaves out {short(dropped)} of {short(queries[0])} queries, more than allowed"
                at = run.place("summary", "early_stopping_discarded")
                yield Violation("a", REFUTES, C3, message, at, short(dropped), None)
        else:
            yield from _server(run, queries, share, settings.confidence)
            if number(run, "result_overlatency_query_count", "result_overlatency_query_count") is None:
                silent = run
    if silent is not None or not runs:
        what = "how many queries were too slow is not given"
        if result.scenario in STREAMS:
            what = "how many queries were processed, and how many of the slowest left out, is not given"
        yield NotShown(what, silent.place() if silent is not None else claim.at, provide=PROVIDE)


def _server(run: Logged, queries: tuple[float, str], share: float, confidence: float) -> Iterator[Branch]:
    over = number(run, "result_overlatency_query_count", "result_overlatency_query_count")
    if over is None or not 0 <= over[0] <= queries[0]:
        return
    needed = least_met(int(over[0]), share, confidence) + int(over[0])
    if queries[0] < needed:
        message = (
            f"{short(over[0])} of {short(queries[0])} queries of {run.name} exceed the bound; "
            f"so many misses need {needed} queries"
        )
        yield Violation("a", REFUTES, C3, message, over[1], short(queries[0]), str(needed))


def _refused(run: Logged) -> tuple[str, str] | None:
    """Return what says that early stopping was not met, and where; None where nothing does."""
    for key, events in run.trace.by_key.items():
        if "early_stopping" in key and any(event.value is False for event in events):
            return key, run.trace.place(next(event for event in events if event.value is False))
    verdict = run.run.verdict
    parts = verdict.parts if verdict is not None else {}
    for name, holds in parts.items():
        if "early_stopping" in name and not holds and verdict is not None:
            return name, verdict.place("parts", name)
    found = next((name for name, value in run.run.summary.items() if "early_stopping" in name and value is False), None)
    return (found, run.place("summary", found)) if found is not None else None


def _tokens(run: Logged) -> bool:
    """Whether the run's bounds are on the first token and on those that follow."""
    return any("ttft" in key for key in run.trace.by_key) or any("ttft" in name for name in run.run.summary)
