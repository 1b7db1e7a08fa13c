"""S12, null-without-power: No difference, found by trials that would have missed one that matters."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, Outcome
from support.answers import answer
from support.quality import parity, quality

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
TIGHT = ([1.0, 1.001, 0.999, 1.002, 0.998], [1.003, 1.001, 1.0, 1.002, 1.001])
WIDE = ([1.0, 1.08, 0.93], [1.02, 0.95, 1.09])


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (parity(*TIGHT), PASS),
        (parity(*WIDE), VIOLATION),
        (parity(*WIDE, margin=None), VIOLATION),
        (parity(*WIDE, margin="40"), PASS),
        (parity(WIDE[0][:2], WIDE[1][:2]), NOT_SHOWN),
        (parity(*TIGHT, base=None), NOT_SHOWN),
    ],
)
def test_power(judged, patch, outcome):
    result = judged("training-pair", "S12", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (CAVEAT, C2)


def test_power_of_shares(judged):
    assert judged("quantised", "S12", "parity", quality("68.37", "2")).outcome is PASS
    assert judged("quantised", "S12", "parity", quality("68.37", "0.5")).outcome is VIOLATION
    assert judged("quantised", "S12", "speedup").outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("name", "extra", "expected"),
    [
        ("Welch's t", {}, NOT_SHOWN),
        ("Welch's t", {"margin": {"value": "5"}}, PASS),
        ("two one-sided tests", {}, PASS),
    ],
)
def test_no_significance_is_told_as_no_difference(judged, name, extra, expected):
    words = {"statement": "The difference is not significant (p = 0.62): both are as fast.", "unit": None}
    test = {"name": name, "kind": "t", "statistic": "0.5", "degrees_of_freedom": "8", "p": "0.62", "sided": "two"}
    patch = {"claims": {"speedup": {"form": "parity", "value": None, "interval": None, **words, "test": test, **extra}}}
    trials = {f"t{k}": {"samples": {"step_time_s": [0.8 + k / 1000]}} for k in range(1, 6)}
    patch["arms"] = {"fused": {"trials": trials}, "plain": {"trials": trials}}
    assert answer(judged("training-pair", "S12", "speedup", patch)) is expected
