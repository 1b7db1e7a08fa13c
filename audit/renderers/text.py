"""The report for a terminal: verdict first, then each finding with its line, a caret, and the next step."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from ...rules.required import LEAST_TIER
from ..report import ClaimReport, Finding, LeftOut, Location, Report, Verdict
from ..terminal import inert, safe, width
from .alike import Cause, by_kind, causes
from .counts import counted, found

Said = set[tuple[str | None, ...]]
"""What a report has said: it says what holds of many claims in full once."""
WIDTH = 108
LIKE_IT = 12
MOST_LEFT_OUT = 10
MOST_CAUSES, FEW_NAMED, LONGEST_CAUSE = 12, 2, 160
NEXT = {
    "T2": "hand in the raw numbers",
    "T4": "measure with `dlaudit run`, sign the manifest, cite it, and judge with a trust file that lists the signer",
}
_COLOURS = {
    Verdict.PASS: "green",
    Verdict.PASS_WITH_CAVEATS: "yellow",
    Verdict.INSUFFICIENT_EVIDENCE: "magenta",
    Verdict.FAIL: "red",
}


def render(report: Report, path: str = "") -> str:
    """Return the report as text with ANSI colours, which `click.echo` strips where nobody sees them.

    Args:
        report: what was found.
        path: how the headline names the document, where its name alone does not tell it from others.
    """
    return inert("\n".join(_lines(report, path or report.file))) + "\n"


def _lines(report: Report, name: str) -> Iterator[str]:
    yield from _judged(report, name)
    if report.left_out:
        yield ""
        yield from _left_out(report.left_out)


def _left_out(left_out: tuple[LeftOut, ...]) -> Iterator[str]:
    files = "1 file" if len(left_out) == 1 else f"{len(left_out):,} files"
    yield f"handed in, not judged: {files}"
    for each in left_out[:MOST_LEFT_OUT]:
        yield from _wrapped(f"{each.shown}: {each.reason}", "  ", "    ")
    if len(left_out) > MOST_LEFT_OUT:
        yield f"  and {len(left_out) - MOST_LEFT_OUT:,} more, which `--format json` lists"


def _judged(report: Report, name: str) -> Iterator[str]:
    if report.verdict is None and report.findings:
        yield from _invalid(report, name)
        return
    yield f"{_verdict(report.verdict)}  {safe(name)}: {safe(report.title)}"
    yield f"profile {report.profile}, {', '.join((counted(len(report.claims), 'claim'), *found(report)))}"
    for note in report.notes:
        yield f"note: {safe(note)}"
    for study in report.studies:
        plans = "" if study.plans is None else f", {counted(study.plans, 'plan')} of this spec in the signer's ledger"
        witness = "" if study.witnessed else ", ledger unwitnessed"
        yield f"study {study.id}: signature {study.signature}{plans}{witness}"
    yield from _summary(report)
    said: Said = set()
    for first, *others in by_kind(report.claims):
        yield ""
        yield from _claim(first, report.profile, said)
        yield from _others(first, others)
    for finding in report.findings:
        yield ""
        yield from _finding(finding, "", said)


def _summary(report: Report) -> Iterator[str]:
    """Say of a document with many claims how many have each verdict, and what is found by cause."""
    found = causes(report.claims)
    if not found:
        return
    verdicts = sorted({claim.verdict for claim in report.claims}, reverse=True)
    counts = (f"{sum(claim.verdict == each for claim in report.claims):,} {each.words}" for each in verdicts)
    yield f"claims by verdict: {', '.join(counts)}"
    yield ""
    yield "by cause, what decides first:"
    for cause in found[:MOST_CAUSES]:
        yield from _cause(cause)
    if len(found) > MOST_CAUSES:
        yield f"  and {len(found) - MOST_CAUSES:,} more, told below"


def _cause(cause: Cause) -> Iterator[str]:
    item = cause.first
    results = "1 claim" if len(cause.claims) == 1 else f"{len(cause.claims):,} claims"
    named = ", ".join(cause.claims[:FEW_NAMED])
    more = f" and {len(cause.claims) - FEW_NAMED:,} more" if len(cause.claims) > FEW_NAMED else ""
    head = f"{item.code} {item.name}, {item.effect or item.outcome}: {results}: "
    yield from _wrapped(f"{head}{_cut(item.message)} ({named}{more})", "  ", "    ")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_CAUSE else f"{text[: LONGEST_CAUSE - 1]}…"


def _invalid(report: Report, name: str) -> Iterator[str]:
    problems = "one problem" if len(report.findings) == 1 else f"{len(report.findings)} problems"
    yield f"{click.style('NO VERDICT', bold=True)}  {safe(name)}: not a valid document, {problems}"
    for note in report.notes:
        yield f"note: {safe(note)}"
    for finding in report.findings:
        location = finding.location
        where = f"{safe(location.within(location.file))} ({safe(location.pointer)})"
        yield f"{where}: {safe(finding.message)}; {safe(finding.next_step)}"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return click.style("NO VERDICT", bold=True)
    return click.style(verdict.words, fg=_COLOURS[verdict], bold=True)


def _claim(claim: ClaimReport, profile: str, said: Said) -> Iterator[str]:
    why = f": {safe(claim.why)}" if claim.why else ""
    yield f"claim {safe(claim.id)}  {_verdict(claim.verdict)}{why}"
    yield from _wrapped(f"“{claim.statement}”", "  ")
    yield f"  {claim.judged_as}"
    coverage = claim.coverage
    yield (
        f"  evidence {claim.tier}; {coverage.applicable} rules apply: {len(coverage.decided)} decided, "
        f"{len(coverage.not_shown)} not shown"
    )
    if coverage.settle:
        yield from _wrapped("would settle it: " + "; ".join(coverage.settle), "  ")
    for note in claim.notes:
        yield from _wrapped(f"note: {note}", "  ")
    below = [finding for finding in claim.findings if finding.is_below_tier]
    for finding in claim.findings:
        if not finding.is_minor and (len(below) < 2 or finding not in below):
            yield ""
            yield from _finding(finding, "  ", said)
    if len(below) > 1:
        yield ""
        yield from _below(below, profile)
    minor = [finding for finding in claim.findings if finding.is_minor]
    if minor:
        yield ""
        yield from _minor(minor, said)


def _minor(findings: list[Finding], said: Said) -> Iterator[str]:
    """Say what is not required either: of a rule that said it of an earlier claim, the code alone."""
    news = [finding for finding in findings if ("minor", finding.code) not in said]
    if news:
        yield "  not shown either, and not required here:"
    for finding in news:
        said.add(("minor", finding.code))
        yield from _wrapped(f"{finding.code} {finding.name}: {finding.message}", "  - ", "    ")
    known = ", ".join(dict.fromkeys(finding.code for finding in findings if finding not in news))
    if known:
        lead = "and, as above" if news else "not shown either, and not required here, as above"
        yield from _wrapped(f"{lead}: {known}", "  ", "    ")


def _others(first: ClaimReport, claims: list[ClaimReport]) -> Iterator[str]:
    """Say of claims like the first what differs: what their violations say, and where, once each."""
    if not claims:
        return
    yield ""
    yield f"  the same holds of {len(claims)} more:"
    said = set(_violations(first))
    named: list[str] = []
    shown = 0
    for claim in claims:
        news = [(key, finding) for key, finding in _violations(claim).items() if key not in said]
        if not news or shown >= LIKE_IT:
            named.append(claim.id)
            continue
        said.update(key for key, _ in news)
        shown += 1
        yield f"  claim {safe(claim.id)}"
        for _, finding in news:
            yield from _wrapped(f"{finding.code}: {finding.message}", "    ", "      ")
        yield from _place(news[0][1].location, "    ")
    if named:
        more = f", and {len(named) - LIKE_IT} that `--format json` lists" if len(named) > LIKE_IT else ""
        yield from _wrapped(f"{'also ' if shown else ''}{', '.join(named[:LIKE_IT])}{more}", "  ", "    ")


def _violations(claim: ClaimReport) -> dict[tuple[str, str, int], Finding]:
    """Return the violations of a claim by what they say and the line that they say it of."""
    found = (finding for finding in claim.findings if finding.outcome == "violation")
    return {(finding.code, finding.message, finding.location.line): finding for finding in found}


def _below(findings: list[Finding], profile: str) -> Iterator[str]:
    """Say once what holds of many items: each is shown, and by evidence of a lower tier than the profile's."""
    least = LEAST_TIER[profile].name
    for tier in sorted({finding.tier for finding in findings}):
        codes = [finding.code for finding in findings if finding.tier == tier]
        text = f"{len(codes)} items are shown at {tier} only; the {profile} profile needs {least}: {', '.join(codes)}"
        yield from _wrapped(text, "  ", "    ")
    yield from _wrapped(f"next: {NEXT[least]}", "    ")


def _finding(finding: Finding, indent: str, said: Said) -> Iterator[str]:
    """Yield a finding in full; one that was said of an earlier claim in a line, and its advice once in a report."""
    colour = {"refutes": "red", "undermines": "red", "caveat": "yellow"}.get(finding.effect, "magenta")
    grade = ", ".join(part for part in (finding.effect or finding.outcome, finding.confidence, finding.tier) if part)
    also = f" (also {', '.join(finding.also)})" if finding.also else ""
    head = f"{indent}{click.style(finding.code, fg=colour, bold=True)} {finding.name}: {grade}{also}"
    of_all = finding.outcome != "violation" and finding.waived is None and not finding.members
    place = "" if of_all else str(finding.location)
    if ("finding", finding.code, finding.message, finding.next_step, place) in said:
        yield f"{head}: as above"
        yield f"{indent}  --> {_where(finding.location)}"
        return
    said.add(("finding", finding.code, finding.message, finding.next_step, place))
    yield head
    yield from _wrapped(finding.message, indent + "  ")
    if not finding.members:
        yield from _place(finding.location, indent + "  ")
    for location, note in finding.related:
        yield f"{indent}  see {safe(location.within(location.file))}: {safe(note)}"
    if finding.claimed is not None or finding.recomputed is not None:
        claimed = f"claimed {safe(finding.claimed)}" if finding.claimed is not None else ""
        recomputed = f"recomputed {safe(finding.recomputed)}" if finding.recomputed is not None else ""
        yield f"{indent}  {' | '.join(part for part in (claimed, recomputed) if part)}"
    for code, message in finding.members:
        yield from _wrapped(f"{code}: {message}", indent + "  - ", indent + "    ")
    if finding.waived is not None:
        waived = finding.waived
        yield from _wrapped(
            f"waived by {waived.approver} until {waived.expires} ({waived.reason.replace('_', ' ')}): "
            f"{waived.justification}",
            indent + "  ",
        )
    yield from _advice(finding, indent, said)


def _advice(finding: Finding, indent: str, said: Said) -> Iterator[str]:
    if not finding.next_step and not finding.provide:
        return
    if ("advice", finding.code, finding.next_step, finding.provide) in said:
        yield f"{indent}  next: as above"
        return
    said.add(("advice", finding.code, finding.next_step, finding.provide))
    if finding.next_step:
        yield from _wrapped(f"next: {finding.next_step}", indent + "  ")
    if finding.provide:
        yield from (f"{indent}    {safe(line)}" for line in finding.provide.rstrip("\n").split("\n"))


def _place(location: Location, indent: str) -> Iterator[str]:
    number = str(location.line)
    yield f"{indent}--> {_where(location)}"
    if not location.lines:
        yield from ((f"{indent}  | {safe(location.text)}",) if location.text else ())
    elif location.text and location.index < len(location.text):
        head = safe(location.text[: location.index])
        yield f"{indent}{number} | {head}{safe(location.text[location.index :])}"
        yield f"{indent}{' ' * len(number)} | {' ' * len(head)}^"


def _where(location: Location) -> str:
    return f"{safe(location.within(location.file))} ({safe(location.pointer) or 'the document'})"


def _wrapped(text: str, indent: str, later: str | None = None) -> Iterator[str]:
    later = indent if later is None else later
    yield from textwrap.wrap(safe(text), width(WIDTH), initial_indent=indent, subsequent_indent=later) or [indent]
