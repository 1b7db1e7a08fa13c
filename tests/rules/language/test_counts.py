"""What numbers count: plurals of any kind, keys with asides, products, contrasts; and what counts nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated

COUNTED = {
    "the loader knows four layouts": [(4, "other")],
    "we prune 9 different CNNs on 3 kinds of boards": [(9, "models"), (3, "other")],
    "it crawls 40M urls in an afternoon": [(40_000_000, "other")],
    "three fine-tuned models": [(3, "models")],
    "12 state-of-the-art baselines": [(12, "other")],
    "two more hyper-parameters": [(2, "other")],
    "4 large, fast GPUs": [(4, "devices")],
    "2 trillion clean and varied tokens": [(2_000_000_000_000, "tokens")],
    "on 8 newer multi-GPU nodes": [(8, "nodes")],
    "on two 4-GPU servers": [(2, "nodes"), (4, "devices_per_node")],
    "6x power capped H200 cards": [(6, "devices")],
    "A100-80GB(x4)": [(4, "devices")],
    "1x Example Server 16xH100": [(1, "nodes"), (16, "devices")],
    "two 3090s": [(2, "devices")],
    "on 2x 2080ti": [(2, "devices")],
    "14 of 20 seeds converge": [(14, "seeds"), (20, "seeds")],
    "detects 12 objects (small set) instead of 60": [(12, "other"), (60, "other")],
    "16 experts, of which 2 are active": [(16, "other"), (2, "other")],
    "batch size 8, not 64.": [(8, "batch_size"), (64, "batch_size")],
    "any batch size > 4": [(4, "batch_size")],
    "the batch size for all of these is set to 512": [(512, "batch_size")],
    "the number of GPUs per node is fixed at 4": [(4, "devices_per_node")],
    "batch size = 4 x 16 = 64": [(64, "batch_size")],
    "TP=4 PP=2": [(4, "tensor_parallel"), (2, "pipeline_parallel")],
    "(lr 3e-4, steps 900)": [(900, "steps")],
    '{"batch_size": 16}': [(16, "batch_size")],
    "a 1500 maximum sequence length": [(1500, "sequence_length")],
    "a pass over two (2) layers": [(2, "layers")],
    "20 billion (20B) params": [(20_000_000_000, "parameters")],
    "models up to 30B run on a laptop": [(30_000_000_000, "parameters")],
    "trained three times with other seeds": [(3, "repetitions")],
    "9.600 Bilder": [(9600, "samples")],
    "fits 2M+ context windows": [(2_000_000, "sequence_length")],
    "runs 5 seeds per model": [(5, "seeds")],
    "up to 30 Colab participants": [(30, "other")],
    "grows from 52 M parameters": [(52_000_000, "parameters")],
    "a 900M UNet and a 70M text encoder": [(900_000_000, "parameters"), (70_000_000, "parameters")],
    "networks of 32 (red) and 96 (blue) neurons": [(32, "other"), (96, "other")],
    "a graph of 70M nodes": [(70_000_000, "other")],
    "40+ new recipes, 12+ PRs": [(40, "other"), (12, "other")],
    "the four quickest published solvers": [(4, "other")],
    "all six of the most useful presets": [(6, "other")],
    "the 17 Open Protein Folding datasets": [(17, "other")],
    "three XYZ-2b models": [(3, "models")],
    "three sets of weights": [(3, "other")],
    "two parameters: a path and a name": [(2, "other")],
    "windows of 2000 consecutive tokens": [(2000, "tokens")],
    "four Docker images": [(4, "other")],
    "20x Cortex-A55": [(20, "cores")],
    "FSDP 16, TP 4": [(16, "data_parallel"), (4, "tensor_parallel")],
    "the batch sizes tested are 1, 4 and 16": [(1, "batch_size"), (4, "batch_size"), (16, "batch_size")],
    "set the number of discarded reads to 70": [(70, "other")],
    "batch size is 8 (`batch_size`) * 4 (`accum_iter`) * 2 (nodes) = 64": [
        (8, "batch_size"),
        (4, "accumulation"),
        (2, "nodes"),
        (64, "batch_size"),
    ],
    "--lr 0.1 --cooldown_epochs 7 -b 64": [(7, "epochs"), (64, "batch_size")],
    "num_files_eval: 12": [(12, "other")],
    "`num_layers`: how deep the net is (default: 6)": [(6, "layers")],
    "20k steps as opposed to their 90k": [(20_000, "steps"), (90_000, "steps")],
}
NOT_COUNTED = [
    "PyTorch 2 improves results",
    "GPU 3 uses less",
    "Device 1 samples often",
    "Step 3 Each replica starts",
    "a random 2D matrix with columns",
    "batch size `--b 7` assumes your card",
    "one of the classes",
    "288 x 288 crops",
    "ViT-B/16 matches it",
    "several dozen samples",
    "num-gpu * 8",
    "PCI-E 4.0 and two",
    "the 1x models",
    "on top of ZERO Stage",
    "parameters: 3LDF",
    "it cost 900 H100-hours",
    "cropped from 4K resolution images",
    "in 2020 the models grew",
    "in 2020 new models appeared",
    "the Llama 2 models of last year",
    "Rank 5 step 3 took long",
    "FSDP 2 is out",
    "(Wiley, 2019b)",
    "at epoch 30 the loss fell",
    "GPUs 0-3 share a switch",
    "our 512x512 models",
    "num_threads = -1",
    "Python 3 runs the tests",
    "-gpu 0 -batch_size x",
    "--kmer-per-seq 90",
    "`lr`: the learning rate (default: 3)",
]


@pytest.mark.parametrize("text", COUNTED)
def test_a_number_counts(text):
    assert [(c["value"], c["of"]) for c in annotated(text)["counts"]] == COUNTED[text]


@pytest.mark.parametrize("text", NOT_COUNTED)
def test_a_number_counts_nothing(text):
    assert annotated(text)["counts"] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5 TFLOP/s/W", [(1.5e12, "FLOP/s", "watt")]),
        ("4,000 tokens/kWh", [(4.0, "tokens/Wh", None)]),
        ("30 images/W", [(30, "images/W", None)]),
        ("12'05''", [(725, "s", None)]),
        ("under three (3) seconds", [(3, "s", None)]),
        ("up to 4x GPU speedup", [(4, "x", None)]),
        ("100s of GB", []),
        ("read twice.", []),
        ("twice as much", [(2, "x", None)]),
        ("Fri Dec 23 13:31:47 2016", []),
        ("0$\\sim$1", []),
        ("the 1x schedule", []),
        ("all caches in 2 bits", []),
        ("twice the speed and half the memory", [(2, "x", None), (0.5, "x", None)]),
    ],
)
def test_quantities(text, expected):
    assert [(q["value"], q["unit"], q["per"]) for q in annotated(text)["quantities"]] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A100-FP16", ["A100", "FP16"]),
        ("Llama-3-8B-FP8", ["Llama-3-8B", "FP8"]),
        ("ViT-L/14", ["ViT-L/14"]),
        ("zero-shot", []),
        ("the L2 cache", []),
    ],
)
def test_names(text, expected):
    assert [text[slice(*n["span"])] for n in annotated(text)["names"]] == expected
