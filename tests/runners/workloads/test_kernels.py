"""Kernels: what they compute, and what they say of it."""

from itertools import pairwise

import pytest
import torch
from dlaudit.runners import workloads
from dlaudit.runners.study.orders import Named
from dlaudit.runners.workloads.interface import Request
from dlaudit.runners.workloads.split_gemm import product
from dlaudit.schemas.errors import UserError


def built(name, **parameters):
    workload = workloads.load(Named(name=name, parameters=parameters))
    return workload, workload.build(Request(options={}, seed=1, device="cpu", kind="throughput"))


def test_an_emulated_product_gains_about_seven_bits_a_slice():
    bits = [built("split-gemm", slices=slices)[1].operations["emulation"]["retained_bits"] for slices in (1, 2, 3)]
    assert bits[0] > 4
    assert all(4 < after - before < 9 for before, after in pairwise(bits))


def test_an_emulated_product_is_the_product():
    left, right = torch.randn(64, 40), torch.randn(40, 48)
    assert torch.allclose(product(left, right, 4), left @ right, rtol=1e-4, atol=1e-4)
    assert torch.equal(product(torch.zeros(32, 32), torch.zeros(32, 32), 3), torch.zeros(32, 32))


@pytest.mark.parametrize("parameters", [{"m": 33}, {"k": 1 << 20}, {"slices": 5}, {"slices": 0}, {"x": 1}])
def test_sizes_that_would_be_inexact_are_refused(parameters):
    with pytest.raises(UserError):
        built("split-gemm", **parameters)


def test_the_recurrent_layer_is_that_of_torch():
    workload, _ = built("rnn", length=4, batch=2, inputs=8, hidden=8)
    sequence, from_input, from_hidden, state = next(iter(workload.batches()))
    layer = torch.nn.LSTM(8, 8, bias=False)
    with torch.no_grad():
        layer.weight_ih_l0.copy_(from_input)
        layer.weight_hh_l0.copy_(from_hidden)
        expected = layer(sequence, (state, state))[0]
        assert torch.allclose(workload._kernel.run(sequence, from_input, from_hidden, state), expected, atol=1e-6)


def test_a_launch_has_no_parameters():
    with pytest.raises(UserError):
        built("launch", n=1)
    assert built("launch")[1].work_per_iteration == 1
