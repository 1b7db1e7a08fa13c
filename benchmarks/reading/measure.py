"""How well the reader of words does on annotated texts: precision and recall per layer, with Wilson intervals.

    make bench-reading                         # the sets of benchmarks/data/reading, texts in DLAUDIT_READING
    python benchmarks/reading/measure.py --texts FOLDER [--annotations FILE ...] [-v] [--write]

A set is a file of annotations: lines of JSON with an `id`, what is to be read, and either the `text` or a pointer to
it: `path` (<owner>/<name>/<commit>/<path>, a file below the folder of texts or in a clone there), `at`, the place
[start, end) in that document, and the `sha256` of the text.

Quantities match where spans overlap and value, unit and dimension are equal; counts where value and class are;
comparisons where degree, form and sense are; names where the kind is. quantulum3 reads the same texts where it is
installed, and both are compared leniently: a number that is equal where spans overlap.

--write keeps the figures in benchmarks/data/reading/figures.json and in docs/reading.md: what was measured first of a
set stays its first sight, whatever is mended afterwards. The first sight of the last set, by kind of reading, goes to
rules/tables/first_sight.json: findings refute by those kinds of reading that were right often enough.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dlaudit.benchmarks.first_sight import ORDER
from dlaudit.benchmarks.reading import peer
from dlaudit.benchmarks.reading.kinds import by_kind
from dlaudit.benchmarks.reading.matching import Item, overlap, paired, same, share
from dlaudit.benchmarks.reading.texts import Changed, annotated_texts
from dlaudit.rules.language.annotations import annotated
from dlaudit.rules.language.reading import Reading

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks" / "data" / "reading"
FIGURES, PAGE = FOLDER / "figures.json", ROOT / "docs" / "reading.md"
KINDS = ROOT / "rules" / "tables" / "first_sight.json"
LAYERS = ("quantities", "counts", "comparisons", "names", "stance")
BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
TIMES = {"first_sight": "first sight", "after_mending": "after mending"}
Figures = dict[str, dict[str, int]]


def main() -> int:
    """Print the figures of each set; list what was missed with -v."""
    options = _options()
    for file in options.annotations or sorted(FOLDER.glob("*.jsonl")):
        try:
            items = list(annotated_texts(file, options.texts))
        except Changed as problem:
            print(problem, file=sys.stderr)
            return 2
        if not items:
            print(f"{file.stem}: no text was found; give --texts or set DLAUDIT_READING")
            continue
        print(f"{file.stem}: {len(items)} texts")
        figures = {**measured(items, verbose=options.verbose), **_beside_peer(items)}
        for name, found in figures.items():
            precision, recall = share(found["hits"], found["read"]), share(found["hits"], found["annotated"])
            print(f"{name:40} precision {precision}  recall {recall}")
        kinds = by_kind(items, [annotated(item["text"], item.get("kind")) for item in items], _of_layer)
        for name, found in kinds.items():
            print(f"{name:40} precision {share(found['hits'], found['read'])}")
        _speed(items)
        if options.write:
            _write(file.stem, len(items), figures, kinds)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--texts", type=Path, default=Path(os.environ.get("DLAUDIT_READING", ".")))
    parser.add_argument("--annotations", type=Path, nargs="*")
    parser.add_argument("--write", action="store_true", help="keep the figures and show them in docs/reading.md")
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser.parse_args()


def measured(items: Sequence[Item], *, verbose: bool = False) -> Figures:
    """Return hits, readings and annotations of each layer, of all and of those without doubt."""
    found = [annotated(item["text"], item.get("kind")) for item in items]
    figures: Figures = {}
    for layer in LAYERS:
        every, sure = {"hits": 0, "read": 0, "annotated": 0}, {"hits": 0, "read": 0, "annotated": 0}
        for item, read in zip(items, found, strict=True):
            gold = _of_layer(item, layer)
            hits, missed, extra = paired(gold, _of_layer(read, layer), partial(same, layer))
            _add(every, hits, missed, extra)
            beyond = [x for x in extra if not any(_unsure(g) and _beside(x, g) for g in gold)]
            _add(sure, [x for x in hits if not _unsure(x)], [x for x in missed if not _unsure(x)], beyond)
            if verbose and (missed or extra):
                _list(layer, item, missed, extra)
        figures[layer], figures[f"{layer}, sure"] = every, sure
    return figures


def _add(figure: dict[str, int], hits: list[Item], missed: list[Item], extra: list[Item]) -> None:
    figure["hits"] += len(hits)
    figure["read"] += len(hits) + len(extra)
    figure["annotated"] += len(hits) + len(missed)


def _of_layer(read: Mapping[str, Any], layer: str) -> list[Item]:
    if layer == "stance":
        return [{"kind": key} for key, value in (read.get("stance") or {}).items() if value is True]
    return list(read.get(layer) or ())


def _unsure(item: Item) -> bool:
    return bool(item.get("unsure"))


def _beside(item: Item, other: Item) -> bool:
    return "span" in item and overlap(item["span"], other["span"])


def _list(layer: str, item: Item, missed: list[Item], extra: list[Item]) -> None:
    print(f"{layer} {item['id']}: {item['text'][:200]!r}")
    for word, entries in (("missed", missed), ("extra", extra)):
        for entry in entries:
            piece = item["text"][slice(*entry["span"])] if "span" in entry else ""
            said = {k: v for k, v in entry.items() if k not in ("span", "per", "qualifier")}
            print(f"    {word} {piece!r} {said}")


def _beside_peer(items: Sequence[Item]) -> Figures:
    """Return the figures of both readers by the lenient rule, of quantities that have a value."""
    if not peer.installed():
        print("quantulum3 is not installed: not compared")
        return {}
    readers: dict[str, Callable[[Item], list[Item]]] = {
        "this reader": lambda item: annotated(item["text"], item.get("kind"))["quantities"],
        "quantulum3": lambda item: peer.quantities(item["text"]),
    }
    figures: Figures = {}
    for name, reader in readers.items():
        begin = time.perf_counter()
        read = [[q for q in reader(item) if q.get("value", 0) is not None] for item in items]
        spent = time.perf_counter() - begin
        for rule, fits in (("number", peer.number_fits), ("number and unit", peer.unit_fits)):
            figure = {"hits": 0, "read": 0, "annotated": 0}
            for item, found in zip(items, read, strict=True):
                gold = [q for q in item.get("quantities") or () if q["value"] is not None]
                _add(figure, *paired(gold, found, fits))
            figures[f"quantities, {rule} only, {name}" if rule == "number" else f"quantities, {rule}, {name}"] = figure
        print(f"{name}: {spent / len(items) * 1e3:.1f} ms a text")
    return figures


def _speed(items: Sequence[Item]) -> None:
    words = sum(len(item["text"].split()) for item in items)
    begin = time.perf_counter()
    for item in items:
        reading = Reading(item["text"], item.get("kind"))
        _ = reading.comparisons(), reading.stance, reading.names()
    print(f"{words} words, {(time.perf_counter() - begin) / max(1, words) * 1e6:.0f} microseconds a word")


def _write(name: str, texts: int, figures: Figures, kinds: Figures) -> None:
    """Keep the figures of a set: its first sight once, later ones beside it; kinds of all first sights together."""
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.is_file() else {}
    entry = kept.setdefault(name, {})
    if "first_sight" not in entry:
        pooled = json.loads(KINDS.read_text(encoding="utf-8")) if KINDS.is_file() else {}
        for kind, found in kinds.items():
            before = pooled.get(kind, {"hits": 0, "read": 0})
            pooled[kind] = {key: before[key] + found[key] for key in before}
        lines = ",\n".join(f" {json.dumps(kind)}: {json.dumps(pooled[kind])}" for kind in sorted(pooled))
        KINDS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    entry["after_mending" if "first_sight" in entry else "first_sight"] = {"texts": texts, "figures": figures}
    FIGURES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    ahead, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(ahead + BEGIN + table(kept) + END + rest.partition(END)[2], encoding="utf-8")


def table(kept: Mapping[str, Any]) -> str:
    """Return the figures of all sets as a table of Markdown."""
    rows = ["", "| set | when | layer | precision | recall |", "|---|---|---|---|---|"]
    for name, entry in sorted(kept.items(), key=lambda item: (*ORDER, item[0]).index(item[0])):
        for when, said in TIMES.items():
            for layer, found in sorted((entry[when]["figures"] if when in entry else {}).items(), key=_order):
                precision, recall = share(found["hits"], found["read"]), share(found["hits"], found["annotated"])
                rows.append(f"| {name} | {said} | {layer} | {precision} | {recall} |")
    return "\n".join((*rows, "", ""))


def _order(figure: tuple[str, Any]) -> tuple[bool, int, str]:
    name = figure[0]
    return "reader" in name or "quantulum" in name, LAYERS.index(name.split(",")[0]), name


if __name__ == "__main__":
    sys.exit(main())
