"""S10: the one of many comparisons that came out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

from msgspec import Struct

from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case
from ..facts.document.words import Words, words_in, words_of
from ..facts.quantities.numbers import PERCENT
from ..facts.training.stated_quality import quality_side
from ..language.printed import short
from ..language.reading import read
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.multiplicity import holm
from ._family import Family, family

PROVIDE = """\
arms:
  fast:
    search: {trials: 12, method: grid}    # how many variants were compared before this one was chosen
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(0.05, "two-sided error over all comparisons of the table", "convention")
    most: float = Threshold(20, "comparisons that an unstated search may have made", "simulated: 37 % false at 20")


@rule(
    "S10",
    "multiplicity-uncorrected",
    effect=UNDERMINES,
    confidence=C2,
    applies="has(test) or (comparison and has(table))",
    origin="SIM",
    thresholds=Thresholds,
)
def multiplicity_uncorrected(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """One of many comparisons is reported as if it had been the only one.

    ## What it does
    Counts the rows of the table that are set beside the claim's base, and takes the p of each from its trials (the
    claim's own also from its stated interval). Tests that the document states of the same two arms are a family, too,
    also where each claim prints the quality of one arm and its sentence names the other. Holm's procedure then says
    whether the claimed difference stands when all of them share the error.

    ## Why it misleads
    Of five configurations that are all the same, the best one "wins" at 5 % in 17.5 % of simulated studies; of twenty,
    in 37 %.

    ## Branches
    - (a) caveat, C2: at least two comparisons, and the claimed one, significant by itself, is not corrected; those
      whose trials are not given could let it fall.
    - (b) undermines, C2: Holm's procedure over the table's own trials lets it fall, or over the p of the tests that
      the document states for the same two arms.
    - not shown: the table holds one comparison, how many variants were tried before is not stated, and 20 would let it
      fall.
    - pass: the interval is said to be corrected; or the difference is significant over all of them, whatever they give.
    - not applicable: no base or row is named, rows of device counts, one comparison that was fixed before, neither
      trials nor an interval, or a difference that is not significant by itself.

    ## Flagged
    On `comparison` for claim `best`, the best of six variants by a hair:
    ```json
    {"claims": {"best": {"compares": "own_variants"}},
     "tables": {"systems": {"varies": ["schedule"], "rows": {
       "v2": {"label": "FastLM, schedule 2", "values": {"rate": "291000"}, "arm": "v2"},
       "v3": {"label": "FastLM, schedule 3", "values": {"rate": "291500"}, "arm": "v3"},
       "v4": {"label": "FastLM, schedule 4", "values": {"rate": "291200"}, "arm": "v4"}}}},
     "arms": {
       "ours": {"trials": {"t1": {"samples": {"step_time_s": [0.99]}}, "t2": {"samples": {"step_time_s": [0.98]}},
                           "t3": {"samples": {"step_time_s": [0.97]}}, "t4": {"samples": {"step_time_s": [0.96]}},
                           "t5": {"samples": {"step_time_s": [0.95]}}}},
       "theirs": {"trials": {"t1": {"samples": {"step_time_s": [1.01]}}, "t2": {"samples": {"step_time_s": [1.00]}},
                             "t3": {"samples": {"step_time_s": [0.99]}}, "t4": {"samples": {"step_time_s": [0.98]}},
                             "t5": {"samples": {"step_time_s": [1.00]}}}},
       "v2": {"performance": {"rate": {"quantity": "rate", "unit": "tokens/s", "column": "step_time_s",
                                       "work_per_iteration": 262144}},
              "trials": {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [1.02]}},
                         "t2": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.99]}},
                         "t3": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [1.00]}}}},
       "v3": {"performance": {"rate": {"quantity": "rate", "unit": "tokens/s", "column": "step_time_s",
                                       "work_per_iteration": 262144}},
              "trials": {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [1.01]}},
                         "t2": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.98]}},
                         "t3": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [1.00]}}}},
       "v4": {"performance": {"rate": {"quantity": "rate", "unit": "tokens/s", "column": "step_time_s",
                                       "work_per_iteration": 262144}},
              "trials": {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [1.00]}},
                         "t2": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.99]}},
                         "t3": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [1.01]}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, whose one comparison stands by far.

    ## How to fix
    Correct for all comparisons by Holm's procedure, or confirm the chosen one on new trials.

    ## References
    Holm, Scandinavian Journal of Statistics 6 (1979); simulated false positives of uncorrected comparisons.
    """
    found = family(claim, case)
    words = words_of(claim)
    p = _p(claim, found) if found is not None else None
    if p is None and claim.test is not None and claim.form != "parity" and not words.has("chosen_before"):
        yield from _of_tests(claim, case, words, thresholds.alpha)
        return
    if found is None or p is None or words.has("chosen_before"):
        yield Inapplicable("the table sets no comparisons with numbers beside one base")
    elif p >= thresholds.alpha:
        yield Inapplicable("the difference is not significant by itself")
    elif claim.interval is not None and read(claim.interval.method or "").has("correction"):
        yield Note(f"the interval is corrected for all comparisons ({claim.interval.method})")
    elif len(found.all) >= 2:
        yield from _of_many(claim, found, p, thresholds.alpha)
    else:
        yield from _of_one(claim, case, p, thresholds)


def _of_tests(claim: Claim, case: Case, words: Words, alpha: float) -> Iterator[Branch]:
    """Judge a difference with a stated test by those that the document states for the same two arms."""
    family = _tested(case, claim)
    own = [p for other, p in family if other is claim]
    ps = [p for _, p in family]
    names = words_in(*(other.test.name for other, _ in family if other.test is not None))
    if not own or own[0] >= alpha or len(family) < 2:
        yield Inapplicable("no second test of the same two arms is stated, or the difference is not significant")
    elif words.has("corrected_for_many") or names.has("correction"):
        yield Note("the tests are said to be corrected for all comparisons")
    elif not holm(ps)[ps.index(own[0])] < alpha:
        message = (
            f"p = {short(own[0])} is one of {len(ps)} tests of the same two arms; by Holm's procedure it does not "
            f"stand at {alpha:.0%}"
        )
        related = tuple(Related(other.at, "another test") for other, _ in family if other is not claim)[:5]
        yield Violation("b", UNDERMINES, C2, message, claim.at, recomputed=f"p = {short(own[0])}", related=related)
    else:
        yield Note(f"the difference is significant over all {len(ps)} tests")


@fact
def _tested(case: Case, claim: Claim) -> tuple[tuple[Claim, float], ...]:
    """Return the claims with a test of a difference between the two arms of a claim, with their p."""
    wanted = _arms(claim, case)
    if wanted is None:
        return ()
    return tuple(
        (other, float(other.test.p))
        for other in case.submission.claims.values()
        if other.test is not None
        and other.test.p is not None
        and 0 <= float(other.test.p) <= 1
        and other.form != "parity"
        and (other.group == claim.group or None in {other.group, claim.group})
        and _arms(other, case) == wanted
    )


def _arms(claim: Claim, case: Case) -> tuple[str, str] | None:
    """Return the two arms that a test sets beside each other: subject and base, or the one that the sentence names.

    A test that names no second arm is of something else, such as of the shape of a distribution.
    """
    side, base = quality_side(claim, case), case.base(claim)
    if side is None or (base is None and claim.quantity != "accuracy"):
        return None
    if base is not None:
        return (side.id, base.id) if claim.compares != "none" else None
    others, words = [other for other in case.sides() if other.id != side.id], read(claim.statement)
    named = {other.id for other in others if any(words.says(name) for name in (other.id, other.arm.label) if name)}
    return (side.id, named.pop()) if len(named) == 1 else None


def _of_many(claim: Claim, found: Family, p: float, alpha: float) -> Iterator[Branch]:
    k = len(found.all)
    holds = found.holds(alpha) if found.own.p is not None else None
    related = (Related(found.at, f"{k} comparisons with one base"),)
    if holds is False:
        message = f"p = {short(p)} is one of {k} comparisons, and not significant under Holm's procedure at {alpha:.0%}"
        yield Violation("b", UNDERMINES, C2, message, claim.at, recomputed=f"p = {short(p)}", related=related)
    elif holds is None and p * k >= alpha:
        message = f"p = {short(p)} is one of {k} comparisons and not corrected: {k} times as much could be chance"
        yield Violation("a", CAVEAT, C2, message, claim.at, recomputed=f"p = {short(p)}", related=related)
    else:
        yield Note(f"the difference is significant over all {k} comparisons of the table")


def _of_one(claim: Claim, case: Case, p: float, thresholds: Thresholds) -> Iterator[Branch]:
    side = case.subject(claim)
    search = side.arm.search if side is not None else None
    if (search is None or search.trials is None) and p * thresholds.most >= thresholds.alpha:
        message = (
            f"how many variants were compared is not stated; at {thresholds.most:g} of them p = {short(p)} is chance"
        )
        yield NotShown(message, claim.at, "", PROVIDE)


def _p(claim: Claim, found: Family) -> float | None:
    """Return the p of the claimed difference: from the trials, else from the stated interval of the ratio."""
    if found.own.p is not None:
        return found.own.p
    if claim.interval is None or claim.form != "ratio":
        return None
    percent = claim.unit in PERCENT
    low, high = (1 + float(end) / 100 if percent else float(end) for end in (claim.interval.low, claim.interval.high))
    level = claim.interval.level or 0.95
    if not 0 < low < high < math.inf or not 0 < level < 1:
        return None
    normal = NormalDist()
    error = math.log(high / low) / 2 / normal.inv_cdf((1 + level) / 2)
    return 2 * normal.cdf(-abs(math.log(low * high) / 2) / error)
