"""Marks around words, ranges of factors, changes in points, and words that compare nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated
from dlaudit.rules.language.reading import read

COMPARED = {
    "3.10 (**1.4x** _slower_)": [(1.4, "ratio", "worse")],
    "trains from 3X to 5X faster": [([3, 5], "ratio", "better")],
    "gives between 2x and 6x speedup": [([2, 6], "ratio", "better")],
    "an X3 speedup on CPUs": [(3, "ratio", "better")],
    "shrinks the latency by a factor up to 12": [(12, "ratio", "better")],
    "it costs a 0.4 drop in BLEU": [(0.4, "points", "worse")],
    "with a 1.5 decrease in WER": [(1.5, "points", "better")],
    "20% lower latency and 10% lower when warm": [(20, "percent_less", "better"), (10, "percent_less", "better")],
    "perplexity (from 8.25 to 7.75 PPL)": [([8.25, 7.75], "from_to", "better")],
    "12% more space-efficient than lists": [(12, "percent_more", "better")],
    "we see more speedup here": [(None, "words", "better")],
    "it works at the cost of accuracy": [(None, "words", "worse")],
    "the loading times increase with it": [(None, "words", "worse")],
    "A lower latency indicates a lower load.": [],
    "measured on slower GPUs": [],
    "the load more than accounts for this time": [],
    "older methods cannot maintain accuracy": [],
    "kg of equivalent CO2 emissions": [],
}
COUNTED = {
    "models of 350M/1.3B/6.7B/13B": [(1.3e9, "parameters"), (6.7e9, "parameters"), (1.3e10, "parameters")],
    "250_000 tokens": [(250_000, "tokens")],
    "mean of 4 executions": [(4, "runs")],
    "batch sizes, such as 16": [(16, "batch_size")],
    "2x24GB A10 GPUs": [(2, "devices")],
    "fails where batch > 2": [(2, "batch_size")],
    "builds for x86 machines": [],
    "hundred of samples": [],
}
MEASURED = {
    "1.5 · 1.7 · 1.9 h": [(1.5, "h"), (1.7, "h"), (1.9, "h")],
    "310 kg/MWh": [(310, "kg/MWh")],
    "up to 140 TFLOPs/sec per H100": [(140e12, "FLOP/s")],
    "50k 256d vectors": [],
    "mAP(0.75)": [],
    "0.25 RTF on one core": [(0.25, "x")],
    "a real-time factor of 0.4": [(0.4, "x")],
    "a gain of up to X7": [(7, "x")],
    "up to x2 boards": [],
    "3-4 GPU minutes": [([3, 4], "min")],
    "O(minutes) in all": [],
    "by epoch 200 CIDEr is flat": [],
    "BLEU score: 31.5, 900 tokens/s": [(31.5, None), (900, "tokens/s")],
    "keep all but the top-k: 12x memory savings": [(12, "x")],
    "it takes 412 806 551.25 steps per second": [(412806551.25, "steps/s")],
    "= 3 250.5 images/s": [(3250.5, "images/s")],
    "a 20 000x speedup": [(20000, "x")],
    "renders 45 060 frames/s": [(45060, "frames/s")],
    "renders 45\u202f160 frames/s": [(45160, "frames/s")],
    "renders 45\u2009160 frames/s": [(45160, "frames/s")],
    "sizes 64 128 256 GB": [(256e9, "B")],
    "GPUs of 8, 16 000 and 20 ms": [(20e-3, "s")],
    "epoch 3 250.5 ms": [(0.2505, "s")],
}


@pytest.mark.parametrize("text", COMPARED)
def test_compared(text):
    found = annotated(text, None)["comparisons"]
    assert [(c["degree"], c["form"], c["sense"]) for c in found] == COMPARED[text]


@pytest.mark.parametrize("text", COUNTED)
def test_counted(text):
    found = [(c["value"], c["of"]) for c in annotated(text, None)["counts"]]
    assert [c for c in found if c[0] != 350e6] == COUNTED[text]


@pytest.mark.parametrize("text", MEASURED)
def test_measured(text):
    found = [(q["value"], q["unit"]) for q in annotated(text, None)["quantities"] if q["value"] is not None]
    assert found == MEASURED[text]


@pytest.mark.parametrize("text", ["up to about 3x faster", "up to nearly 7 GB", "up to X9"])
def test_a_bound_outweighs_an_estimate(text):
    assert [q.qualifier for q in read(text).quantities()] == ["at_most"]


@pytest.mark.parametrize(
    "text", ["it has 97.5% (float) and 96.1% (int8) accuracy", "93% on ImageNet and 88% on CIFAR-10", "71% class mIoU"]
)
def test_shares_that_are_scores(text):
    assert {q.dimension for q in read(text).quantities()} == {"quality"}
