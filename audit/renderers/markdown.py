"""The report as a comment on a pull request: verdict first, a table of claims, findings folded away.

Whatever comes from a document stands in inline code or in a fenced block. There GitHub makes no HTML, no mention, no
link and no reference to an issue of it, and a run of backticks in the text is enclosed by a longer one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..lint.lint import Linted
from ..report import Finding, Report, Verdict
from ..terminal import safe
from .alike import MANY, by_kind, causes
from .counts import counted, found
from .places import relative
from .severity import INVALID, grade

MARK = "<!-- dlaudit -->"
MOST_LEFT_OUT = 20
MOST_NAMED = 40
LIMIT = 60_000
"""Characters of a comment; GitHub takes 65,536."""
SYMBOLS = {
    Verdict.FAIL: "❌",
    Verdict.INSUFFICIENT_EVIDENCE: "❔",
    Verdict.PASS_WITH_CAVEATS: "⚠️",
    Verdict.PASS: "✅",
    None: "⛔",
}


def render(linted: Iterable[Linted]) -> str:
    """Return the reports of one or several documents as one comment; what is too much for one is counted."""
    parts: list[str] = []
    for item in linted:
        parts += [_head(item), *_findings(item.report)]
    text, left_out = MARK + "\n", 0
    for part in parts:
        if left_out or len(text) + len(part) > LIMIT:
            left_out += 1
        else:
            text += part
    if left_out:
        text += f"\n{left_out} further parts do not fit into one comment; the other formats hold them all.\n"
    return text


def _head(item: Linted) -> str:
    report = item.report
    lines = ["", f"## {verdict(report.verdict)}", "", f"{code(relative(item.path))}: {code(report.title)}", ""]
    lines += [_counts(report), ""]
    if report.claims:
        lines += ["| claim | value | verdict | why | evidence |", "|---|---|---|---|---|"]
        for claim, *others in by_kind(report.claims):
            why = code(claim.why, cell=True) if claim.why else ""
            value = code(claim.value, cell=True) if claim.value else ""
            name = code(claim.id, cell=True) + (f" and {len(others)} more like it" if others else "")
            row = (name, value, verdict(claim.verdict), why, claim.tier)
            lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    lines += [f"{note}.\n" for note in report.notes]
    lines += _left_out(report)
    return "\n".join(lines) + "\n"


def _left_out(report: Report) -> Iterator[str]:
    if report.left_out:
        more = len(report.left_out) - MOST_LEFT_OUT
        yield f"**Handed in, not judged: {len(report.left_out):,} file(s).**\n"
        yield from (f"- {code(relative(each.shown))}: {code(each.reason)}" for each in report.left_out[:MOST_LEFT_OUT])
        yield f"- and {more:,} more\n" if more > 0 else ""


def verdict(found: Verdict | None) -> str:
    """Return a verdict with its symbol."""
    return f"{SYMBOLS[found]} {found.words if found is not None else 'NO VERDICT'}"


def _counts(report: Report) -> str:
    findings = report.all_findings
    if any(finding.code == INVALID for finding in findings):
        return f"Not a valid document: {counted(len(findings), 'problem')}."
    return f"{', '.join((counted(len(report.claims), 'claim'), *found(report)))}; profile {report.profile}."


def _findings(report: Report) -> Iterator[str]:
    """Yield each finding; of a document with many claims those of one cause together."""
    if len(report.claims) <= MANY:
        for finding in sorted(report.all_findings, key=lambda item: not item.decides):
            yield "\n".join(_finding(finding)) + "\n"
        return
    for cause in causes(report.claims):
        yield "\n".join(_finding(cause.first, cause.claims)) + "\n"
    for finding in report.findings:
        yield "\n".join(_finding(finding)) + "\n"


def _finding(finding: Finding, claims: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield a finding, with the claims of which its rule says the same."""
    waived = ", waived" if finding.waived is not None else ""
    waived += f": {len(claims)} claims" if len(claims) > 1 else ""
    yield f"<details><summary><code>{finding.code}</code> {finding.name}: {grade(finding)}{waived}</summary>"
    yield ""
    if finding.claim is not None:
        yield f"Claim {code(finding.claim)}: {code(finding.message)}"
    else:
        yield code(finding.message)
    yield ""
    location = finding.location
    yield f"- at {code(location.within(relative(location.file)))}" + _pointer(location.pointer)
    for other, note in finding.related:
        yield f"- see {code(other.within(relative(other.file)))}: {code(note)}"
    values = (("claimed", finding.claimed), ("recomputed", finding.recomputed))
    yield from (f"- {word} {code(value)}" for word, value in values if value is not None)
    yield from (f"- `{member}`: {code(message)}" for member, message in finding.members)
    if len(claims) > 1:
        more = f" and {len(claims) - MOST_NAMED:,} more" if len(claims) > MOST_NAMED else ""
        yield f"- the same of {', '.join(map(code, claims[1:MOST_NAMED]))}{more}"
    if finding.waived is not None:
        yield f"- waived by {code(finding.waived.approver)} until {code(finding.waived.expires)}: " + code(
            finding.waived.justification
        )
    if finding.next_step:
        yield f"- next: {code(finding.next_step) if finding.code == INVALID else finding.next_step}"
    yield ""
    if finding.provide:
        yield from (*fenced(finding.provide), "")
    yield "</details>"


def _pointer(pointer: str) -> str:
    return f" ({code(pointer)})" if pointer else ""


def code(text: str, *, cell: bool = False) -> str:
    r"""Return text as inline code; in a cell of a table a bar is written as `\x7c`, since it would end the cell."""
    shown = safe(text).replace("|", r"\x7c") if cell else safe(text)
    if not shown.strip():
        return "` `"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    return f"{fence} {shown} {fence}" if shown[0] in "` " or shown[-1] in "` " else f"{fence}{shown}{fence}"


def fenced(text: str) -> Iterator[str]:
    """Yield text as a fenced block."""
    lines = [safe(line) for line in text.rstrip("\n").split("\n")]
    fence = "`" * max(3, 1 + max((len(run) for line in lines for run in re.findall("`+", line)), default=0))
    yield from (f"{fence}yaml", *lines, fence)
