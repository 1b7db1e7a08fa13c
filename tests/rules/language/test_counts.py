"""What numbers count: plurals of any kind, keys with asides, products, contrasts; and what counts nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated

COUNTED = {
    "chunks of sequences longer than 4096": [(4096, "sequence_length")],
    "with small batches the noise falls: small batch (32), large batch (2048)": [
        (32, "batch_size"),
        (2048, "batch_size"),
    ],
    "`n_gpu=2`, data_replicas=3": [(2, "devices"), (3, "data_parallel")],
    "the micro batch size stays 16": [(16, "batch_size")],
    "a thread block size of 256": [],
    "--pp 512,2048": [],
    "Foo-7B (2T)": [],
    "five 4xV100 32GB nodes": [(5, "nodes"), (4, "devices_per_node")],
    "it scales from 2x to 16x GPUs": [(2, "devices"), (16, "devices")],
    "after 12 passes over the corpus": [(12, "epochs")],
    "it loads 40 sparse KV-shards": [(40, "other")],
    "first in 9 out of 12 protein structure retrieval tasks": [(9, "tasks"), (12, "tasks")],
    "the whole net has 4210 parameters": [(4210, "parameters")],
    "any C++20 server": [],
    "a 700-token prompt and a 4096 token context window": [(700, "tokens"), (4096, "sequence_length")],
    "it keeps only 4 checkpoints": [(4, "other")],
    "with only one stack of blocks": [(1, "other")],
    "cuDNN version: 2 GPU: A100": [],
    "90ep": [(90, "epochs")],
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
    "a rig of 4×3090": [(4, "devices")],
    "on 2x 2080ti": [(2, "devices")],
    "14 of 20 seeds converge": [(14, "seeds"), (20, "seeds")],
    "detects 12 objects (small set) instead of 60": [(12, "other"), (60, "other")],
    "16 experts, of which 2 are active": [(16, "other"), (2, "other")],
    "batch size 8, not 64.": [(8, "batch_size"), (64, "batch_size")],
    "any batch size > 4": [(4, "batch_size")],
    "the batch size for all of these is set to 512": [(512, "batch_size")],
    "the number of GPUs per node is fixed at 4": [(4, "devices_per_node")],
    "batch size = 4 x 16 = 64": [(64, "batch_size")],
    "a bs of 48 fits": [(48, "batch_size")],
    "batch size 24 (rather than 96 before)": [(24, "batch_size"), (96, "batch_size")],
    "started on a 2x4 node": [(2, "nodes"), (4, "devices_per_node")],
    "`--k`: number of held-out samples, 96 as default.": [(96, "samples")],
    "context windows of up to 64k": [(65_536, "sequence_length")],
    "rank alpha 64, and 3-step sampling": [(3, "steps")],
    "13 FPS on NCS2 x2": [(2, "devices")],
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
    "a host with two Intel E5 processors": [(2, "devices")],
    "Ryzen 9 5900X 12-Core Processor": [(12, "cores")],
    "a 4 node run": [(4, "nodes")],
    "fits a 2 GPU server": [(2, "devices")],
    "on 50 2 GPU servers": [(50, "nodes"), (2, "devices_per_node")],
    "on 32 8xH100 nodes": [(32, "nodes"), (8, "devices_per_node")],
    "two nodes with 4 GPUs per node (8 GPUs in total)": [(2, "nodes"), (4, "devices_per_node"), (8, "devices")],
    "three text-to-image models": [(3, "models")],
    "five image classification models": [(5, "models")],
    "needs 2 or more V100s": [(2, "devices")],
    "each computes 96 / 48 = 2 tiles": [(2, "other")],
    'it contains 3 "real" tiles': [(3, "other")],
    "TP with a degree of 4": [(4, "tensor_parallel")],
    "batch size values of 2, 6 and 10": [(2, "batch_size"), (6, "batch_size"), (10, "batch_size")],
    "batch_size [1, 2, 6]": [(1, "batch_size"), (2, "batch_size"), (6, "batch_size")],
    "the bucket size is 512 tokens": [(512, "tokens")],
    "Data Parallelism (4 GPUs, one host)": [(4, "devices"), (1, "nodes")],
    "batch sizes ranging from 16 to 512": [(16, "batch_size"), (512, "batch_size")],
    "sets max iterations to 900": [(900, "steps")],
    "sizes: 200M, 1.5B and 3B parameters": [
        (200_000_000, "parameters"),
        (1_500_000_000, "parameters"),
        (3_000_000_000, "parameters"),
    ],
    "acc_grad 4, 90 epochs": [(4, "accumulation"), (90, "epochs")],
    "foo_bar 4, 90 epochs": [(90, "epochs")],
    "the old encoder (600M)": [(600_000_000, "parameters")],
    "with 3 images per GPU": [(3, "samples")],
    "for one operation of one model": [(1, "other"), (1, "models")],
    "a (N=12) sample": [(12, "samples")],
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
    "sizes (N=4096, K=512)",
    "1x1 and 3x3 filters",
    "a ResNet 18, 34 and 50 model",
    "a stride 2 max-pool layer",
    "the file `2b_songs` and `5x_speed.txt`",
    "2 * gpus_factor",
    "run train_bs8.sh",
    "to train T0 3B,",
    "num_bytes: 5000",
    "cost 1.5 * 0.09-0.4 (chips)",
    "tested on HD Graphics 4000 inside a laptop",
    "a one-time cost",
    "with a third of the tokens, or 1/5 of the tokens",
    "the block size is 64x32.",
    "runs on RTX 50 cards",
    "HPDC 2021 results",
    "04 Results",
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`--batch_size==16` with `--grad_accumulation_steps==1`", [(16, "batch_size"), (1, "accumulation")]),
        ("It is faster for a single request.", [(1, "requests")]),
        ("this is a single step", []),
    ],
)
def test_a_setting_behind_two_signs_and_a_single_request_are_counts(text, expected):
    assert [(count["value"], count["of"]) for count in annotated(text)["counts"]] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The axis ends at 10M points.", []),
        ("generated 25757.01 points", []),
        ("a gain of 2.3 points", [(2.3, "percentage_points")]),
        ("the 2d config", []),
        ("k=0.001d", []),
        ("trained for 3d on 8 GPUs", [(3, "d")]),
        ("a 30 ms absolute difference reads as 21.8%", [(0.03, "s"), (21.8, "%")]),
        ("an absolute gain of 2 %", [(2, "percentage_points")]),
    ],
)
def test_points_of_a_cloud_and_dimensions_are_no_quantities(text, expected):
    assert [(found["value"], found["unit"]) for found in annotated(text)["quantities"]] == expected
