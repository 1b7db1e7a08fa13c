"""Concepts that rules on work, bounds and serving ask for: what they find, and what only looks like it."""

import pytest
from dlaudit.rules.facts.quantities.unit_parts import unit_parts
from dlaudit.rules.language.reading import read


@pytest.mark.parametrize(
    ("concept", "text"),
    [
        ("integer_operations", "412 TOPS on 8-bit weights"),
        ("copies_of_item", "four random crops of each training image"),
        ("applied_repeatedly", "the shared layers are traversed 6 times"),
        ("fixed_time", "both were given the same 90 minutes"),
        ("trained_faster", "Sixteen nodes train BERT-large 11.2 times as fast."),
        ("sparse_products", "counted with structured sparsity"),
        ("nominal_operations", "causal attention, counted in full"),
        ("tf32_off", "cuDNN with TF32 switched off"),
        ("one_batch_at_a_time", "served one request at a time"),
        ("acceptance_stated", "a draft of 160M, acceptance rate of 0.64"),
        ("equal_quality", "FP8 serves it without loss of accuracy."),
        ("throughput", "pages per hour"),
    ],
)
def test_what_is_said(concept, text):
    assert read(text).has(concept)


@pytest.mark.parametrize(
    ("concept", "text"),
    [
        ("integer_operations", "top-1 accuracy at the top of the table"),
        ("amount_of_work", "3 times the images/s"),
        ("sparse_products", "without 2:4 sparsity"),
        ("sparse_products", "a sparse attention kernel"),
        ("nominal_operations", "exact products, no causal mask"),
        ("speculation", "no speculative decoding"),
        ("in_network_sum", "two NVL72 racks, and few packets in networks"),
        ("acceptance_stated", "4 draft tokens, acceptance not logged"),
        ("equal_quality", "no accuracy loss above 1 %"),
        ("unfinished_requests", "the end of the line"),
        ("throughput", "forty minutes"),
    ],
)
def test_what_only_looks_like_it(concept, text):
    assert not read(text).has(concept)


@pytest.mark.parametrize(
    ("unit", "kinds"),
    [
        ("clips/kWh", ["samples", "energy"]),
        ("J per token per GPU", ["energy", "tokens", "devices"]),
        ("percentage points/kJ", ["points", "energy"]),
        ("point clouds/J", ["", "energy"]),
        ("mAP per kWh", ["quality", "energy"]),
        (None, []),
    ],
)
def test_the_sides_of_a_unit(unit, kinds):
    assert [part.kind for part in unit_parts(unit)] == kinds


@pytest.mark.parametrize(
    ("column", "higher"),
    [
        ("mIoU", True),
        ("map", True),
        ("val_loss nat", False),
        ("error %", False),
        ("accuracy loss", None),
        ("zest", None),
    ],
)
def test_the_better_direction_of_a_column(column, higher):
    assert read(column).higher_is_better() is higher
