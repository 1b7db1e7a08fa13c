"""W0503, kernel-gain-overpropagated."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome


def part(speedup, low, high, **claim):
    return {"claims": {"speedup": {"part": {"speedup": speedup, "fraction_low": low, "fraction_high": high}, **claim}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (part("3.0", 0.1, 0.2), Outcome.VIOLATION),
        (part("3.0", 0.2, 0.1), Outcome.VIOLATION),
        (part("3.0", 0.4, 0.5), Outcome.PASS),
        (part("1000000", 0.2, 0.29), Outcome.VIOLATION),
        (part("1000000", 0.2, 0.30), Outcome.PASS),
        (part("2", 1.0, 1.0), Outcome.PASS),
        (part("1e59", 1.0, 1.0), Outcome.PASS),
        (part("0", 0.2, 0.3), Outcome.VIOLATION),
        (part("-1", 0.2, 0.3), Outcome.NOT_APPLICABLE),
        (part("3.0", 0.1, 0.2, qualifier="up_to"), Outcome.NOT_APPLICABLE),
        (part("3.0", 0.1, 0.2, qualifier="over"), Outcome.VIOLATION),
        (part("3.0", 0.1, 0.2, value="43", unit="%"), Outcome.VIOLATION),
        (part("3.0", 0.1, 0.2, value="0.70", unit="x", quantity="time"), Outcome.VIOLATION),
        (part("3.0", 0.4, 0.5, value="0.70", unit="x", quantity="time"), Outcome.PASS),
        (part("3.0", 0.1, 0.2, value="1.00"), Outcome.NOT_APPLICABLE),
    ],
)
def test_amdahl_bounds_the_whole(judged, patch, outcome):
    result = judged("training-pair", "W0503", "speedup", patch)
    assert result.outcome is outcome, result
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is REFUTES


def test_one_stated_fraction_counts_as_rounded(judged):
    """1.425 needs 29.8 % at an infinite gain: "30 %" may be 29.5, "29 %" may be 29.5, "28 %" may not."""
    assert judged("training-pair", "W0503", "speedup", part("1000000", 0.295, 0.295)).outcome is Outcome.PASS
    assert judged("training-pair", "W0503", "speedup", part("1000000", 0.28, 0.28)).outcome is Outcome.VIOLATION


def test_a_sentence_that_gives_the_part_as_the_reason(judged):
    sentence = "A step is 1.43 times as fast, because attention became 3 times faster."
    patch = part("3.0", 0.1, 0.2, statement=sentence, treatment=["attention", "compile"])
    result = judged("training-pair", "W0503", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)
    assert "beside it changed: attention, compile" in result.branch.message


@pytest.mark.parametrize(
    "more",
    [
        {"claims": {"speedup": {"treatment": ["attention", "compile"]}}},
        {"claims": {"speedup": {"attribution": "system"}}},
        {"arms": {"plain": {"options": {"compile": False}}}},
    ],
    ids=["two treatments", "whole system", "two options differ"],
)
def test_other_changes_leave_the_part_without_a_bound(judged, more):
    patch = part("3.0", 0.1, 0.2)
    for key, value in more.items():
        patch[key] = (
            {**patch.get(key, {}), **value}
            if key != "claims"
            else {"speedup": {**patch["claims"]["speedup"], **value["speedup"]}}
        )
    assert judged("training-pair", "W0503", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("scope", "measured", "expected"),
    [
        ("step", "kernel", Outcome.NOT_SHOWN),
        ("training_run", "layer", Outcome.NOT_SHOWN),
        ("step", "step", Outcome.NOT_APPLICABLE),
        ("step", None, Outcome.NOT_APPLICABLE),
        ("kernel", "kernel", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_gain_of_a_kernel_told_as_that_of_a_training(judged, scope, measured, expected):
    patch = {
        "claims": {"speedup": {"scope": scope, "part": None}},
        "arms": {name: {"performance": {"rate": {"scope": measured}}} for name in ("fused", "plain")},
    }
    assert judged("training-pair", "W0503", "speedup", patch).outcome is expected
