"""P10: a result called FP32 with a shortcut switched on."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.options import Precision
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.formats import normalised
from ..facts.device.labels import labels, worded
from ..facts.device.operations import common_texts, own_texts
from ..facts.device.specification import device_of
from ..facts.document.words import Words, words_in, words_of
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..words import quantised

FLAGS = {
    "tf32": "TF32 products are allowed",
    "fast_math": "fast math is on",
    "reduced_reduction": "reductions below FP32 are allowed",
}
FORCED = "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"
"""Variable that has a framework allow TF32 products whatever the program says."""
FIRST_TF32 = "2020-05"
"""Month in which the first device with TF32 units came out."""
PROVIDE = """\
arms:
  a:
    options:
      precision: {compute: fp32, tf32: false, fast_math: false, reduced_reduction: false}
"""


@rule(
    "P10",
    "tf32-or-fast-math-silent",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(formats) or parity or ratio",
    origin="S0, J",
)
def tf32_or_fast_math_silent(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result called FP32 while the framework was allowed to compute in less.

    ## What it does
    Where the label is FP32, looks at the flags that let a framework or compiler use TF32 products, value-changing
    shortcuts, or reductions in a lower format, as declared and as observed; at a compute format that was seen to be
    TF32; and at the environment variable that forces it. Where they are not stated, the accelerator table says whether
    the device has TF32 units at all. What an FP32 reference ran in is asked of quantised models, too.

    ## Why it misleads
    Eight times the speed of FP32 for 13 bits of mantissa is a fair trade when it is said. Some frameworks make it
    silently.

    ## Branches
    - (a) undermines, C3: called FP32, one of the flags is on, and no word beside the number says so; the same of the
      arm that a comparison is set against. Where no word says FP32, and only the declared options do, they may say of
      the flag, too, that it is on.
    - not shown: called FP32 on a device with TF32 units, and whether TF32 was allowed is not stated; the same of the
      arm that a comparison is set against.
    - not applicable: called by another format, or by TF32 as well.
    - Silent where the device has no TF32 units: a processor, or one from before the format.

    ## Flagged
    On `training-pair` for claim `rate`:
    ```json
    {"claims": {"rate": {"statement": "In FP32 one GPU processes 41300 tokens per second."}},
     "arms": {"fused": {"options": {"precision": {"compute": "fp32", "tf32": true}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`:
    ```json
    {"arms": {"fused": {"options": {"precision": {"compute": "fp32", "tf32": false}}}}}
    ```

    ## How to fix
    Call it TF32, or switch the flag off.

    ## References
    NVIDIA, TensorFloat-32 in the A100 (2020).
    """
    yield from _of_reference(claim, case)
    if quantised(claim, case):
        yield Inapplicable("the result is that of a quantised model")
        return
    side, names = case.subject(claim), labels(claim, case)
    if side is None or "fp32" not in names or "tf32" in (*names, *worded(claim, case)):
        yield Inapplicable("the result is not called FP32 alone")
        return
    words = words_in(*own_texts(claim, case), *common_texts(claim, case))
    found = tuple(item for item in _switched_on(side) if item[0] != "tf32" or _may_have_tf32(case, side))
    for flag, at in found:
        if not words.has(flag, affirmed=False) and not _open_in_options(side, at, words):
            yield Violation("a", UNDERMINES, C3, f"called FP32, and {FLAGS[flag]}", at, "fp32", FLAGS[flag])
    if not found and _open(case, side):
        message = "called FP32 on a device with TF32 units; whether TF32 was allowed is not stated"
        yield NotShown(message, side.arm.place("options"), provide=PROVIDE)


def _of_reference(claim: Claim, case: Case) -> Iterator[Branch]:
    """Yield flags that are on, or not stated, in what a comparison calls FP32: the arm that it is set against."""
    base = case.base(claim)
    options = base.arm.options if base is not None else None
    compute = options.precision.compute if options is not None and options.precision is not None else None
    if base is None or claim.base is None or compute is None or normalised(compute) != "fp32":
        return
    flags = tuple(_switched_on(base))
    words = words_of(claim).and_((claim.base.at, claim.base.definition), (base.arm.at, base.arm.label))
    for flag, at in flags:
        said = any(text.has(flag) and not text.has(f"{flag}_off") for text in words)
        silent = not said and not _open_in_options(base, at, words)
        if silent and (flag != "tf32" or _may_have_tf32(case, base)):
            message = f"arm `{base.id}`, which is called FP32: {FLAGS[flag]}"
            yield Violation("a", UNDERMINES, C3, message, at, "fp32", FLAGS[flag])
    if not flags and not words.has("tf32", affirmed=False) and _open(case, base):
        message = f"arm `{base.id}` is called FP32 on a device with TF32 units; whether TF32 was allowed is not stated"
        yield NotShown(message, base.arm.place("options"), provide=PROVIDE)


def _open_in_options(side: Side, at: str, words: Words) -> bool:
    """Whether only the declared options call an arm FP32, and say beside it that the flag is on."""
    declared = side.arm.options.precision if side.arm.options is not None else None
    return declared is not None and at.startswith(declared.at) and "fp32" not in words.formats()


def _open(case: Case, side: Side) -> bool:
    """Whether an arm does not tell if TF32 products were allowed, on a device that can make them."""
    return all(precision.tf32 is None for precision in _precisions(side)) and _has_tf32(case, side)


def _precisions(side: Side) -> Iterator[Precision]:
    observed = [trial.observed for trial in side.arm.trials.values()]
    for options in (side.arm.options, side.arm.observed, *observed):
        if options is not None and options.precision is not None:
            yield options.precision


def _switched_on(side: Side) -> Iterator[tuple[str, str]]:
    """Yield each flag that is on, with the first place that says so."""
    found: dict[str, str] = {}
    declared = side.arm.options.precision if side.arm.options is not None else None
    for precision in _precisions(side):
        for flag in FLAGS:
            if getattr(precision, flag) is True:
                found.setdefault(flag, precision.place(flag))
        if precision is not declared and normalised(precision.compute or "") == "tf32":
            found.setdefault("tf32", precision.place("compute"))
    environment = side.arm.environment
    if environment is not None and environment.variables.get(FORCED) == "1":
        found.setdefault("tf32", environment.place("variables", FORCED))
    yield from found.items()


def _may_have_tf32(case: Case, side: Side) -> bool:
    """Whether the device may have TF32 units: a flag without them changes nothing."""
    if side.system is not None and side.system.device_kind == "processor":
        return False
    devices = device_of(case, side.system).devices
    return not devices or any((device.release_latest or FIRST_TF32) >= FIRST_TF32 for device in devices)


def _has_tf32(case: Case, side: Side) -> bool:
    devices = device_of(case, side.system).devices
    return bool(devices) and all("tf32" in (*device.dense_tflops, *device.flop_per_clock) for device in devices)
