"""W1201: better, in the one respect that is shown."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.options import Same, compare
from ..facts.comparison.parties import PERFORMANCE, Party, others, performance, subject
from ..fields import field_of
from ..language.reading import read
from ..outcome import Branch, Inapplicable, Note, NotShown
from ..registry import rule
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

PROVIDE_BESIDE = """\
arms:
  theirs:
    performance:
      ttft: {quantity: latency, value: "0.214", unit: s, statistic: percentile}
"""


@rule(
    "W1201",
    "one-sided-comparison",
    applies="comparison and compares=other_system",
    origin="S1.12, MEAS",
)
def one_sided_comparison(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison of methods that shows speed or quality, but not both of both.

    ## What it does
    Looks for four values: quality and performance of the subject, and quality and performance of the other side. They
    may stand in arms, in a table's rows, or with the comparator. Where both sides trained under the same statistics, or
    ran the same weights in the same formats, quality is the same by construction. Of every comparison with another
    system, of hardware too, it asks that what the sentence prints of the subject besides (a latency, an energy, a
    quality) is given of the other side somewhere in the document.

    ## Why it misleads
    Any system can be made faster by giving up quality, and better by giving up speed. One of the two alone says nothing
    about which one to use.

    ## Branches
    - pass with note: both sides share the options that decide quality.
    - not applicable: hardware is compared, or the timings of a kernel or library (and the sentence prints nothing else
      of the subject alone); or the claim is neither a superlative nor one about a method.
    - not shown: the sentence prints a further number of the subject, and the document holds no such number of the other
      side.
    - not shown: one of the four values is missing. Required (quality and performance of both sides) of superlatives
      about other systems from the reviewer profile on.

    ## Flagged
    On `comparison` for claim `best`:
    ```json
    {"arms": {"theirs": {"quality": null, "options": {"optimizer": "SGD"}}},
     "claims": {"best": {"comparator": {"quality": null}}},
     "tables": {"systems": {"columns": {"loss": null}, "rows": {"ours": {"values": {"loss": null}},
                                                                "theirs": {"values": {"loss": null}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, which gives both values of both systems.

    ## How to fix
    Give quality and performance for both.

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    this, opposite = subject(claim, case), others(claim, case)
    alone = [name for other in opposite for name in _printed_alone(claim, case, this, other)]
    if alone:
        message = f"{' and '.join(dict.fromkeys(alone))} of the subject is printed, and not given of the other side"
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
