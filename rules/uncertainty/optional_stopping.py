"""S11: measuring until the result is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case, Side
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

_UNTIL = r"\b(?:until|once|when|as soon as|stop\w*)\b"
_LESS = r"(?:<|below|under|less than|smaller than)"
_SIGNIFICANCE = Pattern(
    rf"{_UNTIL}.{{0,60}}(?:significan"
    rf"|\bp(?:[- ]?values?)?\s*(?:(?:was|is|fell|falls|dropped|drops|came|got)\s+)?{_LESS})"
    rf"|{_UNTIL}.{{0,60}}\bintervals?\b.{{0,40}}(?:exclud|clear of|(?:not|longer) (?:contain|includ|overlap|cover))",
    re.IGNORECASE,
)
_WIDTH = r"(?:interval|width|standard error|\bsem\b|error|deviation|scatter|spread|variation|\bcv\b|precision)"
_RESULT = Pattern(
    rf"\b(?:runs?|trials?|seeds?|repetitions?|repeats?|repeated|measured|measurements?)\b.{{0,40}}{_UNTIL}"
    rf"(?:(?!{_WIDTH}).){{0,20}}\b(?:median|mean|average|best|fastest|ratio|speed-?up|gain|difference)\b"
    rf"(?:(?!{_WIDTH}).){{0,40}}\b(?:below|under|above|over|exceed\w*|beat\w*|reach\w*|less than|more than|at least)\b",
    re.IGNORECASE,
)
_PRECISE = Pattern(rf"{_UNTIL}.{{0,60}}{_WIDTH}", re.IGNORECASE)
_FROM = Pattern(
    r"\b(?:at least|after(?: the first)?|from|minimum(?: of)?|starting (?:at|from|with)|first)\s+(?:the\s+)?"
    r"([0-9]{1,6})(?:th|st|nd|rd)?\s+(?:steps?|iterations?|trials?|runs?|seeds?|requests?|repetitions?|values?)",
    re.IGNORECASE,
)
_CORRECTED = Pattern(
    r"spending|pocock|fleming|confidence sequence|sequential|alpha.?adjust|bonferroni|group.sequential", re.IGNORECASE
)


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
        words = _stop_rule(side)
        if words and _SIGNIFICANCE.search(words) is not None and _CORRECTED.search(words) is None:
            measurement = side.arm.measurement
            assert measurement is not None
            message = f"arm {side.id} was measured until it was significant: {words[:120]!r}"
            yield Violation("a", UNDERMINES, C2, message, measurement.place("stop_rule"), words[:120])
        elif words and _RESULT.search(words) is not None:
            message = f"arm {side.id} was measured until its result was there: {words[:120]!r}"
            yield Violation("a", UNDERMINES, C2, message, _place(side), words[:120])
        elif words and _PRECISE.search(words) is not None and _CORRECTED.search(words) is None:
            begun = [int(match[1]) for match in _FROM.finditer(words)]
            if begun and max(begun) < thresholds.before:
                message = (
                    f"arm {side.id} was measured until its scatter looked small, from {max(begun)} values on: "
                    f"{words[:120]!r}"
                )
                yield Violation("b", CAVEAT, C2, message, _place(side), words[:120])
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


def _place(side: Side) -> str:
    assert side.arm.measurement is not None
    return side.arm.measurement.place("stop_rule")


def _stop_rule(side: Side) -> str:
    return (side.arm.measurement.stop_rule if side.arm.measurement is not None else None) or ""


def _fixed(side: Side) -> bool:
    """Whether an arm says how many trials it was to have, or when to stop."""
    return bool(_stop_rule(side)) or (side.arm.plan is not None and side.arm.plan.trials is not None)
