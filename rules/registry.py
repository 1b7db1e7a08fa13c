"""The rule mechanism: what a rule declares, and the decorator that turns a generator into a rule."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from ..schemas.errors import UserError
from ..schemas.submission import Claim
from .case import Case
from .outcome import Branch, Confidence, Effect

T = TypeVar("T", bound=Struct)
Check = Callable[[Claim, Case], Iterable[Branch]]
CheckWith = Callable[[Claim, Case, T], Iterable[Branch]]
DocumentCheck = Callable[[Case], Iterable[Branch]]
About = Literal["claim", "document", "lint"]


class Threshold(float):
    """A number that a profile or a configuration may set; it is its default, with what a reader has to know of it.

    A rule lists its own as fields of a frozen Struct, and its check takes an instance with the values in force:

        class Thresholds(Struct, frozen=True):
            least: float = Threshold(3, "trials in each arm", "judgement", {"publication": 5})

    Attributes:
        default: value under every profile that is not named.
        unit: unit or meaning.
        origin: where it comes from: a published method, a simulation, a measurement, or judgement.
        by_profile: values under single profiles.
    """

    default: float
    unit: str
    origin: str
    by_profile: Mapping[str, float]

    def __new__(
        cls, default: float, unit: str, origin: str, by_profile: Mapping[str, float] | None = None
    ) -> Threshold:
        """Return the default as a number with its attributes."""
        threshold = super().__new__(cls, default)
        threshold.default, threshold.unit, threshold.origin = default, unit, origin
        threshold.by_profile = by_profile or {}
        return threshold


class Rule(Struct, frozen=True, kw_only=True):
    """A rule: one flaw, one code.

    Attributes:
        code: stable for ever.
        name: the flaw in words.
        doc: the documentation, in Markdown.
        origin: sources of the rule.
        applies: predicate over the claim, in the closed vocabulary of `predicate`.
        effect: strongest effect of any branch; None where it only ever says "not shown".
        confidence: confidence of that branch.
        also: codes that it speaks for where both fire.
        thresholds: what a profile or a configuration may set, by name.
        in_force: holds the thresholds in force; None where there are none.
        check: the generator for a claim, which takes the thresholds in force last where there are any; None where the
            rule is about the document.
        check_document: the generator for the whole document; None where it is about claims, and where lint itself
            raises the finding.
    """

    code: str
    name: str
    doc: str
    origin: str
    applies: str = "document"
    effect: Effect | None = None
    confidence: Confidence | None = None
    also: tuple[str, ...] = ()
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    in_force: type[Struct] | None = None
    check: Callable[..., Iterable[Branch]] | None = None
    check_document: DocumentCheck | None = None

    @property
    def family(self) -> str:
        """Way or family that the code belongs to."""
        return family_of(self.code)

    @property
    def about(self) -> About:
        """What it judges: a claim, the whole document, or what lint itself raises."""
        return "claim" if self.check is not None else "document" if self.check_document is not None else "lint"

    def load(self) -> Rule:
        """Return the rule itself, as an entry of the index does."""
        return self

    def branches(self, claim: Claim, case: Case) -> Iterable[Branch]:
        """Check a claim by the thresholds in force: the configuration's, else the profile's, else the default."""
        assert self.check is not None
        if self.in_force is None:
            return self.check(claim, case)
        thresholds = _of_profile(self.in_force, case.profile)
        given = case.thresholds.get(self.code)
        return self.check(claim, case, replace(thresholds, **given) if given else thresholds)


class Entry(Struct, frozen=True, kw_only=True):
    """What the index says of a rule, so that its module is imported only when it runs or is shown.

    Attributes:
        module: its module beneath `dlaudit.rules`.
        about: what it judges.
        code, name, applies, effect, confidence, also: as in the rule.
    """

    code: str
    name: str
    module: str
    about: About
    applies: str
    effect: Effect | None
    confidence: Confidence | None
    also: tuple[str, ...]

    @property
    def family(self) -> str:
        """Way or family that the code belongs to."""
        return family_of(self.code)

    def load(self) -> Rule:
        """Import the rule."""
        return load(self.module)


Listed = Rule | Entry


@cache
def load(module: str) -> Rule:
    """Import a module beneath `dlaudit.rules` and return its rule, which is named like its file.

    Raises:
        UserError: there is none.
    """
    name = module.rpartition(".")[2]
    found = getattr(importlib.import_module(f"dlaudit.rules.{module}"), name, None)
    if not isinstance(found, Rule):
        todo = f"name its rule {name}, or begin the name of the file with an underscore"
        raise UserError("it defines no rule of its name", todo, f"dlaudit.rules.{module}")
    return found


def rule(
    code: str,
    name: str,
    *,
    applies: str,
    origin: str,
    effect: Effect | None = None,
    confidence: Confidence | None = None,
    also: tuple[str, ...] = (),
    thresholds: type[T] | None = None,
) -> Callable[[Check | CheckWith[T]], Rule]:
    """Turn a generator over one claim into a rule; its docstring is the rule's only documentation."""
    return lambda check: Rule(
        code=code,
        name=name,
        doc=check.__doc__ or "",
        origin=origin,
        applies=applies,
        effect=effect,
        confidence=confidence,
        also=also,
        thresholds=_declared(thresholds) if thresholds is not None else {},
        in_force=thresholds,
        check=check,
    )


@cache
def _of_profile(thresholds: type[Struct], profile: str) -> Struct:
    """Return the thresholds of a rule as a profile sets them, else their defaults."""
    declared = _declared(thresholds)
    return thresholds(**{name: each.by_profile.get(profile, each.default) for name, each in declared.items()})


def _declared(thresholds: type[Struct]) -> dict[str, Threshold]:
    fields, defaults = thresholds.__struct_fields__, thresholds.__struct_defaults__
    if len(fields) != len(defaults) or not all(isinstance(default, Threshold) for default in defaults):
        raise TypeError(f"every field of {thresholds.__qualname__} has a Threshold as its default")
    return dict(zip(fields, defaults, strict=True))


def document_rule(
    code: str, name: str, *, origin: str, effect: Effect | None = None, confidence: Confidence | None = None
) -> Callable[[DocumentCheck], Rule]:
    """Turn a generator over the whole document into a rule."""
    return lambda check: Rule(
        code=code,
        name=name,
        doc=check.__doc__ or "",
        origin=origin,
        effect=effect,
        confidence=confidence,
        check_document=check,
    )


def lint_rule(code: str, name: str, *, origin: str, doc: str) -> Rule:
    """Describe a finding that lint itself raises, not a check of the book."""
    return Rule(code=code, name=name, doc=doc, origin=origin)


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
