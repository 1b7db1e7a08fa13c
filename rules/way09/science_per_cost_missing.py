"""W0903: operations per second, and nothing that they bought."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.convergence import target_runs
from ..facts.inflation import sizes
from ..facts.per_second import work_per_second
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


@rule("W0903", "science-per-cost-missing", applies="flops and training", origin="S1.9")
def science_per_cost_missing(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """FLOP/s on inputs larger than usual, without samples per second or what reaching a target takes.

    ## What it does
    Where one example is more than 4 times as large as usual, with neither a reason nor a gain in quality (as W0901
    judges it), looks beside the FLOP/s for a rate of samples, or for time, energy or cost.

    ## Why it misleads
    Operations are what training costs, not what it yields. With large enough inputs any machine computes fast and
    learns slowly.

    ## Branches
    - not shown: the input is larger than usual, or its usual size is not known, and none of these numbers is given.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"options": {"input_length": 16384}, "performance": {"rate": null}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`, with its tokens per second.

    ## How to fix
    Add samples per second, or time, energy or cost to the target.

    ## References
    Hoefler, Twelve ways to fool the masses, way 9.
    """
    if _bought(claim, case):
        return
    found = sizes(claim, case, FACTOR)
    known = [size for size in found if size.inflated]
    open_ones = [size for size in found if size.inflated is None]
    if known:
        assert known[0].one is not None
        message = f"FLOP/s on examples of {known[0].one.words}, without samples per second, time, energy or cost"
        yield NotShown(message, known[0].at, provide=PROVIDE)
    elif open_ones or not found:
        at = open_ones[0].at if open_ones else claim.at
        message = "FLOP/s without samples per second, time, energy or cost, on examples whose usual size is not known"
        yield NotShown(message, at, provide=PROVIDE)


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
