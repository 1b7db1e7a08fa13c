"""S05, below-practical-threshold: A gain that the trials show, but that may be below 5 %."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import outcome_and_effect
from support.series import series, two

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [("1.004", "1.03", VIOLATION), ("1.06", "1.09", PASS), ("0.99", "1.04", NOT_APPLICABLE)],
)
def test_a_small_gain_by_its_stated_interval(judged, low, high, outcome):
    bare = {f"t{i}": {"samples": None} for i in range(1, 6)}
    patch = {
        "claims": {"speedup": {"value": str((float(low) + float(high)) / 2), "interval": {"low": low, "high": high}}},
        "arms": {name: {"trials": bare, "performance": {"rate": {"column": None}}} for name in ("ours", "theirs")},
    }
    result = judged("serving-comparison", "S05", "speedup", patch)
    assert outcome_and_effect(result) == (outcome, CAVEAT if outcome is VIOLATION else None)


def test_golden_one_percent_with_a_tight_interval_is_a_caveat(judged):
    patch = two(series(1.0, spread=0.001), series(1.01, spread=0.001), {"value": "1.01"})
    result = judged("training-pair", "S05", "speedup", patch)
    assert (result.outcome, result.branch.effect) == (VIOLATION, CAVEAT)
    assert judged("training-pair", "S04", "speedup", patch).outcome is PASS
