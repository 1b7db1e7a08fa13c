"""E03, power-outside-limits: A mean power above the limit of the devices, or below what they draw idle."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer, outcome_and_effect
from support.conditions import energy

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE
NO_LIMIT = {"limit": None, "mean_power_w": 900.0}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (energy(mean_power_w=278.0), ("a", REFUTES)),
        (energy(mean_power_w=262.0), PASS),  # within 5 %
        (energy(mean_power_w=900.0, devices=4), PASS),
        (energy(mean_power_w=278.0, boundary="node"), NOT_APPLICABLE),
        (energy(mean_power_w=278.0, boundary=None), NOT_APPLICABLE),
        (energy(mean_power_w=40.0, energy_j=None), ("a", REFUTES)),
        (energy(mean_power_w=40.0), PASS),  # what was measured above idle: the energy says so
        (energy(mean_power_w=61.0, energy_j=None), PASS),
        (energy(mean_power_w=None), NOT_APPLICABLE),
    ],
)
def test_power_within_limits(judged, patch, expected):
    assert answer(judged("energy", "E03", "per-joule", patch)) == expected


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ({"power_limit_w": None}, ("a", REFUTES)),  # what the table says of the device
        ({"power_limit_w": None, "device": "our own chip", "design_power_w": 1000}, PASS),
        ({"power_limit_w": None, "device": "our own chip", "design_power_w": 500}, ("a", REFUTES)),
        ({"power_limit_w": None, "device": "our own chip"}, PASS),  # idle power alone is known
    ],
)
def test_power_without_a_limit_in_force(judged, system, expected):
    patch = energy(**NO_LIMIT) | {"systems": {"node": system}}
    assert answer(judged("energy", "E03", "per-joule", patch)) == expected


def test_nothing_to_hold_a_power_against(judged):
    system = {"systems": {"node": {"power_limit_w": None, "device": "our own chip"}}}
    patch = energy(**NO_LIMIT, idle_power_w=None) | system
    assert answer(judged("energy", "E03", "per-joule", patch)) is NOT_APPLICABLE


@pytest.mark.parametrize(("mean", "outcome"), [(60.0, NOT_APPLICABLE), (40.0, VIOLATION)])
def test_a_node_draws_more_than_idle(judged, mean, outcome):
    energy = {"boundary": "node", "method": "meter", "mean_power_w": mean, "energy_j": None, "idle_power_w": 50}
    patch = {"arms": {"limited": {"energy": energy}}}
    result = judged("energy", "E03", "per-joule", patch)
    assert outcome_and_effect(result) == (outcome, REFUTES if outcome is VIOLATION else None)


@pytest.mark.parametrize("form", ["ratio", "absolute"])
def test_the_power_of_what_is_compared_is_judged_too(judged, form):
    """A base's meter that is called the devices' own counter reads no more than they may draw, whatever is left out."""
    arms = {
        "full": {"energy": {"boundary": "device", "mean_power_w": 900.0}},
        "limited": {"energy": {"mean_power_w": None}},
    }
    claim = {"form": form, "compares": "own_variants"}
    assert answer(judged("energy", "E03", "gain", {"arms": arms, "claims": {"gain": claim}})) == ("a", REFUTES)
