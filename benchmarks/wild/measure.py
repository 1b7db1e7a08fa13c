"""What lint says of whole documents of strangers at first sight, and how much of it was judged to be true.

A batch is collected by somebody who knows neither rules nor code: documents of projects that no earlier batch used,
chosen by content. Somebody else judges what was said, from the document alone. `data/wild/BATCH.jsonl` holds one
object a document: where it is to be had (repository, commit, path), the SHA-256 of its bytes, its kind, and what was
said at first sight, on a committed version, before anything was mended for it: whether it could be read, the number of
claims, the verdict, and its accusing rules (a violation that refutes or undermines) with a judgement each: true; false,
where the rule misread or holds a convention that is none; unfair, where what it says is right and harmless; open.

`DLAUDIT_WILD` names a folder with the texts, as BATCH/NN/NAME beside BATCH/origin.jsonl.

    measure.py                 judge all batches that lie there; print figures at first sight and now
    measure.py --first BATCH   write what is said of a new batch at first sight, its judgements open
    measure.py --show BATCH    print every accusation of a batch in words, for whoever judges
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from dlaudit.audit.lint.lint import Linted
from dlaudit.audit.lint.paths import lint_paths
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.report import Verdict
from dlaudit.rules.statistics.proportions import wilson_bounds
from dlaudit.schemas.errors import UserError

DATA = Path(__file__).parents[1] / "data" / "wild"
GRAVE = ("refutes", "undermines")


def said(path: Path) -> dict[str, Any]:
    """Return what is said of a document: an error, or claims, verdict and accusing rules."""
    try:
        linted = lint_paths([str(path)], Settings(today="2026-01-01"))
    except UserError as error:
        return {"error": error.what, "claims": 0, "verdict": "", "accusations": {}}
    claims = [claim for item in linted for claim in item.report.claims]
    worst = max((Verdict(claim.verdict) for claim in claims), default=None)
    rules = sorted({finding.code for finding in grave(linted)})
    return {
        "claims": len(claims),
        "verdict": worst.words if worst is not None else "",
        "accusations": dict.fromkeys(rules, "open"),
    }


def grave(linted: list[Linted]) -> Iterator[Any]:
    """Yield the findings that accuse."""
    for item in linted:
        for finding in item.report.all_findings:
            if finding.outcome == "violation" and finding.effect in GRAVE:
                yield finding


def documents(texts: Path, batch: str) -> Iterator[tuple[dict[str, Any], Path]]:
    """Yield the pointer of each document of a batch with its file, whose digest is checked."""
    for line in (texts / batch / "origin.jsonl").read_text(encoding="utf-8").splitlines():
        origin = json.loads(line)
        (path,) = (texts / batch / origin["n"]).iterdir()
        if sha256(path.read_bytes()).hexdigest() != origin["sha256"]:
            raise SystemExit(f"{path} is not the document that its pointer names")
        yield {key: origin[key] for key in ("repository", "commit", "path", "sha256", "kind")}, path


def first(texts: Path, batch: str) -> None:
    """Write what is said of a new batch, all judgements open."""
    target = DATA / f"{batch}.jsonl"
    if target.exists():
        raise SystemExit(f"{target} holds a first sight already: there is only one")
    rows = [{**pointer, **said(path)} for pointer, path in documents(texts, batch)]
    target.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report(batch, rows)


def show(texts: Path, batch: str) -> None:
    """Print each accusation with its document and place."""
    for pointer, path in documents(texts, batch):
        try:
            linted = lint_paths([str(path)], Settings(today="2026-01-01"))
        except UserError:
            continue
        shown: Counter[str] = Counter()
        for finding in grave(linted):
            shown[finding.code] += 1
            if shown[finding.code] <= 3:
                place = f"{path}:{finding.location.line}"
                print(f"{pointer['sha256'][:8]} {finding.code} {finding.name}\n  {place}\n  {finding.message}\n")


def report(name: str, rows: list[Mapping[str, Any]]) -> None:
    """Print the figures of a batch."""
    judged = Counter(judgement for row in rows for judgement in row["accusations"].values())
    right, all_judged = judged["true"], sum(judged.values()) - judged["open"]
    wrong = sum(bool(row["accusations"]) and set(row["accusations"].values()) <= {"false", "unfair"} for row in rows)
    bounds = wilson_bounds(right / all_judged, all_judged) if all_judged else None
    share = f"{right / all_judged:.2f} [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds is not None else "-"
    print(
        f"{name}: {len(rows)} documents, {sum('error' in row for row in rows)} refused, "
        f"{sum(row['claims'] > 0 for row in rows)} with claims ({sum(row['claims'] for row in rows)}); "
        f"accusing pairs {dict(judged)}, right {share}; accused wholly wrongly {wrong}"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", metavar="BATCH")
    parser.add_argument("--show", metavar="BATCH")
    chosen = parser.parse_args()
    texts = Path(os.environ.get("DLAUDIT_WILD", ""))
    if "DLAUDIT_WILD" not in os.environ:
        sys.exit("DLAUDIT_WILD must name the folder with the documents")
    if chosen.first:
        first(texts, chosen.first)
    elif chosen.show:
        show(texts, chosen.show)
    else:
        for path in sorted(DATA.glob("*.jsonl")):
            kept = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            report(f"{path.stem} at first sight", kept)
            if (texts / path.stem).is_dir():
                told = {row["sha256"]: row["accusations"] for row in kept}
                now = [{**pointer, **said(file)} for pointer, file in documents(texts, path.stem)]
                for row in now:
                    known = told[row["sha256"]]
                    row["accusations"] = {rule: known.get(rule, "open") for rule in row["accusations"]}
                report(f"{path.stem} now", now)


if __name__ == "__main__":
    main()
