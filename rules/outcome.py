"""What a rule can answer: outcomes, effects, confidences, tiers, and the branches that a rule yields."""

from __future__ import annotations

from enum import Enum, IntEnum

from msgspec import Struct


class Effect(IntEnum):
    """What a violation does to the claim."""

    CAVEAT = 1
    UNDERMINES = 2
    REFUTES = 3

    @property
    def word(self) -> str:
        """The effect as printed."""
        return self.name.lower()


class Confidence(IntEnum):
    """How sure a violation is.

    C3 arithmetic, physics or a declared contradiction; C2 statistical at a controlled error; C1 heuristic.
    """

    C1 = 1
    C2 = 2
    C3 = 3


class Tier(IntEnum):
    """Evidence tier.

    T4 recomputed from raw in a verified signed manifest, T3 attested by it, T2 recomputed from raw that nobody trusted
    signed, T1 declared, T0 absent.
    """

    T0 = 0
    T1 = 1
    T2 = 2
    T3 = 3
    T4 = 4


class Outcome(Enum):
    """Outcome of one rule on one claim."""

    PASS = "pass"  # noqa: S105
    VIOLATION = "violation"
    NOT_SHOWN = "not-shown"
    NOT_APPLICABLE = "not-applicable"
    ERROR = "error"


REFUTES, UNDERMINES, CAVEAT = Effect.REFUTES, Effect.UNDERMINES, Effect.CAVEAT
C1, C2, C3 = Confidence.C1, Confidence.C2, Confidence.C3


class Related(Struct, frozen=True):
    """Another place that a finding needs.

    Attributes:
        at: where.
        note: what stands there.
        instead: what a reader is told of the finding's own place where this one is shown in front of it; else empty.
    """

    at: str
    note: str
    instead: str = ""


class Violation(Struct, frozen=True):
    """Positive evidence of the flaw.

    Attributes:
        branch: letter of the branch, as in the rule's documentation.
        effect: what it does to the claim.
        confidence: how sure it is.
        message: one sentence that names both sides of the contradiction.
        at: JSON Pointer of the primary place.
        claimed: the number or words as stated.
        recomputed: what the evidence gives instead.
        related: further places.
        tier: tier of the inputs, where it is not the claim's own.
    """

    branch: str
    effect: Effect
    confidence: Confidence
    message: str
    at: str
    claimed: str | None = None
    recomputed: str | None = None
    related: tuple[Related, ...] = ()
    tier: Tier | None = None


class NotShown(Struct, frozen=True):
    """Something that could change the answer is missing.

    Attributes:
        message: what is missing, in one sentence.
        at: JSON Pointer of the nearest place that is there.
        item: the evidence item of the table of required evidence, or empty.
        provide: the piece of submission or spec that would show it, as YAML.
        question: whether the evidence itself is there, and only what it stands for, or the log behind it, is asked.
        lacking: what is missing of the item, in a few words, where some of it is there.
    """

    message: str
    at: str
    item: str = ""
    provide: str = ""
    related: tuple[Related, ...] = ()
    question: bool = False
    lacking: str = ""


class Inapplicable(Struct, frozen=True):
    """The rule has nothing to say here, and why."""

    reason: str


class Note(Struct, frozen=True):
    """Something worth printing beside a pass."""

    message: str


Branch = Violation | NotShown | Inapplicable | Note


class Result(Struct, frozen=True):
    """The answer of one rule on one claim, or on the document where `claim` is None.

    Attributes:
        code: the rule's code.
        claim: id of the claim.
        outcome: the answer.
        branch: the strongest branch that led to it; None for a plain pass.
        reason: why it is not applicable, or the error.
        notes: printed beside a pass.
        tier: lowest tier of the inputs.
        also: codes of rules whose findings this one speaks for.
        others: further violations of the same rule on the same claim.
        duration_ns: time that the rule took.
    """

    code: str
    claim: str | None
    outcome: Outcome
    branch: Violation | NotShown | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()
    tier: Tier = Tier.T0
    also: tuple[str, ...] = ()
    others: tuple[Violation, ...] = ()
    duration_ns: int = 0
