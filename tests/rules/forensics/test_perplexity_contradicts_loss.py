"""F19, perplexity-contradicts-loss."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE
LOSS = {"metric": "loss", "value": "3.22", "unit": None, "seeds": None, "interval": None, "averaging": None,
        "counted": False, "loss": "3.22", "loss_base": "e", "loss_per": "token"}  # fmt: skip


def loss(**changes):
    return {
        "claims": {"accuracy": {"metric": "loss", "value": "3.22", "unit": None, "interval": None}},
        "arms": {"trained": {"quality": {"accuracy": {**LOSS, **changes}}}},
    }


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"perplexity": "25.0"}, PASS),
        ({"perplexity": "25"}, PASS),
        ({"perplexity": "23.5"}, ("a", REFUTES)),
        ({"perplexity": "25.3"}, ("a", CAVEAT)),
        ({"perplexity": "9.32", "loss_base": "2"}, PASS),
        ({"perplexity": "60.1", "perplexity_per": "word"}, NOT_APPLICABLE),
        ({"perplexity": "23.5", "loss_base": None}, NOT_APPLICABLE),
        ({"perplexity": "23.5", "loss_per": None}, NOT_APPLICABLE),
        ({"perplexity": "23.5", "averaging": "mean over documents"}, NOT_APPLICABLE),
        ({"bits_per_byte": "1.06", "bytes_per_token": 4.38}, PASS),
        ({"bits_per_byte": "0.93", "bytes_per_token": 4.38}, ("a", REFUTES)),
        ({"bits_per_byte": "0.93"}, NOT_APPLICABLE),
        ({"bits_per_byte": "4.65", "loss_per": "byte"}, PASS),
        ({"perplexity": "2", "loss": "1e59"}, NOT_APPLICABLE),
        ({}, NOT_APPLICABLE),
    ],
)
def test_a_perplexity_follows_from_its_loss(judged, changes, expected):
    assert answer(judged("accuracy", "F19", "accuracy", loss(**changes))) == expected
