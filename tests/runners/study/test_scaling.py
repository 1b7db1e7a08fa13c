"""Scaling studies: what stays constant is declared and enforced; laws are fitted with intervals."""

import pytest
from dlaudit.runners.record import scaling as laws
from dlaudit.runners.study import plan, sweep
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate

TARGET = {"metric": "accuracy", "value": "0.9", "direction": "higher"}
CHECK = {"seeds": [1, 2], "evaluate_every_samples": 1000, "max_samples": 5000, "target": TARGET}
SIZES = [{"ranks": 2, "nodes": 2}, {"ranks": 1}]
STRONG = {"mode": "strong", "sizes": SIZES, "global_batch": 64}


def spec_of(scaling, **more):
    value = {
        "dlaudit": "spec/1",
        "title": "sizes",
        "launcher": {"kind": "slurm"},
        "workload": {"name": "digits-cnn"},
        "throughput": {"iterations": 5, "trials": 2},
        "convergence": CHECK,
        "scaling": scaling,
    } | more
    value = {key: item for key, item in value.items() if item is not None}
    assert validate("spec", value) == ()
    return sweep.expanded(to_model(value, Spec))


def test_strong_scaling_keeps_the_global_batch_and_begins_with_one_process():
    spec = spec_of(STRONG)
    assert list(spec.arms) == ["ranks1", "ranks2-nodes2"]
    assert [arm.options["global_batch"] for arm in spec.arms.values()] == [64, 64]
    assert [(arm.launch.ranks, arm.launch.nodes) for arm in spec.arms.values()] == [(1, 1), (2, 2)]
    assert spec.claims.baseline == "ranks1"


def test_weak_scaling_keeps_the_batch_of_a_rank():
    spec = spec_of({"mode": "weak", "sizes": SIZES, "batch_per_rank": 32})
    assert [arm.options["global_batch"] for arm in spec.arms.values()] == [32, 64]


def test_convergence_is_checked_at_the_largest_size_and_at_all_where_time_to_the_target_is_measured():
    trained = {}
    for mode in ("strong", "time_to_target"):
        trials = plan.make(spec_of(STRONG | {"mode": mode}), "0" * 64).trials
        trained[mode] = {one.arm for one in trials if one.kind == "convergence"}
    assert trained == {"strong": {"ranks2-nodes2"}, "time_to_target": {"ranks1", "ranks2-nodes2"}}


def test_a_size_may_set_what_is_named_to_vary():
    sizes = [{"ranks": 1}, {"ranks": 2, "nodes": 2, "options": {"learning_rate": 0.006}}]
    spec = spec_of(STRONG | {"sizes": sizes, "varies": ["learning_rate"]})
    assert spec.arms["ranks2-nodes2"].options["learning_rate"] == 0.006


@pytest.mark.parametrize(
    ("scaling", "more", "told"),
    [
        (STRONG | {"sizes": [{"ranks": 2}, {"ranks": 4}]}, {}, "the base is one process"),
        (STRONG | {"sizes": [{"ranks": 1}, {"ranks": 4, "nodes": 2}]}, {}, "no single node as full"),
        (STRONG | {"sizes": [{"ranks": 1}, {"ranks": 1}]}, {}, "two sizes are the same"),
        (STRONG | {"sizes": [{"ranks": 1}, {"ranks": 3}]}, {}, "does not divide over 3 ranks"),
        (STRONG | {"batch_per_rank": 8}, {}, "strong scaling is described by global_batch alone"),
        (
            STRONG | {"sizes": [{"ranks": 1}, {"ranks": 2, "options": {"learning_rate": 1.0}}]},
            {},
            "learning_rate differs from size to size",
        ),
        (
            STRONG
            | {"sizes": [{"ranks": 1}, {"ranks": 2, "options": {"global_batch": 128}}], "varies": ["global_batch"]},
            {},
            "strong scaling itself sets global_batch",
        ),
        (STRONG, {"convergence": None}, "nothing shows that the largest size still learns"),
        (STRONG | {"mode": "time_to_target"}, {"convergence": None}, "time to a target needs training runs"),
        (STRONG, {"arms": {"other": {}}}, "has arms, too"),
    ],
)
def test_what_leaves_the_scaling_open_is_refused(scaling, more, told):
    with pytest.raises(UserError, match=told):
        spec_of(scaling, **more)


@pytest.mark.parametrize(
    ("law", "truth"),
    [
        ("amdahl", {"serial_fraction": 0.08}),
        ("gustafson", {"serial_fraction": 0.08}),
        ("usl", {"contention": 0.05, "coherence": 0.002}),
    ],
)
def test_a_law_comes_back_from_speed_ups_that_follow_it_within_its_interval(law, truth):
    function, names = laws.LAWS[law]
    noise = (0.995, 1.004, 1.0, 0.998, 1.003)
    points = [(p, function(p, *(truth[name] for name in names)) * factor) for p in (1, 2, 4, 8, 16) for factor in noise]
    found = laws.fit(law, points)
    assert found["points"] == 25
    for name, value in truth.items():
        one = found["parameters"][name]
        assert one["low"] < value < one["high"]
        assert one["value"] == pytest.approx(value, rel=0.1)


def test_two_sizes_are_too_few_for_two_parameters():
    assert laws.fit("usl", [(1, 1.0), (1, 1.0), (2, 1.8), (2, 1.9)]) is None
