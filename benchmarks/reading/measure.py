"""How well the reader of words does on annotated texts: precision and recall per layer, with Wilson intervals.

    make bench-reading                         # annotations in this folder, texts in DLAUDIT_CORPUS
    python benchmarks/reading/measure.py --texts FOLDER [--annotations FILE ...] [-v]

An annotation is a line of JSON with an `id`, what is to be read, and either its `text` or a pointer to it: `path`
(<owner>/<name>/<commit>/<path> below the folder of texts) and `at`, the place [start, end) of the text in that file.
Quantities match where spans overlap and value, unit and dimension are equal; counts where value and class are;
comparisons where degree, form and sense are; names where the kind is. quantulum3 reads the same texts where it is
installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from dlaudit.rules.language.annotations import annotated
from dlaudit.rules.language.reading import Reading

HERE = Path(__file__).parent
LAYERS = ("quantities", "counts", "comparisons", "names", "stance")
ALIKE = 1e-4
Z = 1.96
Item = dict[str, Any]


def main() -> int:
    """Print the figures of each layer; list what was missed with -v."""
    options = _options()
    items = list(_texts(options.annotations or sorted(HERE.glob("*.jsonl")), options.texts))
    if not items:
        print("no annotated text was found: give --texts or set DLAUDIT_CORPUS")
        return 0
    _measure(items, "reader", lambda text, kind: annotated(text, kind), LAYERS, options.verbose)
    _peer(items)
    _speed(items)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--texts", type=Path, default=Path(os.environ.get("DLAUDIT_CORPUS", ".")))
    parser.add_argument("--annotations", type=Path, nargs="*")
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser.parse_args()


def _texts(files: Iterable[Path], folder: Path) -> Iterator[Item]:
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.strip():
                continue
            item = json.loads(line)
            if "text" not in item:
                path = folder / item["path"]
                if not path.is_file():
                    continue
                begin, end = item["at"]
                item["text"] = path.read_text(encoding="utf-8")[begin:end]
            yield item


def _measure(
    items: list[Item], title: str, reader: Callable[[str, str | None], Item], layers: Iterable[str], verbose: bool
) -> None:
    found = [reader(item["text"], item.get("kind")) for item in items]
    for sure in (False, True):
        for layer in layers:
            hits = missed = extra = 0
            for item, read in zip(items, found, strict=True):
                gold, pred = _of_layer(item, layer), _of_layer(read, layer)
                pairs, left, over = paired(layer, gold, pred)
                if sure:
                    left = [x for x in left if not x.get("unsure")]
                    over = [x for x in over if not _beside_unsure(x, gold)]
                    pairs = [x for x in pairs if not x.get("unsure")]
                hits, missed, extra = hits + len(pairs), missed + len(left), extra + len(over)
                if verbose and not sure and (left or over):
                    _list(title, layer, item, left, over)
            name = f"{title}, {layer}{', sure ones' if sure else ''}"
            print(f"{name:40} precision {_share(hits, hits + extra)}  recall {_share(hits, hits + missed)}")


def _of_layer(read: Item, layer: str) -> list[Item]:
    if layer == "stance":
        return [{"kind": key} for key, value in (read.get("stance") or {}).items() if value is True]
    return list(read.get(layer) or ())


def _beside_unsure(item: Item, gold: list[Item]) -> bool:
    return any(other.get("unsure") and "span" in item and _overlap(item["span"], other["span"]) for other in gold)


def paired(layer: str, gold: list[Item], pred: list[Item]) -> tuple[list[Item], list[Item], list[Item]]:
    """Return what of the annotations was read, what was missed, and what was read beyond them."""
    left, hits, missed = list(pred), [], []
    for item in gold:
        at = next((k for k, other in enumerate(left) if same(layer, item, other)), None)
        if at is None:
            missed.append(item)
        else:
            left.pop(at)
            hits.append(item)
    return hits, missed, left


def same(layer: str, gold: Item, pred: Item) -> bool:
    """Whether a reading is that of an annotation."""
    if layer == "stance":
        return bool(gold["kind"] == pred["kind"])
    if not _overlap(gold["span"], pred["span"]):
        return False
    if layer == "quantities":
        return (
            _near(gold["value"], pred["value"])
            and gold["unit"] == pred["unit"]
            and gold["dimension"] == pred["dimension"]
        )
    if layer == "counts":
        return _near(gold["value"], pred["value"]) and gold["of"] == pred["of"]
    if layer == "comparisons":
        alike = gold["form"] == pred["form"] and gold["sense"] == pred["sense"]
        return alike and _near(gold["degree"], pred["degree"])
    return bool(gold["kind"] == pred["kind"])


def _overlap(a: list[int], b: list[int]) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _near(a: Any, b: Any) -> bool:
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(_near, a, b))
    if a is None or b is None:
        return a is b
    return abs(a - b) <= ALIKE * max(abs(a), abs(b), 1e-12)


def _share(hits: int, total: int) -> str:
    if not total:
        return "none           "
    p = hits / total
    centre = (p + Z * Z / (2 * total)) / (1 + Z * Z / total)
    half = Z * math.sqrt(p * (1 - p) / total + Z * Z / (4 * total * total)) / (1 + Z * Z / total)
    return f"{p:.3f} [{centre - half:.3f}, {centre + half:.3f}] ({hits} of {total})"


def _list(title: str, layer: str, item: Item, missed: list[Item], extra: list[Item]) -> None:
    text = item["text"]
    print(f"{title} {layer} {item.get('id', '')}: {text[:200]!r}")
    for word, entries in (("missed", missed), ("extra", extra)):
        for entry in entries:
            piece = text[slice(*entry["span"])] if "span" in entry else ""
            print(f"    {word} {piece!r} { {k: v for k, v in entry.items() if k not in ('span', 'per', 'qualifier')} }")


def _peer(items: list[Item]) -> None:
    """Print the figures of quantulum3 for quantities, leniently: an overlapping span and the same value suffice."""
    if importlib.util.find_spec("quantulum3") is None:
        print("quantulum3 is not installed: not compared")
        return
    from quantulum3 import parser  # type: ignore[import-not-found]

    hits = total = read = 0
    spent = time.perf_counter()
    for item in items:
        gold = [q for q in item.get("quantities") or () if q["value"] is not None]
        found = [q for q in parser.parse(item["text"]) if q.unit.name != "dimensionless"]
        total, read = total + len(gold), read + len(found)
        for q in gold:
            printed = [other for other in found if _overlap(q["span"], list(other.span))]
            hits += bool(printed)
    spent = time.perf_counter() - spent
    print(f"{'quantulum3, spans of quantities':40} precision {_share(hits, read)}  recall {_share(hits, total)}")
    print(f"quantulum3: {spent / max(1, len(items)) * 1e3:.1f} ms a text")


def _speed(items: list[Item]) -> None:
    words = sum(len(item["text"].split()) for item in items)
    begin = time.perf_counter()
    for item in items:
        reading = Reading(item["text"], item.get("kind"))
        _ = reading.comparisons(), reading.stance, reading.names()
    spent = time.perf_counter() - begin
    print(f"{len(items)} texts, {words} words, {spent / max(1, words) * 1e6:.0f} microseconds a word")


if __name__ == "__main__":
    sys.exit(main())
