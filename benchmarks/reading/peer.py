"""quantulum3, a reader of quantities in English, on the same texts by the same lenient rule.

Its value counts as right where it is the annotated one, the printed one, or the annotated one in the scale of its
unit; its unit, where the table below gives the annotated unit for its name.
"""

from __future__ import annotations

import importlib.util
from typing import Any

from dlaudit.benchmarks.reading.matching import Item, near, overlap

SCALES = {
    "": 1, "kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "peta": 1e15, "milli": 1e-3, "micro": 1e-6,
    "nano": 1e-9, "kibi": 2**10, "mebi": 2**20, "gibi": 2**30, "tebi": 2**40,
}  # fmt: skip
UNITS = {
    "second": ("s", 1), "minute": ("min", 1), "hour": ("h", 1), "day": ("d", 1), "week": ("wk", 1),
    "month": ("month", 1), "year": ("y", 1), "byte": ("B", 1), "bit": ("B", 0.125), "byte per second": ("B/s", 1),
    "bit per second": ("B/s", 0.125), "watt": ("W", 1), "joule": ("J", 1), "watt hour": ("Wh", 1),
    "watt-hour": ("Wh", 1), "hertz": ("Hz", 1), "percentage": ("%", 1), "dollar": ("USD", 1), "euro": ("EUR", 1),
    "pound sterling": ("GBP", 1), "cent": ("USD", 0.01), "frame per second": ("frames/s", 1),
    "degree celsius": ("°C", 1), "metre": ("m", 1), "meter": ("m", 1), "dollar per hour": ("USD", 1),
}  # fmt: skip


def installed() -> bool:
    """Whether quantulum3 is there; the project does not depend on it."""
    return importlib.util.find_spec("quantulum3") is not None


def quantities(text: str) -> list[Item]:
    """Return what quantulum3 reads with a unit, or with a sign such as x behind the number."""
    from quantulum3 import classifier, parser  # type: ignore[import-not-found]

    # Its trained classifier opens only with the version of scikit-learn that wrote it.
    classifier.USE_CLF = False
    found = []
    for q in parser.parse(text):
        unit, scale = _unit(q.unit.name, q.surface)
        if q.unit.name == "dimensionless" and unit is None:
            continue
        spread = q.uncertainty or 0
        values = sorted({q.value, q.value - spread, q.value + spread})
        found.append({"span": list(q.span), "values": values, "unit": unit, "scale": scale})
    return found


def _unit(name: str, surface: str) -> tuple[str | None, float]:
    if name == "dimensionless":
        return ("x", 1) if surface.rstrip().lower().endswith(("x", "×", "times")) else (None, 1)
    for prefix, scale in SCALES.items():
        if name.startswith(prefix) and (known := UNITS.get(name.removeprefix(prefix))) is not None:
            return known[0], scale * known[1]
    return None, 1


def number_fits(gold: Item, pred: Item) -> bool:
    """Whether spans overlap and the number is the annotated one, scaled or as printed."""
    ends = gold["value"] if isinstance(gold["value"], list) else [gold["value"]]
    read = pred["values"] if "values" in pred else _ends(pred["value"])
    scales = {1.0, pred.get("scale", 1.0), *SCALES.values()} if "values" in pred else {1.0}
    return overlap(gold["span"], pred["span"]) and any(near(a, b * s) for a in ends for b in read for s in scales)


def unit_fits(gold: Item, pred: Item) -> bool:
    """Whether the unit is the annotated one too."""
    return number_fits(gold, pred) and gold["unit"] == pred["unit"]


def _ends(value: Any) -> list[float]:
    return value if isinstance(value, list) else [] if value is None else [value]
