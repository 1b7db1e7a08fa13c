"""Q11: fewer samples or queries than the round asks for."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.inference import number, performance_runs, scenario_of, texts
from ..facts.suite.result import Quoted, is_handed_in, member, quoted
from ..language.printed import short
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
def query_count_short(claim: Claim, case: Case) -> Iterator[Branch]:
    """A performance run with too few runs, samples or queries for its scenario, or with the same samples again.

    ## What it does
    Compares the samples of an offline run, the queries of the other scenarios, and the samples that the run holds
    loaded, with the least numbers of the round; so the runs of a server, in the rounds that count the slowest of
    several, and the samples of a query of several streams. Fewer queries suffice where the load generator says that
    the condition for early stopping is met. The samples that the log lists as loaded are counted, and the settings
    are read that say which of them were sent.

    ## Why it misleads
    A percentile of too few queries is luck, and a handful of samples, or one that is sent again and again, stay in the
    cache.

    ## Branches
    - (a) undermines, C3: too few samples, queries, samples in a query, or loaded samples.
    - (a) undermines, C3: fewer runs of a server than the round asks for in the closed division.
    - (b) undermines, C3: the run sent one sample in all its queries; or did not send every loaded sample equally
      often, where the round asks for it because the inputs differ in size.
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
    runs = performance_runs(claim, case)
    yield from _runs(claim, case, result, runs)
    for run in runs:
        yield from _sent(run, result)
    if figures is None and offline is None:
        yield result.no_figure("the number of queries")
        return
    complete = bool(runs)
    for run in runs:
        made_in = replace(result, scenario=scenario_of(run, result))
        for what, found, least in _counts(run, made_in, figures, offline):
            if found is None:
                complete = False
            elif found[0] < least:
                message = f"{run.name} {what} {short(found[0])}; the round asks for {least}"
                yield Violation("a", UNDERMINES, C3, message, found[1], str(least), short(found[0]))
    if not complete:
        yield NotShown("how many samples and queries the run had, and loaded, is not given", claim.at, provide=PROVIDE)


def _runs(claim: Claim, case: Case, result: Quoted, runs: tuple[Logged, ...]) -> Iterator[Violation]:
    """Yield that a server was run fewer times than the round asks for; none of which is there says nothing."""
    table = mlperf.inference().server_runs
    timed = result.closed and result.scenario == "Server" and result.round is not None
    asked = timed and mlperf.within(result.round or "", table.rounds)
    if asked and 0 < len(runs) < table.runs and case.submission.coverage == "full" and is_handed_in(claim, case):
        message = f"{len(runs)} performance runs are there; the round asks for {table.runs} of a server"
        yield Violation("a", UNDERMINES, C3, message, runs[-1].place(), str(table.runs), str(len(runs)))


def _sent(run: Logged, result: Quoted) -> Iterator[Violation]:
    """Yield what a run says of the samples that it loaded and sent, and that no scored run does."""
    same = _setting(run, "performance_issue_same")
    if same is not None and same[0]:
        message = f"{run.name} sent the same sample in every query (performance_issue_same)"
        yield Violation("b", UNDERMINES, C3, message, same[1], "false", "true")
    equal = _setting(run, "sample_concatenate_permutation")
    if equal is not None and not equal[0] and _equal_issue(result):
        message = f"{run.name} did not send every sample equally often (sample_concatenate_permutation), as asked"
        yield Violation("b", UNDERMINES, C3, f"{message} of {result.words}", equal[1], "true", "false")
    several = mlperf.inference().multistream_samples
    since = result.round is not None and mlperf.since(result.round, several.from_round)
    if since and scenario_of(run, result) == "MultiStream":
        found = number(run, "effective_samples_per_query", "samples_per_query")
        if found is not None and 0 < found[0] < several.samples:
            message = f"{run.name} sends {short(found[0])} samples in a query; the round asks for {several.samples}"
            yield Violation("a", UNDERMINES, C3, message, found[1], str(several.samples), short(found[0]))
    listed, asked = _listed(run), number(run, "effective_performance_sample_count", "performance_sample_count")
    whole = number(run, "qsl_reported_total_count")
    if listed is not None and asked is not None and listed[0] < min(asked[0], whole[0] if whole else asked[0]):
        message = f"{run.name} lists {listed[0]} samples as loaded; {short(asked[0])} are configured"
        yield Violation("a", UNDERMINES, C3, message, listed[1], short(asked[0]), str(listed[0]))


def _setting(run: Logged, name: str) -> tuple[bool, str] | None:
    """Return an effective setting that is true or false, with its place: as logged, else as the summary prints it."""
    for event in run.trace.of(f"effective_{name}"):
        if isinstance(event.value, bool):
            return event.value, run.trace.place(event)
    printed = str(run.run.summary.get(name, "")).casefold()
    return (printed in {"1", "true"}, run.place("summary", name)) if printed in {"0", "1", "true", "false"} else None


def _equal_issue(result: Quoted) -> bool:
    if not result.closed or result.round is None:
        return False
    fitting = (entry for entry in mlperf.inference().equal_issue.entries if result.benchmark in entry.benchmarks)
    return any(mlperf.within(result.round, entry.rounds) for entry in fitting)


def _listed(run: Logged) -> tuple[int, str] | None:
    """Return how many samples the log lists as loaded, where it lists them once."""
    found = run.trace.of("loaded_qsl_set")
    if len(found) != 1 or not isinstance(found[0].value, int) or isinstance(found[0].value, bool):
        return None
    return found[0].value, run.trace.place(found[0])


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
    flags = [text.casefold() for text, _ in texts(run, "early_stopping_met")]
    return all(flag == "true" for flag in flags) if flags else None
