"""F55: runs that count as independent and share their seeds."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.declared_words import said
from ..facts.runs.evaluation_events import results
from ..facts.runs.times import is_successful, seeds
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

MOST_NAMED = 5
DRAWN = frozenset({("0",), ("-1",)})
"""Seeds by which programs are told to draw one by themselves."""
FIRST = 5
PROVIDE = """\
arms:
  trained:
    trials:
      s1: {kind: convergence, outcome: completed, seed: 829461}
"""
DETERMINISM = ("determinis", "bitwise", "fixed seed", "same seed", "one seed", "seed unused", "seed has no effect")


@rule(
    "F55",
    "seed-reused",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(runs) and not suite_inference",
    origin="MEAS, ML",
)
def seed_reused(claim: Claim, case: Case) -> Iterator[Branch]:
    """Two training runs of one result under one set of seeds.

    ## What it does
    Compares the seeds that the completed training runs of a result log, all ranks of a run as one set; those of the
    trials where there are no logs.

    ## Why it misleads
    Runs from one seed start from the same weights and see the same order of samples. They do not show the scatter that
    the result is averaged over.

    ## Branches
    - (a) undermines, C3: two completed runs have one set of seeds.
    - not shown: the one seed is 0 or -1, which may stand for a seed that each run draws by itself, and no two runs
      agree at their first five evaluations.
    - not applicable: fewer than two completed training runs with seeds; some without.
    - guard: a study of determinism, said beside the number; runs that failed and were repeated.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"6": {"value": 1822113}}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, with five seeds in five runs.

    ## How to fix
    Give every run a seed of its own, or count the runs of one seed once.

    ## References
    Rules of training suites; measured on published logs.
    """
    side = case.subject(claim)
    found = _seeds(side, case) if side is not None else []
    known = [item for item in found if item[2]]
    if len(known) < 2 or said(claim, *DETERMINISM):
        yield Inapplicable("fewer than two completed training runs log a seed that is meant to differ")
        return
    if len(known) < len(found):
        yield Inapplicable("some runs log no seed")
    groups: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for name, at, own in known:
        groups.setdefault(own, []).append((name, at))
    shared = {own: runs for own, runs in groups.items() if len(runs) > 1}
    if any(own in DRAWN and side is not None and _start_apart(side, case) for own in shared):
        message = "seed 0 may stand for one that each run draws by itself, and no two runs begin alike"
        yield NotShown(message, shared[next(own for own in shared if own in DRAWN)][0][1], provide=PROVIDE)
        shared = {own: runs for own, runs in shared.items() if own not in DRAWN}
    if shared:
        own, runs = next(iter(shared.items()))
        more = f"; {len(shared) - 1} more seeds are shared" if len(shared) > 1 else ""
        words = f"seed {own[0]}" if len(own) == 1 else f"the seeds {', '.join(own[:3])}, ..."
        names = " and ".join(name for name, _ in runs[:3]) + (f" and {len(runs) - 3} more" if len(runs) > 3 else "")
        message = f"{names} share {words}; of {len(known)} runs {len(groups)} have seeds of their own{more}"
        related = tuple(Related(at, f"seed of {name}") for name, at in (runs[0], *runs[2:MOST_NAMED]))
        yield Violation("a", UNDERMINES, C3, message, runs[1][1], str(len(known)), str(len(groups)), related)


def _seeds(side: Side, case: Case) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return name, place and seeds of every completed training run of an arm, or of its trials."""
    logged = [run for run in case.runs_of(side) if run.role == "training" and run.trace]
    if logged:
        return [
            (
                run.name,
                run.trace.place(events[0]) if (events := run.trace.of("seed")) else run.place(),
                seeds(run),
            )
            for run in logged
            if is_successful(run)
        ]
    return [
        (f"trial {name}", trial.place("seed"), (str(trial.seed),) if trial.seed is not None else ())
        for name, trial in side.arm.trials.items()
        if trial.kind == "convergence" and trial.outcome == "completed"
    ]


def _start_apart(side: Side, case: Case) -> bool:
    """Whether no two completed runs of an arm agree at all of their first evaluations."""
    curves = [found for run in case.runs_of(side) if is_successful(run) and (found := results(run))]
    first = {tuple((event.counter, event.number) for event in found[:FIRST]) for found in curves}
    return len(curves) > 1 and len(first) == len(curves)
