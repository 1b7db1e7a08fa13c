"""From the rules' results to the verdict of a claim.

FAIL                   a violation that refutes or undermines, confidence C2 or C3; or an invalid signature or digest
INSUFFICIENT EVIDENCE  an evidence item that this profile requires of this kind of claim is not shown, or its tier is
                       below the profile's; or a rule stopped that could refute or undermine
PASS WITH CAVEATS      any other violation, any other not-shown or error that concerns the claim
PASS                   else

Absence is never a pass of the item, and never an accusation: it can only lower the verdict to INSUFFICIENT EVIDENCE.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from ..rules.book import entries
from ..rules.case import Case
from ..rules.completion.complete import taken_otherwise
from ..rules.fields import field_of
from ..rules.outcome import Confidence, Effect, NotShown, Outcome, Result, Tier, Violation
from ..rules.questions import causes
from ..rules.required import LEAST_TIER, folded, requirements
from ..schemas.submission import Claim
from .report import Verdict, Waived

_BUILT_IN = frozenset(rule.code for rule in entries())
_NAMES = {rule.code: rule.name for rule in entries()}
_GRAVE = frozenset(rule.code for rule in entries() if rule.effect is not None and rule.effect >= Effect.UNDERMINES)
NOTED = frozenset({"W0101", "W0201", "W1107"})
THROUGHPUT = "throughput only: says nothing about convergence"
SHORT = {"io": "I/O", "cv": "CV", "mfu": "MFU", "vs": "against", "flops": "FLOPS", "ci": "CI", "kv": "KV"}


class Assessment(Struct, frozen=True):
    """A result with what it does to its claim.

    Attributes:
        result: the rule's answer.
        verdict: the best verdict that it leaves open.
        why: the clause that says so.
        item: required evidence item that it lacks, or empty.
        folded: whether it belongs into the completeness finding of the document.
        noted: whether one note per document says it.
        waived: the waiver that accepts it.
    """

    result: Result
    verdict: Verdict
    why: str = ""
    item: str = ""
    folded: bool = False
    noted: bool = False
    waived: Waived | None = None

    def replaced(self, verdict: Verdict, why: str, waived: Waived) -> Assessment:
        """Return the same result as a waiver leaves it."""
        return replace(self, verdict=verdict, why=why, waived=waived)


def assess_all(results: Iterable[Result], claim: Claim, case: Case) -> list[Assessment]:
    """Assess the results on a claim, but for the many that say nothing."""
    return [assess(result, claim, case) for result in results if result.outcome is not Outcome.NOT_APPLICABLE]


def assess(result: Result, claim: Claim, case: Case) -> Assessment:
    """Return what one result does to its claim under the case's profile."""
    if isinstance(result.branch, Violation):
        return _of_violation(result, result.branch)
    if isinstance(result.branch, NotShown):
        return _of_missing(result, result.branch, claim, case)
    if result.outcome is Outcome.ERROR:
        return _of_error(result)
    if result.outcome is Outcome.PASS:
        return _of_tier(result, claim, case)
    return Assessment(result, Verdict.PASS)


def assess_document(result: Result) -> Assessment:
    """Return what a result about the whole document does to its verdict."""
    if isinstance(result.branch, Violation):
        return _of_violation(result, result.branch)
    if isinstance(result.branch, NotShown):
        if result.code in folded():
            return Assessment(result, Verdict.PASS, folded=True)
        return Assessment(result, Verdict.PASS_WITH_CAVEATS, _lacking(result))
    if result.outcome is Outcome.ERROR:
        return _of_error(result)
    return Assessment(result, Verdict.PASS)


def _of_error(result: Result) -> Assessment:
    """Return what a rule that stopped leaves open: whoever made it stop must not gain by what it would have said."""
    weighs = result.code in _GRAVE or result.code not in _BUILT_IN
    best = Verdict.INSUFFICIENT_EVIDENCE if weighs else Verdict.PASS_WITH_CAVEATS
    return Assessment(result, best, f"{result.code} could not be decided: {result.reason}")


def _of_violation(result: Result, branch: Violation) -> Assessment:
    if branch.effect >= Effect.UNDERMINES and branch.confidence >= Confidence.C2:
        return Assessment(result, Verdict.FAIL, _flaw(result))
    return Assessment(result, Verdict.PASS_WITH_CAVEATS, _flaw(result))


def in_words(name: str) -> str:
    """Return the name of a flaw as a reader writes it: `io-excluded` is "I/O excluded"."""
    return " ".join(SHORT.get(part, part) for part in name.split("-"))


def _flaw(result: Result) -> str:
    """Return the clause for a flaw that was found: its name in words; of a rule of others its code."""
    name = _NAMES.get(result.code)
    return f"{in_words(name)} ({result.code})" if name is not None else result.code


def _of_missing(result: Result, branch: NotShown, claim: Claim, case: Case) -> Assessment:
    if any(row.item == branch.item for row in requirements(result.code, claim, case)):
        why = f"not shown: {branch.lacking or branch.item} ({result.code}), required by the {case.profile} profile"
        return Assessment(result, Verdict.INSUFFICIENT_EVIDENCE, why, item=branch.item)
    purpose = field_of("purpose", claim, case)
    if result.code in NOTED and purpose in {"hardware_throughput", "leaderboard"}:
        return Assessment(result, Verdict.PASS, noted=True)
    if result.code in folded():
        return Assessment(result, Verdict.PASS, folded=True)
    return Assessment(result, Verdict.PASS_WITH_CAVEATS, _lacking(result))


def _lacking(result: Result) -> str:
    """Return the clause for what is not shown and not required: its subject, where the rule has one."""
    cause = causes().get(result.code)
    return f"not shown: {cause.topic} ({result.code})" if cause is not None else f"not shown: {result.code}"


def _of_tier(result: Result, claim: Claim, case: Case) -> Assessment:
    rows = requirements(result.code, claim, case)
    least = min((LEAST_TIER[case.profile], *(Tier[row.tier] for row in rows if row.tier is not None)))
    if rows and result.tier < least:
        why = f"{rows[0].item} is shown at {result.tier.name} only; the {case.profile} profile needs {least.name}"
        return Assessment(result, Verdict.INSUFFICIENT_EVIDENCE, why, item=rows[0].item)
    return Assessment(result, Verdict.PASS)


def decide(assessments: Iterable[Assessment]) -> tuple[Verdict, str]:
    """Return the verdict of a claim and the clause that decided it: of the worst the strongest, of those the first."""
    worst = max(assessments, key=lambda item: (item.verdict, _strength(item.result)), default=None)
    return (worst.verdict, worst.why) if worst is not None else (Verdict.PASS, "")


def _strength(result: Result) -> tuple[int, int]:
    branch = result.branch
    return (branch.effect, branch.confidence) if isinstance(branch, Violation) else (0, 0)


_NOUNS = {"rate": "throughput", "time": "time", "flops": "operation rate", "mfu": "utilisation"}
_FORMS = {"absolute": "", "ratio": " ratio", "efficiency": " efficiency"}
_SILENT = {
    "kernel_benchmark": "says nothing about an application",
    "hardware_throughput": "says nothing about convergence",
    "leaderboard": "says nothing beyond the leaderboard's rules",
}


def judged_as(claim: Claim, case: Case, *, has_scope: bool = True) -> str:
    """Return what a claim was taken for, and what it therefore does not say.

    Args:
        claim: the claim.
        case: its document's.
        has_scope: whether its document says what the number covers.
    """
    purpose = str(field_of("purpose", claim, case))
    if claim.quantity == "accuracy" and claim.purpose is None:
        return f"judged as a quality{_FORMS.get(claim.form, f' {claim.form}')}"
    noun = _NOUNS.get(claim.quantity, claim.quantity)
    form = _FORMS.get(claim.form, f" {claim.form}")
    scope = f"{claim.scope.replace('_', ' ')} " if has_scope else ""
    taken = f"judged as {scope}{noun}{form}, purpose {purpose.replace('_', ' ')}"
    silent = _SILENT.get(purpose) if claim.mode == "training" or purpose == "kernel_benchmark" else None
    otherwise = taken_otherwise(case, claim)
    if otherwise:
        said = ", ".join(f"{field} {item.value.replace('_', ' ')}" for field, item in otherwise.items())
        return f"{taken}, and by its words as {said}"
    return f"{taken}: {silent}" if silent else taken
