"""W0302: the best run presented as the result."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.words import words_around
from ..facts.quantities.numbers import exact
from ..facts.series.per_trial import PerTrial, per_trial
from ..language.printed import Span, short, span
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

EXTREMES = frozenset({"min", "max"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    trials: float = Threshold(3, "trials", "exact: below three, a mean and a best value are hardly apart")


@rule(
    "W0302",
    "best-trial-as-headline",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(trials) and not ratio",
    origin="S1.3, S4, MEAS",
    also=("S15", "F29"),
    thresholds=Thresholds,
)
def best_trial_as_headline(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The value of the best run stands where a reader expects the usual one.

    ## What it does
    Recomputes the claimed metric of every trial, with every usual mean and median over them, and asks which of them
    the printed digits hold. It also reads whether caption, sentence and number agree about the statistic.

    ## Why it misleads
    The best of n runs grows with n. It says what may happen once, not what a reader will get, and two systems compared
    by their best runs are compared by luck.

    ## Branches
    - not applicable: called a percentile, a total, or the minimum or maximum that is not the best of the trials; or
      fewer than three trials give the metric.
    - (a) undermines, C3: called a mean, a median or nothing at all, over at least 3 trials, and the digits hold the
      best trial but no mean and no median of them; called the best, a minimum or a maximum by a field alone, the same.
    - (b) undermines, C3: the statistic of the number is contradicted in the same document ("best of 5 runs" in the
      caption over a column of means).
    - (c, instead of a and b) caveat, C3: called the best of n, or a minimum or maximum that is the best of at least 3
      trials; or the value of every trial is printed beside it.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"value": "84.4"}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, the median over five runs.

    ## How to fix
    Give the median and the range over all trials at fixed options.

    ## References
    Hoefler, Twelve ways to fool the masses, way 3.
    """
    found = per_trial(claim, case)
    is_best = found is not None and found.n >= thresholds.trials and _is_best(claim, found)
    if found is not None and is_best and claim.statistic in {"best_of", *EXTREMES} and not _is_called(claim, case):
        yield _best(claim, found)
        return
    if claim.statistic == "best_of":
        n = f" of {found.n} trials" if found is not None else ""
        yield Violation("c", CAVEAT, C3, f"the number is the best{n}, and says so", claim.at, claim.value)
        return
    if found is not None and is_best and claim.statistic in EXTREMES:
        message = f"the number is the best of {found.n} trials, called {claim.statistic}"
        related = (Related(found.at, "the trials"),)
        yield Violation("c", CAVEAT, C3, message, claim.place("statistic"), claim.value, related=related)
        return
    if claim.statistic not in {None, "mean", "median", "unspecified"}:
        yield Inapplicable(f"the number is called {claim.statistic}")
        return
    declared = _declared(claim, case)
    if found is not None and is_best:
        yield _best(claim, found)
    elif declared is not None:
        yield declared
    elif found is None or found.n < thresholds.trials:
        yield Inapplicable("three trials with the claimed metric are not given")


def _is_called(claim: Claim, case: Case) -> bool:
    """Whether the words around a number say that it is the best of several: a field alone tells no reader."""
    words = words_around(claim, case)
    kinds = {word.kind for reading in words for word in reading.statistic() if not word.negated}
    return claim.row is not None or words.has("best_of_runs") or not kinds.isdisjoint({"best", "min", "max"})


def _is_best(claim: Claim, found: PerTrial) -> bool:
    if claim.value is None or not all(abs(value) < math.inf for value in found.best):
        return False
    digits, printed = span(claim.value, None, claim.digits), span(claim.value, claim.qualifier, claim.digits)
    finite = [ends for ends in found.centres if all(map(math.isfinite, ends))]
    centres = [Span(Decimal(repr(low)), Decimal(repr(high))) for low, high in finite]
    holds_best = any(digits.meets(exact(value)) for value in found.best)
    return holds_best and bool(centres) and not any(printed.meets(centre) for centre in centres)


def _best(claim: Claim, found: PerTrial) -> Violation:
    centre = short(sum(found.centres[-1]) / 2)
    called = claim.statistic if claim.statistic in {"mean", "median"} else "the usual one"
    message = f"{claim.value} is the best of {found.n} trials, not {called}: over all of them it is {centre}"
    branch, effect = ("c", CAVEAT) if found.listed else ("a", UNDERMINES)
    related = (Related(found.at, "the trials"),)
    return Violation(branch, effect, C3, message, claim.place("value"), claim.value, centre, related)


def _declared(claim: Claim, case: Case) -> Violation | None:
    """Return a contradiction between the statistic of the number and the words around it."""
    metric, table = case.metric(claim.measured), case.table(claim)
    if claim.statistic not in {"mean", "median"}:
        return None
    if metric is not None and metric.statistic == "best_of" and metric.value == claim.value:
        message = f"the claim calls {claim.value} a {claim.statistic}, its source the best of several"
        return Violation("b", UNDERMINES, C3, message, claim.place("statistic"), claim.statistic, "best_of")
    texts = [(claim.statement, claim.place("statement"))]
    if table is not None and table.caption is not None:
        texts.append((table.caption, table.place("caption")))
    for text, at in texts:
        words = read(text)
        best = next((item.text for item in words.mentions("best_of_runs") if not item.negated), None)
        if best is not None and not words.has("mean_or_median") and not words.has("statistic.geomean"):
            message = f'the number is called a {claim.statistic}, and "{best}" beside it'
            return Violation("b", UNDERMINES, C3, message, at, claim.statistic, best)
    return None
