"""S11, optional-stopping: Trials that were added until the difference was significant, or in one arm only."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

VIOLATION = Outcome.VIOLATION


@pytest.mark.parametrize(
    ("words", "effect"),
    [
        ("trials were added until the 95 % interval of the ratio excluded 1", UNDERMINES),
        ("the test was repeated after each seed, until p fell below 0.05", UNDERMINES),
        ("runs until the median was below 15.9 s", UNDERMINES),
        ("at least 5 steps, then until the standard error of the mean fell below 0.15 %", CAVEAT),
        ("at least 30 steps, then until the standard error of the mean fell below 0.15 %", None),
        ("runs until the interval of the median was below 2 % of it", None),
        ("each run trains until the accuracy is above 94 %", None),
        ("five trials, fixed before", None),
        ("ten seeds; none was added until the difference was significant", None),
        ("ten seeds, without alpha spending, until p < 0.05", UNDERMINES),
    ],
)
def test_stop_rules(judged, words, effect):
    arms = {name: {"measurement": {"stop_rule": words}} for name in ("fused", "plain")}
    result = judged("training-pair", "S11", "speedup", {"arms": arms})
    assert (result.outcome is VIOLATION, getattr(result.branch, "effect", None)) == (effect is not None, effect)
