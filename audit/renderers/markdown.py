"""The report as a comment on a pull request: verdict first, a table of claims, findings folded away.

Whatever comes from a document stands in inline code or in a fenced block. There GitHub makes no HTML, no mention, no
link and no reference to an issue of it, and a run of backticks in the text is enclosed by a longer one. Under a
baseline the comment says first whether it passes, then what is new; what is known is one folded list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..lint.lint import Linted
from ..report import ClaimReport, Finding, Report, Verdict
from ..terminal import safe
from .alike import MANY, Cause, by_cause, by_kind, causes
from .counts import counted
from .news import fresh, headline, known, known_words, standing
from .places import relative
from .raised import tally
from .reasons import MEANS, named, worsening
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
        if item.report.against is None:
            parts += [_head(item), *_findings(item.report)]
        else:
            new = fresh(item.report)
            parts += [_head(item), *_findings(new), *_known(item.report)]
    text, left_out = MARK + "\n", 0
    for part in parts:
        if left_out or len(text) + len(part) > LIMIT:
            left_out += 1
        else:
            text += part
    if left_out:
        text += f"\n{left_out} further parts do not fit into one comment; the other formats have them all.\n"
    return text


def _head(item: Linted) -> str:
    report, found = item.report, item.report.against
    held = {claim.id: claim for claim in report.claims}
    stands = f"{SYMBOLS[standing(report, found)]} {headline(report, found)}" if found else verdict(report.verdict)
    lines = ["", f"## {stands}", "", f"{code(relative(item.path))}: {code(report.title)}", ""]
    if found is None:
        lines += [f"{MEANS[report.verdict]}\n"] if report.verdict in MEANS else []
        worse = worsening(report)
        lines += [f"<code>{worse.code}</code>: {code(worse.message)}", ""] if worse is not None else []
        lines += [_counts(report), ""]
    else:
        claims = counted(len(report.claims), "claim")
        lines += [f"{claims}; {known_words(report, found)}; profile {report.profile}.", ""]
        report = fresh(report)
    if report.claims:
        lines += ["| claim | value | verdict | why | evidence |", "|---|---|---|---|---|"]
        for claim, *others in by_kind(report.claims):
            why = [code(claim.why, cell=True)] if claim.why else []
            why += _waived(held[each.id] for each in (claim, *others))
            value = code(claim.value, cell=True) if claim.value else ""
            name = code(claim.id, cell=True) + (f" and {counted(len(others), 'similar claim')}" if others else "")
            row = (name, value, verdict(claim.verdict), "; ".join(why), claim.tier)
            lines.append(f"| {' | '.join(row)} |")
        lines.append("")
    lines += [f"{note}.\n" for note in report.notes]
    lines += _left_out(report)
    return "\n".join(lines) + "\n"


def _waived(claims: Iterable[ClaimReport]) -> Iterable[str]:
    """Return which rules are waived for claims, and until when."""
    found = [(finding.code, finding.waived) for claim in claims for finding in claim.findings]
    return dict.fromkeys(
        f"<code>{rule}</code> waived until {code(by.expires, cell=True)}" for rule, by in found if by is not None
    )


def _left_out(report: Report) -> Iterator[str]:
    if report.left_out:
        more = len(report.left_out) - MOST_LEFT_OUT
        yield f"**Not judged: {counted(len(report.left_out), 'file')}.**\n"
        yield from (f"- {code(relative(each.shown))}: {code(each.reason)}" for each in report.left_out[:MOST_LEFT_OUT])
        yield f"- and {more:,} more\n" if more > 0 else ""


def verdict(found: Verdict | None) -> str:
    """Return a verdict with its symbol."""
    return f"{SYMBOLS[found]} {found.words if found is not None else 'NO VERDICT'}"


def _known(report: Report) -> Iterator[str]:
    """Yield one folded list of what is known or waived, a rule a line."""
    found = [_line(each.first, each.claims) for each in known(report)]
    if found:
        yield _folded(f"Known or waived: {counted(len(found), 'rule')}", found)


def _folded(summary: str, lines: Iterable[str]) -> str:
    return "\n".join([f"<details><summary>{summary}</summary>", "", *lines, "", "</details>"]) + "\n"


def _line(finding: Finding, claims: tuple[str, ...]) -> str:
    """Return a finding with its claims as an item of a list."""
    waived = finding.waived
    more = f" and {len(claims) - MOST_NAMED:,} more" if len(claims) > MOST_NAMED else ""
    of = f": {', '.join(map(code, claims[:MOST_NAMED]))}{more}" if claims else ""
    by = f", waived by {code(waived.approver)} until {code(waived.expires)}" if waived is not None else ""
    return f"- {_new(finding)}<code>{finding.code}</code> {named(finding)}{by}{of}"


def _new(finding: Finding) -> str:
    return "new: " if finding.known is False else ""


def _counts(report: Report) -> str:
    findings = report.all_findings
    if any(finding.code == INVALID for finding in findings):
        return f"Not a valid document: {counted(len(findings), 'problem')}."
    return f"{', '.join((counted(len(report.claims), 'claim'), *tally(report)))}; profile {report.profile}."


def _findings(report: Report) -> Iterator[str]:
    """Yield the findings by cause, of many claims the gravest first, of few what decides; what is minor is a list."""
    if len(report.claims) <= MANY:
        found = sorted(by_cause(report), key=lambda cause: not cause.first.decides)
    else:
        found = [*causes(report.claims), *(Cause(finding, ()) for finding in report.findings)]
    for cause in found:
        if not cause.first.is_minor:
            yield "\n".join(_finding(cause.first, cause.claims)) + "\n"
    minor = [_line(cause.first, cause.claims) for cause in found if cause.first.is_minor]
    if minor:
        yield _folded(f"Not shown, and not required here: {counted(len(minor), 'item')}", minor)


def _finding(finding: Finding, claims: tuple[str, ...]) -> Iterator[str]:
    """Yield a finding, with the claims of which its rule says the same."""
    waived = ", waived" if finding.waived is not None else ""
    waived += f": {len(claims)} claims" if len(claims) > 1 else ""
    head = f"<code>{finding.code}</code> {named(finding)}: {grade(finding)}{waived} [{finding.fingerprint[:8]}]"
    yield f"<details><summary>{_new(finding)}{head}</summary>"
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
        yield from ("An example, to fill in with your own names and numbers:", "", *fenced(finding.provide), "")
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
