"""The report as SARIF 2.1.0: one run, whatever the number of documents; the same input gives the same bytes.

One result a cause, at the line of its first claim: what fails the gate is an error, what asks or warns is a warning,
what is worth knowing a note; a rule that stopped is `review` and a notification of the run. What passed or did not
apply is counted in the run's properties and is no result, for GitHub makes an alert of each. Every rule is listed, and
those that have a result with their help. What SARIF has no word for (confidence, tier, verdicts, coverage) stands in
`properties`. A waived finding stays a result and is suppressed. Under a baseline every result says whether it is new; a
known one stays as a note, for code scanning takes no notice of the state and would call a result that is gone fixed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Set
from typing import Any
from urllib.parse import quote

from ... import __version__
from ...rules.documentation import sections
from ...rules.outcome import Confidence
from ...rules.registry import FAMILIES, Rule
from ..lint.lint import Linted
from ..report import Finding, Location, Report, Waived
from ..terminal import safe
from .alike import Cause, by_cause
from .places import relative
from .severity import LEVELS, level

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SITE = "https://dlaudit.readthedocs.io"
ROOT = "%SRCROOT%"
EXITS = {
    0: "every verdict is better than the one to fail on",
    1: "a verdict is as bad as the one to fail on, or worse",
    2: "a document is not valid",
    3: "there is no claim to judge",
    70: "a rule stopped that could have decided",
}
PRECISION = {Confidence.C3: "very-high", Confidence.C2: "high", Confidence.C1: "medium"}
MOST_LEFT_OUT = 100
MOST_NAMED, MOST_RELATED = 8, 20
MEDIA = {"json": "application/json", "yaml": "application/yaml", "yml": "application/yaml"}


def render(linted: tuple[Linted, ...], exit_code: int, rules: tuple[Rule, ...], fail_at: int = 2) -> str:
    """Return the reports of one or several documents as a SARIF log, indented."""
    return json.dumps(document(linted, exit_code, rules, fail_at), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def document(linted: tuple[Linted, ...], exit_code: int, rules: tuple[Rule, ...], fail_at: int = 2) -> dict[str, Any]:
    """Return the value of the SARIF log.

    Args:
        linted: the judged documents.
        exit_code: with which the program ends.
        rules: the rules that judged.
        fail_at: the verdict to fail on.
    """
    order = {rule.code: index for index, rule in enumerate(rules)}
    artifacts = _Artifacts(linted)
    results = [
        _result(cause, item.report, order, artifacts, fail_at) for item in linted for cause in by_cause(item.report)
    ]
    found = {result["ruleId"] for result in results}
    run = {
        "tool": {"driver": _driver(rules, found)},
        "invocations": [_invocation(linted, exit_code, artifacts)],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which dlaudit was started."}}},
        "artifacts": artifacts.listed(),
        "results": results,
        "properties": {"documents": [_summary(item.report) for item in linted]},
    }
    if linted:
        run["automationDetails"] = {"id": f"dlaudit/{linted[0].report.profile}/"}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


class _Artifacts:
    """The files that results point to, by the order in which they are first named."""

    def __init__(self, linted: Iterable[Linted]) -> None:
        self._digests = {relative(item.path): item.report.sha256 for item in linted}
        self._order = {path: index for index, path in enumerate(self._digests)}

    def location(self, file: str) -> dict[str, Any]:
        """Return an artifactLocation of a file, which is listed from then on."""
        path = relative(file)
        return {**_uri(path), "index": self._order.setdefault(path, len(self._order))}

    def listed(self) -> list[dict[str, Any]]:
        """Return every file with its digest, where it was judged; a file that is only pointed to has none here."""
        found = []
        for path in self._order:
            artifact: dict[str, Any] = {"location": _uri(path)}
            if path in self._digests:
                artifact |= {"roles": ["analysisTarget"], "hashes": {"sha-256": self._digests[path]}}
            media = MEDIA.get(path.rpartition(".")[2].lower())
            found.append(artifact | ({"mimeType": media} if media is not None else {}))
        return found


def _uri(path: str) -> dict[str, Any]:
    return {"uri": quote(path, safe="/-._~", errors="backslashreplace"), "uriBaseId": ROOT}


def _driver(rules: Iterable[Rule], found: Set[str]) -> dict[str, Any]:
    return {
        "name": "dlaudit",
        "fullName": f"dlaudit {__version__}",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": SITE,
        "shortDescription": {"text": "Makes performance claims about deep learning checkable."},
        "rules": [_descriptor(rule, rule.code in found) for rule in rules],
    }


def _descriptor(rule: Rule, has_result: bool) -> dict[str, Any]:
    """Describe a rule; one with a result with its help, without the examples, which the page that it names has."""
    parts = sections(rule.doc)
    described: dict[str, Any] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": parts[""]},
        "helpUri": f"{SITE}/rules/{rule.code}/",
    }
    if not has_result:
        return described
    properties: dict[str, Any] = {"tags": [rule.family, FAMILIES[rule.family]], "applies": rule.applies}
    if rule.effect is not None and rule.confidence is not None:
        properties |= {
            "effect": rule.effect.word,
            "confidence": rule.confidence.name,
            "precision": PRECISION[rule.confidence],
        }
    text = "\n\n".join(f"{heading}: {parts[heading]}" for heading in ("Why it misleads", "What it does", "How to fix"))
    return described | {
        "help": {"text": text},
        "defaultConfiguration": {"level": LEVELS[rule.effect.word] if rule.effect is not None else "none"},
        "properties": properties,
    }


def _invocation(linted: tuple[Linted, ...], exit_code: int, artifacts: _Artifacts) -> dict[str, Any]:
    """Say how the program ended; nothing about clocks, folders, accounts or the machine."""
    stopped = [
        {
            "level": "error",
            "message": _message(finding.message),
            "associatedRule": {"id": finding.code},
            "locations": [_location(finding.location, artifacts)],
        }
        for item in linted
        for finding in item.report.all_findings
        if finding.outcome == "error"
    ]
    notes = [{"level": "note", "message": _message(note)} for item in linted for note in item.report.notes]
    return {
        "exitCode": exit_code,
        "exitCodeDescription": EXITS[exit_code],
        "executionSuccessful": not stopped and exit_code != 2,
        "toolExecutionNotifications": [*stopped, *notes, *_left_out(linted, artifacts)],
    }


def _left_out(linted: tuple[Linted, ...], artifacts: _Artifacts) -> Iterator[dict[str, Any]]:
    found = [each for item in linted for each in item.report.left_out]
    if found:
        files = "1 file" if len(found) == 1 else f"{len(found):,} files"
        yield {"level": "warning", "message": _message(f"not judged: {files}")}
    for each in found[:MOST_LEFT_OUT]:
        place = {"physicalLocation": {"artifactLocation": artifacts.location(each.shown)}}
        yield {"level": "warning", "message": _message(f"not judged: {each.reason}"), "locations": [place]}


def _result(cause: Cause, report: Report, order: dict[str, int], artifacts: _Artifacts, fail_at: int) -> dict[str, Any]:
    """Return the result of one cause, at the line of its first claim; each finding's own place is related."""
    finding = cause.first
    lines = {claim.id: claim.location for claim in report.claims}
    place = lines.get(finding.claim or "") or finding.location
    seen = [(item.location, item.message) for item in cause.all if str(item.location) != str(place)]
    related = list({str(at): (at, note) for at, note in (*seen, *finding.related)}.values())[:MOST_RELATED]
    waived = finding.waived
    return {
        "ruleId": finding.code,
        "ruleIndex": order[finding.code],
        "kind": "review" if level(finding, fail_at) == "none" else "fail",
        "level": level(finding, fail_at),
        **({} if finding.known is None else {"baselineState": "unchanged" if finding.known else "new"}),
        "message": _message(_text(finding, cause.claims)),
        "locations": [_location(place, artifacts)],
        **({"relatedLocations": _related(related, artifacts)} if related else {}),
        "partialFingerprints": {"dlaudit/v1": finding.fingerprint},
        "suppressions": [_suppression(waived)] if waived is not None else [],
        "properties": _properties(finding, cause),
    }


def _related(places: Iterable[tuple[Location, str]], artifacts: _Artifacts) -> list[dict[str, Any]]:
    return [
        {"id": number, "message": _message(note), **_location(place, artifacts)}
        for number, (place, note) in enumerate(places, start=1)
    ]


def _text(finding: Finding, claims: tuple[str, ...]) -> str:
    values = (("Claimed", finding.claimed), ("Recomputed", finding.recomputed))
    lines = [finding.message, *(f"{word}: {value}" for word, value in values if value is not None)]
    lines += [f"{code}: {message}" for code, message in finding.members]
    if len(claims) > 1:
        more = f" and {len(claims) - 1 - MOST_NAMED:,} more" if len(claims) - 1 > MOST_NAMED else ""
        lines.append(f"The same of {', '.join(claims[1 : MOST_NAMED + 1])}{more}.")
    if finding.next_step:
        lines.append(f"Next: {finding.next_step}")
    return "\n".join(lines)


def _message(text: str) -> dict[str, str]:
    """Return a plain text message: braces stand for themselves, and no text of a document becomes a link."""
    shown = "\n".join(safe(line) for line in text.split("\n"))
    return {"text": re.sub(r"\](?=\()", "] ", shown.replace("{", "{{").replace("}", "}}"))}


def _properties(finding: Finding, cause: Cause) -> dict[str, Any]:
    values = {
        "severity": finding.effect or finding.outcome,
        "confidence": finding.confidence,
        "tier": finding.tier,
        "outcome": finding.outcome,
        "branch": finding.branch,
        "claim": finding.claim,
        "claimed": finding.claimed and safe(finding.claimed),
        "recomputed": finding.recomputed and safe(finding.recomputed),
        "item": finding.item,
        "provide": finding.provide,
        "also": list(finding.also),
        "claims": list(cause.claims[1:]),
        "fingerprints": [item.fingerprint for item in cause.all[1:]],
    }
    return {key: value for key, value in values.items() if value} | {"decides": finding.decides}


def _suppression(waived: Waived) -> dict[str, Any]:
    return {
        "kind": "external",
        "status": "accepted",
        "justification": safe(waived.justification),
        "properties": {
            "waiver": waived.id,
            "reason": waived.reason,
            "approver": safe(waived.approver),
            "expires": waived.expires,
        },
    }


def _location(location: Location, artifacts: _Artifacts) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": location.line, "startColumn": location.column}
    rest = location.text[location.index :]
    if rest:
        region["snippet"] = {"text": safe(rest)}
    found: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": artifacts.location(location.file), "region": region}
    }
    return found | ({"logicalLocations": [_logical(location.pointer)]} if location.pointer else {})


def _logical(pointer: str) -> dict[str, Any]:
    name = pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    return {"name": safe(name), "fullyQualifiedName": safe(pointer), "kind": "value" if name.isdigit() else "property"}


def _summary(report: Report) -> dict[str, Any]:
    """Return the verdicts of a document and how much of it could be judged."""
    return {
        "file": safe(report.file),
        "verdict": report.verdict.words if report.verdict is not None else None,
        "profile": report.profile,
        "claims": {
            claim.id: {
                "verdict": claim.verdict.words,
                "why": safe(claim.why),
                "tier": claim.tier,
                "decided": len(claim.coverage.decided),
                "notShown": len(claim.coverage.not_shown),
                "notApplicable": claim.coverage.not_applicable,
            }
            for claim in report.claims
        },
    }
