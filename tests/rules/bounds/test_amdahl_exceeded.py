"""P12, amdahl-exceeded: A speed-up on more devices above the bound that the claim's own serial fraction sets."""

from decimal import Decimal

import pytest
from dlaudit.rules.bounds.amdahl_exceeded import strong_bound, weak_bound
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer, effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def amdahl(value, serial="0.10", devices=4, **claim):
    fraction = {"low": serial, "high": serial}
    more = {"value": value, "points": 2, "serial_fraction": fraction, "base": {"devices": 1}, **claim}
    return {"claims": {"speedup": more}, "arms": {"fused": {"devices": devices}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (amdahl("3.07"), PASS),  # s = .1, p = 4: 3.08
        (amdahl("3.13"), PASS),  # within rounding of s and 2 %
        (amdahl("3.30"), VIOLATION),
        (amdahl("3.30", serial="10"), VIOLATION),  # in percent
        (amdahl("3.30", label="weak"), PASS),
        (amdahl("4.50", label="weak"), VIOLATION),
        (amdahl("4", qualifier="up_to"), NOT_APPLICABLE),
        (amdahl("3.30", devices=1), NOT_APPLICABLE),
        (amdahl("3.30", base={"devices": 2}), VIOLATION),
    ],
)
def test_amdahl(judged, patch, outcome):
    result = judged("training-pair", "P12", "speedup", patch)
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


@pytest.mark.parametrize(("speedup", "expected"), [("1.5", ("a", REFUTES)), ("6.0", PASS)])
def test_a_part_bounds_the_whole(judged, speedup, expected):
    part = {"name": "attention", "speedup": speedup, "fraction_low": 0.3, "fraction_high": 0.4}
    patch = {"claims": {"speedup": {"part": part, "treatment": ["attention"], "attribution": None}}}
    result = judged("training-pair", "P12", "speedup", patch)
    assert answer(result) == expected or (expected is PASS and result.outcome is NOT_APPLICABLE)


@pytest.mark.parametrize(
    ("treatment", "found"),
    [(["precision", "quantisation", "weights"], True), (["precision", "global_batch"], False)],
)
def test_quantised_weights_are_one_change_under_three_names(judged, treatment, found):
    part = {"name": "the linear layers", "speedup": "1.9", "fraction_low": 0.1, "fraction_high": 0.2}
    patch = {"claims": {"speedup": {"part": part, "treatment": treatment}}}
    assert (judged("quantised", "P12", "speedup", patch).outcome is Outcome.VIOLATION) is found


@pytest.mark.parametrize(("name", "found"), [("attention_kernel", True), ("allocator", False)])
def test_a_free_option_named_after_the_treatment_is_no_second_change(judged, name, found):
    part = {"name": "attention", "speedup": "1.5", "fraction_low": 0.3, "fraction_high": 0.4}
    patch = {
        "claims": {"speedup": {"part": part, "treatment": ["attention"], "attribution": None}},
        "arms": {
            "fused": {"options": {"extra": {name: "one"}}},
            "plain": {"options": {"extra": {name: "two"}}},
        },
    }
    assert (judged("training-pair", "P12", "speedup", patch).outcome is Outcome.VIOLATION) is found


def test_amdahl_on_four_workers():
    """A tenth serial on 4 workers: 3.08."""
    assert float(strong_bound(Decimal("0.1"), 1, 4)) == pytest.approx(3.0769, abs=1e-4)
    assert strong_bound(Decimal(0), 1, 4) == 4
    assert strong_bound(Decimal(1), 1, 4) == 1
    assert float(weak_bound(Decimal("0.1"), 1, 4)) == pytest.approx(3.7)
    assert strong_bound(Decimal("0.1"), 2, 8) == strong_bound(Decimal("0.1"), 1, 8) / strong_bound(Decimal("0.1"), 1, 2)
