"""Q16: token latencies above the limits of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.per_second import seconds
from ..facts.suite.inference import number, performance_runs
from ..facts.suite.result import Quoted, quoted
from ..language.printed import short, span
from ..outcome import C3, REFUTES, UNDERMINES, Branch, NotShown, Violation
from ..registry import rule
from ..statistics.quantiles import least_for_bound
from ..tables import mlperf
from ..trace import Logged

ITEM = "token percentiles"
PROVIDE = """\
arms:
  server:
    runs:
      performance:
        role: performance
        summary:
          99.00_percentile_first_token_latency_ns: 435976100
          99.00_percentile_time_to_output_token_ns: 39507635
"""
KINDS = {
    "first_token": (
        ("result_first_token_99.00_percentile_latency_ns", "99.00_percentile_first_token_latency_ns"),
        ("effective_ttft_latency_ns", "ttft_latency_ns"),
        "time to the first token",
    ),
    "per_output_token": (
        ("result_time_per_output_token_99.00_percentile_ns", "99.00_percentile_time_to_output_token_ns"),
        ("effective_tpot_latency_ns", "tpot_latency_ns"),
        "time per output token",
    ),
}


@rule(
    "Q16",
    "token-latency-over-limit",
    effect=REFUTES,
    confidence=C3,
    applies="suite_inference and llm",
    origin="POL, MEAS",
    also=("L05",),
)
def token_latency_over_limit(claim: Claim, case: Case) -> Iterator[Branch]:
    """A service of a language model that answers more slowly than its scenario allows.

    ## What it does
    Compares the 99th percentiles of the time to the first token and of the time per output token, and the limits that
    were configured, with the limits of benchmark and scenario. So it does with the bound that a quotation states.

    ## Why it misleads
    Throughput under a looser bound is another number: larger batches, and users who wait.

    ## Branches
    - (a) refutes, C3: a 99th percentile lies above its limit, or a configured limit is looser.
    - (b) undermines, C3: the stated bound is kept at a lower percentile than the 99th, or is looser than the limit.
    - (c) undermines, C3: a run of a closed result did not record when tokens came, in whatever scenario.
    - not shown: a percentile is missing, or too few queries were made for it. Required (token percentiles) of services
      of language models in an inference suite, from the reviewer profile on; not of quoted, verified entries.
    - not applicable: no limit for benchmark, scenario and round.

    ## Flagged
    On `suite-inference` for claim `server`:
    ```json
    {"claims": {"server": {"work": "tokens", "purpose": "serving_objective", "suite_result":
       {"benchmark": "llama2-70b-99"}}},
     "arms": {"server": {"runs": {"performance": {"summary": {"99.00_percentile_first_token_latency_ns": 2135976100,
       "99.00_percentile_time_to_output_token_ns": 139507635}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `server`:
    ```json
    {"claims": {"server": {"work": "tokens", "purpose": "serving_objective", "suite_result":
       {"benchmark": "llama2-70b-99"}}},
     "arms": {"server": {"runs": {"performance": {"summary": {"99.00_percentile_first_token_latency_ns": 1935976100,
       "99.00_percentile_time_to_output_token_ns": 139507635}}}}}}
    ```

    ## How to fix
    Lower the load until both percentiles are within their limits.

    ## References
    MLPerf Inference rules, table of latencies.
    """
    result = quoted(claim)
    limits = _limits(result)
    runs = performance_runs(claim, case)
    if result.closed and result.benchmark in mlperf.inference().token_latency_s:
        yield from _unrecorded(runs)
    if limits is None:
        yield result.no_figure("token latencies")
        return
    yield from _stated(claim, limits) if result.closed else ()
    missing = "" if runs else "no performance run"
    for run in runs:
        queries = number(run, "result_query_count", "result_query_count")
        if queries is not None and queries[0] < least_for_bound(mlperf.inference().token_percentile / 100):
            missing = f"{short(queries[0])} queries of {run.name} are too few for a 99th percentile"
            continue
        for kind, (logged, configured, words) in KINDS.items():
            limit_s = getattr(limits, kind)
            found = number(run, logged[0], logged[1])
            if found is None:
                missing = f"{run.name} gives no 99th percentile of the {words}"
            elif found[0] / 1e9 > limit_s:
                yield _violation(f"the 99th percentile of the {words} in {run.name} is", found, limit_s)
            asked = number(run, configured[0], configured[1])
            if asked is not None and asked[0] / 1e9 > limit_s * (1 + 1e-9):
                yield _violation(f"{run.name} configures a limit of the {words} of", asked, limit_s)
    if missing:
        yield NotShown(missing, claim.at, ITEM, PROVIDE)


def _unrecorded(runs: tuple[Logged, ...]) -> Iterator[Violation]:
    """Yield runs whose load generator was told not to record when tokens came."""
    for run in runs:
        event = next((each for each in run.trace.of("requested_use_token_latencies") if each.value is False), None)
        if event is not None:
            message = f"{run.name} did not record the latencies of tokens (use_token_latencies is false)"
            yield Violation("c", UNDERMINES, C3, message, run.trace.place(event), "true", "false")


def _stated(claim: Claim, limits: mlperf.TokenLatency) -> Iterator[Branch]:
    """Yield how the bound that a claim states is looser than that of its scenario."""
    bound = claim.latency_bound
    if bound is None or bound.part not in KINDS:
        return
    limit_s, words, unit = getattr(limits, bound.part), KINDS[bound.part][2], seconds(bound.unit)
    if bound.percentile is not None and span(bound.percentile).high < mlperf.inference().token_percentile:
        message = f"the {words} is bounded at percentile {bound.percentile}; the scenario asks for the 99th"
        yield Violation("b", UNDERMINES, C3, message, bound.place("percentile"), bound.percentile, "99")
    if bound.value is not None and unit is not None and float(span(bound.value).low * unit) > limit_s * (1 + 1e-9):
        stated, limit = f"{bound.value} {bound.unit}", f"{short(limit_s * 1e3)} ms"
        message = f"the stated bound of the {words} is {stated}; the limit is {limit}"
        yield Violation("b", UNDERMINES, C3, message, bound.place("value"), stated, limit)


def _limits(result: Quoted) -> mlperf.TokenLatency | None:
    table = mlperf.inference()
    if result.round not in table.rounds:
        return None
    return table.token_latency_s.get(result.benchmark or "", {}).get(result.scenario or "")


def _violation(what: str, found: tuple[float, str], limit_s: float) -> Violation:
    message = f"{what} {short(found[0] / 1e6)} ms; the limit is {short(limit_s * 1e3)} ms"
    return Violation("a", REFUTES, C3, message, found[1], f"{short(limit_s * 1e3)} ms", f"{short(found[0] / 1e6)} ms")
