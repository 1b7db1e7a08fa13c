"""E06: a cost without its basis."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.energy import Cost
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.given import given
from ..facts.quantities.per_second import seconds
from ..language.printed import Span, short, span
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

ITEM = "cost basis"
PROVIDE = """\
arms:
  trained:
    cost:
      hours: 6.5
      price: {amount: 32.77, currency: USD, date: "2026-03-01", kind: on_demand}
      utilisation: 1.0
      kind: operating
"""
SIGNS = {"$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}
PARTS = frozenset({"step", "epoch", "request"})
SLACK = Decimal("0.005")


@rule("E06", "cost-basis-missing", effect=CAVEAT, confidence=C3, applies="cost", origin="S0")
def cost_basis_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A cost without price, date, hours, utilisation, or whether it is capital or operating cost.

    ## What it does
    Looks for the basis of the cost of every arm that the claim stands on. Where hours and the price of the whole system
    are given in the currency of the claim, it multiplies them (and divides by the utilisation, which is one way to
    charge idle hours).

    ## Why it misleads
    The same run costs three times as much on demand as on spot capacity, and nothing at all on hardware that somebody
    else paid for.

    ## Branches
    - (a) caveat, C3: the stated cost differs from hours times price beyond rounding.
    - not shown: part of the basis is not stated. Required (cost basis) in procurement.
    - not applicable: the basis is stated, and the cost is one of capital, of a unit of work or in another currency.

    ## Flagged
    On `time-to-accuracy` for claim `time`, as a cost:
    ```json
    {"claims": {"time": {"quantity": "cost", "unit": "USD", "value": "12.40", "target": null, "interval": null,
                         "statement": "The run costs 12.40 USD."}},
     "arms": {"trained": {"cost": {"hours": 0.25, "utilisation": 1, "kind": "operating", "price": {
       "amount": 1.80, "currency": "USD", "date": "2026-03-01", "kind": "on_demand"}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, as a cost:
    ```json
    {"claims": {"time": {"quantity": "cost", "unit": "USD", "value": "0.45", "target": null, "interval": null,
                         "statement": "The run costs 0.45 USD."}},
     "arms": {"trained": {"cost": {"hours": 0.25, "utilisation": 1, "kind": "operating", "price": {
       "amount": 1.80, "currency": "USD", "date": "2026-03-01", "kind": "on_demand"}}}}}
    ```

    ## How to fix
    State price, day, hours, utilisation and the kind of cost.

    ## References
    Cost rules of the DAWNBench competition; procurement practice.
    """
    sides = [case.subject(claim)]
    if claim.form in {"ratio", "rank"} or claim.compares != "none":
        sides.append(case.base(claim))
    for side in sides:
        cost = side.arm.cost if side is not None else None
        lacking = _lacking(cost)
        if lacking:
            at = cost.at if cost is not None else side.arm.at if side is not None else claim.at
            name = f"arm {side.id}" if side is not None else "an arm of the comparison"
            yield NotShown(f"the cost of {name} does not state {', '.join(lacking)}", at, ITEM, PROVIDE)
    if sides[0] is not None and sides[0].arm.cost is not None:
        yield from _recomputed(claim, sides[0], sides[0].arm.cost)


def _lacking(cost: Cost | None) -> list[str]:
    price = cost.price if cost is not None else None
    parts = {
        "price": price is not None,
        "day of the price": price is not None and price.date is not None,
        "kind of price (on demand, reserved, owned)": price is not None and price.kind is not None,
        "hours": cost is not None and cost.hours is not None,
        "utilisation": cost is not None and cost.utilisation is not None,
        "capital or operating": cost is not None and cost.kind is not None,
    }
    return [name for name, stated in parts.items() if not stated]


def _recomputed(claim: Claim, side: Side, cost: Cost) -> Iterator[Branch]:
    price, stated = cost.price, _stated(claim)
    if claim.form != "absolute" or price is None or cost.hours is None:
        return
    product, hours = given(cost.hours) * given(price.amount), f"{cost.hours:g} h"
    if claim.scope in PARTS:
        unit = _time_of(claim, side)
        if unit is None:
            yield Inapplicable("the hours may be those of the whole measurement, the cost that of a part")
            return
        product, hours = unit[0] * given(price.amount), unit[1]
    if stated is None or stated[1] != _currency(price.currency) or cost.kind == "capital" or product.low <= 0:
        yield Inapplicable("the cost cannot be recomputed: another currency, a cost of one unit of work, or capital")
        return
    ways = [product]
    if cost.utilisation is not None and cost.utilisation > 0:
        share = Decimal(repr(float(cost.utilisation)))
        ways += [Span(product.low / share, product.high / share), Span(product.low * share, product.high * share)]
    if not any(stated[0].meets(way.widened(SLACK)) for way in ways):
        message = f"{claim.value} {claim.unit} is stated; {hours} at {price.amount:g} an hour are {short(product.low)}"
        related = (Related(cost.at, "hours and price"),)
        yield Violation("a", CAVEAT, C3, message, claim.place("value"), claim.value, str(product), related)


def _time_of(claim: Claim, side: Side) -> tuple[Span, str] | None:
    """Return the time of the epoch or step that a cost is claimed for, in hours and as printed; None if not given."""
    for metric in side.arm.performance.values():
        unit = seconds(metric.unit)
        if metric.quantity == "time" and metric.scope == claim.scope and metric.value is not None and unit is not None:
            time = span(metric.value, digits=metric.digits)
            return Span(time.low * unit / 3600, time.high * unit / 3600), f"{metric.value} {metric.unit}"
    return None


def _stated(claim: Claim) -> tuple[Span, str] | None:
    """Return a claim's whole cost with its currency; None for a cost of one unit of work."""
    currency = _currency(claim.unit)
    if claim.value is None or currency is None:
        return None
    return span(claim.value, claim.qualifier, claim.digits), currency


def _currency(unit: str | None) -> str | None:
    """Return the ISO code of a unit that is a currency and nothing else."""
    text = SIGNS.get((unit or "").strip(), (unit or "").strip().upper())
    return text if len(text) == 3 and text.isalpha() else None
