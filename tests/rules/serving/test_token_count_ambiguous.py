"""L07, token-count-ambiguous."""

import pytest
from dlaudit.rules.outcome import C3, UNDERMINES, Outcome
from support.serving import served

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def loads(ours=None, theirs=None, **claim):
    arms = {name: {"performance": {"rate": {"load": load}}} for name, load in (("ours", ours), ("theirs", theirs))}
    return {
        "claims": {"speedup": claim},
        "arms": {name: arm for name, arm in arms.items() if arm["performance"]["rate"]["load"]},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        (loads({"tokenizer": "BPE 128256"}, {"tokenizer": "BPE 32000"}), VIOLATION),
        (loads({"tokens_counted": "total"}), VIOLATION),
        (loads({"tokenizer": "unigram"}, {"tokenizer": "BPE"}), PASS),  # other words may mean one tokenizer
        (loads({"tokenizer": None}), NOT_APPLICABLE),
        (loads({"tokens_counted": None}, statement="FastServe is 1.31 times as fast."), NOT_SHOWN),
        (loads({"tokens_counted": None}), PASS),  # the sentence says output tokens
    ],
)
def test_tokens(judged, patch, outcome):
    result = judged("serving-comparison", "L07", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (UNDERMINES, C3)
    assert outcome is not NOT_SHOWN or result.branch.item == "meaning of tokens"


def test_tokens_of_two_models(judged):
    patch = loads()
    patch["arms"] = {"theirs": {"options": {"model": "decoder 7B"}}}
    assert judged("serving-comparison", "L07", "speedup", patch).outcome is NOT_SHOWN
    assert judged("serving", "L07", "rate").outcome is NOT_APPLICABLE  # requests per second
    assert judged("training-pair", "L07", "rate").outcome is PASS  # every token of a training counts


def test_one_arm_that_does_not_say_which_tokens_it_counts(judged):
    silent = {"arms": {"theirs": {"performance": {"rate": {"load": {"tokens_counted": None}}}}}}
    assert judged("serving-comparison", "L07", "speedup", silent).outcome is PASS  # the sentence says output tokens
    silent["arms"]["ours"] = {"performance": {"rate": {"load": {"tokens_counted": "total"}}}}
    assert judged("serving-comparison", "L07", "speedup", silent).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The server reaches 3200 tokens/s.", NOT_SHOWN),
        ("The server reaches 3200 tokens/s, prompts included.", PASS),
        ("The server reaches 3200 total tokens/s.", PASS),
        ("The server processes 3200 tokens/s (512 tokens in, 129 out).", NOT_SHOWN),
    ],
)
def test_prompts_among_the_counted_tokens_are_said(judged, statement, outcome):
    claims = {"rate": {"statement": statement, "value": "3200", "unit": "tokens/s"}}
    rate = {"value": "3200", "unit": "tokens/s", "load": {"tokens_counted": "total"}}
    assert judged("serving", "L07", "rate", served(claims, rate=rate)).outcome is outcome


def test_the_words_of_a_load_do_not_say_which_tokens_count(judged):
    claims = {"rate": {"statement": "That is 715 tokens/s (3575 tokens in 5.0 s).", "value": "715", "unit": "tokens/s"}}
    rate = {"value": "715", "unit": "tokens/s", "load": {"tokens_counted": None}}
    assert judged("serving", "L07", "rate", served(claims, rate=rate)).outcome is NOT_SHOWN
