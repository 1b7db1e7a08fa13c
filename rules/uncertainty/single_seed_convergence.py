"""S17: convergence shown by one seed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_in
from ..facts.training.stated_quality import quality_side, stated_quality
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule

ITEM = "seeds"
PROVIDE = """\
arms:
  trained:
    quality:
      accuracy:
        n: {unit: training_run, planned: 5, completed: 5}
        seeds: {"1": "94.44", "2": "94.49", "3": "94.49", "4": "94.53", "5": "94.56"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    seeds: float = Threshold(5, "independent training runs", "rules of the training benchmark")
    large: float = Threshold(3, "independent training runs of large trainings", "rules of the training benchmark")
    device_hours: float = Threshold(1000, "device-hours of a large training", "judgement")
    least: float = Threshold(
        0, "runs that the profile asks for", "policy", by_profile={"publication": 5, "procurement": 5}
    )


@rule(
    "S17",
    "single-seed-convergence",
    effect=CAVEAT,
    confidence=C3,
    applies="(tta or accuracy) and training",
    origin="S4, ML, MEAS",
    thresholds=Thresholds,
)
def single_seed_convergence(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A training result over fewer than five seeds.

    ## What it does
    Counts the independent training runs behind the result: those whose values are given per seed, those that are
    stated, those that are shown. Five are asked for, three where a single run costs more than 1,000 device-hours.

    ## Why it misleads
    Seeds alone move a final accuracy by several tenths of a point, and a time to a target by a tenth and more.

    ## Branches
    - (a) caveat, C3: one to four runs, or the seeds of the runs are not stated, and the profile does not ask for more.
    - not shown: the number of runs is not stated, or is below the least of the profile (5 from publication on; 3 above
      1,000 device-hours). Required (seeds) there.
    - not applicable: a single pre-training run; a benchmark whose rules fix the number.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"arms": {"trained": {"quality": {"accuracy": {"n": {"planned": 1, "completed": 1}, "seeds": null}},
                          "trials": {"s2": null, "s3": null, "s4": null, "s5": null}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`, over five seeds.

    ## How to fix
    At least five seeds, all of them reported.

    ## References
    Rules of the MLPerf training benchmark; Bouthillier et al., Accounting for variance in machine learning benchmarks
    (2021).
    """
    side, found = quality_side(claim, case), stated_quality(claim, case)
    quality = found.quality if found is not None else None
    if claim.suite == "training":
        yield Inapplicable("the rules of the benchmark fix the number of runs")
        return
    runs, seeds = _runs(side, quality), _seeds(side, quality)
    words = words_in(claim.statement, side.arm.label if side is not None else None)
    if runs == 1 and words.has("pretraining"):
        yield Inapplicable("a single pre-training run")
        return
    at = quality.at if quality is not None else side.arm.at if side is not None else claim.at
    large = side is not None and _device_hours(side) > thresholds.device_hours
    least = min(thresholds.least, thresholds.large) if large else thresholds.least
    wanted = thresholds.large if large else thresholds.seeds
    if runs is None:
        yield NotShown("the number of training runs behind the result is not stated", at, ITEM, PROVIDE)
    elif runs < least:
        yield NotShown(f"{runs} training run{'s' if runs != 1 else ''}; {least:g} are asked for", at, ITEM, PROVIDE)
    elif runs < wanted:
        message = f"the result is based on {runs} training run{'s' if runs != 1 else ''}, fewer than {wanted:g}"
        yield Violation("a", CAVEAT, C3, message, at, recomputed=str(runs))
    elif seeds < runs:
        message = f"the seeds of {seeds or 'none'} of the {runs} training runs are stated"
        yield Violation("a", CAVEAT, C3, message, at, recomputed=str(seeds))


def _runs(side: Side | None, quality: Quality | None) -> int | None:
    """Return the independent training runs behind a result; None where nothing tells."""
    counts = [len(quality.seeds) if quality is not None else 0]
    if quality is not None and quality.n is not None and quality.n.unit == "training_run":
        counts.append(quality.n.completed or 0)
    if side is not None:
        runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"]
        counts.append(sum(trial.outcome in {"completed", "diverged"} for trial in runs))
        stated = [metric.n for metric in side.arm.performance.values() if metric.n is not None]
        counts.extend(n.completed or 0 for n in stated if n.unit == "training_run")
    return max(counts) or None


def _seeds(side: Side | None, quality: Quality | None) -> int:
    counts = [len(quality.seeds) if quality is not None else 0]
    if side is not None:
        shown = {trial.seed for trial in side.arm.trials.values() if trial.kind == "convergence"}
        counts += [len(shown - {None}), len(set(side.arm.plan.seeds)) if side.arm.plan is not None else 0]
    return max(counts)


def _device_hours(side: Side) -> float:
    """Return the device-hours of the longest run that is shown; 0 where none tells."""
    times = [trial.wall_s or 0.0 for trial in side.arm.trials.values() if trial.kind == "convergence"]
    if side.arm.measurement is not None:
        times.append(side.arm.measurement.wall_s or 0.0)
    return max(times, default=0.0) / 3600 * (side.devices or 1)
