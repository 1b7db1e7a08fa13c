"""Times that a label tells what they are of, and numbers of a list that are no results."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

KNOWN = "The decoder takes 7.25 ms on one L4."


def drafted(text, name="a.md"):
    found = of_file(name, text.encode(), Path()).draft
    assert not validate("submission", found.value)
    return found


def claimed(text, name="a.md"):
    return [(each["value"], each.get("unit")) for each in drafted(text, name).value["claims"].values()]


def beside(line, title="Results"):
    """The numbers that are claimed of a line, in a document that claims another one anyway."""
    return [each for each in claimed(f"# {title}\n\n{KNOWN}\n\n{line}\n") if each != ("7.25", "ms")]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("- Softmax kernels: 412 ms (18.4%)", ("412", "ms")),
        ("- Index lookup: 0.034s", ("0.034", "s")),
        ("- **Rotary part:** 12.5% (avg), 88 ms (total)", ("88", "ms")),
        ("- Decoding a batch of frames (~12 ms)", ("12", "ms")),
        ("- TTFT stays low and even (21-37ms)", ("37", "ms")),
        ("- VRAM: ~5.2 GB allocated", ("5.2", "GB")),
        ("- 17.5GiB memory usage", ("17.5", "GiB")),
        ("- A good start (5.5x real-time)", ("5.5", "x")),
        ("- Runs at 14x real time on an L4", ("14", "x")),
    ],
)
def test_an_item_with_a_label_is_read(line, number):
    assert beside(line) == [number]


@pytest.mark.parametrize(
    "line",
    [
        "- Timeout: 30 s",
        "- Sliding window: 10 s",
        "- Talk recordings: 500 hours",
        "- Expected time per image: 3 ms",
        "- Baseline estimate: 5,200 seconds",
        "- Potential improvement: 3-5x",
        "- Load pattern: request rates from 2 to 32 QPS",
        "- The A10 shows degradation at 32 QPS",
        "- Each test was configured to run for 90 seconds",
        "- Run from 17:20:05 - 17:41:30",
        "- Required speedup: 4x",
        "- The tutorial reports 90 TFLOPS at this size",
        "- Each chip packs up to 160 teraflops of compute",
    ],
)
def test_what_was_not_measured_is_no_claim(line):
    assert beside(line) == []


def test_items_of_settings_are_no_results():
    assert beside("- Probe step: 5 s", "Configuration") == []


def test_what_stands_under_a_heading_of_expectations_is_none():
    text = f"# Port\n\n{KNOWN}\n\n## Expected gains\n\n- Metal: 3-6x speedup over the CPU\n"
    assert claimed(text) == [("7.25", "ms")]


def test_a_label_without_a_unit_has_that_of_the_one_before():
    steps = "### Step 1: plain loops: 81.5 ms\n\n### Step 2: tiled: 20.250 (4.02x faster than step 1)\n"
    assert claimed(f"# Kernel\n\n{steps}") == [("81.5", "ms"), ("20.250", "ms"), ("4.02", "x")]
    other = "### Step 1: plain loops: 81.5 ms\n\n### Figure 2: tiled: 20.250\n"
    assert claimed(f"# Kernel\n\n{other}") == [("81.5", "ms")]


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The loop without fusion runs a slow path that is 8-12x slower than the fused one.", "12"),
        ("The L4 is about 15% slower in prefill than the A10 (lower power, slower clocks?)", "15"),
    ],
)
def test_what_is_done_without_something_is_not_denied(sentence, value):
    assert value in [number for number, _ in claimed(f"# Speed\n\n{sentence}\n")]


def test_a_question_and_a_denial_state_nothing():
    assert beside("Is it 3x faster than the old one (on an L4)?") == []
    assert beside("It trains without a 3x slowdown.") == []


def test_a_clock_behind_a_verb_is_a_duration():
    assert claimed("# Run\n\nThe training took 12:30:05 on one L4.\n") == [("45005", "s")]


def test_the_links_of_latex_do_not_stop_its_reader():
    text = (
        "\\documentclass{article}\\begin{document}\\section{Runs}\n"
        "It takes over 4 \\textit{minutes} to train 1 epoch on one L4.\\footnote{\\href{http://a.b}{log}}\n"
        "\\href\\end{document}\n"
    )
    (claim,) = drafted(text, "a.tex").value["claims"].values()
    assert (claim["value"], claim["unit"], claim["scope"]) == ("4", "min", "epoch")


@pytest.mark.parametrize("total", ["69.03", "70.5"])
def test_the_time_of_one_epoch_behind_another_time_says_nothing_of_that(total):
    text = f"# Run\n\nTraining on one L4 took {total} seconds in all, train 1 epoch 13.08 seconds.\n"
    assert "epoch" not in {each["scope"] for each in drafted(text).value["claims"].values() if each["value"] == total}


def test_a_window_is_no_length_of_the_input_and_a_longer_name_no_shorter_one():
    (arm,) = drafted(f"# Run\n\n- Context window: 8192 tokens\n\n{KNOWN}\n").value["arms"].values()
    assert "input_length" not in arm.get("options", {})
    found = drafted("# Boards\n\nOn a Raspberry Pi Pico inference took 313 ms.\n").value
    assert [each["name"] for each in found.get("systems", {}).values()] in ([], ["Raspberry Pi Pico"])


def test_without_a_number_nothing_is_claimed():
    with pytest.raises(UserError):
        drafted("# Notes\n\n- Timeout: 30 s\n")
