"""How often each kind of reading was right: what rules may refute by is decided by these figures, at first sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from dlaudit.benchmarks.reading.matching import Item, overlap, paired, same

NAMED_BY = {
    "quantities": ("quantity", "dimension"),
    "counts": ("count", "of"),
    "comparisons": ("comparison", "form"),
    "names": ("name", "kind"),
    "stance": ("stance", "kind"),
}
Layers = Callable[[Item, str], list[Item]]


def by_kind(items: Sequence[Item], read: Sequence[Item], of_layer: Layers) -> dict[str, dict[str, int]]:
    """Return hits and readings of each layer, and of each kind in it, without those that annotators doubt.

    Args:
        items: the annotations of each text.
        read: what was read of it.
        of_layer: gives the annotations or readings of a layer.
    """
    figures: dict[str, dict[str, int]] = {}
    for item, found in zip(items, read, strict=True):
        for layer in NAMED_BY:
            gold = of_layer(item, layer)
            hits, _, extra = paired(gold, of_layer(found, layer), partial(same, layer))
            doubted = [x for x in gold if x.get("unsure")]
            beyond = [x for x in extra if not any("span" in x and overlap(x["span"], g["span"]) for g in doubted)]
            for x in (*(x for x in hits if not x.get("unsure")), *beyond):
                for name in _names(layer, x):
                    figure = figures.setdefault(name, {"hits": 0, "read": 0})
                    figure["read"] += 1
                    figure["hits"] += any(x is hit for hit in hits)
    return dict(sorted(figures.items()))


def _names(layer: str, item: Item) -> tuple[str, str]:
    kind, field = NAMED_BY[layer]
    return kind, f"{kind}: {item[field]}"
