"""W0904, padding-counted-as-work: Tokens per second of which a part is padding."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome


def tokens(counts, **claim):
    return {"arms": {"fused": {"performance": {"rate": {"tokens": counts}}}}, "claims": {"rate": claim}}


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ({"real": 800000, "padded": 1048576, "counted": "padded"}, Outcome.VIOLATION),
        ({"real": 800000, "padded": 1048576, "counted": "real"}, Outcome.PASS),
        ({"real": 1040000, "padded": 1048576, "counted": "padded"}, Outcome.PASS),
        ({"real": 900000, "padded": 1000000, "counted": "padded"}, Outcome.NOT_SHOWN),
        ({"real": 800000, "padded": 1048576}, Outcome.NOT_SHOWN),
        ({"real": 800000, "counted": "padded"}, Outcome.NOT_SHOWN),
        ({"padded": 1048576, "counted": "padded"}, Outcome.NOT_SHOWN),
        ({"lengths": "variable"}, Outcome.NOT_SHOWN),
        ({"lengths": "packed"}, Outcome.PASS),
        ({"lengths": "constant"}, Outcome.PASS),
        ({"lengths": "packed", "real": 800000, "padded": 1048576, "counted": "padded"}, Outcome.VIOLATION),
        ({"real": 0, "padded": 1048576, "counted": "padded"}, Outcome.VIOLATION),
        ({"real": 2000000, "padded": 1048576, "counted": "padded"}, Outcome.NOT_SHOWN),
        ({}, Outcome.NOT_SHOWN),
    ],
)
def test_padding(judged, counts, outcome):
    result = judged("training-pair", "W0904", "rate", tokens(counts))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
        assert result.branch.at == "/arms/fused/performance/rate/tokens"


def test_padding_that_is_said_is_a_note(judged):
    patch = tokens(
        {"real": 800000, "padded": 1048576, "counted": "padded"},
        said=[{"topic": "padding", "quote": "padding tokens included"}],
    )
    result = judged("training-pair", "W0904", "rate", patch)
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


def test_only_rates_with_token_counts_are_judged(judged):
    assert judged("training-pair", "W0904", "rate").outcome is Outcome.NOT_APPLICABLE
    patch = tokens({"lengths": "variable"}, measured={"arm": "plain", "metric": "rate"})
    assert judged("training-pair", "W0904", "rate", patch).outcome is Outcome.NOT_APPLICABLE
