"""W0904: a rate that counts padding."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric, TokenCounts
from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.told import said
from ..facts.quantities.given import given
from ..language.printed import Span
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  a:
    performance:
      rate:
        tokens: {real: 812000, padded: 1048576, counted: real}    # or {lengths: packed}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    padded: float = Threshold(0.05, "share of padding", "judgement")


@rule(
    "W0904",
    "padding-counted-as-work",
    effect=UNDERMINES,
    confidence=C3,
    applies="rate and has(tokens)",
    origin="S1.9, J",
    thresholds=Thresholds,
)
def padding_counted_as_work(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Tokens per second of which a part is padding.

    ## What it does
    Compares the tokens of the inputs with the tokens after padding, where the rate counts the latter. Examples of one
    length, or packed to one, hold no padding.

    ## Why it misleads
    Padding is computed and thrown away. Whoever pads more has a higher rate and trains no sooner.

    ## Branches
    - (a) undermines, C3: more than 5 % of the counted tokens are padding, and nothing beside the number says so.
    - not applicable: no token counts stand with the claim's rate.
    - pass with note: padding is counted, and said.
    - not shown: lengths vary, or are not stated, and the counts or which of them the rate counts are not stated; or
      their digits do not tell on which side of 5 % the padding lies.

    ## Flagged
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"performance": {"rate": {"tokens": {"real": 196600, "padded": 262144, "counted": "padded"}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"performance": {"rate": {"tokens": {"lengths": "packed"}}}}}}
    ```

    ## How to fix
    Give the rate of real tokens.

    ## References
    Hoefler, Twelve ways to fool the masses, way 9.
    """
    found = _metric(claim, case)
    tokens = found.tokens if found is not None else None
    if found is None or tokens is None:
        yield Inapplicable("no token counts stand with the rate of this claim")
        return
    share = _padding(tokens)
    if tokens.lengths in {"constant", "packed"} and share is None:
        return
    if share is None or tokens.counted is None:
        message = "how much of the counted tokens is padding is not stated"
        yield NotShown(message, tokens.at, provide=PROVIDE)
    elif tokens.counted == "padded" and share.low > thresholds.padded:
        yield _counted(claim, found, tokens, share)
    elif tokens.counted == "padded" and share.high > thresholds.padded:
        message = f"{100 * share.low:.3g} to {100 * share.high:.3g} % of the counted tokens are padding"
        yield NotShown(f"{message}: the digits do not tell more", tokens.at, provide=PROVIDE)


def _counted(claim: Claim, metric: Metric, tokens: TokenCounts, share: Span) -> Branch:
    percent = f"{100 * share.low:.3g} %"
    if said(claim, "padding"):
        return Note(f"at least {percent} of the counted tokens are padding, as said beside the number")
    related = (Related(metric.at, "the rate that counts them"),)
    message = f"at least {percent} of the counted tokens are padding, and it is not said"
    return Violation("a", UNDERMINES, C3, message, tokens.at, recomputed=f"{percent} padding", related=related)


def _metric(claim: Claim, case: Case) -> Metric | None:
    """Return the metric of the claim; where it names none, the arm's only one with token counts."""
    side = case.subject(claim)
    metric = case.metric(claim.measured)
    if metric is None and side is not None:
        counted = [item for item in side.arm.performance.values() if item.tokens is not None]
        metric = counted[0] if len(counted) == 1 else None
    return metric


def _padding(tokens: TokenCounts) -> Span | None:
    """Return the share of padding, as an interval; None where a count is missing or more is real than padded."""
    if tokens.real is None or tokens.padded is None:
        return None
    real, padded = given(tokens.real), given(tokens.padded)
    if padded.low <= 0 or real.low > padded.high:
        return None
    return Span(1 - real.high / padded.low, 1 - real.low / padded.high)
