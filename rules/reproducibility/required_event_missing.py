"""R11: the log of a successful run without its start, its evaluations, its batch or its seed."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.run_times import is_successful, seeds
from ..outcome import Branch, Inapplicable, NotShown, Related
from ..registry import rule
from ..trace import Logged

ITEM = "start and evaluations of successful runs"
BATCHES = ("global_batch_size", "input_batch_size", "train_batch_size", "batch_size")
MOST_NAMED = 5
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
def required_event_missing(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A training run that its log calls successful, and whose log lacks what the success would have to be seen by.

    ## What it does
    Asks of the log of every training run that ended in success for the start of its clock and at least one evaluation
    with a value, and for the global batch and the seed. A run that was killed or aborted is not asked; a missing stop
    makes no success, and two starts are another rule's.

    ## Why it misleads
    Without a start there is no time, without an evaluation no target; a log without batch or seed could be any run.

    ## Branches
    - not shown: a successful run logs no start, or no evaluation. Required (start and evaluations of successful runs)
      of times to a target with logs, from the reviewer profile on.
    - not shown: a successful run logs no batch, or no seed.
    - not applicable: no training run with a log.

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
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace]
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


def _missing(found: list[tuple[Logged, str]], item: str) -> NotShown:
    run, lacks = found[0]
    more = f", and {len(found) - 1} more runs lack some" if len(found) > 1 else ""
    message = f"the log of {run.name}, called successful, holds no {lacks}{more}"
    related = tuple(Related(other.place(), f"no {what}") for other, what in found[1:MOST_NAMED])
    return NotShown(message, run.place(), item, PROVIDE, related)
