"""W0903: operations per second, and nothing that they bought."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.pairing import has_value
from ..facts.quantities.per_second import work_per_second
from ..facts.training.convergence import target_runs
from ..facts.training.inflation import sizes
from ..outcome import Branch, NotShown
from ..registry import rule

FACTOR = 4
BOUGHT = frozenset({"time", "latency", "energy", "cost"})
PROVIDE = """\
arms:
  a:
    performance:
      rate: {quantity: rate, value: "133000", unit: tokens/s}     # or the time, energy or cost to a target
"""


PROVIDE_RESULT = """\
arms:
  a:
    target: {metric: loss, value: "2.50", direction: lower}
    performance:
      time_to_target: {quantity: time, value: "6.4", unit: h, scope: training_run}     # or energy, or cost
"""


@rule("W0903", "science-per-cost-missing", applies="(flops or mfu) and training", origin="S1.9")
def science_per_cost_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """FLOP/s or a utilisation, and no figure of what a sample or a trained model costs.

    ## What it does
    Looks beside the FLOP/s or the utilisation for a rate of samples or tokens, or for time, energy or cost. Then it
    looks through the whole document for a result: a quality of any training run, or the time, the energy or the cost
    of a whole training. A rate and a quality together tell what the result took; a rate alone tells what a sample
    takes, FLOP/s alone tell neither.

    ## Why it misleads
    Operations are what training costs, not what it yields. With large enough inputs, or a model that needs many of
    them, any machine computes fast and learns slowly.

    ## Branches
    - not shown: none of these numbers stands beside the FLOP/s; where the input is more than 4 times as large as
      usual, with neither a reason nor a gain in quality (as W0901 judges it), the finding says so.
    - not shown: a rate stands there, and the document holds no result of training and no price of one.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"options": {"input_length": 16384}, "performance": {"rate": null}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`, with its tokens per second and the loss that was reached:
    ```json
    {"arms": {"a": {"quality": {"loss": {"metric": "loss", "value": "2.71", "split": "held_out"}}}}}
    ```

    ## How to fix
    Add samples per second, and time, energy or cost to the target.

    ## References
    Hoefler, Twelve ways to fool the masses, way 9.
    """
    what = "FLOP/s" if claim.quantity == "flops" else "a utilisation"
    if _bought(claim, case):
        if not _result(case):
            message = f"{what} and work per second are given, but not what it takes to train a model"
            yield NotShown(message, claim.at, provide=PROVIDE_RESULT)
        return
    found = sizes(claim, case, FACTOR)
    known = next((size for size in found if size.inflated and size.one is not None), None)
    one = f" on examples of {known.one.words}" if known is not None and known.one is not None else ""
    message = f"{what}{one} without samples per second, time, energy or cost"
    yield NotShown(message, known.at if known is not None else claim.at, provide=PROVIDE)


@fact
def _result(case: Case) -> bool:
    """Whether the document holds a result of training anywhere, or what a whole training takes."""
    claims = case.submission.claims.values()
    whole = any(claim.quantity in BOUGHT and claim.scope == "training_run" for claim in claims)
    return whole or any(map(_trained, case.sides()))


def _trained(side: Side) -> bool:
    arm = side.arm
    metrics = [metric for metric in arm.performance.values() if metric.value is not None]
    return (
        any(map(has_value, arm.quality.values()))
        or arm.cost is not None
        or (arm.energy is not None and arm.energy.energy_j is not None)
        or any(trial.evaluations or trial.final or trial.crossing is not None for trial in arm.trials.values())
        or any(metric.quantity in BOUGHT and metric.scope == "training_run" for metric in metrics)
    )


def _bought(claim: Claim, case: Case) -> bool:
    """Whether a rate of samples, a time, an energy or a cost stands beside the FLOP/s."""
    side, table, row = case.subject(claim), case.table(claim), case.row(claim)
    if side is not None:
        arm = side.arm
        units = [(metric.quantity, metric.unit) for metric in arm.performance.values() if metric.value is not None]
        own = [run for run in target_runs(case, claim) if run.side.id == side.id and run.time_s is not None]
        energy = arm.energy is not None and arm.energy.energy_j is not None
        if any(_is_yield(*item) for item in units) or own or energy or arm.cost is not None:
            return True
    columns = table.columns if table is not None and row is not None else {}
    return any(
        _is_yield(column.quantity, column.unit)
        for key, column in columns.items()
        if row is not None and key in row.values
    )


def _is_yield(quantity: str, unit: str) -> bool:
    return quantity in BOUGHT or (quantity == "rate" and work_per_second(unit) is not None)
