"""The checks behind a report that have no finding: which passed, which lacked evidence, which did not apply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ...rules.book import by_code, entries
from ...rules.documentation import sections
from ...rules.questions import causes
from ..report import ClaimReport, Report
from ..verdict import in_words

SHOWN = ("What it does", "Why it misleads", "How to fix")


class Checks(Struct, frozen=True):
    """Rules of which the same is to be said, with the claims of which it is said.

    Attributes:
        claims: ids; empty where it holds of all.
        rules: code and name of each.
    """

    claims: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]


class RuleText(Struct, frozen=True):
    """A rule as the report explains it: its parts by heading, in paragraphs of plain text."""

    code: str
    name: str
    summary: str
    parts: tuple[tuple[str, tuple[str, ...]], ...]
    has_finding: bool


def passed(claims: Iterable[ClaimReport]) -> tuple[Checks, ...]:
    """Return the rules that decided and found nothing, by the claims of which that holds."""
    claims = tuple(claims)
    return _grouped({claim.id: _silent(claim) for claim in claims}, names())


def _silent(claim: ClaimReport) -> tuple[str, ...]:
    said = {code for item in claim.findings for code in (item.code, *item.also)}
    return tuple(code for code in claim.coverage.decided if code not in said)


def lacking(claims: Iterable[ClaimReport]) -> tuple[Checks, ...]:
    """Return the rules that lacked evidence, by subject and not by flaw, and by the claims of which that holds."""
    topics = names() | {code: cause.topic for code, cause in causes().items()}
    return _grouped({claim.id: claim.coverage.not_shown for claim in claims}, topics)


def not_applicable(claims: Iterable[ClaimReport]) -> tuple[tuple[str, str], ...]:
    """Return code and name of the rules about claims that had nothing to say of any of them."""
    asked = {code for claim in claims for code in (*claim.coverage.decided, *claim.coverage.not_shown)}
    return tuple(
        (rule.code, in_words(rule.name)) for rule in entries() if rule.about == "claim" and rule.code not in asked
    )


def names() -> dict[str, str]:
    """Return the names of all built-in rules in words, by code."""
    return {rule.code: in_words(rule.name) for rule in entries()}


def _grouped(codes: Mapping[str, tuple[str, ...]], called: Mapping[str, str]) -> tuple[Checks, ...]:
    claims: dict[str, list[str]] = {}
    for claim, found in codes.items():
        for code in found:
            claims.setdefault(code, []).append(claim)
    groups: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for code, having in claims.items():
        of = () if len(having) == len(codes) else tuple(having)
        groups.setdefault(of, []).append((code, called.get(code, "")))
    return tuple(Checks(of, tuple(rules)) for of, rules in groups.items())


def explained(reports: Iterable[Report]) -> tuple[RuleText, ...]:
    """Return the rules that a page names, those with findings first, each as far as a reader of a report needs it."""
    reports = tuple(reports)
    found = {item.code for report in reports for item in report.all_findings}
    beside = {
        code
        for report in reports
        for item in report.all_findings
        for code in (*item.also, *(member for member, _ in item.members))
    }
    silent = {
        code
        for report in reports
        for claim in report.claims
        for code in (*claim.coverage.decided, *claim.coverage.not_shown)
    }
    order = [rule.code for rule in entries()]
    named = sorted((found | beside | silent) & set(order), key=lambda code: (code not in found, order.index(code)))
    return tuple(_text(code, code in found) for code in named)


def _text(code: str, has_finding: bool) -> RuleText:
    rule = by_code(code)
    assert rule is not None
    told = sections(rule.doc)
    parts = tuple((heading, _paragraphs(told[heading])) for heading in SHOWN if told[heading])
    return RuleText(code, in_words(rule.name), told[""].replace("`", ""), parts, has_finding)


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()).replace("`", "") for part in text.split("\n\n") if part.strip())
