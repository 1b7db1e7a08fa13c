"""The report as SARIF 2.1.0: one run, whatever the number of documents; the same input gives the same bytes.

A violation is a result of kind `fail`, whose level follows from its effect; something not shown is `open`; a rule that
could not decide is `review` and a notification of the run; a rule that found nothing is `pass`, one result per claim;
a rule that applies to no claim of any document is `notApplicable`, one result, placed in the first document. What SARIF
has no word for (confidence, tier, verdicts, coverage) stands in `properties`. A waived finding stays a result and is
suppressed. GitHub makes an alert of every result, whatever its kind: `.github/actions/lint` uploads `fail`, `open` and
`review` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from ... import __version__
from ...rules.documentation import sections
from ...rules.outcome import Confidence
from ...rules.registry import FAMILIES, Rule
from ..commands.explain import page
from ..lint.findings import fingerprint
from ..lint.lint import Linted
from ..report import ClaimReport, Finding, Location, Report, Waived
from ..terminal import safe
from .places import relative
from .severity import INVALID, LEVELS, level

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
MEDIA = {"json": "application/json", "yaml": "application/yaml", "yml": "application/yaml"}


def render(linted: tuple[Linted, ...], exit_code: int, rules: tuple[Rule, ...]) -> str:
    """Return the reports of one or several documents as a SARIF log, indented."""
    return json.dumps(document(linted, exit_code, rules), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def document(linted: tuple[Linted, ...], exit_code: int, rules: tuple[Rule, ...]) -> dict[str, Any]:
    """Return the value of the SARIF log.

    Args:
        linted: the judged documents.
        exit_code: with which the program ends.
        rules: the rules that judged.
    """
    order = {rule.code: index for index, rule in enumerate(rules)}
    artifacts = _Artifacts(linted)
    results = [result for item in linted for result in _results(item, order, artifacts)]
    results += _silent(linted, rules, order, artifacts)
    run = {
        "tool": {"driver": _driver(rules)},
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


def _driver(rules: Iterable[Rule]) -> dict[str, Any]:
    return {
        "name": "dlaudit",
        "fullName": f"dlaudit {__version__}",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": SITE,
        "shortDescription": {"text": "Makes performance claims about deep learning checkable."},
        "rules": [_descriptor(rule) for rule in rules],
    }


def _descriptor(rule: Rule) -> dict[str, Any]:
    """Describe a rule; its help is the page that `dlaudit explain` prints, whose examples keep their braces."""
    parts, text = sections(rule.doc), page(rule)
    graded = rule.effect is not None and rule.confidence is not None
    properties: dict[str, Any] = {"tags": [rule.family, FAMILIES[rule.family]], "applies": rule.applies}
    if graded:
        assert rule.effect is not None
        assert rule.confidence is not None
        properties |= {
            "effect": rule.effect.word,
            "confidence": rule.confidence.name,
            "precision": PRECISION[rule.confidence],
        }
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": parts[""]},
        "fullDescription": {"text": " ".join(parts["Why it misleads"].split())},
        "help": {"text": text, "markdown": text},
        "helpUri": f"{SITE}/rules/{rule.code}/",
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
        if finding.outcome == "error" and finding.code != INVALID
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
        yield {"level": "warning", "message": _message(f"handed in, not judged: {files}")}
    for each in found[:MOST_LEFT_OUT]:
        place = {"physicalLocation": {"artifactLocation": artifacts.location(each.shown)}}
        yield {"level": "warning", "message": _message(f"not judged: {each.reason}"), "locations": [place]}


def _results(item: Linted, order: dict[str, int], artifacts: _Artifacts) -> Iterator[dict[str, Any]]:
    report = item.report
    for finding in report.all_findings:
        yield _result(finding, order, artifacts)
    for claim in report.claims:
        found = {finding.code for finding in claim.findings}
        for code in sorted(set(claim.coverage.decided) - found, key=order.__getitem__):
            text = f"{code} finds nothing against the claim {claim.id}"
            yield _quiet("pass", code, claim, text, item, order, artifacts)


def _silent(
    linted: tuple[Linted, ...], rules: tuple[Rule, ...], order: dict[str, int], artifacts: _Artifacts
) -> Iterator[dict[str, Any]]:
    claims = [claim for item in linted for claim in item.report.claims]
    spoken = {code for claim in claims for code in (*claim.coverage.decided, *claim.coverage.not_shown)}
    for rule in rules if claims else ():
        if rule.check is not None and rule.code not in spoken:
            text = f"{rule.code} applies to no claim here"
            yield _quiet("notApplicable", rule.code, None, text, linted[0], order, artifacts)


def _result(finding: Finding, order: dict[str, int], artifacts: _Artifacts) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": order[finding.code],
        "kind": _kind(finding),
        "level": level(finding),
        "message": _message(_text(finding)),
        "locations": [_location(finding.location, artifacts)],
        "partialFingerprints": {"dlaudit/v1": finding.fingerprint},
        "suppressions": [_suppression(finding.waived)] if finding.waived is not None else [],
        "properties": _properties(finding),
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "message": _message(note), **_location(location, artifacts)}
            for number, (location, note) in enumerate(finding.related, start=1)
        ]
    return result


def _kind(finding: Finding) -> str:
    if finding.outcome == "violation" or finding.code == INVALID:
        return "fail"
    return "open" if finding.outcome == "not-shown" else "review"


def _text(finding: Finding) -> str:
    values = (("Claimed", finding.claimed), ("Recomputed", finding.recomputed))
    lines = [finding.message, *(f"{word}: {value}" for word, value in values if value is not None)]
    lines += [f"{code}: {message}" for code, message in finding.members]
    if finding.next_step:
        lines.append(f"Next: {finding.next_step}")
    return "\n".join(lines)


def _message(text: str) -> dict[str, str]:
    """Return a plain text message: braces stand for themselves, and no text of a document becomes a link."""
    shown = "\n".join(safe(line) for line in text.split("\n"))
    return {"text": re.sub(r"\](?=\()", "] ", shown.replace("{", "{{").replace("}", "}}"))}


def _properties(finding: Finding) -> dict[str, Any]:
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


def _quiet(
    kind: str,
    code: str,
    claim: ClaimReport | None,
    text: str,
    item: Linted,
    order: dict[str, int],
    artifacts: _Artifacts,
) -> dict[str, Any]:
    place: dict[str, Any] = {"physicalLocation": {"artifactLocation": artifacts.location(item.path)}}
    if claim is not None:
        place["logicalLocations"] = [_logical(f"/claims/{claim.id}")]
    name = claim.id if claim is not None else None
    return {
        "ruleId": code,
        "ruleIndex": order[code],
        "kind": kind,
        "level": "none",
        "message": _message(text),
        "locations": [place],
        "partialFingerprints": {"dlaudit/v1": fingerprint(code, name, kind, "")},
        "suppressions": [],
        **({"properties": {"claim": name}} if name is not None else {}),
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
