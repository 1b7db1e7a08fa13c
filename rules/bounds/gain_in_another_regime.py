"""P16: a gain that is put down to what does not limit the work."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.regime import counted_operations, regime_of
from ..facts.document.words import words_of
from ..outcome import C1, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule

KEPT = Decimal("0.95")
"""Share of the base's operations or bytes above which they are as many."""
ARITHMETIC, TRAFFIC = "gain_by_arithmetic", "gain_by_traffic"


@rule(
    "P16",
    "gain-in-another-regime",
    effect=UNDERMINES,
    confidence=C1,
    applies="speedup and has(bytes)",
    origin="S2, S4",
)
def gain_in_another_regime(claim: Claim, case: Case) -> Iterator[Branch]:
    """A gain put down to faster arithmetic where memory limits the work, or to less traffic where arithmetic does.

    ## What it does
    Divides the operations of both sides by the bytes that they move, and compares with the ridge of the device: its
    peak over its bandwidth. An intensity of less than half the ridge waits for memory, one of more than twice the ridge
    for arithmetic. Then it reads what the sentence puts the gain down to: matrix units, or a higher or lower count of
    operations; or traffic, bandwidth, and accesses to memory.

    ## Why it misleads
    What is not waited for cannot shorten the wait. The gain has another cause, and whoever copies the stated one gets
    nothing.

    ## Branches
    - (a) undermines, C1: both sides wait for memory and move as many bytes, and the sentence names arithmetic as the
      cause.
    - (b) undermines, C1: both sides wait for arithmetic and do as many operations, and the sentence names traffic.
    - not applicable: operations, bytes or ceilings of a side are not known, an intensity lies near the ridge, or the
      sentence names neither cause, or both.

    ## Flagged
    On `kernel` for claim `gemm`, a product with one column, which only reads its matrix:
    ```json
    {"claims": {"gemm": {"statement": "Tensor cores make the product 1.9x faster.", "value": "1.9", "unit": "x",
                         "quantity": "time", "form": "ratio", "compares": "own_variants", "row": null,
                         "measured": {"arm": "n8192", "metric": "time"}, "base": {"arm": "plain"}}},
     "arms": {"n8192": {"operations": {"dimensions": {"n": 1}, "bytes_moved": 1.343e8}},
              "plain": {"system": "node", "devices": 1, "options": {"precision": {"compute": "bf16"}},
                        "operations": {"dimensions": {"m": 8192, "n": 1, "k": 8192}, "bytes_moved": 1.343e8,
                                       "peak_flops": 3.12e14}}}}
    ```

    ## Accepted
    On `kernel` for claim `gemm`, where the same sentence is about a product that waits for arithmetic:
    ```json
    {"claims": {"gemm": {"statement": "Tensor cores make the product 1.9x faster.", "value": "1.9", "unit": "x",
                         "quantity": "time", "form": "ratio", "compares": "own_variants", "row": null,
                         "measured": {"arm": "n8192", "metric": "time"}, "base": {"arm": "plain"}}},
     "arms": {"n8192": {"operations": {"bytes_moved": 4.03e8}},
              "plain": {"system": "node", "devices": 1, "options": {"precision": {"compute": "bf16"}},
                        "operations": {"dimensions": {"m": 8192, "n": 8192, "k": 8192}, "bytes_moved": 4.03e8,
                                       "peak_flops": 3.12e14}}}}
    ```

    ## How to fix
    Measure what the gain comes from, and name that.

    ## References
    Williams, Waterman and Patterson, Roofline: an insightful visual performance model (2009).
    """
    side, base = case.subject(claim), case.base(claim)
    if side is None or base is None:
        yield Inapplicable("one side of the ratio is not given as an arm")
        return
    regimes = {regime_of(claim, case, item) for item in (side, base)}
    causes = [name for name in (ARITHMETIC, TRAFFIC) if words_of(claim).has(name)]
    if len(regimes) != 1 or None in regimes or len(causes) != 1:
        yield Inapplicable("what limits both sides, or what the gain is put down to, is not known")
        return
    related = (Related(base.arm.at, "the other side"),)
    at = claim.place("statement")
    if regimes == {"memory"} and causes == [ARITHMETIC] and _as_many(_bytes(side), _bytes(base)):
        message = "the gain is put down to arithmetic; both sides wait for memory, and move as many bytes"
        yield Violation("a", UNDERMINES, C1, message, at, claim.value, related=related)
    elif regimes == {"compute"} and causes == [TRAFFIC] and _as_many(_operations(side), _operations(base)):
        message = "the gain is put down to memory; both sides wait for arithmetic, and do as many operations"
        yield Violation("b", UNDERMINES, C1, message, at, claim.value, related=related)


def _as_many(ours: Decimal | None, theirs: Decimal | None) -> bool:
    return ours is not None and theirs is not None and ours >= KEPT * theirs


def _bytes(side: Side) -> Decimal | None:
    operations = side.arm.operations
    moved = operations.bytes_moved if operations is not None else None
    return Decimal(str(moved)) if moved is not None else None


def _operations(side: Side) -> Decimal | None:
    return counted_operations(side.arm.operations) if side.arm.operations is not None else None
