"""W1201: better, in the one respect that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.cases import cases, is_general, lesser
from ..facts.comparison.options import Same, compare
from ..facts.comparison.parties import PERFORMANCE, Party, others, performance, subject
from ..fields import field_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..tables.names import plain
from ..words import best, kernel

METHODS = frozenset({"method_speedup", "time_to_accuracy"})
MEANT = 2
"""Digits that a number needs to be found again in a sentence."""
ITEM = "quality and performance of both sides"
PROVIDE = """\
claims:
  speedup:
    quality: {arm: ours, quality: loss}
    comparator: {name: "FastLM 2.1", performance: "9100", quality: "3.22"}
"""

ITEM_OWN = "values behind a gain"
FACTORS = frozenset({"x", "%", "times", "ratio"})
PROVIDE_OWN = """\
arms:
  ours: {performance: {rate: {quantity: rate, value: "1240", unit: tokens/s}}}
  plain: {performance: {rate: {quantity: rate, value: "810", unit: tokens/s}}}
"""
PROVIDE_BESIDE = """\
arms:
  theirs:
    performance:
      ttft: {quantity: latency, value: "0.214", unit: s, statistic: percentile}
"""


ITEM_SIZES = "other sizes of the kernel"
PROVIDE_SIZES = """\
arms:
  ours-1024: {options: {input_shape: [1024, 1024]}, performance: {rate: {quantity: rate, value: "212", unit: ops/s}}}
  theirs-1024: {options: {input_shape: [1024, 1024]}, performance: {rate: {quantity: rate, value: "180", unit: ops/s}}}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    factor: float = Threshold(1.2, "claimed over shown gain", "judgement: a reader would call it another number")


@rule(
    "W1201",
    "one-sided-comparison",
    effect=CAVEAT,
    confidence=C3,
    applies="comparison and (compares=other_system or (speedup and purpose=method_speedup))",
    origin="S1.12, MEAS",
    thresholds=Thresholds,
)
def one_sided_comparison(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A comparison of methods that shows speed or quality, but not both of both.

    ## What it does
    Looks for four values: quality and performance of the subject, and quality and performance of the other side. They
    may stand in arms, in a table's rows, or with the comparator. Where both sides trained under the same statistics, or
    ran the same weights in the same formats, quality is the same by construction. Of every comparison with another
    system, of hardware too, it asks that what the sentence prints of the subject besides (a latency, an energy, a
    quality) is given of the other side somewhere in the document.

    Of a factor that is said in general it works out the gain in every case that the document shows: the numbers that
    both sides state, the columns of their rows, and other pairs of arms that differ as the two sides do. A sentence
    that names the case, or says "up to", is about the case alone.

    ## Why it misleads
    Any system can be made faster by giving up quality, and better by giving up speed. One of the two alone says nothing
    about which one to use.

    ## Branches
    - (a) caveat, C3: a factor without a condition, of which another case of the document shows clearly less (by 1.2
      times at least); or "up to" a factor that names no numbers, and the best case of the document shows clearly less.
    - not shown: the same factor of a kernel, measured at one size that the sentence does not name, in a document
      without a table or a figure that may hold others. Required (other
      sizes of the kernel) from the reviewer profile on.
    - pass with note: both sides share the options that decide quality.
    - not applicable: hardware is compared, or the timings of a kernel or library (and the sentence prints nothing else
      of the subject alone); or the claim is neither a superlative nor one about a method.
    - not shown: the sentence prints a further number of the subject, and the document holds no such number of the other
      side.
    - not shown: a speed-up by a method over one's own variants in a document that states no number of either side and
      compares with no other system. Required (values behind a gain) from the reviewer profile on.
    - not shown: a factor without a condition, of which the document shows no other case.
    - not shown: one of the four values is missing. Required (quality and performance of both sides) of superlatives
      about other systems from the reviewer profile on.

    ## Flagged
    On `comparison` for claim `speedup`, twice as fast on the accelerator and 1.2 times on the processor:
    ```json
    {"claims": {"speedup": {"statement": "FastLM is twice as fast as OtherLM.", "value": "2.0", "quantity": "time",
                            "interval": null, "measured": {"metric": null}, "base": {"metric": null, "value": null}}},
     "arms": {"ours": {"performance": {"time-cpu": {"quantity": "time", "value": "0.41", "unit": "s"},
                                       "time-gpu": {"quantity": "time", "value": "0.0040", "unit": "s"}}},
              "theirs": {"performance": {"time-cpu": {"quantity": "time", "value": "0.49", "unit": "s"},
                                         "time-gpu": {"quantity": "time", "value": "0.0080", "unit": "s"}}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, which gives both values of both systems.

    ## How to fix
    Give quality and performance for both.

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    this, opposite = subject(claim, case), others(claim, case)
    yield from _in_other_cases(claim, case, thresholds.factor)
    if claim.compares != "other_system":
        yield from _over_oneself(claim, case, (this, *opposite))
        return
    alone = [name for other in opposite for name in _printed_alone(claim, case, this, other)]
    if alone:
        message = f"{' and '.join(dict.fromkeys(alone))} of the subject is printed, but not that of the other side"
        yield NotShown(message, claim.place("statement"), "", PROVIDE_BESIDE)
    purpose = field_of("purpose", claim, case)
    of_machine = purpose in {"hardware_throughput", "kernel_benchmark"}
    if of_machine or kernel(claim, case) or _hardware(claim, this, opposite):
        yield Inapplicable("hardware or a library's timings are compared")
        return
    if not (best(claim, case) or claim.form == "words" or purpose in METHODS):
        yield Inapplicable("neither a superlative nor a claim about a method")
        return
    if not opposite:
        yield NotShown("neither quality nor performance of the other side is given", claim.at, ITEM, PROVIDE)
    for other in opposite:
        missing = _missing(claim, case, this, other)
        if not missing:
            continue
        if "performance" not in missing and _same_quality(claim, this, other):
            yield Note("both sides share the options that decide quality; whether outputs agree is another question")
        else:
            yield NotShown(f"{missing} not given", other.at, ITEM, PROVIDE)
    if is_general(claim) and (claim.unit is None or not cases(case, claim)):
        yield NotShown("a factor in general: what it is in other cases cannot be worked out", claim.at)


def _in_other_cases(claim: Claim, case: Case, factor: float) -> Iterator[Branch]:
    """Judge a general factor by what is gained in the other cases of the document, or ask for such cases."""
    less = lesser(case, claim, factor)
    if less is not None:
        general = claim.qualifier != "up_to"
        said = (
            f"{claim.value}x is said without a condition, and"
            if general
            else f"up to {claim.value}x is said, and at best"
        )
        message = f"{said} {less.name} gives {less.gain}"
        related = (Related(less.at, "a case that gains less"),)
        yield Violation("a", CAVEAT, C3, message, claim.at, claim.value, str(less.gain), related)
    elif kernel(claim, case) and _at_one_size(claim, case):
        message = "a factor in general over one size of the kernel: what others gain is not stated"
        yield NotShown(message, claim.at, ITEM_SIZES, PROVIDE_SIZES)


def _at_one_size(claim: Claim, case: Case) -> bool:
    """Whether a kernel's factor stands on one pair of numbers, and its sentence names neither a size nor an end."""
    side, base = case.subject(claim), case.base(claim)
    if claim.form != "ratio" or claim.qualifier == "up_to" or claim.range is not None or claim.row is not None:
        return False
    if side is None or base is None or side.id == base.id or cases(case, claim):
        return False
    if case.submission.figures or any(len(table.rows) > 1 for table in case.submission.tables.values()):
        return False
    sized = side.arm.operations is not None and bool(side.arm.operations.dimensions)
    options = side.arm.options
    sized = sized or (options is not None and bool(options.input_shape or options.input_length))
    return sized and len(read(claim.statement).numbers()) <= 1


def _over_oneself(claim: Claim, case: Case, parties: tuple[Party, ...]) -> Iterator[Branch]:
    """Ask for what is behind a factor that is all there is to see: a number of either side, or somebody else's."""
    beside = any(other.compares == "other_system" for other in case.submission.claims.values())
    values = [performance(party, claim, case) for party in parties]
    if beside or any(value is not None and value[1] not in FACTORS for value in values):
        yield Inapplicable("one's own variants are compared, and their numbers or another system's are stated")
        return
    message = "a gain over one's own variants is all that is stated: no number of either side, and no other system"
    yield NotShown(message, claim.at, ITEM_OWN, PROVIDE_OWN)


def _hardware(claim: Claim, this: Party, opposite: tuple[Party, ...]) -> bool:
    """Whether whole systems are compared: by attribution, and not two programs on one model of device."""
    on_one = bool(opposite) and all(
        this.device is not None and other.device is not None and plain(this.device) == plain(other.device)
        for other in opposite
    )
    return claim.attribution == "system" and not on_one


def _printed_alone(claim: Claim, case: Case, this: Party, other: Party) -> Iterator[str]:
    """Yield what the sentence prints of the subject besides the compared number, and the other side does not have."""
    if this.side is None or other.side is None or claim.form not in {"ratio", "rank", "words", "efficiency"}:
        return
    theirs = other.side.arm.performance.values()
    kinds = {(metric.quantity, metric.unit) for metric in theirs if metric.value is not None}
    numbers = case.metric(claim.measured), case.metric(claim.base)
    compared = {claim.quantity, *(metric.quantity for metric in numbers if metric is not None)}
    for name, metric in this.side.arm.performance.items():
        told = metric.quantity in compared or (metric.quantity, metric.unit) in kinds
        if not told and _prints(claim, metric.value) and not _in_row(claim, case, other, metric.quantity):
            yield name
    if claim.quantity == "accuracy" or _same_quality(claim, this, other) or _has_quality(claim, case, other, own=False):
        return
    for quality in this.side.arm.quality.values():
        if _prints(claim, quality.value):
            yield quality.metric


def _prints(claim: Claim, value: str | None) -> bool:
    """Whether a sentence prints a number of at least two digits, as it stands in the document or in percent."""
    if value is None or len(value.replace(".", "").strip("0")) < MEANT:
        return False
    return read(claim.statement).prints(Decimal(value), Decimal(value) * 100)


def _in_row(claim: Claim, case: Case, party: Party, quantity: str) -> bool:
    """Whether a side's row holds a number of a quantity."""
    table, row = case.table(claim), party.row
    if table is None or row is None:
        return False
    return any(column.quantity == quantity and key in row.values for key, column in table.columns.items())


def _missing(claim: Claim, case: Case, this: Party, other: Party) -> str:
    known = {
        "performance of the subject": performance(this, claim, case) is not None or _is_performance(claim),
        "quality of the subject": _has_quality(claim, case, this, own=True),
        "performance of the other side": performance(other, claim, case) is not None,
        "quality of the other side": _has_quality(claim, case, other, own=False),
    }
    missing = [name for name, there in known.items() if not there]
    return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'}" if missing else ""


def _is_performance(claim: Claim) -> bool:
    return claim.quantity in PERFORMANCE and claim.form == "absolute" and claim.value is not None


def _has_quality(claim: Claim, case: Case, party: Party, own: bool) -> bool:
    if own and claim.quantity == "accuracy" and claim.form == "absolute" and claim.value is not None:
        return True
    quality = case.quality(claim.quality) if own else None
    if quality is not None and quality.value is not None:
        return True
    if party.side is not None and any(quality.value is not None for quality in party.side.arm.quality.values()):
        return True
    stated = party.comparator is not None and party.comparator.quality is not None
    return stated or _in_row(claim, case, party, "accuracy")


def _same_quality(claim: Claim, this: Party, other: Party) -> bool:
    """Whether both sides train under the same statistics, or infer with the same weights in the same formats."""
    if this.side is None or other.side is None:
        return False
    ours, theirs = this.side.arm, other.side.arm
    found = compare(ours.options, theirs.options, (ours.option_set, theirs.option_set))
    if found.stat() is Same.EQUAL:
        return True
    return claim.mode == "inference" and "weights" in found.equal and found.within("HARD") is Same.EQUAL
