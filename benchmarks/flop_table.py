"""Operations counted by dlaudit beside counts by hand, and beside torch's own counter.

Every case runs a model or an operator once, forward and, where it says so, backward. The counts by hand are written
down here from sizes alone: 2 operations for each multiplied pair. `causal` is what a causal mask leaves.

    flop_table.py          prints the table
    flop_table.py --write  writes it into docs/operations.md, between the markers
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from dlaudit.runners.accounting.counter import OperationCounter, Tally
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

PAGE = Path(__file__).parent.parent / "docs" / "operations.md"
BEGIN, END = "<!-- table -->", "<!-- end of table -->"


@dataclass(frozen=True, slots=True)
class Case:
    """Something to count.

    Attributes:
        name: what it is.
        run: runs it once; called with gradients on.
        by_hand: operations per format, as executed.
        model: operations of the model where they differ from those executed.
    """

    name: str
    run: Callable[[], object]
    by_hand: dict[str, int]
    model: int | None = None


def leaf(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return a random tensor that asks for a gradient."""
    return torch.randn(*sizes, dtype=dtype, requires_grad=True)


def backward(output: Any) -> None:
    """Go backward from the sum of an output."""
    output.float().sum().backward()


def cases() -> list[Case]:
    """Return all cases."""
    return [*products(), *convolutions(), *attentions(), *recurrent(), *others(), *models()]


def products() -> list[Case]:
    """Return products of matrices and vectors."""
    a, b, v = torch.randn(48, 32), torch.randn(32, 24), torch.randn(32)
    batch, right = torch.randn(5, 8, 16), torch.randn(5, 16, 4)
    linear, data = nn.Linear(32, 24), leaf(8, 32)
    whole = 2 * 48 * 32 * 24

    def cast() -> None:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = linear(data)
        backward(out)

    half = [tensor.to(torch.float8_e4m3fn) for tensor in (torch.randn(32, 32), torch.randn(32, 32))]
    one, ones = torch.tensor(1.0), torch.ones(64, 64, dtype=torch.int8)
    return [
        Case("mm 48x32x24", lambda: a @ b, {"fp32": whole}),
        Case("mm fp64", lambda: a.double() @ b.double(), {"fp64": whole}),
        Case("mm fp16", lambda: a.half() @ b.half(), {"fp16": whole}),
        Case("bmm 5 of 8x16x4", lambda: torch.bmm(batch, right), {"fp32": 2 * 5 * 8 * 16 * 4}),
        Case("addbmm 5 of 8x16x4", lambda: torch.addbmm(torch.zeros(8, 4), batch, right), {"fp32": 2 * 5 * 8 * 16 * 4}),
        Case("mv 48x32", lambda: a.mv(v), {"fp32": 2 * 48 * 32}),
        Case("addmv 48x32", lambda: torch.addmv(torch.zeros(48), a, v), {"fp32": 2 * 48 * 32}),
        Case("dot 32", lambda: v.dot(v), {"fp32": 2 * 32}),
        Case("linear, bf16 autocast, backward", cast, {"bf16": 3 * 2 * 8 * 32 * 24}),
        Case(
            "bilinear 3 of 4x5 to 6", lambda: nn.Bilinear(4, 5, 6)(leaf(3, 4), leaf(3, 5)), {"fp32": 3 * 3 * 6 * 4 * 5}
        ),
        Case(
            "scaled mm e4m3 32x32x32",
            lambda: torch._scaled_mm(half[0], half[1].t(), scale_a=one, scale_b=one),
            {"e4m3": 2 * 32**3},
        ),
        Case("int8 mm 64x64x64", lambda: torch._int_mm(ones, ones), {"int8": 2 * 64**3}),
        Case(
            "bf16 x packed int8 weights 64x64x64",
            lambda: torch._weight_int8pack_mm(torch.randn(64, 64).bfloat16(), ones, torch.ones(64).bfloat16()),
            {"bf16": 2 * 64**3},
        ),
        Case(
            "sparse (COO, diagonal) x dense",
            lambda: torch.sparse.mm(torch.eye(32).to_sparse(), b),
            {"fp32": 2 * 32 * 24},
        ),
    ]


def convolutions() -> list[Case]:
    """Return convolutions, forward and backward."""

    def case(name: str, layer: nn.Module, sizes: tuple[int, ...], forward: int) -> Case:
        return Case(f"{name}, backward", lambda: backward(layer(leaf(*sizes))), {"fp32": 3 * forward})

    return [
        case("conv2d 3x3, 8 to 16", nn.Conv2d(8, 16, 3, padding=1), (2, 8, 10, 10), 2 * 2 * 100 * 16 * 8 * 9),
        case("conv2d 3x3, 4 groups", nn.Conv2d(8, 16, 3, groups=4), (2, 8, 10, 10), 2 * 2 * 64 * 16 * 2 * 9),
        case(
            "conv2d 3x3, depthwise 64", nn.Conv2d(64, 64, 3, padding=1, groups=64), (1, 64, 32, 32), 2 * 1024 * 64 * 9
        ),
        case("conv2d 3x3, stride 2", nn.Conv2d(8, 16, 3, stride=2), (2, 8, 11, 11), 2 * 2 * 25 * 16 * 8 * 9),
        case(
            "transposed conv2d 3x3, stride 2",
            nn.ConvTranspose2d(8, 4, 3, stride=2),
            (2, 8, 6, 6),
            2 * 2 * 36 * 8 * 4 * 9,
        ),
        case("conv1d 5", nn.Conv1d(4, 6, 5), (3, 4, 20), 2 * 3 * 16 * 6 * 4 * 5),
        case("conv3d 3x3x3", nn.Conv3d(2, 4, 3), (1, 2, 6, 6, 6), 2 * 64 * 4 * 2 * 27),
    ]


def attentions() -> list[Case]:
    """Return attention: 2 heads x 2 of 16 positions, width 8."""
    scores = 2 * 4 * 16 * 16 * 8
    left = 2 * 4 * (16 * 17 // 2) * 8

    def attend(causal: bool, back: bool) -> Callable[[], object]:
        def run() -> None:
            query, key, value = leaf(2, 2, 16, 8), leaf(2, 2, 16, 8), leaf(2, 2, 16, 8)
            out = functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
            if back:
                backward(out)

        return run

    return [
        Case("attention", attend(False, False), {"fp32": 2 * scores}),
        Case("attention, causal", attend(True, False), {"fp32": 2 * left}, 2 * scores),
        Case("attention, backward", attend(False, True), {"fp32": 7 * scores}, 6 * scores),
        Case("attention, causal, backward", attend(True, True), {"fp32": 7 * left}, 6 * scores),
    ]


def recurrent() -> list[Case]:
    """Return recurrent layers: 5 steps of 3 sequences, width 8 to 16."""
    steps = 2 * 5 * 3
    return [
        Case("LSTM", lambda: nn.LSTM(8, 16)(torch.randn(5, 3, 8)), {"fp32": steps * 4 * 16 * (8 + 16)}),
        Case(
            "LSTM, 2 layers, backward",
            lambda: backward(nn.LSTM(8, 16, 2)(leaf(5, 3, 8))[0]),
            {"fp32": 3 * steps * 4 * 16 * (8 + 16 + 16 + 16)},
        ),
        Case("GRU", lambda: nn.GRU(8, 16)(torch.randn(5, 3, 8)), {"fp32": steps * 3 * 16 * (8 + 16)}),
    ]


def others() -> list[Case]:
    """Return embedding bags, transforms, factorisations and quantised layers."""
    matrix = torch.randn(12, 12)
    definite = matrix @ matrix.T + 12 * torch.eye(12)
    bag = nn.EmbeddingBag(50, 8)
    places = torch.randint(0, 50, (6, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        quantised = torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(16, 8)), {nn.Linear}, torch.qint8)
    return [
        Case("embedding bag, backward", lambda: backward(bag(places)), {"fp32": 2 * 24 * 8}),
        Case(
            "FFT 64, complex",
            lambda: torch.fft.fft(torch.randn(4, 64, dtype=torch.complex64)),
            {"fp32": 4 * 5 * 64 * 6},
        ),
        Case("FFT 64, real", lambda: torch.fft.rfft(torch.randn(4, 64)), {"fp32": 4 * 5 * 64 * 6 // 2}),
        Case("Cholesky 12", lambda: torch.linalg.cholesky(definite), {"fp32": 12**3 // 3}),
        Case("solve 12, 2 right sides", lambda: torch.linalg.solve(matrix, torch.ones(12, 2)), {"fp32": 1152 + 576}),
        Case("inverse 12", lambda: torch.linalg.inv(matrix), {"fp32": 2 * 12**3}),
        Case("dynamic int8 linear", lambda: quantised(torch.randn(4, 16)), {"int8": 2 * 4 * 16 * 8}),
    ]


def models() -> list[Case]:
    """Return small models, one training step each."""
    wide, depth, tokens = 32, 2, 4 * 16
    layer = 3 * 2 * tokens * 12 * wide * wide
    attention = 7 * 2 * 4 * 16 * 16 * wide
    block = nn.TransformerEncoderLayer(wide, 4, 4 * wide, dropout=0.0, batch_first=True)
    encoder = nn.TransformerEncoder(block, depth, enable_nested_tensor=False)
    perceptron = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10))
    dense = 2 * 8 * (16 * 64 + 64 * 10)
    next_block = nn.Sequential(
        nn.Conv2d(16, 16, 7, padding=3, groups=16), nn.Conv2d(16, 64, 1), nn.GELU(), nn.Conv2d(64, 16, 1)
    )
    mixed = 2 * 144 * (16 * 49 + 2 * 16 * 64)
    plain = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 10))
    compiled = cache(lambda: torch.compile(plain))  # loads the compiler, which only this case needs
    return [
        Case("perceptron 16-64-10", lambda: backward(perceptron(leaf(8, 16))), {"fp32": 3 * dense}),
        Case("the same, compiled", lambda: backward(compiled()(leaf(8, 16))), {"fp32": 3 * dense}),
        Case(
            "the same, checkpointed",
            lambda: backward(checkpoint(perceptron, leaf(8, 16), use_reentrant=True)),
            {"fp32": 4 * dense},
            3 * dense,
        ),
        Case(
            "transformer encoder, 2 layers, width 32",
            lambda: backward(encoder(leaf(4, 16, wide))),
            {"fp32": depth * (layer + attention)},
            depth * (layer + attention // 7 * 6),
        ),
        Case("inverted block, depthwise 7x7", lambda: backward(next_block(leaf(1, 16, 12, 12))), {"fp32": 3 * mixed}),
    ]


def count(case: Case) -> Tally:
    """Count a case once."""
    counter = OperationCounter()
    with counter.counting() as tally:
        case.run()
    return tally


def torch_count(case: Case) -> int | None:
    """Return what torch's own counter says, or None where it fails."""
    try:
        with FlopCounterMode(display=False) as mode:
            case.run()
    except Exception:
        return None
    return int(mode.get_total_flops())


def table() -> str:
    """Return the table, one row a case."""
    lines = ["| case | format | by hand | dlaudit | error | model | torch's counter |", "|---|---|---|---|---|---|---|"]
    for case in cases():
        torch.manual_seed(0)
        case.run()  # compiled ones compile
        tally, other = count(case), torch_count(case)
        found = tally.by_format()
        for name in sorted({*case.by_hand, *found}):
            hand, ours = case.by_hand.get(name, 0), found.get(name, 0)
            model = "" if tally.model_operations == ours else f"{tally.model_operations}"
            expected = case.model if case.model is not None else sum(case.by_hand.values())
            mark = "" if tally.model_operations == expected else f" (by hand {expected})"
            error = "0" if hand == ours else f"{(ours - hand) / hand:+.2%}" if hand else "not by hand"
            theirs = "fails" if other is None else str(other)
            lines.append(f"| {case.name} | {name} | {hand} | {ours} | {error} | {model}{mark} | {theirs} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, and write it where asked."""
    text = table()
    print(text, end="")
    if "--write" in sys.argv:
        page = PAGE.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
