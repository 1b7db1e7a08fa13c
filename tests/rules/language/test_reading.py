"""The questions of a reading."""

from decimal import Decimal

import pytest
from dlaudit.rules.language.reading import Reading, read

SETUP = (
    "All experiments use 8 A100 80GB GPUs with PyTorch 2.1 in bf16; we report the median of 5 runs on the ImageNet "
    "validation set, excluding data loading. Throughput is 2,500 images/s at batch size 256."
)


def test_one_text_is_parsed_once():
    assert read("2x faster") is read("2x faster")
    assert read("2x faster") is not read("2x faster", "cell")


def test_counts_by_class():
    reading = Reading(SETUP)
    assert [c.value for c in reading.counts("devices")] == [8]
    assert [c.value for c in reading.counts("batch_size")] == [256]
    assert reading.counts("nodes") == ()


def test_quantities_by_dimension_and_rates():
    reading = Reading(SETUP)
    (memory,) = reading.quantities("data")
    assert (memory.value, memory.unit, memory.per) == (Decimal(80) * 10**9, "B", "device")
    (rate,) = reading.rate("image", per="second")
    assert rate.interval.low == Decimal("2499.5")
    assert reading.rate("token") == ()


def test_names_formats_splits():
    reading = Reading(SETUP)
    assert [n.text for n in reading.names("device")] == ["A100"]
    assert [n.text for n in reading.names("framework")] == ["PyTorch 2.1"]
    assert reading.formats() == ("bf16",)
    assert reading.splits() == ("validation",)


@pytest.mark.parametrize(
    ("printed", "name"),
    [("fp16", "fp16"), ("half precision", "fp16"), ("FP8 (E4M3)", "e4m3"), ("bfloat16", "bf16"), ("4-bit", "int4"),
     ("mixed precision", "mixed"), ("TF32", "tf32"), ("INT8", "int8"), ("float32", "fp32")],
)  # fmt: skip
def test_formats_have_one_name(printed, name):
    assert Reading(f"runs in {printed} mode").formats() == (name,)


def test_statistic_repetitions_and_exclusions():
    reading = Reading(SETUP)
    assert [w.kind for w in reading.statistic()] == ["median"]
    assert [(r.of, r.value) for r in reading.repetitions()] == [("runs", 5)]
    assert [c.text for c in reading.exclusions()] == ["data loading"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [("strong scaling to 64 GPUs", ["strong"]), ("scales nearly linearly", ["near_linear"]),
     ("super-linear speedup", ["superlinear"]), ("weak-scaling efficiency", ["weak"]), ("a linear layer", [])],
)  # fmt: skip
def test_scaling(text, kinds):
    assert [w.kind for w in Reading(text).scaling() if w.kind != "linear"] == kinds


@pytest.mark.parametrize(
    ("text", "negated", "hedged", "others"),
    [
        ("It is not faster.", True, False, False),
        ("It is not only faster but smaller.", False, False, False),
        ("The model fails to converge.", True, False, False),
        ("It runs without loss of accuracy.", False, False, False),
        ("Up to 2x faster.", False, False, False),
        ("This could be 2x faster.", False, True, False),
        ("We expect a 2x speedup.", False, True, False),
        ("As expected, it is faster.", False, False, False),
        ("Smith et al. report 4 hours.", False, False, True),
        ("According to the paper, it takes 4 hours.", False, False, True),
        ("The file can be found here.", False, False, False),
        ("This can reduce memory.", False, False, False),
        ("It uses no libraries.", False, False, False),
        ("It runs without warning.", False, False, False),
        ("There is no speedup.", True, False, False),
        ("It no longer helps.", True, False, False),
        ("The kernel does not support bf16.", True, False, False),
        ("We want not the smallest but the fastest.", False, False, False),
        ("It might not be faster.", True, True, False),
        ("The batch size should be increased first.", False, False, False),
        ("It should be available soon.", False, True, False),
        ("In contrast to prior work, ours is fast.", False, False, False),
        ("Split models that do not fit on one GPU.", False, False, False),
        ("When stages are not balanced, the pipeline waits.", False, False, False),
        ("We show that it is not faster.", True, False, False),
        ("According to our tests, memory drops by half.", False, False, False),
        ("It is unclear whether more cores help.", False, True, False),
        ("A larger batch does not necessarily help.", True, False, False),
        ("It halves memory, but it is not portable.", False, False, False),
        ("It is small, but it might be slow.", False, True, False),
        ("The training crashes, so the plots no longer match.", False, False, False),
        ("It is fast, although it could use more memory.", False, False, False),
        ("Use a smaller rate than you would use for SGD.", False, False, False),
        ("The job fails with an error.", False, False, False),
        ("While it is slow but this does not matter, we go on.", True, False, False),
        ("Training may or may not converge.", False, True, False),
    ],
)
def test_stance(text, negated, hedged, others):
    stance = Reading(text).stance
    assert (stance.negated, stance.hedged, stance.of_others) == (negated, hedged, others)


def test_a_place_behind_a_negation_is_negated_up_to_the_end_of_the_clause():
    text = "It does not use the GPU, but it is fast."
    reading = Reading(text)
    at = text.index("GPU")
    assert reading.negated((at, at + 3))
    assert not reading.negated((text.index("fast"), len(text)))
    assert not reading.negated((0, 2))


@pytest.mark.parametrize(
    "text",
    ["See Fig. 3 for details. It is fast.", "It uses e.g. PyTorch. It is fast.", "Version 2.1 is used. It is fast.",
     "Smith et al. report this. It is fast.", "It takes 3.5 ms. It is fast."],
)  # fmt: skip
def test_sentences_end_where_they_end(text):
    found = [text[a:b] for a, b in Reading(text).sentences()]
    assert found == [text.removesuffix(" It is fast."), "It is fast."]


def test_what_is_not_understood_is_said():
    text = "We set gamma to 17 and report 42 widgetry."
    assert [text[a:b] for a, b in Reading(text).unbound()] == ["17", "42"]


def test_conditions_have_their_clause():
    text = "It is 2x faster when the batch is small, as shown."
    (mark,) = [m for m in Reading(text).conditions() if text[m.start : m.end] == "when"]
    assert text[slice(*mark.clause_span)].startswith("when the batch is small")


def test_a_long_text_is_read_up_to_a_stated_remainder():
    reading = Reading("8 GPUs " * 40_000)
    assert reading.rest == 80_000
