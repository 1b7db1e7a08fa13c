"""W0903, science-per-cost-missing."""

import pytest
from dlaudit.rules.outcome import Outcome

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
    assert "what it takes to train a model" in found["RATE"].branch.message


def test_a_result_elsewhere_in_the_document_is_enough(judged):
    """Another arm, or the time of a whole training, tells what the rate brings."""
    other = {"arms": {"b": {"label": "the same decoder", **LOSS}}}
    assert judged("training-flops", "W0903", "flops", other).outcome is Outcome.PASS
    time = {"statement": "Training takes 310 h.", "value": "310", "unit": "h", "quantity": "time", "form": "absolute"}
    time |= {"scope": "training_run", "mode": "training", "compares": "none"}
    assert judged("training-flops", "W0903", "flops", {"claims": {"hours": time}}).outcome is Outcome.PASS
