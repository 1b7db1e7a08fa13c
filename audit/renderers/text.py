"""The report for a terminal: verdict first, then each finding with its line, a caret, and the next step."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from ...rules.required import LEAST_TIER
from ..report import ClaimReport, Finding, LeftOut, Location, Report, Verdict
from ..terminal import inert, safe, width
from .alike import Cause, by_kind, causes
from .counts import counted
from .news import fresh, headline, known, known_words, standing
from .places import as_said
from .raised import tally
from .reasons import CONFIDENCES, MEANS, TIERS, figures, named, opening, sentence, topic, worsening

Said = set[tuple[str | None, ...]]
"""What a report has said: it says what holds of many claims in full once."""
WIDTH = 108
SHORT = 8
"""Digits of a fingerprint that name a finding to `waive`."""
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


def render(report: Report, path: str = "", *, brief: bool = False) -> str:
    """Return the report as text with ANSI colours, which `click.echo` strips where nobody sees them.

    Args:
        report: what was found.
        path: how the headline names the document; by its name alone where empty.
        brief: leave out what `--verbose` shows: quoted lines, further places, what to provide, items in full.
    """
    return inert("\n".join(_lines(report, path or report.file, brief))) + "\n"


def _lines(report: Report, name: str, brief: bool) -> Iterator[str]:
    yield from _judged(report, name, brief)
    if report.verdict is not None:
        yield ""
        yield from _legend(report, brief)
    if report.left_out:
        yield ""
        yield from _left_out(report.left_out)


def _left_out(left_out: tuple[LeftOut, ...]) -> Iterator[str]:
    files = "1 file" if len(left_out) == 1 else f"{len(left_out):,} files"
    yield f"not judged: {files}"
    for each in left_out[:MOST_LEFT_OUT]:
        yield from _wrapped(f"{each.shown}: {each.reason}", "  ", "    ")
    if len(left_out) > MOST_LEFT_OUT:
        yield f"  and {len(left_out) - MOST_LEFT_OUT:,} more, which `--format json` lists"


def _legend(report: Report, brief: bool) -> Iterator[str]:
    """Say in words what the codes of tier and confidence mean that this report uses."""
    findings = [item for claim in report.claims for item in claim.findings]
    tiers = {claim.tier for claim in report.claims} | {item.tier for item in findings if item.outcome == "violation"}
    sure = {item.confidence for item in findings if item.confidence}
    told = [f"{code} {words}" for code, words in (*CONFIDENCES.items(), *TIERS.items()) if code in tiers | sure]
    more = ["--verbose shows quoted lines and what to provide"] if brief and report.all_findings else []
    yield from _wrapped("; ".join([*told, *more]), "", "  ")


def _judged(report: Report, name: str, brief: bool) -> Iterator[str]:
    if report.verdict is None and report.findings:
        yield from _invalid(report, name)
        return
    yield from _opening(report, name)
    for note in report.notes:
        yield from _wrapped(f"note: {note}", "", "  ")
    for study in report.studies:
        plans = "" if study.plans is None else f", {counted(study.plans, 'plan')} of this spec in the signer's ledger"
        witness = "" if study.witnessed else ", ledger unwitnessed"
        yield from _wrapped(f"study {study.id}: signature {study.signature}{plans}{witness}", "", "  ")
    if report.against is None:
        yield from _found(report, brief)
        return
    yield from _found(fresh(report), brief)
    yield ""
    yield from _known(report, brief)


def _opening(report: Report, name: str) -> Iterator[str]:
    """Say the verdict, or how the document stands against the baseline, and what was found in counts."""
    claims = counted(len(report.claims), "claim")
    if report.against is not None:
        colour = _COLOURS[standing(report, report.against) or Verdict.INSUFFICIENT_EVIDENCE]
        words = click.style(headline(report, report.against), fg=colour, bold=True)
        yield from _headed(f"{words}  ", f"{name}: {report.title}", "  ")
        yield from _wrapped(f"profile {report.profile}, {claims}; {known_words(report, report.against)}", "")
        return
    yield from _headed(f"{_verdict(report.verdict)}  ", f"{name}: {report.title}", "  ")
    if report.verdict in MEANS:
        yield from _wrapped(MEANS[report.verdict], "")
    if opened := opening(report):
        yield from _wrapped(sentence(opened), "")
    yield from _wrapped(f"profile {report.profile}, {', '.join((claims, *tally(report)))}", "")


def _known(report: Report, brief: bool) -> Iterator[str]:
    """Say in a line how much is known or waived; with `--verbose` what, a rule a line."""
    found = list(known(report))
    if not found:
        return
    what = "known or waived" if any(each.first.waived for each in found) else "known"
    if brief:
        codes = ", ".join(dict.fromkeys(each.first.code for each in found))
        yield from _wrapped(f"{what}, not shown here: {codes}", "", "  ")
        return
    yield f"{what}:"
    for each in found:
        waived = (
            f", waived by {each.first.waived.approver} until {each.first.waived.expires}" if each.first.waived else ""
        )
        of = f": {', '.join(each.claims)}" if each.claims else ""
        yield from _wrapped(f"{each.first.code} {named(each.first)}{waived}{of}", "  ", "    ")


def _found(report: Report, brief: bool) -> Iterator[str]:
    """Say what was found: by cause, by claim, and of the document."""
    yield from _summary(report)
    # a report opens with the message of what makes it worse than its claims, and of one claim with what decides it
    worse = worsening(report)
    first_of_one = report.claims[0].findings[:1] if len(report.claims) == 1 else ()
    opened = ((worse,) if worse is not None else first_of_one) if brief and report.against is None else ()
    said: Said = {("reason", item.message) for item in opened if item.decides and item.outcome == "violation"}
    for first, *others in by_kind(report.claims):
        yield ""
        yield from _claim(first, report.profile, said, brief)
        yield from _others(first, others)
    for finding in report.findings:
        yield ""
        yield from _members(finding) if brief and finding.members else _finding(finding, "", said, brief)


def _members(finding: Finding) -> Iterator[str]:
    """Say in a paragraph what else is not stated, by subject."""
    named = ", ".join(f"{code} {topic(code)}" for code, _ in finding.members)
    yield from _wrapped(f"{_new(finding)}{finding.code} also not stated, but not decisive: {named}", "", "  ")


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
        yield f"  and {len(found) - MOST_CAUSES:,} more, listed below"


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


def _claim(claim: ClaimReport, profile: str, said: Said, brief: bool) -> Iterator[str]:
    # the headline names the profile
    why = f": {claim.why.removesuffix(f', required by the {profile} profile')}" if claim.why else ""
    yield from _headed(f"claim {safe(claim.id)}  {_verdict(claim.verdict)}", why, "  ")
    yield from _wrapped(as_said(claim, claim.statement), "  ")
    yield from _wrapped(claim.judged_as, "  ")
    coverage = claim.coverage
    counts = (
        f"evidence {claim.tier}; {counted(coverage.applicable, 'rule applies', 'rules apply')}: "
        f"{len(coverage.decided)} decided, {len(coverage.not_shown)} not shown"
    )
    yield from _wrapped(counts, "  ")
    if coverage.settle:
        yield from _wrapped("would settle it: " + "; ".join(coverage.settle), "  ")
    for note in claim.notes:
        yield from _wrapped(f"note: {note}", "  ")
    below = [finding for finding in claim.findings if finding.is_below_tier]
    for finding in claim.findings:
        if not finding.is_minor and (len(below) < 2 or finding not in below):
            yield ""
            yield from _finding(finding, "  ", said, brief)
    if len(below) > 1:
        yield ""
        yield from _below(below, profile)
    minor = [finding for finding in claim.findings if finding.is_minor]
    if minor:
        yield ""
        yield from _minor(minor, said, brief)


def _minor(findings: list[Finding], said: Said, brief: bool) -> Iterator[str]:
    """Say what is not required either: of a rule that said it of an earlier claim, the code alone."""
    new = _new(findings[0])
    if brief:
        topics = ", ".join(dict.fromkeys(f"{finding.code} {topic(finding.code)}" for finding in findings))
        yield from _wrapped(f"{new}not shown, but not required here: {topics}", "  ", "    ")
        return
    news = [finding for finding in findings if ("minor", finding.code) not in said]
    if news:
        yield f"  {new}not shown, but not required here:"
    for finding in news:
        said.add(("minor", finding.code))
        yield from _wrapped(f"{finding.code} {named(finding)}: {finding.message}", "  - ", "    ")
    known = ", ".join(dict.fromkeys(finding.code for finding in findings if finding not in news))
    if known:
        lead = "and, as above" if news else "not shown, but not required here, as above"
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
        yield from _wrapped(_new(findings[0]) + text, "  ", "    ")
    yield from _wrapped(f"next: {NEXT[least]}", "    ")


def _finding(finding: Finding, indent: str, said: Said, brief: bool) -> Iterator[str]:
    """Yield a finding in full; one that was said of an earlier claim in a line, and its advice once in a report."""
    colour = {"refutes": "red", "undermines": "red", "caveat": "yellow"}.get(finding.effect, "magenta")
    grade = ", ".join(part for part in (finding.effect or finding.outcome, finding.confidence, finding.tier) if part)
    also = f" (also {', '.join(finding.also)})" if finding.also else ""
    code, short = click.style(finding.code, fg=colour, bold=True), finding.fingerprint[:SHORT]
    head = f"{indent}{_new(finding)}{code} {named(finding)}: {grade}{also} [{short}]"
    of_all = finding.outcome != "violation" and finding.waived is None and not finding.members
    place = "" if of_all else str(finding.location)
    if ("finding", finding.code, finding.message, finding.next_step, place) in said:
        yield f"{head}: as above"
        yield from _at(finding.location, indent + "  ")
        return
    said.add(("finding", finding.code, finding.message, finding.next_step, place))
    yield head
    if ("reason", finding.message) not in said:
        yield from _wrapped(finding.message, indent + "  ")
    if not finding.members:
        is_quoted = not brief or (finding.decides and finding.outcome == "violation")
        yield from _place(finding.location, indent + "  ") if is_quoted else _at(finding.location, indent + "  ")
    for location, note in finding.related:
        if brief and location.file == finding.location.file:
            continue
        yield from _wrapped(f"see {location.within(location.file)}: {note}", indent + "  ", indent + "    ")
    if finding.claimed is not None or finding.recomputed is not None:
        claimed = f"claimed {finding.claimed}" if finding.claimed is not None else ""
        recomputed = f"recomputed {figures(finding.recomputed)}" if finding.recomputed is not None else ""
        yield from _wrapped(" | ".join(part for part in (claimed, recomputed) if part), indent + "  ", indent + "    ")
    for code, message in finding.members:
        yield from _wrapped(f"{code}: {message}", indent + "  - ", indent + "    ")
    if finding.waived is not None:
        waived = finding.waived
        yield from _wrapped(
            f"waived by {waived.approver} until {waived.expires} ({waived.reason.replace('_', ' ')}): "
            f"{waived.justification}",
            indent + "  ",
        )
    yield from _advice(finding, indent, said, brief)


def _new(finding: Finding) -> str:
    """Return the mark of a finding that the baseline does not hold; without a baseline there is none."""
    return "new: " if finding.known is False else ""


def _advice(finding: Finding, indent: str, said: Said, brief: bool) -> Iterator[str]:
    if not finding.next_step and not finding.provide:
        return
    if ("advice", finding.code, finding.next_step, finding.provide) in said:
        yield f"{indent}  next: as above"
        return
    said.add(("advice", finding.code, finding.next_step, finding.provide))
    if finding.next_step:
        step = finding.next_step.partition(". ")[0].rstrip(".") + "." if brief else finding.next_step
        yield from _wrapped(f"next: {step}", indent + "  ")
    if finding.provide and not brief:
        yield f"{indent}  an example, to fill in with your own names and numbers:"
        yield from (f"{indent}    {safe(line)}" for line in finding.provide.rstrip("\n").split("\n"))


def _at(location: Location, indent: str) -> Iterator[str]:
    yield from _wrapped(_where(location), f"{indent}--> ", f"{indent}    ")


def _place(location: Location, indent: str) -> Iterator[str]:
    number = str(location.line)
    yield from _at(location, indent)
    if not location.lines:
        yield from ((f"{indent}  | {safe(location.text)}",) if location.text else ())
    elif location.text and location.index < len(location.text):
        head = safe(location.text[: location.index])
        yield f"{indent}{number} | {head}{safe(location.text[location.index :])}"
        yield f"{indent}{' ' * len(number)} | {' ' * len(head)}^"


def _where(location: Location) -> str:
    return f"{location.within(location.file)} ({location.pointer or 'the document'})"


def _wrapped(text: str, indent: str, later: str | None = None) -> Iterator[str]:
    later = indent if later is None else later
    yield from textwrap.wrap(safe(text), width(WIDTH), initial_indent=indent, subsequent_indent=later) or [indent]


def _headed(head: str, text: str, later: str) -> Iterator[str]:
    """Wrap a line that begins with a coloured head, whose colours take no room."""
    plain = click.unstyle(head)
    first, *rest = textwrap.wrap(plain + safe(text), width(WIDTH), subsequent_indent=later) or [plain]
    yield head.rstrip() if first == plain.rstrip() else head + first[len(plain) :]
    yield from rest
