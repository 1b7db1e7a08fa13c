"""E05, energy-sampling-too-short: An energy from a device's own sensor over less than 50 of its updates."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer, outcome_and_effect
from support.conditions import energy

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (energy(updates=49), ("a", CAVEAT)),
        (energy(updates=50), PASS),
        (energy(updates=None), NOT_SHOWN),
        (energy(updates=None, sensor_period_s=0.1), PASS),
        (energy(updates=None, sensor_period_s=30.0), ("a", CAVEAT)),
        (energy(updates=None, sensor_period_s=30.0, duration_s=None), NOT_SHOWN),
        (energy(updates=12, method="meter"), NOT_APPLICABLE),
        (energy(updates=None, method="modelled"), NOT_APPLICABLE),
        (energy(updates=0), ("a", CAVEAT)),
        ({"arms": {"limited": {"energy": None}}}, NOT_SHOWN),
    ],
)
def test_updates_of_the_sensor(judged, patch, expected):
    assert answer(judged("energy", "E05", "per-joule", patch)) == expected


@pytest.mark.parametrize(("seconds", "outcome"), [(37.0, PASS), (12.0, VIOLATION)])
def test_an_energy_sampled_over_less_than_it_is_claimed_for(judged, seconds, outcome):
    patch = {
        "claims": {"per-joule": {"scope": "epoch"}},
        "arms": {
            "limited": {
                "energy": {"method": "sampled", "duration_s": seconds, "updates": 120},
                "performance": {"epoch": {"quantity": "time", "value": "37.4", "unit": "s", "scope": "epoch"}},
            }
        },
    }
    result = judged("energy", "E05", "per-joule", patch)
    assert outcome_and_effect(result) == (outcome, CAVEAT if outcome is VIOLATION else None)
