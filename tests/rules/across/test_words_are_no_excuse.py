"""A topic, a single word, or the sentence once more excuses nothing."""

import pytest
from dlaudit.rules.facts.document.told import explains, is_quotation
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES
from support.patches import claim

SENTENCE = "One A100 trains ResNet-50 at 2500 images per second (compute only)."


@pytest.mark.parametrize("quote", ["ok", "...", "x", "Scope.", "yes yes yes", "2"])
def test_what_is_no_quotation(quote):
    assert not is_quotation(quote, SENTENCE)


@pytest.mark.parametrize("quote", ["one layer only", "scaled up", "A100", "mit Füllwörtern gezählt"])
def test_what_may_be_one(quote):
    assert is_quotation(quote, SENTENCE)


@pytest.mark.parametrize("text", ["", "x", "Packing.", "Cache cache cache", SENTENCE, "images per second: 2500"])
def test_what_explains_nothing(text):
    assert not explains(text, SENTENCE)


@pytest.mark.parametrize("text", ["the images are maps", "small objects", "nodes of two kinds"])
def test_what_explains_something(text):
    assert explains(text, SENTENCE)


def apart(quote, **options):
    """Return a patch: the speed is that of FP8, the loss that of BF16, and a quote says something of it."""
    said = [{"topic": "option_sets_differ", "quote": quote}]
    patch = claim("speedup", quality={"arm": "plain", "quality": "loss"}, said=said)
    both = {"attention": "exact"}
    arms = {
        "fused": {"options": {**both, **(options or {"precision": {"compute": "e4m3"}})}},
        "plain": {"options": both},
    }
    return patch | {"arms": arms}


@pytest.mark.parametrize("quote", ["ok", "precision.compute", "the loss is that of another run of ours", "see above"])
def test_a_quote_that_does_not_name_what_differs_does_not_excuse_it(judged, quote):
    assert judged("training-pair", "W0801", "speedup", apart(quote)).branch.effect is REFUTES


@pytest.mark.parametrize(
    "quote",
    [
        "the speed is that of E4M3, the loss that of BF16",
        "Speed and loss are of runs that differ in their precision.",
    ],
)
def test_one_that_names_it_does(judged, quote):
    assert judged("training-pair", "W0801", "speedup", apart(quote)).branch.effect is CAVEAT


def test_every_difference_has_to_be_named(judged):
    patch = apart("the optimizer is another one for the loss", optimizer="LAMB", precision={"compute": "e4m3"})
    assert judged("training-pair", "W0801", "speedup", patch).branch.effect is REFUTES


@pytest.mark.parametrize(("quote", "effect"), [("layer", UNDERMINES), ("one layer was timed", CAVEAT)])
def test_a_narrower_scope_is_said_in_words(judged, quote, effect):
    said = [{"topic": "scope_narrower", "quote": quote}]
    patch = claim("speedup", scope="epoch", said=said) | {
        "arms": {
            name: {"measurement": {"scope": "layer"}, "trials": {f"s{i}": None for i in range(1, 6)}}
            for name in ("fused", "plain")
        }
    }
    assert judged("training-pair", "W0501", "speedup", patch).branch.effect is effect
