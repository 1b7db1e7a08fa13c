"""What a text asserts of speed, memory and quality, beside what it wishes, defines, or says of settings."""

import pytest
from dlaudit.rules.language.annotations import annotated

BETTER, WORSE, EQUAL = (None, "words", "better"), (None, "words", "worse"), (None, "parity", "equal")
COMPARED = {
    "its size is 40% of Foo's smallest build": [(40, "percent_of", "better")],
    "it cuts the memory to 35% of the baseline": [(35, "percent_of", "better")],
    "20% memory footprint reduced by it": [(20, "percent_less", "better")],
    "it reduces the copy overhead by 45%": [(45, "percent_less", "better")],
    "saving about 25% of memory": [(25, "percent_less", "better")],
    "we bring the search from 2 s to 8 ms": [([2, 0.008], "from_to", "better")],
    "Larger values reduce accuracy": [(None, "words", "worse")],
    "it takes more RAM but runs well": [(None, "words", "worse")],
    "Its memory use is smaller than that of Foo.": [(None, "words", "better")],
    "lower DRAM bandwidth than before": [(None, "words", "worse")],
    "a lower-latency path": [(None, "words", "better")],
    "the final accuracy matches.": [(None, "parity", "equal")],
    "it has similar FLOPs": [(None, "parity", "equal")],
    "comparable quality/accuracy.": [(None, "parity", "equal")],
    "Time saved: 3 h": [],
    "Latency grows linearly with the number of layers.": [],
    "no other engine is better on both metrics": [],
    "latency matters more than throughput": [],
    "a flag (similar to `time`) for fast kernels": [],
    "gains ranging from 4% to 9%, and from 2 GB to 6 GB": [],
    "we list the performance of all below.": [],
    # Wishes, aims, titles and rules assert nothing.
    "The goal is to reach better accuracy.": [],
    "If you need faster loading, turn it on.": [],
    "Shorter waits are preferable.": [],
    "A lower loss is desirable here.": [],
    "The more powerful the card, the shorter the wait.": [],
    "Saving memory with smaller tiles": [],
    "TinyNet: Accelerating graph search": [],
    "a toolbox for reducing latency": [],
    "Gains may vary with the driver.": [],
    "The kernel is slower rather than faster.": [WORSE],
    # Hardware and settings are no results.
    "Try it on faster GPUs.": [],
    "Put the shards on a faster disk.": [],
    "It fits on machines with less memory.": [],
    "All ran under the same memory limit.": [],
    "It has the same speed/quality balance.": [],
    "The learning rate falls by a factor of 10 every 30 epochs.": [(10, "ratio", "neutral")],
    "plays at 1x speed": [],
    "The smaller variant gives up accuracy.": [],
    # A conversion is no comparison.
    "This is equivalent to 12 MB.": [],
    "equivalent to about 3 million samples per second": [],
    # Words before a degree say the same as the degree.
    "It has superior throughput, reaching 2x more tokens/s.": [(2, "ratio", "better")],
    "It reduces peak memory for the backward pass of the large net from 30 GB to 12 GB.": [
        ([30, 12], "from_to", "better")
    ],
    "It outperforms other tools (e.g., FooRT) by 1.2 to 1.6x.": [([1.2, 1.6], "ratio", "better")],
    "It beats Foo with an absolute gain of 1.3% in mAP.": [(1.3, "points", "better")],
    "It is faster than Foo (3x compared to Bar).": [BETTER, (3, "ratio", "better")],
    "Memory falls from 20 GB to 8 GB at 25% more compute.": [
        ([20, 8], "from_to", "better"),
        (25, "percent_more", "worse"),
    ],
    "at the cost of more memory": [WORSE],
    # Parts of a whole, and results of a division.
    "It takes 1/5 of the complexity.": [(0.2, "ratio", "better")],
    "The size is 1/4 of the original.": [(0.25, "ratio", "better")],
    "The throughput is 1/4 of the original.": [(0.25, "ratio", "worse")],
    "It has half the parameters of Foo.": [(0.5, "ratio", "better")],
    "Speedup: 90 ms / 30 ms = 3x": [(3, "ratio", "better")],
    "Speedup w/o copies: 90 ms / 30 ms = 3x": [(3, "ratio", "better")],
    "speedup (old / new): 1.4x": [(1.4, "ratio", "better")],
    "Foo is 12,000 faster than Bar.": [(12000, "ratio", "better")],
    "gains ranging from 1 to 4 points": [([1, 4], "points", "better")],
    # Amounts, predicates and parity.
    "It decreases the total amount of GPU memory used.": [BETTER],
    "Its latency is inferior to that of Foo.": [WORSE],
    "Foo is superior to Bar in accuracy.": [BETTER],
    "It performs about the same as the old one.": [EQUAL],
    "The throughput is virtually identical since both are bound by memory.": [EQUAL],
    "no speedup on CPU": [EQUAL],
    "similar forward (inference) latency to Foo": [EQUAL],
    "g6 is slightly less performant but more price-performant.": [WORSE, BETTER],
}
COUNTED = {
    "a hidden layer of 300 nodes": [(300, "other")],
    "a graph of 5000 nodes": [(5000, "other")],
    "ratings by 6000 users": [(6000, "other")],
    "It serves 200 users.": [(200, "concurrency")],
    "around 40 concurrent decodes": [(40, "concurrency")],
    "128 sequences running at once": [(128, "concurrency")],
    "each host uses 2 GPUs": [(2, "devices_per_node")],
    "as long as every server runs more than 4 GPUs": [(4, "devices_per_node")],
    "two 8x GPU nodes": [(2, "nodes"), (8, "devices_per_node")],
    "12 timesteps": [(12, "steps")],
    "tp in (1, 2)": [(1, "tensor_parallel"), (2, "tensor_parallel")],
    "Batch Size 64 / Epochs 30 / Seed": [(64, "batch_size"), (30, "epochs")],
    "batch1 latency": [(1, "batch_size")],
    "batch-16 latency": [(16, "batch_size")],
    "4 key/value heads": [(4, "other")],
    "2 million tokens (1 million for each replica)": [(2e6, "tokens"), (1e6, "tokens")],
    "1.5 products per input": [(1.5, "other")],
    "the 3/4-bit kernels": [],
    "--total_training_time=24.0": [],
    "`nb_lists` is 10": [(10, "other")],
    "a block size of 4": [],
    "near 1e-4, 2 values": [(2, "other")],
}
MEASURED = {
    "3.2G MACs": [(3.2e9, "MAC")],
    "4.1B FLOPs": [(4.1e9, "FLOP")],
    "0.3G MAdds": [(0.3e9, "MAC")],
    "7 gigasamples/s": [(7e9, "samples/s")],
    "12 ms ± 2 ms": [(0.012, "s")],
    "58 (x0.43)": [(0.43, "x")],
    "256x256 pixels": [],
    "Seconds per epoch: 12": [(12, "s")],
    "85% evaluation accuracy": [(85, "%")],
    "Mean IoU over all classes = 0.71": [(0.71, None)],
    "The runtime is measured in hours.": [(None, "h")],
    "defined as `images/sec` here": [(None, "images/s")],
}


@pytest.mark.parametrize("text", COMPARED)
def test_compared(text):
    found = annotated(text, None)["comparisons"]
    assert [(c["degree"], c["form"], c["sense"]) for c in found] == COMPARED[text]


@pytest.mark.parametrize("text", COUNTED)
def test_counted(text):
    assert [(c["value"], c["of"]) for c in annotated(text, None)["counts"]] == COUNTED[text]


@pytest.mark.parametrize("text", MEASURED)
def test_measured(text):
    found = annotated(text, None)["quantities"]
    assert [(pytest.approx(q["value"]) if q["value"] else None, q["unit"]) for q in found] == MEASURED[text]


@pytest.mark.parametrize(("text", "metrics"), {"AP/AR": 2, "mIoU (MS)": 1, "Hits@10": 1, "Prec@1 (Err)": 1}.items())
def test_metrics_of_headers(text, metrics):
    found = annotated(text, "header")["quantities"]
    assert [q["dimension"] for q in found] == ["quality"] * metrics
