"""W0101: no convergence at the largest point."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality, Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import Same, compare_flat, differences, flat
from ..facts.comparison.pairing import has_value
from ..facts.comparison.points import Point, ends, largest, named, points
from ..facts.comparison.purpose import THROUGHPUT_ONLY, throughput_only
from ..facts.comparison.quality_change import final_of, not_alike
from ..facts.training.borrowed_quality import Borrowed, borrowed_quality
from ..facts.training.convergence import Cover, TargetRun, batch_of, cover, meets, scale_differs, target_runs
from ..facts.training.stated_quality import printed_quality, same_metric
from ..items import ITEMS
from ..language.printed import short
from ..outcome import Branch, Inapplicable, Note, NotShown, Related
from ..registry import rule
from ..words import scaling

ITEM = "convergence at the largest point"
PROVIDE = """\
arms:
  largest:                  # the option set of the largest point; more steps per update may stand for more devices
    options: {global_batch: 8192}
convergence:
  seeds: [1, 2, 3, 4, 5]
  target: {metric: accuracy, value: "0.759", direction: higher}
"""


class Stated(Struct, frozen=True):
    """A quality that may be the largest point's, and what is not said of it."""

    side: Side
    quality: Quality
    asked: tuple[str, ...]


@rule(
    "W0101",
    "accuracy-missing-at-scale",
    applies="(scaling or tta or (speedup and training)) and not (purpose=kernel_benchmark or hosted or replicated)",
    origin="S1.1, MEAS",
)
def accuracy_missing_at_scale(claim: Claim, case: Case) -> Iterator[Branch]:
    """Training at the largest point is timed, and nothing shows that it still converges there.

    ## What it does
    Takes the point with the most devices (of those, the one with the largest global batch) and looks for a training
    run of the document that reached its target under options that are equal in everything that changes what is
    learned. Layout does not count: a run on fewer devices that accumulates to the same global batch stands for it. A
    run with a larger batch and otherwise equal options stands for it, too.

    Where the sentence prints a quality, it has to be that of the largest point, or to say on how many devices it was
    measured: a quality of a smaller point reads as one of the largest otherwise, whatever the options are.

    Trainings of a fixed length have no target. There the final quality of training runs at the largest point, beside
    that of its base on the same data, answers the question; whether it is worse is W0104's.

    ## Why it misleads
    More devices usually mean larger batches, other rates or staler gradients. A system that gets faster while it
    stops learning has not sped training up.

    ## Branches
    - not applicable: both sides of the ratio train alike (equal options), so that the gain carries over; or every run
      that reached its target is known to differ from the largest point, which W1004 says.
    - not shown: the quality that the sentence prints is that of the smallest point (of a smaller one, where no curve is
      shown), of which it says nothing, and the largest point shows none of its own.
    - not shown: no run of the document reached a target, or the best candidate cannot be compared with the largest
      point. Where a quality is stated without its target, its split, or the run behind it, or beside a point that names
      no model, the finding asks for that instead. Required (convergence at the largest point) of scaling claims that
      put quality at stake, from the reviewer profile on; a claim about throughput alone is told that it says nothing
      about convergence.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"arms": {"n8": {"options": {"optimizer": "LAMB"}, "target": null, "quality": null,
                     "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose own runs reached the target.

    ## How to fix
    Add one convergence check at the largest point or with the same global batch and options on fewer devices; or state
    that the claim is about throughput only.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1.
    """
    found = points(claim, case)
    point = largest(found)
    loan = borrowed_quality(claim, case)
    ranges = scaling(claim, case) and ITEMS["curve"](claim, case)
    if loan is not None and (loan.of_smallest(found) or not ranges):
        yield _borrowed(loan)
        return
    if claim.form == "ratio" and _train_alike(ends(claim, case)):
        yield Inapplicable("both sides of the ratio train with equal options")
        return
    runs = target_runs(case, claim)
    if point is None:
        yield NotShown("which configuration was timed is not stated", claim.at, ITEM, PROVIDE)
        return
    answer = cover(case, point, runs)
    if answer.covered:
        return
    if answer.answer is Same.DIFFERENT and ranges:
        yield Inapplicable("every run that reached the target trained differently from the largest point: see W1004")
        return
    beside = _beside_its_base(case, claim, found, point) if answer.run is None else ""
    if beside:
        yield Note(beside)
        return
    message, related, question = _open(case, claim, found, point, answer, runs)
    if throughput_only(claim, case):
        message = f"{THROUGHPUT_ONLY} ({message})"
    yield NotShown(message, point.at, ITEM, PROVIDE, related, question)


def _open(
    case: Case, claim: Claim, found: tuple[Point, ...], point: Point, answer: Cover, runs: tuple[TargetRun, ...]
) -> tuple[str, tuple[Related, ...], bool]:
    """Return what is left open, where the document comes nearest to it, and whether that may answer it."""
    if answer.run is not None:
        nearest = (Related(answer.run.at, "the nearest run that reached its target"),)
        return _message(case, found, point, answer, runs), nearest, answer.answer is Same.UNKNOWN
    stated = _stated(case, claim, point)
    if stated is not None:
        return _question(stated), (Related(stated.quality.at, "a stated quality"),), True
    message, other = _message(case, found, point, answer, runs), printed_quality(case)
    if other is None or "model" in _options(claim, case, point):
        return message, (), False
    message += f"; whether {other.words} is that of the point is not stated"
    return message, (Related(other.at, "a quality of the document"),), True


def _beside_its_base(case: Case, claim: Claim, found: tuple[Point, ...], point: Point) -> str:
    """Say that the largest point and the base both state where their training ended, where neither has a target."""
    side, base = point.side, case.base(claim) or min(found, key=lambda other: other.devices or 0).side
    if side is None or base is None or side.id == base.id or not point.is_arm:
        return ""
    if claim.target is not None or side.arm.target is not None or base.arm.target is not None:
        return ""
    ours, theirs = (final_of(end, claim, case) for end in (side, base))
    if ours is None or theirs is None or not_alike(ours, theirs) or min(ours.runs, theirs.runs) < 1:
        return ""
    return (
        f"no target is set; {ours.metric} ends at {short(ours.centre)} in {ours.runs} runs at the largest point, "
        f"at {short(theirs.centre)} in {theirs.runs} runs of its base"
    )


def _borrowed(loan: Borrowed) -> NotShown:
    message = (
        f"{loan.quality.metric} {loan.quality.value}, printed for {named(loan.point)}, is that of `{loan.side.id}` "
        f"(devices: {loan.side.devices}); no run there shows it, and the sentence does not say whose it is"
    )
    related = (Related(loan.quality.at, "the quality that is printed"),)
    return NotShown(message, loan.point.at, "", PROVIDE, related, question=True)


def _stated(case: Case, claim: Claim, point: Point) -> Stated | None:
    """Return a quality, not of training data, that may be the largest point's: the nearest arm that states one.

    Another arm must be known to hold the same model, that of the claim where the point does not say. A value that
    misses its target shows no convergence.
    """
    found: list[tuple[tuple[bool, bool], Stated]] = []
    options = _options(claim, case, point)
    for side in (side for side in case.sides() if side.arm.quality):
        same_arm = point.side is not None and point.side.id == side.id and point.is_arm
        comparison = compare_flat(options, flat(side.arm.options))
        if not same_arm and ("model" not in comparison.equal or comparison.differing("HARD", "STAT")):
            continue
        target = claim.target or side.arm.target
        for quality in side.arm.quality.values():
            aim = target if target is not None and same_metric(target.metric, quality.metric) else None
            if has_value(quality) and quality.split != "train" and not (aim is not None and _misses(quality, aim)):
                reasons = _reasons(quality, aim, None if same_arm else point)
                found.append(((not same_arm, side.devices != point.devices), Stated(side, quality, reasons)))
    return min(found, key=lambda item: item[0])[1] if found else None


def _options(claim: Claim, case: Case, point: Point) -> dict[str, object]:
    """Return the options of a point, with the model of the claim where it does not say."""
    subject = case.subject(claim)
    model = flat(subject.arm.options).get("model") if subject is not None else None
    return {"model": model, **point.options} if model is not None else dict(point.options)


def _misses(quality: Quality, target: Target) -> bool:
    if quality.value is None or scale_differs([float(quality.value)], target):
        return False
    return not meets(Decimal(quality.value), target)


def _reasons(quality: Quality, target: Target | None, other: Point | None) -> tuple[str, ...]:
    asked = (
        ("which target it had to reach", target is None),
        ("on which split it was measured", quality.split is None),
        (f"whether it represents the largest point ({named(other)})" if other is not None else "", other is not None),
    )
    return tuple(words for words, open_one in asked if open_one) or ("which run reached it",)


def _question(stated: Stated) -> str:
    quality = stated.quality
    value = f" {quality.value}" if quality.value is not None else ""
    asked = ", nor ".join(stated.asked)
    return f"{quality.metric}{value} of `{stated.side.id}` is stated; not said is {asked}"


def _train_alike(sides: tuple[Point, ...]) -> bool:
    return len(sides) >= 2 and all(
        compare_flat(sides[0].options, side.options).stat() is Same.EQUAL for side in sides[1:]
    )


def _message(case: Case, found: tuple[Point, ...], point: Point, answer: Cover, runs: tuple[TargetRun, ...]) -> str:
    where = f"the largest point ({named(point)})"
    if answer.run is None:
        return f"no training run reaches a target, at {where} or anywhere"
    comparison = answer.comparison
    assert comparison is not None
    if answer.answer is Same.DIFFERENT:
        return f"{where} is not trained to a target; the nearest run differs: {_differing(answer)}"
    unknown = ", ".join(comparison.unknown) or "model, precision or global batch"
    text = f"it is not known whether the run at batch {batch_of(answer.run) or 'not stated'} represents {where}: "
    shown = largest(item for item in found if cover(case, item, runs).covered)
    smaller = f"; the largest point with a run of its own is {named(shown)}" if shown is not None else ""
    return f"{text}{unknown} cannot be compared{smaller}"


def _differing(answer: Cover) -> str:
    assert answer.comparison is not None
    return differences(answer.comparison.differing("HARD", "STAT"))
