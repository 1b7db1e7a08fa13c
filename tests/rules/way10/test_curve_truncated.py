"""W1002, curve-truncated: A training curve that stops short of its plan and of its target."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.scaling import RUNS


def cut(share=0.5, names=RUNS, **arm):
    """The claim's target is out of reach, and the curves end at a share of what was planned."""
    runs = {name: {"planned_samples": 1966080 / share} for name in names}
    claim = {"time": {"target": {"value": "0.95"}}}
    measurement = {"stop_rule": None, **arm.pop("measurement", {})}
    return {"claims": claim, "arms": {"trained": {"trials": runs, "measurement": measurement, **arm}}}


@pytest.mark.parametrize(
    ("share", "outcome"), [(0.5, Outcome.VIOLATION), (0.94, Outcome.VIOLATION), (0.96, Outcome.PASS)]
)
def test_curves_short_of_their_plan(judged, share, outcome):
    result = judged("time-to-accuracy", "W1002", "time", cut(share))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == (
            "a",
            UNDERMINES,
            f"{100 * share:.3g} %",
        )


def test_a_minority_of_the_runs_is_a_caveat(judged):
    result = judged("time-to-accuracy", "W1002", "time", cut(names=("s1",)))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_target_that_was_reached_ends_a_run(judged):
    patch = cut()
    del patch["claims"]
    assert judged("time-to-accuracy", "W1002", "time", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("values", "rule", "share", "outcome"),
    [
        ((0.91, 0.93, 0.941), None, 0.5, Outcome.NOT_SHOWN),
        ((0.91, 0.93, 0.941), "at the first evaluation of 94 % accuracy, fixed before", 0.5, Outcome.PASS),
        ((0.91, 0.93, 0.941), None, 0.96, Outcome.PASS),
        ((0.91, 0.941, 0.943), None, 0.5, Outcome.PASS),
    ],
)
def test_a_curve_that_ends_where_it_meets_its_target(judged, values, rule, share, outcome):
    """The runs were planned and completed beyond the crossing, and no rule says that they end there."""
    log = [{"split": "test", "samples": 50000 * n, "metrics": {"accuracy": v}} for n, v in enumerate(values, start=1)]
    run = {"evaluations": log, "planned_samples": 150000 / share, "final": None}
    arm = {"trials": dict.fromkeys(RUNS, run), "measurement": {"stop_rule": rule}}
    assert judged("time-to-accuracy", "W1002", "time", {"arms": {"trained": arm}}).outcome is outcome


def test_a_stop_rule_for_training_declared_before(judged):
    rule = {"stop_rule": "early stop after 5 epochs without gain, fixed before"}
    assert judged("time-to-accuracy", "W1002", "time", cut(measurement=rule)).outcome is Outcome.PASS


def test_a_stop_rule_for_sampling_excuses_no_training(judged):
    rule = {"stop_rule": "30 iterations, fixed before"}
    assert judged("time-to-accuracy", "W1002", "time", cut(measurement=rule)).outcome is Outcome.VIOLATION


@pytest.mark.parametrize("outcome", ["failed", "lost", "diverged"])
def test_a_logged_end_is_no_cut(judged, outcome):
    patch = cut()
    for run in patch["arms"]["trained"]["trials"].values():
        run["outcome"] = outcome
    assert judged("time-to-accuracy", "W1002", "time", patch).outcome is Outcome.PASS


def test_epochs_stand_in_for_samples(judged):
    patch = cut(options={"epochs": 80})
    for run in patch["arms"]["trained"]["trials"].values():
        run["planned_samples"] = None
    assert judged("time-to-accuracy", "W1002", "time", patch).branch.recomputed == "50 %"


def test_unstated_work_is_not_shown(judged):
    patch = cut(options={"epochs": None})
    for run in patch["arms"]["trained"]["trials"].values():
        run["planned_samples"] = None
    assert judged("time-to-accuracy", "W1002", "time", patch).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("target", "status", "says"),
    [
        ("0.95", None, "run s1 does not reach its target, and the work planned for it is not stated"),
        ("0.95", "success", "run s1 does not reach its target, and the work planned for it is not stated"),
        (None, None, "no target is stated, and the work planned for run s1 is not stated"),
        (None, "aborted", "no target is stated, and the work planned for run s1 is not stated"),
        (None, "success", None),
    ],
)
def test_work_that_is_not_stated_beside_a_target_or_none(judged, target, status, says):
    patch = cut(options={"epochs": None}, target=None, runs={name: {"status": status} for name in RUNS})
    patch["claims"]["time"]["target"] = {"value": target} if target is not None else None
    for run in patch["arms"]["trained"]["trials"].values():
        run |= {"planned_samples": None, "crossing": None}
    result = judged("time-to-accuracy", "W1002", "time", patch)
    assert (result.branch.message if result.branch is not None else None) == says


def test_a_rate_beside_a_cut_curve_is_a_caveat(judged):
    runs = {name: {"planned_samples": 3e8, "crossing": None} for name in RUNS}
    patch = {
        "arms": {"n8": {"trials": runs, "target": {"value": "0.80"}}},
        "claims": {"efficiency": {"purpose": "hardware_throughput"}},
    }
    result = judged("strong-scaling", "W1002", "efficiency", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_rising_loss_of_one_whole_run_is_no_cut(judged):
    losses = [{"split": "test", "samples": 100.0 * i, "metrics": {"loss": 2.0 + 0.1 * i}} for i in range(1, 11)]
    runs = dict.fromkeys(RUNS[1:]) | {"s1": {"evaluations": losses, "planned_samples": 1000, "crossing": None}}
    patch = {"arms": {"trained": {"trials": runs, "target": None, "measurement": {"stop_rule": None}}}}
    assert judged("time-to-accuracy", "W1002", "time", patch).outcome is Outcome.PASS


def figure(last):
    """Two arms in one figure; the second one's curve ends at `last` samples."""
    evaluations = [{"split": "test", "samples": last, "metrics": {"accuracy": 0.9}}]
    other = {"kind": "convergence", "outcome": "completed", "evaluations": evaluations}
    patch = cut(share=1.0)
    patch["arms"]["other"] = {"trials": {"s1": other}}
    patch["figures"] = {"f1": {"caption": "Accuracy over samples", "arms": ["trained", "other"]}}
    return patch


def test_curves_of_one_figure_that_end_apart(judged):
    result = judged("time-to-accuracy", "W1002", "time", figure(1000000))
    assert (result.branch.effect, result.branch.at) == (UNDERMINES, "/figures/f1")
    assert judged("time-to-accuracy", "W1002", "time", figure(1900000)).outcome is Outcome.PASS


def test_arms_that_finish_plans_of_their_own_may_end_apart(judged):
    patch = figure(1000000)
    patch["arms"]["other"]["trials"]["s1"]["planned_samples"] = 1000000
    assert judged("time-to-accuracy", "W1002", "time", patch).outcome is Outcome.PASS
