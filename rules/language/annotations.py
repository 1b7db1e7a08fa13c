"""What was read, in the structure of annotations: plain values for a benchmark or for output."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from .comparison import Comparison
from .phrases import PROCESSORS, Count
from .quantity import Quantity
from .reading import read


def annotated(source: str, kind: str | None = None) -> dict[str, Any]:
    """Return quantities, counts, names, comparisons and stance of a text, with places in code points."""
    reading = read(source, kind)
    return {
        "quantities": [_quantity(q) for q in reading.quantities()],
        "counts": [_count(c) for c in reading.counts()],
        "names": [{"span": list(n.span), "kind": n.kind} for n in reading.names()],
        "comparisons": [_comparison(c) for c in reading.comparisons()],
        "stance": {
            "negated": reading.stance.negated,
            "hedged": reading.stance.hedged,
            "of_others": reading.stance.of_others,
        },
        "unbound": [list(span) for span in reading.unbound()],
    }


def _value(low: Decimal | None, high: Decimal | None) -> int | float | list[int | float] | None:
    if low is None:
        return None
    return _plain(low) if low == high or high is None else [_plain(low), _plain(high)]


def _plain(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() and abs(value) < Decimal("1e300") else float(value)


def _quantity(q: Quantity) -> dict[str, Any]:
    value = _value(q.value, q.high)
    return {
        "span": list(q.span),
        "value": value,
        "unit": q.unit,
        "dimension": q.dimension,
        "per": q.per,
        "qualifier": q.qualifier,
    }


def _count(c: Count) -> dict[str, Any]:
    of = "devices" if c.of == PROCESSORS else c.of
    return {"span": list(c.span), "value": _value(c.value, c.high), "of": of}


def _comparison(c: Comparison) -> dict[str, Any]:
    found = {
        "span": list(c.span),
        "degree": _value(c.degree, c.high),
        "form": c.form,
        "sense": c.sense,
        "dimension": c.dimension,
    }
    return {**found, "unsure": True} if c.bare else found
