"""W0107: the target is met by less than chance gives or takes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean

from msgspec import Struct

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.training.final_quality import FinalQuality, of_one_scale, stated_final, trained_final
from ..facts.training.stated_quality import of_metric, quality_side, same_metric, stated_quality
from ..language.printed import short
from ..outcome import C2, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..predicate import predicate
from ..registry import Threshold, rule
from ..statistics.intervals import median
from ..statistics.means import mean_bounds
from ..statistics.proportions import normal_quantile
from ..words import target_of

APPLIES = "(tta or (accuracy and has(target))) and not (purpose=kernel_benchmark or hosted)"
SEEDS = 3
MEDIAN_ERROR = math.sqrt(math.pi / 2)
"""How much wider the error of a median is than that of a mean, for normal values in number."""
PROVIDE = """\
arms:
  trained:
    quality:
      accuracy:
        examples: 10000
        counted: true
        seeds: {"1": "0.9444", "2": "0.9449", "3": "0.9449", "4": "0.9453", "5": "0.9456"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    level: float = Threshold(0.95, "one-sided confidence", "convention")


@rule(
    "W0107",
    "target-margin-within-noise",
    effect=CAVEAT,
    confidence=C2,
    applies=APPLIES,
    origin="S1.1, MEAS",
    thresholds=Thresholds,
)
def target_margin_within_noise(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The target is met, but by so little that another seed or another test set might miss it.

    ## What it does
    With three seeds or more it takes the one-sided 95 % t bound of their mean (of their median where that is the
    criterion). With fewer, and a metric that is a share t of N counted examples, it asks whether the value exceeds the
    target by 1.645 sqrt(t (1 - t) / N). Printed digits are read in favour of the claim. A document gets one such
    finding, at the first of its claims by name.

    ## Why it misleads
    A met rule is met, and this never says otherwise. But a time to a target that is met by two examples in ten
    thousand is not a time that a second run will repeat.

    ## Branches
    - not applicable: the metric is no share of examples and there are fewer than three seeds; the value does not meet
      the target (W0103); or another claim of the document carries the finding.
    - (a) caveat, C2: the bound does not reach the target.
    - not shown: neither seeds nor the number of examples are known.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"quality": {"accuracy": {"value": "0.9402", "seeds": {
       "101": "0.9400", "102": "0.9403", "103": "0.9400", "104": "0.9407", "105": "0.9400"}}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose five seeds lie well above the target.

    ## How to fix
    Five seeds or more, or a target with a margin.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1.
    """
    found = _decide(claim, case, thresholds.level)
    if isinstance(found, Violation):
        speaker = _speaker(case, thresholds.level)
        if case.submission.claims[speaker] is not claim:
            found = Inapplicable(f"said once per document: see claim `{speaker}`")
    if found is not None:
        yield found


@fact
def _speaker(case: Case, level: float) -> str:
    """Return the first claim by name, of those on which the finding stands."""
    applies = predicate(APPLIES)
    return min(
        name
        for name, claim in case.submission.claims.items()
        if applies(claim, case) and isinstance(_decide(claim, case, level), Violation)
    )


def _decide(claim: Claim, case: Case, level: float) -> Branch | None:
    target = target_of(claim, case)
    assert isinstance(target, Target)
    final = _final(claim, case, target)
    if final is None:
        return NotShown(f"no value of {target.metric} is given beside its target", claim.at, "", PROVIDE)
    bound = float(target.value)
    if not of_one_scale((final.centre,), (bound,), target.metric):
        if final.centre > 1:
            return Inapplicable(f"{short(final.centre)} and the target {target.value} are on different scales")
        bound /= 100
    sign = 1.0 if target.direction == "higher" else -1.0
    criterion = claim.criterion or target.criterion
    if sign * (_centre(final, criterion) - bound) + final.half < 0:
        return Inapplicable(f"{final.metric} does not meet the target: see W0103")
    if len(final.values) >= SEEDS:
        return _over_seeds(final, target, bound, sign, criterion, level)
    if final.counted is False:
        return Inapplicable(f"{final.metric} is no share of counted examples, and there are fewer than {SEEDS} seeds")
    if final.share_of is None:
        missing = "how many examples were evaluated" if final.examples is None else "whether it is a share k/N of them"
        return NotShown(f"neither three seeds of {final.metric} nor {missing} is stated", final.at, "", PROVIDE)
    return _over_examples(final, target, bound, sign, level)


def _final(claim: Claim, case: Case, target: Target) -> FinalQuality | None:
    stated, side = stated_quality(claim, case), quality_side(claim, case)
    if stated is not None and same_metric(stated.quality.metric, target.metric):
        return stated_final(stated.side, stated.quality)
    quality = of_metric(side, target.metric) if side is not None else None
    if side is None or quality is None:
        return trained_final(side, target) if side is not None else None
    return stated_final(side, quality)


def _centre(final: FinalQuality, criterion: str | None) -> float:
    return median(final.values) if criterion == "median" and final.values else final.centre


def _over_seeds(
    final: FinalQuality, target: Target, bound: float, sign: float, criterion: str | None, level: float
) -> Branch | None:
    low, high = mean_bounds(final.values, 2 * level - 1)
    wider = MEDIAN_ERROR if criterion == "median" else 1.0
    centre = _centre(final, criterion)
    edge = centre - sign * wider * (high - low) / 2
    what = "median" if criterion == "median" else "mean"
    if sign * (edge - bound) + (0.0 if _exact(final) else final.half) < 0:
        message = (
            f"the {what} {final.metric} over {len(final.values)} seeds is {short(centre)}, its one-sided bound "
            f"{short(edge)}: the target {target.value} lies within the noise"
        )
        return Violation("a", CAVEAT, C2, message, final.at, target.value, short(edge))
    if not final.complete:
        message = f"{len(final.values)} of {final.runs} runs give their {final.metric}"
        return NotShown(f"{message}; the others could change the answer", final.at, "", PROVIDE)
    return None


def _exact(final: FinalQuality) -> bool:
    """Whether the printed shares tell the very count of examples: then nothing was rounded."""
    n = final.share_of
    return (
        n is not None and 2 * final.half * n <= 1.0001 and all(abs(v * n - round(v * n)) < 1e-6 for v in final.values)
    )


def _over_examples(final: FinalQuality, target: Target, bound: float, sign: float, level: float) -> Branch | None:
    n = final.share_of
    if n is None or not 0 < bound < 1:
        return Inapplicable(f"a share cannot be below or above the target {target.value} by chance")
    value = fmean(final.values) if final.values else final.centre
    needed = normal_quantile(level) * math.sqrt(bound * (1 - bound) / n)
    margin = sign * (value - bound)
    if margin + final.half < needed:
        message = (
            f"{final.metric} {short(value)} beats the target {target.value} by {short(round(margin * n, 1))} of {n} "
            f"examples; chance alone moves it by {short(round(needed * n, 1))}"
        )
        return Violation("a", CAVEAT, C2, message, final.at, target.value, short(value))
    return None
