"""What a number counts or measures and what a word compares, in wordings such as documents of repositories have."""

from itertools import product

import pytest
from dlaudit.rules.language.annotations import annotated

MEASURED = {
    "It needs 96k SRAM and 1M of flash.": [(96000, "B", "data"), (1000000, "B", "data")],
    "We store 4M parameters in 2M memory.": [(2000000, "B", "data")],
    "1.5M memory accesses per step": [],
    "with *3M* memory left": [(3000000, "B", "data")],
    "The solver runs 12 relaxations per minute.": [(12, "relaxations/min", "rate")],
    "simulates 2500 atoms/s": [(2500, "atoms/s", "rate")],
    "the total 99.5 time/s column": [],
    "tokens/s: 1000 / step_ms, by the host's clock": [],
    "images/sec: 1650 / GPU": [(1650, "images/s", "rate")],
    "writes at 3 TB/min": [(50000000000, "B/s", "data_rate")],
    "30tk/sec": [(30, "tokens/s", "rate")],
    "clocked at 30HZ, 0.5BFlops": [(30, "Hz", "frequency"), (500000000, "FLOP", "work")],
    "a width of 12 bits": [(12, "bit", "other")],
    "a $5\\times 5$ filter": [],
    "The accuracy of our tiny network on the held-out part was 71.4%.": [(71.4, "%", "quality")],
    "accuracy of 70.1% (71.9% with EMA)": [(70.1, "%", "quality"), (71.9, "%", "quality")],
    "The accuracy is 75% while memory falls to 40%.": [(75, "%", "quality"), (40, "%", "percent")],
    "We pruned 50% of the weights at an accuracy of 74.2%.": [(50, "%", "percent"), (74.2, "%", "quality")],
    "accuracy at 30% sparsity": [(30, "%", "percent")],
    "61.2%, 63.0% and 64.9% on three sets in terms of mAP": [
        (61.2, "%", "quality"),
        (63, "%", "quality"),
        (64.9, "%", "quality"),
    ],
    "The classifier scores 0.912/0.887 F1 on dev.": [(0.912, None, "quality"), (0.887, None, "quality")],
    "We get a BLEU of 27.1 vs 26.8.": [(27.1, None, "quality"), (26.8, None, "quality")],
    "F1 of 0.81, 0.5 dropout": [(0.81, None, "quality")],
    "stays around 400 PPL": [(400, None, "quality")],
    "chosen by its B/32 CLIP score": [],
    "10<sup>6</sup> tokens in 3 s<sup>1</sup>": [(3, "s", "time")],
    "less than 1/200 memory of the teacher": [(0.005, "x", "ratio")],
    "hundreds of milliseconds": [],
}
COUNTED = {
    "servers with 4×100GbE ports": [(4, "other")],
    "8 x 25Gbps links": [(8, "other")],
    "NVIDIA H100*16": [(16, "devices")],
    "a Xeon 8280 28-Core processor": [(28, "cores")],
    "a dual 24-core box": [(2, "nodes"), (24, "cores")],
    "24 uniformly sampled frames": [(24, "other")],
    "64 carefully selected and cleaned prompts": [(64, "requests")],
    "two per-layer scaling rules": [(2, "other")],
    "five of our runs diverged": [(5, "runs")],
    "20B, 40B and 80B tokens of text": [(20000000000, "tokens"), (40000000000, "tokens"), (80000000000, "tokens")],
    "1B, 3B and 8B checkpoints": [(1000000000, "parameters"), (3000000000, "parameters"), (8000000000, "parameters")],
    "config-13b.json": [],
    "Foo-3-8B runs well": [],
    "4 Foo instances": [(4, "other")],
    "both nodes have 8 GPUs": [(8, "devices_per_node")],
    "the clip is an MP4 file": [],
    "One or more layers": [],
    "Speed(1xCore)": [(1, "cores")],
    "three small variants": [(3, "models")],
    "FOO88<sup>1</sup> GPU": [],
    "using 64 as the batch size": [(64, "batch_size")],
}
COMPARED = {
    "Both are similar in speed.": [(None, "parity", "equal")],
    "The latency of the two engines is nearly identical.": [(None, "parity", "equal")],
    "It took noticeably longer to converge.": [(None, "words", "worse")],
    "a 2.5x run time speed up": [(2.5, "ratio", "better")],
    "20x higher inference time throughput": [(20, "ratio", "better")],
    "latency dropped from 80 ms to 20 ms (4x)": [(4, "ratio", "better")],
    "memory went from 40 GB to 25 GB (-37.5%)": [(37.5, "percent_less", "better")],
    "12 ms → 4 ms (3x)": [(3, "ratio", "better")],
    "Training went from 3 days to 12 hours.": [([72, 12], "from_to", "better")],
    "weak scaling 7.6x on 8 nodes": [(7.6, "ratio", "better")],
    "scaling of 91% on 8 nodes": [],
    "a scaling factor of 2x": [],
    "a performance of about 3.1x": [(3.1, "ratio", "better")],
    "It needs only 30% of the memory.": [(30, "percent_of", "better")],
    "using just 12% of the FLOPs of the dense model": [(12, "percent_of", "better")],
    "using only 8% of peak": [],
    "There is no noticeable difference.": [(None, "parity", "equal")],
    "Throughput was considerably increased.": [(None, "words", "better")],
    "multi-GPU training throughput increases by 15%": [(15, "percent_more", "better")],
    "The lower the loss, the better.": [],
    "**Lower times are better**.": [],
    "a card with 24 GB or more memory": [],
    "This reduces the accuracy loss.": [(None, "words", "better")],
    "It doesn't always improve accuracy.": [],
    "Pick the faster devices.": [],
    "There are more cache misses.": [],
    "It is more memory hungry.": [(None, "words", "worse")],
    "It uses more memory.": [(None, "words", "worse")],
    "It has higher accuracy.": [(None, "words", "better")],
    "**2x**🎉faster": [(2, "ratio", "better")],
    "a speedup of 30 percent": [(30, "percent_more", "better")],
    "a 3 points accuracy deterioration": [(3, "points", "worse")],
    "The crop grew from 160px to 192px.": [],
}
SPELLED = {"12": 12, "1,200": 1200, "1.5k": 1500, "3 million": 3e6, "twelve": 12, "~40": 40, "more than 300": 300}
STRANGE = ("crystals", "reactions", "playouts", "voxels")
"""Nouns that no list knows."""
RATES = ("It handles {} {} per second.", "At {} {}/s, the server is full.", "the rate was {} {}/sec")
SETS = ("We use {} {}.", "trained on {} {} from a store", "a set of {} newly gathered {}", "({} {})")
QUALITIES = (
    "The {} of the small net after tuning is 71.4%.",
    "{}: 71.4%",
    "71.4% {}",
    "It gets a {} of 71.4%, as before.",
)
ALIKE = ("The {0} of both is {1}.", "Both show {1} {0}.", "Both are {1} in {0}.")


@pytest.mark.parametrize("text", MEASURED)
def test_measured(text):
    found = annotated(text, None)["quantities"]
    assert [(q["value"], q["unit"], q["dimension"]) for q in found] == MEASURED[text]


@pytest.mark.parametrize("text", COUNTED)
def test_counted(text):
    assert [(c["value"], c["of"]) for c in annotated(text, None)["counts"]] == COUNTED[text]


@pytest.mark.parametrize("text", COMPARED)
def test_compared(text):
    found = annotated(text, None)["comparisons"]
    assert [(c["degree"], c["form"], c["sense"]) for c in found] == COMPARED[text]


@pytest.mark.parametrize(("spelled", "noun", "frame"), list(product(SPELLED, STRANGE, RATES)))
def test_any_noun_is_counted_per_time(spelled, noun, frame):
    (found,) = annotated(frame.format(spelled, noun), None)["quantities"]
    assert (found["value"], found["unit"], found["dimension"]) == (SPELLED[spelled], f"{noun}/s", "rate")


@pytest.mark.parametrize(("spelled", "noun", "frame"), list(product(SPELLED, STRANGE, SETS)))
def test_any_plural_is_counted(spelled, noun, frame):
    (found,) = annotated(frame.format(spelled, noun), None)["counts"]
    assert (found["value"], found["of"]) == (SPELLED[spelled], "other")


@pytest.mark.parametrize(("metric", "frame"), list(product(("accuracy", "top-1 accuracy", "mAP", "mIoU"), QUALITIES)))
def test_a_share_of_a_metric_is_a_quality(metric, frame):
    (found,) = annotated(frame.format(metric), None)["quantities"]
    assert (found["value"], found["unit"], found["dimension"]) == (71.4, "%", "quality")


@pytest.mark.parametrize(
    ("measured", "word", "frame"),
    list(product(("latency", "throughput", "accuracy"), ("similar", "comparable"), ALIKE)),
)
def test_what_is_alike_is_level(measured, word, frame):
    (found,) = annotated(frame.format(measured, word), None)["comparisons"]
    assert (found["degree"], found["form"], found["sense"]) == (None, "parity", "equal")
