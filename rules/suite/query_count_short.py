"""Q11: fewer samples or queries than the round asks for."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.numbers import short
from ..facts.suite_inference import number, performance_runs, texts
from ..facts.suite_result import Quoted, member, quoted
from ..outcome import C3, UNDERMINES, Branch, NotShown, Violation
from ..registry import rule
from ..statistics.early_stopping import least_met
from ..tables import mlperf
from ..trace import Logged

PROVIDE = """\
arms:
  server:
    runs:
      performance: {role: performance, window: {work: 62177280}, verdict: {parts: {early_stopping: true}}}
"""


@rule(
    "Q11",
    "query-count-short",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_inference",
    origin="POL, MEAS",
)
def query_count_short(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A performance run with fewer samples or queries than its scenario needs, or that loads too few samples.

    ## What it does
    Compares the samples of an offline run, the queries of the other scenarios, and the samples that the run holds
    loaded, with the least numbers of the round. Fewer queries suffice where the load generator says that the condition
    for early stopping is met.

    ## Why it misleads
    A percentile of too few queries is luck, and a handful of loaded samples stay in the cache.

    ## Branches
    - (a) undermines, C3: too few samples, queries or loaded samples.
    - not shown: the counts are missing.
    - not applicable: no figure for benchmark and round.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"events": {"8": {"value": 512}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, 62 million samples from 2,048 loaded ones.

    ## How to fix
    Send more queries.

    ## References
    MLPerf Inference rules, tables of query counts and of loaded samples.
    """
    result = quoted(claim)
    figures = member(result)
    offline = _offline(result)
    if figures is None and offline is None:
        yield result.no_figure("the number of queries")
        return
    runs = performance_runs(claim, case)
    complete = bool(runs)
    for run in runs:
        for what, found, least in _counts(run, result, figures, offline):
            if found is None:
                complete = False
            elif found[0] < least:
                message = f"{run.name} {what} {short(found[0])}; the round asks for {least}"
                yield Violation("a", UNDERMINES, C3, message, found[1], str(least), short(found[0]))
    if not complete:
        yield NotShown("how many samples and queries the run had, and loaded, is not given", claim.at, provide=PROVIDE)


def _offline(result: Quoted) -> int | None:
    table = mlperf.inference().offline_samples
    if result.round is None or not mlperf.since(result.round, table.from_round):
        return None
    return table.benchmarks.get(result.benchmark or "")


def _counts(
    run: Logged, result: Quoted, figures: mlperf.Member | None, offline: int | None
) -> Iterator[tuple[str, tuple[float, str] | None, int]]:
    """Yield what a run counts, how many with their place (None where it is not given), and how many are asked for."""
    if result.scenario == "Offline" and offline is not None:
        yield "has samples:", _samples(run), offline
    elif figures is not None and result.scenario is not None:
        least = figures.queries.get(result.scenario) or mlperf.inference().queries.get(result.scenario)
        stopping = _early_stopping(run)
        share = mlperf.inference().early_stopping.share.get(result.scenario)
        if stopping is True and share is not None:
            # Early stopping needs this many queries even where none is too slow.
            queries = number(run, "result_query_count")
            if queries is not None:
                yield "has queries:", queries, least_met(0, share, mlperf.inference().early_stopping.confidence)
        elif least is not None and stopping is not True:
            queries = number(run, "result_query_count")
            enough = queries is not None and queries[0] >= least
            yield "has queries:", queries if stopping is False or enough else None, least
    if figures is not None and figures.loaded is not None:
        loaded = number(run, "effective_performance_sample_count", "performance_sample_count")
        yield "loads samples:", loaded, figures.loaded


def _samples(run: Logged) -> tuple[float, str] | None:
    """Return the samples of an offline run: as generated, else the work of its window."""
    generated = number(run, "generated_samples_per_query")
    if generated is not None:
        return generated
    window = run.run.window
    if window is not None and window.work is not None:
        return window.work, window.place("work")
    return number(run, "effective_samples_per_query", "samples_per_query")


def _early_stopping(run: Logged) -> bool | None:
    """Whether the load generator found the condition for early stopping met; None where it does not say."""
    verdict = run.run.verdict
    parts = verdict.parts if verdict is not None else {}
    if "early_stopping" in parts:
        return parts["early_stopping"]
    flags = [text.casefold() for key in ("early_stopping_met",) for text, _ in texts(run, key)]
    return all(flag == "true" for flag in flags) if flags else None
