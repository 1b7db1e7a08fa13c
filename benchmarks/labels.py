"""Precision and recall per way on hand-labelled real reports.

Needs DLAUDIT_CORPUS (the folder with labels.json) and DLAUDIT_TRANSCRIPTS (a folder with one submission per label,
<id>.yaml, transcribed by someone who has not read the rules). Neither is part of the repository.

A way is reported where one of its rules finds a violation, where evidence that the reviewer profile requires is not
shown, or where a note says that a throughput number says nothing about convergence (ways 1 and 2). Whatever else is not
shown is a question, not a report. Of the labels only the explicit ones count: a way that a report plainly exhibits
(positive), and a way that it is clean of (negative). Where a label says "not stated", a violation is an accusation
without evidence and counts against precision.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

from dlaudit.audit.lint.lint import Settings, lint
from dlaudit.audit.report import Report
from dlaudit.audit.verdict import THROUGHPUT
from dlaudit.schemas.source import read
from dlaudit.schemas.validation import check

WAYS = range(1, 13)


def reported(report: Report) -> dict[int, str]:
    """Return how each way is reported: violation, required, note, or empty."""
    found = dict.fromkeys(WAYS, "")
    if any(note.startswith(THROUGHPUT) for claim in report.claims for note in claim.notes):
        found[1] = "note"
    if any(note.startswith(THROUGHPUT) for note in report.notes):
        found[2] = "note"
    for finding in report.all_findings:
        if finding.code.startswith("W"):
            way = int(finding.code[1:3])
            if finding.outcome == "violation":
                found[way] = "violation"
            elif finding.decides and found[way] != "violation":
                found[way] = "required"
    return found


def score(labels: list[dict[str, list[int]]], outcomes: list[dict[int, str]], way: int) -> Counter[str]:
    """Count a way's answers against its labels."""
    count: Counter[str] = Counter()
    for label, outcome in zip(labels, outcomes, strict=True):
        flagged = bool(outcome[way])
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
                print(f"  {label['id']}: way {way} {what} ({outcome[way] or 'silent'})")


def row(name: str, count: Counter[str]) -> str:
    """Return a row of the table."""
    wrong = count["false"] + count["accused"]
    precision = f"{count['found'] / (count['found'] + wrong):.2f}" if count["found"] + wrong else "-"
    recall = f"{count['found'] / (count['found'] + count['missed']):.2f}" if count["found"] + count["missed"] else "-"
    return f"| {name} | {count['found']} | {count['missed']} | {wrong} | {count['quiet']} | {precision} | {recall} |"


if __name__ == "__main__":
    main()
