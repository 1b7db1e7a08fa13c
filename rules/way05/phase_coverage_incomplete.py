"""W0502: phases of the step are left out of its time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...schemas.evidence import Measurement
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_of
from ..facts.quantities.per_second import seconds
from ..facts.series.phases import (
    PAUSES,
    WITHOUT_PAUSES,
    excluded,
    iteration_counts,
    names_a_stage,
    nearest,
    stages,
    times,
)
from ..facts.series.step_time import step_s
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Violation
from ..registry import Threshold, rule
from ..words import tta

NEEDED = frozenset({"optimizer", "communication", "data"})
SAID = frozenset({"phases_excluded", "scope_narrower"})
WHOLE = frozenset({"step", "epoch", "training_run", "request", "serving_window", "pipeline"})
TIMED = frozenset({"rate", "time", "latency"})
TRAININGS = frozenset({"step", "epoch", "training_run", "pipeline"})
ENDS = frozenset({"final", "predeclared"})
MAIN = frozenset({"forward", "backward"})
OVERLAP = 2.0
PROVIDE = """\
arms:
  a:
    measurement:
      scope: step                   # the clock runs over the whole step
      phases_s: {data: 0.004, forward: 0.031, backward: 0.058, communication: 0.006, optimizer: 0.003}
      excluded_phases: []
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    coverage: float = Threshold(0.90, "share of the wall time", "judgement")


@rule(
    "W0502",
    "phase-coverage-incomplete",
    effect=UNDERMINES,
    confidence=C3,
    applies="(rate or time or scaling or speedup) "
    "and scope in {step, epoch, training_run, request, serving_window, pipeline}",
    origin="S1.5, S3, J",
    thresholds=Thresholds,
)
def phase_coverage_incomplete(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A rate or time of steps whose clock stops before the step is over.

    ## What it does
    Reads which phases the clock leaves out and how long they take, and computes the share of the wall time that is
    inside. A wall time may span one iteration, those of one trial or those of all: the reading that fits best counts,
    and phases may overlap twice. Evaluation and checkpoints are no part of a step or a request. A stall
    between whole steps is W0602's.

    ## Why it misleads
    Forward and backward passes are what accelerators do best. The exchange of gradients, the optimizer and the data
    cost time in every step of every training.

    ## Branches
    - (a) undermines, C3: the phases inside the claim cover less than 90 % of the wall time.
    - (b) undermines, C3: the optimizer step, the communication or the data phase of a training step is excluded.
    - (c, instead of a, b) caveat, C3: the same, and the words beside the number say so.
    - (d) undermines, C3: whole stages of the training are excluded from the number of the training.
    - (e, instead of d) caveat, C3: the same, and the sentence or the table's caption names the stage that it is about.
    - pass with note: the evaluation is left out of the time of an epoch, as is said; or the only evaluation of a
      training, of what it ended with, comes after the clock, as is said. It decides neither when the training ends nor
      what is kept of it.
    - not applicable: the statement itself is about forward and backward passes, or about no speed.
    - not shown: neither phases nor a clock over the whole step are stated, or a share cannot be computed; or the clock
      runs over whole steps, and the phases that are listed, forward and backward passes among them, account for less
      than 90 % of one.

    ## Flagged
    On `training-pair` for claim `rate`:
    ```json
    {"arms": {"fused": {"measurement": {"scope": "phase", "excluded_phases": ["optimizer"],
                                        "phases_s": {"forward": 0.26, "backward": 0.53, "optimizer": 0.02}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`, whose clock runs over whole steps.

    ## How to fix
    Time the whole step or epoch.

    ## References
    Hoefler, Twelve ways to fool the masses, way 5.
    """
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    if claim.quantity not in TIMED:
        yield Inapplicable(f"{claim.quantity} is no speed")
        return
    if words_of(claim).has("part_of_step"):
        yield Inapplicable("the statement is about passes, not about whole steps")
        return
    if side is not None and measurement is not None:
        yield from _stages(claim, case, measurement)
    if not (measurement is not None and measurement.phases_s) and not _whole_timer(claim, case, measurement):
        at = claim.at if side is None else side.arm.at
        yield NotShown("neither phases nor a clock over the whole are stated", at, provide=PROVIDE)
        return
    if side is None or measurement is None:
        return
    out = excluded(measurement, claim.scope)
    yield from _needed(claim, side, measurement, out)
    yield from _coverage(claim, case, thresholds, side, measurement, out)
    yield from _long_pauses(claim, case, thresholds, measurement)


def _whole_timer(claim: Claim, case: Case, measurement: Measurement | None) -> bool:
    """Whether a clock over whole steps or requests is stated: by the number, its arm, its wall time, or its column."""
    metric, table, row = case.metric(claim.measured), case.table(claim), case.row(claim)
    columns = [column for column in table.columns.values() if column.quantity in TIMED] if table is not None else []
    scopes = {column.scope for column in columns}
    return (
        (metric is not None and (metric.scope in WHOLE or metric.wall_s is not None))
        or (measurement is not None and measurement.scope in WHOLE)
        or (row is not None and row.wall_s is not None)
        or (bool(scopes) and scopes <= WHOLE)
    )


def _said(claim: Claim, measurement: Measurement, phases: tuple[str, ...]) -> bool:
    """Whether the words beside the number say that these phases are left out."""
    topics = {item.topic for item in claim.said}
    synthetic = "synthetic_input" in topics or (measurement.pipeline is not None and measurement.pipeline.label)
    if topics & SAID or _named_outside(claim, phases):
        return True
    return bool(phases) and set(phases) <= {"data", "h2d"} and bool(synthetic)


def _named_outside(claim: Claim, phases: tuple[str, ...]) -> bool:
    """Whether one text beside the number names all these phases as left out: "without the optimizer"."""
    outside = [text for text in words_of(claim) if text.has("exclusion", False) or text.has("left_outside", False)]
    return bool(phases) and any(
        all(name in NEEDED and text.has(f"phase.{name}", False) for name in phases) for text in outside
    )


def _stages(claim: Claim, case: Case, measurement: Measurement) -> Iterator[Branch]:
    """Judge stages of the training that the number leaves out: it is that of the other stages."""
    found = stages(measurement) if claim.mode == "training" and claim.scope in TRAININGS else ()
    if not found:
        return
    table = case.table(claim)
    caption = table.caption if table is not None else None
    words = " ".join([claim.statement, *(item.quote for item in claim.said), caption or ""])
    branch, effect = ("e", CAVEAT) if _said(claim, measurement, ()) or names_a_stage(words) else ("d", UNDERMINES)
    whole = "training" if claim.scope in {"training_run", "pipeline"} else f"training {claim.scope}"
    message = f"the {claim.quantity} of a {whole} leaves out stages of the training: {', '.join(found)}"
    yield Violation(branch, effect, C3, message, measurement.place("excluded_phases"), claim.value)


def _needed(claim: Claim, side: Side, measurement: Measurement, out: tuple[str, ...]) -> Iterator[Branch]:
    if claim.mode != "training":
        return
    missing = tuple(name for name in out if name in NEEDED and not (name == "communication" and side.devices == 1))
    unsaid = tuple(name for name in missing if not _said(claim, measurement, (name,)))
    if missing:
        branch, effect, named = ("b", UNDERMINES, unsaid) if unsaid else ("c", CAVEAT, missing)
        message = f"the clock of a training {claim.scope.replace('_', ' ')} leaves out: {', '.join(named)}"
        yield Violation(branch, effect, C3, message, measurement.place("excluded_phases"))


def _coverage(
    claim: Claim, case: Case, thresholds: Thresholds, side: Side, measurement: Measurement, out: tuple[str, ...]
) -> Iterator[Branch]:
    """Judge the share of the phases inside the clock, where phases are given and some may lie outside."""
    found = times(measurement)
    if not found:
        return
    if not out and _whole_timer(claim, case, measurement):
        yield from _unaccounted(claim, case, thresholds, side, measurement, found)
        return
    in_scope = {name: time for name, time in found.items() if not (name in PAUSES and claim.scope in WITHOUT_PAUSES)}
    inside = sum(time for name, time in in_scope.items() if name not in out)
    shares = tuple(_of_wall(case, claim, side, measurement, inside, sum(found.values()) - sum(in_scope.values())))
    known = [name for name in out if name in in_scope]
    if not shares and known and inside > 0:
        shares = (inside / (inside + sum(in_scope[name] for name in known)),)
    if not shares:
        yield NotShown("how much of the wall time the phases cover cannot be computed", measurement.at, provide=PROVIDE)
        return
    share = nearest(shares)
    if any(thresholds.coverage <= share <= OVERLAP for share in shares):
        return
    if share is None or share < thresholds.coverage:
        yield _short(claim, measurement, share or 0.0, out)


def _unaccounted(
    claim: Claim,
    case: Case,
    thresholds: Thresholds,
    side: Side,
    measurement: Measurement,
    found: Mapping[str, float],
) -> Iterator[Branch]:
    """Ask where the rest of a step goes whose main phases are listed: the number itself is that of whole steps."""
    metric = case.metric(claim.measured)
    step = step_s(case, side, metric) if metric is not None and found.keys() >= MAIN else None
    listed = sum(time for name, time in found.items() if name not in PAUSES)
    if claim.scope == "step" and step is not None and listed < thresholds.coverage * step:
        message = (
            f"the listed phases account for {100 * listed / step:.3g} % of a step of {step:.4g} s: "
            "where the rest goes is not shown"
        )
        yield NotShown(message, measurement.place("phases_s"), provide=PROVIDE)


def _of_wall(
    case: Case, claim: Claim, side: Side, measurement: Measurement, inside: float, pauses: float
) -> Iterator[float]:
    """Yield the shares of a stated wall time that the phases inside the clock may cover, one for each reading."""
    if measurement.wall_s is None:
        return
    for count in iteration_counts(side, case.metric(claim.measured)):
        wall = measurement.wall_s - pauses * count
        if wall > 0:
            yield inside * count / wall


def _short(claim: Claim, measurement: Measurement, share: float, out: tuple[str, ...]) -> Violation:
    branch, effect = ("c", CAVEAT) if _said(claim, measurement, out) else ("a", UNDERMINES)
    without = f" (without {', '.join(out)})" if out else ""
    message = f"the timed phases{without} cover {100 * share:.3g} % of the wall time"
    return Violation(branch, effect, C3, message, measurement.at, claim.value, f"{100 * share:.3g} %")


def _long_pauses(claim: Claim, case: Case, thresholds: Thresholds, measurement: Measurement) -> Iterator[Branch]:
    """Judge evaluation and checkpoints that are left out of the time of whole trainings."""
    metric = case.metric(claim.measured)
    epochs = _epochs(claim, case)
    unit = seconds(metric.unit) if metric is not None and metric.quantity == "time" else None
    if claim.scope not in {"epoch", "training_run", "pipeline"} or metric is None or metric.value is None:
        return
    if unit is None or epochs is None or claim.suite in {"training", "inference"}:
        return
    time_s = float(metric.value) * float(unit)
    for name, item in measurement.exclusions.items():
        if name in PAUSES and item.recurs == "per_run" and item.duration_s and time_s > 0:
            left_out_s = item.duration_s / epochs
            share = time_s / (time_s + left_out_s)
            told = item.stated or _said(claim, measurement, ())
            if share < thresholds.coverage and told and name == "evaluation" and _apart(claim, case):
                yield Note(f"evaluation ({left_out_s:g} s) is left out, as stated")
            elif share < thresholds.coverage:
                branch, effect = ("c", CAVEAT) if told else ("a", UNDERMINES)
                message = f"{name} ({left_out_s:g} s) is left out of {time_s:g} s: {100 * share:.3g} % is timed"
                yield Violation(branch, effect, C3, message, item.at, claim.value, f"{100 * share:.3g} %")


def _epochs(claim: Claim, case: Case) -> float | None:
    """Return how many of the timed units a run has: one run, or its epochs; None where that is not known."""
    if claim.scope != "epoch":
        return 1.0
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    return float(options.epochs) if options is not None and options.epochs else None


def _apart(claim: Claim, case: Case) -> bool:
    """Whether an evaluation is no part of what is timed: of epochs, or a single one at the end that chose nothing."""
    if claim.scope == "epoch":
        return True
    side = case.subject(claim)
    selections = [item.selection for item in side.arm.quality.values()] if side is not None else []
    return (
        not tta(claim, case)
        and bool(selections)
        and all(item is not None and item.policy in ENDS and item.evaluations == 1 for item in selections)
    )
