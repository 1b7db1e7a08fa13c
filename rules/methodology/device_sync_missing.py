"""M11: a clock on the host that did not wait for the device."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Measurement, Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import arms_of
from ..facts.device.specification import device_of
from ..facts.document.words import words_in
from ..facts.quantities.given import given
from ..facts.quantities.per_second import work_per_second
from ..facts.series.raw_numbers import raw
from ..language.printed import short, span
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median

ITEM = "synchronisation"
UNSYNCHRONISED = frozenset({"none", "final_sync_only"})
PER_STEP = frozenset({"median", "min", "max", "best_of", "percentile", "trimmed_mean"})
LEAST_STEPS = 3
PROVIDE = """\
arms:
  fast:
    measurement:
      timer: {name: "CUDA events"}
      synchronisation: event_timers
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    step_share: float = Threshold(0.10, "median step as a fraction of wall time over steps", "judgement")
    boost: float = Threshold(0.082, "fraction above a data-sheet peak", "highest boost over data-sheet clocks")


@rule(
    "M11",
    "device-sync-missing",
    effect=REFUTES,
    confidence=C3,
    applies="measured and quantity in {rate, time, latency, flops} and accelerator and "
    "scope in {kernel, collective, layer, phase, step}",
    origin="S3",
    also=("P01",),
    thresholds=Thresholds,
)
def device_sync_missing(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Steps timed on the host without waiting for the device that does the work.

    ## What it does
    Reads how the clock of both arms waits for the device, and which clock it is. Where it does not wait in every step,
    looks for values of single steps, compares their median with the wall time over the steps, and the rate with the
    dense peak of its devices, as the document states it or the table of devices bounds it. A loss that is read in every
    step makes the host wait.

    ## Why it misleads
    A call to an accelerator returns before the work is done. A clock that does not wait times the call: microseconds
    instead of milliseconds.

    ## Branches
    - (a) refutes, C3: a host clock that never waits times single steps; or it waits at the end only, and the median
      step is below 10 % of the wall time over the steps; or it does not wait in every step, and the rate is above the
      devices' peak by more than a boost clock gives.
    - (b) undermines, C3: a host clock that waits at the end only stands behind the median, a percentile or the spread
      of single steps; their mean is a total, and right.
    - not shown: how the clock waits is not stated; or that it does not wait, and not which clock it is. Required
      (synchronisation) of timings on accelerators from the gate profile on.
    - pass with a note: a total over many steps without a word on a final wait.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"synchronisation": "none", "timer": {"name": "time.perf_counter"}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, timed with the device's events.

    ## How to fix
    Synchronise with the device around the timed region, or use the device's events.

    ## References
    Cautionary tales of the deep-learning performance course; documentation of asynchronous execution of the frameworks.
    """
    sides = arms_of(claim, case)
    if not sides:
        yield NotShown("how the clock waits for the device is not stated", claim.at, ITEM, PROVIDE)
    for side in sides:
        metric = case.metric(claim.measured if side is sides[0] else claim.base)
        yield from _judge(case, side, metric, thresholds)


def _judge(case: Case, side: Side, metric: Metric | None, thresholds: Thresholds) -> Iterator[Branch]:
    measurement = side.arm.measurement
    if measurement is None or measurement.synchronisation is None:
        at = measurement.at if measurement is not None else side.arm.at
        yield NotShown(f"how the clock of arm {side.id} waits for the device is not stated", at, ITEM, PROVIDE)
        return
    sync = measurement.synchronisation
    if sync not in UNSYNCHRONISED or _reads_loss(case, side):
        return
    clock = _on_host(measurement)
    if clock is None:
        message = f"arm {side.id} does not wait for the device in every step, and its clock is not named"
        yield NotShown(message, measurement.at, ITEM, PROVIDE)
    elif clock:
        yield from _host_clock(case, side, metric, measurement, thresholds)


def _host_clock(
    case: Case, side: Side, metric: Metric | None, measurement: Measurement, thresholds: Thresholds
) -> Iterator[Branch]:
    at, steps = measurement.place("synchronisation"), _steps(case, side)
    counted = metric is not None and metric.n is not None and metric.n.unit == "iteration"
    spread = metric is not None and _of_single_steps(metric)
    single = bool(steps) or (counted and spread)
    whole, waits = _wall_per_step(measurement), measurement.synchronisation == "final_sync_only"
    above = _above_peak(case, side, metric, thresholds.boost)
    clock = measurement.timer.name if measurement.timer is not None else None
    related = (Related(measurement.place("timer"), "the clock"),)
    if above is not None:
        message = f"arm {side.id} is at {short(above)} times the devices' peak by a host clock that does not wait"
        yield Violation("a", REFUTES, C3, message, at, related=related)
    elif not waits and single:
        message = f"arm {side.id} times single steps by {clock}, which does not wait for the device"
        yield Violation("a", REFUTES, C3, message, at, related=related)
    elif waits and steps and whole is not None and median(steps) < thresholds.step_share * whole:
        message = (
            f"the median step of arm {side.id} is {short(median(steps))} s, its wall time over the steps "
            f"{short(whole)} s: the host clock did not wait for the device"
        )
        recomputed = f"{whole:.6g}"
        yield Violation("a", REFUTES, C3, message, at, short(median(steps)), recomputed, related)
    elif waits and single and spread:
        message = f"arm {side.id} waits for the device at the end only, and reports single steps by {clock}"
        yield Violation("b", UNDERMINES, C3, message, at, related=related)
    elif not waits:
        yield Note(f"arm {side.id} reports a total by {clock}; whether it waited at the end is not said")


def _reads_loss(case: Case, side: Side) -> bool:
    """Whether a loss was read in every step: reading it makes the host wait."""
    found = raw(case, side)
    return bool(found) and all(len(columns.get("loss", ())) > 1 for _, columns in found)


def _on_host(measurement: Measurement) -> bool | None:
    """Return whether the clock is the host's, or None where it is not named, or not in words that tell."""
    name = measurement.timer.name if measurement.timer is not None else None
    if name is None:
        return None
    words = words_in(name)
    if words.has("clock_of_device"):
        return False
    return True if words.has("host_clock", "clock_of_host") else None


def _steps(case: Case, side: Side) -> list[float]:
    """Return the values of single steps, of all trials; none where a trial holds one total."""
    columns = [columns.get("step_time_s", ()) for _, columns in raw(case, side)]
    long = [values for values in columns if len(values) >= LEAST_STEPS]
    return [value for values in long for value in values if value == value] if len(long) == len(columns) else []


def _of_single_steps(metric: Metric) -> bool:
    """Whether a number is a statistic that only single values have: no mean, and no total."""
    spread = metric.summary is not None and (bool(metric.summary.percentiles) or metric.summary.sd is not None)
    return metric.statistic in PER_STEP or spread


def _wall_per_step(measurement: Measurement) -> float | None:
    """Return the wall time over the recorded steps, in seconds, where it holds nothing but those steps."""
    if measurement.wall_s is None or not measurement.raw_count:
        return None
    if measurement.exclusions or measurement.excluded_phases:
        return None
    return measurement.wall_s / measurement.raw_count


def _above_peak(case: Case, side: Side, metric: Metric | None, boost: float) -> Decimal | None:
    """Return the rate as a multiple of the devices' peak, where it is impossibly high; else None."""
    operations = side.arm.operations
    if operations is None or operations.flop_per_sample is None or metric is None:
        return None
    peak = _peak(case, side)
    work = work_per_second(metric.unit)
    if metric.quantity != "rate" or metric.value is None or work is None or side.devices is None or peak is None:
        return None
    if work.word not in {"sample", "samples", "image", "images"}:
        return None
    devices = 1 if work.per_device else side.devices
    flops = span(metric.value, digits=metric.digits).low * work.factor * given(operations.flop_per_sample).low
    multiple = flops / (peak * devices)
    return multiple if multiple > 1 + Decimal(str(boost)) else None


def _peak(case: Case, side: Side) -> Decimal | None:
    """Return the dense peak of one device, in operations per second; None where neither document nor table tells."""
    operations = side.arm.operations
    if operations is not None and operations.peak_flops is not None:
        return given(operations.peak_flops).high if operations.peak_kind == "dense" else None
    precision = side.arm.options.precision if side.arm.options is not None else None
    found = device_of(case, side.system)
    peak = found.peak(precision.compute) if precision is not None and precision.compute is not None else None
    return peak.bound * found.sold_together if peak is not None and peak.reliable else None
