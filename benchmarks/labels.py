"""Precision and recall per way on hand-labelled real reports.

Needs DLAUDIT_CORPUS (the folder with labels.json) and DLAUDIT_TRANSCRIPTS (a folder with one submission per label,
<id>.yaml, transcribed by someone who has not read the rules). Neither is part of the repository.

A way is reported where one of its rules finds a violation, or misses evidence that would clear it (not shown; for a
throughput number that is one note). Of the labels only the explicit ones count: a way that a report plainly exhibits
(positive), and a way that it is clean of (negative). Where a label says "not stated", a violation is an accusation
without evidence and counts against precision; "not shown" is the right answer there.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

from dlaudit.audit.lint.lint import Settings, lint
from dlaudit.audit.report import Report
from dlaudit.schemas.source import read
from dlaudit.schemas.validation import check

WAYS = range(1, 13)


def reported(report: Report) -> dict[int, str]:
    """Return the strongest outcome per way over the claims of a report."""
    rank = ("", "not-applicable", "pass", "error", "not-shown", "violation")
    return {way: max((claim.ways[f"W{way:02}"] for claim in report.claims), key=rank.index) for way in WAYS}


def score(labels: list[dict[str, list[int]]], outcomes: list[dict[int, str]], way: int) -> Counter[str]:
    """Count a way's answers against its labels."""
    count: Counter[str] = Counter()
    for label, outcome in zip(labels, outcomes, strict=True):
        flagged = outcome[way] in {"violation", "not-shown"}
        if way in label["exhibits_strict"]:
            count["found" if flagged else "missed"] += 1
        elif way in label["clean_of"]:
            count["false" if flagged else "quiet"] += 1
        elif way in label["not_stated"]:
            count["accused" if outcome[way] == "violation" else "open"] += 1
    return count


def main() -> None:
    """Print the table, and every disagreement by name."""
    corpus, transcripts = os.environ.get("DLAUDIT_CORPUS"), os.environ.get("DLAUDIT_TRANSCRIPTS")
    if corpus is None or transcripts is None:
        sys.exit("bench-labels: set DLAUDIT_CORPUS and DLAUDIT_TRANSCRIPTS")
    labels, outcomes = [], []
    for label in json.loads((Path(corpus) / "labels.json").read_text()):
        path = Path(transcripts) / f"{label['id']}.yaml"
        if not path.exists():
            print(f"no transcript of {label['id']}", file=sys.stderr)
            continue
        labels.append(label)
        outcomes.append(reported(lint(check(read(path), "submission"), path.parent, Settings()).report))
    print(f"{len(labels)} reports\n")
    print("| way | found | missed | false | quiet | precision | recall |\n|---|---|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for way in WAYS:
        count = score(labels, outcomes, way)
        total += count
        print(row(str(way), count))
    print(row("all", total))
    print("\nDisagreements:")
    for label, outcome in zip(labels, outcomes, strict=True):
        for way in WAYS:
            what = next(iter(+score([label], [outcome], way)), "")
            if what in {"missed", "false", "accused"}:
                print(f"  {label['id']}: way {way} {what} ({outcome[way] or 'no rule'})")


def row(name: str, count: Counter[str]) -> str:
    """Return a row of the table."""
    wrong = count["false"] + count["accused"]
    precision = f"{count['found'] / (count['found'] + wrong):.2f}" if count["found"] + wrong else "-"
    recall = f"{count['found'] / (count['found'] + count['missed']):.2f}" if count["found"] + count["missed"] else "-"
    return f"| {name} | {count['found']} | {count['missed']} | {wrong} | {count['quiet']} | {precision} | {recall} |"


if __name__ == "__main__":
    main()
