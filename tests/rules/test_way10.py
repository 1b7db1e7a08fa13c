"""W1001, W1002, W1004: walls, cut curves and ranges."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

RUNS = tuple(f"s{i}" for i in range(1, 6))
TRAINING = {"quantity": "time", "scope": "training_run"}


def series(walls, samples, **claim):
    rows = {
        name: {"wall_s": wall, "samples": count}
        for name, wall, count in zip(("r1", "r2", "r4", "r8"), walls, samples, strict=False)
    }
    return {"tables": {"nodes": {"rows": rows}}, "claims": {"speedup": {**TRAINING, **claim}}}


# W1001 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walls", "samples", "outcome"),
    [
        ((600, 601, 605), (1e6, 2e6, 4e6), Outcome.VIOLATION),
        ((600, 606, 612), (1e6, 1.2e6, 1.5e6), Outcome.VIOLATION),
        ((600, 606, 613), (1e6, 2e6, 4e6), Outcome.PASS),
        ((600, 601, 605), (1e6, 1.2e6, 1.49e6), Outcome.PASS),
        ((600, 601), (1e6, 4e6), Outcome.NOT_APPLICABLE),
    ],
)
def test_equal_times_with_unequal_work(judged, walls, samples, outcome):
    result = judged("strong-scaling", "W1001", "speedup", series(walls, samples))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is UNDERMINES


def test_windows_of_a_fixed_length_measure_a_rate(judged):
    patch = series((600, 600, 600, 600), (1e6, 2e6, 4e6, 8e6), quantity="rate", scope="step")
    assert judged("strong-scaling", "W1001", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("eight nodes train on 6.61x as many images as one in the same two minutes.", Outcome.NOT_SHOWN),
        ("in a fixed time of 600 s eight nodes do 6.61x more steps than one.", Outcome.NOT_SHOWN),
        ("eight nodes process 6.61x as many images/s as one, each timed for the same 600 s.", Outcome.NOT_APPLICABLE),
        ("eight nodes train on 6.61x as many images as one.", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_speed_up_in_work_done_when_the_time_was_up(judged, words, outcome):
    untrained = {"n8": {"target": None, "quality": None, "trials": dict.fromkeys(RUNS)}}
    patch = {"claims": {"speedup": {"statement": f"At one batch, {words}"}}, "arms": untrained}
    assert judged("strong-scaling", "W1001", "speedup", patch).outcome is outcome
    del patch["arms"]
    assert judged("strong-scaling", "W1001", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


# W1002 ---------------------------------------------------------------------------------------------------------------


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


# W1004 ---------------------------------------------------------------------------------------------------------------

LARGER = {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16384, "accumulation": 2}}}}}}


def test_convergence_at_a_smaller_batch_undermines(judged):
    result = judged("strong-scaling", "W1004", "speedup", LARGER)
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
    assert "convergence is shown up to 32 devices" in result.branch.message


def test_a_claim_about_throughput_alone_gets_a_caveat(judged):
    patch = {**LARGER, "claims": {"speedup": {"purpose": "hardware_throughput"}}}
    result = judged("strong-scaling", "W1004", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_an_arm_of_its_own_shows_convergence_for_a_table(judged):
    """The claim is about the whole table and names no arm."""
    claim = {"row": {"table": "nodes", "row": None, "base_row": None}, "measured": None, "quality": None}
    patch = {**LARGER, "claims": {"speedup": claim}}
    assert judged("strong-scaling", "W1004", "speedup", patch).outcome is Outcome.VIOLATION


def test_a_batch_that_is_not_known_is_not_different(judged):
    row = {"devices": 128, "options": {"global_batch": None, "accumulation": None}}
    patch = {"tables": {"nodes": {"rows": {"r8": row}}}}
    assert judged("strong-scaling", "W1004", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_without_the_runs_the_finding_moves_to_w0101_and_w1107(judged):
    gone = {"arms": {"n8": {"target": None, "quality": None, "trials": dict.fromkeys(RUNS)}}}
    patch = {**LARGER, **gone}
    assert judged("strong-scaling", "W1004", "speedup", patch).outcome is Outcome.NOT_APPLICABLE
    for code in ("W0101", "W1107"):
        assert judged("strong-scaling", code, "speedup", patch).outcome is Outcome.NOT_SHOWN
