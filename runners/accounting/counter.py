"""Counts the operations of a step below autocast and autograd, by format and phase, without changing what runs.

The counter is a dispatch mode: it sees the operators with the very tensors that the kernels get. Compiled code is left
compiled (an ordinary mode would run it eagerly and leave it so): of it only the kernels that are called from outside
the generated code are seen, and the coverage says how much that is.

Phases. Inside a backward pass gradients are made with gradient recording off; where it is on, a checkpointed forward
part is being repeated. The optimizer's step is told by its own hooks; the rest is the forward pass.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
from torch.utils._python_dispatch import TorchDispatchMode

from ..workloads.precision import format_name
from .call import Call, Work, bind
from .formulas import REGISTRY
from .operators import MOVEMENTS, REDUCTIONS

Phase = Literal["forward", "backward", "recomputation", "optimizer"]
BACKWARD, RECOMPUTATION = "backward", "recomputation"
PACKED = {"int8": "int8", "qint8": "int8", "quint8": "int8"}


@dataclass(slots=True)
class Tally:
    """What was counted.

    Attributes:
        contractions: operations of products, convolutions, attention and the like, by (phase, operator, format).
        customary: the same as customarily counted, by (phase, format).
        recomputed: operations inside fused kernels that repeat earlier ones, by format.
        pointwise: elements that element-wise operators and reductions wrote or read, by (phase, format): at least one
            operation each.
        moved_bytes: bytes read and written by kind: contractions (operators with a formula), pointwise (counted by
            element), movements (known to do no arithmetic).
        unattributed_bytes: the same of all other operators, by operator.
        failed: operators whose formula could not be applied, with the reason.
    """

    contractions: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    customary: Counter[tuple[str, str]] = field(default_factory=Counter)
    recomputed: Counter[str] = field(default_factory=Counter)
    pointwise: Counter[tuple[str, str]] = field(default_factory=Counter)
    moved_bytes: Counter[str] = field(default_factory=Counter)
    unattributed_bytes: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)

    def by_format(self) -> dict[str, int]:
        """Return executed contraction operations per format."""
        found: dict[str, int] = defaultdict(int)
        for (_, _, name), operations in self.contractions.items():
            found[name] += operations
        return dict(found)

    def by_phase(self) -> dict[str, int]:
        """Return executed contraction operations per phase; what fused kernels repeat counts as recomputation."""
        found: dict[str, int] = defaultdict(int)
        for (phase, _, _), operations in self.contractions.items():
            found[phase] += operations
        again = sum(self.recomputed.values())
        if again:
            found[BACKWARD] -= again
            found[RECOMPUTATION] += again
        return dict(found)

    @property
    def hardware_operations(self) -> int:
        """Contraction operations as executed, recomputation included."""
        return sum(self.contractions.values())

    @property
    def model_operations(self) -> int:
        """Contraction operations of the model: without recomputation, causal attention as customarily counted."""
        return sum(operations for (phase, _), operations in self.customary.items() if phase != RECOMPUTATION)

    @property
    def coverage_by_bytes(self) -> float:
        """Share of the bytes that operators with a count read and wrote; 1 where nothing moved."""
        attributed = sum(self.moved_bytes.values())
        every = attributed + sum(self.unattributed_bytes.values())
        return attributed / every if every else 1.0


class OperationCounter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A context in which every operator is counted into `tally`.

    Args:
        fp32_means: format that products and convolutions of fp32 tensors are really carried out in, by probe: `fp32`,
            `tf32` or `bf16`.
    """

    def __init__(self, fp32_means: Mapping[str, str] | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.tally = Tally()
        self._fp32 = dict(fp32_means or {})
        self._in_optimizer = False

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """Leave compiled code compiled."""
        return True

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operator, then count it."""
        out = func(*args, **(kwargs or {}))
        try:
            self._count(bind(func, args, kwargs or {}, out), func)
        except (KeyError, IndexError, AttributeError, RuntimeError, ValueError, TypeError) as error:
            self.tally.failed[func._schema.name] = f"{type(error).__name__}: {error}"[:200]
        return out

    def _count(self, call: Call, func: Any) -> None:
        tally, phase = self.tally, self._phase()
        formula = REGISTRY.get(call.name)
        if formula is not None:
            work = formula(call)
            name = self._format(call, work)
            tally.contractions[phase, call.name, name] += work.executed
            tally.customary[phase, name] += work.customary
            if work.recomputed:
                tally.recomputed[name] += work.recomputed
            tally.moved_bytes["contractions"] += _bytes(call)
        elif elements := _elements(call, func):
            for name, count in elements.items():
                tally.pointwise[phase, name] += count
            tally.moved_bytes["pointwise"] += _bytes(call)
        elif call.name.rpartition(".")[2] in MOVEMENTS:
            tally.moved_bytes["movements"] += _bytes(call)
        elif not _is_view(call, func):
            tally.unattributed_bytes[call.name] += _bytes(call)

    def _phase(self) -> Phase:
        if self._in_optimizer:
            return "optimizer"
        if torch._C._current_graph_task_id() == -1:
            return "forward"
        return "recomputation" if torch.is_grad_enabled() else "backward"

    def _format(self, call: Call, work: Work) -> str:
        names = {format_name(tensor.dtype) for tensor in work.operands}
        floating = sorted(name for name in names if not name.startswith(("int", "uint", "bool", "q")))
        name = floating[0] if floating else PACKED.get(next(iter(sorted(names))), next(iter(sorted(names))))
        if name == "fp32":
            kind = "convolution" if "conv" in call.name else "product"
            return self._fp32.get(kind, name)
        return name

    @contextmanager
    def counting(self) -> Iterator[Tally]:
        """Count everything inside the block; the optimizer's step is told apart by its hooks."""

        def begin(*_: Any) -> None:
            self._in_optimizer = True

        def end(*_: Any) -> None:
            self._in_optimizer = False

        hooks = [register_optimizer_step_pre_hook(begin), register_optimizer_step_post_hook(end)]
        try:
            with self:
                yield self.tally
        finally:
            for hook in hooks:
                hook.remove()


def _elements(call: Call, func: Any) -> Counter[str]:
    """Return the elements that an element-wise operator wrote, or a reduction read, by format; empty for others."""
    name = call.name.rpartition(".")[2]
    found: Counter[str] = Counter()
    if name.startswith(("_foreach_", "_fused_")):
        for tensor in _first_list(call) if name not in MOVEMENTS else []:
            found[format_name(tensor.dtype)] += tensor.numel()
        return found
    if torch.Tag.pointwise in func.tags:
        for tensor in call.outputs():
            found[format_name(tensor.dtype)] += tensor.numel()
    elif name in REDUCTIONS:
        first = next(call.tensors(), None)
        if first is not None:
            found[format_name(first.dtype)] += first.numel()
    return found


def _first_list(call: Call) -> list[torch.Tensor]:
    for value in call.arguments.values():
        if isinstance(value, list | tuple) and value and isinstance(value[0], torch.Tensor):
            return list(value)
    return []


def _is_view(call: Call, func: Any) -> bool:
    """Whether an operator touches no values: a view, or a note of the profiler."""
    if call.name.startswith(("profiler.", "prim.")):
        return True
    returned = func._schema.returns
    return bool(returned) and all(item.alias_info is not None and not item.alias_info.is_write for item in returned)


def _bytes(call: Call) -> int:
    """Return the bytes of all tensors that a call read or wrote, each once."""
    seen = {id(tensor): tensor for tensor in (*call.tensors(), *call.outputs())}
    return sum(tensor.numel() * tensor.element_size() for tensor in seen.values() if tensor.layout == torch.strided)
