"""Raw series: rules that read the same ones."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.series import honest, noisy, rate

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def test_simulated_times_may_repeat(judged):
    for code in ("F12", "F13", "F14"):
        patch = rate([noisy(0), noisy(0), [2 * x for x in noisy(0)], [0.1] * 20])
        patch["claims"] = {"rate": {"basis": "simulated"}}
        assert judged("rate", code, "rate", patch).outcome is not Outcome.VIOLATION


@pytest.mark.parametrize("code", ["M02", "M06", "M07", "M09", "M12", "F12", "F13", "F14"])
def test_a_trial_without_numbers_leaves_the_rest_undecided(judged, code):
    patch = rate(honest(4))
    assert judged("rate", code, "rate", patch).outcome is Outcome.PASS
    patch["arms"]["a"]["trials"]["t6"] = {"kind": "throughput", "outcome": "completed"}
    assert judged("rate", code, "rate", patch).outcome is Outcome.NOT_APPLICABLE
    patch["arms"]["a"]["trials"]["t6"] = {"kind": "throughput", "outcome": "failed"}
    assert judged("rate", code, "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize("bad", [[], [0.1, 0.0], [0.0, 0.0]])
def test_series_that_hold_no_times_are_not_judged(judged, bad):
    patch = {"arms": {"a": {"trials": {f"t{i}": {"samples": {"step_time_s": bad}} for i in range(1, 6)}}}}
    for code in ("F07", "M01"):
        assert judged("rate", code, "rate", patch).outcome in {PASS, NOT_APPLICABLE}
