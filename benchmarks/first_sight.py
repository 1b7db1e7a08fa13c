"""Gather what was measured at first sight, before anything was mended for it, into docs/first_sight.json.

The figures themselves stay where each bench keeps them: published rounds (`data/rounds`), whole documents
(`data/wild`), reports with labels (`data/labelled`), texts for the reader of words (`data/reading`). The page
docs/first-sight.md and the pages of the rules show what this file holds. Nobody is named.

    first_sight.py            print it
    first_sight.py --write    write docs/first_sight.json
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / "data"
TARGET = HERE.parent / "docs" / "first_sight.json"
ORDER = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
)  # fmt: skip
"""Names of sets of texts and of batches of documents, in the order in which they were measured."""
LAYERS = ("quantities", "counts", "comparisons")


def rounds() -> list[dict[str, Any]]:
    """Return the published rounds: results, FAILs, and accusing findings by judgement, where the round is known."""
    kept = json.loads((DATA / "rounds" / "first_sight.json").read_text(encoding="utf-8"))["known"]
    keys = ("results", "fail", "true", "false", "unfair")
    return [
        {"round": name.replace("_results_", " ")} | {key: row.get(key, 0) for key in keys} for name, row in kept.items()
    ]


def batches() -> list[dict[str, Any]]:
    """Return the batches of whole documents, in the order in which they were measured."""
    found = []
    for path in sorted((DATA / "wild").glob("*.jsonl"), key=lambda each: ORDER.index(each.stem)):
        rows = _lines(path)
        judged = Counter(judgement for row in rows for judgement in row["accusations"].values())
        found.append(
            {
                "batch": path.stem,
                "documents": len(rows),
                "read": sum(row["claims"] > 0 for row in rows),
                "claims": sum(row["claims"] for row in rows),
                **{name: judged[name] for name in ("true", "false", "unfair")},
                **_reading_of(path),
            }
        )
    return found


def _reading_of(batch: Path) -> dict[str, Any]:
    """Return what a reader judged of a sample of a batch's claims, and counted of its tables and sentences."""
    path = batch.with_name(f"{batch.stem}_reading.json")
    return {"reading": json.loads(path.read_text(encoding="utf-8"))} if path.exists() else {}


def labelled() -> list[dict[str, Any]]:
    """Return the sets of labelled reports: the ways that both readers name or deny, and what was said of them."""
    found = []
    for path in sorted((DATA / "labelled").glob("*.jsonl"), key=lambda each: ORDER.index(each.stem)):
        rows = _lines(path)
        labels = [set(labels) for row in rows for labels in row["ways"].values()]
        figures = json.loads(path.with_name(f"{path.stem}_figures.json").read_text(encoding="utf-8"))
        agreed = {
            "violation": labels.count({"violation"}),
            "clean": labels.count({"clean"}),
            "contrary": labels.count({"violation", "clean"}),
        }
        found.append({"set": path.stem, "reports": len(rows), **agreed, **figures})
    return found


def reading() -> list[dict[str, Any]]:
    """Return the sets of annotated texts: precision and recall of the three layers, sure annotations, as counts."""
    kept = json.loads((DATA / "reading" / "figures.json").read_text(encoding="utf-8"))
    return [
        {
            "set": name,
            "texts": kept[name]["first_sight"]["texts"],
            **{layer: kept[name]["first_sight"]["figures"][f"{layer}, sure"] for layer in LAYERS},
        }
        for name in ORDER
        if name in kept
    ]


def rules() -> dict[str, dict[str, int]]:
    """Return how often each rule's accusations were right, over all rounds and batches."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for line in _lines(DATA / "rounds" / "findings.jsonl"):
        found[line["rule"]][line["judgement"]] += 1
    for path in sorted((DATA / "wild").glob("*.jsonl")):
        for row in _lines(path):
            for rule, judgement in row["accusations"].items():
                found[rule][judgement] += 1
    names = ("true", "false", "unfair")
    return {rule: {name: found[rule][name] for name in names} for rule in sorted(found)}


def _lines(path: Path) -> list[dict[str, Any]]:
    lines: Iterable[str] = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


if __name__ == "__main__":
    found = {"rounds": rounds(), "batches": batches(), "labelled": labelled(), "reading": reading(), "rules": rules()}
    text = json.dumps(found, indent=1)
    if "--write" in sys.argv:
        TARGET.write_text(text + "\n", encoding="utf-8")
    print(text)
