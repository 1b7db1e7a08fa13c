"""The fact `comparison.scaling_mode`."""

from dlaudit.rules.facts.comparison.points import Point
from dlaudit.rules.facts.comparison.scaling_mode import Sized, fits, inferred
from hypothesis import given
from hypothesis import strategies as st


def point(name, devices=None, batch=None, model="m"):
    options = {"model": model} | ({"global_batch": batch} if batch is not None else {})
    return Point(name, f"/{name}", devices, options)


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
