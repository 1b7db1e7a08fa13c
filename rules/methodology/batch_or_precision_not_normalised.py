"""M19: two arms timed at different batches or precisions."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.batch_and_precision import (
    PRECISION,
    Factor,
    apart,
    at_their_best,
    batch_of,
    changed_together,
    matched,
    precision_of,
)
from ..facts.comparison.compared import compared, one_machine
from ..facts.comparison.named_base import open_side
from ..facts.comparison.options import Same
from ..facts.comparison.pairing import other_model
from ..facts.comparison.points import Point
from ..facts.document.words import words_in
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import rule

ITEM = "batch and precision per arm"
CONTENT_OF_A_BATCH = ("samples", "tokens", "batch_size")
PROVIDE = """\
arms:
  plain:
    options: {precision: {compute: bf16}, global_batch: 32}
"""


@rule(
    "M19",
    "batch-or-precision-not-normalised",
    effect=UNDERMINES,
    confidence=C3,
    applies="comparison and quantity in {rate, time, latency, energy}",
    origin="S4, MEAS",
    also=("P08",),
)
def batch_or_precision_not_normalised(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison of speeds at different batches or precisions.

    ## What it does
    Compares batch and compute precision of the two arms. The batch is the global one, however it is made up of micro
    batches and accumulation; where the device counts differ, an equal batch per device does as well. A kernel has no
    batch, and neither has a service that forms its batches itself.

    A difference may be the treatment: named as such, what the effect is attributed to, the quantity of the table, or
    in the sentence ("mixed over TF32" names both precisions; among one's own variants one is enough; "64 instead of 32
    images" both batches). A batch that differs besides is not. Where another system runs another model on another
    machine, its precision is a part of it: a learned forecast in bf16 beside a numerical one in fp32 compares no
    precisions. On one machine both models could have run in either. In inference the batch is the one that passes
    through the model at a time, whatever batch the models were trained with.

    ## Why it misleads
    A larger batch and a narrower format fill the device better, whatever the method. The gain is that of the batch.

    ## Branches
    - (a) undermines, C3: batch or precision differs, is not the treatment, and the document shows no arms that are
      matched in both.
    - (b) caveat, C3: one's own variants differ in precision and, at once, in devices or batch, the claim names no
      treatment, its sentence does not name the base's precision, and no arm of the document lies between the two.
    - pass with a note: the document compares the arms at equal ones, too; or it shows each arm's curve over at least
      three batches, and both are at their best.
    - not shown: batch or precision of an arm is not known. Required (batch and precision per arm) of comparisons from
      the gate profile on.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"plain": {"options": {"global_batch": 8, "micro_batch": 8}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, both arms at batch 32 in bf16.

    ## How to fix
    Match batch and precision, or show the comparison at both settings.

    ## References
    Benchmarking chapter of the deep-learning performance course; measured on published reports.
    """
    subject, bases = compared(claim, case)
    if subject is not None and not bases and _columns_of_formats(claim, case):
        yield Note("the columns of the table name the precisions that are compared, row by row at one batch")
    elif subject is None or not bases:
        at = claim.base.at if claim.base is not None else claim.at
        yield NotShown(open_side("batch and precision are given for neither arm", claim, case), at, ITEM, PROVIDE)
    else:
        # Of several rows that may be the base, the one that speaks for the claim is meant.
        answers = [tuple(_judge(claim, case, subject, base)) for base in bases]
        yield from min(answers, key=_severity)


def _severity(branches: tuple[Branch, ...]) -> int:
    return max(
        (2 if isinstance(item, Violation) else 1 if isinstance(item, NotShown) else 0 for item in branches), default=0
    )


def _columns_of_formats(claim: Claim, case: Case) -> bool:
    """Whether the table of a claim sets columns of several number formats side by side."""
    table = case.table(claim)
    formats = [column.format for column in table.columns.values() if column.quantity == claim.quantity] if table else []
    return len(set(formats) - {None}) >= 2


def _judge(claim: Claim, case: Case, subject: Point, base: Point) -> Iterator[Branch]:
    if subject.at == base.at:
        return
    factors = [factor for factor in (batch_of(claim, case, subject, base), precision_of(subject, base)) if factor]
    sides = (subject.side, base.side)
    if claim.compares == "other_system" and other_model(*sides) and not one_machine(*sides):
        factors = [factor for factor in factors if factor.name != "precision" or factor.same is Same.UNKNOWN]
    different = [item for item in factors if item.same is Same.DIFFERENT and not _treatment(claim, case, item)]
    # Where one precision is the treatment and words such as "mixed" leave it open, nothing is missing.
    unknown = [item for item in factors if item.same is Same.UNKNOWN and not _known_treatment(claim, case, item)]
    if different:
        names = frozenset(item.name for item in different)
        words = " and ".join(f"{item.name} ({item.left} against {item.right})" for item in different)
        arms = (sides[0], sides[1]) if sides[0] is not None and sides[1] is not None else None
        if arms is not None and matched(claim, case, *arms, names):
            yield Note(f"the arms differ in {words}; the document compares them at equal ones, too")
        elif arms is not None and names == {"batch"} and at_their_best(claim, case, arms):
            yield Note(f"the arms differ in {words}: each is at its best batch, and both curves are shown")
        else:
            yield _violation(subject, base, different, words)
    elif words := _together(claim, case, subject, base):
        message = f"the arms differ in {words}: the gain is that of both, and no arm shows the one without the other"
        related = (Related(_place(base), "options of the base"),)
        yield Violation("b", CAVEAT, C3, message, claim.place("value"), claim.value, None, related)
    if unknown:
        words = " and ".join(item.name for item in unknown)
        related = (Related(_place(base), "options of the base"),)
        yield NotShown(f"the {words} of neither arm is known", _place(subject), ITEM, PROVIDE, related)


def _together(claim: Claim, case: Case, subject: Point, base: Point) -> str:
    """Return what two of one's own variants differ in besides their precision, where nothing tells the two apart."""
    sides = (subject.side, base.side)
    if claim.compares != "own_variants" or claim.treatment or claim.attribution is not None or None in sides:
        return ""
    words = changed_together(subject, base)
    other = base.options.get(PRECISION)
    named = other is not None and bool(set(read(str(other)).formats()) & set(read(claim.statement).formats()))
    assert subject.side is not None
    assert base.side is not None
    return "" if not words or named or apart(case, subject.side, base.side) else words


def _violation(subject: Point, base: Point, different: list[Factor], words: str) -> Violation:
    left, right = (", ".join(getattr(item, side) for item in different) for side in ("left", "right"))
    related = (Related(_place(base), "options of the base"),)
    message = f"the arms differ in {words}, which is not what is compared"
    return Violation("a", UNDERMINES, C3, message, _place(subject), left, right, related)


def _place(point: Point) -> str:
    if point.row is not None and point.row.options is not None:
        return point.row.options.at
    return point.side.arm.place("options") if point.side is not None else point.at


def _known_treatment(claim: Claim, case: Case, factor: Factor) -> bool:
    return bool(factor.left and factor.right) and _treatment(claim, case, factor)


def _treatment(claim: Claim, case: Case, factor: Factor) -> bool:
    """Whether a difference in batch or precision is what the claim is about."""
    words, table = read(claim.statement), case.table(claim)
    studied = words_in(*claim.treatment, *(table.varies if table is not None else ()))
    if claim.attribution == factor.name or studied.has(f"treatment.{factor.name}"):
        return True
    if factor.name == "batch":
        told = [words.prints(Decimal(number)) for number in (factor.left, factor.right) if number]
        if all(told) and any(count.of in CONTENT_OF_A_BATCH for count in words.counts()):
            return bool(told)
        return "batch" in words.words() and (all(told) or claim.compares == "own_variants") and any(told)
    named = set(words.formats())
    sides = {factor.left.casefold(), factor.right.casefold()} - {""}
    mixed = "mixed" in named and bool({"bf16", "fp16", "mixed"} & sides)
    both = sides <= named or (mixed and len(named) >= 2)
    return both or (claim.compares == "own_variants" and (bool(sides & named) or mixed))
