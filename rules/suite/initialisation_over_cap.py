"""Q03: an initialisation longer than the clock may leave out."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.times import duration_s, init_start_ms, single, started_ms
from ..facts.suite.result import Quoted, quoted
from ..facts.suite.runs import training_runs
from ..language.printed import short
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule
from ..tables import mlperf
from ..trace import Logged

PROVIDE = """\
arms:
  trained:
    runs:
      result_0:
        init: {start_ms: 1744012940120, stop_ms: 1744012991493}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(1, "seconds between stamps of one process", "stamps of logs: one second")
    handover: float = Threshold(60, "seconds from the end of the initialisation to the start", "judgement")


@rule(
    "Q03",
    "initialisation-over-cap",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_training and has(trace)",
    origin="POL, MEAS",
    thresholds=Thresholds,
)
def initialisation_over_cap(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A run whose clock starts later than the suite's cap on initialisation allows.

    ## What it does
    Takes the time from the first start of the initialisation, over all processes, to its stop, or to the start of the
    run where that is more than a minute later. What exceeds the cap of the round and division counts as training time;
    where the round is not known, the longest cap of any.

    ## Why it misleads
    Compilation and warm-up outside of the clock are bounded so that nobody trains, or tunes to the data, before it
    starts.

    ## Branches
    - (a) undermines, C3: the initialisation takes longer than the cap. The finding gives the time with the excess
      added.
    - not shown: the log does not say when its initialisation began.
    - not applicable: no cap is known for the round, or the division is not stated.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_0": {"events": {"5": {"time_ms": 1744010940120}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, with initialisations of less than a minute.

    ## How to fix
    Start the clock at the cap, or add the excess to the time.

    ## References
    MLPerf Training rules, section on timing: 20 to 30 minutes, in the open division up to four hours.
    """
    result = quoted(claim)
    cap_min = cap(result)
    if cap_min is None:
        yield result.no_figure("the initialisation")
        return
    silent = []
    runs = training_runs(claim, case)
    for run in runs:
        begun, ended = init_start_ms(run), _ended_ms(run, thresholds.handover)
        if begun is None or ended is None:
            silent.append(run)
            continue
        excess_s = (ended - begun) / 1000 - cap_min * 60
        if excess_s > thresholds.slack:
            took = f"{short((ended - begun) / 60000)} minutes"
            message = f"{run.name} initialises for {took}; the cap is {cap_min:g} minutes"
            time = duration_s(run)
            if time is not None:
                message += f": its time is {short((time + excess_s) / 60)} minutes, not {short(time / 60)}"
            events = run.trace.of("run_start")
            at = run.trace.place(events[0]) if events else run.place()
            yield Violation("a", UNDERMINES, C3, message, at, f"{cap_min:g} min", took)
    if silent:
        message = f"{silent[0].name} does not say when its initialisation began"
        yield NotShown(message, silent[0].place(), provide=PROVIDE)
    elif not runs:
        yield Inapplicable("no training run is logged")


def _ended_ms(run: Logged, handover_s: float) -> float | None:
    """Return when the initialisation ended: at its stop, or at the run's start where that is long after."""
    stop, started = single(run, "init_stop"), started_ms(run)
    if stop is None or stop.time_ms is None or started is None or started - stop.time_ms > handover_s * 1000:
        return started
    return min(stop.time_ms, started)


def cap(result: Quoted) -> float | None:
    """Return the longest initialisation of a round and division, in minutes; of all rounds where it is not known."""
    if result.division not in {"closed", "open"}:
        return None
    entries = mlperf.training().initialisation.minutes
    fit = [entry for entry in entries if result.round is None or mlperf.within(result.round, entry.rounds)]
    return max((entry.closed if result.division == "closed" else entry.open for entry in fit), default=None)
