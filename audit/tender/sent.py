"""What of a judgement is sent to a vendor: it names no other bidder, and holds no nonce but the vendor's own."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import replace

from msgspec import structs

from .offers import ANOTHER, VendorOffer
from .tender import Issued


def to_vendor(issued: Issued, offer: VendorOffer) -> VendorOffer:
    """Return an offer in words that its vendor may read."""

    def told(items: Iterable[str]) -> tuple[str, ...]:
        return tuple(without_nonces(issued, offer.id, offer.private.get(item, item)) for item in items)

    return replace(
        offer,
        problems=told(offer.problems),
        open=told(offer.open),
        caveats=told(offer.caveats),
        unproven=told(offer.unproven),
        questions=tuple(structs.replace(question, seen=told(question.seen)) for question in offer.questions),
    )


def without_nonces(issued: Issued, vendor: str, text: str) -> str:
    """Return a text, or a page, without the nonces that other vendors were given."""
    for other, given in issued.content.vendors.items():
        if other != vendor:
            for nonce in (given.nonce, html.escape(given.nonce)):
                text = text.replace(nonce, f"of {ANOTHER}")
    return text
