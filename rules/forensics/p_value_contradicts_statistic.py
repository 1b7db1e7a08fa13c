"""F23: a p that its own statistic does not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Test
from ..case import Case
from ..facts.quantities.numbers import exact
from ..language.printed import INFINITY, Span, span
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Violation
from ..registry import Threshold, rule
from ..statistics.tails import chi_square_tail, f_tail, r_tail, t_tail, z_tail

LEAST_FREEDOM, LARGEST = Decimal("0.1"), Decimal(10) ** 12


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(0.05, "error at which a p decides, where the publication names none", "usual")


@rule(
    "F23",
    "p-value-contradicts-statistic",
    effect=REFUTES,
    confidence=C3,
    applies="has(test)",
    origin="STATCHECK",
    thresholds=Thresholds,
)
def p_value_contradicts_statistic(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A printed p that does not follow from the printed statistic and its degrees of freedom.

    ## What it does
    Computes p from the statistic and the degrees of freedom, each as the interval of its digits. Where the publication
    does not say whether it counts one side or both, either is taken.

    ## Why it misleads
    One of the numbers is wrong, and it may be the one that decides.

    ## Branches
    - (a) refutes, C3: the intervals are apart, and the printed p decides otherwise at the publication's alpha.
    - (b) caveat, C3: they are apart, and the decision stays.
    - not applicable: statistic, distribution, degrees of freedom or p are not all given.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"test": {"kind": "t", "statistic": "1.52", "degrees_of_freedom": "8", "p": "0.017"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"test": {"kind": "t", "statistic": "2.31", "degrees_of_freedom": "8", "p": "0.050"}}}}
    ```

    ## How to fix
    Compute p again from the data.

    ## References
    Nuijten et al., The prevalence of statistical reporting errors in psychology (2016).
    """
    test = claim.test
    found = _ps(test) if test is not None else ()
    if test is None or test.p is None or not found:
        yield Inapplicable("statistic, distribution, degrees of freedom or p are not all given")
        return
    stated = _stated(test)
    if any(stated.meets(p) for p in found):
        return
    alpha = Decimal(str(test.alpha if test.alpha is not None else thresholds.alpha))
    changed = all(_decides(stated, alpha) != _decides(p, alpha) for p in found)
    nearest = min(found, key=lambda p: min(abs(p.low - stated.high), abs(p.high - stated.low)))
    branch, effect = ("a", REFUTES) if changed else ("b", CAVEAT)
    freedom = ", ".join(text for text in (test.degrees_of_freedom, test.denominator_degrees_of_freedom) if text)
    shown = f"{test.kind}({freedom}) = {test.statistic}" if freedom else f"{test.kind} = {test.statistic}"
    sign = {"less_than": "<", "at_least": ">="}.get(test.p_qualifier or "", "=")
    middle = float(nearest.low + nearest.high) / 2
    message = f"p {sign} {test.p} is stated; {shown} gives {middle:.3g}"
    yield Violation(branch, effect, C3, message, test.place("p"), test.p, f"{middle:.3g}")


def _stated(test: Test) -> Span:
    value = Decimal(test.p or "")
    if test.p_qualifier == "less_than":
        return Span(Decimal(0), value)
    return Span(value, INFINITY) if test.p_qualifier == "at_least" else span(test.p or "")


def _decides(p: Span, alpha: Decimal) -> bool:
    """Whether a p says "significant": its middle is at most alpha; of an open interval, all of it."""
    if p.high == INFINITY:
        return p.low < alpha
    return (p.high if p.low == 0 else (p.low + p.high) / 2) <= alpha


def _ps(test: Test) -> tuple[Span, ...]:
    """Return what p may be, for one side and both; empty where something is missing or is no such statistic."""
    if test.kind is None or test.statistic is None:
        return ()
    statistic = span(test.statistic)
    freedom = [
        None if text is None else span(text) for text in (test.degrees_of_freedom, test.denominator_degrees_of_freedom)
    ]
    needed = {"z": 0, "t": 1, "r": 1, "chi2": 1, "f": 2}[test.kind]
    if any(item is None or not LEAST_FREEDOM <= item.low <= item.high <= LARGEST for item in freedom[:needed]):
        return ()
    if test.kind == "r" and max(abs(statistic.low), abs(statistic.high)) >= 1:
        return ()
    ends = [float(max(-LARGEST, min(LARGEST, item))) for item in (statistic.low, statistic.high)]
    corners = [[float(item.low), float(item.high)] for item in freedom[:needed] if item is not None]
    tails = [_tail(test.kind, end, chosen) for end in ends for chosen in _choices(corners)]
    if test.kind in {"chi2", "f"}:
        return (_around(tails),)
    low, high = min(tails), max(tails)
    two = sorted(2 * min(tail, 1 - tail) for tail in (low, high))
    whole = Span(exact(two[0]).low, Decimal(1)) if low < 0.5 < high else _around(two)
    sides = [whole] if test.sided != "one" else []
    return (*sides, *(() if test.sided == "two" else (_around([low, high]), _around([1 - low, 1 - high]))))


def _around(values: list[float]) -> Span:
    return Span(exact(max(0.0, min(values))).low, exact(max(values)).low)


def _choices(corners: list[list[float]]) -> list[tuple[float, ...]]:
    found: list[tuple[float, ...]] = [()]
    for pair in corners:
        found = [(*chosen, value) for chosen in found for value in pair]
    return found


def _tail(kind: str, statistic: float, freedom: tuple[float, ...]) -> float:
    if kind == "z":
        return z_tail(statistic)
    if kind == "t":
        return t_tail(statistic, freedom[0])
    if kind == "r":
        return r_tail(statistic, freedom[0])
    return chi_square_tail(statistic, freedom[0]) if kind == "chi2" else f_tail(statistic, freedom[0], freedom[1])
