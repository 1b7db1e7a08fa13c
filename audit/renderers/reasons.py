"""Why a claim has its verdict, in the words of what was found: no code, and no flaw's name over absent evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from ...rules.questions import causes
from ..report import ClaimReport, Finding, Report, Verdict
from ..verdict import in_words
from .counts import counted, is_caveat

TIERS = {
    "T4": "recomputed from raw numbers in a manifest that a trusted key signed",
    "T3": "attested by a manifest that a trusted key signed",
    "T2": "recomputed from raw numbers that nobody trusted has signed",
    "T1": "declared only",
    "T0": "absent",
}
CONFIDENCES = {"C3": "arithmetic", "C2": "statistics", "C1": "heuristic"}
_LONG = re.compile(r"(?<![\w.,/:-])-?\d+\.\d{3,}(?![\w.,/:-])")
DIGITS = 4


MEANS = {
    Verdict.INSUFFICIENT_EVIDENCE: "INSUFFICIENT EVIDENCE does not mean that a claim is wrong: "
    "something that a claim of its kind needs is not shown."
}
"""What readers take a verdict for who see it for the first time, put right."""


class Sorted(Struct, frozen=True):
    """The findings of a claim by what they mean to a reader.

    Attributes:
        against: evidence of a flaw that lowers the verdict to FAIL, or did so until it was waived.
        caveats: worth knowing.
        open: what is not shown, and what a rule could not decide, where that is required or a caveat at least.
        minor: what is not shown and not required.
    """

    against: tuple[Finding, ...]
    caveats: tuple[Finding, ...]
    open: tuple[Finding, ...]
    minor: tuple[Finding, ...]


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter, as long as a word begins it: a path or a name stays as it is."""
    first = text.partition(" ")[0].rstrip(",.:;")
    return text[:1].upper() + text[1:] if first.islower() and first.replace("-", "").isalpha() else text


def by_meaning(findings: Iterable[Finding]) -> Sorted:
    """Return findings by what they mean, in their order."""
    found: dict[str, list[Finding]] = {"against": [], "caveats": [], "open": [], "minor": []}
    for item in findings:
        if item.outcome == "violation":
            found["caveats" if is_caveat(item) else "against"].append(item)
        else:
            found["minor" if item.is_minor else "open"].append(item)
    return Sorted(**{name: tuple(items) for name, items in found.items()})


def opening(report: Report) -> str:
    """Return the sentence that opens a report: of what makes the document worse than its claims, else of its claim.

    Empty where several claims speak for themselves.
    """
    worse = worsening(report)
    if worse is not None:
        return _ended(worse.message)
    return reason(report.claims[0], report.profile) if len(report.claims) == 1 else ""


def worsening(report: Report) -> Finding | None:
    """Return the finding on the document that gives it a worse verdict than each of its claims has; else None."""
    worst = max((claim.verdict for claim in report.claims), default=None)
    if report.verdict is None or worst is None or report.verdict <= worst:
        return None
    return next((item for item in report.findings if item.decides), None)


def reason(claim: ClaimReport, profile: str) -> str:
    """Return the sentence that opens what is said of a claim."""
    deciding = [item for item in claim.findings if item.decides]
    if claim.verdict is Verdict.PASS:
        return f"nothing was found against it, and everything that the {profile} profile requires is shown."
    if not deciding:
        shown = [item for item in claim.findings if item.outcome == "violation"] or list(claim.findings)
        return _ended(shown[0].message) if shown else "no rule could decide."
    first = deciding[0]
    more = len({item.item or item.code for item in deciding if item.outcome == first.outcome}) - 1
    if first.outcome == "violation" or not more:
        return _ended(first.message)
    are = "is" if more == 1 else "are"
    return f"{_ended(first.message)} {counted(more, 'more required item')} {are} not shown."


class Alike(Struct, frozen=True):
    """Claims with one verdict for one reason: what decides each of them first."""

    verdict: Verdict
    reason: str
    claims: tuple[ClaimReport, ...]


def by_reason(report: Report) -> tuple[Alike, ...]:
    """Return the claims by verdict and reason, in their order."""
    groups: dict[tuple[Verdict, str], list[ClaimReport]] = {}
    for claim in report.claims:
        first = next((item for item in claim.findings if item.decides), None)
        words = _ended(first.message) if first is not None else reason(claim, report.profile)
        groups.setdefault((claim.verdict, words), []).append(claim)
    return tuple(Alike(*key, tuple(claims)) for key, claims in groups.items())


def number(claim: ClaimReport) -> str:
    """Return the number of a claim as its sentence prints it; empty where it prints another form of it."""
    digits = [part for part in claim.value.split() if part[0].isdigit()]
    return claim.value if any(part in claim.statement for part in digits) else ""


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."


NEUTRAL = {("L14", "c"): "requests sent late"}
"""What findings are called of whose branch the name of the rule says more than is shown."""


def title(finding: Finding) -> str:
    """Return what a finding is called: a flaw that the evidence shows by its name, anything else by its subject."""
    neutral = NEUTRAL.get((finding.code, finding.branch))
    if neutral is not None and finding.outcome == "violation":
        return neutral
    cause = causes().get(finding.code)
    if finding.outcome == "violation" or cause is None:
        return in_words(finding.name)
    return finding.item or cause.topic


def topic(code: str) -> str:
    """Return what a rule looks at, in neutral words: nothing that is merely not shown goes by a flaw's name."""
    cause = causes().get(code)
    return cause.topic if cause is not None else ""


def named(finding: Finding) -> str:
    """Return what a line of text calls a finding: by the name that `explain` takes where the evidence shows a flaw."""
    return finding.name if finding.outcome == "violation" else title(finding)


def weight(finding: Finding) -> str:
    """Return how much a finding weighs, how sure it is and on what evidence, in words with their codes."""
    parts = [_effect(finding)]
    if finding.confidence:
        parts.append(f"{CONFIDENCES[finding.confidence]} ({finding.confidence})")
    if finding.outcome == "violation" or finding.is_below_tier:
        parts.append(f"evidence {TIERS[finding.tier]} ({finding.tier})")
    return ", ".join(parts)


def _effect(finding: Finding) -> str:
    if finding.outcome == "violation":
        return {"refutes": "refutes the claim", "undermines": "undermines the claim"}.get(finding.effect, "caveat")
    if finding.outcome == "error":
        return "could not be decided"
    return "required, not shown" if finding.decides else "not shown"


def figures(text: str) -> str:
    """Return a value of ours with four significant digits at most; texts and whole numbers stay as they are."""
    return _LONG.sub(lambda match: f"{float(match[0]):.{max(DIGITS, _whole(match[0]))}g}", text)


def _whole(number: str) -> int:
    return len(number.partition(".")[0].lstrip("-"))
