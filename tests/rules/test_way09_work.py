"""W0903, W0904: what operations bought, and tokens that are none."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome

# W0903 ----------------------------------------------------------------------------------------------------------------

LONG = {"options": {"input_length": 16384}}
ALONE = {"performance": {"rate": None}}
TIME = {"quantity": "time", "value": "310", "unit": "h", "scope": "training_run"}
PRICE = {"hours": 310, "price": {"amount": 32, "currency": "EUR"}}


LOSS = {"quality": {"loss": {"metric": "loss", "value": "2.71", "direction": "lower", "split": "held_out"}}}
CURVE = {
    "kind": "convergence",
    "outcome": "completed",
    "evaluations": [{"split": "held_out", "metrics": {"loss": 2.7}}],
}


@pytest.mark.parametrize(
    ("arm", "outcome"),
    [
        (LONG | ALONE, Outcome.NOT_SHOWN),
        ({"options": {"input_length": None}, **ALONE}, Outcome.NOT_SHOWN),
        ({"native_input": None, **LONG, **ALONE}, Outcome.NOT_SHOWN),
        (ALONE, Outcome.NOT_SHOWN),
        (ALONE | LOSS, Outcome.NOT_SHOWN),
        ({}, Outcome.NOT_SHOWN),
        (LOSS, Outcome.PASS),
        (LONG | LOSS, Outcome.PASS),
        ({"trials": {"c1": CURVE}}, Outcome.PASS),
        (LONG | {"performance": {"rate": None, "time": TIME}}, Outcome.PASS),
        (LONG | ALONE | {"energy": {"boundary": "node", "method": "meter", "energy_j": 2.5e9}}, Outcome.PASS),
        (LONG | ALONE | {"cost": PRICE}, Outcome.PASS),
        (LONG | {"performance": {"rate": {"value": None}}}, Outcome.NOT_SHOWN),
    ],
)
@pytest.mark.parametrize("claim", ["flops", "mfu"])
def test_what_operations_bought(judged, claim, arm, outcome):
    assert judged("training-flops", "W0903", claim, {"arms": {"a": arm}}).outcome is outcome


def test_the_finding_names_what_is_missing(judged):
    words = {"LONG": LONG | ALONE, "ALONE": ALONE, "RATE": {}}
    found = {key: judged("training-flops", "W0903", "flops", {"arms": {"a": arm}}) for key, arm in words.items()}
    assert "examples of 16384 tokens" in found["LONG"].branch.message
    assert "without samples per second" in found["ALONE"].branch.message
    assert "what a trained model takes" in found["RATE"].branch.message


def test_a_result_elsewhere_in_the_document_is_enough(judged):
    """Another arm, or the time of a whole training, tells what the rate brings."""
    other = {"arms": {"b": {"label": "the same decoder", **LOSS}}}
    assert judged("training-flops", "W0903", "flops", other).outcome is Outcome.PASS
    time = {"statement": "Training takes 310 h.", "value": "310", "unit": "h", "quantity": "time", "form": "absolute"}
    time |= {"scope": "training_run", "mode": "training", "compares": "none"}
    assert judged("training-flops", "W0903", "flops", {"claims": {"hours": time}}).outcome is Outcome.PASS


# W0904 ----------------------------------------------------------------------------------------------------------------


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
