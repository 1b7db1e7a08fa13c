"""One report over all documents: verdicts, tiers, the rules that fired and the contradictions, counted as rows pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ..renderers.counts import counted
from ..report import Verdict
from ..terminal import safe
from .rows import NO_DOCUMENT, UNREADABLE, Row

ORDER = (*(verdict.words for verdict in reversed(Verdict)), UNREADABLE, NO_DOCUMENT)
MOST_RULES, MOST_EXAMPLES = 30, 20


class Summary:
    """Counts over all rows so far; as many examples of contradictions are kept as are shown."""

    def __init__(self) -> None:
        self.documents: Counter[str] = Counter()
        self.claims: Counter[str] = Counter()
        self.tiers: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.missing: Counter[str] = Counter()
        self.contradictions: Counter[str] = Counter()
        self.examples: dict[str, Row] = {}

    def add(self, rows: Iterable[Row]) -> None:
        """Count the rows of one file or folder: documents once, claims each, a rule once a claim."""
        documents: dict[str, str] = {}
        for row in rows:
            documents[row.document] = row.document_verdict
            self.rules.update(row.rules)
            self.missing.update(row.missing)
            codes = {each.partition(":")[0] for each in row.contradictions}
            self.contradictions.update(codes)
            for code in codes:
                self.examples.setdefault(code, row)
            if row.claim:
                self.claims[row.verdict] += 1
                self.tiers[row.tier] += 1
        self.documents.update(documents.values())

    @property
    def worst(self) -> Verdict | None:
        """The worst verdict of all documents; None where none has one."""
        return next((verdict for verdict in reversed(Verdict) if self.documents[verdict.words]), None)


def render(summary: Summary) -> str:
    """Return the report as text."""
    return "".join(f"{safe(line)}\n" for line in _lines(summary))


def _lines(summary: Summary) -> Iterator[str]:
    documents, claims = summary.documents.total(), summary.claims.total()
    yield f"{counted(documents, 'document')}, {counted(claims, 'claim')}"
    yield ""
    yield f"{'verdict':<24}{'documents':>12}{'claims':>12}"
    for words in ORDER:
        if summary.documents[words] or summary.claims[words]:
            yield f"{words:<24}{summary.documents[words]:>12,}{summary.claims[words]:>12,}"
    yield ""
    yield "tier of evidence: " + (", ".join(f"{name} {summary.tiers[name]:,}" for name in sorted(summary.tiers)) or "-")
    yield from _table("rules that fired", summary.rules)
    yield from _table("evidence not shown that decided", summary.missing)
    yield from _table("contradictions", summary.contradictions)
    for code, _ in summary.contradictions.most_common(MOST_EXAMPLES):
        row = summary.examples[code]
        message = next(each for each in row.contradictions if each.partition(":")[0] == code)
        yield f"  {row.document}, {row.claim or 'the document'}: {message}"


def _table(title: str, counts: Counter[str]) -> Iterator[str]:
    yield ""
    yield f"{title}, by claims:" if counts else f"{title}: none"
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    for code, number in ordered[:MOST_RULES]:
        yield f"  {code:<8}{number:>10,}"
    if len(ordered) > MOST_RULES:
        yield f"  and {len(ordered) - MOST_RULES} more"
