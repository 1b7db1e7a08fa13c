"""L10, quality-target-missed."""

import pytest
from dlaudit.rules.outcome import C3, REFUTES, UNDERMINES, Outcome

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def rouge(claim=None, **quality):
    return {"claims": {"quality": claim or {}}, "arms": {"int8": {"quality": {"rouge": quality}}}}


LOSSLESS = "INT8 weights are lossless."


@pytest.mark.parametrize(
    ("value", "claim", "outcome"),
    [
        ("38.72", {"statement": LOSSLESS}, PASS),
        ("38.40", {"statement": LOSSLESS}, PASS),  # 99.0 %
        ("38.39", {"statement": LOSSLESS}, VIOLATION),
        ("38.11", {}, NOT_APPLICABLE),
        ("38.11", {"form": "parity"}, VIOLATION),
        ("38.11", {"form": "parity", "margin": {"value": "3"}}, PASS),
        ("38.11", {"suite": "inference", "division": "closed"}, VIOLATION),
        ("38.11", {"suite": "inference", "division": "open"}, NOT_APPLICABLE),
        ("38.11", {"statement": "It keeps the score without any loss."}, VIOLATION),
        ("38.11", {"statement": "No loss of more than two percent."}, NOT_APPLICABLE),
        ("38.11", {"statement": "It retains 98 % of the score on the full, same test set."}, NOT_APPLICABLE),
        ("38.11", {"statement": "It matches the reference."}, VIOLATION),
        ("38.72", {"form": "parity", "suite_result": {"benchmark": "decoder-8b-99.9"}}, VIOLATION),
        ("38.76", {"form": "parity", "suite_result": {"benchmark": "decoder-8b-99.9"}}, PASS),
        ("0.3811", {"statement": LOSSLESS}, NOT_APPLICABLE),  # another scale
        ("0", {"statement": LOSSLESS}, NOT_APPLICABLE),
    ],
)
def test_qualities_beside_their_reference(judged, value, claim, outcome):
    result = judged("quantised", "L10", "quality", rouge({"value": value, **claim}, value=value))
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (REFUTES, C3)


def test_a_loss_beside_its_reference(judged):
    claim = {"statement": LOSSLESS}
    worse = rouge(claim, value="39.30", direction="lower")
    assert judged("quantised", "L10", "quality", worse).outcome is VIOLATION
    assert judged("quantised", "L10", "quality", rouge(claim, direction="lower")).outcome is PASS
    assert judged("quantised", "L10", "quality", rouge(claim, direction=None, value="30.00")).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("target", "statement", "outcome"),
    [
        ("0.70", "It serves 900 images/s.", PASS),
        ("0.76", "It serves 900 images/s.", VIOLATION),
        ("76", "It serves 900 images/s.", PASS),  # another scale
        ("0.76", "It serves 900 images/s; the target is missed.", PASS),
    ],
)
def test_a_performance_at_a_declared_target(judged, target, statement, outcome):
    patch = {
        "claims": {
            "speedup": {
                "statement": statement,
                "target": {"metric": "exact match", "value": target, "direction": "higher"},
            }
        }
    }
    result = judged("serving-comparison", "L10", "speedup", patch)
    assert (result.outcome is VIOLATION) is (outcome is VIOLATION)
    if outcome is VIOLATION:
        assert result.branch.effect is UNDERMINES
