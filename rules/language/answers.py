"""Answers: the typed results of questions about how a number was obtained, made from concepts, counts and stance."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct


class Mention(Struct, frozen=True):
    """A place where a text speaks of a concept.

    Attributes:
        concept: name of the concept.
        start: first place in the source.
        end: place after the last one.
        text: the words as printed.
        negated: whether a negation of its clause stands before it.
        hedged: whether its clause is hedged.
    """

    concept: str
    start: int
    end: int
    text: str
    negated: bool
    hedged: bool

    @property
    def span(self) -> tuple[int, int]:
        """The place in the source."""
        return self.start, self.end


class Repetition(Struct, frozen=True):
    """How often something was repeated: "5 seeds", "mean of 3 runs", "n = 10", "95 % CI".

    Attributes:
        of: seeds, runs, trials, repetitions, samples or interval.
        value: how many; None where only an interval or a spread is named.
        start: first place in the source.
        end: place after the last one.
    """

    of: str
    value: Decimal | None
    start: int
    end: int


class Word(Struct, frozen=True):
    """One of a closed set of words in its place: a statistic, a kind of scaling, a superlative.

    Attributes:
        kind: the name of the closed set, such as mean or strong.
        start: first place in the source.
        end: place after the last one.
        negated: whether it is denied.
    """

    kind: str
    start: int
    end: int
    negated: bool = False


class Clause(Struct, frozen=True):
    """A part of a text: what is excluded, or under what condition something holds.

    Attributes:
        start: first place in the source.
        end: place after the last one.
        text: the part as printed.
    """

    start: int
    end: int
    text: str
