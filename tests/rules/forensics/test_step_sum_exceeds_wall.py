"""F16, step-sum-exceeds-wall."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def walls(trials):
    return {"arms": {"a": {"trials": {f"t{i}": {"wall_s": wall} for i, wall in enumerate(trials, 1)}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (walls([8.0] * 5), PASS),
        (walls([8.0, 8.0, 8.0, 8.0, 3.0]), ("a", REFUTES)),
        (walls([8.0, 8.0]), NOT_APPLICABLE),
        ({"arms": {"a": {"measurement": {"wall_s": 0.1025}}}}, NOT_APPLICABLE),  # of one step
        ({"arms": {"a": {"measurement": {"wall_s": 4.2}}}, "claims": {"rate": {"replicated": True}}}, NOT_APPLICABLE),
        ({"arms": {"a": {"measurement": {"wall_s": 4.2}, "performance": {"rate": {"column": None}}}}}, NOT_APPLICABLE),
        (
            {"arms": {"a": {"measurement": {"wall_s": 4.2}, "performance": {"rate": {"load": {"concurrency": 4}}}}}},
            NOT_APPLICABLE,
        ),
    ],
)
def test_steps_fit_into_the_wall_time(judged, patch, expected):
    assert answer(judged("rate", "F16", "rate", patch)) == expected


@pytest.mark.parametrize(
    ("arm", "expected"),
    [
        ({"measurement": {"wall_s": 20.0}}, ("a", REFUTES)),  # longer than a trial, shorter than all their steps
        ({"measurement": {"wall_s": 45.0}}, PASS),
        ({"measurement": {"wall_s": 7.0}}, PASS),  # of one trial
        ({"performance": {"rate": {"wall_s": 20.0}}}, ("a", REFUTES)),
        ({"measurement": {"wall_s": 20.0}, "trials": {"t5": {"wall_s": None}}}, NOT_APPLICABLE),
    ],
)
def test_a_window_longer_than_every_trial_holds_all_of_them(judged, arm, expected):
    patch = walls([8.0] * 5)
    for key, value in arm.items():
        patch["arms"]["a"][key] = {**patch["arms"]["a"].get(key, {}), **value}
    assert answer(judged("rate", "F16", "rate", patch)) == expected
