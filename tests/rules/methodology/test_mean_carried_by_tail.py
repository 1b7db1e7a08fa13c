"""M27, mean-carried-by-tail: A mean that lies above the 90th percentile of its own values: a few of them carry it."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def mean_with(slow_at, factor=8.0, statistic="mean"):
    """Two slow steps in each trial of the plain arm, which states its mean."""
    trials = {}
    for name, trial in submission("training-pair")["arms"]["plain"]["trials"].items():
        if trial["kind"] == "throughput":
            times = list(trial["samples"]["step_time_s"])
            for place in slow_at:
                times[place] *= factor
            trials[name] = {"samples": {"step_time_s": times}}
    return {"arms": {"plain": {"trials": trials, "performance": {"rate": {"statistic": statistic}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (mean_with((0, 1)), ("b", UNDERMINES)),
        (mean_with((0, 1), factor=1.5), ("a", CAVEAT)),
        (mean_with((12, 22)), ("a", CAVEAT)),
        (mean_with((0, 1), factor=1.01), PASS),
        (mean_with((0, 1), statistic="median"), NOT_APPLICABLE),
    ],
)
def test_a_mean_of_raw_times_that_few_of_them_carry(judged, patch, expected):
    assert answer(judged("training-pair", "M27", "speedup", patch)) == expected
