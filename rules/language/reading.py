"""A reading: one parse of one text, and the questions that rules and importers ask of it.

    reading = read("2.1x faster than eager on 8 A100 80GB GPUs (mean of 5 runs)")
    reading.counts("devices")[0].value        # 8
    reading.comparisons()[0].degree           # 2.1
    reading.has("mean_or_median")             # True
    reading.unbound()                         # numbers that were not understood

All answers carry their place in the source. A text is parsed once and kept for as long as it is among the last read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from decimal import Decimal
from functools import cached_property
from operator import attrgetter

from ..caching import remembered
from . import lexicon, questions
from .answers import Clause, Mention, Repetition, Word
from .binding import Bound, bind
from .comparison import Comparison
from .concepts import WordIndex
from .fleet import Fleet, fleet_of
from .names import Name, find_names
from .numbers import Number, number_at
from .phrases import Count
from .quantity import Quantity
from .relations import find_comparisons
from .sentences import clause_breaks, sentences
from .stance import ATTRIBUTION, CONDITION, HEDGE, NEGATION, Mark, Stance, find_marks, stance_of
from .text import Text, normalised
from .tokens import Token, Tokens, tokenise

SETTING = "setting"
MOST_KEPT = 4096
LONGEST = 200_000
"""Characters of a text that are read; what stands behind them is `rest`."""


class Reading:
    """What the words of a text say.

    Attributes:
        source: the text as it was given.
        kind: cell, header, heading, caption or None: what sort of text it is.
        rest: how many characters at the end are not read.
    """

    def __init__(self, source: str, kind: str | None = None) -> None:
        self.source, self.kind = source, kind
        self.rest = max(0, len(source) - LONGEST)

    @cached_property
    def text(self) -> Text:
        """The normalised characters."""
        return normalised(self.source[:LONGEST])

    @cached_property
    def tokens(self) -> Tokens:
        """The words, numbers and signs."""
        return tokenise(self.text)

    @cached_property
    def all_names(self) -> tuple[Name, ...]:
        """All names, in order."""
        return find_names(self.tokens)

    @cached_property
    def bound(self) -> Bound:
        """The numbers with what they belong to."""
        return bind(self.tokens, self.all_names, self.kind)

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """The words of stance."""
        return find_marks(self.tokens)

    @cached_property
    def stance(self) -> Stance:
        """The stance of the whole text."""
        return stance_of(self.marks)

    @cached_property
    def _comparisons(self) -> tuple[Comparison, ...]:
        return find_comparisons(self.tokens, self.all_names, self.bound)

    @cached_property
    def _index(self) -> WordIndex:
        return WordIndex(self.tokens)

    @cached_property
    def _mentions(self) -> dict[str, tuple[Mention, ...]]:
        return {}

    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Return the places of the sentences in the source."""
        return tuple((self.tokens[a].start, self.tokens[b - 1].end) for a, b in sentences(self.tokens))

    def sentence(self, place: int) -> tuple[int, int]:
        """Return the sentence that a place of the source stands in; the whole text where it stands in none."""
        found = (span for span in self.sentences() if span[0] <= place < span[1])
        return next(found, (0, len(self.source)))

    def opens_clause(self, place: int) -> bool:
        """Whether a clause begins at a place of the source, signs apart."""
        before = self.source[:place].rstrip()
        return not before or not before[-1].isalnum()

    def clause(self, span: tuple[int, int]) -> int:
        """Return the number of the clause that a place of the source stands in."""
        return bisect_right(self._clauses, span[0])

    @cached_property
    def _clauses(self) -> list[int]:
        """The places where clauses begin, but for the first."""
        return [token.start for token, begins in zip(self.tokens, clause_breaks(self.tokens), strict=True) if begins]

    def within(self, start: int, end: int) -> tuple[Token, ...]:
        """Return the tokens that begin in a part of the source."""
        ends = (bisect_left(self.tokens, place, key=attrgetter("start")) for place in (start, end))
        return self.tokens[slice(*ends)]

    def words(self) -> tuple[str, ...]:
        """Return all words in lower case, singular and American."""
        return tuple(lexicon.folded(t.low) for t in self.tokens if t.kind == "word")

    def quantities(self, dimension: str | None = None) -> tuple[Quantity, ...]:
        """Return the quantities, or those of one dimension."""
        return tuple(q for q in self.bound.quantities if dimension is None or q.dimension == dimension)

    def rate(self, item: str, per: str = "second") -> tuple[Quantity, ...]:
        """Return the rates of an item per time, such as those of "image" per "second"."""
        plural = item if item.endswith("s") else lexicon.classes("units", "items").get(item, f"{item}s")
        time = lexicon.table("units")["time_denoms"].get(per, per)
        return tuple(q for q in self.bound.quantities if q.unit == f"{plural}/{time}")

    def counts(self, of: str | None = None) -> tuple[Count, ...]:
        """Return the counts, or those of one class; settings such as a hidden size only where they are asked for."""
        return tuple(c for c in self.bound.counts if c.of == of or (of is None and c.of != SETTING))

    def devices(self) -> Fleet | None:
        """Return how many devices the text speaks of in all, and how that follows; None where it is not certain."""
        return fleet_of(self)

    def comparisons(self, dimension: str | None = None) -> tuple[Comparison, ...]:
        """Return the comparisons, or those of one dimension."""
        return tuple(c for c in self._comparisons if dimension is None or c.dimension == dimension)

    def names(self, kind: str | None = None) -> tuple[Name, ...]:
        """Return each name once, where it first stands."""
        seen: dict[tuple[str, str], Name] = {}
        for name in self.all_names:
            key = "".join(c for c in name.text.lower() if c.isalnum())
            seen.setdefault((name.kind, key), name)
        return tuple(name for name in seen.values() if kind is None or name.kind == kind)

    def formats(self) -> tuple[str, ...]:
        """Return the number formats that are named, by their usual names: fp16, bf16, e4m3, int8, mixed."""
        found = (questions.format_of(name.text) for name in self.all_names if name.kind == "format")
        return tuple(dict.fromkeys(item for item in found if item))

    def metrics(self) -> tuple[Name, ...]:
        """Return the quality metrics and utilisations that are named."""
        return self.names("metric")

    def higher_is_better(self) -> bool | None:
        """Return whether more of the quality that a column is named by is better; None for none, or one each way."""
        words = (*(token.low for token in self.tokens), *(name.text for name in self.metrics()))
        ways = {way for word in words if (way := questions.direction_of(word)) is not None}
        return ways == {"higher"} if len(ways) == 1 else None

    def splits(self) -> tuple[str, ...]:
        """Return the parts of data sets that are named: train, validation, test."""
        return tuple(dict.fromkeys(questions.split_of(name.text) for name in self.all_names if name.kind == "split"))

    def repetitions(self) -> tuple[Repetition, ...]:
        """Return how often was measured: "5 seeds", "mean of 3 runs", "n = 10", "95 % CI"."""
        return questions.repetitions(self.bound, self.mentions("statistic.interval"))

    def statistic(self) -> tuple[Word, ...]:
        """Return the statistics that are named: mean, median, best, max, p99 and so on."""
        return self.kinds("statistic")

    def scaling(self) -> tuple[Word, ...]:
        """Return the kinds of scaling that are named: strong, weak, linear, near_linear, superlinear, sublinear."""
        return self.kinds("scaling")

    def superlatives(self) -> tuple[Mention, ...]:
        """Return the superlatives: best, fastest, state of the art, record."""
        return self.mentions("superlative")

    def exclusions(self) -> tuple[Clause, ...]:
        """Return what is said to be left out: "excluding data loading"."""
        return questions.behind(self.source, self.tokens, self.mentions("exclusion"))

    def conditions(self) -> tuple[Mark, ...]:
        """Return the conditions: "if ...", "at batch size 1", "when ..."."""
        return tuple(mark for mark in self.marks if mark.kind == CONDITION)

    def hedges(self) -> tuple[Mark, ...]:
        """Return the hedges: may, could, projected."""
        return tuple(mark for mark in self.marks if mark.kind == HEDGE)

    def attributions(self) -> tuple[Mark, ...]:
        """Return where something is said of others: "X et al. report"."""
        return tuple(mark for mark in self.marks if mark.kind == ATTRIBUTION)

    def negations(self) -> tuple[Mark, ...]:
        """Return the negations."""
        return tuple(mark for mark in self.marks if mark.kind == NEGATION)

    def negated(self, span: tuple[int, int]) -> bool:
        """Whether a place of the source stands behind a negation in the clause of that negation."""
        return self._within(NEGATION, span)

    def hedged(self, span: tuple[int, int]) -> bool:
        """Whether a place of the source stands in a hedged clause."""
        return self._within(HEDGE, span)

    def _within(self, kind: str, span: tuple[int, int]) -> bool:
        scopes = self._scopes[kind]
        at = bisect_right(scopes, (span[0], len(self.source), len(self.source))) - 1
        if at < 0:
            return False
        _, end, word_end = scopes[at]
        return span[0] < end and (kind != NEGATION or word_end <= span[0])

    @cached_property
    def _scopes(self) -> dict[str, list[tuple[int, int, int]]]:
        """The clauses of negations and hedges, in order, each with the end of its first such word."""
        found: dict[str, dict[int, tuple[int, int, int]]] = {NEGATION: {}, HEDGE: {}}
        for mark in self.marks:
            if mark.kind in found:
                begin, end = mark.clause_span
                found[mark.kind].setdefault(begin, (begin, end, mark.end))
        return {kind: sorted(clauses.values()) for kind, clauses in found.items()}

    def mentions(self, concept: str) -> tuple[Mention, ...]:
        """Return where a text speaks of a concept, in order.

        Raises:
            UnknownConcept: no list defines it.
        """
        if concept not in self._mentions:
            self._mentions[concept] = questions.mentions(self, self._index, concept)
        return self._mentions[concept]

    def has(self, concept: str, affirmed: bool = True) -> bool:
        """Whether a text speaks of a concept; one that it only denies counts where `affirmed` is false."""
        found = self.mentions(concept)
        return any(not item.negated for item in found) if affirmed else bool(found)

    def kinds(self, family: str) -> tuple[Word, ...]:
        """Return the words of a closed family of concepts, such as "scenario": Server, Offline and so on, in order."""
        found = [
            Word(concept.removeprefix(f"{family}."), item.start, item.end, item.negated)
            for concept in questions.concepts_of(f"{family}.")
            for item in self.mentions(concept)
        ]
        return tuple(sorted(found, key=lambda word: (word.start, -word.end)))

    def numbers(self, span: tuple[int, int] | None = None) -> tuple[Number, ...]:
        """Return the numbers outside names, or all within a place."""
        return self._numbers if span is None else self._numbers_within(span, frozenset())

    @cached_property
    def _numbers(self) -> tuple[Number, ...]:
        named = frozenset(at for name in self.all_names for at in range(name.first, name.last))
        return self._numbers_within((0, len(self.source)), named)

    def _numbers_within(self, span: tuple[int, int], named: frozenset[int]) -> tuple[Number, ...]:
        begin, end = span
        found: list[Number] = []
        last = 0
        for at, token in enumerate(self.tokens):
            if at < last or at in named or token.start < begin or token.end > end:
                continue
            number = number_at(self.tokens, at)
            if number is not None:
                found.append(number)
                last = number.last
        return tuple(found)

    def says(self, words: str) -> bool:
        """Whether some words, such as the label of an arm, stand in the text in their order, whatever their case."""
        wanted, own = (" ".join(token.low for token in reading.tokens) for reading in (read(words), self))
        return bool(wanted) and f" {wanted} " in f" {own} "

    def is_only(self, concept: str) -> bool:
        """Whether a text says nothing but a concept: the field "not used", and not "not used in training"."""
        words = [token for token in self.tokens if token.text.isalnum()]
        return any(
            item.start <= words[0].start and item.end >= words[-1].end for item in self.mentions(concept) if words
        )

    def begins(self, concept: str) -> bool:
        """Whether a concept stands first in a text, behind signs at most."""
        return any(not any(c.isalnum() for c in self.source[: item.start]) for item in self.mentions(concept)[:1])

    def prints(self, *values: Decimal) -> bool:
        """Whether one of some values stands in the text as a number, with or without last zeros and scaling words."""
        said = {value for n in self.numbers() for value in (n.low, n.high, self.tokens[n.first].value)}
        return not said.isdisjoint(values)

    def unbound(self) -> tuple[tuple[int, int], ...]:
        """Return the places of the numbers that were not understood."""
        return tuple((self.tokens[n.first].start, self.tokens[n.last - 1].end) for n in self.bound.unbound)

    def unbound_numbers(self) -> tuple[Number, ...]:
        """Return the numbers that were not understood."""
        return self.bound.unbound


@remembered(MOST_KEPT)
def _kept(source: str, kind: str | None) -> Reading:
    return Reading(source, kind)


def read(source: str, kind: str | None = None) -> Reading:
    """Return the reading of a text; equal texts are parsed once.

    Args:
        source: the text.
        kind: cell, header, heading or caption where that is known; it tells whether a unit may stand alone.
    """
    return _kept(source, kind) if len(source) < LONGEST // 10 else Reading(source, kind)
