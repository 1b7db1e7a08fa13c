"""Precision and recall per way on hand-labelled real reports.

Needs DLAUDIT_CORPUS (the folder with labels.json) and DLAUDIT_TRANSCRIPTS (a folder with one submission per label,
<id>.yaml, transcribed by someone who has not read the rules). Neither is part of the repository.

A way is reported where one of its rules
    violation  finds positive evidence,
    required   misses evidence that the reviewer profile requires, and the document holds none of it,
    note       says of a throughput that nothing shows convergence.
A document without any quality value shows no convergence either, so that the note of way 2 tells of way 1, too. A
finding that points to evidence and asks what it stands for (on which split, of which run) is a question, no report.

Of the labels only the explicit ones count: a way that a report plainly exhibits (positive), and a way that it is clean
of (negative). Where a label says "not stated", a violation is an accusation without evidence and counts against
precision; all else is right.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.verdict import Assessment, assess
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import NotShown, Outcome
from dlaudit.schemas.source import read
from dlaudit.schemas.validation import check

WAYS = range(1, 13)
RANK = ("", "note", "required", "violation")
Label = dict[str, list[int]]


def reported(case: Case) -> dict[int, str]:
    """Return how each way is reported: violation, required, note, or empty."""
    found = dict.fromkeys(WAYS, "")
    ways = [rule for rule in book() if rule.code.startswith("W")]
    for result in judge(case, ways):
        if result.claim is None:
            continue
        how, way = _how(assess(result, case.submission.claims[result.claim], case)), int(result.code[1:3])
        for told in (1, 2) if (how, way) == ("note", 2) else (way,):
            found[told] = max(found[told], how, key=RANK.index)
    return found


def _how(assessment: Assessment) -> str:
    branch = assessment.result.branch
    if assessment.result.outcome is Outcome.VIOLATION:
        return "violation"
    if not isinstance(branch, NotShown) or branch.question:
        return ""
    return "required" if assessment.item else "note" if assessment.noted else ""


def score(labels: list[Label], outcomes: list[dict[int, str]], way: int) -> Counter[str]:
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
        print("skipped: set DLAUDIT_CORPUS and DLAUDIT_TRANSCRIPTS")
        return
    labels, outcomes, titles = [], [], []
    for label in json.loads((Path(corpus) / "labels.json").read_text(encoding="utf-8")):
        path = Path(transcripts) / f"{label['id']}.yaml"
        if path.exists():
            linted = lint(Document(check(read(path), "submission"), "submission", path.parent), Settings())
            labels.append(label)
            outcomes.append(reported(linted.case))
            titles.append(linted.report.title)
    print(f"{len(labels)} labelled reports\n")
    print("| way | found | missed | false | quiet | precision | recall |\n|---|---|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for way in WAYS:
        count = score(labels, outcomes, way)
        total += count
        print(row(str(way), count))
    print(row("all", total))
    print("\nDisagreements:")
    for label, outcome, title in zip(labels, outcomes, titles, strict=True):
        for way in WAYS:
            what = next(iter(+score([label], [outcome], way)), "")
            if what in {"missed", "false", "accused"}:
                print(f"  way {way}, {what} ({outcome[way] or 'silent'}): {title}")


def row(name: str, count: Counter[str]) -> str:
    """Return a row of the table."""
    wrong = count["false"] + count["accused"]
    precision = f"{count['found'] / (count['found'] + wrong):.2f}" if count["found"] + wrong else "-"
    recall = f"{count['found'] / (count['found'] + count['missed']):.2f}" if count["found"] + count["missed"] else "-"
    return f"| {name} | {count['found']} | {count['missed']} | {wrong} | {count['quiet']} | {precision} | {recall} |"


if __name__ == "__main__":
    main()
