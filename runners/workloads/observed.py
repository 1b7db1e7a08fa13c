"""What the live objects show during one step: formats, shapes, optimizer, compilation. Never what was requested.

Forward hooks on the model see every call of the step in which they are attached. A compiled model is watched from
outside only, because hooks inside would be compiled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch

from ...rules.statistics.intervals import rounded
from ..accounting.ceilings import entropy_bits
from .interface import Built
from .precision import MANTISSA_FORMATS, format_name, product_mantissa_bits

PRODUCTS = (torch.nn.Linear, torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Conv3d, torch.nn.Bilinear)
NARROWING = ("fp64", "fp32", "bf16", "fp16")
"""From wide to narrow, to name the narrowest format seen."""


@dataclass(slots=True)
class Sightings:
    """What hooks showed during one step."""

    inputs: list[tuple[int, ...]] = field(default_factory=list)
    """Shape of the first tensor of every call of the model."""
    products: set[str] = field(default_factory=set)
    """Formats that came out of linear and convolution modules."""
    outputs: set[str] = field(default_factory=set)
    """Formats that came out of the model."""
    autocast: set[torch.dtype | None] = field(default_factory=set)
    """Autocast formats in force inside the model; None for none."""
    dropout: bool = False
    """Whether a dropout module that drops was called in training mode."""
    recomputed: bool = False
    """Whether the backward pass called a module again; what is no module is recomputed unseen."""


@contextmanager
def watch(built: Built, seen: Sightings) -> Iterator[None]:
    """Attach hooks to a workload's model for one step; they fill `seen`."""
    model = built.model
    handles = []
    if model is not None:
        handles.append(model.register_forward_pre_hook(_entering(seen)))
        handles.append(model.register_forward_hook(_leaving(seen)))
        if not _compiled(model):
            handles += [part.register_forward_hook(_passing(seen)) for part in model.modules()]
            handles += [part.register_forward_pre_hook(_again(seen)) for part in model.modules()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def observed_options(built: Built, seen: Sightings, batch: object, device: str) -> dict[str, Any]:
    """Return what was seen, in the shape of an option set.

    Args:
        built: the workload, after a step.
        seen: what the hooks saw.
        batch: the batch of that step.
        device: where it ran.
    """
    tensors = list(tensors_in(batch))
    bits = _mantissa_bits(seen, device)
    extra: dict[str, Any] = {
        "batch_shapes": _text("x".join(map(str, tensor.shape)) or "scalar" for tensor in tensors),
        "batch_formats": _text(format_name(tensor.dtype) for tensor in tensors),
        "product_mantissa_bits": bits,
        "input_entropy_bits": rounded(max((entropy_bits(tensor) for tensor in tensors), default=0.0)),
    }
    found: dict[str, Any] = {}
    formats = seen.products or seen.outputs
    if built.model is None:  # a kernel: its operands say it
        formats = {format_name(tensor.dtype) for tensor in tensors}
    # Below an autocast to fp16 a product keeps as many bits as one in tf32.
    tf32 = MANTISSA_FORMATS.get(bits) == "tf32" and torch.float16 not in seen.autocast
    precision = _precision(built, formats, tf32)
    if precision:
        found["precision"] = precision
    if built.model is not None:
        found |= _model_options(built.model, seen)
        extra |= _model_extra(built.model, seen)
    if built.optimizer is not None:
        found |= _optimizer_options(built.optimizer)
        extra["optimizer_state_formats"] = _state_formats(built.optimizer)
    found["extra"] = {key: value for key, value in extra.items() if value != ""}
    return found


def _mantissa_bits(seen: Sightings, device: str) -> int:
    """Probe an fp32 product after the step, under the autocast that was in force inside the model."""
    within = next((dtype for dtype in seen.autocast if dtype is not None), None)
    kind = torch.device(device).type
    context: AbstractContextManager[Any] = nullcontext() if within is None else torch.autocast(kind, dtype=within)
    return product_mantissa_bits(context, device)


def _entering(seen: Sightings) -> Callable[..., None]:
    def hook(_module: torch.nn.Module, arguments: tuple[Any, ...]) -> None:
        first = next(tensors_in(arguments), None)
        if first is not None:
            seen.inputs.append(tuple(first.shape))
            kind = first.device.type
            seen.autocast.add(torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else None)

    return hook


def _leaving(seen: Sightings) -> Callable[..., None]:
    def hook(_module: torch.nn.Module, _arguments: tuple[Any, ...], output: object) -> None:
        seen.outputs.update(format_name(tensor.dtype) for tensor in tensors_in(output))

    return hook


def _again(seen: Sightings) -> Callable[..., None]:
    def hook(_module: torch.nn.Module, _arguments: tuple[Any, ...]) -> None:
        if torch._C._current_graph_task_id() != -1:  # within a backward pass
            seen.recomputed = True

    return hook


def _passing(seen: Sightings) -> Callable[..., None]:
    def hook(module: torch.nn.Module, _arguments: tuple[Any, ...], output: object) -> None:
        if isinstance(module, PRODUCTS):
            seen.products.update(format_name(tensor.dtype) for tensor in tensors_in(output))
        if "Dropout" in type(module).__name__ and module.training and getattr(module, "p", 0) > 0:
            seen.dropout = True

    return hook


def _precision(built: Built, formats: set[str], tf32: bool) -> dict[str, Any]:
    precision: dict[str, Any] = {}
    floating = [name for name in NARROWING if name in formats]
    if floating:
        narrowest = floating[-1]
        precision = {"compute": "tf32" if tf32 and narrowest == "fp32" else narrowest, "tf32": tf32}
    if built.model is not None:
        weights = _text(sorted({format_name(weight.dtype) for weight in built.model.parameters()}))
        if weights:
            precision["weights"] = weights
    return precision


def _model_options(model: torch.nn.Module, seen: Sightings) -> dict[str, Any]:
    found: dict[str, Any] = {"compile": _compiled(model)}
    if data_parallel(model) > 1:
        found["data_parallel"] = data_parallel(model)
    if not _compiled(model):
        found["dropout"] = seen.dropout
        if seen.recomputed:
            found["activation_checkpointing"] = True
    shapes = [shape for shape in seen.inputs if shape]
    if shapes:
        found["global_batch"] = sum(shape[0] for shape in shapes) * data_parallel(model)
        found["micro_batch"] = max(shape[0] for shape in shapes)
        found["accumulation"] = len(shapes)
        if len(shapes[0]) > 1:
            found["input_shape"] = list(shapes[0][1:])
    return found


def _model_extra(model: torch.nn.Module, seen: Sightings) -> dict[str, Any]:
    parameters = list(model.parameters())
    extra: dict[str, Any] = {
        "parameters": sum(parameter.numel() for parameter in parameters),
        "parameter_devices": _text(sorted({str(parameter.device) for parameter in parameters})),
        "gradient_formats": _text(sorted({format_name(p.grad.dtype) for p in parameters if p.grad is not None})),
        "output_formats": _text(sorted(seen.outputs)),
        "autocast": _text(sorted("off" if dtype is None else format_name(dtype) for dtype in seen.autocast)),
    }
    if _compiled(model):
        from torch._dynamo.utils import counters

        extra["compiled_graphs"] = int(counters["stats"]["unique_graphs"])
    return extra


def _optimizer_options(optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    found: dict[str, Any] = {"optimizer": type(optimizer).__name__.lower()}
    for ours, theirs in (("learning_rate", "lr"), ("weight_decay", "weight_decay"), ("momentum", "momentum")):
        values = {float(group[theirs]) for group in optimizer.param_groups if theirs in group}
        if len(values) == 1:
            found[ours] = values.pop()
    return found


def _state_formats(optimizer: torch.optim.Optimizer) -> str:
    tensors = (value for state in optimizer.state.values() for value in state.values() if torch.is_tensor(value))
    return _text(sorted({format_name(tensor.dtype) for tensor in tensors if tensor.dim()}))


def data_parallel(model: torch.nn.Module | None) -> int:
    """Return the ranks that share a batch; 1 for a model that exchanges nothing."""
    inner = getattr(model, "_orig_mod", model)
    if isinstance(inner, torch.nn.parallel.DistributedDataParallel):
        return torch.distributed.get_world_size(inner.process_group)
    sharded = torch.distributed.is_available() and type(inner).__name__.startswith("FSDP")
    return torch.distributed.get_world_size() if sharded else 1


def _compiled(model: torch.nn.Module) -> bool:
    return hasattr(model, "_orig_mod")


def tensors_in(value: object) -> Iterator[torch.Tensor]:
    """Yield the tensors of a value, those in its lists and dictionaries too."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors_in(item)


def _text(words: Any) -> str:
    return ", ".join(words)
