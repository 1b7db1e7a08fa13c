"""The fact `quantities.likely_cause`."""

import pytest
from dlaudit.rules.facts.quantities.likely_cause import common_factor, likely_cause, repair, swapped
from dlaudit.rules.language.printed import Span, span
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("claimed", "recomputed", "clause"),
    [
        ("2.000", "1.000", "factor 2"),
        ("8.00", "1.00", "factor 8"),
        ("1024", "1.000", "factor 1024"),
        ("1000", "1.000", "factor 1000"),
        ("1.000", "60.0", "factor 60"),
        ("0.500", "50.0", "factor 100"),
        ("0.250", "4.00", "inverse"),
        ("48.0", "1.00", "number of devices"),
        ("3.70", "1.00", ""),
        ("0.0", "1.00", ""),
    ],
)
def test_a_slip_has_a_name(claimed, recomputed, clause):
    found = likely_cause(span(claimed), span(recomputed), {"devices": 48, "samples in a batch": None})
    assert (clause in found) if clause else not found


def test_a_count_of_the_document_explains_more_than_a_factor_of_its_size():
    assert "number of devices" in likely_cause(span("800"), span("100"), {"devices": 8})


def test_a_value_may_be_that_of_another_row():
    assert likely_cause(span("3.76"), span("6.61"), None, {"row `r4`": span("3.757")}) == "; it is that of row `r4`"


@given(st.lists(st.integers(2, 10_000), min_size=3, max_size=8), st.sampled_from([0.5, 2, 3, 7.5]))
def test_one_factor_runs_through_a_table(values, factor):
    pairs = [
        (Span(span(str(v)).low * int(factor * 2), span(str(v)).high * int(factor * 2)), span(str(v))) for v in values
    ]
    assert "one factor" in common_factor(pairs)
    assert common_factor(pairs[:2]) == ""


def test_factors_that_differ_are_no_common_cause():
    assert common_factor([(span("20"), span("10")), (span("30"), span("10")), (span("20"), span("10"))]) == ""


def test_two_values_may_be_swapped():
    assert swapped((span("0.83"), span("6.6")), (span("6.6"), span("0.83")))
    assert not swapped((span("6.6"), span("0.83")), (span("6.6"), span("0.83")))
    values = {"min": span("9"), "mean": span("5"), "max": span("1")}
    assert repair(values, lambda v: v["min"].low < v["mean"].low < v["max"].low) == "; min and max look swapped"
    values = {"p50": span("2.0"), "p90": span("3.0"), "p99": span("3500")}
    assert "p99" in repair(values, lambda v: v["p50"].low < v["p90"].low < v["p99"].low < 4)
