"""The grammar's entropy rate, against hand results and against long samples."""

import math

import pytest
from dlaudit.runners.workloads.grammar import Grammar, Production, seeded
from dlaudit.runners.workloads.text_transformer import GRAMMAR


def test_a_coin_has_the_entropy_of_its_bias() -> None:
    coin = Grammar(words=2, productions=((Production(0.25, 0, 0), Production(0.75, 1, 0)),))
    assert coin.entropy_rate() == pytest.approx(0.25 * math.log(4) + 0.75 * math.log(4 / 3))


def test_states_count_by_how_often_they_are_visited() -> None:
    # From 0: stay with 1/2, go to 1 with 1/2. From 1: always back, which is no choice. pi = (2/3, 1/3).
    golden = Grammar(words=2, productions=((Production(0.5, 0, 0), Production(0.5, 1, 1)), (Production(1.0, 0, 0),)))
    assert golden.stationary() == pytest.approx((2 / 3, 1 / 3))
    assert golden.entropy_rate() == pytest.approx(2 / 3 * math.log(2))


@pytest.mark.parametrize("seed", range(12))
def test_a_long_sample_costs_the_entropy_rate(seed: int) -> None:
    source = seeded(seed, nonterminals=1 + seed, words=12, ways=2 + seed % 3)
    words = source.sample(seed + 1, 50_000)
    assert set(words) <= set(range(source.words))
    assert source.code_length(words) / len(words) == pytest.approx(source.entropy_rate(), rel=0.02)


def test_the_grammar_of_the_workload_costs_its_entropy_rate() -> None:
    source = seeded(**GRAMMAR)
    words = source.sample(5, 200_000)
    assert source.code_length(words) / len(words) == pytest.approx(source.entropy_rate(), rel=0.005)
    assert source.entropy_rate() == pytest.approx(0.67943, abs=1e-5)


def test_no_two_productions_of_a_nonterminal_emit_the_same_word() -> None:
    for ways in seeded(**GRAMMAR).productions:
        assert len({way.word for way in ways}) == len(ways)
        assert math.fsum(way.probability for way in ways) == pytest.approx(1)


def test_words_that_the_grammar_does_not_produce_have_no_code() -> None:
    coin = Grammar(words=3, productions=((Production(0.25, 0, 0), Production(0.75, 1, 0)),))
    with pytest.raises(ValueError, match="word 2"):
        coin.code_length([0, 2])
