"""A matrix is arms: combinations of values, of options and of what the workload is given."""

import pytest
from dlaudit.runners.study import sweep
from dlaudit.runners.study.plan import make
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate


def expanded(matrix, **more):
    value = {
        "dlaudit": "spec/1",
        "title": "a sweep",
        "workload": {"name": "digits-cnn"},
        "throughput": {"iterations": 5, "trials": 2},
        "matrix": matrix,
        **more,
    }
    assert validate("spec", value) == ()
    return sweep.expanded(to_model(value, Spec))


def test_a_budget_takes_the_first_point_and_others_evenly():
    matrix = {"axes": {"global_batch": [16, 32, 64, 128], "workload.width": [8, 16, 32, 64]}, "budget": 6}
    spec = expanded(matrix)
    assert len(spec.arms) == 6
    assert "global_batch16-width8" in spec.arms
    assert list(expanded(matrix).arms) == list(spec.arms)
    assert list(expanded(matrix, order={"kind": "interleaved", "seed": 1}).arms) != list(spec.arms)
    assert len(expanded({**matrix, "budget": 16}).arms) == 16


def test_every_combination_is_an_arm():
    spec = expanded({"axes": {"global_batch": [32, 64], "workload.width": [16, 64]}})
    assert list(spec.arms) == [
        "global_batch32-width16",
        "global_batch32-width64",
        "global_batch64-width16",
        "global_batch64-width64",
    ]
    arm = spec.arms["global_batch64-width16"]
    assert (arm.options, arm.workload.parameters) == ({"global_batch": 64}, {"width": 16})
    assert arm.label == "global_batch 64, width 16"
    plan = make(spec, "0" * 64)
    assert len(plan.trials) == 8
    assert {trial.arm for trial in plan.trials[:4]} == set(spec.arms)  # interleaved: each round has all of them


def test_combinations_are_excluded_and_included():
    axes = {"global_batch": [32, 64], "precision.compute": ["fp32", "bf16"]}
    spec = expanded(
        {
            "axes": axes,
            "exclude": [{"precision.compute": "bf16"}],
            "include": [{"global_batch": 256, "precision.compute": "bf16"}],
        }
    )
    assert [arm.options for arm in spec.arms.values()] == [
        {"global_batch": 32, "precision": {"compute": "fp32"}},
        {"global_batch": 64, "precision": {"compute": "fp32"}},
        {"global_batch": 256, "precision": {"compute": "bf16"}},
    ]


def test_a_command_gets_arguments():
    spec = expanded(
        {"axes": {"workload.width": [64, 4096], "compile": [True]}}, workload={"command": ["python3", "train.py"]}
    )
    assert [arm.workload.command for arm in spec.arms.values()] == [
        ("python3", "train.py", "--width", "64"),
        ("python3", "train.py", "--width", "4096"),
    ]


@pytest.mark.parametrize(
    ("matrix", "more", "words"),
    [
        ({"axes": {"global_batch": [1]}}, {"arms": {"a": {}}}, "this one has both"),
        ({"axes": {"global_batch": [1]}, "exclude": [{"global_batch": 1}]}, {}, "leaves no arm"),
        ({"axes": {"global_batch": [1]}, "exclude": [{"width": 1}]}, {}, "width is not an axis"),
        ({"axes": {"global_batch": [*range(1, 8)], "workload.width": [*range(1, 8)]}}, {}, "makes 49 arms"),
    ],
)
def test_what_cannot_be_swept_is_one_clear_error(matrix, more, words):
    with pytest.raises(UserError, match=words):
        expanded(matrix, **more)
