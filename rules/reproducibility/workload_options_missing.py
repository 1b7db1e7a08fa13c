"""R06: a number of which nobody knows what exactly was run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import flat
from ..facts.device.operations import declared_formats
from ..facts.suite.result import described, quoted
from ..language.reading import read
from ..outcome import Branch, NotShown
from ..registry import rule
from ..tables import mlperf
from ..words import WORDS, kernel

ITEM = "model, data, shape, batch, precision, unit"
FORMATS = frozenset({"precision_mode", "precision", "dtype", "compute_dtype", "training_precision"})
PARTS = frozenset(
    {"d_batch_size", "local_batch_size", "per_device_batch_size", "micro_batch_size", "gradient_accumulation_frequency"}
)
"""Names under which logs carry the number format, and a part of the batch."""
UNITLESS = frozenset({"words", "parity"})
PROVIDE = """\
arms:
  a:
    options:
      model: ResNet-50 v1.5
      dataset: ImageNet-1k 2012
      input_shape: [3, 224, 224]
      precision: {compute: bf16}
      micro_batch: 128
      accumulation: 1
      global_batch: 1024
"""


@rule("R06", "workload-options-missing", applies="any", origin="MEAS")
def workload_options_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A number without model, data, shape, batch, precision or unit.

    ## What it does
    Reads the options of the claim's arm or row, and of its base: the model with its variant, the data set, the shape or
    length of one example, the batch (global, and per device or accumulation; for a service its load), and the number
    formats, of options that only a log names also: `precision_mode`, `d_batch_size`, `local_batch_size` and the like.
    A name of a file counts as stated. A kernel has operand sizes instead of a data set and a batch.

    ## Why it misleads
    Twice the batch or half the format changes a speed more than most methods do.

    ## Branches
    - not shown: one of them is not stated. Required (model, data, shape, batch, precision, unit) from the publication
      profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"options": {"precision": null, "global_batch": null, "accumulation": null}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, which states all of them.

    ## How to fix
    One line of them per table.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 9.
    """
    own, base = case.subject(claim), case.base(claim)
    missing = _missing(claim, case, own, own=True)
    if claim.unit is None and claim.form not in UNITLESS and not _quality_unit(claim, case):
        missing.append("unit")
    if missing:
        at = own.arm.at if own is not None else claim.at
        yield NotShown(f"not stated of the workload: {', '.join(missing)}", at, ITEM, PROVIDE)
    if base is not None and (own is None or base.id != own.id):
        of_base = _missing(claim, case, base, own=False)
        if of_base:
            yield NotShown(f"not stated of the base's workload: {', '.join(of_base)}", base.arm.at, ITEM, PROVIDE)


def _missing(claim: Claim, case: Case, side: Side | None, own: bool) -> list[str]:
    row = case.row(claim) if own else None
    options = flat(side.arm.options if side is not None else None) | flat(row.options if row is not None else None)
    extra = {key.casefold() for key in _extra(side)}
    operations = side.arm.operations if side is not None else None
    sizes = operations is not None and bool(operations.dimensions)
    part = kernel(claim, case)
    formats = "precision.compute" in options or (own and bool(declared_formats(claim, case))) or bool(extra & FORMATS)
    batch = "" if part else _batch(claim, side, {**options, **({"accumulation": None} if extra & PARTS else {})})
    suite = own and WORDS["suite_inference"](claim, case) and quoted(claim).benchmark is not None
    if suite:
        formats = formats or any(described(claim, case, name) for name in mlperf.inference().system_fields.data_types)
        batch = "" if quoted(claim).scenario is not None else batch
    known = {
        "model": "model" in options,
        "data": part or suite or "dataset" in options,
        "shape": sizes or suite or "input_shape" in options or "input_length" in options,
        batch: not batch,
        "precision": formats,
    }
    return [item for item, there in known.items() if not there]


def _extra(side: Side | None) -> Iterable[str]:
    """Return the names of the options that have no field of their own, where they say something."""
    options = side.arm.options if side is not None else None
    return (key for key, value in options.extra.items() if value not in {None, ""}) if options is not None else ()


def _batch(claim: Claim, side: Side | None, options: Mapping[str, object]) -> str:
    """Return what of the batch is not stated: in training global and a part of it, at inference any, else its load."""
    part = {"micro_batch", "per_device_batch", "accumulation"} & options.keys()
    if claim.mode == "training" and "global_batch" in options:
        return "" if part else "batch per device or accumulation"
    if claim.mode == "training":
        return "global batch" if part else "batch"
    metrics = side.arm.performance.values() if side is not None else ()
    loads = [metric.load for metric in metrics if metric.load is not None]
    loaded = any(load.concurrency or load.request_rate or load.batching for load in loads)
    return "" if loaded or "global_batch" in options or part else "batch"


def _quality_unit(claim: Claim, case: Case) -> bool:
    """Whether a quality has a unit of its own, or is one of the losses, which need none."""
    quality = case.quality(claim.quality)
    if claim.quantity != "accuracy":
        return False
    name = claim.metric or (quality.metric if quality is not None else "")
    return (quality is not None and quality.unit is not None) or read(name).has("loss_metric")
