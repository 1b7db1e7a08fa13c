"""M04: a timing from too few repetitions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule
from ._repetitions import Repeated, at_least, repetitions

ITEM = "number of repetitions"
ONCE = frozenset({"trial", "session", "training_run"})
"""Units of numbers that are read once in each."""
STATE = """\
arms:
  server:
    performance: {rate: {quantity: rate, unit: requests/s, n: {unit: request, completed: 1000}}}
"""
PROVIDE = """\
throughput:
  warmup: 5
  iterations: 50
  trials: 5
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    iterations: float = Threshold(30, "iterations", "Benchmarking practice: 10 to 30 repetitions, 50 for publication")
    requests: float = Threshold(100, "requests", "judgement")
    least: float = Threshold(
        10,
        "repetitions",
        "Benchmarking practice, by profile",
        {"gate": 30, "publication": 50, "procurement": 50},
    )
    least_trials: float = Threshold(3, "trials, sessions or runs that show a spread", "judgement")
    trials: float = Threshold(
        5, "trials", "simulation: intervals over fewer trials cover badly", {"reviewer": 3, "gate": 3}
    )


@rule(
    "M04",
    "too-few-repetitions",
    effect=CAVEAT,
    confidence=C3,
    applies="measured and quantity in {rate, time, latency, flops, mfu, energy, cost} and not has(whole_run_samples)",
    origin="S4, SIM, MEAS",
    thresholds=Thresholds,
)
def too_few_repetitions(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A timing that rests on too few repetitions, or does not say on how many.

    ## What it does
    Reads how often the number was measured, and in which unit: iterations, requests, trials. Raw numbers count before
    declared ones, and a raw number that is the mean of several loops counts as so many iterations, where there are at
    least 3 raw numbers. What is read once a trial, such as an energy, was measured as often as there are trials,
    however many iterations each of them holds. Where a load generator counts no queries, but says that there were as
    many as its settings ask for, these are read.

    ## Why it misleads
    Timings vary. One run, or a handful, can come out wherever the machine was at that moment; a reader cannot tell a
    difference from noise.

    ## Branches
    - (a) caveat, C3: at or above the profile's least n, but below 30 iterations or 100 requests; or 3 to 4 trials
      where the profile does not ask for 5.
    - not shown: n or its unit is not stated, or n is below the profile's least (reviewer 10, gate 30, publication and
      procurement 50), or what was read once a trial comes from fewer than 3 of them. A cost without n is that of a time
      or an energy, which is asked. Required (number of repetitions) from the reviewer profile on; not of a quotation of
      a suite's verified entry, whose runs the suite's review counted.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": null, "performance": {"rate": {"n": {"unit": "iteration", "completed": 20}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with 60 iterations in each of five trials.

    ## How to fix
    State how often this was measured and what was repeated (iterations, requests, runs). Measure at least 30 iterations
    in each of at least 5 fresh processes, or at least 100 requests of a service; for publication at least 50
    iterations, with median and interquartile range.

    ## References
    Benchmarking chapter of the deep-learning performance course; simulations behind the trial count.
    """
    found = repetitions(claim, case)
    if found is None:
        if claim.quantity == "cost":
            yield Inapplicable("a cost is computed from a time or an energy, and states no n of its own")
            return
        if at_least(claim, case) >= max(thresholds.least, thresholds.requests):
            return
        yield NotShown(
            "how often this was measured is not stated",
            claim.at,
            ITEM,
            STATE if claim.measured is not None else PROVIDE,
        )
        return
    if found.n < thresholds.least and found.unit in {"iteration", "request"}:
        yield NotShown(
            f"{_counted(found)} fewer than the {thresholds.least:g} that profile {case.profile} asks for",
            found.at,
            ITEM,
            PROVIDE,
            lacking=f"at least {thresholds.least:g} {found.unit}s instead of {found.n}",
        )
        return
    if found.unit in ONCE and found.n < thresholds.least_trials:
        message = f"{found.n} {found.unit}s show no spread of what is read once in each: {thresholds.least_trials:g} do"
        lacking = f"at least {thresholds.least_trials:g} {found.unit.replace('_', ' ')}s instead of {found.n}"
        yield NotShown(message, found.at, ITEM, PROVIDE, lacking=lacking)
        return
    enough = {"iteration": thresholds.iterations, "request": thresholds.requests}.get(found.unit)
    if enough is not None and found.n < enough:
        message = f"{_counted(found)} few: {enough:g} show the spread"
        yield Violation("a", CAVEAT, C3, message, found.at, recomputed=str(found.n))
    elif found.raw and found.trials is not None and 3 <= found.trials < 5 and thresholds.trials < 5:
        message = f"{found.trials} trials are few: 5 give an interval that holds"
        yield Violation("a", CAVEAT, C3, message, found.at, recomputed=str(found.trials))


def _counted(found: Repeated) -> str:
    return f"{found.n} {found.unit}s are" if found.n != 1 else f"1 {found.unit} is"
