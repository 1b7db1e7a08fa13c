"""F30: parallel sizes whose product is not the devices, or not the global batch."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.likely_cause import common_factor, likely_cause
from ..facts.quantities.numbers import exact
from ..facts.runs.logged_options import whole_option
from ..facts.suite.runs import is_weak
from ..facts.training.parallel_sizes import Layout, batch_contradicts, devices_contradict, layouts
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Logged

OF_A_DEVICE = ("d_batch_size", "local_batch_size", "per_device_batch_size", "per_device_train_batch_size")
ACCUMULATION = ("gradient_accumulation_steps", "gradient_accumulation_frequency")


class Shared(Struct, frozen=True):
    """A global batch that cannot be shared out over the devices in batches of the size that is logged for one.

    Attributes:
        run: the run that logs them.
        key: the key of the batch of a device.
        batch: that batch.
        accumulation: passes a step.
        whole: the global batch.
        devices: the devices.
    """

    run: Logged
    key: str
    batch: int
    accumulation: int
    whole: int
    devices: int


def shared_wrongly(case: Case, side: Side) -> Shared | None:
    """Return the first run whose batches do not fit its devices; None where none is sure not to.

    Tensor, pipeline and other parallel layouts share a batch among several devices, so that the number of batches only
    has to divide the devices; a device may count as two, and its batch may hold the accumulation. Of processors the
    ranks are anybody's choice.
    """
    if side.system is None or side.system.device_kind != "accelerator":
        return None
    for run in case.runs_of(side):
        key = next((key for key in OF_A_DEVICE if run.trace.of(key)), "")
        batch, whole = whole_option(run, key), whole_option(run, "global_batch_size")
        accumulation = next((steps for key in ACCUMULATION if (steps := whole_option(run, key))), 0)
        nodes, each = whole_option(run, "number_of_nodes"), whole_option(run, "accelerators_per_node")
        devices = nodes * each or side.devices or 0
        if not (batch and whole and accumulation and devices):
            continue
        parts = (divmod(whole, batch), divmod(whole, batch * accumulation))
        if not any(rest == 0 and count and 2 * devices % count == 0 for count, rest in parts):
            return Shared(run, key, batch, accumulation, whole, devices)
    return None


ONE = Decimal(1)


@rule(
    "F30",
    "parallelism-product-mismatch",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(parallelism) or (suite_training and has(trace))",
    origin="MEAS",
)
def parallelism_product_mismatch(claim: Claim, case: Case) -> Iterator[Branch]:
    """Parallel sizes that do not multiply to the device count, or a global batch that its parts do not make.

    ## What it does
    Multiplies tensor, pipeline, context and data-parallel size and compares the product with the devices. Where a size
    is missing it is not taken as 1: the product of the others must still divide the devices. Micro batch, accumulation
    and data-parallel size must make the global batch. Expert parallelism re-uses the ranks of the others. Where runs
    log the batch of a device, the accumulation and the global batch alone, the number of batches that this makes must
    divide the devices, or twice as many.

    ## Why it misleads
    Values per device, batch and speed-up are worked out from these columns. If they do not fit each other, the
    configuration that is described never ran.

    ## Branches
    - (a) undermines, C3: the product is not the device count, or cannot divide it; or the parts do not make the global
      batch. Of a table one finding, with the factor that all its rows share; a
      caveat where it is at most 1 %.
    - (b) caveat, C3: the batches that a run logs make a number of them that does not divide its devices; a part of them
      may have run.
    - not applicable: a size that could make the product right is missing, two dies count as one device, or the batch
      may be counted in tokens.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r8": {"options": {"data_parallel": 32, "tensor_parallel": 1,
       "pipeline_parallel": 1, "context_parallel": 1}}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, one device with every size 1.

    ## How to fix
    Correct the column, and state every parallel size.

    ## References
    Measured on published tables: columns shifted by one row, devices that count dies.
    """
    found, side = layouts(claim, case), case.subject(claim)
    shared = shared_wrongly(case, side) if side is not None and not is_weak(claim, case) else None
    if shared is not None:
        yield _shared(shared)
    if not found:
        yield Inapplicable("no parallel sizes are stated")
        return
    answers = [(layout, devices_contradict(layout), batch_contradicts(layout)) for layout in found]
    wrong = [layout for layout, devices, _ in answers if devices]
    if wrong:
        yield _devices(wrong)
    batches = [layout for layout, _, batch in answers if batch]
    if batches:
        yield _batch(batches)
    if any(None in answer[1:] for answer in answers):
        yield Inapplicable("a parallel size, the devices or a part of the batch is not stated")


def _shared(found: Shared) -> Violation:
    run, made = found.run, found.batch * found.accumulation * found.devices
    message = (
        f"{run.name} logs {found.key} {found.batch} and accumulation {found.accumulation}, {made} on {found.devices} "
        f"devices; its global batch is {found.whole}"
    )
    (event, *_), (other, *_) = run.trace.of("global_batch_size"), run.trace.of(found.key)
    related = (Related(run.trace.place(other), f"{found.key} {found.batch}"),)
    return Violation("b", CAVEAT, C3, message, run.trace.place(event), str(found.whole), str(made), related)


def _devices(wrong: list[Layout]) -> Violation:
    first = wrong[0]
    terms = " x ".join(f"{axis.removesuffix('_parallel')} {size}" for axis, size in first.sizes.items())
    pairs = [(exact(item.product), exact(item.devices or 0)) for item in wrong]
    cause = common_factor(pairs) or likely_cause(*pairs[0])
    more = f" ({len(wrong)} rows)" if len(wrong) > 1 else ""
    verb = "is" if first.complete else "does not divide"
    product = f"{first.product}, not {first.devices} devices" if first.complete else f"the {first.devices} devices"
    message = f"{first.name}: {terms} {verb} {product}{more}{cause}"
    related = tuple(Related(item.at, item.name) for item in wrong[1:6])
    effect = weighed(UNDERMINES, max(gap(*pair) for pair in pairs) if first.complete else ONE)
    return Violation("a", effect, C3, message, first.at, str(first.devices), str(first.product), related)


def _batch(wrong: list[Layout]) -> Violation:
    first = wrong[0]
    made = first.per_pass[0] * (first.accumulation or 1) * first.sizes["data_parallel"]
    pairs = [
        (exact(item.batch or 0), exact(item.per_pass[0] * (item.accumulation or 1) * item.sizes["data_parallel"]))
        for item in wrong
    ]
    counts = {"devices": first.devices, "accumulation steps": first.accumulation}
    cause = common_factor(pairs) or likely_cause(*pairs[0], counts)
    message = (
        f"{first.name}: micro batch {first.per_pass[0]} x accumulation {first.accumulation} x data "
        f"{first.sizes['data_parallel']} is {made}, not the global batch {first.batch}{cause}"
    )
    related = tuple(Related(item.at, item.name) for item in wrong[1:6])
    effect = weighed(UNDERMINES, max(gap(*pair) for pair in pairs))
    return Violation("a", effect, C3, message, first.at, str(first.batch), str(made), related)
