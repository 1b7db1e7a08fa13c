"""Plans: everything is known before the first trial, whatever the spec says."""

import json
from pathlib import Path

import pytest
from dlaudit.runners.study.plan import make, order_document
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import load, validate
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[3]
TARGET = {"metric": "accuracy", "value": "0.95", "direction": "higher"}
names = st.from_regex(r"[a-z][a-z0-9.-]{0,8}", fullmatch=True)
arms = st.builds(lambda batch: {"options": {"global_batch": batch}}, st.integers(1, 99))
orders = st.fixed_dictionaries({"kind": st.sampled_from(["interleaved", "blocked"]), "seed": st.integers(0, 9)})
checks = st.fixed_dictionaries(
    {
        "seeds": st.lists(st.integers(0, 2**53 - 1), min_size=1, max_size=6, unique=True),
        "evaluate_every_samples": st.integers(1, 100),
        "max_samples": st.integers(100, 1000),
        "target": st.just(TARGET),
    }
)
specs = st.fixed_dictionaries(
    {
        "dlaudit": st.just("spec/1"),
        "title": st.just("t"),
        "workload": st.just({"name": "w", "parameters": {"p": 1}}),
        "arms": st.dictionaries(names, arms, min_size=1, max_size=4),
        "throughput": st.fixed_dictionaries({"iterations": st.integers(1, 50), "trials": st.integers(1, 9)}),
        "order": orders,
    },
    optional={"convergence": checks},
)


def plan_of(value, **more):
    value = {**value, **more}
    assert validate("spec", value) == ()
    return make(to_model(value, Spec), "0" * 64)


@given(specs)
def test_every_trial_is_planned_once(value):
    plan = plan_of(value)
    ids = [trial.trial for trial in plan.trials]
    assert len(set(ids)) == len(ids)
    per_arm = value["throughput"]["trials"] + len(value.get("convergence", {}).get("seeds", ()))
    assert len(ids) == per_arm * len(value["arms"])
    for arm in value["arms"]:
        assert sum(trial.arm == arm for trial in plan.trials) == per_arm


@given(specs)
def test_the_plan_is_a_function_of_the_spec(value):
    assert plan_of(value) == plan_of(json.loads(json.dumps(value)))


@given(specs)
def test_the_order_kind_and_seed_change_the_order_and_nothing_else(value):
    one = plan_of(value, order={"kind": "interleaved", "seed": 1})
    for order in ({"kind": "interleaved", "seed": 2}, {"kind": "blocked"}):
        other = plan_of(value, order=order)
        assert sorted(one.trials, key=lambda t: t.trial) == sorted(other.trials, key=lambda t: t.trial)
        assert one.arms == other.arms


@given(specs)
def test_interleaving_never_lets_an_arm_run_ahead_by_more_than_one(value):
    plan = plan_of(value, order={"kind": "interleaved", "seed": 3})
    done = dict.fromkeys(value["arms"], 0)
    for trial in plan.trials:
        if trial.kind == "throughput":
            done[trial.arm] += 1
            assert max(done.values()) - min(done.values()) <= 1


@given(specs)
def test_throughput_shares_the_seeds_of_the_convergence_check(value):
    plan = plan_of(value)
    seeds = value.get("convergence", {}).get("seeds", [])
    for arm in value["arms"]:
        timed = {t.trial: t.seed for t in plan.trials if t.arm == arm and t.kind == "throughput"}
        in_turn = [timed[f"{arm}-t{n}"] for n in range(1, len(timed) + 1)]
        assert in_turn[: len(seeds)] == seeds[: len(in_turn)]
        assert len(set(in_turn)) == len(in_turn)


@given(specs)
def test_every_order_is_one_that_the_worker_takes(value):
    from dlaudit.runners.study.orders import Order
    from msgspec import convert

    spec = to_model(value, Spec)
    plan = make(spec, "0" * 64)
    for trial in plan.trials:
        convert(order_document(spec, plan, trial, "events.jsonl", Path()), Order).source()


def test_equal_options_have_one_digest_and_different_ones_two():
    plan = plan_of(
        {
            "dlaudit": "spec/1",
            "title": "t",
            "workload": {"name": "w"},
            "throughput": {"iterations": 1},
            "arms": {"a": {"options": {"global_batch": 8}}, "b": {"options": {"global_batch": 8}}, "c": {}},
        }
    )
    digests = [plan.arms[name].option_set for name in "abc"]
    assert digests[0] == digests[1] != digests[2]


BASE = {"dlaudit": "spec/1", "title": "t", "workload": {"name": "w"}, "throughput": {"iterations": 1}}
CHECK = {"seeds": [1], "evaluate_every_samples": 10, "max_samples": 5, "target": TARGET}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"arms": {"A": {}, "a": {}}}, "differ in case"),
        ({"claims": {"baseline": "x"}}, "no arm x"),
        ({"convergence": CHECK}, "before its first evaluation"),
        ({"workload": {"parameters": {"a": 1}}}, "nothing says what to run"),
    ],
)
def test_what_cannot_be_planned_is_said_with_its_place(change, what):
    with pytest.raises(UserError, match=what) as caught:
        plan_of(BASE, **change)
    assert "spec (/" in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"workload": {"name": "w", "entry": "a:b"}},
        {"workload": {"name": "w", "command": ["x"]}},
        {"workload": {"command": ["x"], "parameters": {"a": 1}}},
        {"workload": {"entry": "a.b"}},
        {"workload": {"name": "w", "parameters": {"name": "v"}}},
        {"throughput": {"iterations": 0}},
        {"throughput": {}},
        {"arms": {}},
        {"arms": {"../x": {}}},
        {"arms": {"a" * 49: {}}},
        {"device": "tpu"},
        {"controls": {"affinity": [0, 0]}},
        {"controls": {"clocks": 1}},
        {"order": {"kind": "random"}},
        {"trial_timeout_s": 0},
        {"nonce": "n" * 201},
        {"convergence": {**CHECK, "trials": 3}},
        {"convergence": {key: value for key, value in CHECK.items() if key != "seeds"}},
        {"convergence": {**CHECK, "target": {**TARGET, "value": 0.95}}},
    ],
)
def test_the_schema_refuses(change):
    assert validate("spec", BASE) == ()
    assert validate("spec", {**BASE, **change}) != ()


def test_a_spec_needs_something_to_measure():
    assert validate("spec", {key: value for key, value in BASE.items() if key != "throughput"}) != ()


@pytest.mark.parametrize("path", ["schemas/examples/spec.yaml", "examples/quickstart.yaml"])
def test_the_examples_can_be_planned(path):
    source = load(ROOT / path, "spec")
    plan = make(to_model(source.value, Spec), "0" * 64)
    assert {trial.kind for trial in plan.trials} >= {"throughput", "convergence"}


def test_the_example_shows_every_field():
    schema = json.loads((ROOT / "schemas/json/spec.schema.json").read_text())
    example = load(ROOT / "schemas/examples/spec.yaml", "spec").value
    assert set(schema["properties"]) - {"matrix", "scaling"} == set(example)  # these stand in the place of arms
    for part in ("controls", "throughput", "order", "claims", "launcher"):
        assert set(schema["$defs"][part]["properties"]) - {"ray"} == set(example[part])  # a launcher of another kind
    assert set(schema["$defs"]["slurm"]["properties"]) == set(example["launcher"]["slurm"])


def test_accounting_is_one_more_trial_an_arm_and_refused_for_a_program_of_ones_own():
    plan = make(to_model({**BASE, "accounting": True}, Spec), "0" * 64)
    assert [trial.trial for trial in plan.trials if trial.kind == "accounting"] == [f"{arm}-a1" for arm in plan.arms]
    command = {**BASE, "accounting": True, "workload": {"command": ["true"]}, "arms": {"base": {}}}
    with pytest.raises(UserError, match="cannot be profiled"):
        make(to_model(command, Spec), "0" * 64)
