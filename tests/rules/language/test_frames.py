"""What a number or a word says by what stands around it: names, settings, rules and aims compare and count nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated

COMPARED = {
    "a good speed-up (typically a factor of x3)": [(3, "ratio", "better")],
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
