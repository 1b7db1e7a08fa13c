"""The page of a tender: offers side by side on one sheet of A4, to sign; no script, nothing loaded from anywhere."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...rules.outcome import Tier
from ...schemas.source import parse
from ..renderers.templating import SYMBOLS, environment
from ..report import Verdict
from .digits import digits
from .offers import VendorOffer
from .shown import ORDER, TIERS, Page, decision, grouped, limit, per_lines, price_words, standing
from .tender import Issued

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent / "templates"
PORTRAIT = 4
"""Vendors that a sheet takes upright."""
ROOM, ROOM_WIDE = 8, 4
"""Numbers that leave room above the signatures for caveats and what is unproven."""
FULL = 1.5
"""Times as many numbers would themselves push the signatures off the first sheet."""
MOST_ITEMS = 3
LONGEST, LONGEST_ROW, LONGEST_WORKLOAD = 140, 560, 420
"""Characters of an item, which the letter holds in full; of the items beside it, where vendors are few; and of what a
workload measures, which its spec does."""


def render(page: Page) -> str:
    """Return the page; the same offers on the same day give the same bytes."""
    from markupsafe import Markup

    wide = len(page.offers) > PORTRAIT
    style = (FOLDER / "offers.css").read_text(encoding="utf-8") + (
        "@page { size: A4 landscape; }\n" if wide else "@page { size: A4 portrait; }\n"
    )
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    longest = max(LONGEST, LONGEST_ROW // max(1, len(page.offers)))
    numbers, room = len(page.issued.content.metrics), ROOM_WIDE if wide else ROOM
    template = _environment().get_template("offers.html.j2")
    return template.render(
        page=page,
        style=Markup(style),  # noqa: S704
        style_digest=Markup(digest),  # noqa: S704
        wide=wide,
        lists_behind=numbers > room,
        numbers_behind=numbers > FULL * room,
        reasons_of=[
            _listed(offer, (*offer.problems, *offer.open), "every number that counts is shown as asked", longest)
            for offer in page.offers
        ],
        caveats_of=[_listed(offer, offer.caveats, "none", longest) for offer in page.offers],
        unproven_of=[_listed(offer, offer.unproven, "nothing that was asked for", longest) for offer in page.offers],
        measured=[*measured(page.issued), *filter(None, [page.per_load])],
        tiers="; ".join(f"{tier.name} {TIERS[tier]}" for tier in _tiers(page)),
    )


def measured(issued: Issued) -> Iterator[str]:
    """Yield in a sentence for each workload what its spec has measured: the program, its parameters, how often."""
    for name, data in issued.specs.items():
        spec: Any = parse(data, name).value
        workload = spec["workload"]
        what = workload.get("name") or " ".join(map(str, workload.get("command", ()))) or workload.get("entry", "")
        told = {**workload.get("parameters", {}), **spec.get("throughput", {})}
        parts = [f"{key} {value}" for key, value in told.items() if isinstance(value, int | float | str)]
        yield _shortened(f"{name} measures {what}: {', '.join(parts)}", LONGEST_WORKLOAD)


def _badge(offer: VendorOffer) -> tuple[str, str]:
    """Return sign and colour of a decision: those of the evidence, but where a number decides those of what it says."""
    if offer.verdict not in {Verdict.PASS, Verdict.PASS_WITH_CAVEATS} or offer.meets:
        return SYMBOLS[offer.verdict]
    return SYMBOLS[Verdict.INSUFFICIENT_EVIDENCE if offer.sound else Verdict.FAIL]


def _listed(offer: VendorOffer, items: Sequence[str], none: str, longest: int) -> list[str] | str:
    """Return as much of a list as the sheet has room for, and where all of it stands; a word where there is none."""
    if not items:
        return "not read" if offer.unread else none
    kept = [_shortened(item, longest) for item in items[:MOST_ITEMS]]
    more = len(items) - len(kept)
    return [*kept, f"and {more} more: {offer.id}/letter.txt"] if more > 0 else kept


def _shortened(text: str, longest: int) -> str:
    """Return a text that is cut behind a word where it is too long."""
    return text if len(text) <= longest else f"{text[:longest].rpartition(' ')[0]} …"


def _tiers(page: Page) -> list[Tier]:
    """Return the tiers that stand on the page, the lowest first."""
    asked = {Tier[metric.tier] for metric in page.issued.content.metrics.values()}
    return sorted(asked | {figure.tier for offer in page.offers for figure in offer.figures.values()})


@cache
def _environment() -> Environment:
    names = {
        "badge_of": _badge,
        "decision": decision,
        "digits": digits,
        "grouped": grouped,
        "limit": limit,
        "per_lines": per_lines,
        "price_words": price_words,
        "standing": standing,
        "order": ORDER,
        "version": __version__,
    }
    return environment(FOLDER, names)
