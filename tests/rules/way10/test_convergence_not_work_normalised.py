"""W1005, convergence-not-work-normalised."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


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
    assert judged("time-to-accuracy", "W1005", "time").outcome is NOT_APPLICABLE
    assert judged("training-pair", "W1005", "rate", figures()).outcome is NOT_APPLICABLE
