"""Q12: a percentile of latency that its queries do not establish."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.inference import number, performance_runs, printed, scenario_of
from ..facts.suite.result import Quoted, quoted, round_entry
from ..language.printed import short
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..statistics.early_stopping import least_met
from ..tables import mlperf
from ..tables.mlperf_common import common
from ..trace import Logged

MOST_QUERIES = 1e12
DIGITS = 1e-6
"""What figures that are printed in whole nanoseconds may differ by."""
ESTIMATE = "early_stopping_estimate_ns"
PERCENTILE = "99.00_percentile_latency_ns"
PERCENTILES = {"SingleStream": "90.00_percentile_latency_ns", "MultiStream": PERCENTILE}
OF_TOKENS = "early_stopping_ttft_result"
"""Where it is logged, early stopping estimates the time to the first token and not that of the query."""
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
)
def early_stopping_unmet(claim: Claim, case: Case) -> Iterator[Branch]:
    """A percentile that too many slow queries among too few contradict.

    ## What it does
    Takes the queries of a run and how many of them exceeded the bound, and asks whether so few misses among so many
    could be chance were the percentile not met: the binomial tail of the suite's rules. In the stream scenarios it
    asks whether more of the slowest queries were left out than the rules allow, and whether the latency that early
    stopping leads to lies below the percentile that it bounds from above. A server's throughput rests on the
    bound just as a latency does, so results of both kinds are judged: its printed percentile must keep the bound, and
    the bound must be that of the round. Rounds before v2.0 had no early stopping: there the printed percentile decides.

    ## Why it misleads
    Without that many queries the run shows the percentile of its luck.

    ## Branches
    - (a) refutes, C3: server: fewer queries than the misses need; streams: more queries left out than allowed.
    - (b) refutes, C3: server: the 99th percentile is above the bound that was configured; streams: the estimate of
      early stopping is below the percentile of the queries.
    - (c) undermines, C3: server: the configured bound of a closed result is looser than that of the round.
    - not shown: queries, or the misses of a server, or what a stream leaves out are not given; in rounds without early
      stopping, neither the misses nor the percentile of a server.
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
    policy = mlperf.inference().early_stopping
    share = policy.share.get(result.scenario or "")
    if share is None or result.scenario is None:
        yield Inapplicable("the scenario has no percentile, or is not stated")
        return
    silent: Logged | None = None
    runs = performance_runs(claim, case)
    stops = result.round is None or mlperf.since(result.round, policy.from_round)
    # The score of a stream is the percentile itself, without a bound.
    stream = common().scenarios[result.scenario].scored_by == "latency"
    for run in runs:
        if stream:
            scenario = scenario_of(run, result) or result.scenario
            share = policy.share.get(scenario, share)
            if not run.trace.of(OF_TOKENS):
                yield from _estimate(run, scenario)
        elif not _tokens(run):
            yield from _bound(run, result, share)
        if _tokens(run):
            refused = _refused(run)
            if refused is not None:
                message = f"{run.name} ran too few queries for its early stopping: {refused[0]} is false"
                yield Violation("a", REFUTES, C3, message, refused[1], "met", "not met")
                continue
            yield Inapplicable("the bound is on tokens, of which the log counts no misses")
            return
        queries = number(run, "result_query_count", "result_query_count", "early_stopping_queries")
        if queries is None and not stops and (stream or _percentile(run) is not None):
            continue
        if queries is None or not 0 < queries[0] < MOST_QUERIES:
            silent = run
        elif stream:
            dropped = printed(run, "early_stopping_discarded")
            if dropped is None:
                silent = run
            elif dropped >= 1 and queries[0] < least_met(int(dropped) + 1, share, policy.confidence) + dropped + 1:
                message = f"{run.name} leaves out {short(dropped)} of {short(queries[0])} queries, more than allowed"
                at = run.place("summary", "early_stopping_discarded")
                yield Violation("a", REFUTES, C3, message, at, short(dropped), None)
        else:
            yield from _server(run, queries, share, policy.confidence)
            counted = number(run, "result_overlatency_query_count", "result_overlatency_query_count") is not None
            if not counted and (stops or _percentile(run) is None):
                silent = run
    if silent is not None or not runs:
        what = "how many queries were too slow is not given"
        if stream:
            what = "how many queries were processed, and how many of the slowest left out, is not given"
        yield NotShown(what, silent.place() if silent is not None else claim.at, provide=PROVIDE)


def _percentile(run: Logged) -> tuple[float, str] | None:
    """Return the 99th percentile of a server's latencies, in nanoseconds, with its place."""
    return number(run, f"result_{PERCENTILE}", PERCENTILE)


def _bound(run: Logged, result: Quoted, asked_share: float) -> Iterator[Violation]:
    """Yield that a server's percentile misses its bound, or that the bound is looser than the round's."""
    bound = number(run, "effective_target_latency_ns", "target_latency_ns")
    share = number(run, "effective_target_latency_percentile")
    if bound is None or bound[0] <= 0 or (share is not None and share[0] != asked_share):
        return
    if result.benchmark in mlperf.inference().token_latency_s:
        return
    found = [_percentile(run)]
    if (value := printed(run, PERCENTILE)) is not None:
        found.append((value, run.place("summary", PERCENTILE)))
    above = next((each for each in found if each is not None and each[0] > bound[0] * (1 + DIGITS)), None)
    if above is not None:
        message = f"the 99th percentile of {run.name} is {_ms(above[0])}; the bound is {_ms(bound[0])}"
        related = (Related(bound[1], f"bound {_ms(bound[0])}"),)
        yield Violation("b", REFUTES, C3, message, above[1], f"at most {_ms(bound[0])}", _ms(above[0]), related)
    entry = round_entry(result)
    asked = entry.latency_s.get(result.benchmark or "", {}).get(result.scenario or "") if entry is not None else None
    if asked is not None and result.closed and bound[0] > asked * 1e9 * (1 + DIGITS):
        message = f"{run.name} configures a bound of {_ms(bound[0])}; the round asks for {_ms(asked * 1e9)}"
        yield Violation("c", UNDERMINES, C3, message, bound[1], _ms(asked * 1e9), _ms(bound[0]))


def _estimate(run: Logged, scenario: str) -> Iterator[Violation]:
    """Yield an estimate of early stopping that lies below the percentile of the same queries."""
    estimate, name = printed(run, ESTIMATE), PERCENTILES[scenario]
    percentile = number(run, f"result_{name}", name)
    if estimate is not None and percentile is not None and 0 < estimate < percentile[0] * (1 - DIGITS):
        message = f"early stopping of {run.name} leads to {short(estimate)} ns, below the percentile itself"
        related = (Related(percentile[1], f"{short(percentile[0])} ns"),)
        shown = f"at least {short(percentile[0])} ns", f"{short(estimate)} ns"
        yield Violation("b", REFUTES, C3, message, run.place("summary", ESTIMATE), *shown, related)


def _ms(nanoseconds: float) -> str:
    return f"{short(nanoseconds / 1e6)} ms"


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
