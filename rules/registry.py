"""The rule mechanism: what a rule declares, and the decorator that turns a generator into a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace

from msgspec import Struct, field

from ..schemas.submission import Claim
from .case import Case
from .outcome import Branch, Confidence, Effect

Check = Callable[[Claim, Case, SimpleNamespace], Iterable[Branch]]
DocumentCheck = Callable[[Case, SimpleNamespace], Iterable[Branch]]


class Threshold(Struct, frozen=True):
    """A number that a profile or a configuration may set.

    Attributes:
        default: value under every profile that is not named.
        unit: unit or meaning.
        origin: where it comes from: a published method, a simulation, a measurement, or judgement.
        by_profile: values under single profiles.
    """

    default: float
    unit: str
    origin: str
    by_profile: Mapping[str, float] = field(default_factory=dict)


class Rule(Struct, frozen=True):
    """A rule: one flaw, one code.

    Attributes:
        code: stable for ever.
        name: the flaw in words.
        family: way or family that the code belongs to.
        effect: strongest effect of any branch; None where it only ever says "not shown".
        confidence: confidence of that branch.
        applies: predicate over the claim, in the closed vocabulary of `predicate`.
        origin: sources of the rule.
        also: codes that it speaks for where both fire.
        thresholds: typed options.
        check: the generator for a claim, or None.
        check_document: the generator for the whole document, or None.
        doc: the documentation, in Markdown.
    """

    code: str
    name: str
    family: str
    effect: Effect | None
    confidence: Confidence | None
    applies: str
    origin: str
    also: tuple[str, ...]
    thresholds: Mapping[str, Threshold]
    check: Check | None
    check_document: DocumentCheck | None
    doc: str

    def settings(self, case: Case) -> SimpleNamespace:
        """Return the thresholds in force: the configuration's, else the profile's, else the default."""
        given = case.thresholds.get(self.code, {})
        return SimpleNamespace(
            **{
                name: given.get(name, threshold.by_profile.get(case.profile, threshold.default))
                for name, threshold in self.thresholds.items()
            }
        )


def rule(
    code: str,
    name: str,
    *,
    applies: str,
    origin: str,
    effect: Effect | None = None,
    confidence: Confidence | None = None,
    also: tuple[str, ...] = (),
    thresholds: Mapping[str, Threshold] | None = None,
) -> Callable[[Check], Rule]:
    """Turn a generator over one claim into a rule; its docstring is the rule's only documentation."""

    def decorate(check: Check) -> Rule:
        return Rule(
            code=code,
            name=name,
            family=family_of(code),
            effect=effect,
            confidence=confidence,
            applies=applies,
            origin=origin,
            also=also,
            thresholds=thresholds or {},
            check=check,
            check_document=None,
            doc=check.__doc__ or "",
        )

    return decorate


def document_rule(
    code: str,
    name: str,
    *,
    origin: str,
    effect: Effect | None = None,
    confidence: Confidence | None = None,
    thresholds: Mapping[str, Threshold] | None = None,
) -> Callable[[DocumentCheck], Rule]:
    """Turn a generator over the whole document into a rule."""

    def decorate(check: DocumentCheck) -> Rule:
        return Rule(
            code=code,
            name=name,
            family=family_of(code),
            effect=effect,
            confidence=confidence,
            applies="document",
            origin=origin,
            also=(),
            thresholds=thresholds or {},
            check=None,
            check_document=check,
            doc=check.__doc__ or "",
        )

    return decorate


def lint_rule(code: str, name: str, *, origin: str, doc: str) -> Rule:
    """Describe a finding that lint itself raises, not a check of the book."""
    return Rule(
        code=code,
        name=name,
        family=family_of(code),
        effect=None,
        confidence=None,
        applies="document",
        origin=origin,
        also=(),
        thresholds={},
        check=None,
        check_document=None,
        doc=doc,
    )


def family_of(code: str) -> str:
    """Return the family of a code: W01 to W12, or its leading letter."""
    return code[:3] if code.startswith("W") else code[0]


FAMILIES = {
    "W01": "Way 1: ignore accuracy when scaling up",
    "W02": "Way 2: do not report test accuracy",
    "W03": "Way 3: do not report all training runs",
    "W04": "Way 4: outdated against special-purpose hardware",
    "W05": "Way 5: only kernels or subsets",
    "W06": "Way 6: do not consider I/O",
    "W07": "Way 7: highest ops numbers",
    "W08": "Way 8: performance with set A, accuracy with set B",
    "W09": "Way 9: unreasonably large inputs",
    "W10": "Way 10: run training for just the right time",
    "W11": "Way 11: weak against strong scaling",
    "W12": "Way 12: select carefully how to compare",
    "M": "Methodology",
    "S": "Statistics",
    "P": "Precision, peaks and bounds",
    "E": "Energy and cost",
    "L": "Inference and serving",
    "F": "Forensic consistency",
    "R": "Reproducibility and hand-in",
    "I": "Integrity",
    "B": "Plots",
    "Q": "Suite policy (MLPerf)",
    "D": "Document",
    "X": "Rules of installed packages",
}
