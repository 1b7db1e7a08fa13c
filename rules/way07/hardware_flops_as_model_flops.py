"""W0704: operations done twice count twice."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.flop_counts import RECOMPUTING, count_of, kind_of
from ..facts.device.operations import claimed_flops, operations_of, own_texts, texts
from ..facts.device.peaks import dense_peak
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.per_second import operations_per_second
from ..language.printed import INFINITY, span
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  a:
    options: {activation_checkpointing: true}
    operations: {counted: model, method: "6N + 12Lds per token, recomputation not counted"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    mfu: float = Threshold(0.5, "share of the peak", "judgement: few trainings reach more without recomputation")


@rule(
    "W0704",
    "hardware-flops-as-model-flops",
    effect=UNDERMINES,
    confidence=C3,
    applies="mfu or flops",
    origin="S1.7, ML",
    thresholds=Thresholds,
)
def hardware_flops_as_model_flops(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Activations are computed again in the backward pass, and that work counts as useful.

    ## What it does
    Compares what the words call the number (model FLOPs utilisation, operations of the model) with what was counted:
    the declared count, or a formula of 8 operations per parameter and token, where 6 are the model's. Only where
    activations are recomputed do the two differ.

    ## Why it misleads
    Recomputation saves memory and trains nothing. Counted as work it adds up to a third to the utilisation.

    ## Branches
    - (a) undermines, C3: the number is called one of model operations, and recomputed ones are counted: activations are
      recomputed and all executed operations count, or the formula holds a second forward pass.
    - not applicable: kernels, and everything that does not train.
    - not shown: activations are recomputed, or the utilisation is above 0.5, and whether recomputed operations are
      counted is not stated.

    ## Flagged
    On `training-flops` for claim `mfu`:
    ```json
    {"claims": {"mfu": {"statement": "That is 61.0 % MFU.", "value": "61.0"}},
     "arms": {"a": {"options": {"activation_checkpointing": true},
                    "operations": {"counted": null, "method": "8N per token, N = 1.3e9"}}}}
    ```

    ## Accepted
    On `training-flops` for claim `mfu`, which counts the operations of the model.

    ## How to fix
    Count the operations of the model, and give the hardware's utilisation apart.

    ## References
    Hoefler, Twelve ways to fool the masses, way 7. Chowdhery et al., PaLM (2022), appendix B.
    """
    if claim.mode != "training" or claim.scope in {"kernel", "collective", "layer"}:
        yield Inapplicable("only trainings recompute activations")
        return
    operations, side = operations_of(claim, case), case.subject(claim)
    words = " ".join([*texts(claim, case), *_columns(claim, case)])
    own = " ".join([*own_texts(claim, case), *_columns(claim, case)])
    recomputed, method = _recomputed(side), operations.method if operations is not None else None
    counted = operations.counted if operations is not None else None
    factor = count_of(method or words).factor
    called_model = "model" in {kind_of(words), kind_of(own)} or counted == "model"
    again = factor == RECOMPUTING and recomputed is not False
    if called_model and operations is not None and (again or (counted == "hardware" and recomputed)):
        what = "all executed operations" if counted == "hardware" else f"{RECOMPUTING} N per token"
        message = f"called a number of model operations, it counts {what}, recomputed activations included"
        options = side.arm.place("options", "activation_checkpointing") if side is not None else claim.at
        at = operations.place("counted" if counted == "hardware" else "method")
        related = (Related(options, "whether activations are recomputed"),)
        yield Violation("a", UNDERMINES, C3, message, at, claim.value, related=related)
        return
    at = claim.at if side is None else side.arm.at
    if called_model and counted == "hardware" and recomputed is None:
        message = "called a number of model operations, it counts all executed ones; whether that differs is not stated"
        yield NotShown(message, at, provide=PROVIDE)
        return
    labelled = counted is not None or factor is not None or kind_of(words.replace("MFU", "")) is not None
    if labelled:
        return
    if recomputed:
        yield NotShown("activations are recomputed; whether that work is counted is not stated", at, provide=PROVIDE)
    elif recomputed is None and _above(claim, case, side, Decimal(str(thresholds.mfu))):
        message = f"a utilisation above {thresholds.mfu:g}; whether recomputed operations are counted is not stated"
        yield NotShown(message, at, provide=PROVIDE)


def _columns(claim: Claim, case: Case) -> list[str]:
    """Return the names of the columns that may hold the claim's number."""
    table = case.table(claim)
    columns = table.columns if table is not None else {}
    return [key.replace("_", " ").upper() for key, column in columns.items() if column.quantity == claim.quantity]


def _recomputed(side: Side | None) -> bool | None:
    if side is None:
        return None
    found = [options.recomputes for options in (side.arm.observed, side.arm.options) if options]
    return next((value for value in found if value is not None), None)


def _above(claim: Claim, case: Case, side: Side | None, share: Decimal) -> bool:
    """Whether a utilisation, stated or implied by FLOP/s and the declared peak, is surely above a share."""
    if claim.quantity == "mfu" and claim.form == "absolute" and claim.value is not None:
        value = span(claim.value, claim.qualifier, claim.digits).low
        return value > -INFINITY and value / (100 if claim.unit in PERCENT else 1) > share
    rate, peak, unit = claimed_flops(claim, case), dense_peak(claim, case), operations_per_second(claim.unit)
    if rate is None or peak is None or unit is None or side is None or side.devices is None or claim.form != "absolute":
        return False
    return rate.low > share * peak * (1 if unit.per_device else side.devices)
