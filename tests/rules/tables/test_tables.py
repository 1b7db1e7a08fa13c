"""Reference tables: valid, consistent in themselves, with a source for each value, and read by exact names."""

import json
from pathlib import Path

import pytest
from dlaudit.rules import tables
from dlaudit.rules.facts.device.specification import peak_of
from dlaudit.rules.tables.accelerators import accelerators
from dlaudit.rules.tables.datasets import datasets
from dlaudit.rules.tables.names import tokens
from dlaudit.rules.tables.suites import round_of, suites
from dlaudit.schemas.validation import validate

FOLDER = Path(tables.__file__).parent
KINDS = (
    "accelerators",
    "datasets",
    "suites",
    "mlperf-common",
    "mlperf-training",
    "mlperf-inference",
    "mlperf-messaging",
)
FILES = {kind: json.loads((FOLDER / f"{kind}.json").read_text(encoding="utf-8")) for kind in KINDS}
DEVICES = accelerators().devices


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_is_what_its_schema_says(kind):
    assert validate(kind, FILES[kind]) == ()


@pytest.mark.parametrize(("kind", "entries"), [("accelerators", "devices"), ("datasets", "datasets")])
def test_every_value_has_a_source(kind, entries):
    document, unsourced = FILES[kind], []
    plain = {"vendor", "segment", "names", "qualifiers", "successor", "sold_together", "bound_reliable", "note"}
    plain |= {"title", "modality", "sources"}
    for key, entry in document[entries].items():
        cited = {field for fields in entry["sources"].values() for field in fields}
        assert set(entry["sources"]) <= set(document["sources"]), key
        for field, value in entry.items():
            cells = [f"{field}.{cell}" for cell in value] if field in {"dense_tflops", "sparse_tflops"} else [field]
            unsourced += [f"{key} {cell}" for cell in cells if field not in plain and cell not in cited]
    assert unsourced == []


def test_every_source_is_cited():
    for kind, entries in (("accelerators", "devices"), ("datasets", "datasets")):
        cited = {source for entry in FILES[kind][entries].values() for source in entry["sources"]}
        assert cited == set(FILES[kind]["sources"]), kind
    cited = {entry["source"] for suite in FILES["suites"]["suites"].values() for entry in suite["rounds"].values()}
    assert cited == set(FILES["suites"]["sources"])


@pytest.mark.parametrize("key", [key for key, device in DEVICES.items() if device.bound_reliable])
def test_a_reliable_bound_follows_from_units_and_clock(key):
    device = DEVICES[key]
    for name, per_clock in device.flop_per_clock.items():
        derived = device.units * per_clock * device.boost_clock_mhz / 1e6
        published = device.dense_tflops.get(name)
        # A data sheet may state a peak at a lower clock than the highest, never at a higher one.
        assert published is None or 0.86 * derived <= published <= 1.02 * derived, (name, derived)


MATRIX_CLOCK_STATED = [key for key, device in DEVICES.items() if device.matrix_clock_mhz is not None]


@pytest.mark.parametrize("key", MATRIX_CLOCK_STATED)
def test_a_stated_matrix_clock_gives_the_published_peak(key):
    device = DEVICES[key]
    for name in ("tf32", "fp16", "bf16", "fp8", "int8"):
        derived = device.units * device.flop_per_clock[name] * device.matrix_clock_mhz / 1e6
        assert derived == pytest.approx(device.dense_tflops[name], rel=0.005)


def test_a_sparse_peak_is_twice_the_dense_one():
    for key, device in DEVICES.items():
        for name, sparse in device.sparse_tflops.items():
            # One maker's sparsity keeps 4 of 16 values.
            if name in device.dense_tflops and key != "aws-trainium2":
                assert sparse == pytest.approx(2 * device.dense_tflops[name], rel=0.03), (key, name)


def test_wider_formats_are_never_faster():
    order = (("fp64", "fp32"), ("fp32", "fp16"), ("tf32", "fp16"), ("tf32", "bf16"), ("bf16", "fp8"), ("fp16", "int8"))
    for key, device in DEVICES.items():
        for wide, narrow in order:
            if wide in device.dense_tflops and narrow in device.dense_tflops:
                assert device.dense_tflops[wide] <= 1.01 * device.dense_tflops[narrow], (key, wide, narrow)


def test_releases_and_generations_are_in_order():
    for key, device in DEVICES.items():
        if device.release_earliest and device.release_latest:
            assert device.release_earliest <= device.release_latest, key
        if device.successor is not None:
            newer = DEVICES[device.successor]
            assert (newer.vendor, newer.segment) == (device.vendor, device.segment), key
            assert newer.release_latest is None or device.release_earliest < newer.release_latest, key


def test_names_are_written_in_tokens():
    for key, device in DEVICES.items():
        for name in device.names:
            assert tokens(name) == frozenset(name.split()), (key, name)
            assert key in accelerators().named(name)
        for qualifier in device.qualifiers:
            assert tokens(qualifier) == {qualifier}, (key, qualifier)


@pytest.mark.parametrize(
    ("printed", "ids"),
    [
        ("NVIDIA A100-SXM4-80GB", ["nvidia-a100-sxm4-80gb"]),
        ("8x A100-SXM4-40GB", ["nvidia-a100-sxm4-40gb"]),
        ("A100 80 GB", ["nvidia-a100-pcie-80gb", "nvidia-a100-sxm4-80gb"]),
        ("Tesla V100-SXM2-16GB", ["nvidia-v100-sxm2-16gb"]),
        ("NVIDIA V100-SXM2-16GB (300W)", ["nvidia-v100-sxm2-16gb"]),
        ("NVIDIA H100 80GB HBM3", ["nvidia-h100-sxm5-80gb"]),
        ("NVIDIA H100 NVL", ["nvidia-h100-nvl-94gb"]),
        ("H100", ["nvidia-h100-nvl-94gb", "nvidia-h100-pcie-80gb", "nvidia-h100-sxm5-80gb"]),
        ("AMD Instinct MI300X-NPS1-SPX-192GB-750W", ["amd-mi300x"]),
        ("Intel(R) Gaudi(R) 2 AI Accelerator", ["intel-gaudi2"]),
        ("NVIDIA GeForce RTX 4090", ["nvidia-rtx-4090"]),
        ("Google Cloud TPU v4", ["google-tpu-v4"]),
        ("A10", ["nvidia-a10"]),
        ("L40", ["nvidia-l40"]),
        ("A1000", []),
        ("A100X", []),
        ("an A100 killer", []),
        ("TPU v3-8", []),
        ("A100 24GB", []),
        ("", []),
        (" ".join(f"t{i}" for i in range(500)) + " a100", []),
    ],
)
def test_a_printed_name_means_exactly_the_devices_whose_tokens_it_holds(printed, ids):
    assert list(accelerators().named(printed)) == ids


def test_a_bound_is_never_below_a_published_peak():
    for device in DEVICES.values():
        for name in device.dense_tflops:
            peak = peak_of(device, name)
            assert peak.bound >= peak.data_sheet > 0


def test_a_metric_that_counts_names_what_it_counts():
    for key, entry in datasets().datasets.items():
        if any(entry.metrics.values()) and key not in {"sklearn-digits"}:
            assert entry.evaluated in {entry.validation, entry.test, entry.evaluated}, key
            assert entry.evaluated, key


def test_names_of_data_sets_mean_one_each():
    owners = {}
    for key, entry in datasets().datasets.items():
        for name in entry.names:
            assert owners.setdefault(datasets().named(name), key) == key


def test_rounds_name_their_members():
    for suite in suites().values():
        for name, entry in suite.rounds.items():
            assert len(set(entry.members)) == len(entry.members), (suite.title, name)
            assert set(entry.minimum_runs) <= set(entry.members), (suite.title, name)
    assert round_of("MLPerf Training", "5.1") == round_of("mlperf training", "v5.1")
    assert round_of("MLPerf Training", "v99") is None
    assert round_of("nothing", "v1") is None
