"""F29, descriptors-contradict."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.forensics._descriptors import forms_named
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.answers import answer, in_words
from support.descriptions import ARM, server
from support.documents import document, of_document

PASS, VIOLATION = Outcome.PASS, Outcome.VIOLATION


def sentence(text, **claim):
    return {"claims": {"rate": {"statement": text, **claim}}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One A100 trains ResNet-50 at 2500 images per second.", PASS),
        ("One H100 trains ResNet-50 at 2500 images per second.", ("a", UNDERMINES)),
        ("One A100-SXM4-80GB trains ResNet-50 at 2500 images per second.", PASS),
        ("In FP16, ResNet-50 trains at 2500 images per second.", ("a", UNDERMINES)),
        ("In BF16 with FP32 accumulation, ResNet-50 trains at 2500 images per second.", PASS),
        ("In mixed precision, ResNet-50 trains at 2500 images per second.", PASS),
        ("With FP32 master weights it trains at 2500 images per second.", PASS),
        ("At batch size 256 it trains at 2500 images per second.", PASS),
        ("At batch size 512 it trains at 2500 images per second.", ("a", UNDERMINES)),
        ("At batch 1k it trains at 2500 images per second.", PASS),
        ("On 8x A100 it trains at 2500 images per second.", PASS),
        ("Faster than a V100 and an A100: 2500 images per second.", PASS),
    ],
)
def test_a_sentence_describes_its_number(text, expected):
    assert answer(of_document("F29", "rate", sentence(text))) == expected


@pytest.mark.parametrize(
    ("name", "patch", "expected"),
    [
        ("rate", {"arms": {"a": {"performance": {"rate": {"statistic": "mean"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"claims": {"speedup": {"label": "weak"}}}, ("b", CAVEAT)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 4096}}}}}},
         ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"activation_checkpointing": True}}}}}},
         ("b", CAVEAT)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"label": "8 nodes, FP16"}}}}}, PASS),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"precision": {"compute": "bf16"}},
                                                                "label": "8 nodes, FP16"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"columns": {"rate": {"format": "fp16"}},
                            "rows": {"r8": {"options": {"precision": {"compute": "bf16"}}}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"columns": {"rate": {"statistic": "mean"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"devices": 128,
                            "options": {"global_batch": 4096}}}}}}, PASS),  # the arm is another point
    ],
)  # fmt: skip
def test_two_places_describe_one_number_alike(name, patch, expected):
    assert answer(of_document("F29", name, patch)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("H100-SXM5", {"sxm"}), ("H100 PCIe", {"pcie"}), ("PCIe Gen4 switch", set()), ("PCIe 5.0", set()), ("x", set())],
)
def test_forms_of_devices(text, expected):
    assert forms_named(text) == expected


def system(**fields):
    return {"systems": {"node": fields}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (system(name="1x A100-SXM4-80GB", device_variant="SXM4"), PASS),
        (system(name="1x A100-PCIe-80GB", device_variant="SXM4"), ("a", UNDERMINES)),
        (system(name="1x H100-SXM5-80GB", device="A100"), ("a", UNDERMINES)),
        (system(name="1x A100-SXM4-80GB", device_memory_gib=40), ("a", UNDERMINES)),
        (system(name="1x A100, 512 GB", device_memory_gib=80), PASS),  # of the host
        ({"arms": {"a": {"devices": 4}}}, ("a", UNDERMINES)),
        ({"arms": {"a": {"options": {"micro_batch": 64, "per_device_batch": 128, "accumulation": 1}}}}, None),
    ],
)
def test_descriptors_of_one_system(patch, expected):
    value = merge_patch(base("rate"), patch)
    (result,) = [item for item in judge(Case(to_model(value, Submission)), [by_code("F29")]) if item.claim is None]
    assert result.outcome is VIOLATION if expected is None else answer(result) == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"device": "NVIDIA H200-SXM-141GB", "device_memory_gib": 80}, ("a", "undermines")),
        ({"device": "H200", "device_memory_gib": 80}, ("b", "caveat")),
        ({"device": "H200", "device_memory_gib": 140.4}, PASS),
        ({"device": "H200", "device_memory_gib": 141}, PASS),
        ({"device": "A100", "device_memory_gib": 40}, PASS),
        ({"device": "A100 MIG 1g.10gb", "device_memory_gib": 10}, PASS),
        ({"device": "Some NPU", "device_memory_gib": 7}, PASS),
        ({"name": "EL-R8_8xH100", "device": "NVIDIA H200", "device_memory_gib": 141}, ("a", "undermines")),
        ({"name": "DGX GB200", "device": "B200", "device_memory_gib": 186}, PASS),
    ],
)
def test_the_memory_of_a_device_is_that_of_its_model(fields, expected):
    patch = server(**({"name": "a server", "device_variant": None} | fields))
    patch["claims"] = {ARM: {"statement": "RetinaNet was trained in the time that its logs give."}}
    assert in_words(document("suite-training", "F29", patch)) == expected


def test_the_sentence_of_a_result_with_logs_repeats_their_platform():
    text = "Example Lab trained retinanet on 8x B200: 38.1 min"
    handed_in = {"publication": None, "claims": {ARM: {"statement": text}}}
    assert in_words(document("suite-training", "F29", handed_in)) == PASS
    alone = {**handed_in, "arms": {ARM: {"description": None}}}
    assert in_words(document("suite-training", "F29", alone)) == ("a", "undermines")


@pytest.mark.parametrize(("value", "expected"), [("19600", PASS), ("19550", ("a", "undermines"))])
def test_a_mean_and_a_median_that_are_one_number_have_a_column_each(value, expected):
    """The metric of arm n1 is the median; the first column, a mean, shows its number, too."""
    columns = {"rate": {"statistic": "mean"}, "middle": {"quantity": "rate", "unit": "images/s", "statistic": "median"}}
    table = {"columns": columns, "rows": {"r1": {"values": {"middle": value}}}}
    others = {row: {"arm": None} for row in base("strong-scaling")["tables"]["nodes"]["rows"] if row != "r1"}
    table["rows"] |= others
    found = document("strong-scaling", "F29", {"tables": {"nodes": table}})
    assert in_words(found) == expected
