"""Facts behind scaling and convergence: option values, series, scales, modes."""

import pytest
from dlaudit.rules.facts.comparison.options import Same, compare_flat, same_value
from dlaudit.rules.facts.comparison.points import Point, by_problem, largest
from dlaudit.rules.facts.comparison.scaling_mode import Sized, fits, inferred
from dlaudit.rules.facts.training.convergence import in_order, meets, scale_differs
from dlaudit.schemas.evidence import Evaluation, Target
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("key", "left", "right", "answer"),
    [
        ("model", "ResNet-50", "resnet 50", Same.EQUAL),
        ("model", "Llama 3.1 8B", "llama-3.1-8b", Same.EQUAL),
        ("model", "ResNet-50", "ResNet-101", Same.DIFFERENT),
        ("model", "v1.5", "v15", Same.DIFFERENT),
        ("dataset", "C4 2019-04", "C4 201904", Same.DIFFERENT),
        ("precision.compute", "half", "fp16", Same.EQUAL),
        ("precision.compute", "bf16", "fp16", Same.DIFFERENT),
        ("precision.compute", "mixed", "bf16", Same.UNKNOWN),
        ("precision.compute", "fp8", "e4m3", Same.UNKNOWN),
        ("precision.compute", "e5m2", "e4m3", Same.DIFFERENT),
        ("precision.compute", "fp8", "bf16", Same.DIFFERENT),
        ("precision.tf32", True, False, Same.DIFFERENT),
        ("normalisation_group", "32, per device", "256, synchronised", Same.UNKNOWN),
        ("global_batch", 32, 32.0, Same.EQUAL),
    ],
)
def test_option_values(key, left, right, answer):
    assert same_value(key, left, right) is answer
    assert same_value(key, right, left) is answer


def test_equal_needs_the_core_and_no_unknown_key():
    known = {"model": "m", "precision.compute": "bf16", "global_batch": 32}
    assert compare_flat(known, dict(known)).stat() is Same.EQUAL
    assert compare_flat(known, {**known, "optimizer": "SGD"}).stat() is Same.UNKNOWN
    assert compare_flat({"model": "m"}, {"model": "m"}).stat() is Same.UNKNOWN
    assert compare_flat({"model": "m"}, {"model": "n"}).stat() is Same.DIFFERENT


def point(name, devices=None, batch=None, model="m"):
    options = {"model": model} | ({"global_batch": batch} if batch is not None else {})
    return Point(name, f"/{name}", devices, options)


def test_the_largest_point_has_most_devices_then_the_largest_batch():
    found = (point("a", 8, 99), point("b", 64, 1), point("c", 64, 2), point("d"))
    assert largest(found).id == "c"
    assert largest((point("x"), point("y"))).id == "y"
    assert largest(()) is None


def test_series_of_one_problem():
    found = (point("a", 8), point("b", 8, model="n"), point("c", 64), point("d", 64, model="n"))
    assert [[item.id for item in group] for group in by_problem(found)] == [["a", "c"], ["b", "d"]]


@pytest.mark.parametrize(
    ("metric", "value", "values", "differs"),
    [
        ("accuracy", "75.9", [0.61, 0.76], True),
        ("accuracy", "0.759", [61.0, 76.0], True),
        ("accuracy", "0.759", [0.61, 0.76], False),
        ("accuracy", "75.9", [61.0, 76.0], False),
        ("loss", "3.30", [0.9, 0.8], False),
        ("accuracy", "0.759", [], False),
    ],
)
def test_shares_beside_percentages(metric, value, values, differs):
    assert scale_differs(values, Target(metric=metric, value=value, direction="higher")) is differs


def test_not_a_number_meets_nothing():
    for direction in ("higher", "lower"):
        assert not meets(float("nan"), Target(metric="loss", value="3", direction=direction))


@given(st.permutations(range(6)))
def test_evaluations_stand_in_the_order_of_their_counter(order):
    items = [Evaluation(split="test", samples=float(i), metrics={}) for i in order]
    assert [item.samples for item in in_order(items)] == [0, 1, 2, 3, 4, 5]


sizes = st.lists(
    st.tuples(st.integers(1, 4096), st.integers(1, 10**6)), min_size=1, max_size=8, unique_by=lambda pair: pair[0]
)


def series(pairs):
    return tuple(Sized(point(str(i), devices, batch), devices, batch) for i, (devices, batch) in enumerate(pairs))


@given(sizes, st.integers(1, 64))
def test_a_series_fits_the_mode_that_it_was_made_for(pairs, batch):
    strong = series([(devices, batch) for devices, _ in pairs])
    weak = series([(devices, batch * devices) for devices, _ in pairs])
    assert fits(strong, "strong", 0.01)
    assert fits(weak, "weak", 0.01)
    assert inferred(strong, 0.01) == "strong"


@given(sizes)
def test_a_series_fits_what_is_inferred_of_it(pairs):
    made = series(pairs)
    assert fits(made, inferred(made, 0.01), 0.01)
    assert fits(made[::-1], inferred(made, 0.01), 0.01)
