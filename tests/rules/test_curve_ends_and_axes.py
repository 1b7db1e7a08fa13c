"""W1003, W1005: where curves end, and what they are drawn over."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, UNDERMINES, Outcome

PASS, VIOLATION, NOT_SHOWN, OUTSIDE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
RUNS = {f"s{i}": None for i in range(1, 6)}
RISING = (0.62, 0.59, 0.58, 0.61, 0.70, 0.83, 0.97, 1.20)
FALLING = (1.20, 0.97, 0.83, 0.70, 0.61, 0.60, 0.59, 0.58)
BUMPY = (0.62, 0.59, 0.66, 0.60, 0.58, 0.65, 0.60, 0.63)


# W1003 ---------------------------------------------------------------------------------------------------------------


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
        (cut(FALLING[1:], FALLING[1:]), OUTSIDE, None),
        (cut([0.7] * 8, [0.7] * 8), PASS, None),
        (cut(), OUTSIDE, None),
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
    assert judged("time-to-accuracy", "W1003", "time", patch).outcome is OUTSIDE


# W1005 ---------------------------------------------------------------------------------------------------------------


def figures(*, batch=64, **shown):
    plain = {"options": {"global_batch": batch, "micro_batch": batch}}
    common = {"caption": "Test loss", "kind": "line", "arms": ["fused", "plain"]}
    return {"arms": {"plain": plain}, "figures": {name: common | figure for name, figure in shown.items()}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (figures(a={"x_axis": "iterations"}), VIOLATION),
        (figures(a={"x_axis": "wall_time"}), VIOLATION),
        (figures(a={"x_axis": "samples"}), PASS),
        (figures(a={"x_axis": "epochs"}), PASS),
        (figures(a={"x_axis": "iterations"}, b={"x_axis": "samples"}), PASS),
        (figures(a={"x_axis": "iterations"}, b={"x_axis": "samples", "arms": ["fused"]}), VIOLATION),
        (figures(a={"x_axis": "iterations"}, batch=32), PASS),
        (figures(a={"x_axis": "iterations"}, batch=None), NOT_SHOWN),
        (figures(a={"x_axis": None}), NOT_SHOWN),
        (figures(a={"x_axis": "iterations", "arms": None}), NOT_SHOWN),
        (figures(a={"x_axis": "iterations", "caption": "Step time"}), PASS),
        (figures(a={"x_axis": "devices"}), PASS),
        (figures(a={"x_axis": "iterations", "kind": "bar"}), PASS),
        (figures(a={"x_axis": "iterations", "arms": ["plain", "nobody"]}), PASS),
    ],
)
def test_axes_of_convergence(judged, patch, outcome):
    result = judged("training-pair", "W1005", "speedup", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is CAVEAT
        assert "global batch 32 and 64" in result.branch.message


def test_other_micro_batches_of_one_global_batch_are_one_batch(judged):
    patch = figures(a={"x_axis": "iterations"})
    patch["arms"]["plain"]["options"] = {"global_batch": None, "micro_batch": 8, "accumulation": 4}
    assert judged("training-pair", "W1005", "speedup", patch).outcome is PASS


def test_a_batch_schedule_is_another_batch(judged):
    patch = figures(a={"x_axis": "iterations"}, batch=32)
    steps = [{"from_samples": 0, "global_batch": 32}, {"from_samples": 40000, "global_batch": 128}]
    patch["arms"]["plain"]["options"]["batch_schedule"] = steps
    result = judged("training-pair", "W1005", "speedup", patch)
    assert (result.outcome, "32 then 128" in result.branch.message) == (VIOLATION, True)


def per_step(batch):
    log = [{"split": "test", "step": step, "metrics": {"loss": 3.2}} for step in (100, 200)]
    runs = RUNS | {"s1": {"evaluations": log, "crossing": None, "planned_samples": None}}
    options = {"global_batch": batch, "micro_batch": batch}
    return {"arms": {"fused": {"trials": runs}, "plain": {"trials": runs, "options": options}}}


@pytest.mark.parametrize(("batch", "outcome"), [(64, VIOLATION), (32, PASS), (None, NOT_SHOWN)])
def test_curves_that_count_steps_alone(judged, batch, outcome):
    assert judged("training-pair", "W1005", "speedup", per_step(batch)).outcome is outcome


def test_a_claim_without_another_curve_is_outside(judged):
    assert judged("time-to-accuracy", "W1005", "time").outcome is OUTSIDE
    assert judged("training-pair", "W1005", "rate", figures()).outcome is OUTSIDE
