"""What the structure of a phrase says, whatever its words: ranges, conditions, options, compounds, products, signs."""

import pytest
from dlaudit.rules.language.annotations import annotated

COUNTED = {
    "models ranging from 2B to 9B parameters": [(2e9, "parameters"), (9e9, "parameters")],
    "context lengths ranging from 4k to 64k": [(4096, "sequence_length"), (65536, "sequence_length")],
    "between 8 to 64 GPUs": [([8, 64], "devices")],
    "a 300K context length": [(307200, "sequence_length")],
    "a sequence length of 10k": [(10240, "sequence_length")],
    "from 12 ms at concurrency 4 to 19 ms at concurrency 8": [(4, "concurrency"), (8, "concurrency")],
    "it rose from 90 tokens/s at batch size 2 to 140 at batch size 4": [(2, "batch_size"), (4, "batch_size")],
    "concurrency levels 4, 8 and 12": [(4, "concurrency"), (8, "concurrency"), (12, "concurrency")],
    "micro batch sizes of 2 and 6": [(2, "batch_size"), (6, "batch_size")],
    "- `--batch_size`: how many rows a step takes, default is 48.": [(48, "batch_size")],
    "* `max_seq_len` (int): longer inputs are cut; default 768": [(768, "sequence_length")],
    "(tpu=8, max_length=512)": [(8, "devices"), (512, "sequence_length")],
    "experts = 64, gpu=0": [(64, "other")],
    "the batch size is at most 24": [(24, "batch_size")],
    "six class-balanced models": [(6, "models")],
    "4 token-level losses": [(4, "other")],
    "two wav2vec encoders": [(2, "other")],
    "three text2image stages": [(3, "other")],
    "four V100/A100s": [(4, "devices")],
    "eight A100/H100 GPUs": [(8, "devices")],
    "two Foobar B570 GPU cards": [(2, "devices")],
    "5 pretrained 3D networks": [(5, "models")],
    "700 2D slices": [(700, "other")],
    "12 TensorCores": [(12, "cores")],
    "20 MegaKernels": [(20, "other")],
    "the Phase 2 run failed": [],
    "Model 0 GPU memory": [],
    "- E2: 3 new suites": [(3, "other")],
    "with one attention window per layer": [(1, "other")],
    "it needs one calibration file.": [(1, "other")],
    "one should expect it and wait": [],
    "± one standard deviation.": [],
    "a clip of 24 frames": [(24, "other")],
    "80GB*4 GPUs": [(4, "devices")],
    "8*80GB": [(8, "devices")],
    "2x24GB VRAM": [(2, "devices")],
    "4 x 2 MiB": [],
    "32 GPUs (4x8)": [(32, "devices"), (4, "nodes"), (8, "devices_per_node")],
    "32 GPUs (5x8)": [(32, "devices")],
    "A100单机4卡": [(4, "devices")],
    "共 24 层": [(24, "layers")],
    "the BazLM 3B model": [],
}
MEASURED = {
    "requests/sec also rose from 30 to 45 and then 60.": [30, 45, 60],
    "The throughput (tokens/s) fell from 80 to 70.": [None, 80, 70],
    "it fell from 80 to 70.": [],
    "Mean ITL(ms): 12.5": [0.0125],
    "GPU(s): 8": [],
    "over 600 steps per second (SPS)": [600],
    "thousands of frames per second (FPS) on 300 images": [],
    "Seqs 512 Total TPS = 900": [900],
    "it takes 5min-15min": [[5, 15]],
    "3hours-5hours": [[3, 5]],
    "1450/92.5%": [92.5],
    "91/92.5%": [91, 92.5],
    "单卡16GB显存": [16e9],
    "约为300TFLOPS，峰值": [3e14],
}
COMPARED = {
    "B is faster by 90.5 tok/s (12.5%)": [(12.5, "percent_more", "better")],
    "it is slower by 3 ms (4%)": [(4, "percent_less", "worse")],
    "this can slow down as much as 4 times": [(4, "ratio", "worse")],
    "it may speed up as much as 3 times": [(3, "ratio", "better")],
    "B gives +6.5% throughput": [(6.5, "percent_more", "better")],
    "C needs -20% memory": [(20, "percent_less", "better")],
    "16-bit sums are much slower than 8-bit ones": [(None, "words", "worse")],
    "int8 is faster than 16-bit floats": [(None, "words", "better")],
    "lower ms = faster inference": [],
    "higher rate = better throughput": [],
    "we ask how increasing depth changes memory": [],
    "set the flag for speed up": [],
    "the cache adds latency vs a plain call": [(None, "words", "worse")],
    "the pool adds memory of its own": [],
    "both give the same convergence and accuracy": [(None, "parity", "equal")],
}


def values(found):
    return [(c["value"], c["of"]) for c in found["counts"]]


@pytest.mark.parametrize("text", COUNTED)
def test_a_number_counts(text):
    assert values(annotated(text)) == COUNTED[text]


@pytest.mark.parametrize("text", MEASURED)
def test_a_number_measures(text):
    assert [q["value"] for q in annotated(text)["quantities"]] == MEASURED[text]


@pytest.mark.parametrize("text", COMPARED)
def test_a_degree_is_bound(text):
    found = [(c["degree"], c["form"], c["sense"]) for c in annotated(text)["comparisons"]]
    assert found == COMPARED[text]
