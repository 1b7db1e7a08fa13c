"""W0701: a FLOP/s number that does not say what it counts."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.formats import FORMATS, normalised
from ..facts.device.operations import declared_formats, formats_of, operations_of, recomputes, rule_stated, texts
from ..facts.document.told import said
from ..facts.document.words import words_in
from ..facts.quantities.per_second import operations_per_second
from ..outcome import C3, UNDERMINES, Branch, NotShown, Violation
from ..registry import rule

ITEM = "precision and counting rule"
HALF = 0.5
ROUNDING = 0.01
PROVIDE = """\
arms:
  a:
    options: {precision: {compute: bf16, accumulate: fp32}}
    operations:
      counted: model
      method: "6 N per token, FMA = 2"
      fractions: {bf16: 0.98, fp32: 0.02}
"""


@rule(
    "W0701",
    "ops-undefined",
    effect=UNDERMINES,
    confidence=C3,
    applies="flops or mfu",
    origin="S1.7, MEAS",
)
def ops_undefined(claim: Claim, case: Case) -> Iterator[Branch]:
    """Operations per second of unknown operations.

    ## What it does
    Looks for the number format and for the rule by which operations were counted: in the options, the column, the
    caption, the sentence; as a formula; or as sizes with a time, or operations per sample with a sample rate, that give
    the number again within 1 %.

    ## Why it misleads
    "Floating-point operations" of 4 bits are not those of 64 bits, a multiply-add can be one operation or two, and
    integer or emulated arithmetic is no floating-point arithmetic at all.

    ## Branches
    - (a) undermines, C3: a number in FLOP/s, or one that the sentence calls so, counts integer, bit or emulated
      operations, and no word beside it says so.
    - not shown: the number format or the counting rule cannot be established. Required (precision and counting rule)
      from the reviewer profile on.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"options": {"precision": {"compute": "int8"}},
                    "operations": {"fractions": {"bf16": null, "int8": 0.992},
                                   "counters": {"bf16": null, "int8": 0.99}}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`, which names BF16 and the formula.

    ## How to fix
    State the precision and the counting rule (a fused multiply-add is two operations).

    ## References
    Hoefler, Twelve ways to fool the masses, way 7.
    """
    unlabelled = _unlabelled(claim, case)
    unit = operations_per_second(claim.unit)
    is_flop = unit.word == "flop" if unit is not None else words_in(claim.statement).has("floating_point_operations")
    if unlabelled is not None and is_flop:
        what, at = unlabelled
        name = claim.unit or "FLOP/s"
        yield Violation("a", UNDERMINES, C3, f"a number in {name} counts {what}", at, claimed=name)
        return
    if unlabelled is not None and unit is None:
        yield NotShown(f"the number counts {unlabelled[0]}, and its unit does not say so", claim.at, ITEM, PROVIDE)
    formats = formats_of(claim, case)
    counted = rule_stated(claim, case) or recomputes(claim, case)
    missing = [name for name, known in (("number format", formats), ("counting rule", counted)) if not known]
    if missing:
        yield NotShown(
            f"the {' and the '.join(missing)} of the operations cannot be established", claim.at, ITEM, PROVIDE
        )


def _unlabelled(claim: Claim, case: Case) -> tuple[str, str] | None:
    """Return what else than floating-point operations a number counts, unsaid, and where that stands."""
    operations, words = operations_of(claim, case), words_in(*texts(claim, case))
    if claim.quantity != "flops" or words.has("integer_operations") or any(map(is_integer, words.formats())):
        return None
    if operations is not None and operations.emulation is not None:
        if said(claim, "emulation") or words.has("emulated"):
            return None
        return f"emulated operations ({operations.emulation.scheme})", operations.at
    fractions = operations.fractions if operations is not None else {}
    integers = [name for name in fractions if is_integer(normalised(name))]
    if operations is not None and sum(fractions[name] for name in integers) > HALF:
        return f"operations on {', '.join(integers)}", operations.place("fractions")
    if abs(sum(fractions.values()) - 1) <= ROUNDING:
        return None
    formats = declared_formats(claim, case)
    if formats and all(is_integer(name) for name in formats):
        return f"operations on {', '.join(formats)}", claim.place("unit")
    return None


def is_integer(name: str) -> bool:
    """Whether a format holds integers or bits."""
    return FORMATS.get(name, (1, 0))[0] == 0 or name.startswith(("int", "uint", "binary"))
