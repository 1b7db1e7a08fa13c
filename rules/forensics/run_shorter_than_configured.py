"""F49: a run that did not last as long as it was told to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.runs import RunWindow
from ...schemas.submission import Claim
from ..case import Case
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..trace import Logged

LATENCY = (1.001, 0.010)
RATE = 0.99
LONGEST = 1.01
AT_ONCE = 0.01
JUDGED = frozenset({"training", "performance"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    low: float = Threshold(0.999, "of the configured least duration", "measured on published inference logs")
    window: float = Threshold(5, "s that the clock may show beyond the trace, or 2 %", "measured on published logs")


@rule(
    "F49",
    "run-shorter-than-configured",
    effect=REFUTES,
    confidence=C3,
    applies="has(window)",
    origin="MEAS, ML",
    thresholds=Thresholds,
)
def run_shorter_than_configured(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A trace that does not fill the window for which the run was configured.

    ## What it does
    Holds the duration that a run's trace shows against the configured least and greatest one, against its largest
    latency, against the wall clock, and against the work divided by the rate. Each is one measure of the same window.

    ## Why it misleads
    A short run ends before the machine is warm and before rare latencies occur, and reports a better number.

    ## Branches
    - (a) refutes, C3: the trace is shorter than 0.999 of the least duration; a latency is longer than the whole trace;
      the wall clock shows more than 5 s and 2 % beyond it; work divided by rate is below 0.99 of the least duration; or
      the trace is longer than 1.01 of the greatest one. Of work that was there at once and whose number is one of
      another unit (tokens), work divided by rate is off the largest latency, in which it was done, by more than 1 %.
    - not applicable: a measured run without a configured least duration, or without that of its trace.
    - guard: a trace longer than the wall clock shows includes loading; compliance runs are configured otherwise.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"window": {"trace_s": 412.6}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, whose trace lasts 661.8 s of at least 600 s.

    ## How to fix
    Repeat the run for the configured duration.

    ## References
    Rules of inference suites; tolerances measured on published logs.
    """
    runs = [run for run in case.runs(claim) if run.role in JUDGED]
    unknown = not runs
    for run in runs:
        window = run.run.window
        if window is None or window.configured_min_s is None or window.trace_s is None:
            unknown = True
        if window is not None:
            yield from _judge(run, window, thresholds)
            yield from _at_once(claim, run, window)
    if unknown:
        yield Inapplicable("a measured run lacks its configured least duration, or that of its trace")


def _judge(run: Logged, window: RunWindow, thresholds: Thresholds) -> Iterator[Violation]:
    trace, least, most = window.trace_s, window.configured_min_s, window.configured_max_s
    if trace is not None:
        if least is not None and trace < thresholds.low * least:
            yield _violation(run, window, "trace_s", trace, "configured_min_s", least, "its trace lasts", "at least")
        if window.largest_latency_s is not None and window.largest_latency_s > LATENCY[0] * trace + LATENCY[1]:
            latency = window.largest_latency_s
            yield _violation(run, window, "largest_latency_s", latency, "trace_s", trace, "a query took", "a trace of")
        if window.wall_s is not None and window.wall_s > trace + max(thresholds.window, 0.02 * trace):
            yield _violation(run, window, "trace_s", trace, "wall_s", window.wall_s, "its trace lasts", "by the clock")
        # what the clock does not show of the trace was loading
        if most and min(trace, window.wall_s or trace) > LONGEST * most:
            yield _violation(run, window, "trace_s", trace, "configured_max_s", most, "its trace lasts", "at most")
    if window.work and window.rate_per_s and least is not None and window.work / window.rate_per_s < RATE * least:
        lasted = window.work / window.rate_per_s
        long = trace is not None and trace >= least
        other, limit, against = (
            ("trace_s", trace or 0.0, "its trace lasts") if long else ("configured_min_s", least, "at least")
        )
        yield _violation(run, window, "rate_per_s", lasted, other, limit, "work / rate give", against)


def _at_once(claim: Claim, run: Logged, window: RunWindow) -> Iterator[Violation]:
    """Yield work that its rate does not get done in the time that it took, where the claim prints another unit."""
    scenario = str(run.run.summary.get("scenario", "")).casefold()
    counted = (claim.unit or "").casefold().startswith("sample")
    latency, least = window.largest_latency_s, window.configured_min_s
    if scenario != "offline" or counted or not window.work or not window.rate_per_s or not latency:
        return
    lasted = window.work / window.rate_per_s
    told = least is not None and lasted < RATE * least
    if not told and not 1 - AT_ONCE <= lasted / latency <= 1 + AT_ONCE:
        yield _violation(
            run, window, "work", lasted, "largest_latency_s", latency, "work / rate give", "it was done in"
        )


def _violation(
    run: Logged, window: RunWindow, name: str, value: float, other: str, limit: float, says: str, against: str
) -> Violation:
    message = f"{run.name}: {says} {value:.6g} s, {against} {limit:.6g} s"
    related = (Related(window.place(other), f"{limit:.6g} s"),)
    return Violation("a", REFUTES, C3, message, window.place(name), f"{limit:.6g} s", f"{value:.6g} s", related)
