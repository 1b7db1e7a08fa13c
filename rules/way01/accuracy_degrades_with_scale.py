"""W0104: faster, and worse."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import compare
from ..facts.comparison.points import points
from ..facts.comparison.quality_change import SEEDS, Change, change_of, final_of, not_alike
from ..facts.document.words import words_of
from ..facts.training.final_quality import FinalQuality, of_one_scale
from ..facts.training.stated_quality import quality_side, same_metric
from ..language.numbers import Number
from ..language.printed import short
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.proportions import normal_quantile
from ..words import scaling, target_of, tta

MOST_SEEDS = 1000
PROVIDE = """\
arms:
  large:
    quality:
      accuracy:
        seeds: {"1": "0.7604", "2": "0.7612", "3": "0.7601", "4": "0.7607", "5": "0.7607"}
        n: {unit: training_run, planned: 5, completed: 5}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    delta: float = Threshold(
        0.01, "share of the base's quality", "rules of the training benchmark: 99 % of the reference"
    )
    level: float = Threshold(0.95, "one-sided confidence", "simulation: false alarms stay at their nominal rate")


@rule(
    "W0104",
    "accuracy-degrades-with-scale",
    effect=UNDERMINES,
    confidence=C2,
    applies="(scaling or speedup or tta or accuracy) and has(quality_arms)",
    origin="S1.1, ML, SIM",
    thresholds=Thresholds,
)
def accuracy_degrades_with_scale(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The faster or larger configuration ends with a worse model.

    ## What it does
    Compares the final quality of the claim's arm with that of its base, or of the largest point of a series with that
    of the smallest. From three seeds on each side it takes Welch's interval of the difference; with fewer, and a metric
    that is a share of counted examples, Newcombe's interval of two shares, which is cautious where both models saw the
    same examples. A drop counts where the whole one-sided 95 % interval lies beyond 1 % of the base's quality. Printed
    digits are read in favour of the claim.

    Other models are other models: the rule compares one model with itself. A time to a target says nothing about the
    quality beyond it, so that reaching the target is enough there.

    ## Why it misleads
    A speed-up that is paid for with quality is a trade, and the reader sees only one half of it.

    ## Branches
    - not applicable: only one arm states the metric, the models or the splits differ, both were taken on training
      data, or which way is better is not stated.
    - (a) undermines, C2: the interval of the difference lies beyond the tolerated drop.
    - (b, instead of a) caveat, C2: the same, and both values are printed in the claim's sentence or table row.
    - not shown: the interval reaches to both sides of the tolerated drop, with the number of seeds that would decide
      it; or there are fewer than three seeds and no counted share.
    - pass with note: a time to a target that both sides reach; or, of two ways to run a model, values that are the
      same as printed, or better.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"quality": {"loss": {"value": "3.30", "seeds": {
       "11": "3.30", "12": "3.31", "13": "3.30", "14": "3.29", "15": "3.30"}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where both arms end at a loss of 3.22.

    ## How to fix
    More seeds, or claim less.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1; Newcombe, Statistics in Medicine 17 (1998); rules of the MLPerf
    training benchmark.
    """
    sides = _sides(claim, case)
    if sides is None:
        yield Inapplicable("the claim relates no two arms that state their quality")
        return
    ours, theirs = (final_of(side, claim, case) for side in sides)
    why_not = _incomparable(sides, ours, theirs)
    if why_not or ours is None or theirs is None:
        yield Inapplicable(why_not)
        return
    if _both_reach_target(claim, case, ours, theirs):
        yield Note("both sides reach the target that the time is about")
        return
    change = change_of(ours, theirs, thresholds.level)
    related = (Related(theirs.at, "quality of the other side"),)
    if change is None and claim.mode == "inference" and _no_worse(ours, theirs):
        yield Note("both values are the same as printed, and nothing was trained in between")
        return
    if change is None:
        message = (
            f"{ours.metric} is {short(ours.centre)} against {short(theirs.centre)}; three seeds a side, or counted "
            "examples, would tell whether that is more than chance"
        )
        yield NotShown(message, ours.at, "", PROVIDE, related)
        return
    allowed = thresholds.delta * abs(theirs.centre)
    if change.high < -allowed:
        yield _violation(claim, case, ours, theirs, change, allowed, related)
    elif change.low < -allowed:
        yield NotShown(_straddles(ours, change, allowed, thresholds.level), ours.at, "", PROVIDE, related)
    elif not (ours.complete and theirs.complete):
        part = theirs if ours.complete else ours
        message = f"{len(part.values)} of {part.runs} runs give their {part.metric}; the others could change the answer"
        yield NotShown(message, part.at, "", PROVIDE)


def _sides(claim: Claim, case: Case) -> tuple[Side, Side] | None:
    """Return the claim's arm and its base; of a series without a base of its own the largest and the smallest point."""
    subject, base = quality_side(claim, case), case.base(claim)
    if subject is not None and base is not None and subject.id != base.id:
        both_known = all(final_of(side, claim, case) is not None for side in (subject, base))
        if both_known or not scaling(claim, case):
            return subject, base
    if not scaling(claim, case):
        return None
    shown = [point for point in points(claim, case) if point.side is not None and point.devices is not None]
    shown = [point for point in shown if point.side is not None and final_of(point.side, claim, case) is not None]
    shown.sort(key=lambda point: (point.devices or 0, point.global_batch or 0, point.id))
    if len(shown) < 2 or shown[0].side is None or shown[-1].side is None or shown[0].side.id == shown[-1].side.id:
        return None
    return shown[-1].side, shown[0].side


def _incomparable(sides: tuple[Side, Side], ours: FinalQuality | None, theirs: FinalQuality | None) -> str:
    """Say why two final qualities are not those of one model, or nothing."""
    why_not = not_alike(ours, theirs)
    if any(key == "model" for key, _, _ in compare(sides[0].arm.options, sides[1].arm.options).different):
        return why_not or "other models are compared, whose quality may differ"
    return why_not


def _no_worse(ours: FinalQuality, theirs: FinalQuality) -> bool:
    """Whether the printed value of the subject is that of the base, or better."""
    better = None if ours.higher is None else (ours.centre > theirs.centre) is ours.higher
    return math.isclose(ours.centre, theirs.centre, rel_tol=1e-12) or better is True


def _both_reach_target(claim: Claim, case: Case, ours: FinalQuality, theirs: FinalQuality) -> bool:
    target = target_of(claim, case)
    if not tta(claim, case) or not isinstance(target, Target) or not same_metric(target.metric, ours.metric):
        return False
    bound, worst = float(target.value), (min if target.direction == "higher" else max)
    ends = [worst(final.values or (final.centre,)) for final in (ours, theirs)]
    if bound > 1 and not of_one_scale((bound,), ends, ours.metric):
        bound /= 100
    return all(end >= bound if target.direction == "higher" else end <= bound for end in ends)


def _violation(
    claim: Claim,
    case: Case,
    ours: FinalQuality,
    theirs: FinalQuality,
    change: Change,
    allowed: float,
    related: tuple[Related, ...],
) -> Violation:
    told = _printed(claim, case, ours) and _printed(claim, case, theirs)
    branch, effect = ("b", CAVEAT) if told else ("a", UNDERMINES)
    message = (
        f"{ours.metric} falls from {short(theirs.centre)} to {short(ours.centre)}: worse by at least "
        f"{short(round(-change.high, 6))} ({change.method}), where {short(round(allowed, 6))} is tolerated"
    )
    if theirs.higher is False or ours.higher is False:
        message = message.replace("falls", "rises", 1)
    if told:
        message += ", as both printed values say"
    return Violation(branch, effect, C2, message, ours.at, short(theirs.centre), short(ours.centre), related)


def _printed(claim: Claim, case: Case, final: FinalQuality) -> bool:
    """Whether a final quality stands in the claim's sentence, a quote beside it, or its table, as share or percent."""
    table = case.table(claim)
    cells: list[str] = []
    if table is not None:
        shown = [key for key, column in table.columns.items() if column.quantity == "accuracy"]
        cells = [row.values[key] for row in table.rows.values() for key in shown if key in row.values]
    numbers = [number for words in words_of(claim).and_(*(("", cell) for cell in cells)) for number in words.numbers()]
    return any(_means(number, value) for number in numbers for value in (final.centre, 100 * final.centre))


def _means(number: Number, value: float) -> bool:
    """Whether a printed number of at least two digits is a value, rounded to the digits that it shows."""
    return abs(number.low) >= 20 * number.half and abs(float(number.low) - value) <= 1.0002 * float(number.half)


def _straddles(ours: FinalQuality, change: Change, allowed: float, level: float) -> str:
    value = round(change.value, 6) + 0.0  # no -0
    text = (
        f"{ours.metric} changes by {short(value)}, with bounds {short(round(change.low, 6))} and "
        f"{short(round(change.high, 6))}, where a drop of {short(round(allowed, 6))} is tolerated"
    )
    if change.spread is None:
        return f"{text}; at least {SEEDS} seeds a side would tell more"
    margin = abs(change.value + allowed)
    needed = (normal_quantile(level) * change.spread / margin) ** 2 if margin > 0 else math.inf
    if needed > MOST_SEEDS:
        return f"{text}; more than {MOST_SEEDS} seeds a side would be needed to decide it"
    return f"{text}; about {max(math.ceil(needed) + 1, SEEDS)} seeds a side would decide it"
