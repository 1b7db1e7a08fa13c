"""The design of a spec: what its arms may vary."""

import pytest
from dlaudit.runners.study.plan import make
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate

BASE = {
    "dlaudit": "spec/1",
    "title": "t",
    "workload": {"name": "mlp", "parameters": {"width": 8}},
    "throughput": {"iterations": 1},
}


def planned(arms, design, **more):
    value = {**BASE, "arms": arms, "design": design, **more}
    assert validate("spec", value) == ()
    return make(to_model(value, Spec), "0" * 64)


def options(**given):
    return {"options": given}


def test_arms_that_differ_in_one_option_pass():
    planned({"a": options(global_batch=8), "b": options(global_batch=16)}, {"kind": "one_variable"})
    planned(
        {"a": options(), "b": {"workload": {"parameters": {"width": 16}}}, "c": options(precision={"compute": "bf16"})},
        {"kind": "one_variable"},
    )


def test_the_same_parameter_stated_twice_is_no_difference():
    arms = {"a": options(global_batch=8), "b": {**options(global_batch=16), "workload": {"parameters": {"width": 8}}}}
    planned(arms, {"kind": "one_variable"})


@pytest.mark.parametrize(
    ("arms", "what"),
    [
        ({"a": options(), "b": options(global_batch=8, compile=True)}, "compile, global_batch"),
        ({"a": options(), "b": options()}, "differs from a in nothing"),
        ({"a": options()}, "two arms"),
    ],
)
def test_one_variable_at_a_time_is_held(arms, what):
    with pytest.raises(UserError, match=what):
        planned(arms, {"kind": "one_variable"})


def test_the_baseline_is_what_arms_are_held_against():
    arms = {"a": options(global_batch=8, compile=True), "b": options(), "c": options(global_batch=8)}
    with pytest.raises(UserError, match="arm a"):
        planned(arms, {"kind": "one_variable"}, claims={"baseline": "b"})
    planned(arms, {"kind": "one_variable"}, claims={"baseline": "c"})


def factorial(*arms):
    named = {f"a{number}": options(global_batch=batch, compile=flag) for number, (batch, flag) in enumerate(arms)}
    return planned(named, {"kind": "factorial", "factors": ["global_batch", "compile"]})


def test_a_factorial_has_every_combination():
    factorial((8, True), (8, False), (16, True), (16, False))
    with pytest.raises(UserError, match="no arm has global_batch = 8, compile = False"):
        factorial((8, True), (16, True), (16, False))
    with pytest.raises(UserError, match="compile does not vary"):
        factorial((8, True), (16, True))


def test_what_is_no_factor_is_held():
    arms = {"a": options(global_batch=8, learning_rate=0.1), "b": options(global_batch=16, learning_rate=0.2)}
    with pytest.raises(UserError, match="also vary learning_rate"):
        planned(arms, {"kind": "factorial", "factors": ["global_batch"]})


def test_a_factorial_names_its_factors():
    assert validate("spec", {**BASE, "design": {"kind": "factorial"}}) != ()
