"""W1001: every point trained for the same time instead of the same work."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.points import Point, ends, points
from ..facts.document.words import words_around, words_in
from ..items import ITEMS
from ..language.reading import read
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import scaling, target_of

PROVIDE = """\
tables:
  results:
    rows:
      a: {wall_s: 14400, samples: 256000000}
      b: {wall_s: 14400, samples: 225000000}
"""


ITEM = "quality at chosen ends"
PROVIDE_QUALITY = """\
arms:
  short: {quality: {loss: {metric: loss, value: "1.92", split: held_out, direction: lower}}}
  long: {quality: {loss: {metric: loss, value: "1.91", split: held_out, direction: lower}}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    points: float = Threshold(3, "points", "judgement: two equal times happen by chance")
    wall: float = Threshold(1.02, "longest over shortest wall time", "judgement")
    unequal: float = Threshold(1.1, "most over fewest samples of two sides", "judgement")
    samples: float = Threshold(1.5, "most over fewest samples", "judgement")


@rule(
    "W1001",
    "fixed-walltime-scaling",
    effect=UNDERMINES,
    confidence=C2,
    applies="training and (has(series) or has(base))",
    origin="S1.10",
    thresholds=Thresholds,
)
def fixed_walltime_scaling(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A speed-up or a quality over device counts that all trained for the same time.

    ## What it does
    Compares wall time and processed samples over the points of a series: equal times with unequal samples mean that
    each point was stopped by the clock. Rates measured in windows of a fixed length are sound and not touched.

    ## Why it misleads
    At equal time the larger machine has seen more data. Its better loss shows that more work was done, not that a
    target is reached sooner, and where each run was stopped may have been chosen.

    ## Branches
    - not applicable: the claim is a rate, for which a fixed window is a usual way to measure, and its words do not
      give the quality that was reached when a fixed time was up; or wall time or samples
      of three points are not given.
    - not shown: a speed-up in the work that was done when the same time was up, by the words, and no run of the larger
      side shows what equal work or a target takes.
    - (a) undermines, C2: wall times within 2 % over at least 3 points while the samples differ by half or more, behind
      a claimed speed-up in time or a quality.

    - (b) caveat, C2: two sides of which a declared rule stopped the training after the same time are compared in the
      quality that they reached, and the samples that they saw differ by a tenth or more.
    - not shown: the same, and the samples are not stated.
    - not shown: a factor in time of two trainings whose steps, or samples, differ by a tenth or more, without a target
      and without a quality of either. Required (quality at chosen ends) from the reviewer profile on.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quantity": "time", "scope": "training_run"}},
     "tables": {"nodes": {"rows": {
       "r1": {"wall_s": 3600, "samples": 5000000}, "r2": {"wall_s": 3605, "samples": 9000000},
       "r4": {"wall_s": 3610, "samples": 17000000}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quantity": "time", "scope": "training_run"}},
     "tables": {"nodes": {"rows": {
       "r1": {"wall_s": 28800, "samples": 40000000}, "r2": {"wall_s": 15000, "samples": 40000000},
       "r4": {"wall_s": 7900, "samples": 40000000}}}}}
    ```

    ## How to fix
    Train every point on the same number of samples, or to the same target.

    ## References
    Hoefler, Twelve ways to fool the masses, way 10.
    """
    if not (scaling(claim, case) and ITEMS["series"](claim, case)):
        yield from _chosen_ends(claim, case, thresholds.unequal)
        yield from _two_sides(claim, case, thresholds)
        return
    if _in_work_done(claim, case):
        message = "the speed-up is that of work done in one fixed time; what equal work or a target takes is not shown"
        yield NotShown(message, claim.place("statement"), provide=PROVIDE)
        return
    if claim.quantity not in {"time", "accuracy"} and not _says_so(claim, case):
        yield Inapplicable("the claim is no time and no quality: a window of fixed length is a way to measure it")
        return
    known = [(point, *_work(point)) for point in points(claim, case)]
    given = [(point, wall, samples) for point, wall, samples in known if wall and samples]
    if len(given) < thresholds.points:
        yield Inapplicable("wall time and samples are not given for three points")
        return
    walls, samples = [wall for _, wall, _ in given], [count for _, _, count in given]
    if max(walls) / min(walls) <= thresholds.wall and max(samples) / min(samples) >= thresholds.samples:
        message = (
            f"all {len(given)} points trained for {min(walls):g} to {max(walls):g} s, "
            f"on {min(samples):g} to {max(samples):g} samples: the clock stopped them"
        )
        related = tuple(Related(point.at, f"{wall:g} s, {count:g} samples") for point, wall, count in given[:5])
        yield Violation("a", UNDERMINES, C2, message, claim.at, related=related)


def _chosen_ends(claim: Claim, case: Case, unequal: float) -> Iterator[Branch]:
    """Ask what was reached where the times of two trainings of other lengths are compared, without a target."""
    side, base = case.subject(claim), case.base(claim)
    if claim.form != "ratio" or claim.quantity != "time" or claim.scope != "training_run" or side is None:
        return
    if base is None or target_of(claim, case) is not None or case.quality(claim.quality) is not None:
        return
    if any(end.arm.quality or end.arm.trials for end in (side, base)):
        return
    lengths = [_steps(end) for end in (side, base)]
    works = [steps * (_batch(end) or 0) for steps, end in zip(lengths, (side, base), strict=True)]
    found = works if all(works) else lengths
    if all(found) and max(found) / min(found) >= unequal:
        steps = f"a training of {lengths[0]} steps is held against one of {lengths[1]}"
        message = f"{steps}, and what either reached is not stated"
        yield NotShown(message, claim.at, ITEM, PROVIDE_QUALITY, (Related(base.arm.at, "the other training"),))


def _steps(side: Side) -> int:
    """Return how many steps a training took, or was to take; 0 where neither is stated."""
    options = side.arm.options
    return side.arm.executed_steps or (options.steps if options is not None else None) or 0


def _batch(side: Side) -> int | None:
    return side.arm.options.global_batch if side.arm.options is not None else None


def _two_sides(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Judge a comparison of two sides, each of which was trained until the same time was up."""
    found = ends(claim, case)
    rules = [point.side.arm.measurement for point in found if point.side is not None]
    stopped = len(found) == len(rules) == 2 and all(
        words_in(rule.stop_rule if rule is not None else None).has("time_of_training") for rule in rules
    )
    walls, samples = ([_work(point)[column] for point in found] for column in (0, 1))
    one_time = stopped and all(walls) and max(walls) / min(walls) <= thresholds.wall
    if not one_time or not read(claim.statement).metrics():
        yield Inapplicable("no two sides that were stopped by the clock, and are compared in what they reached")
    elif not all(samples):
        message = (
            f"both sides trained for {min(walls):g} s, and what they reached is compared; the samples that each has "
            "seen are not stated"
        )
        yield NotShown(message, claim.at, provide=PROVIDE)
    elif max(samples) / min(samples) >= thresholds.unequal:
        message = (
            f"both sides trained for {min(walls):g} s and not for the same work: {min(samples):g} against "
            f"{max(samples):g} samples"
        )
        related = tuple(Related(point.at, "stopped by the clock") for point in found)
        yield Violation("b", CAVEAT, C2, message, claim.at, related=related)


def _says_so(claim: Claim, case: Case) -> bool:
    """Whether the words give what was reached when a fixed time was up."""
    return words_around(claim, case).has("fixed_time") and bool(read(claim.statement).metrics())


def _in_work_done(claim: Claim, case: Case) -> bool:
    """Whether a ratio is worded as one of work in a fixed time, and no training run of its side tells of more."""
    side = case.subject(claim)
    if side is None or claim.form != "ratio" or claim.quantity in {"time", "accuracy"}:
        return False
    text = read(claim.statement)
    if not text.has("amount_of_work") or not text.has("fixed_time"):
        return False
    return not any(trial.evaluations or trial.crossing is not None or trial.final for trial in side.arm.trials.values())


def _work(point: Point) -> tuple[float, float]:
    """Return wall time in seconds and samples of a point; 0 where it is not given."""
    wall = point.row.wall_s if point.row is not None else None
    if wall is None and point.side is not None and point.is_arm and point.side.arm.measurement is not None:
        wall = point.side.arm.measurement.wall_s
    samples = point.row.samples if point.row is not None else None
    return wall or 0.0, samples or 0.0
