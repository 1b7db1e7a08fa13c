"""Q10: a performance run that is shorter than the suite asks for."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.numbers import finite
from ..facts.suite.inference import number, performance_runs
from ..facts.suite.result import quoted
from ..language.printed import short
from ..outcome import C3, UNDERMINES, Branch, NotShown, Violation
from ..registry import Threshold, rule
from ..tables import mlperf
from ..trace import Logged

PROVIDE = """\
arms:
  server:
    runs:
      performance:
        role: performance
        window: {configured_min_s: 600, trace_s: 661.8, work: 62177280, rate_per_s: 93945.8}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.01, "share", "rounding of printed rates")


@rule(
    "Q10",
    "minimum-duration-short",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_inference",
    origin="POL, MEAS",
    also=("F49",),
    thresholds=Thresholds,
)
def minimum_duration_short(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A performance run below the least duration of its round.

    ## What it does
    Compares the duration that was configured and the one that the trace shows, in the offline scenario without a trace
    the work divided by the rate, with the least duration of the round. Ranging and compliance runs are not judged.

    ## Why it misleads
    Short runs end before clocks and temperatures settle, and hide the rare slow answers.

    ## Branches
    - (a) undermines, C3: one of the durations is below the least one.
    - not shown: no duration is configured or traced.
    - not applicable: the round is not stated or not in the table.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"performance": {"window": {"configured_min_s": 60},
       "events": {"6": {"value": 60000}}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, a run of 662 seconds.

    ## How to fix
    Run again for at least ten minutes.

    ## References
    MLPerf Inference rules: 600 s, before v1.0 60 s.
    """
    result = quoted(claim)
    table = mlperf.inference().minimum_duration_s
    least = next((e.seconds for e in table if result.round is not None and mlperf.within(result.round, e.rounds)), None)
    if least is None:
        yield result.no_figure("the least duration")
        return
    runs = performance_runs(claim, case)
    silent = [run for run in runs if not list(_durations(run, result.scenario))]
    for run in runs:
        for what, seconds, at in _durations(run, result.scenario):
            if seconds < least * (1 - (thresholds.slack if what != "configures" else 0)):
                message = f"{run.name} {what} {short(seconds)} s; the round asks for {short(least)} s"
                yield Violation("a", UNDERMINES, C3, message, at, f"{short(least)} s", f"{short(seconds)} s")
                break
    if silent or not runs:
        who = silent[0].name if silent else "no performance run"
        yield NotShown(f"{who}: its duration is neither configured nor traced", claim.at, provide=PROVIDE)


def _durations(run: Logged, scenario: str | None) -> Iterator[tuple[str, float, str]]:
    """Yield what a run did, how many seconds that is, and where it stands."""
    window = run.run.window
    configured = number(run, "effective_min_duration_ms", "min_duration_ms")
    if window is not None and window.configured_min_s is not None:
        yield "configures", window.configured_min_s, window.place("configured_min_s")
    elif configured is not None:
        yield "configures", configured[0] / 1000, configured[1]
    if window is None:
        return
    if window.trace_s is not None and finite(window.trace_s):
        yield "shows a trace of", window.trace_s, window.place("trace_s")
    # Where the trace lasted, work that would be done sooner contradicts the rate, which is another rule's.
    if scenario == "Offline" and window.trace_s is None and window.work and window.rate_per_s:
        yield "does its work in", window.work / window.rate_per_s, window.place("work")
