"""The fact `comparison.options`."""

import pytest
from dlaudit.rules.facts.comparison.options import Same, compare_flat, same_value
from dlaudit.rules.facts.comparison.wording import same_version, same_words


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


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("224 x 224", "224x224", Same.EQUAL),
        ("5-shot", "0-shot", Same.DIFFERENT),
        ("none", "EMA 0.9999", Same.DIFFERENT),
        ("none", "None", Same.EQUAL),
        ("eval.py at 3f9c2ab", "eval.py at 77aa9c2", Same.DIFFERENT),
        ("eval.py at 3f9c2ab", "eval.py at 3f9c2ab17d", Same.UNKNOWN),
        ("eval.py at 3f9c2ab", "eval.py at 3f9c2ab, version 5.0", Same.UNKNOWN),
        ("eval.py at 3f9c2ab", "eval.py 5.0", Same.DIFFERENT),
        ("lm-eval 0.4", "lm-eval 0.4.2", Same.UNKNOWN),
        ("greedy", "argmax", Same.UNKNOWN),
        ("resize 256, crop 224", "224 x 224", Same.UNKNOWN),
    ],
)
def test_another_wording_is_no_difference(left, right, same):
    assert same_words(left, right) is same_words(right, left) is same


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("2.6.0", "2.6", Same.EQUAL),
        ("2.6.0+cu124", "2.6.0", Same.EQUAL),
        ("2.6.0", "2.6.1", Same.DIFFERENT),
        ("9.1.0", "90100", Same.UNKNOWN),
        ("nightly", "2.6.0", Same.UNKNOWN),
    ],
)
def test_versions_count_as_far_as_both_are_given(left, right, same):
    assert same_version(left, right) is same_version(right, left) is same
