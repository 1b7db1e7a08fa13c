"""The generated page of docs/ on first sight: rounds, documents, labelled reports, the reader of words, rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..rules.statistics.proportions import wilson_bounds

FIRST_SIGHT = """\
How the rules and their reader did on what they had never seen: each part was collected and judged by people who saw
neither code nor rules, measured once, and fixed only afterwards. A figure after mending says that the causes of old
errors are gone; what the next reader should expect is here. An accusation is a violation that refutes or undermines; it
was right where a careful reader of the document accepts it, false where the rule misread or held a convention that is
none, unfair where what it says is right and harmless. Brackets hold 95 % intervals (Wilson). Printed by
`python benchmarks/first_sight.py`."""

ROUNDS = """\
Every submitter's folder of the published rounds of MLPerf Training, HPC and Inference that could be had, judged as it
was handed in. The organisers had accepted all of these results, so that few contradictions are left in them; what is
left is mostly copied or mixed runs, descriptions that contradict the logs, and values beyond the rules of the round.
The rounds stand in the order in which they were first read: those of inference before v5.1 and of HPC before v2.0 after
the rules had been mended on all others."""

DOCUMENTS = """\
Whole documents of strangers - READMEs, posts, logs, records, pages - in batches from projects that no earlier batch
used. Read are those that gave at least one claim. Of documents and rules, a pair counts once."""

READING = """\
Sentences, headings, captions and cells of documents, annotated by readers: of quantities, counts and comparisons that
the annotator was sure of, how many readings were right (precision) and how many were found (recall)."""

LABELLED = """\
Whole reports, in sets of twelve, that two readers labelled apart by the twelve ways, and a third wrote down as
submissions from the guide alone. Ways on which the two agree are counted. A way counts as named where a rule of it
violates or lacks what it requires: what is required and not shown is asked, no accusation, but asked of a report that
both readers call clean it is wrong all the same. False ones count also where the readers leave a way open and a rule
sees a violation; "accused" are those that are violations. Most of what is missed needs a reader who judges what a
choice of cases, a baseline or an end of training is worth."""

LAYERS = ("quantities", "counts", "comparisons")
LEAST = 5
"""Judged accusations from which a rule's share is shown."""


def first_sight_page(found: Mapping[str, Any]) -> str:
    """Return the page.

    Args:
        found: docs/first_sight.json.
    """
    parts = (
        _rounds(found.get("rounds", ())),
        _documents(found.get("batches", ())),
        _labelled(found.get("labelled", ())),
        _reading(found.get("reading", ())),
    )
    lines = ["# At first sight", "", FIRST_SIGHT, "", *(line for part in parts for line in part)]
    return "\n".join([*lines, *_rules(found.get("rules", {}))]) + "\n"


def _rounds(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("## Published rounds", "", ROUNDS, "")
    yield "| round | results | verdict FAIL | accusations | right | false | unfair | share right |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        yield f"| {row['round']} | {row['results']:,} | {row['fail']} | {_judged(row)} |"
    yield ""


def _documents(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("## Whole documents", "", DOCUMENTS, "")
    yield "| batch | documents | read | claims | accusations | right | false | unfair | share right |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for row in rows:
        yield f"| {row['batch']} | {row['documents']} | {row['read']} | {row['claims']:,} | {_judged(row)} |"
    yield ""
    for row in rows:
        if "reading" in row:
            yield from (_of_reading(row["batch"], row["reading"]), "")


def _of_reading(batch: str, found: Mapping[str, Mapping[str, int]]) -> str:
    """Return what a reader of the documents judged of claims, tables and sentences."""
    claims, tables, sentences = found["claims"], found["tables"], found["sentences"]
    total = sum(claims.values())
    return (
        f"Of {total} claims drawn from the {batch} batch a reader of the documents judged {claims['right']} right, "
        f"{claims['partly']} partly right (the right number, with a wrong scope, mode or condition), {claims['wrong']} "
        f"wrong and {claims['invented']} invented. Of {tables['all']} tables of results {tables['read']} gave claims, "
        f"and of {sentences['all']} sentences that state a performance {sentences['read']}."
    )


def _labelled(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("## Labelled reports", "", LABELLED, "")
    yield "| set | reports | violation by both | clean | contrary | found | false | accused | precision | recall |"
    yield f"|{'---|' * 10}"
    for row in rows:
        counts = (
            row[key] for key in ("reports", "violation", "clean", "contrary", "found", "false", "false_accusations")
        )
        precision = _precision(row["found"], row["found"] + row["false"])
        recall = _precision(row["found"], row["found"] + row["missed"])
        yield f"| {row['set']} | {' | '.join(map(str, counts))} | {precision} | {recall} |"
    yield ""


def _reading(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield from ("## The reader of words", "", READING, "")
    yield f"| set | texts | {' | '.join(f'{layer}: precision | recall' for layer in LAYERS)} |"
    yield f"|{'---|' * 8}"
    for row in rows:
        pairs = ((row[layer]["hits"], row[layer][of]) for layer in LAYERS for of in ("read", "annotated"))
        yield f"| {row['set']} | {row['texts']} | {' | '.join(_precision(*pair) for pair in pairs)} |"
    yield ""


def _rules(rows: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    yield from (f"## Rules whose accusations were judged at least {LEAST} times", "")
    yield "| rule | accusations | right | false | unfair | share right |"
    yield "|---|---|---|---|---|---|"
    for code, row in rows.items():
        if _total(row) >= LEAST:
            yield f"| [{code}](rules/{code}.md) | {_judged(row)} |"


def _total(row: Mapping[str, int]) -> int:
    return row["true"] + row["false"] + row["unfair"]


def _judged(row: Mapping[str, int]) -> str:
    total = _total(row)
    return f"{total} | {row['true']} | {row['false']} | {row['unfair']} | {_precision(row['true'], total)}"


def _precision(hits: int, n: int) -> str:
    if not n:
        return "-"
    low, high = wilson_bounds(hits / n, n)
    return f"{hits / n:.2f} [{low:.2f}, {high:.2f}]"
