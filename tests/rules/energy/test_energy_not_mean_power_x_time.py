"""E02, energy-not-mean-power-x-time: Energy, mean power and time of one window that do not fit together."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({}, PASS),
        ({"energy_j": 240000}, PASS),  # 5 % between counter and sensor
        ({"energy_j": 240000, "method": "sampled"}, VIOLATION),
        ({"energy_j": 240000, "method": None}, NOT_APPLICABLE),
        ({"energy_j": 280000}, VIOLATION),
        ({"energy_j": 170350}, PASS),  # above the stated idle power
        ({"energy_j": 170350, "idle_power_w": None}, VIOLATION),
        ({"energy_j": 228.4}, VIOLATION),
        ({"duration_s": None}, NOT_APPLICABLE),
        ({"energy_j": 0, "mean_power_w": 0}, NOT_APPLICABLE),
    ],
)
def test_power_times_time(judged, energy, outcome):
    result = judged("energy", "E02", "per-joule", {"arms": {"limited": {"energy": energy}}})
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


def test_a_unit_slip_of_energy_is_named(judged):
    result = judged("energy", "E02", "per-joule", {"arms": {"limited": {"energy": {"energy_j": 228.4}}}})
    assert "a factor 1000" in result.branch.message
