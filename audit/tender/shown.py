"""What the page, the text and the JSON of a tender say of each offer: one view, so that they cannot disagree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ... import __version__
from ...rules.outcome import Tier
from ...rules.statistics.intervals import rounded
from ...schemas.tender import TenderMetric, TenderPrice
from ..report import Verdict
from ..terminal import safe
from .digits import digits
from .figures import Figure
from .offers import VendorOffer
from .tender import Issued

TIERS = {
    Tier.T0: "not shown",
    Tier.T1: "declared only",
    Tier.T2: "recomputed, signed by nobody you listed",
    Tier.T3: "in a record signed by a key you listed",
    Tier.T4: "recomputed from raw samples, signed by a key you listed",
}
PER_COST = 1000
ORDER = "Vendors stand in the order of the tender. Nothing here ranks or scores them."


@dataclass(frozen=True, slots=True)
class Page:
    """A tender with its offers, ready to be shown."""

    issued: Issued
    offers: Sequence[VendorOffer]
    unnamed: Sequence[str]
    """Folders of hand-ins that belong to no vendor of the tender."""
    day: str
    trust: str
    """Name and version of the trust file; empty without one."""
    warnings: Sequence[str] = ()
    """What is to know of the tender itself before anybody signs."""
    per_load: str = ""
    """What a number per cost or joule means where the load of the tender caps it; empty where none is asked for."""


def grouped(value: float) -> str:
    """Return a number with four digits that mean something, its thousands set apart."""
    if value == 0 or not 1e-3 <= abs(value) < 1e9:
        return f"{value:.4g}"
    digits = max(0, 3 - len(f"{abs(value):.0f}".lstrip("0")) + 1) if abs(value) >= 1 else 4
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:,.0f}"


def per_words(each: str, metric: TenderMetric, price: TenderPrice) -> str:
    """Return what a number is shown per, in words; a price per hour buys the work of an hour."""
    unit, currency = metric.unit, price.currency
    if each == "cost" and price.per == "hour":
        return f"{unit.removesuffix('/s')} per {currency}"
    if each == "joule":
        return f"{unit.removesuffix('/s')} per joule" if unit.endswith("/s") else f"{unit} per watt"
    return f"{unit} per device" if each == "device" else f"{unit} per {PER_COST:,} {currency}"


def per_value(each: str, figure: Figure, price: TenderPrice) -> float | None:
    """Return a number per what it is shown per, in the unit of `per_words`."""
    value = figure.per.get(each)
    return value * PER_COST if value is not None and each == "cost" and price.per != "hour" else value


PER_PRICE = {"system": "for the system", "device": "per device", "hour": "per hour of the system"}


def price_words(price: TenderPrice) -> str:
    """Return how prices are stated."""
    return f"{price.currency} {PER_PRICE[price.per]}, {price.basis}"


def limit(metric: TenderMetric) -> str:
    """Return what the tender asks of a number."""
    parts = [f"at least {metric.least}" if metric.least else "", f"at most {metric.most}" if metric.most else ""]
    return " and ".join(part for part in parts if part)


def decision(offer: VendorOffer) -> str:
    """Return in a few words whether an offer is what was asked for."""
    if offer.unread:
        return "not read"
    if not offer.sound:
        return "does not meet the tender"
    if any(figure.open.limit == "cannot tell" for figure in offer.figures.values()):
        return "cannot tell whether it meets the tender"
    if offer.open:
        return f"cannot be signed yet (too wide: {_wide(offer)})"
    return f"meets the tender (wide: {_wide(offer)})" if _wide(offer) else "meets the tender"


def _wide(offer: VendorOffer) -> str:
    """Return how far the intervals reach that are wider than the tender accepts."""
    return ", ".join(dict.fromkeys(figure.open.reach for figure in offer.figures.values() if figure.open.reach))


def as_value(page: Page) -> dict[str, Any]:
    """Return everything as a JSON value."""
    content = page.issued.content
    return {
        "dlaudit": "offers/1",
        "tool": __version__,
        "tender": {"title": content.title, "buyer": content.buyer, "sha256": page.issued.sha256},
        "day": page.day,
        "trust": page.trust or None,
        "order": ORDER,
        "vendors": {offer.id: _vendor(page, offer) for offer in page.offers},
        "unnamed": list(page.unnamed),
        "warnings": list(page.warnings),
    }


def _vendor(page: Page, offer: VendorOffer) -> dict[str, Any]:
    price = offer.offer.price if offer.offer is not None else None
    return {
        "name": offer.name,
        "system": offer.offer.system if offer.offer is not None else None,
        "price": {"amount": price.amount, "currency": price.currency, "per": price.per} if price is not None else None,
        "unread": offer.unread or None,
        "verdict": offer.verdict.words if offer.verdict is not None else None,
        "meets": offer.meets,
        "problems": list(offer.problems),
        "open": list(offer.open),
        "caveats": list(offer.caveats),
        "unproven": list(offer.unproven),
        "figures": {name: _figure(page, name, figure) for name, figure in offer.figures.items()},
    }


def _figure(page: Page, name: str, figure: Figure) -> dict[str, Any]:
    metric, price = page.issued.content.metrics[name], page.issued.content.price
    interval = figure.interval
    return {
        "value": figure.printed,
        "unit": metric.unit,
        "interval": [interval.low, interval.high] if interval is not None else None,
        "counted": figure.counted or None,
        "tier": figure.tier.name,
        "verdict": figure.verdict.words,
        "why": figure.why,
        "not_comparable": figure.not_comparable or None,
        "limit": figure.open.limit,
        "doubts": list(figure.open.words),
        "per": {
            each: {
                "value": rounded(value) if (value := per_value(each, figure, price)) is not None else None,
                "unit": per_words(each, metric, price),
            }
            for each in figure.per
        },
    }


def as_json(page: Page) -> str:
    """Return everything as JSON."""
    return json.dumps(as_value(page), indent=1, ensure_ascii=False) + "\n"


def as_text(page: Page) -> str:
    """Return everything as text for a terminal."""
    return "\n".join(safe(line) for line in _lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    content = page.issued.content
    yield f"{content.title} ({content.buyer}, issued {content.issued})"
    yield ORDER
    yield from page.warnings
    for offer in page.offers:
        verdict = offer.verdict.words if offer.verdict is not None else "NO VERDICT"
        is_one_answer = offer.sound and (offer.open or _wide(offer))
        yield ""
        yield f"{offer.name}: {decision(offer)}{'' if is_one_answer else f' ({verdict})'}"
        if offer.offer is not None and offer.offer.price is not None:
            yield f"  price     {offer.offer.price.amount:,.2f} {price_words(content.price)}"
        for name, metric in content.metrics.items():
            figure = offer.figures.get(name)
            if figure is not None:
                yield from _figure_lines(page, metric, name, figure)
        yield from (f"  against   {problem}" for problem in offer.problems)
        yield from (f"  open      {words}" for words in offer.open)
        yield from (f"  caveat    {caveat}" for caveat in offer.caveats)
        if offer.unproven:
            yield f"  unproven  {'; '.join(offer.unproven)}"
    if page.unnamed:
        yield ""
        yield f"of no vendor of the tender, and not judged: {', '.join(page.unnamed)}"


def _figure_lines(page: Page, metric: TenderMetric, name: str, figure: Figure) -> Iterator[str]:
    value, low, high = digits(metric, figure)
    interval = f" [{low}, {high}]" if low else " (no interval)"
    count = f" ({figure.counted})" if figure.counted else ""
    evidence = f"{figure.tier.name} ({TIERS[figure.tier]})"
    words = f"{value} {metric.unit}{count}{interval}, {evidence}: {standing(figure)}"
    yield f"  {metric.label or name}: {words}"
    per = per_lines(metric, figure, page.issued.content.price)
    if per:
        yield f"    {'; '.join(per)}"
    for words in (figure.open.kept_wide, figure.open.unsure):
        if words:
            yield f"    {words}"


def per_lines(metric: TenderMetric, figure: Figure, price: TenderPrice) -> list[str]:
    """Return a number per device, joule and cost, as the tender asks; nothing for one that does not stand."""
    if not figure.stands:
        return []
    told = digits(metric, figure)[0].replace(".", "").lstrip("-0") if figure.interval is not None else ""
    return [
        f"{grouped(rounded(value, max(2, len(told)) if told else 6))} {per_words(each, metric, price)}"
        if (value := per_value(each, figure, price)) is not None
        else f"per {each} not stated"
        for each in figure.per
    ]


def standing(figure: Figure) -> str:
    """Return what a number is worth: its verdict, or that it answers another question than the tender's."""
    if not figure.not_comparable:
        return figure.verdict.words
    contradicted = "FAIL, and " if figure.verdict is Verdict.FAIL else ""
    return f"{contradicted}NOT COMPARABLE: {figure.not_comparable}"
