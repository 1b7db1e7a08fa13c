"""P08: two number formats compared without what the lower one makes of the results."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.pairing import paired_quality, quality_arms
from ..facts.device.formats import holds
from ..facts.device.labels import compute_format
from ..language.printed import span
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import kernel

PROVIDE = """\
arms:
  fp8:
    quality:
      accuracy: {metric: accuracy, value: "0.7641", direction: higher, split: test, examples: 50000}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    parity: float = Threshold(0.01, "relative difference of equal qualities", "judgement")


@rule(
    "P08",
    "incomparable-formats-compared",
    effect=CAVEAT,
    confidence=C3,
    applies="comparison and has(formats)",
    origin="S0",
    thresholds=Thresholds,
)
def incomparable_formats_compared(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A comparison between number formats of which one, or each, lacks values that the other has.

    ## What it does
    Compares the compute formats of the two sides: FP16 has more mantissa than BF16 and less exponent, as E4M3 has
    beside E5M2. Where neither holds the other, it asks for one quality that both sides state: equal within 1 %, or
    meeting one target. Where one holds the other, it asks for any quality of the lower one: its value, runs that were
    evaluated, or how many of its outputs are those of the other side. A kernel, a collective and a layer have no
    quality of their own.

    ## Why it misleads
    Between formats that trade range for digits, only quality says which of the two gave up more. Between two widths the
    lower one is expected to be faster; whether its results are still of use is what the speed-up is bought with.

    ## Branches
    - (a) caveat, C3: incomparable formats, and no quality that both sides reach.
    - not shown: one format holds the other, and nothing is shown of the quality in the lower one.
    - not applicable: the format of a side is not stated.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"quality": null}},
     "arms": {"plain": {"options": {"precision": {"compute": "fp16"}}, "quality": null,
                        "trials": {"s1": null, "s2": null, "s3": null, "s4": null, "s5": null}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where both sides compute in BF16.

    ## How to fix
    Show that both sides reach the target.

    ## References
    Micikevicius and others, Mixed precision training (2017); Kalamkar and others, A study of BFLOAT16 (2019).
    """
    sides = case.subject(claim), case.base(claim)
    formats = compute_format(sides[0]), compute_format(sides[1])
    if sides[0] is None or sides[1] is None or formats[0] is None or formats[1] is None:
        yield Inapplicable("the compute format of a side is not stated")
        return
    apart = not holds(formats[0], formats[1]) and not holds(formats[1], formats[0])
    if apart and not _equal_quality(sides[0], sides[1], thresholds.parity):
        message = f"{formats[0]} and {formats[1]} are compared, and no quality that both sides reach is shown"
        related = (Related(sides[1].arm.place("options"), formats[1]),)
        yield Violation("a", CAVEAT, C3, message, sides[0].arm.place("options"), formats[0], None, related)
    low = None if apart or formats[0] == formats[1] else 0 if holds(formats[1], formats[0]) else 1
    if low is not None and not kernel(claim, case) and not _evaluated(claim, case, (sides[0], sides[1])[low], low):
        message = f"{formats[low]} is compared with {formats[1 - low]}, and no quality in {formats[low]} is shown"
        at = (sides[0], sides[1])[low].arm.place("options")
        yield NotShown(message, at, provide=PROVIDE)


def _evaluated(claim: Claim, case: Case, side: Side, which: int) -> bool:
    """Whether anything is shown of the quality of an arm, the first or the second of a claim."""
    if side.arm.quality or any(trial.evaluations or trial.final for trial in side.arm.trials.values()):
        return True
    if any(run.role == "accuracy" or run.trace.evaluations for run in case.runs_of(side)) or quality_arms(side, case):
        return True
    paired = paired_quality(claim, case) if which == 0 else None
    named = case.quality(paired) is not None and not _other_format(side, case.side(paired))
    stated = which == 1 and claim.comparator is not None and claim.comparator.quality is not None
    return named or stated or claim.outputs is not None


def _other_format(side: Side, other: Side | None) -> bool:
    return other is not None and compute_format(other) not in {None, compute_format(side)}


def _equal_quality(left: Side, right: Side, parity: float) -> bool:
    for quality in left.arm.quality.values():
        for other in right.arm.quality.values():
            if quality.metric != other.metric or quality.value is None or other.value is None:
                continue
            if span(quality.value).widened(parity).meets(span(other.value)):
                return True
    return all(_reaches(side) for side in (left, right))


def _reaches(side: Side) -> bool:
    """Whether every convergence run of an arm reached its target."""
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"]
    return bool(runs) and all(run.crossing is not None and run.crossing.reached for run in runs)
