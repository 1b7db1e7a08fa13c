"""W0503: the gain of a part is carried over to the whole."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.other_changes import other_changes
from ..facts.quantities.numbers import exact
from ..facts.quantities.ratios import least
from ..language.printed import INFINITY, short, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule

ROUNDING = Decimal("0.005")
PARTS = frozenset({"kernel", "collective", "layer", "phase"})
WHOLES = frozenset({"step", "epoch", "training_run", "pipeline", "request", "serving_window"})
PROVIDE = """\
claims:
  speedup:
    part: {name: attention, speedup: "1.25", fraction_low: 0.15, fraction_high: 0.2}    # of the time of the whole
"""


@rule(
    "W0503",
    "kernel-gain-overpropagated",
    effect=REFUTES,
    confidence=C3,
    applies="(speedup or (ratio and flops)) and (has(kernel_gain) or not part)",
    origin="S1.5, S3",
    also=("P12",),
)
def kernel_gain_overpropagated(claim: Claim, case: Case) -> Iterator[Branch]:
    """A faster part cannot speed up the whole by more than its share of the time allows.

    ## What it does
    Bounds the whole speed-up by Amdahl's law, S <= 1 / ((1 - f) + f / S_k), with the greatest time fraction f and the
    greatest part speed-up S_k that the document states, and compares it with the smallest speed-up that the claimed
    number may mean. A fraction that is stated as one value counts as rounded to whole percents.

    ## Why it misleads
    An attention kernel that is 3 times faster and takes 40 % of a step makes the step 1.36 times faster, not 3 times.

    ## Branches
    - (a) refutes, C3: the claimed speed-up lies wholly above the bound.
    - (b) caveat, C3: the same, where more than this part was changed, but the sentence gives the part as the reason of
      the whole gain.
    - not shown: a gain is claimed of a whole (a step, a training, a request), both its numbers were measured of a
      kernel or a layer alone, and no share of the time is stated that would lead from one to the other.
    - not applicable: no part is named; or more than this part was changed (several options differ or are named, or the
      gain is attributed to the whole system), so that the part alone bounds nothing.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"part": {"name": "attention", "speedup": "3.0", "fraction_low": 0.15,
                                     "fraction_high": 0.2}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where 45 % of the step became 3.5 times faster:
    ```json
    {"claims": {"speedup": {"part": {"name": "attention", "speedup": "3.5", "fraction_low": 0.43,
                                     "fraction_high": 0.47}}}}
    ```

    ## How to fix
    State the gain of the whole as measured, or the one that Amdahl's law gives.

    ## References
    Amdahl, Validity of the single processor approach, 1967. Hoefler, Twelve ways to fool the masses, way 5.
    """
    part = claim.part
    if part is None:
        yield _told_as_whole(claim, case) or Inapplicable("no part is named")
        return
    others = other_changes(claim, case)
    derived = read(claim.statement).has("derivation")
    if others and not derived:
        yield Inapplicable(f"more than this part was changed: {others}")
        return
    claimed, gain = least(claim, more_is_better=claim.quantity in {"rate", "flops"}), span(part.speedup).high
    if claimed is None or gain <= 0:
        yield Inapplicable("no gain is claimed")
        return
    low, high = sorted((exact(part.fraction_low).low, exact(part.fraction_high).low))
    fraction = min(high + ROUNDING, Decimal(1)) if low == high else high
    remaining = (1 - fraction) + (fraction / gain if gain < INFINITY else Decimal(0))
    if remaining <= 0:
        return
    bound = 1 / remaining
    if claimed > bound:
        message = (
            f"a part that takes at most {short(fraction * 100)} % of the time and became {part.speedup} times faster "
            f"speeds up the whole by at most {short(bound)}, not {claim.value}"
        )
        branch, effect = ("b", CAVEAT) if others else ("a", REFUTES)
        if others:
            message += f" (beside it changed: {others})"
        yield Violation(branch, effect, C3, message, claim.place("part"), claim.value, f"at most {short(bound)}")


def _told_as_whole(claim: Claim, case: Case) -> NotShown | None:
    """Return the question that a gain measured of a part alone and claimed of a whole leaves open."""
    metrics = [case.metric(ref) for ref in (claim.measured, claim.base)]
    scopes = {metric.scope if metric is not None else None for metric in metrics}
    if claim.scope not in WHOLES or not scopes <= PARTS:
        return None
    message = (
        f"both numbers are of a {' and '.join(sorted(map(str, scopes)))}; what share of the {claim.scope} it takes"
    )
    return NotShown(message + " is not stated", claim.place("scope"), provide=PROVIDE)
