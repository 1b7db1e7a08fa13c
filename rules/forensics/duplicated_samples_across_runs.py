"""F12: one run's numbers in another run."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.series.kept_series import Timed, all_timed, timed
from ..fields import field_of
from ..outcome import C1, C2, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ._duplicate_curves import curves, same_curves
from ._duplicate_series import Duplicate, duplicate_series
from ._repeated_values import own_repeats, whole_copies

LEAST = 1e-99
"""Below this a probability is not told apart from none."""
TIMED = frozenset({"time", "latency", "rate"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    p: float = Threshold(
        1e-6,
        "expected runs of equal values between two trials",
        "simulation: 0 of 300 honest pairs at 3 resolutions",
    )


@rule(
    "F12",
    "duplicated-samples-across-runs",
    effect=REFUTES,
    confidence=C2,
    applies="has(raw) or (has(trials) and has(curve))",
    origin="J, SIM",
    thresholds=Thresholds,
)
def duplicated_samples_across_runs(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Consecutive times that stand, digit for digit, in two runs, or twice in one.

    ## What it does
    Finds the longest run of equal consecutive values between every two trials of the document, and asks how often
    chance makes one of that length at the resolution of the numbers: n m p^L, with p the probability that two values
    measured apart are equal, as the ties within the trials bound it from above. The whole curves of evaluations of the
    training runs of an arm are compared, too: there p is bounded by what other seeds share at the same step. A stretch
    of one run that comes again later in the same run is judged in the same way, and so are trials of 3 to 5 times, by
    how many of them are equal to another one as a whole: there p is bounded by the ties between values at one place of
    the trials. A series that begins again as a whole may be one set of inputs, timed again on a device whose every
    cycle is fixed.

    ## Why it misleads
    Two measurements never agree digit for digit over many values, nor do two trainings under different seeds. One of
    the runs was copied, and the scatter between trials is not what it seems.

    ## Branches
    - (a) refutes, C2: fewer than a millionth of such runs is expected.
    - (b) refutes, C2: two runs of an arm, under different seeds, have one whole curve of at least 6 different values.
    - (c) undermines, C2: fewer than a millionth of such stretches is expected to come again in one run.
    - (d) refutes, C2: by chance fewer than one in a million arms has so many short trials that are equal as a whole.
    - (e) caveat, C1: a run is nothing but its first values over and over, where chance explains it no better than (c).
    - not applicable: simulated times; for (a), fewer than two trials of 6 values, or values so coarse that ties are
      common (p > .5); for (c), (d) and (e), values of fewer than 6 digits.
    - guard: one run that stands under two arms of equal options, with one seed, place and start, such as a base that
      two comparisons cite; a study that the submission quotes.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {"t2": {"samples": {"step_time_s": [0.1009, 0.10157, 0.10136, 0.10122, 0.10273, 0.10242,
      0.10234, 0.10232, 0.10196, 0.10257, 0.10344, 0.10211, 0.10216, 0.10214, 0.10283, 0.10278, 0.1027, 0.10354]}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose five trials share no run of values.

    ## How to fix
    Hand in the numbers of each run, or say why they are equal.

    ## References
    Simulated at resolutions of 1e-5, 1e-3 and 1e-2 of the value.
    """
    if field_of("basis", claim, case) == "simulated":
        yield Inapplicable("simulated times may repeat")
        return
    yield from _of_curves(claim, case, thresholds.p)
    yield from _of_short_trials(claim, case, thresholds.p)
    arms = timed(claim, case)
    for arm in arms:
        yield from _of_one_run(case, arm, thresholds.p)
    judged = any(len(by_run) > 1 for side in _sides(claim, case) for by_run in curves(case, side).values())
    for column in dict.fromkeys(arm.column for arm in arms):
        own = {arm.side.id for arm in arms if arm.column == column}
        compared = duplicate_series(case, column, thresholds.p)
        judged = judged or own <= compared.judged
        found = [item for item in compared.duplicates if own & {item.left.side.id, item.right.side.id}]
        if found:
            yield _violation(found)
    if not judged:
        yield Inapplicable("no two trials hold 6 values that are fine enough to be told apart")
    elif arms and not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")


def _sides(claim: Claim, case: Case) -> list[Side]:
    sides = (case.subject(claim), case.base(claim))
    return list({side.id: side for side in sides if side is not None}.values())


def _of_short_trials(claim: Claim, case: Case, error: float) -> Iterator[Violation]:
    for side, ref in ((case.subject(claim), claim.measured), (case.base(claim), claim.base)):
        metric = case.metric(ref)
        if side is None or metric is None or metric.column is None or metric.quantity not in TIMED:
            continue
        found = whole_copies(case, side, metric.column, error)
        if found is not None:
            first, copy = found.pairs[0]
            message = (
                f"{len(found.pairs)} of {len(side.arm.trials)} trials of arm {side.id} hold the values of another one, "
                f"{copy} those of {first}; by chance so many would with a probability of {max(found.chance, LEAST):.1g}"
            )
            related = (Related(side.arm.trials[first].at, "the same values"),)
            at = side.arm.trials[copy].at
            yield Violation("d", REFUTES, C2, message, at, recomputed=str(len(found.pairs)), related=related)


def _of_one_run(case: Case, arm: Timed, error: float) -> Iterator[Violation]:
    repeats = sorted(own_repeats(case, arm.side, arm.column, error), key=lambda each: each[1].period is not None)
    for item, found in repeats[:1]:
        if found.period is not None:
            message = (
                f"{item.trial} of arm {arm.side.id} repeats its first {found.period} values to its end: were the same "
                f"inputs timed again on a device whose every cycle is fixed, or values copied?"
            )
            yield Violation("e", CAVEAT, C1, message, item.at, recomputed=str(found.period))
            continue
        message = (
            f"{found.length} consecutive values of {item.trial} of arm {arm.side.id} come again: from the "
            f"{found.second + 1}. on those from the {found.first + 1}. on; by chance "
            f"{max(found.chance, LEAST):.1g} such runs are expected"
        )
        yield Violation("c", UNDERMINES, C2, message, item.at, recomputed=str(found.length))


def _of_curves(claim: Claim, case: Case, error: float) -> Iterator[Violation]:
    for side in _sides(claim, case):
        found = same_curves(case, side, error)
        if found:
            first, trials = found[0], side.arm.trials
            message = (
                f"runs {first.left} and {first.right} of arm {side.id}, under different seeds, have one {first.metric} "
                f"at all {first.length} evaluations; by chance {first.chance:.1g} such pairs are expected"
            )
            related = (
                Related(trials[first.left].place("evaluations"), "the same curve"),
                *(Related(trials[item.right].place("evaluations"), f"shared with {item.left}") for item in found[1:]),
            )
            at = trials[first.right].place("evaluations")
            yield Violation("b", REFUTES, C2, message, at, recomputed=str(first.length), related=related)


def _violation(found: list[Duplicate]) -> Violation:
    first = max(found, key=lambda item: item.length)
    more = f", and {len(found) - 1} more pairs share others" if len(found) > 1 else ""
    message = (
        f"trials {first.left.name} and {first.right.name} share {first.length} consecutive values; by chance "
        f"{first.chance:.1g} such runs are expected{more}"
    )
    related = (
        Related(first.left.series.at, "the same values"),
        *(Related(item.right.series.at, f"shared with {item.left.name}") for item in found if item is not first),
    )
    return Violation("a", REFUTES, C2, message, first.right.series.at, recomputed=str(first.length), related=related)
