"""W1003, divergence-cut: A training curve stops short of its plan while it is getting worse."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, UNDERMINES, Outcome
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
RISING = (0.62, 0.59, 0.58, 0.61, 0.70, 0.83, 0.97, 1.20)
FALLING = (1.20, 0.97, 0.83, 0.70, 0.61, 0.60, 0.59, 0.58)
BUMPY = (0.62, 0.59, 0.66, 0.60, 0.58, 0.65, 0.60, 0.63)


def log(values):
    return [{"split": "test", "samples": 1000 * i, "metrics": {"loss": v}} for i, v in enumerate(values, start=1)]


def cut(*curves, planned=20000, **arm):
    """Runs towards a loss of 0.20 that none of them reaches; `planned` is the work that was planned."""
    trials = RUNS | {
        f"s{i}": {"planned_samples": planned, "crossing": None, "evaluations": log(values), "final": None}
        for i, values in enumerate(curves, start=1)
    }
    target = {"metric": "loss", "value": "0.20", "direction": "lower"}
    measurement = {"stop_rule": None} | arm.pop("measurement", {})
    options = {"epochs": None}
    arm = {"trials": trials, "measurement": measurement, "options": options, "target": None, **arm}
    return {"claims": {"time": {"target": target}}, "arms": {"trained": arm}}


@pytest.mark.parametrize(
    ("patch", "outcome", "effect"),
    [
        (cut(RISING, RISING), VIOLATION, UNDERMINES),
        (cut(RISING, RISING, FALLING), VIOLATION, UNDERMINES),
        (cut(RISING), VIOLATION, CAVEAT),
        (cut(RISING, FALLING, FALLING), VIOLATION, CAVEAT),
        (cut(RISING, RISING, FALLING, FALLING, FALLING), VIOLATION, CAVEAT),
        (cut(RISING, RISING, RISING, FALLING, FALLING), VIOLATION, UNDERMINES),
        (cut(FALLING, FALLING), PASS, None),
        (cut(BUMPY, BUMPY), PASS, None),
        (cut(RISING, RISING, planned=8000), PASS, None),
        (cut(RISING, RISING, planned=None), NOT_SHOWN, None),
        (cut(FALLING, FALLING, planned=None), PASS, None),
        (cut(RISING[1:], RISING[1:]), NOT_SHOWN, None),
        (cut((*RISING[:7], None), RISING[1:]), NOT_SHOWN, None),
        (cut(FALLING[1:], FALLING[1:]), NOT_APPLICABLE, None),
        (cut([0.7] * 8, [0.7] * 8), PASS, None),
        (cut(), NOT_APPLICABLE, None),
        (cut(RISING, RISING, measurement={"stop_rule": "early stopping, patience 5"}), PASS, None),
    ],
)
def test_a_curve_that_ends_while_it_gets_worse(judged, patch, outcome, effect):
    result = judged("time-to-accuracy", "W1003", "time", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (effect, C2)


def test_runs_that_are_called_diverged_hide_nothing(judged):
    patch = cut(RISING, RISING)
    for name in ("s1", "s2"):
        patch["arms"]["trained"]["trials"][name]["outcome"] = "diverged"
    assert judged("time-to-accuracy", "W1003", "time", patch).outcome is PASS


def test_a_run_that_falls_back_behind_the_target_that_it_met_is_a_caveat(judged):
    patch = cut((0.19, *RISING), (0.19, *RISING))
    assert judged("time-to-accuracy", "W1003", "time", patch).branch.effect is CAVEAT
    whole = cut((0.19, *RISING), (0.19, *RISING), planned=9000)
    assert judged("time-to-accuracy", "W1003", "time", whole).outcome is PASS
    met = cut((*FALLING, 0.19), (*FALLING, 0.19))
    assert judged("time-to-accuracy", "W1003", "time", met).outcome is PASS


def test_only_the_end_counts(judged):
    """Forty points that rise, and a last fifth that falls, and the other way around."""
    up, down = [0.5 + i / 100 for i in range(40)], [0.9 - i / 100 for i in range(10)]
    assert judged("time-to-accuracy", "W1003", "time", cut(up + down, up + down, planned=200000)).outcome is PASS
    result = judged("time-to-accuracy", "W1003", "time", cut(down + up, down + up, planned=200000))
    assert (result.outcome, "over its last 10 evaluations" in result.branch.message) == (VIOLATION, True)


def test_without_quality_at_stake_a_cut_curve_is_a_caveat(judged):
    claim = {"mode": "training", "scope": "step", "quantity": "rate", "purpose": "hardware_throughput"}
    claim |= {"target": None, "metric": None, "quality": None}
    patch = cut(RISING, RISING)
    patch["arms"]["trained"]["target"] = patch["claims"]["time"]["target"]
    patch["claims"]["time"] = claim
    assert judged("time-to-accuracy", "W1003", "time", patch).branch.effect is CAVEAT


def test_without_a_target_the_stated_quality_gives_the_direction(judged):
    quality = {"accuracy": {"metric": "loss", "direction": "lower", "value": "1.2", "seeds": None}}
    patch = cut(RISING, RISING, quality=quality)
    patch["claims"]["time"] = {"target": None, "metric": None, "quality": {"arm": "trained", "quality": "accuracy"}}
    assert judged("time-to-accuracy", "W1003", "time", patch).outcome is VIOLATION
    quality["accuracy"]["direction"] = None
    assert judged("time-to-accuracy", "W1003", "time", patch).outcome is NOT_APPLICABLE
