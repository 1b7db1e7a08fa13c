"""What the labels and the note of a table say of each side: batch, devices, number format, software."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.validation import validate

TURNED = """# Pre-training a ranker

| | A100 (BS=16) | MI300X (BS=24) |
|:-:|:-:|:-:|
| Throughput (samples/s) | 310.5 | 702.5 |
| Speedup | x1.0 | x2.26 |

{note}
"""
NOTE = "*BS* is the batch size per device. The MI300X runs were done in mixed precision and the A100 runs in fp16. "
GROUPED = """# Serving

| Model | Throughput (tokens/s) |
|---|---|
| **L40S** |
| m7 | 1,200 |
| **H100** |
| m7 | 3,600 |

{note}
"""


def arms(text):
    found = of_file("a.md", text.encode(), Path()).draft.value
    assert not validate("submission", found)
    systems = {name: each["device"] for name, each in found.get("systems", {}).items()}
    return [{**arm, "system": systems.get(arm.get("system"))} for arm in found["arms"].values()]


def codes(tmp_path, text, outcome="violation"):
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / "a.md")])
    return {item.code for item in lint(found, Settings()).report.all_findings if item.outcome == outcome}


def test_headings_and_a_note_say_batch_devices_and_precision_of_each_side():
    one, other = arms(TURNED.format(note=NOTE + "All runs were *distributed* runs on *4 devices*."))
    assert (one["system"], other["system"]) == ("A100", "MI300X")
    assert (one["devices"], other["devices"]) == (4, 4)
    assert one["options"] == {"per_device_batch": 16, "precision": {"compute": "fp16"}}
    assert other["options"] == {"per_device_batch": 24, "precision": {"compute": "mixed precision"}}


def test_a_note_in_the_style_of_a_heading_does_so_too():
    note = "<sub>FP8 H100, INT8 L40S, TP2, VaultServe v1.4.2, TensorRT-LLM v0.9.0</sub>"
    one, other = arms(GROUPED.format(note=note))
    assert [arm["options"]["precision"]["compute"] for arm in (one, other)] == ["int8", "fp8"]
    assert [arm["options"]["tensor_parallel"] for arm in (one, other)] == [2, 2]
    assert {arm["software"]["libraries"]["TensorRT-LLM"] for arm in (one, other)} == {"0.9.0"}


@pytest.mark.parametrize(
    "note",
    [
        "We see that a batch of 8 on the A100 in fp16 reaches 2.5x higher rates than the L40S.",
        "In future work we look at the A100 in fp16 with 8 devices.",
        "## Other runs\n\nFP16 A100, TP2",
        "FP16 A100, TP2\n\n| Model | Latency (ms) |\n|---|---|\n| m1 | 3.5 |",
    ],
)
def test_what_is_no_note_of_the_table_gives_its_arms_nothing(note):
    for arm in arms(TURNED.format(note=note).replace(" (BS=24)", "").replace(" (BS=16)", ""))[:2]:
        assert not {"options", "devices"} & set(arm) or set(arm.get("options", {})) <= {"model"}


def test_unequal_batches_of_two_sides_are_asked_about_and_a_stated_count_is_not(tmp_path):
    told = TURNED.format(note=NOTE + "All runs were *distributed* runs on *4 devices*.")
    assert "M19" in codes(tmp_path, told)
    assert not {"W0404", "M19"} & codes(tmp_path, told, "not-shown")
    assert "M19" not in codes(tmp_path, told.replace("=24", "=16").replace("MI300X runs were done in mixed", "other"))


def test_several_batches_of_one_side_stay_as_printed():
    one, _ = arms(TURNED.format(note="All runs were *single-device* runs.").replace("BS=16", "BS=4/8"))
    assert one["options"]["extra"] == {"batch size": "4/8"}
    assert one["devices"] == 1


@pytest.mark.parametrize(
    ("first", "second", "note"),
    [
        ("FP32 Net v1", "INT8 Net v1", "INT8 inference was evaluated on per-channel scales."),
        ("m7 (bf16)", "m7 (fp8)", "FP8 runs were measured with static scales."),
        ("BF16 baseline", "ours", "FP4 GEMMs, TP1"),
    ],
)
def test_a_note_about_one_format_is_not_of_rows_that_name_another(tmp_path, first, second, note):
    table = f"| Model | Latency (ms) |\n|---|---|\n| {first} | 8.5 |\n| {second} | 4.25 |\n"
    text = f"# Speed\n\n{table}\n{note}\n"
    (one, *_) = arms(text)
    assert "int8" not in str(one.get("options", {}).get("precision"))
    assert not {"fp8", "fp4"} & {one.get("options", {}).get("precision", {}).get("compute")}
    assert "F29" not in codes(tmp_path, text)
