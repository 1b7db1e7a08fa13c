"""L09: answers that stop early."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.serving.records import records
from ..facts.training.stated_quality import stated_quality
from ..language.printed import short, span
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

FIXED = frozenset({"fixed_output_length", "ignored_end_of_sequence"})


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    low: float = Threshold(0.9, "share of the reference's length", "rules of the inference benchmark")
    high: float = Threshold(1.1, "share of the reference's length, where it is bounded", "rules of the benchmark")


@rule(
    "L09",
    "output-truncated",
    effect=UNDERMINES,
    confidence=C3,
    applies="inference and (llm or serving or accuracy)",
    origin="ML",
    thresholds=Thresholds,
)
def output_truncated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A quality or a performance of a model whose outputs are shorter than those of the reference.

    ## What it does
    Compares the mean length of the generated outputs with that of the reference model on the same inputs.

    ## Why it misleads
    A model that stops at 60 % of the length writes 40 % fewer tokens per request. Most scores over overlapping words
    barely notice.

    ## Branches
    - (a) undermines, C3: below 90 % of the reference's length, or above 110 % where the benchmark bounds it.
    - (b) undermines, C3: the recorded answers hold fewer than 90 % of the tokens that were asked for, and by the
      options answers have one length, or the end of a sequence is ignored.
    - not applicable: the two lengths are not given.

    ## Flagged
    On `quantised` for claim `quality`:
    ```json
    {"arms": {"int8": {"quality": {"rouge": {"output_length": {"generated": "92.4"}}}}}}
    ```

    ## Accepted
    On `quantised` for claim `quality`, where 110.8 tokens stand beside 111.2.

    ## How to fix
    Fix the stop rules, and honour the end of the sequence.

    ## References
    Length rules of the language models in the MLPerf inference benchmark.
    """
    cut = list(_cut(claim, case, thresholds))
    yield from cut
    found = stated_quality(claim, case)
    length = found.quality.output_length if found is not None else None
    generated = span(length.generated) if length is not None else None
    share = generated / span(length.reference) if length is not None and generated is not None else None
    if length is None or share is None or share.low <= 0:
        if cut:
            return
        yield Inapplicable("the lengths of the outputs and of the reference's are not given")
        return
    low, high = (Decimal(repr(float(limit))) for limit in (thresholds.low, thresholds.high))
    if share.high < low or (length.bounded and share.low > high):
        side, limit = ("shorter than", low) if share.high < low else ("longer than", high)
        message = (
            f"outputs are {length.generated} tokens long, {short((share.low + share.high) / 2 * 100)} % of the "
            f"reference's {length.reference}: {side} {limit:.0%}"
        )
        related = (Related(length.place("reference"), "length of the reference"),)
        at = length.place("generated")
        yield Violation("a", UNDERMINES, C3, message, at, length.reference, length.generated, related)


def _cut(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield that recorded answers are shorter than they were asked to be, where nothing may end them."""
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    if side is None or options is None or not FIXED & set(options.neutralised):
        return
    told = [record.asked for record in records(case, side) if record.asked is not None]
    asked, came = sum(one for one, _ in told), sum(other for _, other in told)
    if asked > 0 and came / asked < thresholds.low:
        message = f"the recorded answers hold {came:,.0f} of {asked:,.0f} tokens asked for ({came / asked:.0%})"
        yield Violation("b", UNDERMINES, C3, message, side.arm.place("trials"), f"{asked:,.0f}", f"{came:,.0f}")
