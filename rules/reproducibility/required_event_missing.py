"""R11: the log of a successful run without its start, its evaluations, its batch or its seed."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.evaluation_events import deciding
from ..facts.runs.times import is_successful, seeds, status
from ..outcome import Branch, Inapplicable, NotShown, Related
from ..registry import rule
from ..trace import Logged
from ..words import target_of

ITEM = "start and evaluations of successful runs"
BATCHES = ("global_batch_size", "input_batch_size", "train_batch_size", "batch_size")
MOST_NAMED = 5
ALWAYS = ("run_stop", "init_start", "init_stop", "train_samples", "eval_samples", "cache_clear")
HARNESS = frozenset({"performance", "accuracy"})
EFFECTIVE = ("effective_test_mode", "effective_min_duration_ms", "effective_scenario")
HARNESS_KEYS = ("result_validity", "effective_scenario")
PROVIDE = """\
arms:
  retinanet:
    runs:
      result_0:
        events:
          "23": {time_ms: 1744012991494, key: run_start}
          "29": {time_ms: 1744013372618, key: eval_accuracy, value: 0.21874, epoch: 1}
"""


@rule("R11", "required-event-missing", applies="has(trace)", origin="MEAS, ML")
def required_event_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A training run that its log calls successful, and whose log lacks what the success would have to be seen by.

    ## What it does
    Asks of the log of every training run that ended in success for the start of its clock and at least one evaluation
    with a value, and for the global batch and the seed. A run that was killed or aborted is not asked, unless it met
    its target; two starts are another rule's. Of runs of one result, a log was cut that lacks what most others hold:
    its stop, a mark of initialisation, that the caches were cleared, or the size of a data set. A log that starts and
    neither stops nor says how the run ended is named: it may be the run that failed, or a part of one. Of the log of a
    performance run it asks for verdict and scenario, if its harness logs what took effect.

    ## Why it misleads
    Without a start there is no time, without an evaluation no target; a log without batch or seed could be any run.

    ## Branches
    - not shown: a successful run logs no start, or no evaluation. Required (start and evaluations of successful runs)
      of times to a target with logs, from the reviewer profile on.
    - not shown: a successful run logs no batch, or no seed.
    - not shown: a log lacks an event that most logs of the result hold.
    - not shown: a log starts and breaks off, while most logs of the result say how their run ended.
    - not shown: the log of a performance run lacks its verdict or its scenario.
    - not shown: the summary of a performance run in a folder is empty or missing: the number is then the log's.
    - not applicable: no training run with a log, nor one of a harness that logs what took effect.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"runs": {"result_1": {"events": {"23": null}}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, where each log holds start, evaluations, batch and seed.

    ## How to fix
    Hand in the complete log.

    ## References
    Published logs; the suite's own checker asks for the same keys.
    """
    every = [run for run in case.runs(claim) if run.trace.events]
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace]
    harness = [run for run in every if run.role in HARNESS]
    ended = [run for run in runs if is_successful(run) or (status(run) is None and _reached(run, claim, case))]
    cut = [*_cut(ended, ALWAYS), *_silent(harness)]
    if cut:
        yield _missing(cut, "", "")
    bare = [run for run in harness if run.role == "performance" and _harnessed(run) and not run.run.summary]
    if bare and case.submission.folder is not None:
        more = f", and {len(bare) - 1} more are" if len(bare) > 1 else ""
        message = f"the summary of {bare[0].name} is empty or missing{more}: no figure is the one that was printed"
        yield NotShown(message, bare[0].place(), provide=PROVIDE)
    broken = [run for run in runs if run not in ended and status(run) is None and run.trace.of("run_start")]
    if broken and 2 * sum(status(run) is not None for run in runs) > len(runs):
        yield _broken_off(broken)
    if not runs and any(_harnessed(run) for run in harness):
        return
    if not runs:
        yield Inapplicable("no training run with a log")
        return
    successful = [run for run in runs if is_successful(run)]
    needed = [(run, lacks) for run in successful if (lacks := _lacks(run))]
    if needed:
        yield _missing(needed, ITEM)
    useful = [(run, lacks) for run in successful if (lacks := _anonymous(run))]
    if useful:
        yield _missing(useful, "")


def _lacks(run: Logged) -> str:
    started = run.trace.of("run_start") or (run.run.window is not None and run.run.window.start_ms is not None)
    lacking = [] if started else ["start"]
    return " and ".join(lacking if run.trace.evaluations else [*lacking, "evaluation"])


def _anonymous(run: Logged) -> str:
    lacking = [] if any(key in run.trace.options for key in BATCHES) else ["batch"]
    return " and ".join(lacking if seeds(run) else [*lacking, "seed"])


def _reached(run: Logged, claim: Claim, case: Case) -> bool:
    target = target_of(claim, case)
    return isinstance(target, Target) and deciding(run, target) is not None


def _cut(runs: list[Logged], keys: tuple[str, ...]) -> list[tuple[Logged, str]]:
    """Return the runs whose logs lack events that more than half of the logs hold, with the keys."""
    usual = [key for key in keys if 2 * sum(key in run.trace.by_key for run in runs) > len(runs)]
    lacking = [(run, [key for key in usual if key not in run.trace.by_key]) for run in runs]
    return [(run, " and no ".join(keys)) for run, keys in lacking if keys]


def _silent(runs: list[Logged]) -> list[tuple[Logged, str]]:
    """Return the performance runs of a harness that logs its effective options, without verdict or scenario."""
    kept = [run for run in runs if run.role == "performance" and _harnessed(run)]
    lacking = [
        (run, [key for key in HARNESS_KEYS if key not in run.trace.by_key and not _elsewhere(run, key)]) for run in kept
    ]
    return [(run, " and no ".join(keys)) for run, keys in lacking if keys]


def _harnessed(run: Logged) -> bool:
    return any(key in run.trace.by_key for key in EFFECTIVE)


def _elsewhere(run: Logged, key: str) -> bool:
    """Whether a run's verdict stands in its summary alone, as the logs of the first rounds have it."""
    early = "build_date_utc" in run.trace.by_key
    return key == "result_validity" and early and run.run.verdict is not None and run.run.verdict.valid is not None


def _broken_off(broken: list[Logged]) -> NotShown:
    run = broken[0]
    more = f", and so do {len(broken) - 1} more" if len(broken) > 1 else ""
    message = f"the log of {run.name} breaks off at {run.trace.events[-1].key} without a stop{more}: did the run fail?"
    related = tuple(Related(other.place(), "no stop") for other in broken[1:MOST_NAMED])
    return NotShown(message, run.trace.place(run.trace.events[-1]), provide=PROVIDE, related=related)


def _missing(found: list[tuple[Logged, str]], item: str, called: str = ", called successful") -> NotShown:
    run, lacks = found[0]
    more = f", and {len(found) - 1} more runs lack some" if len(found) > 1 else ""
    message = f"the log of {run.name}{called}{',' if called else ''} holds no {lacks}{more}"
    related = tuple(Related(other.place(), f"no {what}") for other, what in found[1:MOST_NAMED])
    return NotShown(message, run.place(), item, PROVIDE, related)
