"""F19: a perplexity, or bits per byte, that its loss does not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Quality
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import likely_cause
from ..language.printed import Span, span
from ..language.reading import read
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule

LARGEST = Decimal(700)
"""The perplexity of a larger loss is no number that anyone prints."""
LN_2, LN_10 = Decimal(2).ln(), Decimal(10).ln()
BASES = {"e": Decimal(1), "2": LN_2, "10": LN_10}


class Derived(Struct, frozen=True):
    """A stated number beside what the loss gives for it."""

    name: str
    printed: str
    expected: Span


@rule(
    "F19",
    "perplexity-contradicts-loss",
    effect=REFUTES,
    confidence=C3,
    applies="has(loss)",
    origin="J",
)
def perplexity_contradicts_loss(claim: Claim, case: Case) -> Iterator[Branch]:
    """A perplexity that is not the exponential of the loss beside it, or bits per byte that do not follow from it.

    ## What it does
    Raises the stated base to the loss, as the interval that its digits allow, and compares the result with the
    perplexity of the same unit; for bits per byte it divides the loss in bits by the bytes per token.

    ## Why it misleads
    The two are one measurement. If they disagree, one is of another checkpoint, another set or another tokenizer.

    ## Branches
    - (a) refutes, C3: the perplexity, or the bits per byte, lies outside what the loss gives; a caveat where it is off
      by at most 1 %, which a mean over runs explains.
    - not applicable: the base of the loss, or what it is divided by, is not stated; the perplexity is of another unit;
      an average was formed over documents or batches.

    ## Flagged
    On `accuracy` for claim `accuracy`:
    ```json
    {"claims": {"accuracy": {"metric": "loss", "value": "3.22", "unit": null, "interval": null,
       "statement": "The test loss is 3.22 nats per token."}},
     "arms": {"trained": {"quality": {"accuracy": {"metric": "loss", "value": "3.22", "unit": null, "seeds": null,
       "interval": null, "averaging": null, "counted": false, "loss": "3.22", "loss_base": "e", "loss_per": "token",
       "perplexity": "23.5"}}}}}
    ```

    ## Accepted
    On `accuracy` for claim `accuracy`:
    ```json
    {"claims": {"accuracy": {"metric": "loss", "value": "3.22", "unit": null, "interval": null,
       "statement": "The test loss is 3.22 nats per token."}},
     "arms": {"trained": {"quality": {"accuracy": {"metric": "loss", "value": "3.22", "unit": null, "seeds": null,
       "interval": null, "averaging": null, "counted": false, "loss": "3.22", "loss_base": "e", "loss_per": "token",
       "perplexity": "25.0"}}}}}
    ```

    ## How to fix
    Compute both from one evaluation, and say in which base and per what the loss is.

    ## References
    Definition: perplexity is the exponential of the mean negative log likelihood per unit.
    """
    for quality in _qualities(claim, case):
        yield from _judged(quality)


def _qualities(claim: Claim, case: Case) -> tuple[Quality, ...]:
    """Return the claim's quality, and of a claim about speed every quality of its arm that states a loss."""
    own, side = case.quality(claim.quality), case.subject(claim)
    others = side.arm.quality.values() if side is not None and claim.quantity != "accuracy" else ()
    named = (own,) if own is not None and own.loss is not None else ()
    return (*named, *(quality for quality in others if quality is not own and quality.loss is not None))


def _judged(quality: Quality) -> Iterator[Branch]:
    nats = _nats(quality)
    if nats is None:
        yield Inapplicable("base or unit of the loss is not stated, or parts were averaged")
        return
    found = [item for item in (_perplexity(quality, nats), _bits(quality, nats)) if item is not None]
    if not found or len(found) < sum(text is not None for text in (quality.perplexity, quality.bits_per_byte)):
        yield Inapplicable("the perplexity is of another unit than the loss, or the bytes per token are not stated")
    for item in found:
        stated = span(item.printed)
        if not stated.meets(item.expected):
            cause = likely_cause(stated, item.expected)
            words = item.name.replace("_", " ")
            message = f"a loss of {quality.loss} makes {words} {item.expected}; {item.printed} is stated{cause}"
            at, related = quality.place(item.name), (Related(quality.place("loss"), "loss"),)
            effect = weighed(REFUTES, gap(stated, item.expected))
            yield Violation("a", effect, C3, message, at, item.printed, str(item.expected), related)


def _nats(quality: Quality) -> Span | None:
    """Return the loss in nats, or None where its base is not stated or parts were averaged."""
    averaged = quality.averaging is not None and read(quality.averaging).has("averaged_parts")
    if quality.loss is None or quality.loss_base is None or quality.loss_per is None or averaged:
        return None
    nats = span(quality.loss).times(BASES[quality.loss_base])
    return nats if nats.low > -LARGEST and nats.high < LARGEST else None


def _perplexity(quality: Quality, nats: Span) -> Derived | None:
    if quality.perplexity is None or quality.perplexity_per not in {None, quality.loss_per}:
        return None
    return Derived("perplexity", quality.perplexity, Span(nats.low.exp(), nats.high.exp()))


def _bits(quality: Quality, nats: Span) -> Derived | None:
    if quality.bits_per_byte is None:
        return None
    size = Span(Decimal(1), Decimal(1)) if quality.loss_per == "byte" else None
    if quality.loss_per == "token" and quality.bytes_per_token is not None:
        size = given(quality.bytes_per_token)
    bits = Span(nats.low / LN_2, nats.high / LN_2) / size if size is not None else None
    return Derived("bits_per_byte", quality.bits_per_byte, bits) if bits is not None else None
