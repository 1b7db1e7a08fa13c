"""F14, implausible-regularity: Wall-clock times that hardly vary, or not at all."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import strength
from support.quality import seeds
from support.series import noisy, rate

VIOLATION = Outcome.VIOLATION


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        ([0.1024] * 12, Outcome.VIOLATION),
        ([0.1024 + 1e-7 * (k % 5) for k in range(12)], Outcome.VIOLATION),
        (noisy(3, 12), Outcome.PASS),
        ([0.1024] * 9, Outcome.NOT_APPLICABLE),
    ],
)
def test_regular_times(judged, row, outcome):
    assert judged("rate", "F14", "rate", rate([row])).outcome is outcome


def test_less_than_a_tick_of_scatter_is_implausible(judged):
    patch = rate([noisy(3, 30, noise=0.001)])
    patch["arms"]["a"]["measurement"] = {"timer": {"resolution_s": 0.001}}
    assert strength(judged("rate", "F14", "rate", patch)) == ("a", CAVEAT)
    for says_nothing in (None, 0):
        patch["arms"]["a"]["measurement"] = {"timer": {"resolution_s": says_nothing}}
        assert judged("rate", "F14", "rate", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_grid_beside_a_clock_of_no_resolution(judged):
    patch = rate([[0.1024] * 29 + [1e-59]])
    patch["arms"]["a"]["measurement"] = {"timer": {"resolution_s": 0}}
    assert judged("rate", "F14", "rate", patch).outcome is not Outcome.ERROR


BY_TWENTY = ("0.78566", "0.78526", "0.78686", "0.78646", "0.78606")


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        (seeds(BY_TWENTY), True),
        (seeds([f"{100 * float(value):.3f}" for value in BY_TWENTY], unit="%"), True),
        (seeds(("0.78566", "0.78526", "0.78688", "0.78646", "0.78606")), False),  # one image beside the grid
        (seeds(("0.786", "0.785", "0.787", "0.788", "0.784")), False),  # in steps of their rounding
        (seeds(("0.78600", "0.78500", "0.78700", "0.78800", "0.78400")), False),
        (seeds(("0.78566", "0.78572", "0.78584", "0.78560", "0.78578")), False),  # of 3: chance
        (seeds(("0.7856", "0.7852", "0.7868", "0.7864", "0.7860"), examples=2500), False),  # one example each
        (seeds(BY_TWENTY[:3]), False),
        (seeds(BY_TWENTY, counted=False), False),
        (seeds(BY_TWENTY, examples=None), False),
        (seeds(["0.78566"] * 5), False),
    ],
)
def test_counts_of_seeds_in_even_steps_are_a_caveat(judged, patch, found):
    patch["claims"] = {"accuracy": {"interval": None}}
    result = judged("accuracy", "F14", "accuracy", patch)
    assert (result.outcome is Outcome.VIOLATION) is found, result
    if found:
        assert strength(result) == ("b", CAVEAT)
        assert "multiples of 20 of 50000" in result.branch.message


SERIES = {
    "blocks": [0.1021, 0.1034, 0.1019, 0.1027, 0.1031, 0.1024] * 6,
    "steps": [round(0.1 + 0.0002 * i, 6) for i in range(30)],
    "grid": [0.100 + 0.005 * (i * 7 % 3) for i in range(30)],
    "noise": [0.1 + (i * 7919 % 1013) * 1e-6 for i in range(60)],
}


@pytest.mark.parametrize(("name", "found"), [("blocks", True), ("steps", True), ("grid", True), ("noise", False)])
def test_patterns_of_times(judged, name, found):
    patch = {
        "arms": {
            "a": {
                "measurement": {"timer": {"name": "clock", "resolution_s": 1e-7}},
                "trials": {"t1": {"samples": {"step_time_s": SERIES[name]}}},
            }
        }
    }
    assert (judged("rate", "F14", "rate", patch).outcome is VIOLATION) is found
