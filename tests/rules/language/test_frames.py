"""What a number or a word says by what stands around it: names, settings, rules and aims compare and count nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated

COMPARED = {
    "a good speed-up (typically a factor of x3)": [(3, "ratio", "better")],
    "the speedup gains would be 17% on this card": [(17, "percent_more", "better")],
    "it is more efficient (by at least 3x)": [(3, "ratio", "better")],
    "the frequency of checkpoints has increased by a factor of 4": [(4, "ratio", "neutral")],
    "throughput on this link is better with small models": [(None, "words", "better")],
    "so the memory usage will proportionally lower": [(None, "words", "better")],
    "the memory usage will be proportionally lower": [(None, "words", "better")],
    "larger models show larger speedups": [(None, "words", "better")],
    "more threads may cause a slowdown": [(None, "words", "worse")],
    "there is a decrease in wall time efficiency": [(None, "words", "worse")],
    "we see an improvement in accuracy": [(None, "words", "better")],
    "a collection of acceleration techniques": [],
    "it gives better results": [(None, "words", "better")],
    "use a small tile to reduce memory": [(None, "words", "better")],
    "here the performance is nearly the same.": [(None, "parity", "equal")],
    "a better score without increasing memory": [(None, "words", "better"), (None, "parity", "equal")],
    "lowering the latency on phones (from 90 ms to 60 ms)": [([90, 60], "from_to", "better")],
    "it improves the throughput (10-20% speedup)": [([10, 20], "percent_more", "better")],
    "it exceeds the performance of the library": [(None, "words", "better")],
    "able to sustain a higher throughput": [(None, "words", "better")],
    "it will not beat the library": [],
    "I did not see it giving worse throughput.": [],
    "we never saw a worse latency": [],
    "Higher throughput is better.": [],
    "shorter time = better": [],
    "runs on a GPU with larger memory": [(None, "words", "worse")],
    "runs on larger memory": [],
    "we train a Faster RCNN on it": [],
    "shows how many times faster it is": [],
    "linear speedup relative to the number of GPUs": [],
    "the cost grows as the square of the rank": [],
    "the max-tokens parameter must be reduced": [],
    "transfer speeds up to 2 Gbps": [],
    "extending the kernel's speed advantage to others": [],
}
COUNTED = {
    "HD (2560x1080)": [],
    "16x 3090 GPUs": [(16, "devices")],
    "only for the A100 40 GPU": [],
    "7900 XTX x 4": [(4, "devices")],
    "2 DGX-1 with 8 V100 GPUs": [(2, "nodes"), (8, "devices_per_node")],
    "0.6B/7.1M": [],
    "125M/1.3B": [(125e6, "parameters"), (1.3e9, "parameters")],
    "runs the 13B Llama2 at home": [],
    "a 3-layer 256-unit LSTM": [(3, "layers"), (256, "other")],
    "batch sizes greater than 512": [(512, "batch_size")],
    "larger batch sizes like 64": [(64, "batch_size")],
    "the batchsize for each GPU is 6": [(6, "batch_size")],
    "a batch of 12 examples": [(12, "batch_size")],
    "batches of 96": [(96, "batch_size")],
    "a batch of 4 nodes": [(4, "nodes")],
    "batch size 64 (instead of Foo's 16)": [(64, "batch_size"), (16, "batch_size")],
    "with a fixed length of input 256 and output 128": [(256, "sequence_length"), (128, "sequence_length")],
    "the --max-tokens parameter must be lowered to 2048": [(2048, "tokens")],
    "the image input 1024 of it": [],
}
MEASURED = {
    "split as 2:2:2": [],
    "ran for 1:02:03": [(3723, "s")],
    "31.25 ± 0.50": [],
    "31.25 ± 0.50 BLEU": [(31.25, None)],
    "the RegNe(X)t family": [],
    "speedup (x)": [],
    "takes over an hour": [(1, "h")],
    "collected over a week": [],
    "by a factor of x3": [(3, "x")],
    "~2M raw FPS": [(2_000_000, "frames/s")],
    "bpc = 1.12": [(1.12, None)],
}
HEADED = {"MACs [G]": ("MAC", "work"), "MACs (M)": ("MAC", "work")}


@pytest.mark.parametrize("text", COMPARED)
def test_compared(text):
    found = annotated(text, None)["comparisons"]
    assert [(c["degree"], c["form"], c["sense"]) for c in found] == COMPARED[text]


@pytest.mark.parametrize("text", COUNTED)
def test_counted(text):
    assert [(c["value"], c["of"]) for c in annotated(text, None)["counts"]] == COUNTED[text]


@pytest.mark.parametrize("text", MEASURED)
def test_measured(text):
    found = [(q["value"], q["unit"]) for q in annotated(text, None)["quantities"] if q["value"] is not None]
    assert found == MEASURED[text]


@pytest.mark.parametrize("text", HEADED)
def test_units_of_headers(text):
    assert [(q["unit"], q["dimension"]) for q in annotated(text, "header")["quantities"]] == [HEADED[text]]
