"""Operation accounting: counts against hand counts, phases, formats, coverage, and what compiled models do."""

import importlib.util
import sys
from pathlib import Path

import pytest
import torch
from dlaudit.runners import workloads
from dlaudit.runners.accounting.account import account
from dlaudit.runners.accounting.ceilings import Ceilings, entropy_bits
from dlaudit.runners.accounting.counter import OperationCounter
from dlaudit.runners.accounting.formulas import REGISTRY
from dlaudit.runners.accounting.roofline import roofline
from dlaudit.runners.study.orders import Named
from dlaudit.runners.workloads.interface import Request
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
SPEC = importlib.util.spec_from_file_location("flop_table", BENCHMARKS / "flop_table.py")
flop_table = importlib.util.module_from_spec(SPEC)
sys.modules["flop_table"] = flop_table
SPEC.loader.exec_module(flop_table)
CASES = [case for case in flop_table.cases() if "compiled" not in case.name]


def counted(run):
    counter = OperationCounter()
    with counter.counting() as tally:
        run()
    return tally


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counts_are_those_by_hand(case):
    tally = flop_table.count(case)
    assert tally.by_format() == case.by_hand
    assert tally.model_operations == (case.model if case.model is not None else sum(case.by_hand.values()))
    assert not tally.failed


def test_every_formula_names_an_operator_of_torch():
    known = {schema.name.replace("::", ".") for schema in torch._C._jit_get_all_schemas()}
    elsewhere = ("mkl.", "quantized.", "aten.miopen_rnn", "aten._scaled_dot_product_fused_attention")
    assert [name for name in REGISTRY if name not in known and not name.startswith(elsewhere)] == []


@settings(max_examples=30, deadline=None)
@given(*[st.integers(1, 6)] * 3, st.integers(1, 3))
def test_a_convolution_costs_what_its_unfolded_product_costs(channels, kernel, groups, batch):
    layer = nn.Conv2d(groups * channels, groups * 2, kernel, groups=groups, bias=False)
    data = torch.randn(batch, groups * channels, 7, 7)
    out = layer(data)
    product = 2 * out.numel() * channels * kernel * kernel
    assert counted(lambda: layer(data)).hardware_operations == product


def test_a_checkpointed_part_is_recomputation_and_no_model_operation():
    tally = flop_table.count(next(case for case in CASES if "checkpointed" in case.name))
    phases = tally.by_phase()
    assert phases["recomputation"] == phases["forward"]
    assert tally.model_operations == tally.hardware_operations - phases["recomputation"]


def test_an_optimizer_step_is_told_apart():
    layer = nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(layer.parameters())

    def step():
        layer(torch.randn(2, 4)).sum().backward()
        optimizer.step()

    step()
    assert counted(step).pointwise["optimizer", "fp32"] > 0


def test_an_operator_without_a_formula_is_named():
    tally = counted(lambda: torch.linalg.svd(torch.randn(8, 8)))
    assert "aten._linalg_svd" in tally.unattributed_bytes
    assert tally.coverage_by_bytes < 0.9


def prepared(name, options, parameters=None):
    workload = workloads.load(Named(name=name, parameters=parameters or {}))
    built = workload.build(Request(options=options, seed=1, device="cpu", kind="throughput"))
    batches = iter(workload.batches())

    def step():
        return workload.step(next(batches))

    step()
    return built, account(step, "cpu", built.model, built.optimizer)


@pytest.mark.slow
@pytest.mark.parametrize(("precision", "name"), [("fp32", "fp32"), ("bf16", "bf16")])
def test_a_transformer_computes_its_products_in_the_requested_format(precision, name):
    built, found = prepared("text-transformer", {"precision": {"compute": precision}})
    operations = found.operations(built.work_per_iteration)
    assert operations["counters"] == operations["fractions"] == {name: 1.0}
    assert found.traced_products == found.counted_products
    width, layers, vocabulary, length = (found_size(built, key) for key in ("width", "layers", "vocabulary", "length"))
    tokens = built.work_per_iteration
    products = 3 * 2 * tokens * (layers * 12 * width**2 + width * vocabulary)
    attention = 6 * 2 * tokens * length * width * layers
    assert found.model_operations == products + attention
    forward = 4 * tokens * length * width * layers
    causal = 7 * forward * (length + 1) // (4 * length)  # two products forward, five backward, of the pairs in sight
    assert found.by_format == {name: products + causal}


def found_size(built, key):
    model = built.model
    sizes = {
        "width": lambda: next(part for part in model.modules() if isinstance(part, nn.LayerNorm)).normalized_shape[0],
        "vocabulary": lambda: [part for part in model.modules() if isinstance(part, nn.Linear)][-1].out_features,
        "layers": lambda: sum(isinstance(part, nn.LayerNorm) for part in model.modules()) // 2,
        "length": lambda: built.effective["input_length"],
    }
    return sizes[key]()


def test_what_is_unknown_is_not_stated():
    layer = nn.Linear(4, 4)

    def step():
        torch.linalg.svd(torch.randn(200, 200))
        return layer(torch.randn(2, 4)).sum().backward()

    step()
    found = account(step, "cpu", layer, None)
    assert not found.covered
    assert "counters" not in found.operations(2)
    assert "aten::_linalg_svd" in found.unattributed


@pytest.mark.slow
def test_a_compiled_model_stays_compiled():
    layer = torch.compile(nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10)))
    data = torch.randn(8, 16)
    layer(data)
    torch._dynamo.utils.counters.clear()
    tally = counted(lambda: layer(data))
    assert tally.hardware_operations == 2 * 8 * (16 * 64 + 64 * 10)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 0
    with torch.profiler.profile() as profiler:
        layer(data)
    assert any("CompiledFxGraph" in event.key for event in profiler.key_averages())


def test_a_step_is_held_against_measured_ceilings():
    _, found = prepared("gemm", {}, {"m": 768, "n": 768, "k": 768})
    assert found.ceilings.product_flops["fp32"] > 1e8
    assert found.roofline.regime in {"compute", "memory", "overhead", "unknown"}  # unknown beside a neighbour
    assert found.roofline.intensity["contractions"] == pytest.approx(2 * 768**3 / (3 * 4 * 768**2), rel=1e-5)
    assert 7 < found.ceilings.operand_entropy_bits < 8


@pytest.mark.parametrize(
    ("operations", "moved", "step_s", "regime"),
    [
        ({"fp32": 90}, 1, 1.0, "compute"),
        ({"fp32": 1}, 90, 1.0, "memory"),
        ({"fp32": 1}, 1, 1.0, "overhead"),
        ({"e4m3": 90}, 1, 1.0, "unknown"),
        ({"e4m3": 90}, 90, 1.0, "memory"),
    ],
)
def test_the_larger_share_names_the_regime(operations, moved, step_s, regime):
    limits = Ceilings(
        product_flops={"fp32": 100.0}, size=1, copy_bytes_per_s=100.0, spread={}, operand_entropy_bits=8.0
    )
    assert roofline(operations, {"contractions": moved}, 0, step_s, limits).regime == regime


def test_zeros_have_no_entropy():
    assert entropy_bits(torch.zeros(100)) == 0
    assert entropy_bits(torch.arange(256, dtype=torch.uint8)) == 8


@pytest.mark.parametrize(("spread", "regime"), [(0.0, "compute"), (0.05, "compute"), (0.5, "unknown")])
def test_a_regime_that_another_round_of_the_ceilings_would_turn_is_unknown(spread, regime):
    """The step needs 45 % at the best copy and 50 % at the best product: copies half as fast need 90 %."""
    apart = {"fp32": 0.0, "copy": spread}
    flops = {"fp32": 100.0}
    limits = Ceilings(product_flops=flops, size=1, copy_bytes_per_s=100.0, spread=apart, operand_entropy_bits=8.0)
    found = roofline({"fp32": 50}, {"contractions": 45}, 0, 1.0, limits)
    assert found.regime == regime
