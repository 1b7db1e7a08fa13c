"""The fact `training.inputs`."""

from dlaudit.rules.facts.training.inputs import example


def test_what_an_example_is():
    assert example((3, 224, 224), None).kind == "image"
    assert example((3, 2, 2), None).kind == "other"
    assert example((), 512).kind == "sequence"
    assert example((), None) is None
