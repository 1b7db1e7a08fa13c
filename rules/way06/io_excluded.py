"""W0601: the input pipeline is left out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Pipeline
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.limits import memory_capacity
from ..facts.document.told import is_quotation
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Violation
from ..registry import Threshold, rule
from ..words import training_time

ITEM = "pipeline"
GIB = 2**30
WHOLE = frozenset({"pipeline", "epoch", "training_run"})
TOPIC = "synthetic_input"
MADE_UP = ("without_real_input", "made_up_data", "synthetic_data")
PARTS = frozenset({"kernel", "collective", "layer"})
PROVIDE = """\
arms:
  a:
    measurement:
      pipeline: {kind: real, data_wait_share: 0.01}   # real, cached_host, cached_device, synthetic or none
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    data_wait: float = Threshold(0.02, "share of the step", "judgement: below the noise of most measurements")


@rule(
    "W0601",
    "io-excluded",
    effect=UNDERMINES,
    confidence=C3,
    applies="quantity in {rate, time, cost} and scope in {step, epoch, training_run, pipeline} and not hosted",
    origin="S1.6, S4, MEAS",
    thresholds=Thresholds,
)
def io_excluded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A number for whole steps or trainings that was taken without reading the data.

    ## What it does
    Reads where the inputs came from: the real pipeline, a cache in host or device memory, synthetic values, or nothing.
    A measured waiting time for data (raw columns before the stated share) below 2 % of the step settles it for inputs
    that are read at all; so does a cache in device memory that holds the data set.

    ## Why it misleads
    Reading and decoding data can be slower than the device. Synthetic inputs hide that, and nobody can train on them.

    ## Branches
    - (a) undermines, C3: a training time or a cost on synthetic inputs, on none, or from a host cache smaller than the
      data set.
    - (b) undermines, C3: a rate, or the time of a step, whose inputs are not real, without a label anywhere in the
      document.
    - (c) caveat, C3: the same with a label, and no end-to-end number beside it.
    - (d) undermines, C3: a cache in device memory, and the data set is larger than the memory of all devices; nothing
      says that waiting for it takes less than 2 % of the step.
    - pass with note: the data set fits in device memory, or waiting for data takes less than 2 % of the step.
    - not applicable: the timed region is a kernel or a layer, or runs on resident tensors and says so.
    - not shown: where the inputs come from is not stated, or a size or waiting time that decides about a cache is not.
      Required (pipeline) of training times and costs from the publication profile on, of training rates from
      procurement on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"pipeline": {"label": null}}}}, "claims": {"rate": {"said": null}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, which says "synthetic images" and gives the end-to-end rate beside it.

    ## How to fix
    Measure with the real pipeline, or write "compute only, synthetic" and add an end-to-end number.

    ## References
    Hoefler, Twelve ways to fool the masses, way 6.
    """
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    if side is None or measurement is None or measurement.pipeline is None:
        yield NotShown(
            "where the inputs come from is not stated", claim.at if side is None else side.arm.at, ITEM, PROVIDE
        )
        return
    pipeline, whole = measurement.pipeline, training_time(claim, case) or claim.quantity == "cost"
    if measurement.scope in PARTS:
        yield Inapplicable(f"the timed region is a {measurement.scope}")
    elif pipeline.kind == "none" and pipeline.label is not None and not whole:
        yield Inapplicable("the tensors are resident, and labelled so")
    elif pipeline.kind != "real":
        yield from _not_real(claim, case, thresholds, side, pipeline, whole)


def _not_real(
    claim: Claim, case: Case, thresholds: Thresholds, side: Side, pipeline: Pipeline, whole: bool
) -> Iterator[Branch]:
    settled = _settled(case, thresholds, side, pipeline)
    if settled is True:
        yield Note(f"inputs from {_words(pipeline)}: they fit, or waiting for them takes less than the threshold")
        return
    if settled is False and _fits_device(case, side, pipeline) is False and pipeline.kind == "cached_device":
        yield _larger_than_devices(side, pipeline)
        return
    if whole and pipeline.kind == "cached_device":
        return
    if whole and pipeline.kind == "cached_host":
        yield from _host_cache(side, pipeline)
    elif settled is None:
        message = (
            f"inputs come from {_words(pipeline)}, and neither sizes nor the waiting time tell whether that matters"
        )
        yield NotShown(message, pipeline.at, provide=PROVIDE)
    elif whole:
        message = f"a {claim.quantity} of a whole training, taken on {_words(pipeline)}"
        yield Violation("a", UNDERMINES, C3, message, pipeline.place("kind"), claim.value)
    else:
        yield from _rate(claim, case, side, pipeline)


def _larger_than_devices(side: Side, pipeline: Pipeline) -> Violation:
    size = (pipeline.dataset_bytes or 0) / GIB
    message = (
        f"a data set of {size:.4g} GiB is said to be cached in the memory of {side.devices} devices, which holds less"
    )
    return Violation("d", UNDERMINES, C3, message, pipeline.at)


def _host_cache(side: Side, pipeline: Pipeline) -> Iterator[Branch]:
    system = side.system
    memory_gib = system.host_memory_gib if system is not None else None
    nodes = system.nodes if system is not None else None
    if pipeline.dataset_bytes is None or memory_gib is None or nodes is None:
        message = "the data set was cached in host memory, and its size or that of the memory is not stated"
        yield NotShown(message, pipeline.at, provide=PROVIDE)
    elif pipeline.dataset_bytes > memory_gib * GIB * nodes:
        message = (
            f"a data set of {pipeline.dataset_bytes / GIB:.4g} GiB is said to be cached in "
            f"{memory_gib * nodes:g} GiB of host memory"
        )
        yield Violation("a", UNDERMINES, C3, message, pipeline.at)


def _rate(claim: Claim, case: Case, side: Side, pipeline: Pipeline) -> Iterator[Branch]:
    if not any(_tells(text, pipeline, claim) for text in _labels(claim, case, pipeline)):
        missing = "neither a label of the pipeline nor a quotation says so"
        message = f"the {claim.quantity} was taken on {_words(pipeline)}, and {missing}"
        yield Violation("b", UNDERMINES, C3, message, pipeline.place("kind"), claim.value)
    elif not _end_to_end(claim, case, side):
        message = f"the {claim.quantity} was taken on {_words(pipeline)}, with no end-to-end number beside it"
        yield Violation("c", CAVEAT, C3, message, pipeline.place("kind"), claim.value)


def _labels(claim: Claim, case: Case, pipeline: Pipeline) -> Iterator[str]:
    """Yield what is said of the inputs: the label, and what is quoted of them beside the number or elsewhere."""
    if pipeline.label is not None:
        yield pipeline.label
    yield from (item.quote for item in claim.said if item.topic == TOPIC)
    yield from (item.quote for item in case.submission.disclosures if item.topic == TOPIC)


def _tells(text: str, pipeline: Pipeline, claim: Claim) -> bool:
    """Whether words say where the inputs come from: a sentence of a cache, and of made-up ones that they are that."""
    if pipeline.kind != "synthetic":
        return is_quotation(text, claim.statement)
    reading = read(text)
    return reading.says("compute only") or any(reading.has(concept) for concept in MADE_UP)


def _settled(case: Case, thresholds: Thresholds, side: Side, pipeline: Pipeline) -> bool | None:
    """Whether a cache does not matter: True, False, or None where that is not known; no excuse without real data."""
    if pipeline.kind in {"synthetic", "none"}:
        return False
    wait = _wait_share(side, pipeline)
    if wait is not None and wait < thresholds.data_wait:
        return True
    fits = _fits_device(case, side, pipeline) if pipeline.kind == "cached_device" else None
    if fits:
        return True
    return None if wait is None and fits is None else False


def _wait_share(side: Side, pipeline: Pipeline) -> float | None:
    """Return the share of the step spent waiting for data: of the raw columns where there are any, else as stated."""
    waited = stepped = 0.0
    for _, _, columns in side.raw():
        wait, step = columns.get("data_wait_s", ()), columns.get("step_time_s", ())
        if len(wait) == len(step):
            waited, stepped = waited + math.fsum(wait), stepped + math.fsum(step)
    if 0 < stepped < math.inf and 0 <= waited < math.inf:
        return waited / stepped
    return pipeline.data_wait_share


def _fits_device(case: Case, side: Side, pipeline: Pipeline) -> bool | None:
    memory = memory_capacity(case, side.system)
    if pipeline.dataset_bytes is None or memory is None or side.devices is None:
        return None
    return pipeline.dataset_bytes <= memory.value * side.devices


def _end_to_end(claim: Claim, case: Case, side: Side) -> bool:
    """Whether a number that includes the pipeline stands in the document: this arm's, or the model's on real data."""
    own = case.metric(claim.measured)
    if any(metric.scope in WHOLE and metric.value and metric is not own for metric in side.arm.performance.values()):
        return True
    return any(_real(other) and _one_model(other, side) for other in case.sides() if other.id != side.id)


def _real(side: Side) -> bool:
    measurement = side.arm.measurement
    real = measurement is not None and measurement.pipeline is not None and measurement.pipeline.kind == "real"
    return real and any(metric.value for metric in side.arm.performance.values())


def _one_model(left: Side, right: Side) -> bool:
    models = [side.arm.options.model if side.arm.options is not None else None for side in (left, right)]
    return models[0] is not None and models[0] == models[1]


def _words(pipeline: Pipeline) -> str:
    return {
        "synthetic": "synthetic inputs",
        "none": "no inputs",
        "cached_host": "a cache in host memory",
        "cached_device": "a cache in device memory",
    }.get(pipeline.kind, "real inputs")
