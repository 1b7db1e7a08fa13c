"""F33: the numbers of one run in the log of another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.runs.copies import Alike, alike, short_copies
from ..fields import field_of
from ..outcome import C2, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..trace import Logged
from ._copied_trials import CopiedTrial, copied_trials
from ._near_copies import Near, near_copies

LEAST = 5
FEW = 0.2
MOST_NAMED = 5


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    values: float = Threshold(0.5, "share of equal values", "measured: honest pairs of runs agree in at most 10 %")
    intervals: float = Threshold(
        0.9, "share of equal intervals", "measured: honest pairs of runs agree in at most 60 %"
    )
    near: float = Threshold(
        0.1, "distance of two runs per usual distance", "measured: honest pairs of runs lie at .36 and more"
    )


@rule(
    "F33",
    "series-copied-under-new-identity",
    effect=REFUTES,
    confidence=C2,
    applies="(has(runs) and has(trace)) or (has(trials) and has(raw))",
    origin="MEAS, ML",
    also=("F12",),
    thresholds=Thresholds,
)
def series_copied_under_new_identity(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A log that repeats another one's numbers or times under a new seed, name or date.

    ## What it does
    Takes from every run of a result the evaluation results and statistics that are printed with six digits or more,
    and the intervals of a second or more between train, evaluation, start and stop events, and looks each of them up
    in the other runs at the same position. Counts and learning rates, which are equal by design, are left out, and so
    is what stays constant over a run.

    ## Why it misleads
    A copied run adds no evidence, and the scatter between the runs is not what it seems.

    ## Branches
    - (a) refutes, C2: two files hold at least 5 values of which half or more agree to the last digit, or at least 5
      intervals of which 90 % agree to the millisecond; or the 3 or 4 intervals of a shorter log, each of a minute and
      more, all do.
    - (b, instead of a) caveat, C2: the values agree, but fewer than a fifth of the intervals: two runs that computed
      the same numbers at times of their own, as a deterministic program does whose seed has no effect.
    - (c) undermines, C2: from one evaluation to the next, in 8 steps and more, two runs change alike: they lie less
      than a tenth as far apart as two of at least 4 runs usually do. Last digits were changed, the curve was not.
    - the same of two trials of an arm and their raw numbers: of times at the same place, and of losses and other
      results under different seeds.
    - not applicable: fewer than 5 positions can be compared.
    - guard: files of one digest, which are another rule's finding.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_0": {"events": {"84": {"value": {"imgs_sec": 3151.807}}}},
      "result_1": {"events": {
      "29": {"value": {"imgs_sec": 3153.371}}, "40": {"value": {"imgs_sec": 3153.056}},
      "51": {"value": {"imgs_sec": 3152.742}}, "62": {"value": {"imgs_sec": 3152.428}},
      "73": {"value": {"imgs_sec": 3152.114}}, "84": {"value": {"imgs_sec": 3151.807}},
      "28": {"time_ms": 1744015855221}, "39": {"time_ms": 1744016235668}, "50": {"time_ms": 1744016616169}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose runs share no number.

    ## How to fix
    Hand in the runs that were made, or count a copy once.

    ## References
    Measured on 19,660 pairs of runs of published results: one pair is found, and it is a copy.
    """
    if field_of("basis", claim, case) != "simulated":
        for side in {side.id: side for side in (case.subject(claim), case.base(claim)) if side is not None}.values():
            yield from _of_trials(case, side, thresholds)
    runs = [run for run in case.runs(claim) if run.role in {"training", "performance"} and run.trace.events]
    pairs, comparable = alike(runs, LEAST)
    short = [each for each in short_copies(runs, LEAST) if not _one_file(each[0], each[1])]
    if short:
        yield _short(short)
    if comparable < LEAST:
        yield Inapplicable(f"no two logs hold {LEAST} values or intervals that can be compared")
        return
    copies: list[Alike] = []
    computed: list[Alike] = []
    for pair in pairs:
        values = pair.values >= LEAST and pair.equal_values >= thresholds.values * pair.values
        times = pair.intervals >= LEAST and pair.equal_intervals >= thresholds.intervals * pair.intervals
        if _one_file(pair.left, pair.right) or not (values or times):
            continue
        own = pair.intervals >= LEAST and pair.equal_intervals < FEW * pair.intervals
        (computed if own else copies).append(pair)
    known = {frozenset((pair.left.id, pair.right.id)) for pair in (*copies, *computed)}
    near = [
        pair
        for pair in near_copies(runs, thresholds.near)
        if frozenset((pair.left.id, pair.right.id)) not in known and not _one_file(pair.left, pair.right)
    ]
    if near:
        yield _near(near)
    if copies:
        yield _violation("a", copies)
    if computed:
        yield _violation("b", computed)


def _short(found: Sequence[tuple[Logged, Logged, int]]) -> Violation:
    run, earlier, intervals = found[0]
    more = f"; {len(found) - 1} more logs do" if len(found) > 1 else ""
    message = f"the logs of {earlier.name} and {run.name} share all {intervals} intervals to the last digit{more}"
    related = (Related(earlier.place(), f"first held by {earlier.name}"),)
    return Violation("a", REFUTES, C2, message, run.place(), related=related)


def _of_trials(case: Case, side: Side, thresholds: Thresholds) -> Iterator[Violation]:
    """Yield trials of an arm with the raw numbers of another one; each is compared with the first that held them."""
    copies: list[CopiedTrial] = []
    computed: list[CopiedTrial] = []
    for pair in copied_trials(case, side):
        values = pair.values >= LEAST and pair.equal_values >= max(LEAST, thresholds.values * pair.values)
        times = pair.times >= LEAST and pair.equal_times >= max(LEAST, thresholds.intervals * pair.times)
        if times or values:
            own = pair.times >= LEAST and pair.equal_times < FEW * pair.times
            (computed if own else copies).append(pair)
    for branch, effect, found in (("a", REFUTES, copies), ("b", CAVEAT, computed)):
        if found:
            first, trials = found[0], side.arm.trials
            shared = [f"{first.equal_values} of {first.values} results"] if first.equal_values else []
            shared += [f"{first.equal_times} of {first.times} times"] if first.equal_times else []
            more = f"; {len(found) - 1} more pairs do" if len(found) > 1 else ""
            words = "; their times are their own" if branch == "b" else ""
            message = (
                f"trials {first.left} and {first.right} of {side.id} share {' and '.join(shared)} to the last digit"
            )
            related = (Related(trials[first.left].at, "the same numbers"),)
            yield Violation(branch, effect, C2, message + words + more, trials[first.right].at, related=related)


def _near(found: list[Near]) -> Violation:
    first = min(found, key=lambda pair: pair.share)
    more = f"; {len(found) - 1} more pairs do" if len(found) > 1 else ""
    message = (
        f"{first.left.name} and {first.right.name} change alike from one evaluation to the next, {first.steps} times: "
        f"their changes differ by {first.share:.1%} of what is usual between two of the runs{more}"
    )
    related = (Related(first.left.place(), "almost the same curve"),)
    return Violation("c", UNDERMINES, C2, message, first.right.place(), related=related)


def _one_file(left: Logged, right: Logged) -> bool:
    files = left.run.file, right.run.file
    return files[0] is not None and files[1] is not None and files[0].sha256 == files[1].sha256 is not None


def _violation(branch: str, found: list[Alike]) -> Violation:
    first = max(found, key=lambda pair: pair.equal_values + pair.equal_intervals)
    shared = []
    if first.equal_values:
        shared.append(f"{first.equal_values} of {first.values} values to the last digit")
    if first.equal_intervals:
        shared.append(f"{first.equal_intervals} of {first.intervals} intervals to the millisecond")
    more = f"; {len(found) - 1} more pairs do" if len(found) > 1 else ""
    words = "; their times are their own" if branch == "b" else ""
    message = f"{first.left.name} and {first.right.name} share {' and '.join(shared)}{words}{more}"
    at = first.right.place()
    related = [Related(first.left.place(), "the same numbers")]
    related += [Related(pair.right.place(), f"shared with {pair.left.name}") for pair in found if pair is not first]
    effect = REFUTES if branch == "a" else CAVEAT
    return Violation(branch, effect, C2, message, at, related=tuple(related[:MOST_NAMED]))
