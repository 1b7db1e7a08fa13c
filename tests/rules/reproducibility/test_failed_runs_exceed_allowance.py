"""R07, failed-runs-exceed-allowance: A time to accuracy of which more than one run did not succeed."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import UNDERMINES, Outcome

GONE = {"evaluations": None, "crossing": None, "final": None}


def runs(claim=None, arm=None, **trials):
    return {"arms": {"trained": {"trials": trials, **(arm or {})}}, "claims": {"time": claim or {}}}


def ended(outcome):
    return {"outcome": outcome, **GONE}


MEAN = {"statistic": "mean"}


@pytest.mark.parametrize("outcome", ["failed", "diverged", "lost"])
def test_more_failed_runs_than_may_fail(judged, outcome):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=ended(outcome), s5=ended(outcome)))
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("a", UNDERMINES, "2")
    assert "2 of 5 runs" in result.branch.message


def test_one_aborted_run_of_the_required_number(judged):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s5=ended("failed")))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


@pytest.mark.parametrize(
    ("trials", "said"),
    [
        ({"s5": ended("failed")}, "1 of 5 runs did not reach the target: exactly the allowance"),
        ({"s5": {"outcome": "lost"}}, "1 of 5 runs did not end by success: exactly the allowance"),
        ({"s4": ended("failed"), "s5": {"outcome": "lost"}}, "2 of 5 runs did not reach the target or did not end by"),
    ],
)
def test_a_run_that_meets_the_target_and_breaks_off_is_not_said_to_miss_it(judged, trials, said):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, **trials))
    texts = list(result.notes) + ([result.branch.message] if result.branch else [])
    assert any(said in text for text in texts)


def test_a_run_that_was_never_started_has_not_failed(judged):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=ended("not_run"), s5=ended("not_run")))
    assert (result.outcome, result.notes) == (Outcome.PASS, ())


def test_runs_whose_log_stays_short_of_the_target(judged):
    short = [{"split": "test", "samples": 1966080, "metrics": {"accuracy": 0.91}}]
    log = {"evaluations": short, "crossing": None, "final": None}
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=log, s5=log))
    assert result.branch.branch == "a"


def test_runs_of_which_nothing_tells(judged):
    result = judged("time-to-accuracy", "R07", "time", runs(MEAN, s4=GONE, s5=GONE))
    assert result.outcome is Outcome.NOT_SHOWN
    assert judged("time-to-accuracy", "R07", "time", runs(MEAN, s5=GONE)).outcome is Outcome.PASS


@pytest.mark.parametrize("criterion", ["mean", "median", "share"])
def test_a_target_judged_over_the_runs_together(judged, criterion):
    claim = {**MEAN, "criterion": criterion, "target": {"criterion": criterion}}
    result = judged("time-to-accuracy", "R07", "time", runs(claim, s4=ended("diverged"), s5=ended("diverged")))
    assert result.outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("arm", "seen"),
    [({"label": "learning-rate sweep"}, {}), ({}, {"observed": {"learning_rate": 0.1}})],
)
def test_runs_of_a_search(judged, arm, seen):
    other = {"observed": {"learning_rate": 0.8}} if seen else {}
    patch = runs(MEAN, arm, s3=seen, s4=ended("diverged") | other, s5=ended("diverged"))
    assert judged("time-to-accuracy", "R07", "time", patch).outcome is Outcome.NOT_APPLICABLE


def test_failed_runs_counted_as_infinitely_slow(judged):
    """The median of five with the two slowest infinite is that of the third."""
    value = base("time-to-accuracy")["arms"]["trained"]["trials"]
    times = sorted((trial["crossing"]["time_s"], name) for name, trial in value.items())
    slowest = {name: ended("diverged") for _, name in times[3:]}
    claim = {"value": f"{times[2][0]}"}
    result = judged("time-to-accuracy", "R07", "time", runs(claim, **slowest))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)
    result = judged("time-to-accuracy", "R07", "time", runs({"value": f"{times[1][0]}"}, **slowest))
    assert result.outcome is Outcome.VIOLATION


@pytest.mark.parametrize(
    ("failed", "outcome"),
    [(2, Outcome.VIOLATION), (10**9, Outcome.VIOLATION), (1, Outcome.PASS), (None, Outcome.NOT_SHOWN)],
)
def test_declared_numbers_of_failed_runs(judged, failed, outcome):
    count = {"unit": "training_run", "planned": 5, "completed": 3, "failed": failed}
    arm = {"performance": {"time": {"n": count}}}
    gone = {f"s{index}": None for index in range(1, 6)}
    assert judged("time-to-accuracy", "R07", "time", runs(MEAN, arm, **gone)).outcome is outcome


def test_fine_tuning_is_no_search(judged):
    patch = runs(MEAN, {"label": "LoRA fine-tuning"}, s4=ended("diverged"), s5=ended("diverged"))
    assert judged("time-to-accuracy", "R07", "time", patch).outcome is Outcome.VIOLATION


@pytest.mark.parametrize(("benchmark", "outcome"), [("unet3d", Outcome.PASS), ("bert", Outcome.VIOLATION)])
def test_a_suite_allows_more_of_results_with_many_runs(judged, benchmark, outcome):
    claim = {**MEAN, "suite": "training", "suite_result": {"benchmark": benchmark}}
    patch = runs(claim, s4=ended("diverged"), s5=ended("diverged"))
    assert judged("time-to-accuracy", "R07", "time", patch).outcome is outcome
