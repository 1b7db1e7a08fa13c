"""W0602: between the timed steps the devices wait for data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import Measurement, Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.series.phases import PAUSES, WITHIN_A_STEP, iteration_counts, nearest, phase, times, trial_count
from ..facts.series.raw_numbers import raw, samples
from ..facts.series.step_time import step_of_rate_s
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median

STEP = "step_time_s"
WAITS = "data_wait_s"
FIT = 0.01
ROUNDING = 1.02
WALL = frozenset({"epoch", "training_run", "pipeline"})
WAIT = "data"
SAID = frozenset({"phases_excluded", "clock_exclusions", "scope_narrower"})
PROVIDE_WAIT = """\
arms:
  a:
    measurement:
      pipeline: {kind: real, data_wait_share: 0.02}
"""
PROVIDE = """\
arms:
  a:
    measurement:
      wall_s: 48.2
      exclusions:
        evaluation: {recurs: per_run, duration_s: 12.5, stated: true}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    stall: float = Threshold(0.05, "share of the wall time", "judgement")


@rule(
    "W0602",
    "data-stall-hidden",
    effect=UNDERMINES,
    confidence=C3,
    applies="rate and training",
    origin="S1.6, S3",
    thresholds=Thresholds,
)
def data_stall_hidden(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The steps are fast, and the training stands still between them.

    ## What it does
    Adds the step times of the measured window and compares them with its wall time. The window may span the iterations
    of one trial or of all, with or without warm-up: the sum that comes nearest to the wall time counts; where the
    metric states the work of its own window, only its iterations do. Declared pauses for evaluation and checkpoints are
    taken off. Where no wall time is given, but the clock leaves out the wait for data, the share of that wait takes its
    place, the larger of the recorded and the declared one. A declared share is held against the recorded one, too.

    ## Why it misleads
    Work divided by the time of the steps is the rate of a training whose data are always there. The wall clock knows
    how long they were not.

    ## Branches
    - (a) undermines, C3: with the real input pipeline the step times cover less than 95 % of the wall time, and the
      claim stands on step times; or the clock leaves out waits for data of more than 5 % of a step.
    - (c) caveat, C3: the recorded waits take a share of the steps that is more than 5 points above the declared one.
    - (b, instead of a) caveat, C3: the waits are said, beside the number, to be left out.
    - not applicable: the pipeline is not the real one; no wall time or no step times; the number is one of wall time.
    - not shown: the steps and the declared work outside of the clock (compilation, start-up) fill the wall time, so
      that it may hold that, too; pauses are declared, and how long they took is not; or the clock leaves out the wait
      for data, and how long that is is not stated.

    ## Flagged
    On `training-pair` for claim `rate`:
    ```json
    {"arms": {"fused": {"measurement": {"phases_s": {"forward": 0.26, "backward": 0.51, "optimizer": 0.02},
                                        "wall_s": 32.0}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`, whose 35 iterations fill the wall time:
    ```json
    {"arms": {"fused": {"measurement": {"phases_s": {"forward": 0.26, "backward": 0.51, "optimizer": 0.02},
                                        "wall_s": 28.0}}}}
    ```

    ## How to fix
    Report work divided by wall time.

    ## References
    Hoefler, Twelve ways to fool the masses, way 6.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    measurement = side.arm.measurement if side is not None else None
    if side is None or measurement is None or measurement.pipeline is None or measurement.pipeline.kind != "real":
        yield Inapplicable("the input pipeline is not said to be the real one")
        return
    if metric is not None and metric.scope in WALL:
        yield Inapplicable("the number is one of wall time")
        return
    recorded = _recorded_share(case, side)
    if recorded is not None:
        yield from _understated(measurement, recorded, thresholds.stall)
    if WAIT in {phase(name) for name in measurement.excluded_phases}:
        yield from _left_out(claim, measurement, recorded, thresholds.stall)
        return
    yield from _uncovered(claim, case, side, metric, thresholds.stall)


def _recorded_share(case: Case, side: Side) -> float | None:
    """Return the recorded waits for data over the recorded steps; None where they are not recorded side by side."""
    waited = stepped = 0.0
    for _, columns in raw(case, side):
        waits, steps = columns.get(WAITS, ()), columns.get(STEP, ())
        if not len(waits):
            continue
        if len(waits) != len(steps) or None in waits or None in steps or min(waits, default=0) < 0:
            return None
        waited, stepped = waited + math.fsum(waits), stepped + math.fsum(steps)
    return waited / stepped if 0 < stepped < math.inf and waited < math.inf else None


def _understated(measurement: Measurement, recorded: float, most: float) -> Iterator[Violation]:
    """Hold a declared share of the wait against the recorded one."""
    pipeline = measurement.pipeline
    declared = pipeline.data_wait_share if pipeline is not None else None
    if pipeline is None or declared is None or recorded - declared <= most:
        return
    message = (
        f"steps are said to wait for data {100 * declared:.3g} % of their time; the recorded waits are "
        f"{100 * recorded:.3g} %"
    )
    at = pipeline.place("data_wait_share")
    yield Violation("c", CAVEAT, C3, message, at, f"{100 * declared:.3g} %", f"{100 * recorded:.3g} %")


def _left_out(claim: Claim, measurement: Measurement, recorded: float | None, most: float) -> Iterator[Branch]:
    """Judge waits for data that the clock leaves out by their declared share of a step."""
    shares = [share for share in (recorded, _wait_share(measurement)) if share is not None]
    share = max(shares, default=None)
    if share is None:
        message = "the clock leaves out the wait for data, and how long that is is not stated"
        yield NotShown(message, measurement.place("excluded_phases"), provide=PROVIDE_WAIT)
    elif share > most:
        said = any(item.topic in SAID and read(item.quote).has("waits_for_data", affirmed=False) for item in claim.said)
        branch, effect = ("b", CAVEAT) if said else ("a", UNDERMINES)
        message = f"the clock leaves out the wait for data, {100 * share:.3g} % of a step"
        related = (Related(measurement.place("excluded_phases"), "what the clock leaves out"),)
        at = measurement.at if measurement.pipeline is None else measurement.pipeline.at
        yield Violation(branch, effect, C3, message, at, claim.value, f"{100 * share:.3g} %", related)


def _wait_share(measurement: Measurement) -> float | None:
    """Return the share of a step that it waits for data: as declared, else by the times of its phases."""
    if measurement.pipeline is not None and measurement.pipeline.data_wait_share is not None:
        return measurement.pipeline.data_wait_share
    timed = {name: time for name, time in times(measurement).items() if name in WITHIN_A_STEP}
    whole = math.fsum(timed.values())
    return timed[WAIT] / whole if WAIT in timed and len(timed) > 1 and whole > 0 else None


def _uncovered(claim: Claim, case: Case, side: Side, metric: Metric | None, most: float) -> Iterator[Branch]:
    """Judge step times beside the wall time of their window."""
    measurement = side.arm.measurement
    own = metric.wall_s if metric is not None else None
    wall = own or (measurement.wall_s if measurement is not None else None)
    if measurement is None or wall is None:
        yield Inapplicable("no wall time of the measured window is stated")
        return
    pauses = _pauses(measurement)
    if pauses is None:
        message = "the clock leaves out evaluation or checkpoints, and how long they took is not stated"
        yield NotShown(message, measurement.at, provide=PROVIDE)
        return
    whole = wall
    if pauses.once_s < wall:  # longer pauses cannot lie in this window
        wall -= pauses.once_s
    windows = _windows(case, side, metric)
    if own is not None and metric is not None and metric.work and metric.work_per_iteration:
        windows = _of_work(windows, metric.work / metric.work_per_iteration)
    sums = [window.seconds + pauses.each_s * window.iterations for window in windows]
    share = nearest(total / wall for total in sums) if wall > 0 else None
    if share is None or share > ROUNDING:
        yield Inapplicable("no sum of step times fits into the wall time")
        return
    stall = 1 - share
    if stall > most and _started_inside(measurement, windows, whole, pauses):
        message = f"whether the wall time of {whole:.4g} s holds the declared work outside of the clock is not stated"
        yield NotShown(message, _place(measurement, metric, whole), provide=PROVIDE)
        return
    if stall > most:
        message = (
            f"the steps add up to {share * wall:.4g} s of a wall time of {wall:.4g} s: for {100 * stall:.3g} % of the "
            "time no step ran"
        )
        related = (Related(side.arm.place("trials"), "step times"),)
        yield Violation(
            "a",
            UNDERMINES,
            C3,
            message,
            _place(measurement, metric, whole),
            claim.value,
            f"{100 * stall:.3g} %",
            related,
        )


def _started_inside(measurement: Measurement, windows: Sequence[Window], wall_s: float, pauses: Pauses) -> bool:
    """Whether steps and declared work outside of the clock, such as compilation, fill a wall time together.

    It may have been done once or for every window that is joined, and the warm-up run may be among the steps.
    """
    parts = {name: item.duration_s for name, item in measurement.exclusions.items() if item.recurs == "per_run"}
    start = {name: s for name, s in parts.items() if s and phase(name) not in PAUSES}
    if not start:
        return False
    extras = {math.fsum(start.values()), math.fsum(s for name, s in start.items() if name != "warm_up_run")}
    counts = {1, *(round(window.iterations / max(1, windows[0].iterations)) for window in windows)}
    return any(
        1 - FIT <= (window.seconds + pauses.each_s * window.iterations + count * (extra + paused)) / wall_s <= 1 + FIT
        for window in windows
        for extra in extras
        for count in counts
        for paused in {0.0, pauses.once_s}
    )


def _place(measurement: Measurement, metric: Metric | None, wall: float) -> str:
    of_metric = metric is not None and metric.wall_s == wall
    return metric.place("wall_s") if metric is not None and of_metric else measurement.place("wall_s")


class Window(Struct, frozen=True):
    """Iterations that a wall time may span, with the sum of their step times in seconds."""

    iterations: int
    seconds: float


class Pauses(Struct, frozen=True):
    """Declared pauses, in seconds: in the whole window, and in each iteration."""

    once_s: float
    each_s: float


def _windows(case: Case, side: Side, metric: Metric | None) -> tuple[Window, ...]:
    """Return the windows that a wall time may span: raw step times come before a rate with the work of an iteration."""
    column = metric.column if metric is not None and metric.column is not None else STEP
    raw = samples(case, side, column) if column == STEP else None
    counts = iteration_counts(side, metric)
    if raw is None:
        step_s, extra = step_of_rate_s(metric), _warmup(side)
        more = (count + extra * (trial_count(side, metric) if count > max(counts) / 2 else 1) for count in counts)
        return () if step_s is None else tuple(Window(count, step_s * count) for count in (*counts, *more))
    step_s = median(raw.pooled)
    trials = [Window(len(values), math.fsum(values)) for values in raw.values]
    warm = [side.arm.trials[name].warmup or 0 for name in raw.trials]
    longer = [
        Window(window.iterations + extra, window.seconds + step_s * extra)
        for window, extra in zip(trials, warm, strict=True)
    ]
    return (*trials, *longer, _joined(trials), _joined(longer), *(Window(count, step_s * count) for count in counts))


def _of_work(windows: Sequence[Window], iterations: float) -> tuple[Window, ...]:
    """Return the windows of as many iterations; else one of that many iterations of the usual length."""
    count = round(iterations)
    same = tuple(window for window in windows if window.iterations == count)
    if same or not windows or count < 1:
        return same
    steps = [window.seconds / window.iterations for window in windows if window.iterations]
    return (Window(count, count * median(steps)),) if steps else ()


def _joined(windows: Sequence[Window]) -> Window:
    return Window(sum(item.iterations for item in windows), math.fsum(item.seconds for item in windows))


def _warmup(side: Side) -> int:
    """Return the declared warm-up iterations of one trial, where no count of all recorded ones holds them."""
    measurement = side.arm.measurement
    if measurement is None or measurement.warmup is None or measurement.raw_count is not None:
        return 0
    return measurement.warmup.discarded if measurement.warmup.unit == "iteration" else 0


def _pauses(measurement: Measurement) -> Pauses | None:
    """Return the declared pauses for evaluation and checkpoints; None where the length of one is not stated."""
    timed = {name: time for name, time in times(measurement).items() if name in PAUSES}
    found = {phase(name): item for name, item in measurement.exclusions.items() if phase(name) in PAUSES}
    declared = {phase(name) for name in measurement.excluded_phases} & PAUSES
    if any(found[name].duration_s is None and name not in timed for name in found):
        return None
    if declared - timed.keys() - found.keys():
        return None
    return Pauses(sum(item.duration_s or 0.0 for item in found.values()), sum(timed.values()))
