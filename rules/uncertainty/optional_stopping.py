"""S11: measuring until the result is there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..language.reading import Reading, read
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

REPEATED = ("steps", "trials", "runs", "seeds", "requests", "repetitions", "other")
BREAKS = frozenset(",;.:")
NEAR = 5
"""Characters between "after" and its number: "after the 5th trial"."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    before: float = Threshold(20, "values before the scatter is first looked at", "simulations of peeking")


@rule(
    "S11",
    "optional-stopping",
    effect=UNDERMINES,
    confidence=C2,
    applies="has(trials)",
    origin="SIM",
    thresholds=Thresholds,
)
def optional_stopping(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Trials that were added until the difference was significant, or in one arm only.

    ## What it does
    Reads the stop rule of each arm, and counts the trials of both arms that were started, whatever became of them.

    ## Why it misleads
    Whoever looks after every trial and stops at the first p below .05 finds a difference between equal systems in 15 to
    23 % of cases.

    ## Branches
    - (a) undermines, C2: the stop rule is significance without a correction for looking (a small p, an interval that
      excludes no difference), or a result that is good enough (a median below a value); or the two arms have different
      numbers of trials, and neither a stop rule nor a plan says why.
    - not applicable: one arm without a stop rule and a plan, or one whose trials are not listed.
    - (b) caveat, C2: the stop rule is a small scatter, looked at from fewer than 20 values on.
    - guard: stopping when an interval of the median is narrow enough; sequential tests.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"measurement": {"stop_rule": "trials were added until the difference was significant"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`: five trials in each arm, 30 iterations fixed before.

    ## How to fix
    Fix the number of trials before; or stop when the median's interval is narrow enough, from 30 values on.

    ## References
    Simulations of peeking; Waudby-Smith et al., Time-uniform central limit theory (2021).
    """
    subject, base = case.subject(claim), case.base(claim)
    sides = [side for side in (subject, base) if side is not None]
    for side in sides:
        found = _judged(side, _stop_rule(side), thresholds.before)
        if found is not None:
            yield found
    if subject is None or base is None or subject.id == base.id:
        if not any(_stop_rule(side) for side in sides):
            yield Inapplicable("there is no second arm, and no stop rule is stated")
        return
    kind = "convergence" if claim.scope == "training_run" else "throughput"
    counts = [sum(trial.kind == kind for trial in side.arm.trials.values()) for side in (subject, base)]
    if not all(counts):
        yield Inapplicable("one of the arms lists no trials")
    elif counts[0] != counts[1] and not any(_fixed(side) for side in (subject, base)):
        message = f"arm {subject.id} has {counts[0]} trials and {base.id} {counts[1]}, and no rule says when to stop"
        related = (Related(base.arm.place("trials"), f"trials of {base.id}"),)
        yield Violation("a", UNDERMINES, C2, message, subject.arm.place("trials"), related=related)
    elif not all(_stop_rule(side) for side in (subject, base)):
        yield Inapplicable("an arm does not state when its measurement stopped")


def _judged(side: Side, text: str, least: float) -> Violation | None:
    """Return what is wrong with a stop rule; None where nothing is, or its words do not tell."""
    words, at = read(text), side.arm.measurement.place("stop_rule") if side.arm.measurement is not None else ""
    corrected = words.has("stop.sequential")
    if _says(words, "stop.significant") and not corrected:
        message = f"arm {side.id} was measured until it was significant: {text[:120]!r}"
        return Violation("a", UNDERMINES, C2, message, at, text[:120])
    scatter = words.has("stop.scatter")
    if _says(words, "stop.result") and not scatter:
        message = f"arm {side.id} was measured until its result was there: {text[:120]!r}"
        return Violation("a", UNDERMINES, C2, message, at, text[:120])
    begun = max(_looked_from(words), default=None) if scatter and not corrected else None
    if begun is None or begun >= least:
        return None
    message = f"arm {side.id} was measured until its scatter looked small, from {begun} values on: {text[:120]!r}"
    return Violation("b", CAVEAT, C2, message, at, text[:120])


def _says(words: Reading, concept: str) -> bool:
    """Whether a stop rule affirms something: "none was added until it was significant" denies what it says."""
    breaks = [0, *(token.end for token in words.tokens if token.text in BREAKS)]
    denials = [mark.end for mark in words.negations()]
    for item in words.mentions(concept):
        since = breaks[bisect_right(breaks, item.start) - 1]
        nearest = bisect_right(denials, item.start) - 1
        if nearest < 0 or denials[nearest] <= since:
            return True
    return False


def _looked_from(words: Reading) -> Iterator[int]:
    """Yield the numbers of values from which on the scatter is looked at: "at least 5 runs", "after the 5th trial"."""
    ends = [item.end for item in words.mentions("stop.from")]
    for count in words.counts():
        near = bisect_right(ends, count.start) - 1
        follows = near >= 0 and count.start - ends[near] <= NEAR
        if count.of in REPEATED and (follows or count.qualifier == "at_least"):
            yield int(count.value)


def _stop_rule(side: Side) -> str:
    return (side.arm.measurement.stop_rule if side.arm.measurement is not None else None) or ""


def _fixed(side: Side) -> bool:
    """Whether an arm says how many trials it was to have, or when to stop."""
    return bool(_stop_rule(side)) or (side.arm.plan is not None and side.arm.plan.trials is not None)
