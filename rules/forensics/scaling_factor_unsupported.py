"""F53: a correction factor that nothing supports."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Factor
from ..case import Case
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.performance import more_is_better
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
claims:
  time:
    factor: {value: "1.024", numerator: "43.0", denominator: "42.0"}   # what it is the quotient of
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    tolerance: float = Threshold(1e-6, "difference from the quotient", "arithmetic: what double precision keeps")


@rule(
    "F53",
    "scaling-factor-unsupported",
    effect=REFUTES,
    confidence=C3,
    applies="has(factor)",
    origin="MEAS, ML",
    thresholds=Thresholds,
)
def scaling_factor_unsupported(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A factor on a score that improves it, is not the quotient it stands for, or corrects to no reference.

    ## What it does
    Suites scale the score of a run that converges faster than the reference to the work of the reference: a time
    becomes longer, a rate smaller. Compares the direction of the factor with that, and its value with the quotient of
    its two inputs.

    ## Why it misleads
    A corrected score is not what was measured. A factor that nobody can recompute is a free choice.

    ## Branches
    - (a) refutes, C3: the factor improves the score; or differs from the quotient of its inputs by more than 1e-6 and
      their digits; or stands where no reference exists. A caveat where it is off by at most 1 % and the score keeps its
      printed digits.
    - not shown: the two inputs of the quotient are not given; the uncorrected score is printed.
    - pass: the factor is 1.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"factor": {"value": "0.96", "numerator": "0.96", "denominator": "1.00"}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"factor": {"value": "1.024", "numerator": "43.008", "denominator": "42.000"}}}}
    ```

    ## How to fix
    Remove the factor, or give its two inputs.

    ## References
    Reference convergence points of the MLPerf training benchmark.
    """
    factor = claim.factor
    if factor is None:
        yield Inapplicable("no factor is stated")
        return
    value, number = span(factor.value), Decimal(factor.value)
    related = (Related(claim.place("value"), "the score"),)
    higher = more_is_better(claim.quantity, claim.unit)
    if number != 1 and factor.reference_exists is False:
        message = f"a factor of {factor.value} corrects to a reference that does not exist"
        yield Violation("a", REFUTES, C3, message, factor.at, factor.value, related=related)
    if higher is not None and ((value.low > 1) if higher else (value.high < 1)):
        message = f"a factor of {factor.value} improves the score: {_uncorrected(claim, factor)} without it"
        effect = weighed(REFUTES, abs(number - 1), _rounds(claim, number, Decimal(1)))
        yield Violation("a", effect, C3, message, factor.place("value"), factor.value, related=related)
    if factor.numerator is None or factor.denominator is None:
        if number != 1:
            message = f"the inputs of the factor {factor.value} are not given; {_uncorrected(claim, factor)} without it"
            yield NotShown(message, factor.at, provide=PROVIDE)
        return
    quotient = span(factor.numerator) / span(factor.denominator)
    if quotient is None:
        yield Inapplicable("the lower input of the quotient may be 0")
        return
    allowed = quotient.widened(thresholds.tolerance)
    if not value.meets(allowed):
        message = f"the factor is {factor.value}; {factor.numerator} / {factor.denominator} is {allowed}"
        at, quotients = factor.place("value"), (Related(factor.place("numerator"), "inputs"),)
        effect = weighed(REFUTES, gap(value, allowed), _rounds(claim, number, (allowed.low + allowed.high) / 2))
        yield Violation("a", effect, C3, message, at, factor.value, str(allowed), quotients)


def _rounds(claim: Claim, factor: Decimal, right: Decimal) -> bool:
    """Whether another factor gives the score other digits than are printed."""
    if claim.value is None or factor == 0:
        return True
    score = Decimal(claim.value) * right / factor
    return not span(claim.value, claim.qualifier, claim.digits).meets(Span(score, score))


def _uncorrected(claim: Claim, factor: Factor) -> str:
    if factor.uncorrected is not None:
        return f"{factor.uncorrected} {claim.unit or ''}".strip()
    if claim.value is None or Decimal(factor.value) == 0:
        return "another one"
    return f"{short(Decimal(claim.value) / Decimal(factor.value))} {claim.unit or ''}".strip()
