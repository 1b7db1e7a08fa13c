"""P09: emulated arithmetic quoted in the format that it emulates."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.operations import Operations
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.formats import holds, known, normalised
from ..facts.device.labels import labels
from ..facts.device.operations import claimed_flops, common_texts, own_texts
from ..facts.device.specification import device_of
from ..facts.document.words import words_in
from ..facts.quantities.per_second import operations_per_second
from ..language.printed import short
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

EMULATED = frozenset({"fp64", "fp32"})
INTEGERS = frozenset({"int8", "int4"})
PROVIDE = """\
arms:
  a:
    operations:
      fractions: {fp64: 1.0}                 # or what ran instead:
      emulation: {scheme: "Ozaki, 8 splits", native_format: int8, retained_bits: 53, error: "1e-15 of the largest"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.02, "fraction of the native peak", "judgement: rounding of clocks and peaks")


@rule(
    "P09",
    "emulated-precision-unlabelled",
    effect=UNDERMINES,
    confidence=C3,
    applies="flops",
    origin="S0",
    also=("P01", "W0701"),
    thresholds=Thresholds,
)
def emulated_precision_unlabelled(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A rate quoted in FP64 or FP32 that ran as integer or half-precision splits.

    ## What it does
    Looks for emulation behind a rate that is called FP64 or FP32: a stated scheme, or a native format below the label.
    The words beside the number have to say so. Where no kernel is named, the rate is compared with the native peak of
    the device in the accelerator table.

    ## Why it misleads
    An emulated product keeps the bits that its splits keep, for well scaled numbers. And each product of the label
    costs several native ones: counted as such, they multiply the rate.

    ## Branches
    - (a) undermines, C3: emulated, and the words beside the number do not say so; or they do, and native operations are
      counted as operations of the label.
    - not shown: the rate is above the native peak of the label, and which kernels ran is not stated.
    - not applicable: the rate is called by another format.

    ## Flagged
    On `kernel` for claim `gemm`:
    ```json
    {"claims": {"gemm": {"statement": "The FP64 matrix product of size 8192 runs at 261.7 TFLOP/s (2mnk)."}},
     "tables": {"gemm": {"caption": "FP64 matrix products", "columns": {"rate": {"format": "fp64"}}}},
     "arms": {"n8192": {"options": {"precision": {"compute": "fp64"}},
                        "operations": {"emulation": {"scheme": "8 slices of 7 bits", "native_format": "int8"}}}}}
    ```

    ## Accepted
    On `kernel` for claim `gemm`:
    ```json
    {"claims": {"gemm": {"statement": "An FP64 product, emulated in INT8, reaches an effective 31.2 TFLOP/s.",
                         "value": "31.2", "row": null}},
     "tables": {"gemm": null},
     "arms": {"n8192": {"options": {"precision": {"compute": "fp64"}}, "performance": {"rate": {"value": "31.2"}},
        "operations": {"counted": "model",
           "emulation": {"scheme": "8 slices of 7 bits", "native_format": "int8", "error": "1e-14"}}}}}
    ```

    ## How to fix
    Give the effective rate with its measured error, and native operations apart.

    ## References
    Ozaki and others, Error-free transformations of matrix multiplication (2012).
    """
    side = case.subject(claim)
    names = [name for name in labels(claim, case) if name in EMULATED]
    if side is None or not names:
        yield Inapplicable("the rate is called neither FP64 nor FP32")
        return
    label, operations = names[0], side.arm.operations
    native = _native(operations, label)
    if native is not None and operations is not None:
        yield from _emulated(claim, case, operations, (label, native))
    elif operations is None or not (operations.fractions or operations.counters or operations.emulation):
        yield from _above_native(claim, case, side, label, thresholds)


def _native(operations: Operations | None, label: str) -> str | None:
    """Return the format that ran instead of the label; None where nothing says that another did."""
    if operations is None:
        return None
    if operations.emulation is None:
        return _counted(operations, label)
    name = operations.emulation.native_format
    if name is None:
        return "another format"
    return None if known(name) and normalised(name) == label else name


def _counted(operations: Operations, label: str) -> str | None:
    """Return the one format that the device's counters show, where it holds less than the label."""
    shown = [name for name, share in operations.counters.items() if share and known(name)]
    if len(shown) != 1 or normalised(shown[0]) == label or holds(normalised(shown[0]), label):
        return None
    return normalised(shown[0])


def _emulated(claim: Claim, case: Case, operations: Operations, names: tuple[str, str]) -> Iterator[Violation]:
    label, native = names
    side = case.subject(claim)
    emulation = operations.emulation
    words = words_in(*own_texts(claim, case), *common_texts(claim, case))
    related = (
        Related(emulation.at if emulation is not None else operations.place("counters"), f"emulated in {native}"),
    )
    # What a caption or a quote says of BF16 may be said of another row.
    own = words_in(claim.statement, side.arm.label if side is not None else None).formats()
    named = (known(native) and normalised(native) in own) or not INTEGERS.isdisjoint(words.formats())
    if not words.has("emulation") and not named:
        message = f"a rate in {label} that ran in {native}, and the words beside it do not say so"
        yield Violation("a", UNDERMINES, C3, message, claim.place("statement"), label, native, related)
    elif operations.counted == "hardware" and not words.has("native_operations"):
        message = f"operations executed in {native} are counted as operations in {label}"
        yield Violation("a", UNDERMINES, C3, message, operations.place("counted"), label, native, related)


def _above_native(claim: Claim, case: Case, side: Side, label: str, thresholds: Thresholds) -> Iterator[NotShown]:
    variant = device_of(case, side.system)
    peak, rate, unit = variant.peak(label), claimed_flops(claim, case), operations_per_second(claim.unit)
    if peak is None or rate is None or unit is None or claim.form != "absolute":
        return
    devices = 1 if unit.per_device else side.devices
    if devices is None:
        return
    most = peak.bound * devices * variant.sold_together * (1 + Decimal(str(thresholds.slack)))
    lower = any(holds(label, name) for name in ("tf32", "bf16", "fp16") if variant.peak(name) is not None)
    if rate.low > most and lower:
        message = (
            f"{claim.value} {claim.unit} in {label} is above the native peak of {short(peak.bound * devices)} "
            f"({variant.words}), and which kernels ran is not stated"
        )
        yield NotShown(message, claim.place("value"), provide=PROVIDE)
