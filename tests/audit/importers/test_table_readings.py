"""What headings, captions and cells of tables are taken for, and what they are not taken for."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.report_file import open_report
from dlaudit.audit.importers.tables.in_documents import grids
from dlaudit.audit.importers.tables.roles import guess
from dlaudit.audit.importers.tables.shapes import heading_role
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate


def table(*rows, title="## Results"):
    head, *body = rows
    return f"{title}\n\n" + "\n".join((head, "|" + "---|" * (head.count("|") - 1), *body)) + "\n"


def read(text):
    draft = of_file("a.md", text.encode(), Path()).draft
    assert not validate("submission", draft.value)
    return draft


def claims(draft):
    return list(draft.value["claims"].values())


def role(heading, *cells):
    rows = [f"| m{i} | {cell} |" for i, cell in enumerate(cells)]
    (grid,) = grids(open_report("t.md", table(f"| Model | {heading} |", *rows).encode()))
    return guess(grid, 1)


@pytest.mark.parametrize("heading", ["ap_fixed\\<16,8\\> (Ours)", "ap_uint", "AP latency", "AP count"])
def test_ap_inside_another_name_is_no_average_precision(heading):
    assert role(heading, "29", "31").role != "accuracy"


@pytest.mark.parametrize(
    "heading", ["AP", "box AP", "AP50", "ap_50", "AP val2017", "AP (mask)", "AP small", "mAPval 0.5:0.95", "mAP50-95"]
)
def test_ap_as_a_word_is_average_precision(heading):
    assert role(heading, "29.1", "31.4").role == "accuracy"


def test_a_quality_of_more_than_all_is_a_wrong_guess_and_named():
    draft = read(table("| Model | F1 | Latency (ms) |", "| a | 3698000 | 3 |", "| b | 420 | 4 |"))
    assert [claim["value"] for claim in claims(draft)] == ["3", "4"]
    assert any("F1" in text and "left out" in text for text in draft.unused)


@pytest.mark.parametrize(
    ("title", "heading", "cell", "basis"),
    [
        ("## Expected performance", "Latency (ms)", "3.1", "projected"),
        ("## Estimated throughput on H100", "img/s", "310", "projected"),
        ("## 7. 预期性能提升\n\n### 性能对比", "Latency (ms)", "3.1", "projected"),
        ("## Plan\n\nThe numbers below are projected.", "Latency (ms)", "3.1", "projected"),
        ("## Results", "Theoretical (GFLOP/s)", "76.8", "derived"),
        ("## Results", "projected 8K prefill (tok/s)", "1059", "projected"),
        ("## Results", "预期延迟 (ms)", "3.1", "projected"),
        ("## Results", "Measured (GFLOP/s)", "76.1", "measured"),
        ("## Theoretical and measured performance", "Measured (GFLOP/s)", "76.1", "measured"),
        ("## Results\n\nAs expected, the new kernel wins.", "Latency (ms)", "3.1", "measured"),
    ],
)
def test_what_was_not_measured_is_not_called_measured(title, heading, cell, basis):
    draft = read(table(f"| Model | {heading} |", f"| a | {cell} |", title=title))
    assert [claim["basis"] for claim in claims(draft)] == [basis]


def test_a_row_says_itself_that_it_is_no_measurement():
    draft = read(
        table(
            "| Test | GPUs | Samples/sec | Status |",
            "| Baseline | 32 | 8,200 | Stable |",
            "| Scaling | 64 | 16,000 | Planned |",
            "| Target run | 128 | 30,000 | - |",
        )
    )
    assert [(claim["value"], claim["basis"]) for claim in claims(draft)] == [
        ("8200", "measured"),
        ("16000", "projected"),
    ]
    assert any("a target" in text for text in draft.unused)


@pytest.mark.parametrize("heading", ["Target latency (ms)", "Latency goal (ms)", "目标延迟 (ms)"])
def test_a_target_is_claimed_by_nobody_and_named(heading):
    draft = read(table(f"| Model | Latency (ms) | {heading} |", "| a | 3.1 | 2.0 |"))
    assert [claim["value"] for claim in claims(draft)] == ["3.1"]
    assert any(heading in text and "a target" in text for text in draft.unused)


def test_the_time_to_a_target_is_no_target():
    draft = read(table("| Model | Time to target (min) |", "| a | 3.1 |"))
    assert [claim["basis"] for claim in claims(draft)] == ["measured"]


def precisions(draft):
    """The precision of each claimed number."""
    arms = draft.value["arms"]
    return {
        claim["value"]: arms[claim["measured"]["arm"]].get("options", {}).get("precision", {}).get("compute")
        for claim in claims(draft)
    }


def test_a_precision_in_one_heading_holds_for_its_column_only():
    head = "| Model | mAP | CPU b1 (ms) | V100 b1 (ms) | Jetson FP16 (ms) |"
    draft = read(table(head, "| n | 28.0 | 45 | 6.3 | 47 |", "| s | 37.4 | 98 | 6.4 | 61 |"))
    held = precisions(draft)
    assert [held[value] for value in ("28.0", "45", "6.3", "47")] == [None, None, None, "fp16"]


@pytest.mark.parametrize(
    ("title", "other", "own"),
    [
        ("TensorRT FP16 module report", "PyTorch (ms)", "TensorRT (ms)"),
        ("OpenVINO INT8 results", "ONNX Runtime (ms)", "OpenVINO (ms)"),
        ("vLLM FP8 latency", "Baseline (ms)", "vLLM (ms)"),
    ],
)
def test_the_precision_of_a_title_is_that_of_the_framework_it_names(title, other, own):
    head = f"| E | {other} | {own} | Speedup |"
    held = precisions(read(table(head, "| 1 | 10.0 | 2.5 | 4.0x |", "| 4 | 27.0 | 9.0 | 3.0x |", title=f"# {title}")))
    assert held["10.0"] is None
    assert held["2.5"] is not None


def test_a_row_of_another_precision_is_not_that_of_the_title():
    rows = ("| FA-v2 | 335 |", "| FA-v3 FP8 | 1200 |")
    held = precisions(read(table("| Kernel | TFLOP/s |", *rows, title="## Summary (H100, FP16)")))
    assert held == {"335": "fp16", "1200": None}


@pytest.mark.parametrize("heading", ["FLOP/sample (fwd+bwd)", "TFLOPs per token", "GFLOPs/image"])
def test_operations_of_one_example_are_no_rate(heading):
    assert role(heading, "45", "47").role == "extra"


@pytest.mark.parametrize(
    ("heading", "cell", "value", "unit"),
    [
        ("achieved", "430 TFLOP/s", "430", "TFLOP/s"),
        ("throughput (Gops/s)", "0.444", "0.444e9", "ops/s"),
        ("Mops/s", "12", "12e6", "ops/s"),
        ("measured peak", "4,455 ops/s", "4455", "ops/s"),
        ("Test time (task/s)", "27", "27", "tasks/s"),
        ("inference time(s/im)", "0.171", "0.171", "s/image"),
        ("Throughput (GB/s)", "820", "820", "GB/s"),
        ("TFLOP/chip/sec", "3.28e+02", "3.28e+02", "TFLOP/s/chip"),
        ("Model flops utilization (MFU)", "67.76%", "67.76", "%"),
        ("mean", "36925ns", "36925", "ns"),
    ],
)
def test_units_of_headings_and_cells(heading, cell, value, unit):
    (claim,) = claims(read(table(f"| Model | {heading} |", f"| a | {cell} |")))
    assert (claim["value"], claim["unit"]) == (value, unit)


@pytest.mark.parametrize("heading", ["Accuracy/Param Ratio", "Top-1 per GFLOP", "Accuracy per M params"])
def test_a_quality_by_something_is_no_quality(heading):
    assert role(heading, "7.26% per M params", "3.98% per M params").role == "extra"


@pytest.mark.parametrize(
    ("title", "heading", "cell", "scope"),
    [
        ("## Fine-tuning", "Flickr30k (5 epochs)", "1.7 hours", "training_run"),
        ("## Training", "Time / epoch", "1.7 hours", "epoch"),
        ("## Batch inference", "Total Time", "0.16s", "not_stated"),
        ("## Speech recognition", "wall (approx)", "4 min", "not_stated"),
        ("## Training", "Total time (min)", "45", "training_run"),
        ("## Results", "Total training time (h)", "45", "training_run"),
    ],
)
def test_what_a_time_covers(title, heading, cell, scope):
    (claim,) = claims(read(table(f"| Model | {heading} |", f"| a | {cell} |", title=title)))
    assert claim["scope"] == scope


@pytest.mark.parametrize("link", ["model", "[Download](https://x.y/a.pth)", "6358800", "[ckpt](a) / [log](b)"])
def test_a_link_is_no_model(link):
    draft = read(table("| name | top-1 | model |", f"| ConvNeXt-T | 82.1 | {link} |"))
    (arm,) = draft.value["arms"].values()
    assert arm["options"]["model"] == "ConvNeXt-T"


def test_acceptance_of_drafts_is_no_accuracy():
    draft = read(table("| Model | Tokens/s | Acc@0 | Acc@1 |", "| a | 509.6 | 52.15% | 24.44% |"))
    assert [claim["value"] for claim in claims(draft)] == ["509.6"]
    assert role("acc@1", "82.1").role == "accuracy"


def test_blank_cells_of_groups_continue_those_above():
    head = "| Model | Task | Method | Tokens/s |"
    rows = (
        "| A | qa | one | 10 |",
        "| | | two | 20 |",
        "| | math | one | 30 |",
        "| B | | one | 40 |",
        "| | | Average | 25 |",
    )
    arms = read(table(head, *rows)).value["arms"].values()
    held = [(arm["options"].get("model"), arm["options"]["extra"].get("Task")) for arm in arms]
    assert held == [("A", "qa"), ("A", "qa"), ("A", "math"), ("B", None), (None, None)]


def test_a_column_of_one_unit_is_not_said_to_have_different_ones():
    draft = read(table("| Model | Latency (ms) | Throughput |", "| a | 3 | 4.58% |", "| b | 4 | 4.80% |"))
    (told,) = [text for text in draft.unused if "Throughput" in text]
    assert "different units" not in told
    assert "ratios or shares (%)" in told


def test_cells_in_other_scripts_have_their_units():
    head = "| 阶段 | 原始时间 | 优化后时间 | 加速比 |"
    draft = read(table(head, "| 探索 | 2小时 | 25分钟 | 4.8x |", "| 训练 | 8小时 | 3小时 | 2.7x |"))
    held = {(claim["value"], claim.get("unit")) for claim in claims(draft)}
    assert {("2", "h"), ("25", "min"), ("3", "h")} <= held
    assert all("base" in claim for claim in claims(draft) if claim["form"] == "ratio")


def test_counts_below_a_heading_of_throughput_are_no_rates():
    draft = of_file("throughput.csv", b"impl,workers,ok,net\na,4,4,927\nb,8,8,1800\n", Path()).draft
    assert [claim["value"] for claim in draft.value["claims"].values()] == ["927", "1800"]


def test_rates_in_cells_below_the_names_of_models():
    draft = read(
        table(
            "| Framework | SD 1.5 | SD XL |",
            "| PyTorch | 29.5 it/s | 17.1 it/s |",
            "| __Ours__ | __49.1 it/s__ | untested |",
        )
    )
    assert [(claim["value"], claim["unit"]) for claim in claims(draft)] == [
        ("29.5", "iterations/s"),
        ("17.1", "iterations/s"),
        ("49.1", "iterations/s"),
    ]
    assert not draft.unused


def test_a_setup_counts_its_devices():
    draft = read(
        table(
            "| Model | Epochs | Time (mins) | Setup |",
            "| R50 | 88 | 77.2 | 8 x A100 |",
            "| R18 | 88 | 187.3 | 1 x A100 |",
        )
    )
    assert [arm["devices"] for arm in draft.value["arms"].values()] == [8, 1]
    assert {claim["scope"] for claim in claims(draft)} == {"training_run"}


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("Output Length", "extra"),
        ("output_tokens", "extra"),
        ("gpu_num", "devices"),
        ("# cards", "devices"),
        ("node_num", "nodes"),
        ("CUDA 12.4", "extra"),
        ("Output throughput", "rate"),
    ],
)
def test_a_word_within_a_word_tells_no_role(heading, role):
    assert heading_role(heading).role == role


@pytest.mark.parametrize(
    "heading",
    ["clip coverage", "Video duration (s)", "Stride (ms)", "Hop (ms)", 'Time in "pending"', "Waiting for a GPU (s)"],
)
def test_a_time_that_nothing_took_is_a_condition(heading):
    assert role(heading, "8.5 s", "34 s").role == "extra"


@pytest.mark.parametrize(
    "heading", ["Time per clip (s)", "Time for a video (s)", "Waiting time (s)", "Window sort (ms)"]
)
def test_a_time_of_a_work_stays_one(heading):
    assert role(heading, "8.5", "34").role == "time"


def test_the_frame_rate_of_videos_is_no_speed_of_a_model():
    found = read(
        table("| Backbone | Clip | FPS | Latency (ms) |", "| A | swan | 24 | 8.5 |", "| B | crow | 60 | 9.5 |")
    )
    assert [claim["value"] for claim in claims(found)] == ["8.5", "9.5"]


@pytest.mark.parametrize("beside", ["Parameters", "Clip"])
def test_frames_per_second_are_a_speed_where_no_other_column_is_one(beside):
    found = read(table(f"| Backbone | {beside} | FPS |", "| A | 12 | 24 |", "| B | 13 | 60 |"))
    assert [claim["value"] for claim in claims(found)] == ["24", "60"]


@pytest.mark.parametrize("whose", ["official", "paper", "reported", "in the paper"])
def test_the_quality_of_another_is_not_claimed(whose):
    found = read(table(f"| Model | top-1 (ours) | top-1 ({whose}) |", "| A | 73.1 | 74.2 |", "| B | 76.1 | 77.2 |"))
    assert [claim["value"] for claim in claims(found)] == ["73.1", "76.1"]


@pytest.mark.parametrize("split", ["official split", "val", "%"])
def test_brackets_that_name_a_split_leave_a_quality(split):
    assert role(f"top-1 ({split})", "73.1", "76.1").role == "accuracy"


def test_the_memory_that_a_device_has_is_none_that_a_run_uses():
    rows = ("| spec sheet | 96 GB |", "| training | 81,920 MiB |", "| loading | 512 MiB |", "| available | 79.5 GiB |")
    found = read(table("| Source | VRAM |", *rows))
    assert [(claim["value"], claim["unit"]) for claim in claims(found)] == [("81920", "MiB"), ("512", "MiB")]


def test_a_fraction_that_names_its_quality_is_none_in_percent():
    found = read(table("| Task | Accuracy |", "| sorting | 74.1% |", "| finding | 0.51 mIoU |", "| naming | 94.4 |"))
    assert [(claim["value"], claim.get("unit")) for claim in claims(found)] == [
        ("74.1", "%"),
        ("0.51", "1"),
        ("94.4", "%"),
    ]


@pytest.mark.parametrize("corner", ["Net vs. Device", "Net vs GPU", "Net \\ Device"])
def test_columns_under_a_corner_that_names_devices_are_devices(corner):
    head = f"| {corner} | 12 Mini | Pad Max | X |"
    found = read(table(head, "| small | 7 | 27 | 33 |", "| large | 9 | 31 | 45 |", title="### Inference time (ms)"))
    assert [claim["value"] for claim in claims(found)] == ["7", "27", "33", "9", "31", "45"]
    assert not any("Pad Max" in str(arm.get("options")) for arm in found.value["arms"].values())


def test_a_column_of_an_extreme_stays_none_of_a_device():
    head = "| Net | 12 Mini | 13 Mini | Max |"
    found = read(table(head, "| small | 7 | 9 | 27 |", "| large | 9 | 11 | 31 |", title="### Inference time (ms)"))
    assert [claim["value"] for claim in claims(found)] == ["7", "9", "9", "11"]


@pytest.mark.parametrize(("label", "told"), [("CPU", False), ("GPU", True), ("CPU offload", True), ("baseline", True)])
def test_the_row_of_a_processor_has_no_device_of_the_text_around(label, told):
    text = table("| type | steps/s |", "| base | 1650 |", f"| {label} | 940 |", title="Measured on a V100.")
    _, arm = read(text).value["arms"].values()
    assert ("system" in arm) == told
