"""W0103, target-not-reached: A time to a target, or a target quality, that the runs behind it never reached."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.patches import both
from support.quality import RUNS


def target(**fields):
    return {"claims": {"time": {"target": fields}}}


def without_criterion(value):
    patch = target(value=value, criterion=None)
    return both(patch, {"claims": {"time": {"criterion": None}}})


def test_a_target_that_no_run_reached_is_refuted(judged):
    result = judged("time-to-accuracy", "W0103", "time", target(value="0.95"))
    assert (result.branch.effect, result.branch.claimed) == (REFUTES, "0.95")
    assert 0.945 < float(result.branch.recomputed) < 0.947
    assert "recorded" not in result.branch.message


def judged_by(criterion, value):
    return both(target(value=value, criterion=criterion), {"claims": {"time": {"criterion": criterion}}})


def test_the_favourable_edge_of_the_digits_meets_the_target(judged):
    """0.93 may have been 0.9349: a target of 0.934 is not proved to be missed, one of 0.936 is."""
    evaluations = [{"split": "test", "samples": 1376256, "time_s": 85.0, "metrics": {"accuracy": 0.93}}]
    runs = {key: {"evaluations": evaluations, "crossing": None} for key in RUNS}
    patch = {"arms": {"trained": {"quality": {"accuracy": {"interval": None}}, "trials": runs}}}
    assert judged("time-to-accuracy", "W0103", "time", both(patch, target(value="0.934"))).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", both(patch, target(value="0.936"))).branch.branch == "a"


OF_ONE_RUN = {"arms": {"trained": {"quality": {"accuracy": {"seeds": None, "n": None}}}}}


def test_counted_examples_leave_only_the_stated_interval(judged):
    """The best run has 9456 of 10000 right; the stated interval is 0.0006 wide to either side."""
    reached, missed = (both(OF_ONE_RUN, judged_by("share", value)) for value in ("0.9461", "0.9463"))
    assert judged("time-to-accuracy", "W0103", "time", reached).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", missed).branch.branch == "a"


def test_an_interval_over_seeds_excuses_no_single_run(judged):
    assert judged("time-to-accuracy", "W0103", "time", judged_by("share", "0.9456")).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", judged_by("share", "0.9461")).branch.branch == "a"


def test_some_runs_miss(judged):
    """At the favourable edge, three of the five runs reach 0.9458 at their best evaluation."""
    value = "0.9458"
    share = judged("time-to-accuracy", "W0103", "time", both(OF_ONE_RUN, judged_by("share", value)))
    assert (share.outcome, share.notes) == (Outcome.PASS, ("3 of 5 runs reach the target",))
    each = judged("time-to-accuracy", "W0103", "time", both(OF_ONE_RUN, judged_by("each_run", value)))
    assert (each.branch.branch, each.branch.effect) == ("a", REFUTES)
    unstated = judged(
        "time-to-accuracy",
        "W0103",
        "time",
        both(OF_ONE_RUN, both(without_criterion(value), {"claims": {"time": {"statistic": "mean"}}})),
    )
    assert (unstated.outcome, unstated.branch.item) == (Outcome.NOT_SHOWN, "")


def test_an_unstated_criterion_and_a_median_over_most_runs_pass(judged):
    result = judged("time-to-accuracy", "W0103", "time", both(OF_ONE_RUN, without_criterion("0.9453")))
    assert (result.outcome, result.notes) == (Outcome.PASS, ("4 of 5 runs reach the target",))


@pytest.mark.parametrize("criterion", ["mean", "median"])
def test_a_criterion_over_runs_allows_single_misses(judged, criterion):
    patch = both(OF_ONE_RUN, target(value="0.9453", criterion=criterion))
    patch = both(patch, {"claims": {"time": {"criterion": criterion}}})
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0304", "time", patch).outcome is Outcome.PASS
    missed = both(patch, target(value="0.949"))
    assert judged("time-to-accuracy", "W0103", "time", missed).branch.effect is REFUTES


def test_a_run_recorded_as_success_whose_log_never_meets_it_is_refuted(judged):
    evaluations = [{"split": "test", "samples": 1376256, "time_s": 85.0, "metrics": {"accuracy": 0.9371}}]
    crossing = {"reached": True, "samples": 1376256, "time_s": 85.0}
    patch = {"arms": {"trained": {"trials": {"s2": {"evaluations": evaluations, "crossing": crossing}}}}}
    result = judged("time-to-accuracy", "W0103", "time", patch)
    assert (result.branch.effect, "recorded as reaching" in result.branch.message) == (REFUTES, True)


def test_a_log_without_the_recorded_crossing_proves_nothing(judged):
    evaluations = [{"split": "test", "samples": 98304, "metrics": {"accuracy": 0.61}}]
    patch = {"arms": {"trained": {"trials": {"s2": {"evaluations": evaluations}}}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_SHOWN


def test_recorded_misses_without_a_log_are_enough(judged):
    missed = {"evaluations": None, "crossing": {"reached": False}, "final": None}
    patch = {"arms": {"trained": {"trials": dict.fromkeys(RUNS, missed)}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).branch.effect is REFUTES


def test_without_evaluations_the_log_is_not_shown(judged):
    patch = {"arms": {"trained": {"trials": {name: {"evaluations": None} for name in RUNS}}}}
    result = judged("time-to-accuracy", "W0103", "time", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "evaluation log, target, direction")


def test_not_a_number_never_meets_a_target(judged):
    evaluations = [{"split": "test", "samples": 1376256, "metrics": {"accuracy": None}}]
    runs = {name: {"evaluations": evaluations, "crossing": None} for name in RUNS}
    patch = {"arms": {"trained": {"trials": runs}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_SHOWN


def test_percent_beside_share_is_open_not_refuted(judged):
    assert judged("time-to-accuracy", "W0103", "time", target(value="94")).outcome is Outcome.NOT_SHOWN


def test_training_accuracy_does_not_meet_a_target(judged):
    evaluations = [{"split": "train", "samples": 1376256, "metrics": {"accuracy": 0.999}}]
    runs = {name: {"evaluations": evaluations, "crossing": None, "final": None} for name in RUNS}
    patch = {"arms": {"trained": {"trials": runs, "quality": None}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_SHOWN


def test_a_target_fixed_afterwards_is_a_caveat(judged):
    after = judged("time-to-accuracy", "W0103", "time", target(declared_before=False))
    assert (after.branch.branch, after.branch.effect) == ("b", CAVEAT)
    assert judged("time-to-accuracy", "W0103", "time", target(declared_before=None)).outcome is Outcome.NOT_SHOWN


def test_an_accuracy_below_the_target_does_not_claim_to_reach_it(judged):
    accuracy = {"quantity": "accuracy", "target": None, "unit": "%", "metric": "accuracy"}
    patch = {"claims": {"time": {**accuracy, "value": "93.1"}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.NOT_APPLICABLE
    patch = {"claims": {"time": {**accuracy, "value": "94.5"}}}
    assert judged("time-to-accuracy", "W0103", "time", patch).outcome is Outcome.PASS


def test_a_lower_is_better_target(judged):
    evaluations = [{"split": "test", "samples": 10, "metrics": {"loss": value}} for value in (3.6, 3.4, 3.31)]
    goal = {"metric": "loss", "value": "3.30", "direction": "lower"}
    runs = {name: {"evaluations": evaluations, "crossing": None, "final": None} for name in RUNS}
    patch = both(target(**goal), {"arms": {"trained": {"trials": runs, "target": goal}}})
    result = judged("time-to-accuracy", "W0103", "time", patch)
    assert (result.branch.effect, result.branch.recomputed) == (REFUTES, "3.305")
