"""W0702: mixed precision without the share of each format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from msgspec import Struct

from ...schemas.operations import Operations
from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.formats import known, normalised
from ..facts.device.operations import MIXED, formats_in, formats_of, operations_of
from ..language.printed import short
from ..outcome import C3, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

ITEM = "precision fractions"
MERGED = {"e4m3": "fp8", "e5m2": "fp8"}
PROVIDE = """\
arms:
  a:
    operations:
      fractions: {bf16: 0.98, fp32: 0.02}     # share of the operations, not of the time
      counters: {bf16: 0.98, fp32: 0.02}      # the same as hardware counters saw it
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    sum: float = Threshold(0.01, "deviation of the sum from 1", "judgement: rounding")
    counter: float = Threshold(0.05, "difference of one share from the counters", "judgement")


@rule(
    "W0702",
    "precision-fractions-missing",
    effect=UNDERMINES,
    confidence=C3,
    applies="flops or mfu",
    origin="S1.7",
    thresholds=Thresholds,
)
def precision_fractions_missing(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Mixed precision without the share of the operations that each number format did.

    ## What it does
    Adds the stated shares of the formats, and compares each with the share that hardware counters saw. Rounding of
    several shares widens the tolerance of their sum. The part of the work that the counters do not attribute may be of
    any format, and widens each share upwards. A format that only sums products is no compute format.

    ## Why it misleads
    A petaflop per second "in mixed precision" can be nearly all 8-bit work. Only the shares say what was computed, and
    against which peak it stands.

    ## Branches
    - (a) undermines, C3: the shares do not add up to 1 within 0.01, or one differs from the counters by more than 0.05.
    - not shown: more than one compute format, "mixed", or none is stated, or the sentence says "mixed precision" beside
      a stated format, without shares. Required (precision
      fractions) from the reviewer profile on.

    ## Flagged
    On `training-flops` for claim `flops`:
    ```json
    {"arms": {"a": {"operations": {"counters": {"bf16": 0.7, "fp32": 0.3}}}}}
    ```

    ## Accepted
    On `training-flops` for claim `flops`, whose shares add up and agree with the counters.

    ## How to fix
    Give operation-weighted fractions per number format.

    ## References
    Hoefler, Twelve ways to fool the masses, way 7.
    """
    operations, formats = operations_of(claim, case), formats_of(claim, case)
    if operations is not None and operations.fractions:
        yield from _stated(operations, thresholds)
    elif operations is not None and operations.counters:
        yield Note("the shares are those that the counters saw")
    elif len(formats) == 1 and formats[0] != MIXED and known(formats[0]) and not _called_mixed(claim):
        return
    elif formats:
        named = dict.fromkeys((*formats, MIXED)) if _called_mixed(claim) else formats
        message = f"operations in {' and '.join(named)}, without the share of each"
        yield NotShown(message, claim.at, ITEM, PROVIDE)
    else:
        yield NotShown("in which number formats the operations were done is not stated", claim.at, ITEM, PROVIDE)


def _called_mixed(claim: Claim) -> bool:
    """Whether the sentence calls its operations mixed precision, whatever the options name."""
    return MIXED in formats_in(claim.statement)


def _stated(operations: Operations, thresholds: Thresholds) -> Iterator[Branch]:
    shares = [Decimal(repr(share)) for share in operations.fractions.values()]
    total, at = sum(shares, Decimal(0)), operations.place("fractions")
    if abs(total - 1) > max(Decimal(str(thresholds.sum)), sum((_rounding(share) for share in shares), Decimal(0))):
        message = f"the shares of the number formats add up to {short(total)}, not to 1"
        yield Violation("a", UNDERMINES, C3, message, at, short(total), "1")
    if not operations.counters:
        return
    stated, seen = _comparable(operations.fractions, operations.counters)
    covered = operations.counter_coverage if operations.counter_coverage is not None else 1
    # Shares that add up to more than the counters cover are shares of what they attribute, not of the whole work.
    of_whole = covered if sum(seen.values()) > (1 + covered) / 2 else 1
    for name in sorted(stated.keys() & seen.keys()):
        least = seen[name] * of_whole
        distance = max(least - stated[name], stated[name] - least - (1 - covered))
        if distance > thresholds.counter + 1e-9:
            message = f"{stated[name]:g} of the operations are said to be in {name}, the counters saw {seen[name]:g}"
            related = (Related(operations.place("counters"), "shares of the counters"),)
            yield Violation("a", UNDERMINES, C3, message, at, f"{stated[name]:g}", f"{seen[name]:g}", related)


def _rounding(share: Decimal) -> Decimal:
    """Half a unit in the last of at least two decimals: 0.5 may have been printed as 0.50."""
    exponent = share.as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(1).scaleb(min(exponent, -2)) / 2


def _comparable(stated: Mapping[str, float], seen: Mapping[str, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Return both sides under one naming: the 8-bit formats together where either side does not tell them apart.

    A format that one side does not name counts as 0 there, unless a side uses a name that is no format: that may be it.
    """
    merge = "fp8" in {normalised(name) for name in (*stated, *seen)}
    left, right = _named(stated, merge), _named(seen, merge)
    if all(known(name) or name == "fp8" for name in (*left, *right)):
        for name in left.keys() | right.keys():
            left.setdefault(name, 0.0)
            right.setdefault(name, 0.0)
    return left, right


def _named(shares: Mapping[str, float], merge: bool) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, share in shares.items():
        plain = normalised(name)
        plain = MERGED.get(plain, plain) if merge else plain
        found[plain] = found.get(plain, 0.0) + share
    return found
