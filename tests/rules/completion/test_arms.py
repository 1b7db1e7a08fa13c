"""Arms completed by words: by their labels, and by sentences about them alone."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import entries
from dlaudit.rules.case import Case
from dlaudit.rules.completion.complete import completed, without
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

BARE = {"devices": None, "system": None, "options": {"precision": None, "quantisation": None, "devices": None}}


def case_of(name, patch):
    return Case(to_model(merge_patch(base(name), patch), Submission))


def arm_of(label, **claim):
    """The arm of the base with one number, completed; what a label and a sentence alone tell."""
    case = case_of("rate", {"arms": {"all": {**BARE, "label": label}}, "claims": {"rate": claim}})
    name = next(iter(case.submission.arms))
    return told(completed(case_of("rate", {"arms": {name: {**BARE, "label": label}}, "claims": {"rate": claim}})), name)


def told(case, name):
    arm = case.submission.arms[name]
    system = case.submission.systems.get(arm.system or "")
    precision = arm.options.precision if arm.options is not None else None
    return arm.devices, precision.compute if precision is not None else None, system.device if system else None


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("8x A100, bf16", (8, "bf16", "A100")),
        ("64 MI300X, eight nodes", (64, None, "MI300X")),
        ("4 nodes of 8 H100", (32, None, "H100")),
        ("TF32", (None, "tf32", None)),
        ("mixed precision", (None, None, None)),
        ("fp8 against bf16", (None, None, None)),
        ("up to 64 A100", (None, None, "A100")),
        ("A100 or H100", (None, None, None)),
        ("ResNet-50, 80 GB", (None, None, None)),
        (None, (None, None, None)),
    ],
)
def test_a_label_gives_what_the_arm_leaves_out(label, expected):
    assert arm_of(label, statement="It trains at 2500 images per second.") == expected


def test_a_sentence_about_one_arm_gives_what_its_label_does_not():
    assert arm_of("ours", statement="On 8 V100 it trains at 2500 images per second.") == (8, None, "V100")
    assert arm_of("4 V100", statement="On 8 V100 it trains at 2500 images per second.")[0] == 4


def test_a_sentence_that_compares_gives_an_arm_nothing():
    assert arm_of("ours", statement="At 2500 images per second on 8 V100 it is twice as fast as on 4 V100.") == (
        None,
        None,
        None,
    )


def test_what_is_stated_stays():
    case = completed(case_of("training-pair", {"arms": {"fused": {"label": "8 GPUs in fp8, MI300X"}}}))
    stated = case_of("training-pair", {}).submission.arms["fused"]
    found = case.submission.arms["fused"]
    assert (found.devices, found.system, found.options) == (stated.devices, stated.system, stated.options)


def test_without_a_reading_the_arm_is_as_stated():
    patch = {"arms": {"fused": {**BARE, "label": "8x A100, bf16"}}}
    case = completed(case_of("training-pair", patch))
    assert told(case, "fused") == (8, "bf16", "A100")
    for field, expected in (
        ("devices", (None, "bf16", "A100")),
        ("precision", (8, None, "A100")),
        ("device", (8, "bf16", None)),
    ):
        assert told(without(case, field), "fused") == expected


def test_a_finding_that_rests_on_a_label_quotes_it():
    """Devices differ only by what a label says: the finding names it."""
    patch = {"arms": {"fused": {"devices": None, "system": None, "label": "8x A100"}}}
    results = judge(case_of("training-pair", patch), entries(), ["speedup"])
    accused = [result for result in results if result.outcome is Outcome.VIOLATION]
    quoted = [result.code for result in accused if 'read from the label: "8x A100"' in result.branch.message]
    assert quoted, [(result.code, result.branch.message) for result in accused]
