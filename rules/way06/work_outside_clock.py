"""W0605: work that every run pays is left outside the clock."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Exclusion, Measurement, Metric
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.document.told import said
from ..facts.document.words import words_in, words_of
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import seconds
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import training_time

ITEM = "clock's exclusions"
BEFORE = "work done beforehand"
COUNTED = "time behind counted work"
CURRENCIES = frozenset({"USD", "US$", "$", "EUR", "€", "GBP", "£", "CNY", "JPY", "¥", "CHF"})
CLOCKED = frozenset({"time", "latency", "rate"})
PROVIDE_TIME = """\
arms:
  a:
    performance:
      time: {quantity: latency, value: "4.1", unit: ms}     # beside the operations, parameters or steps
"""
PER_REQUEST = ("preprocessing", "staging_to_device", "post_process")
PER_RUN = (
    *PER_REQUEST,
    *("compile", "autotune", "graph_capture", "data_download", "validation_data_generation", "init", "warm_up_run"),
)
PROVIDE = """\
arms:
  a:
    measurement:
      exclusions:
        compile: {recurs: per_run, duration_s: 41, stated: true}
      exclusions_complete: true
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.02, "share of the claimed time", "judgement: below the noise of most measurements")


@rule(
    "W0605",
    "work-outside-clock",
    effect=UNDERMINES,
    confidence=C3,
    applies="training_time or cost or latency or (measured and quantity in {rate, time, flops})",
    origin="S1.6, ML, MEAS",
    thresholds=Thresholds,
)
def work_outside_clock(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Work that every run pays, such as compilation, is left out of the time and not mentioned.

    ## What it does
    Reads what the clock leaves out, how often that is paid, and how long it takes. Only work that every run pays
    counts: preprocessing done once per data set does not. For a latency, only work that every request pays counts:
    preprocessing, copies to the device, post-processing; a compilation is paid once per process and no part of it.

    ## Why it misleads
    A training that takes 3 seconds after 60 seconds of compilation takes 63 seconds for whoever runs it.

    ## Branches
    - (a) undermines, C3: an item of more than 2 % of the claimed time, or of unknown duration, is excluded and not
      stated.
    - (b) caveat, C3: the same, stated without its duration.
    - (c, instead of a) caveat, C3: for a rate or the time of a step: an item is excluded, and marked as not stated.
    - pass with note: stated with its duration; the inclusive time is printed.
    - not shown: what the clock leaves out is not stated; or an item is not stated and the claimed time is unknown.
      Required (clock's exclusions) of training times from the publication profile on.
    - not shown: words beside the number tell of work that is done in advance, such as features that are computed or
      labels that are made by another model, and whether the time or the cost counts it is not stated. Required (work
      done beforehand) of training times and costs from the reviewer profile on.
    - not shown: a price of a training in money, and nothing tells whether it counts the runs, the data and the
      evaluation besides. Required (work done beforehand) of costs from the reviewer profile on.
    - not shown: a method is called faster in words, and the document holds operations, parameters or steps that were
      counted and no time. Required (time behind counted work) from the reviewer profile on.
    - not applicable: a rate or the time of a step, of which nothing is stated as left out.
    - Silent on initialisation within a suite's cap, and where the sentence says "steady state".

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"statement": "Training takes 1986 seconds with fused attention.", "value": "1986",
                            "unit": "s", "quantity": "time", "form": "absolute", "scope": "training_run",
                            "compares": "none"}},
     "arms": {"fused": {"measurement": {"exclusions": {"compile": {"stated": false}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, which says that the compilation of 41 s is left out:
    ```json
    {"claims": {"speedup": {"statement": "Training takes 1986 seconds with fused attention.", "value": "1986",
                            "unit": "s", "quantity": "time", "form": "absolute", "scope": "training_run",
                            "compares": "none"}}}
    ```

    ## How to fix
    Give both times, with and without the excluded work.

    ## References
    Hoefler, Twelve ways to fool the masses, way 6. MLPerf training rules, timing.
    """
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    yield from _counted_only(claim, case)
    if not (training_time(claim, case) or claim.quantity in {"cost", "latency"}):
        yield from _beside_a_rate(claim, measurement)
        return
    if side is None or measurement is None or not (measurement.exclusions or measurement.exclusions_complete):
        at = claim.at if side is None else side.arm.at if measurement is None else measurement.at
        yield from _beforehand(claim)
        yield NotShown("what the clock leaves out is not stated", at, ITEM, PROVIDE)
        return
    if words_of(claim).has("steady_state"):
        return
    time, excluded = claimed_time(claim, case), _excluded(claim, measurement)
    for name, item in excluded.items():
        yield from _judge(claim, thresholds, time, name, item, alone=len(excluded) == 1)


def _counted_only(claim: Claim, case: Case) -> Iterator[Branch]:
    """Ask for a time where a method is called faster and all numbers of the document were counted."""
    if claim.form != "words" or claim.quantity not in CLOCKED or claim.purpose != "method_speedup":
        return
    counts = _counts(case)
    if counts is not None:
        message = f"a gain in time is told, and only counted work is given ({counts.unit}): no time was measured"
        yield NotShown(message, claim.at, COUNTED, PROVIDE_TIME, (Related(counts.at, "counted, not timed"),))


@fact
def _counts(case: Case) -> Metric | None:
    """Return the first count of work of a document that holds no time and no rate; None where it holds one."""
    arms = [metric for side in case.sides() for metric in side.arm.performance.values() if metric.value is not None]
    columns = [column for table in case.submission.tables.values() for column in table.columns.values()]
    timed = not CLOCKED.isdisjoint([*(metric.quantity for metric in arms), *(column.quantity for column in columns)])
    raw = any(trial.samples or trial.wall_s for side in case.sides() for trial in side.arm.trials.values())
    return None if timed or raw else next(filter(_of_work, arms), None)


def _of_work(metric: Metric) -> bool:
    """Whether a metric counts operations, parameters or steps."""
    unit = words_in(metric.unit)
    return metric.quantity == "count" and (unit.has("floating_point_operations") or unit.has("counted_work"))


def _beforehand(claim: Claim) -> Iterator[Branch]:
    """Ask whether a time or a cost counts what is said to be done in advance; a price, what else had to be paid."""
    if claim.quantity == "cost" and claim.scope == "training_run" and claim.unit in CURRENCIES:
        message = "whether the price counts earlier runs, the making of the data and the evaluation is not stated"
        yield NotShown(message, claim.at, BEFORE, PROVIDE)
        return
    told = words_of(claim).quoted("done_in_advance")
    if told is not None and claim.quantity != "latency":
        message = f"whether the {claim.quantity} counts the work that is done in advance is not stated"
        yield NotShown(message, claim.at, BEFORE, PROVIDE, (Related(told.at, "tells of work in advance"),))


def _beside_a_rate(claim: Claim, measurement: Measurement | None) -> Iterator[Branch]:
    """Judge a rate or the time of a step: a caveat, only where the document owns that the work is not mentioned."""
    if measurement is None or not (measurement.exclusions or measurement.exclusions_complete):
        yield Inapplicable("what a rate's clock leaves out is not stated")
        return
    told = said(claim, "clock_exclusions") or read(claim.statement).has("steady_state")
    excluded = _excluded(claim, measurement) if not told else {}
    for name, item in excluded.items():
        if not item.stated and item.duration_s != 0:
            label, took = name.replace("_", " "), f" ({item.duration_s:g} s)" if item.duration_s is not None else ""
            message = f"{label}{took} of every run is left out of the clock, and nothing beside the number says so"
            yield Violation("c", CAVEAT, C3, message, item.at, claim.value)


def _excluded(claim: Claim, measurement: Measurement) -> dict[str, Exclusion]:
    counted: tuple[str, ...] = PER_REQUEST if claim.quantity == "latency" else PER_RUN
    if claim.suite in {"training", "inference"}:
        counted = tuple(name for name in counted if name != "init")
    return {name: item for name, item in measurement.exclusions.items() if name in counted and item.recurs == "per_run"}


def _judge(
    claim: Claim, thresholds: Thresholds, time: Span | None, name: str, item: Exclusion, alone: bool
) -> Iterator[Branch]:
    words = [item for item in claim.said if item.topic == "clock_exclusions"]
    stated, duration_s = item.stated or bool(words), item.duration_s
    if duration_s is None and alone and words:
        duration_s = words[0].duration_s
    label, small = name.replace("_", " "), None
    if duration_s is not None and time is not None:
        small = exact(duration_s).low <= Decimal(str(thresholds.share)) * time.high
    if small:
        return
    if stated and duration_s is not None:
        if claim.quantity == "latency":
            yield Note(f"{label} ({duration_s:g} s) is left out of the clock, as is stated")
        elif time is not None:
            whole = Span(*(end + exact(duration_s).low for end in (time.low, time.high)))
            yield Note(f"with {label} ({duration_s:g} s) the time is {whole} s")
    elif stated:
        yield Violation("b", CAVEAT, C3, f"{label} is left out of the clock, for a time that is not given", item.at)
    elif duration_s is not None and small is None:
        message = f"{label} ({duration_s:g} s) is left out of the clock and not mentioned; its share is not known"
        yield NotShown(message, item.at, provide=PROVIDE)
    else:
        took = f" ({duration_s:g} s)" if duration_s is not None else ", of unknown duration,"
        message = f"{label}{took} is left out of the clock, and nothing beside the number says so"
        outside = f"{short(duration_s)} s outside" if duration_s is not None else None
        yield Violation("a", UNDERMINES, C3, message, item.at, claim.value, outside)


def claimed_time(claim: Claim, case: Case) -> Span | None:
    """Return the time that a claim is about, in seconds: its own, that of its metric, or the hours behind its cost."""
    side = case.subject(claim)
    if claim.quantity == "cost":
        hours = side.arm.cost.hours if side is not None and side.arm.cost is not None else None
        return exact(hours * 3600) if hours is not None else None
    unit = seconds(claim.unit)
    if claim.form == "absolute" and claim.value is not None and unit is not None:
        return span(claim.value, claim.qualifier, claim.digits) * Span(unit, unit)
    metric = case.metric(claim.measured)
    unit = seconds(metric.unit) if metric is not None else None
    if metric is None or metric.value is None or unit is None or metric.quantity not in {"time", "latency"}:
        return None
    return span(metric.value, digits=metric.digits) * Span(unit, unit)
