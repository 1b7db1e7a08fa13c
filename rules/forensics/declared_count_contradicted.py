"""F26: a declared number of units of which fewer are there."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric, Quality, Repetitions, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.given import given
from ..facts.series.raw_numbers import raw
from ..language.printed import Span, short, span
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

CAP = 9_000
"""A document holds at most 10,000 raw numbers: one that is nearly full may have had to leave some out."""
WITHIN = frozenset({"iteration", "request"})
OF_A_REQUEST = frozenset({"latency_s", "ttft_s", "tpot_s", "output_tokens"})


class Tally(Struct, frozen=True):
    """Declared units beside those that are there.

    Attributes:
        unit: what is counted.
        declared: how many are declared.
        found: how many are there.
        at: place of the declaration.
        found_at: place of the units.
    """

    unit: str
    declared: int
    found: int
    at: str
    found_at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.05, "fraction of the declared units", "judgement")


@rule(
    "F26",
    "declared-count-contradicted",
    effect=REFUTES,
    confidence=C3,
    applies="has(counted)",
    origin="MEAS, ML",
    also=("W0304", "F07"),
    thresholds=Thresholds,
)
def declared_count_contradicted(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A number that is said to rest on more units than the document holds.

    ## What it does
    Counts the raw numbers, processes, training runs and seeds behind the claim's number and compares them with the
    declared iterations or requests, processes and runs. A declared count may be that of one process or of all; warm-up
    iterations need not be there. Where the number is a count of requests over a time, it is computed again with the
    requests that were found. A number without raw values of its own rests on those of the same units.

    ## Why it misleads
    The n beside a number is why a reader trusts it. Units that are nowhere were not measured, or were left out.

    ## Branches
    - (a) refutes, C3: the count is a factor of the number, every process is there, and the number computed again with
      the units found is another one.
    - (b) undermines, C3: more than 5 % of the declared units are missing.
    - (c) caveat, C3: at most 5 % are missing.
    - not applicable: nothing that can be counted is handed in for a declared count, only some of the processes have
      both planned iterations and raw numbers, the document is an excerpt, or it is so full of raw numbers that some may
      have had to be left out.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"claims": {"rate": {"value": "7.53", "statement": "The server completes 7.53 requests per second."}},
     "arms": {"server": {"performance": {"rate": {"value": "7.53", "work": 1200, "interval": null,
       "n": {"planned": 1204, "completed": 1200}}, "latency": {"n": {"planned": 1204, "completed": 1200}}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, whose 1000 answered requests are all there.

    ## How to fix
    Publish all units, or correct the count.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 2.
    """
    side = case.subject(claim)
    if side is None or _incomplete(case, side):
        yield Inapplicable("the claim names no arm, or the document holds a part of the units only")
        return
    tallies = list(_tallies(claim, case, side))
    if not tallies or len(tallies) < _declarations(claim, case):
        yield Inapplicable("no units are handed in that a declared count could be compared with")
    elif _some_unknown(case, side, case.metric(claim.measured)):
        yield Inapplicable("planned iterations and raw numbers are both there for some of the processes only")
    for tally in tallies:
        if tally.found < tally.declared:
            yield _violation(case.metric(claim.measured), side, tally, tallies, thresholds.share)


def _incomplete(case: Case, side: Side) -> bool:
    inline = sum(len(column) for trial in side.arm.trials.values() for column in trial.samples.values())
    return inline >= CAP or (side.study is None and case.submission.coverage == "excerpt")


def _tallies(claim: Claim, case: Case, side: Side) -> Iterator[Tally]:
    metric, quality = case.metric(claim.measured), case.quality(claim.quality)
    at = side.arm.place("trials")
    if metric is not None:
        yield from _of_metric(case, side, metric, at)
    if quality is not None and claim.quantity == "accuracy":
        yield from _of_quality(case.side(claim.quality) or side, quality)


def _of_metric(case: Case, side: Side, metric: Metric, at: str) -> Iterator[Tally]:
    lengths = _lengths(case, side, metric)
    timed = _timed(side, metric)
    if metric.trials is not None and timed:
        yield Tally("processes", metric.trials, len(timed), metric.place("trials"), at)
    n = metric.n
    if n is not None and n.completed and n.unit in WITHIN and lengths and all(lengths.values()):
        found = sum(lengths.values())
        # A declared count may be that of each process: then each must hold as many.
        each = min(lengths.values()) >= n.completed
        yield Tally(f"{n.unit}s", n.completed, max(found, n.completed) if each else found, n.place("completed"), at)
    planned = [(side.arm.trials[name], length) for name, length in lengths.items() if length]
    wanted = [(trial, length) for trial, length in planned if trial.iterations_planned]
    if wanted and metric.column is not None:
        expected = sum(_expected(trial) for trial, _ in wanted)
        found = sum(min(length, _expected(trial)) for trial, length in wanted)
        slack = sum(trial.warmup or 0 for trial, _ in wanted)
        found = expected if found >= expected - slack else found
        yield Tally("planned iterations", expected, found, wanted[0][0].place("iterations_planned"), at)


def _timed(side: Side, metric: Metric) -> list[tuple[str, Trial]]:
    """Return the completed processes that a number may rest on."""
    of_training = metric.scope == "training_run" or (metric.n is not None and metric.n.unit == "training_run")
    kind = "convergence" if of_training else "throughput"
    return [
        (name, trial) for name, trial in side.arm.trials.items() if (trial.kind, trial.outcome) == (kind, "completed")
    ]


def _some_unknown(case: Case, side: Side, metric: Metric | None) -> bool:
    if metric is None or metric.column is None:
        return False
    held = dict(raw(case, side))
    # a process that holds other numbers only was made for another metric
    own = [
        (name, trial) for name, trial in _timed(side, metric) if metric.column in held.get(name, {metric.column: ()})
    ]
    return len({bool(held.get(name) and trial.iterations_planned) for name, trial in own}) > 1


def _expected(trial: Trial) -> int:
    return trial.iterations_planned or 0


def _lengths(case: Case, side: Side, metric: Metric) -> dict[str, int]:
    """Return how many units each timed process holds; of requests in windows, those of all windows."""
    source, found = _source(side, metric), {}
    if source is None or source.column is None:
        return {}
    requests = metric.n is not None and metric.n.unit == "request"
    units = 1.0 if not requests or source.column in OF_A_REQUEST else source.work_per_iteration or 1.0
    for name, columns in raw(case, side):
        if side.arm.trials[name].outcome == "completed":
            column = columns.get(source.column or "")
            found[name] = round(len(column or ()) * units)
    return found


def _source(side: Side, metric: Metric) -> Metric | None:
    """Return the metric whose raw numbers are the units: the number's own, else another one of the very same units."""
    if metric.column is not None:
        return metric
    return next(
        (
            other
            for other in side.arm.performance.values()
            if other.column is not None and other.n is not None and metric.n is not None and _same(other.n, metric.n)
        ),
        None,
    )


def _same(left: Repetitions, right: Repetitions) -> bool:
    return (left.unit, left.planned, left.completed) == (right.unit, right.planned, right.completed)


def _of_quality(side: Side, quality: Quality) -> Iterator[Tally]:
    n = quality.n
    trained = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"]
    if n is None or not n.completed or n.unit != "training_run":
        return
    if quality.seeds:
        yield Tally("seeds", n.completed, len(quality.seeds), n.place("completed"), quality.place("seeds"))
    if trained:
        ended = [trial for trial in trained if trial.outcome == "completed"]
        yield Tally("training runs", n.completed, len(ended), n.place("completed"), side.arm.place("trials"))


def _declarations(claim: Claim, case: Case) -> int:
    """Return how many counts are declared for the claim's number: one that nothing is handed in for proves nothing."""
    metric, quality = case.metric(claim.measured), case.quality(claim.quality)
    stated: list[Repetitions | int | None] = [metric.n, metric.trials] if metric is not None else []
    if quality is not None and claim.quantity == "accuracy":
        stated.append(quality.n)
    return sum(item is not None for item in stated)


def _violation(metric: Metric | None, side: Side, tally: Tally, tallies: list[Tally], share: float) -> Violation:
    message = f"{tally.declared} {tally.unit} are declared; {tally.found} are there"
    branch, effect = (
        ("b", UNDERMINES) if tally.declared - tally.found > Decimal(str(share)) * tally.declared else ("c", CAVEAT)
    )
    recomputed = _recomputed(metric, tally)
    complete = all(other.found >= other.declared for other in tallies if other.unit == "processes")
    printed = str(tally.found)
    if recomputed is not None and metric is not None and metric.value is not None and complete:
        stated = span(metric.value, digits=metric.digits)
        if not stated.widened(0.01).meets(recomputed):
            branch, effect, printed = "a", REFUTES, f"{recomputed} {metric.unit}"
            message += f", which make {recomputed} {metric.unit} instead of {metric.value}"
    related = (Related(tally.found_at, f"{tally.found} {tally.unit}"),)
    return Violation(branch, effect, C3, message, tally.at, str(tally.declared), printed, related)


def _recomputed(metric: Metric | None, tally: Tally) -> Span | None:
    """Return a rate with the requests that were found in place of the declared ones; None where they are no factor."""
    if metric is None or metric.quantity != "rate" or tally.unit != "requests" or metric.value is None:
        return None
    if metric.work is None or not given(metric.work).meets(Span(Decimal(tally.declared), Decimal(tally.declared))):
        return None
    factor = Decimal(tally.found) / Decimal(tally.declared)
    found = span(metric.value, digits=metric.digits).times(factor)
    return Span(Decimal(short(found.low)), Decimal(short(found.high)))
