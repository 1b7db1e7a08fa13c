"""W0703: a dense model against the peak for sparse ones."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.operations import operations_of
from ..facts.device.peaks import SPARSE, SPARSE_FACTOR, dense_peak, tabulated_peaks, used_peaks
from ..language.printed import Span, short
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule

DENSE = frozenset({"none", "dense"})
PROVIDE = """\
arms:
  a:
    options: {sparsity: none}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    match: float = Threshold(0.02, "relative width of a match", "judgement: clocks and rounding of data sheets")


@rule(
    "W0703",
    "sparse-peak-as-dense",
    effect=UNDERMINES,
    confidence=C3,
    applies="flops or mfu",
    origin="S1.7",
    thresholds=Thresholds,
)
def sparse_peak_as_dense(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """The peak of 2:4 structured sparsity stands beside a model that is dense.

    ## What it does
    Takes the peak that the numbers stand on: rate / utilisation where both are stated, else the declared one. Compares
    it with the dense peak that the document declares for the device, or that the accelerator table gives for it at the
    one format of the operations, and with twice that, the peak at 2:4 sparsity. A peak that is declared to be the
    sparse one needs no comparison. A peak that is declared to be the dense one, but is twice the table's dense peak of
    a format of the operations and the dense peak of none of them, is the sparse one, whatever it is called.

    ## Why it misleads
    The larger peak can only be reached by skipping every second product. A dense model does not, so the number
    describes another computation.

    ## Branches
    - (a) undermines, C3: the peak is the 2:4 figure and not the dense one, within 2 %, and the model is dense.
    - not applicable: no peak, or nothing that tells the two apart.
    - not shown: the peak is the sparse one, and whether the weights are sparse is not stated.
    - Silent where 2:4 pruned weights are executed.

    ## Flagged
    On `training-flops` for claim `mfu`:
    ```json
    {"arms": {"a": {"operations": {"peak_flops": 624e12, "peak_kind": "sparse_2_4"}}}}
    ```

    ## Accepted
    On `training-flops` for claim `mfu`, which divides by the dense peak.

    ## How to fix
    Divide by the dense peak.

    ## References
    Hoefler, Twelve ways to fool the masses, way 7.
    """
    operations, side = operations_of(claim, case), case.subject(claim)
    declared_sparse = operations is not None and operations.peak_kind == SPARSE
    used, dense = used_peaks(claim, case), dense_peak(claim, case)
    if operations is None or side is None or (not declared_sparse and (not used or dense is None)):
        yield Inapplicable("no peak with its kind is declared")
        return
    figure = None
    dense = _corrected(claim, case, dense, thresholds.match)
    if dense is not None and not declared_sparse:
        sparse = Span(dense * SPARSE_FACTOR, dense * SPARSE_FACTOR)
        wide = [peak.widened(thresholds.match) for peak in used]
        if any(peak.meets(Span(dense, dense)) for peak in wide) or not any(peak.meets(sparse) for peak in wide):
            return
        figure = short(dense)
    sparsity = side.arm.options.sparsity if side.arm.options is not None else None
    if sparsity is None:
        yield NotShown(
            "the peak is that of 2:4 sparsity; whether the weights are sparse is not stated",
            operations.at,
            provide=PROVIDE,
        )
    elif sparsity.strip().casefold() in DENSE:
        message = "the peak is that of 2:4 sparsity, and the model is dense"
        at = operations.place("peak_kind" if declared_sparse else "peak_flops")
        yield Violation(
            "a", UNDERMINES, C3, message, at, claimed=claim.value, recomputed=figure and f"dense peak {figure}"
        )


def _corrected(claim: Claim, case: Case, dense: Decimal | None, match: float) -> Decimal | None:
    """Return the dense peak: the table's, where what the document calls dense is the table's sparse one."""
    peaks = tabulated_peaks(claim, case)
    if dense is None or not peaks:
        return dense
    declared = Span(dense, dense).widened(match)
    doubled = [peak for peak in peaks if declared.meets(Span(peak * SPARSE_FACTOR, peak * SPARSE_FACTOR))]
    own = any(declared.meets(Span(peak, peak)) for peak in peaks)
    return max(doubled) if doubled and not own else dense
