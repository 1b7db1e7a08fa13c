"""F32: runs of one result under different options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from statistics import fmean

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.device_words import device_words
from ..facts.document.declared_words import disclosed, said
from ..facts.runs.logged_options import EVERYWHERE, Differing, Group, class_of, compare_options
from ..facts.runs.times import duration_s
from ..outcome import C3, CAVEAT, REFUTES, UNDERMINES, Branch, Effect, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..trace import Logged, Option
from ._counts_in_names import machines_in

MOST_NAMED = 5
LABELS = ("submission_division", "submission_platform")
BOUNDS = frozenset({"max_steps", "max_epochs", "max_iterations"})
LOADED = ("effective_performance_sample_count", "performance_sample_count", "qsl_reported_performance_count")
PROVIDE = """\
arms:
  retinanet:
    runs:
      result_1:
        events:
          "12": {time_ms: 1744012941844, key: global_batch_size, value: 256}
"""


@rule(
    "F32",
    "options-differ-between-runs",
    effect=REFUTES,
    confidence=C3,
    applies="has(runs) and has(trace)",
    origin="MEAS, ML, S1.8",
    also=("M25", "M30"),
)
def options_differ_between_runs(claim: Claim, case: Case) -> Iterator[Branch]:
    """One result out of runs that did not run the same thing.

    ## What it does
    Reads the options that every run logs, numbers as numbers, and compares them between the runs of one result, key
    by key. What differs by nature is left out: seeds, names of files and shards, checkpoints, counters of what was
    consumed (sizes of the sets are options where they are logged before the start), how the run ended. A key that a
    run logs often counts as the set of its values, of which a shorter run may hold fewer. Performance and accuracy
    runs differ by their mode; of what both must load alike, the number of samples held in memory is compared
    between them.

    ## Why it misleads
    The mean of two configurations is the result of neither.

    ## Branches
    - (a) refutes, C3: the model, its precision, optimizer or input, the size of a set, the global batch or the
      benchmark differs, or the devices or machines that the labels of the platform name.
    - (b) undermines, C3: learning rate, schedule or another part of the recipe, or the parallel layout differs.
    - (c) caveat, C3: another option differs, such as a bound on the steps that no run need reach, the spelling of the
      platform or the division; or the samples that performance and accuracy run hold.
    - not shown: a key is logged by some of the runs only, at whatever place, or a run has no readable log.
    - not applicable: fewer than two runs with a log.
    - guard: a key that is said, beside the number, to vary; for (c) a disclosure that names it.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"12": {"value": 512}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose five runs log one option set under five seeds.

    ## How to fix
    Make one result of each option set, or repeat the runs that differ.

    ## References
    Measured on 538 published results: four differ, in learning rate or warm-up.
    """
    both = [run for run in case.runs(claim) if run.role in {"performance", "accuracy"} and run.trace.events]
    judged = len({run.role for run in both}) == 2 and any(run.trace.of(*LOADED) for run in both)
    for item in compare_options(both).different if judged else ():
        if item.key in LOADED and not said(claim, item.key) and not disclosed(case, item.key):
            yield _violation("c", CAVEAT, [item])
    runs = [run for run in case.runs(claim) if run.role in {"training", "performance"}]
    roles = {run.role for run in runs}
    for role in sorted(roles):
        readable = [run for run in runs if run.role == role and run.trace.events]
        if len(readable) < 2:
            continue
        judged = True
        yield from _judge(claim, case, readable)
        unread = [run for run in runs if run.role == role and not run.trace.events]
        if unread:
            yield NotShown(f"the log of {unread[0].name} holds no readable event", unread[0].place(), provide=PROVIDE)
    if not judged:
        yield Inapplicable("fewer than two runs with a log")


def _judge(claim: Claim, case: Case, runs: list[Logged]) -> Iterator[Branch]:
    compared = compare_options(runs)
    found: dict[str, list[Differing]] = {}
    for item in compared.different:
        branch = _branch(item, case)
        if not said(claim, item.key) and not (branch == "c" and disclosed(case, item.key)):
            found.setdefault(branch, []).append(item)
    effects = {"a": REFUTES, "b": UNDERMINES, "c": CAVEAT}
    yield from (_violation(branch, effects[branch], items) for branch, items in sorted(found.items()))
    if compared.partial:
        first, keys = min(compared.partial), ", ".join(sorted(compared.partial)[:MOST_NAMED])
        lacking = next((run for run in runs if first not in run.trace.options and not run.trace.of(first)), runs[-1])
        yield NotShown(f"some of {len(runs)} runs do not log {keys}", lacking.place(), provide=PROVIDE)


def _branch(item: Differing, case: Case) -> str:
    if item.key in LABELS:
        labels = [str(group.runs[0].trace.of(item.key)[0].value) for group in item.groups]
        return "a" if _name_other_systems(labels, case) else "c"
    if item.key in EVERYWHERE or class_of(item.key) in {"HARD", "STAT"}:
        return "a"
    return "b" if class_of(item.key) in {"RECIPE", "LAYOUT"} and item.key not in BOUNDS else "c"


def _name_other_systems(labels: list[str], case: Case) -> bool:
    """Whether two labels count their machines differently, or name devices of which they share none."""
    for left, right in combinations(labels, 2):
        counts = machines_in(left), machines_in(right)
        devices = device_words(case, left), device_words(case, right)
        if (None not in counts and counts[0] != counts[1]) or (all(devices) and devices[0].isdisjoint(devices[1])):
            return True
    return False


def _violation(branch: str, effect: Effect, found: list[Differing]) -> Violation:
    first = found[0]
    values = ", and ".join(_told(group) for group in first.groups[:3])
    others = ", ".join(item.key for item in found[1:MOST_NAMED])
    more = f"; {others} {'differs' if len(found) == 2 else 'differ'}, too" if others else ""
    usual, *odd = (group.runs[0].trace.of(first.key)[0] for group in first.groups)
    related = [Related(first.groups[0].runs[0].trace.place(usual), f"{first.key} {_shown(first.groups[0].value)}")]
    related += [
        Related(item.groups[1].runs[0].trace.place(item.groups[1].runs[0].trace.of(item.key)[0]), item.key)
        for item in found[1:MOST_NAMED]
    ]
    return Violation(
        branch,
        effect,
        C3,
        f"{first.key} is {values}{more}",
        first.groups[1].runs[0].trace.place(odd[0]),
        _shown(first.groups[1].value),
        _shown(first.groups[0].value),
        tuple(related),
    )


def _told(group: Group) -> str:
    times = [time for run in group.runs if (time := duration_s(run)) is not None]
    mean = f", mean {fmean(times):.5g} s" if times else ""
    count = f"{len(group.runs)} runs" if len(group.runs) > 1 else f"run {group.runs[0].id}"
    return f"{_shown(group.value)} in {count}{mean}"


def _shown(value: tuple[Option, ...]) -> str:
    shown = [f"{item:g}" if isinstance(item, float) else str(item) for item in value[:3]]
    return ", ".join(shown)[:80] + (", ..." if len(value) > len(shown) else "")
