"""P08, incomparable-formats-compared."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer, outcome_and_effect

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
RUNS = {f"s{n}": None for n in range(1, 6)}


def pair(left, right, quality="3.22", runs=None):
    loss = {"loss": {"value": quality}} if quality else None
    plain = {"options": {"precision": {"compute": right}}, "quality": loss, "trials": runs or {}}
    fused = {"options": {"precision": {"compute": left}}}
    return {"claims": {"speedup": {"quality": None}}, "arms": {"fused": fused, "plain": plain}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (pair("bf16", "fp16"), PASS),  # one loss
        (pair("bf16", "fp16", None), PASS),  # one target
        (pair("bf16", "fp16", "3.90", RUNS), VIOLATION),
        (pair("bf16", "fp16", None, RUNS), VIOLATION),
        (pair("e4m3", "e5m2", None, RUNS), VIOLATION),
        (pair("bf16", "fp32", None, RUNS), PASS),
        (pair("bf16", "bf16", None, RUNS), PASS),
        (pair("bf16", "mixed", None, RUNS), NOT_APPLICABLE),
        (pair("bf16", None, None, RUNS), NOT_APPLICABLE),
    ],
)
def test_incomparable_formats(judged, patch, outcome):
    result = judged("training-pair", "P08", "speedup", patch)
    assert outcome_and_effect(result) == (outcome, CAVEAT if outcome is VIOLATION else None), result


def lower(**more):
    """The fused arm in FP8, of which no quality is shown."""
    fused = {"options": {"precision": {"compute": "e4m3"}}, "quality": None, "trials": RUNS, "target": None}
    return {"claims": {"speedup": {"quality": None, **more.pop("claim", {})}}, "arms": {"fused": fused | more}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (lower(), NOT_SHOWN),
        (lower(quality={"loss": {"metric": "loss", "value": "3.22", "direction": "lower"}}), PASS),
        (lower(claim={"outputs": {"compared": 500, "identical": 480}}), PASS),
        (lower(claim={"scope": "kernel"}), PASS),
        (lower(claim={"quality": {"arm": "plain", "quality": "loss"}}), NOT_SHOWN),
    ],
)
def test_the_lower_of_two_formats_shows_a_quality(judged, patch, expected):
    assert answer(judged("training-pair", "P08", "speedup", patch)) == expected
