"""W0203, selected-on-test: The reported quality is the best of many evaluations on the test split."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def log(*values, split="test"):
    return [
        {"split": split, "samples": 1000 * i, "epoch": i, "metrics": {"accuracy": value}}
        for i, value in enumerate(values, start=1)
    ]


def one_run(value, evaluations, **quality):
    """A document with a single run and a stated value."""
    stated = {"value": value, "seeds": None, "n": None, "interval": None, "checkpoint": None, "selection": None}
    claim = {"accuracy": {"value": value, "interval": None, "statistic": None}}
    if quality.get("selection") is not None:
        quality["selection"] = {"policy": None, "evaluations": None, "split_used_for": None} | quality["selection"]
    runs = RUNS | {"s1": {"evaluations": evaluations, "final": None}}
    return {"claims": claim, "arms": {"trained": {"quality": {"accuracy": stated | quality}, "trials": runs}}}


UP_AND_DOWN = log(0.90, 0.93, 0.9461, 0.9449)


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (one_run("94.61", UP_AND_DOWN), VIOLATION),
        (one_run("94.6", UP_AND_DOWN), VIOLATION),
        (one_run("94.49", UP_AND_DOWN), PASS),
        (one_run("94.5", UP_AND_DOWN), PASS),
        (one_run("95", UP_AND_DOWN), VIOLATION),
        (one_run("97", UP_AND_DOWN), NOT_APPLICABLE),
        (one_run("94", log(0.90, 0.9442, 0.9431)), PASS),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "final"}), VIOLATION),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "predeclared"}), PASS),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "best_on_validation"}), NOT_SHOWN),
        (one_run("94.49", UP_AND_DOWN, selection={"policy": "best_on_validation"}), PASS),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "best_on_test"}), VIOLATION),
        (one_run("94.49", log(0.9449), selection={"policy": "best_on_test"}), VIOLATION),
        (one_run("94.49", log(0.9449), selection={"policy": "best_on_test", "evaluations": 1}), PASS),
        (one_run("94.61", UP_AND_DOWN, checkpoint="epoch 3"), PASS),
        (one_run("94.61", UP_AND_DOWN, checkpoint="best"), VIOLATION),
        (one_run("94.61", UP_AND_DOWN, split="train"), NOT_APPLICABLE),
        (one_run("94.61", UP_AND_DOWN, direction=None), NOT_APPLICABLE),
        (one_run("0.9461", UP_AND_DOWN, unit="fraction"), VIOLATION),
        (one_run("94.61", log(0.90, 0.93, None, 0.9449)), NOT_APPLICABLE),
    ],
)
def test_the_best_of_many_looks(judged, patch, outcome):
    if "unit" in str(patch) and patch["arms"]["trained"]["quality"]["accuracy"].get("unit") == "fraction":
        patch["claims"]["accuracy"]["unit"] = "fraction"
    result = judged("accuracy", "W0203", "accuracy", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is UNDERMINES


def test_a_validation_split_that_chose_the_checkpoint(judged):
    """The validation split is best after three epochs, and so, by luck, is the test split."""
    patch = one_run("94.61", UP_AND_DOWN + log(0.91, 0.935, 0.95, 0.948, split="validation"))
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is PASS
    patch = one_run("94.61", UP_AND_DOWN + log(0.91, 0.955, 0.95, 0.948, split="validation"))
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is VIOLATION


@pytest.mark.parametrize(
    ("evaluations", "selection", "outcome"),
    [
        (1, {"evaluations": 1}, PASS),
        (1, {"evaluations": 90}, NOT_SHOWN),
        (1, None, NOT_SHOWN),
        (1, {"policy": "final"}, PASS),
        (0, {"policy": "final"}, NOT_SHOWN),
    ],
)
def test_one_test_evaluation(judged, evaluations, selection, outcome):
    patch = one_run("94.61", log(0.9461)[:evaluations] + log(0.99, 0.995, split="train"), selection=selection)
    result = judged("accuracy", "W0203", "accuracy", patch)
    assert result.outcome is outcome
    if selection == {"evaluations": 90}:
        assert "there were 90" in result.branch.message


def test_the_first_crossing_is_no_choice(judged):
    """The first evaluation above the target is the best one, too: the run was stopped later, at its plan."""
    patch = one_run("94.61", UP_AND_DOWN)
    patch["arms"]["trained"]["target"] = {"metric": "accuracy", "value": "0.945", "direction": "higher"}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is PASS


def test_best_values_of_several_runs(judged):
    """The mean over runs of the best evaluation, against that of the last."""
    for value, outcome in (("94.59", VIOLATION), ("94.50", PASS), ("94.71", VIOLATION), ("94.56", NOT_APPLICABLE)):
        patch = {
            "claims": {"accuracy": {"value": value}},
            "arms": {"trained": {"quality": {"accuracy": {"value": value}}}},
        }
        assert judged("accuracy", "W0203", "accuracy", patch).outcome is outcome, value


def test_a_validation_split_that_nobody_evaluated_chose_nothing(judged):
    """The mean of the best evaluations of five runs is no accident; with validation data it may be one."""
    selection = {"policy": "best_on_validation"}
    quality = {"value": "94.59", "checkpoint": "best", "selection": selection}
    patch = {"claims": {"accuracy": {"value": "94.59"}}, "arms": {"trained": {"quality": {"accuracy": quality}}}}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is VIOLATION
    run = {"kind": "convergence", "outcome": "completed", "evaluations": log(0.9, split="validation")}
    patch["arms"]["trained"]["trials"] = {"v": run}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is PASS


def test_a_single_last_value_is_no_mean_of_last_values(judged):
    """The median of five runs is stated: one of them ends, by luck, where the median of the best evaluations lies."""
    runs = ((0.93, 0.940, 0.939), (0.93, 0.943, 0.942), (0.94, 0.945, 0.944), (0.94, 0.947, 0.945), (0.94, 0.951, 0.95))
    trials = {f"s{i}": {"evaluations": log(*values), "final": None} for i, values in enumerate(runs, start=1)}
    stated = {"value": "94.5", "averaging": "median over seeds", "checkpoint": "best", "seeds": None}
    patch = {"claims": {"accuracy": {"value": "94.50", "statistic": "median"}}}
    patch["arms"] = {"trained": {"quality": {"accuracy": stated}, "trials": trials}}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is VIOLATION


def test_a_lower_loss_is_the_better_one(judged):
    losses = [{"split": "test", "samples": i, "metrics": {"loss": v}} for i, v in enumerate((3.5, 3.21, 3.30))]
    claim = {"quantity": "accuracy", "form": "absolute", "value": "3.21", "unit": "nat", "metric": "loss", "base": None}
    quality = {"loss": {"value": "3.21", "seeds": None, "selection": None, "checkpoint": None}}
    runs = RUNS | {"s1": {"evaluations": losses, "crossing": None}}
    arm = {"quality": quality, "trials": runs, "target": None}
    patch = {"claims": {"speedup": {**claim, "treatment": None}}, "arms": {"fused": arm}}
    assert judged("training-pair", "W0203", "speedup", patch).outcome is VIOLATION
    quality["loss"]["value"] = claim["value"] = "3.30"
    patch["claims"]["speedup"]["value"] = "3.30"
    assert judged("training-pair", "W0203", "speedup", patch).outcome is PASS


def test_a_time_is_judged_by_the_quality_beside_it(judged):
    assert judged("time-to-accuracy", "W0203", "time").outcome is PASS
    patch = {"arms": {"trained": {"quality": {"accuracy": {"value": "0.9452"}}}}}
    assert judged("time-to-accuracy", "W0203", "time", patch).outcome is VIOLATION
    no_quality = {"claims": {"time": {"quality": None}}, "arms": {"trained": {"quality": None}}}
    assert judged("time-to-accuracy", "W0203", "time", no_quality).outcome is NOT_APPLICABLE


def selection(uses, policy="final", others=None, **claim):
    quality = {"accuracy": {"selection": {"policy": policy, "split_used_for": uses}}} | (others or {})
    return {"claims": {"accuracy": claim}, "arms": {"trained": {"quality": quality}}}


def test_the_best_on_test_speaks_for_the_reuse_of_its_split(judged):
    """W0203 is the more specific of the two."""
    from dlaudit.rules.book import by_code

    assert "W0306" in by_code("W0203").also
    assert "W0305" in by_code("W0303").also
    assert "W1002" in by_code("W1003").also
