"""The report for a terminal: verdict first, then each finding with its line, a caret, and the next step."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from ...rules.required import LEAST_TIER
from ..report import ClaimReport, Finding, Report, Spot, Verdict
from ..terminal import inert, safe, width
from .alike import by_kind

WIDTH = 108
LIKE_IT = 12
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
    if report.verdict is None and report.findings:
        yield from _invalid(report, name)
        return
    yield f"{_verdict(report.verdict)}  {safe(name)}: {safe(report.title)}"
    yield f"profile {report.profile}, {_counts(report)}"
    for note in report.notes:
        yield f"note: {safe(note)}"
    for study in report.studies:
        plans = "" if study.plans is None else f", {study.plans} plan(s) of this spec in the signer's ledger"
        witness = "" if study.witnessed else ", ledger unwitnessed"
        yield f"study {study.id}: signature {study.signature}{plans}{witness}"
    for first, *others in by_kind(report.claims):
        yield ""
        yield from _claim(first, report.profile)
        yield from _others(first, others)
    for finding in report.findings:
        yield ""
        yield from _finding(finding, "")


def _invalid(report: Report, name: str) -> Iterator[str]:
    problems = "one problem" if len(report.findings) == 1 else f"{len(report.findings)} problems"
    yield f"{click.style('NO VERDICT', bold=True)}  {safe(name)}: not a valid document, {problems}"
    for finding in report.findings:
        spot = finding.spot
        where = f"{safe(spot.file)}:{spot.line}:{spot.column} ({safe(spot.pointer)})"
        yield f"{where}: {safe(finding.message)}; {safe(finding.next_step)}"


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return click.style("NO VERDICT", bold=True)
    return click.style(verdict.words, fg=_COLOURS[verdict], bold=True)


def _counts(report: Report) -> str:
    findings = report.all_findings
    violations = sum(finding.outcome == "violation" for finding in findings)
    missing = sum(finding.outcome == "not-shown" for finding in findings)
    waived = sum(finding.waived is not None for finding in findings)
    counts = f"{len(report.claims)} claim(s), {violations} violation(s), {missing} not shown"
    return counts + (f", {waived} waived" if waived else "")


def _claim(claim: ClaimReport, profile: str) -> Iterator[str]:
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
            yield from _finding(finding, "  ")
    if len(below) > 1:
        yield ""
        yield from _below(below, profile)
    minor = [finding for finding in claim.findings if finding.is_minor]
    if minor:
        yield ""
        yield "  not shown either, and not required here:"
        for finding in minor:
            yield from _wrapped(f"{finding.code} {finding.name}: {finding.message}", "  - ", "    ")


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
        yield from _spot(news[0][1].spot, "    ")
    if named:
        more = f", and {len(named) - LIKE_IT} that `--format json` lists" if len(named) > LIKE_IT else ""
        yield from _wrapped(f"{'also ' if shown else ''}{', '.join(named[:LIKE_IT])}{more}", "  ", "    ")


def _violations(claim: ClaimReport) -> dict[tuple[str, str, int], Finding]:
    """Return the violations of a claim by what they say and the line that they say it of."""
    found = (finding for finding in claim.findings if finding.outcome == "violation")
    return {(finding.code, finding.message, finding.spot.line): finding for finding in found}


def _below(findings: list[Finding], profile: str) -> Iterator[str]:
    """Say once what holds of many items: each is shown, and by evidence of a lower tier than the profile's."""
    least = LEAST_TIER[profile].name
    for tier in sorted({finding.tier for finding in findings}):
        codes = [finding.code for finding in findings if finding.tier == tier]
        text = f"{len(codes)} items are shown at {tier}, and profile {profile} asks for {least}: {', '.join(codes)}"
        yield from _wrapped(text, "  ", "    ")
    yield from _wrapped(f"next: {NEXT[least]}", "    ")


def _finding(finding: Finding, indent: str) -> Iterator[str]:
    colour = {"refutes": "red", "undermines": "red", "caveat": "yellow"}.get(finding.effect, "magenta")
    grade = ", ".join(part for part in (finding.effect or finding.outcome, finding.confidence, finding.tier) if part)
    also = f" (also {', '.join(finding.also)})" if finding.also else ""
    yield f"{indent}{click.style(finding.code, fg=colour, bold=True)} {finding.name}: {grade}{also}"
    yield from _wrapped(finding.message, indent + "  ")
    if not finding.members:
        yield from _spot(finding.spot, indent + "  ")
    for spot, note in finding.related:
        yield f"{indent}  see {safe(spot.file)}:{spot.line}:{spot.column}: {safe(note)}"
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
    if finding.next_step:
        yield from _wrapped(f"next: {finding.next_step}", indent + "  ")
    if finding.provide:
        yield from (f"{indent}    {safe(line)}" for line in finding.provide.rstrip("\n").split("\n"))


def _spot(spot: Spot, indent: str) -> Iterator[str]:
    number = str(spot.line)
    yield f"{indent}--> {safe(spot.file)}:{spot.line}:{spot.column} ({safe(spot.pointer) or 'the document'})"
    if spot.text and spot.index < len(spot.text):
        head = safe(spot.text[: spot.index])
        yield f"{indent}{number} | {head}{safe(spot.text[spot.index :])}"
        yield f"{indent}{' ' * len(number)} | {' ' * len(head)}^"


def _wrapped(text: str, indent: str, later: str | None = None) -> Iterator[str]:
    later = indent if later is None else later
    yield from textwrap.wrap(safe(text), width(WIDTH), initial_indent=indent, subsequent_indent=later) or [indent]
