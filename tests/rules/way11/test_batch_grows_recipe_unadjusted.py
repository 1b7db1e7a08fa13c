"""W1102, batch-grows-recipe-unadjusted."""

import pytest
from dlaudit.rules.outcome import C1, UNDERMINES, Outcome

NO_RUNS = {"target": None, "quality": None, "trials": {f"s{i}": None for i in range(1, 6)}}


def weak(arm=None, runs=NO_RUNS, **claim):
    """The series with a batch of eight times the first at its last point, in row and arm."""
    grown = {"global_batch": 65536, "accumulation": 8}
    n8 = {**runs, "options": {**grown, **(arm or {})}}
    return {
        "arms": {"n8": n8},
        "tables": {"nodes": {"label": "weak", "rows": {"r8": {"options": grown}}}},
        "claims": {"speedup": {"label": "weak", **claim}},
    }


def test_an_unchanged_recipe(judged):
    result = judged("strong-scaling", "W1102", "speedup", weak())
    assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("a", UNDERMINES, C1)
    assert "from 8192 to 65536" in result.branch.message
    assert "peak rate 12" in result.branch.message


@pytest.mark.parametrize("adjusted", [{"learning_rate": 96.0}, {"warmup_samples": 12779520}, {"epochs": 120}])
def test_an_adjusted_recipe(judged, adjusted):
    assert judged("strong-scaling", "W1102", "speedup", weak(adjusted)).outcome is Outcome.PASS


@pytest.mark.parametrize("unknown", ["learning_rate", "warmup_samples", "epochs"])
def test_a_recipe_that_is_not_stated(judged, unknown):
    patch = weak({unknown: None})
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.NOT_SHOWN
    patch["claims"]["speedup"] |= {"purpose": "hardware_throughput", "form": "efficiency", "quality": None}
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_target_reached_at_that_batch_silences_it(judged):
    assert judged("strong-scaling", "W1102", "speedup", weak(runs={})).outcome is Outcome.PASS


def test_a_target_reached_on_another_problem_does_not(judged):
    patch = weak(runs={})
    patch["arms"]["n8"]["options"]["dataset"] = "ImageNet-21k"
    patch["tables"]["nodes"]["rows"]["r8"]["options"] = {**patch["tables"]["nodes"]["rows"]["r8"]["options"],
                                                         "dataset": "ImageNet-1k 2012"}  # fmt: skip
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.VIOLATION


def test_below_a_doubling_nothing_has_to_be_adjusted(judged):
    patch = {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16383}}}}}}
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.PASS


def test_the_recipe_of_an_arm_holds_for_its_own_batch_alone(judged):
    """The row states a batch that its arm did not have: nothing tells by which recipe it trained."""
    patch = {
        "tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 65536, "accumulation": 8}}}}},
        "arms": {"n8": NO_RUNS},
    }
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize("layout", [{"micro_batch": 64, "accumulation": 2}, {"data_parallel": 32, "accumulation": 2}])
def test_other_layouts_of_one_batch(judged, layout):
    patch = {"tables": {"nodes": {"rows": {"r8": {"options": layout}}}}, "arms": {"n8": {"options": layout}}}
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.PASS


def test_one_batch_grows_into_nothing(judged):
    assert judged("time-to-accuracy", "W1102", "time").outcome is Outcome.NOT_APPLICABLE


def test_batches_that_are_not_stated(judged):
    empty = {"global_batch": None, "micro_batch": None, "accumulation": None, "data_parallel": None}
    patch = {
        "tables": {"nodes": {"rows": {"r4": {"options": empty}}}},
        "arms": {"n4": {"options": empty}},
    }
    assert judged("strong-scaling", "W1102", "speedup", patch).outcome is Outcome.NOT_SHOWN
