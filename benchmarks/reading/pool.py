"""From two readers' annotations of the same texts to one: what they saw differently goes to a third.

    pool.py TEXTS FIRST SECOND --ask FILE                   write what a third reader is asked
    pool.py TEXTS FIRST SECOND --answers FILE --out FILE    write the annotations of a set

TEXTS holds a line of JSON for each text (`id`, `kind`, `text`, and the pointer that a set keeps); FIRST and SECOND what
each reader saw, with a `quote` in place of a span (the `nth` of its kind, where the text holds several). What both saw
without a doubt holds. What only one of them saw or was sure of, and what only the reader of words saw, is asked of the
third, who is not told who saw it: right, wrong, or either, where careful readers may differ. Were the last not asked,
what neither reader thought of would count as an error.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dlaudit.benchmarks.reading.matching import Item, paired, same
from dlaudit.rules.language.annotations import annotated

LAYERS = ("quantities", "counts", "names", "comparisons")
STANCES = ("negated", "hedged", "of_others")
UNTOLD = frozenset({"span", "quote", "nth", "unsure", "per", "qualifier", "dimension"})
"""What is not asked of a third reader, but of quantities, whose dimension is."""
Pool = dict[str, list[tuple[Item, bool]]]
"""What was seen of a text, by layer, and whether both readers saw it."""


def main() -> None:
    """Write questions or annotations."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name in ("texts", "first", "second"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--ask", type=Path)
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    first, second = _by_id(given.first), _by_id(given.second)
    texts = {name: item for name, item in _by_id(given.texts).items() if name in first and name in second}
    pools = {name: pool(item, first[name], second[name]) for name, item in texts.items()}
    if given.ask:
        _write(given.ask, (line for name, item in texts.items() if (line := questions(item, pools[name])) is not None))
    if given.answers and given.out:
        answers = _by_id(given.answers)
        _write(given.out, (settled(item, pools[name], answers.get(name, {})) for name, item in texts.items()))


def pool(text: Item, first: Item, second: Item) -> Pool:
    """Return everything that was seen of a text, each reading once."""
    read = annotated(text["text"], text.get("kind"))
    found: Pool = {}
    for layer in LAYERS:
        one, two = ([_placed(text["text"], x) for x in seen.get(layer, ())] for seen in (first, second))
        both, of_one, of_two = paired(one, two, partial(same, layer))
        again, _, _ = paired(two, both, partial(same, layer))
        doubted = [x for x in again if x.get("unsure")]
        seen = [(x, not x.get("unsure") and not any(same(layer, x, other) for other in doubted)) for x in both]
        seen += [(x, False) for x in (*of_one, *of_two)]
        _, _, beyond = paired([x for x, _ in seen], read[layer], partial(same, layer))
        found[layer] = seen + [(x, False) for x in beyond]
    stances = (first.get("stance", {}), second.get("stance", {}), read["stance"])
    told = {key: [bool(stance.get(key)) for stance in stances] for key in STANCES}
    found["stance"] = [({"kind": key}, all(said[:2])) for key, said in told.items() if any(said)]
    return found


def _placed(text: str, item: Item) -> Item:
    at = -1
    for _ in range(item.get("nth", 1)):
        at = text.index(item["quote"], at + 1)
    return {**item, "span": [at, at + len(item["quote"])]}


def questions(text: Item, found: Pool) -> Item | None:
    """Return what a third reader is asked of a text, in an order that tells nothing; None where nothing is open."""
    asked = [{"n": n, "layer": layer, **_shown(layer, text["text"], item)} for n, layer, item in _open(found)]
    random.Random(text["id"]).shuffle(asked)
    return {"id": text["id"], "kind": text.get("kind"), "text": text["text"], "asked": asked} if asked else None


def _open(found: Pool) -> Iterator[tuple[int, str, Item]]:
    left = ((layer, item) for layer, items in found.items() for item, settled_by_both in items if not settled_by_both)
    for number, (layer, item) in enumerate(left, 1):
        yield number, layer, item


def _shown(layer: str, text: str, item: Item) -> Item:
    kept = {k: v for k, v in item.items() if k not in UNTOLD or (k == "dimension" and layer == "quantities")}
    return {"quote": text[slice(*item["span"])], "at": item["span"][0], **kept} if "span" in item else kept


def settled(text: Item, found: Pool, answer: Mapping[str, Any]) -> Item:
    """Return the annotation of a text: what both saw, and what the third reader called right or either.

    Raises:
        KeyError: a question has no answer.
    """
    said = {each["n"]: each["answer"] for each in answer.get("answers", ())}
    held: dict[str, list[Item]] = {layer: [] for layer in found}
    for layer, items in found.items():
        held[layer] = [_kept(item, unsure=False) for item, by_both in items if by_both]
    for number, layer, item in _open(found):
        if said[number] != "wrong":
            held[layer].append(_kept(item, unsure=said[number] == "either"))
    stance = {item["kind"]: not item.get("unsure") for item in held.pop("stance")}
    pointer = {key: text[key] for key in ("id", "path", "at", "sha256", "kind") if key in text}
    return {**pointer, **held, "stance": {key: stance.get(key, False) for key in STANCES}}


def _kept(item: Item, *, unsure: bool) -> Item:
    kept = {key: value for key, value in item.items() if key not in ("quote", "nth", "unsure")}
    return {**kept, "unsure": True} if unsure else kept


def _by_id(path: Path) -> dict[str, Item]:
    lines: Sequence[str] = path.read_text(encoding="utf-8").splitlines()
    return {item["id"]: item for line in lines if line.strip() for item in [json.loads(line)]}


def _write(path: Path, items: Iterator[Item]) -> None:
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")


if __name__ == "__main__":
    main()
