"""W0701: a FLOP/s number that does not say what it counts."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.lossy_change import fewer_bits
from ..facts.device.formats import FORMATS, normalised
from ..facts.device.labels import compute_format
from ..facts.device.operations import declared_formats, formats_of, operations_of, recomputes, rule_stated, texts
from ..facts.device.weights import bytes_of
from ..facts.document.told import said
from ..facts.document.words import words_in
from ..facts.quantities.per_second import operations_per_second
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule

ITEM = "precision and counting rule"
ITEM_HEADLINE = "format in the headline"
PROVIDE_HEADLINE = """\
claims:
  speedup:
    statement: "H100 in FP8 is 4.6x as fast as A100 in FP16."
"""
HALF = 0.5
EXA = Decimal(10) ** 18
WIDE = Decimal(4)
"""Bytes of single precision."""
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
    applies="flops or mfu or (speedup and compares=other_system and has(lossy_change))",
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
    - (b) undermines, C3: the words call it exascale or exaflops, the operations are of 16 bits or fewer, and no word
      beside the number names a format.
    - (c) caveat, C3: the same of a number that is only printed in EFLOP/s.
    - not shown: a speed-up over another system in fewer bits than that one's, and the sentence names no format.
      Required (format in the headline) from the reviewer profile on.
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
    if claim.quantity not in {"flops", "mfu"}:
        yield from _format_unnamed(claim, case)
        return
    unlabelled = _unlabelled(claim, case)
    unit = operations_per_second(claim.unit)
    is_flop = unit.word == "flop" if unit is not None else words_in(claim.statement).has("floating_point_operations")
    if unlabelled is not None and is_flop:
        what, at = unlabelled
        name = claim.unit or "FLOP/s"
        yield Violation("a", UNDERMINES, C3, f"a number in {name} counts {what}", at, claimed=name)
        return
    yield from _exascale(claim, case)
    if unlabelled is not None and unit is None:
        yield NotShown(f"the number counts {unlabelled[0]}, and its unit does not say so", claim.at, ITEM, PROVIDE)
    formats = formats_of(claim, case)
    counted = rule_stated(claim, case) or recomputes(claim, case)
    missing = [name for name, known in (("number format", formats), ("counting rule", counted)) if not known]
    if missing:
        yield NotShown(
            f"the {' and the '.join(missing)} of the operations cannot be established", claim.at, ITEM, PROVIDE
        )


def _format_unnamed(claim: Claim, case: Case) -> Iterator[Branch]:
    """Ask a sentence for the format that makes its side the faster one: who reads it alone takes it for the machine."""
    fewer = fewer_bits(case, claim)
    if fewer is None or read(claim.statement).formats():
        yield Inapplicable("no operations are counted, and the formats are equal or named")
        return
    message = f"the gain is of {fewer}, and the sentence names no format"
    yield NotShown(message, claim.place("statement"), ITEM_HEADLINE, PROVIDE_HEADLINE)


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


def _exascale(claim: Claim, case: Case) -> Iterator[Violation]:
    """Yield operations of few bits that are called exascale, which means 64 bits where nothing else is said."""
    side, unit, own = case.subject(claim), operations_per_second(claim.unit), words_in(*texts(claim, case))
    called = words_in(claim.statement, *(item.quote for item in claim.said)).has("exascale")
    large = unit is not None and unit.factor >= EXA
    if side is None or claim.quantity != "flops" or not (called or large) or own.formats():
        return
    narrow = _narrow(side)
    if narrow:
        what = "called exascale" if called else f"printed in {claim.unit}"
        message = f"{what}, the operations are in {narrow}, and no word beside the number says so"
        branch, effect = ("b", UNDERMINES) if called else ("c", CAVEAT)
        yield Violation(branch, effect, C3, message, claim.place("statement"), claim.unit, narrow)


def _narrow(side: Side) -> str:
    """Return the formats of at most 16 bits that most operations of an arm are in; empty where they are in others."""
    operations = side.arm.operations
    shares = (operations.fractions or operations.counters) if operations is not None else {}
    if not shares:
        compute = compute_format(side)
        shares = {compute: 1.0} if compute is not None else {}
    small = {name: share for name, share in shares.items() if share and (bytes_of(name) or WIDE) < WIDE}
    return " and ".join(small) if sum(small.values()) > HALF else ""


def is_integer(name: str) -> bool:
    """Whether a format holds integers or bits."""
    return FORMATS.get(name, (1, 0))[0] == 0 or name.startswith(("int", "uint", "binary"))
