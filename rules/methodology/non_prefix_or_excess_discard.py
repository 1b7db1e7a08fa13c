"""M03: iterations discarded from the middle, most of them, or differently in the two arms."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.words import words_in
from ..facts.series.discards import Discards, discards
from ..facts.series.kept_series import related_sides, timed
from ..facts.series.steady_start import steady_starts
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  fast:
    measurement:
      discarded_iterations: [0, 1, 2, 3, 4]
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.5, "discarded share of what was recorded after the warm-up", "judgement")


@rule(
    "M03",
    "non-prefix-or-excess-discard",
    effect=UNDERMINES,
    confidence=C3,
    applies="timing and has(raw)",
    origin="S4, J",
    thresholds=Thresholds,
)
def non_prefix_or_excess_discard(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Recorded iterations that were left out: from the middle, most of them, or more of them in one arm.

    ## What it does
    Reads how many units an arm recorded, how many entered its number, and which ones were discarded. A warm-up is a
    prefix: one run of places from the first on. What was discarded beyond the warm-up is held against what was recorded
    after it; a long warm-up that was planned discards nothing, one that ended where the times looked best does. The two
    arms of a ratio are compared with each other.

    ## Why it misleads
    Slow iterations are part of the work. Whoever may choose which to keep can choose the number.

    ## Branches
    - (a) undermines, C3: the discarded places are no prefix; or more than half of what was recorded after the warm-up
      was discarded; or the arms discard different warm-ups, and one of them is not seen to begin steady.
    - (b) caveat, C3: the arms discard different warm-ups, and both begin steady; or the warm-up is more than half of
      what was recorded, and its end was chosen by the times themselves.
    - not shown: more or fewer units are missing than the warm-up, and the places are not given.
    - not applicable: an arm does not state what it recorded and used.
    - guard: units that a stated rule discards after a failure outside the measurement, counted as excluded. "They
      looked disturbed" is no such failure.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"raw_count": 75, "used_count": 60,
                                    "discarded_iterations": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 44, 45, 60, 72]}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`: each arm records 35 iterations, discards the first 5 and uses 30.

    ## How to fix
    Discard one prefix, fixed before the runs, in all arms, and summarise by a median, which needs no discards.

    ## References
    Benchmarking chapter of the deep-learning performance course; Hoefler and Belli, Scientific benchmarking of parallel
    computing systems (2015), on outliers.
    """
    counts = [(side, discards(side, metric)) for side, metric in related_sides(claim, case) if side is not None]
    for side, found in counts:
        if found is None or (found.missing is None and found.places is None):
            yield Inapplicable(f"what arm {side.id} recorded and used is not stated")
        else:
            yield from _judged(side, found, thresholds)
    if len(counts) == 2 and counts[0][1] is not None and counts[1][1] is not None:
        yield from _compared(claim, case, counts[0][1], counts[1][1])


def _judged(side: Side, found: Discards, thresholds: Thresholds) -> Iterator[Branch]:
    if found.places is not None and sorted(found.places) != list(range(len(found.places))):
        last = next(place for index, place in enumerate(sorted(found.places)) if place != index)
        message = f"arm {side.id} discards {len(found.places)} iterations that are not its first, such as number {last}"
        if not _failed(found):
            yield Violation("a", UNDERMINES, C3, message, found.at)
        return
    yield from _long_warmup(side, found, thresholds)
    beyond = found.beyond_warmup
    if beyond is None or found.recorded is None or found.warmup is None:
        if not found.places:
            yield Inapplicable(f"the warm-up of arm {side.id} is not stated")
        return
    after_warmup = max(1, found.recorded - (0 if found.warmup_unit == "run" else found.warmup))
    if beyond > thresholds.share * after_warmup and not _failed(found):
        message = f"arm {side.id} discards {beyond} of the {after_warmup} units that it recorded after the warm-up"
        yield Violation("a", UNDERMINES, C3, message, found.at, recomputed=f"{beyond / after_warmup:.2g}")
    elif beyond and len(found.places or ()) < (found.missing or 0):
        message = (
            f"arm {side.id} recorded {found.recorded} units and used {found.used}; which it discarded is not given"
        )
        yield NotShown(message, found.at, provide=PROVIDE)


def _failed(found: Discards) -> bool:
    """Whether a stated rule discards units after a failure outside the measurement, and they are counted."""
    return bool(found.excluded) and words_in(found.rule).has("failure", "outside_cause")


def _long_warmup(side: Side, found: Discards, thresholds: Thresholds) -> Iterator[Branch]:
    """A warm-up of most of what was recorded, whose end was chosen by what the times showed."""
    policy = found.warmup_policy
    if policy is None or found.warmup is None or found.recorded is None or found.warmup_unit == "run":
        return
    words = read(policy)
    if not words.has("afterwards") or words.has("beforehand"):
        return
    whole = min(found.warmup * count for count in found.trials)
    if whole > thresholds.share * found.recorded:
        message = f'arm {side.id} discards {whole} of {found.recorded} recorded units as warm-up, ended "{policy}"'
        yield Violation("b", CAVEAT, C3, message, found.at, recomputed=f"{whole / found.recorded:.2g}")


def _compared(claim: Claim, case: Case, subject: Discards, base: Discards) -> Iterator[Branch]:
    units = {subject.warmup_unit or "iteration", base.warmup_unit or "iteration"}
    if subject.warmup is None or base.warmup is None or subject.warmup == base.warmup or len(units) > 1:
        return
    arms = timed(claim, case)
    starts = [steady_starts(case, arm.side, arm.column) for arm in arms]
    steady = len(arms) == 2 and all(all(start is not None and not start.head for start in found) for found in starts)
    branch, effect = ("b", CAVEAT) if steady else ("a", UNDERMINES)
    message = f"one arm discards {subject.warmup} warm-up iterations, the other {base.warmup}"
    related = (Related(base.at, "the other arm"),)
    yield Violation(branch, effect, C3, message, subject.at, related=related)
