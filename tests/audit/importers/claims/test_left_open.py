"""What a document does not say stays open, and what was no result of its authors' work is none."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

OTHER = "Our fused loop is 7.25x faster.\n"


def read(text, name="a.md"):
    found = of_file(name, text.encode(), Path()).draft
    assert not validate("submission", found.value)
    return found


def claims(text):
    return [
        claim for claim in read(f"# Notes\n\n{OTHER}\n{text}\n").value["claims"].values() if claim["value"] != "7.25"
    ]


def values(text):
    return [claim["value"] for claim in claims(text)]


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Time for 50 iterations: 31 s => 0.4 s.", ["0.4"]),
        ("Peak GPU memory: 61 GB -> 12 GB.", ["12"]),
        ("Step time went from 140 ms to 96 ms.", ["96"]),
        ("Throughput rises from 415 images/s to 650 images/s.", ["650"]),
        ("The kernel took 3.5 ms instead of 7.5 ms.", ["3.5"]),
        ("Memory use drops to 9 GB, down from 21 GB.", ["9"]),
        ("Loading a frame takes 12 ms and decoding takes 31 ms.", ["12", "31"]),
    ],
)
def test_what_something_was_before_is_no_result(sentence, kept):
    assert values(sentence) == kept


def test_a_ratio_is_still_one_of_what_was_before():
    found = read("# Notes\n\nThroughput rises from 410 images/s to 656 images/s, 1.6x faster.\n").value
    ratio = next(claim for claim in found["claims"].values() if claim["form"] == "ratio")
    base = found["arms"][ratio["base"]["arm"]]["performance"][ratio["base"]["metric"]]
    assert (base["value"], len(found["claims"])) == ("410", 2)


@pytest.mark.parametrize(
    "sentence",
    [
        "The first download can take a while (3-6 min per checkpoint).",
        "Downloading takes 25 min.",
        "RAM: 48 GB",
        "Go from unboxing to a trained model in 45 min.",
        "The road to 55% MFU",
    ],
)
def test_advice_and_machines_are_no_results(sentence):
    assert values(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("Processing time: ~0.75 seconds", "0.75"),
        ("Compilation time on 4x L4: 210 s", "210"),
        ("Encoder: 51.5 ms", "51.5"),
        ("`fp16: 1.75 ms` shows the average batch time of the engine.", "1.75"),
        ("Training this net needs 21 hours on one V100.", "21"),
    ],
)
def test_a_time_behind_its_name_is_read(sentence, value):
    assert values(sentence) == [value]


def test_a_time_of_a_start_covers_no_training():
    (claim,) = claims("All trainings ran on 4 L4.\n\nCompilation time of the training: 6 min")
    assert claim["scope"] == "not_stated"


@pytest.mark.parametrize(
    ("sentence", "devices"),
    [
        ("Styling takes 90 ms on a 2016 Titan X.", None),
        ("Styling takes 90 ms on our late 2019 RTX 2080 Ti.", None),
        ("Training takes 21 hours on 2016 V100 GPUs.", 2016),
    ],
)
def test_a_year_counts_no_devices(sentence, devices):
    found = read(f"# Notes\n\n{sentence}\n").value
    assert [arm.get("devices") for arm in found["arms"].values()] == [devices]


@pytest.mark.parametrize(
    ("setup", "length"),
    [("max_model_len=16384", None), ("a max sequence length of 4096", None), ("a sequence length of 4096", 4096)],
)
def test_the_longest_length_is_not_that_of_the_input(setup, length):
    found = read(f"# Notes\n\nAll experiments use one H100 and {setup}.\n\nIt decodes 55.5 tokens/s.\n").value
    (arm,) = found["arms"].values()
    assert arm.get("options", {}).get("input_length") == length


def test_real_time_is_neither_a_variant_nor_a_system():
    (claim,) = claims("It speaks 7x faster than real-time.")
    assert (claim["compares"], claim["base"]) == ("none", {"definition": "real-time"})


@pytest.mark.parametrize("printed", ["2-3x", "2--3x", "about 2-3x"])
def test_of_a_range_the_upper_end_is_what_it_is_at_most(printed):
    (claim,) = claims(f"The compiled path gives {printed} speedup over the eager one.")
    assert (claim["value"], claim["qualifier"], claim["range"]["low"]) == ("3", "up_to", "2")


def test_a_later_item_tells_nothing_of_the_model_of_an_earlier_one():
    items = "- Faster by 3x for the data layers\n- Results of ResNet-50 are measured with fp16\n"
    found = read(f"# Version 2\n\n{items}").value
    assert all("model" not in arm.get("options", {}) for arm in found.get("arms", {}).values())


@pytest.mark.parametrize(
    ("metric", "quantity"),
    [
        ("eval loss", "loss"),
        ("Perplexity", "perplexity"),
        ("FID", "error"),
        ("Top-1 error", "error"),
        ("mAP", "accuracy"),
    ],
)
def test_a_quality_of_which_less_is_better_is_no_accuracy(metric, quantity):
    found = read(f"| Net | {metric} |\n|---|---|\n| a | 12.5 |\n| b | 13.5 |\n").value
    assert {claim["quantity"] for claim in found["claims"].values()} == {quantity}


BARS = "".join(
    f"Loading checkpoint shards: {n}0% Completed | {n}/9 [00:0{n}<00:09, 1.{n}5s/it]\n"
    f"INFO 09-10 23:48:3{n} [runner.py:34] torch.compile takes 14.77 s in total.\n\n"
    for n in range(1, 9)
)


def test_a_log_with_bars_of_progress_is_no_prose():
    with pytest.raises(UserError):
        read(BARS, "serve.log")


REPORT = """=====
REPORT
=====

=====
Configuration: News, {n} GPU
=====
Data: News (120000 texts)
Throughput: {rate} samples/sec

{remark}
Final validation accuracy: 0.88{n}

"""


@pytest.mark.parametrize(
    "remark", ["✓ Good scaling!", "WARNING: it got slower", "- Consider a larger batch instead of it"]
)
def test_remarks_name_nothing_that_stands_below(remark):
    text = REPORT.format(n=1, rate=6143, remark=remark) + REPORT.format(n=4, rate=2835, remark=remark)
    found = read(text, "report.txt").value
    labels = {arm["label"].partition(" / ")[0] for arm in found["arms"].values()}
    assert labels == {"Configuration: News, 1 GPU", "Configuration: News, 4 GPU"}
