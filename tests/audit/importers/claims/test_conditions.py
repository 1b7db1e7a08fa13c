"""Which conditions hold for a number: the nearest text decides, and where it leaves them open none is given."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate

ROWS = "| Model | Latency (ms) |\n|---|---|\n| small | 3.25 |\n| large | 9.75 |\n"


def read(text):
    found = of_file("a.md", text.encode(), Path()).draft.value
    assert not validate("submission", found)
    return found


def arms(text):
    """The arms of the claims, each with the model of its device beside its fields."""
    found = read(text)
    systems = {name: each.get("device") for name, each in found.get("systems", {}).items()}
    named = [found["arms"].get(claim["measured"].get("arm", ""), {}) for claim in found["claims"].values()]
    return [{**arm, "device": systems.get(arm.get("system"))} for arm in named]


@pytest.mark.parametrize(
    "near",
    [
        "We worked only on the CPU here.",
        "All tests were run on CPU.",
        "Measurements were taken with a four-core CPU.",
        "Every test ran on CPUs alone.",
    ],
)
def test_what_ran_on_processors_has_no_device_of_the_text_farther_away(near):
    text = f"# Tool\n\nExperiments were run on 4 H100.\n\n## Small models\n\n{near}\n\n{ROWS}"
    assert {(arm["device"], arm.get("devices")) for arm in arms(text)} == {(None, None)}


@pytest.mark.parametrize("near", ["Kernels are timed with CUDA events.", "Offloading to the CPU is off on this H100."])
def test_a_device_of_the_document_holds_for_a_section_that_names_no_other(near):
    text = f"# Tool\n\nExperiments were run on one H100.\n\n## Small models\n\n{near}\n\n{ROWS}"
    assert {arm["device"] for arm in arms(text)} == {"H100"}


def test_the_one_device_of_a_setup_is_not_that_of_several():
    text = "# Tool\n\nWe tested with 1 L40S.\n\n## Scaling\n\nTraining on 6 GPUs finishes in 40 minutes.\n"
    (arm,) = arms(text)
    assert (arm["device"], arm["devices"]) == (None, 6)


@pytest.mark.parametrize(
    ("setup", "ways", "devices"),
    [("2 RTX 3090", "TP=4", None), ("8 A100", "TP=4", 8), ("4 H100", "TP=2 and PP=4", None)],
)
def test_devices_of_a_setup_that_parallel_sizes_exceed_are_not_those_of_the_number(setup, ways, devices):
    text = f"# Tool\n\nAll experiments were run on {setup}.\n\nWith {ways} the server decodes 93.5 tokens/s.\n"
    assert [arm.get("devices") for arm in arms(text)] == [devices]


@pytest.mark.parametrize(
    ("above", "device"),
    [
        ("For comparison, here is the same table for a Titan XP with 12 GB of memory.", "Titan XP"),
        ("One step down the ladder. The next times come from a Quadro M2200 (4 GB).", "Quadro M2200"),
        ("The A40 and the L4 were slower:", None),
        ("The times are a bit worse than expected.", "V100"),
    ],
)
def test_the_paragraph_that_leads_to_a_table_names_its_device(above, device):
    text = f"# Tool\n\nExperiments were run on a V100.\n\n## Results\n\n{above}\n\n{ROWS}"
    assert {arm["device"] for arm in arms(text)} == {device}


def test_a_device_behind_but_is_not_that_of_the_number():
    (arm,) = arms("The board runs it at 18 ms/image, but there is no such problem on the H100.\n")
    assert arm.get("device") is None


def test_a_device_of_a_heading_is_none_of_the_other_columns():
    rows = "|---|---|---|---|\n| a | TBD | 95 | 28.5 |\n| b | 30 | 97 | 31.5 |\n"
    head = "| Model | L40S (FPS) | H100 (FPS) | mAP |"
    text = f"# Tool\n\nIt was tested on an L40S.\n\n## Results\n\n{head}\n{rows}"
    held = read(text)
    for claim in held["claims"].values():
        arm = held["arms"][claim["measured"]["arm"]]
        device = held.get("systems", {}).get(arm.get("system"), {}).get("device")
        assert device is None or device in {"L40S", "H100"}
        assert not (claim["value"] in {"95", "97", "28.5", "31.5"} and device == "L40S")


@pytest.mark.parametrize(
    ("sentence", "options"),
    [
        ("It trains 8,500 tokens/s with fp32 AdamW.", "precision"),
        ("An epoch takes 12 minutes when loading from an SSD.", "model"),
        ("# Gated Path LSTM Network\n\nIt runs 850 images/s.", "model"),
        ("From a 300 token input on it serves 850 images/s.", "input_length"),
    ],
)
def test_what_only_sounds_like_a_condition_is_none(sentence, options):
    assert all(options not in arm.get("options", {}) for arm in arms(sentence + "\n"))


def test_a_sentence_of_training_and_inference_is_of_neither():
    claim = next(iter(read("# T\n\nFine-tuning and serving became 3.5x faster.\n")["claims"].values()))
    assert claim["mode"] == "none"


def test_how_one_of_several_devices_worked_holds_for_no_other():
    setup = "## Environment\n\nThe A100 runs with bf16.\n\nThe H100 is run idle.\n"
    found = arms(f"# Tool\n\n## Results\n\n{ROWS}\nIt runs 850 images/s.\n\n{setup}")
    assert all("precision" not in arm.get("options", {}) for arm in found)


def test_rows_that_others_published_are_no_claims():
    rows = "| Method | PSNR |\n|---|---|\n| NeRF (paper) | 31.5 |\n| NeRF (ours) | 32.5 |\n"
    assert [claim["value"] for claim in read(f"## Results\n\n{rows}")["claims"].values()] == ["32.5"]


@pytest.mark.parametrize(
    "heading",
    [
        "One GPU vs two (TP=2), and throughput",
        "A single card against two cards (tensor parallel 2)",
        "1 GPU versus 4 with TP 4",
    ],
)
def test_a_heading_that_sets_sides_beside_each_other_says_how_no_number_below_was_run(heading):
    found = arms(f"# Serving\n\n## {heading}\n\nUnder load our server reaches 480 tokens/s.\n")
    assert found
    assert {(arm.get("devices"), arm.get("options", {}).get("tensor_parallel")) for arm in found} == {(None, None)}


def test_a_heading_still_says_what_its_sides_share():
    found = arms("# Tool\n\n## Training on 8 A100: ours vs theirs\n\nOurs reaches 4,100 images/s.\n")
    assert {(arm["device"], arm["devices"]) for arm in found} == {("A100", 8)}


@pytest.mark.parametrize(
    ("sentence", "options"),
    [
        ("Int4 weight-only: 1.73x speedup for Gemma3-12b-it on one H100.", {"quantisation": "int4"}),
        ("We quantize Llama-3-8B to int8 for 1.89x faster inference.", {"quantisation": "int8"}),
        ("INT8 inference reaches 300 images/s on one A100.", {"precision": {"compute": "int8"}}),
        ("With weights in FP8 quantized Llama-3-8B is 1.3x faster.", {"precision": {"compute": "fp8"}}),
    ],
)
def test_what_weights_are_quantised_to_is_no_format_of_the_computation(sentence, options):
    (arm,) = arms(f"# Tool\n\n{sentence}\n")
    kept = {name: arm["options"][name] for name in ("quantisation", "precision") if name in arm["options"]}
    assert kept == options


@pytest.mark.parametrize(("heading", "framework"), [("NCNN speed (fps)", None), ("Speed (fps)", "PyTorch")])
def test_a_table_whose_headings_name_a_library_has_no_framework_of_the_text(heading, framework):
    text = f"# Net\n\nAll experiments use PyTorch.\n\n| Model | {heading} |\n|---|---|\n| small | 39.88 |\n"
    (arm,) = arms(text)
    assert arm.get("software", {}).get("framework") == framework
