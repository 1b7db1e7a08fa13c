"""A seeded source of text whose entropy rate is known exactly, so that a loss on it has a floor.

The source is a right-linear probabilistic grammar: from each nonterminal a production emits one word and leads to the
next nonterminal. No two productions of a nonterminal emit the same word, so the words determine the nonterminals (the
automaton is unifilar) and the entropy rate is

    h = sum over nonterminals i of  pi_i * H(productions of i)      nats per word,

pi being the stationary distribution (C. E. Shannon, A Mathematical Theory of Communication, 1948, section 7). No
predictor that sees only earlier words has a smaller expected loss, whatever its context.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

GRAMMAR = {"seed": 1948, "nonterminals": 8, "words": 24, "ways": 3}
"""What the text of `text-transformer` is drawn from."""
TRAIN_SEED, TEST_SEED = 1, 2


@dataclass(frozen=True, slots=True)
class Production:
    """One way on from a nonterminal."""

    probability: float
    word: int
    following: int


@dataclass(frozen=True, slots=True)
class Grammar:
    """Productions by nonterminal; the words are numbers from 0 to `words` - 1."""

    words: int
    productions: tuple[tuple[Production, ...], ...]

    def stationary(self) -> tuple[float, ...]:
        """Return the stationary probability of every nonterminal."""
        import numpy as np

        count = len(self.productions)
        transition = np.zeros((count, count))
        for origin, ways in enumerate(self.productions):
            for way in ways:
                transition[origin, way.following] += way.probability
        equations = np.vstack([transition.T - np.eye(count), np.ones(count)])
        solution, *_ = np.linalg.lstsq(equations, np.append(np.zeros(count), 1.0), rcond=None)
        return tuple(float(share) for share in solution)

    def entropy_rate(self) -> float:
        """Return the entropy rate in nats per word."""
        entropies = (-sum(w.probability * math.log(w.probability) for w in ways) for ways in self.productions)
        return math.fsum(share * entropy for share, entropy in zip(self.stationary(), entropies, strict=True))

    def sample(self, seed: int, length: int) -> list[int]:
        """Return `length` words, beginning at nonterminal 0."""
        source, at, words = random.Random(seed), 0, []  # noqa: S311  (data, not a secret)
        weights = [[way.probability for way in ways] for ways in self.productions]
        for _ in range(length):
            way = source.choices(self.productions[at], weights[at])[0]
            words.append(way.word)
            at = way.following
        return words

    def code_length(self, words: list[int]) -> float:
        """Return the ideal code length, in nats, of words that begin at nonterminal 0.

        Raises:
            ValueError: the grammar does not produce these words.
        """
        at, total = 0, 0.0
        for word in words:
            way = next((way for way in self.productions[at] if way.word == word), None)
            if way is None:
                raise ValueError(f"word {word} does not follow here")
            total -= math.log(way.probability)
            at = way.following
        return total


def seeded(seed: int, nonterminals: int, words: int, ways: int) -> Grammar:
    """Draw a grammar.

    Args:
        seed: what it is drawn with.
        nonterminals: their number, at least 1; the first production of each leads to the next one, so that all are
            reached from all.
        words: size of the vocabulary, at least `ways`.
        ways: productions per nonterminal, with probabilities drawn uniformly from the simplex.
    """
    source = random.Random(seed)  # noqa: S311  (data, not a secret)
    productions = []
    for origin in range(nonterminals):
        weights = [source.expovariate(1.0) for _ in range(ways)]
        emitted = source.sample(range(words), ways)
        goals = [(origin + 1) % nonterminals, *(source.randrange(nonterminals) for _ in range(ways - 1))]
        total = math.fsum(weights)
        shares = (weight / total for weight in weights)
        productions.append(tuple(map(Production, shares, emitted, goals)))
    return Grammar(words=words, productions=tuple(productions))
