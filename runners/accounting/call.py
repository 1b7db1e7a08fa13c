"""One call of an operator below autocast and autograd, as formulas read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import torch


@dataclass(frozen=True, slots=True)
class Call:
    """An operator's call.

    Attributes:
        name: namespace and name without overload, such as `aten.mm`.
        arguments: values by the names in the operator's schema; defaults are filled in.
        out: what it returned.
    """

    name: str
    arguments: dict[str, Any]
    out: Any

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the sizes of a tensor argument."""
        return tuple(self.arguments[name].shape)

    def numel(self, name: str) -> int:
        """Return the number of elements of a tensor argument."""
        return prod(self.shape(name))

    def tensors(self) -> Iterator[torch.Tensor]:
        """Yield the tensors among the arguments, those in lists included."""
        yield from tensors(list(self.arguments.values()))

    def outputs(self) -> Iterator[torch.Tensor]:
        """Yield the tensors that were returned."""
        yield from tensors(self.out)


@dataclass(frozen=True, slots=True)
class Work:
    """Operations of one call; a multiplication with an addition counts as two.

    Attributes:
        executed: what the mathematics asks for, with causal masks taken into account.
        customary: what is customarily counted: causal attention as if nothing were masked.
        operands: the tensors whose format the operations are carried out in.
        recomputed: operations among `executed` that only repeat earlier ones.
    """

    executed: int
    customary: int
    operands: tuple[torch.Tensor, ...]
    recomputed: int = 0


def plain(operations: int, *operands: torch.Tensor) -> Work:
    """Return work that has one count only."""
    return Work(operations, operations, operands)


def bind(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> Call:
    """Return a call with its arguments by name.

    Args:
        func: the operator's overload.
        args: positional arguments.
        kwargs: keyword arguments.
        out: what it returned.
    """
    schema = func._schema.arguments
    values = {item.name: item.default_value for item in schema if item.has_default_value()}
    values |= {item.name: value for item, value in zip(schema, args, strict=False)} | kwargs
    namespace, _, name = func._schema.name.partition("::")
    return Call(f"{namespace}.{name}", values, out)


def tensors(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors in a nest of lists and tuples."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors(item)
